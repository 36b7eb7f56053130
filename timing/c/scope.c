#include "timing/c/scope.h"

#include "host/facts.h"

#include <string.h>

/* Of what headers declare, where a compiler has said it. */
static enum code_scope_meaning meaning_of_fact(const struct fact *fact)
{
    switch (fact->kind) {
    case FACT_MACRO:
    case FACT_CONSTANT: return SCOPE_NUMBER;
    case FACT_FUNCTION: return SCOPE_FUNCTION;
    case FACT_GLOBAL: return *fact->value == 'n' ? SCOPE_NUMBER : SCOPE_OTHER;
    case FACT_NONE:
    case FACT_VARIABLE:
    case FACT_TYPE: break;
    }
    return SCOPE_UNKNOWN;
}

static enum code_scope_meaning meaning_of_facts(const char *facts, const char *name, size_t n)
{
    struct fact fact;
    for (const char *at = facts; facts_next(&at, &fact);)
        if (fact.name_length == n && memcmp(fact.name, name, n) == 0 && meaning_of_fact(&fact) != SCOPE_UNKNOWN)
            return meaning_of_fact(&fact);
    return SCOPE_UNKNOWN;
}

/* Is it, or is its type, by whatever names, a pointer, an array or a structure? */
static bool is_other(const struct host_scopes *scopes, const struct host_variable *variable)
{
    const struct host_text *text = scopes->functions.text;
    while (variable && !variable->other) {
        const size_t type = variable->type_word;
        const struct host_variable *named =
            type < text->n ? host_name_declared(scopes, text->text + text->tokens[type].at, text->tokens[type].n, type) : NULL;
        variable = named && named->kind == HOST_TYPE_NAME ? named : NULL;
    }
    return variable != NULL;
}

/* Is a function, and no member of a class or a namespace, declared before token i? (a > T(0) is no declaration.) */
static bool is_function(const struct host_scopes *scopes, size_t i, const char *name, size_t n)
{
    static const char *const no_type[] = {"::", "const", ">"};
    const struct host_function *list;
    const size_t n_functions = host_functions_of(&scopes->functions, name, n, &list);
    for (size_t k = 0; k < n_functions; k++)
        if (list[k].name < i && !HOST_TOKEN_IS_ANY(scopes->functions.text, list[k].name - 1, no_type))
            return true;
    return false;
}

enum code_scope_meaning code_scope_find(const struct host_scopes *scopes, size_t offset, const char *name, size_t n)
{
    const struct host_text *text = scopes->functions.text;
    const size_t i = host_token_at(text, offset);
    const struct host_variable *found = host_name_declared(scopes, name, n, i);
    if (is_function(scopes, i, name, n) && (!found || found->first == 0))
        return SCOPE_FUNCTION;
    if (!found)
        return meaning_of_facts(text->source->facts, name, n);
    switch (found->kind) {
    case HOST_UNDEFINED: return SCOPE_UNKNOWN;
    case HOST_TYPE_NAME: return SCOPE_TYPE;
    case HOST_VARIABLE:
    case HOST_EXTERNAL:
    case HOST_ENUMERATOR:
    case HOST_MACRO: break;
    }
    return is_other(scopes, found) ? SCOPE_OTHER : SCOPE_NUMBER;
}
