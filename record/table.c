#include "record/table.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE_MOST = 400,           /* entries of a table */
    COUNTS_MOST = 16            /* what known_only_at takes */
};

const char *table_beyond(size_t n, const struct recording recordings[], struct arena *memory)
{
    char *text = alloc_string("known_only_at(");
    int told = 0, last = 0;
    for (size_t r = 0; r < n && told < COUNTS_MOST; r++) {
        if (told > 0 && recordings[r].ranks == last)
            continue;
        last = recordings[r].ranks;
        char *longer = alloc_format("%s%s%d", text, told++ > 0 ? ", " : "", last);
        free(text);
        text = longer;
    }
    char *whole = alloc_format("%s)", text);
    const char *kept = arena_string_n(memory, whole, strlen(whole));
    free(text);
    free(whole);
    return kept;
}

static char *value_text(int64_t value, bool tag)
{
    return value == FIT_NULL ? alloc_string("MPI_PROC_NULL")
         : value == FIT_ANY ? alloc_string(tag ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE")
         : value == FIT_SOURCE ? alloc_string("sender") : alloc_format("%" PRId64, value);
}

/* Of samples of one recording: what is asked first is the process, then the loops. `key` -1: the process. */
static char *table_part(const struct fit_names *names, size_t n, const struct fit_sample *samples, int key, bool tag)
{
    size_t same = 1;
    while (same < n && samples[same].value == samples[0].value)
        same++;
    if (same == n || key == names->n_loops)
        return value_text(samples[0].value, tag);
#define KEY(s) (key < 0 ? (s).procnum : (s).index[key])
    if (KEY(samples[0]) == KEY(samples[n - 1]))
        return table_part(names, n, samples, key + 1, tag);
    size_t middle = n / 2;
    while (middle > 0 && KEY(samples[middle - 1]) == KEY(samples[middle]))
        middle--;
    if (middle == 0)
        for (middle = n / 2; KEY(samples[middle - 1]) == KEY(samples[middle]); middle++)
            ;
    char *low = table_part(names, middle, samples, key, tag);
    char *high = table_part(names, n - middle, samples + middle, key, tag);
    bool alike = strcmp(low, high) == 0;
    char *text = alike ? alloc_string(low)
                       : alloc_format("(%s < %" PRId64 " ? %s : %s)", key < 0 ? names->procnum : names->loop[key],
                                      (int64_t)KEY(samples[middle]), low, high);
#undef KEY
    free(low);
    free(high);
    return text;
}

const char *table_write(const struct fit_names *names, size_t n, struct fit_sample samples[],
                        const struct recording recordings[], const char *beyond, bool tag, struct arena *memory)
{
    size_t changes = 0;
    qsort(samples, n, sizeof *samples, fit_sample_compare);
    for (size_t i = 1; i < n; i++) {
        changes += samples[i].value != samples[i - 1].value;
        if (samples[i].value != samples[i - 1].value && fit_sample_compare(&samples[i], &samples[i - 1]) == 0)
            return NULL; /* something tells the two apart that a table does not ask for */
    }
    if (changes > TABLE_MOST)
        return NULL;
    char *text = alloc_string(beyond);
    for (size_t end = n, first; end > 0; end = first) {
        for (first = end - 1; first > 0 && samples[first - 1].recording == samples[end - 1].recording;)
            first--;
        char *part = table_part(names, end - first, &samples[first], -1, tag), *longer = text;
        text = alloc_format("(numprocs == %d ? %s : %s)", recordings[samples[first].recording].ranks, part, longer);
        free(part);
        free(longer);
    }
    const char *kept = arena_string_n(memory, text, strlen(text));
    free(text);
    return kept;
}
