#include "estimate/machine/groups_fit.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RATES = 24,        /* of a trunk that are tried */
    BEGINNINGS = 3,    /* from which a search goes on */
    SWEEPS_MOST = 12,
    LEVELS_MOST = 48,  /* groups of a regular order, or of a tree */
    TREE_LEAST = 8,    /* groups of a tree that are tried however much has been looked at: the last ones joined tell most */
    SWAPS_MOST = 64    /* nodes among which pairs are exchanged */
};
static const double RATES_RATIO = 1.12;  /* from one rate to the next */
static const double TRUNK_COST = 6;      /* nats: to say how quick a trunk is; two bursts late by chance make none */
static const double PROMISING = 8;       /* nats: a change that costs less may gain with other rates */
static const double DOUBT = 5;           /* nats: more than one burst that is late by chance is worth */
static const double HOPELESS = 25;       /* nats: other rates of two trunks do not make up for so much */
static const double LEAST_GAIN = 1e-6;
/* Bursts looked at, of which a processor does some 2e8 a second: all nodes wait while one thinks. Only with some hundred nodes
 * are there so many; then other beginnings are left out, and the next fit goes on with what this one came to. */
static const double REGULAR_MOST = 2e7, TREE_MOST = 4e7, CHANGES_MOST = 1e8;
static const double DOUBTS_MOST = 2e8;   /* likewise, to ask of each node whether it could stand elsewhere */

struct fit {
    int nodes, groups;
    size_t n;
    const struct burst_seen *seen;
    int *group_of;            /* [nodes] */
    double *capacity;         /* [nodes] of a group's trunk, bursts/s; HUGE_VAL: nothing is slowed by it */
    double *left, *entered;   /* [n] the load, bursts/s, at the two trunks of a burst; 0: stays */
    int *count;               /* [nodes] room for loads_set: messages before this one, out and in */
    double *rest;             /* [nodes] */
    size_t *touching;         /* [n] room for capacity_choose */
    double work;              /* bursts looked at */
};

static void fit_init(struct fit *f, int nodes, size_t n, const struct burst_seen seen[])
{
    const size_t all = (size_t)nodes;
    *f = (struct fit){.nodes = nodes, .n = n, .seen = seen, .group_of = alloc_zeroed(all, sizeof *f->group_of),
                      .capacity = alloc_array(all, sizeof *f->capacity), .left = alloc_array(n + 1, sizeof *f->left),
                      .entered = alloc_array(n + 1, sizeof *f->entered), .count = alloc_array(all, sizeof *f->count),
                      .rest = alloc_array(all, sizeof *f->rest), .touching = alloc_array(n + 1, sizeof *f->touching)};
    for (size_t g = 0; g < all; g++)
        f->capacity[g] = HUGE_VAL;
}

static void fit_free(struct fit *f)
{
    free(f->group_of);
    free(f->capacity);
    free(f->left);
    free(f->entered);
    free(f->count);
    free(f->rest);
    free(f->touching);
}

/* ---- what trunks make of bursts ---- */

/* The loads of one look's bursts at the trunks that they leave, or enter. */
static void look_load(struct fit *f, size_t first, size_t end, bool leaving, double load[])
{
    memset(f->count, 0, (size_t)f->nodes * sizeof *f->count);
    memset(f->rest, 0, (size_t)f->nodes * sizeof *f->rest);
    for (size_t i = first; i < end; i++) {
        const int from = f->group_of[f->seen[i].from], to = f->group_of[f->seen[i].to];
        f->rest[leaving ? from : to] += from != to ? 1 / f->seen[i].out : 0;
    }
    for (size_t i = first; i < end; i++) {
        const int from = f->group_of[f->seen[i].from], to = f->group_of[f->seen[i].to], group = leaving ? from : to;
        if (from == to) {
            load[i] = 0;
            continue;
        }
        f->count[group]++;
        f->rest[group] -= 1 / f->seen[i].out;
        load[i] = (f->count[group] + f->rest[group] * f->seen[i].out) / f->seen[i].alone;
    }
}

static void loads_set(struct fit *f)
{
    f->work += 2 * (double)f->n;
    for (size_t first = 0, end; first < f->n; first = end) {
        for (end = first; end < f->n && f->seen[end].look == f->seen[first].look;)
            end++;
        look_load(f, first, end, true, f->left);
        look_load(f, first, end, false, f->entered);
    }
}

/* The chance that a burst which takes so many times as long is seen to be slowed: rates of trunks and ports vary by some
 * percent, so close to LOOK_SLOWED it may be either. */
static double slowed_chance(double times)
{
    const double x = LOOK_SLOWED / times, x2 = x * x, x4 = x2 * x2;
    return times > 0 ? LOOK_NOISE + (1 - 2 * LOOK_NOISE) / (1 + x4 * x4) : LOOK_NOISE;
}

static double burst_chance(const struct fit *f, size_t i)
{
    const double out = f->left[i] / f->capacity[f->group_of[f->seen[i].from]];
    const double in = f->entered[i] / f->capacity[f->group_of[f->seen[i].to]];
    const double chance = slowed_chance(out > in ? out : in);
    return f->seen[i].slowed ? chance : 1 - chance;
}

static double fit_likelihood(const struct fit *f)
{
    double sum = 0, product = 1;
    for (size_t i = 0; i < f->n; i++) {
        product *= burst_chance(f, i);
        if (product < 1e-200)
            sum += log(product), product = 1;
    }
    return sum + log(product);
}

/* How many nats say which groups these are, and how quick their trunks. */
static double fit_length(struct fit *f)
{
    double length = 0;
    memset(f->count, 0, (size_t)f->nodes * sizeof *f->count);
    for (int node = 0; node < f->nodes; node++)
        f->count[f->group_of[node]]++;
    for (int group = 0; group < f->groups; group++)
        length += f->count[group] > 0 ? f->count[group] * log((double)f->nodes / f->count[group]) : 0;
    for (int group = 0; group < f->groups; group++)
        length += f->count[group] > 0 && f->capacity[group] < HUGE_VAL ? TRUNK_COST : 0;
    return length;
}

static double fit_score(struct fit *f)
{
    f->work += (double)f->n;
    return fit_likelihood(f) - fit_length(f);
}

/* ---- rates of trunks ---- */

/* The bursts that cross a group's trunk; returns how many, and the largest load. */
static size_t touching_find(struct fit *f, int group, double *most)
{
    size_t n = 0;
    *most = 0;
    for (size_t i = 0; i < f->n; i++) {
        const int from = f->group_of[f->seen[i].from], to = f->group_of[f->seen[i].to];
        if (from == to || (from != group && to != group))
            continue;
        *most = fmax(*most, from == group ? f->left[i] : f->entered[i]);
        f->touching[n++] = i;
    }
    return n;
}

static double touching_likelihood(const struct fit *f, size_t n)
{
    double sum = 0, product = 1;
    for (size_t i = 0; i < n; i++) {
        product *= burst_chance(f, f->touching[i]);
        if (product < 1e-200)
            sum += log(product), product = 1;
    }
    return sum + log(product);
}

/* The rate of a group's trunk at which bursts are likeliest, the other trunks as they are. It has two nodes at least on either
 * side: what slows a lone node is its port. */
static void capacity_choose(struct fit *f, int group)
{
    double most, best_rate = HUGE_VAL;
    int members = 0;
    for (int node = 0; node < f->nodes; node++)
        members += f->group_of[node] == group;
    f->capacity[group] = HUGE_VAL;
    if (members < 2 || f->nodes - members < 2)
        return;
    const size_t n = touching_find(f, group, &most);
    f->work += (double)f->n + RATES * (double)n;
    double best = touching_likelihood(f, n) + TRUNK_COST, rate = most;
    for (int i = 0; i < RATES && n > 0; i++, rate /= RATES_RATIO) {
        f->capacity[group] = rate;
        const double likelihood = touching_likelihood(f, n);
        if (likelihood > best)
            best = likelihood, best_rate = rate;
    }
    f->capacity[group] = best_rate;
}

/* Two trunks may have slowed the same bursts: the second time each knows of the other. */
static void capacities_choose(struct fit *f)
{
    loads_set(f);
    for (int turn = 0; turn < 2; turn++)
        for (int group = 0; group < f->groups; group++)
            capacity_choose(f, group);
}

/* ---- changing groups ---- */

/* Numbers the groups in the order of their first nodes. */
static void groups_number(struct fit *f)
{
    int *number = alloc_array((size_t)f->nodes, sizeof *number), n = 0;
    double *capacity = alloc_array((size_t)f->nodes, sizeof *capacity);
    for (int group = 0; group < f->nodes; group++)
        number[group] = -1, capacity[group] = HUGE_VAL;
    for (int node = 0; node < f->nodes; node++) {
        const int group = f->group_of[node];
        if (number[group] < 0) {
            capacity[n] = f->capacity[group];
            number[group] = n++;
        }
        f->group_of[node] = number[group];
    }
    memcpy(f->capacity, capacity, (size_t)f->nodes * sizeof *capacity);
    f->groups = n;
    free(number);
    free(capacity);
}

/* What a change of groups is undone to. */
struct kept {
    int groups;
    int *group_of;
    double *capacity;
    double score;
};

static struct kept kept_make(const struct fit *f)
{
    const size_t nodes = (size_t)f->nodes;
    return (struct kept){.group_of = alloc_array(nodes, sizeof(int)), .capacity = alloc_array(nodes, sizeof(double))};
}

static void kept_free(struct kept *kept)
{
    free(kept->group_of);
    free(kept->capacity);
}

static void kept_set(struct kept *kept, const struct fit *f, double score)
{
    kept->groups = f->groups;
    memcpy(kept->group_of, f->group_of, (size_t)f->nodes * sizeof *f->group_of);
    memcpy(kept->capacity, f->capacity, (size_t)f->nodes * sizeof *f->capacity);
    kept->score = score;
}

static void kept_restore(const struct kept *kept, struct fit *f)
{
    f->groups = kept->groups;
    memcpy(f->group_of, kept->group_of, (size_t)f->nodes * sizeof *f->group_of);
    memcpy(f->capacity, kept->capacity, (size_t)f->nodes * sizeof *f->capacity);
}

/* Takes the groups that f now has, which differ from those kept in two, or goes back. */
static bool change_try(struct fit *f, struct kept *kept, int one, int other)
{
    loads_set(f);
    double score = fit_score(f);
    if (score > kept->score - PROMISING) {
        capacity_choose(f, one);
        capacity_choose(f, other);
        capacity_choose(f, one);
        score = fit_score(f);
    }
    if (score > kept->score + LEAST_GAIN) {
        kept_set(kept, f, score);
        return true;
    }
    kept_restore(kept, f);
    return false;
}

/* A new group is the one behind all. */
static bool node_move(struct fit *f, struct kept *kept, int node, int group)
{
    const int from = f->group_of[node];
    if (from == group || group >= f->nodes)
        return false;
    f->groups = group == f->groups ? group + 1 : f->groups;
    if (f->groups > kept->groups)
        f->capacity[group] = HUGE_VAL;
    f->group_of[node] = group;
    return change_try(f, kept, from, group);
}

static bool nodes_swap(struct fit *f, struct kept *kept, int node, int other)
{
    const int from = f->group_of[node], to = f->group_of[other];
    if (from == to)
        return false;
    f->group_of[node] = to;
    f->group_of[other] = from;
    return change_try(f, kept, from, to);
}

static bool groups_join(struct fit *f, struct kept *kept, int group, int other)
{
    for (int node = 0; node < f->nodes; node++)
        f->group_of[node] = f->group_of[node] == other ? group : f->group_of[node];
    return change_try(f, kept, group, other);
}

/* The nodes of bursts that the groups do not explain. */
static void unlike_find(struct fit *f, bool unlike[])
{
    loads_set(f);
    memset(unlike, 0, (size_t)f->nodes * sizeof *unlike);
    for (size_t i = 0; i < f->n; i++)
        if (burst_chance(f, i) < 0.5)
            unlike[f->seen[i].from] = unlike[f->seen[i].to] = true;
}

static bool sweep_moves(struct fit *f, struct kept *kept, const bool unlike[])
{
    bool changed = false;
    for (int node = 0; node < f->nodes; node++)
        for (int group = 0; unlike[node] && group <= f->groups && f->work < CHANGES_MOST; group++)
            changed = node_move(f, kept, node, group) || changed;
    return changed;
}

static bool sweep_joins(struct fit *f, struct kept *kept)
{
    bool changed = false;
    groups_number(f);
    kept_set(kept, f, kept->score);
    for (int group = 0; group < f->groups; group++)
        for (int other = group + 1; other < f->groups && f->work < CHANGES_MOST; other++)
            changed = groups_join(f, kept, group, other) || changed;
    groups_number(f);
    kept_set(kept, f, kept->score);
    return changed;
}

static bool sweep_swaps(struct fit *f, struct kept *kept, const bool unlike[])
{
    bool changed = false;
    for (int node = 0; node < f->nodes && f->nodes <= SWAPS_MOST; node++)
        for (int other = node + 1; unlike[node] && other < f->nodes && f->work < CHANGES_MOST; other++)
            changed = (unlike[other] && nodes_swap(f, kept, node, other)) || changed;
    return changed;
}

/* Changes the groups while that makes them better. */
static double fit_improve(struct fit *f)
{
    bool *unlike = alloc_array((size_t)f->nodes, sizeof *unlike), changed = true;
    struct kept kept = kept_make(f);
    capacities_choose(f);
    kept_set(&kept, f, fit_score(f));
    for (int sweep = 0; sweep < SWEEPS_MOST && changed && f->work < CHANGES_MOST; sweep++) {
        changed = sweep_joins(f, &kept);
        unlike_find(f, unlike);
        changed = sweep_moves(f, &kept, unlike) || changed;
        groups_number(f);
        kept_set(&kept, f, kept.score);
        if (changed)
            continue;
        unlike_find(f, unlike);
        changed = sweep_swaps(f, &kept, unlike);
    }
    loads_set(f);
    kept_free(&kept);
    free(unlike);
    return kept.score;
}

/* ---- groups to begin with ---- */

/* The best ones so far, best first. */
struct beginnings {
    int n;
    struct kept list[BEGINNINGS];
};

static void beginnings_add(struct beginnings *b, struct fit *f)
{
    groups_number(f);
    capacities_choose(f);
    const double score = fit_score(f);
    int at = b->n;
    while (at > 0 && b->list[at - 1].score < score)
        at--;
    if (at == BEGINNINGS || (at > 0 && b->list[at - 1].score <= score))
        return;
    struct kept moved = b->n < BEGINNINGS ? kept_make(f) : b->list[BEGINNINGS - 1];
    b->n += b->n < BEGINNINGS;
    memmove(&b->list[at + 1], &b->list[at], (size_t)(b->n - 1 - at) * sizeof *b->list);
    kept_set(&moved, f, score);
    b->list[at] = moved;
}

/* As hosts often are handed out: stretches of nodes, and by turns. */
static void regular_add(struct beginnings *b, struct fit *f)
{
    for (int k = 2; k <= f->nodes / 2 && k <= LEVELS_MOST && f->work < REGULAR_MOST; k++) {
        for (int node = 0; node < f->nodes; node++)
            f->group_of[node] = node % k;
        beginnings_add(b, f);
        for (int node = 0; node < f->nodes; node++)
            f->group_of[node] = node * k / f->nodes;
        beginnings_add(b, f);
    }
}

/* What bursts say of two nodes, nats: they stand together. A burst that was not slowed says the more the more of its look
 * were. [nodes * nodes], owned by the caller. */
static double *together_make(const struct fit *f)
{
    const size_t nodes = (size_t)f->nodes;
    double *together = alloc_zeroed(nodes * nodes, sizeof *together);
    for (size_t first = 0, end; first < f->n; first = end) {
        double slowed = 0;
        for (end = first; end < f->n && f->seen[end].look == f->seen[first].look; end++)
            slowed += f->seen[end].slowed;
        const double stays = -log(1 - fmin(slowed / (double)(end - first), 0.95));
        for (size_t i = first; i < end; i++) {
            const size_t from = (size_t)f->seen[i].from, to = (size_t)f->seen[i].to;
            const double says = f->seen[i].slowed ? log(LOOK_NOISE) : stays;
            together[from * nodes + to] += says;
            together[to * nodes + from] += says;
        }
    }
    return together;
}

/* Of each group the likest one behind it, -1: there is none; [nodes]. */
static void likest_find(int nodes, const double together[], const int size[], int group, int likest[])
{
    likest[group] = -1;
    for (int other = group + 1; size[group] > 0 && other < nodes; other++)
        if (size[other] > 0 &&
            (likest[group] < 0 || together[group * nodes + other] > together[group * nodes + likest[group]]))
            likest[group] = other;
}

/* The first of the two groups of which most says that they are one; the other one is likest[]. */
static int likest_pair(int nodes, const double together[], const int size[], const int likest[])
{
    int best = -1;
    for (int group = 0; group < nodes; group++)
        if (size[group] > 0 && likest[group] >= 0 &&
            (best < 0 || together[group * nodes + likest[group]] > together[best * nodes + likest[best]]))
            best = group;
    return best;
}

/* After `joined` was added to group `one`, of which it says something else than before. */
static void likest_update(int nodes, const double together[], const int size[], int one, int joined, int likest[])
{
    for (int group = 0; group < nodes; group++) {
        if (size[group] == 0)
            continue;
        if (group == one || likest[group] == one || likest[group] == joined) {
            likest_find(nodes, together, size, group, likest);
        } else if (group < one) {
            const double says = together[group * nodes + one], most = together[group * nodes + likest[group]];
            if (says > most || (says == most && one < likest[group]))
                likest[group] = one;
        }
    }
}

/* Joins the likest two groups again and again, from nodes on. */
static void tree_add(struct beginnings *b, struct fit *f)
{
    const int nodes = f->nodes;
    double *together = together_make(f);
    int *size = alloc_array((size_t)nodes, sizeof *size), *group_of = alloc_array((size_t)nodes, sizeof *group_of);
    int *likest = alloc_array((size_t)nodes, sizeof *likest);
    for (int node = 0; node < nodes; node++)
        size[node] = 1, group_of[node] = node;
    for (int node = 0; node < nodes; node++)
        likest_find(nodes, together, size, node, likest);
    for (int groups = nodes; groups > 2;) {
        const int one = likest_pair(nodes, together, size, likest), other = likest[one];
        size[one] += size[other];
        size[other] = 0;
        for (int i = 0; i < nodes; i++) {
            together[one * nodes + i] += together[other * nodes + i];
            together[i * nodes + one] = together[one * nodes + i];
            group_of[i] = group_of[i] == other ? one : group_of[i];
        }
        likest_update(nodes, together, size, one, other, likest);
        groups--;
        if (groups <= LEVELS_MOST && (f->work < TREE_MOST || groups <= TREE_LEAST)) {
            memcpy(f->group_of, group_of, (size_t)nodes * sizeof *group_of);
            beginnings_add(b, f);
        }
    }
    free(likest);
    free(group_of);
    free(size);
    free(together);
}

static void beginnings_find(struct beginnings *b, struct fit *f, bool anew, const int group_of[])
{
    const size_t size = (size_t)f->nodes * sizeof *f->group_of;
    memcpy(f->group_of, group_of, size);
    beginnings_add(b, f);
    if (!anew)
        return;
    memset(f->group_of, 0, size);
    beginnings_add(b, f);
    regular_add(b, f);
    tree_add(b, f);
}

/* A burst that could have been either counts half. */
static double unlike_count(const struct fit *f)
{
    double unlike = 0;
    for (size_t i = 0; i < f->n; i++)
        unlike += 1 - burst_chance(f, i);
    return unlike;
}

/* ---- doubt ---- */

static double node_likelihood(const struct fit *f, int node)
{
    double sum = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->seen[i].from == node || f->seen[i].to == node)
            sum += log(burst_chance(f, i));
    return sum;
}

/* The same if it stood in another group, or alone, with the trunks that make all bursts likeliest then. Other trunks do not
 * help where it is far less likely than `least` with those that there are. */
static double elsewhere_likelihood(struct fit *f, const struct kept *kept, int node, int group, double least)
{
    const int own = f->group_of[node];
    f->groups += group == f->groups;
    f->group_of[node] = group;
    loads_set(f);
    double likelihood = node_likelihood(f, node);
    if (likelihood > least - HOPELESS) {
        capacity_choose(f, group);
        capacity_choose(f, own);
        capacity_choose(f, group);
        likelihood = node_likelihood(f, node);
    }
    kept_restore(kept, f);
    return likelihood;
}

/* Whether a node's own bursts, not the room that it leaves those of others, are about as likely with it in another group; or
 * alone, but where no trunk stands before its group, which is the same. */
static bool node_is_doubtful(struct fit *f, const struct kept *kept, int node)
{
    const int own = f->group_of[node];
    loads_set(f);
    const double least = node_likelihood(f, node) - DOUBT;
    for (int group = 0; group < f->groups; group++)
        if (group != own && elsewhere_likelihood(f, kept, node, group, least) > least)
            return true;
    return f->groups < f->nodes && f->capacity[own] < HUGE_VAL &&
           elsewhere_likelihood(f, kept, node, f->groups, least) > least;
}

static int doubts_find(struct fit *f, bool doubtful[])
{
    int doubts = 0;
    struct kept kept = kept_make(f);
    kept_set(&kept, f, 0);
    const double begun = f->work;
    for (int node = 0; node < f->nodes; node++) {
        doubtful[node] = f->groups > 1 && (f->work - begun > DOUBTS_MOST || node_is_doubtful(f, &kept, node));
        doubts += doubtful[node];
    }
    kept_free(&kept);
    loads_set(f);
    return doubts;
}

struct groups_fit groups_fit(int nodes, size_t n, const struct burst_seen seen[], bool anew, int group_of[],
                             bool doubtful[])
{
    struct fit f;
    struct beginnings beginnings = {0};
    fit_init(&f, nodes, n, seen);
    struct kept best = kept_make(&f);
    best.score = -HUGE_VAL;
    beginnings_find(&beginnings, &f, anew, group_of);
    for (int i = 0; i < beginnings.n; i++) {
        kept_restore(&beginnings.list[i], &f);
        const double score = fit_improve(&f);
        if (score > best.score)
            kept_set(&best, &f, score);
        kept_free(&beginnings.list[i]);
    }
    kept_restore(&best, &f);
    loads_set(&f);
    const int doubts = doubtful ? doubts_find(&f, doubtful) : 0;
    const struct groups_fit fit = {.n = f.groups, .unlike = unlike_count(&f), .doubts = doubts, .work = f.work};
    memcpy(group_of, f.group_of, (size_t)nodes * sizeof *group_of);
    kept_free(&best);
    fit_free(&f);
    return fit;
}
