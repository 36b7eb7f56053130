// SPDX-License-Identifier: MIT
/* The piece rule and the tree. */
#include "coll/branch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void pieces_follow_the_rule(void **state)
{
    (void)state;
    assert_int_equal(pieces_of(0, 5), 1);
    assert_int_equal(pieces_of(5, 5), 1);
    assert_int_equal(pieces_of(6, 5), 2);
    assert_int_equal(pieces_of(262144 / 15, 3000), 6);
    assert_int_equal(pieces_of(INT64_MAX, INT64_MAX), 1);
    assert_int_equal(pieces_of(INT64_MAX, 2), INT64_MAX / 2 + 1);
    for (int64_t M = 2; M < 400; M++)
        for (int64_t M1 = 1; M1 < M; M1++) { /* M / m <= M1 < M / (m - 1) */
            int64_t m = pieces_of(M, M1);
            assert_true(m > 1 && M <= M1 * m && M > M1 * (m - 1));
        }
}

static void pieces_are_all_of_it(void **state)
{
    (void)state;
    for (int64_t M = 1; M < 200; M++)
        for (int64_t M1 = 1; M1 <= M; M1++) {
            int64_t m = pieces_of(M, M1);
            assert_int_equal(piece_begin(M, m, 0), 0);
            assert_int_equal(piece_begin(M, m, m), M);
            for (int64_t k = 0; k < m; k++) {
                int64_t length = piece_begin(M, m, k + 1) - piece_begin(M, m, k);
                assert_true(length >= 1 && length <= M1);
            }
        }
    assert_int_equal(piece_begin(INT64_MAX, 3, 3), INT64_MAX);
}

static void a_tree_of_six(void **state)
{
    (void)state;
    static const struct branch expected[6] = {
        {-1, 6, 3, {1, 2, 4}}, {0, 1, 0, {0}}, {0, 2, 1, {3}}, {2, 1, 0, {0}}, {0, 2, 1, {5}}, {4, 1, 0, {0}}};
    for (int p = 0; p < 6; p++) {
        struct branch b = branch_of(6, p);
        assert_memory_equal(&b, &expected[p], sizeof b);
    }
}

/* Each position but the root is a child of its parent once, and the runs of children follow each other without gaps. */
static void trees_of_any_size(void **state)
{
    (void)state;
    for (int n = 1; n < 300; n++)
        for (int p = 0; p < n; p++) {
            struct branch b = branch_of(n, p);
            int covered = p + 1;
            for (int i = 0; i < b.n_children; i++) {
                struct branch child = branch_of(n, b.children[i]);
                assert_int_equal(child.parent, p);
                assert_int_equal(b.children[i], covered);
                covered += child.run;
            }
            assert_int_equal(covered, p + b.run);
        }
    assert_int_equal(branch_of(INT32_MAX, 0).n_children, 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_follow_the_rule), cmocka_unit_test(pieces_are_all_of_it),
        cmocka_unit_test(a_tree_of_six), cmocka_unit_test(trees_of_any_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
