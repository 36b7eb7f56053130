#include "bench/kinds/kinds.h"

static const struct kind *kind_of(enum task_kind kind)
{
    static const struct kind *const kinds[N_TASKS] = {
#define X(name, text, worth) [TASK_##name] = &kind_##name,
        TASK_LIST(X)
#undef X
    };
    return kinds[kind];
}

double task_cost(const struct campaign *c, const struct task *task)
{
    return kind_of(task->kind)->cost(c, task);
}

void task_measure(struct campaign *c, struct task *task, double time_cap)
{
    kind_of(task->kind)->measure(c, task, time_cap);
}

bool task_is_done(const struct campaign *c, const struct task *task)
{
    return kind_of(task->kind)->is_done(c, task);
}

bool task_is_precise(const struct campaign *c, const struct task *task)
{
    const struct kind *kind = kind_of(task->kind);
    return !kind->is_precise || kind->is_precise(c, task);
}

bool task_is_odd(const struct campaign *c, const struct task *task)
{
    const struct kind *kind = kind_of(task->kind);
    return kind->is_odd && kind->is_odd(c, task);
}

bool task_is_explained(const struct campaign *c, const struct task *task)
{
    const struct kind *kind = kind_of(task->kind);
    return kind->is_explained && kind->is_explained(c, task);
}

int64_t kind_bytes(const struct campaign *c, enum task_kind kind)
{
    return kind_of(kind)->bytes(c);
}
