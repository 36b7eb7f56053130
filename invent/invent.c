#include "invent/invent.h"

#include "invent/shape.h"

#include <stdlib.h>

const char *invent_kind_name(enum invent_kind kind)
{
    static const char *const names[] = {
#define X(name, what) #name,
        INVENT_KIND_LIST(X)
#undef X
    };
    return names[kind];
}

static const enum invent_kind kinds[N_SHAPES] = {
#define X(name, kind, by_time, may_deadlock) INVENT_##kind,
    SHAPE_LIST(X)
#undef X
};

/* One of the shapes of a kind that do not deadlock. */
static enum shape_name shape_choose(struct maker *m, enum invent_kind kind)
{
    enum shape_name fitting[N_SHAPES];
    int n = 0;
    for (int shape = 0; shape < N_SHAPES; shape++)
        if (!shape_may_deadlock((enum shape_name)shape) && (kind == INVENT_mixture || kinds[shape] == kind))
            fitting[n++] = (enum shape_name)shape;
    return fitting[chance(m, n)];
}

char *invent_program(enum invent_kind kind, uint64_t seed)
{
    struct maker body = {.seed = seed ^ (uint64_t)kind << 56};
    struct shape_cost cost = {0, 0};
    /* of the time; half of the programs compute for less than half of it, some not at all */
    double computing = chance(&body, 8) == 0 ? 0 : chance_real(&body, 0, 0.95);
    double run = chance_real(&body, 0.6, 1.1);
    int n = kind == INVENT_mixture ? 2 + chance(&body, 4) : 1 + chance(&body, 2);
    body.computes = computing > 0;
    for (int i = 0; i < n; i++)
        cost = cost_add(cost, shape_say(&body, shape_choose(&body, kind)));
    struct maker whole = {0};
    say(&whole, "# %s, seed %llu: made by chance. Computes for about %.0f %% of its time.\n", invent_kind_name(kind),
        (unsigned long long)seed, 100 * computing);
    say(&whole, "Param messages = %.6f + %.6f*numprocs\n", cost.fixed, cost.each);
    say(&whole, "Param work = messages*%.4f/%d\n", computing / (1 - computing), n);
    say(&whole, "Param rounds = max(1, round(%.3f/(messages*%.4f)))\n", run, 1 / (1 - computing));
    say(&whole, "Loop iterations = rounds\n{\n%s}\n", body.text);
    free(body.text);
    return whole.text;
}
