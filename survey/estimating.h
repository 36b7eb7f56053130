/* estimating.h - analytical models of the machine that an MPI program runs on, estimated while it runs: pevpm-estimate as a call.
 *
 * A program that has estimated the models costs messages and collectives by them (models/cost.h, models/collective_time.h), or
 * writes them into a machine file (models/machine_write.h). This header is of the library libpevpm-mpi, which is built for one MPI
 * library: compile with its mpicc and `pkg-config --cflags --libs pevpm-mpi`. */
#ifndef PEVPM_SURVEY_ESTIMATING_H
#define PEVPM_SURVEY_ESTIMATING_H

#include "common/diag.h"
#include "common/status.h"
#include "models/machine.h"
#include "models/model_list.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise: 0 stands for the default. The same on all ranks, but for `machine`. */
struct estimating_wish {
#define X(name, given, formulas) bool name;
    ANALYTICAL_LIST(X)      /* which models; none, and not many_to_one either: hockney and lmo */
#undef X
    int64_t bytes;          /* of the non-empty messages, PLogP's largest, at least 2 (default 8192) */
    int messages;           /* of a saturation, at least 2, for LogP, LogGP and PLogP (default 32) */
    bool regression;        /* Hockney's: the line of least squares through nine sizes up to `bytes` (default: two series) */
    bool direct_gap;        /* PLogP's: each size saturates the link */
    bool many_to_one;       /* lmo, and what linear Scatter and Gather do beyond it: kappa_1 and kappa_2, S, M1, Mc, M2, escalation */
    double budget;          /* s of many_to_one beyond LMO's own experiments, above 0 (default 300) */
    int64_t largest;        /* bytes of many_to_one's largest share, 16 to 2^24 (default 131072) */
    double rest;            /* s before each operation of many_to_one, at most 1; below 0: none (default 0.05) */
    int repetitions;        /* of an experiment at most, at least 6 (default 10) */
    double precision;       /* an experiment is repeated until its median is known to this part of it, below 1 (default 0.025) */
    bool every_process;     /* each process counts as a node (default: one of each node takes part) */
    const struct machine *machine; /* rank 0's: experiments that cross the same trunk of it take turns; NULL: none */
};

/* Collective over comm, an intracommunicator, on whose other traffic it has no influence; nothing else should be under way, for it is
 * time that is measured. *machine, on every rank and the same, has the nodes in the order of their lowest ranks and the models;
 * machine_destroy ends it. diags is initialised (DIAGS_EMPTY); warnings are rank 0's. A thread watches meanwhile: a failure of MPI
 * ends the program, and so does a process that does not come to an experiment, with exit code 4 and at once, as _exit.
 *
 * STATUS_USAGE, on all ranks and with an error on rank 0: a wish that cannot be, too few nodes (2; lmo: 3), or more than 512.
 * STATUS_RANGE, likewise: the budget was spent before many_to_one was measured at every size; *machine then has the models
 * without it. *machine is written there and where STATUS_OK is returned. */
enum status estimating_run(MPI_Comm comm, const struct estimating_wish *wish, struct machine **machine, struct diags *diags);

#endif
