#include "timing/c/scope.h"

#include "common/alloc.h"
#include "host/facts.h"

#include <stdlib.h>
#include <string.h>

/* A declaration as it is being read. */
struct declaration {
    size_t at;
    size_t n_words, last;  /* names so far, and the token of the last */
    size_t type;           /* the one before it */
    bool structure, pointer;
};

static bool is_mark(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_MARK;
}

static bool is_word(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

static bool is_one_of(const struct host_text *text, size_t i, const char *const words[], size_t n)
{
    for (size_t w = 0; w < n; w++)
        if (host_token_is(text, i, words[w]))
            return true;
    return false;
}
#define IS_ONE_OF(text, i, words) is_one_of(text, i, words, sizeof(words) / sizeof *(words))

/* +1, -1: a bracket opens, closes. */
static int bracket(const struct host_text *text, size_t i)
{
    static const char *const opens[] = {"(", "[", "{"}, *const closes[] = {")", "]", "}"};
    return !is_mark(text, i) ? 0 : IS_ONE_OF(text, i, opens) ? 1 : IS_ONE_OF(text, i, closes) ? -1 : 0;
}

/* The token behind what the bracket at i opens. */
static size_t behind_bracket(const struct host_text *text, size_t i)
{
    int depth = 0;
    for (; i < text->n; i++) {
        depth += bracket(text, i);
        if (depth <= 0)
            return i + 1;
    }
    return i;
}

static void add(struct code_scope *scope, size_t token, enum code_scope_meaning meaning, int depth)
{
    scope->names = alloc_grow(scope->names, scope->n, &scope->capacity, sizeof *scope->names);
    scope->names[scope->n++] = (struct scope_name){token, meaning, depth};
}

static void forget_deeper(struct code_scope *scope, int depth)
{
    size_t kept = 0;
    for (size_t i = 0; i < scope->n; i++)
        if (scope->names[i].depth <= depth)
            scope->names[kept++] = scope->names[i];
    scope->n = kept;
}

enum code_scope_meaning code_scope_find(const struct code_scope *scope, const char *name, size_t n)
{
    const struct host_text *text = scope->text;
    for (size_t i = scope->n; i-- > 0;) {
        const struct host_token *token = &text->tokens[scope->names[i].token];
        if (token->n == n && memcmp(text->text + token->at, name, n) == 0)
            return scope->names[i].meaning;
    }
    struct fact fact; /* what headers declare, where a compiler has said it */
    for (const char *at = text->source->facts; facts_next(&at, &fact);)
        if ((fact.kind == FACT_MACRO || fact.kind == FACT_CONSTANT) && fact.name_length == n &&
            memcmp(fact.name, name, n) == 0)
            return SCOPE_NUMBER;
    return SCOPE_UNKNOWN;
}

/* ---- the preprocessor ---- */

/* # define NAME ...; # undef NAME. Returns the token behind the line. */
static size_t take_directive(struct code_scope *scope, size_t i)
{
    const struct host_text *text = scope->text;
    const struct host_token *name = i + 2 < text->n ? &text->tokens[i + 2] : NULL;
    if (name && name->kind == HOST_NAME && host_token_is(text, i + 1, "define")) {
        const struct host_token *next = i + 3 < text->n ? &text->tokens[i + 3] : NULL;
        bool empty = !next || next->kind == HOST_NEWLINE || next->kind == HOST_STRING;
        bool function = !empty && next->at == name->at + name->n && host_token_is(text, i + 3, "(");
        add(scope, i + 2, empty ? SCOPE_OTHER : function ? SCOPE_FUNCTION : SCOPE_NUMBER, 0);
    } else if (name && name->kind == HOST_NAME && host_token_is(text, i + 1, "undef")) {
        add(scope, i + 2, SCOPE_UNKNOWN, 0);
    }
    while (i < text->n && text->tokens[i].kind != HOST_NEWLINE)
        i++;
    return i + 1;
}

/* ---- declarations ---- */

/* Names and what stands between them: `const struct atoms *restrict a`. False: no declaration starts so. */
static bool read_words(const struct code_scope *scope, struct declaration *d)
{
    static const char *const statements[] = {"return", "goto",  "if",     "else",  "while", "do",      "switch",
                                             "case",   "default", "for", "throw",  "delete", "new", "using",
                                             "typedef", "sizeof"};
    static const char *const structures[] = {"struct", "union", "class", "void"};
    static const char *const between[] = {"*", "&", "&&", "::"};
    const struct host_text *text = scope->text;
    for (;; d->at++) {
        if (is_word(text, d->at)) {
            if (IS_ONE_OF(text, d->at, statements))
                return false;
            d->structure = d->structure || IS_ONE_OF(text, d->at, structures);
            d->type = d->last;
            d->last = d->at;
            d->n_words++;
        } else if (d->n_words > 0 && is_mark(text, d->at) && IS_ONE_OF(text, d->at, between)) {
            d->pointer = d->pointer || host_token_is(text, d->at, "*");
        } else {
            return d->n_words >= 2;
        }
    }
}

static enum code_scope_meaning meaning_of(const struct code_scope *scope, const struct declaration *d)
{
    const struct host_text *text = scope->text;
    const struct host_token *type = &text->tokens[d->type];
    if (host_token_is(text, d->at, "("))
        return SCOPE_FUNCTION;
    bool other = d->structure || d->pointer || host_token_is(text, d->at, "[") ||
                 code_scope_find(scope, text->text + type->at, type->n) == SCOPE_OTHER_TYPE;
    return other ? SCOPE_OTHER : SCOPE_NUMBER;
}

/* Where the declarator that ends at i makes room for the next: a comma; or the end. */
static size_t behind_declarator(const struct host_text *text, size_t i)
{
    static const char *const ends[] = {",", ";", ")", "}"};
    while (i < text->n && !(is_mark(text, i) && IS_ONE_OF(text, i, ends)))
        i = bracket(text, i) > 0 ? behind_bracket(text, i) : i + 1;
    return i;
}

static void take_parameters(struct code_scope *scope, size_t open, int depth);

/* A declaration that starts at token i, if one does. In parameters each is one of its own. */
static void take_declaration(struct code_scope *scope, size_t i, int depth, bool parameter)
{
    static const char *const ends[] = {"=", ";", ",", "[", "(", ")", ":", "{"};
    const struct host_text *text = scope->text;
    struct declaration d = {.at = i};
    if (!read_words(scope, &d) || !is_mark(text, d.at) || !IS_ONE_OF(text, d.at, ends) ||
        (d.structure && d.n_words == 2 && host_token_is(text, d.at, "{"))) /* the body of a structure */
        return;
    for (;;) {
        enum code_scope_meaning meaning = meaning_of(scope, &d);
        add(scope, d.last, meaning, depth);
        if (meaning == SCOPE_FUNCTION && !parameter) {
            take_parameters(scope, d.at, depth + 1);
            return;
        }
        d.at = behind_declarator(text, d.at);
        if (parameter || !host_token_is(text, d.at, ","))
            return;
        for (d.pointer = false, d.at++; host_token_is(text, d.at, "*"); d.at++)
            d.pointer = true;
        if (!is_word(text, d.at))
            return;
        d.last = d.at++;
    }
}

static void take_parameters(struct code_scope *scope, size_t open, int depth)
{
    const struct host_text *text = scope->text;
    size_t end = behind_bracket(text, open), i = open + 1;
    while (i < end) {
        take_declaration(scope, i, depth, true);
        while (i < end && !host_token_is(text, i, ","))
            i = bracket(text, i) > 0 ? behind_bracket(text, i) : i + 1;
        i++;
    }
}

/* enum [NAME] { A, B = 3 }: the names belong to what is around. */
static void take_enumerators(struct code_scope *scope, size_t i, int depth)
{
    const struct host_text *text = scope->text;
    while (is_word(text, i) || host_token_is(text, i, ":"))
        i++;
    if (!host_token_is(text, i, "{"))
        return;
    for (size_t end = behind_bracket(text, i); ++i < end;)
        if (is_word(text, i) && (host_token_is(text, i - 1, "{") || host_token_is(text, i - 1, ",")))
            add(scope, i, SCOPE_NUMBER, depth);
}

/* typedef ... NAME; */
static void take_typedef(struct code_scope *scope, size_t i, int depth)
{
    static const char *const others[] = {"struct", "union", "class", "*", "[", "(", "void"};
    const struct host_text *text = scope->text;
    size_t name = i;
    bool other = false;
    for (i++; i < text->n && !host_token_is(text, i, ";"); i = bracket(text, i) > 0 ? behind_bracket(text, i) : i + 1) {
        const struct host_token *token = &text->tokens[i];
        other = other || IS_ONE_OF(text, i, others) ||
                (token->kind == HOST_NAME &&
                 code_scope_find(scope, text->text + token->at, token->n) == SCOPE_OTHER_TYPE);
        name = is_word(text, i) ? i : name;
    }
    add(scope, name, other ? SCOPE_OTHER_TYPE : SCOPE_NUMBER_TYPE, depth);
}

/* ---- the whole ---- */

static bool statement_starts(const struct host_text *text, size_t i)
{
    static const char *const before[] = {";", "{", "}"}, *const words[] = {"else", "do"};
    if (i == 0 || text->tokens[i - 1].kind == HOST_NEWLINE)
        return true;
    if (host_token_is(text, i - 1, "("))
        return i > 1 && host_token_is(text, i - 2, "for");
    return IS_ONE_OF(text, i - 1, before) || IS_ONE_OF(text, i - 1, words);
}

void code_scope_read(struct code_scope *scope, const struct host_text *text, size_t offset)
{
    int depth = 0, parentheses = 0;
    *scope = (struct code_scope){.text = text};
    for (size_t i = 0; i < text->n && text->tokens[i].at < offset;) {
        if (text->tokens[i].directive) {
            i = take_directive(scope, i);
            continue;
        }
        if (host_token_is(text, i, "enum"))
            take_enumerators(scope, i + 1, depth);
        if (host_token_is(text, i, "typedef"))
            take_typedef(scope, i, depth);
        else if (is_word(text, i) && statement_starts(text, i)) /* that of a `for` is in its body */
            take_declaration(scope, i, depth + (i > 0 && host_token_is(text, i - 1, "(")), false);
        if (host_token_is(text, i, "{")) {
            depth++;
        } else if (host_token_is(text, i, "}")) {
            depth -= depth > 0;
            forget_deeper(scope, depth);
        } else if (host_token_is(text, i, ";") && parentheses == 0) {
            forget_deeper(scope, depth); /* parameters without a body */
        }
        parentheses += host_token_is(text, i, "(") ? 1 : host_token_is(text, i, ")") ? -1 : 0;
        i++;
    }
}

void code_scope_free(struct code_scope *scope)
{
    free(scope->names);
    *scope = (struct code_scope){0};
}
