#include "host/function.h"

#include "common/alloc.h"
#include "host/change.h"

#include <stdlib.h>
#include <string.h>

enum { UNCLOSED_MOST = 100 }; /* brackets that a bracket further out closes as well; bounds the time for nonsense */

static bool is_name(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

bool host_is_keyword(const struct host_text *text, size_t i)
{
    static const char *const words[] = {"return", "else", "goto",   "case", "do",  "sizeof", "struct", "union",
                                        "enum",   "if",   "for",    "while", "switch", "typedef"};
    static const char *const of_cpp[] = {"throw",    "new",      "delete",    "using",  "namespace", "class",
                                         "operator", "template", "typename",  "public", "private",   "protected",
                                         "catch",    "co_return", "co_yield", "and",    "or",        "not"};
    return HOST_TOKEN_IS_ANY(text, i, words) || (!text->only_c && HOST_TOKEN_IS_ANY(text, i, of_cpp));
}

int host_words_compare(const char *a, size_t n_a, const char *b, size_t n_b)
{
    int order = memcmp(a, b, n_a < n_b ? n_a : n_b);
    return order != 0 ? order : (n_a > n_b) - (n_a < n_b);
}

bool host_tokens_same(const struct host_text *text, size_t i, size_t k)
{
    const struct host_token *a = &text->tokens[i], *b = &text->tokens[k];
    return a->n == b->n && memcmp(text->text + a->at, text->text + b->at, a->n) == 0;
}

/* ---- brackets ---- */

static char bracket_of(const struct host_text *text, size_t i)
{
    const struct host_token *token = &text->tokens[i];
    char c = token->kind == HOST_MARK && token->n == 1 ? text->text[token->at] : ' ';
    return c != '\0' && strchr("()[]{}", c) ? c : ' ';
}

/* One that nothing closes has no partner. Lines of C's preprocessor are apart: their brackets need not balance. */
static void match_brackets(struct host_functions *f)
{
    const struct host_text *text = f->text;
    size_t *open = alloc_array(text->n, sizeof *open), n = 0, floor = 0;
    for (size_t i = 0; i < text->n; i++) {
        f->match[i] = text->n;
        if (text->tokens[i].directive)
            floor = n;
        if (text->tokens[i].kind == HOST_NEWLINE && !text->fortran) {
            n = floor < n ? floor : n;
            floor = 0;
        }
        char c = bracket_of(text, i);
        if (c == '(' || c == '[' || c == '{')
            open[n++] = i;
        char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (c != ')' && c != ']' && c != '}')
            continue;
        size_t k = n, least = n > floor + UNCLOSED_MOST ? n - UNCLOSED_MOST : floor;
        while (k > least && bracket_of(text, open[k - 1]) != opener)
            k--;
        if (k == least)
            continue;
        n = k - 1;
        f->match[i] = open[n];
        f->match[open[n]] = i;
    }
    free(open);
}

size_t host_statement_end(const struct host_functions *f, size_t i)
{
    static const char *const heads[] = {"for", "if", "while", "switch", "catch"};
    const struct host_text *text = f->text;
    for (bool head = true; head;) {
        head = false;
        for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
            head = head || host_token_is(text, i, heads[k]);
        if (head && host_token_is(text, i + 1, "(") && f->match[i + 1] < text->n)
            i = f->match[i + 1] + 1;
        else if (host_token_is(text, i, "do") || host_token_is(text, i, "else"))
            i++, head = true;
        else
            head = false;
    }
    if (host_token_is(text, i, "{"))
        return f->match[i] < text->n ? f->match[i] + 1 : text->n;
    while (i < text->n && !host_token_is(text, i, ";") && !host_token_is(text, i, "}"))
        i = bracket_of(text, i) != ' ' && f->match[i] < text->n && f->match[i] > i ? f->match[i] + 1 : i + 1;
    return i < text->n ? i + 1 : text->n;
}

bool host_argument_next(const struct host_functions *f, size_t *at, size_t close, struct host_range *argument)
{
    size_t i = *at;
    if (i >= close)
        return false;
    argument->first = i;
    while (i < close && !host_token_is(f->text, i, ","))
        i = f->match[i] < close && f->match[i] > i ? f->match[i] + 1 : i + 1;
    argument->end = i;
    *at = i + 1;
    return true;
}

/* ---- functions ---- */

static void add(struct host_functions *f, size_t name, bool macro, struct host_range body)
{
    f->list = alloc_grow(f->list, f->n, &f->capacity, sizeof *f->list);
    const struct host_token *token = &f->text->tokens[name];
    f->list[f->n++] = (struct host_function){.text = f->text->text + token->at, .length = token->n, .name = name,
                                             .macro = macro, .body = body, .first = f->n_parameters};
}

static void add_parameter(struct host_functions *f, size_t name, bool by_reference)
{
    f->parameters = alloc_grow(f->parameters, f->n_parameters, &f->parameters_capacity, sizeof *f->parameters);
    f->parameters[f->n_parameters++] = (struct host_parameter){name, by_reference};
    f->list[f->n - 1].n++;
}

/* A parameter's name is the last one before its `=`, `[` or end; a type alone is none. */
static void read_parameters(struct host_functions *f, size_t open, size_t close)
{
    const struct host_text *text = f->text;
    struct host_range range;
    for (size_t at = open + 1; host_argument_next(f, &at, close, &range);) {
        size_t name = text->n, words = 0;
        bool reference = false, fixed = false;
        for (size_t i = range.first; i < range.end; i++) {
            if (host_token_is(text, i, "=") || host_token_is(text, i, "["))
                break;
            reference = reference || host_token_is(text, i, "&");
            fixed = fixed || host_token_is(text, i, "const");
            words += is_name(text, i);
            name = is_name(text, i) ? i : name;
        }
        add_parameter(f, words > 1 || text->fortran ? name : text->n, reference && !fixed);
    }
}

size_t host_body_of(const struct host_functions *f, size_t open)
{
    const struct host_text *text = f->text;
    size_t i = f->match[open] < text->n ? f->match[open] + 1 : text->n;
    bool initialisers = false;
    while (i < text->n && !host_token_is(text, i, ";") && !host_token_is(text, i, "}") &&
           !host_token_is(text, i, "=") && !host_token_is(text, i, ")") && (initialisers || !text->tokens[i].directive)) {
        initialisers = initialisers || host_token_is(text, i, ":");
        bool braces = host_token_is(text, i, "{");
        if (braces && !(initialisers && is_name(text, i - 1))) /* which are members' */
            return f->match[i] < text->n ? i : text->n;
        i = f->match[i] < text->n && f->match[i] > i ? f->match[i] + 1 : i + 1;
    }
    return text->n;
}

/* A name and its `(`: is it declared here, and not called? */
static bool is_declarator(const struct host_functions *f, size_t i)
{
    const struct host_text *text = f->text;
    size_t before = i;
    while (before > 0 && (host_token_is(text, before - 1, "*") || host_token_is(text, before - 1, "&")))
        before--;
    if (before == 0 || host_is_keyword(text, i))
        return false;
    bool type = is_name(text, before - 1) && !host_is_keyword(text, before - 1);
    bool template = before == i && host_token_is(text, before - 1, ">");
    bool member = before == i && host_token_is(text, before - 1, "::");
    return type || template || member;
}

static void read_c_function(struct host_functions *f, size_t name, size_t open)
{
    size_t close = f->match[open];
    if (close >= f->text->n)
        return;
    size_t body = host_body_of(f, open);
    struct host_range range = {0, 0};
    if (body < f->text->n)
        range = (struct host_range){body, f->match[body] + 1};
    add(f, name, false, range);
    read_parameters(f, open, close);
}

/* "#" "define" NAME "(" NAME { "," NAME } ")" body. Returns the end of the line. */
static size_t read_macro(struct host_functions *f, size_t i)
{
    const struct host_text *text = f->text;
    size_t end = i;
    while (end < text->n && text->tokens[end].kind != HOST_NEWLINE)
        end++;
    if (!host_token_is(text, i + 1, "define") || !is_name(text, i + 2) || !host_token_is(text, i + 3, "(") ||
        text->tokens[i + 3].at != text->tokens[i + 2].at + text->tokens[i + 2].n || f->match[i + 3] >= end)
        return end;
    size_t close = f->match[i + 3];
    struct host_range argument;
    add(f, i + 2, true, (struct host_range){close + 1, end});
    for (size_t at = i + 4; host_argument_next(f, &at, close, &argument);) {
        bool changes = false;
        for (size_t k = close + 1; k < end && is_name(text, argument.first); k++)
            changes = changes || (host_tokens_same(text, k, argument.first) &&
                                  host_change_plain(f, k) != HOST_UNCHANGED);
        add_parameter(f, is_name(text, argument.first) ? argument.first : text->n, changes);
    }
    return end;
}

/* NAME "=" "[" ... "]" "(" parameters ")": C++'s lambda. The token of its `(`; text->n where there is none. */
static size_t lambda_of(const struct host_functions *f, size_t name)
{
    const struct host_text *text = f->text;
    if (!host_token_is(text, name + 1, "=") || !host_token_is(text, name + 2, "["))
        return text->n;
    size_t close = f->match[name + 2];
    return close < text->n && host_token_is(text, close + 1, "(") ? close + 1 : text->n;
}

static void read_c(struct host_functions *f)
{
    const struct host_text *text = f->text;
    for (size_t i = 0; i < text->n; i++) {
        if (text->tokens[i].directive) {
            i = read_macro(f, i);
            continue;
        }
        size_t lambda = is_name(text, i) ? lambda_of(f, i) : text->n;
        if (lambda < text->n)
            read_c_function(f, i, lambda);
        else if (is_name(text, i) && host_token_is(text, i + 1, "(") && is_declarator(f, i))
            read_c_function(f, i, i + 1);
    }
}

/* Subroutines and functions; what they contain is no part of their bodies. */
static void read_fortran(struct host_functions *f)
{
    static const char *const kinds[] = {"subroutine", "function"};
    const struct host_text *text = f->text;
    for (size_t u = 0; u < f->fortran->n_units; u++) {
        const struct fortran_unit *unit = &f->fortran->units[u];
        if (unit->name == FORTRAN_NONE || !HOST_TOKEN_IS_ANY(text, unit->name - 1, kinds))
            continue;
        size_t open = unit->name + 1, close = host_token_is(text, open, "(") ? f->match[open] : text->n;
        size_t from = close < text->n ? close + 1 : open,
               end = unit->contains == FORTRAN_NONE ? fortran_unit_end(f->fortran, u)
                                                    : f->fortran->list[unit->contains].first;
        add(f, unit->name, false, (struct host_range){from, end});
        if (close < text->n)
            read_parameters(f, open, close);
    }
}

/* ---- the whole ---- */

static int by_name(const void *a, const void *b)
{
    const struct host_function *x = a, *y = b;
    int order = host_words_compare(x->text, x->length, y->text, y->length);
    return order != 0 ? order : (x->name > y->name) - (x->name < y->name);
}

size_t host_functions_of(const struct host_functions *f, const char *word, size_t length,
                         const struct host_function **first)
{
    size_t low = 0, high = f->n, n = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (host_words_compare(f->list[middle].text, f->list[middle].length, word, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + n < f->n && host_words_compare(f->list[low + n].text, f->list[low + n].length, word, length) == 0)
        n++;
    *first = n > 0 ? f->list + low : NULL; /* a list of none is no array to point into */
    return n;
}

size_t host_functions_named(const struct host_functions *f, size_t i, const struct host_function **first)
{
    const struct host_token *token = &f->text->tokens[i];
    return host_functions_of(f, f->text->text + token->at, token->n, first);
}

void host_functions_read(struct host_functions *f, const struct host_text *text, const struct fortran_text *fortran)
{
    *f = (struct host_functions){.text = text, .fortran = fortran};
    f->match = alloc_array(text->n, sizeof *f->match);
    match_brackets(f);
    if (fortran)
        read_fortran(f);
    else
        read_c(f);
    if (f->n > 0)
        qsort(f->list, f->n, sizeof *f->list, by_name);
}

void host_functions_free(struct host_functions *f)
{
    free(f->match);
    free(f->list);
    free(f->parameters);
    *f = (struct host_functions){0};
}
