/* fold.h - a sequence of calls, kept as nested loops while it grows.
 *
 * SPDX-License-Identifier: MIT
 *
 * A call that is like another (same operation, call path, communicator, peer, tag, bytes, requests) is the same symbol.
 * When the last w nodes are what the w before them are, or what the body of the loop before them is, they become, or
 * join, a loop. So memory follows the program's structure and not its steps. What times differ in is kept as sums and
 * a histogram for each place in the structure.
 *
 * Some programs never repeat themselves exactly: sizes or peers follow the data. When more than `most` nodes are on the
 * outermost level, or a tenth of them at FOLD_SENDERS, the sequence is folded again with a coarser idea of what is alike,
 * and stays so:
 *   FOLD_SENDERS all of a call, and who sent what a wildcard received
 *   FOLD_EXACT   all of a call; who sent, nobody knows any more
 *   FOLD_SIZES   bytes may differ: their least, most and sum are kept
 *   FOLD_SHAPES  peers, tags and trip counts may differ as well; one call is as good as a loop of such calls
 * A loop at the end may not have come to its end: what it is part of is folded when a call comes that is not its first.
 * This is ScalaTrace's folding (Noeth et al., J. Parallel Distrib. Comput. 2009) with one body for each loop. */
#ifndef PEVPM_RECORDER_FOLD_H
#define PEVPM_RECORDER_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fold_call {
    int32_t op, path, comm;     /* enum operation; the caller's numbers of call path and communicator */
    int32_t peer, tag, peer2, tag2;
    int32_t sender;             /* who sent, where a wildcard received, or where that is the peer: its number + 1; 0: not known */
    int32_t list;               /* the caller's number of a list of requests, -1: none */
    int64_t bytes, bytes2;
};

/* Times in ns. A computation is what lies between the call before and this one. */
struct fold_sample {
    double wall, processor;     /* of the computation; processor < 0: not known */
    double inside;              /* in the call */
    double moved;               /* bytes that are no part of what is alike, beside those of the call */
};

/* Bins of the computation's time, of the processor's where that is known: as those of timing/record.h with 16 bins in
 * each power of two, so 6 % wide at most. */
enum { FOLD_BINS_PER_OCTAVE = 16, FOLD_BINS = 40 * FOLD_BINS_PER_OCTAVE };

struct fold_times {
    uint64_t n, processor_n;
    double wall, wall_least, wall_most, processor, inside; /* sums over n; processor over processor_n */
    double bytes, bytes_least, bytes_most;  /* sum, least and most of fold_call.bytes + fold_sample.moved */
    uint32_t *bins;             /* [FOLD_BINS], NULL: n is 1, and its time is above */
};

/* A call, or a loop over `body`. */
struct fold_node {
    uint64_t hash, body_hash;
    uint64_t trips;             /* of a loop: of all its runs together; 0: a call */
    uint64_t runs;              /* of a loop: how often it was run; trips / runs is whole unless FOLD_SHAPES */
    struct fold_node *body;     /* [n_body] */
    uint32_t n_body;
    uint32_t symbol;            /* of a call */
    int32_t before, before_end; /* the node before this one on the outermost level of the same hash bucket; for a loop
                                 * also the loop before it whose body's end is in the same bucket */
    struct fold_times times;    /* of a call */
};

enum fold_level { FOLD_SENDERS = -1, FOLD_EXACT, FOLD_SIZES, FOLD_SHAPES };

enum { FOLD_RECENT = 256 };

struct fold {
    enum fold_level level;
    bool open;                  /* the last node is a loop that the next call may go on with */
    bool senders;               /* of some call the sender was known */
    size_t n, capacity, most;
    struct fold_node *nodes;    /* the outermost level */
    size_t n_symbols, symbols_capacity, table_size;
    struct fold_call *symbols;
    uint64_t *hashes;           /* [n_symbols] */
    uint32_t recent[FOLD_RECENT]; /* symbols by path and peer */
    uint32_t *table;            /* of symbols, open addressing; UINT32_MAX: free */
    int32_t *buckets, *end_buckets;
};

/* most: nodes on the outermost level before the next level is taken; 2000 are 300 KB. */
void fold_init(struct fold *fold, size_t most);
void fold_free(struct fold *fold);

void fold_add(struct fold *fold, const struct fold_call *call, const struct fold_sample *sample);

/* The bin of a time in ns, and where it begins. */
unsigned fold_bin(double ns);
double fold_bin_start(unsigned bin);

/* A hash of a number: the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t fold_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

/* Out of memory ends the process, as nothing could be recorded any more. */
void *fold_memory(void *old, size_t n, size_t size);

#endif
