#include "record/hold.h"

#include "directives/program.h"
#include "directives/program_files.h"
#include "directives/tree.h"
#include "engine/operand.h"
#include "record/resolve.h"
#include "record/site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = 2000000 };  /* of a process: 48 MB */
enum { STARTS_MOST = 20000 };   /* calls before the part that a program describes */
enum { PLACES_SHOWN = 8 };

static const char *const collective_names[] = {
#define X(name, sizes, like) #name,
    COLLECTIVE_LIST(X)
#undef X
};

/* peer: a process, or the root, a rank of the communicator. -1: anything, of peers and bytes. */
enum { ANYTHING = -1 };
struct call {
    enum { CALL_SEND, CALL_RECEIVE, CALL_COLLECTIVE } kind;
    int32_t peer;
    int32_t op;                 /* of a collective: enum collective_op */
    int32_t from;               /* site of the program, or of the site table */
    int64_t bytes;              /* of sends and collectives */
};

struct calls {
    size_t n, capacity;
    struct call *list;
};

static bool add(struct calls *calls, struct call call)
{
    if (calls->n == CALLS_MOST)
        return false;
    calls->list = alloc_grow(calls->list, calls->n, &calls->capacity, sizeof call);
    calls->list[calls->n++] = call;
    return true;
}

/* ---- what ran ---- */

/* Operations of one name in both lists. */
static int collective_of(enum operation op)
{
    const char *name = operation_name(op);
    for (size_t i = 0; i < sizeof collective_names / sizeof *collective_names; i++)
        if (strcmp(collective_names[i], name) == 0)
            return (int)i;
    return -1;
}

static bool add_message(struct calls *calls, const struct recorded_process *process, const struct recorded_node *node,
                        bool sends, int peer, int site)
{
    const struct recorded_comm *comm = &process->comms[node->comm];
    if (peer == PEER_NULL)
        return true;
    return add(calls, (struct call){.kind = sends ? CALL_SEND : CALL_RECEIVE, .from = site,
                                    .peer = peer < 0 || peer >= comm->size ? ANYTHING : comm->members
                                            ? comm->members[peer] : peer,
                                    .bytes = node->bytes_least == node->bytes_most ? node->bytes : ANYTHING});
}

static bool add_recorded(struct calls *calls, const struct recorded_process *process, const struct recorded_node *node,
                         struct site_table *sites)
{
    int site = site_find(sites, process, node->op, node->path);
    switch (operation_kind(node->op)) {
    case KIND_send:
        return add_message(calls, process, node, true, node->peer, site);
    case KIND_recv:
        return add_message(calls, process, node, false, node->peer, site);
    case KIND_both:
        /* as it is lowered: the receive is posted first */
        return add_message(calls, process, node, false, node->peer2, site) &&
               add_message(calls, process, node, true, node->peer, site);
    case KIND_barrier:
    case KIND_rooted:
    case KIND_rootless: {
        int op = collective_of(node->op);
        return op < 0 || add(calls, (struct call){.kind = CALL_COLLECTIVE, .op = op, .from = site,
                                                  .peer = node->peer < 0 ? 0 : node->peer,
                                                  .bytes = node->bytes_least == node->bytes_most ? node->bytes
                                                      : ANYTHING});
    }
    case KIND_wait: case KIND_probe: case KIND_comm: case KIND_other:
        return true;
    }
    return true;
}

static bool add_nodes(struct calls *calls, const struct recorded_process *process, size_t n,
                      const struct recorded_node *nodes, struct site_table *sites)
{
    for (size_t i = 0; i < n; i++) {
        if (!nodes[i].loop && !add_recorded(calls, process, &nodes[i], sites))
            return false;
        for (int64_t trip = 0; nodes[i].loop && trip < nodes[i].trips / nodes[i].runs; trip++)
            if (!add_nodes(calls, process, nodes[i].n_body, nodes[i].body, sites))
                return false;
    }
    return true;
}

/* ---- what the program says ---- */

/* One process that walks its instructions. */
struct walk {
    const struct program *program;
    const struct role *role;
    int process;
    struct value *slots;
    struct calls *calls;
    bool *reached;              /* [program->n_sites] */
    struct problem problem;
};

static bool walk_message(struct walk *walk, const struct instr *instr)
{
    struct operands operands;
    bool receives = instr->op == INSTR_RECV || instr->op == INSTR_IRECV;
    if (!operand_message(walk->program, walk->role, instr, walk->process, walk->slots, &operands, &walk->problem))
        return false;
    if (operands.peer == OPERAND_NO_PEER)
        return true;
    add(walk->calls, (struct call){.kind = receives ? CALL_RECEIVE : CALL_SEND, .from = instr->site,
                                   .peer = operands.peer == OPERAND_ANY_PEER ? ANYTHING : operands.peer,
                                   .bytes = operands.bytes});
    return true;
}

static bool walk_collective(struct walk *walk, const struct instr *instr)
{
    int32_t root;
    int64_t bytes;
    const struct collective_ref *ref = &walk->program->collectives[instr->index];
    if (!operand_collective(walk->program, instr, walk->process, walk->slots, &root, &bytes, &walk->problem))
        return false;
    int64_t share = bytes;
    if (ref->bytes < 0 && ref->shares)
        share = ref->shares[program_comm_rank(walk->program, ref->comm, walk->process)];
    add(walk->calls, (struct call){.kind = CALL_COLLECTIVE, .op = (int32_t)ref->op, .from = instr->site, .peer = root,
                                   .bytes = ref->over_partner ? ANYTHING : share});
    return true;
}

/* Executes control; *pc is the next instruction. */
static bool walk_control(struct walk *walk, const struct instr *instr, int32_t *pc)
{
    struct value value;
    int64_t iterations, from;
    switch (instr->op) {
    case INSTR_LOOP:
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
        return operand_put(walk->program, instr, walk->process, walk->slots, &walk->problem);
    case INSTR_BRANCH:
    case INSTR_SET:
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
    if (instr->site >= 0)
        walk->reached[instr->site] = true;
    switch (instr->op) {
    case INSTR_SEND: case INSTR_BSEND: case INSTR_SSEND: case INSTR_ISEND: case INSTR_ISSEND: case INSTR_RECV:
    case INSTR_IRECV:
        return walk_message(walk, instr);
    case INSTR_COLLECTIVE:
        return walk_collective(walk, instr);
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

static enum status walk_process(const struct program *program, int process, struct calls *calls, bool *reached,
                                struct diags *diags)
{
    const struct role *role = &program->roles[program->role_of[process]];
    struct walk walk = {.program = program, .role = role, .process = process, .calls = calls, .reached = reached};
    walk.slots = alloc_array((size_t)role->n_slots, sizeof *walk.slots);
    if (role->n_slots > 0)
        memcpy(walk.slots, role->initial, (size_t)role->n_slots * sizeof *walk.slots);
    enum status status = STATUS_OK;
    for (int32_t pc = 0; role->code[pc].op != INSTR_END && calls->n < CALLS_MOST && status == STATUS_OK;) {
        const struct instr *instr = &role->code[pc++];
        if (!walk_one(&walk, instr, &pc)) {
            program_report(program, walk.problem.site, process, walk.problem.text, diags);
            status = walk.problem.status;
        }
    }
    free(walk.slots);
    return status;
}

/* ---- one against the other ---- */

static bool agree(const struct call *said, const struct call *ran)
{
    return said->kind == ran->kind && (said->kind != CALL_COLLECTIVE || said->op == ran->op) &&
           (said->peer == ran->peer || said->peer == ANYTHING || ran->peer == ANYTHING) &&
           (said->kind == CALL_RECEIVE || said->bytes == ran->bytes || said->bytes == ANYTHING ||
            ran->bytes == ANYTHING);
}

/* Calls from the beginning of `said` on that are in `ran` from `start` on. */
static size_t follows(const struct calls *said, const struct calls *ran, size_t start)
{
    size_t n = 0;
    while (n < said->n && start + n < ran->n && agree(&said->list[n], &ran->list[start + n]))
        n++;
    return n;
}

/* Where in `ran` most of `said` follows: all of it, where it is there. */
static size_t best_start(const struct calls *said, const struct calls *ran, size_t *matched)
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

static char *call_text(const struct call *call)
{
    if (call->kind == CALL_COLLECTIVE)
        return alloc_format("%s of %" PRId64 " bytes", collective_names[call->op], call->bytes);
    char *peer = call->peer == ANYTHING ? alloc_string("anybody") : alloc_format("process %d", call->peer);
    char *text = call->kind == CALL_SEND ? alloc_format("a send of %" PRId64 " bytes to %s", call->bytes, peer)
                                         : alloc_format("a receive from %s", peer);
    free(peer);
    return text;
}

/* Calls that no directive says, by site. */
struct unsaid {
    int64_t *count;             /* [capacity] by site */
    int capacity;
};

static void count_unsaid(struct unsaid *unsaid, const struct calls *ran, size_t from, size_t to, int n_sites)
{
    if (n_sites > unsaid->capacity) {
        unsaid->count = alloc_resize(unsaid->count, (size_t)n_sites, sizeof *unsaid->count);
        memset(unsaid->count + unsaid->capacity, 0, (size_t)(n_sites - unsaid->capacity) * sizeof *unsaid->count);
        unsaid->capacity = n_sites;
    }
    for (size_t i = from; i < to; i++)
        unsaid->count[ran->list[i].from]++;
}

/* What holding one program against recordings takes. */
struct holding {
    const char *name;
    const struct tree *tree;
    struct site_table sites;
    struct unsaid unsaid;
    size_t n_statements;
    bool *reached;              /* [n_statements] */
    struct diags *diags;
    FILE *out;
    bool sizes;                 /* bytes are compared too */
    int64_t said;               /* calls that agreed, of one recording */
};

static enum status report_difference(struct holding *holding, const struct program *program,
                                     const struct recording *recording,
                                     int process, const struct calls *said, const struct calls *ran, size_t start,
                                     size_t matched)
{
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY;
    const char **where = resolve_sites(&holding->sites, &memory, &unused);
    char *wanted = call_text(&said->list[matched]);
    char *found = start + matched < ran->n ? call_text(&ran->list[start + matched]) : alloc_string("no further call");
    diag_error(holding->diags, program->sites[said->list[matched].from].at,
               "%s: process %d of %d, after %zu calls that agree: the directive says %s, the run did %s%s%s",
               recording->name, process, recording->ranks, matched, wanted, found,
               start + matched < ran->n ? " at " : "", start + matched < ran->n
               ? where[ran->list[start + matched].from] : "");
    free(wanted);
    free(found);
    diags_free(&unused);
    arena_free(&memory);
    return STATUS_DIFFERENT;
}

/* Collective operations of a kind that the program never says are no difference: they are counted, and left out. */
static void leave_out(struct unsaid *unsaid, const struct calls *said, struct calls *ran, int n_sites)
{
    bool known[sizeof collective_names / sizeof *collective_names] = {false};
    size_t kept = 0;
    for (size_t i = 0; i < said->n; i++)
        if (said->list[i].kind == CALL_COLLECTIVE)
            known[said->list[i].op] = true;
    for (size_t i = 0; i < ran->n; i++)
        if (ran->list[i].kind == CALL_COLLECTIVE && !known[ran->list[i].op])
            count_unsaid(unsaid, ran, i, i + 1, n_sites);
        else
            ran->list[kept++] = ran->list[i];
    ran->n = kept;
}

static enum status hold_process(struct holding *holding, const struct program *program,
                                const struct recording *recording, int process, bool *reached)
{
    struct calls said = {0}, ran = {0};
    const struct recorded_process *of = &recording->processes[process];
    size_t matched = 0, start = 0;
    enum status status = walk_process(program, process, &said, reached, holding->diags);
    bool cut = !add_nodes(&ran, of, of->n, of->nodes, &holding->sites);
    if (status == STATUS_OK) {
        leave_out(&holding->unsaid, &said, &ran, holding->sites.n);
        for (size_t i = 0; !holding->sizes && i < ran.n; i++)
            ran.list[i].bytes = ANYTHING;
        start = best_start(&said, &ran, &matched);
        count_unsaid(&holding->unsaid, &ran, 0, start, holding->sites.n);
        count_unsaid(&holding->unsaid, &ran, start + matched, ran.n, holding->sites.n);
        holding->said += (int64_t)matched;
        if (matched < said.n && !cut)
            status = report_difference(holding, program, recording, process, &said, &ran, start, matched);
    }
    free(said.list);
    free(ran.list);
    return status;
}

static void print_unsaid(struct holding *holding)
{
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY;
    const char **where = resolve_sites(&holding->sites, &memory, &unused);
    int64_t more = 0;
    int shown = 0;
    for (int i = 0; i < holding->unsaid.capacity; i++) {
        if (holding->unsaid.count[i] == 0)
            continue;
        if (shown++ < PLACES_SHOWN)
            fprintf(holding->out, "  no directive: %s at %s, %" PRId64 " calls\n",
                    operation_name(holding->sites.sites[i].op), where[i], holding->unsaid.count[i]);
        else
            more += holding->unsaid.count[i];
    }
    if (more > 0)
        fprintf(holding->out, "  no directive: %" PRId64 " calls at %d more places\n", more, shown - PLACES_SHOWN);
    diags_free(&unused);
    arena_free(&memory);
    for (int i = 0; i < holding->unsaid.capacity; i++)
        holding->unsaid.count[i] = 0;
}

static enum status hold_recording(struct holding *holding, const struct recording *recording)
{
    struct program *program;
    struct lower_options options = {.numprocs = recording->ranks, .nodes = recording->ranks, .ppn = 1, .machine = "",
                                    .time_unit = 1};
    holding->said = 0;
    enum status status = program_lower(&program, holding->tree, &options, holding->diags);
    if (status != STATUS_OK)
        return status;
    if (program->time_decides) {
        diag_error(holding->diags, place_of_file(holding->name),
                   "which messages this program's wildcards, tests and probes "
                   "receive is decided by its run: it cannot be held against a recording");
        program_destroy(program);
        return STATUS_NOT_YET;
    }
    bool *reached = alloc_zeroed((size_t)program->n_sites + 1, sizeof *reached);
    for (int process = 0; process < recording->ranks && (status == STATUS_OK ||
                                                         status == STATUS_DIFFERENT); process++) {
        enum status next = hold_process(holding, program, recording, process, reached);
        status = status == STATUS_OK || next > STATUS_DIFFERENT ? next : status;
    }
    for (int i = 0; i < program->n_sites; i++)
        if (reached[i])
            holding->reached[program->sites[i].statement] = true;
    fprintf(holding->out,
            "%s: %d processes, %" PRId64 " messages and collective operations are as the directives say%s\n",
            recording->name, recording->ranks, holding->said, status == STATUS_OK ? "" : "; others differ");
    print_unsaid(holding);
    free(reached);
    program_destroy(program);
    return status;
}

static const char *operation_of(const struct stmt *stmt)
{
    static const char *const message_names[] = {
#define X(name, sends, receives, request) #name,
        MESSAGE_LIST(X)
#undef X
    };
    return stmt->kind == STMT_MESSAGE ? message_names[stmt->message.op]
         : stmt->kind == STMT_COLLECTIVE ? collective_names[stmt->collective.op] : NULL;
}

/* Notes on calls that no process of any recording came to. */
static void note_unreached(const struct holding *holding, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        const char *operation = operation_of(stmt);
        if (operation && !holding->reached[stmt->number])
            diag_note(holding->diags, stmt->at, "no process came to this %s", operation);
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            note_unreached(holding, inner);
    }
}

static enum status hold_tree(struct holding *holding, const struct source *source, const struct recording *recording)
{
    struct definition *definitions = alloc_zeroed((size_t)recording->n_params + 1, sizeof *definitions);
    for (int i = 0; i < recording->n_params; i++)
        definitions[i] = (struct definition){recording->params[i].name,
                                             {.kind = VALUE_INT, .i = recording->params[i].value}, NULL};
    struct tree *tree;
    enum status status = tree_parse(&tree, source, (size_t)recording->n_params, definitions, holding->diags);
    free(definitions);
    if (status != STATUS_OK)
        return status;
    holding->tree = tree;
    if (!holding->reached)
        holding->reached = alloc_zeroed((size_t)tree->n_statements + 1, sizeof *holding->reached);
    status = hold_recording(holding, recording);
    tree_destroy(tree);
    return status;
}

enum status hold_program(const char *program, const char *flags, bool sizes, size_t n,
                         const struct recording recordings[], FILE *out, struct diags *diags)
{
    struct source *source;
    enum status status = program_files_read(&source, 1, &program, flags, diags);
    if (status != STATUS_OK)
        return status;
    struct holding holding = {.name = program, .sizes = sizes, .diags = diags, .out = out};
    site_table_init(&holding.sites);
    for (size_t i = 0; i < n && (status == STATUS_OK || status == STATUS_DIFFERENT); i++) {
        enum status next = hold_tree(&holding, source, &recordings[i]);
        status = status == STATUS_OK || next > STATUS_DIFFERENT ? next : status;
    }
    struct tree *tree;
    struct diags unused = DIAGS_EMPTY;
    if (status == STATUS_OK && tree_parse(&tree, source, 0, NULL, &unused) == STATUS_OK) {
        note_unreached(&holding, &tree->program);
        for (const struct procedure *procedure = tree->procedures; procedure; procedure = procedure->next)
            note_unreached(&holding, &procedure->body);
        tree_destroy(tree);
    }
    diags_free(&unused);
    free(holding.reached);
    free(holding.unsaid.count);
    site_table_free(&holding.sites);
    source_destroy(source);
    return status;
}
