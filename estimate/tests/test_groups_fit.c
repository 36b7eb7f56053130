#include "estimate/machine/groups_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 8, LOOKS = 4 };
static const double ALONE = 4.8e-3;

/* Bursts that go 1, 2 ... nodes on, between nodes that stand behind two switches as of[] says; each trunk passes as much as one
 * and a half ports, so three bursts fill it and one does not. */
static size_t looks_make(const int of[], struct burst_seen seen[])
{
    size_t n = 0;
    for (int look = 0; look < LOOKS; look++) {
        int leave = 0;
        for (int from = 0; from < NODES; from++)
            leave += of[from] == 0 && of[(from + look + 1) % NODES] == 1;
        for (int from = 0; from < NODES; from++) {
            const int to = (from + look + 1) % NODES;
            seen[n++] = (struct burst_seen){look, from, to, ALONE, ALONE, of[from] != of[to] && leave > 1};
        }
    }
    return n;
}

static void assert_found(const int of[])
{
    struct burst_seen seen[NODES * LOOKS];
    int group_of[NODES] = {0};
    bool doubtful[NODES];
    const struct groups_fit fit = groups_fit(NODES, looks_make(of, seen), seen, true, group_of, doubtful);
    assert_int_equal(fit.n, 2);
    assert_true(fit.unlike < 2);
    assert_int_equal(fit.doubts, 0);
    assert_memory_equal(group_of, of, sizeof group_of);
}

static void test_stretches(void **state)
{
    (void)state;
    assert_found((const int[]){0, 0, 0, 0, 1, 1, 1, 1});
    assert_found((const int[]){0, 0, 0, 0, 0, 1, 1, 1});
}

static void test_by_turns(void **state)
{
    (void)state;
    assert_found((const int[]){0, 1, 0, 1, 0, 1, 0, 1});
}

static void test_any_order(void **state)
{
    (void)state;
    assert_found((const int[]){0, 0, 1, 0, 1, 1, 1, 0});
}

static void test_nothing_slowed_is_one_group(void **state)
{
    (void)state;
    static const int one[NODES] = {0};
    struct burst_seen seen[NODES * LOOKS];
    int group_of[] = {0, 1, 0, 1, 0, 1, 0, 1};
    bool doubtful[NODES];
    const struct groups_fit fit = groups_fit(NODES, looks_make(one, seen), seen, true, group_of, doubtful);
    assert_int_equal(fit.n, 1);
    assert_int_equal(fit.doubts, 0);
    assert_memory_equal(group_of, one, sizeof one);
}

/* A burst that is late by chance makes no group. */
static void test_chance(void **state)
{
    (void)state;
    static const int of[] = {0, 1, 0, 1, 0, 1, 0, 1};
    struct burst_seen seen[NODES * LOOKS];
    int group_of[NODES] = {0};
    bool doubtful[NODES];
    const size_t n = looks_make(of, seen);
    seen[NODES + 2].slowed = true; /* from node 2 to node 4 */
    const struct groups_fit fit = groups_fit(NODES, n, seen, true, group_of, doubtful);
    assert_int_equal(fit.n, 2);
    assert_true(fit.unlike > 1 && fit.unlike < 3);
    assert_memory_equal(group_of, of, sizeof of);
}

/* The same bursts slowed in one look and not in the next: no groups do that. */
static void test_contradictions_are_unlike(void **state)
{
    (void)state;
    struct burst_seen seen[NODES * LOOKS];
    int group_of[NODES] = {0};
    bool doubtful[NODES];
    size_t n = 0;
    for (int look = 0; look < LOOKS; look++)
        for (int from = 0; from < NODES; from++)
            seen[n++] = (struct burst_seen){look, from, (from + 3) % NODES, ALONE, ALONE, look % 2 == 0};
    assert_true(groups_fit(NODES, n, seen, true, group_of, doubtful).unlike > NODES * LOOKS / 4);
}

/* Node 7 has slow ports, and a full trunk is not seen to slow it: it could stand anywhere. */
static void test_slow_ports_are_doubtful(void **state)
{
    (void)state;
    static const int of[] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct burst_seen seen[NODES * LOOKS], sorted[NODES * LOOKS];
    int group_of[NODES] = {0};
    bool doubtful[NODES];
    const size_t n = looks_make(of, seen);
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        if (seen[i].from == 7 || seen[i].to == 7) {
            seen[i].out = seen[i].from == 7 ? 10 * ALONE : ALONE;
            seen[i].alone = 10 * ALONE;
            seen[i].slowed = false;
        }
    for (int look = 0; look < LOOKS; look++)
        for (int slow = 0; slow < 2; slow++)
            for (size_t i = 0; i < n; i++)
                if (seen[i].look == look && (seen[i].out > ALONE) == slow)
                    sorted[at++] = seen[i];
    const struct groups_fit fit = groups_fit(NODES, n, sorted, true, group_of, doubtful);
    assert_int_equal(fit.doubts, 1);
    assert_true(doubtful[7]);
    assert_memory_equal(group_of, of, 7 * sizeof *of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stretches), cmocka_unit_test(test_by_turns),
                                       cmocka_unit_test(test_any_order),
                                       cmocka_unit_test(test_nothing_slowed_is_one_group),
                                       cmocka_unit_test(test_chance), cmocka_unit_test(test_contradictions_are_unlike),
                                       cmocka_unit_test(test_slow_ports_are_doubtful)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
