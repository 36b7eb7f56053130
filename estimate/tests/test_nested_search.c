/* Clusters whose ports and trunks, and trunks behind trunks, pass frames first come, first served: does the search find their tree? */
#include "estimate/machine/nested_search.h"
#include "estimate/tests/bursts.h"

#include "common/tests/share.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES_MOST = BURSTS_MOST, LEVELS_MOST = 3, LOOKS_MOST = 400 };
static const double LATE = 0.05;   /* of a port's burst: all begin within that */
static const double VARIES = 0.03; /* what a burst takes, and what ports were seen to need */

/* Level 0 is the innermost groups; every port passes a burst in 1 s. */
struct cluster {
    int nodes, levels;
    int of[LEVELS_MOST][NODES_MOST];
    double trunk[LEVELS_MOST][NODES_MOST]; /* bursts/s of each group; HUGE_VAL: as quick as any */
    double noise;                          /* part of the bursts that are late by chance */
    int looks;
};

/* The trunk of a level that each node's burst leaves its group by, or enters the receiver's by. */
static void trunks_find(const struct cluster *c, int level, const int from[], const int to[], bool leaving, int at[])
{
    for (int i = 0; i < c->nodes; i++) {
        const int *of = c->of[level];
        at[i] = of[from[i]] == of[to[i]] ? -1 : of[leaving ? from[i] : to[i]];
    }
}

/* How long each node's burst to the next of the order takes. */
static void cluster_look(const struct cluster *c, const int order[], double times[], gsl_rng *random)
{
    struct frame *frames = malloc((size_t)c->nodes * FRAMES * sizeof *frames);
    int from[NODES_MOST], to[NODES_MOST], at[NODES_MOST];
    double start[NODES_MOST], ports[NODES_MOST];
    size_t n = 0;
    for (int i = 0; i < c->nodes; i++)
        from[order[i]] = order[i], to[order[i]] = order[(i + 1) % c->nodes];
    for (int i = 0; i < c->nodes; i++) {
        ports[i] = 1;
        start[i] = LATE * gsl_rng_uniform(random);
        times[i] = 0;
        for (int k = 0; k < FRAMES; k++)
            frames[n++] = (struct frame){start[i], i};
    }
    frames_pass(n, frames, from, ports);
    for (int level = 0; level < c->levels; level++) {
        trunks_find(c, level, from, to, true, at);
        frames_pass(n, frames, at, c->trunk[level]);
    }
    for (int level = c->levels - 1; level >= 0; level--) {
        trunks_find(c, level, from, to, false, at);
        frames_pass(n, frames, at, c->trunk[level]);
    }
    frames_pass(n, frames, to, ports);
    for (size_t i = 0; i < n; i++)
        times[frames[i].burst] = fmax(times[frames[i].burst], frames[i].time - start[frames[i].burst]);
    for (int i = 0; i < c->nodes; i++) {
        times[i] *= 1 + VARIES * gsl_rng_uniform(random);
        times[i] *= gsl_rng_uniform(random) < c->noise ? 1.3 + 3 * gsl_rng_uniform(random) : 1;
    }
    free(frames);
}

static void cluster_search(struct cluster *c, struct nested_groups *groups, gsl_rng *random)
{
    struct node_times alone[NODES_MOST];
    int order[NODES_MOST];
    double times[NODES_MOST];
    for (int i = 0; i < c->nodes; i++) { /* a burst alone passes two ports, too */
        const double time = 1 + 1.0 / FRAMES;
        alone[i].out = (1 + VARIES * gsl_rng_uniform(random)) * time;
        alone[i].in = (1 + VARIES * gsl_rng_uniform(random)) * time;
    }
    struct nested_search *search = nested_search_create(c->nodes, alone, 1);
    for (c->looks = 0; nested_search_next(search, order); c->looks++) {
        bool seen[NODES_MOST] = {false};
        for (int i = 0; i < c->nodes; i++) {
            assert_true(order[i] >= 0 && order[i] < c->nodes && !seen[order[i]]);
            seen[order[i]] = true;
        }
        assert_true(c->looks < LOOKS_MOST);
        cluster_look(c, order, times, random);
        nested_search_take(search, times);
    }
    nested_search_found(search, groups);
    nested_search_destroy(search);
}

/* What a search may come to. Told: it says that it does not know all. Less: a trunk was not seen. */
#define OUTCOME_LIST(X) X(right) X(less) X(told) X(wrong)
enum outcome {
#define X(name) OUTCOME_##name,
    OUTCOME_LIST(X)
#undef X
    OUTCOMES
};

static bool group_has(const struct nested_groups *groups, int group, int node)
{
    int at = groups->group_of[node];
    while (at >= 0 && at < group)
        at = groups->above[at];
    return at == group;
}

/* The level of which a group that was found is one; -1: of none. */
static int level_of(const struct cluster *c, const struct nested_groups *groups, int group)
{
    int first = 0;
    while (!group_has(groups, group, first))
        first++;
    for (int level = 0; level < c->levels; level++) {
        bool same = true;
        for (int node = 0; node < c->nodes; node++)
            same = same && group_has(groups, group, node) == (c->of[level][node] == c->of[level][first]);
        if (same)
            return level;
    }
    return -1;
}

static bool has_lone(const struct cluster *c, const struct nested_groups *groups)
{
    for (int group = 0; group < groups->n; group++) {
        int members = 0;
        for (int node = 0; node < c->nodes; node++)
            members += groups->group_of[node] == group;
        if (members == 1)
            return true;
    }
    return false;
}

static enum outcome outcome_of(const struct cluster *c, const struct nested_groups *groups)
{
    int expected = 0;
    if (groups->n == 1)
        return c->levels == 0 ? OUTCOME_right : OUTCOME_less;
    if (groups->untold >= 0 || has_lone(c, groups))
        return OUTCOME_told;
    for (int group = 0; group < groups->n + groups->n_outer; group++)
        if (level_of(c, groups, group) < 0)
            return OUTCOME_wrong;
    for (int level = 0; level < c->levels; level++) {
        int last = 0;
        for (int node = 0; node < c->nodes; node++)
            last = c->of[level][node] > last ? c->of[level][node] : last;
        expected += last + 1;
    }
    return groups->n + groups->n_outer == expected ? OUTCOME_right : OUTCOME_less;
}

/* ---- trees ---- */

enum order { STRETCHES, TURNS, SHUFFLED, ORDERS };

/* parts[level] groups in each of the level above, the innermost first, of `each` nodes; the trunks of a level pass carries[level] of what
 * the ports or trunks behind them do. */
struct tree {
    int levels, parts[LEVELS_MOST], each;
    double carries[LEVELS_MOST];
    enum order order;
    double noise;
};

static void cluster_make(struct cluster *c, const struct tree *tree, gsl_rng *random)
{
    int node[NODES_MOST], groups = 1;
    *c = (struct cluster){.levels = tree->levels, .noise = tree->noise};
    for (int level = 0; level < tree->levels; level++)
        groups *= tree->parts[level];
    c->nodes = groups * tree->each;
    for (int i = 0; i < c->nodes; i++)
        node[i] = i;
    if (tree->order == SHUFFLED)
        gsl_ran_shuffle(random, node, (size_t)c->nodes, sizeof *node);
    for (int i = 0; i < c->nodes; i++) {
        int inner = tree->order == TURNS ? i % groups : i / tree->each;
        for (int level = 0; level < tree->levels; level++) {
            c->of[level][node[i]] = inner;
            inner /= tree->parts[level];
        }
    }
    double passes = tree->each;
    for (int level = 0; level < tree->levels; level++) {
        passes *= tree->carries[level];
        for (int group = 0; group < NODES_MOST; group++)
            c->trunk[level][group] = passes;
        passes *= level + 1 < tree->levels ? tree->parts[level] : 1;
    }
}

static enum outcome tree_search(const struct tree *tree, unsigned seed, int *looks)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct cluster *c = malloc(sizeof *c);
    struct nested_groups groups;
    gsl_rng_set(random, seed);
    cluster_make(c, tree, random);
    cluster_search(c, &groups, random);
    const enum outcome outcome = outcome_of(c, &groups);
    *looks = c->looks;
    nested_groups_free(&groups);
    free(c);
    gsl_rng_free(random);
    return outcome;
}

/* What trees come to (share.h), each so many times with other chance; in the environment PEVPM_VALIDATE: ten times as often, and printed. */
static void trees_try(size_t n, const struct tree trees[], int times, const char *what, int counts[])
{
    const bool prints = getenv("PEVPM_VALIDATE");
    static const char *const names[] = {
#define X(name) #name,
        OUTCOME_LIST(X)
#undef X
    };
    int most = 0;
    memset(counts, 0, OUTCOMES * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        for (int time = 0; share_takes((int)i) && time < (prints ? 10 * times : times); time++) {
            int looks;
            counts[tree_search(&trees[i], 972 + (unsigned)time, &looks)]++;
            most = looks > most ? looks : most;
        }
    if (!prints)
        return;
    printf("%s:", what);
    for (int i = 0; i < OUTCOMES; i++)
        printf(" %s %d", names[i], counts[i]);
    printf(", %d looks at most\n", most);
}

#define TRY(name, times)                                                                     \
    int counts[OUTCOMES];                                                                    \
    trees_try(sizeof name / sizeof *name, name, times, #name, counts);                       \
    const int all = counts[OUTCOME_right] + counts[OUTCOME_less] + counts[OUTCOME_told] + counts[OUTCOME_wrong]

/* Trunks of both levels full: in stretches of nodes, by turns and shuffled. */
static void test_two_levels(void **state)
{
    (void)state;
    static const struct tree two_levels[] = {
        {2, {2, 2}, 3, {0.667, 0.625}, STRETCHES, 0.01}, {2, {2, 2}, 4, {0.5, 0.7}, STRETCHES, 0.01},
        {2, {2, 2}, 4, {0.5, 0.5}, TURNS, 0.01},         {2, {2, 2}, 4, {0.75, 0.5}, STRETCHES, 0.01},
        {2, {2, 2}, 4, {0.5, 0.5}, SHUFFLED, 0.01},      {2, {3, 3}, 3, {0.6, 0.6}, SHUFFLED, 0.01},
        {2, {4, 2}, 4, {0.5, 0.5}, STRETCHES, 0.01},     {2, {2, 4}, 4, {0.6, 0.4}, TURNS, 0.01},
    };
    TRY(two_levels, 1);
    assert_int_equal(counts[OUTCOME_wrong], 0);
    assert_true(counts[OUTCOME_right] >= all - all / 8);
}

/* Where inner trunks are not full the outer ones are groups of nodes. */
static void test_outer_alone(void **state)
{
    (void)state;
    static const struct tree outer_alone[] = {{1, {2}, 8, {0.4}, STRETCHES, 0.01}, {1, {2}, 8, {0.4}, TURNS, 0.01},
                                              {1, {4}, 4, {0.5}, STRETCHES, 0.01}, {1, {2}, 5, {0.5}, TURNS, 0.01}};
    TRY(outer_alone, 2);
    assert_int_equal(counts[OUTCOME_right], all);
}

static void test_many(void **state)
{
    (void)state;
    static const struct tree many[] = {{3, {2, 2, 2}, 4, {0.5, 0.6, 0.6}, TURNS, 0.01}, {2, {4, 4}, 4, {0.5, 0.4}, STRETCHES, 0.01}};
    TRY(many, 1);
    assert_int_equal(counts[OUTCOME_wrong], 0);
    assert_true(counts[OUTCOME_right] > 0 || all < 2);
}

static void test_no_trunks(void **state)
{
    (void)state;
    static const struct tree no_trunks[] = {{0, {0}, 16, {0}, STRETCHES, 0.01}, {0, {0}, 9, {0}, STRETCHES, 0.02}};
    TRY(no_trunks, 4);
    assert_int_equal(counts[OUTCOME_right], all);
}

/* As many bursts late by chance as that make more looks, and no tree that is none. */
static void test_noise(void **state)
{
    (void)state;
    static const struct tree noise[] = {{2, {2, 2}, 4, {0.5, 0.5}, STRETCHES, 0.03}, {1, {4}, 4, {0.5}, TURNS, 0.03}};
    TRY(noise, 4);
    assert_int_equal(counts[OUTCOME_wrong], 0);
    assert_true(counts[OUTCOME_right] >= all / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_levels), cmocka_unit_test(test_outer_alone), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_no_trunks), cmocka_unit_test(test_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
