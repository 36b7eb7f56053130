#include "bench/report/models.h"

#include "bench/report/observed.h"
#include "common/alloc.h"
#include "models/analytical.h"
#include "models/cost.h"
#include "models/escalation.h"
#include "models/lmo_collective.h"
#include "models/model_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 128 };
#define SIZE_MOST 131072.0 /* bytes, where the file names no size */
#define SHARE_SHOWN 0.005  /* a level is drawn where it is taken as often */

static struct figure figure_make(const char *name, char *title, enum axis x, enum axis y, double x_high)
{
    return (struct figure){.name = name, .title = title, .x_axis = x, .y_axis = y, .x_high = x_high};
}

static struct figure_curve *curve_of(struct figure *figure, char *label, enum curve_style style)
{
    struct figure_curve *curve = figure_curve_add(figure, label, style);
    curve->colour = (int)figure->n_curves - 1;
    return curve;
}

/* Each time of a kind, among so many processes. */
static void observed_points(struct figure *figure, const struct observed *observed, enum observed_kind kind, int numprocs,
                            const char *label)
{
    struct figure_curve *curve = NULL;
    for (size_t i = 0; i < observed->n; i++) {
        const struct observed_time *one = &observed->all[i];
        if (one->kind != kind || one->numprocs != numprocs || one->bytes > figure->x_high)
            continue;
        if (!curve)
            curve = curve_of(figure, alloc_string(label), CURVE_POINTS);
        figure_point_add(curve, one->bytes, one->t);
    }
}

/* ---- one-way times ---- */

static void model_curve(struct figure *figure, const struct machine *machine, const char *name, struct diags *diags)
{
    struct cost_model *model;
    struct cost_options options = {.model = name, .contention = CONTENTION_scoreboard, .ppn = 1};
    if (cost_model_open(&model, machine, &options, diags) != STATUS_OK)
        return;
    struct figure_curve *curve = curve_of(figure, alloc_string(name), CURVE_PLAIN);
    uint32_t pair = model->pair_class(model, TRANSPORT_network, 0, 1);
    for (int i = 0; i <= POINTS; i++) {
        struct mix mix;
        double bytes = figure->x_high * i / POINTS, time = 0;
        model->transit(model, pair, SEND_BLOCKING, (int64_t)bytes, 1, &mix);
        for (int part = 0; part < mix.n; part++)
            time += mix.weight[part] * mix.part[part]->average;
        figure_point_add(curve, bytes, time);
    }
    cost_model_close(model);
}

static void pingpong_curve(struct figure *figure, const struct machine *machine)
{
    const struct machine_entry *lowest = NULL;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *e = &machine->entries[i];
        if (e->nodes > 1 && e->operation == SEND_BLOCKING && (!lowest || e->level < lowest->level))
            lowest = e;
    }
    if (!lowest)
        return;
    struct figure_curve *curve = curve_of(figure, alloc_string("measured"), CURVE_BOUND);
    for (size_t j = 0; j < lowest->n_sizes; j++)
        if ((double)lowest->sizes[j].bytes <= figure->x_high)
            figure_point_add(curve, (double)lowest->sizes[j].bytes, lowest->sizes[j].transit.average);
}

static bool models_figure(struct figure *figure, const struct machine *m, const struct observed *observed, struct diags *diags)
{
    *figure = figure_make("models", alloc_format("Messages from node 0 to node 1 under each model, on %s", m->name),
                          AXIS_BYTES, AXIS_TIME, 102400);
#define X(name, given, formulas)                     \
    if (given)                                       \
        model_curve(figure, m, #name, diags);
    ANALYTICAL_LIST(X)
#undef X
    pingpong_curve(figure, m);
    observed_points(figure, observed, OBSERVED_one_way, 2, "round trips, one way");
    return true;
}

/* ---- linear Scatter and Gather ---- */

/* All nodes, or the processes that M1 goes up to. */
static int processes_of(const struct machine *m)
{
    const struct machine_curve *M1 = &m->lmo->M1;
    return M1->n > 0 ? (int)M1->bytes[M1->n - 1] : m->nodes;
}

/* Twice the last size at which anything changes: of a Gather M2; of a Scatter, which is drawn beside it, as far at least. */
static double largest_size(const struct machine *m, bool gather)
{
    const double M2 = m->lmo->n_levels > 0 ? m->lmo->M2 : 0, S = m->lmo->scatter_S, last = gather && M2 > 0 ? M2 : fmax(M2, S);
    return last > 0 ? 2 * last : SIZE_MOST;
}

/* When the last process leaves. */
static double flat_time(const struct machine *m, enum collective_op op, int n, double bytes)
{
    const struct schedule s = {.op = op, .algorithm = ALGORITHM_linear, .size = n, .bytes = (int64_t)bytes};
    double *leaves = alloc_zeroed((size_t)n, sizeof *leaves), last = 0;
    int *node = alloc_array((size_t)n, sizeof *node);
    for (int i = 0; i < n; i++)
        node[i] = i;
    lmo_collective_times(m, &s, node, leaves);
    for (int i = 0; i < n; i++)
        last = fmax(last, leaves[i]);
    free(node);
    free(leaves);
    return last;
}

static double size_at(const struct figure *figure, int i)
{
    return fmax(1, floor(figure->x_high * i / POINTS));
}

static void flat_curve(struct figure *figure, const struct machine *m, enum collective_op op, const char *label)
{
    struct figure_curve *curve = curve_of(figure, alloc_string(label), CURVE_PLAIN);
    for (int i = 0; i <= POINTS; i++)
        figure_point_add(curve, size_at(figure, i), flat_time(m, op, processes_of(m), size_at(figure, i)));
}

/* What the file's `collectives:` has of the operation on as many processes. */
static void measured_curve(struct figure *figure, const struct machine *m, const char *operation)
{
    for (size_t c = 0; c < m->n_collectives; c++) {
        const struct machine_collective *collective = &m->collectives[c];
        struct figure_curve *curve = NULL;
        for (size_t i = 0; i < collective->n_measured && strcmp(collective->operation, operation) == 0; i++) {
            const struct machine_collective_time *at = &collective->measured[i];
            const struct distribution *time = at->has_root_time && at->root_time.average > at->time.average
                                                  ? &at->root_time : &at->time;
            if (at->numprocs != processes_of(m) || (double)at->bytes > figure->x_high)
                continue;
            if (!curve)
                curve = curve_of(figure, alloc_string("measured, mean"), CURVE_BOUND);
            figure_point_add(curve, (double)at->bytes, time->average);
        }
    }
}

/* A line up from a size, as high as what is drawn. */
static void size_mark(struct figure *figure, double bytes, const char *label)
{
    const double most = figure_largest(figure);
    struct figure_curve *curve = curve_of(figure, alloc_string(label), CURVE_PLAIN);
    curve->dash = 2;
    figure_point_add(curve, bytes, 0);
    figure_point_add(curve, bytes, most);
}

/* Between which sizes so many processes escalate; of a number to which nothing happens the file has a size beyond M2. */
static void limits_mark(struct figure *figure, const struct machine_lmo *lmo, int numprocs)
{
    const double M1 = machine_curve_at(&lmo->M1, numprocs), Mc = lmo->Mc.n > 0 ? machine_curve_at(&lmo->Mc, numprocs) : INFINITY;
    if (M1 > lmo->M2)
        return;
    size_mark(figure, M1, "M1");
    if (Mc <= lmo->M2)
        size_mark(figure, Mc, "Mc");
    size_mark(figure, lmo->M2, "M2");
}

static bool scatter_figure(struct figure *figure, const struct machine *m, const struct observed *observed)
{
    if (!m->lmo)
        return false;
    *figure = figure_make("scatter", alloc_format("Linear Scatter of %d processes, on %s", processes_of(m), m->name),
                          AXIS_BYTES, AXIS_DURATION, largest_size(m, false));
    flat_curve(figure, m, COLLECTIVE_MPI_Scatter, "LMO");
    measured_curve(figure, m, "MPI_Scatter");
    observed_points(figure, observed, OBSERVED_scatter, processes_of(m), "measured, each");
    if (m->lmo->scatter_S > 0)
        size_mark(figure, m->lmo->scatter_S, "S");
    return true;
}

static double level_time(const struct machine_lmo *lmo, size_t level, double linear)
{
    return lmo->levels_added ? linear + lmo->levels[level] : fmax(linear, lmo->levels[level]);
}

/* What an operation takes at a level, for keys and titles; the caller frees it. */
static char *level_text(const struct machine_lmo *lmo, size_t level)
{
    return alloc_format("%s %.3g ms", lmo->levels_added ? "by" : "to", 1e3 * lmo->levels[level]);
}

static void levels_curves(struct figure *figure, const struct machine *m)
{
    const struct machine_lmo *lmo = m->lmo;
    double *p = alloc_zeroed(lmo->n_levels, sizeof *p);
    struct figure_curve *mean = curve_of(figure, alloc_string("LMO, mean"), CURVE_PLAIN);
    for (int i = 0; i <= POINTS; i++) {
        double bytes = size_at(figure, i), linear = flat_time(m, COLLECTIVE_MPI_Gather, processes_of(m), bytes);
        double time = linear;
        escalation_probabilities(lmo, processes_of(m), bytes, p);
        for (size_t l = 0; l < lmo->n_levels; l++)
            time += p[l] * (level_time(lmo, l, linear) - linear);
        figure_point_add(mean, bytes, time);
    }
    for (size_t l = 0; l < lmo->n_levels; l++) {
        char *text = level_text(lmo, l);
        struct figure_curve *curve = curve_of(figure, alloc_format("level %zu, %s", l + 1, text), CURVE_PLAIN);
        free(text);
        for (int i = 0; i <= POINTS; i++) {
            double bytes = size_at(figure, i);
            escalation_probabilities(lmo, processes_of(m), bytes, p);
            if (p[l] >= SHARE_SHOWN)
                figure_point_add(curve, bytes,
                                 level_time(lmo, l, flat_time(m, COLLECTIVE_MPI_Gather, processes_of(m), bytes)));
        }
    }
    free(p);
}

static bool gather_figure(struct figure *figure, const struct machine *m, const struct observed *observed)
{
    if (!m->lmo)
        return false;
    *figure = figure_make("gather", alloc_format("Linear Gather of %d processes, on %s", processes_of(m), m->name),
                          AXIS_BYTES, AXIS_DURATION, largest_size(m, true));
    flat_curve(figure, m, COLLECTIVE_MPI_Gather, "LMO, linear part");
    if (m->lmo->n_levels > 0)
        levels_curves(figure, m);
    measured_curve(figure, m, "MPI_Gather");
    observed_points(figure, observed, OBSERVED_gather, processes_of(m), "measured, each");
    if (m->lmo->n_levels > 0)
        limits_mark(figure, m->lmo, processes_of(m));
    return true;
}

/* ---- thresholds and surfaces ---- */

static void threshold_curve(struct figure *figure, const struct machine_curve *at, const char *label, int dash)
{
    if (at->n == 0)
        return;
    struct figure_curve *curve = curve_of(figure, alloc_string(label), CURVE_LINE);
    curve->dash = dash;
    for (size_t i = 0; i < at->n; i++)
        figure_point_add(curve, at->bytes[i], at->time[i]);
}

static bool thresholds_figure(struct figure *figure, const struct machine *m)
{
    if (!m->lmo || m->lmo->M1.n < 2)
        return false;
    *figure = figure_make("thresholds", alloc_format("Sizes between which Gathers escalate, on %s", m->name),
                          AXIS_PROCESSES, AXIS_BYTES, m->lmo->M1.bytes[m->lmo->M1.n - 1]);
    threshold_curve(figure, &m->lmo->M1, "M1", 1);
    threshold_curve(figure, &m->lmo->M1_by_ratio, "M1 by ratio", 2); /* often the same: M1 is to be seen between its dashes */
    threshold_curve(figure, &m->lmo->Mc, "Mc", 1);
    struct figure_curve *curve = curve_of(figure, alloc_string("M2"), CURVE_BOUND);
    figure_point_add(curve, m->lmo->M1.bytes[0], m->lmo->M2);
    figure_point_add(curve, figure->x_high, m->lmo->M2);
    return true;
}

/* What a probability's interval is at a size; both ends are it where nothing is drawn by chance. */
static void range_at(const struct machine_lmo *lmo, size_t level, int numprocs, double bytes, double p, double range[2])
{
    const bool drawn = bytes >= machine_curve_at(&lmo->M1, numprocs) && bytes <= lmo->M2;
    range[0] = range[1] = p;
    if (drawn && surface_interval(&lmo->probability[level], numprocs, bytes, &range[0], &range[1]))
        range[0] = fmin(range[0], p), range[1] = fmax(range[1], p);
}

/* Along the lower ends and back along the upper ones. */
static void range_band(struct figure *figure, const struct machine_lmo *lmo, size_t level, int numprocs, int colour,
                       double p[])
{
    struct figure_curve *band = figure_curve_add(figure, alloc_format("%d processes, 95 %%", numprocs), CURVE_BAND);
    band->colour = colour;
    for (int high = 0; high < 2; high++)
        for (int i = 0; i <= POINTS; i++) {
            double range[2], bytes = size_at(figure, high ? POINTS - i : i);
            escalation_probabilities(lmo, numprocs, bytes, p);
            range_at(lmo, level, numprocs, bytes, p[level], range);
            figure_point_add(band, bytes, range[high]);
        }
}

static bool surface_figure(struct figure *figure, const struct machine *m, size_t level)
{
    static const char *const names[REPORT_LEVELS_MOST] = {"escalation-1", "escalation-2", "escalation-3",
                                                          "escalation-4", "escalation-5", "escalation-6",
                                                          "escalation-7", "escalation-8"};
    const struct machine_lmo *lmo = m->lmo;
    if (!lmo || !lmo->probability || level >= lmo->n_levels)
        return false;
    char *text = level_text(lmo, level);
    *figure = figure_make(names[level], alloc_format("How often a Gather escalates %s, on %s", text, m->name), AXIS_BYTES,
                          AXIS_SHARE, 1.1 * lmo->M2);
    free(text);
    double *p = alloc_zeroed(lmo->n_levels, sizeof *p);
    for (size_t k = 0; k < lmo->M1.n; k++) {
        const int numprocs = (int)lmo->M1.bytes[k];
        if (lmo->probability[level].low)
            range_band(figure, lmo, level, numprocs, (int)k, p);
        struct figure_curve *curve = curve_of(figure, alloc_format("%d processes", numprocs), CURVE_PLAIN);
        curve->colour = (int)k;
        for (int i = 0; i <= POINTS; i++) {
            escalation_probabilities(lmo, numprocs, size_at(figure, i), p);
            figure_point_add(curve, size_at(figure, i), p[level]);
        }
    }
    free(p);
    return true;
}

/* ---- all ---- */

size_t report_model_figures(const struct machine *m, const struct machine_source *source,
                            struct figure figures[REPORT_MODEL_FIGURES], struct diags *diags)
{
    struct observed observed = {0};
    size_t n = 0, levels = m->lmo && m->lmo->probability ? m->lmo->n_levels : 0;
    if (!analytical_is_known(m)) {
        diag_note(diags, place_of_file(m->path), "figures of models are left out: the file has no `models`");
        return 0;
    }
    observed_read(&observed, m, source, diags);
    n += models_figure(&figures[n], m, &observed, diags);
    n += scatter_figure(&figures[n], m, &observed);
    n += gather_figure(&figures[n], m, &observed);
    observed_free(&observed);
    n += thresholds_figure(&figures[n], m);
    for (size_t l = 0; l < levels && l < REPORT_LEVELS_MOST; l++)
        n += surface_figure(&figures[n], m, l);
    if (!m->lmo)
        diag_note(diags, place_of_file(m->path),
                  "scatter, gather, thresholds and escalation are left out: the file has no "
                  "`lmo`");
    else if (m->lmo->n_levels == 0)
        diag_note(diags, place_of_file(m->path), "thresholds and escalation are left out: `lmo` has no `escalation`");
    else if (levels == 0)
        diag_note(diags, place_of_file(m->path), "escalation is left out: it has no `probability`");
    else if (levels > REPORT_LEVELS_MOST)
        diag_note(diags, place_of_file(m->path), "escalation: %zu levels are left out, %d are drawn",
                  levels - REPORT_LEVELS_MOST, REPORT_LEVELS_MOST);
    return n;
}
