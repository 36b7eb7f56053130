#include "directives/host_value_impl.h"

#include "directives/parse_impl.h"
#include "directives/program.h"

#include <string.h>
#include <strings.h>

enum {
    STEPS_MOST = 4000, /* operands looked at for one value: names that refer to names may multiply */
    DEPTH_MOST = 60,   /* parentheses, and names that refer to names */
};

static const struct value unknown = {VALUE_NONE, {0}};

struct evaluation {
    const struct host_names *names;
    const struct host_text *text;
    const struct host_process *process;
    size_t at, end;
    int depth, *steps;
    bool broken;       /* it is no expression that we can read */
};

static struct value read_condition(struct evaluation *e);
static struct value read_unary(struct evaluation *e);

static bool here(const struct evaluation *e, const char *word)
{
    return e->at < e->end && host_token_is(e->text, e->at, word);
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

static struct value value_of_range(const struct evaluation *outer, struct host_range range)
{
    if (range.first == range.end)
        return value_int(0);
    struct evaluation e = {.names = outer->names, .text = outer->text, .process = outer->process, .at = range.first,
                           .end = range.end, .depth = outer->depth + 1, .steps = outer->steps};
    struct value value = e.depth > DEPTH_MOST ? unknown : read_condition(&e);
    return e.broken || e.at != e.end ? unknown : value;
}

static bool word_equal(const struct host_text *text, size_t i, const char *word)
{
    const struct host_token *token = &text->tokens[i];
    return strlen(word) == token->n && (text->fortran ? strncasecmp(word, text->text + token->at, token->n)
                                                      : strncmp(word, text->text + token->at, token->n)) == 0;
}

static struct value value_of_name(struct evaluation *e, size_t i)
{
    const struct host_process *process = e->process;
    struct value value = unknown;
    if (word_equal(e->text, i, "MPI_PROC_NULL"))
        return value_int(PROGRAM_PROC_NULL);
    if (word_equal(e->text, i, "MPI_ANY_SOURCE") || word_equal(e->text, i, "MPI_ANY_TAG"))
        return value_int(PROGRAM_WILDCARD);
    const struct host_name *name = host_name_find(e->names, i);
    if (name && name->meaning == HOST_CHANGING)
        return unknown;
    for (size_t k = 0; k < process->n; k++)
        if (word_equal(e->text, i, process->parameters[k]) && process->values[k].kind != VALUE_NONE)
            return process->values[k];
    if (!name)
        return unknown;
    if (name->meaning == HOST_RANK || name->meaning == HOST_SIZE) {
        int number = name->meaning == HOST_RANK ? process->process : process->numprocs;
        return host_is_world(e->names, name->range) ? value_int(number) : unknown;
    }
    if (name->meaning == HOST_DEFINED)
        value = value_of_range(e, name->range);
    if (value.kind == VALUE_NONE || name->more == 0)
        return value;
    return value_binary(BINARY_ADD, value, value_int(name->more), &value) ? unknown : value;
}

/* A type's words joined by blanks, at e->at: its bytes, 0 where it is no type that the directives know. */
static int read_type(struct evaluation *e)
{
    char type[40] = "";
    size_t n = 0;
    bool fits = true;
    for (; e->at < e->end && e->text->tokens[e->at].kind == HOST_NAME; e->at++) {
        const struct host_token *token = &e->text->tokens[e->at];
        if (token->n == 5 && word_equal(e->text, e->at, "const"))
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
    return fits ? parse_type_bytes(type) : 0;
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
    if (!e->text->fortran || host_token_is(e->text, e->at, ")")) {
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
    while (at < e->end && host_is_type_word(e->text, at)) {
        *integer = *integer && !host_token_is(e->text, at, "float") && !host_token_is(e->text, at, "double");
        at++;
    }
    if (at == e->at || at >= e->end || !host_token_is(e->text, at, ")"))
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
    size_t i = e->at++;
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

static struct value read_unary(struct evaluation *e)
{
    static const char *const signs[] = {"-", "+", "!", "~", "&", "*", "++", "--"};
    struct value value;
    size_t sign = 0, n = sizeof signs / sizeof *signs;
    while (sign < n && !accept(e, signs[sign]))
        sign++;
    if (sign == n)
        return read_primary(e);
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
    return range.first < range.end ? value_of_range(&e, range) : unknown;
}

int host_datatype_bytes(const struct host_names *names, struct host_range range)
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
            return parse_type_bytes(word);
        const struct host_name *name = host_name_find(names, range.first);
        if (!name || name->meaning != HOST_DEFINED)
            return 0;
        range = name->range;
    }
    return 0;
}

bool host_is_world(const struct host_names *names, struct host_range range)
{
    for (int depth = 0; depth < DEPTH_MOST && range.end == range.first + 1; depth++) {
        if (host_token_is(names->text, range.first, "MPI_COMM_WORLD"))
            return true;
        const struct host_name *name =
            names->text->tokens[range.first].kind == HOST_NAME ? host_name_find(names, range.first) : NULL;
        if (!name || (name->meaning != HOST_DEFINED && name->meaning != HOST_DUPLICATE))
            return false;
        range = name->range;
    }
    return false;
}
