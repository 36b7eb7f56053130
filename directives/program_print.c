#include "directives/program.h"

#include "common/units.h"
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
    const struct stmt **stmts; /* by number; NULL where a number is no statement */
    FILE *out;
    FILE *line;                /* the line in work, in memory */
};

/* ---- pieces of a line ---- */

static void print_expr(const struct printer *printer, int64_t expr)
{
    const struct expr_code *code = &printer->program->exprs[expr];
    char text[VALUE_TEXT_BYTES];
    if (code->source)
        expression_print(code->source, printer->line);
    else
        fputs(fold_value_name(code->ops[0].value, text), printer->line);
}

/* A time that only the run knows, in the unit it is written in. */
static void print_dynamic_time(const struct printer *printer, int64_t expr)
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
    const struct role_peer *peer = &printer->role->peers[instr->peer];
    fprintf(printer->line, "%d", peer->relative ? printer->process + peer->value : peer->value);
}

static void print_request(const struct printer *printer, const struct request_ref *request)
{
    if (request->name < 0)
        return;
    fputs(printer->program->tree->requests[request->name], printer->line);
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

static void print_binds(const struct printer *printer, const struct instr *instr)
{
    static const char *const names[] = {"source", "got_tag", "got_size"};
    const struct stmt *stmt = printer->stmts[printer->program->sites[instr->site].statement];
    for (int i = 0; i < 3 && instr->binds; i++)
        if (stmt->message.bind[i] >= 0)
            fprintf(printer->line, ", %s = %s", names[i],
                    printer->program->tree->variables[stmt->message.bind[i]].name);
}

static void print_message(const struct printer *printer, const struct instr *instr, const char *what)
{
    bool receives = instr->op == INSTR_RECV || instr->op == INSTR_IRECV;
    fprintf(printer->line, "%s %s ", what, receives ? "from" : "to");
    print_peer(printer, instr);
    if (instr->dynamic & DYNAMIC_BYTES) {
        fputs(", ", printer->line);
        print_expr(printer, instr->bytes);
        fputs(" bytes", printer->line);
    } else if (instr->bytes != INT64_MAX) {
        fprintf(printer->line, ", %" PRId64 " bytes", instr->bytes);
    }
    fputs(", tag ", printer->line);
    if (instr->dynamic & DYNAMIC_TAG)
        print_expr(printer, instr->tag);
    else
        fprintf(printer->line, "%d", instr->tag);
    if (instr->n_requests > 0 && printer->program->requests[instr->first_request].name >= 0) {
        fputs(", request ", printer->line);
        print_request(printer, &printer->program->requests[instr->first_request]);
    }
    print_binds(printer, instr);
}

static void print_wait(const struct printer *printer, const struct instr *instr, const char *what)
{
    const struct request_ref *requests = &printer->program->requests[instr->first_request];
    fputs(what, printer->line);
    if (requests->name < 0) {
        fputs(" waits", printer->line);
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
        print_message(printer, instr, what);
        break;
    case INSTR_WAIT:
        print_wait(printer, instr, what);
        break;
    case INSTR_WAITALL:
        fprintf(printer->line, "%s, all open requests", what);
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
        fprintf(printer->line, "set %s = ", set_name(printer, instr));
        print_expr(printer, instr->count);
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
        print_expr(printer, instr->count);
    if (instr->op == INSTR_BRANCH &&
        printer->stmts[printer->program->sites[instr->site].statement]->kind == STMT_MESSAGE)
        fputs(" != procnum", printer->line);
    end_line(printer, &text, &length, NULL);
}

/* A BRANCH is a Loop while (its block ends with a jump back to it), a condition with others behind it (its block ends
 * with a jump over them) or one without. Returns the index behind all of it. */
static int32_t print_branch(struct printer *printer, int32_t index, int indent)
{
    const struct instr *code = printer->role->code, *branch = &code[index];
    int32_t end = branch->target;
    const struct instr *last = &code[end - 1];
    bool jumps = end - 1 > index && last->op == INSTR_JUMP;
    if (jumps && last->target == index) {
        print_heading(printer, branch, "loop while ", indent);
        print_lines(printer, index + 1, end - 1, indent + 2);
        return end;
    }
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

static void print_lines(struct printer *printer, int32_t from, int32_t to, int indent)
{
    int32_t i = from;
    while (i < to) {
        const struct instr *instr = &printer->role->code[i];
        if (instr->op == INSTR_LOOP) {
            print_heading(printer, instr, "", indent);
            print_lines(printer, i + 1, instr->target - 1, indent + 2);
            i = instr->target;
        } else if (instr->op == INSTR_BRANCH) {
            i = print_branch(printer, i, indent);
        } else {
            if (instr->op != INSTR_JUMP && instr->op != INSTR_END)
                print_line(printer, instr, indent);
            i++;
        }
    }
}

static void find_stmts(const struct stmt **stmts, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        stmts[stmt->number] = stmt;
        if (stmt->kind == STMT_LOOP)
            find_stmts(stmts, &stmt->loop.body);
        if (stmt->kind == STMT_WHILE)
            find_stmts(stmts, &stmt->while_.body);
        for (int i = 0; stmt->kind == STMT_RUNON && i < stmt->runon.n + stmt->runon.has_else; i++)
            find_stmts(stmts, &stmt->runon.blocks[i]);
    }
}

void program_print(const struct program *program, int process, FILE *out)
{
    const struct tree *tree = program->tree;
    struct printer printer = {
        .program = program,
        .role = &program->roles[program->role_of[process]],
        .process = process,
        .stmts = alloc_zeroed((size_t)tree->n_statements, sizeof *printer.stmts),
        .out = out,
    };
    find_stmts(printer.stmts, &tree->program);
    for (const struct procedure *procedure = tree->procedures; procedure; procedure = procedure->next)
        find_stmts(printer.stmts, &procedure->body);
    fprintf(out, "process %d of %d (node %d)\n", process, program->numprocs, program_node(program, process));
    print_lines(&printer, 0, printer.role->n_code, 2);
    free(printer.stmts);
}
