#include "record/hold.h"

#include "directives/program.h"
#include "directives/program_files.h"
#include "directives/tree.h"
#include "record/calls.h"
#include "record/hold/delivery.h"
#include "record/fit.h"
#include "record/resolve.h"
#include "sim/rehearsal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_SHOWN = 8 };

/* The tag, where it is what differs. */
static char *tag_text(const struct call *call, const struct call *other)
{
    const bool differs = other && call->kind == other->kind && call->tag != other->tag;
    return !differs || call->kind == CALL_REMOTE || call->tag == CALL_TAG_UNKNOWN ? alloc_string("")
         : call->tag == TAG_ANY ? alloc_string(" with any tag") : alloc_format(" with tag %d", call->tag);
}

/* " with root 3", where the root is what differs. */
static char *root_text(const struct call *call, const struct call *other)
{
    const bool differs = other && other->kind == CALL_COLLECTIVE && call->op == other->op && call->peer != other->peer;
    return differs && call->peer != CALL_ANY ? alloc_format(" with root %d", call->peer) : alloc_string("");
}

/* " among 2 processes, 0 to 4", where they are others. */
static char *group_text(const struct call *call, const struct call *other)
{
    const struct call_group *a = &call->group, *b = other ? &other->group : a;
    const bool differs = other && other->kind == CALL_COLLECTIVE && call->op == other->op && (a->hash != b->hash || a->n != b->n);
    return differs ? alloc_format(" among %d process%s, %d to %d", a->n, a->n == 1 ? "" : "es", a->least, a->most) : alloc_string("");
}

static char *collective_text(const struct call *call, const struct call *other)
{
    char *root = root_text(call, other), *group = group_text(call, other);
    char *bytes = call->bytes == CALL_ANY ? alloc_string("") : alloc_format(" of %" PRId64 " bytes", call->bytes);
    char *text = alloc_format("%s%s%s%s", calls_collective(call->op), bytes, root, group);
    free(bytes);
    free(group);
    free(root);
    return text;
}

/* other: what it is held against, NULL: nothing. */
static char *call_text(const struct call *call, const struct call *other)
{
    if (call->kind == CALL_COLLECTIVE)
        return collective_text(call, other);
    if (call->kind == CALL_AGREEMENT)
        return alloc_string(message_op_name((enum message_op)call->op));
    if (call->kind == CALL_REMOTE && call->op == INSTR_DELIVER)
        return alloc_string(calls_remote(call->op));
    char *peer = call->peer == CALL_ANY ? alloc_string("anybody") : alloc_format("process %d", call->peer);
    char *tag = tag_text(call, other);
    bool puts = call->op == INSTR_REMOTE_PUT || call->op == INSTR_REMOTE_GET;
    char *text = call->kind == CALL_REMOTE && puts ? alloc_format("%s of %" PRId64 " bytes, process %d", calls_remote(call->op),
                                                                  call->bytes, call->peer)
         : call->kind == CALL_REMOTE ? alloc_format("%s of %s", call->tag == 1 ? "an exclusive lock" : calls_remote(call->op), peer)
         : call->kind == CALL_SEND ? alloc_format("a send of %" PRId64 " bytes to %s%s", call->bytes, peer, tag)
                                         : alloc_format("a receive from %s%s", peer, tag);
    free(peer);
    free(tag);
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
    const struct hold_request *request;
    const struct tree *tree;
    struct site_table sites;
    struct unsaid unsaid;
    size_t n_statements;
    bool *reached;              /* [n_statements] */
    struct diags *diags;
    FILE *out;
    int64_t said;               /* calls that agreed, of one recording */
    bool cut;                   /* some process did more than is compared */
    struct delivery delivery;   /* what the program sends and receives, of one recording */
};

static enum status report_difference(struct holding *holding, const struct program *program,
                                     const struct recording *recording,
                                     int process, const struct calls *said, const struct calls *ran, size_t start,
                                     size_t matched)
{
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY;
    const char **where = resolve_sites(&holding->sites, &memory, &unused);
    const struct call *directive = &said->list[matched];
    const struct call *run = start + matched < ran->n ? &ran->list[start + matched] : NULL;
    char *wanted = call_text(directive, run);
    char *found = run ? call_text(run, directive) : alloc_string("no further call");
    diag_error(holding->diags, program->sites[directive->from].at,
               "%s: process %d of %d, after %zu calls that agree: the directive says %s, the run did %s%s%s",
               recording->name, process, recording->ranks, matched, wanted, found, run ? " at " : "",
               run ? where[run->from] : "");
    free(wanted);
    free(found);
    diags_free(&unused);
    arena_free(&memory);
    return STATUS_DIFFERENT;
}

/* Collective operations of a kind that the program never says are no difference: they are counted, and left out; so are
 * calls that make communicators in a way of which it never says what it takes. */
static void leave_out(struct unsaid *unsaid, const struct calls *said, struct calls *ran, int n_sites)
{
    bool known[] = {
#define X(name, sizes, like, who) false,
        COLLECTIVE_LIST(X)
#undef X
    };
    bool agrees[] = {
#define X(name, sort, instr, keys, needed) false,
        MESSAGE_LIST(X)
#undef X
    };
    size_t kept = 0, *before = alloc_array(ran->n + 1, sizeof *before); /* of those that stay, by number of all */
    for (size_t i = 0; i < said->n; i++) {
        if (said->list[i].kind == CALL_COLLECTIVE)
            known[said->list[i].op] = true;
        if (said->list[i].kind == CALL_AGREEMENT)
            agrees[said->list[i].op] = true;
    }
    for (size_t i = 0; i < ran->n; i++) {
        before[i] = kept;
        if ((ran->list[i].kind == CALL_COLLECTIVE && !known[ran->list[i].op]) ||
            (ran->list[i].kind == CALL_AGREEMENT && !agrees[ran->list[i].op]))
            count_unsaid(unsaid, ran, i, i + 1, n_sites);
        else
            ran->list[kept++] = ran->list[i];
    }
    before[ran->n] = kept;
    for (size_t i = 0; i < kept; i++)
        if (ran->list[i].done != CALL_UNKNOWN)
            ran->list[i].done = before[ran->list[i].done];
    ran->n = kept;
    free(before);
}

/* Where call i is waited for, among others. */
static char *wait_text(const struct calls *calls, size_t i)
{
    const size_t done = calls->list[i].done;
    return done == CALL_OPEN ? alloc_string("never")
         : done == i + 1 ? alloc_string("before any other call")
         : alloc_format("after %zu more call%s", done - i - 1, done - i - 1 == 1 ? "" : "s");
}

/* Call i of those said is waited for elsewhere. */
static enum status report_wait(struct holding *holding, const struct program *program, const struct recording *recording,
                               int process, const struct calls *said, const struct calls *ran, size_t start, size_t i)
{
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY;
    const char **where = resolve_sites(&holding->sites, &memory, &unused);
    const struct call *directive = &said->list[i], *run = &ran->list[start + i];
    char *call = call_text(directive, run), *wanted = wait_text(said, i), *found = wait_text(ran, start + i);
    diag_error(holding->diags, program->sites[directive->waited >= 0 ? directive->waited : directive->from].at,
               "%s: process %d of %d, after %zu calls that agree: the directives wait for %s %s, the run did %s%s%s",
               recording->name, process, recording->ranks, i, call, wanted, found, run->waited >= 0 ? ", at " : "",
               run->waited >= 0 ? where[run->waited] : "");
    free(call);
    free(wanted);
    free(found);
    diags_free(&unused);
    arena_free(&memory);
    return STATUS_DIFFERENT;
}

static enum status hold_process(struct holding *holding, const struct program *program,
                                const struct recording *recording, int process, bool *reached)
{
    struct calls said = {0}, ran = {0};
    const struct recorded_process *of = &recording->processes[process];
    size_t matched = 0, start = 0;
    enum status status = calls_said(&said, program, process, reached, holding->diags);
    bool cut = !calls_recorded(&ran, of, &holding->sites);
    if (status == STATUS_OK) {
        leave_out(&holding->unsaid, &said, &ran, holding->sites.n);
        for (size_t i = 0; !holding->request->sizes && i < ran.n; i++)
            ran.list[i].bytes = CALL_ANY;
        start = calls_match(&said, &ran, &matched);
        count_unsaid(&holding->unsaid, &ran, 0, start, holding->sites.n);
        count_unsaid(&holding->unsaid, &ran, start + matched, ran.n, holding->sites.n);
        holding->said += (int64_t)matched;
        delivery_add(&holding->delivery, process, &said);
        holding->cut = holding->cut || cut;
        if (matched < said.n && !(cut && start + matched == ran.n))
            status = report_difference(holding, program, recording, process, &said, &ran, start, matched);
        /* times_take has its own words for waits that it misses */
        const size_t waited = holding->request->times ? matched : calls_match_waits(&said, &ran, start, matched);
        if (status == STATUS_OK && waited < matched)
            status = report_wait(holding, program, recording, process, &said, &ran, start, waited);
        if (status == STATUS_OK && holding->request->times && matched == said.n)
            times_take(holding->request->times, program, recording, process, &said, &ran, start, holding->diags);
    }
    calls_free(&said);
    calls_free(&ran);
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

/* Of a program that describes the whole run. What communicators take it may leave out: that is noted where it is written. */
static enum status refuse_unsaid(struct holding *holding, const struct recording *recording)
{
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY;
    int64_t calls = 0;
    int first = -1;
    for (int i = holding->unsaid.capacity - 1; i >= 0; i--)
        if (holding->unsaid.count[i] > 0 && operation_kind(holding->sites.sites[i].op) != KIND_comm) {
            calls += holding->unsaid.count[i];
            first = i;
        }
    if (first >= 0)
        diag_error(holding->diags, place_of_file(holding->request->program),
                   "%s: no directive says %" PRId64 " calls of the run, %s at %s among them", recording->name, calls,
                   operation_name(holding->sites.sites[first].op), resolve_sites(&holding->sites, &memory, &unused)[first]);
    diags_free(&unused);
    arena_free(&memory);
    return first >= 0 ? STATUS_DIFFERENT : STATUS_OK;
}

/* Of a program that describes the whole run: what is sent is received. */
static enum status refuse_undelivered(struct holding *holding, const struct recording *recording)
{
    const struct delivered *wrong = holding->cut ? NULL : delivery_check(&holding->delivery);
    if (!wrong)
        return STATUS_OK;
    diag_error(holding->diags, place_of_file(holding->request->program),
               "%s: the directives send %" PRId64 " messages with tag %d to process %d of %d, which receives %" PRId64
               ": a partner that a run knew only as the sender of another message has got a wrong formula",
               recording->name, wrong->sent, wrong->tag, wrong->process, recording->ranks, wrong->received);
    return STATUS_DIFFERENT;
}

static enum status lower_for(struct program **program, const struct tree *tree, const struct recording *recording,
                             struct diags *diags)
{
    const struct lower_options options = {.numprocs = recording->ranks, .nodes = recording->ranks, .ppn = 1, .machine = "",
                                          .time_unit = 1};
    return program_lower(program, tree, &options, diags);
}

static enum status hold_recording(struct holding *holding, const struct recording *recording)
{
    struct program *program;
    holding->said = 0;
    enum status status = lower_for(&program, holding->tree, recording, holding->diags);
    if (status != STATUS_OK)
        return status;
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
    if (status == STATUS_OK && holding->request->whole)
        status = refuse_unsaid(holding, recording);
    if (status == STATUS_OK && holding->request->whole)
        status = refuse_undelivered(holding, recording);
    delivery_free(&holding->delivery);
    print_unsaid(holding);
    free(reached);
    program_destroy(program);
    return status;
}

static const char *operation_of(const struct stmt *stmt)
{
    return stmt->kind == STMT_MESSAGE ? message_op_name(stmt->message.op)
         : stmt->kind == STMT_COLLECTIVE ? calls_collective((int32_t)stmt->collective.op) : NULL;
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

/* The program with the sizes of a recording. */
static enum status tree_of(struct tree **tree, const struct source *source, const struct recording *recording,
                           struct diags *diags)
{
    struct definition *definitions = alloc_zeroed((size_t)recording->n_params + 1, sizeof *definitions);
    for (int i = 0; i < recording->n_params; i++)
        definitions[i] = (struct definition){recording->params[i].name,
                                             {.kind = VALUE_INT, .i = recording->params[i].value}, NULL};
    enum status status = tree_parse(tree, source, (size_t)recording->n_params, definitions, diags);
    free(definitions);
    return status;
}

static enum status hold_tree(struct holding *holding, const struct source *source, const struct recording *recording)
{
    struct tree *tree;
    enum status status = tree_of(&tree, source, recording, holding->diags);
    if (status != STATUS_OK)
        return status;
    holding->tree = tree;
    if (!holding->reached)
        holding->reached = alloc_zeroed((size_t)tree->n_statements + 1, sizeof *holding->reached);
    status = hold_recording(holding, recording);
    tree_destroy(tree);
    return status;
}

static enum status hold_source(const struct hold_request *request, const struct source *source, size_t n,
                               const struct recording recordings[], FILE *out, struct diags *diags)
{
    enum status status = STATUS_OK;
    struct holding holding = {.request = request, .diags = diags, .out = out};
    site_table_init(&holding.sites);
    for (size_t i = 0; i < n && (status == STATUS_OK || status == STATUS_DIFFERENT); i++) {
        enum status next = hold_tree(&holding, source, &recordings[i]);
        status = status == STATUS_OK || next > STATUS_DIFFERENT ? next : status;
    }
    if (holding.cut)
        diag_note(diags, place_of_file(request->program),
                  "compared with the first 2 million calls of each process: some did more");
    if (request->cut)
        *request->cut = holding.cut;
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
    return status;
}

enum status hold_program(const struct hold_request *request, size_t n, const struct recording recordings[], FILE *out,
                         struct diags *diags)
{
    struct source *read = NULL;
    enum status status = recordings_check(n, recordings, diags);
    if (status == STATUS_OK && !request->source)
        status = program_files_read(&read, 1, &request->program, request->cflags, diags);
    if (status == STATUS_OK)
        status = hold_source(request, request->source ? request->source : read, n, recordings, out, diags);
    source_destroy(read);
    return status;
}

/* ---- rehearsals ---- */

static const int64_t REHEARSED_MOST = 2000000; /* calls of a recording: some seconds */

static int64_t calls_in(size_t n, const struct recorded_node nodes[])
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += nodes[i].loop ? calls_in(nodes[i].n_body, nodes[i].body) : nodes[i].times.n;
    return sum;
}

static bool is_short(const struct recording *recording)
{
    int64_t sum = 0;
    for (int i = 0; i < recording->ranks; i++)
        sum += calls_in(recording->processes[i].n, recording->processes[i].nodes);
    return sum <= REHEARSED_MOST;
}

/* What who wrote the program should know of a rehearsal that did not come to its end. */
static void refuse_rehearsed(const struct source *source, const struct recording *recording, enum status status,
                             const struct diags *found, struct diags *diags)
{
    diag_error(diags, place_of_file(source->name), "do not predict with this program, which may come to no end on %d "
               "processes: %s; who sent what MPI_ANY_SOURCE received, and what else the run decided, no formula says",
               recording->ranks, found->n > 0 ? diag_message(found, 0) : status_name(status));
}

/* A lowered program, where its run decides what happens. */
static enum status rehearse_lowered(const struct program *program, const struct source *source,
                                    const struct recording *recording, struct diags *diags)
{
    if (!program->time_decides)
        return STATUS_OK;
    if (!is_short(recording)) {
        diag_note(diags, place_of_file(source->name), "the run decides what happens, and on %d processes the program was not "
                  "rehearsed, for it makes more than %" PRId64 " calls: it may come to no end", recording->ranks, REHEARSED_MOST);
        return STATUS_OK;
    }
    struct diags found = DIAGS_EMPTY;
    double seconds;
    const enum status status = rehearse(program, NULL, 1, true, 0, &seconds, &found);
    if (status != STATUS_OK)
        refuse_rehearsed(source, recording, status, &found, diags);
    diags_free(&found);
    return status;
}

static enum status rehearse_for(const struct source *source, const struct recording *recording, struct diags *diags)
{
    struct tree *tree;
    struct program *program;
    enum status status = tree_of(&tree, source, recording, diags);
    if (status != STATUS_OK)
        return status;
    status = lower_for(&program, tree, recording, diags);
    if (status == STATUS_OK) {
        status = rehearse_lowered(program, source, recording, diags);
        program_destroy(program);
    }
    tree_destroy(tree);
    return status;
}

enum status hold_rehearse(const struct source *source, size_t n, const struct recording recordings[], struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++)
        status = rehearse_for(source, &recordings[i], diags);
    return status;
}

static int next_count(size_t n, const struct recording recordings[])
{
    struct fit_places places;
    int *counts = alloc_array(n, sizeof *counts), next = 0;
    for (size_t i = 0; i < n; i++)
        counts[i] = recordings[i].ranks;
    fit_places_make(&places, n, counts);
    for (size_t i = 0; i < places.n; i++)
        if (!places.list[i].cheaper && (next == 0 || places.list[i].numprocs < next))
            next = places.list[i].numprocs;
    fit_places_free(&places);
    free(counts);
    return next;
}

char *hold_rehearse_beyond(const struct source *source, size_t n, const struct recording recordings[], bool tables,
                           int *numprocs)
{
    struct recording beyond = recordings[n - 1]; /* its parameters */
    struct tree *tree;
    struct program *program = NULL;
    struct diags found = DIAGS_EMPTY;
    double seconds;
    if (!is_short(&recordings[n - 1])) {
        *numprocs = 0;
        return NULL;
    }
    *numprocs = beyond.ranks = next_count(n, recordings);
    enum status status = tree_of(&tree, source, &beyond, &found);
    if (status == STATUS_OK) {
        status = lower_for(&program, tree, &beyond, &found);
        status = status == STATUS_OK ? rehearse(program, NULL, 1, false, 0, &seconds, &found) : status;
        program_destroy(program);
        tree_destroy(tree);
    }
    const bool wrong = status == STATUS_DEADLOCK || (status != STATUS_OK && !tables);
    char *text = !wrong ? NULL : alloc_format("%s: %s", status == STATUS_DEADLOCK ? "comes to no end" : "cannot be run",
                                              found.n > 0 ? diag_message(&found, 0) : status_name(status));
    diags_free(&found);
    return text;
}
