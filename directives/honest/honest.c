#include "directives/honest.h"

#include "common/alloc.h"
#include "directives/directive.h"
#include "directives/fold.h"
#include "directives/honest/host_value.h"
#include "directives/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CALLS_MOST = 8, HONEST_PLACEMENTS = 4, WRAPPERS_DEEPEST = 3, SHOWN_MOST = 40 };

/* What a directive may say that a call says as well. X(key of the directive, its unit) */
#define OPERAND_LIST(X) \
    X(to, "") X(from, "") X(size, " bytes") X(tag, "") X(recv_size, " bytes") X(recv_tag, "") X(root, "")
enum operand {
#define X(name, unit) OPERAND_##name,
    OPERAND_LIST(X)
#undef X
    N_OPERANDS
};
static const struct {
    const char *name, *unit;
    enum expr_key key;
} operand_texts[] = {
#define X(name, unit) {#name, unit, KEY_##name},
    OPERAND_LIST(X)
#undef X
};

/* Where C's call has what: positions of arguments from 1, 0: nowhere. `count` and the datatype behind it make `size`;
 * Fortran has one argument more, the last (MPI standard 4.0, chapters 3 and 6). */
struct signature {
    const char *name, *op;  /* op: of another directive that says the same, or its own; count 0: it has none, or an
                             * array of them */
    int n, count, recv_count, to, from, tag, recv_tag, root, comm;
};
#define SENDS(name_, n_) {.name = name_, .op = name_, .n = n_, .count = 2, .to = 4, .tag = 5, .comm = 6}
#define RECEIVES(name_, n_) {.name = name_, .op = name_, .n = n_, .count = 2, .from = 4, .tag = 5, .comm = 6}
#define PLAIN(name_, n_) {.name = name_, .op = name_, .n = n_}
#define SIZELESS(name_, n_, comm_) {.name = name_, .op = name_, .n = n_, .comm = comm_}
#define MAKES(name_, op_, n_) {.name = name_, .op = op_, .n = n_, .comm = 1} /* a communicator */
#define PROBES(name_, n_) {.name = name_, .op = name_, .n = n_, .from = 1, .tag = 2, .comm = 3}
#define GATHERS(name_, n_, count_, root_) \
    {.name = name_, .op = name_, .n = n_, .count = count_, .root = root_, .comm = n_}
static const struct signature signatures[] = {
    SENDS("MPI_Send", 6), SENDS("MPI_Bsend", 6), SENDS("MPI_Ssend", 6), SENDS("MPI_Rsend", 6), SENDS("MPI_Isend", 7),
    SENDS("MPI_Issend", 7), RECEIVES("MPI_Recv", 7), RECEIVES("MPI_Irecv", 7),
    {.name = "MPI_Sendrecv", .op = "MPI_Sendrecv", .n = 12, .count = 2, .to = 4, .tag = 5, .recv_count = 7, .from = 9,
     .recv_tag = 10, .comm = 11},
    SENDS("MPI_Ibsend", 7), SENDS("MPI_Irsend", 7), SENDS("MPI_Send_init", 7), SENDS("MPI_Bsend_init", 7),
    SENDS("MPI_Ssend_init", 7), SENDS("MPI_Rsend_init", 7), RECEIVES("MPI_Recv_init", 7),
    PLAIN("MPI_Start", 1), PLAIN("MPI_Startall", 2), PLAIN("MPI_Request_free", 1),
    {.name = "MPI_Sendrecv_replace", .op = "MPI_Sendrecv", .n = 9, .count = 2, .to = 4, .tag = 5, .recv_count = 2,
     .from = 6, .recv_tag = 7, .comm = 8},
    PLAIN("MPI_Wait", 2), PLAIN("MPI_Waitall", 3), PLAIN("MPI_Waitany", 4), PLAIN("MPI_Waitsome", 5),
    PLAIN("MPI_Test", 3), PLAIN("MPI_Testall", 4), PLAIN("MPI_Testany", 5), PLAIN("MPI_Testsome", 5),
    PROBES("MPI_Probe", 4), PROBES("MPI_Iprobe", 5), PROBES("MPI_Mprobe", 5), PROBES("MPI_Improbe", 6),
    {.name = "MPI_Mrecv", .op = "MPI_Mrecv", .n = 5, .count = 2}, {.name = "MPI_Imrecv", .op = "MPI_Imrecv", .n = 5, .count = 2},
    SIZELESS("MPI_Barrier", 1, 1), SIZELESS("MPI_Reduce_scatter", 6, 6), SIZELESS("MPI_Alltoallv", 9, 9),
    GATHERS("MPI_Bcast", 5, 2, 4), GATHERS("MPI_Scatter", 8, 5, 7), GATHERS("MPI_Scatterv", 9, 6, 8),
    GATHERS("MPI_Gather", 8, 2, 7), GATHERS("MPI_Gatherv", 9, 2, 8), GATHERS("MPI_Allgather", 7, 2, 0),
    GATHERS("MPI_Allgatherv", 8, 2, 0), GATHERS("MPI_Reduce", 7, 3, 6), GATHERS("MPI_Allreduce", 6, 3, 0),
    GATHERS("MPI_Alltoall", 7, 2, 0), GATHERS("MPI_Scan", 6, 3, 0), GATHERS("MPI_Exscan", 6, 3, 0),
    {.name = "MPI_Iallreduce", .op = "MPI_Iallreduce", .n = 7, .count = 3, .comm = 6},
    {.name = "MPI_Ibcast", .op = "MPI_Ibcast", .n = 6, .count = 2, .root = 4, .comm = 5},
    SIZELESS("MPI_Ibarrier", 2, 1), SIZELESS("MPI_Alltoallw", 9, 9), GATHERS("MPI_Reduce_scatter_block", 6, 3, 0),
    {.name = "MPI_Iscatter", .op = "MPI_Iscatter", .n = 9, .count = 5, .root = 7, .comm = 8},
    {.name = "MPI_Igather", .op = "MPI_Igather", .n = 9, .count = 2, .root = 7, .comm = 8},
    {.name = "MPI_Iallgather", .op = "MPI_Iallgather", .n = 8, .count = 2, .comm = 7},
    {.name = "MPI_Ireduce", .op = "MPI_Ireduce", .n = 8, .count = 3, .root = 6, .comm = 7},
    {.name = "MPI_Ialltoall", .op = "MPI_Ialltoall", .n = 8, .count = 2, .comm = 7},
    {.name = "MPI_Iscan", .op = "MPI_Iscan", .n = 7, .count = 3, .comm = 6},
    {.name = "MPI_Iexscan", .op = "MPI_Iexscan", .n = 7, .count = 3, .comm = 6},
    {.name = "MPI_Iscatterv", .op = "MPI_Iscatterv", .n = 10, .count = 6, .root = 8, .comm = 9},
    {.name = "MPI_Igatherv", .op = "MPI_Igatherv", .n = 10, .count = 2, .root = 8, .comm = 9},
    {.name = "MPI_Iallgatherv", .op = "MPI_Iallgatherv", .n = 9, .count = 2, .comm = 8},
    {.name = "MPI_Ireduce_scatter_block", .op = "MPI_Ireduce_scatter_block", .n = 7, .count = 3, .comm = 6},
    SIZELESS("MPI_Ireduce_scatter", 7, 6), SIZELESS("MPI_Ialltoallv", 10, 9), SIZELESS("MPI_Ialltoallw", 10, 9),
    GATHERS("MPI_Neighbor_allgather", 7, 2, 0), GATHERS("MPI_Neighbor_allgatherv", 8, 2, 0),
    GATHERS("MPI_Neighbor_alltoall", 7, 2, 0), SIZELESS("MPI_Neighbor_alltoallv", 9, 9),
    SIZELESS("MPI_Neighbor_alltoallw", 9, 9), SIZELESS("MPI_Ineighbor_alltoallv", 10, 9),
    SIZELESS("MPI_Ineighbor_alltoallw", 10, 9),
    {.name = "MPI_Ineighbor_allgather", .op = "MPI_Ineighbor_allgather", .n = 8, .count = 2, .comm = 7},
    {.name = "MPI_Ineighbor_allgatherv", .op = "MPI_Ineighbor_allgatherv", .n = 9, .count = 2, .comm = 8},
    {.name = "MPI_Ineighbor_alltoall", .op = "MPI_Ineighbor_alltoall", .n = 8, .count = 2, .comm = 7},
    MAKES("MPI_Comm_dup", "MPI_Comm_dup", 2), MAKES("MPI_Comm_create", "MPI_Comm_dup", 3),
    MAKES("MPI_Cart_create", "MPI_Comm_dup", 6), MAKES("MPI_Graph_create", "MPI_Comm_dup", 6),
    MAKES("MPI_Dist_graph_create_adjacent", "MPI_Comm_dup", 10), MAKES("MPI_Comm_split", "MPI_Comm_split", 4),
    MAKES("MPI_Cart_sub", "MPI_Comm_split", 3), MAKES("MPI_Comm_split_type", "MPI_Comm_split_type", 5),
    MAKES("MPI_Dist_graph_create", "MPI_Dist_graph_create", 9),
    PLAIN("MPI_Comm_create_group", 4), /* its directive names the communicator that is made */
};
enum { N_SIGNATURES = sizeof signatures / sizeof *signatures };

/* Calls that matter to no directive but their own, by how their names begin; any other that is not in the table may be a
 * message. */
static const char *const harmless[] = {"MPI_Wtime", "MPI_Comm_", "MPI_Get_", "MPI_Type_", "MPI_Abort", "MPI_Init",
                                       "MPI_Finalize", "MPI_Pack", "MPI_Unpack", "MPI_Status_", "MPI_Cart_",
                                       "MPI_Dims_", "MPI_Graph_", "MPI_Dist_graph_", "MPI_Topo_", "MPI_Op_",
                                       "MPI_Group_", "MPI_Info_", "MPI_Error_", "MPI_Alloc_", "MPI_Free_",
                                       "MPI_Request_get_", "MPI_Buffer_", "MPI_Status"};

/* Why an operand is not compared. */
enum gap { GAP_NONE, GAP_VALUE, GAP_DATATYPE, GAP_IN_PLACE, GAP_COMM };

/* One call against one directive. */
struct verdict {
    struct host_call call;
    const struct host_binding *binding; /* the call of the function that it stands in; NULL: it follows the directive */
    const struct signature *signature; /* NULL: none of the table */
    bool same;              /* the operation */
    bool readable;          /* it has the arguments that it should have */
    unsigned read, refuted; /* operands compared at least once; that differed: as bits */
    enum gap gap[N_OPERANDS];
    struct {                /* where each differed first */
        int process, numprocs;
        int64_t said, called;
    } by[N_OPERANDS];
};

/* A Message or Collective directive and what follows it. */
struct suspect {
    const struct stmt *stmt; /* NULL: another directive */
    unsigned said;          /* operands that a process has a value for */
    bool reached;           /* by any process */
    size_t n, capacity;
    struct verdict *verdicts; /* [n] */
};

/* Of one file of the program. */
struct inquiry {
    const struct tree *tree;
    const struct source *source;
    struct host_text text;
    struct host_names *names;
    struct suspect *suspects; /* [tree->n_statements] */
    size_t n_values;
    const char **parameter_names;
    struct value *values;
    int numprocs;
    struct arena memory;    /* of the bindings */
};

static const char *op_of(const struct stmt *stmt)
{
    return stmt->kind == STMT_MESSAGE ? message_op_name(stmt->message.op) : collective_op_name(stmt->collective.op);
}

/* Of a directive that names another one than MPI_COMM_WORLD. */
static const struct expr *comm_of(const struct stmt *stmt)
{
    struct expr *const *keys = stmt->kind == STMT_MESSAGE ? stmt->message.key : stmt->collective.key;
    return keys[KEY_comm] && keys[KEY_comm]->symbol != SYMBOL_COMM_WORLD ? keys[KEY_comm] : NULL;
}

static struct expr *key_of(const struct stmt *stmt, enum operand operand)
{
    struct expr *const *keys = stmt->kind == STMT_MESSAGE ? stmt->message.key : stmt->collective.key;
    struct expr *key = keys[operand_texts[operand].key];
    if (!key && operand == OPERAND_recv_size)
        key = keys[KEY_size];
    if (!key && operand == OPERAND_recv_tag)
        key = keys[KEY_tag];
    return key;
}

/* ---- which directives, which calls ---- */

static void collect(struct inquiry *q, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            collect(q, inner);
        if ((stmt->kind == STMT_MESSAGE || stmt->kind == STMT_COLLECTIVE) && stmt->at.file == q->source->name)
            q->suspects[stmt->number].stmt = stmt;
    }
}

static bool name_is(const struct inquiry *q, const struct host_call *call, const char *name)
{
    return host_token_is(&q->text, call->name, name);
}

static bool is_harmless(const struct inquiry *q, const struct host_call *call)
{
    const struct host_token *token = &q->text.tokens[call->name];
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        size_t n = strlen(harmless[i]);
        if (token->n >= n && strncasecmp(q->text.text + token->at, harmless[i], n) == 0)
            return true;
    }
    return false;
}

static void weigh(const struct inquiry *q, struct suspect *suspect, const struct host_call *call,
                  const struct host_binding *binding)
{
    suspect->verdicts = alloc_grow(suspect->verdicts, suspect->n, &suspect->capacity, sizeof *suspect->verdicts);
    struct verdict *verdict = &suspect->verdicts[suspect->n++];
    *verdict = (struct verdict){.call = *call, .binding = binding};
    for (size_t i = 0; i < N_SIGNATURES && !verdict->signature; i++)
        if (name_is(q, call, signatures[i].name))
            verdict->signature = &signatures[i];
    if (!verdict->signature)
        return;
    int n = verdict->signature->n;
    verdict->same = strcmp(verdict->signature->op, op_of(suspect->stmt)) == 0 ||
                    strcmp(verdict->signature->name, op_of(suspect->stmt)) == 0;
    verdict->readable = call->n == n || (q->text.fortran && call->n == n + 1);
}

/* The calls between two bytes of the source; through functions, and of the harmless, those of the directive's operation
 * only. */
static void find_calls(struct inquiry *q, struct suspect *suspect, size_t begin, size_t end,
                       const struct host_binding *binding)
{
    struct host_call calls[CALLS_MOST];
    size_t n = host_calls_find(host_names_functions(q->names), begin, end, CALLS_MOST, calls);
    for (size_t i = 0; i < n; i++) {
        weigh(q, suspect, &calls[i], binding);
        if ((binding || is_harmless(q, &calls[i])) && !suspect->verdicts[suspect->n - 1].same)
            suspect->n--;
    }
}

/* The function, or macro, that the name at token i calls. NULL: it is not called there, or not defined just once. */
static const struct host_function *called_function(const struct inquiry *q, size_t i)
{
    const struct host_function *list, *found = NULL;
    if (q->text.tokens[i].kind != HOST_NAME || !host_token_is(&q->text, i + 1, "("))
        return NULL;
    size_t n = host_functions_named(host_names_functions(q->names), i, &list);
    for (size_t k = 0; k < n; k++) {
        if (list[k].name == i || (found && list[k].body.end > 0))
            return NULL;
        found = list[k].body.end > 0 ? &list[k] : found;
    }
    return found;
}

static const struct host_binding *bind(struct inquiry *q, const struct host_function *function, size_t call,
                                       const struct host_binding *outer)
{
    const struct host_functions *f = host_names_functions(q->names);
    struct host_binding *binding = arena_alloc(&q->memory, 1, sizeof *binding);
    *binding = (struct host_binding){.function = function, .call = call, .outer = outer};
    struct host_range argument;
    size_t close = f->match[call + 1];
    for (size_t at = call + 2; close < f->text->n && binding->n < function->n && binding->n < HOST_ARGUMENTS_MOST &&
                               host_argument_next(f, &at, close, &argument);)
        binding->arguments[binding->n++] = argument;
    return binding;
}

/* The same in the functions that are called between two bytes. */
static void find_wrapped(struct inquiry *q, struct suspect *suspect, size_t begin, size_t end,
                         const struct host_binding *outer, int depth)
{
    const struct host_text *text = &q->text;
    end = host_block_end(host_names_functions(q->names), begin, end);
    for (size_t i = host_token_at(text, begin); i < text->n && text->tokens[i].at < end && suspect->n < CALLS_MOST; i++) {
        const struct host_function *function = called_function(q, i);
        if (!function)
            continue;
        const struct host_binding *binding = bind(q, function, i, outer);
        size_t first = function->body.first + !function->macro, last = function->body.end;
        size_t from = first < text->n ? text->tokens[first].at : text->source->length;
        size_t to = last < text->n ? text->tokens[last].at : text->source->length, before = suspect->n;
        find_calls(q, suspect, from, to, binding);
        if (suspect->n == before && depth < WRAPPERS_DEEPEST)
            find_wrapped(q, suspect, from, to, binding, depth + 1);
    }
}

static int by_line(const void *a, const void *b)
{
    const struct suspect *x = *(const struct suspect *const *)a, *y = *(const struct suspect *const *)b;
    return (x->stmt->at.line > y->stmt->at.line) - (x->stmt->at.line < y->stmt->at.line);
}

/* Statements know the line of their directive; where that ends and the next begins is found again. */
static void find_all_calls(struct inquiry *q, size_t n, struct suspect *suspects[])
{
    struct diags said_before = DIAGS_EMPTY;
    struct directives directives = {0};
    directives_find(&directives, q->source, &said_before);
    diags_free(&said_before);
    qsort(suspects, n, sizeof *suspects, by_line);
    for (size_t d = 0, s = 0; d < directives.n && s < n; d++) {
        const struct piece *first = &directives.pieces[directives.list[d].first];
        const struct piece *last = first + directives.list[d].n - 1;
        bool is_last = d + 1 == directives.n;
        size_t end = is_last ? q->source->length : directives.pieces[directives.list[d + 1].first].begin;
        while (s < n && suspects[s]->stmt->at.line < first->line)
            s++;
        while (s < n && suspects[s]->stmt->at.line <= last->line) {
            find_calls(q, suspects[s], first->line_begin, first->begin, NULL); /* a directive behind its call */
            if (suspects[s]->n == 0)
                find_calls(q, suspects[s], last->end, end, NULL);
            if (suspects[s]->n == 0)
                find_wrapped(q, suspects[s], first->line_begin, first->begin, NULL, 0);
            if (suspects[s]->n == 0)
                find_wrapped(q, suspects[s], last->end, end, NULL, 0);
            s++;
        }
    }
    directives_free(&directives);
}

/* ---- comparing values ---- */

/* The argument that stands for an operand; first == end: none. */
static struct host_range argument_of(const struct verdict *verdict, enum operand operand)
{
    const struct signature *s = verdict->signature;
    const int positions[N_OPERANDS] = {
        [OPERAND_to] = s->to, [OPERAND_from] = s->from, [OPERAND_size] = s->count, [OPERAND_tag] = s->tag,
        [OPERAND_recv_size] = s->recv_count, [OPERAND_recv_tag] = s->recv_tag, [OPERAND_root] = s->root};
    int position = positions[operand];
    return position > 0 ? verdict->call.arguments[position - 1] : (struct host_range){0, 0};
}

static bool is_size(enum operand operand)
{
    return operand == OPERAND_size || operand == OPERAND_recv_size;
}

static bool is_rank(enum operand operand)
{
    return operand == OPERAND_to || operand == OPERAND_from || operand == OPERAND_root;
}

static bool is_in_place(const struct inquiry *q, const struct host_call *call)
{
    for (size_t i = call->name; i < call->end; i++)
        if (host_token_is(&q->text, i, "MPI_IN_PLACE"))
            return true;
    return false;
}

static bool is_world(const struct inquiry *q, const struct verdict *verdict)
{
    int comm = verdict->signature->comm;
    return comm == 0 || host_is_world(q->names, verdict->binding, verdict->call.arguments[comm - 1]);
}

/* What the call says. GAP_NONE: it could be read. */
static enum gap called_value(const struct inquiry *q, const struct verdict *verdict, enum operand operand, int process,
                             int64_t *called)
{
    struct host_process at = {process, q->numprocs, verdict->binding, q->n_values, q->parameter_names, q->values};
    struct host_range range = argument_of(verdict, operand);
    if (is_size(operand) && is_in_place(q, &verdict->call))
        return GAP_IN_PLACE;
    if (is_rank(operand) && !is_world(q, verdict))
        return GAP_COMM;
    struct value value = host_value(q->names, &at, range);
    if (value.kind == VALUE_NONE || !value_as_integer(value, called))
        return GAP_VALUE;
    if (!is_size(operand))
        return GAP_NONE;
    int position = operand == OPERAND_size ? verdict->signature->count : verdict->signature->recv_count;
    int bytes = host_datatype_bytes(q->names, verdict->binding, verdict->call.arguments[position]);
    return bytes > 0 && !__builtin_mul_overflow(*called, bytes, called) ? GAP_NONE : GAP_DATATYPE;
}

/* A process that executes the directive says `said`. */
static void hear(const struct inquiry *q, struct suspect *suspect, enum operand operand, int process, int64_t said)
{
    if (!key_of(suspect->stmt, operand))
        return;
    suspect->said |= 1u << operand;
    for (size_t i = 0; i < suspect->n; i++) {
        struct verdict *verdict = &suspect->verdicts[i];
        int64_t called;
        if (!verdict->same || !verdict->readable || (verdict->refuted & 1u << operand) ||
            argument_of(verdict, operand).end == 0)
            continue;
        enum gap gap = called_value(q, verdict, operand, process, &called);
        if (gap != GAP_NONE) {
            verdict->gap[operand] = gap;
            continue;
        }
        verdict->read |= 1u << operand;
        if (called == said)
            continue;
        verdict->refuted |= 1u << operand;
        verdict->by[operand].process = process;
        verdict->by[operand].numprocs = q->numprocs;
        verdict->by[operand].said = said;
        verdict->by[operand].called = called;
    }
}

static void hear_message(const struct inquiry *q, struct suspect *suspect, const struct role *role,
                         const struct instr *instr, int process)
{
    bool both = message_op_sort(suspect->stmt->message.op) == SORT_swap;
    bool receives = instr->op == INSTR_RECV || instr->op == INSTR_IRECV || instr->op == INSTR_PROBE ||
                    instr->op == INSTR_IPROBE;
    enum operand size = both && receives ? OPERAND_recv_size : OPERAND_size;
    enum operand tag = both && receives ? OPERAND_recv_tag : OPERAND_tag;
    if (!(instr->dynamic & DYNAMIC_PEER) && instr->comm == 0 && instr->peer != -1) {
        const struct role_peer *peer = instr->peer >= 0 ? &role->peers[instr->peer] : NULL;
        int64_t said = peer ? (peer->relative ? process : 0) + (int64_t)peer->value : PROGRAM_WILDCARD;
        hear(q, suspect, receives ? OPERAND_from : OPERAND_to, process, said);
    }
    if (!(instr->dynamic & DYNAMIC_BYTES) && instr->bytes != INT64_MAX)
        hear(q, suspect, size, process, instr->bytes);
    if (!(instr->dynamic & DYNAMIC_TAG))
        hear(q, suspect, tag, process, instr->tag == INSTR_ANY_TAG ? PROGRAM_WILDCARD : instr->tag);
}

static void hear_collective(const struct inquiry *q, struct suspect *suspect, const struct program *program,
                            const struct instr *instr, int process)
{
    const struct collective_ref *ref = &program->collectives[instr->index];
    if (ref->comm == 0 && ref->root_expr < 0)
        hear(q, suspect, OPERAND_root, process, ref->root);
    if (ref->bytes_expr < 0 && (ref->bytes >= 0 || (ref->shares && ref->comm == 0)))
        hear(q, suspect, OPERAND_size, process, ref->bytes >= 0 ? ref->bytes : ref->shares[process]);
}

/* What all processes of one run say. */
static void hear_program(struct inquiry *q, const struct program *program)
{
    for (int process = 0; process < program->numprocs; process++) {
        const struct role *role = &program->roles[program->role_of[process]];
        for (int32_t i = 0; i < role->n_code; i++) {
            const struct instr *instr = &role->code[i];
            bool message = instr->op <= INSTR_IRECV || instr->op == INSTR_PROBE || instr->op == INSTR_IPROBE;
            if (!message && instr->op != INSTR_COLLECTIVE)
                continue;
            struct suspect *suspect = &q->suspects[program->sites[instr->site].statement];
            suspect->reached = true;
            if (message && instr->target >= 0) /* the MPI_..._init says what its start does */
                suspect = &q->suspects[program->sites[instr->target].statement];
            if (!suspect->stmt)
                continue;
            suspect->reached = true;
            if (message)
                hear_message(q, suspect, role, instr, process);
            else
                hear_collective(q, suspect, program, instr, process);
        }
    }
}

/* ---- running the directives ---- */

/* The names of machines that the directives mention. */
struct mentions {
    size_t n_machines, machines_capacity;
    const char **machines;
};

static void mention(struct mentions *m, const struct serial *row)
{
    size_t i = 0;
    while (row->machine && i < m->n_machines && strcmp(m->machines[i], row->machine) != 0)
        i++;
    if (row->machine && i == m->n_machines) {
        m->machines = alloc_grow(m->machines, m->n_machines, &m->machines_capacity, sizeof *m->machines);
        m->machines[m->n_machines++] = row->machine;
    }
}

static void find_mentions(struct mentions *m, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            find_mentions(m, inner);
        for (int i = 0; stmt->kind == STMT_SERIAL && i < stmt->serial.n; i++)
            mention(m, &stmt->serial.rows[i]);
    }
}

/* What the file itself declares is read where it is called; what its headers do cannot be. */
static bool is_own_constant(const struct inquiry *q, const struct parameter *parameter)
{
    const struct source *header = q->source->included;
    while (header && header->name != parameter->at.file)
        header = header->next;
    return parameter->origin == ORIGIN_HOST && (!header || host_names_know(q->names, parameter->name));
}

/* A parameter that only gives a variable of the directives its first value says nothing of the host's. */
static bool is_variable(const struct tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->n_variables; i++)
        if (strcmp(tree->variables[i].name, name) == 0)
            return true;
    return false;
}

/* Parameters as they are with this number of processes; those that cannot be computed have no value. */
static void compute_parameters(struct inquiry *q, const struct program *program)
{
    struct scope scope = {.numprocs = program->numprocs, .nodes = program->nodes, .ppn = program->ppn,
                          .parameters = q->values};
    for (size_t i = 0; i < q->n_values; i++)
        q->values[i] = (struct value){VALUE_NONE, {0}};
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = 0; i < q->n_values; i++) {
            struct folded folded;
            if (q->values[i].kind != VALUE_NONE)
                continue;
            scope_fold(&scope, q->tree->parameters[i].value, &folded);
            if (folded.kind == FOLD_KNOWN) {
                q->values[i] = folded.value;
                progress = true;
            }
        }
    }
    for (size_t i = 0; i < q->n_values; i++)
        if (is_variable(q->tree, q->parameter_names[i]) || is_own_constant(q, &q->tree->parameters[i]))
            q->values[i].kind = VALUE_NONE;
    scope_free(&scope);
    q->numprocs = program->numprocs;
}

/* Serial lines do not matter here: where the machine has none of them, one that the directives name will do. */
static void run(struct inquiry *q, const struct honest_options *options, const struct mentions *m,
                struct honest_placement at)
{
    struct lower_options lower = {.numprocs = at.nodes * at.ppn, .nodes = at.nodes, .ppn = at.ppn,
                                  .cyclic = options->cyclic, .machine = options->machine, .time_unit = 1};
    struct program *program = NULL;
    for (size_t i = 0; i <= m->n_machines && !program; i++) {
        struct diags unsaid = DIAGS_EMPTY;
        if (program_lower(&program, q->tree, &lower, &unsaid) != STATUS_OK)
            program = NULL;
        lower.machine = i < m->n_machines ? m->machines[i] : NULL;
        diags_free(&unsaid);
    }
    if (!program)
        return;
    compute_parameters(q, program);
    hear_program(q, program);
    program_destroy(program);
}

/* ---- the result ---- */

static struct place token_place(const struct inquiry *q, size_t first, size_t end)
{
    const struct host_token *a = &q->text.tokens[first], *b = &q->text.tokens[end - 1];
    return source_place(q->text.source, a->at, b->at + b->n - a->at);
}

static const char *value_text(int64_t value, enum operand operand, char text[VALUE_TEXT_BYTES])
{
    if (value == PROGRAM_PROC_NULL)
        return "MPI_PROC_NULL";
    if (value == PROGRAM_WILDCARD)
        return operand == OPERAND_tag || operand == OPERAND_recv_tag ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE";
    return value_format(value_int(value), text);
}

static void report_operand(const struct inquiry *q, const struct suspect *suspect, const struct verdict *verdict,
                           enum operand operand, struct diags *diags)
{
    char said[VALUE_TEXT_BYTES], called[VALUE_TEXT_BYTES];
    struct host_range argument = argument_of(verdict, operand);
    const char *unit = operand_texts[operand].unit, *name = verdict->signature->name;
    diag_warning(diags, key_of(suspect->stmt, operand)->at, "`%s` is %s%s, but %s is called with %s (process %d of %d)",
                 operand_texts[operand].name, value_text(verdict->by[operand].said, operand, said), unit, name,
                 value_text(verdict->by[operand].called, operand, called), verdict->by[operand].process,
                 verdict->by[operand].numprocs);
    size_t end = argument.end + (is_size(operand) ? 2 : 0); /* the datatype too */
    diag_note(diags, token_place(q, argument.first, end), "the call says it here");
    for (const struct host_binding *binding = verdict->binding; binding; binding = binding->outer)
        diag_note(diags, token_place(q, binding->call, binding->call + 1), "this is called here");
}

static void report_operation(const struct inquiry *q, const struct suspect *suspect, const struct verdict *verdict,
                             struct diags *diags)
{
    diag_warning(diags, suspect->stmt->at, "this directive is %s, but %s is called", op_of(suspect->stmt),
                 verdict->signature->name);
    diag_note(diags, token_place(q, verdict->call.name, verdict->call.name + 1), "the call is here");
}

/* The operands that the directive gives and its call has. */
static unsigned given_operands(const struct suspect *suspect, const struct verdict *verdict)
{
    unsigned given = 0;
    for (enum operand operand = 0; operand < N_OPERANDS; operand++)
        if (key_of(suspect->stmt, operand) && argument_of(verdict, operand).end > 0)
            given |= 1u << operand;
    return given;
}

/* Which call a directive is judged by: the best of its own operation, else the first. NULL: none that can be read. */
static const struct verdict *judge(const struct suspect *suspect)
{
    const struct verdict *same = NULL;
    for (size_t i = 0; i < suspect->n; i++) {
        const struct verdict *verdict = &suspect->verdicts[i];
        if (verdict->same && (!same || (same->refuted && !verdict->refuted)))
            same = verdict;
    }
    return same ? same : suspect->n > 0 && suspect->verdicts->signature ? suspect->verdicts : NULL;
}

/* Operands and communicator: what was compared of the given is enough. */
static bool is_full(const struct inquiry *q, const struct suspect *suspect, const struct verdict *verdict)
{
    if (!verdict->same)
        return true; /* it is another one than is called: nothing is left to be compared */
    return verdict->readable && (given_operands(suspect, verdict) & ~verdict->read) == 0 &&
           comm_of(suspect->stmt) == NULL && is_world(q, verdict) &&
           !(key_of(suspect->stmt, OPERAND_size) && argument_of(verdict, OPERAND_size).end == 0);
}

/* Of the source, for a message. */
static void print_words(const struct inquiry *q, struct host_range range, FILE *out)
{
    struct place place = token_place(q, range.first, range.end);
    const char *text = place.text + place.column - 1;
    int most = (int)(place.text_length - (size_t)place.column + 1), n = place.width < most ? place.width : most;
    fprintf(out, "`%.*s%s`", n > SHOWN_MOST ? SHOWN_MOST : n, text, n > SHOWN_MOST || place.width > most ? "..." : "");
}

/* The first name of an expression that has no value; the text's n: none that stands for a number. */
static size_t nameless(const struct inquiry *q, const struct verdict *verdict, struct host_range range)
{
    struct host_process at = {0, q->numprocs, verdict->binding, q->n_values, q->parameter_names, q->values};
    static const char *const belongs[] = {"(", "[", ".", "->", "%"};
    for (size_t i = range.first; i < range.end; i++) {
        bool plain = q->text.tokens[i].kind == HOST_NAME;
        for (size_t k = 0; k < sizeof belongs / sizeof *belongs; k++)
            plain = plain && !(i + 1 < range.end && host_token_is(&q->text, i + 1, belongs[k]));
        plain = plain && !(i > range.first && (host_token_is(&q->text, i - 1, ".") || host_token_is(&q->text, i - 1, "->")));
        if (plain && host_value(q->names, &at, (struct host_range){i, i + 1}).kind == VALUE_NONE)
            return i;
    }
    return q->text.n;
}

/* Why an operand was not compared. */
static void print_gap(const struct inquiry *q, const struct suspect *suspect, const struct verdict *verdict,
                      enum operand operand, FILE *out)
{
    struct host_range range = argument_of(verdict, operand);
    fprintf(out, "`%s`: ", operand_texts[operand].name);
    if (range.end == 0) {
        fprintf(out, "%s has no count, or an array of them", verdict->signature->name);
    } else if (verdict->gap[operand] == GAP_IN_PLACE) {
        fputs("MPI_IN_PLACE", out);
    } else if (verdict->gap[operand] == GAP_DATATYPE) {
        print_words(q, (struct host_range){range.end + 1, range.end + 2}, out);
        fputs(" is no datatype that is known", out);
    } else if (verdict->gap[operand] == GAP_COMM) {
        fputs("a rank in another communicator, or one that cannot be read", out);
    } else if (!(suspect->said & 1u << operand)) {
        fputs(is_rank(operand) && comm_of(suspect->stmt) ? "a rank in another communicator" : "known only in the run", out);
    } else {
        size_t name = nameless(q, verdict, range);
        print_words(q, range, out);
        fputs(" cannot be read", out);
        if (name < q->text.n && range.end - range.first > 1) {
            fputs(", since the value of ", out);
            print_words(q, (struct host_range){name, name + 1}, out);
            fputs(" is not known", out);
        }
    }
}

static void print_gaps(const struct inquiry *q, const struct suspect *suspect, const struct verdict *verdict, FILE *out)
{
    const char *before = "";
    unsigned missing = given_operands(suspect, verdict) & ~verdict->read;
    int comm = verdict->signature->comm;
    if (key_of(suspect->stmt, OPERAND_size) && argument_of(verdict, OPERAND_size).end == 0)
        missing |= 1u << OPERAND_size;
    if (!verdict->readable || !suspect->reached) {
        fputs("compared in part, the operation only: ", out);
        if (suspect->reached)
            fprintf(out, "%s is called with %d arguments", verdict->signature->name, verdict->call.n);
        else
            fputs("no process gets here", out);
        return;
    }
    fputs("compared in part, but not ", out);
    for (enum operand operand = 0; operand < N_OPERANDS; operand++) {
        if (!(missing & 1u << operand))
            continue;
        fputs(before, out);
        print_gap(q, suspect, verdict, operand, out);
        before = "; ";
    }
    if (comm_of(suspect->stmt) || !is_world(q, verdict)) {
        fprintf(out, "%sthe communicator", before);
        if (comm > 0) {
            fputc(' ', out);
            print_words(q, verdict->call.arguments[comm - 1], out);
        }
    }
}

/* Why a directive was not compared, or not in full. */
static void explain(const struct inquiry *q, const struct suspect *suspect, const struct verdict *verdict,
                    struct diags *diags)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return;
    if (!q->names)
        fputs("not compared: the calls of C, C++ and Fortran are read", out);
    else if (suspect->n == 0)
        fputs("not compared: no MPI call that is known follows", out);
    else if (!verdict)
        fputs("not compared: there is no directive for the call that follows", out);
    else
        print_gaps(q, suspect, verdict, out);
    fclose(out);
    diag_note(diags, suspect->stmt->at, "%s", text);
    free(text);
}

static void report(const struct inquiry *q, size_t n, struct suspect *const suspects[],
                   const struct honest_options *options, struct honest_counts *counts, struct diags *diags)
{
    for (size_t i = 0; i < n; i++) {
        const struct verdict *verdict = judge(suspects[i]);
        bool all = verdict && is_full(q, suspects[i], verdict);
        counts->directives++;
        counts->compared += all;
        counts->partly += verdict && !all;
        if (verdict && !verdict->same)
            report_operation(q, suspects[i], verdict, diags);
        for (enum operand operand = 0; verdict && operand < N_OPERANDS; operand++)
            if (verdict->refuted & 1u << operand)
                report_operand(q, suspects[i], verdict, operand, diags);
        if (!all && options->explain)
            explain(q, suspects[i], verdict, diags);
    }
}

static void inquire(struct inquiry *q, const struct honest_options *options)
{
    static const struct honest_placement usual[HONEST_PLACEMENTS] = {{2, 1}, {3, 1}, {4, 1}, {8, 1}};
    struct mentions m = {0};
    find_mentions(&m, &q->tree->program);
    for (const struct procedure *p = q->tree->procedures; p; p = p->next)
        find_mentions(&m, &p->body);
    for (size_t i = 0; i < (options->n > 0 ? options->n : HONEST_PLACEMENTS); i++)
        run(q, options, &m, options->n > 0 ? options->placements[i] : usual[i]);
    free(m.machines);
}

/* Reads the file, where that can be done, and holds its directives against it. */
static void inquire_file(struct inquiry *q, size_t n, struct suspect *suspects[], const struct honest_options *options)
{
    if (n == 0 || !host_text_read(&q->text, q->source))
        return;
    q->n_values = q->tree->n_parameters;
    q->names = host_names_read(&q->text);
    q->values = alloc_zeroed(q->n_values, sizeof *q->values);
    q->parameter_names = alloc_array(q->n_values, sizeof *q->parameter_names);
    for (size_t i = 0; i < q->n_values; i++)
        q->parameter_names[i] = q->tree->parameters[i].name;
    find_all_calls(q, n, suspects);
    inquire(q, options);
}

static void check_file(const struct tree *tree, const struct source *source, const struct honest_options *options,
                       struct honest_counts *counts, struct diags *diags)
{
    struct inquiry q = {.tree = tree, .source = source};
    size_t n_statements = (size_t)tree->n_statements, n = 0;
    q.suspects = alloc_zeroed(n_statements, sizeof *q.suspects);
    collect(&q, &tree->program);
    for (const struct procedure *p = tree->procedures; p; p = p->next)
        collect(&q, &p->body);
    struct suspect **suspects = alloc_array(n_statements, sizeof *suspects);
    for (size_t i = 0; i < n_statements; i++)
        if (q.suspects[i].stmt)
            suspects[n++] = &q.suspects[i];
    inquire_file(&q, n, suspects, options);
    report(&q, n, suspects, options, counts, diags);
    host_names_destroy(q.names);
    host_text_free(&q.text);
    arena_free(&q.memory);
    for (size_t i = 0; i < n_statements; i++)
        free(q.suspects[i].verdicts);
    free(q.values);
    free(q.parameter_names);
    free(suspects);
    free(q.suspects);
}

void honest_check(const struct tree *tree, const struct honest_options *options, struct honest_counts *counts,
                  struct diags *diags)
{
    *counts = (struct honest_counts){0};
    for (const struct source *file = tree->source; file; file = file->next)
        check_file(tree, file, options, counts, diags);
}
