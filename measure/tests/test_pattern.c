#include "measure/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* 16 nodes with 2 places each; groups of 4 x 1. */
static const struct shape shape = {.job_nodes = 16, .job_ppn = 2, .nodes = 4, .ppn = 1, .copies = 1, .stagger = 7};

static void assert_message(const struct pattern_message *m, int from, int to, int64_t offset)
{
    assert_int_equal(m->from, from);
    assert_int_equal(m->to, to);
    assert_int_equal(m->offset, offset);
}

static void test_places(void **state)
{
    (void)state;
    struct shape wide = shape;
    wide.ppn = 2;
    assert_int_equal(shape_groups(&shape), 4);
    assert_int_equal(shape_place(&shape, 1, 3), 14);  /* node 7, slot 0 */
    assert_int_equal(shape_place(&wide, 1, 3), 11);   /* node 5, slot 1 */
    wide.first = 3;
    assert_int_equal(shape_place(&wide, 1, 3), 17);   /* node 8, slot 1 */
    assert_int_equal(shape_group(&shape, SHAPE_TURN - 1, 0), 0);
    assert_int_equal(shape_group(&shape, 5 * SHAPE_TURN, 0), 1);
}

static void test_pingpong(void **state)
{
    (void)state;
    struct shape two = shape;
    struct pattern_message list[32];
    two.nodes = 2;
    two.copies = 8;
    assert_true(pattern_most(&two) <= 32);
    assert_int_equal(pattern_pingpong(&two, 0, list), 8);
    assert_message(&list[0], 0, 2, 0);
    assert_message(&list[7], 28, 30, 49);
    assert_int_equal(pattern_pingpong(&two, 1, list), 8);
    assert_message(&list[7], 30, 28, 49);
}

/* Every process of the group sends one and receives one. */
static void test_pairs(void **state)
{
    (void)state;
    struct pattern_message list[32];
    assert_int_equal(pattern_pairs(&shape, SHAPE_TURN, list), 4); /* group 1: places 8, 10, 12, 14 */
    assert_message(&list[0], 8, 12, 0);
    assert_message(&list[1], 10, 14, 0);
    assert_message(&list[2], 12, 8, 0);
    assert_message(&list[3], 14, 10, 0);
    struct shape wide = shape; /* two groups of eight nodes behind trunks of four: nobody leaves his four */
    wide.nodes = 8;
    wide.stretch = 4;
    assert_int_equal(pattern_pairs(&wide, SHAPE_TURN, list), 8); /* nodes 8 to 15 */
    assert_message(&list[1], 18, 22, 0);
    assert_message(&list[2], 20, 16, 0);
    assert_message(&list[4], 24, 28, 0);
    assert_message(&list[7], 30, 26, 0);
}

/* Starts lie evenly in the spread, differ from process to process and from one repetition to the next, and are the same
 * whoever asks. */
static void test_spread(void **state)
{
    (void)state;
    enum { REPETITIONS = 400, PARTS = 4 };
    struct shape spread = shape;
    struct pattern_message list[32];
    int parts[PARTS] = {0}, same = 0;
    assert_int_equal(shape_start(&spread, 3, 0, 1), 0);
    spread.spread = 1000000;
    for (int repetition = 0; repetition < REPETITIONS; repetition++)
        for (int q = 0; q < 4; q++) {
            int64_t start = shape_start(&spread, repetition, 0, q);
            assert_true(start >= 0 && start < spread.spread);
            parts[start * PARTS / spread.spread]++;
            same += start == shape_start(&spread, repetition, 0, (q + 1) % 4);
            same += start == shape_start(&spread, repetition + 1, 0, q);
            assert_int_equal(start, shape_start(&spread, repetition, 0, q));
        }
    for (int i = 0; i < PARTS; i++)
        assert_true(parts[i] > REPETITIONS - 90 && parts[i] < REPETITIONS + 90); /* 5 standard deviations */
    assert_true(same < 10);
    pattern_pairs(&spread, 7, list);
    for (int q = 0; q < 4; q++)
        assert_int_equal(list[q].offset, shape_start(&spread, 7, 0, q));
}

static void test_around(void **state)
{
    (void)state;
    struct shape fan = shape;
    struct pattern_message list[32];
    fan.nodes = 2;
    fan.burst = 3;
    fan.around = true;
    fan.step = 1;
    assert_int_equal(pattern_most(&fan), 6);
    assert_int_equal(pattern_fan_out(&fan, 1, list), 6);
    for (int i = 0; i < 6; i += 2) {
        assert_message(&list[i], 2, 0, 0);
        assert_message(&list[i + 1], 0, 2, 0);
    }
    fan.nodes = 3;
    fan.job_nodes = 3;
    assert_int_equal(pattern_most(&fan), 9);
    assert_int_equal(pattern_fan_out(&fan, 0, list), 9);
    for (int i = 0; i < 9; i++)
        assert_message(&list[i], 2 * (i % 3), 2 * ((i + 1) % 3), 0);
    fan.step = 2;
    assert_int_equal(pattern_fan_out(&fan, 0, list), 9);
    for (int i = 0; i < 9; i++)
        assert_message(&list[i], 2 * (i % 3), 2 * ((i + 2) % 3), 0);
}

static void test_across(void **state)
{
    (void)state;
    struct shape fan = {.job_nodes = 5, .job_ppn = 2, .nodes = 5, .ppn = 1, .copies = 1, .burst = 1, .across = 2, .step = 1};
    struct pattern_message list[32];
    assert_int_equal(pattern_fan_out(&fan, 3, list), 2);
    assert_message(&list[0], 0, 2 * (2 + 1), 0);
    assert_message(&list[1], 2, 2 * (2 + 2), 0);
    fan.step = 2;
    fan.burst = 2;
    assert_true(pattern_most(&fan) >= 4);
    assert_int_equal(pattern_fan_out(&fan, 0, list), 4);
    assert_message(&list[0], 0, 2 * (2 + 2), 0);
    assert_message(&list[1], 0, 2 * 2, 0);
    assert_message(&list[2], 2, 2 * 2, 0);
    assert_message(&list[3], 2, 2 * (2 + 1), 0);
}

static void test_fans(void **state)
{
    (void)state;
    struct shape fan = shape;
    struct pattern_message out[32], in[32];
    fan.burst = 5;
    assert_int_equal(pattern_most(&fan), 5);
    assert_int_equal(pattern_fan_out(&fan, 2, out), 5);
    assert_message(&out[0], 4, 6, 0);
    assert_message(&out[1], 4, 0, 0);
    assert_message(&out[2], 4, 2, 0);
    assert_message(&out[3], 4, 6, 0);
    assert_int_equal(pattern_fan_in(&fan, 2, in), 5);
    for (int i = 0; i < 5; i++)
        assert_message(&in[i], out[i].to, out[i].from, out[i].offset);
}

/* All processes of the first node to those of the second, slot to slot; or one, to the processes of two others. */
static void test_streams(void **state)
{
    (void)state;
    struct shape stream = shape;
    struct pattern_message list[32];
    stream.nodes = stream.ppn = stream.senders = stream.copies = 2;
    stream.burst = 6;
    assert_int_equal(pattern_most(&stream), 12);
    assert_int_equal(pattern_stream(&stream, 0, list), 12);
    for (int m = 0; m < 6; m++) {
        assert_message(&list[m], m % 2, 2 + m % 2, 0);
        assert_message(&list[6 + m], 4 + m % 2, 6 + m % 2, 7);
    }
    stream.nodes = 3;
    stream.burst = 4;
    stream.copies = stream.senders = 1;
    assert_int_equal(pattern_stream(&stream, 1, list), 4);
    assert_message(&list[0], 0, 2, 0);
    assert_message(&list[1], 0, 5, 0);
    assert_message(&list[2], 0, 2, 0);
    assert_message(&list[3], 0, 5, 0);
    stream.senders = 2;
    assert_int_equal(pattern_stream(&stream, 1, list), 4);
    assert_message(&list[1], 1, 5, 0);
}

static void test_find(void **state)
{
    (void)state;
    assert_ptr_equal(pattern_find(PATTERN_pairs), pattern_pairs);
    assert_ptr_equal(pattern_find(PATTERN_fan_in), pattern_fan_in);
    assert_ptr_equal(pattern_find(PATTERN_stream), pattern_stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_pingpong),
                                       cmocka_unit_test(test_pairs), cmocka_unit_test(test_fans),
                                       cmocka_unit_test(test_spread), cmocka_unit_test(test_around), cmocka_unit_test(test_across),
                                       cmocka_unit_test(test_streams), cmocka_unit_test(test_find)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
