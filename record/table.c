#include "record/table.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE_MOST = 400,           /* entries of a table */
    COUNTS_MOST = 16            /* what known_only_at takes */
};

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

/* What one recording says; text NULL: nothing, for nobody came here. */
struct part {
    int recording, ranks;
    char *text;
};

/* What tells recordings of one count apart. */
struct keys {
    const struct fit_names *names;
    bool *asked;                /* [names->n_params] */
};

static bool differs(const struct keys *keys, int param, const struct part *a, const struct part *b)
{
    const int64_t *values = keys->names->values[param];
    return values[a->recording] != values[b->recording];
}

static bool has_same_keys(const struct keys *keys, const struct part *a, const struct part *b)
{
    bool same = a->ranks == b->ranks;
    for (int i = 0; i < keys->names->n_params && same; i++)
        same = !keys->asked[i] || !differs(keys, i, a, b);
    return same;
}

/* Do recordings that nothing but this parameter tells apart say the same, and are there any? */
static bool says_nothing(const struct keys *keys, int param, size_t n, const struct part parts[])
{
    bool seen = false;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++) {
            if (!parts[a].text || !parts[b].text || !has_same_keys(keys, &parts[a], &parts[b]))
                continue;
            if (strcmp(parts[a].text, parts[b].text) != 0)
                return false;
            seen = seen || differs(keys, param, &parts[a], &parts[b]);
        }
    return seen;
}

/* The parameters that recordings differ in, but those that are known to say nothing. */
static void find_keys(struct keys *keys, size_t n, const struct part parts[])
{
    for (int i = 0; i < keys->names->n_params; i++)
        for (size_t k = 1; k < n; k++)
            keys->asked[i] = keys->asked[i] || differs(keys, i, &parts[k], &parts[0]);
    for (int i = 0; i < keys->names->n_params; i++) {
        const bool asked = keys->asked[i];
        keys->asked[i] = false;
        keys->asked[i] = asked && !says_nothing(keys, i, n, parts);
    }
}

static bool asks_params(const struct keys *keys)
{
    for (int i = 0; i < keys->names->n_params; i++)
        if (keys->asked[i])
            return true;
    return false;
}

/* numprocs == 2 && n == 24 */
static char *keys_text(const struct keys *keys, const struct part *part)
{
    char *text = alloc_format("numprocs == %d", part->ranks);
    for (int i = 0; i < keys->names->n_params; i++) {
        if (!keys->asked[i])
            continue;
        char *longer = alloc_format("%s && %s == %" PRId64, text, keys->names->param[i],
                                    keys->names->values[i][part->recording]);
        free(text);
        text = longer;
    }
    return text;
}

/* Has no recording before it, or none that says something, the same keys? */
static bool comes_first(const struct keys *keys, const struct part parts[], size_t at, bool says)
{
    for (size_t i = 0; i < at; i++)
        if ((!says || parts[i].text) && has_same_keys(keys, &parts[i], &parts[at]))
            return false;
    return true;
}

/* What a table is where it knows nothing: an error that shows what it knows, each count or condition once. */
static char *beyond_text(const struct keys *keys, size_t n, const struct part parts[])
{
    char *text = alloc_string("known_only_at(");
    const bool params = asks_params(keys);
    int told = 0;
    for (size_t i = 0; i < n && told < COUNTS_MOST; i++) {
        if (!comes_first(keys, parts, i, false))
            continue;
        char *key = params ? keys_text(keys, &parts[i]) : alloc_format("%d", parts[i].ranks);
        char *longer = alloc_format("%s%s%s", text, told++ > 0 ? ", " : "", key);
        free(key);
        free(text);
        text = longer;
    }
    char *whole = alloc_format("%s)", text);
    free(text);
    return whole;
}

/* Each recording's own, the first outermost. */
static char *parts_text(const struct keys *keys, size_t n, const struct part parts[], const char *beyond)
{
    char *text = beyond ? alloc_string(beyond) : beyond_text(keys, n, parts);
    for (size_t i = n; i > 0; i--) {
        const struct part *part = &parts[i - 1];
        if (!part->text || !comes_first(keys, parts, i - 1, true))
            continue;
        char *key = keys_text(keys, part), *longer = alloc_format("(%s ? %s : %s)", key, part->text, text);
        free(key);
        free(text);
        text = longer;
    }
    return text;
}

/* Do recordings of different counts all say the same, and of trips alone? Then so will others: what is the same everywhere is a
 * constant, too. */
static const char *said_by_all(const struct fit_names *names, size_t n, const struct part parts[])
{
    const struct part *first = NULL;
    bool counts = false;
    for (size_t i = 0; i < n; i++) {
        if (!parts[i].text)
            continue;
        first = first ? first : &parts[i];
        if (strcmp(parts[i].text, first->text) != 0 || strstr(parts[i].text, names->procnum))
            return NULL;
        counts = counts || parts[i].ranks != first->ranks;
    }
    return counts ? first->text : NULL;
}

const char *table_write(const struct fit_names *names, size_t n, struct fit_sample samples[], size_t n_recordings,
                        const struct recording recordings[], const char *beyond, bool tag, bool *everywhere, struct arena *memory)
{
    size_t changes = 0;
    if (everywhere)
        *everywhere = false;
    qsort(samples, n, sizeof *samples, fit_sample_compare);
    for (size_t i = 1; i < n; i++) {
        changes += samples[i].value != samples[i - 1].value;
        if (samples[i].value != samples[i - 1].value && fit_sample_compare(&samples[i], &samples[i - 1]) == 0)
            return NULL; /* something tells the two apart that a table does not ask for */
    }
    if (changes > TABLE_MOST)
        return NULL;
    struct part *parts = alloc_zeroed(n_recordings + 1, sizeof *parts);
    for (size_t r = 0, first = 0, end; r < n_recordings; r++, first = end) {
        for (end = first; end < n && samples[end].recording == (int)r;)
            end++;
        parts[r] = (struct part){(int)r, recordings[r].ranks,
                                 end > first ? table_part(names, end - first, &samples[first], -1, tag) : NULL};
    }
    struct keys keys = {names, alloc_zeroed((size_t)names->n_params + 1, sizeof *keys.asked)};
    find_keys(&keys, n_recordings, parts);
    const char *same = everywhere ? said_by_all(names, n_recordings, parts) : NULL;
    if (same)
        *everywhere = true;
    char *text = same ? alloc_string(same) : parts_text(&keys, n_recordings, parts, beyond);
    const char *kept = arena_string_n(memory, text, strlen(text));
    for (size_t i = 0; i < n_recordings; i++)
        free(parts[i].text);
    free(parts);
    free(keys.asked);
    free(text);
    return kept;
}
