#include "timing/fortran/scope.h"

#include "common/alloc.h"
#include "host/fortran/declaration.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { USED_DEEP = 100 }; /* modules that use modules, files that include files; more would be a circle */

/* The modules that have been asked for a name: many ways lead to each. */
struct visits {
    size_t n, capacity;
    struct visit {
        const struct fortran_unit *unit;
        const char *name;
        size_t n;
    } *list;
};

/* A name that is looked for, in small letters as the texts are. */
struct sought {
    struct fortran_files *files;
    struct visits *visits;
    const char *name;
    size_t n;
    int deep;
    const struct source *includer; /* of the file that is looked at: it knows what that includes; NULL: itself */
};

static bool is_it(const struct sought *sought, const struct host_text *host, size_t i)
{
    const struct host_token *token = &host->tokens[i];
    return token->kind == HOST_NAME && token->n == sought->n &&
           memcmp(host->text + token->at, sought->name, sought->n) == 0;
}

static enum fortran_meaning greater(enum fortran_meaning a, enum fortran_meaning b)
{
    return a > b ? a : b;
}

/* ---- one declaration ---- */

static enum fortran_meaning meaning_of(enum fortran_form form, const struct fortran_entity *entity)
{
    if (entity->procedure)
        return FORTRAN_FUNCTION;
    if (entity->array)
        return FORTRAN_ARRAY;
    if (entity->type == FORTRAN_UNTYPED || form == FORTRAN_PARAMETERS || form == FORTRAN_VALUES)
        return FORTRAN_UNKNOWN;
    return entity->type == FORTRAN_OTHER_TYPE ? FORTRAN_OTHER : FORTRAN_NUMBER;
}

static enum fortran_meaning declared_by(const struct sought *sought, const struct fortran_text *text, size_t i)
{
    struct fortran_entities entities;
    struct fortran_entity entity;
    fortran_entities_begin(&entities, text, i);
    while (fortran_entities_next(&entities, &entity))
        if (is_it(sought, text->host, entity.name))
            return meaning_of(entities.form, &entity);
    return FORTRAN_UNKNOWN;
}

/* ---- modules and files ---- */

static void read_files(struct fortran_files *files)
{
    if (files->read)
        return;
    files->read = true;
    size_t n = 0;
    for (const struct source *file = files->program; file; file = file->next)
        n++;
    files->list = alloc_zeroed(n, sizeof *files->list); /* texts point to hosts beside them, which must not move */
    for (const struct source *file = files->program; file; file = file->next) {
        struct fortran_file *next = &files->list[files->n];
        if ((file->host != HOST_FORTRAN_FREE && file->host != HOST_FORTRAN_FIXED) || !host_text_read(&next->host, file))
            continue;
        fortran_text_read(&next->text, &next->host);
        files->n++;
    }
}

void fortran_files_free(struct fortran_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        fortran_text_free(&files->list[i].text);
        host_text_free(&files->list[i].host);
    }
    free(files->list);
    *files = (struct fortran_files){0};
}

static enum fortran_meaning declared_in(const struct sought *sought, const struct fortran_text *text, size_t unit,
                                        size_t outer);

static bool tokens_same(const struct host_text *a, size_t i, const struct host_text *b, size_t k)
{
    const struct host_token *x = &a->tokens[i], *y = &b->tokens[k];
    return x->n == y->n && memcmp(a->text + x->at, b->text + y->at, x->n) == 0;
}

/* Whether a module has not been asked for the name yet. */
static bool visit(const struct sought *sought, const struct fortran_unit *unit)
{
    struct visits *visits = sought->visits;
    for (size_t i = 0; i < visits->n; i++)
        if (visits->list[i].unit == unit && visits->list[i].n == sought->n &&
            memcmp(visits->list[i].name, sought->name, sought->n) == 0)
            return false;
    visits->list = alloc_grow(visits->list, visits->n, &visits->capacity, sizeof *visits->list);
    visits->list[visits->n++] = (struct visit){unit, sought->name, sought->n};
    return true;
}

/* What a module, whose name is token i, declares of a name. */
static enum fortran_meaning declared_in_module(const struct sought *sought, const struct host_text *host, size_t i)
{
    struct sought deeper = *sought;
    deeper.includer = NULL;
    if (deeper.deep++ >= USED_DEEP)
        return FORTRAN_UNKNOWN;
    read_files(sought->files);
    for (size_t f = 0; f < sought->files->n; f++) {
        const struct fortran_text *text = &sought->files->list[f].text;
        for (size_t u = 0; u < text->n_units; u++) {
            const struct fortran_unit *unit = &text->units[u];
            if (!unit->procedure && unit->name != FORTRAN_NONE && tokens_same(host, i, text->host, unit->name))
                return visit(sought, unit) ? declared_in(&deeper, text, u, FORTRAN_NONE) : FORTRAN_UNKNOWN;
        }
    }
    return FORTRAN_UNKNOWN;
}

static enum fortran_meaning used(const struct sought *sought, const struct host_text *host, const struct fortran_use *use)
{
    struct sought there = *sought;
    return fortran_use_name(host, use, &there.name, &there.n) ? declared_in_module(&there, host, use->module)
                                                              : FORTRAN_UNKNOWN;
}

/* include 'FILE', where the file was found. Its statements are those of the place. */
static enum fortran_meaning included(const struct sought *sought, const struct host_text *host,
                                     const struct fortran_statement *s)
{
    struct sought deeper = *sought;
    const struct host_token *string = &host->tokens[s->end - 1];
    const char *name = host->source->text + string->at + 1;
    enum fortran_meaning meaning = FORTRAN_UNKNOWN;
    if (deeper.deep++ >= USED_DEEP || string->kind != HOST_STRING || string->n < 3)
        return meaning;
    size_t n = string->n - 2;
    deeper.includer = sought->includer ? sought->includer : host->source;
    for (const struct source *file = deeper.includer->included; file; file = file->next) {
        size_t length = strlen(file->name);
        struct host_text inner;
        struct fortran_text text;
        if (length < n || memcmp(file->name + length - n, name, n) != 0 ||
            (length > n && file->name[length - n - 1] != '/') || !host_text_read(&inner, file))
            continue;
        fortran_text_read(&text, &inner);
        if (text.n_units > 0)
            meaning = declared_in(&deeper, &text, 0, FORTRAN_NONE);
        fortran_text_free(&text);
        host_text_free(&inner);
        break;
    }
    return meaning;
}

/* ---- units ---- */

static bool is_enum(const struct fortran_text *text, size_t i)
{
    return i != FORTRAN_NONE && text->list[i].kind == FORTRAN_DEFINITION &&
           host_token_is(text->host, text->list[i].first, "enum");
}

/* What the declarations of a unit say that stand in `outer`; FORTRAN_NONE: in no construct. */
static enum fortran_meaning declared_in(const struct sought *sought, const struct fortran_text *text, size_t unit,
                                        size_t outer)
{
    const struct host_text *host = text->host;
    enum fortran_meaning meaning = FORTRAN_UNKNOWN;
    size_t last = text->units[unit].last;
    for (size_t i = text->units[unit].first; i < text->n && i <= last; i++) {
        const struct fortran_statement *s = &text->list[i];
        struct fortran_use use;
        if (s->unit != unit || s->first == s->end || (s->outer != outer && !is_enum(text, s->outer)))
            continue;
        if (s->kind == FORTRAN_INCLUDE)
            meaning = greater(meaning, included(sought, host, s));
        else if (s->kind == FORTRAN_DECLARES && fortran_use_read(text, i, &use))
            meaning = greater(meaning, used(sought, host, &use));
        else if (s->kind == FORTRAN_DECLARES)
            meaning = greater(meaning, declared_by(sought, text, i));
        else if (s->kind == FORTRAN_DEFINITION && s->first + 2 == s->end && is_it(sought, host, s->first + 1))
            meaning = greater(meaning, host_token_is(host, s->first, "interface") ? FORTRAN_FUNCTION : FORTRAN_OTHER);
    }
    for (size_t u = 0; u < text->n_units && outer == FORTRAN_NONE; u++)
        if ((text->units[u].outer == unit || u == unit) && text->units[u].procedure &&
            text->units[u].name != FORTRAN_NONE && is_it(sought, host, text->units[u].name))
            meaning = greater(meaning, FORTRAN_FUNCTION);
    return meaning;
}

/* "associate" "(" NAME "=>" ... */
static bool is_associated(const struct sought *sought, const struct host_text *host, const struct fortran_statement *s)
{
    for (size_t i = s->first; i + 1 < s->end; i++)
        if (is_it(sought, host, i) && host_token_is(host, i + 1, "=>"))
            return true;
    return false;
}

/* Whether a unit's own statements use the name: *called, with parentheses behind it. */
static bool is_used(const struct sought *sought, const struct fortran_text *text, size_t unit, bool *called)
{
    bool found = false;
    *called = false;
    for (size_t i = text->units[unit].first; i < text->n && i <= text->units[unit].last; i++) {
        const struct fortran_statement *s = &text->list[i];
        for (size_t k = s->first; k < s->end && s->unit == unit && s->kind != FORTRAN_DECLARES; k++) {
            if (!is_it(sought, text->host, k) || (k > s->first && host_token_is(text->host, k - 1, "%")))
                continue;
            found = true;
            *called = *called || (k + 1 < s->end && host_token_is(text->host, k + 1, "("));
        }
    }
    return found;
}

/* May names of a unit be numbers without a declaration? Not under `implicit none`, nor where some are something else. */
static bool may_be_implicit(const struct fortran_text *text, size_t unit)
{
    static const char *const others[] = {"none", "logical", "character", "complex", "type", "class", "byte"};
    for (size_t u = unit; u != FORTRAN_NONE; u = text->units[u].outer)
        for (size_t i = text->units[u].first; i < text->n && i <= text->units[u].last; i++) {
            const struct fortran_statement *s = &text->list[i];
            if (s->unit != u || s->kind != FORTRAN_DECLARES || !host_token_is(text->host, s->first, "implicit"))
                continue;
            for (size_t k = s->first + 1; k < s->end; k++)
                if (HOST_TOKEN_IS_ANY(text->host, k, others))
                    return false;
        }
    return true;
}

/* A submodule sees its ancestors. */
static enum fortran_meaning declared_in_ancestor(const struct sought *sought, const struct fortran_text *text, size_t unit)
{
    struct fortran_use use;
    bool inherits = !text->units[unit].headless && fortran_use_read(text, text->units[unit].first, &use) && use.inherits;
    return inherits ? declared_in_module(sought, text->host, use.module) : FORTRAN_UNKNOWN;
}

/* What declarations say of the name that is sought at statement i. */
static enum fortran_meaning declared_at(const struct sought *sought, const struct fortran_text *text, size_t i)
{
    const struct fortran_statement *s = &text->list[i];
    enum fortran_meaning meaning = FORTRAN_UNKNOWN;
    for (size_t k = s->outer; k != FORTRAN_NONE && meaning == FORTRAN_UNKNOWN; k = text->list[k].outer) {
        if (text->list[k].kind == FORTRAN_BLOCK)
            meaning = declared_in(sought, text, s->unit, k);
        else if (text->list[k].kind == FORTRAN_CONSTRUCT && is_associated(sought, text->host, &text->list[k]))
            meaning = FORTRAN_OTHER;
    }
    for (size_t u = s->unit; u != FORTRAN_NONE && meaning == FORTRAN_UNKNOWN; u = text->units[u].outer) {
        meaning = declared_in(sought, text, u, FORTRAN_NONE);
        if (meaning == FORTRAN_UNKNOWN)
            meaning = declared_in_ancestor(sought, text, u);
    }
    return meaning;
}

/* What the name that is sought is at statement i. */
static enum fortran_meaning find(const struct sought *sought, const struct fortran_text *text, size_t i)
{
    const struct fortran_statement *s = &text->list[i];
    bool called = false, used_here = false;
    if (s->unit == FORTRAN_NONE)
        return FORTRAN_UNKNOWN;
    enum fortran_meaning meaning = declared_at(sought, text, i);
    for (size_t u = s->unit; u != FORTRAN_NONE && !used_here; u = text->units[u].outer)
        used_here = is_used(sought, text, u, &called);
    if (meaning == FORTRAN_UNKNOWN && used_here && may_be_implicit(text, s->unit))
        meaning = FORTRAN_NUMBER;
    return meaning == FORTRAN_NUMBER && called ? FORTRAN_FUNCTION : meaning;
}

enum fortran_meaning fortran_scope_find(struct fortran_files *files, const struct fortran_text *text, size_t i,
                                        const char *name, size_t n)
{
    char *small = alloc_string_n(name, n);
    for (size_t k = 0; k < n; k++)
        small[k] = (char)tolower((unsigned char)small[k]);
    struct visits visits = {0};
    enum fortran_meaning meaning = find(&(struct sought){files, &visits, small, n, 0, NULL}, text, i);
    free(visits.list);
    free(small);
    return meaning;
}

/* NAME "(" NAME { "," NAME } ")" "=" ... */
bool fortran_is_statement_function(struct fortran_files *files, const struct fortran_text *text, size_t i)
{
    const struct host_text *host = text->host;
    const struct fortran_statement *s = &text->list[i];
    size_t at = s->first + 1;
    if (s->kind != FORTRAN_EXECUTES || s->outer != FORTRAN_NONE || s->unit == FORTRAN_NONE || at >= s->end ||
        !host_token_is(host, at, "("))
        return false;
    for (bool name = false; ++at < s->end && !(name && host_token_is(host, at, ")"));) {
        name = host->tokens[at].kind == HOST_NAME;
        if (!name && !host_token_is(host, at, ","))
            return false;
    }
    if (at + 1 >= s->end || !host_token_is(host, at + 1, "="))
        return false;
    struct visits visits = {0};
    const struct sought sought = {files, &visits, host->text + host->tokens[s->first].at, host->tokens[s->first].n, 0,
                                  NULL};
    enum fortran_meaning meaning = declared_at(&sought, text, i);
    free(visits.list);
    return meaning == FORTRAN_NUMBER || meaning == FORTRAN_OTHER;
}
