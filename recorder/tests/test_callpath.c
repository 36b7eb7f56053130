#include "recorder/callpath.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define KEPT __attribute__((noinline, noclone))
#if defined __clang__
#undef KEPT
#define KEPT __attribute__((noinline))
#endif

static volatile int sink; /* so that no call is the last thing its caller does */

static KEPT int32_t wrapper(struct callpaths *paths)
{
    int32_t path = callpath_find(paths, __builtin_return_address(0), __builtin_frame_address(0));
    sink++;
    return path;
}

static KEPT int32_t exchange(struct callpaths *paths)
{
    int32_t path = wrapper(paths);
    sink++;
    return path;
}

static KEPT int32_t here(struct callpaths *paths)
{
    int32_t path = exchange(paths);
    sink++;
    return path;
}

static KEPT int32_t there(struct callpaths *paths)
{
    int32_t path = exchange(paths);
    sink += 2;
    return path;
}

/* The same call from two places, with the same stack pointer, is two paths, however often they alternate. */
static void callers_are_told_apart(void **state)
{
    (void)state;
    struct callpaths paths;
    callpaths_init(&paths);
    int32_t (*volatile functions[2])(struct callpaths *) = {here, there}; /* one call site for both */
    for (int i = 0; i < 1000; i++)
        assert_int_equal(functions[i % 2](&paths), i % 2);
    assert_int_equal(paths.n, 2);
    assert_true(paths.paths[0].n >= 4);
    callpaths_free(&paths);
}

/* What was unwound once is found by loads alone. */
static void stacks_are_kept(void **state)
{
    (void)state;
    struct callpaths paths;
    callpaths_init(&paths);
    for (int i = 0; i < 100; i++)
        here(&paths);
#if defined __x86_64__
    assert_int_equal(paths.n_stacks, 1);
#endif
    assert_int_equal(paths.n, 1);
    callpaths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(callers_are_told_apart), cmocka_unit_test(stacks_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
