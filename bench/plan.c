#include "bench/plan.h"

const char *task_text(enum task_kind kind)
{
    static const char *const texts[] = {
#define X(name, text, worth) text,
        TASK_LIST(X)
#undef X
    };
    return texts[kind];
}

static bool is_left(const struct task *task)
{
    return !task->dropped && !task->done;
}

double plan_cost(size_t n, const struct task tasks[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += is_left(&tasks[i]) ? tasks[i].cost : 0;
    return sum;
}

static bool same_entry(const struct task *a, const struct task *b)
{
    return a->kind == b->kind && a->class == b->class && a->nodes == b->nodes && a->ppn == b->ppn;
}

/* Whether no larger size of the same entry is left. */
static bool is_largest(size_t n, const struct task tasks[], size_t i)
{
    for (size_t j = 0; j < n; j++)
        if (is_left(&tasks[j]) && same_entry(&tasks[i], &tasks[j]) && tasks[j].bytes > tasks[i].bytes)
            return false;
    return true;
}

static double cost_for_worth(const struct task *task)
{
    static const double worth[] = {
#define X(name, text, worth) worth,
        TASK_LIST(X)
#undef X
    };
    return task->cost / worth[task->kind];
}

/* Whether a is to be dropped before b. */
static bool drops_before(const struct task *a, const struct task *b)
{
    const double x = cost_for_worth(a), y = cost_for_worth(b);
    return x != y ? x > y : a->kind > b->kind;
}

/* Drops tasks until the rest costs at most `available`. */
static void tasks_drop(size_t n, struct task tasks[], double available)
{
    while (plan_cost(n, tasks) > available) {
        struct task *victim = NULL;
        for (size_t i = 0; i < n; i++)
            if (is_left(&tasks[i]) && is_largest(n, tasks, i) && (!victim || drops_before(&tasks[i], victim)))
                victim = &tasks[i];
        if (!victim)
            break;
        victim->dropped = true;
    }
}

size_t plan_next(size_t n, struct task tasks[], double available)
{
    size_t next = 0;
    for (size_t i = 0; i < n; i++)
        tasks[i].dropped = false;
    tasks_drop(n, tasks, available);
    while (next < n && !is_left(&tasks[next]))
        next++;
    return next;
}
