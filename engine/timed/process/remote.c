/* One-sided operations, as Open MPI's osc/pt2pt makes them of messages (ompi/mca/osc/pt2pt of v4.1.4): what is short is kept
 * for its target and sent as one message at the end of the epoch, or when a buffer is full; what is long goes at once, and
 * a word about it behind it. Whoever is accessed receives without a call, and answers, while it is in one that waits or
 * tests: each such message is bound to a receive that is posted for it as it is sent. */
#include "engine/timed/process/remote.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/marked.h"
#include "engine/timed/process/post.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/timed.h"

#include <stdio.h>
#include <stdlib.h>

/* In bytes: what comes before the operations in a buffer; the header and the description of the datatype before each; how
 * many of these a buffer holds; a request for the lock, to give it back or to say that all is there; the answer. */
enum { PARCEL_BYTES = 16, OPERATION_BYTES = 32, PARCEL_ROOM = 8192, REQUEST_BYTES = 32, ANSWER_BYTES = 16 };

/* Of messages of windows: no tag of a program's. */
enum { WINDOW_TAG = INT32_MIN };

/* Of the parcel that stands for a window whose fences have begun. */
enum { ALL_PEERS = -1 };

static const struct window_errand no_errand = {NONE, NONE, WINDOW_NOTHING, false, NONE};

static bool fail(struct timed *e, int32_t process, int32_t site, const char *text)
{
    struct problem problem = {.status = STATUS_RANGE, .site = site};
    snprintf(problem.text, sizeof problem.text, "%s", text);
    timed_fail(e, process, &problem);
    return false;
}

/* ---- parcels ---- */

/* NONE: there is none. */
static int32_t parcel_find(const struct timed *e, int32_t process, int32_t window, int32_t comm, int32_t peer)
{
    int32_t i = e->processes[process].first_parcel;
    for (; i != NONE; i = e->windows.parcels[i].next) {
        const struct window_parcel *parcel = &e->windows.parcels[i];
        if (parcel->window == window && parcel->comm == comm && parcel->peer == peer)
            break;
    }
    return i;
}

static int32_t parcel_new(struct timed *e, int32_t process, int32_t window, int32_t comm, int32_t peer)
{
    struct timed_windows *windows = &e->windows;
    int32_t i = windows->free_parcel;
    if (i != NONE) {
        windows->free_parcel = windows->parcels[i].next;
    } else {
        windows->parcels = alloc_grow(windows->parcels, (size_t)windows->n_parcels, &windows->parcels_capacity,
                                      sizeof *windows->parcels);
        i = windows->n_parcels++;
    }
    struct timed_process *p = &e->processes[process];
    windows->parcels[i] = (struct window_parcel){
        .window = window, .comm = comm, .peer = peer, .errand = no_errand, .next = p->first_parcel};
    p->first_parcel = i;
    return i;
}

/* Nothing is in it any more: it goes, but where it stands for a lock. */
static void parcel_done(struct timed *e, int32_t process, int32_t parcel)
{
    struct window_parcel *done = &e->windows.parcels[parcel];
    done->bytes = 0;
    done->errand = no_errand;
    if (done->locked)
        return;
    int32_t *at = &e->processes[process].first_parcel;
    while (*at != parcel)
        at = &e->windows.parcels[*at].next;
    *at = done->next;
    done->next = e->windows.free_parcel;
    e->windows.free_parcel = parcel;
}

/* ---- messages ---- */

/* What both ends have in common. */
struct passing {
    int32_t from, to, window, comm, site;
};

/* A receive at process `at` of a message from `from`, open until it is complete. peer: see struct timed_operation. */
static int32_t receive_open(struct timed *e, const struct passing *way, int32_t at, int32_t from, int32_t peer,
                            int64_t bytes)
{
    const int32_t channel = channel_find(e, from, at);
    const int32_t operation = timed_operation_new(e, at, OPERATION_RECEIVE, way->site);
    struct timed_operation *o = &e->operations[operation];
    o->from = from;
    o->channel = channel;
    o->comm = way->comm;
    o->context = operand_context(way->comm, WINDOW_TAG);
    o->bytes = bytes;
    o->window = way->window;
    o->peer = peer;
    o->errand = no_errand;
    o->number = 0;
    o->next_posted = NONE;
    operation_open(e, operation, INT32_MIN, 0);
    return operation;
}

/* Sends what `receive` takes, at the process's clock. Of a rendezvous the operation, else NONE. */
static int32_t send_to(struct timed *e, const struct passing *way, int64_t bytes, int32_t receive)
{
    const struct operands o = {.peer = way->to, .tag = WINDOW_TAG, .comm = way->comm, .bytes = bytes};
    const int32_t send = send_post_to(e, way->from, &o, way->site, receive);
    if (send == NONE)
        return NONE;
    if (e->operations[send].ready) {
        timed_operation_release(e, send);
        return NONE;
    }
    e->operations[send].window = way->window;
    e->operations[send].comm = way->comm;
    e->operations[send].peer = way->to;
    return send;
}

/* A message that its receiver need not wait for. */
static void message_send(struct timed *e, const struct passing *way, int64_t bytes, const struct window_errand *errand)
{
    const int32_t receive = receive_open(e, way, way->to, way->from, NONE, INT64_MAX);
    struct timed_operation *o = &e->operations[receive];
    o->errand = *errand;
    o->serving = SERVING_TO_COME;
    o->posted = -1; /* before all */
    const int32_t send = send_to(e, way, bytes, receive);
    if (send == NONE)
        return;
    operation_open(e, send, INT32_MIN, 0);
    match_taken(e, receive, e->operations[send].transfer);
}

static void parcel_send(struct timed *e, int32_t process, int32_t parcel, int32_t site)
{
    const struct window_parcel sent = e->windows.parcels[parcel];
    const struct passing way = {process, sent.peer, sent.window, sent.comm, site};
    parcel_done(e, process, parcel);
    message_send(e, &way, PARCEL_BYTES + sent.bytes, &sent.errand);
}

/* ---- what is asked of a process ---- */

/* An answer that the origin waits for. Its process is in MPI and waits, or has just come there: its clock stays, and nobody
 * is told of a span. */
static void answer(struct timed *e, const struct passing *way, int64_t bytes, int32_t receive)
{
    struct timed_process *p = &e->processes[way->from];
    const double clock = p->clock, active = p->active;
    const struct ledger *ledger = e->ledger;
    p->clock = e->now;
    e->ledger = NULL;
    const int32_t send = send_to(e, way, bytes, receive);
    e->ledger = ledger;
    e->operations[receive].reply = send;
    if (send != NONE)
        match_taken(e, receive, e->operations[send].transfer);
    p = &e->processes[way->from];
    p->clock = clock;
    p->active = active;
}

static struct window_lock *lock_find(struct timed *e, int32_t process, int32_t window, int32_t comm)
{
    struct timed_windows *windows = &e->windows;
    int32_t *first = &e->processes[process].first_lock;
    for (int32_t i = *first; i != NONE; i = windows->locks[i].next)
        if (windows->locks[i].window == window && windows->locks[i].comm == comm)
            return &windows->locks[i];
    windows->locks = alloc_grow(windows->locks, (size_t)windows->n_locks, &windows->locks_capacity, sizeof *windows->locks);
    windows->locks[windows->n_locks] = (struct window_lock){
        .window = window, .comm = comm, .first_waiting = NONE, .last_waiting = NONE, .next = *first};
    *first = windows->n_locks++;
    return &windows->locks[*first];
}

static bool lock_take(struct window_lock *lock, bool exclusive)
{
    if (lock->exclusive || (exclusive && lock->n_holders > 0))
        return false;
    lock->n_holders++;
    lock->exclusive = exclusive;
    return true;
}

/* Takes it, or waits for it behind others. True: it is taken. */
static bool lock_ask(struct timed *e, struct window_lock *lock, int32_t asker)
{
    struct timed_operation *o = &e->operations[asker];
    if (lock_take(lock, o->errand.exclusive))
        return true;
    o->next_posted = NONE;
    if (lock->last_waiting == NONE)
        lock->first_waiting = asker;
    else
        e->operations[lock->last_waiting].next_posted = asker;
    lock->last_waiting = asker;
    return false;
}

static struct passing way_back(const struct timed *e, const struct passing *way, int32_t receive)
{
    struct passing back = *way;
    back.to = e->operations[receive].process;
    return back;
}

/* Those who wait for it get it, one or, where it may be shared, several. */
static void lock_return(struct timed *e, const struct passing *way)
{
    struct window_lock *lock = lock_find(e, way->from, way->window, way->comm);
    lock->n_holders--;
    lock->exclusive = lock->exclusive && lock->n_holders > 0;
    for (int32_t i = lock->first_waiting; i != NONE && lock_take(lock, e->operations[i].errand.exclusive);
         i = lock->first_waiting) {
        const struct passing back = way_back(e, way, i);
        lock->first_waiting = e->operations[i].next_posted;
        if (lock->first_waiting == NONE)
            lock->last_waiting = NONE;
        answer(e, &back, ANSWER_BYTES, i);
    }
}

static void errand_run(struct timed *e, int32_t operation)
{
    const struct timed_operation *o = &e->operations[operation];
    const struct window_errand errand = o->errand;
    const struct passing way = {o->process, o->from, o->window, o->comm, o->site};
    for (int32_t i = errand.first_get; i != NONE;) {
        const int32_t next = e->operations[i].next_posted;
        answer(e, &way, e->operations[i].bytes, i);
        i = next;
    }
    if (errand.request == WINDOW_NOTHING)
        return;
    if (errand.request != WINDOW_LOCK ||
        lock_ask(e, lock_find(e, way.from, way.window, way.comm), errand.answer))
        answer(e, &way, ANSWER_BYTES, errand.answer);
    if (errand.request == WINDOW_UNLOCK)
        lock_return(e, &way);
}

void remote_received(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    o->serving = SERVING_NOTHING;
    meeting_end(e, o->transfer);
    errand_run(e, operation);
}

void remote_serve(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    if (e->model->progress != PROGRESS_ASYNC && !process_in_mpi(e, o->process)) {
        o->serving = SERVING_DUE;
        meeting_wait(e, o->transfer);
        return;
    }
    if (o->waited) {
        remote_received(e, operation); /* the wait completes it */
        return;
    }
    receive_complete(e, operation, e->now);
    operation_close(e, operation);
}

/* ---- calls ---- */

bool remote_call_begins_anew(const struct instr *instr)
{
    return instr->op == INSTR_REMOTE_PUT || instr->op == INSTR_LOCK || instr->op == INSTR_UNLOCK ||
           instr->op == INSTR_FLUSH;
}

/* Marks answers to requests for locks, to the peer or (ALL_PEERS) any; `sends`: and rendezvous sends. Any: the process
 * waits for them. */
static bool waits_first(struct timed *e, int32_t process, const struct instr *instr, int32_t peer, bool sends)
{
    bool any = false;
    for (int32_t i = e->processes[process].first_open; i != NONE; i = e->operations[i].next_open) {
        struct timed_operation *o = &e->operations[i];
        const bool is_lock = o->kind == OPERATION_RECEIVE && o->errand.request == WINDOW_LOCK;
        o->waited = o->window == instr->slot && o->comm == instr->comm && o->peer != NONE &&
                    (peer == ALL_PEERS || o->peer == peer) && (is_lock || (sends && o->kind == OPERATION_SEND));
        any |= o->waited;
    }
    if (any)
        timed_wait_marked(e, process);
    return any;
}

bool remote_mark(struct timed *e, int32_t process, const struct instr *instr)
{
    struct operands operands = {.peer = ALL_PEERS};
    if (instr->peer != OPERAND_NO_PEER && !operands_read(e, &e->processes[process], process, instr, &operands))
        return false;
    for (int32_t i = e->processes[process].first_open; i != NONE; i = e->operations[i].next_open) {
        struct timed_operation *o = &e->operations[i];
        o->waited = o->window == instr->slot && o->comm == instr->comm &&
                    (operands.peer == ALL_PEERS || o->peer == operands.peer);
    }
    return true;
}

/* MPI_Put of what no buffer holds: what is kept, then the data, then the word about them, each in a turn of its own. True:
 * all has been sent. */
static bool long_put(struct timed *e, int32_t process, const struct instr *instr, const struct operands *o, int32_t parcel)
{
    const struct passing way = {process, o->peer, instr->slot, o->comm, instr->site};
    const bool word = e->windows.parcels[parcel].is_word;
    if (e->windows.parcels[parcel].bytes > 0) {
        e->windows.parcels[parcel].is_word = false;
        parcel_send(e, process, parcel, instr->site);
        return word;
    }
    message_send(e, &way, o->bytes, &no_errand);
    e->windows.parcels[parcel].bytes = OPERATION_BYTES;
    e->windows.parcels[parcel].is_word = true;
    return false;
}

/* MPI_Get: the receive of what it wants, and the request for it. */
static void get_keep(struct timed *e, int32_t process, const struct instr *instr, const struct operands *o, int32_t parcel)
{
    const struct passing way = {process, o->peer, instr->slot, o->comm, instr->site};
    const int32_t receive = receive_open(e, &way, process, o->peer, o->peer, o->bytes);
    struct window_errand *errand = &e->windows.parcels[parcel].errand;
    if (errand->last_get == NONE)
        errand->first_get = receive;
    else
        e->operations[errand->last_get].next_posted = receive;
    errand->last_get = receive;
}

bool timed_call_remote(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    const bool puts = instr->op == INSTR_REMOTE_PUT;
    struct operands o;
    if (!operands_read(e, p, process, instr, &o))
        return false;
    int32_t parcel = parcel_find(e, process, instr->slot, instr->comm, o.peer);
    const bool locked = parcel != NONE && e->windows.parcels[parcel].locked;
    if (o.peer != OPERAND_NO_PEER && !locked && parcel_find(e, process, instr->slot, instr->comm, ALL_PEERS) == NONE)
        return fail(e, process, instr->site, "an access without an epoch: an MPI_Win_fence or MPI_Win_lock must come first");
    if (o.peer == OPERAND_NO_PEER || o.peer == process || o.bytes == 0) {
        p->pc++;
        return true;
    }
    if (parcel == NONE)
        parcel = parcel_new(e, process, instr->slot, instr->comm, o.peer);
    e->windows.parcels[parcel].site = instr->site;
    const bool is_long = puts && o.bytes > PARCEL_ROOM - OPERATION_BYTES;
    const int64_t bytes = OPERATION_BYTES + (puts ? (o.bytes + 7) / 8 * 8 : 0);
    const bool is_full = e->windows.parcels[parcel].bytes + bytes > PARCEL_ROOM;
    if ((is_long || is_full) && waits_first(e, process, instr, o.peer, false))
        return false;
    if (is_long) {
        p->pc += long_put(e, process, instr, &o, parcel);
        return e->status == STATUS_OK;
    }
    if (is_full) {
        parcel_send(e, process, parcel, instr->site);
        return e->status == STATUS_OK;
    }
    e->windows.parcels[parcel].bytes += bytes;
    if (!puts)
        get_keep(e, process, instr, &o, parcel);
    p->pc++;
    return true;
}

/* The receive of an answer to a request of the process. */
static int32_t answer_open(struct timed *e, const struct passing *way, enum window_request request, bool exclusive)
{
    const int32_t receive = receive_open(e, way, way->from, way->to, way->to, INT64_MAX);
    e->operations[receive].errand.request = (uint8_t)request;
    e->operations[receive].errand.exclusive = exclusive;
    return receive;
}

/* Of whose window it is. False: of nobody's, and the process is behind it, or its operands are wrong. */
static bool target_read(struct timed *e, int32_t process, const struct instr *instr, struct operands *o)
{
    if (!operands_read(e, &e->processes[process], process, instr, o))
        return false;
    if (o->peer != OPERAND_NO_PEER)
        return true;
    e->processes[process].pc++;
    return false;
}

bool timed_call_lock(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct operands o;
    if (!target_read(e, process, instr, &o))
        return e->status == STATUS_OK;
    if (waits_first(e, process, instr, ALL_PEERS, false))
        return false;
    int32_t parcel = parcel_find(e, process, instr->slot, instr->comm, o.peer);
    if (parcel != NONE && e->windows.parcels[parcel].locked)
        return fail(e, process, instr->site, "this window of that process is locked already");
    if (parcel == NONE)
        parcel = parcel_new(e, process, instr->slot, instr->comm, o.peer);
    e->windows.parcels[parcel].locked = true;
    e->windows.parcels[parcel].site = instr->site;
    const struct passing way = {process, o.peer, instr->slot, o.comm, instr->site};
    struct window_errand errand = no_errand;
    errand.request = WINDOW_LOCK;
    errand.exclusive = o.tag != 0;
    errand.answer = answer_open(e, &way, WINDOW_LOCK, errand.exclusive);
    p->pc++;
    message_send(e, &way, REQUEST_BYTES, &errand);
    return e->status == STATUS_OK;
}

bool timed_call_release(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct operands o;
    if (!target_read(e, process, instr, &o))
        return e->status == STATUS_OK;
    const int32_t found = parcel_find(e, process, instr->slot, instr->comm, o.peer);
    if (found == NONE || !e->windows.parcels[found].locked)
        return fail(e, process, instr->site, "this window of that process is not locked");
    if (waits_first(e, process, instr, o.peer, true))
        return false;
    const struct passing way = {process, o.peer, instr->slot, o.comm, instr->site};
    const bool unlocks = instr->op == INSTR_UNLOCK;
    const int32_t receive = answer_open(e, &way, WINDOW_ANSWER, false);
    struct window_parcel *parcel = &e->windows.parcels[found];
    parcel->errand.request = unlocks ? WINDOW_UNLOCK : WINDOW_ANSWER;
    parcel->errand.answer = receive;
    parcel->bytes += REQUEST_BYTES;
    parcel->locked = !unlocks;
    p->pc++;
    parcel_send(e, process, found, instr->site);
    return e->status == STATUS_OK;
}

bool timed_call_deliver(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    int32_t i = p->first_parcel;
    for (; i != NONE; i = e->windows.parcels[i].next) {
        const struct window_parcel *parcel = &e->windows.parcels[i];
        if (parcel->window != instr->slot || parcel->comm != instr->comm)
            continue;
        if (parcel->locked)
            return fail(e, process, instr->site, "this window of a process is still locked");
        if (parcel->bytes > 0)
            break;
    }
    if (i != NONE) { /* one in each turn */
        parcel_send(e, process, i, instr->site);
        return e->status == STATUS_OK;
    }
    if (parcel_find(e, process, instr->slot, instr->comm, ALL_PEERS) == NONE)
        parcel_new(e, process, instr->slot, instr->comm, ALL_PEERS);
    p->pc++;
    return true;
}

bool remote_end(struct timed *e, int32_t process)
{
    for (int32_t i = e->processes[process].first_parcel; i != NONE; i = e->windows.parcels[i].next) {
        const struct window_parcel *parcel = &e->windows.parcels[i];
        if (parcel->locked)
            return fail(e, process, parcel->site, "the lock is never given back: an MPI_Win_unlock is missing");
        if (parcel->bytes > 0)
            return fail(e, process, parcel->site, "this access never ends: an MPI_Win_fence or MPI_Win_unlock is missing");
    }
    return true;
}

void windows_reset(struct timed_windows *windows)
{
    windows->n_parcels = windows->n_locks = 0;
    windows->free_parcel = NONE;
}

void windows_free(struct timed_windows *windows)
{
    free(windows->parcels);
    free(windows->locks);
}
