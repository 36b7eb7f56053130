/* rules.h - the numbers and small formulas of the virtual machine's rules that both engines share. */
#ifndef PEVPM_ENGINE_RULES_H
#define PEVPM_ENGINE_RULES_H

#include "engine/random.h"
#include "models/cost.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A process that has this many unmatched messages to one destination lets the others run first. Where nobody else can,
 * the limit of that pair doubles. It bounds memory and changes no meaning; it does set how many messages a one-way
 * stream has on the board, hence its contention level. */
enum { RULE_UNMATCHED = 64 };

/* Blocking calls remembered for each process to find when both ends of a rendezvous were inside MPI (progress: none). A
 * program that makes more of them between an Isend and its Wait has the transfer start in one of the last ones. */
enum { RULE_HISTORY = 8 };

/* The larger of two times, written as the vector units compute it. */
static inline double rule_latest(double a, double b)
{
    return a > b ? a : b;
}

/* The smaller; without the care for what is not a number that fmin is called to take. */
static inline double rule_earliest(double a, double b)
{
    return a < b ? a : b;
}

/* The first time after t >= 0 that there is. */
static inline double rule_next(double t)
{
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    bits++;
    memcpy(&t, &bits, sizeof t);
    return t;
}

/* Which numbers draw an overhead. Who receives is late with the message; and within a node all of its way is work of the two
 * processes, so who sends it is late with it too. Such overheads are drawn by the number that drew the transit: what delays both
 * counts once. */
static inline enum stream rule_overhead_stream(enum side side, enum transport transport)
{
    return side == SIDE_RECEIVE || transport_is_local(transport) ? STREAM_TRANSIT : STREAM_SEND_OVERHEAD;
}

/* Whether a send goes by rendezvous as a whole. `buffered`: Bsend; `synchronous`: Ssend, Issend. */
static inline bool rule_rendezvous(int64_t bytes, int64_t eager_limit, bool buffered, bool synchronous)
{
    return !buffered && (synchronous || bytes > eager_limit);
}

/* An out port that serves whole messages: when the message departs whose send call is at `call`. *free_at: when it will
 * be free; gap: how long it is busy with this one; credit: credit(M) of docs/ARCHITECTURE.md, section 4. In the order of
 * asking, these are the operations of the kernels (kernel.h: out_port), so that all engines compute the same bits. The
 * in port is network/inlet.h. */
static inline double rule_out_port(double *free_at, double gap, double credit, double call)
{
    double rested = *free_at - credit;
    *free_at = rule_latest(*free_at, call) + gap;
    return rule_latest(call, rested);
}

/* An interval in which a process was in MPI; an instant has from = to. */
struct stay {
    double from, to;
};

/* When a rendezvous starts (progress: none): the first time at or after `posted` at which both processes are in MPI;
 * infinite if never. Stays need no order. */
double rule_rendezvous_start(double posted, int n, const struct stay sender[], int k, const struct stay receiver[]);

#endif
