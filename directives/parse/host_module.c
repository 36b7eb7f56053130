#include "directives/parse/host_constant_impl.h"

#include "common/alloc.h"
#include "host/fortran/declaration.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Statements looked at for one name, where one with a long list counts more, and notes on it: modules that use modules
 * in many ways multiply. */
enum { STEPS_MOST = 5000, LIST_STEP = 16, NOTES_MOST = 4 };

/* A USE statement; a submodule's parent is one, too. */
struct use {
    struct fortran_use names;
    size_t first, end;          /* the tokens that see it; `first` as of the variables of its program unit */
};

/* PRIVATE or PUBLIC, of the names in `items`; of all others where it has none. */
struct access {
    size_t first;               /* of its program unit */
    bool hides;
    struct host_range items;
};

struct host_uses {
    size_t n, capacity;
    struct use *list;           /* in the order of the file */
    size_t n_outer;             /* that stand in no program unit: a main program may have no first statement */
    size_t n_access, access_capacity;
    struct access *access;
};

struct module {
    struct unit *unit;
    const struct host_reading *host;
    size_t name, first, end;    /* tokens: its name; where its variables are seen first; of the statement that ends it */
};

/* A token of a file whose word matters: one that is changed, or a name that a USE gives to something. */
struct mark {
    const char *text;
    size_t n;
    struct unit *unit;
    const struct host_reading *host;
    size_t token;
};

struct marks {
    size_t n, capacity;
    struct mark *list;          /* by text, then in the order of the files */
};

struct host_modules {
    size_t n, capacity;
    struct module *list;        /* by name, then in the order of the files */
    struct marks changes, aliases;
};

/* For one name. steps: that may still follow; below 0 nothing more is found. */
struct search {
    const struct host_modules *all;
    int64_t steps;
};

static bool is_name(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

static const char *word_at(const struct host_text *text, size_t i)
{
    return text->text + text->tokens[i].at;
}

static bool is_fortran(const struct unit *unit)
{
    return unit->source->host == HOST_FORTRAN_FREE || unit->source->host == HOST_FORTRAN_FIXED;
}

static struct place token_place(const struct host_text *text, size_t token)
{
    return source_place(text->source, text->tokens[token].at, text->tokens[token].n);
}

/* ---- statements ---- */

/* ( "private" | "public" ) [ [ "::" ] NAME { "," NAME } ] */
static void read_access(struct host_uses *uses, const struct host_text *text, size_t i, size_t end, size_t first)
{
    bool hides = host_token_is(text, i, "private");
    if (!hides && !host_token_is(text, i, "public"))
        return;
    size_t items = i + 1 + host_token_is(text, i + 1, "::");
    uses->access = alloc_grow(uses->access, uses->n_access, &uses->access_capacity, sizeof *uses->access);
    uses->access[uses->n_access++] = (struct access){first, hides, {items, end}};
}

/* Of a statement that declares, or begins a program unit. own: the unit; FORTRAN_NONE: none with a first statement. */
static void read_statement(struct host_uses *uses, const struct fortran_text *fortran, size_t i, size_t own)
{
    const struct host_text *text = fortran->host;
    const struct fortran_statement *s = &fortran->list[i];
    size_t first = own == FORTRAN_NONE ? 0 : fortran_unit_begin(fortran, own) + 1;
    struct use use = {.first = first, .end = own == FORTRAN_NONE ? text->n : fortran_unit_end(fortran, own)};
    if (!fortran_use_read(fortran, i, &use.names) || use.names.intrinsic) {
        if (s->kind == FORTRAN_DECLARES && s->outer == FORTRAN_NONE) /* not of a type's members */
            read_access(uses, text, s->first, s->end, first);
        return;
    }
    uses->list = alloc_grow(uses->list, uses->n, &uses->capacity, sizeof *uses->list);
    uses->list[uses->n++] = use;
    uses->n_outer += own == FORTRAN_NONE;
}

struct host_uses *host_uses_read(const struct host_reading *host)
{
    const struct fortran_text *fortran = &host->scopes.fortran;
    struct host_uses *uses = alloc_zeroed(1, sizeof *uses);
    for (size_t i = 0; i < fortran->n; i++) {
        const struct fortran_statement *s = &fortran->list[i];
        if ((s->kind == FORTRAN_DECLARES || s->kind == FORTRAN_UNIT) && s->first < s->end)
            read_statement(uses, fortran, i, fortran_unit_named(fortran, s->unit));
    }
    return uses;
}

void host_uses_free(struct host_uses *uses)
{
    if (uses) {
        free(uses->list);
        free(uses->access);
    }
    free(uses);
}

/* ---- the modules of all files ---- */

static int by_name(const void *a, const void *b)
{
    const struct module *x = a, *y = b;
    const struct host_text *left = &x->host->text, *right = &y->host->text;
    int order = host_words_compare(word_at(left, x->name), left->tokens[x->name].n, word_at(right, y->name),
                                   right->tokens[y->name].n);
    if (order == 0)
        order = (x->unit > y->unit) - (x->unit < y->unit);
    return order != 0 ? order : (x->name > y->name) - (x->name < y->name);
}

static int by_text(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    int order = host_words_compare(x->text, x->n, y->text, y->n);
    if (order == 0)
        order = (x->unit > y->unit) - (x->unit < y->unit);
    return order != 0 ? order : (x->token > y->token) - (x->token < y->token);
}

static void add_mark(struct marks *marks, struct unit *unit, const struct host_reading *host, size_t i)
{
    const struct host_text *text = &host->text;
    marks->list = alloc_grow(marks->list, marks->n, &marks->capacity, sizeof *marks->list);
    marks->list[marks->n++] = (struct mark){word_at(text, i), text->tokens[i].n, unit, host, i};
}

static void sort_marks(struct marks *marks)
{
    if (marks->n > 0)
        qsort(marks->list, marks->n, sizeof *marks->list, by_text);
}

/* The marks of a word begin here, if there are any. */
static size_t find_marks(const struct marks *marks, const char *word, size_t n)
{
    size_t low = 0, high = marks->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (host_words_compare(marks->list[middle].text, marks->list[middle].n, word, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_modules(struct host_modules *all, struct unit *unit, const struct host_reading *host)
{
    const struct host_text *text = &host->text;
    const struct fortran_text *fortran = &host->scopes.fortran;
    for (size_t k = 0; k < fortran->n_units; k++) {
        const size_t name = fortran->units[k].name, end = fortran_unit_end(fortran, k);
        if (fortran->units[k].procedure || name == FORTRAN_NONE)
            continue;
        all->list = alloc_grow(all->list, all->n, &all->capacity, sizeof *all->list);
        all->list[all->n++] = (struct module){unit, host, name, fortran_unit_begin(fortran, k) + 1,
                                              end < text->n ? end : text->n - 1};
    }
    for (size_t k = 0; k < host->uses->n; k++) {
        const struct use *use = &host->uses->list[k];
        for (size_t i = use->names.items.first; i + 1 < use->names.items.end; i++)
            if (is_name(text, i) && host_token_is(text, i + 1, "=>"))
                add_mark(&all->aliases, unit, host, i);
    }
    for (size_t i = 0; i < text->n; i++)
        if (host->scopes.changes[i] != HOST_UNCHANGED && is_name(text, i))
            add_mark(&all->changes, unit, host, i);
}

static const struct host_modules *read_modules(struct parser *p)
{
    struct unit *here = p->unit;
    if (p->modules)
        return p->modules;
    struct host_modules *all = p->modules = alloc_zeroed(1, sizeof *all);
    for (size_t u = 0; u < p->n_units; u++) {
        if (!is_fortran(&p->units[u]))
            continue;
        parse_enter(p, &p->units[u]);
        host_unit_read(p);
        for (const struct host_reading *host = p->unit->host; host; host = host->next)
            add_modules(all, p->unit, host);
    }
    parse_enter(p, here);
    if (all->n > 0)
        qsort(all->list, all->n, sizeof *all->list, by_name);
    sort_marks(&all->aliases);
    sort_marks(&all->changes);
    return all;
}

void host_modules_free(struct parser *p)
{
    if (p->modules) {
        free(p->modules->list);
        free(p->modules->aliases.list);
        free(p->modules->changes.list);
    }
    free(p->modules);
    p->modules = NULL;
}

/* The modules of the name that a USE says: [*first, return value). */
static size_t named(const struct host_modules *all, const struct host_text *text, size_t token, size_t *first)
{
    size_t bounds[2];
    for (int upper = 0; upper < 2; upper++) {
        size_t low = 0, high = all->n;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            const struct host_text *own = &all->list[middle].host->text;
            size_t name = all->list[middle].name;
            if (host_words_compare(word_at(own, name), own->tokens[name].n, word_at(text, token),
                                   text->tokens[token].n) < upper)
                low = middle + 1;
            else
                high = middle;
        }
        bounds[upper] = low;
    }
    *first = bounds[0];
    return bounds[1];
}

/* The module that a USE in a file of the unit means. NULL: there is none, or there are two, of which *rival is one. */
static const struct module *find_module(const struct host_modules *all, const struct unit *unit,
                                        const struct host_text *text, size_t token, const struct module **rival)
{
    const struct module *found = NULL;
    size_t first, end = named(all, text, token, &first);
    *rival = NULL;
    for (size_t k = first; k < end; k++)
        if (all->list[k].unit == unit)
            return &all->list[k];
    for (size_t k = first; k < end; k++) {
        if (found && strcmp(found->host->text.source->name, all->list[k].host->text.source->name) != 0)
            *rival = &all->list[k];
        found = found ? found : &all->list[k];
    }
    return *rival ? NULL : found;
}

/* ---- what a name means ---- */

static void count_list(struct search *s, struct host_range items)
{
    s->steps -= 1 + ((int64_t)items.end - (int64_t)items.first) / LIST_STEP;
}

/* Do the attributes before "::" in the statement of a declaration have this word? */
static bool is_declared(const struct host_text *text, size_t token, const char *word)
{
    size_t i = token;
    while (i > 0 && text->tokens[i - 1].kind != HOST_NEWLINE)
        i--;
    for (; i < token && !host_token_is(text, i, "::"); i++)
        if (host_token_is(text, i, ",") && host_token_is(text, i + 1, word))
            return true;
    return false;
}

/* Is a name of the module hidden from those who use it? variable: NULL: the module has it from another one. */
static bool is_private(struct search *s, const struct module *m, const char *word, size_t n,
                       const struct host_variable *variable)
{
    const struct host_text *text = &m->host->text;
    const struct host_uses *uses = m->host->uses;
    bool hidden = false;
    if (variable && is_declared(text, variable->token, "private"))
        return true;
    if (variable && is_declared(text, variable->token, "public"))
        return false;
    for (size_t k = 0; k < uses->n_access && s->steps-- > 0; k++) {
        const struct access *access = &uses->access[k];
        if (access->first != m->first)
            continue;
        count_list(s, access->items);
        if (fortran_item_find(text, access->items, word, n) < text->n)
            return access->hides;
        hidden = hidden || (access->hides && access->items.first >= access->items.end);
    }
    return hidden;
}

struct meaning {
    const struct module *module; /* NULL: none */
    const struct host_variable *variable;
};

static const struct host_variable *variable_of(const struct module *m, const char *word, size_t n)
{
    const struct host_variable *variable = host_variable_seen(&m->host->scopes, word, n, m->end);
    return variable && variable->first == m->first ? variable : NULL;
}

/* The USE statements of a program unit, which stand before all others in it, begin here, if there are any. */
static size_t uses_of(const struct host_uses *uses, size_t first)
{
    size_t low = 0, high = uses->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (uses->list[middle].names.module < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct meaning search_use(struct search *s, const struct unit *unit, const struct host_reading *host,
                                 const struct use *use, const char *word, size_t n);

/* What the word is in a module: its own, or of what it uses. */
static struct meaning search_module(struct search *s, const struct module *m, const char *word, size_t n, bool inside)
{
    const struct host_uses *uses = m->host->uses;
    struct meaning found = {NULL, variable_of(m, word, n)};
    if (s->steps <= 0 || (!inside && is_private(s, m, word, n, found.variable)))
        return (struct meaning){NULL, NULL};
    found.module = found.variable ? m : NULL;
    for (size_t k = uses_of(uses, m->first); k < uses->n && uses->list[k].first == m->first && !found.module; k++)
        found = search_use(s, m->unit, m->host, &uses->list[k], word, n);
    return found;
}

static struct meaning search_use(struct search *s, const struct unit *unit, const struct host_reading *host,
                                 const struct use *use, const char *word, size_t n)
{
    const struct module *rival, *m = find_module(s->all, unit, &host->text, use->names.module, &rival);
    s->steps--;
    count_list(s, use->names.items);
    if (!m || s->steps <= 0 || !fortran_use_name(&host->text, &use->names, &word, &n))
        return (struct meaning){NULL, NULL};
    return search_module(s, m, word, n, use->names.inherits);
}

/* Of the USE statements of one program unit. FORTRAN_NONE: of none, and they may stand anywhere. */
static struct meaning search_unit(struct search *s, const struct unit *unit, size_t own, const char *word, size_t n)
{
    const struct host_uses *uses = unit->host->uses;
    const bool outer = own == FORTRAN_NONE;
    const size_t first = outer ? 0 : fortran_unit_begin(&unit->host->scopes.fortran, own) + 1;
    struct meaning found = {NULL, NULL};
    for (size_t k = outer && uses->n_outer == 0 ? uses->n : uses_of(uses, first);
         k < uses->n && !found.module && s->steps-- > 0; k++) {
        if (uses->list[k].first == first)
            found = search_use(s, unit, unit->host, &uses->list[k], word, n);
        else if (!outer)
            break;
    }
    return found;
}

/* Of the USE statements that see token i, the innermost that gives the name, unless a variable further in has it. */
static struct meaning search_scopes(struct search *s, const struct unit *unit, const char *word, size_t n, size_t i,
                                    const struct host_variable *own)
{
    const struct fortran_text *fortran = &unit->host->scopes.fortran;
    struct meaning found = {NULL, NULL};
    for (size_t k = fortran_unit_at(fortran, i); !found.module && s->steps > 0; k = fortran_unit_around(fortran, k)) {
        if (own && own->first >= (k == FORTRAN_NONE ? 0 : fortran_unit_begin(fortran, k) + 1))
            break;
        found = search_unit(s, unit, k, word, n);
        if (k == FORTRAN_NONE)
            break;
    }
    return found;
}

/* Of all that the file and its headers use; nothing where they differ. */
static struct meaning search_file(struct parser *p, struct search *s, const char *word, size_t n)
{
    const struct unit *unit = p->unit;
    struct meaning found = {NULL, NULL};
    for (const struct host_reading *host = unit->host; host; host = host->next) {
        p->followed += host->uses->n;
        if (p->followed > FOLLOWED_MOST)
            return (struct meaning){NULL, NULL};
        for (size_t k = 0; k < host->uses->n && s->steps-- > 0; k++) {
            struct meaning given = search_use(s, unit, host, &host->uses->list[k], word, n);
            if (found.module && given.module && found.variable != given.variable)
                return (struct meaning){NULL, NULL};
            found = given.module ? given : found;
        }
    }
    return found;
}

static bool uses_modules(const struct unit *unit)
{
    for (const struct host_reading *host = unit->host; host; host = host->next)
        if (host->uses->n > 0)
            return true;
    return false;
}

/* `small`: in small letters. i: the place, a token of the unit's own file; its text's n where it is in another. */
static struct meaning find_meaning(struct parser *p, struct search *s, const struct name *name, const char *small,
                                   size_t i)
{
    const struct host_text *text = &p->unit->host->text;
    const struct host_constant *constants = host_constants_of(p, name);
    size_t n = strlen(small);
    for (const struct host_constant *c = constants; c; c = c->next)
        if (c->macro)
            return (struct meaning){NULL, NULL};
    const struct host_variable *own = i < text->n ? host_variable_seen(&p->unit->host->scopes, small, n, i) : NULL;
    struct meaning found = {NULL, NULL};
    if (i < text->n)
        found = search_scopes(s, p->unit, small, n, i, own);
    return found.module || own || constants ? found : search_file(p, s, small, n);
}

/* The name in small letters; false: it is too long for one. */
static bool make_small(const char *text, char small[64])
{
    size_t n = 0;
    for (; text[n] && n < 63; n++)
        small[n] = text[n] >= 'A' && text[n] <= 'Z' ? (char)(text[n] - 'A' + 'a') : text[n];
    small[n] = '\0';
    return text[n] == '\0';
}

/* The token at a place of the unit's own file; its text's n where it is in another. */
static size_t token_of(const struct unit *unit, struct place at)
{
    const struct host_text *text = &unit->host->text;
    if (at.file != unit->source->name)
        return text->n;
    size_t i = host_token_at(text, (size_t)(at.text - unit->source->text) + (size_t)at.column - 1);
    return i < text->n || text->n == 0 ? i : text->n - 1;
}

const struct host_variable *host_module_enter(struct parser *p, struct name **name, struct place *at)
{
    char small[64];
    if (!is_fortran(p->unit) || !make_small((*name)->text, small))
        return NULL;
    host_unit_read(p);
    if (!p->unit->host || !uses_modules(p->unit))
        return NULL;
    struct search s = {read_modules(p), STEPS_MOST};
    struct meaning found = find_meaning(p, &s, *name, small, token_of(p->unit, *at));
    if (!found.module)
        return NULL;
    const struct host_variable *variable = found.variable;
    const bool renamed = strlen(small) != variable->length || memcmp(small, variable->text, variable->length) != 0;
    parse_enter(p, found.module->unit);
    *name = names_get(renamed ? &p->unit->names : &p->names, variable->text, variable->length);
    *at = token_place(&found.module->host->text, found.module->end);
    return variable;
}

/* ---- what changes a variable of a module ---- */

static const struct module *module_of(const struct host_modules *all, const struct unit *unit,
                                      const struct host_constant *constant)
{
    for (size_t k = 0; k < all->n; k++)
        if (all->list[k].unit == unit && all->list[k].host->text.source->name == constant->at.file &&
            all->list[k].first == constant->variable->first)
            return &all->list[k];
    return NULL;
}

/* Does a changed token mean the variable? Where that takes too long to find out, it does. */
static bool is_change(struct parser *p, const struct mark *mark, const struct module *m,
                      const struct host_variable *variable)
{
    char small[64];
    struct search s = {p->modules, STEPS_MOST};
    if (mark->n >= sizeof small)
        return false;
    if (++p->followed > FOLLOWED_MOST)
        return true;
    memcpy(small, mark->text, mark->n);
    small[mark->n] = '\0';
    parse_enter(p, mark->unit);
    struct meaning found = find_meaning(p, &s, names_get(&p->unit->names, small, mark->n), small,
                                        mark->host == p->unit->host ? mark->token : p->unit->host->text.n);
    return s.steps <= 0 || (found.module && found.variable->token == variable->token &&
                            strcmp(found.module->host->text.source->name, m->host->text.source->name) == 0);
}

/* A token by which a word that is, or may be renamed to be, the variable is changed; NULL: none. */
static const struct mark *find_change(struct parser *p, const struct module *m, const struct host_variable *variable,
                                      const char *word, size_t n)
{
    const struct marks *changes = &p->modules->changes;
    for (size_t k = find_marks(changes, word, n); k < changes->n; k++) {
        const struct mark *mark = &changes->list[k];
        if (mark->n != n || memcmp(mark->text, word, n) != 0)
            break;
        if (is_change(p, mark, m, variable))
            return mark;
    }
    return NULL;
}

bool host_module_changed(struct parser *p, struct host_constant *constant)
{
    const struct host_variable *variable = constant->variable;
    const struct module *m = is_fortran(p->unit) ? module_of(read_modules(p), p->unit, constant) : NULL;
    if (!m)
        return false;
    struct unit *here = p->unit;
    const struct marks *aliases = &p->modules->aliases;
    const struct mark *found = find_change(p, m, variable, variable->text, variable->length);
    for (size_t k = 0; k < aliases->n && !found; k++) {
        const struct mark *alias = &aliases->list[k];
        p->followed++;
        found = find_change(p, m, variable, alias->text, alias->n);
    }
    parse_enter(p, here);
    if (found) {
        constant->change = (enum host_change)found->host->scopes.changes[found->token];
        constant->changed_at = token_place(&found->host->text, found->token);
    }
    return found != NULL;
}

/* ---- notes ---- */

/* The compiler's, and MPI's: not expected in the files of a program. */
static bool is_of_system(const struct host_text *text, size_t token)
{
    static const char *const modules[] = {"mpi", "mpi_f08", "iso_c_binding", "iso_fortran_env", "ieee_arithmetic",
                                          "ieee_exceptions", "ieee_features", "omp_lib", "openacc"};
    return HOST_TOKEN_IS_ANY(text, token, modules);
}

struct explaining {
    struct parser *p;
    struct search search;
    int notes;                  /* that may still follow */
};

static void explain_use(struct explaining *e, const struct unit *unit, const struct host_reading *host,
                        const struct use *use, const char *word, size_t n);

/* A module that is known gives no value for its own name `word`. */
static void explain_module(struct explaining *e, const struct module *m, const char *word, size_t n, bool inside)
{
    const struct host_text *text = &m->host->text;
    const struct host_uses *uses = m->host->uses;
    const struct host_variable *variable = variable_of(m, word, n);
    bool hidden = variable && !inside && is_private(&e->search, m, word, n, variable);
    e->notes -= variable != NULL;
    if (variable)
        parse_note(e->p, token_place(text, variable->token),
                   hidden ? "`%.*s` is private in its module"
                          : "it may be this `%.*s`, but no USE seen from there says so", (int)n, word);
    for (size_t k = uses_of(uses, m->first); k < uses->n && uses->list[k].first == m->first && !variable; k++)
        explain_use(e, m->unit, m->host, &uses->list[k], word, n);
}

static void explain_use(struct explaining *e, const struct unit *unit, const struct host_reading *host,
                        const struct use *use, const char *word, size_t n)
{
    const struct host_text *text = &host->text;
    const struct module *rival, *m = find_module(e->search.all, unit, text, use->names.module, &rival);
    const struct place at = token_place(text, use->names.module);
    e->search.steps--;
    const char *module = word_at(text, use->names.module), *own = word;
    size_t own_n = n;
    int length = (int)(text->tokens[use->names.module].n > 60 ? 60 : text->tokens[use->names.module].n);
    if (e->notes <= 0 || e->search.steps <= 0)
        return;
    count_list(&e->search, use->names.items);
    bool given = fortran_use_name(text, &use->names, &own, &own_n);
    if (m && given) {
        explain_module(e, m, own, own_n, use->names.inherits);
    } else if (m && variable_of(m, word, n)) {
        e->notes--;
        parse_note(e->p, at, "the module `%.*s` has a `%.*s`, but it is not used by this name here", length, module,
                   (int)n, word);
    } else if (!m && given && !is_of_system(text, use->names.module)) {
        e->notes--;
        parse_note(e->p, at, rival ? "two files of the program have the module `%.*s`, which may declare `%.*s`"
                                   : "no file of the program has the module `%.*s`, which may declare `%.*s`",
                   length, module, (int)own_n, own);
    }
}

void host_module_explain(struct parser *p, const char *name, struct place at)
{
    char small[64];
    if (!is_fortran(p->unit) || !make_small(name, small) || p->diags->n_dropped > 0)
        return;
    host_unit_read(p);
    if (!p->unit->host)
        return;
    struct explaining e = {p, {read_modules(p), STEPS_MOST}, NOTES_MOST};
    size_t i = token_of(p->unit, at);
    bool seen = false;
    for (int all = 0; all < 2 && !seen; all++) /* those that are seen there; else all of the file */
        for (const struct host_reading *host = p->unit->host; host; host = host->next)
            for (size_t k = 0; k < host->uses->n && e.search.steps-- > 0; k++) {
                const struct use *use = &host->uses->list[k];
                if (!all && (host != p->unit->host || use->first > i || use->end < i))
                    continue;
                seen = true;
                explain_use(&e, p->unit, host, use, small, strlen(small));
            }
}
