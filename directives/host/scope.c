#include "directives/host/scope.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* A bracket, or a program unit, that is open; the first one is the file. */
struct level {
    size_t open;       /* the token; the text's n: the file */
    bool declares;     /* a declaration has begun: names behind its commas are declared too */
    bool constant;     /* it is one of constants */
    bool members;      /* of a struct */
    size_t unit;       /* Fortran: the program unit, SIZE_MAX: the file */
};

struct reader {
    struct host_scopes *scopes;
    const struct host_text *text;
    size_t n_levels, capacity;
    struct level *levels;
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
    size_t unit = r->n_levels > 0 ? r->levels[r->n_levels - 1].unit : SIZE_MAX;
    r->levels[r->n_levels++] = (struct level){.open = open, .members = members, .unit = unit};
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

/* The word before the name of a declarator and its marks: is it a type's? *before: where it is. */
static bool follows_type(const struct host_text *text, size_t i, size_t *before)
{
    size_t at = i;
    while (at > 0 && (host_token_is(text, at - 1, "*") || host_token_is(text, at - 1, "&")))
        at--;
    if (at == 0 || !is_name(text, at - 1) || host_is_keyword(text, at - 1))
        return false;
    *before = at - 1;
    return at == i || host_is_type_word(text, at - 1);
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

static void read_declarator(struct reader *r, size_t i)
{
    static const char *const after[] = {"=", ",", ";", "[", "{", ")", ":"};
    const struct host_text *text = r->text;
    struct level *own = &r->levels[r->n_levels - 1];
    size_t before = i, first, end;
    bool starts = follows_type(text, i, &before), argument;
    size_t comma = i;
    while (comma > 0 && (host_token_is(text, comma - 1, "*") || host_token_is(text, comma - 1, "&")))
        comma--;
    bool more = comma > 0 && host_token_is(text, comma - 1, ",") && own->declares;
    if ((!starts && !more) || !HOST_TOKEN_IS_ANY(text, i + 1, after) || host_is_keyword(text, i) ||
        host_is_type_word(text, i))
        return;
    r->scopes->changes[i] = HOST_UNCHANGED; /* this is its first value */
    if (!scope_of(r, own, &first, &end, &argument))
        return;
    if (starts) {
        if (is_said(text, before, "extern", "extern"))
            return;
        own->declares = !argument;
        own->constant = is_said(text, before, "const", "constexpr");
    }
    struct host_variable *variable = add(r, i, first, end);
    variable->constant = own->constant && !argument;
    variable->argument = argument;
    variable->member = own->members;
    variable->initialised = host_token_is(text, i + 1, "=") || host_token_is(text, i + 1, "{");
}

/* Behind the enumerators; they are constants, and no variables. */
static size_t skip_enum(const struct reader *r, size_t i)
{
    size_t at = i + 1;
    while (is_name(r->text, at) || host_token_is(r->text, at, ":"))
        at++;
    bool body = host_token_is(r->text, at, "{") && r->scopes->functions.match[at] < r->text->n;
    return body ? r->scopes->functions.match[at] : i;
}

static void read_c(struct reader *r)
{
    const struct host_text *text = r->text;
    const size_t *match = r->scopes->functions.match;
    push(r, text->n, false);
    for (size_t i = 0; i < text->n; i++) {
        if (text->tokens[i].directive) {
            while (i < text->n && text->tokens[i].kind != HOST_NEWLINE)
                i++;
            continue;
        }
        while (r->n_levels > 1 && i >= match[r->levels[r->n_levels - 1].open])
            r->n_levels--;
        bool opens = host_token_is(text, i, "(") || host_token_is(text, i, "[") || host_token_is(text, i, "{");
        if (host_token_is(text, i, "enum"))
            i = skip_enum(r, i);
        else if (opens)
            push(r, i, host_token_is(text, i, "{") && opens_members(text, i));
        else if (host_token_is(text, i, ";"))
            r->levels[r->n_levels - 1].declares = false;
        else if (is_name(text, i))
            read_declarator(r, i);
    }
}

/* ---- Fortran ---- */

static size_t line_end(const struct host_text *text, size_t i)
{
    while (i < text->n && text->tokens[i].kind != HOST_NEWLINE)
        i++;
    return i;
}

/* Does the statement begin a program unit? Inside of it names are its own. */
static bool begins_unit(const struct host_text *text, size_t i, size_t end)
{
    if ((host_token_is(text, i, "program") || host_token_is(text, i, "module") ||
         host_token_is(text, i, "submodule")) &&
        !host_token_is(text, i + 1, "procedure") && !host_token_is(text, i + 1, "subroutine") &&
        !host_token_is(text, i + 1, "function"))
        return end > i + 1 && !host_token_is(text, i + 1, "=");
    for (size_t k = i; k + 1 < end && !host_token_is(text, k, "=") && !host_token_is(text, k, "::"); k++) {
        if (host_token_is(text, k, "subroutine") && is_name(text, k + 1))
            return true;
        if (host_token_is(text, k, "function") && is_name(text, k + 1) && host_token_is(text, k + 2, "("))
            return true;
        if (host_token_is(text, k, "end"))
            return false;
    }
    return false;
}

static struct host_variable *declare_fortran(struct reader *r, size_t name, bool constant)
{
    const struct level *level = &r->levels[r->n_levels - 1];
    bool file = level->open == r->text->n;
    struct host_variable *variable = add(r, name, file ? 0 : level->open + 1, r->text->n);
    variable->constant = constant;
    variable->member = level->members;
    variable->initialised = host_token_is(r->text, name + 1, "=");
    return variable;
}

/* A name, or a loop over elements, "(" ... ")", and not an element of an array of this name. */
bool host_data_begins(const struct host_scopes *scopes, size_t i)
{
    const struct host_text *text = scopes->functions.text;
    if (!text->fortran || !host_token_is(text, i, "data") || (i > 0 && text->tokens[i - 1].kind != HOST_NEWLINE))
        return false;
    size_t behind = host_token_is(text, i + 1, "(") ? scopes->functions.match[i + 1] + 1 : text->n;
    return is_name(text, i + 1) || host_token_is(text, behind, "/") || host_token_is(text, behind, ",");
}

/* "data" names "/" values "/" { [ "," ] ... }; names of no declared type are declared by it. */
static void read_fortran_data(struct reader *r, size_t i, size_t end)
{
    bool values = false;
    int depth = 0;
    for (size_t k = i + 1; k < end; k++) {
        depth += host_token_is(r->text, k, "(") - host_token_is(r->text, k, ")");
        if (depth == 0 && host_token_is(r->text, k, "/"))
            values = !values;
        else if (depth == 0 && !values && is_name(r->text, k))
            declare_fortran(r, k, false)->initialised = true;
    }
}

/* A type, its attributes, "::" and entities; "parameter" "(" NAME "=" value { "," ... } ")"; a DATA statement. */
static void read_fortran_declaration(struct reader *r, size_t i, size_t end)
{
    static const char *const types[] = {"integer", "real", "double", "logical", "character", "complex", "type",
                                        "class"};
    const struct host_text *text = r->text;
    if (host_token_is(text, i, "parameter") && host_token_is(text, i + 1, "(")) {
        for (size_t k = i + 2; k < end; k++)
            if (is_name(text, k) && host_token_is(text, k + 1, "="))
                declare_fortran(r, k, true);
        return;
    }
    if (host_data_begins(r->scopes, i))
        read_fortran_data(r, i, end);
    if (!HOST_TOKEN_IS_ANY(text, i, types))
        return;
    bool constant = false, value = false, real = host_token_is(text, i, "real") || host_token_is(text, i, "double");
    enum host_type_kind type = real ? HOST_TYPE_REAL : HOST_TYPE_INTEGER;
    size_t at = i + 1;
    for (size_t k = at; k < end && at == i + 1; k++) {
        constant = constant || host_token_is(text, k, "parameter");
        at = host_token_is(text, k, "::") ? k + 1 : at;
    }
    constant = constant && at > i + 1;
    int depth = 0;
    for (; at < end; at++) {
        depth += host_token_is(text, at, "(") - host_token_is(text, at, ")");
        if (depth == 0 && (host_token_is(text, at, "=") || host_token_is(text, at, ",")))
            value = host_token_is(text, at, "=");
        if (depth == 0 && !value && is_name(text, at))
            declare_fortran(r, at, constant)->type = type;
    }
}

static void enter_unit(struct reader *r, size_t i)
{
    struct host_scopes *s = r->scopes;
    push(r, i, false);
    struct level *own = &r->levels[r->n_levels - 1];
    s->units = alloc_grow(s->units, s->n_units, &s->units_capacity, sizeof *s->units);
    s->units[s->n_units] = (struct host_program_unit){i, r->text->n, own->unit};
    own->unit = s->n_units++;
}

/* Leaves the innermost level: what was declared in it ends before token i. */
static void leave(struct reader *r, size_t i)
{
    const struct level *own = &r->levels[r->n_levels - 1];
    size_t open = own->open;
    if (!own->members)
        r->scopes->units[own->unit].end = i;
    for (size_t k = r->scopes->n; k-- > 0 && r->scopes->list[k].token > open;)
        if (r->scopes->list[k].end == r->text->n)
            r->scopes->list[k].end = i;
    r->n_levels--;
}

static void read_fortran(struct reader *r)
{
    const struct host_text *text = r->text;
    push(r, text->n, false);
    for (size_t i = 0, end; i < text->n; i = end + 1) {
        end = line_end(text, i);
        if (host_token_is(text, i, "#")) /* of the preprocessor */
            continue;
        bool members = r->levels[r->n_levels - 1].members;
        bool ends_members = host_token_is(text, i, "endtype") ||
                            (host_token_is(text, i, "end") && host_token_is(text, i + 1, "type"));
        bool begins_members = host_token_is(text, i, "type") && !host_token_is(text, i + 1, "(") &&
                              !host_token_is(text, i + 1, "=");
        if (members ? ends_members : r->n_levels > 1 && host_ends_unit(text, i))
            leave(r, i);
        else if (begins_members)
            push(r, i, true);
        else if (begins_unit(text, i, end))
            enter_unit(r, i);
        else
            read_fortran_declaration(r, i, end);
    }
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
        if (last && last->first == own->first &&
            host_words_compare(last->text, last->length, own->text, own->length) == 0) {
            last->constant = last->constant || own->constant;
            last->initialised = last->initialised || own->initialised;
            last->type = last->type == HOST_TYPE_NONE ? own->type : last->type;
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

/* Its index; s->n: none. */
static size_t seen(const struct host_scopes *s, const char *word, size_t length, size_t i)
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
        if (s->list[--low].end >= i)
            return low;
    return s->n;
}

const struct host_variable *host_variable_seen(const struct host_scopes *s, const char *word, size_t length, size_t i)
{
    size_t k = seen(s, word, length, i);
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
        size_t k = line < text->n ? s->n : seen(s, word, token->n, i);
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
    host_functions_read(&s->functions, text);
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
    free(s->units);
    *s = (struct host_scopes){0};
}
