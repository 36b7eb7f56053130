#include "directives/program.h"

#include "common/units.h"
#include "directives/dry_run.h"
#include "directives/expression.h"
#include "directives/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Column of the places, counted from 0. */
enum { PLACE_COLUMN = 48 };

struct printer {
    const struct program *program;
    const struct role *role;
    int process;
    struct dry_run *run;       /* NULL: values are not asked for */
    int32_t at;                /* the instruction in work */
    const struct stmt **stmts; /* by number; NULL where a number is no statement */
    FILE *out;
    FILE *line;                /* the line in work, in memory */
};

/* ---- pieces of a line ---- */

static void print_source(const struct printer *printer, int64_t expr)
{
    const struct expr_code *code = &printer->program->exprs[expr];
    char text[VALUE_TEXT_BYTES];
    if (code->source)
        expression_print(code->source, printer->line);
    else
        fputs(fold_value_name(code->ops[0].value, text), printer->line);
}

static const struct dry_seen *seen_find(const struct printer *printer, int64_t expr)
{
    return printer->run ? dry_run_find(printer->run, printer->at, (int32_t)expr) : NULL;
}

static void print_value(const struct printer *printer, struct value value, bool is_time)
{
    char text[VALUE_TEXT_BYTES], time[UNITS_TIME_BYTES];
    fputs(is_time ? units_format_time(value_as_real(value), time) : fold_value_name(value, text), printer->line);
}

/* " (1, 2, 4, ...)" */
static void print_values(const struct printer *printer, const struct dry_seen *seen, bool is_time)
{
    for (int i = 0; i < seen->n; i++) {
        fputs(i == 0 ? " (" : ", ", printer->line);
        print_value(printer, seen->value[i], is_time);
    }
    fputs(seen->more ? ", ...)" : ")", printer->line);
}

/* Its value; where there are several, or none is known, the expression. */
static void print_expr(const struct printer *printer, int64_t expr)
{
    const struct dry_seen *seen = seen_find(printer, expr);
    if (seen && seen->n == 1 && !seen->more) {
        print_value(printer, seen->value[0], false);
        return;
    }
    print_source(printer, expr);
    if (seen)
        print_values(printer, seen, false);
}

static void print_time_source(const struct printer *printer, int64_t expr)
{
    double unit = printer->program->exprs[expr].unit;
    const char *name = NULL;
#define X(text, seconds)                       \
    if (!(unit < seconds) && !(unit > seconds)) \
        name = #text;
    TIME_UNIT_LIST(X)
#undef X
    expression_print_factor(printer->program->exprs[expr].source, printer->line);
    if (name)
        fprintf(printer->line, " %s", name);
    else
        fprintf(printer->line, " * %g s", unit);
}

/* A time that only the run knows, in the unit it is written in. */
static void print_dynamic_time(const struct printer *printer, int64_t expr)
{
    const struct dry_seen *seen = seen_find(printer, expr);
    if (seen && seen->n == 1 && !seen->more) {
        print_value(printer, seen->value[0], true);
        return;
    }
    print_time_source(printer, expr);
    if (seen)
        print_values(printer, seen, true);
}

static void print_time(const struct printer *printer, double seconds)
{
    char text[UNITS_TIME_BYTES];
    fputs(units_format_time(seconds, text), printer->line);
}

static void print_peer(const struct printer *printer, const struct instr *instr)
{
    if (instr->dynamic & DYNAMIC_PEER) {
        print_expr(printer, instr->peer);
        return;
    }
    if (instr->peer == INSTR_ANY_SOURCE) {
        fputs("MPI_ANY_SOURCE", printer->line);
        return;
    }
    const struct role_peer *peer = &printer->role->peers[instr->peer];
    fprintf(printer->line, "%d", peer->relative ? printer->process + peer->value : peer->value);
}

static void print_request(const struct printer *printer, const struct request_ref *request)
{
    if (request->name < 0)
        return;
    fputs(printer->program->tree->requests[request->name].text, printer->line);
    if (request->whole) {
        fputs("[*]", printer->line);
    } else if (request->index_expr >= 0) {
        fputc('[', printer->line);
        print_expr(printer, request->index_expr);
        fputc(']', printer->line);
    } else if (request->index >= 0) {
        fprintf(printer->line, "[%" PRId64 "]", request->index);
    }
}

static void print_own_request(const struct printer *printer, const struct instr *instr)
{
    if (instr->n_requests == 0 || printer->program->requests[instr->first_request].name < 0)
        return;
    fputs(", request ", printer->line);
    print_request(printer, &printer->program->requests[instr->first_request]);
}

static void print_binds(const struct printer *printer, const struct instr *instr)
{
    static const char *const names[] = {
#define X(name) #name,
        BIND_KEY_LIST(X)
#undef X
    };
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    for (int i = 0; i < N_BIND_KEYS && instr->binds; i++)
        if (stmt->message.bind[i] >= 0)
            fprintf(printer->line, ", %s = %s", names[i],
                    printer->program->tree->variables[stmt->message.bind[i]].name);
}

/* ", comm row (rank 1 of 4)", after operations on all but MPI_COMM_WORLD. name NULL: another directive gave it. */
static void print_comm(const struct printer *printer, int32_t comm, const struct expr *name)
{
    if (comm != 0)
        fprintf(printer->line, ", comm %s%s(rank %d of %d)", name ? name->name : "", name ? " " : "",
                program_comm_rank(printer->program, comm, printer->process), printer->program->comms[comm].n);
}

static void print_tag(const struct printer *printer, const struct instr *instr)
{
    fputs(", tag ", printer->line);
    if (instr->dynamic & DYNAMIC_TAG)
        print_expr(printer, instr->tag);
    else if (instr->tag == INSTR_ANY_TAG)
        fputs("MPI_ANY_TAG", printer->line);
    else
        fprintf(printer->line, "%d", instr->tag);
}

static void print_message(const struct printer *printer, const struct instr *instr, const char *what)
{
    bool sends = instr->op != INSTR_RECV && instr->op != INSTR_IRECV && instr->op != INSTR_PROBE &&
                 instr->op != INSTR_IPROBE;
    bool probes = instr->op == INSTR_PROBE || instr->op == INSTR_IPROBE;
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    /* the probe says whose the message is */
    bool takes = stmt->kind == STMT_MESSAGE && message_op_sort(stmt->message.op) == SORT_take;
    fputs(what, printer->line);
    if (!takes) {
        fputs(sends ? " to " : " from ", printer->line);
        print_peer(printer, instr);
    }
    if (instr->dynamic & DYNAMIC_BYTES) {
        fputs(", ", printer->line);
        print_expr(printer, instr->bytes);
        fputs(" bytes", printer->line);
    } else if (instr->bytes != INT64_MAX && !probes) {
        fprintf(printer->line, ", %" PRId64 " bytes", instr->bytes);
    }
    if (!takes)
        print_tag(printer, instr);
    print_comm(printer, instr->comm, stmt->message.key[KEY_comm]);
    print_own_request(printer, instr);
    print_binds(printer, instr);
}

/* Bytes between the process and n others. */
struct flow {
    int32_t n;
    int64_t least, most, all;
};

static void flow_add(struct flow *flow, int64_t bytes)
{
    flow->least = flow->n == 0 || bytes < flow->least ? bytes : flow->least;
    flow->most = bytes > flow->most ? bytes : flow->most;
    flow->all += bytes;
    flow->n++;
}

/* What rank `from` has for rank `to`, known before the run. */
static int64_t known_bytes(const struct collective_ref *ref, int32_t n, int32_t from, int32_t to)
{
    if (ref->pairs)
        return ref->pairs[(int64_t)from * n + to];
    if (!ref->shares)
        return ref->bytes;
    return ref->shares[collective_op_sizes(ref->op) == SIZES_root ? to : from];
}

static void print_each(const struct printer *printer, const struct flow *flow, const char *direction)
{
    fprintf(printer->line, ", %" PRId64, flow->least);
    if (flow->most > flow->least)
        fprintf(printer->line, " to %" PRId64, flow->most);
    fprintf(printer->line, " bytes %s each", direction);
}

/* Bytes to and from neighbours: the sizes of an edge, or what its sender gives to each. */
static void flow_neighbours(const struct program *program, const struct collective_ref *ref, int32_t rank,
                            struct flow *sent, struct flow *received)
{
    const struct topology *t = program->comms[ref->comm].topology;
    for (int32_t edge = t->first_out[rank]; edge < t->first_out[rank + 1]; edge++)
        if (t->out[edge] >= 0)
            flow_add(sent, ref->pairs ? ref->pairs[edge] : known_bytes(ref, 0, rank, rank));
    for (int32_t i = t->first_in[rank]; i < t->first_in[rank + 1]; i++)
        if (t->in[i] >= 0)
            flow_add(received, ref->pairs ? ref->pairs[t->edge[i]] : known_bytes(ref, 0, t->in[i], t->in[i]));
}

/* The same of other processes. */
static void flow_others(const struct program *program, const struct collective_ref *ref, int32_t rank,
                        struct flow *sent, struct flow *received)
{
    const int32_t n = program->comms[ref->comm].n;
    const enum collective_op op = collective_op_like(ref->op);
    const bool scatters = op == COLLECTIVE_MPI_Scatter || op == COLLECTIVE_MPI_Scatterv;
    const bool gathers = op == COLLECTIVE_MPI_Gather || op == COLLECTIVE_MPI_Gatherv;
    for (int32_t other = 0; other < n; other++) {
        if (other == rank)
            continue;
        if ((!scatters || rank == ref->root) && (!gathers || other == ref->root))
            flow_add(sent, known_bytes(ref, n, rank, other));
        if ((!gathers || rank == ref->root) && (!scatters || other == ref->root))
            flow_add(received, known_bytes(ref, n, other, rank));
    }
}

/* Shares that are known: with each other process or neighbour, and in all. What stays in the process does not count,
 * but where it is its own neighbour. */
static void print_shares(const struct printer *printer, const struct collective_ref *ref)
{
    const int32_t rank = program_comm_rank(printer->program, ref->comm, printer->process);
    struct flow sent = {0}, received = {0};
    (collective_op_is_local(ref->op) ? flow_neighbours : flow_others)(printer->program, ref, rank, &sent, &received);
    if (sent.n > 1)
        print_each(printer, &sent, "to");
    else if (received.n > 1)
        print_each(printer, &received, "from");
    if (sent.n > 0)
        fprintf(printer->line, ", sends %" PRId64, sent.all);
    if (received.n > 0)
        fprintf(printer->line, "%s receives %" PRId64, sent.n > 0 ? " and" : ",", received.all);
    fputs(sent.n + received.n == 0 ? ", nothing to send" : " bytes", printer->line);
}

/* What the process gives or takes in a collective operation. */
static void print_size(const struct printer *printer, const struct collective_ref *ref)
{
    const enum collective_sizes sizes = collective_op_sizes(ref->op);
    const enum collective_op op = collective_op_like(ref->op);
    const bool rooted = op == COLLECTIVE_MPI_Scatter || op == COLLECTIVE_MPI_Scatterv ||
                        op == COLLECTIVE_MPI_Gather || op == COLLECTIVE_MPI_Gatherv;
    const bool reduces = op == COLLECTIVE_MPI_Reduce_scatter;
    if (sizes == SIZES_none)
        return;
    if (ref->bytes_expr >= 0) {
        fputs(", ", printer->line);
        print_expr(printer, ref->bytes_expr);
        fputs(sizes == SIZES_vector || rooted || reduces ? " bytes" : " bytes to each", printer->line);
    } else if (sizes == SIZES_vector || (rooted && ref->root_expr >= 0)) {
        fprintf(printer->line, ", %" PRId64 " bytes", ref->bytes);
    } else if (reduces) {
        int64_t all = 0;
        int32_t rank = program_comm_rank(printer->program, ref->comm, printer->process);
        for (int32_t i = 0; i < printer->program->comms[ref->comm].n; i++)
            all += known_bytes(ref, 0, i, i);
        fprintf(printer->line, ", %" PRId64 " bytes of %" PRId64, known_bytes(ref, 0, rank, rank), all);
    } else {
        print_shares(printer, ref);
    }
}

static void print_collective(const struct printer *printer, const struct instr *instr, const char *what)
{
    const struct collective_ref *ref = &printer->program->collectives[instr->index];
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    fputs(what, printer->line);
    print_size(printer, ref);
    if (ref->root_expr >= 0) {
        fputs(", root ", printer->line);
        print_expr(printer, ref->root_expr);
    } else if (stmt->collective.key[KEY_root]) {
        fprintf(printer->line, ", root %d", ref->root);
    }
    print_comm(printer, ref->comm, stmt->collective.key[KEY_comm]);
    if (ref->algorithm)
        fprintf(printer->line, ", algorithm %s", ref->algorithm);
    print_own_request(printer, instr);
}

static void print_wait(const struct printer *printer, const struct instr *instr, const char *what)
{
    const struct request_ref *requests = &printer->program->requests[instr->first_request];
    fputs(what, printer->line);
    if (instr->n_requests == 0) {
        fputs(", all open requests", printer->line);
        print_binds(printer, instr);
        return;
    }
    if (requests->name < 0) {
        fputs(" waits", printer->line);
        print_binds(printer, instr);
        return;
    }
    fputs(instr->n_requests > 1 ? " (" : " ", printer->line);
    for (int32_t i = 0; i < instr->n_requests; i++) {
        if (i > 0)
            fputs(", ", printer->line);
        print_request(printer, &requests[i]);
    }
    if (instr->n_requests > 1)
        fputc(')', printer->line);
    print_binds(printer, instr);
}

static void print_sample(const struct printer *printer, const struct instr *instr)
{
    static const char *const kinds[] = {
#define X(name, least, most) #name,
        SERIAL_LIST(X)
#undef X
    };
    const struct serial_ref *serial = &printer->program->serials[instr->index];
    const char *separator = "";
    fprintf(printer->line, "compute %s(", kinds[serial->kind]);
    if (serial->kind == SERIAL_measured) {
        fputs(serial->measured, printer->line);
        separator = ", ";
    }
    for (int i = 0; i < serial->n; i++) {
        char text[VALUE_TEXT_BYTES];
        bool is_time = serial->kind != SERIAL_measured && !(serial->kind == SERIAL_gamma && i == 0);
        fputs(separator, printer->line);
        separator = ", ";
        if (serial->dynamic[i] && is_time)
            print_dynamic_time(printer, serial->expr[i]);
        else if (serial->dynamic[i])
            print_expr(printer, serial->expr[i]);
        else if (is_time)
            print_time(printer, serial->a[i]);
        else
            fputs(value_format(value_real(serial->a[i]), text), printer->line);
    }
    fputc(')', printer->line);
}

/* The name of what a SET assigns: a variable, an argument of a call, or the status of a receive from MPI_PROC_NULL,
 * whose parts have the values that only they have. */
static const char *set_name(const struct printer *printer, const struct instr *instr)
{
    const struct tree *tree = printer->program->tree;
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    const struct expr_code *code = &printer->program->exprs[instr->count];
    if (stmt->kind == STMT_SET)
        return tree->variables[stmt->set.variable].name;
    if (stmt->kind == STMT_CALL) {
        int i = 0;
        while (i + 1 < stmt->call.n && stmt->call.arguments[i] != code->source)
            i++;
        return stmt->call.procedure->arguments[i];
    }
    int64_t value = code->ops[0].value.i;
    enum bind_key key = value == PROGRAM_PROC_NULL  ? BIND_source
                        : value == PROGRAM_WILDCARD ? BIND_got_tag
                        : value == 1                ? BIND_flag
                                                    : BIND_got_size;
    return tree->variables[stmt->message.bind[key]].name;
}

static void print_loop(const struct printer *printer, const struct instr *instr)
{
    fputs("loop ", printer->line);
    if (instr->dynamic & DYNAMIC_COUNT)
        print_expr(printer, instr->count);
    else
        fprintf(printer->line, "%" PRId64, instr->count);
    fputs(" times", printer->line);
    if (!instr->has_variable)
        return;
    fprintf(printer->line, ", %s from ", printer->stmts[printer->program->sites[instr->site].statement]->loop.variable);
    if (instr->from >= 0)
        print_expr(printer, instr->from);
    else
        fputc('0', printer->line);
    const struct instr *next = &printer->role->code[instr->target - 1];
    if (next->count != 1)
        fprintf(printer->line, " in steps of %" PRId64, next->count);
}

static bool is_start(const struct stmt *stmt)
{
    return stmt->kind == STMT_MESSAGE && message_op_sort(stmt->message.op) == SORT_start;
}

/* The line of the MPI_..._init that a start's BRANCH asks for: behind an element of a table stand its number and
 * `==`. */
static int made_at(const struct printer *printer, const struct instr *branch)
{
    const struct expr_code *code = &printer->program->exprs[branch->count];
    return printer->stmts[code->ops[code->n - 2].value.i]->at.line;
}

/* An MPI_..._init keeps its operands in tables. */
static bool keeps(const struct printer *printer, const struct instr *instr)
{
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    enum message_sort sort = stmt->kind == STMT_MESSAGE ? message_op_sort(stmt->message.op) : SORT_send;
    return sort == SORT_made_send || sort == SORT_made_receive || sort == SORT_free;
}

/* "[i]" of an element of a table. */
static void print_index(const struct printer *printer, const struct instr *instr)
{
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    if (stmt->kind != STMT_SET || !stmt->set.element)
        return;
    fputc('[', printer->line);
    if (instr->op == INSTR_SET)
        fprintf(printer->line, "%d", instr->target);
    else
        expression_print(stmt->set.element, printer->line);
    fputc(']', printer->line);
}

/* "MPI_Put to 1, 4096 bytes, window w"; of a fence and of the end of an epoch one line. */
static void print_remote(const struct printer *printer, const struct instr *instr, const char *what)
{
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    fputs(what, printer->line);
    if (instr->op != INSTR_DELIVER) {
        fputs(instr->op == INSTR_REMOTE_GET ? " from " : " to ", printer->line);
        print_peer(printer, instr);
    }
    if (instr->op == INSTR_REMOTE_PUT || instr->op == INSTR_REMOTE_GET) {
        fputs(", ", printer->line);
        if (instr->dynamic & DYNAMIC_BYTES)
            print_expr(printer, instr->bytes);
        else
            fprintf(printer->line, "%" PRId64, instr->bytes);
        fputs(" bytes", printer->line);
    }
    if (stmt->message.key[KEY_exclusive]) {
        fputs(", exclusive ", printer->line);
        if (instr->dynamic & DYNAMIC_TAG)
            print_expr(printer, instr->tag);
        else
            fprintf(printer->line, "%d", instr->tag);
    }
    fprintf(printer->line, ", window %s", printer->program->tree->windows[instr->slot]);
    print_comm(printer, instr->comm, stmt->message.key[KEY_comm]);
}

/* "MPI_Comm_dup, on rows" */
static void print_agreement(const struct printer *printer, const struct instr *instr, const char *what)
{
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    fputs(what, printer->line);
    print_comm(printer, instr->comm, stmt->message.key[KEY_comm]);
}

static bool is_inner_collective(const struct printer *printer, const struct instr *instr)
{
    return instr->op == INSTR_COLLECTIVE &&
           printer->stmts[printer->program->sites[instr->site].statement]->kind == STMT_MESSAGE;
}

/* Behind the instruction that says it: of a fence, of the end of an epoch, of what makes a communicator. */
static bool is_said_before(const struct printer *printer, const struct instr *instr)
{
    return instr->op == INSTR_SETTLE || (is_inner_collective(printer, instr) && instr > printer->role->code &&
                                         instr[-1].site == instr->site);
}

/* ---- lines ---- */

static void print_action(const struct printer *printer, const struct instr *instr, const char *what)
{
    switch ((enum instr_op)instr->op) {
    case INSTR_SEND:
    case INSTR_BSEND:
    case INSTR_SSEND:
    case INSTR_ISEND:
    case INSTR_ISSEND:
    case INSTR_RECV:
    case INSTR_IRECV:
    case INSTR_PROBE:
    case INSTR_IPROBE:
        print_message(printer, instr, what);
        break;
    case INSTR_WAIT:
    case INSTR_WAITALL:
    case INSTR_WAITANY:
    case INSTR_WAITSOME:
    case INSTR_TEST:
    case INSTR_TESTALL:
    case INSTR_TESTANY:
    case INSTR_TESTSOME:
        print_wait(printer, instr, what);
        break;
    case INSTR_COLLECTIVE:
        if (is_inner_collective(printer, instr))
            print_agreement(printer, instr, what);
        else
            print_collective(printer, instr, what);
        break;
    case INSTR_REMOTE_PUT:
    case INSTR_REMOTE_GET:
    case INSTR_LOCK:
    case INSTR_UNLOCK:
    case INSTR_FLUSH:
    case INSTR_DELIVER:
        print_remote(printer, instr, what);
        break;
    case INSTR_SETTLE:
        break;
    case INSTR_SERIAL:
        fputs("compute ", printer->line);
        if (instr->dynamic & DYNAMIC_SECONDS)
            print_dynamic_time(printer, instr->index);
        else
            print_time(printer, instr->seconds);
        break;
    case INSTR_SAMPLE:
        print_sample(printer, instr);
        break;
    case INSTR_SET:
    case INSTR_PUT:
        if (keeps(printer, instr)) {
            fprintf(printer->line, "%s keeps ", what);
        } else {
            fprintf(printer->line, "set %s", set_name(printer, instr));
            print_index(printer, instr);
            fputs(" = ", printer->line);
        }
        print_expr(printer, instr->count);
        break;
    case INSTR_ENTER:
    case INSTR_LEAVE:
        fprintf(printer->line, "%s region %s", instr->op == INSTR_ENTER ? "enter" : "leave",
                printer->program->tree->regions[instr->index]);
        break;
    case INSTR_FAIL:
        fprintf(printer->line, "error: %s", printer->program->failures[instr->index].text);
        break;
    case INSTR_LOOP:
    case INSTR_NEXT:
    case INSTR_JUMP:
    case INSTR_BRANCH:
    case INSTR_END:
        break;
    }
}

/* Starts a line in memory, and writes it with the place (NULL: none) in its column. */
static void begin_line(struct printer *printer, int indent, char **text, size_t *length)
{
    printer->line = open_memstream(text, length);
    if (printer->line)
        fprintf(printer->line, "%*s", indent, "");
}

static void end_line(struct printer *printer, char **buffer, const size_t *length, const struct place *at)
{
    fclose(printer->line); /* sets *buffer */
    char *text = *buffer;
    if (at && at->line > 0)
        fprintf(printer->out, "%-*s%s%s:%d\n", PLACE_COLUMN, text, *length < PLACE_COLUMN ? "" : "  ",
                at->file ? at->file : "", at->line);
    else
        fprintf(printer->out, "%s\n", text);
    free(text);
}

static void print_lines(struct printer *printer, int32_t from, int32_t to, int indent);

static void print_line(struct printer *printer, const struct instr *instr, int indent)
{
    char *text = NULL;
    size_t length = 0;
    const struct site *site = &printer->program->sites[instr->site];
    begin_line(printer, indent, &text, &length);
    if (!printer->line)
        return;
    print_action(printer, instr, site->what);
    end_line(printer, &text, &length, &site->at);
}

static void print_heading(struct printer *printer, const struct instr *instr, const char *word, int indent)
{
    char *text = NULL;
    size_t length = 0;
    begin_line(printer, indent, &text, &length);
    if (!printer->line)
        return;
    fputs(word, printer->line);
    if (instr->op == INSTR_LOOP)
        print_loop(printer, instr);
    else
        print_source(printer, instr->count);
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    if (instr->op == INSTR_BRANCH && is_start(stmt)) {
        fprintf(printer->line, " is the one of line %d", made_at(printer, instr));
    } else if (instr->op == INSTR_BRANCH && stmt->kind == STMT_MESSAGE) {
        const struct expr *comm = stmt->message.key[KEY_comm];
        if (comm && comm->symbol != SYMBOL_COMM_WORLD)
            fprintf(printer->line, " != procnum_in(%s)", comm->name);
        else
            fputs(" != procnum", printer->line);
    }
    end_line(printer, &text, &length, NULL);
}

/* A BRANCH is a condition with others behind it (its block ends with a jump over them) or one without. Returns the
 * index behind all of it. */
static int32_t print_branch(struct printer *printer, int32_t index, int indent)
{
    const struct instr *code = printer->role->code, *branch = &code[index];
    int32_t end = branch->target;
    const struct instr *last = &code[end - 1];
    bool jumps = end - 1 > index && last->op == INSTR_JUMP;
    print_heading(printer, branch, "if ", indent);
    if (!jumps || last->target < end) {
        print_lines(printer, index + 1, end, indent + 2);
        return end;
    }
    print_lines(printer, index + 1, end - 1, indent + 2);
    if (last->target > end) {
        fprintf(printer->out, "%*sotherwise\n", indent, "");
        print_lines(printer, end, last->target, indent + 2);
    }
    return last->target;
}

static bool is_while(const struct printer *printer, const struct instr *instr)
{
    return printer->stmts[printer->program->sites[instr->site].statement]->kind == STMT_WHILE;
}

static void print_lines(struct printer *printer, int32_t from, int32_t to, int indent)
{
    int32_t i = from;
    while (i < to) {
        const struct instr *instr = &printer->role->code[i];
        printer->at = i;
        if (instr->op == INSTR_LOOP && is_while(printer, instr)) {
            print_heading(printer, instr + 1, "loop while ", indent);
            print_lines(printer, i + 2, instr->target - 1, indent + 2);
            i = instr->target;
        } else if (instr->op == INSTR_LOOP) {
            print_heading(printer, instr, "", indent);
            print_lines(printer, i + 1, instr->target - 1, indent + 2);
            i = instr->target;
        } else if (instr->op == INSTR_BRANCH) {
            i = print_branch(printer, i, indent);
        } else {
            if (instr->op != INSTR_JUMP && instr->op != INSTR_END && !is_said_before(printer, instr))
                print_line(printer, instr, indent);
            i++;
        }
    }
}

static void find_stmts(const struct stmt **stmts, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        stmts[stmt->number] = stmt;
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            find_stmts(stmts, inner);
    }
}

void program_print(const struct program *program, int process, bool values, FILE *out)
{
    const struct tree *tree = program->tree;
    struct printer printer = {
        .program = program,
        .role = &program->roles[program->role_of[process]],
        .process = process,
        .run = values ? dry_run_create(program, process) : NULL,
        .stmts = alloc_zeroed((size_t)tree->n_statements, sizeof *printer.stmts),
        .out = out,
    };
    find_stmts(printer.stmts, &tree->program);
    for (const struct procedure *procedure = tree->procedures; procedure; procedure = procedure->next)
        find_stmts(printer.stmts, &procedure->body);
    const int socket = program_socket(program, process);
    fprintf(out, "process %d of %d (node %d", process, program->numprocs, program_node(program, process));
    if (socket != PROGRAM_NO_SOCKET)
        fprintf(out, ", socket %d", socket % program->sockets);
    fputs(")\n", out);
    print_lines(&printer, 0, printer.role->n_code, 2);
    dry_run_destroy(printer.run);
    free(printer.stmts);
}
