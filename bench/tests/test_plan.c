#include "bench/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct task tasks[] = {
    {.kind = TASK_pingpong, .cost = 1.5, .bytes = 0},     {.kind = TASK_pingpong, .cost = 20, .bytes = 262144},
    {.kind = TASK_pairs, .cost = 3, .bytes = 16384},      {.kind = TASK_pairs, .cost = 9, .bytes = 65536},
    {.kind = TASK_isend_pairs, .cost = 3, .bytes = 16384}, {.kind = TASK_isend_pairs, .cost = 2, .bytes = 65536},
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

/* What points of a kind take beyond their cost is expected of the others, so what is worth more still fits at the
 * end. */
static void test_learn(void **state)
{
    (void)state;
    struct task list[4] = {{.kind = TASK_pairs, .cost = 0.2, .bytes = 0},
                           {.kind = TASK_pairs, .cost = 0.2, .bytes = 64},
                           {.kind = TASK_pairs, .cost = 0.2, .bytes = 256},
                           {.kind = TASK_rates, .cost = 2}};
    double left = 2.61;
    for (size_t i; (i = plan_next(4, list, left)) < 4;) {
        const double taken = list[i].kind == TASK_pairs ? 0.35 : 2;
        list[i].done = true;
        plan_learn(4, list, i, taken);
        left -= taken;
    }
    assert_true(list[0].done && !list[1].done && !list[2].done && list[3].done);
    assert_true(left > 0);
    assert_true(fabs(list[2].beyond - 0.15) < 1e-12);
    plan_learn(4, list, 1, 0.15); /* 0.15 and -0.05 beyond */
    assert_true(fabs(list[2].beyond - 0.05) < 1e-12);
    plan_learn(4, list, 1, 0.01);
    assert_true(list[2].beyond == 0);
    assert_true(list[3].beyond == 0);
}

/* Levels that end below a quarter of messages alone are not written: of two of them one is measured whole. */
static void test_vain(void **state)
{
    (void)state;
    struct task list[] = {{.kind = TASK_pingpong, .nodes = 2, .cost = 1, .bytes = 65480, .done = true},
                          {.kind = TASK_pairs, .nodes = 64, .cost = 1, .bytes = 0},
                          {.kind = TASK_pairs, .nodes = 64, .cost = 1, .bytes = 4096},
                          {.kind = TASK_pairs, .nodes = 64, .cost = 2, .bytes = 65480},
                          {.kind = TASK_pairs, .nodes = 16, .cost = 1, .bytes = 0},
                          {.kind = TASK_pairs, .nodes = 16, .cost = 1, .bytes = 4096},
                          {.kind = TASK_pairs, .nodes = 16, .cost = 1.5, .bytes = 65480}};
    enum { N = sizeof list / sizeof *list };
    assert_int_equal(plan_next(N, list, 7.5), 1);
    assert_false(list[3].dropped || list[6].dropped);
    assert_int_equal(plan_next(N, list, 4), 1); /* both without their largest would cost as much */
    assert_false(list[1].dropped || list[2].dropped || list[3].dropped);
    assert_true(list[4].dropped && list[5].dropped && list[6].dropped);
    assert_int_equal(plan_next(N, list, 3.4), N);
}

/* Within a socket messages alone may end sooner than between two: there pairs that end as soon are written. */
static void test_vain_in_sockets(void **state)
{
    (void)state;
    struct task list[] = {{.kind = TASK_pingpong, .nodes = 1, .ppn = 2, .cost = 1, .bytes = 65536, .done = true},
                          {.kind = TASK_pingpong, .nodes = 1, .ppn = 2, .socket = true, .cost = 1, .bytes = 1024, .done = true},
                          {.kind = TASK_pairs, .nodes = 1, .ppn = 2, .socket = true, .cost = 1, .bytes = 1024},
                          {.kind = TASK_pairs, .nodes = 1, .ppn = 2, .socket = true, .cost = 9, .bytes = 65536}};
    enum { N = sizeof list / sizeof *list };
    assert_int_equal(plan_next(N, list, 2), 2);
    assert_true(!list[2].dropped && list[3].dropped);
    list[1].bytes = 16384;
    assert_int_equal(plan_next(N, list, 2), N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_back),
                                       cmocka_unit_test(test_cost), cmocka_unit_test(test_learn),
                                       cmocka_unit_test(test_vain), cmocka_unit_test(test_vain_in_sockets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
