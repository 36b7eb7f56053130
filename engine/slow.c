#include "engine/slow.h"

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void slow_begin(struct slow *slow, const struct engine_setup *setup)
{
    const double begin = setup->watch ? now() : 0;
    *slow = (struct slow){.watch = setup->watch, .begin = begin, .looked = begin, .found = {.site = -1}};
}

bool slow_is_due(const struct slow *slow)
{
    return slow->watch && now() - slow->looked >= slow->watch->period;
}

/* A Loop while counts down from the largest number there is. */
static bool is_while(const struct instr *loop)
{
    return !(loop->dynamic & DYNAMIC_COUNT) && loop->count == INT64_MAX;
}

/* A loop that may never end before one that will; then the one with more rounds behind it, or before it. */
static bool is_worse(const struct slow_loop *a, const struct slow_loop *b)
{
    if (b->site < 0 || a->endless != b->endless)
        return b->site < 0 || a->endless;
    return a->rounds > b->rounds;
}

void slow_process(struct slow *slow, const struct program *program, int32_t process, int32_t pc,
                  const struct value *slots)
{
    const struct role *role = &program->roles[program->role_of[process]];
    for (int32_t i = 0; i < pc; i++) {
        const struct instr *loop = &role->code[i];
        if (loop->op != INSTR_LOOP || loop->target <= pc)
            continue;
        const int64_t left = slots[loop->slot].i;
        const bool endless = is_while(loop);
        const struct slow_loop candidate = {.program = program, .process = process, .site = loop->site,
                                            .endless = endless, .rounds = endless ? INT64_MAX - left + 1 : left};
        if (is_worse(&candidate, &slow->found))
            slow->found = candidate;
    }
}

void slow_tell(struct slow *slow)
{
    slow->looked = now();
    if (slow->found.site < 0)
        return;
    slow->found.seconds = slow->looked - slow->begin;
    slow->watch->tell(slow->watch->context, &slow->found);
    slow->watch = NULL;
}
