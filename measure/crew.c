#include "measure/crew.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "measure/tcp.h"
#include "measure/rests.h"
#include "measure/sends.h"
#include "measure/steps.h"
#include "measure/waits.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#define ORDER_LIST(X) X(dismiss) X(sync) X(create) X(destroy) X(run) X(collect) X(probes) X(collective) X(members) \
    X(pause) X(steps) X(rests) X(exchanges) X(behind) X(sends) X(nodes) X(losses) \
    X(waits) X(others)
enum order_kind {
#define X(name) ORDER_##name,
    ORDER_LIST(X)
#undef X
};

/* What rank 0 tells the others; the same program runs on all, so the bytes mean the same. */
struct order {
    enum order_kind kind;
    int series, n, copies, trips, warm;
    enum status status;
    int64_t busy;
    double pause;
    struct series_setup setup;
    struct probes probes;
    struct {
        enum collective op;
        int numprocs;
        int64_t bytes, rest;
        struct stopping rule;
    } collective;
    struct {
        int nodes;
        enum steps_wanted wanted;
        int n;
        int64_t rest;
    } steps;
    struct {
        int n;
        int64_t rest;
    } rests;
    struct {
        int pairs;
        int64_t bytes;
        double one_way;
    } exchanges;
    struct {
        struct exchanges_behind what;
        double one_way;
    } behind;
    struct {
        int pairs;
        int64_t bytes, most;
        double seconds, drains;
    } sends;
    struct {
        struct waits what;
        double drains;
    } waits;
};

/* While rank 0 thinks, the others wait for this long at most, s, and the watch's grace. */
static const double ORDER_WAIT = 1;

/* s that one synchronisation should take; the first one, which connects and learns, longer. */
static const double SYNC_FIRST = 1.5, SYNC_LATER = 1;

/* s of repetitions in one order: when they are done a rank that has no part in them is heard of too. */
static const double RUN_MOST = 0.6;

static void order_share(struct crew *crew, struct order *order)
{
    watch_set(crew->job->watch, ORDER_WAIT + crew->pause, "waiting for rank 0");
    share_broadcast(crew->job->comm, order, (int)sizeof *order, 0);
    watch_set(crew->job->watch, 0, NULL);
    crew->pause = order->kind == ORDER_pause ? order->pause : 0;
}

/* ---- what everybody does ---- */

static void do_sync(struct crew *crew)
{
    watch_set(crew->job->watch, crew->synchronised ? SYNC_LATER : SYNC_FIRST, "synchronising the clocks");
    clock_sync(crew->job->clock);
    crew->synchronised = true;
    watch_set(crew->job->watch, 0, NULL);
}

static void do_run(struct crew *crew, const struct order *order)
{
    struct series_setup *setup = series_setup(crew->series[order->series]);
    setup->busy = order->busy;
    setup->shape.copies = order->copies;
    setup->trips = order->trips;
    setup->warm = order->warm;
    series_run(crew->series[order->series], order->n);
}

static void do_destroy(struct crew *crew, int series)
{
    series_destroy(crew->series[series]);
    crew->series[series] = NULL;
}

static enum status do_collective(struct crew *crew, const struct order *order, struct collective_times *times,
                                 struct diags *diags)
{
    const struct job *job = crew->job;
    bool takes_part = job->place >= 0 && job->place < order->collective.numprocs;
    enum status status = STATUS_OK;
    MPI_Comm some;
    watch_set(job->watch, 0.5, "agreeing on a collective");
    MPI_Comm_split(job->comm, takes_part ? 0 : MPI_UNDEFINED, job->place, &some);
    struct collective_rest rest = {.idle_ns = order->collective.rest, .all = job->comm, .watch = job->watch};
    status = collective_measure(job->clock, some, order->collective.op, order->collective.bytes,
                                &order->collective.rule, &rest, times, diags);
    if (takes_part)
        MPI_Comm_free(&some);
    watch_set(job->watch, 0.5, "waiting for those in a collective");
    share_barrier(job->comm);
    watch_set(job->watch, 0, NULL);
    return status;
}

/* Ends a step in which some ranks took samples, and frees them: on rank 0 those of all in *all, NULL on the others. */
static void samples_gather(const struct crew *crew, struct samples *own, struct samples *all)
{
    const struct job *job = crew->job;
    share_barrier(job->comm);
    share_samples(job->comm, own, all);
    watch_set(job->watch, 0, NULL);
    samples_free(own);
}

static void do_steps(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct job *job = crew->job;
    struct samples own;
    samples_init(&own);
    watch_set(job->watch, 0.5 + steps_duration(job, order->steps.n, order->steps.rest),
              "exchanging messages step by step");
    steps_run(job, order->steps.nodes, order->steps.wanted, order->steps.n, order->steps.rest, &own);
    samples_gather(crew, &own, all);
}

static void do_probes(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct probes *probes = &order->probes;
    struct samples own;
    samples_init(&own);
    /* A message that is not eager takes its time: at 8 Mbit/s, or faster, and all of them on one network. */
    watch_set(crew->job->watch, (double)probes->delay * 1e-9 + 0.5 + (double)probes->n * (double)probes->high / 1e6,
              "looking for the eager limit");
    probes_run(crew->job, probes, &own);
    samples_gather(crew, &own, all);
}

static void do_rests(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct job *job = crew->job;
    struct samples own;
    samples_init(&own);
    watch_set(job->watch, 0.4 + rests_duration(order->rests.n, order->rests.rest), "sending messages after rests");
    rests_run(job, order->rests.n, order->rests.rest, &own);
    samples_gather(crew, &own, all);
}

static void do_exchanges(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct job *job = crew->job;
    struct samples own;
    samples_init(&own);
    watch_set(job->watch, 0.4 + 2 * exchanges_duration(order->exchanges.one_way), "exchanging large messages");
    exchanges_run(job, order->exchanges.pairs, order->exchanges.bytes, &own);
    samples_gather(crew, &own, all);
}

static void do_behind(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct job *job = crew->job;
    const struct exchanges_behind *what = &order->behind.what;
    struct samples own;
    samples_init(&own);
    watch_set(job->watch, 0.4 + 2 * exchanges_behind_duration(what->delay, order->behind.one_way), "exchanging large messages");
    exchanges_behind_run(job, what, &own);
    samples_gather(crew, &own, all);
}

static void do_sends(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct job *job = crew->job;
    struct samples own;
    samples_init(&own);
    watch_set(job->watch, 0.5 + 2 * order->sends.seconds + 3 * order->sends.drains, "sending behind one another");
    sends_run(job, order->sends.pairs, order->sends.bytes, order->sends.most, order->sends.seconds,
              order->sends.drains, &own);
    samples_gather(crew, &own, all);
}

static void do_waits(struct crew *crew, const struct order *order, struct samples *all)
{
    const struct job *job = crew->job;
    struct samples own;
    samples_init(&own);
    watch_set(job->watch, 0.5 + 2 * waits_duration(&order->waits.what) + order->waits.drains, "keeping a port full");
    waits_run(job, &order->waits.what, &own);
    samples_gather(crew, &own, all);
}

/* job->order of rank 0 is everybody's. */
static void do_nodes(struct crew *crew)
{
    const struct job *job = crew->job;
    watch_set(job->watch, 0.5, "hearing of the order of nodes");
    share_broadcast(job->comm, job->order, job->nodes * (int)sizeof *job->order, 0);
    watch_set(job->watch, 0, NULL);
}

static void do_members(struct crew *crew, struct crew_member members[])
{
    const struct job *job = crew->job;
    struct crew_member mine = {.bound_ns = 0};
    clock_block_bounds(job->clock, &mine.bound_ns, &mine.limit_ns);
    snprintf(mine.clocksource, sizeof mine.clocksource, "%s", clock_quality(job->clock).source);
    struct utsname name;
    if (uname(&name) == 0) {
        snprintf(mine.host, sizeof mine.host, "%s", name.nodename);
        snprintf(mine.kernel, sizeof mine.kernel, "%s %s %s", name.sysname, name.release, name.machine);
    }
    struct crew_member *all = job->rank == 0 ? alloc_array((size_t)job->size, sizeof *all) : NULL;
    watch_set(job->watch, 0.5, "gathering what hosts say of themselves");
    share_barrier(job->comm);
    MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, 0, job->comm);
    for (int place = 0; all && place < job->nodes * job->ppn; place++)
        members[place] = all[job->rank_of[place]];
    watch_set(job->watch, 0, NULL);
    free(all);
}

static void do_losses(struct crew *crew, int64_t lost[])
{
    const struct job *job = crew->job;
    const int64_t mine = tcp_losses();
    int64_t *all = job->rank == 0 ? alloc_array((size_t)job->size, sizeof *all) : NULL;
    watch_set(job->watch, 0.5, "gathering what connections have lost");
    share_barrier(job->comm);
    MPI_Gather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, job->comm);
    for (int place = 0; all && place < job->nodes * job->ppn; place++)
        lost[place] = all[job->rank_of[place]];
    watch_set(job->watch, 0, NULL);
    free(all);
}

enum status crew_follow(struct crew *crew)
{
    assert(crew->job->rank > 0);
    for (;;) {
        struct order order;
        order_share(crew, &order);
        switch (order.kind) {
        case ORDER_dismiss: return order.status;
        case ORDER_sync: do_sync(crew); break;
        case ORDER_create: crew->series[order.series] = series_create(crew->job, &order.setup); break;
        case ORDER_destroy: do_destroy(crew, order.series); break;
        case ORDER_run: do_run(crew, &order); break;
        case ORDER_collect: {
            size_t n;
            series_collect(crew->series[order.series], &n);
            break;
        }
        case ORDER_probes: do_probes(crew, &order, NULL); break;
        case ORDER_collective: {
            struct diags diags = DIAGS_EMPTY; /* rank 0 has the same */
            struct collective_times times;
            collective_times_init(&times);
            do_collective(crew, &order, &times, &diags);
            collective_times_free(&times);
            diags_free(&diags);
            break;
        }
        case ORDER_members: do_members(crew, NULL); break;
        case ORDER_pause: break;
        case ORDER_steps: do_steps(crew, &order, NULL); break;
        case ORDER_rests: do_rests(crew, &order, NULL); break;
        case ORDER_exchanges: do_exchanges(crew, &order, NULL); break;
        case ORDER_behind: do_behind(crew, &order, NULL); break;
        case ORDER_sends: do_sends(crew, &order, NULL); break;
        case ORDER_nodes: do_nodes(crew); break;
        case ORDER_losses: do_losses(crew, NULL); break;
        case ORDER_waits: do_waits(crew, &order, NULL); break;
        case ORDER_others: others_gather(crew->others); break;
        }
    }
}

/* ---- rank 0 ---- */

void crew_dismiss(struct crew *crew, enum status status)
{
    struct order order = {.kind = ORDER_dismiss, .status = status};
    order_share(crew, &order);
}

void crew_sync(struct crew *crew)
{
    struct order order = {.kind = ORDER_sync};
    order_share(crew, &order);
    do_sync(crew);
}

void crew_pause(struct crew *crew, double seconds)
{
    struct order order = {.kind = ORDER_pause, .pause = seconds};
    order_share(crew, &order);
}

int crew_series_create(struct crew *crew, const struct series_setup *setup)
{
    struct order order = {.kind = ORDER_create, .setup = *setup};
    while (crew->series[order.series]) {
        order.series++;
        assert(order.series < CREW_SERIES);
    }
    order_share(crew, &order);
    crew->series[order.series] = series_create(crew->job, setup);
    return order.series;
}

void crew_series_destroy(struct crew *crew, int series)
{
    struct order order = {.kind = ORDER_destroy, .series = series};
    order_share(crew, &order);
    do_destroy(crew, series);
}

void crew_series_chain(struct crew *crew, int series, int trips, int warm)
{
    struct series_setup *setup = series_setup(crew->series[series]);
    setup->trips = trips;
    setup->warm = warm;
}

void crew_series_run(struct crew *crew, int series, int n, int64_t busy, int copies)
{
    struct series_setup *setup = series_setup(crew->series[series]);
    struct order order = {.kind = ORDER_run, .series = series, .busy = busy, .copies = copies,
                          .trips = setup->trips, .warm = setup->warm};
    setup->busy = busy;
    const int most = (int)fmin(fmax(1, RUN_MOST / series_duration(crew->series[series], 1)), n);
    for (; n > 0; n -= order.n) {
        order.n = n < most ? n : most;
        order_share(crew, &order);
        do_run(crew, &order);
    }
}

const struct series_message *crew_series_collect(struct crew *crew, int series, size_t *n)
{
    struct order order = {.kind = ORDER_collect, .series = series};
    order_share(crew, &order);
    return series_collect(crew->series[series], n);
}

void crew_probes(struct crew *crew, const struct probes *probes, struct samples *all)
{
    struct order order = {.kind = ORDER_probes, .probes = *probes};
    order_share(crew, &order);
    do_probes(crew, &order, all);
}

enum status crew_collective(struct crew *crew, enum collective op, int numprocs, int64_t bytes,
                            const struct stopping *rule, int64_t rest, struct collective_times *times,
                            struct diags *diags)
{
    struct order order = {.kind = ORDER_collective, .collective = {op, numprocs, bytes, rest, *rule}};
    order_share(crew, &order);
    return do_collective(crew, &order, times, diags);
}

void crew_steps(struct crew *crew, int nodes, enum steps_wanted wanted, int n, int64_t rest, struct samples *all)
{
    struct order order = {.kind = ORDER_steps, .steps = {nodes, wanted, n, rest}};
    order_share(crew, &order);
    do_steps(crew, &order, all);
}

void crew_rests(struct crew *crew, int n, int64_t rest, struct samples *all)
{
    struct order order = {.kind = ORDER_rests, .rests.rest = rest};
    const int most = (int)fmax(1, RUN_MOST / rests_duration(1, rest));
    for (; n > 0; n -= order.rests.n) {
        order.rests.n = n < most ? n : most;
        order_share(crew, &order);
        do_rests(crew, &order, all);
    }
}

void crew_exchanges(struct crew *crew, int pairs, int64_t bytes, double one_way, struct samples *all)
{
    struct order order = {.kind = ORDER_exchanges, .exchanges = {pairs, bytes, one_way}};
    order_share(crew, &order);
    do_exchanges(crew, &order, all);
}

void crew_behind(struct crew *crew, const struct exchanges_behind *behind, double one_way, struct samples *all)
{
    struct order order = {.kind = ORDER_behind, .behind = {*behind, one_way}};
    order_share(crew, &order);
    do_behind(crew, &order, all);
}

void crew_sends(struct crew *crew, int pairs, int64_t bytes, int64_t most, double seconds, double drains,
                struct samples *all)
{
    struct order order = {.kind = ORDER_sends, .sends = {pairs, bytes, most, seconds, drains}};
    order_share(crew, &order);
    do_sends(crew, &order, all);
}

void crew_waits(struct crew *crew, const struct waits *waits, double drains, struct samples *all)
{
    struct order order = {.kind = ORDER_waits, .waits = {*waits, drains}};
    order_share(crew, &order);
    do_waits(crew, &order, all);
}

void crew_order_nodes(struct crew *crew, const int order[])
{
    struct order told = {.kind = ORDER_nodes};
    memcpy(crew->job->order, order, (size_t)crew->job->nodes * sizeof *order);
    order_share(crew, &told);
    do_nodes(crew);
}

void crew_members(struct crew *crew, struct crew_member members[])
{
    struct order order = {.kind = ORDER_members};
    order_share(crew, &order);
    do_members(crew, members);
}

void crew_losses(struct crew *crew, int64_t lost[])
{
    struct order order = {.kind = ORDER_losses};
    order_share(crew, &order);
    do_losses(crew, lost);
}

void crew_others(struct crew *crew)
{
    struct order order = {.kind = ORDER_others};
    order_share(crew, &order);
    others_gather(crew->others);
}
