#include "estimate/machine/limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct library {
    int64_t limit;
    int64_t late; /* a size that seems to wait; -1: none does */
    int asked;
};

static void try_sizes(void *context, int64_t low, int64_t high, int n, bool waits[])
{
    struct library *library = context;
    library->asked++;
    for (int i = 0; i < n; i++) {
        assert_true(low == high || (limit_size(low, high, i, n) > low && limit_size(low, high, i, n) < high));
        waits[i] = limit_size(low, high, i, n) > library->limit || limit_size(low, high, i, n) == library->late;
    }
}

static void every_limit_is_found(void **state)
{
    (void)state;
    static const int64_t limits[] = {0, 1, 700, 1023, 1024, 1025, 4040, 65480, (4 << 20) - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct library library = {limits[i], -1, 0};
        assert_int_equal(limit_search(4 << 20, 1, try_sizes, &library), limits[i]);
        assert_true(library.asked < 40);
    }
}

static void many_pairs_are_quicker(void **state)
{
    (void)state;
    static const int at_once[] = {2, 8, 32, LIMIT_AT_ONCE}, rounds[] = {20, 15, 13, 12};
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++)
        for (int64_t limit = 65400; limit < 65600; limit++) {
            struct library library = {limit, -1, 0};
            assert_int_equal(limit_search(4 << 20, at_once[i], try_sizes, &library), limit);
            assert_true(library.asked <= rounds[i]);
        }
}

/* A call that returned late, below others that did not. */
static void late_calls_do_no_harm(void **state)
{
    (void)state;
    struct library library = {65480, limit_size(32768, 65536, 3, 8), 0};
    assert_int_equal(limit_search(4 << 20, 8, try_sizes, &library), 65480);
}

static void there_may_be_none(void **state)
{
    (void)state;
    struct library nothing = {-1, -1, 0}, all = {INT64_MAX, -1, 0}, beyond = {4 << 20, -1, 0};
    assert_int_equal(limit_search(4 << 20, 8, try_sizes, &nothing), LIMIT_NOTHING);
    assert_int_equal(nothing.asked, 1);
    assert_true(limit_search(4 << 20, 8, try_sizes, &all) == INT64_MAX);
    assert_true(limit_search(4 << 20, 8, try_sizes, &beyond) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_is_found),
        cmocka_unit_test(many_pairs_are_quicker),
        cmocka_unit_test(late_calls_do_no_harm),
        cmocka_unit_test(there_may_be_none),
    };
    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
