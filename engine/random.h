/* random.h - counter-based random numbers: draw n of process p in replication r is a function of (seed, r, p, n,
 * stream).
 *
 *     word = word n mod 4 of Philox4x32-10(key = seed; counter = r, p, n div 4, stream)
 *
 * (Salmon et al., SC 2011; Random123). Nothing is remembered between draws, so the order of drawing, the batch
 * width, threads and ranks cannot change a result. n div 4 has 56 bits: its upper 24 share the word of the stream. */
#ifndef PEVPM_ENGINE_RANDOM_H
#define PEVPM_ENGINE_RANDOM_H

#include "models/quantile.h"

#include <stdbool.h>
#include <stdint.h>

/* One stream for each kind of draw. X(NAME, its number, is it how long a computation takes, which draw of the process it
 * is). A number is a part of every draw: it stays as it is, and one that is no longer drawn from (4, 9) is not given again.
 * In ascending order. */
#define STREAM_LIST(X)                                                          \
    X(TRANSIT, 0, false, "the sender's n-th message; its receive overhead too") \
    X(SEND_OVERHEAD, 1, false, "the sender's n-th message")                     \
    X(SERIAL, 2, true, "the process's n-th sampled computation")                \
    X(PROBE, 3, false, "the process's n-th probe or test")                      \
    X(COLLECTIVE, 5, false, "the process's n-th collective costed as a whole")  \
    X(SERIAL_RUN, 6, true, "0 of process 0: the replication's")                 \
    X(SERIAL_NODE, 7, true, "0 of the node's number")                           \
    X(SERIAL_CALL, 8, true, "the process's n-th computation")                   \
    X(HANDSHAKE, 10, false, "the sender's n-th message")                        \
    X(WAKING, 11, false, "the process's n-th waking")                           \
    X(CONNECTING, 12, false, "0 of the process; 1 + q of what it sends process q") \
    X(LEAVING, 13, false, "the n-th frame that the process's port held")       \
    X(TICKS, 14, false, "0 of process 0: the replication's")
enum stream {
#define X(name, number, work, draw) STREAM_##name = number,
    STREAM_LIST(X)
#undef X
    N_STREAMS /* one more than the last number */
};

static inline bool stream_is_work(enum stream stream)
{
    switch (stream) {
#define X(name, number, work, draw) case STREAM_##name: return work;
        STREAM_LIST(X)
#undef X
    case N_STREAMS: break;
    }
    return false;
}

/* One word, by Random123's own function. */
uint32_t random_word(uint64_t seed, uint32_t replication, uint32_t process, uint64_t draw, enum stream stream);

/* All words of one block of two streams: words[0] of `one`, words[1] of `other`. Takes little longer than one of them. */
void random_blocks(uint64_t seed, uint32_t replication, uint32_t process, uint64_t block, enum stream one, enum stream other,
                   uint32_t *words[2]);

/* The time that it draws from a quantile function. */
static inline double random_draw(const struct quantile *q, uint64_t seed, uint32_t replication, uint32_t process,
                                 uint64_t draw, enum stream stream)
{
    return q->constant ? q->value : quantile_at(q, random_word(seed, replication, process, draw, stream));
}

#endif
