/* Clusters made by chance, whose ports and trunks pass frames first come, first served: does the search find their groups? */
#include "estimate/machine/groups_search.h"
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

enum { NODES_MOST = 64, GROUPS_MOST = 8 };
static const double LATE = 0.05;         /* of a quick port's burst: all begin within that */
static const double VARIES = 0.03;       /* what a burst takes, and what ports were seen to need */
static const double SLOW_PORT = 0.4;     /* of a quick one's rate */

struct cluster {
    int nodes, groups;
    int of[NODES_MOST];
    double rate[NODES_MOST];    /* bursts/s of a port */
    double trunk[GROUPS_MOST];  /* bursts/s; HUGE_VAL: as quick as any */
    double noise;               /* part of the bursts that are late by chance */
};

/* How long each node's burst to the next of the order takes. */
static void cluster_look(const struct cluster *c, const int order[], double times[], gsl_rng *random)
{
    struct frame frames[NODES_MOST * FRAMES];
    int from[NODES_MOST], to[NODES_MOST], leaves[NODES_MOST], enters[NODES_MOST];
    double start[NODES_MOST], quickest = 0;
    size_t n = 0;
    for (int i = 0; i < c->nodes; i++)
        quickest = fmax(quickest, c->rate[i]);
    for (int i = 0; i < c->nodes; i++)
        from[order[i]] = order[i], to[order[i]] = order[(i + 1) % c->nodes];
    for (int i = 0; i < c->nodes; i++) {
        leaves[i] = c->of[i] != c->of[to[i]] ? c->of[i] : -1;
        enters[i] = c->of[i] != c->of[to[i]] ? c->of[to[i]] : -1;
        start[i] = LATE / quickest * gsl_rng_uniform(random);
        times[i] = 0;
        for (int k = 0; k < FRAMES; k++)
            frames[n++] = (struct frame){start[i], i};
    }
    frames_pass(n, frames, from, c->rate);
    frames_pass(n, frames, leaves, c->trunk);
    frames_pass(n, frames, enters, c->trunk);
    frames_pass(n, frames, to, c->rate);
    for (size_t i = 0; i < n; i++)
        times[frames[i].burst] = fmax(times[frames[i].burst], frames[i].time - start[frames[i].burst]);
    for (int i = 0; i < c->nodes; i++) {
        times[i] *= 1 + VARIES * gsl_rng_uniform(random);
        times[i] *= gsl_rng_uniform(random) < c->noise ? 1.3 + 3 * gsl_rng_uniform(random) : 1;
    }
}

/* Returns how many groups; how many looks it took in *looks. */
static size_t cluster_search(const struct cluster *c, int group_of[], int *looks, gsl_rng *random)
{
    struct node_times alone[NODES_MOST];
    int order[NODES_MOST];
    double times[NODES_MOST];
    for (int i = 0; i < c->nodes; i++) { /* a burst alone passes two ports, too */
        const double time = (1 + 1.0 / FRAMES) / c->rate[i];
        alone[i].out = (1 + VARIES * gsl_rng_uniform(random)) * time;
        alone[i].in = (1 + VARIES * gsl_rng_uniform(random)) * time;
    }
    struct groups_search *search = groups_search_create(c->nodes, alone, 1);
    for (*looks = 0; groups_search_next(search, order); ++*looks) {
        cluster_look(c, order, times, random);
        groups_search_take(search, times);
    }
    const size_t n = groups_search_found(search, group_of);
    groups_search_destroy(search);
    return n;
}

/* What a search may come to. Lone nodes are those of which it says that it cannot tell. Joined: a trunk was not seen, so two
 * groups are one. */
#define OUTCOME_LIST(X) X(right) X(lone) X(joined) X(none) X(not_told) X(wrong)
enum outcome {
#define X(name) OUTCOME_##name,
    OUTCOME_LIST(X)
#undef X
    OUTCOMES
};

static bool is_lone(const struct cluster *c, const int group_of[], int node)
{
    for (int other = 0; other < c->nodes; other++)
        if (other != node && group_of[other] == group_of[node])
            return false;
    return true;
}

static enum outcome outcome_of(const struct cluster *c, size_t n, const int group_of[])
{
    bool lone = false, parted = false, joined = false;
    if (n == 1 && c->groups > 1)
        return OUTCOME_none;
    if (n == (size_t)c->nodes)
        return OUTCOME_not_told;
    for (int i = 0; i < c->nodes; i++) {
        lone = lone || is_lone(c, group_of, i);
        for (int k = 0; k < i; k++) {
            const bool same = c->of[i] == c->of[k], seen_same = group_of[i] == group_of[k];
            parted = parted || (same && !seen_same && !is_lone(c, group_of, i) && !is_lone(c, group_of, k));
            joined = joined || (!same && seen_same);
        }
    }
    return parted ? OUTCOME_wrong : joined ? OUTCOME_joined : lone ? OUTCOME_lone : OUTCOME_right;
}

/* ---- clusters ---- */

/* Stretches, by turns, shuffled stretches, or shuffled groups of any size from two on. */
static void groups_make(struct cluster *c, int kind, gsl_rng *random)
{
    int node[NODES_MOST];
    for (int i = 0; i < c->nodes; i++)
        node[i] = i;
    if (kind >= 2)
        gsl_ran_shuffle(random, node, (size_t)c->nodes, sizeof *node);
    for (int i = 0; i < c->nodes; i++)
        c->of[node[i]] = kind == 1 ? i % c->groups
                         : kind < 3 ? i * c->groups / c->nodes
                         : i < 2 * c->groups ? i / 2
                                             : (int)gsl_rng_uniform_int(random, (unsigned long)c->groups);
}

/* Trunks of such a part, from least to most, of what their nodes can send; of half the clusters all of the same part, of half
 * of them one group stands at the switch that joins all. */
static void trunks_make(struct cluster *c, double least, double most, gsl_rng *random)
{
    const bool alike = gsl_rng_uniform_int(random, 2) == 0, core = gsl_rng_uniform_int(random, 2) == 0;
    double part = least + (most - least) * gsl_rng_uniform(random);
    for (int group = 0; group < c->groups; group++) {
        double sum = 0;
        for (int i = 0; i < c->nodes; i++)
            sum += c->of[i] == group ? c->rate[i] : 0;
        part = alike ? part : least + (most - least) * gsl_rng_uniform(random);
        c->trunk[group] = core && group == 0 ? HUGE_VAL : part * sum;
    }
}

static struct cluster cluster_make(int nodes, bool unequal, double noise, double least, double most, gsl_rng *random)
{
    struct cluster c = {.nodes = nodes, .noise = noise};
    const int groups = nodes / 2 < GROUPS_MOST ? nodes / 2 : GROUPS_MOST;
    c.groups = 2 + (int)gsl_rng_uniform_int(random, (unsigned long)(groups - 1));
    groups_make(&c, (int)gsl_rng_uniform_int(random, 4), random);
    for (int i = 0; i < nodes; i++)
        c.rate[i] = unequal && gsl_rng_uniform(random) < 0.3 ? SLOW_PORT : 1;
    trunks_make(&c, least, most, random);
    return c;
}

static void outcomes_print(const int counts[], const char *what, int nodes_most)
{
    static const char *const names[] = {
#define X(name) #name,
        OUTCOME_LIST(X)
#undef X
    };
    printf("up to %d nodes, %s:", nodes_most, what);
    for (int i = 0; i < OUTCOMES; i++)
        printf(" %s %d", names[i], counts[i]);
    printf("\n");
}

/* How many of `clusters` made by chance come to what, of four times as many where PEVPM_VALIDATE is in the environment, which
 * prints it, too. Returns how many were tried. */
static int outcomes_count(int clusters, int nodes_most, bool unequal, double noise, int counts[])
{
    const int share = share_least(clusters), tried = getenv("PEVPM_VALIDATE") ? 4 * clusters : share > 0 ? share : 1;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 972);
    memset(counts, 0, OUTCOMES * sizeof *counts);
    for (int i = 0; i < tried; i++) {
        const int nodes = 4 + (int)gsl_rng_uniform_int(random, (unsigned long)(nodes_most - 3));
        const struct cluster c = cluster_make(nodes, unequal, noise, 0.15, 0.75, random);
        int group_of[NODES_MOST], looks;
        const size_t n = cluster_search(&c, group_of, &looks, random);
        counts[outcome_of(&c, n, group_of)]++;
    }
    if (getenv("PEVPM_VALIDATE"))
        outcomes_print(counts, unequal ? "unequal ports" : "equal ports", nodes_most);
    gsl_rng_free(random);
    return tried;
}

static void test_equal_ports(void **state)
{
    (void)state;
    int counts[OUTCOMES];
    const int tried = outcomes_count(40, 16, false, 0.01, counts);
    assert_true(counts[OUTCOME_right] >= (int)(0.85 * tried));
    assert_int_equal(counts[OUTCOME_wrong], 0);
}

/* A slow port's burst passes trunks that slow others, so it is not told of some nodes where they stand. */
static void test_unequal_ports(void **state)
{
    (void)state;
    int counts[OUTCOMES];
    const int tried = outcomes_count(40, 16, true, 0.01, counts);
    assert_true(counts[OUTCOME_right] >= (int)(0.4 * tried));
    assert_true(counts[OUTCOME_wrong] <= 1 + tried / 160);
}

static void test_much_noise(void **state)
{
    (void)state;
    int counts[OUTCOMES];
    const int tried = outcomes_count(20, 16, false, 0.03, counts);
    assert_true(counts[OUTCOME_right] >= (int)(0.85 * tried));
    assert_int_equal(counts[OUTCOME_wrong], 0);
}

static void test_many_nodes(void **state)
{
    (void)state;
    int counts[OUTCOMES];
    const int tried = outcomes_count(3, NODES_MOST, false, 0.01, counts);
    assert_true(counts[OUTCOME_right] >= (int)(0.6 * tried));
    assert_int_equal(counts[OUTCOME_wrong], 0);
}

/* Where no trunk is slower than its nodes are no groups, however many bursts are late by chance; and a few looks after the
 * first six tell so. */
static void test_no_trunks(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const int clusters = share_least(80);
    int all = 0;
    gsl_rng_set(random, 973);
    for (int i = 0; i < clusters; i++) {
        const int nodes = 4 + (int)gsl_rng_uniform_int(random, 29);
        const struct cluster c = cluster_make(nodes, false, 0.01, 1.1, 2, random);
        int group_of[NODES_MOST], looks;
        assert_int_equal(cluster_search(&c, group_of, &looks, random), 1);
        all += looks;
    }
    assert_true(all < clusters * 10);
    gsl_rng_free(random);
}

/* Groups of so many neighbours, behind trunks that pass as much as `most` ports: no burst is late by chance. */
static void assert_stretches(int nodes, int size, double most)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct cluster c = {.nodes = nodes, .groups = nodes / size};
    int group_of[NODES_MOST], looks;
    for (int i = 0; i < nodes; i++)
        c.of[i] = i / size, c.rate[i] = 1 / 2.385e-3;
    for (int group = 0; group < c.groups; group++)
        c.trunk[group] = most / 2.385e-3;
    assert_int_equal(cluster_search(&c, group_of, &looks, random), c.groups);
    assert_memory_equal(group_of, c.of, (size_t)nodes * sizeof *group_of);
    gsl_rng_free(random);
}

static void test_stretches(void **state)
{
    (void)state;
    assert_stretches(16, 4, 2);
    assert_stretches(12, 4, 2);
    assert_stretches(24, 8, 5);
    assert_stretches(16, 4, 1);
    assert_stretches(16, 4, 3);
    assert_stretches(6, 3, 1);
    assert_stretches(64, 8, 4);
}

/* Hosts of 30 and 12 Mbit/s that two switches have by turns, behind a trunk of 20. */
static void test_by_turns(void **state)
{
    (void)state;
    static const int of[] = {0, 1, 0, 1, 0, 1, 0, 1, 0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct cluster c = {.nodes = 9, .groups = 2, .trunk = {HUGE_VAL, 20}};
    int group_of[NODES_MOST], looks;
    for (int i = 0; i < 9; i++)
        c.of[i] = of[i], c.rate[i] = i % 3 == 2 ? 12 : 30;
    assert_int_equal(cluster_search(&c, group_of, &looks, random), 2);
    assert_memory_equal(group_of, of, sizeof of);
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal_ports), cmocka_unit_test(test_unequal_ports),
                                       cmocka_unit_test(test_much_noise), cmocka_unit_test(test_many_nodes),
                                       cmocka_unit_test(test_no_trunks), cmocka_unit_test(test_stretches),
                                       cmocka_unit_test(test_by_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
