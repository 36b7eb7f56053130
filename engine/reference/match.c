#include "engine/reference/reference_impl.h"

#include <math.h>
#include <stdlib.h>

static void process_wake(struct process *p, const struct receive *r)
{
    if (p->state == IN_RECEIVE && p->receive == r)
        p->state = RUNNABLE;
    else if (p->state == IN_WAIT && reference_wait_ready(p))
        p->state = RUNNABLE;
}

static bool sender_waits(const struct reference *ref, const struct transfer *m)
{
    const struct process *p = &ref->processes[m->from];
    return (p->state == IN_SEND && p->message == m) || (p->state == IN_WAIT && m->request && m->request->waited);
}

static bool receiver_waits(const struct reference *ref, const struct transfer *m)
{
    const struct process *p = &ref->processes[m->to];
    const struct receive *r = m->receive;
    return (p->state == IN_RECEIVE && p->receive == r) || (p->state == IN_WAIT && r->request && r->request->waited);
}

static bool in_mpi(const struct reference *ref, int process)
{
    enum state state = ref->processes[process].state;
    return state != RUNNABLE && state != THROTTLED;
}

/* When a process was in MPI: posting the message, in the blocking calls since, and in the one it is in now. */
static int stays_since(const struct process *p, double posted, uint64_t calls, struct stay stays[RULE_HISTORY + 2])
{
    int n = 0;
    stays[n++] = (struct stay){posted, posted};
    uint64_t oldest = p->n_calls > RULE_HISTORY ? p->n_calls - RULE_HISTORY : 0;
    for (uint64_t i = calls > oldest ? calls : oldest; i < p->n_calls; i++)
        stays[n++] = (struct stay){p->entered[i % RULE_HISTORY], p->left[i % RULE_HISTORY]};
    stays[n++] = (struct stay){p->clock, INFINITY};
    return n;
}

static bool receiver_gets(const struct reference *ref, const struct transfer *m)
{
    return ref->model->rendezvous[m->transport] == RENDEZVOUS_get;
}

/* The first time when both processes are in MPI and both have posted; where the receiver gets it, only that one. If that
 * is in the calls they are in now, these must last until then. */
static double rendezvous_time(struct reference *ref, const struct transfer *m)
{
    const struct receive *r = m->receive;
    double posted = rule_latest(m->time, r->posted);
    if (ref->model->progress == PROGRESS_ASYNC || m->transport == TRANSPORT_self)
        return posted;
    struct process *sender = &ref->processes[m->from], *receiver = &ref->processes[m->to];
    const bool gets = receiver_gets(ref, m);
    struct stay at_sender[RULE_HISTORY + 2] = {{m->time, INFINITY}}, at_receiver[RULE_HISTORY + 2];
    int n = gets ? 1 : stays_since(sender, m->time, m->sender_calls, at_sender);
    int k = stays_since(receiver, r->posted, r->receiver_calls, at_receiver);
    const int first = gets ? 1 : 0; /* but for the post */
    double start = rule_rendezvous_start(posted, n, at_sender, k - first, at_receiver + first);
    bool lost = (!gets && sender->n_calls - m->sender_calls > RULE_HISTORY) ||
                receiver->n_calls - r->receiver_calls > RULE_HISTORY;
    ref->inversion |= lost && start > posted;
    if (!gets)
        sender->until = rule_latest(start, sender->until);
    receiver->until = rule_latest(start, receiver->until);
    return start;
}

static void rendezvous_start(struct reference *ref, struct transfer *m)
{
    struct process *sender = &ref->processes[m->from];
    m->time = rendezvous_time(ref, m);
    double completion = m->time + reference_send_overhead(ref, m);
    if (m->request) {
        m->request->started = true;
        m->request->completion = completion;
        process_wake(sender, NULL);
    } else {
        reference_leave(ref, sender, completion);
        sender->state = RUNNABLE;
    }
}

bool reference_start(struct reference *ref, bool nobody_runs)
{
    bool any = false;
    struct transfer **m = &ref->pending;
    while (*m) {
        struct transfer *now = *m;
        const bool gets = receiver_gets(ref, now);
        bool starts = now->receive && (ref->model->progress == PROGRESS_ASYNC || now->transport == TRANSPORT_self ||
                                       ((gets || sender_waits(ref, now)) && receiver_waits(ref, now)) ||
                                       (nobody_runs && (gets || in_mpi(ref, now->from)) && in_mpi(ref, now->to)));
        if (!starts) {
            m = &now->next_on_board;
            continue;
        }
        *m = now->next_on_board;
        now->next_on_board = NULL;
        rendezvous_start(ref, now);
        *ref->fresh_last = now;
        ref->fresh_last = &now->next_on_board;
        any = true;
    }
    ref->pending_last = m;
    return any;
}

/* A fresh message in the queue of a port. */
struct asking {
    struct transfer *m;
    int port;
    double at;
    double gap, credit;
};

static int asking_compare(const void *left, const void *right)
{
    const struct asking *a = left, *b = right;
    if (a->port != b->port)
        return a->port < b->port ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->m->from != b->m->from)
        return a->m->from < b->m->from ? -1 : 1;
    return a->m->number < b->m->number ? -1 : 1;
}

/* The fresh messages that use an out (in) port, in the order in which the ports serve them. */
static size_t ports_queue(struct reference *ref, enum side side, struct asking *queue)
{
    size_t n = 0;
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board) {
        const struct port_cost *cost = &m->price->ports;
        double gap = side == SIDE_SEND ? cost->out_gap : cost->in_gap;
        if (ref->model->ports == PORTS_OFF || m->transport != TRANSPORT_network || gap == 0)
            continue;
        int process = side == SIDE_SEND ? m->from : m->to;
        int port = ref->model->ports == PORTS_PER_NODE ? program_node(ref->program, process) : process;
        double credit = side == SIDE_SEND ? port_cost_out_credit(cost) : port_cost_in_credit(cost);
        queue[n++] = (struct asking){m, port, m->time, gap, credit};
    }
    qsort(queue, n, sizeof *queue, asking_compare);
    return n;
}

static bool asks_before(const struct transfer *m, const struct port *port)
{
    return m->from != port->from ? m->from < port->from : m->number < port->number;
}

/* Whether a message asks at the very time at which the port has served one behind it by sender and number. */
static void ties_check(struct reference *ref, enum side side, size_t n, const struct asking queue[])
{
    struct port *ports = side == SIDE_SEND ? ref->out : ref->in;
    bool all = side == SIDE_RECEIVE && engine_transit_is_constant(ref->setup);
    for (size_t i = 0; i < n; i++) {
        const struct port *port = &ports[queue[i].port];
        if (asks_before(queue[i].m, port) && (queue[i].m->rendezvous || all))
            ref->inversion |= queue[i].at == port->asked;
    }
    for (size_t i = 0; i < n; i++) {
        struct port *port = &ports[queue[i].port];
        if (!asks_before(queue[i].m, port)) {
            port->from = queue[i].m->from;
            port->number = queue[i].m->number;
        }
    }
}

/* Whether a message starts before one of its pair that is on the wire already, or with it though it, or its receive,
 * was posted before. */
static void starts_check(struct reference *ref)
{
    for (const struct transfer *m = ref->fresh; m; m = m->next_on_board) {
        struct channel *c = reference_channel(ref, m->from, m->to);
        uint64_t met = m->rendezvous ? m->receive->number + 1 : c->n_met;
        bool behind = m->number < c->n_wired || met < c->n_met;
        ref->inversion |= m->time < c->started || (behind && m->time == c->started);
        c->started = rule_latest(m->time, c->started);
        c->n_wired = m->number < c->n_wired ? c->n_wired : m->number + 1;
        c->n_met = met < c->n_met ? c->n_met : met;
    }
}

static void port_ask(struct reference *ref, struct port *port, double at)
{
    ref->inversion |= at < port->asked;
    port->asked = rule_latest(at, port->asked);
}

static void out_ports_serve(struct reference *ref, size_t n, struct asking queue[])
{
    ties_check(ref, SIDE_SEND, n, queue);
    for (size_t i = 0; i < n; i++) {
        struct port *port = &ref->out[queue[i].port];
        port_ask(ref, port, queue[i].at);
        double rested = port->free_at - queue[i].credit;
        port->free_at = rule_latest(port->free_at, queue[i].at) + queue[i].gap;
        queue[i].m->time = rule_latest(queue[i].at, rested);
    }
}

static void in_ports_serve(struct reference *ref, size_t n, struct asking queue[])
{
    ties_check(ref, SIDE_RECEIVE, n, queue);
    for (size_t i = 0; i < n; i++) {
        struct port *port = &ref->in[queue[i].port];
        struct channel *c = reference_channel(ref, queue[i].m->from, queue[i].m->to);
        port_ask(ref, port, queue[i].at);
        double passed = inlet_pass(&port->inlet, queue[i].gap, queue[i].credit, queue[i].at);
        c->delivered = queue[i].m->time = rule_latest(passed, c->delivered);
    }
}

void reference_sample(struct reference *ref)
{
    size_t n = 0;
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board)
        n++;
    struct asking *queue = alloc_array(n, sizeof *queue);
    starts_check(ref);
    out_ports_serve(ref, ports_queue(ref, SIDE_SEND, queue), queue);
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board) {
        struct channel *c = reference_channel(ref, m->from, m->to);
        int level = m->transport == TRANSPORT_self ? 1 : *reference_board(ref, m);
        int *most = &ref->level_most[m->transport];
        const struct quantile *q = price_transit(&ref->book, m->price, level);
        m->time += reference_draw(ref, q, m->from, m->number, STREAM_TRANSIT);
        c->wire = m->time = rule_latest(m->time, c->wire);
        if (level > *most)
            *most = level;
    }
    in_ports_serve(ref, ports_queue(ref, SIDE_RECEIVE, queue), queue);
    free(queue);
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board)
        m->arrived = true;
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board)
        if (m->receive)
            process_wake(&ref->processes[m->to], m->receive);
    ref->fresh = NULL;
    ref->fresh_last = &ref->fresh;
}
