/* clock.h - one clock for all processes of a job.
 *
 * Time is int64 nanoseconds of one local source (CLOCK_MONOTONIC_RAW, or CLOCK_MONOTONIC where reading the former is
 * slow), the same for synchronising and measuring. The global clock is the local clock of rank 0. One process of each
 * host (MPI_COMM_TYPE_SHARED) synchronises with its parent in a tree of hosts; the others of the host share its result.
 * Measurements are bracketed: clock_sync before and after a block, and clock_global interpolates between the two.
 * References: Hunold, Carpen-Amarie, CLUSTER 2018 (chained models); Cristian 1989 (bounds).
 *
 * Every function that takes part in communication is collective over the communicator given to clock_create, whose
 * error handler must not return. */
#ifndef PEVPM_CLOCK_CLOCK_H
#define PEVPM_CLOCK_CLOCK_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* For tests: this process's local clock is made wrong by a known amount: local' = local + offset_ns + drift_ppm * 1e-6
 * * (local - start). */
struct clock_error {
    int64_t offset_ns;
    double drift_ppm;
};

struct clock_options {
    double sync_time;             /* s, what one synchronisation may take (default 0.5) */
    struct clock_error error;     /* of this rank; zeros: none */
    bool force_chain;             /* for tests: a chained tree also between hosts of one machine, else a star */
};

struct clock;

/* Takes a private duplicate of the communicator. Never NULL. */
struct clock *clock_create(MPI_Comm comm, const struct clock_options *options);
void clock_destroy(struct clock *clock);

/* The local time now; cheap, not collective. */
int64_t clock_now(const struct clock *clock);

/* What reading it takes, ns: the mean of many behind one another. So much of what lies between two readings is theirs. */
int64_t clock_reading(const struct clock *clock);

/* Synchronises; later calls add a point in time, so that what lies between two of them is interpolated. */
void clock_sync(struct clock *clock);

/* The global time of a local one, and back. Between synchronisations interpolated, after the last one extrapolated. */
int64_t clock_global(const struct clock *clock, int64_t local);
int64_t clock_local(const struct clock *clock, int64_t global);

/* How wrong clock_global may be at `local`, ns.
 *
 * clock_limit is sure: half the round trip, added up along the tree, plus what the rate can have done since; it
 * assumes nothing about the way there and back. clock_bound is what measurements are judged by. It assumes that the
 * fastest message one way takes at most half as long again as the fastest the other way: an error of CLOCK_ASYMMETRY
 * times the half round trip. But where few round trips of a conversation were as quick as its quickest, one way may
 * never have been as quick as it can be. If round trips lie evenly just above the quickest possible, the quickest of
 * a conversation exceeds that by an exponential time whose mean is a ninth of what the tenth quickest took longer
 * (Robson, Whitlock 1964); its 95 % quantile is ln 20 such means, and all of it on one way shifts the estimate by half
 * of it: CLOCK_EXCESS times the tenth's delay. The two have nothing to do with each other and may well be of opposite
 * signs, so the root of the sum of their squares counts. Besides, no stamp is better than the clock's own steps. */
#define CLOCK_ASYMMETRY 0.2
#define CLOCK_EXCESS (2.995732273553991 / 9 / 2)
int64_t clock_bound(const struct clock *clock, int64_t local);
int64_t clock_limit(const struct clock *clock, int64_t local);

/* The largest of each since the synchronisation before the last. */
void clock_block_bounds(const struct clock *clock, int64_t *bound, int64_t *limit);

/* Waits until global time `global`: sleeping while it is far away, then spinning (where there are more processes than
 * cores it sleeps to the end). False, at once, when that time had passed already. */
bool clock_wait(const struct clock *clock, int64_t global);

/* A global time a safe while from now, the same on all ranks: when a measured operation may start everywhere.
 * `slack_ns` is added to the time that telling everybody takes. */
int64_t clock_start(struct clock *clock, int64_t slack_ns);

/* The two halves of it, for what has more to tell, over a part `comm` of the clock's processes: such a time (not
 * collective), and a broadcast from rank 0 of `comm` in which, on a crowded machine, the waiting sleep. */
int64_t clock_soon(const struct clock *clock, int64_t slack_ns);
void clock_announce(const struct clock *clock, MPI_Comm comm, void *buffer, int bytes);

/* Most processes per core on any one kernel, rounded up: above 1, processes wait for one another. */
int clock_crowding(const struct clock *clock);

/* On how many processors the processes of a kernel may run, together, where those are fewest. */
int clock_processors(const struct clock *clock);

/* What the source is, how long a reading takes, and its granularity. */
struct clock_quality {
    const char *source;
    double overhead_ns, granularity_ns;
};
struct clock_quality clock_quality(const struct clock *clock);

/* Independent check: rank 0 talks with every rank, not only with its neighbours in the tree. On rank 0: errors_ns
 * [size] what the global clock was found wrong by, bounds_ns [size] clock_bound then plus the check's own; both may be
 * NULL elsewhere. Collective. */
void clock_verify(struct clock *clock, double errors_ns[], double bounds_ns[]);

#endif
