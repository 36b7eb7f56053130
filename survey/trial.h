/* trial.h - one experiment on MPI: what its processes do. */
#ifndef PEVPM_SURVEY_TRIAL_H
#define PEVPM_SURVEY_TRIAL_H

#include "estimate/analytical/experiment.h"
#include "estimate/stopping.h"
#include "measure/job.h"

#include <mpi.h>

/* Where it happens: ranks of comm are nodes. buffer: as large as the largest message. */
struct trial {
    const struct job *job;
    MPI_Comm comm;
    char *buffer;
    const struct stopping *rule;
};

/* On node[0]: repeats the experiment, without the first time, until the rule says that it is enough; *samples, which is
 * initialised, gets the times, ns. */
void trial_lead(const struct trial *trial, const struct experiment *experiment, struct samples *samples);

/* On the other nodes of it, until node[0] says that it is over. */
void trial_follow(const struct trial *trial, const struct experiment *experiment);

#endif
