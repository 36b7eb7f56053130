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

/* Of the tasks from `first` on, those before being done. */
static void assert_dropped(double available, size_t first, size_t next, const char *expected)
{
    struct task copy[TASKS];
    char found[TASKS + 1] = "";
    memcpy(copy, tasks, sizeof tasks);
    for (size_t i = 0; i < first; i++)
        copy[i].done = true;
    assert_int_equal(plan_next(TASKS, copy, available), next);
    for (int i = 0; i < TASKS; i++)
        found[i] = copy[i].dropped ? 'x' : '.';
    assert_string_equal(found, expected);
}

/* The largest size of each group, of these the one that costs most for its worth, of equal ones the first. */
static void test_fit(void **state)
{
    (void)state;
    assert_dropped(40.5, 0, 0, ".......");
    assert_dropped(40.4, 0, 0, "...x...");
    assert_dropped(31, 0, 0, "...x.x.");
    assert_dropped(28, 0, 0, "...xxx.");
    assert_dropped(26, 0, 0, "...xxxx");
    assert_dropped(22, 0, 0, "..xxxxx");
    assert_dropped(21, 0, 0, ".xxxxxx");
    assert_dropped(-1, 0, TASKS, "xxxxxxx");
    assert_dropped(14, 2, 2, "...x...");
}

/* What was dropped comes back when others took less time than they were to. */
static void test_back(void **state)
{
    (void)state;
    struct task copy[TASKS];
    memcpy(copy, tasks, sizeof tasks);
    assert_int_equal(plan_next(TASKS, copy, 35), 0);
    assert_true(copy[3].dropped);
    copy[0].done = copy[1].done = copy[2].done = true;
    assert_int_equal(plan_next(TASKS, copy, 16), 3);
    copy[3].done = true;
    assert_int_equal(plan_next(TASKS, copy, 4), 6); /* the group of four nodes has one task, which costs less */
}

static void test_cost(void **state)
{
    (void)state;
    struct task copy[TASKS];
    memcpy(copy, tasks, sizeof tasks);
    copy[0].done = true;
    copy[3].dropped = true;
    assert_true(plan_cost(TASKS, copy) == 30);
    assert_string_equal(task_text(TASK_ports), "bursts through a port");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_back), cmocka_unit_test(test_cost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
