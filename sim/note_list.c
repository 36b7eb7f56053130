#include "sim/note_list.h"

#include "common/alloc.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

/* Behind the number that stands there: digits, and a point or a comma between them. */
static const char *number_end(const char *text)
{
    while (isdigit((unsigned char)*text) || ((*text == '.' || *text == ',') && isdigit((unsigned char)text[1])))
        text++;
    return text;
}

static bool same_kind(const char *a, const char *b)
{
    while (*a || *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a = number_end(a);
            b = number_end(b);
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return true;
}

static struct note_of_runs *find(const struct note_list *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (same_kind(list->notes[i].text, text))
            return &list->notes[i];
    return NULL;
}

void note_list_add(struct note_list *list, size_t n, char *const texts[], size_t run)
{
    for (size_t i = 0; i < n; i++) {
        struct note_of_runs *there = find(list, texts[i]);
        if (!there) {
            list->notes = alloc_grow(list->notes, list->n, &list->capacity, sizeof *list->notes);
            list->notes[list->n++] = (struct note_of_runs){alloc_string(texts[i]), run, run, 1};
        } else if (there->last != run) {
            there->last = run;
            there->n++;
        }
    }
}

void note_list_free(struct note_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->notes[i].text);
    free(list->notes);
    *list = (struct note_list){0};
}
