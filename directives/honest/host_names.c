#include "directives/honest/host_value_impl.h"

#include "common/alloc.h"
#include "host/fortran/declaration.h"

#include <stdlib.h>
#include <string.h>

/* One thing that the text says of a name. */
/* CHANGED: counted with, or computed from itself. SHARED: others may change it: its address is taken. */
enum mention_kind {
    MENTION_DEFINED,
    MENTION_DECLARED,
    MENTION_CHANGED,
    MENTION_SHARED,
    MENTION_RANK,
    MENTION_SIZE,
    MENTION_DUPLICATE,
};
struct mention {
    const char *name;
    size_t n;
    enum mention_kind kind;
    bool first_value;      /* DEFINED: where it is declared */
    bool macro;            /* DEFINED: by #define */
    struct host_range range;
    int64_t more;
};

struct gathering {
    const struct host_text *text;
    const struct host_scopes *scopes;
    size_t n, capacity;
    struct mention *mentions;
};

static bool is_name(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

static struct mention *add(struct gathering *g, size_t i, enum mention_kind kind)
{
    const struct host_token *token = &g->text->tokens[i];
    g->mentions = alloc_grow(g->mentions, g->n, &g->capacity, sizeof *g->mentions);
    struct mention *mention = &g->mentions[g->n++];
    *mention = (struct mention){.name = g->text->text + token->at, .n = token->n, .kind = kind};
    return mention;
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
    struct mention *mention = add(g, i + 2, has_arguments ? MENTION_SHARED : MENTION_DEFINED);
    mention->macro = true;
    mention->range = (struct host_range){i + 3, end};
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
        struct mention *mention = add(g, name, MENTION_DEFINED);
        mention->range = base;
        mention->more = more++;
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
        enum mention_kind kind;
    } calls[] = {{"MPI_Comm_rank", MENTION_RANK}, {"MPI_Comm_size", MENTION_SIZE}, {"MPI_Comm_dup", MENTION_DUPLICATE}};
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

/* Fortran: what statements with a type declare. */
static void gather_declarations(struct gathering *g)
{
    for (size_t i = 0; i < g->scopes->fortran.n; i++) {
        struct fortran_entities entities;
        struct fortran_entity entity;
        fortran_entities_begin(&entities, &g->scopes->fortran, i);
        while (entities.form == FORTRAN_TYPED && fortran_entities_next(&entities, &entity))
            add(g, entity.name, MENTION_DECLARED);
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
        add(g, i, MENTION_DECLARED);
    const struct host_token *token = &text->tokens[i];
    const struct host_variable *variable = host_variable_seen(g->scopes, text->text + token->at, token->n, i);
    bool constant = variable && variable->constant;
    switch (constant ? HOST_ASSIGNED : (enum host_change)g->scopes->changes[i]) {
    case HOST_UNCHANGED:
    case HOST_ASSIGNED: break;
    case HOST_COUNTED:
    case HOST_LOOP: add(g, i, MENTION_CHANGED); return;
    case HOST_ADDRESS:
    case HOST_REFERENCE:
    case HOST_READ:
    case HOST_SHARED: add(g, i, MENTION_SHARED); return;
    }
    if (!host_token_is(text, i + 1, "="))
        return;
    struct mention *mention = add(g, i, MENTION_DEFINED);
    mention->range = (struct host_range){i + 2, value_end(text, i + 2)};
    mention->first_value = declared || (i > 0 && host_token_is(text, i - 1, ",")) || fortran;
    for (size_t k = mention->range.first; k < mention->range.end; k++)
        if (text->tokens[k].n == mention->n && memcmp(text->text + text->tokens[k].at, mention->name, mention->n) == 0)
            mention->kind = MENTION_CHANGED;
}

static void gather(struct gathering *g)
{
    const struct host_text *text = g->text;
    gather_declarations(g);
    for (size_t i = 0; i < text->n;) {
        size_t next = i + 1;
        if (text->tokens[i].directive) {
            i = gather_preprocessor(g, i) + 1;
            continue;
        }
        if (is_name(text, i) && !gather_communicator(g, i, &next)) {
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

/* ---- from mentions to names ---- */

static int compare_names(const struct mention *x, const struct mention *y)
{
    return host_words_compare(x->name, x->n, y->name, y->n);
}

/* ... and where they stand. */
static int by_name(const void *a, const void *b)
{
    const struct mention *x = a, *y = b;
    int order = compare_names(x, y);
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

/* What n mentions about one name come to. */
static struct host_name conclude(const struct host_names *names, size_t n, const struct mention mentions[])
{
    struct host_name name = {.text = mentions->name, .n = mentions->n};
    size_t count[MENTION_DUPLICATE + 1] = {0};
    const struct mention *defined = NULL, *given = NULL;
    bool alike = true;
    for (size_t i = 0; i < n; i++) {
        count[mentions[i].kind]++;
        defined = mentions[i].kind == MENTION_DEFINED ? &mentions[i] : defined;
        if (mentions[i].kind >= MENTION_RANK) {
            alike = alike && (!given || (given->kind == mentions[i].kind &&
                                         same_words(names->text, given->range, mentions[i].range)));
            given = &mentions[i];
        }
    }
    if (count[MENTION_CHANGED] > 0)
        name.meaning = HOST_CHANGING;
    if (count[MENTION_CHANGED] > 0 || count[MENTION_SHARED] > 0 || count[MENTION_DEFINED] > 1)
        return name;
    if (given) {
        bool others = defined && !defined->first_value;
        if (alike && !others)
            name.meaning = given->kind == MENTION_RANK   ? HOST_RANK
                           : given->kind == MENTION_SIZE ? HOST_SIZE
                                                         : HOST_DUPLICATE;
        name.range = given->range;
    } else if (defined && count[MENTION_DECLARED] <= 1) {
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
        qsort(g.mentions, g.n, sizeof *g.mentions, by_name);
    for (size_t i = 0, end; i < g.n; i = end) {
        end = i + 1;
        while (end < g.n && compare_names(&g.mentions[i], &g.mentions[end]) == 0)
            end++;
        names->list = alloc_grow(names->list, names->n, &capacity, sizeof *names->list);
        names->list[names->n++] = conclude(names, end - i, &g.mentions[i]);
    }
    free(g.mentions);
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
