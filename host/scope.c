#include "host/scope.h"

#include "common/alloc.h"
#include "host/fortran/declaration.h"

#include <stdlib.h>
#include <string.h>

/* A bracket that is open; the first one is the file. */
struct level {
    size_t open;       /* the token; the text's n: the file */
    bool declares;     /* a declaration has begun: names behind its commas are declared too */
    bool constant;     /* it is one of constants */
    bool structure;    /* or of structures */
    enum host_named kind;
    size_t type_word;
    bool members;      /* of a struct */
};

struct reader {
    struct host_scopes *scopes;
    const struct host_text *text;
    size_t n_levels, capacity;
    struct level *levels;
    size_t alias;      /* C: the name that the last typedef gives */
    bool alias_other;  /* to a pointer, an array or a structure */
};

static bool is_name(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

static struct host_variable *add(struct reader *r, size_t token, size_t first, size_t end)
{
    struct host_scopes *s = r->scopes;
    const struct host_token *name = &r->text->tokens[token];
    s->list = alloc_grow(s->list, s->n, &s->capacity, sizeof *s->list);
    struct host_variable *variable = &s->list[s->n++];
    *variable = (struct host_variable){.text = r->text->text + name->at, .length = name->n, .token = token,
                                       .first = first, .end = end};
    return variable;
}

static void push(struct reader *r, size_t open, bool members)
{
    r->levels = alloc_grow(r->levels, r->n_levels, &r->capacity, sizeof *r->levels);
    r->levels[r->n_levels++] = (struct level){.open = open, .members = members};
}

/* ---- C ---- */

/* "struct" or its kin before a `{`. */
static bool opens_members(const struct host_text *text, size_t i)
{
    static const char *const ends[] = {";", "{", "}", ")", "=", "("}, *const kinds[] = {"struct", "class", "union"};
    for (int k = 0; k < 40 && i-- > 0 && !HOST_TOKEN_IS_ANY(text, i, ends); k++)
        if (HOST_TOKEN_IS_ANY(text, i, kinds))
            return true;
    return false;
}

/* The words of a declaration up to token i: is one of them this? */
static bool is_said(const struct host_text *text, size_t i, const char *word, const char *other)
{
    for (; is_name(text, i) || host_token_is(text, i, "*") || host_token_is(text, i, "&") ||
           host_token_is(text, i, "::"); i--) {
        if (host_token_is(text, i, word) || host_token_is(text, i, other))
            return true;
        if (i == 0)
            break;
    }
    return false;
}

/* Where a name that is declared on this level can be seen. False: it is a prototype's, or no variable. */
static bool scope_of(const struct reader *r, const struct level *level, size_t *first, size_t *end, bool *argument)
{
    static const char *const heads[] = {"for", "if", "while", "switch", "catch"};
    const struct host_functions *f = &r->scopes->functions;
    *argument = false;
    if (level->open == r->text->n) {
        *first = 0;
        *end = r->text->n;
        return true;
    }
    *first = level->open + 1;
    if (host_token_is(r->text, level->open, "{")) {
        *end = f->match[level->open];
        return true;
    }
    if (!host_token_is(r->text, level->open, "("))
        return false;
    if (level->open > 0 && HOST_TOKEN_IS_ANY(r->text, level->open - 1, heads)) {
        *end = host_statement_end(f, level->open - 1) - 1;
        return true;
    }
    size_t body = host_body_of(f, level->open);
    *argument = true;
    *end = body < r->text->n ? f->match[body] : 0;
    return body < r->text->n;
}

/* The words before token k belong to a declaration that begins a statement, or is of an argument. */
static bool begins_declaration(const struct reader *r, const struct level *own, size_t k)
{
    static const char *const before[] = {";", "{", "}"}, *const parameters[] = {"(", ","},
                      *const kinds[] = {"struct", "union", "enum", "class", "typename", "::"};
    const struct host_text *text = r->text;
    size_t first, end;
    bool argument;
    while (k > 0 && ((is_name(text, k - 1) && !host_is_keyword(text, k - 1)) || HOST_TOKEN_IS_ANY(text, k - 1, kinds)))
        k--;
    if (k == 0 || text->tokens[k - 1].kind == HOST_NEWLINE || HOST_TOKEN_IS_ANY(text, k - 1, before))
        return true;
    if (!HOST_TOKEN_IS_ANY(text, k - 1, parameters))
        return false;
    return (k > 1 && host_token_is(text, k - 2, "for")) || (scope_of(r, own, &first, &end, &argument) && argument);
}

/* The word before the name of a declarator and its marks: is it a type's? *before: where it is. */
static bool follows_type(const struct reader *r, const struct level *own, size_t i, size_t *before)
{
    const struct host_text *text = r->text;
    size_t at = i;
    while (at > 0 && (host_token_is(text, at - 1, "*") || host_token_is(text, at - 1, "&")))
        at--;
    if (at == 0 || !is_name(text, at - 1) || host_is_keyword(text, at - 1))
        return false;
    *before = at - 1;
    return at == i || host_is_type_word(text, at - 1) || begins_declaration(r, own, at - 1);
}

/* What the words up to token `before` say of all that they declare. */
static void read_specifiers(const struct reader *r, struct level *own, size_t before, bool argument)
{
    const struct host_text *text = r->text;
    own->declares = !argument;
    own->constant = is_said(text, before, "const", "constexpr");
    own->structure = is_said(text, before, "struct", "union") || is_said(text, before, "class", "void");
    own->kind = is_said(text, before, "extern", "extern") ? HOST_EXTERNAL : HOST_VARIABLE;
    own->type_word = before;
}

static void read_declarator(struct reader *r, size_t i)
{
    static const char *const after[] = {"=", ",", ";", "[", "{", ")", ":"};
    const struct host_text *text = r->text;
    struct level *own = &r->levels[r->n_levels - 1];
    size_t before = i, first, end, comma = i;
    bool argument;
    if (!HOST_TOKEN_IS_ANY(text, i + 1, after) || host_is_keyword(text, i) || host_is_type_word(text, i))
        return;
    while (comma > 0 && (host_token_is(text, comma - 1, "*") || host_token_is(text, comma - 1, "&")))
        comma--;
    bool starts = follows_type(r, own, i, &before);
    if (!starts && !(comma > 0 && host_token_is(text, comma - 1, ",") && own->declares))
        return;
    r->scopes->changes[i] = HOST_UNCHANGED; /* this is its first value */
    if (!scope_of(r, own, &first, &end, &argument))
        return;
    if (starts)
        read_specifiers(r, own, before, argument);
    struct host_variable *variable = add(r, i, first, end);
    variable->kind = own->kind;
    variable->constant = own->constant && !argument;
    variable->argument = argument;
    variable->member = own->members;
    variable->type_word = own->type_word;
    variable->other = own->structure || host_token_is(text, i + 1, "[") || (comma < i && host_token_is(text, comma, "*")) ||
                      (starts && is_said(text, before, "*", "*"));
}

/* What is no variable, and seen where names of this level are. */
static void add_name(struct reader *r, size_t i, enum host_named kind, bool other)
{
    size_t first, end;
    bool argument;
    if (!scope_of(r, &r->levels[r->n_levels - 1], &first, &end, &argument) || argument)
        return;
    struct host_variable *name = add(r, i, first, end);
    name->kind = kind;
    name->other = other;
    name->type_word = kind == HOST_TYPE_NAME && i > 0 ? i - 1 : r->text->n;
}

/* "#" ( "define" | "undef" ) NAME ...; returns the end of the line. */
static size_t read_directive(struct reader *r, size_t i)
{
    const struct host_text *text = r->text;
    const bool defines = host_token_is(text, i + 1, "define"), ends = host_token_is(text, i + 1, "undef");
    const size_t name = i + 2, value = i + 3;
    size_t end = i;
    while (end < text->n && text->tokens[end].kind != HOST_NEWLINE)
        end++;
    if (name >= end || !is_name(text, name) || !(defines || ends))
        return end;
    const bool arguments = host_token_is(text, value, "(") &&
                           text->tokens[value].at == text->tokens[name].at + text->tokens[name].n;
    struct host_variable *macro = ends || !arguments ? add(r, name, name, text->n) : NULL;
    if (macro) {
        macro->kind = ends ? HOST_UNDEFINED : HOST_MACRO;
        macro->other = defines && (value >= end || text->tokens[value].kind == HOST_STRING);
        macro->type_word = text->n;
    }
    return end;
}

/* "typedef" ... NAME ";" */
static void read_typedef(struct reader *r, size_t i)
{
    static const char *const others[] = {"struct", "union", "class", "*", "[", "(", "void"};
    const struct host_text *text = r->text;
    const size_t *match = r->scopes->functions.match;
    r->alias_other = false;
    for (i++; i < text->n && !host_token_is(text, i, ";"); i = match[i] < text->n && match[i] > i ? match[i] + 1 : i + 1) {
        r->alias_other = r->alias_other || HOST_TOKEN_IS_ANY(text, i, others);
        r->alias = is_name(text, i) && !host_is_type_word(text, i) ? i : r->alias;
    }
}

/* The enumerators, and macros between them; returns where they end. */
static size_t read_enum(struct reader *r, size_t i)
{
    static const char *const before[] = {"{", ","};
    const struct host_text *text = r->text;
    size_t at = i + 1;
    while (is_name(text, at) || host_token_is(text, at, ":"))
        at++;
    const size_t close = host_token_is(text, at, "{") ? r->scopes->functions.match[at] : text->n;
    if (close == text->n)
        return i;
    for (; at < close; at++)
        if (text->tokens[at].directive)
            at = read_directive(r, at);
        else if (is_name(text, at) && HOST_TOKEN_IS_ANY(text, at - 1, before))
            add_name(r, at, HOST_ENUMERATOR, false);
    return close;
}

static void read_c(struct reader *r)
{
    const struct host_text *text = r->text;
    const size_t *match = r->scopes->functions.match;
    push(r, text->n, false);
    for (size_t i = 0; i < text->n; i++) {
        if (text->tokens[i].directive) {
            i = read_directive(r, i);
            continue;
        }
        while (r->n_levels > 1 && i >= match[r->levels[r->n_levels - 1].open])
            r->n_levels--;
        bool opens = host_token_is(text, i, "(") || host_token_is(text, i, "[") || host_token_is(text, i, "{");
        if (host_token_is(text, i, "typedef"))
            read_typedef(r, i);
        if (host_token_is(text, i, "enum"))
            i = read_enum(r, i);
        else if (opens)
            push(r, i, host_token_is(text, i, "{") && opens_members(text, i));
        else if (host_token_is(text, i, ";"))
            r->levels[r->n_levels - 1].declares = false;
        else if (i == r->alias && i > 0)
            add_name(r, i, HOST_TYPE_NAME, r->alias_other);
        else if (is_name(text, i))
            read_declarator(r, i);
    }
}

/* ---- Fortran ---- */

/* The tokens that see what statement i declares: those of its type, its block, its program unit or the file. */
static struct host_range seen_by(const struct fortran_text *fortran, size_t i, bool *member)
{
    const struct fortran_statement *list = fortran->list;
    size_t k = list[i].outer, unit = list[i].unit;
    *member = false;
    while (k != FORTRAN_NONE && list[k].kind != FORTRAN_BLOCK && list[k].kind != FORTRAN_DEFINITION)
        k = list[k].outer;
    if (k != FORTRAN_NONE) {
        *member = list[k].kind == FORTRAN_DEFINITION;
        return (struct host_range){list[k].first + 1,
                                   list[k].last == FORTRAN_NONE ? fortran->host->n : list[list[k].last].first};
    }
    if (unit == FORTRAN_NONE || fortran->units[unit].headless)
        return (struct host_range){0, fortran->host->n};
    return (struct host_range){fortran_unit_begin(fortran, unit) + 1, fortran_unit_end(fortran, unit)};
}

/* Names of no declared type are declared by a parameter or data statement. */
static void read_fortran_statement(struct reader *r, size_t i)
{
    const struct fortran_text *fortran = &r->scopes->fortran;
    struct fortran_entities entities;
    struct fortran_entity entity;
    bool member;
    fortran_entities_begin(&entities, fortran, i);
    if (entities.form == FORTRAN_NOTHING || entities.form == FORTRAN_ATTRIBUTED)
        return;
    struct host_range seen = seen_by(fortran, i, &member);
    while (fortran_entities_next(&entities, &entity)) {
        struct host_variable *variable = add(r, entity.name, seen.first, seen.end);
        variable->constant = entity.constant;
        variable->member = member;
        variable->array = entity.array;
        variable->value = entity.value;
        if (entity.type != FORTRAN_UNTYPED)
            variable->type = entity.type == FORTRAN_REAL ? HOST_TYPE_REAL : HOST_TYPE_INTEGER;
    }
}

static void read_fortran(struct reader *r)
{
    for (size_t i = 0; i < r->scopes->fortran.n; i++)
        read_fortran_statement(r, i);
}

/* ---- the whole ---- */

static int by_name(const void *a, const void *b)
{
    const struct host_variable *x = a, *y = b;
    int order = host_words_compare(x->text, x->length, y->text, y->length);
    if (order == 0)
        order = (x->first > y->first) - (x->first < y->first);
    return order != 0 ? order : (x->token > y->token) - (x->token < y->token);
}

/* Declarations of one variable become one. */
static void merge(struct host_scopes *s)
{
    size_t n = 0;
    if (s->n > 0)
        qsort(s->list, s->n, sizeof *s->list, by_name);
    for (size_t i = 0; i < s->n; i++) {
        struct host_variable *last = n > 0 ? &s->list[n - 1] : NULL, *own = &s->list[i];
        if (last && last->first == own->first && last->kind == own->kind &&
            host_words_compare(last->text, last->length, own->text, own->length) == 0) {
            last->constant = last->constant || own->constant;
            last->type = last->type == HOST_TYPE_NONE ? own->type : last->type;
            last->array = last->array || own->array;
            last->value = last->value.first == last->value.end ? own->value : last->value;
        } else {
            s->list[n++] = *own;
        }
    }
    s->n = n;
}

/* The variables of a name: list[*first] ... list[return value - 1]. */
static size_t named(const struct host_scopes *s, const char *word, size_t length, size_t *first)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (host_words_compare(s->list[middle].text, s->list[middle].length, word, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    for (high = s->n; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (host_words_compare(s->list[middle].text, s->list[middle].length, word, length) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The index of the innermost one that token i sees; s->n: none. any: of whatever kind, declared before it. */
static size_t seen(const struct host_scopes *s, const char *word, size_t length, size_t i, bool any)
{
    size_t first, end = named(s, word, length, &first), low = first, high = end;
    while (low < high) { /* the first that begins behind i */
        size_t middle = low + (high - low) / 2;
        if (s->list[middle].first <= i)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > first)
        if (s->list[--low].end >= i && (any ? s->list[low].token < i : s->list[low].kind == HOST_VARIABLE))
            return low;
    return s->n;
}

const struct host_variable *host_variable_seen(const struct host_scopes *s, const char *word, size_t length, size_t i)
{
    size_t k = seen(s, word, length, i, false);
    return k < s->n ? &s->list[k] : NULL;
}

const struct host_variable *host_name_declared(const struct host_scopes *s, const char *word, size_t length, size_t i)
{
    size_t k = seen(s, word, length, i, true);
    return k < s->n ? &s->list[k] : NULL;
}

static void note_change(struct host_variable *variable, enum host_change change, size_t token)
{
    if (variable->constant || (variable->change != HOST_UNCHANGED && variable->changed < token))
        return;
    variable->change = change;
    variable->changed = token;
}

/* Is token i a parameter of the macro whose line begins with token `line`? Then it stands for something else. */
static bool is_macro_parameter(const struct host_scopes *s, size_t line, size_t i)
{
    const struct host_function *list;
    const struct host_text *text = s->functions.text;
    size_t n = is_name(text, line + 2) ? host_functions_named(&s->functions, line + 2, &list) : 0;
    for (size_t k = 0; k < n; k++)
        for (size_t p = 0; list[k].name == line + 2 && p < list[k].n; p++) {
            size_t name = s->functions.parameters[list[k].first + p].name;
            if (name < text->n && host_tokens_same(text, name, i))
                return true;
        }
    return false;
}

static void resolve(struct host_scopes *s)
{
    const struct host_text *text = s->functions.text;
    size_t line = text->n;
    for (size_t i = 0; i < text->n; i++) {
        const struct host_token *token = &text->tokens[i];
        if (token->directive)
            line = i;
        else if (token->kind == HOST_NEWLINE)
            line = text->n;
        enum host_change change = (enum host_change)s->changes[i];
        if (change == HOST_UNCHANGED || (line < text->n && (i <= line + 2 || is_macro_parameter(s, line, i))))
            continue;
        const char *word = text->text + token->at;
        size_t k = line < text->n ? s->n : seen(s, word, token->n, i, false);
        if (k < s->n) {
            note_change(&s->list[k], change, i);
            continue;
        }
        size_t first, end = named(s, word, token->n, &first);
        for (k = first; k < end; k++)
            note_change(&s->list[k], change, i);
    }
}

void host_scopes_read(struct host_scopes *s, const struct host_text *text)
{
    *s = (struct host_scopes){0};
    if (text->fortran)
        fortran_text_read(&s->fortran, text);
    host_functions_read(&s->functions, text, text->fortran ? &s->fortran : NULL);
    s->changes = host_changes_read(&s->functions);
    struct reader r = {.scopes = s, .text = text};
    if (text->fortran)
        read_fortran(&r);
    else
        read_c(&r);
    free(r.levels);
    merge(s);
    resolve(s);
}

void host_scopes_free(struct host_scopes *s)
{
    host_functions_free(&s->functions);
    free(s->changes);
    free(s->list);
    fortran_text_free(&s->fortran);
    *s = (struct host_scopes){0};
}
