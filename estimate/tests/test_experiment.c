#include "estimate/analytical/experiment.h"

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

/* In no round does a node stand twice, or is a trunk crossed twice; no round is empty. Returns their number. */
static size_t assert_disjoint(size_t n, const struct experiment e[], int nodes, const struct trunks *trunks)
{
    static size_t round[MOST];
    size_t rounds = experiment_rounds(n, e, (size_t)nodes, trunks, round);
    for (size_t r = 0; r < rounds; r++)
        for (size_t t = 0; t < trunks->n; t++) {
            int crossing = 0;
            for (size_t i = 0; i < n; i++)
                crossing += round[i] == r && experiment_crosses(&e[i], trunks, (size_t)nodes, t);
            assert_true(crossing <= 1);
        }
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
    static const struct trunks none = {0};
    for (int n = 2; n <= 17; n++) {
        size_t rounds = assert_disjoint(pairs_make(n, e), e, n, &none);
        if ((n & (n - 1)) == 0)
            assert_int_equal(rounds, n - 1);
        assert_true(rounds < 2 * (size_t)n); /* a node has n - 1 partners, each of which may keep it waiting */
    }
    for (int n = 3; n <= 17; n++) {
        size_t all = triplets_make(n, e), rounds = assert_disjoint(all, e, n, &none), least = all / ((size_t)n / 3);
        assert_true(rounds >= least && rounds <= 2 * least + 3);
    }
}

/* Eight nodes, the last four behind a trunk, the last two of these behind a further one. */
static void trunks_are_crossed_by_one(void **state)
{
    (void)state;
    static struct experiment e[MOST];
    static const bool behind[2][8] = {{0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 1, 1}};
    struct trunks trunks = {2, behind[0]};
    struct experiment both = {EXPERIMENT_to_two, {0, 5, 7}, 1, 0, 1},
                      within = {EXPERIMENT_round_trip, {4, 5, 0}, 1, 0, 1};
    assert_true(experiment_crosses(&both, &trunks, 8, 0) && experiment_crosses(&both, &trunks, 8, 1));
    assert_false(experiment_crosses(&within, &trunks, 8, 0) || experiment_crosses(&within, &trunks, 8, 1));
    assert_true(assert_disjoint(pairs_make(8, e), e, 8, &trunks) >= 16); /* 4 x 4 pairs cross the first */
    assert_disjoint(triplets_make(8, e), e, 8, &trunks);
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

static void short_messages_are_of_processors(void **state)
{
    (void)state;
    struct experiment e = {.kind = EXPERIMENT_round_trip};
    assert_true(experiment_is_of_processors(&e));
    e.there = 1, e.messages = 256;
    assert_true(experiment_is_of_processors(&e));
    e.back = 2;
    assert_false(experiment_is_of_processors(&e));
    e.back = 0, e.there = 2;
    assert_false(experiment_is_of_processors(&e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_disjoint),
        cmocka_unit_test(trunks_are_crossed_by_one),
        cmocka_unit_test(experiments_are_equal_in_what_counts),
        cmocka_unit_test(short_messages_are_of_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
