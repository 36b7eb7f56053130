#include "directives/parse/host_constant_impl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct name *host_constant_intern(struct parser *p, const char *text, size_t n, bool fortran)
{
    char small[64];
    if (!fortran || n >= sizeof small)
        return names_get(&p->unit->names, text, n);
    for (size_t i = 0; i < n; i++)
        small[i] = (char)tolower((unsigned char)text[i]);
    return names_get(&p->unit->names, small, n);
}

void host_constant_add(struct name *name, struct host_constant *constant)
{
    constant->parameter = -1;
    if (name->constant)
        name->last_constant->next = constant;
    else
        name->constant = constant;
    name->last_constant = constant;
}

/* Where a place of p->source begins. */
static size_t place_offset(const struct parser *p, struct place at)
{
    return (size_t)(at.text - p->source->text) + (size_t)at.column - 1;
}

static struct place token_place(const struct host_reading *host, size_t token)
{
    const struct host_token *t = &host->text.tokens[token];
    return source_place(host->text.source, t->at, t->n);
}

/* C and Fortran: which variable each declaration of p->source is one of, and what changes that. */
static void find_variables(struct parser *p, const struct host_reading *host)
{
    for (struct name *name = p->unit->names.first; name; name = name->next) {
        for (struct host_constant *c = name->constant; c; c = c->next) {
            if (c->macro || c->at.file != p->source->name)
                continue;
            size_t i = host_token_at(&host->text, place_offset(p, c->at));
            const struct host_token *token = i < host->text.n ? &host->text.tokens[i] : NULL;
            if (!token || token->kind != HOST_NAME)
                continue;
            c->variable = host_variable_seen(&host->scopes, host->text.text + token->at, token->n, i);
            if (!c->variable)
                continue;
            c->change = c->variable->change;
            if (c->change != HOST_UNCHANGED)
                c->changed_at = token_place(host, c->variable->changed);
        }
    }
}

/* Python and shell: a name is one variable. */
static void find_changes(struct parser *p)
{
    for (struct name *name = p->unit->names.first; name; name = name->next) {
        for (struct host_constant *c = name->constant; c; c = c->next) {
            c->change = (enum host_change)name->change;
            c->changed_at = name->changed_at;
        }
    }
}

/* C and Fortran. Returns where the next file's reading belongs. */
static struct host_reading **read_tokens(struct parser *p, struct host_reading **to)
{
    struct host_text tokens;
    if (p->source->n_lines == 0 || !host_text_read(&tokens, p->source))
        return to; /* too long to be a program */
    struct host_reading *host = *to = alloc_zeroed(1, sizeof *host);
    host->text = tokens;
    host_scopes_read(&host->scopes, &host->text);
    host->uses = host->text.fortran ? host_uses_read(host) : NULL;
    host_constants_read(p, host);
    find_variables(p, host);
    return &host->next;
}

void host_unit_read(struct parser *p)
{
    struct unit *unit = p->unit;
    const struct source *source = p->source;
    const char *text = p->text;
    enum host host = unit->source->host;
    if (unit->constants_read)
        return;
    unit->constants_read = true;
    p->source = unit->source;
    if (host == HOST_C || host == HOST_FORTRAN_FREE || host == HOST_FORTRAN_FIXED) {
        struct host_reading **end = read_tokens(p, &unit->host);
        for (p->source = unit->source->included; p->source && unit->host; p->source = p->source->next)
            end = read_tokens(p, end);
        if (unit->source->facts && unit->host)
            host_constants_compile(p);
    } else if ((host == HOST_PYTHON || host == HOST_SHELL) && p->source->n_lines > 0) {
        host_constants_read(p, NULL);
        find_changes(p);
    }
    p->source = source;
    p->text = text;
}

void host_constants_free(struct unit *unit)
{
    while (unit->host) {
        struct host_reading *next = unit->host->next;
        host_uses_free(unit->host->uses);
        host_scopes_free(&unit->host->scopes);
        host_text_free(&unit->host->text);
        free(unit->host);
        unit->host = next;
    }
}

struct name *host_constant_name(struct parser *p, const char *text)
{
    host_unit_read(p);
    return names_get(&p->unit->names, text, strlen(text));
}

struct host_constant *host_constants_of(struct parser *p, const struct name *name)
{
    bool fortran = p->unit->source->host == HOST_FORTRAN_FREE || p->unit->source->host == HOST_FORTRAN_FIXED;
    const struct name *own = host_constant_name(p, name->text);
    if (own->constant || !fortran)
        return own->constant;
    return host_constant_intern(p, name->text, strlen(name->text), true)->constant;
}

const struct host_variable *host_constant_seen(struct parser *p, const char *name, struct place at)
{
    char small[64];
    size_t n = strlen(name);
    host_unit_read(p);
    const struct host_reading *host = p->unit->host;
    if (!host || n >= sizeof small || at.file != p->unit->source->name)
        return NULL; /* in a header: what it declares is seen everywhere */
    for (size_t i = 0; i < n; i++)
        small[i] = host->text.fortran ? (char)tolower((unsigned char)name[i]) : name[i];
    return host_variable_seen(&host->scopes, small, n, host_token_at(&host->text, place_offset(p, at)));
}

const struct host_functions *host_constant_functions(const struct parser *p)
{
    return &p->unit->host->scopes.functions;
}

struct place host_constant_place(const struct parser *p, size_t token)
{
    return token_place(p->unit->host, token);
}

/* The first token that changes a name which none of the file's variables has. text->n: none does. */
static size_t find_outer_change(const struct host_reading *host, const struct host_variable *variable)
{
    const struct host_text *text = &host->text;
    for (size_t i = 0; i < text->n; i++) {
        const struct host_token *token = &text->tokens[i];
        const char *word = text->text + token->at;
        if (host->scopes.changes[i] != HOST_UNCHANGED && token->n == variable->length &&
            memcmp(word, variable->text, token->n) == 0 && !host_variable_seen(&host->scopes, word, token->n, i))
            return i;
    }
    return text->n;
}

bool host_constant_changed_elsewhere(struct parser *p, struct host_constant *constant)
{
    const struct host_variable *variable = constant->variable;
    struct unit *here = p->unit;
    bool found = false;
    if (!variable || variable->constant || variable->argument || variable->member)
        return false;
    if (variable->first > 0)
        return host_module_changed(p, constant);
    for (size_t u = 0; u < p->n_units && !found; u++) {
        parse_enter(p, &p->units[u]);
        host_unit_read(p);
        for (const struct host_reading *host = p->unit->host; host && !found; host = host->next) {
            size_t i = host->text.source->name == constant->at.file ? host->text.n : find_outer_change(host, variable);
            found = i < host->text.n;
            if (found) {
                constant->change = (enum host_change)host->scopes.changes[i];
                constant->changed_at = token_place(host, i);
            }
        }
    }
    parse_enter(p, here);
    return found;
}

bool host_constant_called_elsewhere(struct parser *p, const struct host_function *function)
{
    struct unit *here = p->unit;
    bool found = false;
    for (size_t u = 0; u < p->n_units && !found; u++) {
        const struct host_function *list;
        if (&p->units[u] == here)
            continue;
        parse_enter(p, &p->units[u]);
        host_unit_read(p);
        const struct host_text *text = p->unit->host ? &p->unit->host->text : NULL;
        for (size_t i = 0; text && i < text->n && !found; i++) {
            const struct host_token *token = &text->tokens[i];
            if (token->kind != HOST_NAME || token->n != function->length ||
                memcmp(text->text + token->at, function->text, token->n) != 0)
                continue;
            size_t n = host_functions_named(&p->unit->host->scopes.functions, i, &list), declared = 0;
            while (declared < n && list[declared].name != i)
                declared++;
            found = declared == n;
        }
    }
    parse_enter(p, here);
    return found;
}
