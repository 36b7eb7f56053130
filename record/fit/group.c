#include "record/fit/group.h"

#include <stdlib.h>
#include <string.h>

struct placed {
    const struct fit_sample *sample;
    size_t at;
};

static int compare_trips(const struct fit_sample *x, const struct fit_sample *y)
{
    return x->recording != y->recording ? (x->recording > y->recording) - (x->recording < y->recording)
                                        : memcmp(x->index, y->index, sizeof x->index);
}

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return compare_trips(x->sample, y->sample);
}

void groups_make(struct search *search)
{
    struct placed *placed = alloc_array(search->n + 1, sizeof *placed);
    for (size_t i = 0; i < search->n; i++)
        placed[i] = (struct placed){&search->samples[i], i};
    qsort(placed, search->n, sizeof *placed, compare_placed);
    search->group = alloc_array(search->n + 1, sizeof *search->group);
    search->n_groups = 0;
    for (size_t i = 0; i < search->n; i++) {
        search->n_groups += i == 0 || compare_trips(placed[i].sample, placed[i - 1].sample) != 0;
        search->group[placed[i].at] = search->n_groups - 1;
    }
    free(placed);
}

void groups_find_mixed(const struct search *search, struct subset subset, bool mixed[])
{
    int64_t *first = alloc_array(search->n_groups + 1, sizeof *first);
    bool *seen = alloc_zeroed(search->n_groups + 1, sizeof *seen);
    memset(mixed, 0, search->n_groups * sizeof *mixed);
    for (size_t i = 0; i < search->n; i++) {
        const size_t g = search->group[i];
        if (!IN(subset, i))
            continue;
        first[g] = seen[g] ? first[g] : search->samples[i].value;
        mixed[g] = mixed[g] || search->samples[i].value != first[g];
        seen[g] = true;
    }
    free(first);
    free(seen);
}

bool groups_parted_in_vain(const struct search *search, const unsigned char mask[], const bool mixed[], unsigned char sides[])
{
    bool parted = false;
    memset(sides, 0, search->n_groups);
    for (size_t i = 0; i < search->n; i++) {
        if (mask[i] > 1)
            continue;
        unsigned char *of = &sides[search->group[i]];
        *of = (unsigned char)(*of | 1U << mask[i]);
        if (*of == 3 && mixed[search->group[i]])
            return false;
        parted = parted || *of == 3;
    }
    return parted;
}
