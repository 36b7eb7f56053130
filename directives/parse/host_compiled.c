#include "directives/parse/host_constant_impl.h"

#include "host/facts.h"

#include <stdlib.h>
#include <string.h>

static bool is_word(const char *text, const char *word, size_t n)
{
    return strlen(text) == n && memcmp(text, word, n) == 0;
}

/* The tokens of a file of the unit; NULL: not one that was read. */
static const struct host_reading *reading_of(const struct parser *p, const char *file, size_t n)
{
    const struct host_reading *host = p->unit->host;
    while (host && !is_word(host->text.source->name, file, n))
        host = host->next;
    return host;
}

static struct place place_in(struct parser *p, const char *file, size_t n, int line, int column, size_t width)
{
    const struct host_reading *host = reading_of(p, file, n);
    if (n == 0)
        return place_of_file("flags of the compiler");
    if (!host || line < 1 || (size_t)line > host->text.source->n_lines) {
        struct place place = place_of_file(arena_string_n(&p->tree->memory, file, n));
        place.line = line;
        return place;
    }
    const struct source *source = host->text.source;
    return source_place(source, source->line_start[line - 1] + (size_t)column - 1, width);
}

static enum host_change change_of(const struct fact *fact)
{
    static const struct {
        const char *word;
        enum host_change change;
    } words[] = {{"assigned", HOST_ASSIGNED}, {"counted", HOST_COUNTED}, {"address", HOST_ADDRESS},
                 {"reference", HOST_REFERENCE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(words[i].word, fact->change, fact->change_length))
            return words[i].change;
    return HOST_UNCHANGED;
}

/* The variable that a fact's declaration declares; NULL: none that was read. */
static const struct host_variable *variable_at(const struct parser *p, const struct fact *fact)
{
    const struct host_reading *host = reading_of(p, fact->file, fact->file_length);
    if (!host || fact->line < 1 || (size_t)fact->line > host->text.source->n_lines)
        return NULL;
    size_t offset = host->text.source->line_start[fact->line - 1] + (size_t)fact->column - 1;
    size_t i = host_token_at(&host->text, offset);
    return i < host->text.n ? host_variable_seen(&host->scopes, fact->name, fact->name_length, i) : NULL;
}

static struct host_constant *find(const struct name *name, const struct fact *fact)
{
    for (struct host_constant *c = name->constant; c; c = c->next) {
        bool given = fact->file_length == 0 && strncmp(c->at.file, "flags of ", 9) == 0;
        if (given || (c->at.line == fact->line && c->at.column == fact->column &&
                      is_word(c->at.file, fact->file, fact->file_length)))
            return c;
    }
    return NULL;
}

static struct host_constant *add(struct parser *p, struct name *name, const struct fact *fact)
{
    struct host_constant *constant = arena_alloc(&p->tree->memory, 1, sizeof *constant);
    constant->name = name->text;
    constant->at = place_in(p, fact->file, fact->file_length, fact->line, fact->column, fact->name_length);
    constant->macro = fact->kind == FACT_MACRO;
    host_constant_add(name, constant);
    return constant;
}

/* A compiler counts a byte order mark among the columns of the first line. */
static int column_behind_mark(const struct parser *p, const char *file, size_t n, int line, int column)
{
    const struct host_reading *host = line == 1 ? reading_of(p, file, n) : NULL;
    const int mark = host && host->text.source->n_lines > 0 ? (int)host->text.source->line_start[0] : 0;
    return column > mark ? column - mark : column;
}

static void apply(struct parser *p, const struct fact *told)
{
    struct fact behind = *told;
    const struct fact *fact = &behind;
    behind.column = column_behind_mark(p, told->file, told->file_length, told->line, told->column);
    behind.change_column = column_behind_mark(p, told->change_file, told->change_file_length, told->change_line,
                                              told->change_column);
    struct name *name = names_get(&p->unit->names, fact->name, fact->name_length);
    struct value value = host_fact_value(fact);
    struct host_constant *constant = find(name, fact);
    const struct host_variable *variable = fact->kind == FACT_VARIABLE ? variable_at(p, fact) : NULL;
    if (!constant) {
        if (fact->kind == FACT_VARIABLE && (!variable || value.kind == VALUE_NONE))
            return;
        constant = add(p, name, fact);
        constant->variable = variable;
        constant->change = variable ? variable->change : HOST_UNCHANGED;
    }
    constant->confirmed = true;
    if (value.kind != VALUE_NONE)
        constant->value = parse_make_value(p, constant->at, value);
    if (constant->change != HOST_UNCHANGED || change_of(fact) == HOST_UNCHANGED)
        return;
    constant->change = change_of(fact);
    constant->changed_at = place_in(p, fact->change_file, fact->change_file_length, fact->change_line,
                                    fact->change_column, fact->name_length);
}

/* What is not compiled is no declaration. */
static void drop_others(struct name *name)
{
    struct host_constant **to = &name->constant;
    name->last_constant = NULL;
    while (*to) {
        if ((*to)->confirmed) {
            name->last_constant = *to;
            to = &(*to)->next;
        } else {
            *to = (*to)->next;
        }
    }
}

void host_constants_compile(struct parser *p)
{
    struct fact fact;
    for (const char *at = p->unit->source->facts; facts_next(&at, &fact);)
        if (fact.kind == FACT_MACRO || fact.kind == FACT_CONSTANT || fact.kind == FACT_VARIABLE)
            apply(p, &fact);
    for (struct name *name = p->unit->names.first; name; name = name->next)
        drop_others(name);
}
