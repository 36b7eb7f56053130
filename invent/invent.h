/* invent.h - directive programs made by chance: who wants to know how good predictions are needs more programs than
 * people write.
 *
 * A program is a loop of phases, each of a shape that MPI programs have (shape.h). It runs on any number of processes
 * from 2 on and is free of deadlock whatever messages wait for, so also where every send waits for its receive. How
 * often the loop is run and how long it computes come from what its messages would take on a network that its
 * parameters describe: `latency` s for a message and `per_byte` s more for each byte, of 10 Mbit/s unless others are
 * given. There a run on 2 to 16 processes takes some 0.3 to 1.5 s; `seconds` is the time that it is written for.
 * Computations that would be shorter than `shortest` are left out, for a process cannot sleep for so short a time; of a
 * program no phase of which computes they are put together instead: it computes before its phases, in every lap or, where
 * that would be too short, in every so manyth.
 *
 * A kind and a seed are the name of a program that others have measured: a new kind stands behind `mixture`, which has
 * none of its shapes. */
#ifndef PEVPM_INVENT_INVENT_H
#define PEVPM_INVENT_INVENT_H

#include <stdbool.h>
#include <stdint.h>

/* The parameters that say how fast messages are, and how long a run should take. */
#define INVENT_LATENCY "latency"
#define INVENT_PER_BYTE "per_byte"
#define INVENT_SECONDS "seconds"
#define INVENT_SHORTEST "shortest"

/* X(name, what it is made of) */
#define INVENT_KIND_LIST(X)                                                                       \
    X(halo, "exchanges with neighbours in 1 to 3 dimensions")                                     \
    X(pipeline, "what one process has done the next goes on with, in 1 or 2 dimensions")          \
    X(butterfly, "pairs at distances 1, 2, 4 ...")                                                \
    X(ring, "everybody hands on to the next")                                                     \
    X(farm, "a master that gives out tasks to who is free; wildcards, probes")                    \
    X(graph, "irregular neighbours and sizes, nonblocking calls, waits and tests of all kinds")   \
    X(collectives, "all collective operations")                                                   \
    X(communicators, "messages and collectives in parts of the processes")                        \
    X(mixture, "phases of all these")                                                             \
    X(requests, "persistent requests, probes that take messages out, waits and tests for some of several") \
    X(remote, "one-sided operations: fences, of all and of parts, and locks")                     \
    X(overlap, "nonblocking collectives beside which processes compute; levels, buffers replaced, long exchanges")
enum invent_kind {
#define X(name, what) INVENT_##name,
    INVENT_KIND_LIST(X)
#undef X
    N_INVENT_KINDS
};
/* Of these kinds are the programs of whoever wants all kinds, by turns: each MPI library can run them. Windows it need not
 * have, and Debian's Open MPI has none over TCP. Kinds behind them came later and stay out too: what has been measured by
 * turns is known by its seed. */
enum { N_INVENT_ANYWHERE = INVENT_remote };

/* "halo" */
const char *invent_kind_name(enum invent_kind kind);

/* The program of a kind and a seed: always the same text. Allocated. */
char *invent_program(enum invent_kind kind, uint64_t seed);

/* What it is called where a file's name is expected: "<--random halo --seed 3>". Allocated. And back; false: `name` is
 * no such name. */
char *invent_name(enum invent_kind kind, uint64_t seed);
bool invent_name_read(const char *name, enum invent_kind *kind, uint64_t *seed);

#endif
