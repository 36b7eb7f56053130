#include "directives/program.h"

#include "common/units.h"
#include "directives/expression.h"
#include "directives/fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void program_destroy(struct program *program)
{
    if (!program)
        return;
    free(program->roles);
    free(program->role_of);
    free(program->sites);
    free(program->requests);
    free(program->serials);
    free(program->failures);
    free(program->exprs);
    free(program->comms);
    free(program->collectives);
    arena_free(&program->memory);
    free(program);
}

int program_node(const struct program *program, int process)
{
    return program->cyclic ? process % program->nodes : process / program->ppn;
}

int program_socket(const struct program *program, int process)
{
    if (program->sockets < 2)
        return PROGRAM_NO_SOCKET;
    const int slot = program->cyclic ? process / program->nodes : process % program->ppn;
    const int turn = program->socket_fill > 0 ? slot / program->socket_fill : slot;
    return program_node(program, process) * program->sockets + turn % program->sockets;
}

int32_t program_comm_process(const struct program *program, int32_t comm, int32_t rank)
{
    return comm_process(&program->comms[comm], rank);
}

int32_t program_comm_rank(const struct program *program, int32_t comm, int32_t process)
{
    return comm_rank(&program->comms[comm], process);
}

const char *program_eval(const struct program *program, int32_t expr, int process, const struct value *slots,
                         struct value *out)
{
    const struct expr_code *code = &program->exprs[expr];
    if (expression_quick(&code->quick, slots, out))
        return NULL;
    return expression_eval(code->ops, code->n, process, program_node(program, process), slots, out);
}

struct program_row program_row(const struct program *program, enum collective_op op, int32_t comm, int32_t rank)
{
    const struct comm *of = &program->comms[comm];
    switch (collective_op_sizes(op)) {
    case SIZES_pair:
        return (struct program_row){(size_t)rank * (size_t)of->n, of->n};
    case SIZES_edge: {
        const int32_t *first = of->topology->first_out + rank;
        return (struct program_row){(size_t)first[0], first[1] - first[0]};
    }
    default:
        return (struct program_row){0, of->n};
    }
}

size_t program_rows(const struct program *program, enum collective_op op, int32_t comm)
{
    const struct program_row last = program_row(program, op, comm, program->comms[comm].n - 1);
    return last.first + (size_t)last.n;
}

int32_t program_row_partner(const struct program *program, enum collective_op op, int32_t comm, int32_t rank, int32_t i)
{
    if (collective_op_sizes(op) != SIZES_edge)
        return i;
    const struct topology *topology = program->comms[comm].topology;
    return topology->out[topology->first_out[rank] + i];
}

const char *program_eval_partner(const struct program *program, int32_t expr, int process, int32_t partner,
                                 const struct value *slots, struct value *out)
{
    const struct expr_code *code = &program->exprs[expr];
    return expression_eval_partner(code->ops, code->n, process, program_node(program, process), partner, slots, out);
}

int32_t program_expr_site(const struct program *program, int32_t expr)
{
    return program->exprs[expr].site;
}

void program_report(const struct program *program, int32_t site, int process, const char *text, struct diags *diags)
{
    const struct site *where = &program->sites[site];
    size_t n = strlen(where->what);
    bool said = strncmp(text, where->what, n) == 0 && text[n] == ' ';
    diag_error(diags, where->at, "%s%s%s, in process %d (of %d)", said ? "" : where->what, said ? "" : ": ", text,
               process, program->numprocs);
}

static enum status say(char text[PROGRAM_TEXT_BYTES], enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum status say(char text[PROGRAM_TEXT_BYTES], enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, PROGRAM_TEXT_BYTES, format, arguments);
    va_end(arguments);
    return status;
}

static bool is_special(struct value value, int64_t special)
{
    return value.kind == VALUE_INT && value.i == special;
}

static bool takes_wildcards(enum instr_op op)
{
    return op == INSTR_RECV || op == INSTR_IRECV || op == INSTR_PROBE || op == INSTR_IPROBE;
}

/* Is its peer given by `from`? */
static bool takes_from(enum instr_op op)
{
    return takes_wildcards(op) || op == INSTR_REMOTE_GET;
}

/* A rank of a communicator, given by `key`. */
static enum status check_rank(const struct program *program, int32_t comm, struct value value, const char *key,
                              int32_t *rank, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    int64_t i;
    const char *what = comm == 0 ? "process" : "rank";
    if (!value_as_integer(value, &i))
        return say(text, STATUS_RANGE, "a %s number that is not an integer: %s (`%s`)", what,
                   fold_value_name(value, number), key);
    if (i < 0 || i >= program->comms[comm].n)
        return say(text, STATUS_RANGE, "%s %s is outside 0..%d%s (`%s`)", what, fold_value_name(value, number),
                   program->comms[comm].n - 1, comm == 0 ? "" : " of the communicator", key);
    *rank = (int32_t)i;
    return STATUS_OK;
}

enum status program_check_peer(const struct program *program, int32_t comm, enum instr_op op, struct value value,
                               int32_t *peer, char text[PROGRAM_TEXT_BYTES])
{
    int32_t rank = 0;
    if (is_special(value, PROGRAM_PROC_NULL)) {
        *peer = -1;
        return STATUS_OK;
    }
    if (is_special(value, PROGRAM_WILDCARD) && takes_wildcards(op)) {
        *peer = INSTR_ANY_SOURCE;
        return STATUS_OK;
    }
    if (is_special(value, PROGRAM_WILDCARD))
        return op == INSTR_REMOTE_GET
                   ? say(text, STATUS_RANGE, "memory is that of one process, not of a wildcard (`from`)")
                   : say(text, STATUS_RANGE, "a message needs one receiver, not a wildcard (`to`)");
    enum status status = check_rank(program, comm, value, takes_from(op) ? "from" : "to", &rank, text);
    if (status == STATUS_OK)
        *peer = program_comm_process(program, comm, rank);
    return status;
}

enum status program_check_root(const struct program *program, int32_t comm, struct value value, int32_t *root,
                               char text[PROGRAM_TEXT_BYTES])
{
    return check_rank(program, comm, value, "root", root, text);
}

enum status program_check_bytes(struct value value, int64_t *bytes, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    int64_t i;
    if (!value_as_integer(value, &i))
        return say(text, STATUS_RANGE, "a size that is not an integer: %s bytes (`size`)",
                   fold_value_name(value, number));
    if (i < 0)
        return say(text, STATUS_RANGE, "a negative size: %s bytes (`size`)", fold_value_name(value, number));
    *bytes = i;
    return STATUS_OK;
}

enum status program_check_tag(enum instr_op op, struct value value, int32_t *tag, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    int64_t i;
    if (is_special(value, PROGRAM_WILDCARD) && takes_wildcards(op)) {
        *tag = INSTR_ANY_TAG;
        return STATUS_OK;
    }
    if (is_special(value, PROGRAM_WILDCARD))
        return say(text, STATUS_RANGE, "a message that is sent needs one tag, not a wildcard (`tag`)");
    if (!value_as_integer(value, &i))
        return say(text, STATUS_RANGE, "a tag that is not an integer: %s (`tag`)", fold_value_name(value, number));
    if (i < 0)
        return say(text, STATUS_RANGE, "a negative tag: %s (`tag`)", fold_value_name(value, number));
    if (i > INT32_MAX)
        return say(text, STATUS_RANGE, "a tag above %d: %s (`tag`)", INT32_MAX, fold_value_name(value, number));
    *tag = (int32_t)i;
    return STATUS_OK;
}

enum status program_check_count(struct value value, int64_t *count, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    int64_t i;
    if (!value_as_integer(value, &i))
        return say(text, STATUS_RANGE, "a number of iterations that is not an integer: %s (`iterations`)",
                   fold_value_name(value, number));
    *count = i > 0 ? i : 0;
    return STATUS_OK;
}

enum status program_check_first(struct value value, int64_t *first, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    if (!value_as_integer(value, first))
        return say(text, STATUS_RANGE, "a first value that is not an integer: %s (`from`)",
                   fold_value_name(value, number));
    return STATUS_OK;
}

enum status program_check_step(struct value value, int64_t *step, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    if (!value_as_integer(value, step) || *step == 0 || *step > INT32_MAX || *step < -INT32_MAX)
        return say(text, STATUS_RANGE, "a step that is no integer other than 0, of at most %d: %s (`step`)", INT32_MAX,
                   fold_value_name(value, number));
    return STATUS_OK;
}

enum status program_check_index(struct value value, int64_t *index, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES];
    int64_t i;
    if (!value_as_integer(value, &i))
        return say(text, STATUS_RANGE, "an index that is not an integer: %s (`request`)",
                   fold_value_name(value, number));
    if (i < 0)
        return say(text, STATUS_RANGE, "a negative index: %s (`request`)", fold_value_name(value, number));
    *index = i;
    return STATUS_OK;
}

static enum status check_time(double seconds, const char *what, char text[PROGRAM_TEXT_BYTES])
{
    char number[UNITS_TIME_BYTES];
    if (seconds >= 0)
        return STATUS_OK;
    return say(text, STATUS_RANGE, "a negative %s: %s", what, units_format_time(seconds, number));
}

enum status program_check_seconds(struct value value, double *seconds, char text[PROGRAM_TEXT_BYTES])
{
    *seconds = value_as_real(value);
    return check_time(*seconds, "time", text);
}

/* The name of a parameter of a distribution, its value and what it must be. */
static enum status check_positive(const char *what, double value, bool is_time, char text[PROGRAM_TEXT_BYTES])
{
    char number[VALUE_TEXT_BYTES], time[UNITS_TIME_BYTES];
    if (value > 0)
        return STATUS_OK;
    return say(text, STATUS_RANGE, "%s must be positive, not %s", what,
               is_time ? units_format_time(value, time) : value_format(value_real(value), number));
}

enum status program_check_serial(const struct serial_ref *serial, const double a[], char text[PROGRAM_TEXT_BYTES])
{
    char lo[UNITS_TIME_BYTES], hi[UNITS_TIME_BYTES];
    enum status status = STATUS_OK;
    switch (serial->kind) {
    case SERIAL_value:
        return check_time(a[0], "time", text);
    case SERIAL_normal:
        status = check_time(a[0], "mean of normal", text);
        return status == STATUS_OK ? check_time(a[1], "standard deviation of normal", text) : status;
    case SERIAL_lognormal:
        status = check_positive("the mean of lognormal", a[0], true, text);
        return status == STATUS_OK ? check_time(a[1], "standard deviation of lognormal", text) : status;
    case SERIAL_uniform:
        if (a[0] > a[1])
            return say(text, STATUS_RANGE, "the bounds of uniform are the wrong way round: %s, %s",
                       units_format_time(a[0], lo), units_format_time(a[1], hi));
        return check_time(a[0], "bound of uniform", text);
    case SERIAL_exponential:
        return check_positive("the mean of exponential", a[0], true, text);
    case SERIAL_gamma:
        status = check_positive("the shape of gamma", a[0], false, text);
        return status == STATUS_OK ? check_positive("the scale of gamma", a[1], true, text) : status;
    case SERIAL_measured:
        return STATUS_OK;
    }
    return status;
}
