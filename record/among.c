#include "record/among.h"

#include "record/site.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a site. */
struct spot {
    int first;                      /* what its calls are on; -1: none yet */
    bool several;                   /* others are on another one */
    int64_t least, most;            /* communicators that processes have of it, the most of each recording */
    int64_t here;                   /* ... of the one that is looked at */
    int64_t turn;                   /* a divisor of its calls in one trip of each loop, of processes that are left out; 0: no loop */
    bool made;                      /* another than the first that it makes is called on */
};

struct finder {
    struct site_table sites;
    size_t n_spots;
    struct spot *spots;
};

/* What a process has under a number: the ordinal-th that a site has made; site -1: no call has. */
struct known {
    int site;
    int64_t ordinal;
};

struct walk {
    struct finder *finder;
    const struct recorded_process *process;
    int ranks;
    struct known *known;            /* [process->n_comms] */
    int64_t *calls;                 /* [n_calls] of a site that makes some, so far */
    size_t n_calls;
    int *last;                      /* [finder->sites.n] on which number it was last at a site; -1 */
    int *of;                        /* [process->n_calls]; meanwhile, of what makes one without the process, its how manyth call */
};

static struct spot *spot_of(struct finder *finder, int site)
{
    if ((size_t)site >= finder->n_spots) {
        const size_t n = 2 * (size_t)site + 32;
        finder->spots = alloc_resize(finder->spots, n, sizeof *finder->spots);
        for (size_t i = finder->n_spots; i < n; i++)
            finder->spots[i] = (struct spot){.first = -1};
        finder->n_spots = n;
    }
    return &finder->spots[site];
}

static int site_of(const struct walk *walk, const struct recorded_node *node)
{
    return site_find(&walk->finder->sites, walk->process, node->op, node->path);
}

/* Must its directive name what it is on? What makes a communicator of another one may leave that out. */
static bool is_on_one(enum operation op)
{
    return operation_kind(op) != KIND_wait && operation_kind(op) != KIND_other && !operation_makes_comm(op);
}

typedef void visitor(struct walk *walk, const struct recorded_node *node);

static void each_call(struct walk *walk, size_t n, const struct recorded_node nodes[], visitor *visit)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i].loop)
            each_call(walk, nodes[i].n_body, nodes[i].body, visit);
        else
            visit(walk, &nodes[i]);
}

/* One that the process is no member of has no number to itself. */
static bool is_left_out(const struct walk *walk, const struct recorded_node *node)
{
    return walk->process->comms[node->peer].rank < 0;
}

/* Sites of calls that make none are entered, too, so that `last` has room for all. */
static void learn_call(struct walk *walk, const struct recorded_node *node)
{
    const int site = site_of(walk, node);
    struct spot *spot = spot_of(walk->finder, site);
    if (!operation_makes_comm(node->op) || node->peer < 0)
        return;
    if ((size_t)site >= walk->n_calls) {
        const size_t n = 2 * (size_t)site + 32;
        walk->calls = alloc_resize(walk->calls, n, sizeof *walk->calls);
        memset(walk->calls + walk->n_calls, 0, (n - walk->n_calls) * sizeof *walk->calls);
        walk->n_calls = n;
    }
    if (is_left_out(walk, node)) {
        walk->of[node->number] = (int)(walk->calls[site] < INT_MAX ? walk->calls[site] : INT_MAX);
    } else if (walk->known[node->peer].site < 0) {
        walk->known[node->peer] = (struct known){site, walk->calls[site]};
        spot->here = walk->calls[site] + 1 > spot->here ? walk->calls[site] + 1 : spot->here;
    }
    walk->calls[site]++;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b > 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Calls of a site in one trip of a loop. trips: as below. */
static int64_t calls_in_trip(const struct walk *walk, const struct recorded_node *loop, size_t n, const struct recorded_node nodes[],
                             int64_t trips, int site)
{
    int64_t calls = 0;
    for (size_t i = 0; i < n; i++)
        if (nodes[i].loop)
            calls += calls_in_trip(walk, loop, nodes[i].n_body, nodes[i].body, nodes[i].trips, site);
        else if (operation_makes_comm(nodes[i].op) && site_of(walk, &nodes[i]) == site)
            calls += trips / loop->trips;
    return calls;
}

/* Calls in the trips of a loop behind the first of its first run. trips: of the loop that the nodes are the body of, which is
 * that one or within it. */
static void learn_further(struct walk *walk, const struct recorded_node *loop, size_t n, const struct recorded_node nodes[],
                          int64_t trips)
{
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].loop)
            learn_further(walk, loop, nodes[i].n_body, nodes[i].body, nodes[i].trips);
        if (nodes[i].loop || !operation_makes_comm(nodes[i].op) || nodes[i].peer < 0)
            continue;
        const int site = site_of(walk, &nodes[i]);
        struct spot *spot = spot_of(walk->finder, site);
        walk->calls[site] += trips / loop->runs - trips / loop->trips;
        if (is_left_out(walk, &nodes[i]) && loop->trips > loop->runs)
            spot->turn = common_divisor(spot->turn, calls_in_trip(walk, loop, loop->n_body, loop->body, loop->trips, site));
    }
}

/* Who made which number, as its how manyth call. What a loop's body makes comes before what its further trips do, which makes new
 * ones under the same numbers. */
static void learn(struct walk *walk, size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].loop) {
            learn(walk, nodes[i].n_body, nodes[i].body);
            learn_further(walk, &nodes[i], nodes[i].n_body, nodes[i].body, nodes[i].trips);
        } else {
            learn_call(walk, &nodes[i]);
        }
    }
}

static void end_recording(struct finder *finder, bool first)
{
    for (size_t i = 0; i < finder->n_spots; i++) {
        struct spot *spot = &finder->spots[i];
        spot->least = first || spot->here < spot->least ? spot->here : spot->least;
        spot->most = spot->here > spot->most ? spot->here : spot->most;
        spot->here = 0;
    }
}

/* Are the communicators that it makes told apart? Not where another count has more of them: others may have more than all. Nor
 * where a loop of a process that is left out of several makes another one in each trip, by one call. */
static bool is_apart(const struct spot *spot)
{
    return spot->made && spot->least == spot->most && spot->most <= AMONG_MOST && spot->turn % spot->most == 0;
}

/* Which one a number is, the same in all processes: 0 is MPI_COMM_WORLD, and 1, which no call made either, MPI_COMM_SELF. */
static int which(const struct walk *walk, int number)
{
    const struct known *known = &walk->known[number];
    if (known->site < 0)
        return number > 0;
    return 2 + known->site * AMONG_MOST + (is_apart(spot_of(walk->finder, known->site)) ? (int)known->ordinal : 0);
}

/* Something is called on one that is not the first of its call path. */
static void find_made(struct walk *walk, const struct recorded_node *node)
{
    const struct known *known = &walk->known[node->comm];
    if (is_on_one(node->op) && known->site >= 0 && known->ordinal > 0)
        spot_of(walk->finder, known->site)->made = true;
}

/* Where each process has one alone, what has the ranks of MPI_COMM_WORLD stands for it, as it does when it is written. */
static void look(struct walk *walk, const struct recorded_node *node)
{
    if (!is_on_one(node->op))
        return;
    const int site = site_of(walk, node), number = node->comm;
    struct spot *spot = spot_of(walk->finder, site);
    const int alone = recorded_comm_is_world(&walk->process->comms[number], walk->ranks) ? 0 : which(walk, number);
    spot->several = spot->several || (spot->first >= 0 && spot->first != alone) ||
                     (walk->last[site] >= 0 && walk->last[site] != number);
    spot->first = alone;
    walk->last[site] = number;
}

static void tell(struct walk *walk, const struct recorded_node *node)
{
    const struct spot *spot = spot_of(walk->finder, site_of(walk, node));
    int told = AMONG_ANY;
    if (is_apart(spot) && node->peer >= 0)
        told = is_left_out(walk, node) ? (int)(walk->of[node->number] % spot->most) : (int)walk->known[node->peer].ordinal;
    else if (spot->several)
        told = which(walk, node->comm);
    walk->of[node->number] = told;
}

static void walk_all(struct walk *walks, size_t n, visitor *visit)
{
    for (size_t k = 0; k < n; k++)
        each_call(&walks[k], walks[k].process->n, walks[k].process->nodes, visit);
}

static struct walk begin(struct finder *finder, const struct recording *recording, int rank)
{
    const struct recorded_process *process = &recording->processes[rank];
    struct walk walk = {.finder = finder, .process = process, .ranks = recording->ranks};
    walk.known = alloc_array((size_t)process->n_comms + 1, sizeof *walk.known);
    for (int i = 0; i < process->n_comms; i++)
        walk.known[i] = (struct known){.site = -1};
    walk.of = alloc_array((size_t)process->n_calls + 1, sizeof *walk.of);
    return walk;
}

void among_find(struct among *among, size_t n, const struct recording recordings[])
{
    struct finder finder = {0};
    size_t k = 0;
    *among = (struct among){0};
    for (size_t r = 0; r < n; r++)
        among->n += (size_t)recordings[r].ranks;
    among->of = alloc_zeroed(among->n, sizeof *among->of);
    struct walk *walks = alloc_zeroed(among->n, sizeof *walks);
    site_table_init(&finder.sites);
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++)
            walks[k++] = begin(&finder, &recordings[r], rank);
    for (size_t r = 0, at = 0; r < n; at += (size_t)recordings[r++].ranks) {
        for (k = at; k < at + (size_t)recordings[r].ranks; k++)
            learn(&walks[k], walks[k].process->n, walks[k].process->nodes);
        end_recording(&finder, r == 0);
    }
    walk_all(walks, among->n, find_made);
    for (k = 0; k < among->n; k++) {
        walks[k].last = alloc_array((size_t)finder.sites.n + 1, sizeof *walks[k].last);
        memset(walks[k].last, -1, (size_t)finder.sites.n * sizeof *walks[k].last);
        each_call(&walks[k], walks[k].process->n, walks[k].process->nodes, look);
        free(walks[k].last);
    }
    walk_all(walks, among->n, tell);
    for (k = 0; k < among->n; k++) {
        among->of[k] = walks[k].of;
        free(walks[k].known);
        free(walks[k].calls);
    }
    free(walks);
    free(finder.spots);
    site_table_free(&finder.sites);
}

void among_free(struct among *among)
{
    for (size_t k = 0; k < among->n; k++)
        free(among->of[k]);
    free(among->of);
    *among = (struct among){0};
}
