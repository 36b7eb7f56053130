/* The lane kernels of every instruction set against the plain definition of each operation, bit for bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/lanes/kernel.h"
#include "engine/rules.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };
static const int widths[] = {1, 8, 24, 32, 64};
static const char *const isas[] = {"one", "baseline", "avx2", "avx512"};
#define SEED UINT64_C(0x123456789abcdef)

/* Calls `check` for every instruction set of this processor and every width. */
static void everywhere(void (*check)(const struct kernels *k, int n))
{
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            const struct kernels *k = kernels_choose(widths[w], isas[i]);
            if (k)
                check(k, widths[w]);
        }
    assert_non_null(kernels_choose(8, "baseline"));
    assert_non_null(kernels_choose(1, "one"));
    assert_null(kernels_choose(8, "one"));
    assert_null(kernels_choose(8, "abacus"));
}

/* A different time in each lane and call: 1 .. 2 s, with full mantissas. */
static double some(int call, int l)
{
    return 1 + random_word(SEED, (uint32_t)l, (uint32_t)call, 7, STREAM_SERIAL) / 4294967296.0;
}

static void fill(double *row, int call, int n)
{
    for (int l = 0; l < n; l++)
        row[l] = some(call, l);
}

/* A body, a gap, and a tail of many narrow bins: cells with one, two and many pieces. */
static void build(struct quantile *q)
{
    double edges[65], counts[64];
    for (int i = 0; i <= 32; i++)
        edges[i] = 1e-3 + 1e-5 * i;
    for (int i = 33; i <= 64; i++)
        edges[i] = 0.2 + 1e-4 * i;
    for (int i = 0; i < 64; i++)
        counts[i] = i < 32 ? 1000.0 + 37 * i : i == 32 ? 0 : 1.25;
    struct distribution d;
    distribution_histogram(&d, 64, edges, counts);
    struct mix mix = MIX_OF(&d);
    quantile_build(q, &mix);
    distribution_free(&d);
    assert_true(q->has_many);
}

static void check_draw(const struct kernels *k, int n)
{
    _Alignas(64) uint32_t words[4 * MOST];
    const uint64_t blocks[] = {0, 5, UINT64_C(0x12345678), UINT64_C(0x1ffffffff)};
    for (size_t b = 0; b < 4; b++)
        for (int stream = 0; stream < N_STREAMS; stream++) {
            k->draw(n, SEED, 100, 3, blocks[b], (enum stream)stream, words);
            for (int w = 0; w < 4; w++)
                for (int l = 0; l < n; l++)
                    assert_int_equal(words[w * n + l], random_word(SEED, 100 + (uint32_t)l, 3,
                                                                   4 * blocks[b] + (uint64_t)w, (enum stream)stream));
        }
}

static void draws_are_those_of_random123(void **state)
{
    (void)state;
    everywhere(check_draw);
}

static void check_sample(const struct kernels *k, int n)
{
    struct quantile q;
    _Alignas(64) uint32_t words[4 * MOST];
    _Alignas(64) double out[MOST], wire[MOST], departure[MOST], expected[MOST];
    build(&q);
    for (uint64_t block = 0; block < 2000; block++) {
        k->draw(n, SEED, 0, 1, block, STREAM_TRANSIT, words);
        if (block == 0)
            words[0] = 0;
        if (block == 1)
            words[n - 1] = UINT32_MAX;
        k->sample(n, &q, words, out);
        for (int l = 0; l < n; l++)
            assert_true(out[l] == quantile_at(&q, words[l]));
        fill(departure, (int)block, n);
        fill(wire, (int)block + 1, n);
        for (int l = 0; l < n; l++)
            expected[l] = rule_latest(departure[l] + quantile_at(&q, words[l]), wire[l]);
        k->transit(n, &q, words, departure, wire, departure);
        assert_memory_equal(departure, expected, (size_t)n * sizeof *expected);
        assert_memory_equal(wire, expected, (size_t)n * sizeof *expected);
    }
    quantile_free(&q);
}

static void samples_are_those_of_the_quantile_function(void **state)
{
    (void)state;
    everywhere(check_sample);
}

static void check_clocks(const struct kernels *k, int n)
{
    struct quantile q;
    _Alignas(64) uint32_t words[4 * MOST];
    _Alignas(64) double clock[MOST], sum[MOST], arrival[MOST], each[MOST];
    build(&q);
    k->draw(n, SEED, 9, 2, 4, STREAM_SERIAL, words);
    fill(clock, 1, n);
    fill(sum, 2, n);
    k->advance_sampled(n, &q, words, 1.25, clock, sum);
    for (int l = 0; l < n; l++) {
        double t = 1.25 * quantile_at(&q, words[l]);
        assert_true(clock[l] == some(1, l) + t && sum[l] == some(2, l) + t);
    }
    fill(clock, 1, n);
    fill(arrival, 3, n);
    fill(each, 4, n);
    k->receive(n, 0.3, arrival, clock);
    for (int l = 0; l < n; l++)
        assert_true(clock[l] == rule_latest(some(3, l), some(1, l) + 0.3));
    fill(clock, 1, n);
    k->receive_each(n, each, arrival, clock);
    for (int l = 0; l < n; l++)
        assert_true(clock[l] == rule_latest(some(3, l), some(1, l) + some(4, l)));
    fill(clock, 1, n);
    k->receive_sampled(n, &q, words, arrival, clock);
    for (int l = 0; l < n; l++)
        assert_true(clock[l] == rule_latest(some(3, l), some(1, l) + quantile_at(&q, words[l])));
    fill(clock, 1, n);
    k->advance(n, 0.7, clock);
    k->add(n, each, clock);
    k->latest(n, arrival, clock);
    for (int l = 0; l < n; l++)
        assert_true(clock[l] == rule_latest(some(3, l), some(1, l) + 0.7 + some(4, l)));
    quantile_free(&q);
}

static void clocks_move_as_defined(void **state)
{
    (void)state;
    everywhere(check_clocks);
}

/* One port serving two messages: the same as asking twice in the order of the times. */
static void check_ports(const struct kernels *k, int n)
{
    const double gap[2] = {0.31, 0.17}, credit[2] = {0.05, 0.19};
    for (int call = 0; call < 50; call++) {
        _Alignas(64) double x[2][MOST], last[2][MOST], in[INLET_NUMBERS * MOST], asked[MOST];
        _Alignas(64) double one_in[INLET_NUMBERS], one_asked[1], one_last[1], one_x[1];
        uint8_t inverted[MOST] = {0};
        for (int i = 0; i < 2; i++) {
            fill(x[i], call + 10 * i, n);
            fill(last[i], call + 100, n);
        }
        for (int i = 0; i < INLET_NUMBERS; i++)
            fill(in + i * n, call + 50 + i, n);
        fill(asked, call + 6, n);
        k->in_port_two(n, gap, credit, x[0], x[1], in, asked, last[0], last[1], inverted);
        for (int l = 0; l < n; l++) {
            int first = some(call + 10, l) < some(call, l);
            uint8_t turned = 0;
            for (int i = 0; i < INLET_NUMBERS; i++)
                one_in[i] = some(call + 50 + i, l);
            one_asked[0] = some(call + 6, l);
            for (int turn = 0; turn < 2; turn++) {
                int i = turn == 0 ? first : !first;
                one_x[0] = some(call + 10 * i, l);
                one_last[0] = some(call + 100, l);
                k->in_port(1, gap[i], credit[i], one_x, one_in, one_asked, one_last, &turned, one_x);
                assert_true(one_x[0] == x[i][l] && one_last[0] == last[i][l]);
            }
            for (int i = 0; i < INLET_NUMBERS; i++)
                assert_true(one_in[i] == in[i * n + l]);
            assert_true(one_asked[0] == asked[l] && turned == inverted[l]);
        }
    }
}

static void two_at_a_port_are_one_after_the_other(void **state)
{
    (void)state;
    everywhere(check_ports);
}

static void ports_by_hand(void **state)
{
    (void)state;
    const struct kernels *k = kernels_choose(1, NULL);
    uint8_t inverted = 0;
    double free_at = -INFINITY, asked = -INFINITY, call = 2, out, last = -INFINITY;
    k->out_port(1, 3.46, 0.5, &call, &free_at, &asked, &inverted, &out);
    assert_true(out == 2 && free_at == 2 + 3.46);
    k->out_port(1, 3.46, 0.5, &call, &free_at, &asked, &inverted, &out);
    assert_true(out == 2 + 3.46 - 0.5 && free_at == 2 + 3.46 + 3.46 && !inverted);
    call = 1;
    k->out_port(1, 3.46, 0.5, &call, &free_at, &asked, &inverted, &out);
    assert_true(inverted);
    double in[INLET_NUMBERS], x = 2.23;
    const struct inlet idle = inlet_idle();
    inlet_to_rows(&idle, in, 1, 0);
    asked = -INFINITY;
    k->in_port(1, 3.46, 0.5, &x, in, &asked, &last, &inverted, &out);
    assert_true(out == 2.23 && in[0] == 2.23 && last == 2.23);
    k->in_port(1, 3.46, 0.5, &x, in, &asked, &last, &inverted, &out);
    assert_true(out == 2.23 + 3.46 - 0.5 && in[0] == 2.23 + 3.46);
}

static void check_order(const struct kernels *k, int n)
{
    _Alignas(64) double a[2][MOST], o[2][MOST];
    for (int i = 0; i < 2; i++) {
        fill(a[i], i, n);
        fill(o[i], i + 5, n);
    }
    a[1][0] = a[0][0]; /* a tie stays */
    k->order_two(n, a[0], o[0], a[1], o[1]);
    assert_true(o[0][0] == some(5, 0) && o[1][0] == some(6, 0));
    for (int l = 1; l < n; l++) {
        int swap = some(1, l) < some(0, l);
        assert_true(a[0][l] == some(swap, l) && a[1][l] == some(!swap, l));
        assert_true(o[0][l] == some(5 + swap, l) && o[1][l] == some(5 + !swap, l));
    }
}

static void pairs_are_put_in_order(void **state)
{
    (void)state;
    everywhere(check_order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_are_those_of_random123),
        cmocka_unit_test(samples_are_those_of_the_quantile_function),
        cmocka_unit_test(clocks_move_as_defined),
        cmocka_unit_test(two_at_a_port_are_one_after_the_other),
        cmocka_unit_test(ports_by_hand),
        cmocka_unit_test(pairs_are_put_in_order),
    };
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
