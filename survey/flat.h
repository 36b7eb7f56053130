/* flat.h - linear (flat) Scatter and Gather on the nodes of a survey, timed and repeated.
 *
 * They are made of MPI_Send and MPI_Recv, the root's in the order of ranks: which algorithm MPI_Gather takes is the
 * library's own affair, no portable way makes it take this one, and it is this one that the papers' formulas are of.
 * All processes start at one moment of a global clock (clock/clock.h); the time of an operation is that of the last
 * process to leave, a Gather's the root's. Before each the nodes rest; nobody sends anything else before the root has
 * left.
 *
 * First every point is measured a few times, then sizes are added between which something changes
 * (estimate/analytical/many_to_one.h), and Scatters are repeated until their medians are known to the survey's precision or they
 * were measured FLAT_MOST times. Where the papers' ratio finds an M1 its stride is halved down to a byte: edges, which serve
 * nothing else, as so many sizes at one place would bend the surfaces to it. The rest of the budget goes to the points whose share of escalated operations is known
 * least, until all are known to FLAT_SHARE or were measured FLAT_MOST times. Units: ns here; seconds, bytes. */
#ifndef PEVPM_SURVEY_FLAT_H
#define PEVPM_SURVEY_FLAT_H

#include "estimate/analytical/many_to_one.h"
#include "survey/survey.h"

/* s between operations, unless otherwise wished. On 16 hosts of 10 Mbit/s, in one launch each, a Gather of 16 KiB took
 * longer than its linear part in 30 of 30 operations 5 ms after the one before, in 23 of 30 after 50 ms, in 21 of 30
 * after 300 ms; launches differ as much (96 of 100 after 50 ms in another). */
#define FLAT_REST 0.05
#define FLAT_SHARE 0.1
enum { FLAT_MOST = 100 };

/* How they are called where models are named. They are no model of messages. */
#define MANY_TO_ONE "many_to_one"

/* What is wanted. */
struct flat_wish {
    double budget;   /* s, above 0 */
    double rest;     /* s before each operation, 0 to FLAT_REST_MOST */
    int64_t largest; /* bytes of a share, FLAT_LARGEST_LEAST to FLAT_LARGEST_MOST */
};
#define FLAT_REST_MOST 1.0
enum { FLAT_LARGEST_LEAST = 16, FLAT_LARGEST_MOST = 1 << 24 };

/* Where nothing else is said. */
#define FLAT_WISH ((struct flat_wish){300, FLAT_REST, 128 << 10})

/* What was measured, on rank 0; all kinds ascending by number of processes and size. */
struct flat_survey {
    int64_t largest; /* as wished */
    double rest;
    size_t n[N_FLAT_KINDS], capacity[N_FLAT_KINDS];
    struct flat_point *points[N_FLAT_KINDS]; /* their times and what follows owned */
    size_t measurements;
    double seconds;
    bool is_whole;   /* every point was measured before the budget was spent */
    struct flat_point missing; /* where not: the first that was not, without times */
    enum flat_kind missing_kind;
    bool spent;      /* the budget ended it */
    int64_t n_late;  /* operations left out as a process missed the start */
};

/* Collective over survey->comm, of at least 3 nodes. Numbers of processes are powers of 2 from 4 on and all nodes; the
 * least is measured at the largest number of sizes. *found is zero at first, or on rank 0 has what an earlier run has
 * measured (flat_add, n_late): that is not measured again. Calls survey_save between operations. */
void flat_run(struct survey *survey, const struct flat_wish *wish, struct flat_survey *found);

/* One more time, s, of an operation; follows: it came right after the one before it of that point. */
void flat_add(struct flat_survey *found, enum flat_kind kind, int numprocs, double bytes, double t, bool follows);
void flat_free(struct flat_survey *found);

/* All of it as many_to_one_fit wants it, on nodes whose LMO parameters these are. Borrows both. */
struct many_to_one_input flat_input(const struct flat_survey *found, size_t n_nodes, const double parameters[]);

#endif
