#include "directives/host_constant_impl.h"

#include "directives/comment.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the declaration makes of the value. */
enum type { TYPE_NONE, TYPE_INTEGER, TYPE_REAL };

struct reader {
    struct parser *p;
    char *text;                 /* the source without comments and strings */
    size_t length;
    bool fortran, python;
    size_t line;                /* of the last constant: they come in order, nearly */
};

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t word_end(const struct reader *r, size_t at)
{
    while (at < r->length && in_name(r->text[at]))
        at++;
    return at;
}

static size_t skip_blanks(const struct reader *r, size_t at, size_t end)
{
    while (at < end && isspace((unsigned char)r->text[at]))
        at++;
    return at;
}

static bool word_is(const struct reader *r, size_t begin, size_t end, const char *word)
{
    return end - begin == strlen(word) && (r->fortran ? strncasecmp(r->text + begin, word, end - begin)
                                                      : strncmp(r->text + begin, word, end - begin)) == 0;
}

/* Computes an expression of numbers alone. */
static bool fold(const struct expr *expr, struct value *out)
{
    struct value a[16];
    if (expr->kind == EXPR_VALUE) {
        *out = expr->value;
        return true;
    }
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_PROCNUM_IN || expr->kind == EXPR_NUMPROCS_IN)
        return false;
    for (int i = 0; i < expr->n; i++)
        if (!fold(expr->a[i], &a[i]))
            return false;
    switch (expr->kind) {
    case EXPR_NEGATE: return !value_negate(a[0], out);
    case EXPR_NOT: return !value_not(a[0], out);
    case EXPR_BINARY: return !value_binary(expr->op, a[0], a[1], out);
    case EXPR_CONDITION: *out = value_is_true(a[0]) ? a[1] : a[2]; return true;
    case EXPR_CALL: return !value_call(expr->function, (size_t)expr->n, a, out);
    default: return false;
    }
}

static bool holds_real(const struct expr *expr)
{
    if (expr->kind == EXPR_VALUE && expr->value.kind == VALUE_REAL)
        return true;
    for (int i = 0; i < expr->n; i++)
        if (holds_real(expr->a[i]))
            return true;
    return false;
}

static struct expr *times_one(struct reader *r, struct expr *expr)
{
    struct expr *operands[2] = {expr, parse_make_value(r->p, expr->at, value_real(1.0))};
    struct expr *product = parse_make(r->p, EXPR_BINARY, expr->at, 2, operands);
    if (product)
        product->op = BINARY_MUL;
    return product;
}

/* Python's `/` gives a real, and its `%` has another sign than C's. False: not to be read. */
static bool adapt_python(struct reader *r, struct expr *expr)
{
    if (expr->kind == EXPR_BINARY && expr->op == BINARY_MOD)
        return false;
    for (int i = 0; i < expr->n; i++)
        if (!adapt_python(r, expr->a[i]))
            return false;
    if (expr->kind == EXPR_BINARY && expr->op == BINARY_DIV)
        expr->a[0] = times_one(r, expr->a[0]);
    return expr->n == 0 || expr->a[0];
}

static struct expr *convert(struct reader *r, struct expr *expr, enum type type)
{
    struct value value;
    if (r->python && !adapt_python(r, expr))
        return NULL;
    if (!fold(expr, &value)) {
        if (type == TYPE_INTEGER && holds_real(expr))
            return NULL; /* there is no function that truncates */
        return type == TYPE_REAL ? times_one(r, expr) : expr;
    }
    if (type == TYPE_REAL)
        value = value_real(value_as_real(value));
    int64_t i;
    if (type == TYPE_INTEGER && value.kind == VALUE_REAL) {
        if (!value_as_integer(value_real(trunc(value.r)), &i))
            return NULL;
        value = value_int(i);
    }
    return parse_make_value(r->p, expr->at, value);
}

static struct piece piece_of(struct reader *r, size_t begin, size_t end)
{
    const struct source *source = r->p->source;
    if (source->line_start[r->line] > begin)
        r->line = source_line(source, begin);
    while (r->line + 1 < source->n_lines && source->line_start[r->line + 1] <= begin)
        r->line++;
    return (struct piece){begin, end, source->line_start[r->line], source_line_end(source, r->line), (int)r->line + 1};
}

/* The expression of [begin, end), NULL unless all of it can be read. */
static struct expr *read_value(struct reader *r, size_t begin, size_t end, enum type type)
{
    struct parser *p = r->p;
    struct piece piece = piece_of(r, begin, end);
    p->text = r->text;
    p->panic = false;
    p->quiet = true;
    p->depth = 0;
    lexer_init(&p->lexer, p->text, &piece, 1);
    p->token = p->last = lexer_next(&p->lexer);
    struct expr *expr = p->token.kind == TOKEN_END ? NULL : parse_expr(p);
    bool whole = expr && !p->panic && p->token.kind == TOKEN_END;
    expr = whole ? convert(r, expr, type) : NULL;
    p->quiet = false;
    p->panic = false;
    return expr;
}

static struct name *intern(struct parser *p, const char *text, size_t n, bool fortran)
{
    char small[64];
    if (!fortran || n >= sizeof small)
        return names_get(&p->names, text, n);
    for (size_t i = 0; i < n; i++)
        small[i] = (char)tolower((unsigned char)text[i]);
    return names_get(&p->names, small, n);
}

static void add(struct reader *r, size_t begin, size_t end, struct expr *value)
{
    struct parser *p = r->p;
    struct name *name = intern(p, r->text + begin, end - begin, r->fortran);
    struct host_constant *constant = arena_alloc(&p->tree->memory, 1, sizeof *constant);
    struct piece piece = piece_of(r, begin, end);
    constant->name = name->text;
    constant->at = piece_place(p->source, &piece, begin, end - begin);
    constant->value = value;
    if (name->constant)
        name->last_constant->next = constant;
    else
        name->constant = constant;
    name->last_constant = constant;
}

/* Where a value ends: at a `,` or `;` outside of brackets, or at a bracket that was open before it. */
static size_t value_end(const struct reader *r, size_t at, size_t end)
{
    int depth = 0;
    for (; at < end; at++) {
        char c = r->text[at];
        if (strchr("([{", c) && c != '\0')
            depth++;
        else if (strchr(")]}", c) && c != '\0' && depth-- == 0)
            break;
        else if ((c == ',' || c == ';') && depth == 0)
            break;
        else if (c == ';')
            break;
    }
    return at;
}

static bool is_assignment(const struct reader *r, size_t at, size_t end)
{
    return at < end && r->text[at] == '=' && !(at + 1 < end && r->text[at + 1] == '=');
}

/* entity := NAME [ brackets ] [ "=" value ]; returns where it ends: a `,` goes on. */
static size_t read_entity(struct reader *r, size_t at, size_t end, enum type type, bool record)
{
    size_t name_end = word_end(r, at), next = skip_blanks(r, name_end, end);
    bool braced = next < end && r->text[next] == '{' && !r->fortran;
    if (is_assignment(r, next, end) || braced) {
        size_t stop = braced ? value_end(r, next + 1, end) : value_end(r, next, end);
        if (record)
            add(r, at, name_end, read_value(r, next + 1, stop, type));
        return braced && stop < end ? stop + 1 : stop;
    }
    return value_end(r, next, end);
}

/* C, at a word that begins a declaration: X(word, what it says of the type) */
#define TYPE_WORD_LIST(X)                                                                                              \
    X("const", NONE) X("static", NONE) X("constexpr", NONE) X("inline", NONE) X("extern", NONE) X("register", NONE)    \
    X("volatile", NONE) X("auto", NONE) X("unsigned", INTEGER) X("signed", INTEGER) X("long", INTEGER)                 \
    X("short", INTEGER) X("int", INTEGER) X("char", INTEGER) X("float", REAL) X("double", REAL) X("bool", INTEGER)     \
    X("size_t", INTEGER) X("ssize_t", INTEGER) X("ptrdiff_t", INTEGER) X("int8_t", INTEGER) X("int16_t", INTEGER)      \
    X("int32_t", INTEGER) X("int64_t", INTEGER) X("uint8_t", INTEGER) X("uint16_t", INTEGER) X("uint32_t", INTEGER)    \
    X("uint64_t", INTEGER) X("MPI_Aint", INTEGER) X("MPI_Offset", INTEGER) X("MPI_Count", INTEGER)
static const struct {
    const char *word;
    enum type type;
} type_words[] = {
#define X(word, type) {word, TYPE_##type},
    TYPE_WORD_LIST(X)
#undef X
};

static bool is_type_word(const struct reader *r, size_t begin, size_t end, enum type *type)
{
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++) {
        if (word_is(r, begin, end, type_words[i].word)) {
            if (*type != TYPE_REAL && type_words[i].type != TYPE_NONE)
                *type = type_words[i].type;
            return true;
        }
    }
    return false;
}

/* A declaration's entities, behind its type words. A pointer is passed over. Returns where to go on. */
static size_t read_declaration(struct reader *r, size_t at, enum type type)
{
    for (;;) {
        bool pointer = false;
        at = skip_blanks(r, at, r->length);
        while (at < r->length && (r->text[at] == '*' || r->text[at] == '&')) {
            pointer = true;
            at = skip_blanks(r, at + 1, r->length);
        }
        if (at >= r->length || !starts_name(r->text[at]))
            return at;
        size_t name_end = word_end(r, at), next = skip_blanks(r, name_end, r->length);
        enum type ignored = TYPE_NONE;
        if (is_type_word(r, at, name_end, &ignored))
            return at; /* the next argument of a function */
        if (next >= r->length || (!strchr("=,;[{", r->text[next]) || r->text[next] == '\0'))
            return next;
        at = read_entity(r, at, r->length, type, !pointer);
        if (at >= r->length || r->text[at] != ',')
            return at;
        at++;
    }
}

/* "#define" NAME VALUE. `at`: behind the `#`. Returns the end of the line. */
static size_t read_macro(struct reader *r, size_t at)
{
    size_t end = at;
    for (; end < r->length && r->text[end] != '\n'; end++) {
        size_t feed = end + 1 + (end + 1 < r->length && r->text[end + 1] == '\r');
        if (r->text[end] == '\\' && feed < r->length && r->text[feed] == '\n')
            r->text[end] = r->text[feed] = ' ';
    }
    at = skip_blanks(r, at, end);
    size_t word = word_end(r, at);
    if (!word_is(r, at, word, "define"))
        return end;
    at = skip_blanks(r, word, end);
    size_t name_end = word_end(r, at);
    if (name_end > at && starts_name(r->text[at]) && name_end < end && isspace((unsigned char)r->text[name_end]))
        add(r, at, name_end, read_value(r, name_end, end, TYPE_NONE));
    return end;
}

/* "enum" [ NAME ] [ ":" TYPE ] "{" NAME [ "=" value ] { "," ... } "}"; an enumerator without value is one more than the
 * last. */
static size_t read_enum(struct reader *r, size_t at)
{
    while (at < r->length && (isspace((unsigned char)r->text[at]) || in_name(r->text[at]) || r->text[at] == ':'))
        at++;
    if (at >= r->length || r->text[at] != '{')
        return at;
    struct value next = value_int(0), one = value_int(1);
    bool known = true;
    do {
        at = skip_blanks(r, at + 1, r->length);
        size_t name_end = word_end(r, at), after = skip_blanks(r, name_end, r->length),
               end = value_end(r, after, r->length);
        if (name_end == at || !starts_name(r->text[at]))
            return end;
        struct expr *value = NULL;
        if (is_assignment(r, after, r->length)) {
            value = read_value(r, after + 1, end, TYPE_INTEGER);
            known = value && fold(value, &next);
        } else if (known) {
            struct piece piece = piece_of(r, at, name_end);
            value = parse_make_value(r->p, piece_place(r->p->source, &piece, at, name_end - at), next);
        }
        add(r, at, name_end, value);
        known = known && !value_binary(BINARY_ADD, next, one, &next);
        at = end;
    } while (at < r->length && r->text[at] == ',');
    return at;
}

static void read_c(struct reader *r)
{
    size_t at = 0;
    bool line_starts = true;
    while (at < r->length) {
        char c = r->text[at];
        if (c == '#' && line_starts) {
            at = read_macro(r, at + 1);
        } else if (starts_name(c)) {
            enum type type = TYPE_NONE;
            size_t end = word_end(r, at);
            bool declares = false, enumerates = word_is(r, at, end, "enum");
            while (end > at && is_type_word(r, at, end, &type)) {
                declares = true;
                at = skip_blanks(r, end, r->length);
                end = word_end(r, at);
            }
            at = enumerates ? read_enum(r, end) : declares ? read_declaration(r, at, type) : end;
            line_starts = false;
        } else if (isdigit((unsigned char)c)) {
            at = word_end(r, at);
            line_starts = false;
        } else {
            line_starts = c == '\n' || (line_starts && isspace((unsigned char)c));
            at++;
        }
    }
}

/* Makes one line of a Fortran statement that goes on: blanks take the place of what joins the lines. */
static void join_lines(struct reader *r)
{
    char *text = r->text;
    bool free_form = r->p->source->host == HOST_FORTRAN_FREE;
    const char *feed;
    for (size_t at = 0; at < r->length && (feed = memchr(text + at, '\n', r->length - at)) != NULL;) {
        size_t end = (size_t)(feed - text), before = end, next = end + 1;
        while (before > at && isspace((unsigned char)text[before - 1]))
            before--;
        size_t after = skip_blanks(r, next, r->length);
        if (free_form && before > at && text[before - 1] == '&') {
            text[before - 1] = text[end] = ' ';
            if (after < r->length && text[after] == '&')
                text[after] = ' ';
        } else if (!free_form && next + 5 < r->length && strncmp(text + next, "     ", 5) == 0 &&
                   !isspace((unsigned char)text[next + 5]) && text[next + 5] != '0') {
            text[end] = text[next + 5] = ' ';
        }
        at = next;
    }
}

/* entities := NAME "=" value { "," ... } */
static void read_entities(struct reader *r, size_t at, size_t end, enum type type)
{
    for (;;) {
        at = skip_blanks(r, at, end);
        if (at >= end || !starts_name(r->text[at]))
            return;
        size_t next = skip_blanks(r, word_end(r, at), end);
        if (next < end && r->text[next] == '=')
            at = read_entity(r, at, end, type, true);
        else
            at = value_end(r, next, end);
        if (at >= end || r->text[at] != ',')
            return;
        at++;
    }
}

static void read_fortran_statement(struct reader *r, size_t at, size_t end)
{
    at = skip_blanks(r, at, end);
    size_t word = word_end(r, at), after = skip_blanks(r, word, end);
    enum type type = TYPE_NONE;
    if (word_is(r, at, word, "parameter") && after < end && r->text[after] == '(') {
        read_entities(r, after + 1, end, type);
        return;
    }
    if (word_is(r, at, word, "integer"))
        type = TYPE_INTEGER;
    else if (word_is(r, at, word, "real") || word_is(r, at, word, "double"))
        type = TYPE_REAL;
    else
        return;
    const char *colons = memmem(r->text + after, end - after, "::", 2);
    if (colons)
        read_entities(r, (size_t)(colons - r->text) + 2, end, type);
}

static void read_fortran(struct reader *r)
{
    join_lines(r);
    for (size_t at = 0; at < r->length;) {
        size_t end = at;
        while (end < r->length && r->text[end] != '\n' && r->text[end] != ';')
            end++;
        read_fortran_statement(r, at, end);
        at = end + 1;
    }
}

/* NAME "=" value at the very start of a line: Python's module level. */
static void read_python_line(struct reader *r, size_t at, size_t end)
{
    if (at >= end || !starts_name(r->text[at]))
        return;
    size_t name_end = word_end(r, at), next = skip_blanks(r, name_end, end);
    if (next < end && r->text[next] == ':') { /* an annotation */
        next = skip_blanks(r, next + 1, end);
        next = skip_blanks(r, word_end(r, next), end);
    }
    if (is_assignment(r, next, end))
        add(r, at, name_end, read_value(r, next + 1, end, TYPE_NONE));
}

/* [ "export" | "readonly" | "declare" | "local" ] NAME=NUMBER; a shell's other values are strings. */
static void read_shell_line(struct reader *r, size_t at, size_t end)
{
    static const char *const words[] = {"export", "readonly", "declare", "local"};
    at = skip_blanks(r, at, end);
    size_t name_end = word_end(r, at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (word_is(r, at, name_end, words[i])) {
            at = skip_blanks(r, name_end, end);
            name_end = word_end(r, at);
            break;
        }
    }
    size_t value = name_end + 1, stop = value;
    while (stop < end && !isspace((unsigned char)r->text[stop]) && r->text[stop] != ';')
        stop++;
    if (name_end > at && starts_name(r->text[at]) && name_end < end && r->text[name_end] == '=' && value < end &&
        isdigit((unsigned char)r->text[value]))
        add(r, at, name_end, read_value(r, value, stop, TYPE_NONE));
}

static void read_lines(struct reader *r, void (*read_line)(struct reader *, size_t, size_t))
{
    const struct source *source = r->p->source;
    for (size_t line = 0; line < source->n_lines; line++)
        read_line(r, source->line_start[line], source_line_end(source, line));
}

/* Finds them all and hangs them on the parser's names. */
static void read_all(struct parser *p)
{
    enum host host = p->source->host;
    if (p->constants_read)
        return;
    p->constants_read = true;
    if (host == HOST_STANDALONE || host == HOST_YAML || p->source->n_lines == 0)
        return;
    struct reader r = {.p = p, .length = p->source->length, .python = host == HOST_PYTHON};
    r.fortran = host == HOST_FORTRAN_FREE || host == HOST_FORTRAN_FIXED;
    r.text = comment_blank(p->source);
    if (host == HOST_C)
        read_c(&r);
    else if (r.fortran)
        read_fortran(&r);
    else
        read_lines(&r, r.python ? read_python_line : read_shell_line);
    free(r.text);
    p->text = p->source->text;
}

struct host_constant *host_constants_of(struct parser *p, const struct name *name)
{
    bool fortran = p->source->host == HOST_FORTRAN_FREE || p->source->host == HOST_FORTRAN_FIXED;
    read_all(p);
    if (name->constant || !fortran)
        return name->constant;
    return intern(p, name->text, strlen(name->text), true)->constant;
}

bool host_constants_equal(const struct expr *a, const struct expr *b)
{
    if (a->kind == EXPR_VALUE && b->kind == EXPR_VALUE)
        return value_as_real(a->value) == value_as_real(b->value);
    if (a->kind != b->kind || a->n != b->n || a->op != b->op || a->function != b->function)
        return false;
    if (a->kind == EXPR_NAME && strcmp(a->name, b->name) != 0)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!host_constants_equal(a->a[i], b->a[i]))
            return false;
    return true;
}
