#include "invent/invent.h"

#include "common/alloc.h"
#include "invent/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* One of the shapes of a kind that do not deadlock; of a mixture, those of the kinds before it. */
static enum shape_name shape_choose(struct maker *m, enum invent_kind kind)
{
    enum shape_name fitting[N_SHAPES];
    int n = 0;
    for (int shape = 0; shape < N_SHAPES; shape++)
        if (!shape_may_deadlock((enum shape_name)shape) &&
            (kinds[shape] == kind || (kind == INVENT_mixture && kinds[shape] < INVENT_mixture)))
            fitting[n++] = (enum shape_name)shape;
    return fitting[chance(m, n)];
}

/* How long a phase computes in a lap, which is not at all where it would be too short for a sleep. */
static void say_share(struct maker *whole, double computing, int n_phases)
{
    say(whole, "Param share = messages*%.4f/%d\nParam work = share < %s ? 0.000000001 : share\n",
        computing / (1 - computing), n_phases, INVENT_SHORTEST);
}

/* No phase has come to compute anything: all of it before them, no more than a run is to compute, and in every so manyth lap
 * where it is short. */
static void say_rest(struct maker *whole, struct maker *rest, double computing)
{
    say(whole, "Param share = min(messages*%.4g, %s*%.4g)\nParam apart = max(1, ceil(%s/share))\nParam work = share*apart\n",
        computing / (1 - computing), INVENT_SECONDS, computing, INVENT_SHORTEST);
    say(rest, "Runon c1 = " SHAPE_LAP "%%apart == 0\n{\n");
    say_all_work(rest);
    say(rest, "}\n");
}

char *invent_program(enum invent_kind kind, uint64_t seed)
{
    struct maker body = {.seed = seed ^ (uint64_t)kind << 56};
    struct shape_cost cost = {.fixed = {0, 0}};
    /* of the time; half of the programs compute for less than half of it, some not at all */
    double computing = chance(&body, 8) == 0 ? 0 : chance_real(&body, 0, 0.95);
    double run = chance_real(&body, 0.4, 0.9);
    int n = kind == INVENT_mixture ? 2 + chance(&body, 4) : 1 + chance(&body, 2);
    body.computes = computing > 0;
    while (body.n_phases < n || !(cost.fixed.messages + cost.each.messages > 0))
        cost = cost_add(cost, shape_say(&body, shape_choose(&body, kind)));
    struct maker whole = {0};
    say(&whole, "# %s, seed %llu: made by chance. Computes for about %.0f %% of its time.\n", invent_kind_name(kind),
        (unsigned long long)seed, 100 * computing);
    say(&whole, "Param %s = 0.0003\nParam %s = 0.00000085\nParam %s = %.3f\nParam %s = 0.0003\n",
        INVENT_LATENCY, INVENT_PER_BYTE, INVENT_SECONDS, run, INVENT_SHORTEST);
    say(&whole, "Param messages = (%.2f + %.2f*numprocs)*%s + (%.0f + %.0f*numprocs)*%s\n", cost.fixed.messages,
        cost.each.messages, INVENT_LATENCY, cost.fixed.bytes, cost.each.bytes, INVENT_PER_BYTE);
    struct maker rest = {.seed = body.seed, .drawn = body.drawn};
    if (body.computes && body.n_works == 0)
        say_rest(&whole, &rest, computing);
    else
        say_share(&whole, computing, body.n_phases);
    say(&whole, "Param rounds = max(1, round(%s/(messages*%.4f)))\n", INVENT_SECONDS, 1 / (1 - computing));
    say(&whole, "Loop iterations = rounds & var = " SHAPE_LAP "\n{\n%s%s}\n", rest.text ? rest.text : "", body.text);
    free(rest.text);
    free(body.text);
    return whole.text;
}

char *invent_name(enum invent_kind kind, uint64_t seed)
{
    return alloc_format("<--random %s --seed %llu>", invent_kind_name(kind), (unsigned long long)seed);
}

bool invent_name_read(const char *name, enum invent_kind *kind, uint64_t *seed)
{
    char word[32], rest;
    unsigned long long number;
    if (sscanf(name, "<--random %31[a-z] --seed %llu%c", word, &number, &rest) != 3 || rest != '>')
        return false;
    *seed = number;
    for (int k = 0; k < N_INVENT_KINDS; k++)
        if (strcmp(word, invent_kind_name((enum invent_kind)k)) == 0) {
            *kind = (enum invent_kind)k;
            return true;
        }
    return false;
}
