#include "directives/honest/host_value_impl.h"

#include "common/alloc.h"
#include "host/type.h"
#include "host/type_size.h"
#include "directives/program.h"
#include "host/facts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    STEPS_MOST = 4000, /* operands looked at for one value: names that refer to names may multiply */
    DEPTH_MOST = 60,   /* parentheses, and names that refer to names */
};

static const struct value unknown = {VALUE_NONE, {0}};

/* An expression as a list of tokens, its macros put in. */
struct evaluation {
    const struct host_names *names;
    const struct host_text *text;
    const struct host_process *process;
    const struct host_binding *binding;
    size_t *stream, at, end, capacity; /* tokens of the text */
    int depth, *steps;
    bool broken;       /* it is no expression that we can read */
};

/* Macros that are being put in: none is put into itself (C 6.10.3.4). */
struct active {
    const struct host_name *name;
    const struct active *outer;
    int depth;
};

static struct value read_condition(struct evaluation *e);
static struct value read_unary(struct evaluation *e);

/* The token to be read; the text's n at the end. */
static size_t token_here(const struct evaluation *e)
{
    return e->at < e->end ? e->stream[e->at] : e->text->n;
}

static bool here(const struct evaluation *e, const char *word)
{
    return host_token_is(e->text, token_here(e), word);
}

static bool accept(struct evaluation *e, const char *word)
{
    bool found = here(e, word);
    e->at += found;
    return found;
}

static struct value give_up(struct evaluation *e)
{
    e->broken = true;
    e->at = e->end;
    return unknown;
}

/* Behind an opening bracket: to behind the one that closes it. */
static void skip_brackets(struct evaluation *e)
{
    for (int depth = 1; e->at < e->end && depth > 0; e->at++)
        depth += (here(e, "(") || here(e, "[") || here(e, "{")) - (here(e, ")") || here(e, "]") || here(e, "}"));
}

static bool word_equal(const struct host_text *text, size_t i, const char *word)
{
    const struct host_token *token = &text->tokens[i];
    return strlen(word) == token->n && (text->fortran ? strncasecmp(word, text->text + token->at, token->n)
                                                      : strncmp(word, text->text + token->at, token->n)) == 0;
}

/* What -D or a Param says of token i; VALUE_NONE: nothing. */
static struct value value_given(const struct evaluation *e, size_t i)
{
    const struct host_process *process = e->process;
    for (size_t k = 0; k < process->n; k++)
        if (process->values[k].kind != VALUE_NONE && word_equal(e->text, i, process->parameters[k]))
            return process->values[k];
    return unknown;
}

/* Which parameter of the function that we are in token i is; binding->n: none. */
static size_t bound_parameter(const struct host_names *names, const struct host_binding *binding, size_t i)
{
    const struct host_functions *f = &names->scopes.functions;
    for (size_t k = 0; k < binding->n; k++) {
        size_t name = f->parameters[binding->function->first + k].name;
        if (name < f->text->n && host_tokens_same(f->text, name, i))
            return k;
    }
    return binding->n;
}

/* The macro that token i stands for; NULL: none. */
static const struct host_name *macro_at(const struct evaluation *e, size_t i, const struct active *active)
{
    bool member = i > 0 && (host_token_is(e->text, i - 1, ".") || host_token_is(e->text, i - 1, "->"));
    const struct host_name *name =
        e->text->tokens[i].kind == HOST_NAME && !e->text->fortran && !member ? host_name_find(e->names, i) : NULL;
    if (!name || !name->macro || name->meaning != HOST_DEFINED || value_given(e, i).kind != VALUE_NONE)
        return NULL;
    for (const struct active *a = active; a; a = a->outer)
        if (a->name == name)
            return NULL;
    return name;
}

/* Adds the tokens of a range to the list. False: they are too many. */
static bool put_in(struct evaluation *e, struct host_range range, const struct active *active)
{
    for (size_t i = range.first; i < range.end; i++) {
        const struct host_name *macro = macro_at(e, i, active);
        if (macro) {
            struct active own = {macro, active, active ? active->depth + 1 : 1};
            if (own.depth > DEPTH_MOST || !put_in(e, macro->range, &own))
                return false;
            continue;
        }
        if (e->end == STEPS_MOST)
            return false;
        e->stream = alloc_grow(e->stream, e->end, &e->capacity, sizeof *e->stream);
        e->stream[e->end++] = i;
    }
    return true;
}

static struct value value_of_range(const struct evaluation *outer, struct host_range range,
                                   const struct host_binding *binding)
{
    if (range.first == range.end)
        return value_int(0);
    struct evaluation e = {.names = outer->names, .text = outer->text, .process = outer->process, .binding = binding,
                           .depth = outer->depth + 1, .steps = outer->steps};
    bool fits = e.depth <= DEPTH_MOST && put_in(&e, range, NULL);
    struct value value = fits ? read_condition(&e) : unknown;
    bool whole = fits && !e.broken && e.at == e.end;
    free(e.stream);
    return whole ? value : unknown;
}

/* Names stand for something else inside of a function that is called with arguments. *found: token i does. */
static struct value value_of_parameter(const struct evaluation *e, size_t i, bool *found)
{
    const struct host_token *token = &e->text->tokens[i];
    size_t k = e->binding ? bound_parameter(e->names, e->binding, i) : 0;
    *found = e->binding && k < e->binding->n;
    if (!*found)
        return unknown;
    const struct host_variable *variable =
        host_variable_seen(&e->names->scopes, e->text->text + token->at, token->n, i);
    size_t name = e->names->scopes.functions.parameters[e->binding->function->first + k].name;
    bool inner = variable && !e->text->fortran && variable->token > name; /* a block's own variable of the same name */
    if (inner || (variable && variable->change != HOST_UNCHANGED))
        return unknown;
    return value_of_range(e, e->binding->arguments[k], e->binding->outer);
}

/* What only a compiler knows of the name at token i, that no variable of the file hides. */
static struct value value_compiled(const struct evaluation *e, size_t i)
{
    const struct host_token *token = &e->text->tokens[i];
    const char *word = e->text->text + token->at;
    struct fact fact;
    if (!e->text->source->facts || host_variable_seen(&e->names->scopes, word, token->n, i))
        return unknown;
    for (const char *at = e->text->source->facts; facts_next(&at, &fact);)
        if ((fact.kind == FACT_MACRO || fact.kind == FACT_CONSTANT) && fact.name_length == token->n &&
            memcmp(fact.name, word, token->n) == 0)
            return host_fact_value(&fact);
    return unknown;
}

static struct value value_of_name(struct evaluation *e, size_t i)
{
    const struct host_process *process = e->process;
    bool bound;
    struct value value = value_of_parameter(e, i, &bound);
    if (bound)
        return value;
    if (word_equal(e->text, i, "MPI_PROC_NULL"))
        return value_int(PROGRAM_PROC_NULL);
    if (word_equal(e->text, i, "MPI_ANY_SOURCE") || word_equal(e->text, i, "MPI_ANY_TAG"))
        return value_int(PROGRAM_WILDCARD);
    const struct host_name *name = host_name_find(e->names, i);
    if (name && name->meaning == HOST_CHANGING)
        return unknown;
    value = value_given(e, i);
    if (value.kind == VALUE_NONE && !name)
        return value_compiled(e, i);
    if (value.kind != VALUE_NONE)
        return value;
    if (name->meaning == HOST_RANK || name->meaning == HOST_SIZE) {
        int number = name->meaning == HOST_RANK ? process->process : process->numprocs;
        return host_is_world(e->names, e->binding, name->range) ? value_int(number) : unknown;
    }
    if (name->meaning == HOST_DEFINED && !name->macro) /* a macro that is left stands within itself */
        value = value_of_range(e, name->range, e->binding);
    if (value.kind == VALUE_NONE || name->more == 0)
        return value;
    return value_binary(BINARY_ADD, value, value_int(name->more), &value) ? unknown : value;
}

/* A type's words joined by blanks, at e->at: its bytes, 0 where it is no type that the directives know. */
static int read_type(struct evaluation *e)
{
    char type[128] = "";
    size_t n = 0;
    bool fits = true;
    for (; e->at < e->end && e->text->tokens[token_here(e)].kind == HOST_NAME; e->at++) {
        const struct host_token *token = &e->text->tokens[token_here(e)];
        if (token->n == 5 && word_equal(e->text, token_here(e), "const"))
            continue;
        fits = fits && n + token->n + 2 < sizeof type;
        if (!fits)
            continue;
        if (n > 0)
            type[n++] = ' ';
        memcpy(type + n, e->text->text + token->at, token->n);
        n += token->n;
        type[n] = '\0';
    }
    int bytes = fits ? type_bytes(type) : 0;
    return bytes > 0 || !fits ? bytes : (int)facts_type_bytes(e->text->source->facts, type);
}

/* "sizeof" has been read. */
static struct value read_sizeof(struct evaluation *e)
{
    if (!accept(e, "(")) {
        read_unary(e);
        return unknown;
    }
    int bytes = read_type(e);
    bool whole = accept(e, ")");
    if (!whole)
        skip_brackets(e);
    return whole && bytes > 0 ? value_int(bytes) : unknown;
}

/* Fortran 2018, 16.9.130, 16.9.131: mod has the sign of its first operand, modulo that of its second. */
static struct value remainder_of(struct value a, struct value b, bool floors)
{
    struct value value;
    if (a.kind != VALUE_INT || value_binary(BINARY_MOD, a, b, &value))
        return unknown;
    if (floors && value.i != 0 && (value.i < 0) != (b.i < 0))
        value.i += b.i;
    return value;
}

/* A call; its "(" has been read. Only Fortran's functions on integers are known. */
static struct value read_function(struct evaluation *e, size_t name)
{
    struct value a[8];
    size_t n = 0;
    bool all = true;
    if (!e->text->fortran || here(e, ")")) {
        skip_brackets(e);
        return unknown;
    }
    do {
        struct value value = read_condition(e);
        all = all && n < sizeof a / sizeof *a && value.kind != VALUE_NONE;
        if (n < sizeof a / sizeof *a)
            a[n++] = value;
    } while (accept(e, ","));
    if (!accept(e, ")"))
        return give_up(e);
    if (n == 3 && host_token_is(e->text, name, "merge"))
        return a[2].kind == VALUE_NONE ? unknown : value_is_true(a[2]) ? a[0] : a[1];
    bool floors = host_token_is(e->text, name, "modulo");
    if (all && n == 2 && (floors || host_token_is(e->text, name, "mod")))
        return remainder_of(a[0], a[1], floors);
    bool least = host_token_is(e->text, name, "min");
    struct value value;
    if (all && n > 0 && (least || host_token_is(e->text, name, "max")) &&
        !value_call(least ? FUNCTION_min : FUNCTION_max, n, a, &value))
        return value;
    return unknown;
}

/* Members, elements and further calls: they have no value, but where they end must be known. */
static bool skip_postfix(struct evaluation *e)
{
    bool any = false;
    for (;;) {
        if (accept(e, "[") || accept(e, "("))
            skip_brackets(e);
        else if (accept(e, ".") || accept(e, "->") || accept(e, "::") || (e->text->fortran && accept(e, "%")))
            e->at += e->at < e->end;
        else if (!accept(e, "++") && !accept(e, "--"))
            return any;
        any = true;
    }
}

/* A cast to an arithmetic type, at the token behind its "(": true where there is one, which has been read. */
static bool read_cast(struct evaluation *e, bool *integer)
{
    size_t at = e->at;
    *integer = true;
    for (; at < e->end && host_is_type_word(e->text, e->stream[at]); at++)
        *integer = *integer && !host_token_is(e->text, e->stream[at], "float") &&
                   !host_token_is(e->text, e->stream[at], "double");
    if (at == e->at || at >= e->end || !host_token_is(e->text, e->stream[at], ")"))
        return false;
    e->at = at + 1;
    return true;
}

/* A real that C would cut off is left unread. */
static struct value cast(struct value value, bool integer)
{
    int64_t whole;
    if (value.kind == VALUE_NONE)
        return value;
    if (!integer)
        return value_real(value_as_real(value));
    return value_as_integer(value, &whole) ? value_int(whole) : unknown;
}

static struct value read_primary(struct evaluation *e)
{
    if (e->at >= e->end || ++*e->steps > STEPS_MOST)
        return give_up(e);
    size_t i = e->stream[e->at++];
    const struct host_token *token = &e->text->tokens[i];
    struct value value = unknown;
    bool integer;
    if (token->kind == HOST_NUMBER) {
        value = token->value;
    } else if (host_token_is(e->text, i, "(")) {
        if (!e->text->fortran && read_cast(e, &integer))
            return cast(read_unary(e), integer);
        value = read_condition(e);
        if (!accept(e, ")"))
            return give_up(e);
    } else if (host_token_is(e->text, i, "sizeof")) {
        value = read_sizeof(e);
    } else if (token->kind == HOST_NAME) {
        value = accept(e, "(") ? read_function(e, i) : value_of_name(e, i);
    } else if (token->kind != HOST_STRING) {
        return give_up(e);
    }
    return skip_postfix(e) ? unknown : value;
}

/* Fortran's a ** b; of whole numbers with b < 0 the quotient of whole numbers. */
static struct value power_of(struct value a, struct value b)
{
    struct value value, negated;
    const bool quotient = a.kind == VALUE_INT && b.kind == VALUE_INT && b.i < 0;
    if (a.kind == VALUE_NONE || b.kind == VALUE_NONE || (quotient && value_negate(b, &negated)))
        return unknown;
    if (value_call(FUNCTION_pow, 2, (struct value[]){a, quotient ? negated : b}, &value))
        return unknown;
    return quotient && value_binary(BINARY_DIV, value_int(1), value, &value) ? unknown : value;
}

static struct value read_power(struct evaluation *e)
{
    struct value base = read_primary(e);
    if (!e->text->fortran || !accept(e, "**"))
        return base;
    if (++e->depth > DEPTH_MOST)
        return give_up(e);
    base = power_of(base, read_power(e));
    e->depth--;
    return base;
}

static struct value read_unary(struct evaluation *e)
{
    static const char *const signs[] = {"-", "+", "!", "~", "&", "*", "++", "--"};
    struct value value;
    size_t sign = 0, n = sizeof signs / sizeof *signs;
    while (sign < n && !accept(e, signs[sign]))
        sign++;
    if (sign == n)
        return read_power(e);
    if (++e->depth > DEPTH_MOST)
        return give_up(e);
    value = read_unary(e);
    e->depth--;
    if (value.kind == VALUE_NONE || sign == 1)
        return value;
    if (sign == 0)
        return value_negate(value, &value) ? unknown : value;
    if (sign == 2)
        return value_int(!value_is_true(value));
    return sign == 3 && value.kind == VALUE_INT ? value_int(~value.i) : unknown;
}

/* Binary operators, loosest first; Fortran's strengths order the same way. op: of BINARY_LIST, which has none for
 * bits. */
enum { OPERATOR_BITS = 100 };
static const struct {
    const char *text;
    int strength, op;
    bool c, fortran;
} operators[] = {
    {"||", 1, BINARY_OR, true, false},   {"&&", 2, BINARY_AND, true, false},  {"|", 3, OPERATOR_BITS, true, false},
    {"^", 4, OPERATOR_BITS, true, false}, {"&", 5, OPERATOR_BITS, true, false}, {"==", 6, BINARY_EQ, true, true},
    {"!=", 6, BINARY_NE, true, false},   {"/=", 6, BINARY_NE, false, true},   {"<", 7, BINARY_LT, true, true},
    {"<=", 7, BINARY_LE, true, true},    {">", 7, BINARY_GT, true, true},     {">=", 7, BINARY_GE, true, true},
    {"<<", 8, OPERATOR_BITS, true, false}, {">>", 8, OPERATOR_BITS, true, false}, {"+", 9, BINARY_ADD, true, true},
    {"-", 9, BINARY_SUB, true, true},    {"*", 10, BINARY_MUL, true, true},   {"/", 10, BINARY_DIV, true, true},
    {"%", 10, BINARY_MOD, true, false},
};

static struct value bits(const char *op, struct value a, struct value b)
{
    if (a.kind != VALUE_INT || b.kind != VALUE_INT)
        return unknown;
    bool shift = op[1] != '\0';
    if (shift && (b.i < 0 || b.i > 62 || a.i < 0))
        return unknown;
    switch (*op) {
    case '|': return value_int(a.i | b.i);
    case '^': return value_int(a.i ^ b.i);
    case '&': return value_int(a.i & b.i);
    case '<': return a.i > INT64_MAX >> b.i ? unknown : value_int(a.i << b.i);
    default: return value_int(a.i >> b.i);
    }
}

static struct value combine(size_t k, struct value a, struct value b)
{
    struct value value;
    bool logic = operators[k].op == BINARY_AND || operators[k].op == BINARY_OR;
    if (logic && a.kind != VALUE_NONE && value_is_true(a) == (operators[k].op == BINARY_OR))
        return value_int(value_is_true(a));
    if (a.kind == VALUE_NONE || b.kind == VALUE_NONE)
        return unknown;
    if (operators[k].op == OPERATOR_BITS)
        return bits(operators[k].text, a, b);
    return value_binary((enum binary)operators[k].op, a, b, &value) ? unknown : value;
}

/* The operator here that binds at least so strongly. False: none. */
static bool find_operator(const struct evaluation *e, int least, size_t *k)
{
    for (*k = 0; *k < sizeof operators / sizeof *operators; ++*k)
        if (operators[*k].strength >= least && (e->text->fortran ? operators[*k].fortran : operators[*k].c) &&
            here(e, operators[*k].text))
            return true;
    return false;
}

static struct value read_binary(struct evaluation *e, int least)
{
    struct value left = read_unary(e);
    for (size_t k; find_operator(e, least, &k);) {
        e->at++;
        left = combine(k, left, read_binary(e, operators[k].strength + 1));
    }
    return left;
}

static struct value read_condition(struct evaluation *e)
{
    if (++e->depth > DEPTH_MOST)
        return give_up(e);
    struct value value = read_binary(e, 1);
    if (!e->text->fortran && accept(e, "?")) {
        struct value yes = read_condition(e), no = unknown;
        if (!accept(e, ":"))
            return give_up(e);
        no = read_condition(e);
        value = value.kind == VALUE_NONE ? unknown : value_is_true(value) ? yes : no;
    }
    e->depth--;
    return value;
}

struct value host_value(const struct host_names *names, const struct host_process *process, struct host_range range)
{
    int steps = 0;
    struct evaluation e = {.names = names, .text = names->text, .process = process, .steps = &steps};
    return range.first < range.end ? value_of_range(&e, range, process->binding) : unknown;
}

/* What a single name stands for: the argument that it is, or its one definition. False: neither. */
static bool follow(const struct host_names *names, const struct host_binding **binding, struct host_range *range,
                   bool duplicates)
{
    if (names->text->tokens[range->first].kind != HOST_NAME)
        return false;
    size_t k = *binding ? bound_parameter(names, *binding, range->first) : 0;
    if (*binding && k < (*binding)->n) {
        *range = (*binding)->arguments[k];
        *binding = (*binding)->outer;
        return true;
    }
    const struct host_name *name = host_name_find(names, range->first);
    if (!name || (name->meaning != HOST_DEFINED && !(duplicates && name->meaning == HOST_DUPLICATE)))
        return false;
    *range = name->range;
    return true;
}

int host_datatype_bytes(const struct host_names *names, const struct host_binding *binding, struct host_range range)
{
    const struct host_text *text = names->text;
    for (int depth = 0; depth < DEPTH_MOST && range.end == range.first + 1; depth++) {
        const struct host_token *token = &text->tokens[range.first];
        char word[40];
        if (token->kind != HOST_NAME || token->n >= sizeof word)
            return 0;
        memcpy(word, text->text + token->at, token->n);
        word[token->n] = '\0';
        for (char *c = word; text->fortran && *c; c++)
            *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        if (strncmp(word, "MPI_", 4) == 0)
            return type_bytes(word);
        if (!follow(names, &binding, &range, false))
            return 0;
    }
    return 0;
}

bool host_is_world(const struct host_names *names, const struct host_binding *binding, struct host_range range)
{
    for (int depth = 0; depth < DEPTH_MOST && range.end == range.first + 1; depth++) {
        if (host_token_is(names->text, range.first, "MPI_COMM_WORLD"))
            return true;
        if (!follow(names, &binding, &range, true))
            return false;
    }
    return false;
}
