#include "record/fit/term.h"

#include <stdlib.h>
#include <string.h>

struct candidate candidate_make(struct search *search, const char *text)
{
    struct candidate new = {text, arena_alloc(search->memory, search->m, sizeof *new.value), search->grids, NULL};
    memcpy(new.value, search->work, search->m * sizeof *new.value);
    return new;
}

static void add(struct search *search, struct candidate **list, size_t *n, size_t *capacity, const char *text)
{
    *list = alloc_grow(*list, *n, capacity, sizeof **list);
    (*list)[(*n)++] = candidate_make(search, text);
}

static bool same_values(const struct search *search, const struct candidate *candidate, size_t n)
{
    return memcmp(candidate->value, search->work, n * sizeof *search->work) == 0;
}

/* Adds search->work. One that has the same value for each sample as an earlier one stands behind that; one that has the
 * same everywhere says nothing new. */
static void add_new(struct search *search, struct candidate **list, size_t *n, size_t *capacity, const char *text)
{
    for (size_t i = 0; i < *n; i++) {
        if (!same_values(search, &(*list)[i], search->n))
            continue;
        struct candidate *last = &(*list)[i];
        while (!same_values(search, last, search->m) && last->alike)
            last = last->alike;
        if (same_values(search, last, search->m))
            return;
        last->alike = arena_alloc(search->memory, 1, sizeof *last);
        *last->alike = candidate_make(search, text);
        return;
    }
    add(search, list, n, capacity, text);
}

/* Parts are divisors: at counts that were not recorded one below 1, which no program would have, is 1. */
void part_add(struct search *search, const char *text)
{
    for (size_t i = 0; i < search->m; i++) {
        if (search->work[i] < 1 && i < search->n)
            return;
        search->work[i] = search->work[i] < 1 ? 1 : search->work[i];
    }
    for (size_t i = 0; i < search->n_parts; i++)
        if (same_values(search, &search->parts[i], search->m))
            return;
    add(search, &search->parts, &search->n_parts, &search->parts_capacity, text);
}

void whole_add(struct search *search, const char *text)
{
    add_new(search, &search->wholes, &search->n_wholes, &search->wholes_capacity, text);
}

void test_add(struct search *search, const char *text)
{
    size_t yes = 0;
    for (size_t i = 0; i < search->n; i++)
        yes += search->work[i] != 0;
    if (yes > 0 && yes < search->n)
        add_new(search, &search->tests, &search->n_tests, &search->tests_capacity, text);
}

void law_add(struct search *search, const char *text)
{
    add(search, &search->laws, &search->n_laws, &search->laws_capacity, text);
}

/* In which of the parts a process is: procnum/1 is procnum. */
const char *text_over(struct search *search, const char *part)
{
    const char *p_ = search->names->procnum;
    return strcmp(part, "1") == 0 ? p_ : search_text(search, "%s/%s", p_, part);
}

/* A part less another one, and the last of it: 2-1 is 1. */
const char *text_less(struct search *search, const char *part, const char *by)
{
    char *end, *end_by;
    const long number = strtol(part, &end, 10), less = strtol(by, &end_by, 10);
    return *end == '\0' && *end_by == '\0' ? search_number(search, (double)(number - less)) : search_text(search, "%s-%s", part, by);
}

const char *text_last(struct search *search, const char *part)
{
    return text_less(search, part, "1");
}
