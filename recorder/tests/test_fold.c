#include "recorder/fold.h"
#include "recorder/operation.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void call(struct fold *fold, int path, int peer, int64_t bytes, double wall)
{
    struct fold_call what = {.op = OPERATION_MPI_Send, .path = path, .peer = peer, .bytes = bytes, .list = -1};
    struct fold_sample sample = {.wall = wall, .processor = wall / 2, .inside = 1};
    fold_add(fold, &what, &sample);
}

static void loops_fold_into_loops(void **state)
{
    (void)state;
    struct fold fold;
    fold_init(&fold, 100);
    for (int step = 0; step < 5000; step++) {
        call(&fold, 1, 3, 8, 100);
        for (int i = 0; i < 7; i++)
            call(&fold, 2, 4, 16, 10);
        call(&fold, 3, 3, 8, 1);
    }
    assert_int_equal(fold.n, 1);
    const struct fold_node *outer = &fold.nodes[0];
    assert_int_equal(outer->trips, 5000);
    assert_int_equal(outer->n_body, 3);
    assert_int_equal(outer->body[1].trips, 35000);
    assert_int_equal(outer->body[1].runs, 5000);
    assert_int_equal(outer->body[1].body[0].times.n, 35000);
    assert_true(fabs(outer->body[0].times.wall - 5000 * 100.0) < 1);
    assert_true(fabs(outer->body[0].times.processor - 5000 * 50.0) < 1);
    assert_int_equal(fold.level, FOLD_SENDERS);
    fold_free(&fold);
}

/* What came before the loop and behind it stays. */
static void order_is_kept(void **state)
{
    (void)state;
    struct fold fold;
    fold_init(&fold, 100);
    call(&fold, 9, 0, 1, 5);
    for (int step = 0; step < 10; step++) {
        call(&fold, 1, 1, 8, 5);
        call(&fold, 2, 1, 8, 5);
    }
    call(&fold, 1, 1, 8, 5);
    assert_int_equal(fold.n, 3);
    assert_int_equal(fold.symbols[fold.nodes[0].symbol].path, 9);
    assert_int_equal(fold.nodes[1].trips, 10);
    assert_int_equal(fold.symbols[fold.nodes[2].symbol].path, 1);
    fold_free(&fold);
}

/* Loops of different lengths are not the same as long as the program repeats itself at all. */
static void trips_tell_loops_apart(void **state)
{
    (void)state;
    struct fold fold;
    fold_init(&fold, 100);
    for (int length = 2; length < 5; length++) {
        for (int i = 0; i < length; i++)
            call(&fold, 1, 1, 8, 5);
        call(&fold, 2, 1, 8, 5);
    }
    assert_int_equal(fold.n, 6);
    fold_free(&fold);
}

/* Sizes that follow the data: memory stays bounded, and their range and sum are known. */
static void sizes_that_never_repeat(void **state)
{
    (void)state;
    struct fold fold;
    double sum = 0;
    fold_init(&fold, 50);
    for (int step = 0; step < 10000; step++) {
        int64_t bytes = 1000 + step * 7919 % 4093;
        sum += (double)bytes;
        call(&fold, 1, 1, bytes, 5);
        call(&fold, 2, 2, 64, 5);
    }
    assert_int_equal(fold.level, FOLD_SIZES);
    assert_int_equal(fold.n, 1);
    assert_int_equal(fold.nodes[0].trips, 10000);
    assert_true(fabs(fold.nodes[0].body[0].times.bytes - sum) < 1);
    assert_true(fold.nodes[0].body[0].times.bytes_least >= 1000);
    assert_true(fold.nodes[0].body[0].times.bytes_most <= 5092);
    assert_true(fold.n_symbols < 60);
    fold_free(&fold);
}

/* Bytes of calls on files do not: a log that is written line by line is one loop. */
static void moved_bytes_tell_nothing_apart(void **state)
{
    (void)state;
    struct fold fold;
    fold_init(&fold, 100);
    for (int step = 0; step < 50; step++) {
        const struct fold_call what = {.op = OPERATION_MPI_File_write, .path = 1, .peer = PEER_NULL, .list = -1};
        const struct fold_sample sample = {.wall = 5, .processor = -1, .moved = 60 + step * 7 % 13};
        fold_add(&fold, &what, &sample);
    }
    assert_int_equal(fold.n, 1);
    const struct fold_times *times = &fold.nodes[0].body[0].times;
    assert_true(times->n == 50 && times->processor_n == 0);
    assert_true(times->bytes_least > 59.5 && times->bytes_least < 60.5 && times->bytes_most > 71.5 && times->bytes_most < 72.5);
    assert_true(times->bytes > 50 * 65.0 && times->bytes < 50 * 67.0);
    fold_free(&fold);
}

/* Who sent what a wildcard received tells calls apart, as long as that is not most of what there is. */
static void senders_tell_calls_apart(void **state)
{
    (void)state;
    struct fold fold;
    unsigned random = 1;
    fold_init(&fold, 200);
    for (int step = 0; step < 3000; step++) {
        const int sender = step < 12 ? 1 + step % 3 : 1 + (int)((random = random * 1103515245U + 12345U) / 65536 % 7);
        struct fold_call what = {.op = OPERATION_MPI_Recv, .path = 1, .peer = PEER_ANY, .sender = sender, .list = -1};
        struct fold_sample sample = {.wall = 5, .processor = -1, .inside = 1};
        fold_add(&fold, &what, &sample);
        if (step == 11) {
            assert_int_equal(fold.n, 1);
            assert_int_equal(fold.nodes[0].trips, 4);
            assert_int_equal(fold.nodes[0].n_body, 3);
            assert_int_equal(fold.symbols[fold.nodes[0].body[1].symbol].sender, 2);
        }
    }
    assert_int_equal(fold.level, FOLD_EXACT);
    assert_true(fold.n < 10);
    assert_int_equal(fold.symbols[fold.nodes[0].body[0].symbol].sender, 0);
    fold_free(&fold);
}

/* Peers and trip counts too. */
static void nothing_repeats(void **state)
{
    (void)state;
    struct fold fold;
    fold_init(&fold, 50);
    unsigned random = 1;
    for (int step = 0; step < 10000; step++) {
        for (unsigned i = 0; i < 1 + (random = random * 1103515245U + 12345U) / 65536 % 5; i++)
            call(&fold, 1, (int)(random / 65536 % 7), 8, 5);
        call(&fold, 2, 2, 64, 5);
    }
    assert_int_equal(fold.level, FOLD_SHAPES);
    assert_true(fold.n < 200);
    fold_free(&fold);
}

static unsigned next_random(unsigned *random)
{
    return (*random = *random * 1103515245U + 12345U) / 65536;
}

/* Loops over three calls, one to four right behind each other, each to a peer of its own, and then another call. */
static void block(struct fold *fold, unsigned *random, uint64_t counts[])
{
    for (unsigned loops = next_random(random) % 4 + 1; loops > 0; loops--) {
        int peer = (int)(next_random(random) % 5);
        for (unsigned trips = next_random(random) % 5 + 1; trips > 0; trips--)
            for (int path = 0; path < 3; path++) {
                counts[path]++;
                call(fold, path, peer, 8, 5);
            }
    }
    int path = 3 + (int)(next_random(random) % 2);
    counts[path]++;
    call(fold, path, (int)(next_random(random) % 7), 8, 5);
}

static uint64_t count_path(const struct fold *fold, size_t n, const struct fold_node *nodes, int path)
{
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (nodes[i].trips > 0)
            count += count_path(fold, nodes[i].n_body, nodes[i].body, path);
        else
            count += fold->symbols[nodes[i].symbol].path == path ? nodes[i].times.n : 0;
    return count;
}

/* Loops around loops, single calls and loops over one node are alike where shapes alone count: none of their calls is
 * lost. */
static void coarse_folds_keep_all_calls(void **state)
{
    (void)state;
    unsigned random = 7;
    for (int run = 0; run < 40; run++) {
        struct fold fold;
        uint64_t counts[5] = {0};
        fold_init(&fold, 30);
        for (int i = 0; i < 200; i++)
            block(&fold, &random, counts);
        assert_int_equal(fold.level, FOLD_SHAPES);
        for (int path = 0; path < 5; path++)
            assert_int_equal(count_path(&fold, fold.n, fold.nodes, path), counts[path]);
        fold_free(&fold);
    }
}

static void bins_hold_their_times(void **state)
{
    (void)state;
    for (double ns = 0; ns < 1e12; ns = ns * 1.37 + 1) {
        unsigned bin = fold_bin(ns);
        assert_true(fold_bin_start(bin) <= ns);
        assert_true(bin == FOLD_BINS - 1 || ns < fold_bin_start(bin + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_fold_into_loops), cmocka_unit_test(order_is_kept),
        cmocka_unit_test(trips_tell_loops_apart), cmocka_unit_test(sizes_that_never_repeat),
        cmocka_unit_test(moved_bytes_tell_nothing_apart), cmocka_unit_test(senders_tell_calls_apart),
        cmocka_unit_test(nothing_repeats), cmocka_unit_test(coarse_folds_keep_all_calls),
        cmocka_unit_test(bins_hold_their_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
