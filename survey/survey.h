/* survey.h - experiments carried out on the nodes of a job, those of a round at the same time. But where ranks share
 * cores, those whose time is what processors take (experiment_is_of_processors) are carried out one at a time: with
 * sixteen processes on two cores an empty round trip took 54 us where eight were made at a time, and 25 us alone.
 *
 * One process of each node takes part (or, where asked for, every process, as a node of its own). Rank 0 of `comm` has
 * all results; every rank knows all experiments, so that nobody has to be told what to do. How often an experiment is
 * repeated the process that takes its time decides (estimate/stopping.h), and tells the others of it. But one-to-two
 * experiments serve only parameters that average many of them (estimate/analytical/lmo_fit.h), so no one's own median matters:
 * they are repeated SURVEY_PASS times, and so many times more with each survey_more. The first repetition of each pass
 * is left out: connections, caches and buffers are cold. Times are local to one process and read from clock/clock.h's
 * source. A process that waits for another that has died is ended by the watch (measure/watch.h). Units: nanoseconds
 * here, seconds in what is handed to the estimators; bytes. */
#ifndef PEVPM_SURVEY_SURVEY_H
#define PEVPM_SURVEY_SURVEY_H

#include "common/intern.h"
#include "estimate/analytical/bootstrap.h"
#include "estimate/analytical/experiment.h"
#include "estimate/stopping.h"
#include "measure/job.h"
#include "models/machine.h"

#include <mpi.h>
#include <stdbool.h>

enum { SURVEY_PASS = 2 };

/* s between two calls of `save`. */
#define SURVEY_SAVE 8.0

/* An experiment, once it has been carried out with its times (rank 0 only). */
struct surveyed {
    struct experiment experiment;
    size_t n;
    double *t;              /* [n] s, owned */
    size_t passes;          /* of a one-to-two experiment, on all ranks: so often SURVEY_PASS times */
    double seconds;         /* that it took: its share of the time of its kind and size, with all that belongs to it */
};

/* What carrying out experiments of a kind and size at the same time may add to each (estimate/analytical/at_once.h). */
struct survey_added {
    struct experiment like;
    double seconds;
};

struct survey {
    const struct job *job;
    MPI_Comm comm;          /* of those that take part; MPI_COMM_NULL elsewhere */
    int rank, nodes;
    struct stopping rule;   /* of each experiment */
    struct trunks trunks;   /* none until survey_trunks */
    char *buffer;           /* of the largest message so far */
    int64_t buffer_bytes;
    size_t n_kept, kept_capacity;
    struct surveyed *kept;  /* [n_kept] of an earlier run (survey_keep); rank 0 */
    void (*save)(void *);   /* called on rank 0 now and then while it measures; NULL: nothing is */
    void *save_context;
    int64_t saved;          /* when, local ns */
    size_t n, capacity, n_done;
    size_t n_added, added_capacity;
    struct survey_added *added; /* [n_added]; rank 0 */
    struct surveyed *all;   /* [n]; the first n_done have been carried out */
    struct intern places;   /* of each of them: one-to-two experiments of 64 nodes are 124,992 */
};

/* Collective over job->comm. every_process: each is a node. Whoever finds that there are too many nodes goes no further. */
void survey_init(struct survey *survey, const struct job *job, bool every_process, const struct stopping *rule);
void survey_free(struct survey *survey);

/* Connections are made, by one pair at a time and not by all at once. Collective over survey->comm, before all that follows. */
void survey_connect(const struct survey *survey);

/* Experiments that cross the same trunk are not carried out at the same time: the groups of which the machine file has
 * a resource. machine: rank 0's, of as many nodes; NULL: none. Collective over survey->comm. */
void survey_trunks(struct survey *survey, const struct machine *machine);

/* The rest is for those that take part. Adds an experiment unless it is there already; its number. The same on all. */
size_t survey_add(struct survey *survey, const struct experiment *experiment);

/* What an earlier run has measured, on rank 0, before the first survey_run: t [n] is copied. An experiment that was
 * measured as often as the rule wants is not carried out again. */
void survey_keep(struct survey *survey, const struct experiment *experiment, size_t n, const double t[]);

/* Calls `save` when it is time to. On rank 0. */
void survey_save(struct survey *survey);

/* Carries out what was added since and is not kept, experiments of one kind and size together, in rounds. Returns the
 * seconds that it took, on rank 0. Collective over survey->comm. */
double survey_run(struct survey *survey);

/* Repeats those one-to-two experiments of which `more` [survey->n] says so SURVEY_PASS times more: the same on all.
 * Collective over survey->comm. */
void survey_more(struct survey *survey, const bool more[]);

/* Carries out all once more, as often, one after the other, and keeps the times apart: t of `again` [survey->n] in
 * order, owned by the caller. Returns the seconds. */
double survey_repeat_alone(struct survey *survey, struct surveyed again[]);

/* What was found, or an earlier run has found, of experiments like this one; replaces what is there. On rank 0. */
void survey_add_added(struct survey *survey, const struct experiment *like, double seconds);
/* The place in survey->added of what there is of an experiment's kind and size; negative: nothing. */
int survey_added_of(const struct survey *survey, const struct experiment *experiment);

/* How often experiment `number` was repeated, and its times. On rank 0. */
struct repeats survey_repeats(const struct survey *survey, size_t number);

#endif
