/* match.c - what happens between sweeps: rendezvous start, ports serve, messages are sampled, receivers wake. */
#include "engine/lanes/lanes_impl.h"

#include <math.h>

/* ---- waking ---- */

static void process_release(struct lanes *e, int32_t process)
{
    e->processes[process].state = LANE_RUNNABLE;
    runnable_set(e, process);
}

/* An operation became ready: its process goes on if this was all it waited for. */
static void operation_wake(struct lanes *e, int32_t o)
{
    struct operation *operation = &e->operations[o];
    struct lane_process *process = &e->processes[operation->process];
    if (process->state == LANE_IN_RECEIVE && process->waits == o)
        process_release(e, operation->process);
    else if (process->state == LANE_IN_WAIT && operation->waited && --process->n_pending == 0)
        process_release(e, operation->process);
}

/* ---- rendezvous ---- */

/* A process that has posted both is in MPI as it posts the second. */
static bool is_to_itself(const struct lanes *e, const struct transfer *m)
{
    return e->channels[m->channel].transport == TRANSPORT_self;
}

static bool receiver_gets(const struct lanes *e, const struct transfer *m)
{
    return e->model->rendezvous[e->channels[m->channel].transport] == RENDEZVOUS_get;
}

static bool sender_waits(const struct lanes *e, int32_t t)
{
    const struct transfer *m = &e->transfers[t];
    const struct lane_process *p = &e->processes[e->channels[m->channel].from];
    return (p->state == LANE_IN_SEND && p->waits == t) ||
           (p->state == LANE_IN_WAIT && m->send != NONE && e->operations[m->send].waited);
}

static bool receiver_waits(const struct lanes *e, int32_t t)
{
    const struct transfer *m = &e->transfers[t];
    const struct lane_process *p = &e->processes[e->channels[m->channel].to];
    const struct operation *r = &e->operations[m->receive];
    return (p->state == LANE_IN_RECEIVE && p->waits == m->receive) ||
           (p->state == LANE_IN_WAIT && !r->blocking && r->waited);
}

static bool in_mpi(const struct lanes *e, int32_t process)
{
    uint8_t state = e->processes[process].state;
    return state != LANE_RUNNABLE && state != LANE_THROTTLED;
}

/* Whether one of the blocking calls since a post is forgotten. */
static bool stays_are_lost(const struct lanes *e, int32_t process, uint64_t calls)
{
    return e->keeps_calls && e->n_calls[process] - calls > RULE_HISTORY;
}

/* When a process was in MPI, in one lane: posting the message, in the blocking calls since, and in the one it is in. */
static int stays_since(const struct lanes *e, int32_t process, double posted, uint64_t calls, int l,
                       struct stay stays[RULE_HISTORY + 2])
{
    int n = 0;
    stays[n++] = (struct stay){posted, posted};
    if (e->keeps_calls) {
        uint64_t now = e->n_calls[process], oldest = now > RULE_HISTORY ? now - RULE_HISTORY : 0;
        for (uint64_t i = calls > oldest ? calls : oldest; i < now; i++) {
            int64_t at = process * (int64_t)RULE_HISTORY + (int64_t)(i % RULE_HISTORY);
            stays[n++] = (struct stay){row(e, e->entered, at)[l], row(e, e->left, at)[l]};
        }
    }
    stays[n++] = (struct stay){row(e, e->clock, process)[l], INFINITY};
    return n;
}

/* time = when the transfer starts, in each lane. */
static void rendezvous_time(struct lanes *e, int32_t t)
{
    const struct transfer *m = &e->transfers[t];
    const struct operation *r = &e->operations[m->receive];
    double *time = row(e, e->time, t);
    const double *posted = row(e, e->moment, m->receive);
    int32_t from = e->channels[m->channel].from;
    const bool gets = receiver_gets(e, m);
    bool lost = (!gets && stays_are_lost(e, from, m->sender_calls)) || stays_are_lost(e, r->process, r->calls);
    bool at_once = e->model->progress == PROGRESS_ASYNC || is_to_itself(e, m);
    for (int l = 0; l < e->width; l++) {
        double both_posted = rule_latest(time[l], posted[l]);
        if (at_once) {
            time[l] = both_posted;
            continue;
        }
        struct stay sender[RULE_HISTORY + 2] = {{time[l], INFINITY}}, receiver[RULE_HISTORY + 2];
        int n = gets ? 1 : stays_since(e, from, time[l], m->sender_calls, l, sender);
        int k = stays_since(e, r->process, posted[l], r->calls, l, receiver);
        const int first = gets ? 1 : 0; /* but for the post */
        time[l] = rule_rendezvous_start(both_posted, n, sender, k - first, receiver + first);
        e->inverted[l] |= lost && time[l] > both_posted;
    }
}

/* What starts at `time` has been taken to start in the call that the process is in. */
static void call_must_last(struct lanes *e, int32_t process, const double *time)
{
    struct lane_process *p = &e->processes[process];
    double *until = row(e, e->until, process);
    if (p->must_last)
        e->k->latest(e->width, time, until);
    else
        row_copy(e, time, until);
    p->must_last = true;
}

static void rendezvous_start(struct lanes *e, int32_t t, bool nobody_runs)
{
    rendezvous_time(e, t);
    const struct transfer *m = &e->transfers[t];
    int32_t from = e->channels[m->channel].from, to = e->channels[m->channel].to;
    if (nobody_runs && e->keeps_calls && from != to) {
        if (!receiver_gets(e, m))
            call_must_last(e, from, row(e, e->time, t));
        call_must_last(e, to, row(e, e->time, t));
    }
    if (m->send != NONE) {
        double *completion = row(e, e->moment, m->send);
        row_copy(e, row(e, e->time, t), completion);
        overhead_add(e, t, SIDE_SEND, completion);
        e->operations[m->send].started = 1;
        operation_wake(e, m->send);
        return;
    }
    call_enter(e, from);
    row_copy(e, row(e, e->time, t), row(e, e->clock, from));
    overhead_add(e, t, SIDE_SEND, row(e, e->clock, from));
    call_leave(e, from);
    e->processes[from].waits = NONE;
    e->processes[from].pc++;
    process_release(e, from);
}

bool rendezvous_start_all(struct lanes *e, bool nobody_runs)
{
    size_t n = e->n_pending, kept = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t t = e->pending[i];
        const struct channel *c = &e->channels[e->transfers[t].channel];
        const bool gets = receiver_gets(e, &e->transfers[t]);
        bool starts = e->transfers[t].receive != NONE &&
                      (e->model->progress == PROGRESS_ASYNC || is_to_itself(e, &e->transfers[t]) ||
                       ((gets || sender_waits(e, t)) && receiver_waits(e, t)) ||
                       (nobody_runs && (gets || in_mpi(e, c->from)) && in_mpi(e, c->to)));
        if (!starts) {
            e->pending[kept++] = t;
            continue;
        }
        rendezvous_start(e, t, nobody_runs);
        fresh_add(e, t);
    }
    e->n_pending = kept;
    return kept < n;
}

/* ---- ports ---- */

static bool uses_port(const struct lanes *e, const struct transfer *m, enum side side)
{
    const struct port_cost *cost = &m->price->ports;
    double gap = side == SIDE_SEND ? cost->out_gap : cost->in_gap;
    return e->channels[m->channel].transport == TRANSPORT_network && gap != 0;
}

static int32_t port_of(const struct lanes *e, const struct transfer *m, enum side side)
{
    const struct channel *c = &e->channels[m->channel];
    int32_t process = side == SIDE_SEND ? c->from : c->to;
    return e->model->ports == PORTS_PER_NODE ? e->processes[process].node : process;
}

static bool asks_before(const struct lanes *e, const struct transfer *a, const struct asker *b)
{
    int32_t from = e->channels[a->channel].from;
    return from != b->from ? from < b->from : a->number < b->number;
}

static bool served_before(const struct lanes *e, const struct transfer *a, const struct transfer *b)
{
    struct asker other = {e->channels[b->channel].from, b->number};
    return asks_before(e, a, &other);
}

/* Queues are sorted by sender and number: the order among those that ask at the same time. Fresh transfers come nearly
 * so. */
static void queue_add(struct lanes *e, struct port_queue *queue, int32_t t)
{
    struct transfer *transfers = e->transfers;
    queue->n++;
    if (served_before(e, &transfers[queue->last], &transfers[t])) {
        transfers[t].next_asking = NONE;
        transfers[queue->last].next_asking = t;
        queue->last = t;
        return;
    }
    int32_t *link = &queue->first;
    while (served_before(e, &transfers[*link], &transfers[t]))
        link = &transfers[*link].next_asking;
    transfers[t].next_asking = *link;
    *link = t;
}

static void queues_make(struct lanes *e, enum side side)
{
    e->n_asked_ports = 0;
    for (size_t i = 0; i < e->n_fresh; i++) {
        int32_t t = e->fresh[i];
        if (!uses_port(e, &e->transfers[t], side))
            continue;
        int32_t port = port_of(e, &e->transfers[t], side);
        struct port_queue *queue = &e->queues[port];
        if (queue->n > 0) {
            queue_add(e, queue, t);
            continue;
        }
        *queue = (struct port_queue){t, t, 1};
        e->transfers[t].next_asking = NONE;
        e->asked_ports[e->n_asked_ports++] = port;
    }
}

static double *inlets(const struct lanes *e, int32_t port)
{
    return e->inlets + (size_t)port * INLET_NUMBERS * (size_t)e->width;
}

static void serve_one(struct lanes *e, enum side side, int32_t port, int32_t t)
{
    const struct transfer *m = &e->transfers[t];
    const struct port_cost *cost = &m->price->ports;
    double *time = row(e, e->time, t);
    if (side == SIDE_SEND)
        e->k->out_port(e->width, cost->out_gap, port_cost_out_credit(cost), time, row(e, e->out_free, port),
                       row(e, e->out_asked, port), e->inverted, time);
    else
        e->k->in_port(e->width, cost->in_gap, port_cost_in_credit(cost), time, inlets(e, port),
                      row(e, e->in_asked, port), row(e, e->delivered, m->channel), e->inverted, time);
}

static void serve_two(struct lanes *e, int32_t port, int32_t t0, int32_t t1)
{
    const struct transfer *m0 = &e->transfers[t0], *m1 = &e->transfers[t1];
    const struct port_cost *cost0 = &m0->price->ports, *cost1 = &m1->price->ports;
    const double gap[2] = {cost0->in_gap, cost1->in_gap};
    const double credit[2] = {port_cost_in_credit(cost0), port_cost_in_credit(cost1)};
    e->k->in_port_two(e->width, gap, credit, row(e, e->time, t0), row(e, e->time, t1), inlets(e, port),
                      row(e, e->in_asked, port), row(e, e->delivered, m0->channel), row(e, e->delivered, m1->channel),
                      e->inverted);
}

/* One lane of a queue of any length: e->order holds its transfers in the order of asking. */
static void serve_lane(struct lanes *e, enum side side, int32_t port, size_t n, int l)
{
    double *free_at = &row(e, e->out_free, port)[l];
    struct inlet inlet = inlet_of_rows(inlets(e, port), e->width, l);
    double *asked = &row(e, side == SIDE_SEND ? e->out_asked : e->in_asked, port)[l];
    for (size_t i = 0; i < n; i++) {
        const struct transfer *m = &e->transfers[e->order[i]];
        const struct port_cost *cost = &m->price->ports;
        double *time = &row(e, e->time, e->order[i])[l], at = *time;
        e->inverted[l] |= at < *asked;
        *asked = rule_latest(at, *asked);
        if (side == SIDE_SEND) {
            *time = rule_out_port(free_at, cost->out_gap, port_cost_out_credit(cost), at);
        } else {
            double *delivered = &row(e, e->delivered, m->channel)[l];
            double a = inlet_pass(&inlet, cost->in_gap, port_cost_in_credit(cost), at);
            *time = *delivered = rule_latest(a, *delivered);
        }
    }
    inlet_to_rows(&inlet, inlets(e, port), e->width, l);
}

/* A queue whose order may differ from lane to lane. */
static void serve_sorted(struct lanes *e, enum side side, int32_t port, const struct port_queue *queue)
{
    size_t n = (size_t)queue->n;
    order_reserve(e, n);
    for (int l = 0; l < e->width; l++) {
        size_t placed = 0;
        for (int32_t t = queue->first; t != NONE; t = e->transfers[t].next_asking) {
            size_t j = placed++;
            double at = row(e, e->time, t)[l];
            for (; j > 0 && at < row(e, e->time, e->order[j - 1])[l]; j--)
                e->order[j] = e->order[j - 1];
            e->order[j] = t;
        }
        serve_lane(e, side, port, n, l);
    }
}

/* Whether the queue asks in its own order in every lane: eager sends of one process, or (in) messages of one pair,
 * which keep their order on the wire. */
static bool queue_is_ordered(const struct lanes *e, enum side side, const struct port_queue *queue)
{
    const struct transfer *first = &e->transfers[queue->first];
    for (int32_t t = queue->first; t != NONE; t = e->transfers[t].next_asking) {
        const struct transfer *m = &e->transfers[t];
        if (m->rendezvous)
            return queue->n == 1;
        if (side == SIDE_SEND ? e->channels[m->channel].from != e->channels[first->channel].from
                              : m->channel != first->channel)
            return false;
    }
    return true;
}

/* Marks the lanes in which a message asks at the very time at which the port has served one behind it by sender and
 * number. Only what starts when others let it, or takes a constant time, can meet another to the bit. */
static void ties_check(struct lanes *e, enum side side, int32_t port, const struct port_queue *queue)
{
    struct asker *highest = &e->highest[side][port];
    const double *asked = row(e, side == SIDE_SEND ? e->out_asked : e->in_asked, port);
    bool all = side == SIDE_RECEIVE && e->constant_transit;
    for (int32_t t = queue->first; t != NONE && asks_before(e, &e->transfers[t], highest);
         t = e->transfers[t].next_asking) {
        const struct transfer *m = &e->transfers[t];
        const double *time = row(e, e->time, t);
        if (m->rendezvous || all)
            for (int l = 0; l < e->width; l++)
                e->inverted[l] |= time[l] == asked[l];
    }
    const struct transfer *last = &e->transfers[queue->last];
    if (!asks_before(e, last, highest))
        *highest = (struct asker){e->channels[last->channel].from, last->number};
}

static void ports_serve(struct lanes *e, enum side side)
{
    queues_make(e, side);
    for (size_t i = 0; i < e->n_asked_ports; i++) {
        int32_t port = e->asked_ports[i];
        struct port_queue *queue = &e->queues[port];
        if (e->may_tie)
            ties_check(e, side, port, queue);
        if (queue_is_ordered(e, side, queue)) {
            for (int32_t t = queue->first; t != NONE; t = e->transfers[t].next_asking)
                serve_one(e, side, port, t);
        } else if (side == SIDE_RECEIVE && queue->n == 2 &&
                   e->transfers[queue->first].channel != e->transfers[queue->last].channel) {
            serve_two(e, port, queue->first, queue->last);
        } else {
            serve_sorted(e, side, port, queue);
        }
        queue->n = 0;
    }
}

/* ---- sampling ---- */

/* Marks the lanes in which a message starts before one of its pair that is on the wire already, or with it though it,
 * or its receive, was posted before. */
static void starts_check(struct lanes *e)
{
    for (size_t i = 0; i < e->n_fresh; i++) {
        const struct transfer *m = &e->transfers[e->fresh[i]];
        struct channel *c = &e->channels[m->channel];
        const double *time = row(e, e->time, e->fresh[i]);
        double *started = row(e, e->started, m->channel);
        uint64_t met = m->rendezvous ? e->operations[m->receive].number + 1 : c->n_met;
        bool behind = m->number < c->n_wired || met < c->n_met;
        for (int l = 0; l < e->width; l++) {
            e->inverted[l] |= time[l] < started[l] || (behind && time[l] == started[l]);
            started[l] = rule_latest(time[l], started[l]);
        }
        c->n_wired = m->number < c->n_wired ? c->n_wired : m->number + 1;
        c->n_met = met < c->n_met ? c->n_met : met;
    }
}

static void transfer_sample(struct lanes *e, int32_t t)
{
    struct transfer *m = &e->transfers[t];
    const struct channel *c = &e->channels[m->channel];
    const enum transport transport = (enum transport)c->transport;
    int level = transport == TRANSPORT_self ? 1 : e->on_board[c->board];
    double *time = row(e, e->time, t), *wire = row(e, e->wire, m->channel);
    const struct quantile *q = price_transit(&e->book, m->price, level);
    if (q->constant)
        e->k->transit_constant(e->width, q->value, time, wire, time);
    else
        e->k->transit(e->width, q, draw_words(e, STREAM_TRANSIT, c->from, m->number), time, wire, time);
    m->arrived = 1;
    int *most = &e->level_most[transport];
    if (level > *most)
        *most = level;
    if (e->levels)
        level_log_note(e->levels, c->from, m->number, level);
}

void board_sample(struct lanes *e)
{
    bool ports = e->model->ports != PORTS_OFF;
    if (e->keeps_starts)
        starts_check(e);
    if (ports)
        ports_serve(e, SIDE_SEND);
    for (size_t i = 0; i < e->n_fresh; i++)
        transfer_sample(e, e->fresh[i]);
    if (ports)
        ports_serve(e, SIDE_RECEIVE);
    for (size_t i = 0; i < e->n_fresh; i++)
        if (e->transfers[e->fresh[i]].receive != NONE)
            operation_wake(e, e->transfers[e->fresh[i]].receive);
    e->n_fresh = 0;
}
