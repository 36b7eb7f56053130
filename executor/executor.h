/* executor.h - executes a lowered program on MPI: what its processes are said to send is sent, what they are said to
 * compute is spent in time.
 *
 * Each rank of a communicator is the process of the same number. It walks the same instructions as the engines do and
 * reads operands as they do (engine/operand.h), but every message, wait, test, probe and collective is a call of the
 * MPI library. Computations take what engines draw for the same seed and replication (engine/computation.h).
 * MPI_Sendrecv and MPI_Rsend are called by these names, everything else as its instruction says; `algorithm =` is left
 * to the library.
 *
 * A process has two pieces of memory for all messages, one to send from and one to receive into, as large as the
 * largest message; with `verify`, memory for each message of its own.
 *
 * The communicator's error handler must not return; what windows refuse is reported. Units: seconds, bytes. */
#ifndef PEVPM_EXECUTOR_EXECUTOR_H
#define PEVPM_EXECUTOR_EXECUTOR_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/program.h"
#include "executor/work.h"
#include "models/machine.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Borrowed, and to outlive the executor. */
struct executor_setup {
    const struct program *program;
    MPI_Comm comm;                   /* as many ranks as the program has processes */
    const struct machine *machine;   /* of measured(NAME), node_time_factor, serial_variability */
    uint64_t seed;
    struct work_options work;        /* how computation is spent */
    bool verify;                     /* every message is checked: see verifier.h. For tests, not for times */
    bool profile;                    /* the time in each directive is kept */
};

struct executor;

/* Collective. Connects each pair of processes, as MPI libraries do when two of them first talk. *executor is never
 * NULL; with any status but OK it is good for nothing, not even to be destroyed, and as the others may wait the job
 * must end.
 *   STATUS_MPI          the library does not make a window; `diags` names a directive that uses it */
enum status executor_create(struct executor **executor, const struct executor_setup *setup, struct diags *diags);

/* Collective. */
void executor_destroy(struct executor *executor);

/* Executes this rank's process once. STATUS_OK when it has come to its end; else what is wrong is in `diags`, and the
 * other ranks may wait for this one for ever: the job must be ended.
 *   STATUS_RANGE, ...   as the engines say it: an operand out of range, a message longer than its receive
 *   STATUS_NOT_YET      a message or tag that MPI calls cannot take
 *   STATUS_MPI          a one-sided operation failed */
enum status executor_run(struct executor *executor, uint32_t replication, struct diags *diags);

/* Collective, after a run that was STATUS_OK on all ranks: receives what the program has left unreceived, so that the
 * next run does not find it, and completes what it has left open. Returns how many messages of all processes no receive
 * of the program took. */
uint64_t executor_settle(struct executor *executor);

/* Collective, after executor_settle, with `verify`: STATUS_OK where every delivery to this process was one that the
 * rules of matching allow, and what one-sided operations put and got is right. Else STATUS_UNMATCHED, and the
 * directives are in `diags`. */
enum status executor_verify(struct executor *executor, struct diags *diags);

/* What region r of the program took this process in the last run, s. */
double executor_region(const struct executor *executor, size_t r);

/* With `profile`: seconds that this process spent in each site in all runs, [program->n_sites]; borrowed. */
const double *executor_profile(const struct executor *executor);

/* Where the process is now, for another thread that asks: the site whose MPI call it is in, or one of these. */
enum { EXECUTOR_COMPUTES = -1, EXECUTOR_ENDED = -2 };
int32_t executor_where(const struct executor *executor);

/* Whether some directive names the algorithm of a collective, which is left to the library: its site, else -1. */
int32_t executor_algorithm_site(const struct program *program);

#endif
