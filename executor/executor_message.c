/* Sends, receives and probes. */
#include "executor/executor_impl.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- operands as MPI takes them ---- */

struct envelope {
    struct operands o;
    int rank, tag;              /* MPI's: with MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG */
    MPI_Comm comm;
};

bool bytes_check(struct executor *x, const struct instr *instr, int64_t bytes)
{
    if (bytes <= INT_MAX)
        return true;
    struct problem problem = {.status = STATUS_NOT_YET, .site = instr->site};
    snprintf(problem.text, sizeof problem.text, "%" PRId64 " bytes are more than an MPI call takes, %d", bytes,
             INT_MAX);
    return executor_fail(x, &problem);
}

static bool envelope_read(struct executor *x, const struct instr *instr, struct envelope *e)
{
    struct problem problem;
    if (!operand_message(x->program, x->role, instr, x->process, x->slots, &e->o, &problem))
        return executor_fail(x, &problem);
    e->comm = x->comms[e->o.comm];
    e->tag = e->o.tag == OPERAND_ANY_TAG ? MPI_ANY_TAG : e->o.tag;
    if (e->o.peer == OPERAND_NO_PEER)
        e->rank = MPI_PROC_NULL;
    else if (e->o.peer == OPERAND_ANY_PEER)
        e->rank = MPI_ANY_SOURCE;
    else
        e->rank = e->o.comm == 0 ? e->o.peer : program_comm_rank(x->program, e->o.comm, e->o.peer);
    if (e->o.tag <= x->tag_most)
        return true;
    problem.status = STATUS_NOT_YET;
    problem.site = instr->site;
    snprintf(problem.text, sizeof problem.text, "tag %d is above %d, the largest of this MPI library", e->o.tag,
             x->tag_most);
    return executor_fail(x, &problem);
}

bool call_name(struct executor *x, const struct instr *instr, struct open_call *call)
{
    struct problem problem;
    call->name = INT32_MIN;
    call->index = -1;
    if (instr->n_requests == 0)
        return true;
    const struct request_ref *ref = &x->program->requests[instr->first_request];
    call->name = ref->name;
    return operand_request(x->program, ref, instr->site, x->process, x->slots, &call->index, &problem) ||
           executor_fail(x, &problem);
}

/* ---- binding ---- */

void executor_bind(struct executor *x, const struct instr *instr, enum bind_key key, int64_t value)
{
    if (instr->binds && instr->bind[key] >= 0)
        x->slots[instr->bind[key]] = value_int(value);
}

void executor_bind_status(struct executor *x, const struct instr *instr, const MPI_Status *status)
{
    int bytes = 0;
    bool any = status && status->MPI_SOURCE != MPI_PROC_NULL;
    if (!instr->binds)
        return;
    if (any)
        MPI_Get_count(status, MPI_BYTE, &bytes);
    executor_bind(x, instr, BIND_source, any ? status->MPI_SOURCE : PROGRAM_PROC_NULL);
    executor_bind(x, instr, BIND_got_tag, any ? status->MPI_TAG : PROGRAM_WILDCARD);
    executor_bind(x, instr, BIND_got_size, bytes);
}

/* ---- memory ---- */

void call_release(struct open_call *call)
{
    if (call->memory)
        alloc_space_free(call->memory, call->memory_bytes);
    call->memory = NULL;
    free(call->arrays);
    call->arrays = NULL;
}

/* Where a message is sent from. */
static void *send_memory(struct executor *x, const struct instr *instr, const struct envelope *e,
                         struct open_call *call)
{
    if (e->rank == MPI_PROC_NULL)
        return NULL;
    x->n_sent++;
    if (!x->verifier)
        return buffer_touched(&x->send, e->o.bytes);
    const struct sent_message sent = {.bytes = e->o.bytes, .comm = e->o.comm, .tag = e->o.tag, .site = instr->site,
                                      .to = e->o.peer};
    const struct stamp stamp = {.from = x->process, .site = instr->site, .replication = x->replication,
                                .number = verifier_send(x->verifier, &sent), .bytes = e->o.bytes};
    call->memory_bytes = (size_t)e->o.bytes;
    call->memory = alloc_space(call->memory_bytes);
    stamp_write(call->memory, &stamp);
    return call->memory;
}

static int sent_bytes(const struct envelope *e)
{
    return e->rank == MPI_PROC_NULL ? 0 : (int)e->o.bytes;
}

/* Where one is received into. Also tells the verifier. */
static void *receive_memory(struct executor *x, const struct instr *instr, const struct envelope *e,
                            struct open_call *call)
{
    call->kind = REQUEST_RECEIVE;
    call->site = instr->site;
    call->comm = e->o.comm;
    call->bytes = e->o.bytes;
    call->nobody = e->rank == MPI_PROC_NULL;
    if (!x->verifier || call->nobody)
        return x->receive.at;
    call->posted = verifier_post(x->verifier, e->o.peer, e->o.comm, e->o.tag, instr->site);
    call->memory_bytes = (size_t)x->receive_bytes;
    call->memory = alloc_space(call->memory_bytes);
    return call->memory;
}

/* ---- what came ---- */

bool executor_take(struct executor *x, const struct open_call *call, const MPI_Status *status)
{
    int bytes;
    struct problem problem;
    if (call->nobody)
        return true;
    x->n_received++;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    int from = program_comm_process(x->program, call->comm, status->MPI_SOURCE);
    if (x->verifier) {
        int64_t number;
        const char *wrong = stamp_read(call->memory, bytes, x->replication, from, &number);
        verifier_take(x->verifier, call->posted, from, status->MPI_TAG, bytes, number, wrong);
    }
    return operand_fits(bytes, from, call->bytes, call->site, &problem) || executor_fail(x, &problem);
}

/* ---- what probes take out ---- */

/* Keeps it under the number that the slot gets. */
static void hold(struct executor *x, const struct instr *instr, const struct envelope *e, MPI_Message handle)
{
    struct held_message held = {.handle = handle, .comm = e->o.comm};
    if (handle == MPI_MESSAGE_NULL || handle == MPI_MESSAGE_NO_PROC) {
        x->slots[instr->bind[BIND_message]] =
            handle == MPI_MESSAGE_NULL ? (struct value){VALUE_NONE, {0}} : value_int(PROGRAM_NO_MESSAGE);
        return;
    }
    if (x->verifier)
        held.posted = verifier_post(x->verifier, e->o.peer, e->o.comm, e->o.tag, instr->site);
    size_t i = 0;
    while (i < x->n_held && x->held[i].handle != MPI_MESSAGE_NULL)
        i++;
    if (i == x->n_held) {
        x->held = alloc_grow(x->held, x->n_held, &x->held_capacity, sizeof *x->held);
        x->n_held++;
    }
    x->held[i] = held;
    x->slots[instr->bind[BIND_message]] = value_int((int64_t)i);
}

/* Where it is received into, as receive_memory. */
static void *held_memory(struct executor *x, const struct held_message *held, int64_t bytes, struct open_call *call)
{
    call->nobody = !held;
    call->bytes = bytes;
    call->comm = held ? held->comm : 0;
    if (!x->verifier || !held)
        return x->receive.at;
    call->posted = held->posted;
    call->memory_bytes = (size_t)x->receive_bytes;
    return call->memory = alloc_space(call->memory_bytes);
}

static bool held_receive(struct executor *x, MPI_Message *message, void *memory, struct open_call *call,
                         MPI_Status *status)
{
    MPI_Mrecv(memory, (int)x->receive_bytes, MPI_BYTE, message, status);
    bool good = executor_take(x, call, status);
    call_release(call);
    return good;
}

void executor_release_messages(struct executor *x)
{
    for (size_t i = 0; i < x->n_held; i++) {
        struct open_call call = {.kind = REQUEST_RECEIVE};
        MPI_Status status;
        if (x->held[i].handle != MPI_MESSAGE_NULL)
            held_receive(x, &x->held[i].handle, held_memory(x, &x->held[i], INT64_MAX, &call), &call, &status);
    }
    x->n_held = 0;
}

/* A RECV or IRECV of what a probe took out. */
static bool message_receive(struct executor *x, const struct instr *instr)
{
    struct envelope e;
    struct open_call call = {.kind = REQUEST_RECEIVE, .site = instr->site};
    struct problem problem;
    MPI_Status status;
    MPI_Message nobody = MPI_MESSAGE_NO_PROC;
    struct value *slot = &x->slots[instr->bind[BIND_message]];
    if (!operand_message_held(*slot, instr->site, &problem))
        return executor_fail(x, &problem);
    if (!envelope_read(x, instr, &e) || (instr->op == INSTR_IRECV && !call_name(x, instr, &call)))
        return false;
    struct held_message *held = slot->i == PROGRAM_NO_MESSAGE ? NULL : &x->held[slot->i];
    MPI_Message *message = held ? &held->handle : &nobody;
    void *memory = held_memory(x, held, e.o.bytes, &call);
    *slot = (struct value){VALUE_NONE, {0}};
    if (instr->op == INSTR_IRECV) {
        MPI_Imrecv(memory, (int)x->receive_bytes, MPI_BYTE, message, &call.handle);
        requests_add(&x->requests, &call);
        return true;
    }
    bool good = held_receive(x, message, memory, &call, &status);
    executor_bind_status(x, instr, call.nobody ? NULL : &status);
    return good;
}

/* ---- the calls ---- */

bool executor_send(struct executor *x, const struct instr *instr)
{
    struct envelope e;
    struct open_call call = {.kind = REQUEST_SEND, .site = instr->site};
    bool blocking = instr->op == INSTR_SEND || instr->op == INSTR_BSEND || instr->op == INSTR_SSEND;
    if (!envelope_read(x, instr, &e) || !bytes_check(x, instr, e.o.bytes) ||
        (!blocking && !call_name(x, instr, &call)))
        return false;
    const void *memory = send_memory(x, instr, &e, &call);
    const int bytes = sent_bytes(&e);
    if (instr->op == INSTR_SEND && x->ready[instr->site])
        MPI_Rsend(memory, bytes, MPI_BYTE, e.rank, e.tag, e.comm);
    else if (instr->op == INSTR_SEND)
        MPI_Send(memory, bytes, MPI_BYTE, e.rank, e.tag, e.comm);
    else if (instr->op == INSTR_BSEND)
        MPI_Bsend(memory, bytes, MPI_BYTE, e.rank, e.tag, e.comm);
    else if (instr->op == INSTR_SSEND)
        MPI_Ssend(memory, bytes, MPI_BYTE, e.rank, e.tag, e.comm);
    else if (instr->op == INSTR_ISEND)
        MPI_Isend(memory, bytes, MPI_BYTE, e.rank, e.tag, e.comm, &call.handle);
    else
        MPI_Issend(memory, bytes, MPI_BYTE, e.rank, e.tag, e.comm, &call.handle);
    if (blocking)
        call_release(&call);
    else
        requests_add(&x->requests, &call);
    return true;
}

bool executor_receive(struct executor *x, const struct instr *instr)
{
    struct envelope e;
    struct open_call call = {.kind = REQUEST_RECEIVE};
    MPI_Status status;
    if (instr->binds && instr->bind[BIND_message] >= 0)
        return message_receive(x, instr);
    if (!envelope_read(x, instr, &e) || (instr->op == INSTR_IRECV && !call_name(x, instr, &call)))
        return false;
    void *memory = receive_memory(x, instr, &e, &call);
    const int room = (int)x->receive_bytes;
    if (instr->op == INSTR_IRECV) {
        MPI_Irecv(memory, room, MPI_BYTE, e.rank, e.tag, e.comm, &call.handle);
        requests_add(&x->requests, &call);
        return true;
    }
    MPI_Recv(memory, room, MPI_BYTE, e.rank, e.tag, e.comm, &status);
    bool good = executor_take(x, &call, &status);
    executor_bind_status(x, instr, call.nobody ? NULL : &status);
    call_release(&call);
    return good;
}

/* What the instructions of an MPI_Sendrecv say; a side that is left out has MPI_PROC_NULL. */
struct sendrecv {
    struct envelope sent, received;
    const struct instr *send, *receive;
};

static bool sendrecv_read(struct executor *x, const struct instr *instr, struct sendrecv *s, const struct instr **wait)
{
    *s = (struct sendrecv){.send = NULL};
    for (; instr->op != INSTR_WAIT; instr++) {
        bool sends = instr->op == INSTR_ISEND;
        struct envelope *e = sends ? &s->sent : &s->received;
        if (!envelope_read(x, instr, e))
            return false;
        *(sends ? &s->send : &s->receive) = instr;
    }
    struct envelope *present = s->send ? &s->sent : &s->received, *absent = s->send ? &s->received : &s->sent;
    if (!s->send || !s->receive)
        *absent = (struct envelope){.o.peer = OPERAND_NO_PEER, .rank = MPI_PROC_NULL, .comm = present->comm};
    *wait = instr;
    return bytes_check(x, instr, s->sent.o.bytes);
}

bool executor_sendrecv(struct executor *x, const struct instr *instr)
{
    struct sendrecv s;
    const struct instr *wait;
    struct open_call in = {.handle = MPI_REQUEST_NULL, .nobody = true}, out = {.handle = MPI_REQUEST_NULL};
    MPI_Status status;
    if (!sendrecv_read(x, instr, &s, &wait))
        return false;
    void *memory = s.receive ? receive_memory(x, s.receive, &s.received, &in) : NULL;
    const void *sent = s.send ? send_memory(x, s.send, &s.sent, &out) : NULL;
    MPI_Sendrecv(sent, sent_bytes(&s.sent), MPI_BYTE, s.sent.rank, s.sent.tag, memory,
                 s.receive ? (int)x->receive_bytes : 0, MPI_BYTE, s.received.rank, s.received.tag, s.received.comm,
                 &status);
    bool good = executor_take(x, &in, &status);
    executor_bind_status(x, wait, in.nobody ? NULL : &status);
    call_release(&in);
    call_release(&out);
    x->pc = (int32_t)(wait - x->role->code) + 1;
    return good;
}

/* ---- probes ---- */

/* A probe: whether it found something, with the status; message: what it took out, NULL where it leaves it. */
static bool probe_call(const struct instr *instr, const struct envelope *e, MPI_Message *message, MPI_Status *status)
{
    int flag = 1;
    const bool waits = instr->op == INSTR_PROBE;
    if (message && waits)
        MPI_Mprobe(e->rank, e->tag, e->comm, message, status);
    else if (message)
        MPI_Improbe(e->rank, e->tag, e->comm, &flag, message, status);
    else if (waits)
        MPI_Probe(e->rank, e->tag, e->comm, status);
    else
        MPI_Iprobe(e->rank, e->tag, e->comm, &flag, status);
    return flag;
}

bool executor_probe(struct executor *x, const struct instr *instr)
{
    struct envelope e;
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    const bool takes = instr->binds && instr->bind[BIND_message] >= 0;
    int bytes;
    if (!envelope_read(x, instr, &e))
        return false;
    const bool found = probe_call(instr, &e, takes ? &message : NULL, &status);
    executor_bind_status(x, instr, found ? &status : NULL);
    executor_bind(x, instr, BIND_flag, found);
    if (takes)
        hold(x, instr, &e, message);
    if (takes || !x->verifier || !found || status.MPI_SOURCE == MPI_PROC_NULL)
        return true;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    verifier_see(x->verifier, e.o.peer, e.o.comm, e.o.tag, instr->site,
                 program_comm_process(x->program, e.o.comm, status.MPI_SOURCE), status.MPI_TAG, bytes);
    return true;
}
