#include "bench/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct task tasks[] = {
    {.kind = TASK_pingpong, .cost = 1.5, .bytes = 0},     {.kind = TASK_pingpong, .cost = 20, .bytes = 262144},
    {.kind = TASK_pairs, .cost = 3, .bytes = 0},          {.kind = TASK_pairs, .cost = 9, .bytes = 65536},
    {.kind = TASK_isend_pairs, .cost = 3, .bytes = 0},    {.kind = TASK_isend_pairs, .cost = 2, .bytes = 65536},
    {.kind = TASK_isend_pairs, .cost = 2, .bytes = 65536, .nodes = 4}};
enum { TASKS = sizeof tasks / sizeof *tasks };

static void assert_dropped(double available, size_t first, size_t n, const char *expected)
{
    struct task copy[TASKS];
    char found[TASKS + 1] = "";
    memcpy(copy, tasks, sizeof tasks);
    assert_int_equal(plan_fit(TASKS, copy, first, available), n);
    for (int i = 0; i < TASKS; i++)
        found[i] = copy[i].dropped ? 'x' : '.';
    assert_string_equal(found, expected);
}

/* The largest size of each group, of these the one that costs most for its worth, of equal ones the first. */
static void test_fit(void **state)
{
    (void)state;
    assert_dropped(40.5, 0, 0, ".......");
    assert_dropped(40.4, 0, 1, "...x...");
    assert_dropped(31, 0, 2, "...x.x.");
    assert_dropped(28, 0, 3, "...xxx.");
    assert_dropped(26, 0, 4, "...xxxx");
    assert_dropped(22, 0, 5, "..xxxxx");
    assert_dropped(21, 0, 6, ".xxxxxx");
    assert_dropped(-1, 0, 7, "xxxxxxx");
    assert_dropped(14, 2, 1, "...x...");
}

static void test_cost(void **state)
{
    (void)state;
    struct task copy[TASKS];
    memcpy(copy, tasks, sizeof tasks);
    copy[3].dropped = true;
    assert_true(plan_cost(TASKS, copy, 1) == 30);
    assert_string_equal(task_text(TASK_ports), "bursts through a port");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_cost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
