/* The time-ordered engine: creation, reset, the loop over events, results, deadlock. Contract: engine.h. */
#include "engine/timed/timed.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/process/step.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/tell.h"
#include "engine/timed/stream/packet.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/way/connect.h"
#include "engine/timed/way/losses.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

#include "common/alloc.h"
#include "engine/deadlock.h"
#include "engine/random.h"
#include "network/timer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How often the stop flag is looked at. */
enum { EVENTS_PER_LOOK = 1 << 12 };

void timed_fail(struct timed *e, int32_t process, const struct problem *problem)
{
    if (e->status != STATUS_OK)
        return;
    e->status = problem->status;
    program_report(e->program, problem->site, process, problem->text, e->diags);
}

static struct node_ports ports_at(const struct cost_model *model, int node)
{
    return model->node_ports ? model->node_ports(model, node) : (struct node_ports){.rails = 1};
}

static int most_rails(const struct cost_model *model, const struct program *program)
{
    int most = 1;
    for (int i = 0; i < program->numprocs; i++) {
        const int rails = ports_at(model, program_node(program, i)).rails;
        most = rails > most ? rails : most;
    }
    return most;
}

struct timed *timed_create(const struct engine_setup *setup)
{
    struct timed *e = alloc_lanes(1, sizeof *e);
    const struct program *program = setup->program;
    size_t numprocs = (size_t)program->numprocs, n_slots = 0, n_known = 0;
    e->setup = setup;
    e->program = program;
    e->model = setup->model;
    if (e->model->rest_delay) {
        const struct machine_curve *curve = e->model->rest_delay;
        e->rest_measured = fmin(e->model->measured_after, curve->bytes[curve->n - 1]);
        e->rest_delay = machine_curve_at(curve, e->rest_measured);
    }
    if (e->model->send_buffer)
        e->host_holds = machine_curve_at(e->model->send_buffer, e->model->send_buffer->bytes[e->model->send_buffer->n - 1]);
    e->connect = setup->unconnected && e->model->in_time_by ? e->model->connect : NULL;
    e->ledger = setup->ledger;
    price_book_init(&e->book, setup->model, setup->beyond);
    variability_init(&e->variability, setup->machine, setup->mode);
    largest_clear(e->largest);
    for (size_t i = 0; i < numprocs; i++) {
        n_slots += (size_t)program->roles[program->role_of[i]].n_slots;
        n_known += (size_t)program->roles[program->role_of[i]].n_peers;
    }
    if (setup->model->level_max > 1 && !setup->model->in_time_by &&
        engine_choose(setup, ENGINE_LANES) == ENGINE_LANES)
        e->levels = lanes_learn_levels(setup);
    event_queue_init(&e->queue);
    streams_init(&e->streams);
    turns_init(&e->turns, numprocs);
    channel_table_make(e, 1024);
    e->channel_bits = channel_bits_for(program->numprocs);
    e->serials = alloc_zeroed((size_t)program->n_serials, sizeof *e->serials);
    e->processes = alloc_lanes(numprocs, sizeof *e->processes);
    e->slots = alloc_array(n_slots, sizeof *e->slots);
    e->known = alloc_array(n_known, sizeof *e->known);
    memset(e->known, 0xff, n_known * sizeof *e->known);
    e->words = alloc_array(numprocs * N_STREAMS, sizeof *e->words);
    e->most_rails = most_rails(setup->model, program);
    e->ports = setup->model->ports == PORTS_OFF ? NULL : alloc_lanes(numprocs * (size_t)e->most_rails, sizeof *e->ports);
    e->on_board = alloc_array(engine_boards(program), sizeof *e->on_board);
    e->collectives = collectives_create(program);
    e->pollings = pollings_create(program);
    e->regions = alloc_zeroed(numprocs * program->tree->n_regions, sizeof *e->regions);
    e->region_times = alloc_zeroed(region_numbers(program), sizeof *e->region_times);
    e->fresh = (struct timed_transfer){
        .receive = NONE, .send = NONE, .begins = NONE, .acknowledges = NONE, .passage = NONE};
    struct value *slots = e->slots;
    struct timed_known *known = e->known;
    for (size_t i = 0; i < numprocs; i++) {
        struct timed_process *p = &e->processes[i];
        p->role = &program->roles[program->role_of[i]];
        p->node = program_node(program, (int)i);
        if (e->ports) {
            p->port = &e->ports[(setup->model->ports == PORTS_PER_NODE ? (size_t)p->node : i) * (size_t)e->most_rails];
            for (int rail = 0; rail < e->most_rails; rail++)
                p->port[rail].in.both = ports_at(setup->model, p->node).both;
        }
        p->slots = slots;
        p->regions = e->regions + i * program->tree->n_regions;
        slots += p->role->n_slots;
        p->known = known;
        known += p->role->n_peers;
    }
    return e;
}

void timed_destroy(struct timed *e)
{
    if (!e)
        return;
    price_book_free(&e->book);
    variability_free(&e->variability);
    event_queue_free(&e->queue);
    turns_free(&e->turns);
    collectives_destroy(e->collectives, e->program);
    pollings_destroy(e->pollings);
    level_log_destroy(e->levels);
    free(e->serials);
    free(e->processes);
    free(e->slots);
    free(e->known);
    free(e->words);
    free(e->ports);
    paths_free(&e->paths);
    losses_free(&e->losses);
    streams_free(&e->streams);
    windows_free(&e->windows);
    free(e->on_board);
    free(e->channel_table);
    timed_pools_free(e);
    free(e->regions);
    free(e->region_times);
    free(e);
}

/* rest: that it has had before it begins. */
static void process_reset(struct timed_process *p, double time_factor, double rest)
{
    const struct timed_process fresh = {
        .role = p->role,
        .pc = p->role->code,
        .slots = p->slots,
        .known = p->known,
        .regions = p->regions,
        .node = p->node,
        .port = p->port,
        .time_factor = time_factor,
        .call = -INFINITY,
        .until = -INFINITY,
        .left = -INFINITY,
        .looks = true,
        .operation = NONE,
        .collective = NONE,
        .held = NONE,
        .first_open = NONE,
        .last_open = NONE,
        .first_any = NONE,
        .last_any = NONE,
        .first_there = NONE,
        .last_there = NONE,
        .first_meeting = NONE,
        .first_full = NONE,
        .first_joining = NONE,
        .look = NAN,
        .first_parcel = NONE,
        .first_lock = NONE,
        .state = TIMED_READY,
        .rest = rest,
        .rested = INFINITY,
        .active = -INFINITY,
    };
    *p = fresh;
    if (p->role->n_slots > 0)
        memcpy(p->slots, p->role->initial, (size_t)p->role->n_slots * sizeof *p->slots);
}

/* Idle for ever, and as it is. */
static void port_reset(struct timed_port *port)
{
    const bool both = port->in.both;
    *port = (struct timed_port){.out_until = OUTLET_IDLE, .in = QUEUE_IDLE, .whole = inlet_idle(),
                                .last_left = NONE, .last_entered = NONE};
    port->in.both = both;
}

static void timed_reset(struct timed *e, uint32_t replication, struct diags *diags)
{
    size_t numprocs = (size_t)e->program->numprocs;
    e->replication = replication;
    e->diags = diags;
    e->status = STATUS_OK;
    e->now = 0;
    e->ticks = TIMER_ROUND * ldexp(random_word(e->setup->seed, replication, 0, 0, STREAM_TICKS), -32);
    e->due_time = TURN_NEVER;
    e->running = NONE;
    memset(e->level_most, 0, sizeof e->level_most);
    e->n_ended = 0;
    memset(e->on_board, 0, engine_boards(e->program) * sizeof *e->on_board);
    event_queue_clear(&e->queue);
    turns_begin(&e->turns);
    for (size_t i = 0; i < numprocs; i++)
        process_reset(&e->processes[i],
                      variability_at(&e->variability, e->setup->seed, e->setup->same_work ? e->setup->work : replication,
                                     e->processes[i].node),
                      e->model->wake ? INFINITY : 0);
    for (size_t i = 0; i < numprocs * N_STREAMS; i++)
        e->words[i].block = UINT64_MAX;
    e->common_until = e->connecting_until = -INFINITY;
    paths_reset(&e->paths);
    losses_reset(&e->losses);
    streams_reset(&e->streams);
    windows_reset(&e->windows);
    for (size_t i = 0; e->ports && i < numprocs * (size_t)e->most_rails; i++)
        port_reset(&e->ports[i]);
    for (int32_t c = 0; c < e->n_channels; c++)
        channel_reset(&e->channels[c]);
    collectives_reset(e->collectives, e->program);
    pollings_reset(e);
    if (e->program->tree->n_regions > 0)
        memset(e->regions, 0, numprocs * e->program->tree->n_regions * sizeof *e->regions);
    e->n_transfers = 0;
    e->free_transfer = e->free_operation = NONE;
    receives_reset(e);
}

/* in_tree: it has its turn there still, which counts until it is put down anew. Inlined for each of the two: which it is
 * has been decided, and nothing could predict it a second time. */
__attribute__((always_inline))
static inline void process_goes_on(struct timed *e, int32_t process, bool in_tree)
{
    struct timed_process *p = &e->processes[process];
    e->running = process;
    e->overtaken = false;
    pollings_note_turn(e, process);
    if (p->first_full != NONE && p->state != TIMED_READY && p->looks)
        socket_leave(e, process);
    if (p->state == TIMED_IN_RECEIVE)
        receive_finish(e, p);
    else if (p->state != TIMED_READY)
        timed_call_finish(e, process);
    if (p->state == TIMED_READY && e->status == STATUS_OK)
        timed_run_process(e, p, process);
    e->running = NONE;
    if (p->first_full != NONE)
        socket_turn_over(e, process);
    if (p->first_joining != NONE && p->state == TIMED_ENDED)
        connect_ended(e, process);
    double time = process_turn(p);
    if (in_tree)
        turns_set(&e->turns, process, time);
    else
        timed_turn_put(e, process, time);
}

__attribute__((cold)) static int32_t event_channel_look(const struct timed *e, const struct event *event)
{
    bool sends;
    const int32_t process = event_process(event), peer = channel_event_peer(e, event, &sends);
    return sends ? channel_there(e, peer, process) : channel_there(e, process, peer);
}

static inline struct timed_channel *event_channel(const struct timed *e, const struct event *event)
{
    const uint64_t looked_for = ((uint64_t)1 << e->channel_bits) - 1, channel = event_object(event) & looked_for;
    return &e->channels[channel != looked_for ? (int32_t)channel : event_channel_look(e, event)];
}

static void event_happen(struct timed *e, struct event event)
{
    int32_t transfer = (int32_t)event_object(&event);
    e->now = event_time(&event);
    switch ((enum event_kind)event_kind(&event)) {
    case EVENT_BEGIN:
        path_begin(e, transfer);
        break;
    case EVENT_PAUSE:
        path_pause(e, transfer);
        break;
    case EVENT_OVER:
        path_over(e, transfer);
        break;
    case EVENT_LAST:
        wire_last(e, event_channel(e, &event));
        break;
    case EVENT_PACKET:
        packet_go_on(e, transfer);
        break;
    case EVENT_ROOM:
        stream_room(e, transfer);
        break;
    case EVENT_FLIGHT:
        losses_event(e, transfer);
        break;
    case EVENT_ALARM:
        losses_alarm(e, transfer);
        break;
    case EVENT_ARRIVE:
        wire_arrive(e, transfer);
        break;
    case EVENT_DEPART:
        rendezvous_depart(e, transfer);
        break;
    case EVENT_ACKNOWLEDGE:
        send_acknowledge(e, transfer);
        break;
    case EVENT_ANSWER:
        wire_answer_come(e, (int32_t)(event_channel(e, &event) - e->channels));
        break;
    case EVENT_PERMIT:
        rendezvous_permit(e, transfer);
        break;
    case EVENT_TAKEN:
        socket_taken(e, (int32_t)(event_channel(e, &event) - e->channels));
        break;
    case EVENT_CONNECT:
        connect_go_on(e, (int32_t)(event_channel(e, &event) - e->channels));
        break;
    case EVENT_LEVEL:
        pollings_note_turn(e, INT32_MAX);
        wire_level(e, transfer);
        break;
    case EVENT_TIMER:
    case EVENT_TURN:
        assert(false && "timers and turns are not in the queue");
    }
}

/* ---- deadlock ---- */

static struct blocked blocked_describe(const struct timed *e, int32_t process)
{
    const struct timed_process *p = &e->processes[process];
    struct blocked b = {.process = process, .site = p->site, .waits_for = BLOCKED_ON_ANY};
    int32_t o = p->operation;
    if (p->state == TIMED_IN_WAIT || p->state == TIMED_IN_WAITANY)
        for (o = p->first_open; !e->operations[o].waited || e->operations[o].ready;)
            o = e->operations[o].next_open;
    if (o == NONE)
        return b;
    const struct timed_operation *operation = &e->operations[collective_waits_for(e, o)];
    b.sends = operation->kind == OPERATION_SEND;
    if (b.sends) {
        b.waits_for = e->channels[operation->channel].to;
        b.tag = (int32_t)(uint32_t)e->transfers[operation->transfer].context;
    } else if (operation->kind == OPERATION_RECEIVE) {
        b.waits_for = operation->from == OPERAND_ANY_PEER ? BLOCKED_ON_ANY : operation->from;
        b.tag = operation->any_tag ? BLOCKED_ANY_TAG : (int32_t)(uint32_t)operation->context;
    }
    if (b.tag < 0) /* a collective's */
        b.tag = BLOCKED_ANY_TAG;
    b.peer_ended = b.waits_for >= 0 && e->processes[b.waits_for].state == TIMED_ENDED;
    return b;
}

static void deadlock(struct timed *e)
{
    int32_t n = 0;
    struct blocked *blocked = alloc_array((size_t)e->program->numprocs, sizeof *blocked);
    for (int32_t process = 0; process < e->program->numprocs; process++)
        if (e->processes[process].state != TIMED_ENDED)
            blocked[n++] = blocked_describe(e, process);
    e->status = STATUS_DEADLOCK;
    deadlock_report(e->program, n, blocked, e->diags);
    free(blocked);
}

/* ---- one run ---- */

/* The process whose turn is first has it. At one time it is the tree that knows whose. */
static inline void turn_happen(struct timed *e)
{
    const double first = turns_first_time(&e->turns);
    if (e->due_time == first) {
        turns_set(&e->turns, e->due, e->due_time);
        e->due_time = TURN_NEVER;
    }
    if (e->due_time < first) {
        e->now = e->due_time;
        e->due_time = TURN_NEVER;
        process_goes_on(e, e->due, false);
    } else {
        e->now = first;
        process_goes_on(e, turns_first(&e->turns), true);
    }
}

/* What is first in time happens. False: nothing is left to happen. */
static inline bool timed_step(struct timed *e)
{
    const double turn = timed_first_turn(e);
    const struct event first_turn = event_make(turn, EVENT_TURN, 0, 0);
    struct event event;
    if (streams_timer_is_first(&e->streams, &first_turn, &e->queue)) {
        stream_timer(e);
        return true;
    }
    if (event_queue_pop_before(&e->queue, first_turn, &event)) {
        event_happen(e, event);
        return true;
    }
    if (!(turn < TURN_NEVER))
        return false;
    turn_happen(e);
    return true;
}

static void slow_find(struct timed *e)
{
    for (int32_t process = 0; process < e->program->numprocs; process++) {
        const struct timed_process *p = &e->processes[process];
        if (p->state == TIMED_POLLING)
            polling_count(e, process);
        if (p->state != TIMED_ENDED)
            slow_process(&e->slow, e->program, process, (int32_t)(p->pc - p->role->code), p->slots);
    }
    slow_tell(&e->slow);
}

bool timed_is_stopped(struct timed *e)
{
    if (slow_is_due(&e->slow))
        slow_find(e);
    if (!e->setup->stop || !*e->setup->stop)
        return false;
    e->status = STATUS_INTERRUPTED;
    return true;
}

static void timed_play(struct timed *e)
{
    timed_is_stopped(e);
    for (int n = 1; e->status == STATUS_OK && timed_step(e); n++)
        if (n % EVENTS_PER_LOOK == 0)
            timed_is_stopped(e);
    if (e->status == STATUS_OK && e->n_ended < e->program->numprocs && !pollings_fail(e))
        deadlock(e);
}

static void imbalance_tell(struct timed *e, double time)
{
    for (int32_t process = 0; process < e->program->numprocs; process++)
        timed_tell(e, process, -1, LOSS_end_imbalance, e->processes[process].clock, time);
}

static void regions_tell(struct timed *e)
{
    const size_t n = e->program->tree->n_regions;
    if (region_numbers(e->program) == 0)
        return;
    memset(e->region_times, 0, region_numbers(e->program) * sizeof *e->region_times);
    for (size_t i = 0; i < n * (size_t)e->program->numprocs; i++)
        region_tell(e->program, i % n, e->regions[i].seconds, e->region_times);
}

const double *timed_regions(const struct timed *e)
{
    return e->region_times;
}

enum status timed_run(struct timed *e, uint32_t replication, struct outcome *outcome, struct engine_totals *totals,
                      struct diags *diags)
{
    timed_reset(e, replication, diags);
    slow_begin(&e->slow, e->setup);
    timed_play(e);
    *outcome = (struct outcome){0};
    struct engine_totals sums = {0};
    for (size_t board = 0; board < engine_boards(e->program); board++)
        sums.unreceived += (uint64_t)e->on_board[board];
    memcpy(sums.level_most, e->level_most, sizeof sums.level_most);
    memcpy(sums.largest, e->largest, sizeof sums.largest);
    for (int32_t process = 0; process < e->program->numprocs; process++) {
        const struct timed_process *p = &e->processes[process];
        outcome->time = rule_latest(p->clock, outcome->time);
        outcome->serial += p->serial;
        outcome->serial += p->sampled_serial;
        sums.messages += p->n_sent;
    }
    regions_tell(e);
    if (e->status == STATUS_OK && e->ledger) {
        imbalance_tell(e, outcome->time);
        timed_tell_lost(e);
    }
    if (totals)
        *totals = sums;
    return e->status;
}
