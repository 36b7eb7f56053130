/* DISTRIBUTION of a machine file: a time, bins, quantile points or a named law. */
#include "common/units.h"
#include "models/machine/fields.h"

#include <math.h>
#include <stdlib.h>

/* X(name of the key): what a DISTRIBUTION may hold besides the named laws. */
#define KEY_LIST(X)                                                                                                    \
    X(start) X(width) X(edges) X(counts) X(quantiles) X(value) X(ci95) X(experiments) X(minimum) X(average) X(shift)
enum key {
#define X(name) KEY_##name,
    KEY_LIST(X)
#undef X
    KEY_LAWS /* from here on LAW_LIST */
};
#define X(name, ...) +1
enum { LAWS = 0 LAW_LIST(X), KEYS = KEY_LAWS + LAWS };
#undef X

static const struct range count_range = {0, HUGE_VAL, "a count of at least 0"};
static const struct range probability = {0, 1, "a probability from 0 to 1"};

static void order_error(struct reader *r, const struct spot *spot, const char *what, double time, double last)
{
    char after[UNITS_TIME_BYTES], now[UNITS_TIME_BYTES];
    spot_error(r, spot, "%s must ascend: %s after %s", what, units_format_time(time, now),
               units_format_time(last, after));
}

/* [n], to be freed; NULL after an error. */
static double *counts_read(struct reader *r, const struct spot *spot)
{
    if (!list_check(r, spot, LIST_ANY, "a list of counts"))
        return NULL;
    size_t n = spot->node->n;
    double *counts = alloc_zeroed(n, sizeof *counts), most = 0;
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        good &= number_read(r, &item, count_range, &counts[i]);
        most = fmax(most, counts[i]);
    }
    if (good && most == 0) {
        spot_error(r, spot, n == 0 ? "expected a list of counts, found an empty list" : "all counts are 0");
        good = false;
    }
    if (good)
        return counts;
    free(counts);
    return NULL;
}

static double *edges_read(struct reader *r, const struct spot *spot)
{
    if (!list_check(r, spot, LIST_ANY, "a list of times"))
        return NULL;
    size_t n = spot->node->n;
    double *edges = alloc_zeroed(n, sizeof *edges);
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        bool read = time_read(r, &item, SIGN_NOT_NEGATIVE, &edges[i]);
        if (read && good && i > 0 && edges[i] <= edges[i - 1]) {
            order_error(r, &item, "edges", edges[i], edges[i - 1]);
            read = false;
        }
        good &= read;
    }
    if (good)
        return edges;
    free(edges);
    return NULL;
}

static void bins_take(struct reader *r, struct distribution *d, size_t n, const double edges[], const double counts[])
{
    distribution_histogram(d, n, edges, counts);
    if (r->source)
        machine_source_add(r->source, &(struct machine_form){
                                          .of = d, .kind = FORM_HISTOGRAM, .n = n, .edges = edges, .counts = counts});
}

static bool edges_form(struct reader *r, const struct spot *spot, struct field keys[], struct distribution *d)
{
    const struct spot *counts_spot = &keys[KEY_counts].spot, *edges_spot = &keys[KEY_edges].spot;
    if (!counts_spot->node) {
        if (!counts_spot->misspelt)
            spot_error(r, spot, "missing key `counts` beside `edges`");
        return false;
    }
    double *edges = edges_read(r, edges_spot), *counts = counts_read(r, counts_spot);
    bool good = edges && counts;
    if (good && edges_spot->node->n != counts_spot->node->n + 1) {
        spot_error(r, edges_spot, "expected %u edges for %u counts, found %u", counts_spot->node->n + 1,
                   counts_spot->node->n, edges_spot->node->n);
        good = false;
    }
    if (good)
        bins_take(r, d, counts_spot->node->n, edges, counts);
    free(edges);
    free(counts);
    return good;
}

static bool width_form(struct reader *r, const struct spot *spot, struct field keys[], struct distribution *d)
{
    double start = 0, width = 0;
    bool good = true;
    for (int key = KEY_start; key <= KEY_counts; key++)
        if (key != KEY_edges && !keys[key].spot.node) {
            if (!keys[key].spot.misspelt)
                spot_error(r, spot, "missing key `%s`: equal bins are given by start, width and counts",
                           keys[key].name);
            good = false;
        }
    if (keys[KEY_start].spot.node)
        good &= time_read(r, &keys[KEY_start].spot, SIGN_NOT_NEGATIVE, &start);
    if (keys[KEY_width].spot.node && time_read(r, &keys[KEY_width].spot, SIGN_NOT_NEGATIVE, &width) && width == 0) {
        spot_error(r, &keys[KEY_width].spot, "expected a width above 0");
        good = false;
    }
    good &= width > 0;
    double *counts = keys[KEY_counts].spot.node ? counts_read(r, &keys[KEY_counts].spot) : NULL;
    if (!good || !counts) {
        free(counts);
        return false;
    }
    size_t n = keys[KEY_counts].spot.node->n;
    double *edges = alloc_array(n + 1, sizeof *edges);
    for (size_t i = 0; i <= n; i++)
        edges[i] = start + width * (double)i;
    bins_take(r, d, n, edges, counts);
    free(edges);
    free(counts);
    return true;
}

static bool quantile_read(struct reader *r, const struct spot *spot, size_t i, double p[], double t[])
{
    struct spot item = spot_item(spot, i);
    if (!list_check(r, &item, 2, "a pair [probability, time]"))
        return false;
    struct spot first = spot_item(&item, 0), second = spot_item(&item, 1);
    bool good = number_read(r, &first, probability, &p[i]);
    good &= time_read(r, &second, SIGN_NOT_NEGATIVE, &t[i]);
    if (!good)
        return false;
    if ((i == 0 && p[i] != 0) || (i + 1 == spot->node->n && p[i] != 1)) {
        spot_error(r, &first, "quantiles must go from probability 0 to 1, found %g %s", p[i],
                   i == 0 ? "first" : "last");
        return false;
    }
    if (i > 0 && p[i] < p[i - 1]) {
        spot_error(r, &first, "probabilities must ascend: %g after %g", p[i], p[i - 1]);
        return false;
    }
    if (i > 0 && t[i] < t[i - 1]) {
        order_error(r, &second, "times of quantiles", t[i], t[i - 1]);
        return false;
    }
    return true;
}

static bool quantiles_form(struct reader *r, const struct spot *spot, struct distribution *d)
{
    if (!list_check(r, spot, LIST_ANY, "a list of [probability, time]"))
        return false;
    size_t n = spot->node->n;
    if (n < 2) {
        spot_error(r, spot, "expected at least 2 quantiles, found %zu", n);
        return false;
    }
    double *p = alloc_zeroed(n, sizeof *p), *t = alloc_zeroed(n, sizeof *t);
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good = quantile_read(r, spot, i, p, t);
    if (good)
        distribution_points(d, n, p, t);
    free(p);
    free(t);
    return good;
}

static const struct {
    const char *name, *first, *second; /* "none": one parameter */
    int parameters;
} laws[] = {
#define X(name, n, first, second) {#name, #first, #second, n},
    LAW_LIST(X)
#undef X
};

/* A shape is a number, every other parameter a time. */
static bool parameter_read(struct reader *r, const struct field *field, double *value)
{
    static const struct range any = {-HUGE_VAL, HUGE_VAL, "a number"};
    if (!field->spot.node)
        return false; /* reported as missing */
    if (field->name[0] == 's' && field->name[1] == 'h' && field->name[2] == 'a')
        return fitted_number_read(r, &field->spot, any, value);
    return fitted_time_read(r, &field->spot, SIGN_ANY, value);
}

static bool law_form(struct reader *r, const struct field *law_field, enum law law, const struct field *outer_shift,
                     struct distribution *d)
{
    bool two = laws[law].parameters == 2;
    struct field fields[] = {{laws[law].first, true, {0}}, {"shift", false, {0}}, {laws[law].second, true, {0}}};
    const struct spot *spot = &law_field->spot;
    if (!fields_take(r, spot, fields, two ? 3 : 2))
        return false;
    double a = 0, b = 0, shift = 0;
    bool good = parameter_read(r, &fields[0], &a);
    good &= !two || parameter_read(r, &fields[2], &b);
    if (fields[1].spot.node && outer_shift->spot.node) {
        spot_error(r, &outer_shift->spot, "`shift` is given twice, inside `%s` and beside it", laws[law].name);
        good = false;
    }
    const struct spot *shift_spot = fields[1].spot.node ? &fields[1].spot : &outer_shift->spot;
    if (shift_spot->node)
        good &= fitted_time_read(r, shift_spot, SIGN_ANY, &shift);
    const char *problem = good ? distribution_law_problem(law, a, b) : NULL;
    if (problem)
        spot_error(r, spot, "%s", problem);
    if (!good || problem)
        return false;
    distribution_law(d, law, a, b, shift);
    bool nothing = a == 0 && b == 0 && shift == 0; /* a time of 0, said as a law */
    if (!nothing && distribution_quantile(d, 0.5) <= 0) {
        spot_error(r, spot, "half of this law or more lies below zero, where it would be cut");
        distribution_free(d);
        *d = (struct distribution){0};
        return false;
    }
    if (r->source)
        machine_source_add(r->source, &(struct machine_form){
                                          .of = d, .kind = FORM_LAW, .law = law, .a = a, .b = b, .shift = shift});
    return true;
}

/* The key that says which form this is, or -1 after an error. Counts alone count as bins without edges. */
static int form_find(struct reader *r, const struct spot *spot, const struct field keys[])
{
    static const enum key heads[] = {KEY_start, KEY_width, KEY_edges, KEY_quantiles, KEY_value};
    int form = -1;
    bool misspelt = false;
    for (int i = 0; i < 5 + LAWS; i++) {
        int key = i < 5 ? (int)heads[i] : KEY_LAWS + i - 5;
        misspelt |= keys[key].spot.misspelt;
        if (!keys[key].spot.node || (key == KEY_width && form == KEY_start))
            continue;
        if (form >= 0) {
            spot_error(r, spot, "`%s` and `%s` cannot stand together: they are two distributions", keys[form].name,
                       keys[key].name);
            return -1;
        }
        form = key;
    }
    if (form >= 0 || misspelt)
        return form;
    if (keys[KEY_counts].spot.node)
        spot_error(r, spot, "missing key `edges` (or `start` and `width`) beside `counts`");
    else
        spot_error(r, spot,
                   "expected a time or a map with start, width and counts; edges and counts; quantiles; normal, "
                   "lognormal, gamma, weibull, exponential or uniform");
    return form;
}

/* Keys that have no meaning in this form. */
static bool strays_check(struct reader *r, const struct field keys[], int form)
{
    bool bins = form == KEY_start || form == KEY_width || form == KEY_edges, good = true;
    static const struct {
        enum key key;
        const char *belongs;
    } strays[] = {{KEY_counts, "to bins"},
                  {KEY_shift, "to a named law"},
                  {KEY_ci95, "to `value`"},
                  {KEY_experiments, "to `value`"}};
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
        enum key key = strays[i].key;
        bool allowed = key == KEY_counts ? bins : key == KEY_shift ? form >= KEY_LAWS : form == KEY_value;
        if (keys[key].spot.node && !allowed) {
            spot_error(r, &keys[key].spot, "`%s` belongs %s", keys[key].name, strays[i].belongs);
            good = false;
        }
    }
    return good;
}

static bool form_read(struct reader *r, const struct spot *spot, struct field keys[], struct distribution *d)
{
    int form = form_find(r, spot, keys);
    double value;
    if (form < 0 || !strays_check(r, keys, form))
        return false;
    if (form == KEY_edges)
        return edges_form(r, spot, keys, d);
    if (form == KEY_quantiles)
        return quantiles_form(r, &keys[KEY_quantiles].spot, d);
    if (form >= KEY_LAWS)
        return law_form(r, &keys[form], (enum law)(form - KEY_LAWS), &keys[KEY_shift], d);
    if (form != KEY_value)
        return width_form(r, spot, keys, d);
    if (!time_read(r, &keys[KEY_value].spot, SIGN_NOT_NEGATIVE, &value))
        return false;
    distribution_constant(d, value);
    return true;
}

/* `minimum:` and `average:` beside any form. `bounded`: the form has a greatest time. */
static bool statistics_read(struct reader *r, const struct field keys[], bool bounded, struct distribution *d)
{
    const struct spot *minimum = &keys[KEY_minimum].spot, *average = &keys[KEY_average].spot;
    bool good = true;
    if (minimum->node)
        good &= time_read(r, minimum, SIGN_NOT_NEGATIVE, &d->minimum);
    if (average->node)
        good &= time_read(r, average, SIGN_NOT_NEGATIVE, &d->average);
    bool given = minimum->node || average->node;
    char least[UNITS_TIME_BYTES], mean[UNITS_TIME_BYTES], most[UNITS_TIME_BYTES];
    if (good && bounded && average->node && d->average > d->t[d->n - 1] * (1 + 1e-9)) {
        spot_error(r, average, "average %s is more than the greatest time %s", units_format_time(d->average, mean),
                   units_format_time(d->t[d->n - 1], most));
        good = false;
    }
    if (good && given && d->minimum > d->average * (1 + 1e-9)) { /* a printed mean may be rounded */
        spot_error(r, minimum->node ? minimum : average, "minimum %s is more than average %s",
                   units_format_time(d->minimum, least), units_format_time(d->average, mean));
        good = false;
    }
    return good;
}

bool distribution_read(struct reader *r, const struct spot *spot, struct distribution *d)
{
    double value;
    if (spot->node->kind != YAML_KIND_MAP) {
        if (!time_read(r, spot, SIGN_NOT_NEGATIVE, &value))
            return false;
        distribution_constant(d, value);
        return true;
    }
    struct field keys[KEYS] = {
#define X(name) {#name, false, {0}},
        KEY_LIST(X)
#undef X
#define X(name, n, first, second) {#name, false, {0}},
        LAW_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(keys)))
        return false;
    size_t errors = r->errors;
    if (!form_read(r, spot, keys, d))
        return false;
    double unused;
    bool bounded = true;
    for (int law = KEY_LAWS; law < KEYS; law++)
        bounded = bounded && !keys[law].spot.node;
    if (keys[KEY_ci95].spot.node)
        time_read(r, &keys[KEY_ci95].spot, SIGN_NOT_NEGATIVE, &unused);
    if (statistics_read(r, keys, bounded, d) && r->errors == errors)
        return true;
    distribution_free(d);
    return false;
}
