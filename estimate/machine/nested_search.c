#include "estimate/machine/nested_search.h"

#include "common/alloc.h"
#include "estimate/machine/groups_search.h"
#include "estimate/machine/ports_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_LOOKS_MOST = 16 };

/* X(name, what sends to what) in the order in which they come. */
#define STAGE_LIST(X)                       \
    X(all, "nodes")                         \
    X(within, "nodes of one group")         \
    X(pairs, "two groups of nodes")         \
    X(around, "groups of nodes")            \
    X(over, "nothing")
enum stage {
#define X(name, what) STAGE_##name,
    STAGE_LIST(X)
#undef X
};
static const char *const stage_whats[] = {
#define X(name, what) what,
    STAGE_LIST(X)
#undef X
};

/* Nodes that stand together; the first one is all. One that has parts in name alone, for they are parts of all again, has no nodes. */
struct set {
    int parent;        /* -1: it is all, or has no nodes */
    bool has_parts;    /* else it is a group of nodes */
    bool sought;       /* within it, if it has no parts, else around these: nothing more is to be found there */
    bool untold;       /* that was asked for, and is not to be told */
};

/* A search among units, each a node or a set, that are all of a set. */
struct quest {
    int set, n;
    int *unit_of;      /* [nodes] -1: of another set */
    int *set_of_unit;  /* [n] -1: they are nodes */
    struct node_times *alone; /* [n] */
    struct groups_search *search;
    int *order;        /* [n] of the units in this look */
    bool looks;        /* in this look; else all units send within themselves */
};

struct nested_search {
    int nodes;
    uint32_t seed;
    struct node_times *alone; /* [nodes] */
    size_t n, capacity;
    struct set *sets;
    int *set_of;       /* [nodes] the innermost */
    enum stage stage;
    bool begun;        /* the stage has its quests */
    int pair;          /* of STAGE_pairs: which look this is */
    size_t n_quests, quests_capacity;
    struct quest *quests;
    int *order;        /* [nodes] of this look */
};

struct nested_search *nested_search_create(int nodes, const struct node_times alone[], uint32_t seed)
{
    struct nested_search *s = alloc_zeroed(1, sizeof *s);
    const size_t all = (size_t)nodes;
    s->nodes = nodes;
    s->seed = seed;
    s->alone = alloc_array(all, sizeof *s->alone);
    memcpy(s->alone, alone, all * sizeof *alone);
    s->set_of = alloc_zeroed(all, sizeof *s->set_of);
    s->order = alloc_array(all, sizeof *s->order);
    s->sets = alloc_grow(s->sets, s->n, &s->capacity, sizeof *s->sets);
    s->sets[s->n++] = (struct set){.parent = -1};
    return s;
}

static void quests_free(struct nested_search *s)
{
    for (size_t i = 0; i < s->n_quests; i++) {
        if (s->quests[i].search)
            groups_search_destroy(s->quests[i].search);
        free(s->quests[i].unit_of);
        free(s->quests[i].set_of_unit);
        free(s->quests[i].alone);
        free(s->quests[i].order);
    }
    s->n_quests = 0;
}

void nested_search_destroy(struct nested_search *s)
{
    quests_free(s);
    free(s->quests);
    free(s->order);
    free(s->sets);
    free(s->set_of);
    free(s->alone);
    free(s);
}

/* ---- sets ---- */

static bool set_has(const struct nested_search *s, int set, int node)
{
    int at = s->set_of[node];
    while (at >= 0 && at != set)
        at = s->sets[at].parent;
    return at == set;
}

static int set_size(const struct nested_search *s, int set)
{
    int n = 0;
    for (int node = 0; node < s->nodes; node++)
        n += set_has(s, set, node);
    return n;
}

/* Whether it takes part in a search around groups. A lone node has no trunk of its own, and where it stands may not be known. */
static bool is_unit(const struct nested_search *s, int part, int set)
{
    return s->sets[part].parent == set && set_size(s, part) > 1;
}

static int set_add(struct nested_search *s, int parent)
{
    s->sets = alloc_grow(s->sets, s->n, &s->capacity, sizeof *s->sets);
    s->sets[s->n] = (struct set){.parent = parent};
    return (int)s->n++;
}

/* Makes a set for each of n groups of a quest's units that has more than one, and, where units are nodes, for lone ones as well. */
static void parts_make(struct nested_search *s, const struct quest *quest, int n, const int group_of[])
{
    const bool are_nodes = quest->set_of_unit == NULL;
    for (int group = 0; group < n; group++) {
        int members = 0, made = -1;
        for (int unit = 0; unit < quest->n; unit++)
            members += group_of[unit] == group;
        if (members < 2 && !are_nodes) {
            for (int unit = 0; unit < quest->n; unit++)
                if (group_of[unit] == group)
                    s->sets[quest->set_of_unit[unit]].untold = true;
            continue;
        }
        made = set_add(s, quest->set);
        s->sets[made].has_parts = !are_nodes;
        for (int unit = 0; unit < quest->n && !are_nodes; unit++)
            if (group_of[unit] == group)
                s->sets[quest->set_of_unit[unit]].parent = made;
        for (int node = 0; node < s->nodes && are_nodes; node++)
            if (quest->unit_of[node] >= 0 && group_of[quest->unit_of[node]] == group)
                s->set_of[node] = made;
    }
    s->sets[quest->set].has_parts = true;
}

/* ---- quests ---- */

static struct quest *quest_add(struct nested_search *s, int set)
{
    s->quests = alloc_grow(s->quests, s->n_quests, &s->quests_capacity, sizeof *s->quests);
    struct quest *quest = &s->quests[s->n_quests++];
    *quest = (struct quest){.set = set, .unit_of = alloc_array((size_t)s->nodes, sizeof *quest->unit_of)};
    for (int node = 0; node < s->nodes; node++)
        quest->unit_of[node] = -1;
    return quest;
}

static void quest_begin(struct nested_search *s, struct quest *quest)
{
    quest->search = groups_search_create(quest->n, quest->alone, s->seed);
    if (!quest->order)
        quest->order = alloc_array((size_t)quest->n, sizeof *quest->order);
}

/* Among the nodes of a set; those of too few are groups as they are. */
static void nodes_quest(struct nested_search *s, int set)
{
    int n = 0;
    for (int node = 0; node < s->nodes; node++)
        n += set_has(s, set, node);
    s->sets[set].sought = true;
    if (n < GROUPS_NODES_LEAST)
        return;
    struct quest *quest = quest_add(s, set);
    quest->alone = alloc_array((size_t)n, sizeof *quest->alone);
    for (int node = 0; node < s->nodes; node++)
        if (set_has(s, set, node)) {
            quest->alone[quest->n] = s->alone[node];
            quest->unit_of[node] = quest->n++;
        }
    quest_begin(s, quest);
}

/* Which quest a node is asked of; the number of quests: none. */
static size_t quest_of(const struct nested_search *s, int node)
{
    size_t i = 0;
    while (i < s->n_quests && s->quests[i].unit_of[node] < 0)
        i++;
    return i;
}

/* Among the parts of a set. Sets that lie inside one another have their turns in one stage after another. */
static void parts_quest(struct nested_search *s, int set)
{
    int n = 0;
    for (int node = 0; node < s->nodes; node++)
        if (set_has(s, set, node) && quest_of(s, node) < s->n_quests)
            return;
    for (size_t part = 1; part < s->n; part++)
        n += is_unit(s, (int)part, set);
    s->sets[set].sought = true;
    if (n < GROUPS_NODES_LEAST)
        return;
    struct quest *quest = quest_add(s, set);
    quest->alone = alloc_array((size_t)n, sizeof *quest->alone);
    quest->order = alloc_array((size_t)n, sizeof *quest->order);
    quest->set_of_unit = alloc_array((size_t)n, sizeof *quest->set_of_unit);
    for (size_t part = 1; part < s->n; part++) {
        if (!is_unit(s, (int)part, set))
            continue;
        for (int node = 0; node < s->nodes; node++)
            if (set_has(s, (int)part, node))
                quest->unit_of[node] = quest->n;
        quest->alone[quest->n] = (struct node_times){HUGE_VAL, HUGE_VAL};
        quest->set_of_unit[quest->n++] = (int)part;
    }
}

/* What a quest has come to. Where it does not know, the set stays as it is. */
static void quest_end(struct nested_search *s, const struct quest *quest)
{
    int *group_of = alloc_array((size_t)quest->n, sizeof *group_of);
    const int n = (int)groups_search_found(quest->search, group_of);
    const bool told = n < quest->n || s->stage == STAGE_all;
    s->sets[quest->set].untold = s->sets[quest->set].untold || n == quest->n;
    if (n > 1 && told) {
        parts_make(s, quest, n, group_of);
        s->sets[quest->set].sought = n == quest->n;
    }
    free(group_of);
}

/* ---- stages ---- */

/* The quests of a stage. */
static void stage_begin(struct nested_search *s)
{
    const int sets = (int)s->n;
    for (int set = 0; set < sets; set++) {
        const bool has_parts = s->sets[set].has_parts;
        if (!s->sets[set].sought && s->stage == STAGE_pairs && has_parts)
            parts_quest(s, set);
        else if (!s->sets[set].sought && s->stage != STAGE_pairs && !has_parts)
            nodes_quest(s, set);
    }
    s->pair = 0;
    s->begun = true;
}

/* The groups of nodes are parts of all again, where there are enough to ask around them: what they had been found in may be one of the
 * outer groups while another one of these was not found as such. */
static void parts_level(struct nested_search *s)
{
    int n = 0;
    for (size_t set = 1; set < s->n; set++)
        n += !s->sets[set].has_parts && set_size(s, (int)set) > 1;
    for (size_t set = 1; set < s->n && n >= GROUPS_NODES_LEAST; set++) {
        s->sets[set].parent = s->sets[set].has_parts ? -1 : 0;
        s->sets[set].sought = true;
    }
}

/* Within groups, and around them, it goes on as long as that finds any. */
static void stage_end(struct nested_search *s)
{
    static const enum stage next[] = {[STAGE_all] = STAGE_within, [STAGE_within] = STAGE_within, [STAGE_pairs] = STAGE_around,
                                      [STAGE_around] = STAGE_pairs, [STAGE_over] = STAGE_over};
    const enum stage ended = s->stage;
    const bool any = s->n_quests > 0;
    if (ended == STAGE_pairs && any) {
        for (size_t i = 0; i < s->n_quests; i++)
            quest_begin(s, &s->quests[i]);
        s->stage = STAGE_around;
        return;
    }
    for (size_t i = 0; i < s->n_quests; i++)
        quest_end(s, &s->quests[i]);
    quests_free(s);
    if (ended == STAGE_within && !any)
        parts_level(s);
    s->begun = false;
    s->stage = any ? next[ended] : ended == STAGE_within || ended == STAGE_all ? STAGE_pairs : STAGE_over;
}

/* ---- looks ---- */

/* In how many looks neighbours exchange bursts. */
static int even_looks(const struct quest *quest)
{
    return quest->n / 2 < PAIR_LOOKS_MOST ? quest->n / 2 : PAIR_LOOKS_MOST;
}

/* Of an odd number the last one exchanges with the first in one more. */
static int pair_looks(const struct quest *quest)
{
    return even_looks(quest) + quest->n % 2;
}

/* The unit with which one exchanges bursts in a look; -1: with none. */
static int pair_partner(const struct quest *quest, int look, int unit)
{
    const int looks = even_looks(quest), last = quest->n - 1;
    if (look >= looks)
        return look < pair_looks(quest) && (unit == 0 || unit == last) ? last - unit : -1;
    return unit / 2 % looks != look || (unit == last && quest->n % 2 == 1) ? -1 : unit ^ 1;
}

/* Adds the nodes of n units to an order, one of each in turn; returns how many there are then. */
static int turns_add(const struct nested_search *s, const struct quest *quest, int n, const int units[], int order[], int at)
{
    int *next = alloc_zeroed((size_t)n, sizeof *next); /* from which node on */
    for (int left = n; left > 0;) {
        left = 0;
        for (int i = 0; i < n; i++) {
            while (next[i] < s->nodes && quest->unit_of[next[i]] != units[i])
                next[i]++;
            if (next[i] == s->nodes)
                continue;
            order[at++] = next[i]++;
            left++;
        }
    }
    free(next);
    return at;
}

static int quest_order(const struct nested_search *s, const struct quest *quest, int order[], int at)
{
    if (s->stage != STAGE_pairs && quest->looks)
        return turns_add(s, quest, quest->n, quest->order, order, at);
    for (int unit = 0; unit < quest->n; unit++) {
        const int partner = s->stage == STAGE_pairs ? pair_partner(quest, s->pair, unit) : -1, both[2] = {unit, partner};
        if (partner < 0 || unit < partner)
            at = turns_add(s, quest, partner < 0 ? 1 : 2, both, order, at);
    }
    return at;
}

static void look_order(struct nested_search *s)
{
    int at = 0;
    for (size_t i = 0; i < s->n_quests; i++)
        at = quest_order(s, &s->quests[i], s->order, at);
    for (int node = 0; node < s->nodes; node++)
        if (quest_of(s, node) == s->n_quests)
            s->order[at++] = node;
}

/* Whether there is another look in this stage. */
static bool stage_looks(struct nested_search *s)
{
    bool any = false;
    for (size_t i = 0; i < s->n_quests; i++) {
        struct quest *quest = &s->quests[i];
        quest->looks = s->stage == STAGE_pairs ? s->pair < pair_looks(quest) : groups_search_next(quest->search, quest->order);
        any = any || quest->looks;
    }
    return any;
}

bool nested_search_next(struct nested_search *s, int order[])
{
    while (s->stage != STAGE_over) {
        if (!s->begun)
            stage_begin(s);
        if (stage_looks(s)) {
            look_order(s);
            memcpy(order, s->order, (size_t)s->nodes * sizeof *order);
            return true;
        }
        stage_end(s);
    }
    return false;
}

/* The unit to which one sends in this look; -1: none. */
static int unit_after(const struct nested_search *s, const struct quest *quest, int unit)
{
    if (s->stage == STAGE_pairs)
        return pair_partner(quest, s->pair, unit);
    for (int i = 0; i < quest->n; i++)
        if (quest->order[i] == unit)
            return quest->order[(i + 1) % quest->n];
    return -1;
}

/* The median time of the bursts from one unit to another; NAN: there are none. */
static double unit_time(const struct nested_search *s, const struct quest *quest, int from, int to, const double times[])
{
    double *own = alloc_array((size_t)s->nodes, sizeof *own);
    size_t n = 0;
    for (int i = 0; i < s->nodes; i++) {
        const int node = s->order[i], next = s->order[(i + 1) % s->nodes];
        if (quest->unit_of[node] == from && quest->unit_of[next] == to && times[node] > 0)
            own[n++] = times[node];
    }
    const double time = n > 0 ? ports_median(n, own) : NAN;
    free(own);
    return time;
}

static void quest_take(struct nested_search *s, struct quest *quest, const double times[], struct nested_look *look)
{
    double *unit_times = alloc_array((size_t)quest->n, sizeof *unit_times);
    for (int unit = 0; unit < quest->n; unit++) {
        const int next = unit_after(s, quest, unit);
        unit_times[unit] = next < 0 ? NAN : unit_time(s, quest, unit, next, times);
        look->of += unit_times[unit] > 0;
        if (s->stage != STAGE_pairs || next < 0)
            continue;
        quest->alone[unit].out = fmin(quest->alone[unit].out, unit_times[unit]);
        quest->alone[next].in = fmin(quest->alone[next].in, unit_times[unit]);
    }
    if (s->stage != STAGE_pairs)
        look->slowed += groups_search_take(quest->search, unit_times);
    free(unit_times);
}

struct nested_look nested_search_take(struct nested_search *s, const double times[])
{
    struct nested_look look = {.what = stage_whats[s->stage]};
    for (size_t i = 0; i < s->n_quests; i++)
        if (s->quests[i].looks)
            quest_take(s, &s->quests[i], times, &look);
    s->pair += s->stage == STAGE_pairs;
    return look;
}

/* ---- what was found ---- */

void nested_search_found(const struct nested_search *s, struct nested_groups *groups)
{
    const size_t nodes = (size_t)s->nodes;
    int *number = alloc_array(s->n, sizeof *number);
    *groups = (struct nested_groups){.group_of = alloc_array(nodes, sizeof *groups->group_of), .untold = -1};
    for (size_t set = 0; set < s->n; set++)
        number[set] = -1;
    for (size_t node = 0; node < nodes; node++) {
        int *own = &number[s->set_of[node]];
        *own = *own < 0 ? groups->n++ : *own;
        groups->group_of[node] = *own;
    }
    for (int size = 2; size < s->nodes; size++) /* each before what it is in */
        for (int set = 1; set < (int)s->n; set++)
            if (s->sets[set].has_parts && set_size(s, set) == size)
                number[set] = groups->n + groups->n_outer++;
    groups->above = alloc_array((size_t)(groups->n + groups->n_outer), sizeof *groups->above);
    for (size_t set = 0; set < s->n; set++) {
        if (number[set] < 0)
            continue;
        groups->above[number[set]] = s->sets[set].parent < 0 ? -1 : number[s->sets[set].parent];
        groups->untold = s->sets[set].untold ? number[set] : groups->untold;
    }
    if (s->sets[0].untold && groups->untold < 0 && groups->n < s->nodes)
        groups->untold = groups->n + groups->n_outer;
    free(number);
}

void nested_groups_free(struct nested_groups *groups)
{
    free(groups->group_of);
    free(groups->above);
    *groups = (struct nested_groups){0};
}
