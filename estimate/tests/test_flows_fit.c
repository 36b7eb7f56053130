#include "estimate/flows_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two flows share what passes a message every 3.1 ms; the first messages come at once, and when the first flow has sent
 * its 12 the second has the rest for itself. */
static void test_gap(void **state)
{
    (void)state;
    struct flow_arrival arrivals[40];
    size_t n = 0;
    for (int i = 0; i < 24; i++)
        arrivals[n++] = (struct flow_arrival){i % 2, i < 4 ? 0.2e-3 : (i - 3) * 3.1e-3};
    for (int i = 0; i < 8; i++)
        arrivals[n++] = (struct flow_arrival){1, 20 * 3.1e-3 + (i + 1) * 1.55e-3};
    assert_true(fabs(flows_gap(n, arrivals, 2) - 3.1e-3) < 1e-9);
}

/* One flow alone, in any order. */
static void test_alone(void **state)
{
    (void)state;
    struct flow_arrival arrivals[16];
    for (int i = 0; i < 16; i++)
        arrivals[i] = (struct flow_arrival){0, (16 - i) * 2.385e-3};
    assert_true(fabs(flows_gap(16, arrivals, 1) - 2.385e-3) < 1e-12);
}

static void test_too_few(void **state)
{
    (void)state;
    struct flow_arrival arrivals[8];
    for (int i = 0; i < 8; i++)
        arrivals[i] = (struct flow_arrival){i % 2, 1e-3 * i};
    assert_true(isnan(flows_gap(8, arrivals, 2)));
    assert_true(isnan(flows_gap(0, arrivals, 1)));
}

/* All messages of a step between nodes in groups of `size`, each behind a trunk that `most` messages do not slow. */
static size_t step_make(int nodes, int size, int most, int step, struct shift_message messages[])
{
    size_t n = 0;
    for (int from = 0; from < nodes; from++) {
        const int first = from / size * size;
        int leave = 0;
        for (int other = first; other < first + size && other < nodes; other++)
            leave += (other + step) % nodes / size != other / size;
        const bool stays = (from + step) % nodes / size == from / size;
        messages[n++] = (struct shift_message){from, step, !stays && leave > most, 1e-3};
    }
    return n;
}

static void assert_groups(int nodes, int size, int most, int steps, size_t expected)
{
    struct shift_message messages[256];
    int group_of[32];
    size_t n = step_make(nodes, size, most, nodes / 2, messages);
    for (int step = 2; step <= steps; step++)
        n += step_make(nodes, size, most, step, messages + n);
    assert_int_equal(groups_find(nodes, n, messages, group_of), expected);
    for (int node = 0; node < nodes && expected == (size_t)(nodes / size); node++)
        assert_int_equal(group_of[node], node / size);
}

/* Trunks that half, three quarters and one of the nodes fill. */
static void test_groups(void **state)
{
    (void)state;
    assert_groups(16, 4, 2, 4, 4);
    assert_groups(12, 4, 2, 4, 3);
    assert_groups(24, 8, 5, 8, 3);
    assert_groups(16, 4, 1, 4, 4);
    assert_groups(6, 3, 1, 3, 2);
}

static void test_no_groups(void **state)
{
    (void)state;
    assert_groups(16, 16, 1, 4, 1); /* nothing is slowed */
    assert_groups(16, 4, 3, 4, 16); /* as soon as a message is slowed all are: trunks, but whose? */
}

/* Nodes of two switches by turns: what goes an even number of nodes on stays, whatever stands between. */
static void test_nodes_by_turns_are_not_told(void **state)
{
    (void)state;
    struct shift_message messages[3 * 8];
    int group_of[8];
    size_t n = 0;
    for (int step = 2; step <= 4; step++)
        for (int from = 0; from < 8; from++)
            messages[n++] = (struct shift_message){from, step, step % 2 != 0 || from == 7, 4.8e-3};
    assert_int_equal(groups_find(8, n, messages, group_of), 8);
    for (int node = 0; node < 8; node++)
        assert_int_equal(group_of[node], node);
}

/* Hosts of 20, 20, 20, 20, 8 and 8 Mbit/s, the last three behind a trunk of 24: slow ones pass it as if it were not
 * there. */
static void test_slow_ports_tell_nothing(void **state)
{
    (void)state;
    static const double alone[] = {7.1e-3, 7.1e-3, 7.1e-3, 7.1e-3, 17.7e-3, 17.7e-3};
    struct shift_message messages[12];
    int group_of[6];
    size_t n = 0;
    for (int step = 3; step >= 2; step--)
        for (int from = 0; from < 6; from++) {
            const int to = (from + step) % 6;
            const bool slowed = step == 3 ? from == 0 || from == 3 : from == 1;
            messages[n++] = (struct shift_message){from, step, slowed, fmax(alone[from], alone[to])};
        }
    assert_int_equal(groups_find(6, n, messages, group_of), 4); /* which of the others share is not to be told */
    for (int node = 0; node < 6; node++)
        assert_int_equal(group_of[node], node < 3 ? 0 : node - 2);
}

static void test_sharing(void **state)
{
    (void)state;
    assert_int_equal(flows_sharing(1.73e-3, 1.7e-3, 4), SHARING_shared);
    assert_int_equal(flows_sharing(1.73e-3, 1.9e-3, 2), SHARING_shared);
    assert_int_equal(flows_sharing(1.73e-3, 0.45e-3, 4), SHARING_own);
    assert_int_equal(flows_sharing(1.73e-3, 0.9e-3, 4), SHARING_shared);
    assert_int_equal(flows_sharing(1.73e-3, 0.7e-3, 4), SHARING_unknown);
    assert_string_equal(sharing_text(SHARING_own), "each has its own");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gap), cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_too_few), cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_no_groups),
                                       cmocka_unit_test(test_nodes_by_turns_are_not_told),
                                       cmocka_unit_test(test_slow_ports_tell_nothing),
                                       cmocka_unit_test(test_sharing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
