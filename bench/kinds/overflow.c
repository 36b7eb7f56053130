/* Bursts that meet at one port, or at one trunk, longer and longer, until its buffer overflows. */
#include "bench/kinds/kinds.h"

#include "bench/bursts.h"
#include "bench/gaps.h"
#include "bench/places.h"
#include "bench/waited.h"
#include "common/alloc.h"
#include "estimate/machine/overflow_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE_SEEN "none was seen"
#define NOT_ASKED "not asked"

enum {
    OVERFLOW_BURSTS = 9, /* of one backlog */
    CLIMB_BURSTS = 4,    /* ... on the way up: beyond the buffer nearly all lose something */
    REFINED = 3,         /* halvings of the interval in which the buffer lies */
    FIRST_BYTES = 2048,  /* messages with which the search begins: a buffer holds two frames */
    FIRST_WINDOW = 10,   /* frames with which a connection begins, also after a rest (RFC 6928) */
    OPEN_WINDOW = 17     /* ... and to which any slow start goes: HyStart looks from 16 on (Linux, tcp_cubic.c) */
};
static const double WINDOW_USED = 2.0 / 3; /* at least, of a window: Linux, tcp_tso_should_defer */
static const double STEP = 1.12;         /* from one backlog to the next: where few connections are left nothing halves
                                          * it */
static const double LATE_LEAST = 5e-3;   /* s: no scheduler, but any timeout of TCP */
static const double OVERFLOW_COST = 5;   /* s: expected of all */

/* What bursts meet at. */
struct funnel {
    bool is_trunk; /* all nodes of a group send through its trunk; else `senders` to one node */
    int senders;   /* at once; of a trunk all nodes of `group` */
    int group;
    bool *careful; /* [nodes][nodes] connections that have lost packets: for long after they send no more at once than came
                    * through, so their bursts tell nothing */
};

/* All bursts so far. */
struct bursts {
    size_t n, capacity;
    struct overflow_burst *list;
};

/* What a message of so many bytes keeps a trunk busy for, whose other way has nothing to acknowledge: the mean of all. NaN: not
 * measured. */
static double trunk_gap_at(const struct campaign *c, double bytes)
{
    double sum = 0;
    int n = 0;
    for (size_t group = 0; group < c->n_groups; group++) {
        const struct class_ports *trunk = &c->result->trunks[group];
        if (trunk->n < 2)
            continue;
        const struct port_point *low = &trunk->points[0], *high = &trunk->points[trunk->n - 1];
        const double from = low->gap[PORT_OUT], to = high->gap[PORT_OUT];
        sum += from + (to - from) * (bytes - (double)low->bytes) / (double)(high->bytes - low->bytes);
        n++;
    }
    return n > 0 ? sum / n : NAN;
}

/* What a message keeps a port of the class busy for that is being measured. */
static double port_gap(const struct campaign *c, double bytes)
{
    return campaign_gap_guess(c, (int64_t)bytes) * c->classes[c->class].slower;
}

/* In how many messages a sender's bytes go through a trunk, each to another node: no connection's window keeps any of them back. */
static int messages_of(const struct campaign *c, double bytes)
{
    const double frames = c->result->frame > 0 ? ceil(bytes / c->result->frame) : 0;
    const int wanted = (int)ceil(frames / FIRST_WINDOW), most = c->crew->job->nodes / 2;
    return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

/* What a sender's bytes keep a trunk busy for, and its own port, were it one of the quickest. */
struct burden {
    double trunk, port;
};

static struct burden burden_of(const struct campaign *c, double bytes)
{
    const int n = messages_of(c, bytes);
    return (struct burden){n * trunk_gap_at(c, bytes / n), n * campaign_gap_guess(c, (int64_t)(bytes / n))};
}

static double trunk_backlog(const struct campaign *c, int group, double bytes)
{
    const struct burden burden = burden_of(c, bytes);
    double *port = alloc_array((size_t)c->crew->job->nodes, sizeof *port);
    size_t n = 0;
    for (int node = 0; node < c->crew->job->nodes; node++)
        if (c->group_of[node] == group)
            port[n++] = burden.port * c->classes[c->class_of[node]].slower;
    const double backlog = overflow_trunk_backlog(n, port, burden.trunk, c->result->credit);
    free(port);
    return backlog;
}

/* How much longer a burst takes than one message: what all of it keeps the funnel busy for, less what passes until one is there.
 * What idle ports save up brings it sooner; an in port has saved up as much, of a trunk nothing of the kind is known. */
static double wait_of(const struct campaign *c, const struct funnel *funnel, double bytes)
{
    if (!funnel->is_trunk)
        return (funnel->senders - 1) * port_gap(c, bytes);
    return funnel->senders * burden_of(c, bytes).trunk - fmax(0, port_gap(c, bytes / messages_of(c, bytes)) - c->result->credit);
}

/* How far behind the funnel is at most: as long as a burst waits there, but where windows let some of it come later. */
static double backlog_of(const struct campaign *c, const struct funnel *funnel, double bytes)
{
    const double frames = c->result->frame > 0 ? ceil(bytes / c->result->frame) : 0;
    if (funnel->is_trunk)
        return trunk_backlog(c, funnel->group, bytes);
    if (frames <= FIRST_WINDOW)
        return wait_of(c, funnel, bytes);
    return overflow_backlog(funnel->senders, frames, FIRST_WINDOW, port_gap(c, bytes) / frames);
}

/* Whether a burst of such messages tells what it leaves in the port: where all frames leave as fast as their hosts
 * pass them, for none waits for an acknowledgement. When a sender has sent f of them the port has passed f / senders
 * of its own, so the rest must be under way; and a host sends on only where a third of the window is free. */
static bool burst_tells(const struct campaign *c, const struct funnel *funnel, int64_t bytes)
{
    const double frames = c->result->frame > 0 ? ceil((double)bytes / c->result->frame) : 0;
    const double passed = frames / funnel->senders, window = fmin(OPEN_WINDOW, FIRST_WINDOW + passed);
    return frames > 0 && (frames <= FIRST_WINDOW || frames - passed <= window * WINDOW_USED);
}

/* The message size at which a funnel is `backlog` behind; -1: none below the eager limit. */
static int64_t bytes_for(const struct campaign *c, const struct funnel *funnel, double backlog)
{
    int64_t limit = c->result->eager_limit, most = c->sizes[c->n_sizes - 1].bytes;
    double low = 0, high = (double)(limit < most ? limit : most);
    if (!(backlog_of(c, funnel, high) >= backlog))
        return -1;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (backlog_of(c, funnel, middle) < backlog)
            low = middle;
        else
            high = middle;
    }
    return (int64_t)ceil(high);
}

static double quickest_at(const struct campaign *c, int64_t bytes)
{
    size_t i = 1;
    while (i + 1 < c->n_sizes && c->sizes[i].bytes < bytes)
        i++;
    if (c->n_sizes == 1)
        return c->sizes[0].one_way;
    const struct size_info *low = &c->sizes[i - 1], *high = &c->sizes[i];
    return low->one_way +
           (high->one_way - low->one_way) * (double)(bytes - low->bytes) / (double)(high->bytes - low->bytes);
}

/* One message between nodes of the class that is being measured. */
static double one_way_at(const struct campaign *c, int64_t bytes)
{
    return quickest_at(c, bytes) * c->classes[c->class].slower;
}

/* From the first call of a burst to its last end. */
static double time_of(const struct campaign *c, const struct funnel *funnel, int64_t bytes)
{
    const int n = funnel->is_trunk ? messages_of(c, (double)bytes) : 1;
    return one_way_at(c, bytes / n) + wait_of(c, funnel, (double)bytes);
}

/* Whether groups may run at once: where that was seen at the nearest larger size. */
static bool copies_at(const struct campaign *c, int64_t bytes)
{
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes >= bytes)
            return c->sizes[i].copies;
    return c->sizes[c->n_sizes - 1].copies;
}

/* Which of the funnels at work a message passes. */
static int funnel_of(const struct campaign *c, const struct funnel *funnel, const struct series_message *m)
{
    return funnel->is_trunk ? c->group_of[m->from / c->crew->job->ppn] : m->copy;
}

static struct funnel trunk_of(const struct campaign *c, int group, bool *careful)
{
    struct funnel trunk = {.is_trunk = true, .group = group, .careful = careful};
    for (int node = 0; node < c->crew->job->nodes; node++)
        trunk.senders += c->group_of[node] == group;
    return trunk;
}

static struct funnel own_of(const struct campaign *c, const struct funnel *funnel, int which)
{
    return funnel->is_trunk ? trunk_of(c, which, funnel->careful) : *funnel;
}

static void burst_add(struct bursts *bursts, struct overflow_burst burst)
{
    bursts->list = alloc_grow(bursts->list, bursts->n, &bursts->capacity, sizeof *bursts->list);
    bursts->list[bursts->n++] = burst;
}

static bool *careful_at(const struct campaign *c, const struct funnel *funnel, const struct series_message *m)
{
    const int ppn = c->crew->job->ppn;
    return &funnel->careful[(m->from / ppn) * c->crew->job->nodes + m->to / ppn];
}

/* What the hosts of the job have counted: in the repetition that was run last, and before it. */
struct counted {
    size_t places;
    int64_t *before, *now; /* [places]; -1: that host does not count */
};

static void counted_begin(struct campaign *c, struct counted *counted)
{
    const struct job *job = c->crew->job;
    counted->places = (size_t)(job->nodes * job->ppn);
    counted->before = alloc_array(counted->places, sizeof *counted->before);
    counted->now = alloc_array(counted->places, sizeof *counted->now);
    crew_losses(c->crew, counted->now);
}

static void counted_take(struct campaign *c, struct counted *counted)
{
    memcpy(counted->before, counted->now, counted->places * sizeof *counted->now);
    crew_losses(c->crew, counted->now);
}

static void counted_end(struct counted *counted)
{
    free(counted->before);
    free(counted->now);
}

static enum overflow_counted counted_of(const struct counted *counted, int place)
{
    if (counted->now[place] < 0)
        return OVERFLOW_not_counted;
    return counted->now[place] > counted->before[place] ? OVERFLOW_something_lost : OVERFLOW_nothing_lost;
}

/* A burst of messages that pass one funnel in one repetition, from `first` on. */
struct burst {
    double time;
    bool counts; /* all its messages do, and none of its connections had lost packets */
    enum overflow_counted counted; /* something, if one of its senders has lost something */
};

static struct burst burst_read(const struct campaign *c, const struct funnel *funnel, const struct counted *counted,
                               const struct series_message messages[], size_t n, size_t first)
{
    const int which = funnel_of(c, funnel, &messages[first]);
    int64_t call = INT64_MAX, last = INT64_MIN;
    struct burst burst = {.counts = true, .counted = OVERFLOW_nothing_lost};
    for (size_t i = first; i < n && messages[i].repetition == messages[first].repetition; i++) {
        if (funnel_of(c, funnel, &messages[i]) != which)
            continue;
        const enum overflow_counted sender = counted_of(counted, messages[i].from);
        if (sender == OVERFLOW_something_lost || burst.counted == OVERFLOW_nothing_lost)
            burst.counted = sender;
        call = messages[i].call < call ? messages[i].call : call;
        last = messages[i].end > last ? messages[i].end : last;
        burst.counts = burst.counts && messages[i].valid && !*careful_at(c, funnel, &messages[i]);
    }
    burst.time = (double)(last - call) * 1e-9;
    return burst;
}

/* Whose connections are careful from now on: those that have lost something, where that is known, else all of the
 * burst. */
static void burst_was_lost(const struct campaign *c, const struct funnel *funnel, const struct counted *counted,
                           const struct series_message messages[], size_t n, size_t first)
{
    const int which = funnel_of(c, funnel, &messages[first]);
    for (size_t i = first; i < n && messages[i].repetition == messages[first].repetition; i++)
        if (funnel_of(c, funnel, &messages[i]) == which &&
            counted_of(counted, messages[i].from) != OVERFLOW_nothing_lost)
            *careful_at(c, funnel, &messages[i]) = true;
}

/* Messages of a funnel stand together in each repetition. Several trunks are used at once, and a late burst at one delays
 * those at others that count all the same: they are late by themselves. */
static void bursts_read(const struct campaign *c, const struct funnel *funnel, const struct counted *counted,
                        struct bursts *bursts, const struct series_message messages[], size_t n, int64_t bytes)
{
    for (size_t i = 0; i < n; i++) {
        const bool is_first = i == 0 || messages[i].repetition != messages[i - 1].repetition ||
                              funnel_of(c, funnel, &messages[i]) != funnel_of(c, funnel, &messages[i - 1]);
        if (!is_first)
            continue;
        const struct burst read = burst_read(c, funnel, counted, messages, n, i);
        const struct funnel own = own_of(c, funnel, funnel_of(c, funnel, &messages[i]));
        const struct overflow_burst burst = {backlog_of(c, &own, (double)bytes), read.time - time_of(c, &own, bytes), read.counted};
        if (read.counts)
            burst_add(bursts, burst);
        if (overflow_happened(&burst, LATE_LEAST))
            burst_was_lost(c, funnel, counted, messages, n, i);
    }
}

/* Which nodes send through their trunks, and to whom. */
struct crossing {
    int senders; /* the first of all, in the order of this turn; the others only receive */
    int step;    /* the i-th sends to the one i + step after these, in turn, and, what it has more of, to those behind that */
};

static struct series_setup burst_setup(const struct campaign *c, const struct funnel *funnel, const struct crossing *crossing,
                                       int64_t bytes)
{
    const int close = campaign_crowd(c);
    struct series_setup setup = {.pattern = PATTERN_fan_in,
                                 .shape = campaign_shape(c, c->n_groups > 1 ? close : funnel->senders + 1, 1),
                                 .kind = SEND_NONBLOCKING, .bytes = bytes, .rest = c->rest,
                                 .late = campaign_late(c, wait_of(c, funnel, (double)bytes))};
    setup.shape.burst = funnel->senders;
    if (funnel->is_trunk) {
        setup.pattern = PATTERN_fan_out;
        setup.shape = campaign_shape(c, c->crew->job->nodes, 1);
        setup.shape.burst = messages_of(c, (double)bytes);
        setup.bytes = bytes / setup.shape.burst;
        setup.shape.across = crossing->senders;
        setup.shape.step = crossing->step;
    }
    return setup;
}

static bool may_go_on(const struct campaign *c)
{
    return campaign_left(c) > 0 && campaign_now() < c->task_ends;
}

static int copies_of(const struct campaign *c, const struct funnel *funnel, const struct shape *shape, int64_t bytes)
{
    return !funnel->is_trunk && copies_at(c, bytes) ? shape_groups(shape) : 1;
}

static size_t bursts_lost(const struct bursts *bursts, size_t first)
{
    size_t lost = 0;
    for (size_t i = first; i < bursts->n; i++)
        lost += overflow_happened(&bursts->list[i], LATE_LEAST);
    return lost;
}

/* No other one is needed. */
static bool bursts_suffice(const struct bursts *bursts, size_t first)
{
    return overflow_judge(bursts_lost(bursts, first), bursts->n - first, false) == OVERFLOW_usual;
}

static enum overflow_seen bursts_judge(const struct bursts *bursts, size_t first)
{
    const bool counted = bursts->n > first && bursts->list[first].counted != OVERFLOW_not_counted;
    return overflow_judge(bursts_lost(bursts, first), bursts->n - first, counted);
}

/* Bursts of one series; those of a connection's first loss count, not those after. Each is run alone, for one that
 * loses packets takes longer, and none once enough have lost something: those connections are lost for the search. */
static void series_measure(struct campaign *c, const struct funnel *funnel, struct bursts *bursts,
                           const struct crossing *crossing, int64_t bytes, int wanted)
{
    const struct series_setup setup = burst_setup(c, funnel, crossing, bytes);
    const int copies = copies_of(c, funnel, &setup.shape, bytes);
    const double expected = time_of(c, funnel, bytes);
    const size_t first = bursts->n;
    size_t n, read = 0;
    struct counted counted;
    const int series = crew_series_create(c->crew, &setup);
    counted_begin(c, &counted);
    for (int done = 0; done < wanted && !bursts_suffice(bursts, first) && may_go_on(c); done += copies) {
        crew_series_run(c->crew, series, 1, (int64_t)((1.2 * expected + 1e-3) * 1e9), copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        counted_take(c, &counted);
        bursts_read(c, funnel, &counted, bursts, messages + read, n - read, bytes);
        read = n;
    }
    counted_end(&counted);
    crew_series_destroy(c->crew, series);
}

/* The groups of nodes, those of one group of groups by turns with those of the others, so that few of one cross its further trunk
 * at once. [n_groups]; the caller frees it. */
static int *groups_by_turns(const struct campaign *c)
{
    const int groups = (int)c->n_groups, all = groups + (int)c->result->n_outer;
    int *list = alloc_array((size_t)groups, sizeof *list), *taken = alloc_zeroed((size_t)all, sizeof *taken), n = 0;
    int *rank = alloc_array((size_t)groups, sizeof *rank);
    for (int group = 0; group < groups; group++) {
        int top = group;
        while (c->result->above[top] >= 0)
            top = c->result->above[top];
        rank[group] = taken[top]++;
    }
    for (int turn = 0; n < groups; turn++)
        for (int group = 0; group < groups; group++)
            if (rank[group] == turn)
                list[n++] = group;
    free(rank);
    free(taken);
    return list;
}

/* Whether a trunk of a group of groups is slower than those of its groups are: then it is what bursts overflow. */
static bool outer_is_slower(const struct campaign *c)
{
    const struct result *result = c->result;
    for (size_t group = result->n_groups; group < result->n_groups + result->n_outer; group++) {
        const struct class_ports *trunk = &result->trunks[group];
        if (trunk->n > 0 && trunk->points[trunk->n - 1].gap[PORT_OUT] > trunk_gap_at(c, (double)trunk->points[trunk->n - 1].bytes))
            return true;
    }
    return false;
}

/* From now on patterns take whole groups first, from the turn-th on, as many as have no more than half of all nodes; returns how many
 * nodes these have. 0: the first one of them has more. */
static int half_first(struct campaign *c, int turn)
{
    const int nodes = c->crew->job->nodes, groups = (int)c->n_groups;
    int *order = alloc_array((size_t)nodes, sizeof *order), *list = groups_by_turns(c), n = 0, half = 0;
    for (int i = 0; i < groups; i++) {
        const bool all_fit = half == n;
        for (int node = 0; node < nodes; node++)
            if (c->group_of[node] == list[(turn + i) % groups])
                order[n++] = node;
        if (all_fit && n <= nodes / 2)
            half = n;
    }
    campaign_order_from(c, nodes, order);
    free(list);
    free(order);
    return half;
}

/* Groups send to others that only receive, for acknowledgements that met other bursts on their way back would come late, and what
 * waits for them leave late: then a trunk is less far behind than these bursts would bring it. The groups that send take turns, and
 * of each node one connection comes after another, if it has lost nothing yet. */
static void trunk_bursts_measure(struct campaign *c, const struct funnel *funnel, struct bursts *bursts, int64_t bytes, int wanted)
{
    const size_t first = bursts->n;
    const int nodes = c->crew->job->nodes, messages = messages_of(c, (double)bytes);
    for (int step = 1; step < nodes; step += messages) /* not from 0 on: some of these the search for groups has used */
        for (int turn = 0; turn < (int)c->n_groups; turn++) {
            if (bursts->n - first >= (size_t)wanted || bursts_suffice(bursts, first) || !may_go_on(c))
                return;
            const struct crossing crossing = {.senders = half_first(c, turn), .step = step};
            if (crossing.senders > 0 && step < nodes - crossing.senders)
                series_measure(c, funnel, bursts, &crossing, bytes, 1);
        }
}

/* Adds bursts of one backlog; returns whether it overflows there. */
static enum overflow_seen backlog_measure(struct campaign *c, const struct funnel *funnel, struct bursts *bursts,
                                          double backlog, int wanted)
{
    const int64_t bytes = bytes_for(c, funnel, backlog);
    const size_t first = bursts->n;
    if (funnel->is_trunk)
        trunk_bursts_measure(c, funnel, bursts, bytes, wanted);
    else
        series_measure(c, funnel, bursts, NULL, bytes, wanted);
    const enum overflow_seen seen = bursts_judge(bursts, first);
    campaign_log(c, "%s%d senders of %lld bytes, %.2f ms behind: %zu bursts, %zu lost something: %s",
                 funnel->is_trunk ? "through a trunk, " : "", funnel->senders, (long long)bytes, backlog * 1e3,
                 bursts->n - first, bursts_lost(bursts, first), overflow_seen_text(seen));
    return seen;
}

/* Whether one was late for certain because it lost something, and not because the machine stood still. */
static bool bursts_surely_lost(const struct bursts *bursts, size_t first)
{
    for (size_t i = first; i < bursts->n; i++)
        if (bursts->list[i].counted == OVERFLOW_something_lost || overflow_timed_out(&bursts->list[i]))
            return true;
    return false;
}

/* Where hosts count losses that is that. Else copies of a burst that run at one moment are late together where the
 * machine stood still; of what overflows at least one does so again with other connections. If none does, those bursts
 * tell nothing. Where too few connections are left, they are believed; and where one was late by a timeout, for the
 * connections that are left are those that lose nothing so easily. */
static enum overflow_seen backlog_climb(struct campaign *c, const struct funnel *funnel, struct bursts *bursts,
                                        double backlog)
{
    const size_t first = bursts->n;
    const enum overflow_seen seen = backlog_measure(c, funnel, bursts, backlog, CLIMB_BURSTS);
    const size_t again = bursts->n;
    if (seen != OVERFLOW_usual || bursts_surely_lost(bursts, first) ||
        backlog_measure(c, funnel, bursts, backlog, OVERFLOW_BURSTS) != OVERFLOW_none || bursts_lost(bursts, again) > 0)
        return seen;
    memmove(&bursts->list[first], &bursts->list[again], (bursts->n - again) * sizeof *bursts->list);
    bursts->n -= again - first;
    return OVERFLOW_none;
}

/* Backlogs in steps until it overflows, then between the last without and the first with losses. Nothing beyond: a
 * connection that has lost packets sends more cautiously for long after. Returns the largest without. */
static double funnel_measure(struct campaign *c, const struct funnel *funnel, struct bursts *bursts)
{
    double low = 0, high = 0;
    for (double backlog = backlog_of(c, funnel, FIRST_BYTES);
         high <= 0 && bytes_for(c, funnel, backlog) >= 0 && may_go_on(c); backlog *= STEP) {
        const enum overflow_seen seen = backlog_climb(c, funnel, bursts, backlog);
        if (seen != OVERFLOW_unsure)
            *(seen == OVERFLOW_usual ? &high : &low) = backlog;
    }
    for (int i = 0; i < REFINED && low > 0 && high > 0 && may_go_on(c); i++) {
        const double middle = (low + high) / 2;
        const enum overflow_seen seen = backlog_measure(c, funnel, bursts, middle, OVERFLOW_BURSTS);
        if (seen == OVERFLOW_unsure) /* nearly all connections have lost something */
            break;
        *(seen == OVERFLOW_usual ? &high : &low) = middle;
    }
    return low;
}

/* How late messages are at what is further behind than its buffer holds: those that went through count as well. */
static void delays_take(struct campaign *c, const struct bursts *bursts, double buffer)
{
    for (size_t i = 0; i < bursts->n; i++)
        if (bursts->list[i].backlog > buffer)
            histogram_add(&c->result->overflow, (int64_t)(fmax(0, bursts->list[i].late) * 1e9), 1);
}

static double overflow_cost(const struct campaign *c, const struct task *task)
{
    (void)task;
    return OVERFLOW_COST + 200 * (double)c->rest * 1e-9;
}

/* Before bursts through ports: a connection that has lost packets sends with care for long after. Two senders first:
 * what they lose is one message's. All others where two reach no backlog that overflows. Where it takes messages too
 * long to tell, short ones are asked how long they wait. */
static void overflow_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)task, (void)time_cap;
    const int ways[] = {2, campaign_crowd(c) - 1}, nodes = c->crew->job->nodes;
    bool *careful = alloc_zeroed((size_t)nodes * (size_t)nodes, sizeof *careful);
    double buffer = 0, held = 0;
    size_t n = 0;
    bool tells = true;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && buffer <= 0; i++) {
        const struct funnel funnel = {.senders = ways[i], .careful = careful};
        struct bursts bursts = {0};
        if (ways[i] < 2 || (i > 0 && ways[i] <= ways[0]))
            continue;
        held = fmax(held, funnel_measure(c, &funnel, &bursts));
        if (overflow_fit(bursts.n, bursts.list, LATE_LEAST, &buffer))
            delays_take(c, &bursts, buffer);
        tells = burst_tells(c, &funnel, bytes_for(c, &funnel, buffer));
        n += bursts.n;
        free(bursts.list);
    }
    free(careful);
    size_t ports = 0;
    const double waited = buffer > 0 && !tells ? campaign_waited(c, buffer, &ports) : 0;
    c->result->buffer = waited > 0 ? waited : buffer;
    c->result->buffer_class = c->class;
    if (waited > 0)
        result_note(c->result, 0, NOTE_OVERFLOW,
                    "an in port more than %.2f ms behind loses packets: so long short "
                    "messages wait there at most (%zu ports; %zu bursts said %.2f ms)",
                    waited * 1e3, ports, n, buffer * 1e3);
    else if (buffer > 0)
        result_note(c->result, 0, NOTE_OVERFLOW, "an in port more than %.2f ms behind loses packets (%zu bursts)",
                    buffer * 1e3, n);
    else if (n > 0)
        result_note(c->result, 0, NOTE_OVERFLOW, NONE_SEEN " in %zu bursts, an in port up to %.2f ms behind", n,
                    held * 1e3);
}

static void trunk_overflow_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)task, (void)time_cap;
    const size_t nodes = (size_t)c->crew->job->nodes;
    struct funnel funnel = {.is_trunk = true};
    struct bursts bursts = {0};
    double buffer = 0;
    for (int group = 0; group < (int)c->n_groups; group++) { /* that of whose bursts most waits */
        const struct funnel trunk = trunk_of(c, group, NULL);
        if (trunk.senders <= (int)nodes / 2 &&
            (funnel.senders == 0 || backlog_of(c, &trunk, FIRST_BYTES) > backlog_of(c, &funnel, FIRST_BYTES)))
            funnel = trunk;
    }
    if (funnel.senders == 0 || !(backlog_of(c, &funnel, FIRST_BYTES) > 0))
        return;
    if (outer_is_slower(c)) {
        result_note(c->result, 0, NOTE_TRUNK_OVERFLOW, NOT_ASKED ": a trunk of a group of groups is slower than those behind it");
        return;
    }
    funnel.careful = alloc_zeroed(nodes * nodes, sizeof *funnel.careful);
    funnel_measure(c, &funnel, &bursts);
    campaign_order_by_class(c);
    if (overflow_fit(bursts.n, bursts.list, LATE_LEAST, &buffer))
        delays_take(c, &bursts, buffer);
    c->result->trunk_buffer = buffer;
    if (buffer > 0)
        result_note(c->result, 0, NOTE_TRUNK_OVERFLOW, "a trunk more than %.2f ms behind loses packets (%zu bursts)",
                    buffer * 1e3, bursts.n);
    else if (bursts.n > 0)
        result_note(c->result, 0, NOTE_TRUNK_OVERFLOW, NONE_SEEN " in %zu bursts", bursts.n);
    free(bursts.list);
    free(funnel.careful);
}

/* A file that was left before the ports of another class were known does not hold its buffer. */
static bool overflow_is_done(const struct campaign *c, const struct task *task)
{
    const bool is_trunk = task->kind == TASK_trunk_overflow;
    const char *note = result_note_find(c->result, is_trunk ? NOTE_TRUNK_OVERFLOW : NOTE_OVERFLOW, NULL);
    return note && (strncmp(note, NONE_SEEN, strlen(NONE_SEEN)) == 0 ||
                    (is_trunk && strncmp(note, NOT_ASKED, strlen(NOT_ASKED)) == 0 && outer_is_slower(c)) ||
                    (is_trunk ? c->result->trunk_buffer : c->result->buffer) > 0);
}

const struct kind kind_overflow = {.cost = overflow_cost, .measure = overflow_measure, .is_done = overflow_is_done};
const struct kind kind_trunk_overflow = {.cost = overflow_cost, .measure = trunk_overflow_measure,
                                         .is_done = overflow_is_done};
