#include "estimate/experiment.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4096 };

static size_t pairs_make(int n, struct experiment e[])
{
    size_t all = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            e[all++] = (struct experiment){EXPERIMENT_round_trip, {i, j, 0}, 0, 0, 1};
    return all;
}

static size_t triplets_make(int n, struct experiment e[])
{
    size_t all = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = j + 1; k < n; k++)
                if (i != j && i != k)
                    e[all++] = (struct experiment){EXPERIMENT_to_two, {i, j, k}, 4096, 0, 1};
    return all;
}

/* In no round does a node stand twice; no round is empty. Returns their number. */
static size_t assert_disjoint(size_t n, const struct experiment e[], int nodes)
{
    static size_t round[MOST];
    size_t rounds = experiment_rounds(n, e, (size_t)nodes, round);
    for (size_t r = 0; r < rounds; r++) {
        char seen[64] = {0};
        int any = 0;
        for (size_t i = 0; i < n; i++)
            for (int k = 0; round[i] == r && k < experiment_nodes(&e[i]); k++, any++) {
                assert_true(e[i].node[k] < nodes);
                assert_int_equal(seen[e[i].node[k]]++, 0);
            }
        assert_true(any > 0);
    }
    for (size_t i = 0; i < n; i++)
        assert_true(round[i] < rounds);
    return rounds;
}

static void rounds_are_disjoint(void **state)
{
    (void)state;
    static struct experiment e[MOST];
    for (int n = 2; n <= 17; n++) {
        size_t rounds = assert_disjoint(pairs_make(n, e), e, n);
        if ((n & (n - 1)) == 0)
            assert_int_equal(rounds, n - 1);
        assert_true(rounds < 2 * (size_t)n); /* a node has n - 1 partners, each of which may keep it waiting */
    }
    for (int n = 3; n <= 17; n++) {
        size_t all = triplets_make(n, e), rounds = assert_disjoint(all, e, n), least = all / ((size_t)n / 3);
        assert_true(rounds >= least && rounds <= 2 * least + 3);
    }
}

static void experiments_are_equal_in_what_counts(void **state)
{
    (void)state;
    struct experiment a = {EXPERIMENT_round_trip, {1, 2, 7}, 10, 20, 1}, b = a;
    b.node[2] = 5; /* a round trip has two nodes */
    assert_true(experiments_equal(&a, &b));
    b.node[1] = 3;
    assert_false(experiments_equal(&a, &b));
    b = a;
    b.back = 21;
    assert_false(experiments_equal(&a, &b));
    a.kind = EXPERIMENT_to_two;
    b = a;
    b.node[2] = 5;
    assert_false(experiments_equal(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_disjoint),
        cmocka_unit_test(experiments_are_equal_in_what_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
