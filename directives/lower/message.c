#include "directives/lower/lower_impl.h"

#include <string.h>

/* What a message instruction needs, before it is appended: until then a FAIL can still take its place. */
struct operands {
    enum instr_op op;
    uint8_t dynamic;
    int32_t comm, peer, tag;
    int64_t bytes;
};

enum found { FOUND, FOUND_NULL, FOUND_PROBLEM };

/* ---- operands ---- */

static int32_t add_peer(struct lowering *lowering, bool relative, int32_t value)
{
    size_t n = lowering->n_peers;
    for (size_t i = 0; i < n; i++)
        if (lowering->peers[i].relative == relative && lowering->peers[i].value == value)
            return (int32_t)i;
    lowering->peers = alloc_grow(lowering->peers, n, &lowering->peers_capacity, sizeof *lowering->peers);
    memset(&lowering->peers[n], 0, sizeof *lowering->peers); /* roles are compared as bytes */
    lowering->peers[n].relative = relative;
    lowering->peers[n].value = value;
    lowering->n_peers++;
    return (int32_t)n;
}

/* A peer or tag that the run computes. */
static int32_t compute_envelope(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr,
                                enum instr_op op)
{
    bool receives = op == INSTR_RECV || op == INSTR_IRECV;
    int32_t code = lower_expr(lowering, stmt, expr, 1);
    lowering->receives_variables = lowering->receives_variables || (receives && scope_has_slot(&lowering->scope));
    return code;
}

static enum found find_peer(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr,
                            struct operands *operands)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    int32_t peer;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return FOUND_PROBLEM;
    if (folded.kind == FOLD_UNKNOWN) {
        operands->dynamic |= DYNAMIC_PEER;
        operands->peer = compute_envelope(lowering, stmt, expr, operands->op);
        return lowering->dead ? FOUND_PROBLEM : FOUND;
    }
    enum status status = program_check_peer(lowering->program, operands->comm, operands->op, folded.value, &peer, text);
    if (status != STATUS_OK) {
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
        return FOUND_PROBLEM;
    }
    if (peer == -1)
        return FOUND_NULL;
    if (peer == INSTR_ANY_SOURCE)
        operands->peer = peer;
    else
        operands->peer = add_peer(lowering, folded.relative, folded.relative ? peer - lowering->scope.process : peer);
    return FOUND;
}

/* bytes: set beforehand to what holds without `size`. False after a FAIL; likewise below. */
static bool find_bytes(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr,
                       struct operands *operands)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    if (!expr)
        return true;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind == FOLD_UNKNOWN) {
        operands->dynamic |= DYNAMIC_BYTES;
        operands->bytes = lower_expr(lowering, stmt, expr, 1);
        return !lowering->dead;
    }
    enum status status = program_check_bytes(folded.value, &operands->bytes, text);
    if (status != STATUS_OK)
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
    return status == STATUS_OK;
}

static bool find_tag(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr,
                     struct operands *operands)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    if (!expr)
        return true;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind == FOLD_UNKNOWN) {
        operands->dynamic |= DYNAMIC_TAG;
        operands->tag = compute_envelope(lowering, stmt, expr, operands->op);
        return !lowering->dead;
    }
    enum status status = program_check_tag(operands->op, folded.value, &operands->tag, text);
    if (status != STATUS_OK)
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
    return status == STATUS_OK;
}

static enum found find_operands(struct lowering *lowering, const struct stmt *stmt, const struct expr *peer,
                                const struct expr *size, const struct expr *tag, struct operands *operands)
{
    enum found found = find_peer(lowering, stmt, peer, operands);
    if (found == FOUND &&
        (!find_bytes(lowering, stmt, size, operands) || !find_tag(lowering, stmt, tag, operands)))
        return FOUND_PROBLEM;
    return found;
}

static struct instr *emit_message(struct lowering *lowering, const struct stmt *stmt, const struct operands *operands)
{
    struct instr *instr = lower_emit(lowering, operands->op, stmt);
    instr->dynamic = operands->dynamic;
    instr->comm = operands->comm;
    instr->peer = operands->peer;
    instr->tag = operands->tag;
    instr->bytes = operands->bytes;
    return instr;
}

/* ---- the executing side ---- */

bool lower_executed_here(struct lowering *lowering, const struct stmt *stmt, enum expr_key key, int32_t comm)
{
    char number[VALUE_TEXT_BYTES];
    struct folded folded;
    int64_t i;
    const struct expr *expr = stmt->message.key[key];
    const char *name = key == KEY_from ? "from" : "to";
    int process = lowering->scope.process;
    int32_t rank = program_comm_rank(lowering->program, comm, process);
    if (!expr)
        return true;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind == FOLD_KNOWN) {
        if (value_as_integer(folded.value, &i) && i == rank)
            return true;
        if (comm == 0)
            lower_fail(lowering, stmt, &expr->at, STATUS_RANGE,
                       "`%s` is %s, but this directive is executed by process %d", name,
                       fold_value_name(folded.value, number), process);
        else
            lower_fail(lowering, stmt, &expr->at, STATUS_RANGE,
                       "`%s` is %s, but this directive is executed by process %d, whose rank in the communicator is %d",
                       name, fold_value_name(folded.value, number), process, rank);
        return false;
    }
    int32_t elsewhere = lower_elsewhere(lowering, stmt, expr, comm);
    if (lowering->dead)
        return false;
    int32_t branch = (int32_t)lowering->n_code;
    lower_emit(lowering, INSTR_BRANCH, stmt)->count = elsewhere;
    lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "`%s` is not the process that executes this directive", name);
    lowering->code[branch].target = (int32_t)lowering->n_code;
    lowering->dead = false;
    return true;
}

/* ---- requests ---- */

bool lower_find_requests(struct lowering *lowering, const struct stmt *stmt, int n, const struct request requests[],
                         bool waits)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    lowering->n_requests = 0;
    for (int i = 0; i < n; i++) {
        const struct request *request = &requests[i];
        struct request_ref ref = {.name = request->name, .index_expr = -1, .index = -1};
        if (!request->index) {
            ref.whole = waits && lowering->has_elements[request->name];
        } else if (!lower_fold(lowering, stmt, request->index, &folded)) {
            return false;
        } else if (folded.kind == FOLD_UNKNOWN) {
            ref.index_expr = lower_expr(lowering, stmt, request->index, 1);
            if (lowering->dead)
                return false;
        } else {
            enum status status = program_check_index(folded.value, &ref.index, text);
            if (status != STATUS_OK) {
                lower_fail(lowering, stmt, &request->index->at, status, "%s", text);
                return false;
            }
        }
        lowering->requests = alloc_grow(lowering->requests, lowering->n_requests, &lowering->requests_capacity,
                                        sizeof *lowering->requests);
        lowering->requests[lowering->n_requests++] = ref;
    }
    return true;
}

void lower_set_requests(struct lowering *lowering, struct instr *instr, size_t n, const struct request_ref requests[])
{
    if (n == 0)
        return;
    instr->first_request = lower_requests(lowering, n, requests);
    instr->n_requests = (int32_t)n;
}

static bool find_own_requests(struct lowering *lowering, const struct stmt *stmt, bool waits)
{
    return lower_find_requests(lowering, stmt, stmt->message.n_requests, stmt->message.requests, waits);
}

/* ---- binds ---- */

/* The status of a receive from MPI_PROC_NULL (MPI standard 4.0, section 3.10). */
static void bind_null(struct lowering *lowering, const struct stmt *stmt)
{
    const int64_t values[N_BIND_KEYS] = {[BIND_source] = PROGRAM_PROC_NULL,
                                         [BIND_got_tag] = PROGRAM_WILDCARD,
                                         [BIND_got_size] = 0,
                                         [BIND_flag] = 1};
    for (int i = BIND_source; i <= BIND_flag; i++) {
        int variable = stmt->message.bind[i];
        if (variable < 0)
            continue;
        struct folded value = {.kind = FOLD_KNOWN, .value = value_int(values[i])};
        int32_t slot = lowering->scope.slot_of[variable];
        if (slot >= 0) {
            lowering->keeps_wildcards = lowering->keeps_wildcards || i == BIND_got_tag;
            int32_t expr = lower_constant(lowering, stmt, value.value);
            struct instr *set = lower_emit(lowering, INSTR_SET, stmt);
            set->slot = slot;
            set->count = expr;
        }
        lower_assign(lowering, variable, &value);
    }
}

/* A peer that is left to the run, and its value there. */
static void peer_is_computed(struct lowering *lowering, const struct stmt *stmt, struct operands *operands,
                             int64_t value)
{
    operands->dynamic = DYNAMIC_PEER;
    operands->peer = lower_constant(lowering, stmt, value_int(value));
}

static void bind_status(struct lowering *lowering, const struct stmt *stmt, struct instr *instr)
{
    bool surely_receives = instr->op == INSTR_RECV && !(instr->dynamic & DYNAMIC_PEER);
    for (int i = 0; i < N_BIND_KEYS; i++) {
        int variable = stmt->message.bind[i];
        if (variable < 0)
            continue;
        instr->binds = 1;
        instr->bind[i] = lowering->scope.slot_of[variable];
        lowering->keeps_wildcards = lowering->keeps_wildcards || (i == BIND_got_tag && !surely_receives);
        lower_assign(lowering, variable, NULL);
    }
}

/* A wait or test that binds a status names one request, as in MPI. */
static bool check_status_of_one(struct lowering *lowering, const struct stmt *stmt)
{
    bool any = stmt->message.op == MESSAGE_MPI_Waitany || stmt->message.op == MESSAGE_MPI_Testany;
    const int *bind = stmt->message.bind;
    bool status = bind[BIND_source] >= 0 || bind[BIND_got_tag] >= 0 || bind[BIND_got_size] >= 0;
    if (any || !status || (lowering->n_requests == 1 && !lowering->requests[0].whole))
        return true;
    const char *several = lowering->n_requests == 1 ? "all of an array" : "several";
    lower_fail(lowering, stmt, &stmt->message.requests[0].at, STATUS_RANGE,
               "the status of one request can be bound, and `request` names %s", several);
    return false;
}

/* ---- the operations ---- */

/* A message to or from MPI_PROC_NULL does nothing, but its request is complete at once: a call that chooses among
 * requests may take it. So is that of a buffered send, behind which one to MPI_PROC_NULL has it. */
static void lower_null(struct lowering *lowering, const struct stmt *stmt, struct operands *operands)
{
    if (!lowering->chooses || stmt->message.n_requests == 0 || !find_own_requests(lowering, stmt, false))
        return;
    if (operands->op == INSTR_BSEND)
        *operands = (struct operands){.op = INSTR_ISEND, .comm = operands->comm};
    peer_is_computed(lowering, stmt, operands, PROGRAM_PROC_NULL);
    lower_set_requests(lowering, emit_message(lowering, stmt, operands), lowering->n_requests, lowering->requests);
}

void lower_send(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm)
{
    struct expr *const *key = stmt->message.key;
    struct operands operands = {.op = op, .comm = comm, .peer = -1};
    if (!lower_executed_here(lowering, stmt, KEY_from, comm))
        return;
    enum found found = find_operands(lowering, stmt, key[KEY_to], key[KEY_size], key[KEY_tag], &operands);
    if (found == FOUND_NULL)
        lower_null(lowering, stmt, &operands);
    if (found != FOUND || !find_own_requests(lowering, stmt, false))
        return;
    struct instr *instr = emit_message(lowering, stmt, &operands);
    if (op == INSTR_BSEND && lowering->n_requests > 0)
        instr->slot = PROGRAM_IBSEND;
    if (op == INSTR_BSEND)
        lower_null(lowering, stmt, &operands);
    else
        lower_set_requests(lowering, instr, lowering->n_requests, lowering->requests);
}

/* Receives and probes. */
void lower_receive(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm)
{
    struct expr *const *key = stmt->message.key;
    bool probes = op == INSTR_PROBE || op == INSTR_IPROBE;
    struct operands operands = {.op = op, .comm = comm, .peer = -1, .bytes = probes ? 0 : INT64_MAX};
    if (!lower_executed_here(lowering, stmt, KEY_to, comm))
        return;
    enum found found = find_operands(lowering, stmt, key[KEY_from], key[KEY_size], key[KEY_tag], &operands);
    if (found == FOUND_NULL && stmt->message.bind[BIND_message] >= 0) {
        peer_is_computed(lowering, stmt, &operands, PROGRAM_PROC_NULL); /* which gives a message, too */
        found = FOUND;
    }
    if (found == FOUND_NULL) {
        bind_null(lowering, stmt);
        lower_null(lowering, stmt, &operands);
    }
    if (found != FOUND || !find_own_requests(lowering, stmt, false))
        return;
    struct instr *instr = emit_message(lowering, stmt, &operands);
    lower_set_requests(lowering, instr, lowering->n_requests, lowering->requests);
    bind_status(lowering, stmt, instr);
}

/* The receive first, as MPI libraries post them: a rendezvous that was announced before is then permitted before the
 * own one is announced. */
static void lower_sendrecv(struct lowering *lowering, const struct stmt *stmt, int32_t comm)
{
    struct expr *const *key = stmt->message.key;
    struct operands sent = {.op = INSTR_ISEND, .comm = comm, .peer = -1};
    struct operands received = {.op = INSTR_IRECV, .comm = comm, .peer = -1, .bytes = INT64_MAX};
    struct expr *recv_size = key[KEY_recv_size] ? key[KEY_recv_size] : key[KEY_size];
    struct expr *recv_tag = key[KEY_recv_tag] ? key[KEY_recv_tag] : key[KEY_tag];
    struct request_ref requests[2];
    size_t n = 0;
    enum found sends = find_operands(lowering, stmt, key[KEY_to], key[KEY_size], key[KEY_tag], &sent);
    if (sends == FOUND_PROBLEM)
        return;
    enum found receives = find_operands(lowering, stmt, key[KEY_from], recv_size, recv_tag, &received);
    if (receives == FOUND_PROBLEM)
        return;
    if (receives == FOUND) {
        requests[n++] = (struct request_ref){.name = REQUEST_RECEIVED, .index_expr = -1, .index = -1};
        lower_set_requests(lowering, emit_message(lowering, stmt, &received), 1, &requests[n - 1]);
    }
    if (sends == FOUND) {
        requests[n++] = (struct request_ref){.name = REQUEST_SENT, .index_expr = -1, .index = -1};
        lower_set_requests(lowering, emit_message(lowering, stmt, &sent), 1, &requests[n - 1]);
    }
    if (n > 0) {
        struct instr *wait = lower_emit(lowering, INSTR_WAIT, stmt);
        lower_set_requests(lowering, wait, n, requests);
        if (receives == FOUND)
            bind_status(lowering, stmt, wait);
    }
    if (receives == FOUND_NULL)
        bind_null(lowering, stmt);
}

/* Of the message that a probe took out: whose, and with what tag, the probe has said. */
static void lower_take(struct lowering *lowering, const struct stmt *stmt, enum instr_op op)
{
    struct operands operands = {.op = op, .tag = INSTR_ANY_TAG, .bytes = INT64_MAX};
    if (!find_bytes(lowering, stmt, stmt->message.key[KEY_size], &operands) ||
        !find_own_requests(lowering, stmt, false))
        return;
    const uint8_t dynamic = operands.dynamic;
    peer_is_computed(lowering, stmt, &operands, PROGRAM_WILDCARD);
    operands.dynamic |= dynamic;
    struct instr *instr = emit_message(lowering, stmt, &operands);
    lower_set_requests(lowering, instr, lowering->n_requests, lowering->requests);
    bind_status(lowering, stmt, instr);
}

/* One-sided operations, and what begins or ends an epoch with one process. */
static void lower_remote(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm)
{
    struct expr *const *key = stmt->message.key;
    struct operands operands = {.op = op, .comm = comm, .peer = -1};
    const struct expr *peer = key[op == INSTR_REMOTE_GET ? KEY_from : KEY_to];
    if (find_operands(lowering, stmt, peer, key[KEY_size], key[KEY_exclusive], &operands) != FOUND)
        return;
    struct instr *instr = emit_message(lowering, stmt, &operands);
    instr->slot = stmt->message.window;
    if (op == INSTR_UNLOCK || op == INSTR_FLUSH)
        lower_settle(lowering, stmt, instr);
}

/* Waits and tests. */
static void lower_wait(struct lowering *lowering, const struct stmt *stmt, enum instr_op op)
{
    if (!find_own_requests(lowering, stmt, true) || !check_status_of_one(lowering, stmt))
        return;
    bool all = op == INSTR_WAIT && stmt->message.n_requests == 0;
    struct instr *instr = lower_emit(lowering, all ? INSTR_WAITALL : op, stmt);
    lower_set_requests(lowering, instr, lowering->n_requests, lowering->requests);
    bind_status(lowering, stmt, instr);
}

void lower_message(struct lowering *lowering, const struct stmt *stmt)
{
    static const enum instr_op instrs[] = {
#define X(name, sort, instr, keys, needed) INSTR_##instr,
        MESSAGE_LIST(X)
#undef X
    };
    const enum instr_op op = instrs[stmt->message.op];
    int32_t comm;
    if (!lower_find_comm(lowering, stmt, stmt->message.key[KEY_comm], &comm))
        return;
    switch (message_op_sort(stmt->message.op)) {
    case SORT_send:
        lower_send(lowering, stmt, op, comm);
        break;
    case SORT_receive:
    case SORT_probe:
        lower_receive(lowering, stmt, op, comm);
        break;
    case SORT_swap:
        lower_sendrecv(lowering, stmt, comm);
        break;
    case SORT_take:
        lower_take(lowering, stmt, op);
        break;
    case SORT_wait:
        lower_wait(lowering, stmt, op);
        break;
    case SORT_made_send:
    case SORT_made_receive:
        lower_make(lowering, stmt, op, comm);
        break;
    case SORT_start:
        lower_start(lowering, stmt);
        break;
    case SORT_free:
        lower_free(lowering, stmt);
        break;
    case SORT_remote:
    case SORT_lock:
        lower_remote(lowering, stmt, op, comm);
        break;
    case SORT_fence:
        lower_fence(lowering, stmt, comm);
        break;
    case SORT_agreement:
        lower_agreement(lowering, stmt, comm);
        break;
    }
}
