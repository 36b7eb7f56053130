#include "estimate/limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct library {
    int64_t limit;
    int asked;
};

static bool waits(void *context, int64_t bytes)
{
    struct library *library = context;
    library->asked++;
    return bytes > library->limit;
}

static void every_limit_is_found(void **state)
{
    (void)state;
    static const int64_t limits[] = {0, 1, 700, 1023, 1024, 1025, 4040, 65480, (4 << 20) - 1};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct library library = {limits[i], 0};
        assert_int_equal(limit_search(4 << 20, waits, &library), limits[i]);
        assert_true(library.asked < 40);
    }
}

static void there_may_be_none(void **state)
{
    (void)state;
    struct library nothing = {-1, 0}, all = {INT64_MAX, 0}, beyond = {4 << 20, 0};
    assert_int_equal(limit_search(4 << 20, waits, &nothing), LIMIT_NOTHING);
    assert_int_equal(nothing.asked, 1);
    assert_true(limit_search(4 << 20, waits, &all) == INT64_MAX);
    assert_true(limit_search(4 << 20, waits, &beyond) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_is_found),
        cmocka_unit_test(there_may_be_none),
    };
    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
