/* shape.h - the shapes that phases of programs have, and what they are written with.
 *
 * A shape writes directives of one phase. What it sends, it receives: messages of different phases, and of one phase
 * gone through again, are told apart by tags or by order, and a phase comes to its end when all processes have come to
 * it, whatever earlier phases they had (but for shapes that may deadlock). So phases may be put together in any order,
 * in a loop whose variable is SHAPE_LAP. */
#ifndef PEVPM_INVENT_SHAPE_H
#define PEVPM_INVENT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages that a process waits for one after the other, and the bytes in them: fixed + each * numprocs. */
struct shape_load {
    double messages, bytes;
};
struct shape_cost {
    struct shape_load fixed, each;
};

/* The variable in which a program keeps how often it has gone through its phases. */
#define SHAPE_LAP "lap"

/* How a program is being written. Zero-initialise, then set what is not 0; `text` is the writer's and ends with
 * free. */
struct maker {
    uint64_t seed;
    uint32_t drawn;
    char *text;
    size_t used, capacity;
    int n_phases;              /* so far: tags and names of a phase are made with it */
    const char *const *sizes;  /* expressions to choose from; NULL: numbers, from 0 to beyond all eager limits */
    size_t n_sizes;
    const char *const *times;  /* of Serial lines; NULL: parts of the parameter `work` with any imbalance or law */
    size_t n_times;
    bool computes;             /* else no Serial line at all */
    int n_works;               /* Serial lines so far */
    const char *often;         /* expression: how many times the phase comes to its Serial lines; NULL: once */
    const char *tag_lap;       /* behind a tag: which lap it is of; NULL: nothing */
    bool ready;                /* MPI_Rsend also where its receive may not have been posted */
    bool any_self;             /* what a process sends to itself is received from any source */
    char size_text[24], often_text[16]; /* of chance_size; for `often` */
};

/* A number from 0 to n - 1. */
int chance(struct maker *m, int n);
double chance_real(struct maker *m, double low, double high);

void say(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A size of a message of at most `most` bytes, as an expression: valid until the next call. *bytes out: about how many.
 * The second: one that is the same in all processes. */
const char *chance_size(struct maker *m, int64_t most, double *bytes);
const char *chance_number(struct maker *m, int64_t most, double *bytes);

/* A blocking send, of any kind. tag: with tag_lap behind it. */
void say_send(struct maker *m, const char *to, const char *size, int tag);

/* A Serial line with a part of the work, or none. The second: none only where the program does not compute. */
void say_work(struct maker *m);
void say_sure_work(struct maker *m);

/* One with all of the work, for a program that has no other. */
void say_all_work(struct maker *m);

/* `n` messages one after the other, of `bytes` each: all of it fixed. */
struct shape_cost cost_of(double n, double bytes);
struct shape_cost cost_add(struct shape_cost a, struct shape_cost b);

/* X(name, kind, who looks: time decides what happens, or what a status says, may deadlock) */
#define SHAPE_LIST(X)                              \
    X(line, halo, false, false)                    \
    X(grid, halo, false, false)                    \
    X(cube, halo, false, false)                    \
    X(stages, pipeline, false, false)              \
    X(wavefront, pipeline, false, false)           \
    X(butterfly, butterfly, false, false)          \
    X(sendrecv, ring, false, false)                \
    X(rotate, ring, false, false)                  \
    X(hand_on, ring, false, false)                 \
    X(farm, farm, true, false)                     \
    X(any, farm, true, false)                      \
    X(look, farm, true, false)                     \
    X(fan, farm, false, false)                     \
    X(graph, graph, false, false)                  \
    X(exchange, graph, false, false)               \
    X(some, graph, true, false)                    \
    X(ready, graph, false, false)                  \
    X(burst, graph, false, false)                  \
    X(self, graph, false, false)                   \
    X(collective, collectives, true, false)        \
    X(in_flight, collectives, true, false)         \
    X(rows, communicators, true, false)            \
    X(halves, communicators, true, false)          \
    X(shift, mixture, false, true)                 \
    X(flood, mixture, false, true)                 \
    X(alone, mixture, false, true)                 \
    X(persistent, requests, false, false)          \
    X(matched, requests, true, false)              \
    X(completed, requests, true, false)            \
    X(fences, remote, true, false)                 \
    X(parted, remote, true, false)                 \
    X(locked, remote, true, false)                 \
    X(shared, remote, true, false)                 \
    X(hidden, overlap, true, false)                \
    X(several, overlap, true, false)               \
    X(sudden, overlap, true, false)                \
    X(replaced, overlap, true, false)              \
    X(levels, overlap, false, false)
enum shape_name {
#define X(name, kind, by_time, may_deadlock) SHAPE_##name,
    SHAPE_LIST(X)
#undef X
    N_SHAPES
};

/* Writes a phase of the shape; returns its messages. */
struct shape_cost shape_say(struct maker *m, enum shape_name shape);

bool shape_is_by_time(enum shape_name shape);
bool shape_may_deadlock(enum shape_name shape);

#endif
