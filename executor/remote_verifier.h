/* remote_verifier.h - has what a process put landed where it was to, and has it got what was there?
 *
 * With `verify` the memory behind all windows of a process is
 *
 *     its own            [longest]                   what others get: nobody puts anything there
 *     process p's        [REMOTE_PLACES][longest]    where p = 0 ... numprocs - 1 puts, one place after the other
 *
 * Each access has memory of its own until it is over: at a fence of its window, at a flush or an unlock of it and its
 * target. What was got is looked at then. What was put is looked at after the run, when each process is told what
 * others have put last in each of their places here. Of two puts in one place, neither of which was over when the
 * second was called, nobody knows which stays; such a place is not looked at. Contents are as verifier.h makes them. No
 * MPI here. */
#ifndef PEVPM_EXECUTOR_REMOTE_VERIFIER_H
#define PEVPM_EXECUTOR_REMOTE_VERIFIER_H

#include "common/diag.h"
#include "directives/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REMOTE_PLACES = 8 };

/* What a process has put last in one of its places of another's memory. */
struct remote_put {
    int64_t bytes, number;          /* number: among its puts to that process, from 0 */
    int32_t site;
    bool is_known;                  /* false: there is none, or it is not known which */
};

/* Bytes of the memory behind a process's windows where an access takes `longest` at most. */
int64_t remote_memory_bytes(int numprocs, int64_t longest);

struct remote_verifier;

/* Of one process. memory: its own, zeros, to outlive the verifier; what others get is written there. */
struct remote_verifier *remote_verifier_create(const struct program *program, int process, int64_t longest,
                                               void *memory);
void remote_verifier_destroy(struct remote_verifier *verifier);
void remote_verifier_reset(struct remote_verifier *verifier, uint32_t replication);

/* The process puts into, or gets from, the memory of `peer` at *offset: returns the memory to put from or to get into.
 * window: any number that tells windows apart. */
void *remote_verifier_put(struct remote_verifier *verifier, size_t window, int peer, int64_t bytes, int32_t site,
                          int64_t *offset);
void *remote_verifier_get(struct remote_verifier *verifier, size_t window, int peer, int64_t bytes, int32_t site,
                          int64_t *offset);

/* The accesses of a window to `peer` are over; REMOTE_ALL: to all. */
enum { REMOTE_ALL = -1 };
void remote_verifier_end(struct remote_verifier *verifier, size_t window, int peer);

/* What the process has put: [numprocs][REMOTE_PLACES]. Borrowed until the next put. */
const struct remote_put *remote_verifier_puts(const struct remote_verifier *verifier);

/* Judges what has been got, and what is here of `puts`: [p][REMOTE_PLACES] those of process p. Adds an error for each
 * that is wrong; returns how many there were. */
size_t remote_verifier_judge(struct remote_verifier *verifier, const struct remote_put puts[], struct diags *diags);

#endif
