#include "directives/parse/parse_impl.h"

#include "common/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const key_texts[] = {
#define X(name) #name,
    KEY_LIST(X)
#undef X
};

const char *key_text(enum key key)
{
    return key_texts[key];
}

static bool starts_key(const struct parser *p)
{
    enum token_kind after = p->token.kind == TOKEN_NAME ? parse_peek(p).kind : TOKEN_END;
    return after == TOKEN_ASSIGN || after == TOKEN_EQ;
}

/* Skips what cannot be read, up to a `&`, a line continuation, the next `NAME =` or the end. */
void parse_recover(struct parser *p)
{
    while (p->token.kind != TOKEN_END && p->token.kind != TOKEN_SEPARATOR && !p->token.first && !starts_key(p))
        parse_advance(p);
    p->panic = false;
    p->recovered = true;
}

bool parse_separator(struct parser *p)
{
    bool recovered = p->recovered;
    p->recovered = false;
    if (p->token.kind == TOKEN_END)
        return false;
    if (p->token.kind == TOKEN_SEPARATOR || p->token.kind == TOKEN_COMMA) {
        struct token separator = p->token;
        parse_advance(p);
        if (p->token.kind == TOKEN_END)
            parse_error(p, parse_place(p, separator),
                        "nothing follows `%.1s`: a directive goes on in a line that starts with `PEVPM &`",
                        p->text + separator.at);
        return p->token.kind != TOKEN_END;
    }
    if (p->token.first || (recovered && starts_key(p)))
        return true;
    if (starts_key(p)) {
        parse_complain(p, parse_place(p, p->token), "expected `&` before `%.*s`", (int)p->token.n,
                       p->text + p->token.at);
        return true;
    }
    if (p->token.kind == TOKEN_BRACE || p->token.kind == TOKEN_UNBRACE) {
        parse_error(p, parse_place(p, p->token), "a brace must be a directive of its own: write it on the next line");
        return false;
    }
    parse_unexpected(p, p->token.kind == TOKEN_CLOSE ? "an operator or `&` (no `(` is open)" : "an operator or `&`");
    parse_recover(p);
    return parse_separator(p);
}

/* A misspelt key is taken for the one it resembles, so that one mistake is one error. */
static enum key misspelt_key(struct parser *p, uint32_t allowed)
{
    const char *candidates[N_KEYS];
    char hint[HINT_BYTES], found[TOKEN_TEXT_BYTES];
    for (int i = 0; i < N_KEYS; i++)
        candidates[i] = allowed >> i & 1 ? key_texts[i] : NULL;
    const char *nearest = suggest_name(p->text + p->token.at, p->token.n, candidates, N_KEYS);
    const char *text = token_text(p->text, p->token, found);
    if (!nearest) {
        parse_error(p, parse_place(p, p->token), "unknown key %s", text);
        return N_KEYS;
    }
    parse_complain(p, parse_place(p, p->token), "unknown key %s%s", text, parse_hint_text(hint, nearest));
    int key = 0;
    while (candidates[key] != nearest)
        key++;
    return (enum key)key;
}

/* The key that the token names; N_KEYS for one that this statement does not have, which is reported. */
static enum key find_key(struct parser *p, uint32_t allowed, const char *statement)
{
    char found[TOKEN_TEXT_BYTES];
    enum key key = N_KEYS;
    for (int i = 0; i < N_KEYS; i++)
        if (parse_token_is(p, p->token, key_texts[i]))
            key = (enum key)i;
    if (key == N_KEYS)
        return misspelt_key(p, allowed);
    if (allowed >> key & 1)
        return key;
    parse_error(p, parse_place(p, p->token), "%s has no key %s", statement, token_text(p->text, p->token, found));
    return N_KEYS;
}

/* request := NAME [ "[" expr "]" ] */
static bool parse_request(struct parser *p, struct request *request)
{
    struct token token = p->token;
    if (token.kind != TOKEN_NAME) {
        parse_unexpected(p, "the name of a request");
        return false;
    }
    struct name *name = parse_intern(p, token);
    if (name->request < 0 && !parse_may_declare(p, token))
        return false;
    parse_advance(p);
    request->index = NULL;
    if (parse_accept(p, TOKEN_BRACKET)) {
        request->index = parse_expr(p);
        if (!request->index || !parse_expect(p, TOKEN_UNBRACKET, "`]`"))
            return false;
    }
    request->at = parse_place_from(p, token);
    if (name->request < 0) {
        struct tree *tree = p->tree;
        tree->requests = alloc_grow(tree->requests, tree->n_requests, &tree->requests_capacity, sizeof *tree->requests);
        name->request = (int)tree->n_requests;
        tree->requests[tree->n_requests++] = (struct request_name){name->text, -1};
    }
    request->name = name->request;
    return true;
}

/* requests := request | "(" request { "," request } ")" */
static void parse_requests(struct parser *p, struct keys *keys)
{
    size_t n = 0, capacity = 0;
    struct request *list = NULL;
    bool several = parse_accept(p, TOKEN_OPEN), fine;
    do {
        list = alloc_grow(list, n, &capacity, sizeof *list);
        fine = parse_request(p, &list[n]);
        n += fine;
    } while (fine && several && parse_accept(p, TOKEN_COMMA));
    if (fine && several)
        parse_expect(p, TOKEN_CLOSE, "`,` or `)`");
    keys->requests = arena_alloc(&p->tree->memory, n, sizeof *list);
    memcpy(keys->requests, list, n * sizeof *list);
    keys->n_requests = (int)n;
    free(list);
}

/* window = NAME */
static void parse_window(struct parser *p, struct keys *keys)
{
    struct tree *tree = p->tree;
    if (p->token.kind != TOKEN_NAME) {
        parse_unexpected(p, "the name of a window");
        return;
    }
    struct name *name = parse_intern(p, p->token);
    if (name->window < 0 && parse_may_declare(p, p->token)) {
        tree->windows = alloc_grow(tree->windows, tree->n_windows, &tree->windows_capacity, sizeof *tree->windows);
        name->window = (int)tree->n_windows;
        tree->windows[tree->n_windows++] = name->text;
    }
    keys->window = name;
    if (!p->panic)
        parse_advance(p);
}

/* var = NAME, source = NAME, ...: a variable of the process. */
static void parse_bound_name(struct parser *p, struct keys *keys, enum key key)
{
    if (p->token.kind != TOKEN_NAME)
        parse_unexpected(p, "a name");
    else if (parse_may_declare(p, p->token))
        keys->name[key] = parse_intern(p, p->token);
    if (!p->panic)
        parse_advance(p);
}

static void parse_word(struct parser *p, struct keys *keys, enum key key)
{
    if (p->token.kind != TOKEN_NAME) {
        parse_unexpected(p, key == WORD_type ? "an operation such as MPI_Send" : "the name of an algorithm");
        return;
    }
    if (key == WORD_type) {
        keys->type = p->token;
    } else {
        p->token = lexer_extend_word(&p->lexer, p->token);
        keys->algorithm = arena_string_n(&p->tree->memory, p->text + p->token.at, p->token.n);
        keys->algorithm_at = parse_place(p, p->token);
    }
    parse_advance(p);
}

static void parse_value(struct parser *p, struct keys *keys, enum key key)
{
    if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_SEPARATOR)
        parse_unexpected(p, "a value");
    else if (key == WORD_request)
        parse_requests(p, keys);
    else if (key == WORD_window)
        parse_window(p, keys);
    else if (key == WORD_type || key == WORD_algorithm)
        parse_word(p, keys, key);
    else if (key == WORD_var || (key >= (enum key)N_EXPR_KEYS && key < (enum key)(N_EXPR_KEYS + N_BIND_KEYS)))
        parse_bound_name(p, keys, key);
    else
        keys->value[key] = parse_expr(p);
}

bool parse_assign(struct parser *p, const char *key)
{
    char expected[96], found[TOKEN_TEXT_BYTES];
    snprintf(expected, sizeof expected, "`=` after `%.60s`", key);
    enum token_kind kind = p->token.kind;
    if (kind == TOKEN_EQ || kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_OPEN) {
        parse_complain(p, parse_place(p, p->token), "expected %s, found %s", expected,
                       token_text(p->text, p->token, found));
        if (kind == TOKEN_EQ)
            parse_advance(p);
        return true;
    }
    return parse_expect(p, TOKEN_ASSIGN, expected);
}

/* key := NAME "=" value */
static void parse_key(struct parser *p, uint32_t allowed, const char *statement, struct keys *keys)
{
    struct token token = p->token;
    if (token.kind != TOKEN_NAME) {
        parse_unexpected(p, "a key");
        if (token.kind != TOKEN_SEPARATOR)
            parse_advance(p);
        return;
    }
    enum key key = find_key(p, allowed, statement);
    parse_advance(p);
    if (key == N_KEYS)
        return;
    struct keys scratch = {.given = 0};
    bool twice = keys->given >> key & 1;
    if (twice) {
        parse_complain(p, parse_place(p, token), "`%s` is given twice", key_texts[key]);
        parse_note(p, keys->at[key], "the first is here");
    } else {
        keys->given |= UINT32_C(1) << key;
        keys->at[key] = parse_place(p, token);
    }
    if (parse_assign(p, key_texts[key]))
        parse_value(p, twice ? &scratch : keys, key);
}

/* keys := key { ( "&" | "," | a line continuation ) key } */
void parse_keys(struct parser *p, uint32_t allowed, const char *statement, struct keys *keys)
{
    memset(keys, 0, sizeof *keys);
    keys->type.kind = TOKEN_END;
    if (p->token.kind == TOKEN_END)
        return;
    do {
        parse_key(p, allowed, statement, keys);
        if (p->panic)
            parse_recover(p);
    } while (parse_separator(p));
    p->panic = false;
}

void parse_require(struct parser *p, const struct keys *keys, uint32_t required, const char *what, struct place at)
{
    char list[200];
    size_t n = 0;
    uint32_t missing = required & ~keys->given;
    for (int i = 0; i < N_KEYS; i++) {
        if (!(missing >> i & 1))
            continue;
        bool last = missing >> i == 1;
        n += (size_t)snprintf(list + n, sizeof list - n, "%s`%s`", n == 0 ? "" : last ? " and " : ", ", key_texts[i]);
    }
    if (missing)
        parse_complain(p, at, "%s needs %s", what, list);
}
