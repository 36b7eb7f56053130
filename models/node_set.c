#include "models/node_set.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The first stretch that ends at `node` or behind it; n: none. */
static size_t stretch_at(const struct node_set *set, int node)
{
    size_t low = 0, high = set->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->stretch[middle].last < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void node_set_add(struct node_set *set, int first, int last)
{
    size_t from = stretch_at(set, first > 0 ? first - 1 : first), to = from;
    while (to < set->n && set->stretch[to].first - 1 <= last)
        to++;
    if (to > from) {
        first = set->stretch[from].first < first ? set->stretch[from].first : first;
        last = set->stretch[to - 1].last > last ? set->stretch[to - 1].last : last;
    } else {
        set->stretch = alloc_grow(set->stretch, set->n, &set->capacity, sizeof *set->stretch);
    }
    memmove(&set->stretch[from + 1], &set->stretch[to], (set->n - to) * sizeof *set->stretch);
    set->n = set->n - (to - from) + 1;
    set->stretch[from] = (struct node_stretch){first, last};
}

void node_set_add_all(struct node_set *set, const struct node_set *other)
{
    for (size_t i = 0; i < other->n; i++)
        node_set_add(set, other->stretch[i].first, other->stretch[i].last);
}

void node_set_free(struct node_set *set)
{
    free(set->stretch);
    *set = (struct node_set){0};
}

bool node_set_has(const struct node_set *set, int node)
{
    size_t i = stretch_at(set, node);
    return i < set->n && set->stretch[i].first <= node;
}

long long node_set_count(const struct node_set *set)
{
    long long count = 0;
    for (size_t i = 0; i < set->n; i++)
        count += (long long)set->stretch[i].last - set->stretch[i].first + 1;
    return count;
}

int node_set_meet(const struct node_set *a, const struct node_set *b)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t j = stretch_at(b, a->stretch[i].first);
        if (j < b->n && b->stretch[j].first <= a->stretch[i].last)
            return b->stretch[j].first > a->stretch[i].first ? b->stretch[j].first : a->stretch[i].first;
    }
    return -1;
}

bool node_set_is_part(const struct node_set *part, const struct node_set *whole)
{
    for (size_t i = 0; i < part->n; i++) {
        size_t j = stretch_at(whole, part->stretch[i].last);
        if (j == whole->n || whole->stretch[j].first > part->stretch[i].first)
            return false;
    }
    return true;
}

char *node_set_text(const struct node_set *set)
{
    char *text = alloc_string("");
    for (size_t i = 0; i < set->n; i++) {
        const struct node_stretch *s = &set->stretch[i];
        char *longer = s->first == s->last ? alloc_format("%s%s%d", text, i ? "," : "", s->first)
                                           : alloc_format("%s%s%d-%d", text, i ? "," : "", s->first, s->last);
        free(text);
        text = longer;
    }
    return text;
}
