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

const char *task_where(const struct task *task)
{
    return task->socket ? " in a socket" : "";
}

static bool is_left(const struct task *task)
{
    return !task->dropped && !task->done;
}

double plan_cost(size_t n, const struct task tasks[])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += is_left(&tasks[i]) ? tasks[i].cost + tasks[i].beyond : 0;
    return sum;
}

void plan_learn(size_t n, struct task tasks[], size_t i, double taken)
{
    const enum task_kind kind = tasks[i].kind;
    double sum = 0;
    size_t known = 0;
    tasks[i].taken = taken;
    for (size_t j = 0; j < n; j++)
        if (tasks[j].kind == kind && tasks[j].taken > 0) {
            sum += tasks[j].taken - tasks[j].cost;
            known++;
        }
    for (size_t j = 0; j < n; j++)
        if (tasks[j].kind == kind)
            tasks[j].beyond = sum > 0 ? sum / (double)known : 0;
}

static bool same_entry(const struct task *a, const struct task *b)
{
    return a->kind == b->kind && a->class == b->class && a->nodes == b->nodes && a->ppn == b->ppn &&
           a->socket == b->socket;
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
    return (task->cost + task->beyond) / worth[task->kind];
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

/* Whether messages at once, as far as they are done or left, end at a size with which they are not written, for one alone of the
 * same transport goes so much further. */
static bool ends_early(size_t n, const struct task tasks[], size_t i)
{
    int64_t own = -1, most = 0, alone = 0;
    if (tasks[i].kind != TASK_pairs && tasks[i].kind != TASK_isend_pairs)
        return false;
    for (size_t j = 0; j < n; j++) {
        const struct task *task = &tasks[j];
        if (same_entry(&tasks[i], task)) {
            most = task->bytes > most ? task->bytes : most;
            own = !task->dropped && task->bytes > own ? task->bytes : own;
        } else if ((task->kind == TASK_pingpong || task->kind == TASK_isend_pingpong) && !task->dropped &&
                   (task->nodes == 1) == (tasks[i].nodes == 1) && task->socket == tasks[i].socket) {
            alone = task->bytes > alone ? task->bytes : alone;
        }
    }
    return own >= 0 && own < (alone < most ? alone : most) / RESULT_LINE_MOST;
}

/* Drops what would be measured in vain, the last first: what that leaves may let others come further. */
static bool vain_drop(size_t n, struct task tasks[])
{
    size_t i = n;
    while (i > 0 && !(is_left(&tasks[i - 1]) && ends_early(n, tasks, i - 1)))
        i--;
    for (size_t j = 0; j < n && i > 0; j++)
        tasks[j].vain = tasks[j].vain || (!tasks[j].done && same_entry(&tasks[i - 1], &tasks[j]));
    return i > 0;
}

size_t plan_next(size_t n, struct task tasks[], double available)
{
    size_t next = 0;
    for (size_t i = 0; i < n; i++)
        tasks[i].vain = false;
    do {
        for (size_t i = 0; i < n; i++)
            tasks[i].dropped = tasks[i].vain;
        tasks_drop(n, tasks, available);
    } while (vain_drop(n, tasks));
    while (next < n && !is_left(&tasks[next]))
        next++;
    return next;
}
