#include "directives/parse/constant_impl.h"

#include <string.h>

enum { CALLS_DEEPEST = 8 }; /* functions that pass their arguments on */

static bool is_readable(struct parser *p, const struct expr *expr, int depth);

/* Whether one of the declarations of a host constant can be read. It is looked at once: its own name within is not
 * readable. */
static bool has_readable(struct parser *p, const struct name *of, int depth)
{
    struct name *name = host_constant_name(p, of->text);
    if (name->readable == READABLE_UNKNOWN) {
        name->readable = READABLE_NO;
        bool found = false;
        for (struct host_constant *c = host_constants_of(p, name); c; c = c->next) {
            bool passed = c->variable && (c->variable->argument || c->variable->member);
            c->readable = c->value && c->change == HOST_UNCHANGED && !passed &&
                          is_readable(p, c->value, depth + 1) && !host_constant_changed_elsewhere(p, c);
            found = found || c->readable;
        }
        name->readable = found ? READABLE_YES : READABLE_NO;
    }
    return name->readable == READABLE_YES;
}

/* The same of a name that stands in a value. */
static bool is_known(struct parser *p, struct name *name, struct place at, int depth)
{
    struct unit *here = p->unit;
    host_module_enter(p, &name, &at);
    bool known = name->definition >= 0 || name->param >= 0 ||
                 (depth < PARAMETERS_DEEPEST && has_readable(p, name, depth));
    parse_enter(p, here);
    return known;
}

/* Whether a host constant's value refers to nothing but numprocs, nodes, ppn and other parameters that can be read. */
static bool is_readable(struct parser *p, const struct expr *expr, int depth)
{
    for (int i = 0; i < expr->n; i++)
        if (!is_readable(p, expr->a[i], depth))
            return false;
    if (expr->kind == EXPR_COMM)
        return false;
    if (expr->kind != EXPR_NAME)
        return true;
    enum symbol_kind symbol;
    if (parse_reserved_symbol(expr->name, &symbol))
        return symbol == SYMBOL_NUMPROCS || symbol == SYMBOL_NODES || symbol == SYMBOL_PPN;
    struct name *name = names_get(&p->names, expr->name, strlen(expr->name));
    if (name->definition >= 0 || name->param >= 0)
        return true;
    return name->variable < 0 && is_known(p, name, expr->at, depth);
}

static bool find_obstacle(struct parser *p, struct name *name, struct place at, struct obstacle *obstacle, int depth);

/* Does the call at token i pass on, as argument k, a constant of this name? */
static bool passes_on(struct parser *p, struct name *name, size_t i, size_t k, int depth)
{
    const struct host_functions *f = host_constant_functions(p);
    struct host_range argument = {0, 0};
    struct obstacle obstacle;
    size_t at = i + 2, close = f->match[i + 1];
    bool found = close < f->text->n;
    for (size_t n = 0; found && n <= k; n++)
        found = host_argument_next(f, &at, close, &argument);
    return found && argument.end == argument.first + 1 && host_token_is(f->text, argument.first, name->text) &&
           !find_obstacle(p, name, host_constant_place(p, argument.first), &obstacle, depth + 1);
}

/* Does every call of the function pass it on? */
static bool is_passed_on(struct parser *p, struct name *name, const struct host_function *function, size_t k, int depth)
{
    const struct host_functions *f = host_constant_functions(p);
    size_t calls = 0;
    if (host_constant_called_elsewhere(p, function))
        return false;
    p->followed += f->text->n;
    if (p->followed > FOLLOWED_MOST)
        return false;
    for (size_t i = 0; i + 1 < f->text->n; i++) {
        const struct host_function *list;
        if (f->text->tokens[i].kind != HOST_NAME || !host_tokens_same(f->text, i, function->name))
            continue;
        size_t n = host_functions_named(f, i, &list), declared = 0;
        while (declared < n && list[declared].name != i)
            declared++;
        if (declared < n)
            continue;
        if (!host_token_is(f->text, i + 1, "(") || !passes_on(p, name, i, k, depth)) /* or its address is taken */
            return false;
        calls++;
    }
    return calls > 0;
}

static bool is_known_argument(struct parser *p, struct name *name, const struct host_variable *argument, int depth)
{
    const struct host_functions *f = host_constant_functions(p);
    if (!argument || !argument->argument || argument->change != HOST_UNCHANGED || depth > CALLS_DEEPEST)
        return false;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->list[i].n; k++)
            if (f->parameters[f->list[i].first + k].name == argument->token)
                return is_passed_on(p, name, &f->list[i], k, depth);
    return false;
}

static bool find_obstacle(struct parser *p, struct name *name, struct place at, struct obstacle *obstacle, int depth)
{
    const struct host_constant *list = host_constants_of(p, name);
    const struct host_variable *seen = host_constant_seen(p, name->text, at);
    bool fixed = false, found = false;
    *obstacle = (struct obstacle){NULL, NULL};
    has_readable(p, name, 0);
    for (const struct host_constant *c = list; c; c = c->next)
        fixed = fixed || !c->variable;
    for (const struct host_constant *c = list; c && !obstacle->constant; c = c->next) {
        if (fixed ? c->variable != NULL : seen && c->variable != seen)
            continue;
        found = true;
        if (!c->readable)
            obstacle->constant = c;
    }
    if (!found && list && !is_known_argument(p, name, seen, depth))
        obstacle->variable = seen;
    return obstacle->constant || obstacle->variable;
}

bool constant_obstacle(struct parser *p, struct name *name, struct place at, struct obstacle *obstacle)
{
    return find_obstacle(p, name, at, obstacle, 0);
}

/* The first name in a value that cannot be read; NULL: none. */
static const struct expr *unknown_name(struct parser *p, const struct expr *expr)
{
    for (int i = 0; i < expr->n; i++) {
        const struct expr *found = unknown_name(p, expr->a[i]);
        if (found)
            return found;
    }
    return expr->kind == EXPR_NAME && !is_readable(p, expr, 0) ? expr : NULL;
}

void constant_explain(struct parser *p, const struct obstacle *obstacle)
{
    const struct host_constant *c = obstacle->constant;
    const struct host_variable *variable = c ? c->variable : obstacle->variable;
    struct place at = c ? c->at : host_constant_place(p, variable->token);
    const char *word = c ? c->name : variable->text;
    int n = c ? (int)strlen(c->name) : (int)variable->length;
    enum host_change change = c ? c->change : variable->change;
    if (variable && variable->argument)
        parse_note(p, at, "`%.*s` is an argument here, and what is passed is not known", n, word);
    else if (variable && variable->member)
        parse_note(p, at, "`%.*s` is a member here", n, word);
    else if (change != HOST_UNCHANGED)
        parse_note(p, at, "`%.*s` is declared here, but it is no constant", n, word);
    else if (!c)
        parse_note(p, at, "`%.*s` is this variable here, which has no value that can be read", n, word);
    else if (c->macro)
        parse_note(p, at, "what the macro `%s` stands for is no expression that can be read", word);
    else
        parse_note(p, at, "what `%s` is here cannot be read without a compiler", word);
    const struct expr *unknown = c && c->value && change == HOST_UNCHANGED ? unknown_name(p, c->value) : NULL;
    if (unknown)
        host_module_explain(p, unknown->name, unknown->at);
    if (change != HOST_UNCHANGED)
        parse_note(p, c ? c->changed_at : host_constant_place(p, variable->changed), "%s", host_change_text(change));
}

struct host_constant *constant_choose(struct parser *p, struct name *name, const struct host_variable *own,
                                      const char *asked)
{
    struct name *kept = host_constant_name(p, name->text);
    struct host_constant *chosen = NULL;
    if (!has_readable(p, name, 0))
        return NULL;
    for (struct host_constant *c = host_constants_of(p, name); c; c = c->next) {
        if (!c->readable || (own && c->variable && c->variable != own))
            continue;
        if (!chosen) {
            chosen = c;
        } else if (!host_constants_equal(chosen->value, c->value)) {
            if (!asked)
                return NULL;
            if (kept->values_reported)
                break;
            kept->values_reported = true;
            parse_name_error(
                p, c->at,
                "`%s` has two different values in this source: say which with -D %s=VALUE or a PEVPM Param line",
                name->text, asked);
            parse_note(p, chosen->at, "the first is here");
            break;
        }
    }
    return chosen;
}

