#include "directives/parse/parse_impl.h"

#include "common/numerals.h"
#include "common/suggest.h"
#include "host/type_size.h"
#include "directives/parse/host_constant_impl.h"
#include "host/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int least, most;
} functions[] = {
#define X(name, least, most) {#name, least, most},
    FUNCTION_LIST(X)
#undef X
}, comm_functions[] = {
#define X(name, least, most) {#name, least, most},
    COMM_FUNCTION_LIST(X)
#undef X
};

static const char *const distributions[] = {
#define X(name, least, most) #name,
    SERIAL_LIST(X)
#undef X
};

enum { N_DISTRIBUTIONS = sizeof distributions / sizeof *distributions };
_Static_assert(N_FUNCTIONS + N_COMM_FUNCTIONS + N_MAKERS + 1 + N_DISTRIBUTIONS <= FUNCTION_NAMES_MOST, "room");

size_t parse_function_names(const char *names[FUNCTION_NAMES_MOST], bool with_distributions)
{
    size_t n = 0;
    for (int i = 0; i < N_FUNCTIONS; i++)
        names[n++] = functions[i].name;
    for (int i = 0; i < N_COMM_FUNCTIONS; i++)
        names[n++] = comm_functions[i].name;
    for (int i = 0; i < N_MAKERS; i++)
        names[n++] = maker_name((enum comm_maker)i);
    names[n++] = "sizeof";
    for (int i = 1; with_distributions && i < N_DISTRIBUTIONS; i++)
        names[n++] = distributions[i];
    return n;
}

static struct expr *parse_unary(struct parser *p);

static struct expr *too_deep(struct parser *p, struct place at)
{
    parse_error(p, at, "an expression of more than %d levels: give a part of it a name with Set or Param",
                NESTING_MOST);
    return NULL;
}

struct expr *parse_make(struct parser *p, enum expr_kind kind, struct place at, int n, struct expr *const operands[])
{
    int depth = 0;
    for (int i = 0; i < n; i++)
        depth = operands[i]->depth > depth ? operands[i]->depth : depth;
    if (depth >= NESTING_MOST)
        return too_deep(p, at);
    struct expr *expr = arena_alloc(&p->tree->memory, 1, sizeof *expr);
    expr->kind = kind;
    expr->at = at;
    expr->depth = depth + 1;
    expr->n = n;
    expr->a = n > 0 ? arena_alloc(&p->tree->memory, (size_t)n, sizeof *expr->a) : NULL;
    for (int i = 0; i < n; i++)
        expr->a[i] = operands[i];
    return expr;
}

struct expr *parse_copy(struct parser *p, const struct expr *expr)
{
    struct expr *copy = arena_alloc(&p->tree->memory, 1, sizeof *copy);
    *copy = *expr;
    copy->a = expr->n > 0 ? arena_alloc(&p->tree->memory, (size_t)expr->n, sizeof *copy->a) : NULL;
    for (int i = 0; i < expr->n; i++)
        copy->a[i] = parse_copy(p, expr->a[i]);
    return copy;
}

struct expr *parse_make_value(struct parser *p, struct place at, struct value value)
{
    struct expr *expr = parse_make(p, EXPR_VALUE, at, 0, NULL);
    expr->value = value;
    return expr;
}

/* The words of a type joined by one blank, "unsigned long". False when they are too long for any type. */
static bool join_type(struct parser *p, char *text, size_t room)
{
    size_t n = 0;
    do {
        if (n + p->token.n + 2 > room)
            return false;
        if (n > 0)
            text[n++] = ' ';
        memcpy(text + n, p->text + p->token.at, p->token.n);
        n += p->token.n;
        text[n] = '\0';
        parse_advance(p);
    } while (p->token.kind == TOKEN_NAME);
    return true;
}

/* sizeof := "sizeof" "(" TYPE ")"; section 3. The "(" has been read. */
static struct expr *parse_sizeof(struct parser *p, struct token word)
{
    char text[128] = "", hint[HINT_BYTES];
    struct token start = p->token;
    if (start.kind != TOKEN_NAME) {
        parse_unexpected(p, "a type");
        return NULL;
    }
    bool fits = join_type(p, text, sizeof text);
    long bytes = fits ? type_bytes(text) : 0;
    if (fits && bytes == 0)
        bytes = facts_type_bytes(p->unit->source->facts, text);
    if (bytes > 0)
        return parse_expect(p, TOKEN_CLOSE, "`)`")
                   ? parse_make_value(p, parse_place_from(p, word), value_int(bytes))
                   : NULL;
    const char *names[TYPE_NAMES_MOST];
    size_t n = type_names(names);
    const char *nearest = p->quiet ? NULL : suggest_name(text, strlen(text), names, n);
    parse_error(p, parse_place_from(p, start),
                "unknown type `%s%s`%s (C's arithmetic types and MPI's datatypes are known)", text, fits ? "" : "...",
                parse_hint_text(hint, nearest));
    return NULL;
}

int parse_arguments(struct parser *p, struct expr *arguments[], int most)
{
    int n = 0;
    if (parse_accept(p, TOKEN_CLOSE))
        return 0;
    do {
        struct expr *argument = parse_expr(p);
        if (!argument)
            return -1;
        if (n < most)
            arguments[n] = argument;
        n++;
    } while (parse_accept(p, TOKEN_COMMA));
    return parse_expect(p, TOKEN_CLOSE, "`,` or `)`") ? n : -1;
}

/* COMM_FUNCTION "(" NAME { "," expr } ")"; section 2, Communicators. The "(" has been read. */
static struct expr *parse_comm_call(struct parser *p, struct token word, enum comm_function function)
{
    enum { OPERANDS_MOST = 16 };
    struct expr *operands[1 + OPERANDS_MOST];
    struct token token = p->token;
    if (token.kind != TOKEN_NAME) {
        parse_unexpected(p, "the name of a communicator");
        return NULL;
    }
    parse_advance(p);
    operands[0] = parse_make(p, EXPR_NAME, parse_place(p, token), 0, NULL);
    operands[0]->name = parse_intern(p, token)->text;
    int n = 0;
    const int least = comm_functions[function].least, most = comm_functions[function].most;
    if (most == 0 || !parse_accept(p, TOKEN_COMMA) ? !parse_expect(p, TOKEN_CLOSE, most ? "`,` or `)`" : "`)`")
                                                   : (n = parse_arguments(p, operands + 1, OPERANDS_MOST)) < 0)
        return NULL;
    if (n < least || n > most) {
        parse_error(p, parse_place_from(p, word), "%s takes a communicator and %d%s argument%s, not %d",
                    comm_functions[function].name, least, most > least ? " to 15" : "", most > 1 ? "s" : "", n);
        return NULL;
    }
    struct expr *expr = parse_make(p, EXPR_COMM, parse_place_from(p, word), 1 + n, operands);
    if (expr)
        expr->comm_function = function;
    return expr;
}

static struct expr *unknown_function(struct parser *p, struct token word)
{
    char hint[HINT_BYTES];
    const char *names[FUNCTION_NAMES_MOST];
    for (size_t i = 1; i < sizeof distributions / sizeof *distributions; i++) {
        if (parse_token_is(p, word, distributions[i])) {
            parse_error(p, parse_place(p, word), "`%s` is a distribution: it can only be the whole time of a Serial",
                        distributions[i]);
            return NULL;
        }
    }
    for (int i = 0; i < N_MAKERS; i++) {
        if (parse_token_is(p, word, maker_name((enum comm_maker)i))) {
            parse_error(p, parse_place(p, word), "%s can only be the whole value of a Set",
                        maker_name((enum comm_maker)i));
            return NULL;
        }
    }
    size_t n = parse_function_names(names, p->in_time);
    parse_error(p, parse_place(p, word), "unknown function `%.*s`%s", (int)(word.n > 40 ? 40 : word.n),
                p->text + word.at, parse_hint(hint, p, word, names, n));
    return NULL;
}

/* call := FUNCTION "(" expr { "," expr } ")"; section 3, Functions. The "(" has been read. */
static struct expr *parse_call(struct parser *p, struct token word)
{
    struct expr *arguments[16];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) != word.n || memcmp(functions[i].name, p->text + word.at, word.n) != 0)
            continue;
        int n = parse_arguments(p, arguments, 16);
        if (n < 0)
            return NULL;
        if (n < functions[i].least || n > functions[i].most) {
            parse_error(p, parse_place_from(p, word), "%s takes %d%s argument%s, not %d", functions[i].name,
                        functions[i].least, functions[i].most > functions[i].least ? " to 16" : "",
                        functions[i].most > 1 ? "s" : "", n);
            return NULL;
        }
        struct expr *expr = parse_make(p, EXPR_CALL, parse_place_from(p, word), n, arguments);
        if (expr)
            expr->function = (enum function)i;
        return expr;
    }
    return unknown_function(p, word);
}

/* NAME "[" expr "]", an element of a table; the "[" has been read. */
static struct expr *parse_element(struct parser *p, struct token word)
{
    struct expr *at = parse_expr(p);
    if (!at || !parse_expect(p, TOKEN_UNBRACKET, "`]`"))
        return NULL;
    struct expr *expr = parse_make(p, EXPR_ELEMENT, parse_place_from(p, word), 1, &at);
    if (expr)
        expr->name = parse_intern(p, word)->text;
    return expr;
}

/* name := NAME | element | sizeof | call of a function, of a communicator or not */
static struct expr *parse_name(struct parser *p)
{
    struct token word = p->token;
    parse_advance(p);
    if (parse_accept(p, TOKEN_OPEN)) {
        const char *text = p->text + word.at;
        if (word.n == 6 && memcmp(text, "sizeof", 6) == 0)
            return parse_sizeof(p, word);
        for (int i = 0; i < N_COMM_FUNCTIONS; i++)
            if (strlen(comm_functions[i].name) == word.n && memcmp(text, comm_functions[i].name, word.n) == 0)
                return parse_comm_call(p, word, (enum comm_function)i);
        return parse_call(p, word);
    }
    if (!p->quiet && parse_accept(p, TOKEN_BRACKET))
        return parse_element(p, word);
    struct expr *expr = parse_make(p, EXPR_NAME, parse_place(p, word), 0, NULL);
    expr->name = parse_intern(p, word)->text;
    return expr;
}

static bool is_fortran(const struct parser *p)
{
    return p->source->host == HOST_FORTRAN_FREE || p->source->host == HOST_FORTRAN_FIXED;
}

/* C's octal numbers; Fortran's and a shell's are decimal. False: it is an error in the host language. */
static bool host_leading_zero(const struct parser *p, struct token *number)
{
    const char *text = p->text + number->at;
    if (p->source->host != HOST_C)
        return is_fortran(p);
    if (strspn(text, "01234567") < number->n || number->n > 20)
        return false;
    number->value = value_int(strtoll(text, NULL, 8));
    return true;
}

/* Fortran: a kind, `_8`, or the exponent of a double precision number, `d0` or `d-3`, whose sign and digits are no part
 * of the token that its letter begins. */
static bool fortran_suffix(struct parser *p, struct token *number)
{
    const char *suffix = p->text + p->token.at, *digits = suffix + 1, *end;
    const size_t room = p->token.piece->end - p->token.at;
    char literal[64], *after;
    if (*suffix == '_')
        return true;
    digits += room > 1 && (*digits == '+' || *digits == '-');
    end = digits + strspn(digits, "0123456789");
    const size_t n = (size_t)(end - suffix);
    bool whole = end > digits && n <= room && (n == room || (!isalnum((unsigned char)*end) && *end != '_'));
    if ((*suffix != 'd' && *suffix != 'D') || !whole || number->n + n >= sizeof literal)
        return false;
    memcpy(literal, p->text + number->at, number->n + n);
    literal[number->n] = 'e';
    literal[number->n + n] = '\0';
    number->value = value_real(numerals_read(literal, &after));
    p->token.n = n;
    p->lexer.at = p->token.at + n;
    return *after == '\0' && isfinite(number->value.r);
}

static bool c_suffix(struct token *number, const char *text, const char *suffix, size_t n)
{
    bool hexadecimal = n > 1 && number->n == 1 && *text == '0' && (*suffix == 'x' || *suffix == 'X');
    size_t digits = hexadecimal ? 1 + strspn(suffix + 1, "0123456789abcdefABCDEF") : 0;
    if (hexadecimal) {
        number->value = value_int(strtoll(text, NULL, 16));
        return digits > 1 && digits <= 16 && n - digits <= 3 && strspn(suffix + digits, "uUlL") >= n - digits;
    }
    bool real = number->value.kind == VALUE_REAL;
    return n <= 3 && strspn(suffix, real ? "lLfF" : "uUlLzZ") >= n;
}

/* A literal of the host language keeps its type: C's 4.0 is a double. */
static bool host_literal(struct parser *p, struct token *number)
{
    const char *text = p->text + number->at;
    for (size_t i = 0; i < number->n; i++)
        if (strchr(".eE", text[i]))
            number->value = value_real(value_as_real(number->value));
    if (number->value.kind == VALUE_INT && number->n > 1 && text[0] == '0' && !host_leading_zero(p, number))
        return false;
    if (p->token.kind != TOKEN_NAME || !p->token.joined)
        return true;
    const char *suffix = p->text + p->token.at;
    bool known = is_fortran(p) ? fortran_suffix(p, number)
                               : p->source->host == HOST_C && c_suffix(number, text, suffix, p->token.n);
    parse_advance(p);
    return known;
}

/* "(" TYPE ")" unary, C's cast; the "(" has been read. *cast: NULL where it is none. False after an error. */
static bool parse_cast(struct parser *p, struct expr **cast)
{
    struct host_type type = {HOST_TYPE_NONE, 0, false, false};
    struct lexer before = p->lexer;
    struct token token = p->token, last = p->last;
    *cast = NULL;
    if (!p->quiet || p->source->host != HOST_C)
        return true;
    while (p->token.kind == TOKEN_NAME && host_type_add(&type, p->text + p->token.at, p->token.n))
        parse_advance(p);
    if (type.kind == HOST_TYPE_NONE || !parse_accept(p, TOKEN_CLOSE)) {
        p->lexer = before;
        p->token = token;
        p->last = last;
        return true;
    }
    struct expr *operand = parse_unary(p);
    *cast = operand ? host_constant_cast(p, operand, &type) : NULL;
    return *cast != NULL;
}

/* primary := NUMBER | name | "(" expr ")"; in the host source a cast, too */
static struct expr *parse_primary(struct parser *p)
{
    struct token start = p->token;
    struct expr *cast;
    if (start.kind == TOKEN_NAME)
        return parse_name(p);
    if (start.kind == TOKEN_NUMBER) {
        parse_advance(p);
        if (p->quiet && !host_literal(p, &start)) {
            p->panic = true;
            return NULL;
        }
        if (!p->quiet && value_is_octal(p->text + start.at, start.n))
            parse_complain(p, parse_place(p, start), "`%.*s` would be octal in C: write it without leading zeros",
                           (int)start.n, p->text + start.at);
        return parse_make_value(p, parse_place(p, start), start.value);
    }
    if (!parse_accept(p, TOKEN_OPEN)) {
        parse_unexpected(p, "a value");
        return NULL;
    }
    if (!parse_cast(p, &cast) || cast) {
        p->panic = p->panic || !cast;
        return cast;
    }
    struct expr *inside = parse_expr(p);
    if (!inside)
        return NULL;
    if (p->token.kind != TOKEN_CLOSE && !p->quiet && !(p->token.kind == TOKEN_BAD && p->token.problem)) {
        char expected[64];
        snprintf(expected, sizeof expected, "`)` for the `(` of line %d, column %d", start.piece->line,
                 (int)(start.at - start.piece->line_begin) + 1);
        parse_unexpected(p, expected);
        return NULL;
    }
    inside->group = EXPR_PARENTHESISED;
    return parse_expect(p, TOKEN_CLOSE, "`)`") ? inside : NULL;
}

static bool is_not_negative(const struct expr *expr)
{
    return expr->kind == EXPR_VALUE && value_as_real(expr->value) >= 0;
}

static struct expr *make_call(struct parser *p, enum function function, struct place at, struct expr *a, struct expr *b)
{
    struct expr *operands[2] = {a, b}, *expr = parse_make(p, EXPR_CALL, at, 2, operands);
    if (expr)
        expr->function = function;
    return expr;
}

/* Fortran's a ** b (Fortran 2018, 10.1.5.2): a whole number to a negative one is a quotient of whole numbers, and not what pow
 * gives. So is what stands for b < 0, where b is no number. */
static struct expr *make_power(struct parser *p, struct place at, struct expr *base, struct expr *exponent)
{
    struct expr *power = make_call(p, FUNCTION_pow, at, base, exponent);
    if (!power || is_not_negative(exponent))
        return power;
    struct expr *copies[2] = {parse_copy(p, base), parse_copy(p, exponent)}, *again = parse_copy(p, exponent);
    struct expr *negated = parse_make(p, EXPR_NEGATE, at, 1, &copies[1]);
    struct expr *whole[2] = {parse_make_value(p, at, value_int(1)),
                             negated ? make_call(p, FUNCTION_pow, at, copies[0], negated) : NULL};
    struct expr *quotient = whole[1] ? parse_make(p, EXPR_BINARY, at, 2, whole) : NULL;
    struct expr *sides[2] = {again, parse_make_value(p, at, value_int(0))};
    struct expr *below = parse_make(p, EXPR_BINARY, at, 2, sides);
    if (!quotient || !below)
        return NULL;
    quotient->op = BINARY_DIV;
    below->op = BINARY_LT;
    struct expr *parts[3] = {below, quotient, power};
    struct expr *expr = parse_make(p, EXPR_CONDITION, at, 3, parts);
    if (expr)
        expr->group = EXPR_PARENTHESISED;
    return expr;
}

/* power := primary [ "**" power ], in the host source where that is Fortran; an operand that is a macro's name binds to a part
 * of its text. */
static struct expr *parse_power(struct parser *p)
{
    struct token start = p->token;
    struct expr *base = parse_primary(p);
    const size_t next = p->token.at + 1;
    if (!base || !p->quiet || !is_fortran(p) || p->token.kind != TOKEN_MUL || next >= p->token.piece->end || p->text[next] != '*')
        return base;
    if (p->depth >= NESTING_MOST)
        return too_deep(p, parse_place(p, start));
    parse_advance(p);
    parse_advance(p);
    p->depth++;
    struct expr *exponent = parse_power(p);
    p->depth--;
    if (!exponent)
        return NULL;
    base->group = base->kind == EXPR_NAME && base->group == EXPR_BARE ? EXPR_PART : base->group;
    exponent->group = exponent->kind == EXPR_NAME && exponent->group == EXPR_BARE ? EXPR_PART : exponent->group;
    return make_power(p, parse_place_from(p, start), base, exponent);
}

/* unary := ( "-" | "!" ) unary | power */
static struct expr *parse_unary(struct parser *p)
{
    struct token mark = p->token;
    if (mark.kind != TOKEN_SUB && mark.kind != TOKEN_NOT)
        return parse_power(p);
    if (p->depth >= NESTING_MOST)
        return too_deep(p, parse_place(p, mark));
    parse_advance(p);
    p->depth++;
    struct expr *operand = parse_unary(p);
    p->depth--;
    if (!operand)
        return NULL;
    enum expr_kind kind = mark.kind == TOKEN_SUB ? EXPR_NEGATE : EXPR_NOT;
    return parse_make(p, kind, parse_place_from(p, mark), 1, &operand);
}

static bool binary_of(enum token_kind kind, enum binary *op, int *strength)
{
    switch (kind) {
#define X(name, text, binds)        \
    case TOKEN_##name:              \
        *op = BINARY_##name;        \
        *strength = binds;          \
        return true;
        BINARY_LIST(X)
#undef X
    default: return false;
    }
}

static bool is_comparison(int strength)
{
    return strength == 3 || strength == 4;
}

/* binary := unary { OPERATOR binary }, by precedence climbing: `least` is the loosest operator taken here. */
static struct expr *parse_binary(struct parser *p, int least)
{
    struct token start = p->token;
    struct expr *left = parse_unary(p);
    enum binary op;
    int strength, before = 0;
    while (left && binary_of(p->token.kind, &op, &strength) && strength >= least) {
        struct place at = parse_place(p, p->token);
        if (is_comparison(strength) && strength == before && !p->quiet)
            diag_warning(p->diags, at,
                         "comparisons do not chain: the one on the left gives 0 or 1; join two with `&&`");
        before = strength;
        parse_advance(p);
        struct expr *operands[2] = {left, parse_binary(p, strength + 1)};
        left = operands[1] ? parse_make(p, EXPR_BINARY, parse_place_from(p, start), 2, operands) : NULL;
        if (left)
            left->op = op;
    }
    return left;
}

/* expr := binary [ "?" expr ":" expr ]; section 3. */
struct expr *parse_expr(struct parser *p)
{
    struct token start = p->token;
    if (p->depth >= NESTING_MOST)
        return too_deep(p, parse_place(p, start));
    p->depth++;
    struct expr *expr = parse_binary(p, 1);
    if (expr && parse_accept(p, TOKEN_QUESTION)) {
        struct expr *operands[3] = {expr, parse_expr(p), NULL};
        if (operands[1] && parse_expect(p, TOKEN_COLON, "`:`"))
            operands[2] = parse_expr(p);
        expr = operands[2] ? parse_make(p, EXPR_CONDITION, parse_place_from(p, start), 3, operands) : NULL;
    }
    p->depth--;
    return expr;
}
