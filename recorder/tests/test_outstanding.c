/* Open requests: the oldest of a handle, the smallest ordinal of a path, sets by number; and that the steps for each do not grow
 * with how many are open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recorder/outstanding.h"

enum { EMPTY = 7, MANY = 10000 }; /* EMPTY: a handle that many requests share */

static struct recorder_request *begin(struct outstanding *outstanding, uint64_t handle, int32_t path)
{
    struct recorder_request *request = outstanding_new(outstanding, handle);
    outstanding_start(outstanding, request, path);
    return request;
}

static void end(struct outstanding *outstanding, uint64_t handle)
{
    struct recorder_request *request = outstanding_find(outstanding, handle);
    assert_non_null(request);
    outstanding_remove(outstanding, request);
}

static void of_equal_handles_the_oldest_counts(void **state)
{
    (void)state;
    struct outstanding outstanding = {0};
    for (int32_t path = 3; path < 40; path++) {
        begin(&outstanding, EMPTY, path);
        begin(&outstanding, (uint64_t)path * 64, path);
    }
    assert_int_equal(outstanding_find(&outstanding, EMPTY)->path, 3);
    assert_int_equal(outstanding_next(&outstanding, outstanding_find(&outstanding, EMPTY))->path, 4);
    end(&outstanding, EMPTY);
    assert_int_equal(outstanding_find(&outstanding, EMPTY)->path, 4);
    begin(&outstanding, EMPTY, 2);
    assert_int_equal(outstanding_find(&outstanding, EMPTY)->path, 4);
    assert_int_equal(outstanding_find(&outstanding, 39 * 64)->path, 39);
    assert_null(outstanding_find(&outstanding, 40 * 64));
    for (int32_t path = 4; path < 40; path++) {
        assert_int_equal(outstanding_find(&outstanding, EMPTY)->path, path);
        end(&outstanding, EMPTY);
        end(&outstanding, (uint64_t)path * 64);
    }
    assert_int_equal(outstanding_find(&outstanding, EMPTY)->path, 2);
    assert_int_equal(outstanding.n, 2);
    assert_int_equal(outstanding.n_active, 2);
    outstanding_free(&outstanding);
}

/* Also of those that are made and not started, and above 63. */
static void an_ordinal_is_the_smallest_that_is_free(void **state)
{
    (void)state;
    struct outstanding outstanding = {0};
    struct recorder_request *made = outstanding_new(&outstanding, 9);
    assert_false(made->active);
    assert_int_equal(outstanding_of_path(&outstanding, 1), 0);
    for (int i = 0; i < 200; i++)
        assert_int_equal(begin(&outstanding, 1000 + (uint64_t)i, 1)->ordinal, i);
    assert_int_equal(begin(&outstanding, 1, 0)->ordinal, 0);
    static const int ended[] = {170, 3, 64, 199, 90, 65, 63};
    for (size_t i = 0; i < sizeof ended / sizeof *ended; i++)
        end(&outstanding, 1000 + (uint64_t)ended[i]);
    assert_int_equal(outstanding_of_path(&outstanding, 1), 193);
    static const int next[] = {3, 63, 64, 65, 90, 170, 199, 200};
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        assert_int_equal(begin(&outstanding, 5000 + i, 1)->ordinal, next[i]);
    struct recorder_request *again = outstanding_find(&outstanding, 9);
    outstanding_start(&outstanding, again, 1);
    assert_int_equal(again->ordinal, 201);
    outstanding_start(&outstanding, again, 0); /* is over before it starts again */
    assert_int_equal(again->ordinal, 1);
    assert_int_equal(outstanding_of_path(&outstanding, 1), 201);
    outstanding_stop(&outstanding, again);
    outstanding_stop(&outstanding, again);
    assert_int_equal(outstanding_of_path(&outstanding, 0), 1);
    outstanding_free(&outstanding);
}

static void a_set_takes_each_of_equal_handles_once(void **state)
{
    (void)state;
    struct outstanding outstanding = {0};
    begin(&outstanding, EMPTY, 1);
    outstanding_new(&outstanding, EMPTY); /* not started */
    begin(&outstanding, EMPTY, 2);
    begin(&outstanding, 8, 3);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(outstanding_list(&outstanding, EMPTY)->path, 1);
        assert_int_equal(outstanding_list(&outstanding, EMPTY)->path, 2);
        assert_int_equal(outstanding_list(&outstanding, 8)->path, 3);
        assert_null(outstanding_list(&outstanding, EMPTY));
        assert_null(outstanding_list(&outstanding, 8));
        assert_null(outstanding_list(&outstanding, 5));
        outstanding_unlist(&outstanding, EMPTY);
        outstanding_unlist(&outstanding, 8);
        outstanding_unlist(&outstanding, 5);
    }
    outstanding_free(&outstanding);
}

static void sets_are_numbered_once(void **state)
{
    (void)state;
    struct outstanding_sets sets = {0};
    struct recorder_pair pairs[] = {{1, 0}, {1, 1}, {2, -1}};
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){false, 2, pairs}), 0);
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){false, 3, pairs}), 1);
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){true, 0, pairs}), 2);
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){false, 0, NULL}), 3);
    pairs[1].ordinal = 2;
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){false, 2, pairs}), 4);
    pairs[1].ordinal = 1;
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){false, 2, pairs}), 0);
    assert_int_equal(outstanding_set_number(&sets, &(struct recorder_list){true, 0, NULL}), 2);
    assert_int_equal(sets.n, 5);
    outstanding_sets_free(&sets);
}

/* ---- growth ---- */

static uint64_t handle_of(int i, int n, bool equal)
{
    return equal && i % 2 ? EMPTY : (uint64_t)(i * 7 % n) * 352 + 0x7f0000001000;
}

/* So many receives that stand open at a time, waited for one by one from the oldest, from the latest, or all at once; steps for
 * each of them. equal: every other one has a handle that all of these share. */
static double steps_for_each(int n, int order, bool equal)
{
    struct outstanding outstanding = {0};
    struct outstanding_sets sets = {0};
    for (int lap = 0; lap < 2; lap++) {
        for (int i = 0; i < n; i++)
            begin(&outstanding, handle_of(i, n, equal), 5);
        for (int i = 0; order == 2 && i < n; i++)
            assert_non_null(outstanding_list(&outstanding, handle_of(i, n, equal)));
        for (int i = 0; order == 2 && i < n; i++)
            outstanding_unlist(&outstanding, handle_of(i, n, equal));
        for (int i = 0; i < n; i++) {
            const uint64_t handle = handle_of(order == 1 ? n - 1 - i : i, n, equal);
            const struct recorder_request *listed = outstanding_list(&outstanding, handle);
            struct recorder_pair pair = {listed->path, listed->ordinal};
            outstanding_unlist(&outstanding, handle);
            outstanding_set_number(&sets, &(struct recorder_list){false, 1, &pair});
            end(&outstanding, handle);
        }
        assert_int_equal(outstanding.n, 0);
    }
    const double steps = (double)(outstanding.steps + sets.steps) / (2 * n);
    outstanding_free(&outstanding);
    outstanding_sets_free(&sets);
    return steps;
}

/* A hundred times as many may take the few more steps that a heap of them has levels. */
static void steps_do_not_grow_with_what_is_open(void **state)
{
    (void)state;
    for (int order = 0; order < 3; order++)
        for (int equal = 0; equal < 2; equal++) {
            const double few = steps_for_each(MANY / 100, order, equal), many = steps_for_each(MANY, order, equal);
            if (many > few + 20)
                fail_msg("order %d, %s handles: %.1f steps for each of %d, %.1f of %d", order, equal ? "equal" : "own", few,
                         MANY / 100, many, MANY);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_equal_handles_the_oldest_counts), cmocka_unit_test(an_ordinal_is_the_smallest_that_is_free),
        cmocka_unit_test(a_set_takes_each_of_equal_handles_once), cmocka_unit_test(sets_are_numbered_once),
        cmocka_unit_test(steps_do_not_grow_with_what_is_open)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
