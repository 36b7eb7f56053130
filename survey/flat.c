#include "survey/flat.h"

#include "common/alloc.h"
#include "estimate/analytical/thresholds.h"
#include "estimate/samples.h"
#include "estimate/stopping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_SHARE = 1, FIRST = 6, AGAIN = 2, MORE = 6, STRIDE = 1024, SIZES_EVEN = 16, COUNTS_MOST = 32 };
#define SYNC_EVERY 8.0 /* s: clocks drift by some us in it, operations take ms */
#define FIRST_PART 0.5 /* of what the grid leaves of the budget, at most: for where things change, and Scatters */

/* What rank 0 tells the others: an operation, a synchronisation of clocks (n = 0), or the end (n < 0). */
struct order {
    int64_t start;   /* global ns */
    double expect;   /* s that it should take at most */
    int64_t bytes;
    int32_t kind, numprocs;
};

struct course {
    struct survey *s;
    struct clock *clock;
    char *buffer;            /* of all shares at the root, of one elsewhere */
    double budget, rest;     /* s */
    double first_until;      /* s since the beginning: FIRST_PART ends then */
    double longest;          /* s of an operation so far, by which the next is judged */
    int64_t begin, synced;   /* local ns */
    struct flat_survey *found;
    struct order last;       /* the operation before; its time was kept where `kept` */
    bool kept;
};

static double since(const struct course *c, int64_t local)
{
    return 1e-9 * (double)(clock_now(c->clock) - local);
}

/* ---- one operation ---- */

static void take_part(const struct course *c, const struct order *o)
{
    int rank = c->s->rank, bytes = (int)o->bytes;
    MPI_Comm comm = c->s->comm;
    bool sends = (o->kind != FLAT_scatter) == (rank != 0);
    for (int other = rank == 0 ? 1 : 0; other < (rank == 0 ? o->numprocs : 1); other++) {
        char *share = c->buffer + (size_t)other * (size_t)o->bytes;
        if (sends)
            MPI_Send(share, bytes, MPI_BYTE, other, TAG_SHARE, comm);
        else
            MPI_Recv(share, bytes, MPI_BYTE, other, TAG_SHARE, comm, MPI_STATUS_IGNORE);
    }
}

static void hear(const struct course *c, struct order *o)
{
    clock_announce(c->clock, c->s->comm, o, sizeof *o);
    watch_set(c->s->job->watch, o->expect, "a linear Scatter or Gather");
}

/* Returns the operation's time, ns, on rank 0; negative: some process missed the start. */
static int64_t operation_run(const struct course *c, struct order *o)
{
    int64_t own[2] = {0, 0}, all[2] = {0, 0}; /* late; until this process left */
    if (c->s->rank < o->numprocs) {
        own[0] = !clock_wait(c->clock, o->start);
        take_part(c, o);
        own[1] = clock_global(c->clock, clock_now(c->clock)) - o->start;
        own[1] = o->kind != FLAT_scatter && c->s->rank != 0 ? 0 : own[1];
    }
    hear(c, o); /* the root has left */
    MPI_Reduce(own, all, 2, MPI_INT64_T, MPI_MAX, 0, c->s->comm);
    watch_set(c->s->job->watch, 2, "agreeing on the next operation");
    return all[0] ? -1 : all[1];
}

static void follow(const struct course *c)
{
    struct order o = {.expect = 2};
    for (;;) {
        hear(c, &o);
        if (o.numprocs < 0)
            return;
        if (o.numprocs > 0)
            operation_run(c, &o);
        else
            clock_sync(c->clock);
    }
}

/* ---- rank 0 ---- */

static void clocks_sync(struct course *c)
{
    struct order o = {.expect = 2, .numprocs = 0};
    hear(c, &o);
    clock_sync(c->clock);
    c->synced = clock_now(c->clock);
}

/* A point of its list, where it is made if it is not there. */
static struct flat_point *point_of(struct flat_survey *f, enum flat_kind kind, int numprocs, double bytes)
{
    size_t *n = &f->n[kind], at = 0;
    struct flat_point *points = f->points[kind];
    while (at < *n && (points[at].numprocs < numprocs || (points[at].numprocs == numprocs && points[at].bytes < bytes)))
        at++;
    if (at < *n && points[at].numprocs == numprocs && points[at].bytes == bytes)
        return &points[at];
    points = f->points[kind] = alloc_grow(points, *n, &f->capacity[kind], sizeof *points);
    memmove(points + at + 1, points + at, (*n - at) * sizeof *points);
    points[at] = (struct flat_point){.numprocs = numprocs, .bytes = bytes};
    ++*n;
    return &points[at];
}

void flat_add(struct flat_survey *f, enum flat_kind kind, int numprocs, double bytes, double t, bool follows)
{
    struct flat_point *point = point_of(f, kind, numprocs, bytes);
    const size_t n = point->times.n;
    double *times = alloc_resize((void *)point->times.t, n + 1, sizeof *times); /* the survey's own until it is over */
    bool *all = alloc_resize((void *)point->follows, n + 1, sizeof *all);
    times[n] = t;
    all[n] = follows && n > 0;
    point->times = (struct repeats){n + 1, times};
    point->follows = all;
    f->measurements++;
}

static void point_free(struct flat_point *point)
{
    free((void *)point->times.t);
    free((void *)point->follows);
}

struct many_to_one_input flat_input(const struct flat_survey *f, size_t n_nodes, const double parameters[])
{
    return (struct many_to_one_input){n_nodes, parameters, f->n[FLAT_scatter], f->n[FLAT_gather], f->n[FLAT_edge],
                                      f->points[FLAT_scatter], f->points[FLAT_gather], f->points[FLAT_edge]};
}

/* So many repetitions of a point, the first time one more, which is left out as those are that a process came too late
 * for. False: the budget is spent. */
static bool point_measure(struct course *c, enum flat_kind kind, int numprocs, int64_t bytes, int repetitions,
                          bool first)
{
    for (int done = first ? -1 : 0; done < repetitions;) {
        if (since(c, c->begin) > c->budget) {
            c->found->spent = true;
            return false;
        }
        if (since(c, c->synced) > SYNC_EVERY)
            clocks_sync(c);
        struct order o = {.expect = 2 + 4 * c->longest, .bytes = bytes, .kind = (int32_t)kind, .numprocs = numprocs};
        o.start = clock_soon(c->clock, (int64_t)(1e9 * c->rest));
        hear(c, &o);
        int64_t ns = operation_run(c, &o);
        c->longest = fmax(c->longest, 1e-9 * (double)ns);
        c->found->n_late += ns < 0;
        const bool follows = c->kept && c->last.kind == o.kind && c->last.numprocs == numprocs && c->last.bytes == bytes;
        c->kept = done >= 0 && ns >= 0;
        c->last = o;
        if (c->kept)
            flat_add(c->found, kind, numprocs, (double)bytes, 1e-9 * (double)ns, follows);
        done += ns >= 0;
        survey_save(c->s);
    }
    return true;
}

/* Sixteenths of the largest size, which breaks are looked for in; otherwise and below that, three in each factor of
 * 4. */
static size_t sizes_make(int64_t largest, bool even, int64_t sizes[])
{
    size_t n = 0;
    for (int64_t parts = 128; parts >= 1; parts /= 2) {
        if (largest / parts >= 1 && !(even && parts < SIZES_EVEN))
            sizes[n++] = largest / parts;
        if (parts > 1 && largest / parts >= 2 && !(even && parts <= SIZES_EVEN))
            sizes[n++] = 3 * largest / (2 * parts);
    }
    for (int64_t k = 2; even && k <= SIZES_EVEN; k++)
        sizes[n++] = k * largest / SIZES_EVEN;
    return n;
}

static size_t counts_make(int nodes, int counts[COUNTS_MOST])
{
    size_t n = 0;
    for (int p = 4; p < nodes && n + 1 < COUNTS_MOST; p *= 2)
        counts[n++] = p;
    counts[n++] = nodes;
    return n;
}

/* All points a few times. S does not depend on the number of processes: of more than the least a Scatter is measured at
 * fewer sizes, and twice, as it does not escalate. */
static bool grid_measure(struct course *c, const struct flat_wish *wish)
{
    int counts[COUNTS_MOST];
    int64_t sizes[64];
    size_t n_counts = counts_make(c->s->nodes, counts);
    for (size_t k = 0; k < n_counts; k++)
        for (int gather = 1; gather >= 0; gather--) {
            const enum flat_kind kind = gather ? FLAT_gather : FLAT_scatter;
            size_t n = sizes_make(wish->largest, k == 0, sizes);
            int repetitions = gather || k == 0 ? FIRST : AGAIN;
            for (size_t i = 0; i < n; i++) {
                int lacking = repetitions - (int)point_of(c->found, kind, counts[k], (double)sizes[i])->times.n;
                if (lacking > 0 && !point_measure(c, kind, counts[k], sizes[i], lacking, true)) {
                    c->found->missing = (struct flat_point){.numprocs = counts[k], .bytes = (double)sizes[i]};
                    c->found->missing_kind = kind;
                    return false;
                }
            }
        }
    return true;
}

/* Is the median of a Scatter's times known to the survey's precision, or are all of them that near to each other? */
static bool scatter_is_known(const struct course *c, const struct repeats *times)
{
    struct stopping rule = c->s->rule;
    struct samples samples = SAMPLES_EMPTY;
    double least = INFINITY, most = 0;
    rule.maximum = FLAT_MOST;
    for (size_t i = 0; i < times->n; i++) {
        samples_add(&samples, llround(1e9 * times->t[i]));
        least = fmin(least, times->t[i]);
        most = fmax(most, times->t[i]);
    }
    bool known = most - least <= rule.precision * least || stopping_decide(&rule, &samples, 0) != STOP_go_on;
    samples_free(&samples);
    return known;
}

/* Two times say little of short shares on a quick network: what processors do differs by more than the network does. */
static bool scatters_measure(struct course *c)
{
    struct flat_survey *f = c->found;
    for (size_t i = 0; i < f->n[FLAT_scatter]; i++) {
        const struct flat_point *point = &f->points[FLAT_scatter][i];
        while (!scatter_is_known(c, &point->times) && since(c, c->begin) < c->first_until)
            if (!point_measure(c, FLAT_scatter, point->numprocs, (int64_t)point->bytes, MORE, false))
                return false;
    }
    return true;
}

static bool changes_measure(struct course *c)
{
    struct flat_survey *f = c->found;
    int numprocs;
    double bytes;
    while (since(c, c->begin) < c->first_until &&
           many_to_one_wants(f->n[FLAT_gather], f->points[FLAT_gather], STRIDE, &numprocs, &bytes))
        if (!point_measure(c, FLAT_gather, numprocs, (int64_t)bytes, FIRST, true))
            return false;
    return true;
}

struct edge_context {
    struct course *c;
    int numprocs;
    bool spent;
};

/* Of an edge, as threshold_refine asks for it. NAN: this part of the budget is over. */
static double edge_measure(void *context, double bytes)
{
    struct edge_context *e = context;
    struct course *c = e->c;
    if (since(c, c->begin) >= c->first_until)
        return NAN;
    e->spent = !point_measure(c, FLAT_edge, e->numprocs, (int64_t)bytes, FIRST, true);
    return e->spent ? NAN : flat_point_time(point_of(c->found, FLAT_edge, e->numprocs, bytes));
}

/* [1]: the stride is halved until it is a byte. */
static bool ratios_measure(struct course *c)
{
    int counts[COUNTS_MOST];
    size_t n = counts_make(c->s->nodes, counts);
    struct edge_context edge = {.c = c};
    for (size_t k = 0; k < n && !edge.spent; k++) {
        struct ratio_leap leap;
        const struct many_to_one_input so_far = flat_input(c->found, 0, NULL);
        edge.numprocs = counts[k];
        if (many_to_one_ratio(&so_far, counts[k], &leap))
            threshold_refine(&leap.from, &leap.to, leap.time, THRESHOLD_RATIO, 1, edge_measure, &edge);
    }
    return !edge.spent;
}

static bool shares_measure(struct course *c)
{
    struct flat_survey *f = c->found;
    for (;;) {
        const struct flat_point *worst = NULL;
        double most = FLAT_SHARE;
        for (size_t i = 0; i < f->n[FLAT_gather]; i++) {
            const struct flat_point *point = &f->points[FLAT_gather][i];
            double share = flat_point_uncertainty(point);
            if (point->times.n < FLAT_MOST && share > most)
                most = share, worst = point;
        }
        if (!worst)
            return true;
        if (!point_measure(c, FLAT_gather, worst->numprocs, (int64_t)worst->bytes, MORE, false))
            return false;
    }
}

static size_t points_drop(size_t n, struct flat_point points[])
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (points[i].times.n >= 2)
            points[kept++] = points[i];
        else
            point_free(&points[i]);
    return kept;
}

static void lead(struct course *c, const struct flat_wish *wish)
{
    struct order end = {.expect = 2, .numprocs = -1};
    clocks_sync(c);
    clocks_sync(c);
    c->found->is_whole = grid_measure(c, wish);
    double spent = since(c, c->begin);
    c->first_until = spent + FIRST_PART * (c->budget - spent);
    if (c->found->is_whole && changes_measure(c) && scatters_measure(c) && ratios_measure(c))
        shares_measure(c);
    /* those that the budget ended at before there were two times of them: nothing can be said of their spread */
    for (int kind = 0; kind < N_FLAT_KINDS; kind++)
        c->found->n[kind] = points_drop(c->found->n[kind], c->found->points[kind]);
    hear(c, &end);
    c->found->seconds = since(c, c->begin);
}

void flat_run(struct survey *s, const struct flat_wish *wish, struct flat_survey *found)
{
    found->largest = wish->largest;
    found->rest = wish->rest;
    found->spent = false;
    watch_set(s->job->watch, 5, "making a clock");
    struct course c = {.s = s, .clock = clock_create(s->comm, &(struct clock_options){.sync_time = 0}),
                       .budget = wish->budget, .rest = wish->rest, .found = found};
    c.begin = clock_now(c.clock);
    c.buffer = alloc_zeroed((size_t)(s->rank == 0 ? s->nodes : 1), (size_t)wish->largest);
    if (s->rank == 0)
        lead(&c, wish);
    else
        follow(&c);
    watch_set(s->job->watch, 0, NULL);
    free(c.buffer);
    clock_destroy(c.clock);
}

void flat_free(struct flat_survey *found)
{
    for (int kind = 0; kind < N_FLAT_KINDS; kind++) {
        for (size_t i = 0; i < found->n[kind]; i++)
            point_free(&found->points[kind][i]);
        free(found->points[kind]);
    }
    *found = (struct flat_survey){.is_whole = false};
}
