#include "record/calls.h"

#include "common/alloc.h"
#include "directives/dry_run.h"
#include "engine/operand.h"
#include "record/hold/pending.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = 2000000 };  /* of a process: 150 MB */
enum { STARTS_MOST = 20000 };   /* calls before the part that a program describes */

static const char *const collective_names[] = {
#define X(name, sizes, like, who) #name,
    COLLECTIVE_LIST(X)
#undef X
};

static bool add(struct calls *calls, struct call call)
{
    if (calls->n == CALLS_MOST)
        return false;
    calls->list = alloc_grow(calls->list, calls->n, &calls->capacity, sizeof call);
    call.items = calls->n_items;
    call.done = calls->n + 1;
    call.waited = -1;
    calls->list[calls->n++] = call;
    return true;
}

static void add_item(struct calls *calls, struct call_item item)
{
    calls->items = alloc_grow(calls->items, calls->n_items, &calls->items_capacity, sizeof item);
    calls->items[calls->n_items++] = item;
}

void calls_free(struct calls *calls)
{
    free(calls->list);
    free(calls->items);
    *calls = (struct calls){0};
}

const char *calls_collective(int32_t op)
{
    return collective_names[op];
}

const char *calls_remote(int32_t op)
{
    return op == INSTR_REMOTE_PUT ? "a put" : op == INSTR_REMOTE_GET ? "a get" : op == INSTR_LOCK ? "a lock"
         : op == INSTR_UNLOCK ? "an unlock" : op == INSTR_FLUSH ? "a flush" : "a fence";
}

/* members [n]; NULL: all processes, whose number n is. */
static struct call_group group_of(int32_t n, const int32_t members[], int32_t all)
{
    struct call_group group = {.n = n, .most = n - 1};
    if (!members || n == all)
        return group;
    group.least = INT32_MAX;
    group.most = 0;
    for (int32_t i = 0; i < n; i++) {
        const uint64_t mixed = ((uint64_t)members[i] + 1) * 0x9E3779B97F4A7C15U;
        group.hash += (uint32_t)(mixed >> 32);
        group.least = members[i] < group.least ? members[i] : group.least;
        group.most = members[i] > group.most ? members[i] : group.most;
    }
    return group;
}

static bool same_group(const struct call_group *a, const struct call_group *b)
{
    return a->n == b->n && a->hash == b->hash && a->least == b->least && a->most == b->most;
}

/* ---- what ran ---- */

/* The operation of directives that stands for it. */
static int collective_of(enum operation op)
{
    const char *name = operation_facts(op)->said;
    for (size_t i = 0; i < sizeof collective_names / sizeof *collective_names; i++)
        if (strcmp(collective_names[i], name) == 0)
            return (int)i;
    return -1;
}

static int agreement_of(const char *said)
{
    static const enum message_op known[] = {
#define X(name, sort, instr, keys, needed) MESSAGE_##name,
        MESSAGE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (message_op_sort(known[i]) == SORT_agreement && strcmp(said, message_op_name(known[i])) == 0)
            return (int)known[i];
    return -1;
}

int calls_agreement(enum operation op)
{
    return operation_kind(op) == KIND_comm ? agreement_of(operation_facts(op)->said) : -1;
}

/* What its directive is lowered to. */
static int32_t remote_of(enum operation op)
{
    static const struct {
        const char *name;
        enum instr_op instr;
    } known[] = {
#define X(name, sort, instr, keys, needed) {#name, INSTR_##instr},
        MESSAGE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, operation_facts(op)->said) == 0)
            return (int32_t)known[i].instr;
    return -1;
}

/* Those of its communicators, by number. Yours to free. */
static struct call_group *groups_recorded(const struct recorded_process *process)
{
    struct call_group *groups = alloc_zeroed((size_t)process->n_comms + 1, sizeof *groups);
    for (int i = 0; i < process->n_comms; i++)
        groups[i] = group_of(process->comms[i].size, process->comms[i].members, process->comms[0].size);
    return groups;
}

static int64_t bytes_of(const struct recorded_node *node)
{
    return node->bytes_least == node->bytes_most ? node->bytes : CALL_ANY;
}

static int32_t process_of(const struct recorded_process *process, const struct recorded_node *node, int peer)
{
    const struct recorded_comm *comm = &process->comms[node->comm];
    return peer < 0 || peer >= comm->size ? CALL_ANY : comm->members ? comm->members[peer] : peer;
}

static bool add_message(struct calls *calls, const struct recorded_process *process, const struct recorded_node *node,
                        bool sends, int peer, int tag, int site)
{
    if (peer == PEER_NULL)
        return true;
    return add(calls, (struct call){.kind = sends ? CALL_SEND : CALL_RECEIVE, .from = site, .tag = tag,
                                    .peer = process_of(process, node, peer), .bytes = bytes_of(node)});
}

/* Both are complete when the call is. */
static bool add_both(struct calls *calls, const struct recorded_process *process, const struct recorded_node *node, int site)
{
    const size_t first = calls->n;
    bool added = add_message(calls, process, node, false, node->peer2, node->tag2, site) &&
                 add_message(calls, process, node, true, node->peer, node->tag, site);
    for (size_t i = first; i < calls->n; i++)
        calls->list[i].done = calls->n;
    return added;
}

/* What a wait took. Of what only some of several took, or a look, the run decided when. */
static void end_recorded(struct calls *calls, struct pending *pending, const struct recorded_process *process,
                         const struct recorded_node *node, int site)
{
    const bool certain = node->op == OPERATION_MPI_Wait || node->op == OPERATION_MPI_Waitall;
    const struct recorded_list *list = node->list >= 0 && node->list < process->n_lists ? &process->lists[node->list] : NULL;
    for (int i = 0; list && i < (list->all ? 1 : list->n); i++) {
        const struct recorded_pair *pair = list->all ? NULL : &list->pairs[i];
        const enum pending_which which = !pair ? PENDING_ALL : pair->ordinal < 0 ? PENDING_NAME : PENDING_LATEST;
        if (certain)
            pending_end(pending, calls, which, pair ? pair->path : -1, pair ? pair->ordinal : -1, site);
        else
            pending_doubt(pending, calls, which, pair ? pair->path : -1, pair ? pair->ordinal : -1, !operation_takes_some(node->op));
    }
}

/* A process whose calls are added. */
struct recorded_walk {
    struct calls *calls;
    struct pending pending;
    const struct recorded_process *process;
    const struct call_group *groups; /* [process->n_comms] */
    struct site_table *sites;
};

static bool add_call(struct recorded_walk *walk, const struct recorded_node *node, int site)
{
    struct calls *calls = walk->calls;
    const struct recorded_process *process = walk->process;
    switch (operation_kind(node->op)) {
    case KIND_send:
        return add_message(calls, process, node, true, node->peer, node->tag, site);
    case KIND_recv:
        return add_message(calls, process, node, false, node->peer, node->tag, site);
    case KIND_mrecv: /* by its probe's tag: the directive names the message, and no tag */
        return add_message(calls, process, node, false, node->peer, CALL_TAG_UNKNOWN, site);
    case KIND_both:
        /* as it is lowered: the receive is posted first */
        return add_both(calls, process, node, site);
    case KIND_barrier:
    case KIND_rooted:
    case KIND_rootless:
    case KIND_near: {
        int op = collective_of(node->op);
        return op < 0 || add(calls, (struct call){.kind = CALL_COLLECTIVE, .op = op, .from = site, .group = walk->groups[node->comm],
                                                  .peer = node->peer < 0 ? 0 : node->peer, .bytes = bytes_of(node)});
    }
    case KIND_remote:
    case KIND_lock:
        return node->peer == PEER_NULL || add(calls, (struct call){.kind = CALL_REMOTE, .op = remote_of(node->op), .from = site,
                                                                   .peer = process_of(process, node, node->peer),
                                                                   .tag = node->op == OPERATION_MPI_Win_lock ? node->tag : 0,
                                                                   .bytes = bytes_of(node)});
    case KIND_fence:
        return add(calls, (struct call){.kind = CALL_REMOTE, .op = INSTR_DELIVER, .from = site, .peer = CALL_ANY});
    case KIND_wait:
        add_item(calls, (struct call_item){.kind = ITEM_WAIT});
        end_recorded(calls, &walk->pending, process, node, site);
        return true;
    case KIND_comm: {
        const int op = calls_agreement(node->op);
        return op < 0 || add(calls, (struct call){.kind = CALL_AGREEMENT, .op = op, .from = site, .peer = CALL_ANY});
    }
    case KIND_probe: case KIND_mprobe: case KIND_window: case KIND_cancel: case KIND_file:
    case KIND_other:
        return true;
    }
    return true;
}

static bool add_recorded(struct recorded_walk *walk, const struct recorded_node *node)
{
    struct calls *calls = walk->calls;
    const size_t before = calls->n;
    const int site = site_find(walk->sites, walk->process, node->op, node->path);
    add_item(calls, (struct call_item){.kind = ITEM_COMPUTED, .node = node});
    if (!add_call(walk, node, site))
        return false;
    if (operation_gives_request(node->op) && node->list >= 0) {
        /* of what has this number still, no wait was seen: it was freed */
        pending_doubt(&walk->pending, calls, PENDING_LATEST, node->path, node->list, true);
        pending_begin(&walk->pending, calls, &(struct pending_request){node->path, node->list,
                                                                       calls->n > before ? before : PENDING_NOBODY});
    }
    return true;
}

static bool add_nodes(struct recorded_walk *walk, size_t n, const struct recorded_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        if (!nodes[i].loop && !add_recorded(walk, &nodes[i]))
            return false;
        for (int64_t trip = 0; nodes[i].loop && trip < nodes[i].trips / nodes[i].runs; trip++)
            if (!add_nodes(walk, nodes[i].n_body, nodes[i].body))
                return false;
    }
    return true;
}

bool calls_recorded(struct calls *calls, const struct recorded_process *process, struct site_table *sites)
{
    struct call_group *groups = groups_recorded(process);
    struct recorded_walk walk = {.calls = calls, .process = process, .groups = groups, .sites = sites};
    const bool all = add_nodes(&walk, process->n, process->nodes);
    pending_doubt(&walk.pending, calls, PENDING_ALL, -1, -1, true); /* freed, or waited for behind what is looked at */
    pending_free(&walk.pending);
    free(groups);
    return all;
}

/* ---- what the program says ---- */

/* One process that walks its instructions. */
struct walk {
    const struct program *program;
    const struct role *role;
    int process;
    struct value *slots;
    bool *unknown;              /* [n_slots] what only a run knows: what a status bound, and what was computed from it */
    struct calls *calls;
    struct call_group *groups;  /* [program->n_comms] n 0: not asked for yet */
    struct pending pending;
    bool *reached;              /* [program->n_sites] */
    struct problem problem;
};

static bool is_known(const struct walk *walk, int64_t expr)
{
    return dry_run_knows(walk->program, expr, walk->unknown);
}

/* Where control depends on the run, what it does cannot be followed. */
static bool must_know(struct walk *walk, int64_t expr)
{
    if (is_known(walk, expr))
        return true;
    walk->problem = (struct problem){.status = STATUS_NOT_YET, .site = program_expr_site(walk->program, (int32_t)expr)};
    snprintf(walk->problem.text, sizeof walk->problem.text,
             "what comes here is decided by what the run received, so it cannot be held against a recording");
    return false;
}

static void forget(struct walk *walk, int32_t slot, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        walk->unknown[slot + i] = true;
}

static bool is_remote(int op)
{
    return op == INSTR_REMOTE_PUT || op == INSTR_REMOTE_GET || op == INSTR_LOCK || op == INSTR_UNLOCK || op == INSTR_FLUSH;
}

/* What an instruction of a message says, whose tag may be known or not; one that takes a probed message out has any. */
static int32_t tag_of(const struct instr *instr, bool known, int32_t tag)
{
    const bool remote = is_remote(instr->op), probed = instr->bind[BIND_message] >= 0;
    if (remote)
        return instr->op != INSTR_LOCK ? 0 : known ? tag != 0 : CALL_TAG_UNKNOWN;
    return known && !probed ? tag : CALL_TAG_UNKNOWN;
}

static bool walk_message(struct walk *walk, const struct instr *full)
{
    struct operands operands;
    struct instr known = *full; /* without what only the run knows */
    const struct instr *instr = &known;
    bool receives = instr->op == INSTR_RECV || instr->op == INSTR_IRECV, any_bytes = false, remote = is_remote(instr->op);
    bool any_tag = false;
    if (known.dynamic & DYNAMIC_PEER && !is_known(walk, known.peer)) {
        known.dynamic &= (uint8_t)~DYNAMIC_PEER;
        known.peer = INSTR_ANY_SOURCE;
    }
    if (known.dynamic & DYNAMIC_TAG && !is_known(walk, known.tag)) {
        known.dynamic &= (uint8_t)~DYNAMIC_TAG;
        known.tag = 0;
        any_tag = true;
    }
    if (known.dynamic & DYNAMIC_BYTES && !is_known(walk, known.bytes)) {
        known.dynamic &= (uint8_t)~DYNAMIC_BYTES;
        known.bytes = 0;
        any_bytes = true;
    }
    if (!operand_message(walk->program, walk->role, instr, walk->process, walk->slots, &operands, &walk->problem))
        return false;
    if (operands.peer == OPERAND_NO_PEER)
        return true;
    if (any_bytes)
        operands.bytes = CALL_ANY;
    add(walk->calls, (struct call){.kind = remote ? CALL_REMOTE : receives ? CALL_RECEIVE : CALL_SEND,
                                   .op = remote ? instr->op : 0, .from = instr->site,
                                   .peer = operands.peer == OPERAND_ANY_PEER ? CALL_ANY : operands.peer,
                                   .tag = tag_of(full, !any_tag, operands.tag),
                                   .bytes = operands.bytes});
    return true;
}

static struct call_group walk_group(const struct walk *walk, int32_t comm)
{
    const struct comm *of = &walk->program->comms[comm];
    if (walk->groups[comm].n == 0)
        walk->groups[comm] = group_of(of->n, of->members, walk->program->numprocs);
    return walk->groups[comm];
}

static bool walk_collective(struct walk *walk, const struct instr *instr)
{
    int32_t root;
    int64_t bytes;
    const struct collective_ref *ref = &walk->program->collectives[instr->index];
    if ((ref->root_expr >= 0 && !must_know(walk, ref->root_expr)) ||
        (ref->bytes_expr >= 0 && !ref->over_partner && !must_know(walk, ref->bytes_expr)))
        return false;
    if (!operand_collective(walk->program, instr, walk->process, walk->slots, &root, &bytes, &walk->problem))
        return false;
    int64_t share = bytes;
    if (ref->bytes < 0 && ref->shares)
        share = ref->shares[program_comm_rank(walk->program, ref->comm, walk->process)];
    add(walk->calls, (struct call){.kind = CALL_COLLECTIVE, .op = (int32_t)ref->op, .from = instr->site, .peer = root,
                                   .group = walk_group(walk, ref->comm),
                                   .bytes = ref->over_partner ? CALL_ANY : share});
    return true;
}

/* The first of what a library makes to agree on a communicator stands for all of it, as a call stands for it in a recording. */
static bool walk_agreement(struct walk *walk, const struct instr *instr, int32_t *pc)
{
    const int op = agreement_of(walk->program->sites[instr->site].what);
    while (op >= 0 && walk->role->code[*pc].site == instr->site && walk->role->code[*pc].op == INSTR_COLLECTIVE)
        ++*pc;
    if (op >= 0)
        add(walk->calls, (struct call){.kind = CALL_AGREEMENT, .op = op, .from = instr->site, .peer = CALL_ANY});
    return op >= 0;
}

static bool walk_sample(struct walk *walk, const struct instr *instr)
{
    double a[2] = {0, 0};
    int32_t serial = (int32_t)instr->index;
    const struct serial_ref *ref = &walk->program->serials[serial];
    for (int i = 0; i < ref->n; i++)
        if (ref->dynamic[i] && !must_know(walk, ref->expr[i]))
            return false;
    if (!operand_serial(walk->program, instr, walk->process, walk->slots, a, &walk->problem))
        return false;
    add_item(walk->calls, (struct call_item){.kind = ITEM_COMPUTED, .serial = serial, .argument = a[0]});
    return true;
}

/* Which element of a request's name, if that is known. False: an error. */
static bool find_element(struct walk *walk, const struct request_ref *ref, int32_t site, bool *known, int64_t *element)
{
    *element = 0;
    *known = ref->index_expr < 0 || is_known(walk, ref->index_expr);
    return !*known || operand_request(walk->program, ref, site, walk->process, walk->slots, element, &walk->problem);
}

/* What began since `before` has this instruction's request, if it has one: the last, where it was a call at all. */
static bool walk_begun(struct walk *walk, const struct instr *instr, size_t before)
{
    struct pending_request request = {.name = INT64_MIN, .call = walk->calls->n > before ? walk->calls->n - 1 : PENDING_NOBODY};
    const struct request_ref *ref = &walk->program->requests[instr->first_request];
    bool known = true;
    if (instr->n_requests > 0 && !find_element(walk, ref, instr->site, &known, &request.element))
        return false;
    request.name = instr->n_requests > 0 ? ref->name : request.name;
    request.element = known ? request.element : INT64_MIN;
    pending_begin(&walk->pending, walk->calls, &request);
    if (!known)
        pending_doubt(&walk->pending, walk->calls, PENDING_LATEST, request.name, request.element, false);
    return true;
}

/* What a wait names; what it does not name for certain stays open, and nothing is said of it. */
static bool walk_ends(struct walk *walk, const struct instr *instr)
{
    const bool certain = instr->op == INSTR_WAIT || instr->op == INSTR_WAITALL;
    if (instr->op == INSTR_WAITALL)
        pending_end(&walk->pending, walk->calls, PENDING_ALL, 0, 0, instr->site);
    else if (instr->n_requests == 0)
        pending_doubt(&walk->pending, walk->calls, PENDING_ALL, 0, 0, false);
    for (int32_t i = 0; i < instr->n_requests && instr->op != INSTR_WAITALL; i++) {
        const struct request_ref *ref = &walk->program->requests[instr->first_request + i];
        bool known;
        int64_t element;
        if (!find_element(walk, ref, instr->site, &known, &element))
            return false;
        const enum pending_which which = ref->whole || !known ? PENDING_NAME : PENDING_LATEST;
        if (certain && known)
            pending_end(&walk->pending, walk->calls, which, ref->name, element, instr->site);
        else
            pending_doubt(&walk->pending, walk->calls, which, ref->name, element, false);
    }
    return true;
}

/* That of an MPI_Sendrecv is no item: no recording has it. */
static bool walk_wait(struct walk *walk, const struct instr *instr)
{
    bool item = true;
    for (int32_t i = 0; i < instr->n_requests; i++)
        item = item && walk->program->requests[instr->first_request + i].name >= 0;
    if (item)
        add_item(walk->calls, (struct call_item){.kind = ITEM_WAIT});
    return walk_ends(walk, instr);
}

/* Executes control; *pc is the next instruction. */
static bool walk_control(struct walk *walk, const struct instr *instr, int32_t *pc)
{
    struct value value;
    int64_t iterations, from;
    switch (instr->op) {
    case INSTR_LOOP:
        if ((instr->dynamic & DYNAMIC_COUNT && !must_know(walk, instr->count)) ||
            (instr->has_variable && instr->from >= 0 && !must_know(walk, instr->from)))
            return false;
        if (instr->has_variable)
            walk->unknown[instr->slot + 1] = false;
        if (!operand_loop(walk->program, instr, walk->process, walk->slots, &iterations, &from, &walk->problem))
            return false;
        walk->slots[instr->slot] = (struct value){.kind = VALUE_INT, .i = iterations};
        if (instr->has_variable)
            walk->slots[instr->slot + 1] = (struct value){.kind = VALUE_INT, .i = from};
        *pc = iterations <= 0 ? instr->target : *pc;
        return true;
    case INSTR_NEXT:
        if (program_loop_again(instr, walk->slots))
            *pc = instr->target;
        return true;
    case INSTR_JUMP:
        *pc = instr->target;
        return true;
    case INSTR_PUT:
        if (!is_known(walk, instr->from) || !is_known(walk, instr->count)) {
            forget(walk, instr->slot, instr->target);
            return true;
        }
        return operand_put(walk->program, instr, walk->process, walk->slots, &walk->problem);
    case INSTR_BRANCH:
    case INSTR_SET:
        if (instr->op == INSTR_BRANCH && !must_know(walk, instr->count))
            return false;
        if (instr->op == INSTR_SET)
            walk->unknown[instr->slot] = !is_known(walk, instr->count);
        if (instr->op == INSTR_SET && walk->unknown[instr->slot])
            return true;
        if (!operand_value(walk->program, instr, walk->process, walk->slots, &value, &walk->problem))
            return false;
        if (instr->op == INSTR_SET)
            walk->slots[instr->slot] = value;
        else if (value.kind == VALUE_INT ? value.i == 0 : value.r == 0)
            *pc = instr->target;
        return true;
    default:
        return true;
    }
}

static bool walk_one(struct walk *walk, const struct instr *instr, int32_t *pc)
{
    const size_t before = walk->calls->n;
    if (instr->site >= 0)
        walk->reached[instr->site] = true;
    switch (instr->op) {
    case INSTR_ISEND: case INSTR_ISSEND: case INSTR_IRECV:
        return walk_message(walk, instr) && walk_begun(walk, instr, before);
    case INSTR_SEND: case INSTR_BSEND: case INSTR_SSEND: case INSTR_RECV:
    case INSTR_REMOTE_PUT: case INSTR_REMOTE_GET: case INSTR_LOCK: case INSTR_UNLOCK: case INSTR_FLUSH:
        return walk_message(walk, instr) && (instr->n_requests == 0 || walk_begun(walk, instr, before));
    case INSTR_COLLECTIVE:
        return walk_agreement(walk, instr, pc) ||
               (walk_collective(walk, instr) && (instr->n_requests == 0 || walk_begun(walk, instr, before)));
    case INSTR_SAMPLE:
        return walk_sample(walk, instr);
    case INSTR_SERIAL:
        add_item(walk->calls, (struct call_item){.kind = ITEM_COMPUTED, .serial = -1});
        return true;
    case INSTR_WAIT: case INSTR_WAITALL: case INSTR_WAITANY: case INSTR_WAITSOME: case INSTR_TEST: case INSTR_TESTALL:
    case INSTR_TESTANY: case INSTR_TESTSOME:
        return walk_wait(walk, instr);
    case INSTR_DELIVER: /* a fence: what the library makes of it is in no recording */
        add(walk->calls, (struct call){.kind = CALL_REMOTE, .op = INSTR_DELIVER, .from = instr->site, .peer = CALL_ANY});
        *pc += 3;
        return true;
    case INSTR_FAIL: {
        const struct failure *failure = &walk->program->failures[instr->index];
        walk->problem = (struct problem){.status = failure->status, .site = failure->site};
        snprintf(walk->problem.text, sizeof walk->problem.text, "%s", failure->text);
        return false;
    }
    default:
        return walk_control(walk, instr, pc);
    }
}

static void report(const struct walk *walk, struct diags *diags)
{
    program_report(walk->program, walk->problem.site, walk->process, walk->problem.text, diags);
}

enum status calls_said(struct calls *calls, const struct program *program, int process, bool *reached,
                       struct diags *diags)
{
    const struct role *role = &program->roles[program->role_of[process]];
    struct walk walk = {.program = program, .role = role, .process = process, .calls = calls, .reached = reached};
    walk.slots = alloc_array((size_t)role->n_slots, sizeof *walk.slots);
    walk.unknown = alloc_zeroed((size_t)role->n_slots, sizeof *walk.unknown);
    walk.groups = alloc_zeroed((size_t)program->n_comms, sizeof *walk.groups);
    if (role->n_slots > 0)
        memcpy(walk.slots, role->initial, (size_t)role->n_slots * sizeof *walk.slots);
    enum status status = STATUS_OK;
    for (int32_t pc = 0; role->code[pc].op != INSTR_END && calls->n < CALLS_MOST && status == STATUS_OK;) {
        const struct instr *instr = &role->code[pc++];
        bool good = walk_one(&walk, instr, &pc);
        for (int k = 0; k < N_BIND_KEYS && instr->binds; k++)
            if (instr->bind[k] >= 0)
                walk.unknown[instr->bind[k]] = true;
        if (!good) {
            report(&walk, diags);
            status = walk.problem.status;
        }
    }
    if (calls->n == CALLS_MOST)
        pending_doubt(&walk.pending, calls, PENDING_ALL, 0, 0, true);
    pending_free(&walk.pending);
    free(walk.slots);
    free(walk.unknown);
    free(walk.groups);
    return status;
}

/* ---- one against the other ---- */

static bool agree(const struct call *said, const struct call *ran)
{
    return said->kind == ran->kind && said->op == ran->op && same_group(&said->group, &ran->group) &&
           (said->tag == ran->tag || said->tag == CALL_TAG_UNKNOWN || ran->tag == CALL_TAG_UNKNOWN) &&
           (said->peer == ran->peer || said->peer == CALL_ANY || ran->peer == CALL_ANY) &&
           (said->kind == CALL_RECEIVE || said->bytes == ran->bytes || said->bytes == CALL_ANY ||
            ran->bytes == CALL_ANY);
}

/* Calls from the beginning of `said` on that are in `ran` from `start` on. */
static size_t follows(const struct calls *said, const struct calls *ran, size_t start)
{
    size_t n = 0;
    while (n < said->n && start + n < ran->n && agree(&said->list[n], &ran->list[start + n]))
        n++;
    return n;
}

size_t calls_match(const struct calls *said, const struct calls *ran, size_t *matched)
{
    size_t best = 0;
    *matched = 0;
    for (size_t start = 0; start < ran->n && start < STARTS_MOST && *matched < said->n; start++) {
        size_t n = follows(said, ran, start);
        if (n > *matched) {
            *matched = n;
            best = start;
        }
    }
    return best;
}

size_t calls_match_waits(const struct calls *said, const struct calls *ran, size_t start, size_t matched)
{
    for (size_t i = 0; i < matched; i++) {
        const size_t says = said->list[i].done, did = ran->list[start + i].done;
        if (says == CALL_UNKNOWN || did == CALL_UNKNOWN)
            continue;
        /* behind the last one the program may end before its wait */
        if (says == CALL_OPEN ? did - start < matched : did - start != says)
            return i;
    }
    return matched;
}
