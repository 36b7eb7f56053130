#include "survey/fitting.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 200   /* know a half width to 5 % */
#define PLOGP_BEND 0.1  /* of a time: what the line through two points may miss the third by */
#define APART 4             /* times the precision: on 16 hosts 2 of 100 experiments */
#define TRIPLETS_ALIKE 1.05 /* times within that factor count as equal */
#define PLOGP_NEAR 256  /* bytes: points are no nearer */

const char *fitting_name(enum fitting_model model)
{
    static const char *const names[] = {
#define X(name, given, formulas) #name,
        ANALYTICAL_LIST(X)
#undef X
    };
    return names[model];
}

/* ---- experiments ---- */

/* The experiment in one place of every pair's list. */
static void slot_add(struct fitting *f, struct survey *survey, size_t slot, struct experiment experiment)
{
    for (size_t j = 0, unit = 0; j < f->nodes; j++)
        for (size_t i = 0; i < j; i++, unit++) {
            experiment.node[0] = (int)i;
            experiment.node[1] = (int)j;
            f->number[unit * f->n_experiments + slot] = survey_add(survey, &experiment);
        }
}

static struct experiment round_trip(int64_t there, int64_t back)
{
    return (struct experiment){.kind = EXPERIMENT_round_trip, .there = there, .back = back};
}

static void hockney_plan(struct fitting *f, struct survey *survey, const struct fitting_wish *wish)
{
    if (!f->regression) {
        slot_add(f, survey, 0, round_trip(0, 0));
        slot_add(f, survey, 1, round_trip(wish->bytes, wish->bytes));
    }
    for (size_t k = 0; f->regression && k < f->hockney.n; k++) {
        int64_t bytes = (int64_t)f->hockney_bytes[k];
        slot_add(f, survey, k, round_trip(bytes, bytes));
    }
}

/* Each size once: of a few bytes there are fewer eighths. */
static void hockney_sizes_make(struct fitting *f)
{
    f->hockney.bytes = f->hockney_bytes;
    for (int k = 0; k < HOCKNEY_SIZES; k++) {
        double bytes = floor(f->bytes * k / (HOCKNEY_SIZES - 1));
        if (f->hockney.n == 0 || bytes > f->hockney_bytes[f->hockney.n - 1])
            f->hockney_bytes[f->hockney.n++] = bytes;
    }
}

static void loggp_plan(struct fitting *f, struct survey *survey, const struct fitting_wish *wish)
{
    slot_add(f, survey, LOGGP_send, (struct experiment){.kind = EXPERIMENT_send, .there = 1});
    slot_add(f, survey, LOGGP_late_receive, (struct experiment){.kind = EXPERIMENT_late_receive, .back = 1});
    slot_add(f, survey, LOGGP_round_trip, round_trip(1, 1));
    slot_add(f, survey, LOGGP_saturation,
             (struct experiment){.kind = EXPERIMENT_saturation, .there = 1,
                                 .messages = SMALL_MESSAGES * wish->messages});
    if (f->n_experiments > LOGP_EXPERIMENTS)
        slot_add(f, survey, LOGGP_large, (struct experiment){.kind = EXPERIMENT_saturation, .there = wish->bytes,
                                                             .messages = wish->messages});
}

static void plogp_plan(struct fitting *f, struct survey *survey, const struct fitting_wish *wish)
{
    for (size_t k = 0; k < f->plogp.k; k++) {
        int64_t bytes = (int64_t)f->plogp_bytes[k];
        slot_add(f, survey, plogp_experiment(&f->plogp, PLOGP_sends, k),
                 (struct experiment){.kind = EXPERIMENT_send, .there = bytes});
        slot_add(f, survey, plogp_experiment(&f->plogp, PLOGP_late_receives, k),
                 (struct experiment){.kind = EXPERIMENT_late_receive, .back = bytes});
        slot_add(f, survey, plogp_experiment(&f->plogp, PLOGP_round_trips, k), round_trip(bytes, 0));
        if (k == 0 || f->plogp.direct)
            slot_add(f, survey, plogp_experiment(&f->plogp, PLOGP_saturations, k),
                     (struct experiment){.kind = EXPERIMENT_saturation, .there = bytes,
                                         .messages = (k == 0 ? SMALL_MESSAGES : 1) * wish->messages});
    }
}

static void lmo_plan(struct fitting *f, struct survey *survey, const struct fitting_wish *wish)
{
    size_t n = f->nodes;
    for (int there = 0; there < 2; there++)
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < j; i++) {
                struct experiment e = round_trip(there ? wish->bytes : 0, 0);
                e.node[0] = (int)i, e.node[1] = (int)j;
                f->number[there ? lmo_there(n, i, j) : lmo_empty(n, i, j)] = survey_add(survey, &e);
            }
}

/* Nodes in no order, so that roots take turns among triplets that take as long as each other: rounds are fuller. */
static uint32_t triplet_shuffle(const struct triplet *one)
{
    uint32_t h = 2166136261u; /* FNV-1a, of nodes; http://www.isthe.com/chongo/tech/comp/fnv */
    for (int k = 0; k < 3; k++)
        h = (h ^ (uint32_t)one->node[k]) * 16777619u;
    return h ^ h >> 15;
}

static int triplets_compare(const void *a, const void *b)
{
    const struct triplet *one = a, *other = b;
    const double alike = log(TRIPLETS_ALIKE), here = floor(log(one->t) / alike), there = floor(log(other->t) / alike);
    const uint32_t x = triplet_shuffle(one), y = triplet_shuffle(other);
    if (here != there)
        return here > there ? -1 : 1;
    return x != y ? (x < y ? -1 : 1) : memcmp(one->node, other->node, sizeof one->node);
}

struct repeats *fitting_repeats(const struct fitting *f, const struct survey *survey, const struct surveyed again[],
                                size_t unit)
{
    struct repeats *repeats = alloc_array(f->n_experiments, sizeof *repeats);
    for (size_t e = 0; e < f->n_experiments; e++) {
        size_t number = f->number[unit * f->n_experiments + e];
        repeats[e] = again ? (struct repeats){again[number].n, again[number].t} : survey_repeats(survey, number);
    }
    return repeats;
}

static double there(const struct fitting *f, const struct survey *survey, size_t i, size_t j)
{
    struct repeats repeats = survey_repeats(survey, f->number[lmo_there(f->nodes, i, j)]);
    return repeats_mean(&repeats);
}

size_t fitting_triplets(const struct fitting *f, const struct survey *survey, struct triplet all[])
{
    size_t n = f->nodes, at = 0;
    for (size_t i = 0; all && i < n; i++) {
        double quickest = INFINITY;
        for (size_t j = 0; j < n; j++)
            if (j != i)
                quickest = fmin(quickest, there(f, survey, i, j));
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < k; j++)
                if (j != i && k != i)
                    all[at++] = (struct triplet){{(int)i, (int)j, (int)k},
                                                 fmax(2 * quickest, fmax(there(f, survey, i, j), there(f, survey, i, k)))};
    }
    if (all)
        qsort(all, at, sizeof *all, triplets_compare);
    return n * (n - 1) * (n - 2) / 2;
}

void fitting_plan_triplets(struct fitting *f, struct survey *survey, const struct triplet all[])
{
    for (size_t at = 0, n = fitting_triplets(f, survey, NULL); at < n; at++) {
        const int *node = all[at].node;
        struct experiment e = {EXPERIMENT_to_two, {node[0], node[1], node[2]}, (int64_t)f->bytes, 0, 0};
        f->number[lmo_to_two(f->nodes, (size_t)node[0], (size_t)node[1], (size_t)node[2])] = survey_add(survey, &e);
    }
}

static bool is_apart(const struct repeats *r, double precision)
{
    double least = r->t[0], most = r->t[0];
    for (size_t i = 1; i < r->n; i++) {
        least = fmin(least, r->t[i]);
        most = fmax(most, r->t[i]);
    }
    return most - least > APART * precision * repeats_mean(r);
}

/* Of the mean. */
static double mean_variance(const struct repeats *r)
{
    double mean = repeats_mean(r), squares = 0;
    for (size_t i = 0; i < r->n; i++)
        squares += (r->t[i] - mean) * (r->t[i] - mean);
    return squares / (double)(r->n * (r->n - 1));
}

/* The mean variance over the one-to-two experiments that a node leads, where their mean is not known; else infinity. */
static double unknown_from(const struct fitting *f, const struct repeats repeats[], size_t i, double precision)
{
    double sum = 0;
    size_t n = f->nodes, count = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++)
            if (j != i && k != i) {
                sum += mean_variance(&repeats[lmo_to_two(n, i, j, k)]);
                count++;
            }
    return lmo_to_two_precision(n, repeats, i) > precision ? sum / (double)count : INFINITY;
}

void fitting_more(const struct fitting *f, const struct survey *survey, const struct stopping *rule, bool more[])
{
    struct repeats *repeats = fitting_repeats(f, survey, NULL, 0);
    double *from = alloc_array(f->nodes, sizeof *from);
    memset(more, 0, survey->n * sizeof *more);
    for (size_t i = 0; i < f->nodes; i++)
        from[i] = unknown_from(f, repeats, i, rule->precision);
    for (size_t e = 0; e < f->n_experiments; e++) {
        const struct surveyed *one = &survey->all[f->number[e]];
        if (one->experiment.kind == EXPERIMENT_to_two && (one->passes + 1) * SURVEY_PASS <= rule->maximum)
            more[f->number[e]] = mean_variance(&repeats[e]) >= from[one->experiment.node[0]] ||
                                 (one->passes == 1 && is_apart(&repeats[e], rule->precision));
    }
    free(from);
    free(repeats);
}

/* What is particular to a model: how many experiments and parameters a unit has, how it is estimated. */
static void shape_find(struct fitting *f)
{
    size_t n = f->nodes;
    f->units = n * (n - 1) / 2;
    switch (f->model) {
    case FITTING_hockney:
        hockney_sizes_make(f);
        f->n_experiments = f->regression ? f->hockney.n : 2, f->n_parameters = HOCKNEY_PARAMETERS;
        f->estimate = f->regression ? hockney_regression : hockney_two_series;
        f->context = f->regression ? (const void *)&f->hockney : &f->bytes;
        break;
    case FITTING_logp:
        f->n_experiments = LOGP_EXPERIMENTS, f->n_parameters = LOGP_PARAMETERS;
        f->estimate = logp_estimate, f->context = &f->loggp;
        break;
    case FITTING_loggp:
        f->n_experiments = LOGGP_EXPERIMENTS, f->n_parameters = LOGGP_PARAMETERS;
        f->estimate = loggp_estimate, f->context = &f->loggp;
        break;
    case FITTING_plogp:
        f->n_experiments = plogp_experiments(&f->plogp), f->n_parameters = 1 + 3 * f->plogp.k;
        f->estimate = plogp_estimate, f->context = &f->plogp;
        break;
    case FITTING_lmo:
        f->units = 1, f->n_experiments = lmo_experiments(n), f->n_parameters = lmo_parameters(n);
        f->estimate = lmo_fit, f->context = &f->lmo, f->degrees = lmo_degrees;
        break;
    case N_FITTINGS:
        break;
    }
}

void fitting_plan(struct fitting *f, enum fitting_model model, struct survey *survey, const struct fitting_wish *wish,
                  size_t k, const double plogp_bytes[])
{
    *f = (struct fitting){.model = model, .nodes = (size_t)survey->nodes, .bytes = (double)wish->bytes,
                          .regression = wish->regression,
                          .loggp = {1, (double)wish->bytes, SMALL_MESSAGES * wish->messages, wish->messages},
                          .plogp = {k, wish->direct_gap, SMALL_MESSAGES * wish->messages, wish->messages},
                          .lmo = {(size_t)survey->nodes, (double)wish->bytes, 0, false}};
    if (model == FITTING_plogp)
        memcpy(f->plogp_bytes, plogp_bytes, k * sizeof *plogp_bytes);
    shape_find(f);
    f->number = alloc_array(f->units * f->n_experiments, sizeof *f->number);
    f->found = alloc_zeroed(f->units * f->n_parameters, sizeof *f->found);
    static void (*const plans[])(struct fitting *, struct survey *, const struct fitting_wish *) = {
        [FITTING_hockney] = hockney_plan, [FITTING_logp] = loggp_plan, [FITTING_loggp] = loggp_plan,
        [FITTING_plogp] = plogp_plan, [FITTING_lmo] = lmo_plan};
    plans[model](f, survey, wish);
}

void fitting_free(struct fitting *f)
{
    free(f->number);
    free(f->found);
    *f = (struct fitting){0};
}

/* ---- parameters ---- */

static void units_estimate(struct fitting *f, const struct survey *survey, const struct surveyed again[])
{
    double *added = alloc_array(survey->n_added + 1, sizeof *added);
    int *of = alloc_array(f->n_experiments, sizeof *of);
    for (size_t i = 0; i < survey->n_added; i++)
        added[i] = survey->added[i].seconds;
    for (size_t unit = 0; unit < f->units; unit++) {
        struct repeats *repeats = fitting_repeats(f, survey, again, unit);
        for (size_t e = 0; e < f->n_experiments; e++)
            of[e] = survey_added_of(survey, &survey->all[f->number[unit * f->n_experiments + e]].experiment);
        struct bootstrap b = {f->n_experiments, f->n_parameters, RESAMPLES, 1 + unit, f->estimate, f->context,
                              f->degrees, {again ? 0 : survey->n_added, added, of}};
        struct estimate *found = f->found + unit * f->n_parameters;
        bootstrap_run(&b, repeats, found);
        for (size_t p = 0; p < f->n_parameters; p++)
            found[p].experiments = f->n_experiments;
        free(repeats);
    }
    free(of);
    free(added);
}

void fitting_estimate(struct fitting *f, const struct survey *survey, const struct surveyed again[])
{
    f->lmo.ports = false;
    units_estimate(f, survey, again);
    if (f->model != FITTING_lmo || !lmo_port_limited(f->nodes, f->found))
        return;
    f->lmo.ports = true;
    units_estimate(f, survey, again);
}

struct estimate fitting_mean(const struct fitting *f, size_t parameter)
{
    struct estimate mean = {0};
    double squares = 0, n = (double)f->units;
    for (size_t unit = 0; unit < f->units; unit++) {
        const struct estimate *one = &f->found[unit * f->n_parameters + parameter];
        mean.value += one->value / n;
        squares += one->half_width * one->half_width; /* pairs have no experiment in common */
        mean.experiments += one->experiments;
    }
    mean.half_width = sqrt(squares) / n;
    return mean;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct line_miss fitting_line_miss(const struct fitting *f, const struct survey *survey)
{
    struct line_miss miss = {.largest = -1};
    size_t n = 0;
    double *all = alloc_array(f->units * f->n_experiments, sizeof *all);
    for (size_t unit = 0; unit < f->units; unit++) {
        struct repeats *repeats = fitting_repeats(f, survey, NULL, unit);
        const struct estimate *found = &f->found[unit * f->n_parameters];
        const double line[] = {fmax(0, found[HOCKNEY_alpha].value), fmax(0, found[HOCKNEY_beta].value)};
        for (size_t k = 0; k < f->hockney.n; k++) {
            const int *node = survey->all[f->number[unit * f->n_experiments + k]].experiment.node;
            all[n] = fabs(hockney_miss(&f->hockney, repeats, line, k));
            if (all[n++] > miss.largest)
                miss = (struct line_miss){0, all[n - 1], {(size_t)node[0], (size_t)node[1]}, f->hockney_bytes[k]};
        }
        free(repeats);
    }
    qsort(all, n, sizeof *all, by_size);
    miss.median = (all[(n - 1) / 2] + all[n / 2]) / 2;
    free(all);
    return miss;
}

double fitting_refine(const struct fitting *f)
{
    double y[PLOGP_SIZES_MOST];
    for (int curve = PLOGP_o_s; curve <= PLOGP_g; curve++) {
        for (size_t k = 0; k < f->plogp.k; k++)
            y[k] = fitting_mean(f, plogp_parameter(&f->plogp, curve, k)).value;
        for (size_t k = 3; k <= f->plogp.k; k++) {
            double at = plogp_refine(3, f->plogp_bytes + k - 3, y + k - 3, PLOGP_BEND, PLOGP_NEAR);
            if (!isnan(at))
                return floor(at);
        }
    }
    return NAN;
}

struct fitting_cost fitting_cost_of(const struct fitting *f, const struct survey *survey,
                                    const struct surveyed again[])
{
    struct fitting_cost cost = {0};
    const struct surveyed *all = again ? again : survey->all;
    char *counted = alloc_zeroed(survey->n, 1);
    for (size_t i = 0; i < f->units * f->n_experiments; i++) {
        const struct surveyed *one = &all[f->number[i]];
        if (counted[f->number[i]]++)
            continue;
        cost.experiments++;
        cost.measurements += one->n;
        cost.seconds += one->seconds;
    }
    free(counted);
    return cost;
}
