#include "record/fit.h"

#include "directives/value.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fit_sample_compare(const void *a, const void *b)
{
    const struct fit_sample *x = a, *y = b;
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    if (x->procnum != y->procnum)
        return x->procnum < y->procnum ? -1 : 1;
    for (int i = 0; i < FIT_LOOPS; i++)
        if (x->index[i] != y->index[i])
            return x->index[i] < y->index[i] ? -1 : 1;
    return 0;
}

/* A term with its value for each sample. */
struct candidate {
    const char *text;
    int64_t *value;   /* [m] */
    struct candidate *alike; /* the next one that has the same value for each sample, but not beyond; NULL: none */
};

/* x of a + b x. */
struct slope {
    const char *text; /* a factor: "/numprocs", "*numprocs" */
    const char *part; /* that it is made of, or NULL */
    double *value;    /* [m] */
};

/* The first n places are the samples; up to m come those of counts that were not recorded. */
struct search {
    size_t n, m;
    const struct fit_sample *samples;
    const struct fit_names *names;
    struct arena *memory;
    size_t n_parts, parts_capacity;
    struct candidate *parts;      /* numbers > 0: strides, extents, distances */
    size_t n_wholes, wholes_capacity;
    struct candidate *wholes;     /* formulas on their own */
    size_t n_tests, tests_capacity;
    struct candidate *tests;      /* conditions, the likelier first */
    size_t n_slopes, slopes_capacity;
    struct slope *slopes;
    int64_t *work;                /* [m] */
    struct fit_sample *beyond;    /* [m] the samples, and what they could be at other counts */
    size_t *place;                /* [m] of what is no sample: its place in names->places */
    bool *cheaper;                /* [m] as fit_place */
    int counts;                   /* different numprocs, 3 stands for more */
    struct fit_other *other;      /* what is asked for, or NULL; text NULL: none so far */
};

/* A formula with its values; text NULL: none. */
struct found {
    const char *text;
    const int64_t *value;         /* [m] */
};

static const char *format(struct search *search, const char *form, ...) __attribute__((format(printf, 2, 3)));
static const char *format(struct search *search, const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    char *text = alloc_format_list(form, arguments);
    va_end(arguments);
    const char *kept = arena_string_n(search->memory, text, strlen(text));
    free(text);
    return kept;
}

/* ---- candidates ---- */

static struct candidate new_candidate(struct search *search, const char *text)
{
    struct candidate new = {text, arena_alloc(search->memory, search->m, sizeof *new.value), NULL};
    memcpy(new.value, search->work, search->m * sizeof *new.value);
    return new;
}

static void add(struct search *search, struct candidate **list, size_t *n, size_t *capacity, const char *text)
{
    *list = alloc_grow(*list, *n, capacity, sizeof **list);
    (*list)[(*n)++] = new_candidate(search, text);
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
        *last->alike = new_candidate(search, text);
        return;
    }
    add(search, list, n, capacity, text);
}

/* Parts are divisors: at counts that were not recorded one below 1, which no program would have, is 1. */
static void add_part(struct search *search, const char *text)
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
static void add_whole(struct search *search, const char *text)
{
    add_new(search, &search->wholes, &search->n_wholes, &search->wholes_capacity, text);
}
static void add_test(struct search *search, const char *text)
{
    size_t yes = 0;
    for (size_t i = 0; i < search->n; i++)
        yes += search->work[i] != 0;
    if (yes > 0 && yes < search->n)
        add_new(search, &search->tests, &search->n_tests, &search->tests_capacity, text);
}

/* Fills search->work from an expression over p (procnum), P (numprocs) and s (the sample). */
#define EACH(expression)                                                  \
    for (size_t k_ = 0; k_ < search->m; k_++) {                           \
        const struct fit_sample *s = &search->beyond[k_];                 \
        int64_t p = s->procnum, P = s->numprocs;                          \
        (void)p;                                                          \
        (void)P;                                                          \
        search->work[k_] = (expression);                                  \
    }
#define AT(candidate) ((candidate).value[k_])

static int64_t power2(int64_t exponent)
{
    return exponent < 0 || exponent > 40 ? 0 : INT64_C(1) << exponent;
}
static int64_t log2_of(int64_t n)
{
    return n < 1 ? -1 : 63 - __builtin_clzll((uint64_t)n);
}

/* Dimension i of the grid that MPI_Dims_create makes. */
static int64_t dims_of(int64_t processes, int dimensions, int i)
{
    const struct value arguments[] = {{.kind = VALUE_INT, .i = processes}, {.kind = VALUE_INT, .i = dimensions},
                                      {.kind = VALUE_INT, .i = i}};
    struct value out = {.kind = VALUE_INT, .i = 1};
    const char *problem = value_call(FUNCTION_dims_create, 3, arguments, &out);
    assert(!problem);
    (void)problem;
    return out.i;
}

/* A grid in so many dimensions: their extents, the halves of them that are left after some trips, and how far apart
 * neighbours are. */
static void make_grid(struct search *search, int dimensions)
{
    const char *P_ = search->names->numprocs;
    for (int d = dimensions - 1; d >= 0; d--) {
        EACH(dims_of(P, dimensions, d));
        add_part(search, format(search, "dims_create(%s, %d, %d)", P_, dimensions, d));
    }
    for (int i = 0; i < search->names->n_loops && dimensions == 2; i++)
        for (int d = 0; d < 2; d++) {
            EACH(dims_of(P, 2, d) / 2 / power2(s->index[i] > 40 ? 40 : s->index[i]));
            add_part(search, format(search, "(dims_create(%s, 2, %d)/2/round(pow(2, %s)))", P_, d,
                                    search->names->loop[i]));
        }
    for (int d = 0; d + 1 < dimensions && dimensions > 2; d++) {
        EACH(dims_of(P, dimensions, d) * dims_of(P, dimensions, d + 1));
        add_part(search, format(search, "(dims_create(%s, %d, %d)*dims_create(%s, %d, %d))", P_, dimensions, d, P_,
                                dimensions, d + 1));
    }
}

static void make_halves(struct search *search)
{
    const char *P_ = search->names->numprocs;
    EACH(2); add_part(search, "2");
    EACH(P / 2); add_part(search, format(search, "(%s/2)", P_));
    EACH(P / 4); add_part(search, format(search, "(%s/4)", P_));
}

/* The likelier first: where several formulas give all values, their order decides. */
static void make_parts(struct search *search)
{
    const char *P_ = search->names->numprocs;
    EACH(1); add_part(search, "1");
    EACH(P); add_part(search, P_);
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(power2(s->index[i])); add_part(search, format(search, "round(pow(2, %s))", name));
        EACH(s->index[i] + 1); add_part(search, format(search, "(%s+1)", name));
        EACH(P / 2 / power2(s->index[i] > 40 ? 40 : s->index[i]));
        add_part(search, format(search, "(%s/2/round(pow(2, %s)))", P_, name));
    }
    static const enum fit_grid order[] = {FIT_GRID_2, FIT_HALVES, FIT_GRID_3};
    for (int turn = 0; turn < 4; turn++) { /* the wanted one first, then all in their order */
        enum fit_grid grid = turn == 0 ? search->names->prefers : order[turn - 1];
        if (grid == FIT_HALVES)
            make_halves(search);
        else
            make_grid(search, grid == FIT_GRID_2 ? 2 : 3);
    }
    int64_t most = 0;
    for (size_t i = 0; i < search->n; i++)
        most = search->samples[i].numprocs > most ? search->samples[i].numprocs : most;
    static const int64_t numbers[] = {4, 3, 8};
    for (int i = 0; i < 3; i++)
        if (numbers[i] < most) { /* else no process has ever come so far */
            EACH(numbers[i]); add_part(search, format(search, "%d", (int)numbers[i]));
        }
}

/* The neighbour `distance` further on in a line of `extent` processes that are `stride` apart. */
static void add_ring(struct search *search, const struct candidate *stride, const struct candidate *extent,
                     const struct candidate *distance, int sign)
{
    const char *p_ = search->names->procnum;
    bool unit = strcmp(stride->text, "1") == 0, all = strcmp(extent->text, search->names->numprocs) == 0;
    for (size_t i = 0; i < search->n; i++)
        if (stride->value[i] > 0 && extent->value[i] > search->samples[i].numprocs / stride->value[i])
            return;
    EACH(p - p / AT(*stride) % AT(*extent) * AT(*stride) +
         (p / AT(*stride) % AT(*extent) + sign * AT(*distance) % AT(*extent) + AT(*extent)) % AT(*extent) *
             AT(*stride));
    if (unit && all)
        add_whole(search, sign > 0 ? format(search, "(%s+%s)%%%s", p_, distance->text, extent->text)
                                   : format(search, "(%s+%s-%s)%%%s", p_, extent->text, distance->text, extent->text));
    else if (unit)
        add_whole(search, format(search, "%s/%s*%s + (%s+%s%s%s)%%%s", p_, extent->text, extent->text, p_, extent->text,
                                 sign > 0 ? "+" : "-", distance->text, extent->text));
    else
        add_whole(search, format(search, "%s - %s/%s%%%s*%s + (%s/%s+%s%s%s)%%%s*%s", p_, p_, stride->text,
                                 extent->text,
                                 stride->text, p_, stride->text, extent->text, sign > 0 ? "+" : "-", distance->text,
                                 extent->text, stride->text));
}

/* The place of a process in the transposed grid of a power of two: as many rows as columns, or pairs of neighbours
 * together where it has twice as many columns. */
static void add_transposed(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    for (size_t i = 0; i < search->n; i++)
        if ((search->samples[i].numprocs & (search->samples[i].numprocs - 1)) != 0)
            return;
    const char *rows = format(search, "round(pow(2, ilog2(%s)/2))", P_);
#define ROWS power2(log2_of(P) / 2)
    EACH(log2_of(P) % 2 == 0 ? p % ROWS * ROWS + p / ROWS
                             : 2 * (p / 2 % ROWS * ROWS + p / 2 / ROWS) + p % 2);
#undef ROWS
    add_whole(search, format(search, "(ilog2(%s)%%2 == 0 ? %s%%%s*%s + %s/%s : 2*(%s/2%%%s*%s + %s/2/%s) + %s%%2)",
                             P_, p_,
                             rows, rows, p_, rows, p_, rows, rows, p_, rows, p_));
}

static void make_wholes(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    struct candidate *parts = search->parts;
    size_t n = search->n_parts;
    EACH(p); add_whole(search, p_);
    EACH(log2_of(P)); add_whole(search, format(search, "ilog2(%s)", P_));
    for (int up = 1; up >= 0; up--) {
        EACH((log2_of(P) + up) / 2); add_whole(search, format(search, "(ilog2(%s)+%d)/2", P_, up));
    }
    for (int up = 2; up >= 0; up--) {
        EACH((log2_of(P) + up) / 3); add_whole(search, format(search, "(ilog2(%s)+%d)/3", P_, up));
    }
    EACH(P - 1); add_whole(search, format(search, "%s-1", P_));
    EACH(P - 1 - p); add_whole(search, format(search, "%s-1-%s", P_, p_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i]); add_whole(search, name);
        EACH(P - 1 - s->index[i]); add_whole(search, format(search, "%s-1-%s", P_, name));
        EACH(s->index[i] < p ? s->index[i] : s->index[i] + 1);
        add_whole(search, format(search, "(%s < %s ? %s : %s+1)", name, p_, name, name));
    }
    for (size_t d = 0; d < n; d++) {
        EACH(AT(parts[d])); add_whole(search, parts[d].text);
        EACH(AT(parts[d]) - 1); add_whole(search, format(search, "%s-1", parts[d].text));
    }
    for (size_t d = 0; d < n; d++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            EACH(p + sign * AT(parts[d]));
            add_whole(search, format(search, "%s%s%s", p_, sign > 0 ? "+" : "-", parts[d].text));
        }
    for (size_t d = 0; d < n; d++)
        for (int sign = 1; sign >= -1; sign -= 2)
            add_ring(search, &parts[0], &parts[1], &parts[d], sign);
    add_transposed(search);
    for (size_t s_ = 0; s_ < n; s_++) {
        EACH(p / AT(parts[s_]) % 2 == 0 ? p + AT(parts[s_]) : p - AT(parts[s_]));
        add_whole(search, format(search, "(%s/%s%%2 == 0 ? %s+%s : %s-%s)", p_, parts[s_].text, p_, parts[s_].text, p_,
                                 parts[s_].text));
        EACH(p % AT(parts[s_])); add_whole(search, format(search, "%s%%%s", p_, parts[s_].text));
        EACH(p / AT(parts[s_])); add_whole(search, format(search, "%s/%s", p_, parts[s_].text));
        EACH(p / AT(parts[s_]) * AT(parts[s_]));
        add_whole(search, format(search, "%s/%s*%s", p_, parts[s_].text, parts[s_].text));
        EACH(p - p % AT(parts[s_]) + AT(parts[s_]) - 1 - p % AT(parts[s_]));
        add_whole(search, format(search, "%s/%s*%s + %s-1 - %s%%%s", p_, parts[s_].text, parts[s_].text, parts[s_].text,
                                 p_, parts[s_].text));
        EACH(p % AT(parts[s_]) * (P / AT(parts[s_])) + p / AT(parts[s_]));
        add_whole(search, format(search, "%s%%%s*(%s/%s) + %s/%s", p_, parts[s_].text, P_, parts[s_].text, p_,
                                 parts[s_].text));
        EACH(2 * (p / 2 % AT(parts[s_]) * AT(parts[s_]) + p / 2 / AT(parts[s_])) + p % 2);
        add_whole(search, format(search, "2*(%s/2%%%s*%s + %s/2/%s) + %s%%2", p_, parts[s_].text, parts[s_].text, p_,
                                 parts[s_].text, p_));
    }
    for (size_t s_ = 0; s_ < n; s_++)
        for (size_t e = 1; e < n; e++)
            for (int sign = 1; sign >= -1; sign -= 2)
                add_ring(search, &parts[s_], &parts[e], &parts[0], sign);
    EACH((p - 1) / 2); add_whole(search, format(search, "(%s-1)/2", p_));
    EACH(2 * p + 1); add_whole(search, format(search, "2*%s+1", p_));
    EACH(2 * p + 2); add_whole(search, format(search, "2*%s+2", p_));
}

static void make_tests(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    struct candidate *parts = search->parts;
    size_t n = search->n_parts;
    int64_t most = 0;
    EACH(p == 0); add_test(search, format(search, "%s == 0", p_));
    EACH(p == P - 1); add_test(search, format(search, "%s == %s-1", p_, P_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i] == 0); add_test(search, format(search, "%s == 0", name));
        EACH(p <= s->index[i]); add_test(search, format(search, "%s <= %s", p_, name));
        EACH(p > s->index[i]); add_test(search, format(search, "%s > %s", p_, name));
        EACH(s->index[i] == P - 2); add_test(search, format(search, "%s == %s-2", name, P_));
    }
    for (size_t a = 0; a < n; a++) {
        const char *t = parts[a].text;
        EACH(p % AT(parts[a]) == 0); add_test(search, format(search, "%s%%%s == 0", p_, t));
        EACH(p % AT(parts[a]) == AT(parts[a]) - 1); add_test(search, format(search, "%s%%%s == %s-1", p_, t, t));
        EACH(p / AT(parts[a]) == 0); add_test(search, format(search, "%s < %s", p_, t));
        EACH(p >= P - AT(parts[a])); add_test(search, format(search, "%s >= %s-%s", p_, P_, t));
        if (a > 0) { /* procnum%2 stands where the part 2 does */
            EACH(p / AT(parts[a]) % 2 == 0); add_test(search, format(search, "%s/%s%%2 == 0", p_, t));
        }
        for (int64_t c = 1; c < 4; c++) {
            EACH(p % AT(parts[a]) == c);
            add_test(search, format(search, "%s%%%s == %d", p_, t, (int)c));
        }
    }
    for (size_t a = 1; a < n; a++)
        for (size_t b = 1; b < n; b++) {
            EACH(p / AT(parts[a]) % AT(parts[b]) == 0);
            add_test(search, format(search, "%s/%s%%%s == 0", p_, parts[a].text, parts[b].text));
            EACH(p / AT(parts[a]) % AT(parts[b]) == AT(parts[b]) - 1);
            add_test(search, format(search, "%s/%s%%%s == %s-1", p_, parts[a].text, parts[b].text, parts[b].text));
        }
    for (size_t i = 0; i < search->n; i++)
        most = search->samples[i].numprocs > most ? search->samples[i].numprocs : most;
    for (int64_t c = 1; c < most && c < 4; c++) {
        EACH(p == c); add_test(search, format(search, "%s == %d", p_, (int)c));
    }
    for (int i = 0; i < search->names->n_loops; i++)
        for (int64_t c = 1; c < 4; c++) {
            EACH(s->index[i] < c); add_test(search, format(search, "%s < %d", search->names->loop[i], (int)c));
            EACH(s->index[i] == c); add_test(search, format(search, "%s == %d", search->names->loop[i], (int)c));
        }
    EACH(log2_of(P) % 2 == 0); add_test(search, format(search, "ilog2(%s)%%2 == 0", P_));
    for (int64_t c = 1; 2 * c <= most; c *= 2) {
        EACH(P > c); add_test(search, format(search, "%s > %d", P_, (int)c));
    }
}

/* ---- slopes ---- */

static void add_slope(struct search *search, const char *text, const char *part, const double value[])
{
    search->slopes = alloc_grow(search->slopes, search->n_slopes, &search->slopes_capacity, sizeof *search->slopes);
    struct slope *new = &search->slopes[search->n_slopes++];
    new->text = text;
    new->part = part;
    new->value = arena_alloc(search->memory, search->m, sizeof *value);
    memcpy(new->value, value, search->m * sizeof *value);
}

#define SLOPE(text, expression) SLOPE_OF(text, NULL, expression)
#define SLOPE_OF(text, part, expression)                                           \
    do {                                                                  \
        for (size_t k_ = 0; k_ < search->m; k_++) {                       \
            const struct fit_sample *s = &search->beyond[k_];             \
            double P = s->numprocs;                                       \
            (void)P;                                                      \
            x[k_] = (expression);                                         \
        }                                                                 \
        add_slope(search, text, part, x);                                       \
    } while (0)

/* What work and sizes are proportional to; with parameters also their products with those. */
static void make_slopes(struct search *search)
{
    const struct fit_names *names = search->names;
    const char *P_ = names->numprocs;
    double *x = alloc_array(search->m, sizeof *x);
    SLOPE(format(search, "/%s", P_), 1 / P);
    SLOPE(format(search, "*%s", P_), P);
    SLOPE(format(search, "/%s/%s", P_, P_), 1 / P / P);
    SLOPE(format(search, "*ilog2(%s)", P_), (double)log2_of(s->numprocs));
    for (size_t a = 2; a < search->n_parts; a++) {
        const char *part = search->parts[a].text;
        SLOPE_OF(format(search, "/%s", part), part, 1 / (double)search->parts[a].value[k_]);
        SLOPE_OF(format(search, "*%s", part), part, (double)search->parts[a].value[k_]);
    }
    for (int i = 0; i < names->n_loops; i++) {
        SLOPE(format(search, "*%s", names->loop[i]), (double)s->index[i]);
        SLOPE(format(search, "/pow(2, %s)", names->loop[i]), pow(2, -(double)s->index[i]));
        SLOPE(format(search, "/pow(4, %s)", names->loop[i]), pow(4, -(double)s->index[i]));
    }
    for (int i = 0; i < names->n_params; i++) {
        const char *name = names->param[i];
#define VALUE ((double)names->values[i][s->recording])
        SLOPE(format(search, "*%s", name), VALUE);
        SLOPE(format(search, "*%s/%s", name, P_), VALUE / P);
        SLOPE(format(search, "*%s*%s", name, name), VALUE * VALUE);
        SLOPE(format(search, "*%s*%s/%s", name, name, P_), VALUE * VALUE / P);
        SLOPE(format(search, "*%s*%s/%s/%s", name, name, P_, P_), VALUE * VALUE / P / P);
        SLOPE(format(search, "*pow(%s, 3)/%s", name, P_), VALUE * VALUE * VALUE / P);
        SLOPE(format(search, "*%s*log2(%s)/%s", name, name, P_), VALUE * log2(VALUE > 1 ? VALUE : 1) / P);
        SLOPE(format(search, "*%s*%s*log2(%s)/%s", name, name, name, P_), VALUE * VALUE * log2(VALUE > 1 ? VALUE
                                                                                               : 1) / P);
#undef VALUE
    }
    free(x);
}

/* ---- the search ---- */

static const char *special(const struct search *search, int64_t value)
{
    return value == FIT_NULL ? "MPI_PROC_NULL" : value == FIT_ANY ? search->names->any
         : value == FIT_SOURCE ? search->names->source : NULL;
}

static const char *number(struct search *search, double x)
{
    return fabs(x) < 9e15 && x == floor(x) ? format(search, "%.0f", x) : format(search, "%.15g", x);
}

/* The samples of a search that count: mask[i] is `here`. */
struct subset {
    const unsigned char *mask;
    unsigned char here;
};
#define IN(subset, i) (!(subset).mask || (subset).mask[i] == (subset).here)

static bool gives(const struct search *search, const int64_t value[], struct subset subset)
{
    for (size_t i = 0; i < search->n; i++)
        if (IN(subset, i) && value[i] != search->samples[i].value)
            return false;
    return true;
}

/* Where two formulas that give all samples differ: a count beyond the recorded ones, and a smaller one that would tell
 * them apart as well; false: nowhere that was looked at. */
static bool differ(const struct search *search, const int64_t a[], const int64_t b[], struct subset subset,
                   struct fit_other *other)
{
    int beyond = 0, cheaper = 0;
    for (size_t i = search->n; i < search->m; i++) {
        int numprocs = search->beyond[i].numprocs;
        if (!IN(subset, i) || a[i] == b[i])
            continue;
        if (search->cheaper[i])
            cheaper = cheaper == 0 || numprocs < cheaper ? numprocs : cheaper;
        else
            beyond = beyond == 0 || numprocs < beyond ? numprocs : beyond;
    }
    if (beyond == 0)
        return false;
    other->beyond = beyond;
    other->cheaper = cheaper;
    return true;
}

/* Notes another formula, if it is the first one that differs. */
static bool note_other(struct search *search, const char *text, const int64_t value[], struct found found,
                       struct subset subset)
{
    if (!search->other || search->other->text || !differ(search, value, found.value, subset, search->other))
        return false;
    search->other->text = text;
    return true;
}

static const struct found NOTHING_FOUND = {NULL, NULL};

static struct found fit_constant(struct search *search, struct subset subset)
{
    size_t first = 0;
    while (first < search->n && !IN(subset, first))
        first++;
    if (first == search->n)
        return NOTHING_FOUND;
    int64_t value = search->samples[first].value;
    for (size_t i = first; i < search->n; i++)
        if (IN(subset, i) && search->samples[i].value != value)
            return NOTHING_FOUND;
    int64_t *everywhere = arena_alloc(search->memory, search->m, sizeof *everywhere);
    for (size_t i = 0; i < search->m; i++)
        everywhere[i] = value;
    const char *name = special(search, value);
    return (struct found){name ? name : number(search, (double)value), everywhere};
}

/* Of a + b x: are the numbers beyond doubt? One number needs two places, two need three. */
struct line {
    double a, b;
    size_t places;              /* different x, 3 stands for more */
};

/* a + b x with the values exact to the half, for only whole ones are asked for. */
static bool find_line(const struct search *search, const struct slope *slope, struct subset subset, struct line *line)
{
    const double *x = slope->value;
    size_t low = SIZE_MAX, high = SIZE_MAX;
    double seen[3];
    line->places = 0;
    for (size_t i = 0; i < search->n; i++) {
        if (!IN(subset, i))
            continue;
        if (search->samples[i].value <= FIT_SOURCE)
            return false;
        low = low == SIZE_MAX || x[i] < x[low] ? i : low;
        high = high == SIZE_MAX || x[i] > x[high] ? i : high;
        size_t k = 0;
        while (k < line->places && seen[k] != x[i])
            k++;
        if (k == line->places && line->places < 3)
            seen[line->places++] = x[i];
    }
    if (line->places < 2)
        return false;
    double v_low = (double)search->samples[low].value, v_high = (double)search->samples[high].value;
    double b = (v_high - v_low) / (x[high] - x[low]), a = v_high - b * x[high];
    line->b = fabs(b - round(b)) < 1e-6 * fabs(b) ? round(b) : b;
    line->a = fabs(a) < 1e-6 * fabs(v_high) ? 0 : fabs(a - round(a)) < 1e-6 * fabs(v_high) ? round(a) : a;
    return line->places == 3 || line->a == 0;
}

static double line_at(const struct line *line, const struct slope *slope, size_t i)
{
    return line->a + line->b * slope->value[i];
}

static bool line_fits(const struct search *search, const struct slope *slope, struct subset subset,
                      struct line *line)
{
    bool whole = true;
    if (!find_line(search, slope, subset, line))
        return false;
    for (size_t i = 0; i < search->n; i++) {
        if (!IN(subset, i))
            continue;
        double y = line_at(line, slope, i);
        if (round(y) != (double)search->samples[i].value)
            return false;
        whole = whole && fabs(y - round(y)) < 1e-9 * (1 + fabs(y));
    }
    return whole || line->a == 0; /* two fractions: nothing that a program computes */
}

static const char *line_text(struct search *search, const struct slope *slope, const struct line *line)
{
    const char *b = format(search, "%s%s", number(search, line->b), line->b == floor(line->b) ? ".0" : "");
    return line->a == 0 ? format(search, "round(%s%s)", b, slope->text)
                        : format(search, "round(%s + %s%s)", number(search, line->a), b, slope->text);
}

/* Is a slope of the grid that other formulas of the call know? */
static bool of_grid(const struct search *search, const struct slope *slope)
{
    const char *grid = search->names->grid;
    return grid && slope->part && ((strstr(grid, ", 2, ") && strstr(slope->part, ", 2, ")) ||
                                   (strstr(grid, ", 3, ") && strstr(slope->part, ", 3, ")));
}

static struct found line_found(struct search *search, const struct slope *slope, const struct line *line)
{
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    for (size_t i = 0; i < search->m; i++) {
        double y = round(line_at(line, slope, i));
        value[i] = fabs(y) < 9e15 ? (int64_t)y : INT64_MAX;
    }
    return (struct found){line_text(search, slope, line), value};
}

/* A proportion that follows from two extents of a grid only, where a third one is to come: a number that is added, such as
 * that of a border, would not show. */
static void note_two_places(struct search *search, const struct slope *slope, struct found found, struct subset subset)
{
    const double *x = slope->value;
    int64_t *other = arena_alloc(search->memory, search->m, sizeof *other);
    memcpy(other, found.value, search->m * sizeof *other);
    for (size_t i = search->n; i < search->m; i++) {
        bool seen = false;
        for (size_t k = 0; k < search->n && !seen; k++)
            seen = IN(subset, k) && x[k] == x[i];
        other[i] += !seen;
    }
    note_other(search, format(search, "any law through the two values of %s that were seen", slope->part), other, found,
               subset);
}

/* The first line of all slopes, or of those of the grid; the next that differs is another that may be meant, but where the
 * first is one number from three places. */
static struct found fit_line(struct search *search, struct subset subset, bool grid)
{
    struct found found = NOTHING_FOUND;
    const struct slope *weak = NULL;
    struct line line;
    for (size_t i = 0; i < search->n_slopes; i++) {
        const struct slope *slope = &search->slopes[i];
        if ((grid && !of_grid(search, slope)) || !line_fits(search, slope, subset, &line))
            continue;
        struct found next = line_found(search, slope, &line);
        if (!found.text) {
            found = next;
            weak = line.places == 2 && slope->part ? slope : NULL;
        } else if (note_other(search, next.text, next.value, found, subset)) {
            break;
        }
        bool beyond_doubt = line.places == 3 && line.a == 0 && next.text == found.text;
        if (grid || beyond_doubt || !search->other)
            break;
    }
    if (weak && search->other)
        note_two_places(search, weak, found, subset);
    return found;
}

/* The first whole formula; the next that differs is another that may be meant. */
static struct found fit_whole(struct search *search, struct subset subset)
{
    struct found found = NOTHING_FOUND;
    for (size_t i = 0; i < search->n_wholes; i++) {
        const struct candidate *whole = &search->wholes[i];
        if (!gives(search, whole->value, subset))
            continue;
        if (!found.text)
            found = (struct found){whole->text, whole->value};
        for (; whole; whole = whole->alike)
            if (note_other(search, whole->text, whole->value, found, subset))
                break;
        if (!search->other || search->other->text)
            break;
    }
    return found;
}

static struct found fit_simple(struct search *search, struct subset subset)
{
    struct found found = fit_constant(search, subset);
    if (!found.text)
        found = fit_whole(search, subset);
    if (!found.text && search->names->grid)
        found = fit_line(search, subset, true);
    return found.text ? found : fit_line(search, subset, false);
}

/* Is a side of a condition, where there are three counts, known from one of them only? MPI_PROC_NULL is no number that
 * would have to follow from anything. */
static bool is_single(const struct search *search, const unsigned char mask[], unsigned char here)
{
    int numprocs = 0;
    for (size_t i = 0; i < search->n; i++) {
        if (mask[i] != here || search->samples[i].value <= FIT_SOURCE)
            continue;
        if (numprocs != 0 && numprocs != search->samples[i].numprocs)
            return false;
        numprocs = search->samples[i].numprocs;
    }
    return numprocs != 0 && search->counts > 2;
}

/* COND ? one : other */
static struct found choose(struct search *search, const struct candidate *test, struct found one, struct found other)
{
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    for (size_t i = 0; i < search->m; i++)
        value[i] = test->value[i] ? one.value[i] : other.value[i];
    return (struct found){format(search, "(%s ? %s : %s)", test->text, one.text, other.text), value};
}

/* Another condition that parts the samples in the same way. */
static void note_other_test(struct search *search, struct subset subset, const struct candidate *test, struct found yes,
                            struct found no, struct found found)
{
    for (const struct candidate *first = test; first < search->tests + search->n_tests; first++) {
        bool same = true;
        for (size_t i = 0; i < search->n && same; i++)
            same = !IN(subset, i) || !first->value[i] == !test->value[i];
        for (const struct candidate *next = first; next && same; next = next->alike) {
            if (next == test)
                continue;
            struct found other = choose(search, next, yes, no);
            if (!search->other || search->other->text || note_other(search, other.text, other.value, found, subset))
                return;
        }
    }
}

static struct found fit_split(struct search *search, struct subset subset, int levels);

/* Said of another formula for one side of a condition. */
#define IN_PART " in one of its cases"

/* With one condition of the list, `side` of which must be simple. */
static struct found fit_with(struct search *search, struct subset subset, const struct candidate *test, int side,
                             int levels, unsigned char mask[])
{
    size_t yes = 0, no = 0;
    for (size_t i = 0; i < search->m; i++) {
        bool here = (test->value[i] != 0) == side;
        mask[i] = !IN(subset, i) ? 2 : here;
        yes += i < search->n && mask[i] == 1;
        no += i < search->n && mask[i] == 0;
    }
    if (yes == 0 || no == 0 || is_single(search, mask, 1) || is_single(search, mask, 0))
        return NOTHING_FOUND;
    if (search->other)
        *search->other = (struct fit_other){NULL, 0, 0};
    struct found one = fit_simple(search, (struct subset){mask, 1});
    struct found other = one.text ? fit_split(search, (struct subset){mask, 0}, levels) : NOTHING_FOUND;
    if (!other.text)
        return NOTHING_FOUND;
    if (search->other && search->other->text && !strstr(search->other->text, IN_PART))
        search->other->text = format(search, "%s%s", search->other->text, IN_PART);
    struct found found = side ? choose(search, test, one, other) : choose(search, test, other, one);
    note_other_test(search, subset, test, side ? one : other, side ? other : one, found);
    return found;
}

/* COND ? one : other, and `levels` - 1 more conditions in the other. */
static struct found fit_split(struct search *search, struct subset subset, int levels)
{
    struct found found = fit_simple(search, subset);
    if (found.text || levels == 0)
        return found;
    unsigned char *mask = alloc_array(search->m, 1);
    for (int turn = 0; turn < (levels == 1 ? 1 : 2) && !found.text; turn++) /* a single one first, whatever its place */
        for (size_t t = 0; t < search->n_tests && !found.text; t++)
            for (int side = 1; side >= 0 && !found.text; side--)
                found = fit_with(search, subset, &search->tests[t], side, turn == 0 ? 0 : levels - 1, mask);
    free(mask);
    return found;
}

/* ---- places beyond ---- */

enum { COUNTS_MOST = 16, RANKS_MOST = 64, TRIPS_MOST = 6 };

static bool has_count(size_t n, const int counts[], int count)
{
    for (size_t i = 0; i < n; i++)
        if (counts[i] == count)
            return true;
    return false;
}

/* Some of the processes of a count that nobody recorded: all, but of many every so manyth, and the last. */
static void add_places(struct fit_places *places, int numprocs, bool cheaper)
{
    int step = numprocs > RANKS_MOST ? numprocs / RANKS_MOST : 1;
    for (int p = 0; p < numprocs; p = p < numprocs - 1 && p + step > numprocs - 1 ? numprocs - 1 : p + step) {
        places->list = alloc_grow(places->list, places->n, &places->capacity, sizeof *places->list);
        places->list[places->n++] = (struct fit_place){p, numprocs, cheaper};
    }
}

void fit_places_make(struct fit_places *places, size_t n, const int counts[])
{
    bool powers = true, squares = true;
    int most = 1;
    for (size_t i = 0; i < n; i++) {
        int root = (int)(sqrt((double)counts[i]) + 0.5);
        powers = powers && (counts[i] & (counts[i] - 1)) == 0;
        squares = squares && root * root == counts[i] && counts[i] > 1;
        most = counts[i] > most ? counts[i] : most;
    }
    *places = (struct fit_places){0};
    int root = (int)(sqrt((double)most) + 0.5);
    if (squares && !powers) {
        add_places(places, (root + 1) * (root + 1), false);
        add_places(places, (root + 2) * (root + 2), false);
        return;
    }
    for (int part = 3; part <= 6 && most % 4 == 0 && powers; part += 3) /* 6 and 12 beside 2, 4 and 8 */
        add_places(places, most / 4 * part, true);
    if (!powers && !has_count(n, counts, most + most / 2))
        add_places(places, most + most / 2, false);
    add_places(places, 2 * most, false);
    add_places(places, 4 * most, false);
}

void fit_places_free(struct fit_places *places)
{
    free(places->list);
    *places = (struct fit_places){0};
}

/* Trips that samples of the largest count had, some of them. */
static size_t find_trips(const struct search *search, int most, const struct fit_sample *trips[])
{
    size_t found = 0;
    for (size_t i = 0; i < search->n && found < TRIPS_MOST; i++) {
        bool new = search->samples[i].numprocs == most;
        for (size_t k = 0; k < found && new; k++)
            new = memcmp(trips[k]->index, search->samples[i].index, sizeof trips[k]->index) != 0;
        if (new)
            trips[found++] = &search->samples[i];
    }
    return found;
}

/* The samples, and each place in each of the trips. */
static void make_beyond(struct search *search)
{
    struct fit_places own = {0};
    const struct fit_places *places = search->names->places;
    const struct fit_sample *trips[TRIPS_MOST];
    int counts[COUNTS_MOST], most = 0;
    size_t n_counts = 0;
    for (size_t i = 0; i < search->n; i++) {
        int numprocs = search->samples[i].numprocs;
        most = numprocs > most ? numprocs : most;
        if (n_counts < COUNTS_MOST && !has_count(n_counts, counts, numprocs))
            counts[n_counts++] = numprocs;
    }
    search->counts = n_counts < 3 ? (int)n_counts : 3;
    if (!places)
        fit_places_make(&own, n_counts, counts);
    places = places ? places : &own;
    size_t n_trips = find_trips(search, most, trips);
    size_t room = search->n + places->n * n_trips + 1;
    search->beyond = alloc_array(room, sizeof *search->beyond);
    search->place = alloc_zeroed(room, sizeof *search->place);
    search->cheaper = alloc_zeroed(room, sizeof *search->cheaper);
    memcpy(search->beyond, search->samples, search->n * sizeof *search->beyond);
    search->m = search->n;
    for (size_t k = 0; k < places->n * n_trips; k++) {
        const struct fit_place *place = &places->list[k / n_trips];
        if (search->names->inside && !search->names->inside[k / n_trips])
            continue;
        struct fit_sample *sample = &search->beyond[search->m];
        *sample = *trips[k % n_trips]; /* and its parameters */
        sample->procnum = place->procnum;
        sample->numprocs = place->numprocs;
        search->place[search->m] = k / n_trips;
        search->cheaper[search->m++] = place->cheaper;
    }
    fit_places_free(&own);
}

static void search_init(struct search *search, size_t n, const struct fit_sample samples[],
                        const struct fit_names *names, struct arena *memory)
{
    *search = (struct search){.n = n, .samples = samples, .names = names, .memory = memory};
    make_beyond(search);
    search->work = alloc_array(search->m + 1, sizeof *search->work);
    make_parts(search);
}

static void search_free(struct search *search)
{
    free(search->parts);
    free(search->wholes);
    free(search->tests);
    free(search->slopes);
    free(search->work);
    free(search->beyond);
    free(search->place);
    free(search->cheaper);
}

static const char *keep(struct arena *memory, const char *text)
{
    return text ? arena_string_n(memory, text, strlen(text)) : NULL;
}

const char *fit_value(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                      struct fit_other *other, struct arena *memory)
{
    struct search search;
    if (other)
        *other = (struct fit_other){NULL, 0, 0};
    if (n == 0)
        return "0";
    struct arena scratch = ARENA_EMPTY;
    search_init(&search, n, samples, names, &scratch);
    search.other = other;
    struct found found = fit_constant(&search, (struct subset){NULL, 0});
    if (!found.text) {
        make_wholes(&search);
        make_slopes(&search);
        make_tests(&search);
        found = fit_split(&search, (struct subset){NULL, 0}, 2);
    }
    const char *text = keep(memory, found.text);
    if (other)
        other->text = found.text ? keep(memory, other->text) : NULL;
    search_free(&search);
    arena_free(&scratch);
    return text;
}

/* ---- conditions ---- */

/* One test, or two with && or ||, each as it is or not. */
struct condition {
    const struct candidate *a, *b;
    int kind;                   /* bits: not a, not b, both */
};

static bool holds(const struct condition *condition, size_t i)
{
    bool x = (condition->a->value[i] != 0) != (condition->kind & 1);
    bool y = (condition->b->value[i] != 0) != ((condition->kind & 2) != 0);
    return condition->kind & 4 ? x && y : x || y;
}

static bool is_true(const struct search *search, const struct condition *condition)
{
    for (size_t i = 0; i < search->n; i++)
        if (holds(condition, i) != (search->samples[i].value != 0))
            return false;
    return true;
}

static struct found condition_found(struct search *search, const struct condition *condition)
{
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    const char *not_a = condition->kind & 1 ? "!" : "", *not_b = condition->kind & 2 ? "!" : "";
    const char *a = condition->a->text, *b = condition->b->text;
    for (size_t i = 0; i < search->m; i++)
        value[i] = holds(condition, i);
    if (condition->a != condition->b)
        return (struct found){format(search, "%s(%s) %s %s(%s)", not_a, a, condition->kind & 4 ? "&&" : "||", not_b, b),
                              value};
    return (struct found){*not_a ? format(search, "!(%s)", a) : a, value};
}

/* Conditions with a test that is the same for all samples. */
static void note_other_condition(struct search *search, const struct condition *condition, struct found found)
{
    for (int which = 0; which < (condition->a == condition->b ? 1 : 2); which++)
        for (const struct candidate *next = which == 0 ? condition->a : condition->b; next; next = next->alike) {
            struct condition other = *condition;
            *(which == 0 ? &other.a : &other.b) = next;
            if (condition->a == condition->b)
                other.b = next;
            struct found at = condition_found(search, &other);
            if (note_other(search, at.text, at.value, found, (struct subset){NULL, 0}))
                return;
        }
}

/* The first condition of one test, or of two. */
static struct found fit_tests(struct search *search, bool two)
{
    for (size_t i = 0; i < search->n_tests; i++)
        for (size_t k = two ? i + 1 : i; k < (two ? search->n_tests : i + 1); k++)
            for (int kind = 0; kind < 8; kind++) {
                struct condition condition = {&search->tests[i], &search->tests[k], kind};
                if ((!two && kind != 4 && kind != 7) || !is_true(search, &condition))
                    continue;
                struct found found = condition_found(search, &condition);
                note_other_condition(search, &condition, found);
                return found;
            }
    return NOTHING_FOUND;
}

/* Where a condition holds of the places that were not recorded; value NULL: wherever any come to. */
static void mark_inside(const struct search *search, const int64_t value[], unsigned char inside[])
{
    size_t n = search->names->places ? search->names->places->n : 0;
    if (!inside)
        return;
    for (size_t i = 0; i < n; i++)
        inside[i] = value == NULL && (!search->names->inside || search->names->inside[i]);
    for (size_t i = search->n; i < search->m && value; i++)
        inside[search->place[i]] = value[i] != 0;
}

const char *fit_condition(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                          struct fit_other *other, unsigned char inside[], struct arena *memory)
{
    struct search search;
    struct arena scratch = ARENA_EMPTY;
    size_t yes = 0;
    for (size_t i = 0; i < n; i++)
        yes += samples[i].value != 0;
    if (other)
        *other = (struct fit_other){NULL, 0, 0};
    search_init(&search, n, samples, names, &scratch);
    search.other = other;
    struct found found = NOTHING_FOUND;
    if (yes == n || yes == 0) {
        found.text = yes == n ? "1" : "0";
    } else {
        make_tests(&search);
        found = fit_tests(&search, false);
        found = found.text ? found : fit_tests(&search, true);
    }
    mark_inside(&search, found.value, inside);
    const char *text = keep(memory, found.text);
    if (other)
        other->text = found.text ? keep(memory, other->text) : NULL;
    search_free(&search);
    arena_free(&scratch);
    return text;
}

/* ---- times ---- */

/* Of a + b x the weighted least squares, weights 1 / y^2, kept >= 0. Returns the largest relative error. */
static double fit_least_squares(const struct search *search, const double x[], double *a, double *b)
{
    double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0, worst = 0;
    for (size_t i = 0; i < search->n; i++) {
        double y = (double)search->samples[i].value, w = 1 / (y * y);
        s += w; sx += w * x[i]; sxx += w * x[i] * x[i]; sy += w * y; sxy += w * x[i] * y;
    }
    double determinant = s * sxx - sx * sx;
    *b = determinant > 1e-12 * s * sxx ? (s * sxy - sx * sy) / determinant : 0;
    *a = *b > 0 ? (sy - *b * sx) / s : sy / s;
    *b = *b > 0 ? *b : 0;
    if (*a < 0) {
        *a = 0;
        *b = sxy / sxx;
    }
    for (size_t i = 0; i < search->n; i++) {
        double y = (double)search->samples[i].value, error = fabs(*a + *b * x[i] - y) / y;
        worst = error > worst ? error : worst;
    }
    return worst;
}

const char *fit_time(size_t n, const struct fit_sample samples[], const struct fit_names *names, double *error,
                     struct arena *memory)
{
    struct search search;
    struct arena scratch = ARENA_EMPTY;
    struct fit_names plain = *names;
    plain.n_loops = 0;
    search_init(&search, n, samples, &plain, &scratch);
    make_slopes(&search);
    double *zero = alloc_zeroed(search.m, sizeof *zero), a, b;
    double best = fit_least_squares(&search, zero, &a, &b);
    const char *text = format(&search, "%.6g", a * 1e-12 * 1e6);
    for (size_t i = 0; i < search.n_slopes && n > 1; i++) {
        double next_a, next_b, worst = fit_least_squares(&search, search.slopes[i].value, &next_a, &next_b);
        /* a term must be worth its while, and more so one that is not the usual share of the work: of many terms
         * some one always follows the noise */
        if (worst > (i == 0 ? 0.9 * best - 0.005 : 0.5 * best - 0.01))
            continue;
        best = worst;
        text = next_a == 0 ? format(&search, "%.6g%s", next_b * 1e-6, search.slopes[i].text)
                           : format(&search, "%.6g + %.6g%s", next_a * 1e-6, next_b * 1e-6, search.slopes[i].text);
    }
    *error = best;
    text = arena_string_n(memory, text, strlen(text));
    free(zero);
    search_free(&search);
    arena_free(&scratch);
    return text;
}
