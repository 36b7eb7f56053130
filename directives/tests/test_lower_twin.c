/* Random programs, walked plainly statement by statement and run as lowered, must do the same. */
#include "directives/tests/lowered.h"

#include "common/tests/share.h"
#include "directives/fold.h"

#include <stdint.h>
#include <stdio.h>

enum { MOST_EVENTS = 3000, LOOP_NAMES = 6 };

/* What a process did: times computed, and how it ended. */
struct trace {
    int n;
    double seconds[MOST_EVENTS];
    int statement[MOST_EVENTS];
    char end[2 * PROGRAM_TEXT_BYTES];
    int end_statement;
};

static bool add_event(struct trace *trace, double seconds, int statement)
{
    if (!(seconds > 0))
        return true;
    if (trace->n == MOST_EVENTS)
        return false;
    trace->seconds[trace->n] = seconds;
    trace->statement[trace->n++] = statement;
    return true;
}

static void end_with(struct trace *trace, const char *text, int statement)
{
    snprintf(trace->end, sizeof trace->end, "%s", text);
    trace->end_statement = statement;
}

/* ---- the plain walk: every variable is always known ---- */

struct walker {
    struct scope scope;
    struct trace *trace;
};

/* False when the program has ended. */
static bool walk_block(struct walker *walker, const struct block *block);

static bool walk_expr(struct walker *walker, const struct stmt *stmt, const struct expr *expr, struct value *out)
{
    struct folded folded;
    scope_fold(&walker->scope, expr, &folded);
    assert_int_not_equal(folded.kind, FOLD_UNKNOWN);
    if (folded.kind == FOLD_PROBLEM)
        end_with(walker->trace, folded.problem, stmt->number);
    *out = folded.value;
    return folded.kind == FOLD_KNOWN;
}

static bool walk_loop(struct walker *walker, const struct stmt *stmt)
{
    char text[PROGRAM_TEXT_BYTES];
    struct value value;
    int64_t count, first = 0;
    if (!walk_expr(walker, stmt, stmt->loop.iterations, &value))
        return false;
    enum status status = program_check_count(value, &count, text);
    if (status == STATUS_OK && count > 0 && stmt->loop.from) {
        if (!walk_expr(walker, stmt, stmt->loop.from, &value))
            return false;
        status = program_check_first(value, &first, text);
    }
    if (status != STATUS_OK) {
        end_with(walker->trace, text, stmt->number);
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        struct folded known = {.kind = FOLD_KNOWN, .value = value_int(first + i)};
        scope_bind(&walker->scope, stmt, 0, &known, -1);
        bool goes_on = walk_block(walker, &stmt->loop.body);
        walker->scope.n_bindings--;
        if (!goes_on)
            return false;
    }
    return true;
}

static bool walk_runon(struct walker *walker, const struct stmt *stmt)
{
    struct value value;
    for (int i = 0; i < stmt->runon.n; i++) {
        if (!walk_expr(walker, stmt, stmt->runon.tests[i], &value))
            return false;
        if (value_is_true(value))
            return walk_block(walker, &stmt->runon.blocks[i]);
    }
    return !stmt->runon.has_else || walk_block(walker, &stmt->runon.blocks[stmt->runon.n]);
}

static bool walk_while(struct walker *walker, const struct stmt *stmt)
{
    struct value value;
    for (;;) {
        if (!walk_expr(walker, stmt, stmt->while_.test, &value))
            return false;
        if (!value_is_true(value))
            return true;
        if (!walk_block(walker, &stmt->while_.body))
            return false;
    }
}

static bool walk_call(struct walker *walker, const struct stmt *stmt)
{
    size_t n = walker->scope.n_bindings;
    bool goes_on = true;
    for (int i = 0; i < stmt->call.n && goes_on; i++) {
        struct folded known = {.kind = FOLD_KNOWN};
        goes_on = walk_expr(walker, stmt, stmt->call.arguments[i], &known.value);
        scope_bind(&walker->scope, NULL, i, &known, -1);
    }
    for (size_t i = n; i < walker->scope.n_bindings; i++)
        walker->scope.bindings[i].declaration = stmt->call.procedure;
    goes_on = goes_on && walk_block(walker, &stmt->call.procedure->body);
    walker->scope.n_bindings = n;
    return goes_on;
}

static bool walk_serial(struct walker *walker, const struct stmt *stmt)
{
    char text[PROGRAM_TEXT_BYTES];
    struct value value;
    double seconds;
    if (!walk_expr(walker, stmt, stmt->serial.rows[0].a[0], &value))
        return false;
    if (program_check_seconds(value, &seconds, text) != STATUS_OK) {
        end_with(walker->trace, text, stmt->number);
        return false;
    }
    return add_event(walker->trace, seconds, stmt->number);
}

static bool walk_block(struct walker *walker, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        bool goes_on = false;
        switch (stmt->kind) {
        case STMT_LOOP: goes_on = walk_loop(walker, stmt); break;
        case STMT_WHILE: goes_on = walk_while(walker, stmt); break;
        case STMT_RUNON: goes_on = walk_runon(walker, stmt); break;
        case STMT_CALL: goes_on = walk_call(walker, stmt); break;
        case STMT_SERIAL: goes_on = walk_serial(walker, stmt); break;
        case STMT_SET: {
            struct known *known = &walker->scope.variables[stmt->set.variable];
            goes_on = walk_expr(walker, stmt, stmt->set.value, &known->value);
            break;
        }
        default: fail_msg("a statement that is not generated"); break;
        }
        if (!goes_on)
            return false;
    }
    return true;
}

static void walk(const struct lowered *l, int process, const struct value parameters[], struct trace *trace)
{
    size_t n = l->tree->n_variables;
    struct walker walker = {.trace = trace};
    struct scope *scope = &walker.scope;
    const char *unset[16];
    char texts[16][32];
    bool touched[16];
    int32_t slot_of[16];
    struct known variables[16];
    assert_in_range(n, 1, 16);
    for (size_t v = 0; v < n; v++) {
        int parameter = l->tree->variables[v].parameter;
        snprintf(texts[v], sizeof texts[v], "`%s` is used before it is Set", l->tree->variables[v].name);
        unset[v] = texts[v];
        variables[v] = (struct known){.is_known = true};
        if (parameter >= 0)
            variables[v].value = parameters[parameter];
    }
    *scope = (struct scope){.process = process, .node = process, .numprocs = l->program->numprocs,
                            .nodes = l->program->nodes, .ppn = 1, .parameters = parameters, .variables = variables,
                            .slot_of = slot_of, .touched = touched, .unset = unset};
    walk_block(&walker, &l->tree->program);
    scope_free(scope);
}

/* ---- the lowered program ---- */

struct runner {
    const struct lowered *l;
    int process;
    struct value slots[64];
    struct trace *trace;
};

static bool run_expr(struct runner *runner, const struct instr *instr, int64_t expr, struct value *out)
{
    const struct program *program = runner->l->program;
    const char *problem = program_eval(program, (int32_t)expr, runner->process, runner->slots, out);
    if (problem)
        end_with(runner->trace, problem, program->sites[instr->site].statement);
    return !problem;
}

/* Enters a loop; *count is how often it runs. */
static bool run_loop(struct runner *runner, const struct instr *instr, int64_t *count)
{
    char text[PROGRAM_TEXT_BYTES];
    struct value value;
    int64_t first = 0;
    enum status status = STATUS_OK;
    *count = instr->count;
    if (instr->dynamic & DYNAMIC_COUNT) {
        if (!run_expr(runner, instr, instr->count, &value))
            return false;
        status = program_check_count(value, count, text);
    }
    if (status == STATUS_OK && *count > 0 && instr->from >= 0) {
        if (!run_expr(runner, instr, instr->from, &value))
            return false;
        status = program_check_first(value, &first, text);
    }
    if (status != STATUS_OK) {
        end_with(runner->trace, text, runner->l->program->sites[instr->site].statement);
        return false;
    }
    runner->slots[instr->slot] = value_int(*count);
    if (instr->has_variable)
        runner->slots[instr->slot + 1] = value_int(first);
    return true;
}

static bool run_serial(struct runner *runner, const struct instr *instr)
{
    char text[PROGRAM_TEXT_BYTES];
    struct value value;
    double seconds = instr->seconds;
    int statement = runner->l->program->sites[instr->site].statement;
    if (instr->dynamic & DYNAMIC_SECONDS) {
        if (!run_expr(runner, instr, instr->index, &value))
            return false;
        if (program_check_seconds(value, &seconds, text) != STATUS_OK) {
            end_with(runner->trace, text, statement);
            return false;
        }
    }
    return add_event(runner->trace, seconds, statement);
}

static void run(const struct lowered *l, int process, struct trace *trace)
{
    struct runner runner = {.l = l, .process = process, .trace = trace};
    const struct role *role = role_of(l, process);
    struct value value;
    int64_t count;
    assert_in_range(role->n_slots, 0, 64);
    if (role->n_slots > 0)
        memcpy(runner.slots, role->initial, (size_t)role->n_slots * sizeof *role->initial);
    int32_t at = 0;
    for (;;) {
        assert_in_range(at, 0, role->n_code - 1);
        const struct instr *instr = &role->code[at++];
        switch ((enum instr_op)instr->op) {
        case INSTR_LOOP:
            if (!run_loop(&runner, instr, &count))
                return;
            if (count <= 0)
                at = instr->target;
            break;
        case INSTR_NEXT:
            if (program_loop_again(instr, runner.slots))
                at = instr->target;
            break;
        case INSTR_JUMP:
            at = instr->target;
            break;
        case INSTR_BRANCH:
            if (!run_expr(&runner, instr, instr->count, &value))
                return;
            if (!value_is_true(value))
                at = instr->target;
            break;
        case INSTR_SET:
            assert_in_range(instr->slot, 0, role->n_slots - 1);
            if (!run_expr(&runner, instr, instr->count, &runner.slots[instr->slot]))
                return;
            break;
        case INSTR_SERIAL:
            if (!run_serial(&runner, instr))
                return;
            break;
        case INSTR_FAIL:
            end_with(trace, l->program->failures[instr->index].text, l->program->sites[instr->site].statement);
            return;
        default:
            assert_int_equal(instr->op, INSTR_END);
            return;
        }
    }
}

/* ---- random programs ---- */

struct writer {
    FILE *out;
    uint64_t seed;
    int loops;              /* variables i0 .. in sight */
    int whiles;             /* variables w0 .. used up */
    const char *arguments;  /* "pq": arguments in sight; "" outside procedures */
    int procedures;         /* that may be called: p0 .. */
};

static int draw(struct writer *w, int n)
{
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((w->seed >> 33) % (uint64_t)n);
}

static void write_expr(struct writer *w, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "+", "-", "*", "%", "/", "==", "<", "&&", "||", ">="};
    int kind = draw(w, depth > 0 ? 13 : 7);
    if (kind == 0 && w->loops > 0)
        fprintf(w->out, "i%d", draw(w, w->loops));
    else if (kind == 1 && *w->arguments)
        fprintf(w->out, "%c", w->arguments[draw(w, 2)]);
    else if (kind <= 2)
        fprintf(w->out, "%c", "abc"[draw(w, 3)]);
    else if (kind <= 4)
        fprintf(w->out, "%s", draw(w, 3) ? "procnum" : "numprocs");
    else if (kind <= 6)
        fprintf(w->out, "%d", draw(w, 5));
    else if (kind == 7) {
        fprintf(w->out, "(");
        write_expr(w, depth - 1);
        fprintf(w->out, " ? ");
        write_expr(w, depth - 1);
        fprintf(w->out, " : ");
        write_expr(w, depth - 1);
        fprintf(w->out, ")");
    } else {
        fprintf(w->out, "(");
        write_expr(w, depth - 1);
        fprintf(w->out, " %s ", operators[draw(w, 13)]);
        write_expr(w, depth - 1);
        fprintf(w->out, ")");
    }
}

static void write_block(struct writer *w, int depth);

static void write_loop(struct writer *w, int depth)
{
    bool has_variable = w->loops < LOOP_NAMES && draw(w, 3) > 0;
    fprintf(w->out, "Loop iterations = ");
    if (draw(w, 2)) {
        fprintf(w->out, "%d", draw(w, 4));
    } else {
        write_expr(w, 1);
        fprintf(w->out, "%%4");
    }
    if (has_variable) {
        fprintf(w->out, " & var = i%d", w->loops);
        if (draw(w, 2)) {
            fprintf(w->out, " & from = ");
            write_expr(w, 1);
        }
    }
    fprintf(w->out, "\n");
    w->loops += has_variable;
    write_block(w, depth - 1);
    w->loops -= has_variable;
}

static void write_while(struct writer *w, int depth)
{
    int n = w->whiles++;
    fprintf(w->out, "Set w%d = ", n);
    write_expr(w, 1);
    fprintf(w->out, "%%4\nLoop while = w%d > 0 && (", n);
    write_expr(w, 1);
    fprintf(w->out, ") < 7\n{\nSet w%d = w%d - 1\nRunon c1 = 1\n", n, n);
    write_block(w, depth - 1);
    fprintf(w->out, "}\n");
}

static void write_runon(struct writer *w, int depth)
{
    int n = 1 + draw(w, 3);
    bool has_else = draw(w, 2);
    fprintf(w->out, "Runon");
    for (int i = 0; i < n; i++) {
        fprintf(w->out, "%s c%d = ", i ? " &" : "", i + 1);
        write_expr(w, 2);
    }
    fprintf(w->out, "%s\n", has_else ? " & else" : "");
    for (int i = 0; i < n + has_else; i++)
        write_block(w, depth - 1);
}

static void write_stmt(struct writer *w, int depth)
{
    int kind = draw(w, depth > 0 ? 10 : 5);
    if (kind < 2) {
        fprintf(w->out, "Set %c = ", "abc"[draw(w, 3)]);
        write_expr(w, 2);
        fprintf(w->out, "\n");
    } else if (kind < 4 || (kind == 4 && w->procedures == 0)) {
        fprintf(w->out, "Serial time = %s", draw(w, 8) ? "abs(" : "(");
        write_expr(w, 3);
        fprintf(w->out, ")\n");
    } else if (kind == 4) {
        fprintf(w->out, "Call p%d(", draw(w, w->procedures));
        write_expr(w, 2);
        fprintf(w->out, ", ");
        write_expr(w, 2);
        fprintf(w->out, ")\n");
    } else if (kind < 7) {
        write_loop(w, depth);
    } else if (kind == 7 && w->whiles < 8) {
        write_while(w, depth);
    } else {
        write_runon(w, depth);
    }
}

static void write_block(struct writer *w, int depth)
{
    fprintf(w->out, "{\n");
    for (int n = draw(w, 4); n > 0; n--)
        write_stmt(w, depth);
    fprintf(w->out, "}\n");
}

static char *write_program(uint64_t seed)
{
    char *text = NULL;
    size_t length = 0;
    struct writer w = {.out = open_memstream(&text, &length), .seed = seed, .arguments = "pq"};
    assert_non_null(w.out);
    fprintf(w.out, "Param a = 3\nRunon c1 = 0\n{\nSet a = 1\nSet b = 1\nSet c = 1\n}\n");
    for (; w.procedures < 2; w.procedures++) {
        fprintf(w.out, "Procedure p%d(p, q)\n", w.procedures);
        write_block(&w, 2);
    }
    w.arguments = "";
    fprintf(w.out, "Set c = procnum\n");
    if (draw(&w, 4))
        fprintf(w.out, "Set b = 2\n");
    for (int n = 6; n > 0; n--)
        write_stmt(&w, 3);
    fclose(w.out);
    return text;
}

static void lowered_programs_do_what_they_say(void **state)
{
    (void)state;
    static struct trace plain, lowered;
    const struct value parameters[] = {value_int(3)};
    int ends = 0, events = 0, branches = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        if (!share_takes((int)seed))
            continue;
        char *text = write_program(seed * 2385);
        struct lowered l;
        lower(&l, text, 3);
        for (int process = 0; process < 3; process++) {
            plain = (struct trace){.end_statement = -1};
            lowered = (struct trace){.end_statement = -1};
            walk(&l, process, parameters, &plain);
            run(&l, process, &lowered);
            if (plain.n != lowered.n || strcmp(plain.end, lowered.end) != 0)
                print_error("%s-- process %d: %d %s, lowered %d %s\n", text, process, plain.n, plain.end, lowered.n,
                            lowered.end);
            assert_int_equal(plain.n, lowered.n);
            assert_string_equal(plain.end, lowered.end);
            assert_int_equal(plain.end_statement, lowered.end_statement);
            assert_memory_equal(plain.seconds, lowered.seconds, (size_t)plain.n * sizeof *plain.seconds);
            assert_memory_equal(plain.statement, lowered.statement, (size_t)plain.n * sizeof *plain.statement);
            ends += plain.end_statement >= 0;
            events += plain.n;
            branches += count_of(&l, process, INSTR_BRANCH);
        }
        release(&l);
        free(text);
    }
    /* the test has seen programs that end well and badly, and not only constants */
    assert_in_range(ends, share_least(900), 8000);
    assert_true(events > share_least(20000));
    assert_true(branches > share_least(5000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowered_programs_do_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
