#include "directives/host_value_impl.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* One thing that the text says of a name. */
/* CHANGED: counted with, or computed from itself. SHARED: others may change it: its address is taken. */
enum fact_kind { FACT_DEFINED, FACT_DECLARED, FACT_CHANGED, FACT_SHARED, FACT_RANK, FACT_SIZE, FACT_DUPLICATE };
struct fact {
    const char *name;
    size_t n;
    enum fact_kind kind;
    bool first_value;      /* DEFINED: where it is declared */
    bool macro;            /* DEFINED: by #define */
    struct host_range range;
    int64_t more;
};

struct gathering {
    const struct host_text *text;
    const struct host_scopes *scopes;
    size_t n, capacity;
    struct fact *facts;
};

static bool is_name(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

static struct fact *add(struct gathering *g, size_t i, enum fact_kind kind)
{
    const struct host_token *token = &g->text->tokens[i];
    g->facts = alloc_grow(g->facts, g->n, &g->capacity, sizeof *g->facts);
    struct fact *fact = &g->facts[g->n++];
    *fact = (struct fact){.name = g->text->text + token->at, .n = token->n, .kind = kind};
    return fact;
}

/* Where an initialiser or an assigned value ends. */
static size_t value_end(const struct host_text *text, size_t i)
{
    int depth = 0;
    for (; i < text->n && text->tokens[i].kind != HOST_NEWLINE; i++) {
        bool opens = host_token_is(text, i, "(") || host_token_is(text, i, "[") || host_token_is(text, i, "{");
        bool closes = host_token_is(text, i, ")") || host_token_is(text, i, "]") || host_token_is(text, i, "}");
        if ((closes && depth == 0) || host_token_is(text, i, ";") || (depth == 0 && host_token_is(text, i, ",")))
            break;
        depth += opens - closes;
    }
    return i;
}

static size_t line_end(const struct host_text *text, size_t i)
{
    while (i < text->n && text->tokens[i].kind != HOST_NEWLINE)
        i++;
    return i;
}

/* "#" "define" NAME ...; returns the end of the line. */
static size_t gather_preprocessor(struct gathering *g, size_t i)
{
    const struct host_text *text = g->text;
    size_t end = line_end(text, i);
    if (!host_token_is(text, i + 1, "define") || !is_name(text, i + 2) || i + 2 >= end)
        return end;
    const struct host_token *name = &text->tokens[i + 2];
    bool has_arguments = host_token_is(text, i + 3, "(") && text->tokens[i + 3].at == name->at + name->n;
    struct fact *fact = add(g, i + 2, has_arguments ? FACT_SHARED : FACT_DEFINED);
    fact->macro = true;
    fact->range = (struct host_range){i + 3, end};
    return end;
}

/* "enum" [ NAME ] "{" NAME [ "=" value ] { "," ... } "}"; returns the token where to go on. */
static size_t gather_enum(struct gathering *g, size_t i)
{
    const struct host_text *text = g->text;
    size_t at = i + 1;
    while (is_name(text, at) || host_token_is(text, at, ":"))
        at++;
    if (!host_token_is(text, at, "{"))
        return i;
    struct host_range base = {0, 0}; /* empty: 0 */
    int64_t more = 0;
    do {
        at++;
        if (!is_name(text, at))
            break;
        size_t name = at++;
        if (host_token_is(text, at, "=")) {
            size_t end = value_end(text, at + 1);
            base = (struct host_range){at + 1, end};
            more = 0;
            at = end;
        }
        struct fact *fact = add(g, name, FACT_DEFINED);
        fact->range = base;
        fact->more = more++;
    } while (host_token_is(text, at, ","));
    return at;
}

/* The variable that an output argument names. */
static bool output_name(const struct host_text *text, struct host_range argument, size_t *name)
{
    bool address = !text->fortran;
    if (argument.end - argument.first != (address ? 2 : 1) || (address && !host_token_is(text, argument.first, "&")))
        return false;
    *name = argument.end - 1;
    return is_name(text, *name);
}

/* MPI_Comm_rank, MPI_Comm_size, MPI_Comm_dup. */
static bool gather_communicator(struct gathering *g, size_t i, size_t *next)
{
    static const struct {
        const char *name;
        enum fact_kind kind;
    } calls[] = {{"MPI_Comm_rank", FACT_RANK}, {"MPI_Comm_size", FACT_SIZE}, {"MPI_Comm_dup", FACT_DUPLICATE}};
    struct host_call call;
    size_t name;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        if (!host_token_is(g->text, i, calls[k].name) || !host_call_read(g->text, i, &call) || call.n < 2 ||
            !output_name(g->text, call.arguments[1], &name))
            continue;
        add(g, name, calls[k].kind)->range = call.arguments[0];
        *next = call.end;
        return true;
    }
    return false;
}

/* Fortran: what a statement that starts at token i declares. */
static void gather_fortran_statement(struct gathering *g, size_t i)
{
    static const char *const types[] = {"integer", "real", "double", "logical", "character", "type"};
    const struct host_text *text = g->text;
    size_t end = line_end(text, i), at = i + 1;
    if (!HOST_TOKEN_IS_ANY(text, i, types))
        return;
    for (size_t k = at; k < end; k++)
        at = host_token_is(text, k, "::") ? k + 1 : at;
    int depth = 0;
    bool value = false;
    for (; at < end; at++) {
        depth += host_token_is(text, at, "(") - host_token_is(text, at, ")");
        value = host_token_is(text, at, "=") || (value && !(depth == 0 && host_token_is(text, at, ",")));
        if (depth == 0 && !value && is_name(text, at))
            add(g, at, FACT_DECLARED);
    }
}

/* A name anywhere else. */
static void gather_name(struct gathering *g, size_t i)
{
    const struct host_text *text = g->text;
    bool fortran = text->fortran;
    if (i > 0 && (host_token_is(text, i - 1, ".") || host_token_is(text, i - 1, "->") ||
                  (fortran && host_token_is(text, i - 1, "%"))))
        return;
    bool declared = i > 0 && !fortran && host_is_type_word(text, i - 1);
    if (declared && !host_token_is(text, i + 1, "("))
        add(g, i, FACT_DECLARED);
    const struct host_token *token = &text->tokens[i];
    const struct host_variable *variable = host_variable_seen(g->scopes, text->text + token->at, token->n, i);
    bool constant = variable && variable->constant;
    switch (constant ? HOST_ASSIGNED : (enum host_change)g->scopes->changes[i]) {
    case HOST_UNCHANGED:
    case HOST_ASSIGNED: break;
    case HOST_COUNTED:
    case HOST_LOOP: add(g, i, FACT_CHANGED); return;
    case HOST_ADDRESS:
    case HOST_REFERENCE:
    case HOST_READ:
    case HOST_SHARED: add(g, i, FACT_SHARED); return;
    }
    if (!host_token_is(text, i + 1, "="))
        return;
    struct fact *fact = add(g, i, FACT_DEFINED);
    fact->range = (struct host_range){i + 2, value_end(text, i + 2)};
    fact->first_value = declared || (i > 0 && host_token_is(text, i - 1, ",")) || fortran;
    for (size_t k = fact->range.first; k < fact->range.end; k++)
        if (text->tokens[k].n == fact->n && memcmp(text->text + text->tokens[k].at, fact->name, fact->n) == 0)
            fact->kind = FACT_CHANGED;
}

static void gather(struct gathering *g)
{
    const struct host_text *text = g->text;
    for (size_t i = 0; i < text->n;) {
        size_t next = i + 1;
        bool statement = i == 0 || text->tokens[i - 1].kind == HOST_NEWLINE;
        if (text->tokens[i].directive) {
            i = gather_preprocessor(g, i) + 1;
            continue;
        }
        if (is_name(text, i) && !gather_communicator(g, i, &next)) {
            if (text->fortran && statement)
                gather_fortran_statement(g, i);
            if (text->fortran && host_token_is(text, i, "call") && is_name(text, i + 1))
                gather_communicator(g, i + 1, &next);
            else if (!text->fortran && host_token_is(text, i, "enum"))
                next = gather_enum(g, i) + 1;
            else
                gather_name(g, i);
        }
        i = next;
    }
}

/* ---- from facts to names ---- */

static int by_name(const void *a, const void *b)
{
    const struct fact *x = a, *y = b;
    int order = host_words_compare(x->name, x->n, y->name, y->n);
    return order != 0 ? order : (x->name > y->name) - (x->name < y->name);
}

static const struct host_name *find_word(const struct host_names *names, const char *text, size_t n)
{
    size_t low = 0, high = names->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = host_words_compare(names->list[middle].text, names->list[middle].n, text, n);
        if (order == 0)
            return &names->list[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct host_name *host_name_find(const struct host_names *names, size_t token)
{
    return find_word(names, names->text->text + names->text->tokens[token].at, names->text->tokens[token].n);
}

bool host_names_know(const struct host_names *names, const char *word)
{
    return find_word(names, word, strlen(word)) != NULL;
}

static bool same_words(const struct host_text *text, struct host_range a, struct host_range b)
{
    bool same = a.end - a.first == b.end - b.first;
    for (size_t i = 0; same && i < a.end - a.first; i++) {
        const struct host_token *x = &text->tokens[a.first + i], *y = &text->tokens[b.first + i];
        same = host_words_compare(text->text + x->at, x->n, text->text + y->at, y->n) == 0;
    }
    return same;
}

/* What n facts about one name come to. */
static struct host_name conclude(const struct host_names *names, size_t n, const struct fact facts[])
{
    struct host_name name = {.text = facts->name, .n = facts->n};
    size_t count[FACT_DUPLICATE + 1] = {0};
    const struct fact *defined = NULL, *given = NULL;
    bool alike = true;
    for (size_t i = 0; i < n; i++) {
        count[facts[i].kind]++;
        defined = facts[i].kind == FACT_DEFINED ? &facts[i] : defined;
        if (facts[i].kind >= FACT_RANK) {
            alike = alike && (!given || (given->kind == facts[i].kind &&
                                         same_words(names->text, given->range, facts[i].range)));
            given = &facts[i];
        }
    }
    if (count[FACT_CHANGED] > 0)
        name.meaning = HOST_CHANGING;
    if (count[FACT_CHANGED] > 0 || count[FACT_SHARED] > 0 || count[FACT_DEFINED] > 1)
        return name;
    if (given) {
        bool others = defined && !defined->first_value;
        if (alike && !others)
            name.meaning = given->kind == FACT_RANK ? HOST_RANK : given->kind == FACT_SIZE ? HOST_SIZE : HOST_DUPLICATE;
        name.range = given->range;
    } else if (defined && count[FACT_DECLARED] <= 1) {
        name.meaning = HOST_DEFINED;
        name.range = defined->range;
        name.more = defined->more;
        name.macro = defined->macro;
    }
    return name;
}

struct host_names *host_names_read(const struct host_text *text)
{
    struct host_names *names = alloc_zeroed(1, sizeof *names);
    host_scopes_read(&names->scopes, text);
    struct gathering g = {.text = text, .scopes = &names->scopes};
    size_t capacity = 0;
    names->text = text;
    gather(&g);
    if (g.n > 0)
        qsort(g.facts, g.n, sizeof *g.facts, by_name);
    for (size_t i = 0, end; i < g.n; i = end) {
        end = i + 1;
        while (end < g.n && host_words_compare(g.facts[i].name, g.facts[i].n, g.facts[end].name, g.facts[end].n) == 0)
            end++;
        names->list = alloc_grow(names->list, names->n, &capacity, sizeof *names->list);
        names->list[names->n++] = conclude(names, end - i, &g.facts[i]);
    }
    free(g.facts);
    return names;
}

const struct host_functions *host_names_functions(const struct host_names *names)
{
    return &names->scopes.functions;
}

void host_names_destroy(struct host_names *names)
{
    if (!names)
        return;
    host_scopes_free(&names->scopes);
    free(names->list);
    free(names);
}
