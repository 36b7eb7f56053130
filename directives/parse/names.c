#include "directives/parse/names.h"

#include <stdlib.h>
#include <string.h>

void names_init(struct names *names, struct arena *memory)
{
    memset(names, 0, sizeof *names);
    names->memory = memory;
    names->n_slots = 256;
    names->slots = alloc_zeroed(names->n_slots, sizeof *names->slots);
}

void names_free(struct names *names)
{
    free(names->slots);
    memset(names, 0, sizeof *names);
}

/* FNV-1a, 64 bits. */
static size_t hash(const char *text, size_t n)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 29);
}

/* The slot that holds the name, or the empty one where it belongs. */
static struct name **find(const struct names *names, const char *text, size_t n)
{
    size_t at = hash(text, n) & (names->n_slots - 1);
    while (names->slots[at] && !(strncmp(names->slots[at]->text, text, n) == 0 && names->slots[at]->text[n] == '\0'))
        at = (at + 1) & (names->n_slots - 1);
    return &names->slots[at];
}

static void double_slots(struct names *names)
{
    free(names->slots);
    names->n_slots *= 2;
    names->slots = alloc_zeroed(names->n_slots, sizeof *names->slots);
    for (struct name *name = names->first; name; name = name->next)
        *find(names, name->text, strlen(name->text)) = name;
}

struct name *names_get(struct names *names, const char *text, size_t n)
{
    struct name **slot = find(names, text, n);
    if (*slot)
        return *slot;
    if (names->n * 2 >= names->n_slots) {
        double_slots(names);
        slot = find(names, text, n);
    }
    struct name *name = arena_alloc(names->memory, 1, sizeof *name);
    name->text = arena_string_n(names->memory, text, n);
    name->variable = name->request = name->region = name->window = name->parameter = name->definition = name->param =
        name->argument = -1;
    *slot = name;
    names->n++;
    if (names->last)
        names->last->next = name;
    else
        names->first = name;
    names->last = name;
    return name;
}
