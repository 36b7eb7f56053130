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

/* One stream for each kind of draw. X(NAME, is it how long a computation takes, which draw of the process it is) */
#define STREAM_LIST(X)                                                       \
    X(TRANSIT, false, "the sender's n-th message; its receive overhead too") \
    X(SEND_OVERHEAD, false, "the sender's n-th message")                     \
    X(SERIAL, true, "the process's n-th sampled computation")                \
    X(PROBE, false, "the process's n-th probe or test")                      \
    X(OVERFLOW, false, "nothing: those behind it keep their numbers")        \
    X(COLLECTIVE, false, "the process's n-th collective costed as a whole")  \
    X(SERIAL_RUN, true, "0 of process 0: the replication's")                 \
    X(SERIAL_NODE, true, "0 of the node's number")                           \
    X(SERIAL_CALL, true, "the process's n-th computation")                   \
    X(LAUNCH, false, "0 of process 0: the replication's launch")              \
    X(HANDSHAKE, false, "the sender's n-th message")
enum stream {
#define X(name, work, draw) STREAM_##name,
    STREAM_LIST(X)
#undef X
    N_STREAMS
};

static inline bool stream_is_work(enum stream stream)
{
    static const bool is_work[] = {
#define X(name, work, draw) work,
        STREAM_LIST(X)
#undef X
    };
    return is_work[stream];
}

/* One word, by Random123's own function. */
uint32_t random_word(uint64_t seed, uint32_t replication, uint32_t process, uint64_t draw, enum stream stream);

/* The time that it draws from a quantile function. */
static inline double random_draw(const struct quantile *q, uint64_t seed, uint32_t replication, uint32_t process,
                                 uint64_t draw, enum stream stream)
{
    return q->constant ? q->value : quantile_at(q, random_word(seed, replication, process, draw, stream));
}

#endif
