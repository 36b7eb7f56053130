#include "record/fit.h"

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
    int64_t *value;   /* [n] */
};

/* x of a + b x. */
struct slope {
    const char *text; /* a factor: "/numprocs", "*numprocs" */
    const char *part; /* that it is made of, or NULL */
    double *value;    /* [n + 1] the last one: at twice the largest count */
};

struct search {
    size_t n;
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
    int64_t *work;                /* [n + 1] */
    struct fit_sample *beyond;    /* [n + 1] the samples, and one at twice the largest count */
    int counts;                   /* different numprocs, 3 stands for more */
    const char *other;            /* see fit_value */
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

static struct candidate *add(struct search *search, struct candidate **list, size_t *n, size_t *capacity,
                             const char *text, const int64_t value[])
{
    *list = alloc_grow(*list, *n, capacity, sizeof **list);
    struct candidate *new = &(*list)[(*n)++];
    new->text = text;
    new->value = arena_alloc(search->memory, search->n + 1, sizeof *value);
    memcpy(new->value, value, (search->n + 1) * sizeof *value);
    return new;
}

/* One that has the same values as an earlier one at n places says nothing new. */
static bool known(const struct search *search, const struct candidate *list, size_t n_list, size_t n)
{
    for (size_t i = 0; i < n_list; i++)
        if (memcmp(list[i].value, search->work, n * sizeof *search->work) == 0)
            return true;
    return false;
}

static void add_part(struct search *search, const char *text)
{
    for (size_t i = 0; i <= search->n; i++)
        if (search->work[i] < 1)
            return;
    if (!known(search, search->parts, search->n_parts, search->n + 1))
        add(search, &search->parts, &search->n_parts, &search->parts_capacity, text, search->work);
}
static void add_whole(struct search *search, const char *text)
{
    if (!known(search, search->wholes, search->n_wholes, search->n))
        add(search, &search->wholes, &search->n_wholes, &search->wholes_capacity, text, search->work);
}
static void add_test(struct search *search, const char *text)
{
    size_t yes = 0;
    for (size_t i = 0; i < search->n; i++)
        yes += search->work[i] != 0;
    if (yes > 0 && yes < search->n && !known(search, search->tests, search->n_tests, search->n))
        add(search, &search->tests, &search->n_tests, &search->tests_capacity, text, search->work);
}

/* Fills search->work from an expression over p (procnum), P (numprocs) and s (the sample). */
#define EACH(expression)                                                  \
    for (size_t k_ = 0; k_ <= search->n; k_++) {                          \
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

static void make_parts(struct search *search)
{
    const char *P_ = search->names->numprocs;
    bool powers = true, squares = true;
    for (size_t i = 0; i < search->n; i++) {
        int64_t n = search->samples[i].numprocs, root = (int64_t)(sqrt((double)n) + 0.5);
        powers = powers && (n & (n - 1)) == 0;
        squares = squares && root * root == n;
    }
    EACH(1); add_part(search, "1");
    EACH(P); add_part(search, P_);
    EACH(2); add_part(search, "2");
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(power2(s->index[i])); add_part(search, format(search, "round(pow(2, %s))", name));
        EACH(s->index[i] + 1); add_part(search, format(search, "(%s+1)", name));
        EACH(P / 2 / power2(s->index[i] > 40 ? 40 : s->index[i]));
        add_part(search, format(search, "(%s/2/round(pow(2, %s)))", P_, name));
    }
    if (squares) {
        EACH((int64_t)(sqrt((double)P) + 0.5)); add_part(search, format(search, "round(sqrt(%s))", P_));
    }
    if (powers) {
        EACH(power2(log2_of(P) / 2)); add_part(search, format(search, "round(pow(2, ilog2(%s)/2))", P_));
        EACH(power2((log2_of(P) + 1) / 2)); add_part(search, format(search, "round(pow(2, (ilog2(%s)+1)/2))", P_));
        for (int i = 0; i < search->names->n_loops; i++)
            for (int up = 1; up >= 0; up--) { /* halves of a row, halves of that, ... */
                EACH(power2((log2_of(P) + up) / 2 - 1 - s->index[i]));
                add_part(search, format(search, "round(pow(2, (ilog2(%s)+%d)/2-1-%s))", P_, up,
                                        search->names->loop[i]));
            }
        for (int i = 2; i >= 0; i--) {
            EACH(power2((log2_of(P) + i) / 3));
            add_part(search, format(search, "round(pow(2, (ilog2(%s)+%d)/3))", P_, i));
        }
        EACH(power2((log2_of(P) + 2) / 3) * power2((log2_of(P) + 1) / 3));
        add_part(search, format(search, "round(pow(2, (ilog2(%s)+2)/3 + (ilog2(%s)+1)/3))", P_, P_));
        EACH(power2(log2_of(P) / 3) * power2((log2_of(P) + 1) / 3));
        add_part(search, format(search, "round(pow(2, ilog2(%s)/3 + (ilog2(%s)+1)/3))", P_, P_));
    }
    EACH(P / 2); add_part(search, format(search, "(%s/2)", P_));
    EACH(P / 4); add_part(search, format(search, "(%s/4)", P_));
    EACH(4); add_part(search, "4");
    EACH(3); add_part(search, "3");
    EACH(8); add_part(search, "8");
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
    EACH(p % 2 == 0); add_test(search, format(search, "%s%%2 == 0", p_));
    EACH(p < P / 2); add_test(search, format(search, "%s < %s/2", p_, P_));
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
        EACH(p / AT(parts[a]) % 2 == 0); add_test(search, format(search, "%s/%s%%2 == 0", p_, t));
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
    new->value = arena_alloc(search->memory, search->n + 1, sizeof *value);
    memcpy(new->value, value, (search->n + 1) * sizeof *value);
}

#define SLOPE(text, expression) SLOPE_OF(text, NULL, expression)
#define SLOPE_OF(text, part, expression)                                           \
    do {                                                                  \
        for (size_t k_ = 0; k_ <= search->n; k_++) {                      \
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
    double *x = alloc_array(search->n + 1, sizeof *x);
    SLOPE(format(search, "/%s", P_), 1 / P);
    SLOPE(format(search, "*%s", P_), P);
    SLOPE(format(search, "/%s/%s", P_, P_), 1 / P / P);
    SLOPE(format(search, "*ilog2(%s)", P_), (double)log2_of(s->numprocs));
    for (size_t a = 3; a < search->n_parts; a++) {
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

static const char *fit_constant(struct search *search, struct subset subset)
{
    size_t first = 0;
    while (first < search->n && !IN(subset, first))
        first++;
    if (first == search->n)
        return NULL;
    int64_t value = search->samples[first].value;
    for (size_t i = first; i < search->n; i++)
        if (IN(subset, i) && search->samples[i].value != value)
            return NULL;
    const char *name = special(search, value);
    return name ? name : number(search, (double)value);
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

/* Is a slope of the grid that other formulas of the call know? What is cut into two dimensions is in no half or whole
 * number of processes. */
static bool of_grid(const struct search *search, const struct slope *slope)
{
    const char *grid = search->names->grid;
    return grid && slope->part && ((strstr(grid, "/2))") && strstr(slope->part, "/2))")) ||
                                   (strstr(grid, "/3") && strstr(slope->part, "/3")));
}

/* The first line of all slopes, or of those of the grid. Of lines with two numbers, or from two places, another may be
 * meant: one that differs where nobody looked. */
static const char *fit_line(struct search *search, struct subset subset, bool grid)
{
    const struct slope *found = NULL;
    struct line line, next;
    for (size_t i = 0; i < search->n_slopes; i++) {
        const struct slope *slope = &search->slopes[i];
        if ((grid && !of_grid(search, slope)) || (found && (grid || (line.places == 3 && line.a == 0))))
            continue;
        if (!line_fits(search, slope, subset, &next))
            continue;
        if (!found) {
            found = slope;
            line = next;
        } else if (!search->other && fabs(line_at(&line, found, search->n) - line_at(&next, slope, search->n)) > 0.5) {
            search->other = line_text(search, slope, &next);
        }
    }
    return found ? line_text(search, found, &line) : NULL;
}

static const char *fit_simple(struct search *search, struct subset subset)
{
    const char *text = fit_constant(search, subset);
    for (size_t i = 0; !text && i < search->n_wholes; i++)
        if (gives(search, search->wholes[i].value, subset))
            text = search->wholes[i].text;
    text = text || !search->names->grid ? text : fit_line(search, subset, true);
    return text ? text : fit_line(search, subset, false);
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

/* COND ? one : other, and `levels` - 1 more conditions in the other. */
static const char *fit_split(struct search *search, struct subset subset, int levels)
{
    const char *found = fit_simple(search, subset);
    if (found || levels == 0)
        return found;
    unsigned char *mask = alloc_array(search->n, 1);
    for (int turn = 0; turn < 2 && !found; turn++) /* a single condition first, whatever its place in the list */
        for (size_t t = 0; t < search->n_tests && !found; t++)
            for (int side = 1; side >= 0 && !found; side--) {
                size_t yes = 0, no = 0;
                for (size_t i = 0; i < search->n; i++) {
                    bool here = (search->tests[t].value[i] != 0) == side;
                    mask[i] = !IN(subset, i) ? 2 : here;
                    yes += mask[i] == 1;
                    no += mask[i] == 0;
                }
                if (yes == 0 || no == 0 || (turn > 0 && levels == 1) || is_single(search, mask, 1) ||
                    is_single(search, mask, 0))
                    continue;
                search->other = NULL;
                const char *one = fit_simple(search, (struct subset){mask, 1});
                const char *other = !one ? NULL : fit_split(search, (struct subset){mask, 0}, turn == 0 ? 0
                                                            : levels - 1);
                if (one && other)
                    found = side ? format(search, "(%s ? %s : %s)", search->tests[t].text, one, other)
                                 : format(search, "(%s ? %s : %s)", search->tests[t].text, other, one);
            }
    free(mask);
    return found;
}

static void search_init(struct search *search, size_t n, const struct fit_sample samples[],
                        const struct fit_names *names, struct arena *memory)
{
    *search = (struct search){.n = n, .samples = samples, .names = names, .memory = memory,
                              .work = alloc_array(n + 1, sizeof *search->work),
                              .beyond = alloc_array(n + 1, sizeof *search->beyond)};
    memcpy(search->beyond, samples, n * sizeof *samples);
    struct fit_sample *beyond = &search->beyond[n];
    *beyond = samples[n - 1];
    int seen[3];
    for (size_t i = 0; i < n; i++) {
        int k = 0;
        beyond->numprocs = samples[i].numprocs > beyond->numprocs ? samples[i].numprocs : beyond->numprocs;
        while (k < search->counts && seen[k] != samples[i].numprocs)
            k++;
        if (k == search->counts && k < 3)
            seen[search->counts++] = samples[i].numprocs;
    }
    beyond->numprocs *= 2;
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
}

const char *fit_value(size_t n, const struct fit_sample samples[], const struct fit_names *names, const char **other,
                      struct arena *memory)
{
    struct search search;
    if (other)
        *other = NULL;
    if (n == 0)
        return "0";
    struct arena scratch = ARENA_EMPTY;
    search_init(&search, n, samples, names, &scratch);
    const char *found = fit_constant(&search, (struct subset){NULL, 0});
    if (!found) {
        make_wholes(&search);
        make_slopes(&search);
        make_tests(&search);
        found = fit_split(&search, (struct subset){NULL, 0}, 2);
    }
    found = found ? arena_string_n(memory, found, strlen(found)) : NULL;
    if (other && found && search.other)
        *other = arena_string_n(memory, search.other, strlen(search.other));
    search_free(&search);
    arena_free(&scratch);
    return found;
}

/* ---- conditions ---- */

static bool is_true(const struct search *search, const int64_t a[], const int64_t b[], bool not_a, bool not_b,
                    bool both)
{
    for (size_t i = 0; i < search->n; i++) {
        bool x = (a[i] != 0) != not_a, y = (b[i] != 0) != not_b;
        if ((both ? x && y : x || y) != (search->samples[i].value != 0))
            return false;
    }
    return true;
}

static const char *fit_pair(struct search *search)
{
    for (size_t i = 0; i < search->n_tests; i++)
        for (size_t k = i; k < search->n_tests; k++)
            for (int kind = 0; kind < 8; kind++)
                if (is_true(search, search->tests[i].value, search->tests[k].value, kind & 1, kind & 2, kind & 4))
                    return i == k ? format(search, "%s(%s)", kind & 1 ? "!" : "", search->tests[i].text)
                                  : format(search, "%s(%s) %s %s(%s)", kind & 1 ? "!" : "", search->tests[i].text,
                                           kind & 4 ? "&&" : "||", kind & 2 ? "!" : "", search->tests[k].text);
    return NULL;
}

const char *fit_condition(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                          struct arena *memory)
{
    struct search search;
    struct arena scratch = ARENA_EMPTY;
    const char *found = NULL;
    size_t yes = 0;
    for (size_t i = 0; i < n; i++)
        yes += samples[i].value != 0;
    if (yes == n || yes == 0)
        return yes == n ? "1" : "0";
    search_init(&search, n, samples, names, &scratch);
    make_tests(&search);
    for (size_t i = 0; i < search.n_tests && !found; i++) {
        const char *text = search.tests[i].text;
        if (is_true(&search, search.tests[i].value, search.tests[i].value, false, false, true))
            found = text;
        else if (is_true(&search, search.tests[i].value, search.tests[i].value, true, true, true))
            found = format(&search, "!(%s)", text);
    }
    found = found ? found : fit_pair(&search);
    found = found ? arena_string_n(memory, found, strlen(found)) : NULL;
    search_free(&search);
    arena_free(&scratch);
    return found;
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
    double *zero = alloc_zeroed(n + 1, sizeof *zero), a, b;
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
