#include "annotate/phrase_impl.h"

#include "record/proof.h"
#include "record/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 4000 };   /* in which a formula is looked for; it is held against all */

/* The whole word `name` in a text. */
static bool says(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += n) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_')
            return true;
    }
    return false;
}

/* A node's text uses a name: its loop counts, or its function needs the argument. */
void phrases_use(struct phrases *p, int function, int what)
{
    if (what >= 0)
        p->of[what].counted = true;
    if (what >= 0 && p->plan->nodes[what].function == function)
        return;
    struct arguments *a = &p->arguments[function];
    for (size_t i = 0; i < a->n; i++)
        if (a->of[i] == what)
            return;
    a->of = alloc_grow(a->of, a->n, &a->capacity, sizeof *a->of);
    size_t at = a->n++; /* in the order of their names, whatever asked first */
    for (; at > 0 && strcmp(phrases_argument(p, a->of[at - 1]), phrases_argument(p, what)) > 0; at--)
        a->of[at] = a->of[at - 1];
    a->of[at] = what;
}

/* ---- formulas ---- */

/* What is around, over all samples. */
static int find_around(struct phrases *p, const struct seen_list *seen, int of[FIT_LOOPS], const char *name[FIT_LOOPS])
{
    int n = 0;
    for (int depth = 0; depth < CONTEXT_MOST; depth++)
        for (size_t i = 0; i < seen->n; i++) {
            int what = depth < seen->list[i].n ? seen->list[i].around[depth].node : -1, k = 0;
            if (depth >= seen->list[i].n || n == FIT_LOOPS || (i > 0 && depth < seen->list[i - 1].n &&
                                                               seen->list[i - 1].around[depth].node == what))
                continue;
            if (what < 0 && plan_depth_function(p->plan, what) < 0 && p->plan->functions[-1 - what].callers < 2)
                continue; /* it is known which call it was */
            while (k < n && of[k] != what)
                k++;
            if (k == n) {
                of[n] = what;
                name[n++] = phrases_argument(p, what);
            }
        }
    return n;
}

/* What a condition may say of the last trip of a loop around; names of another function may mean something else here. */
static void find_rounds(const struct phrases *p, int function, struct level *level)
{
    for (int k = 0; k < level->n; k++) {
        const int what = level->of[k];
        const char *trips = what >= 0 && p->plan->nodes[what].function == function ? p->of[what].trips : NULL;
        const bool one = trips && fit_has_last(trips) && seen_constant(&p->plan->nodes[what].trips, &level->rounds[k]);
        level->trips[k] = one ? trips : NULL;
    }
}

/* Each place once. False: at one place there were two values. */
static bool project(struct phrases *p, const struct seen_list *seen, struct level *level)
{
    level->samples = alloc_array(seen->n, sizeof *level->samples);
    for (size_t i = 0; i < seen->n; i++) {
        const struct seen *s = &seen->list[i];
        struct fit_sample *to = &level->samples[i];
        *to = (struct fit_sample){.procnum = p->within >= 0 ? s->within_rank : s->rank,
                                  .numprocs = p->within >= 0 ? s->within_size : p->plan->recordings[s->recording].ranks,
                                  .recording = s->recording, .value = s->value};
        for (int k = 0; k < level->n; k++)
            for (int d = 0; d < s->n; d++)
                if (s->around[d].node == level->of[k])
                    to->index[k] = s->around[d].at;
        memcpy(to->trips, level->rounds, sizeof to->trips);
    }
    qsort(level->samples, seen->n, sizeof *level->samples, fit_sample_compare);
    level->n_samples = 0;
    for (size_t i = 0; i < seen->n; i++) {
        struct fit_sample now = level->samples[i], *last = &level->samples[level->n_samples - (level->n_samples > 0)];
        bool again = level->n_samples > 0 && fit_sample_compare(last, &now) == 0;
        if (again && last->value != now.value)
            return false;
        if (!again)
            level->samples[level->n_samples++] = now;
    }
    return true;
}

/* Of each process of each recording its first samples: what a formula is looked for in, of very many. Yours to free. */
static struct fit_sample *first_samples(const struct level *level, size_t *n)
{
    const struct fit_sample *all = level->samples;
    struct fit_sample *first = alloc_array(level->n_samples + 1, sizeof *first);
    size_t processes = level->n_samples > 0, of_process = 0;
    for (size_t i = 1; i < level->n_samples; i++)
        processes += all[i].recording != all[i - 1].recording || all[i].procnum != all[i - 1].procnum;
    *n = 0;
    for (size_t i = 0; i < level->n_samples; i++) {
        const bool next = i == 0 || all[i].recording != all[i - 1].recording || all[i].procnum != all[i - 1].procnum;
        of_process = next ? 0 : of_process + 1;
        if (level->n_samples <= SAMPLES_MOST || of_process < SAMPLES_MOST / processes + 1)
            first[(*n)++] = all[i];
    }
    return first;
}

/* The grids of formulas. */
static unsigned grids_in(const char *text)
{
    return (strstr(text, ", 2, ") ? GRID_BIT(GRID_2) : 0) | (strstr(text, ", 3, ") ? GRID_BIT(GRID_3) : 0);
}

struct fit_names phrases_names(struct phrases *p, const struct level *level, enum sought sought)
{
    return (struct fit_names){.procnum = p->within >= 0 ? phrases_keep(p, "procnum_in(comm%d)", p->within) : "procnum",
                              .numprocs = p->within >= 0 ? phrases_keep(p, "numprocs_in(comm%d)", p->within) : "numprocs",
                              .source = "sender", .loop = level->name, .trips = level->trips,
                              .any = sought == SOUGHT_TAG ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE", .n_loops = level->n,
                              .n_params = p->n_params, .param = p->params, .number = sought != SOUGHT_PARTNER,
                              .counts = p->counts,
                              .sign = p->side,
                              .values = (const int64_t *const *)p->values,
                              .grids = p->grid ? grids_in(p->grid) : 0};
}

/* A formula in what the level names, that gives all that was seen there; NULL: none. */
static const char *fit_level(struct phrases *p, const struct level *level, enum sought sought)
{
    const bool condition = sought == SOUGHT_CONDITION;
    struct fit_other other = {0};
    struct fit_names names = phrases_names(p, level, sought);
    size_t n;
    struct fit_sample *first = first_samples(level, &n);
    const char *text = condition ? fit_condition(n, first, &names, &other, NULL, &p->memory)
                                 : fit_value(n, first, &names, &other, &p->memory);
    free(first);
    if (text && n < level->n_samples && !proof_holds(text, condition, level->n_samples, level->samples, &names))
        return NULL;
    if (text && other.text && !p->other)
        p->other = other.text;
    if (text && names.counts && !p->unconfirmed)
        p->unconfirmed = other.unconfirmed;
    return text;
}

/* In as few of what is around as give one value each. *table: where there is no formula; NULL: none either. */
static const char *fit(struct phrases *p, const struct seen_list *seen, const struct level *all, enum sought sought,
                       const char **table)
{
    const char *text = NULL;
    for (int n = 0; n <= all->n && !text; n++) {
        struct level level = *all;
        level.n = n;
        bool one = project(p, seen, &level);
        text = one ? fit_level(p, &level, sought) : NULL;
        struct fit_names names = phrases_names(p, &level, sought);
        if (one && !text && table && !*table)
            *table = table_write(&names, level.n_samples, level.samples, p->plan->n_recordings, p->plan->recordings,
                                 p->beyond, sought == SOUGHT_TAG, &p->everywhere, &p->memory);
        free(level.samples);
    }
    return text;
}

enum { CASES_MOST = 8, SPLITS_DEEPEST = 3 };

static int64_t at_of(const struct seen *seen, int what)
{
    for (int d = 0; d < seen->n; d++)
        if (seen->around[d].node == what)
            return seen->around[d].at;
    return 0;
}

/* The values that one of what is around has; 0: too many to be cases. */
static int cases_of(const struct seen_list *seen, int what, int64_t cases[CASES_MOST])
{
    int n = 0;
    for (size_t i = 0; i < seen->n; i++) {
        int64_t at = at_of(&seen->list[i], what);
        int k = 0;
        while (k < n && cases[k] != at)
            k++;
        if (k == n && n == CASES_MOST)
            return 0;
        if (k == n)
            cases[n++] = at;
    }
    return n;
}

static struct seen_list only(const struct seen_list *seen, int what, int64_t at)
{
    struct seen_list part = {.list = alloc_array(seen->n, sizeof *part.list)};
    for (size_t i = 0; i < seen->n; i++)
        if (at_of(&seen->list[i], what) == at)
            part.list[part.n++] = seen->list[i];
    return part;
}

typedef const char *case_text(struct phrases *p, const struct seen_list *seen, const struct level *all,
                              enum sought sought, int depth);

/* Case by case of one of what is around: NAME == 0 ? ... : NAME == 1 ? ... : ...; NULL: in one of them there is
 * none. */
static const char *by_cases(struct phrases *p, const struct seen_list *seen, const struct level *all, int k,
                            enum sought sought, int depth, case_text *of_case)
{
    int64_t cases[CASES_MOST];
    int n = cases_of(seen, all->of[k], cases);
    const char *text = NULL, *name = all->name[k];
    if (n < 2)
        return NULL;
    struct level rest = *all;
    rest.n = 0;
    for (int i = 0; i < all->n; i++)
        if (i != k) {
            rest.of[rest.n] = all->of[i];
            rest.trips[rest.n] = all->trips[i];
            rest.rounds[rest.n] = all->rounds[i];
            rest.name[rest.n++] = all->name[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        struct seen_list part = only(seen, all->of[k], cases[i]);
        const char *of = of_case(p, &part, &rest, sought, depth + 1);
        free(part.list);
        if (!of)
            return NULL;
        text = !text || strcmp(text, of) == 0
                   ? of
                   : phrases_keep(p, "(%s == %" PRId64 " ? %s : %s)", name, cases[i], of, text);
    }
    return text;
}

static const char *fit_cases(struct phrases *p, const struct seen_list *seen, const struct level *all,
                             enum sought sought, int depth)
{
    const char *text = fit(p, seen, all, sought, NULL);
    for (int k = 0; k < all->n && !text && depth < SPLITS_DEEPEST; k++)
        text = by_cases(p, seen, all, k, sought, depth, fit_cases);
    return text;
}

/* A formula, else a table; NULL: neither. */
const char *phrases_formula(struct phrases *p, const struct seen_list *seen, int function, enum sought sought,
                            bool *table)
{
    struct level all = {0};
    const char *tabled = NULL;
    p->other = p->unconfirmed = NULL;
    p->everywhere = false;
    all.n = find_around(p, seen, all.of, all.name);
    find_rounds(p, function, &all);
    const char *text = fit(p, seen, &all, sought, &tabled);
    for (int k = 0; k < all.n && !text; k++)
        text = by_cases(p, seen, &all, k, sought, 0, fit_cases);
    *table = !text && tabled;
    p->everywhere = p->everywhere && *table;
    p->tables += *table && !p->everywhere;
    p->other = text ? p->other : NULL;
    p->unconfirmed = text ? p->unconfirmed : NULL;
    text = text ? text : tabled;
    for (int k = 0; text && k < all.n; k++)
        if (says(text, all.name[k]))
           phrases_use(p, function, all.of[k]);
    return text;
}

const char *phrases_mean_size(struct phrases *p, const struct seen_list *seen, double *error, double *spread)
{
    struct fit_sample *samples = alloc_zeroed(p->plan->n_recordings, sizeof *samples);
    const struct level none = {.n = 0};
    struct fit_names names = phrases_names(p, &none, SOUGHT_VALUE);
    size_t n = 0;
    *spread = 0;
    for (size_t r = 0; r < p->plan->n_recordings; r++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < seen->n; i++)
            if (seen->list[i].recording == (int)r) {
                sum += (double)seen->list[i].value;
                count++;
            }
        if (count > 0) /* fit_time takes millionths of what it says */
            samples[n++] = (struct fit_sample){.numprocs = p->plan->recordings[r].ranks, .recording = (int)r,
                                               .value = (int64_t)(sum / count * 1e6)};
        for (size_t i = 0; i < seen->n && sum > 0; i++)
            if (seen->list[i].recording == (int)r)
                *spread = fmax(*spread, fabs((double)seen->list[i].value * count / sum - 1));
    }
    const char *text = phrases_keep(p, "round(%s)", fit_time(n, samples, &names, error, &p->memory));
    *error = n > 1 ? *error : 1;
    free(samples);
    return text;
}

/* Of what is around, calls and short loops are told apart: what differs further, from step to step, is a mean. */
static const char *mean_cases(struct phrases *p, const struct seen_list *seen, const struct level *all,
                              enum sought sought, int depth)
{
    const char *text = fit(p, seen, all, sought, NULL);
    for (int k = 0; k < all->n && !text && depth < SPLITS_DEEPEST; k++)
        text = by_cases(p, seen, all, k, sought, depth, mean_cases);
    double error, spread;
    return text ? text : phrases_mean_size(p, seen, &error, &spread);
}

const char *phrases_mean_formula(struct phrases *p, const struct seen_list *seen, int function)
{
    struct level all = {0};
    all.n = find_around(p, seen, all.of, all.name);
    find_rounds(p, function, &all);
    const char *text = mean_cases(p, seen, &all, SOUGHT_VALUE, 0);
    for (int k = 0; k < all.n; k++)
        if (says(text, all.name[k]))
           phrases_use(p, function, all.of[k]);
    return text;
}

bool seen_constant(const struct seen_list *seen, int64_t *value)
{
    for (size_t i = 1; i < seen->n; i++)
        if (seen->list[i].value != seen->list[0].value)
            return false;
    *value = seen->n > 0 ? seen->list[0].value : 0;
    return seen->n > 0;
}

double seen_mean(const struct seen_list *seen)
{
    double sum = 0;
    for (size_t i = 0; i < seen->n; i++)
        sum += (double)seen->list[i].value;
    return seen->n > 0 ? sum / (double)seen->n : 0;
}
