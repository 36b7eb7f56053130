/* Compiled once for each instruction set with KERNELS naming the table it defines (see the Makefile). */
#include "engine/lanes/kernel.h"

#include <stddef.h>

#ifndef KERNELS
#define KERNELS kernels_baseline
#define KERNELS_ISA "baseline"
#endif
/* KERNELS_ONE: for batches of one lane, where a loop and its vector code would only cost. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/* Lanes never overlap: each loop writes what no other iteration reads. */
#if defined(KERNELS_ONE)
#define LANE_LOOP for (int l = 0; l < 1; (void)n, l++)
#elif defined(__clang__)
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < n; l++)
#else
#define LANE_LOOP _Pragma("GCC ivdep") for (int l = 0; l < n; l++)
#endif
/* The same over inlets. gcc 12 vectorises them, and is twice as fast for it; clang 14 does not, and fails where it is asked to. */
#if defined(__clang__) && !defined(KERNELS_ONE)
#define INLET_LOOP for (int l = 0; l < n; l++)
#else
#define INLET_LOOP LANE_LOOP
#endif

extern const struct kernels KERNELS;

/* Philox4x32-10 multipliers and Weyl constants: Salmon et al. 2011, table 2 and section 4. */
static void draw(int n, uint64_t seed, uint32_t first, uint32_t process, uint64_t block, enum stream stream,
                 uint32_t *restrict words)
{
    uint32_t *restrict w0 = words, *restrict w1 = words + n, *restrict w2 = words + 2 * n, *restrict w3 = words + 3 * n;
    const uint32_t low = (uint32_t)block, high = (uint32_t)stream | (uint32_t)(block >> 32) << 8;
    const uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    LANE_LOOP {
        uint32_t c0 = first + (uint32_t)l, c1 = process, c2 = low, c3 = high, k0 = key0, k1 = key1;
#define ROUND                                                                       \
    do {                                                                            \
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;  \
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;                                        \
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;                                        \
        c1 = (uint32_t)p1;                                                          \
        c3 = (uint32_t)p0;                                                          \
        k0 += 0x9E3779B9u;                                                          \
        k1 += 0xBB67AE85u;                                                          \
    } while (0)
        ROUND; ROUND; ROUND; ROUND; ROUND;
        ROUND; ROUND; ROUND; ROUND; ROUND;
#undef ROUND
        w0[l] = c0;
        w1[l] = c1;
        w2[l] = c2;
        w3[l] = c3;
    }
}

/* q(word) where the cell has not many pieces: the formula of quantile.h. */
static inline double line_at(const struct quantile_cell *restrict cells, uint32_t word)
{
    const struct quantile_cell *cell = &cells[word >> QUANTILE_OFFSET_BITS];
    uint32_t offset = word & (QUANTILE_CELL_WORDS - 1);
    const struct quantile_line *line = &cell->line[(offset >= cell->split[0]) + (offset >= cell->split[1])];
    return line->A + line->B * (double)(int32_t)offset;
}

static void sample(int n, const struct quantile *q, const uint32_t *restrict words, double *restrict out)
{
    const struct quantile_cell *restrict cells = q->cells;
    LANE_LOOP out[l] = line_at(cells, words[l]);
    if (!q->has_many)
        return;
    uint32_t many = 0;
    LANE_LOOP many |= cells[words[l] >> QUANTILE_OFFSET_BITS].split[0] == QUANTILE_MANY;
    if (!many)
        return;
    for (int l = 0; l < n; l++)
        if (cells[words[l] >> QUANTILE_OFFSET_BITS].split[0] == QUANTILE_MANY)
            out[l] = quantile_at(q, words[l]);
}

static void transit_drawn(int n, const double *restrict drawn, const double *departure, double *restrict wire,
                          double *out)
{
    LANE_LOOP {
        double x = departure[l] + drawn[l];
        x = MAX(x, wire[l]);
        wire[l] = x;
        out[l] = x;
    }
}

static void transit(int n, const struct quantile *q, const uint32_t *words, const double *departure, double *wire,
                    double *out)
{
    _Alignas(64) double drawn[64];
    sample(n, q, words, drawn);
    transit_drawn(n, drawn, departure, wire, out);
}

static void transit_constant(int n, double t, const double *departure, double *restrict wire, double *out)
{
    LANE_LOOP {
        double x = departure[l] + t;
        x = MAX(x, wire[l]);
        wire[l] = x;
        out[l] = x;
    }
}

static void advance(int n, double c, double *restrict clock)
{
    LANE_LOOP clock[l] += c;
}

static void advance_sampled(int n, const struct quantile *q, const uint32_t *words, double factor,
                            double *restrict clock, double *restrict sum)
{
    _Alignas(64) double drawn[64];
    sample(n, q, words, drawn);
    LANE_LOOP {
        double t = factor * drawn[l];
        clock[l] += t;
        sum[l] += t;
    }
}

static void receive(int n, double overhead, const double *restrict arrival, double *restrict clock)
{
    LANE_LOOP {
        double t = clock[l] + overhead;
        clock[l] = MAX(arrival[l], t);
    }
}

static void receive_each(int n, const double *restrict overhead, const double *restrict arrival,
                         double *restrict clock)
{
    LANE_LOOP {
        double t = clock[l] + overhead[l];
        clock[l] = MAX(arrival[l], t);
    }
}

static void receive_sampled(int n, const struct quantile *q, const uint32_t *words, const double *arrival,
                            double *clock)
{
    _Alignas(64) double drawn[64];
    sample(n, q, words, drawn);
    receive_each(n, drawn, arrival, clock);
}

static void out_port(int n, double gap, double credit, const double *call, double *restrict out_free,
                     double *restrict asked, uint8_t *restrict inverted, double *out)
{
    LANE_LOOP {
        double c = call[l], free_at = out_free[l], last = asked[l], rested = free_at - credit;
        inverted[l] |= c < last;
        asked[l] = MAX(c, last);
        out_free[l] = MAX(free_at, c) + gap;
        out[l] = MAX(c, rested);
    }
}

static void in_port(int n, double gap, double credit, const double *x, double *restrict in, double *restrict asked,
                    double *restrict last, uint8_t *restrict inverted, double *out)
{
    INLET_LOOP {
        struct inlet inlet = inlet_of_rows(in, n, l);
        double at = x[l], before = asked[l];
        inverted[l] |= at < before;
        asked[l] = MAX(at, before);
        double a = inlet_pass(&inlet, gap, credit, at);
        a = MAX(a, last[l]);
        inlet_to_rows(&inlet, in, n, l);
        last[l] = a;
        out[l] = a;
    }
}

static void in_port_two(int n, const double gap[2], const double credit[2], double *restrict x0, double *restrict x1,
                        double *restrict in, double *restrict asked, double *restrict last0, double *restrict last1,
                        uint8_t *restrict inverted)
{
    const double gap0 = gap[0], gap1 = gap[1], credit0 = credit[0], credit1 = credit[1];
    INLET_LOOP {
        struct inlet inlet = inlet_of_rows(in, n, l);
        double p0 = x0[l], p1 = x1[l], before = asked[l];
        int swap = p1 < p0;
        double first = swap ? p1 : p0, second = swap ? p0 : p1;
        double gap_first = swap ? gap1 : gap0, gap_second = swap ? gap0 : gap1;
        double credit_first = swap ? credit1 : credit0, credit_second = swap ? credit0 : credit1;
        inverted[l] |= first < before;
        asked[l] = MAX(second, before);
        double a_first = inlet_pass(&inlet, gap_first, credit_first, first);
        double a_second = inlet_pass(&inlet, gap_second, credit_second, second);
        inlet_to_rows(&inlet, in, n, l);
        double a0 = swap ? a_second : a_first, a1 = swap ? a_first : a_second;
        a0 = MAX(a0, last0[l]);
        a1 = MAX(a1, last1[l]);
        last0[l] = x0[l] = a0;
        last1[l] = x1[l] = a1;
    }
}

static void order_two(int n, double *restrict a0, double *restrict o0, double *restrict a1, double *restrict o1)
{
    LANE_LOOP {
        double p0 = a0[l], p1 = a1[l], q0 = o0[l], q1 = o1[l];
        int swap = p1 < p0;
        a0[l] = swap ? p1 : p0;
        a1[l] = swap ? p0 : p1;
        o0[l] = swap ? q1 : q0;
        o1[l] = swap ? q0 : q1;
    }
}

static void latest(int n, const double *restrict a, double *restrict out)
{
    LANE_LOOP out[l] = MAX(a[l], out[l]);
}

static void add(int n, const double *restrict a, double *restrict out)
{
    LANE_LOOP out[l] += a[l];
}

const struct kernels KERNELS = {
    .isa = KERNELS_ISA,
    .draw = draw,
    .sample = sample,
    .transit = transit,
    .transit_constant = transit_constant,
    .advance = advance,
    .advance_sampled = advance_sampled,
    .receive = receive,
    .receive_sampled = receive_sampled,
    .out_port = out_port,
    .in_port = in_port,
    .in_port_two = in_port_two,
    .order_two = order_two,
    .receive_each = receive_each,
    .latest = latest,
    .add = add,
};
