#include "host/facts.h"

#include <stdlib.h>
#include <string.h>

/* A field up to a tab or the line's end. */
static const char *field(const char **at, size_t *n)
{
    const char *begin = *at;
    *n = strcspn(begin, "\t\n");
    *at = begin + *n + (begin[*n] == '\t');
    return begin;
}

static int number(const char **at)
{
    size_t n;
    return atoi(field(at, &n));
}

static enum fact_kind kind_of(const char *word, size_t n)
{
    static const char *const words[] = {
        [FACT_MACRO] = "macro", [FACT_CONSTANT] = "constant", [FACT_VARIABLE] = "variable", [FACT_TYPE] = "type",
        [FACT_FUNCTION] = "function", [FACT_GLOBAL] = "global"};
    for (enum fact_kind kind = FACT_MACRO; kind <= FACT_GLOBAL; kind++)
        if (strlen(words[kind]) == n && memcmp(words[kind], word, n) == 0)
            return kind;
    return FACT_NONE;
}

bool facts_next(const char **at, struct fact *fact)
{
    size_t n;
    if (!*at || !**at)
        return false;
    *fact = (struct fact){0};
    const char *word = field(at, &n);
    fact->kind = kind_of(word, n);
    fact->name = field(at, &fact->name_length);
    fact->value = field(at, &fact->value_length);
    fact->file = field(at, &fact->file_length);
    fact->line = number(at);
    fact->column = number(at);
    fact->change = field(at, &fact->change_length);
    fact->change_file = field(at, &fact->change_file_length);
    fact->change_line = number(at);
    fact->change_column = number(at);
    *at += strcspn(*at, "\n");
    *at += **at == '\n';
    return true;
}

long facts_type_bytes(const char *text, const char *type)
{
    struct fact fact;
    size_t n = strlen(type);
    for (const char *at = text; facts_next(&at, &fact);)
        if (fact.kind == FACT_TYPE && fact.name_length == n && memcmp(fact.name, type, n) == 0)
            return atol(fact.value);
    return 0;
}
