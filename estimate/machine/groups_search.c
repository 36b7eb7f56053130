#include "estimate/machine/groups_search.h"

#include "common/alloc.h"
#include "estimate/machine/groups_fit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_LOOKS = 6,     /* whether there is anything to find: of two groups of eight shuffled nodes behind trunks of half of
                          * what they send six see 96 %, four 87 % */
    SURE_LOOKS = 9,      /* in which the groups stay the same: two rounds of all kinds of orders, and one more */
    LOOKS_LEAST = 12,    /* at most so many and half as many as nodes */
    LOOKS_MOST = 64,
    SHARERS_LEAST = 2
};
static const double UNLIKE_MOST = 0.2; /* of the bursts */
static const double WORK_MOST = 4e8;   /* of fits, two seconds; then there are fewer of them. 64 nodes take up to that much, a thousand
                                        * for each fit a third of it */

struct look {
    int *order;    /* [nodes] */
    double *times; /* [nodes] by sender */
};

struct groups_search {
    int nodes;
    gsl_rng *random;
    struct node_times *alone;  /* [nodes] */
    size_t n, capacity;
    struct look *looks;
    int slowed;                /* bursts */
    bool any;                  /* so many bursts were slowed that a trunk may be why */
    size_t any_at, same_since; /* looks: when, and since when the groups are as they are */
    int *group_of;             /* [nodes] */
    bool *doubtful;            /* [nodes] */
    struct groups_fit fit;
    double work;               /* of all fits */
};

struct groups_search *groups_search_create(int nodes, const struct node_times alone[], uint32_t seed)
{
    struct groups_search *s = alloc_zeroed(1, sizeof *s);
    s->nodes = nodes;
    s->random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(s->random, seed);
    s->alone = alloc_array((size_t)nodes, sizeof *s->alone);
    memcpy(s->alone, alone, (size_t)nodes * sizeof *alone);
    s->group_of = alloc_zeroed((size_t)nodes, sizeof *s->group_of);
    s->doubtful = alloc_zeroed((size_t)nodes, sizeof *s->doubtful);
    s->fit.n = 1;
    return s;
}

void groups_search_destroy(struct groups_search *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->looks[i].order);
        free(s->looks[i].times);
    }
    free(s->looks);
    free(s->group_of);
    free(s->doubtful);
    free(s->alone);
    gsl_rng_free(s->random);
    free(s);
}

/* ---- orders ---- */

static void order_by_number(int nodes, int order[])
{
    for (int node = 0; node < nodes; node++)
        order[node] = node;
}

/* The two halves of the nodes by turns, the second one backwards or not. */
static void order_by_halves(int nodes, bool backwards, int order[])
{
    const int half = (nodes + 1) / 2;
    for (int i = 0; i < nodes; i++)
        order[i] = i % 2 == 0 ? i / 2 : backwards ? nodes - 1 - i / 2 : half + i / 2;
}

static void order_shuffled(struct groups_search *s, int order[])
{
    order_by_number(s->nodes, order);
    gsl_ran_shuffle(s->random, order, (size_t)s->nodes, sizeof *order);
}

/* Group by group, otherwise shuffled. */
static void order_within(struct groups_search *s, int order[])
{
    int *shuffled = alloc_array((size_t)s->nodes, sizeof *shuffled), n = 0;
    order_shuffled(s, shuffled);
    for (int group = 0; group < s->fit.n; group++)
        for (int i = 0; i < s->nodes; i++)
            if (s->group_of[shuffled[i]] == group)
                order[n++] = shuffled[i];
    free(shuffled);
}

/* Which group the next of an order is of: by chance, as many as are left, but none twice in a row if that can be. */
static int group_draw(struct groups_search *s, const int left[], int all, int last)
{
    for (int group = 0; group < s->fit.n; group++)
        if (group != last && 2 * left[group] > all)
            return group;
    const int others = all - (last >= 0 ? left[last] : 0);
    if (others == 0)
        return last;
    int at = (int)gsl_rng_uniform_int(s->random, (unsigned long)others), group = 0;
    for (; group == last || at >= left[group]; group++)
        at -= group == last ? 0 : left[group];
    return group;
}

/* So that as many bursts as possible leave their groups. */
static void order_across(struct groups_search *s, int order[])
{
    int *within = alloc_array((size_t)s->nodes, sizeof *within), *left = alloc_zeroed((size_t)s->nodes, sizeof *left);
    int *end = alloc_zeroed((size_t)s->nodes, sizeof *end), last = -1;
    order_within(s, within);
    for (int i = 0; i < s->nodes; i++) {
        left[s->group_of[within[i]]]++;
        end[s->group_of[within[i]]] = i + 1;
    }
    for (int i = 0; i < s->nodes; i++) {
        last = group_draw(s, left, s->nodes - i, last);
        order[i] = within[end[last] - left[last]--];
    }
    free(end);
    free(left);
    free(within);
}

/* Four nodes can stand around a ring in three ways, of which each fills the trunks of one pair of pairs. */
static void order_of_four(size_t look, int order[])
{
    static const int rings[3][4] = {{0, 2, 1, 3}, {0, 1, 2, 3}, {0, 1, 3, 2}};
    memcpy(order, rings[look % 3], sizeof rings[0]);
}

static void order_first(struct groups_search *s, int order[])
{
    if (s->nodes == 4)
        order_of_four(s->n, order);
    else if (s->n == 0 || s->n == 2)
        order_by_halves(s->nodes, s->n == 2, order);
    else if (s->n == 1)
        order_by_number(s->nodes, order);
    else
        order_shuffled(s, order);
}

static size_t looks_most(const struct groups_search *s)
{
    const size_t most = (size_t)(LOOKS_LEAST + s->nodes / 2);
    return s->any_at + (most < LOOKS_MOST ? most : LOOKS_MOST);
}

static bool is_sure(const struct groups_search *s)
{
    return s->n - s->same_since >= SURE_LOOKS;
}

static bool is_spent(const struct groups_search *s)
{
    return s->work >= WORK_MOST;
}

static bool is_over(const struct groups_search *s)
{
    if (!s->any)
        return s->n >= FIRST_LOOKS;
    return s->n >= looks_most(s) || (is_sure(s) && s->fit.doubts == 0);
}

bool groups_search_next(struct groups_search *s, int order[])
{
    enum { ACROSS, SHUFFLED, ACROSS_AGAIN, WITHIN, KINDS };
    if (is_over(s))
        return false;
    const size_t kind = (s->n - s->any_at) % KINDS;
    if (!s->any)
        order_first(s, order);
    else if (s->fit.n == 1 || kind == SHUFFLED)
        order_shuffled(s, order);
    else if (kind == WITHIN)
        order_within(s, order);
    else
        order_across(s, order);
    s->looks = alloc_grow(s->looks, s->n, &s->capacity, sizeof *s->looks);
    const struct look look = {alloc_array((size_t)s->nodes, sizeof(int)), alloc_array((size_t)s->nodes, sizeof(double))};
    memcpy(look.order, order, (size_t)s->nodes * sizeof *order);
    s->looks[s->n] = look;
    return true;
}

/* ---- what was seen ---- */

static int seen_compare(const void *a, const void *b)
{
    const struct burst_seen *x = a, *y = b;
    if (x->look != y->look)
        return (x->look > y->look) - (x->look < y->look);
    return x->out != y->out ? (x->out > y->out) - (x->out < y->out) : (x->from > y->from) - (x->from < y->from);
}

static double burst_alone(const struct groups_search *s, int from, int to)
{
    return fmax(s->alone[from].out, s->alone[to].in);
}

/* All bursts as they are seen now that ports are known so well; [*n], owned by the caller. */
static struct burst_seen *seen_make(const struct groups_search *s, size_t *n)
{
    struct burst_seen *seen = alloc_array(s->n * (size_t)s->nodes + 1, sizeof *seen);
    *n = 0;
    for (size_t look = 0; look < s->n; look++)
        for (int i = 0; i < s->nodes; i++) {
            const int from = s->looks[look].order[i], to = s->looks[look].order[(i + 1) % s->nodes];
            const double alone = burst_alone(s, from, to), time = s->looks[look].times[from];
            if (alone > 0 && time > 0)
                seen[(*n)++] = (struct burst_seen){(int)look, from, to, s->alone[from].out, alone,
                                                    time > LOOK_SLOWED * alone};
        }
    qsort(seen, *n, sizeof *seen, seen_compare);
    return seen;
}

static bool is_explained(const struct groups_search *s)
{
    return s->fit.unlike <= fmax(SHARERS_LEAST, UNLIKE_MOST * (double)s->n * s->nodes);
}

static int slowed_count(const struct groups_search *s, size_t look)
{
    int slowed = 0;
    for (int i = 0; i < s->nodes; i++) {
        const int from = s->looks[look].order[i], to = s->looks[look].order[(i + 1) % s->nodes];
        slowed += s->looks[look].times[from] > LOOK_SLOWED * burst_alone(s, from, to);
    }
    return slowed;
}

/* Whether other groups than the last ones are tried as well: after 1, 2, 4, 8 ... looks, where these explain too little, and
 * before the end. */
static bool anew_is_due(const struct groups_search *s)
{
    const size_t looks = s->n - s->any_at + 1;
    return (looks & (looks - 1)) == 0 || !is_explained(s) || is_over(s);
}

/* Doubts are asked about only where they decide whether the search is over. */
static void groups_refit(struct groups_search *s)
{
    bool *doubtful = is_sure(s) || is_over(s) ? s->doubtful : NULL;
    int *before = alloc_array((size_t)s->nodes, sizeof *before);
    size_t n;
    struct burst_seen *seen = seen_make(s, &n);
    memcpy(before, s->group_of, (size_t)s->nodes * sizeof *before);
    s->fit = groups_fit(s->nodes, n, seen, anew_is_due(s), s->group_of, doubtful);
    s->work += s->fit.work;
    if (memcmp(before, s->group_of, (size_t)s->nodes * sizeof *before) != 0)
        s->same_since = s->n;
    free(seen);
    free(before);
}

/* When there are an eighth more looks, for a fit takes the longer the more there are; later only when there are twice as many. */
static bool is_fitted(const struct groups_search *s)
{
    const size_t looks = s->n - s->any_at;
    return is_over(s) || (is_spent(s) ? (looks & (looks - 1)) == 0 : looks % (1 + looks / 8) == 0);
}

int groups_search_take(struct groups_search *s, const double times[])
{
    memcpy(s->looks[s->n].times, times, (size_t)s->nodes * sizeof *times);
    for (int i = 0; i < s->nodes; i++) {
        const int from = s->looks[s->n].order[i], to = s->looks[s->n].order[(i + 1) % s->nodes];
        s->alone[from].out = fmin(s->alone[from].out, times[from]);
        s->alone[to].in = fmin(s->alone[to].in, times[from]);
    }
    const int slowed = slowed_count(s, s->n++);
    s->slowed += slowed;
    if (!s->any && s->slowed >= SHARERS_LEAST) {
        s->any = true;
        s->any_at = s->same_since = s->n;
    }
    if (s->any && is_fitted(s))
        groups_refit(s);
    return slowed;
}

/* Nodes of which it is not known where they stand have a group of their own. */
static size_t doubtful_part(int nodes, const bool doubtful[], int group_of[])
{
    int *number = alloc_array((size_t)nodes, sizeof *number);
    size_t n = 0;
    for (int group = 0; group < nodes; group++)
        number[group] = -1;
    for (int node = 0; node < nodes; node++) {
        if (!doubtful[node] && number[group_of[node]] < 0)
            number[group_of[node]] = (int)n++;
        group_of[node] = doubtful[node] ? (int)n++ : number[group_of[node]];
    }
    free(number);
    return n;
}

size_t groups_search_found(struct groups_search *s, int group_of[])
{
    const size_t nodes = (size_t)s->nodes;
    bool *doubtful = alloc_array(nodes, sizeof *doubtful);
    for (size_t node = 0; node < nodes; node++)
        doubtful[node] = s->doubtful[node] || !is_explained(s);
    memcpy(group_of, s->group_of, nodes * sizeof *group_of);
    const size_t groups = doubtful_part(s->nodes, doubtful, group_of);
    free(doubtful);
    return groups;
}
