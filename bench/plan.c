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

double plan_cost(size_t n, const struct task tasks[], size_t first)
{
    double sum = 0;
    for (size_t i = first; i < n; i++)
        sum += tasks[i].dropped ? 0 : tasks[i].cost;
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
        if (!tasks[j].dropped && same_entry(&tasks[i], &tasks[j]) && tasks[j].bytes > tasks[i].bytes)
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

size_t plan_fit(size_t n, struct task tasks[], size_t first, double available)
{
    size_t dropped = 0;
    while (plan_cost(n, tasks, first) > available) {
        struct task *victim = NULL;
        for (size_t i = first; i < n; i++)
            if (!tasks[i].dropped && is_largest(n, tasks, i) && (!victim || drops_before(&tasks[i], victim)))
                victim = &tasks[i];
        if (!victim)
            break;
        victim->dropped = true;
        dropped++;
    }
    return dropped;
}
