#include "directives/parse/host_constant_impl.h"

#include "directives/comment.h"
#include "host/fortran/declaration.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct host_type any_type = {HOST_TYPE_NONE, 0, false, false};

struct reader {
    struct parser *p;
    const struct host_reading *host; /* C and Fortran: the same source as tokens */
    char *text;                 /* the source without comments and strings */
    size_t length;
    bool fortran, python;
    bool macro;                 /* a #define is being read */
    bool function;              /* Python: the line stands in a function or a class */
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
    return end - begin == strlen(word) && strncmp(r->text + begin, word, end - begin) == 0;
}

/* Computes an expression of numbers alone. */
static bool fold(const struct expr *expr, struct value *out)
{
    struct value a[16];
    if (expr->kind == EXPR_VALUE) {
        *out = expr->value;
        return true;
    }
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_COMM)
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

/* The product stands for the value of a real: what it is made of is computed before. */
static struct expr *times_one(struct parser *p, struct expr *expr)
{
    struct expr *operands[2] = {expr, parse_make_value(p, expr->at, value_real(1.0))};
    struct expr *product = parse_make(p, EXPR_BINARY, expr->at, 2, operands);
    if (!product)
        return NULL;
    product->op = BINARY_MUL;
    product->group = EXPR_PARENTHESISED;
    expr->group = expr->group == EXPR_PART ? EXPR_PART : EXPR_PARENTHESISED;
    return product;
}

/* Makes an operand real where it stands. */
static bool make_real(struct parser *p, struct expr *expr)
{
    struct expr *copy = arena_alloc(&p->tree->memory, 1, sizeof *copy);
    *copy = *expr;
    struct expr *product = times_one(p, copy);
    if (product)
        *expr = *product;
    return product != NULL;
}

/* Where the host language computes otherwise than the directives: Python's `/` gives a real, and its `%` has another
 * sign; C's floor, ceil, round and pow give reals, its abs an integer, and of ?: both results have one type. False: not
 * to be read. */
static bool adapt(struct reader *r, struct expr *expr)
{
    for (int i = 0; i < expr->n; i++)
        if (!adapt(r, expr->a[i]))
            return false;
    if (r->python && expr->kind == EXPR_BINARY && expr->op == BINARY_MOD)
        return false;
    if (r->python && expr->kind == EXPR_BINARY && expr->op == BINARY_DIV)
        return make_real(r->p, expr->a[0]);
    if (r->p->source->host != HOST_C)
        return true;
    if (expr->kind == EXPR_CONDITION && (holds_real(expr->a[1]) || holds_real(expr->a[2])))
        return make_real(r->p, expr->a[1]) && make_real(r->p, expr->a[2]);
    if (expr->kind != EXPR_CALL)
        return true;
    if (expr->function == FUNCTION_abs)
        return !holds_real(expr);
    bool real = expr->function == FUNCTION_floor || expr->function == FUNCTION_ceil ||
                expr->function == FUNCTION_round || expr->function == FUNCTION_pow;
    return !real || make_real(r->p, expr);
}

static struct expr *convert(struct parser *p, struct expr *expr, const struct host_type *type)
{
    struct value value;
    if (!fold(expr, &value)) {
        if (type->kind == HOST_TYPE_INTEGER && holds_real(expr))
            return NULL; /* there is no function that truncates */
        return type->kind == HOST_TYPE_REAL ? times_one(p, expr) : expr;
    }
    value = host_type_convert(type, value);
    return value.kind == VALUE_NONE ? NULL : parse_make_value(p, expr->at, value);
}

struct expr *host_constant_cast(struct parser *p, struct expr *expr, const struct host_type *type)
{
    if (expr->kind == EXPR_NAME && expr->group == EXPR_BARE)
        expr->group = EXPR_PART;
    return convert(p, expr, type);
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

/* Does it stand for the same wherever it is put in? Else a macro is not computed here. A call may be a power of Fortran. */
static bool is_closed(const struct expr *expr)
{
    return expr->group == EXPR_PARENTHESISED ||
           (expr->kind != EXPR_BINARY && expr->kind != EXPR_CONDITION && expr->kind != EXPR_CALL);
}

/* The expression of [begin, end), NULL unless all of it can be read. */
static struct expr *read_value(struct reader *r, size_t begin, size_t end, const struct host_type *type)
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
    if (!whole || !adapt(r, expr))
        expr = NULL;
    else if (!r->macro || is_closed(expr))
        expr = convert(p, expr, type);
    p->quiet = false;
    p->panic = false;
    return expr;
}

static void add(struct reader *r, size_t begin, size_t end, struct expr *value)
{
    struct parser *p = r->p;
    struct name *name = host_constant_intern(p, r->text + begin, end - begin, r->fortran && !r->macro);
    struct host_constant *constant = arena_alloc(&p->tree->memory, 1, sizeof *constant);
    struct piece piece = piece_of(r, begin, end);
    constant->name = name->text;
    constant->at = piece_place(p->source, &piece, begin, end - begin);
    constant->value = value;
    constant->macro = r->macro;
    host_constant_add(name, constant);
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
static size_t read_entity(struct reader *r, size_t at, size_t end, const struct host_type *type, bool record)
{
    size_t name_end = word_end(r, at), next = skip_blanks(r, name_end, end);
    bool braced = next < end && r->text[next] == '{';
    if (is_assignment(r, next, end) || braced) {
        size_t stop = braced ? value_end(r, next + 1, end) : value_end(r, next, end);
        if (record)
            add(r, at, name_end, read_value(r, next + 1, stop, type));
        return braced && stop < end ? stop + 1 : stop;
    }
    return value_end(r, next, end);
}

static bool is_type_word(const struct reader *r, size_t begin, size_t end, struct host_type *type)
{
    return host_type_add(type, r->text + begin, end - begin);
}

/* A declaration's entities, behind its type words. A pointer is passed over. Returns where to go on. */
static size_t read_declaration(struct reader *r, size_t at, const struct host_type *type)
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
        struct host_type ignored = any_type;
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

/* "#define" NAME VALUE, of C and of preprocessed Fortran. `at`: behind the `#`. Returns the end of the line. */
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
    r->macro = true;
    if (name_end > at && starts_name(r->text[at]) && name_end < end && isspace((unsigned char)r->text[name_end]))
        add(r, at, name_end, read_value(r, name_end, end, &any_type));
    r->macro = false;
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
    static const struct host_type enumerator = {HOST_TYPE_INTEGER, 64, false, true};
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
            value = read_value(r, after + 1, end, &enumerator);
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
            struct host_type type = any_type;
            size_t end = word_end(r, at);
            bool declares = false, enumerates = word_is(r, at, end, "enum");
            while (end > at && is_type_word(r, at, end, &type)) {
                declares = true;
                at = skip_blanks(r, end, r->length);
                end = word_end(r, at);
            }
            at = enumerates ? read_enum(r, end) : declares ? read_declaration(r, at, &type) : end;
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

/* Makes one line of a Fortran statement: blanks take the place of what joins the lines. */
static void join_lines(struct reader *r, const struct fortran_statement *s)
{
    const struct host_token *tokens = r->host->text.tokens;
    for (size_t i = s->first; i + 1 < s->end; i++) {
        size_t end = tokens[i].at + tokens[i].n;
        if (tokens[i].kind != HOST_NEWLINE && tokens[i + 1].kind != HOST_NEWLINE)
            memset(r->text + end, ' ', tokens[i + 1].at - end);
    }
}

/* What the source says of a name that a statement of Fortran declares. */
static const struct host_variable *fortran_variable(const struct reader *r, size_t token)
{
    const struct host_text *text = &r->host->text;
    return host_variable_seen(&r->host->scopes, text->text + text->tokens[token].at, text->tokens[token].n, token);
}

/* Its type: of the statement, or declared elsewhere, else by its first letter. */
static struct host_type fortran_type(const struct reader *r, const struct fortran_entity *entity)
{
    struct host_type type = {HOST_TYPE_NONE, 64, false, entity->constant};
    const struct host_variable *variable = fortran_variable(r, entity->name);
    const char *name = r->host->text.text + r->host->text.tokens[entity->name].at;
    if (entity->type != FORTRAN_UNTYPED)
        type.kind = entity->type == FORTRAN_REAL ? HOST_TYPE_REAL : HOST_TYPE_INTEGER;
    else if (variable)
        type.kind = variable->type;
    if (type.kind == HOST_TYPE_NONE)
        type.kind = strchr("ijklmn", *name) ? HOST_TYPE_INTEGER : HOST_TYPE_REAL;
    return type;
}

static void read_fortran_entity(struct reader *r, enum fortran_form form, const struct fortran_entity *entity)
{
    const struct host_token *tokens = r->host->text.tokens, *name = &tokens[entity->name];
    const struct host_variable *variable = fortran_variable(r, entity->name);
    bool known = entity->value.first < entity->value.end, data = form == FORTRAN_VALUES;
    if (entity->array || entity->type == FORTRAN_OTHER_TYPE || (!known && !data))
        return;
    struct expr *value = NULL;
    if (known && !(data && variable && variable->array)) {
        const struct host_token *last = &tokens[entity->value.end - 1];
        struct host_type type = fortran_type(r, entity);
        value = read_value(r, tokens[entity->value.first].at, last->at + last->n, &type);
    }
    add(r, name->at, name->at + name->n, value);
}

static void read_fortran_macros(struct reader *r, size_t *line, size_t before)
{
    const struct source *source = r->p->source;
    for (; *line < source->n_lines && source->line_start[*line] < before; ++*line)
        if (r->text[source->line_start[*line]] == '#')
            read_macro(r, source->line_start[*line] + 1);
}

static void read_fortran(struct reader *r)
{
    const struct fortran_text *fortran = &r->host->scopes.fortran;
    size_t line = 0;
    for (size_t i = 0; i < fortran->n; i++) {
        struct fortran_entities entities;
        struct fortran_entity entity;
        read_fortran_macros(r, &line, fortran->list[i].from);
        fortran_entities_begin(&entities, fortran, i);
        if (entities.form == FORTRAN_NOTHING || entities.form == FORTRAN_ATTRIBUTED)
            continue;
        join_lines(r, &fortran->list[i]);
        while (fortran_entities_next(&entities, &entity))
            read_fortran_entity(r, entities.form, &entity);
    }
    read_fortran_macros(r, &line, r->length);
}

/* A name that a line changes: its declarations are no constants. The line: [at, end). */
static void add_change(struct reader *r, size_t name, size_t name_end, enum host_change change)
{
    struct parser *p = r->p;
    struct name *changed = names_get(&p->unit->names, r->text + name, name_end - name);
    struct piece piece = piece_of(r, name, name_end);
    if (changed->change == HOST_UNCHANGED) {
        changed->changed_at = piece_place(p->source, &piece, name, name_end - name);
        changed->change = (int)change;
    }
}

/* Every NAME of [at, end): a list of targets. */
static void add_changes(struct reader *r, size_t at, size_t end, enum host_change change)
{
    while (at < end) {
        size_t stop = word_end(r, at);
        if (stop > at && starts_name(r->text[at]))
            add_change(r, at, stop, change);
        at = stop > at ? stop : at + 1;
    }
}

/* Where the operator of an assignment to the targets at the start of a line begins; end: it is none. Brackets, and `==`
 * and its kin, are none. */
static size_t find_assignment(const struct reader *r, size_t at, size_t end)
{
    for (; at < end; at++) {
        char c = r->text[at];
        if (c == '=')
            return at + 1 < end && r->text[at + 1] == '=' ? end : at;
        bool step = at + 1 < end && strchr("+-*/%&|^@<>", c) && c != '\0';
        size_t sign = at + 1 + (step && at + 2 < end && r->text[at + 1] == c);
        if (step && sign < end && r->text[sign] == '=' && !(strchr("<>", c) && sign == at + 1))
            return at;
        if (!in_name(c) && !isspace((unsigned char)c) && c != ',')
            return end;
    }
    return end;
}

/* NAME ":=" anywhere in the line; "global NAME, ..." and "for NAME, ... in": at `word` behind the first word. */
static void read_python_changes(struct reader *r, size_t first, size_t word, size_t end)
{
    for (size_t at = first; at + 1 < end; at++) {
        if (r->text[at] != ':' || r->text[at + 1] != '=')
            continue;
        size_t before = at;
        while (before > first && (isspace((unsigned char)r->text[before - 1]) || in_name(r->text[before - 1])))
            before--;
        add_changes(r, before, at, HOST_ASSIGNED);
    }
    bool loop = word_is(r, first, word, "for");
    if (!loop && !word_is(r, first, word, "global"))
        return;
    const char *in = memmem(r->text + word, end - word, " in ", 4);
    add_changes(r, word, in ? (size_t)(in - r->text) : end, loop ? HOST_LOOP : HOST_ASSIGNED);
}

/* NAME [ ":" TYPE ] "=" value at the very start of a line: Python's module level. An assignment further in, unless it
 * is a function's own, one to several names and "NAME += value" are changes. */
static void read_python_line(struct reader *r, size_t at, size_t end)
{
    size_t first = skip_blanks(r, at, end), word = word_end(r, first);
    bool inner = first > at;
    if (first >= end)
        return;
    if (!inner)
        r->function = word_is(r, first, word, "def") || word_is(r, first, word, "class") || r->text[first] == '@';
    read_python_changes(r, first, word, end);
    size_t next = skip_blanks(r, word, end), sign = find_assignment(r, first, end);
    if (!inner && next < end && r->text[next] == ':' && starts_name(r->text[first])) { /* an annotation */
        next = skip_blanks(r, next + 1, end);
        next = skip_blanks(r, word_end(r, next), end);
        sign = is_assignment(r, next, end) ? next : end;
    }
    if (sign == end)
        return;
    if (!inner && sign == next && r->text[sign] == '=' && starts_name(r->text[first]))
        add(r, first, word, read_value(r, sign + 1, end, &any_type));
    else if (!inner || !r->function)
        add_changes(r, first, sign, r->text[sign] == '=' ? HOST_ASSIGNED : HOST_COUNTED);
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
    bool number = name_end > at && starts_name(r->text[at]) && name_end < end && r->text[name_end] == '=' &&
                  value < end && isdigit((unsigned char)r->text[value]);
    if (number)
        add(r, at, name_end, read_value(r, value, stop, &any_type));
    size_t counter = skip_blanks(r, name_end, end);
    if (word_is(r, at, name_end, "read"))
        add_changes(r, name_end, end, HOST_READ);
    else if (word_is(r, at, name_end, "for"))
        add_changes(r, counter, word_end(r, counter), HOST_LOOP);
    for (size_t k = number ? stop : at; k < end; k++) { /* NAME=, NAME+=, NAME++, anywhere */
        size_t begin = k, next = word_end(r, k);
        if (next == k || !starts_name(r->text[k]))
            continue;
        k = next - 1;
        bool step = next + 1 < end && (r->text[next] == '+' || r->text[next] == '-') &&
                    (r->text[next + 1] == r->text[next] || r->text[next + 1] == '=');
        if (step || is_assignment(r, next, end))
            add_change(r, begin, next, step ? HOST_COUNTED : HOST_ASSIGNED);
    }
}

static void read_lines(struct reader *r, void (*read_line)(struct reader *, size_t, size_t))
{
    const struct source *source = r->p->source;
    for (size_t line = 0; line < source->n_lines; line++)
        read_line(r, source->line_start[line], source_line_end(source, line));
}

void host_constants_read(struct parser *p, const struct host_reading *host)
{
    enum host language = p->source->host;
    struct reader r = {.p = p, .host = host, .length = p->source->length, .python = language == HOST_PYTHON};
    r.fortran = language == HOST_FORTRAN_FREE || language == HOST_FORTRAN_FIXED;
    r.text = comment_blank(p->source);
    if (language == HOST_C)
        read_c(&r);
    else if (r.fortran)
        read_fortran(&r);
    else
        read_lines(&r, r.python ? read_python_line : read_shell_line);
    free(r.text);
    p->text = p->source->text;
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
