/* kernel.h - the inner loops of the lanes engine: one operation on all lanes of a batch.
 *
 * `n` is the batch width: 1, or a multiple of 8. Arrays have n elements and are aligned to 64 bytes (8 bytes where n =
 * 1). The same source is compiled for several instruction sets; since nothing but IEEE additions, multiplications and
 * comparisons is used, without contraction, all give the same bits. `max(a, b)` is `a > b ? a : b`. */
#ifndef PEVPM_ENGINE_KERNEL_H
#define PEVPM_ENGINE_KERNEL_H

#include "engine/random.h"
#include "models/quantile.h"
#include "network/inlet.h"

#include <stdint.h>

struct kernels {
    const char *isa; /* "one", "baseline", "avx2", "avx512" */

    /* words[w][l] = word w of block `block` of (process, stream) in replication first + l; words is [4][n] */
    void (*draw)(int n, uint64_t seed, uint32_t first, uint32_t process, uint64_t block, enum stream stream,
                 uint32_t *words);

    /* out[l] = q(words[l]), and sum[l] += the same where sum is not NULL; times factor */
    void (*sample)(int n, const struct quantile *q, const uint32_t *words, double *out);

    /* wire[l] = out[l] = max(departure[l] + q(words[l]), wire[l]): on the wire messages of a pair never overtake.
     * out may be departure. */
    void (*transit)(int n, const struct quantile *q, const uint32_t *words, const double *departure, double *wire,
                    double *out);
    void (*transit_constant)(int n, double transit, const double *departure, double *wire, double *out);

    /* clock[l] += c; clock[l] += factor * q(words[l]) and sum likewise */
    void (*advance)(int n, double c, double *clock);
    void (*advance_sampled)(int n, const struct quantile *q, const uint32_t *words, double factor, double *clock,
                            double *sum);

    /* clock[l] = max(arrival[l], clock[l] + overhead) with a constant or a drawn overhead */
    void (*receive)(int n, double overhead, const double *arrival, double *clock);
    void (*receive_sampled)(int n, const struct quantile *q, const uint32_t *words, const double *arrival,
                            double *clock);

    /* Out port: d = max(call, free - credit), free = max(free, call) + gap; out = d. asked[l] = the latest call served
     * so far; returns non-zero in inverted[l] (or-ed) where call < asked. */
    void (*out_port)(int n, double gap, double credit, const double *call, double *out_free, double *asked,
                     uint8_t *inverted, double *out);

    /* In port, one message: a = max(inlet_pass(gap, credit, x), last), last = a; out = a (network/inlet.h). in: rows of
     * the lanes' inlets, [INLET_NUMBERS][n], as inlet_of_rows reads them. */
    void (*in_port)(int n, double gap, double credit, const double *x, double *in, double *asked, double *last,
                    uint8_t *inverted, double *out);

    /* In port, two messages of different pairs, in the order of their x (ties: the first). Results replace x0, x1. */
    void (*in_port_two)(int n, const double gap[2], const double credit[2], double *x0, double *x1, double *in,
                        double *asked, double *last0, double *last1, uint8_t *inverted);

    /* One step of an insertion network: where a1 < a0 the pairs (a0, o0), (a1, o1) change places. */
    void (*order_two)(int n, double *a0, double *o0, double *a1, double *o1);

    /* clock = max(arrival, clock + overhead[l]) */
    void (*receive_each)(int n, const double *overhead, const double *arrival, double *clock);

    /* out = max(a, out); out += a */
    void (*latest)(int n, const double *a, double *out);
    void (*add)(int n, const double *a, double *out);
};

/* An inlet in rows of n lanes: until, then each pause's from and to. */
enum { INLET_NUMBERS = 1 + 2 * INLET_PAUSES };

static inline struct inlet inlet_of_rows(const double *rows, int n, int lane)
{
    struct inlet inlet = {.until = rows[lane]};
    for (int i = 0; i < INLET_PAUSES; i++) {
        inlet.from[i] = rows[(1 + 2 * i) * n + lane];
        inlet.to[i] = rows[(2 + 2 * i) * n + lane];
    }
    return inlet;
}

static inline void inlet_to_rows(const struct inlet *inlet, double *rows, int n, int lane)
{
    rows[lane] = inlet->until;
    for (int i = 0; i < INLET_PAUSES; i++) {
        rows[(1 + 2 * i) * n + lane] = inlet->from[i];
        rows[(2 + 2 * i) * n + lane] = inlet->to[i];
    }
}

/* The best kernels this processor runs for batches of n lanes. `name` forces one ("one" for n = 1, "baseline", "avx2",
 * "avx512"); NULL when it is not there. */
const struct kernels *kernels_choose(int n, const char *name);

#endif
