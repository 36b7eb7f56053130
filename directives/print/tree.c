#include "directives/tree.h"

#include <stdio.h>

static const char *const operators[] = {
#define X(name, text, strength) text,
    BINARY_LIST(X)
#undef X
};
static const char *const functions[] = {
#define X(name, least, most) #name,
    FUNCTION_LIST(X) COMM_FUNCTION_LIST(X)
#undef X
};
static const char *const expr_keys[] = {
#define X(name) #name,
    EXPR_KEY_LIST(X)
#undef X
};
static const char *const bind_keys[] = {
#define X(name) #name,
    BIND_KEY_LIST(X)
#undef X
};
static const char *const serial_kinds[] = {
#define X(name, least, most) #name,
    SERIAL_LIST(X)
#undef X
};
static const char *const variables[] = {
#define X(kind, what) [VARIABLE_##kind] = VARIABLE_##kind == VARIABLE_number ? "variable" : what,
    VARIABLE_LIST(X)
#undef X
};
static const char *const origins[] = {
    [ORIGIN_OPTION] = "-D", [ORIGIN_PARAM] = "Param", [ORIGIN_HOST] = "the source"};

static void print_expr(const struct expr *expr, FILE *out);

static void print_list(int n, struct expr *const list[], FILE *out)
{
    for (int i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_expr(list[i], out);
    }
}

/* With every bracket that precedence implies, so that a golden file shows how an expression was read. A name carries
 * what it stands for: i@loop, n@argument, x@variable; parameters and the words of the language are bare. */
static void print_name(const struct expr *expr, FILE *out)
{
    fputs(expr->name, out);
    if (expr->symbol == SYMBOL_LOOP)
        fputs("@loop", out);
    else if (expr->symbol == SYMBOL_ARGUMENT)
        fputs("@argument", out);
    else if (expr->symbol == SYMBOL_VARIABLE)
        fputs("@variable", out);
}

static void print_expr(const struct expr *expr, FILE *out)
{
    char text[VALUE_TEXT_BYTES];
    switch (expr->kind) {
    case EXPR_VALUE:
        fprintf(out, "%s%s", value_format(expr->value, text),
                expr->value.kind == VALUE_REAL && value_as_integer(expr->value, &(int64_t){0}) ? ".0" : "");
        break;
    case EXPR_NAME: print_name(expr, out); break;
    case EXPR_NEGATE:
    case EXPR_NOT:
        fputs(expr->kind == EXPR_NOT ? "!" : "-", out);
        print_expr(expr->a[0], out);
        break;
    case EXPR_BINARY:
        fputc('(', out);
        print_expr(expr->a[0], out);
        fprintf(out, " %s ", operators[expr->op]);
        print_expr(expr->a[1], out);
        fputc(')', out);
        break;
    case EXPR_CONDITION:
        fputc('(', out);
        print_expr(expr->a[0], out);
        fputs(" ? ", out);
        print_expr(expr->a[1], out);
        fputs(" : ", out);
        print_expr(expr->a[2], out);
        fputc(')', out);
        break;
    case EXPR_ELEMENT:
        fprintf(out, "%s[", expr->name);
        print_expr(expr->a[0], out);
        fputc(']', out);
        break;
    case EXPR_CALL:
    case EXPR_COMM:
        fprintf(out, "%s(", functions[expr->kind == EXPR_COMM ? N_FUNCTIONS + (int)expr->comm_function
                                                              : (int)expr->function]);
        print_list(expr->n, expr->a, out);
        fputc(')', out);
        break;
    }
}

static void print_key(const char *key, const struct expr *value, FILE *out)
{
    if (!value)
        return;
    fprintf(out, " %s = ", key);
    print_expr(value, out);
}

static void print_requests(const struct tree *tree, int n, const struct request requests[], FILE *out)
{
    if (n == 0)
        return;
    fputs(n > 1 ? " request = (" : " request = ", out);
    for (int i = 0; i < n; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", tree->requests[requests[i].name].text);
        if (requests[i].index) {
            fputc('[', out);
            print_expr(requests[i].index, out);
            fputc(']', out);
        }
    }
    fputs(n > 1 ? ")" : "", out);
}

static void print_message(const struct tree *tree, const struct message *message, FILE *out)
{
    fprintf(out, "message %s", message_op_name(message->op));
    for (int i = 0; i < N_EXPR_KEYS; i++)
        print_key(expr_keys[i], message->key[i], out);
    for (int i = 0; i < N_BIND_KEYS; i++)
        if (message->bind[i] >= 0)
            fprintf(out, " %s = %s", bind_keys[i], tree->variables[message->bind[i]].name);
    print_requests(tree, message->n_requests, message->requests, out);
    if (message->window >= 0)
        fprintf(out, " window = %s", tree->windows[message->window]);
}

static void print_collective(const struct tree *tree, const struct collective *collective, FILE *out)
{
    fprintf(out, "collective %s", collective_op_name(collective->op));
    for (int i = 0; i < N_EXPR_KEYS; i++)
        print_key(expr_keys[i], collective->key[i], out);
    if (collective->algorithm)
        fprintf(out, " algorithm = %s", collective->algorithm);
    print_requests(tree, collective->n_requests, collective->requests, out);
}

static void print_serial(const struct serial *row, FILE *out)
{
    if (row->machine)
        fprintf(out, " on %s", row->machine);
    fputs(" time = ", out);
    if (row->kind != SERIAL_value)
        fprintf(out, "%s(", serial_kinds[row->kind]);
    if (row->measured)
        fprintf(out, "%s%s", row->measured, row->n > 0 ? ", " : "");
    print_list(row->n, row->a, out);
    if (row->kind != SERIAL_value)
        fputc(')', out);
    if (row->unit > 0)
        fprintf(out, " (unit %g s)", row->unit);
}

static void indent(int level, FILE *out)
{
    fprintf(out, "%*s", 2 * level, "");
}

static void print_block(const struct tree *tree, const struct block *block, int level, FILE *out);

static void print_loop(const struct tree *tree, const struct stmt *stmt, int level, FILE *out)
{
    fputs("loop", out);
    print_key("iterations", stmt->loop.iterations, out);
    if (stmt->loop.variable)
        fprintf(out, " var = %s", stmt->loop.variable);
    print_key("from", stmt->loop.from, out);
    print_key("step", stmt->loop.step, out);
    fputc('\n', out);
    print_block(tree, &stmt->loop.body, level + 1, out);
}

static void print_runon(const struct tree *tree, const struct stmt *stmt, int level, FILE *out)
{
    fputs("runon\n", out);
    for (int i = 0; i < stmt->runon.n + stmt->runon.has_else; i++) {
        indent(level + 1, out);
        if (i < stmt->runon.n) {
            fprintf(out, "c%d = ", i + 1);
            print_expr(stmt->runon.tests[i], out);
        } else {
            fputs("else", out);
        }
        fputc('\n', out);
        print_block(tree, &stmt->runon.blocks[i], level + 2, out);
    }
}

static void print_set(const struct tree *tree, const struct stmt *stmt, FILE *out)
{
    fprintf(out, "set %s", tree->variables[stmt->set.variable].name);
    if (stmt->set.element) {
        fputc('[', out);
        print_expr(stmt->set.element, out);
        fputc(']', out);
    }
    fputs(" = ", out);
    print_expr(stmt->set.value, out);
}

/* The parent comes last, whatever is made. */
static void print_make(const struct tree *tree, const struct making *make, FILE *out)
{
    const bool split = make->maker == MAKER_comm_split;
    fprintf(out, "set %s = %s(", tree->variables[make->variable].name, maker_name(make->maker));
    for (int i = 0; i < 2; i++) {
        if (make->lists[i].n == 0)
            continue;
        fputs(i > 0 ? ", " : "", out);
        fputs(split ? "" : "(", out);
        print_list(make->lists[i].n, make->lists[i].items, out);
        fputs(split ? "" : ")", out);
    }
    if (make->parent) {
        fputs(", ", out);
        print_expr(make->parent, out);
    }
    fputc(')', out);
}

/* One statement: its number, the line it stands in, what it is. */
static void print_stmt(const struct tree *tree, const struct stmt *stmt, int level, FILE *out)
{
    indent(level, out);
    fprintf(out, "%d:%d: ", stmt->number, stmt->at.line);
    switch (stmt->kind) {
    case STMT_LOOP: print_loop(tree, stmt, level, out); return;
    case STMT_WHILE:
        fputs("loop", out);
        print_key("while", stmt->while_.test, out);
        fputc('\n', out);
        print_block(tree, &stmt->while_.body, level + 1, out);
        return;
    case STMT_RUNON: print_runon(tree, stmt, level, out); return;
    case STMT_REGION:
        fprintf(out, "region %s\n", tree->regions[stmt->region.index]);
        print_block(tree, &stmt->region.body, level + 1, out);
        return;
    case STMT_FAIL: fprintf(out, "fail \"%s\"", stmt->fail.text); break;
    case STMT_MESSAGE: print_message(tree, &stmt->message, out); break;
    case STMT_COLLECTIVE: print_collective(tree, &stmt->collective, out); break;
    case STMT_SERIAL:
        fputs("serial", out);
        for (int i = 0; i < stmt->serial.n; i++) {
            fputs(i > 0 ? " |" : "", out);
            print_serial(&stmt->serial.rows[i], out);
        }
        break;
    case STMT_SET: print_set(tree, stmt, out); break;
    case STMT_MAKE: print_make(tree, &stmt->make, out); break;
    case STMT_CALL:
        fprintf(out, "call %s(", stmt->call.procedure->name);
        print_list(stmt->call.n, stmt->call.arguments, out);
        fputc(')', out);
        break;
    }
    fputc('\n', out);
}

static void print_block(const struct tree *tree, const struct block *block, int level, FILE *out)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next)
        print_stmt(tree, stmt, level, out);
}

static void print_parameter(const struct parameter *parameter, FILE *out)
{
    fprintf(out, "param %s = ", parameter->name);
    print_expr(parameter->value, out);
    fprintf(out, " (%s", origins[parameter->origin]);
    if (parameter->at.line > 0)
        fprintf(out, ", line %d", parameter->at.line);
    fputs(parameter->used ? ")\n" : ", not used)\n", out);
}

void tree_print(const struct tree *tree, FILE *out)
{
    for (size_t i = 0; i < tree->n_parameters; i++)
        print_parameter(&tree->parameters[i], out);
    for (size_t i = 0; i < tree->n_variables; i++) {
        const struct variable *variable = &tree->variables[i];
        if (variable->is_kept)
            continue;
        fprintf(out, "%s %s", variables[variable->kind], variable->name);
        fprintf(out, variable->parameter >= 0 ? " from param %s\n" : "\n",
                variable->parameter >= 0 ? tree->parameters[variable->parameter].name : "");
    }
    for (const struct procedure *procedure = tree->procedures; procedure; procedure = procedure->next) {
        fprintf(out, "procedure %s(", procedure->name);
        for (int i = 0; i < procedure->n; i++)
            fprintf(out, "%s%s", i > 0 ? ", " : "", procedure->arguments[i]);
        fputs(")\n", out);
        print_block(tree, &procedure->body, 1, out);
    }
    print_block(tree, &tree->program, 0, out);
}
