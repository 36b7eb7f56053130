#include "bench/report/curves.h"

#include "common/alloc.h"
#include "models/analytical.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DENSITIES_MOST = 6, /* more in one figure hide one another */
    DASH_PINGPONG = 5,  /* dots and dashes */
};

static const char *operation_name(enum send_kind operation)
{
    return operation == SEND_BLOCKING ? "MPI_Send" : "MPI_Isend";
}

double report_samples(const struct machine_source *source, const struct distribution *d)
{
    const struct machine_form *form = machine_source_form(source, d);
    double n = 0;
    for (size_t i = 0; form && form->kind == FORM_HISTOGRAM && i < form->n; i++)
        n += form->counts[i];
    return n;
}

double report_share_below(const struct distribution *d, double t)
{
    if (t < d->t[0])
        return 0;
    size_t low = 0, high = d->n; /* d->t[low] <= t < d->t[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (d->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    if (high == d->n)
        return 1;
    return d->p[low] + (d->p[high] - d->p[low]) * ((t - d->t[low]) / (d->t[high] - d->t[low]));
}

/* ---- which entries ---- */

/* The entries that make the levels, of one operation. */
struct entries {
    enum send_kind operation;
    size_t n;
    const struct machine_entry **list;
};

static void entries_take(const struct report_choice *choice, enum send_kind operation, struct entries *entries)
{
    const struct machine *machine = choice->machine;
    *entries = (struct entries){.operation = operation, .list = alloc_array(machine->n_entries, sizeof *entries->list)};
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        bool level = entry->transport != TRANSPORT_self &&
                     (entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs);
        if (entry->operation == operation && level)
            entries->list[entries->n++] = entry;
    }
}

static struct entries entries_choose(const struct report_choice *choice)
{
    struct entries send, isend;
    entries_take(choice, SEND_BLOCKING, &send);
    entries_take(choice, SEND_NONBLOCKING, &isend);
    bool blocking = !choice->options->isend || (choice->options->send && send.n >= isend.n);
    free(blocking ? isend.list : send.list);
    return blocking ? send : isend;
}

static bool better_for_densities(const struct machine_entry *a, const struct machine_entry *b)
{
    if (a->nodes * a->ppn != b->nodes * b->ppn)
        return a->nodes * a->ppn > b->nodes * b->ppn;
    return a->level > b->level;
}

static bool in_densities(int64_t bytes, bool small)
{
    return small ? bytes <= REPORT_SMALL_MOST : bytes > REPORT_SMALL_MOST;
}

/* The largest level with sizes for the figure and at most `ppn` processes per node; with `wanted` that level. NULL:
 * none. */
static const struct machine_entry *entry_for_densities(const struct entries *entries, bool small, int ppn,
                                                       const struct bench_level *wanted)
{
    const struct machine_entry *best = NULL;
    for (size_t i = 0; i < entries->n; i++) {
        const struct machine_entry *entry = entries->list[i];
        bool fits = wanted ? entry->nodes == wanted->nodes && entry->ppn == wanted->ppn : entry->ppn <= ppn;
        bool filled = in_densities(entry->sizes[small ? 0 : entry->n_sizes - 1].bytes, small); /* sizes ascend */
        if (fits && filled && (!best || better_for_densities(entry, best)))
            best = entry;
    }
    return best;
}

/* "64×2"; where a ping-pong and pairs have the same shape, which of them; a level that the shape does not tell. */
static char *entry_label(const struct entries *entries, const struct machine_entry *entry)
{
    bool twin = false;
    for (size_t i = 0; i < entries->n; i++)
        twin = twin || (entries->list[i] != entry && entries->list[i]->nodes == entry->nodes &&
                        entries->list[i]->ppn == entry->ppn);
    if (entry->pattern == PATTERN_pingpong)
        return alloc_format("%d×%d%s", entry->nodes, entry->ppn, twin ? " ping-pong" : "");
    if (twin && entry->level != entry->nodes * entry->ppn)
        return alloc_format("%d×%d level %d", entry->nodes, entry->ppn, entry->level);
    return alloc_format("%d×%d", entry->nodes, entry->ppn);
}

/* ---- averages ---- */

static bool in_figure(int64_t bytes, bool small)
{
    return small ? bytes <= REPORT_SMALL_MOST : bytes >= REPORT_SMALL_MOST;
}

/* How many different numbers of nodes, or of processes per node, the entries have below `value`. */
static int rank_of(const struct entries *entries, int value, bool ppn)
{
    int rank = 0;
    for (size_t i = 0; i < entries->n; i++) {
        int here = ppn ? entries->list[i]->ppn : entries->list[i]->nodes;
        bool first = here < value;
        for (size_t j = 0; j < i && first; j++)
            first = (ppn ? entries->list[j]->ppn : entries->list[j]->nodes) != here;
        rank += first;
    }
    return rank;
}

static int curve_by_end(const void *a, const void *b)
{
    const struct figure_curve *x = a, *y = b;
    return (x->y[x->n - 1] < y->y[y->n - 1]) - (x->y[x->n - 1] > y->y[y->n - 1]);
}

/* One entry's averages or minima. */
static void sizes_curve(struct figure_curve *curve, const struct machine_entry *entry, bool small, bool minimum)
{
    for (size_t i = 0; i < entry->n_sizes; i++) {
        const struct machine_size *size = &entry->sizes[i];
        if (in_figure(size->bytes, small))
            figure_point_add(curve, (double)size->bytes, minimum ? size->transit.minimum : size->transit.average);
    }
}

static size_t count_in_figure(const struct machine_entry *entry, bool small)
{
    size_t n = 0;
    for (size_t i = 0; i < entry->n_sizes; i++)
        n += in_figure(entry->sizes[i].bytes, small);
    return n;
}

/* Lines of one type for one number of processes per node, the curves in the order of their right ends, as the paper has
 * them. */
static void averages_figure(struct figure *figure, const struct entries *entries, bool small, const char *machine)
{
    const struct machine_entry *lowest = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < entries->n; i++) {
        const struct machine_entry *entry = entries->list[i];
        size_t points = count_in_figure(entry, small);
        if (points == 0)
            continue;
        longest = points > longest ? points : longest;
        if (!lowest || (entry->nodes > 1) > (lowest->nodes > 1) ||
            ((entry->nodes > 1) == (lowest->nodes > 1) && entry->level < lowest->level))
            lowest = entry;
        struct figure_curve *curve = figure_curve_add(figure, entry_label(entries, entry), CURVE_LINE);
        curve->colour = rank_of(entries, entry->nodes, false);
        curve->dash = entry->pattern == PATTERN_pingpong ? DASH_PINGPONG : 1 + rank_of(entries, entry->ppn, true);
        sizes_curve(curve, entry, small, false);
        figure->x_high = fmax(figure->x_high, curve->x[curve->n - 1]);
        figure->x_low = figure->n_curves == 1 ? curve->x[0] : fmin(figure->x_low, curve->x[0]);
    }
    if (longest < 2) /* points that no line joins say less than the table */
        return;
    qsort(figure->curves, figure->n_curves, sizeof *figure->curves, curve_by_end);
    char *label = entry_label(entries, lowest);
    sizes_curve(figure_curve_add(figure, alloc_format("min %s", label), CURVE_BOUND), lowest, small, true);
    free(label);
    figure->x_low = small ? figure->x_low : 0;
    figure->name = small ? "average-small" : "average-large";
    figure->title = alloc_format("Average transit of %s, %s messages, on %s", operation_name(entries->operation),
                                 small ? "small" : "large", machine);
    figure->x_axis = AXIS_BYTES;
    figure->y_axis = AXIS_TIME;
}

/* ---- densities ---- */

static bool size_wanted(const struct bench_options *options, int64_t bytes, bool small)
{
    bool wanted = options->n_sizes == 0;
    for (size_t i = 0; i < options->n_sizes; i++)
        wanted = wanted || options->sizes[i] == bytes;
    return wanted && in_densities(bytes, small);
}

/* What a density is drawn on. */
struct span {
    double low, high;
    bool logarithmic;
};

static double span_place(const struct span *span, double t)
{
    return span->logarithmic ? log(t) : t;
}

/* The width of the bin in which the median lies, on the axis; 0 where the form has no bins. */
static double bin_width(const struct machine_form *form, double median, const struct span *span)
{
    for (size_t i = 0; form && form->kind == FORM_HISTOGRAM && i < form->n; i++)
        if (median >= form->edges[i] && median <= form->edges[i + 1])
            return span_place(span, form->edges[i + 1]) - span_place(span, fmax(form->edges[i], span->low));
    return 0;
}

/* A polygon over the middles of steps as wide as Freedman and Diaconis advise, 2 IQR / n^(1/3), within what a figure
 * can show and not finer than the bins there are. */
static void density_curve(struct figure_curve *curve, const struct distribution *d, const struct machine_form *form,
                          double samples, const struct span *span)
{
    double from = span_place(span, fmax(d->t[0], span->low)), end = span_place(span, fmin(d->t[d->n - 1], span->high));
    double range = span_place(span, span->high) - span_place(span, span->low);
    double spread = span_place(span, distribution_quantile(d, 0.75)) - span_place(span, distribution_quantile(d, 0.25));
    double width = 2 * spread / cbrt(samples > 0 ? samples : 1e5);
    width = fmin(fmax(width, bin_width(form, distribution_quantile(d, 0.5), span)), range / 12);
    width = fmax(width, range / 300);
    size_t steps = (size_t)fmax(ceil((end - from) / width), 1);
    double below = 0;
    figure_point_add(curve, span->logarithmic ? exp(from) : from, 0);
    for (size_t i = 0; i < steps; i++) {
        double middle = from + width * ((double)i + 0.5), high = middle + width / 2;
        double share = report_share_below(d, span->logarithmic ? exp(high) : high);
        figure_point_add(curve, span->logarithmic ? exp(middle) : middle, (share - below) / width);
        below = share;
    }
    end = from + width * (double)steps;
    figure_point_add(curve, span->logarithmic ? exp(end) : end, 0);
}

static char *density_label(const struct machine_size *size, double x_high)
{
    double beyond = 1 - report_share_below(&size->transit, x_high);
    char tail[40] = "";
    if (beyond > 2e-4)
        snprintf(tail, sizeof tail, " (%.2g %% beyond)", 100 * beyond);
    if (size->bytes >= 1024 && size->bytes % 1024 == 0)
        return alloc_format("%lld KiB%s", (long long)size->bytes / 1024, tail);
    return alloc_format("%lld %s%s", (long long)size->bytes, size->bytes == 1 ? "byte" : "bytes", tail);
}

/* From the least time to a half more than what 99 % stay below, so that far tails do not flatten the rest; on a
 * logarithmic axis where sizes differ much. */
static struct span densities_span(size_t n, const struct machine_size *const sizes[])
{
    struct span span = {HUGE_VAL, 0, false};
    for (size_t i = 0; i < n; i++) {
        const struct distribution *d = &sizes[i]->transit;
        double middle = distribution_quantile(d, 0.5), far = distribution_quantile(d, 0.99);
        span.low = fmin(span.low, d->t[0]);
        span.high = fmax(span.high, fmin(far + (far - middle) / 2, d->t[d->n - 1]));
    }
    span.logarithmic = span.low > 0 && span.high > 10 * span.low;
    double margin = span.logarithmic ? pow(span.high / span.low, 0.03) : 0.03 * (span.high - span.low);
    span.low = span.logarithmic ? span.low / margin : fmax(span.low - margin, 0);
    span.high = span.logarithmic ? span.high * margin : span.high + margin;
    return span;
}

static void densities_figure(struct figure *figure, const struct report_choice *choice, const struct entries *entries,
                             const struct machine_entry *entry, bool small)
{
    const struct machine_size **sizes = alloc_array(entry->n_sizes, sizeof *sizes);
    size_t n = 0;
    for (size_t i = 0; i < entry->n_sizes; i++)
        if (size_wanted(choice->options, entry->sizes[i].bytes, small))
            sizes[n++] = &entry->sizes[i];
    size_t most = choice->options->n_sizes > 0 ? n : DENSITIES_MOST, shown = n < most ? n : most;
    for (size_t i = 0; i < shown && n > most; i++) /* evenly, the ends included */
        sizes[i] = sizes[i * (n - 1) / (shown - 1)];
    if (shown > 0) {
        char *label = entry_label(entries, entry);
        struct span span = densities_span(shown, sizes);
        figure->name = small ? "pdf-small" : "pdf-large";
        figure->title = alloc_format("Transit of %s with %s processes, %s messages, on %s",
                                     operation_name(entries->operation), label, small ? "small" : "large",
                                     choice->machine->name);
        figure->x_axis = AXIS_TIME;
        figure->y_axis = span.logarithmic ? AXIS_LOG_DENSITY : AXIS_DENSITY;
        figure->logarithmic = span.logarithmic;
        figure->x_low = span.low;
        figure->x_high = span.high;
        for (size_t i = 0; i < shown; i++) {
            const struct distribution *d = &sizes[i]->transit;
            struct figure_curve *curve = figure_curve_add(figure, density_label(sizes[i], span.high), CURVE_DENSITY);
            curve->colour = (int)i;
            curve->mark = d->average <= span.high ? d->average : NAN;
            density_curve(curve, d, machine_source_form(choice->source, d), report_samples(choice->source, d), &span);
        }
        free(label);
    }
    free(sizes);
}

/* ---- all ---- */

static enum status choice_check(const struct report_choice *choice, const struct entries *entries, struct diags *diags)
{
    const struct bench_options *options = choice->options;
    size_t errors = diags->n_errors;
    struct place place = place_of_file(choice->machine->path);
    bool only_models = options->n_levels == 0 && options->n_sizes == 0 && analytical_is_known(choice->machine);
    if (entries->n == 0 && !only_models)
        diag_error(diags, place, "there is nothing to draw: no ping-pong and no pairs of %s",
                   operation_name(entries->operation));
    for (size_t i = 0; i < options->n_levels && entries->n > 0; i++)
        if (!entry_for_densities(entries, true, 0, &options->levels[i]) &&
            !entry_for_densities(entries, false, 0, &options->levels[i]))
            diag_error(diags, place, "--levels %dx%d was not measured for %s", options->levels[i].nodes,
                       options->levels[i].ppn, operation_name(entries->operation));
    for (size_t i = 0; i < options->n_sizes && entries->n > 0; i++) {
        bool found = false;
        for (size_t j = 0; j < entries->n; j++)
            for (size_t k = 0; k < entries->list[j]->n_sizes; k++)
                found = found || entries->list[j]->sizes[k].bytes == options->sizes[i];
        if (!found)
            diag_error(diags, place, "--sizes %lld was not measured for %s", (long long)options->sizes[i],
                       operation_name(entries->operation));
    }
    return diags->n_errors > errors ? STATUS_RANGE : STATUS_OK;
}

enum status report_figures(const struct report_choice *choice, struct figure figures[REPORT_FIGURES], size_t *n,
                           struct diags *diags)
{
    const struct bench_options *options = choice->options;
    struct entries entries = entries_choose(choice);
    enum status status = choice_check(choice, &entries, diags);
    *n = 0;
    for (int i = 0; i < REPORT_TRANSITS && entries.n > 0 && status == STATUS_OK; i++) {
        struct figure *figure = &figures[*n];
        bool small = i % 2 == 0;
        *figure = (struct figure){0};
        if (i < 2) {
            averages_figure(figure, &entries, small, choice->machine->name);
        } else { /* as the paper: small messages at n x p, large ones at n x 1 */
            size_t level = small || options->n_levels < 2 ? 0 : 1;
            const struct bench_level *wanted = options->n_levels > 0 ? &options->levels[level] : NULL;
            const struct machine_entry *entry = small ? NULL : entry_for_densities(&entries, small, 1, wanted);
            if (!entry)
                entry = entry_for_densities(&entries, small, INT_MAX, wanted);
            if (entry)
                densities_figure(figure, choice, &entries, entry, small);
        }
        if (figure->name)
            ++*n;
        else
            figure_free(figure);
    }
    free(entries.list);
    if (status == STATUS_OK)
        *n += report_model_figures(choice->machine, choice->source, figures + *n, diags);
    if (status == STATUS_OK && *n == 0) {
        diag_error(diags, place_of_file(choice->machine->path), "there is nothing to draw: no sizes");
        status = STATUS_RANGE;
    }
    return status;
}
