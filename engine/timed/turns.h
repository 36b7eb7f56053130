/* turns.h - whose turn is next: for each process when its next turn is, or that it has none.
 *
 * A tournament: a process's leaf holds the time of its turn, a node the least of its four children, so setting a time
 * and finding the first take log4(numprocs) short steps each, without a branch to mispredict. Turns of one time are in
 * the order of processes. Four children share half a cache line. */
#ifndef PEVPM_ENGINE_TURNS_H
#define PEVPM_ENGINE_TURNS_H

#include "common/alloc.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct turns {
    size_t n, n_leaves; /* n_leaves: a power of four, at least 4 */
    void *block;
    /* [2 n_leaves] times >= 0: node[1] is the root, the children of i are 4 i to 4 i + 3, process p is n_leaves + p; those of no
     * process never have a turn. */
    double *node;
};

/* The time of who has no turn: later than all. */
#define TURN_NEVER INFINITY

static inline uint64_t turns_bits(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* The lesser of two, as numbers and not as a branch. */
static inline uint64_t turns_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The lesser of two times, as vector units compute it. */
static inline double turns_earlier(double a, double b)
{
    return a < b ? a : b;
}

/* The turn of a process is at `time` >= 0; TURN_NEVER: it has none. */
static inline void turns_set(struct turns *turns, int32_t process, double time)
{
    double *node = turns->node, least = time;
    size_t i = turns->n_leaves + (size_t)process;
    node[i] = least;
    while (i > 1) {
        const double others = turns_earlier(turns_earlier(node[i ^ 1], node[i ^ 2]), node[i ^ 3]);
        least = turns_earlier(least, others);
        i /= 4;
        node[i] = least;
    }
}

static inline double turns_first_time(const struct turns *turns)
{
    return turns->node[1];
}

/* The process whose turn is first; there must be one. */
static inline int32_t turns_first(const struct turns *turns)
{
    const double *node = turns->node;
    const uint64_t first = turns_bits(node[1]);
    size_t i = 1;
    do {
        i *= 4;
        size_t after = turns_bits(node[i]) != first;
        size_t steps = after;
        after &= turns_bits(node[i + 1]) != first;
        steps += after;
        after &= turns_bits(node[i + 2]) != first;
        i += steps + after;
    } while (i < turns->n_leaves);
    return (int32_t)(i - turns->n_leaves);
}

/* All processes have their turn at 0. */
static inline void turns_begin(struct turns *turns)
{
    for (size_t i = 0; i < turns->n_leaves; i++)
        turns->node[turns->n_leaves + i] = i < turns->n ? 0 : TURN_NEVER;
    for (size_t level = turns->n_leaves / 4; level > 0; level /= 4)
        for (size_t i = level; i < 2 * level; i++) {
            const double *child = &turns->node[4 * i];
            turns->node[i] = turns_earlier(turns_earlier(child[0], child[1]), turns_earlier(child[2], child[3]));
        }
}

/* Nobody has a turn. */
static inline void turns_clear(struct turns *turns)
{
    for (size_t i = 1; i < 2 * turns->n_leaves; i++)
        turns->node[i] = TURN_NEVER;
}

/* n >= 1. Ends with turns_free. */
static inline void turns_init(struct turns *turns, size_t n)
{
    size_t n_leaves = 4;
    while (n_leaves < n)
        n_leaves *= 4;
    void *block = alloc_array(2 * n_leaves * sizeof(double) + 64, 1);
    double *node = (double *)(((uintptr_t)block + 63) & ~(uintptr_t)63);
    *turns = (struct turns){.n = n, .n_leaves = n_leaves, .block = block, .node = node};
    turns_begin(turns);
}

static inline void turns_free(struct turns *turns)
{
    free(turns->block);
    *turns = (struct turns){0};
}

#endif
