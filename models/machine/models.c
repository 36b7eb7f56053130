/* The `models:` section of a machine file. */
#include "models/machine/fields.h"
#include "models/model_list.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct range any_number = {-HUGE_VAL, HUGE_VAL, "a number"};

/* Rows of a matrix: the nodes of the machine or, where that could not be read, as many as there are. */
static size_t nodes_of(const struct machine *machine, const struct spot *spot)
{
    return machine->nodes > 0 ? (size_t)machine->nodes : spot->node->kind == YAML_KIND_LIST ? spot->node->n : 0;
}

static void times_read(struct reader *r, const struct field fields[], size_t n, double *const values[])
{
    for (size_t i = 0; i < n; i++)
        if (fields[i].spot.node)
            fitted_time_read(r, &fields[i].spot, SIGN_NOT_NEGATIVE, values[i]);
}

static void matrices_read(struct reader *r, const struct machine *machine, const struct field fields[], size_t n,
                          struct machine_matrix *const matrices[])
{
    for (size_t i = 0; i < n; i++)
        if (fields[i].spot.node)
            matrix_read(r, &fields[i].spot, nodes_of(machine, &fields[i].spot), CELL_TIME, matrices[i]);
}

static void hockney_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"alpha", true, {0}}, {"beta", true, {0}}};
    struct machine_hockney *m = machine->hockney = alloc_zeroed(1, sizeof *m);
    if (fields_take(r, spot, FIELDS(fields)))
        times_read(r, FIELDS(fields), (double *const[]){&m->alpha, &m->beta});
}

static void hockney_hetero_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"alpha", true, {0}}, {"beta", true, {0}}};
    struct machine_hockney_hetero *m = machine->hockney_hetero = alloc_zeroed(1, sizeof *m);
    if (fields_take(r, spot, FIELDS(fields)))
        matrices_read(r, machine, FIELDS(fields), (struct machine_matrix *const[]){&m->alpha, &m->beta});
}

/* LogP has no G. */
static struct machine_loggp *loggp_make(struct reader *r, const struct spot *spot, bool has_G)
{
    struct field fields[] = {
        {"L", true, {0}}, {"o_s", true, {0}}, {"o_r", true, {0}}, {"g", true, {0}}, {"G", true, {0}}};
    struct machine_loggp *m = alloc_zeroed(1, sizeof *m);
    if (fields_take(r, spot, fields, has_G ? 5 : 4))
        times_read(r, fields, has_G ? 5 : 4, (double *const[]){&m->L, &m->o_s, &m->o_r, &m->g, &m->G});
    return m;
}

static struct machine_loggp_hetero *loggp_hetero_make(struct reader *r, const struct spot *spot,
                                                      const struct machine *machine, bool has_G)
{
    struct field fields[] = {
        {"L", true, {0}}, {"o_s", true, {0}}, {"o_r", true, {0}}, {"g", true, {0}}, {"G", true, {0}}};
    struct machine_loggp_hetero *m = alloc_zeroed(1, sizeof *m);
    if (fields_take(r, spot, fields, has_G ? 5 : 4))
        matrices_read(r, machine, fields, has_G ? 5 : 4,
                      (struct machine_matrix *const[]){&m->L, &m->o_s, &m->o_r, &m->g, &m->G});
    return m;
}

static void logp_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    machine->logp = loggp_make(r, spot, false);
}

static void loggp_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    machine->loggp = loggp_make(r, spot, true);
}

static void logp_hetero_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    machine->logp_hetero = loggp_hetero_make(r, spot, machine, false);
}

static void loggp_hetero_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    machine->loggp_hetero = loggp_hetero_make(r, spot, machine, true);
}

static void plogp_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"L", true, {0}}, {"o_s", true, {0}}, {"o_r", true, {0}}, {"g", true, {0}}};
    struct machine_plogp *m = machine->plogp = alloc_zeroed(1, sizeof *m);
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    struct machine_curve *const curves[] = {&m->o_s, &m->o_r, &m->g};
    times_read(r, fields, 1, (double *const[]){&m->L});
    for (size_t i = 0; i < 3; i++)
        if (fields[i + 1].spot.node)
            curve_read(r, &fields[i + 1].spot, CURVE_OF_TIMES, curves[i]);
}

/* rows x columns items; what each is called is said where they are not there. */
static bool grid_check(struct reader *r, const struct spot *spot, size_t rows, const char *rows_text, size_t columns,
                       const char *columns_text)
{
    bool good = list_check(r, spot, rows, rows_text);
    for (size_t i = 0; good && i < rows; i++) {
        struct spot row = spot_item(spot, i);
        good = list_check(r, &row, columns, columns_text);
    }
    return good;
}

/* n rows of n curves. */
static struct machine_curve *curves_read(struct reader *r, const struct spot *spot, size_t n)
{
    char rows[60], columns[60];
    snprintf(rows, sizeof rows, "%zu rows, one per node", n);
    snprintf(columns, sizeof columns, "a row of %zu curves, one per node", n);
    if (!grid_check(r, spot, n, rows, n, columns))
        return NULL;
    struct machine_curve *curves = alloc_zeroed(n * n, sizeof *curves);
    for (size_t i = 0; i < n; i++) {
        struct spot row = spot_item(spot, i);
        for (size_t j = 0; j < n; j++) {
            struct spot item = spot_item(&row, j);
            if (i != j || !node_is_null(item.node))
                curve_read(r, &item, CURVE_OF_TIMES, &curves[i * n + j]);
        }
    }
    return curves;
}

static void plogp_hetero_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"L", true, {0}}, {"o_s", true, {0}}, {"o_r", true, {0}}, {"g", true, {0}}};
    struct machine_plogp_hetero *m = machine->plogp_hetero = alloc_zeroed(1, sizeof *m);
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    matrices_read(r, machine, fields, 1, (struct machine_matrix *const[]){&m->L});
    m->n = machine->nodes > 0 ? (size_t)machine->nodes : 0;
    struct machine_curve **const curves[] = {&m->o_s, &m->o_r, &m->g};
    for (size_t i = 0; i < 3 && m->n > 0; i++)
        if (fields[i + 1].spot.node)
            *curves[i] = curves_read(r, &fields[i + 1].spot, m->n);
}

/* ---- LMO ---- */

/* A list of times, one per node; NULL after an error. */
static double *delays_read(struct reader *r, const struct spot *spot, size_t n)
{
    char what[60];
    snprintf(what, sizeof what, "%zu times, one per node", n);
    if (!list_check(r, spot, n, what))
        return NULL;
    double *times = alloc_zeroed(n, sizeof *times);
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        fitted_time_read(r, &item, SIGN_NOT_NEGATIVE, &times[i]);
    }
    return times;
}

/* A list of ascending numbers, at least `least` of them (equal ones where they are knots); NULL after an error. */
static double *ascending_read(struct reader *r, const struct spot *spot, size_t least, bool knots)
{
    static const struct range range = {0, HUGE_VAL, "a number of at least 0"};
    if (!list_check(r, spot, LIST_ANY, "a list of numbers"))
        return NULL;
    size_t n = spot->node->n;
    if (n < least) {
        spot_error(r, spot, "expected at least %zu numbers, found %zu", least, n);
        return NULL;
    }
    double *values = alloc_zeroed(n, sizeof *values);
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        bool good = number_read(r, &item, range, &values[i]);
        if (good && i > 0 && (knots ? values[i] < values[i - 1] : values[i] <= values[i - 1]))
            spot_error(r, &item, "%g after %g: these must ascend", values[i], values[i - 1]);
    }
    return values;
}

/* rows x columns of numbers in a range; NULL after an error. */
static double *grid_read(struct reader *r, const struct spot *spot, size_t rows, size_t columns, struct range range)
{
    char rows_text[60], columns_text[60];
    snprintf(rows_text, sizeof rows_text, "%zu rows", rows);
    snprintf(columns_text, sizeof columns_text, "a row of %zu numbers", columns);
    if (!grid_check(r, spot, rows, rows_text, columns, columns_text))
        return NULL;
    double *values = alloc_zeroed(rows * columns, sizeof *values);
    for (size_t i = 0; i < rows; i++) {
        struct spot row = spot_item(spot, i);
        for (size_t j = 0; j < columns; j++) {
            struct spot item = spot_item(&row, j);
            fitted_number_read(r, &item, range, &values[i * columns + j]);
        }
    }
    return values;
}

static const struct range probability = {0, 1, "a probability from 0 to 1"};

/* The ends of the intervals, rows by columns in the range of what they are of. Where no coefficient of a spline is less than another's,
 * no value is. */
static void ends_read(struct reader *r, const struct spot *spot, size_t rows, size_t columns, struct range range,
                      struct machine_surface *surface)
{
    struct field fields[] = {{"low", true, {0}}, {"high", true, {0}}};
    const size_t errors = r->errors;
    if (!spot->node || !fields_take(r, spot, FIELDS(fields)) || !fields[0].spot.node || !fields[1].spot.node)
        return;
    surface->low = grid_read(r, &fields[0].spot, rows, columns, range);
    surface->high = grid_read(r, &fields[1].spot, rows, columns, range);
    for (size_t i = 0; r->errors == errors && i < rows * columns; i++) {
        struct spot row = spot_item(&fields[1].spot, i / columns), item = spot_item(&row, i % columns);
        if (surface->low[i] > surface->high[i])
            spot_error(r, &item, "`high` must be no less than `low`");
    }
}

static void spline_read(struct reader *r, const struct spot *spot, struct machine_surface *surface)
{
    struct field fields[] = {{"degree_numprocs", true, {0}}, {"degree_bytes", true, {0}}, {"numprocs", true, {0}},
                             {"bytes", true, {0}}, {"coefficients", true, {0}}, {"ci95", false, {0}}};
    size_t errors = r->errors;
    surface->is_spline = true;
    if (!fields_take(r, spot, FIELDS(fields)) || r->errors > errors)
        return;
    if (!int_read(r, &fields[0].spot, 0, 9, &surface->degree_numprocs) ||
        !int_read(r, &fields[1].spot, 0, 9, &surface->degree_bytes))
        return;
    size_t order_numprocs = (size_t)surface->degree_numprocs + 1, order_bytes = (size_t)surface->degree_bytes + 1;
    surface->numprocs = ascending_read(r, &fields[2].spot, 2 * order_numprocs, true);
    surface->bytes = ascending_read(r, &fields[3].spot, 2 * order_bytes, true);
    if (!surface->numprocs || !surface->bytes)
        return;
    surface->n_numprocs = fields[2].spot.node->n;
    surface->n_bytes = fields[3].spot.node->n;
    size_t rows = surface->n_numprocs - order_numprocs, columns = surface->n_bytes - order_bytes;
    surface->coefficients = grid_read(r, &fields[4].spot, rows, columns, any_number);
    surface->n_coefficients = rows * columns;
    ends_read(r, &fields[5].spot, rows, columns, any_number, surface);
}

static void surface_read(struct reader *r, const struct spot *spot, struct machine_surface *surface)
{
    struct field fields[] = {{"numprocs", false, {0}}, {"bytes", false, {0}}, {"p", false, {0}}, {"spline", false, {0}},
                             {"ci95", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    bool grid = spot_is_meant(&fields[0].spot) || spot_is_meant(&fields[1].spot) || spot_is_meant(&fields[2].spot);
    if (grid == spot_is_meant(&fields[3].spot)) {
        spot_error(r, spot, "expected either numprocs, bytes and p, or `spline`");
        return;
    }
    if (!grid && fields[4].spot.node) {
        spot_error(r, &fields[4].spot, "the `ci95` of a spline stands in it");
        return;
    }
    if (!grid) {
        if (fields[3].spot.node)
            spline_read(r, &fields[3].spot, surface);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        if (!fields[i].spot.node) {
            if (!fields[i].spot.misspelt)
                spot_error(r, spot, "missing key `%s`", fields[i].name);
            return;
        }
    surface->numprocs = ascending_read(r, &fields[0].spot, 1, false);
    surface->bytes = ascending_read(r, &fields[1].spot, 1, false);
    if (!surface->numprocs || !surface->bytes)
        return;
    surface->n_numprocs = fields[0].spot.node->n;
    surface->n_bytes = fields[1].spot.node->n;
    surface->p = grid_read(r, &fields[2].spot, surface->n_numprocs, surface->n_bytes, probability);
    ends_read(r, &fields[4].spot, surface->n_numprocs, surface->n_bytes, probability, surface);
}

static void levels_read(struct reader *r, const struct spot *spot, struct machine_lmo *lmo)
{
    if (!list_check(r, spot, LIST_ANY, "a list of times"))
        return;
    size_t n = spot->node->n;
    if (n == 0)
        spot_error(r, spot, "expected at least 1 level, found an empty list");
    lmo->levels = alloc_zeroed(n, sizeof *lmo->levels);
    lmo->n_levels = n;
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        bool good = fitted_time_read(r, &item, SIGN_NOT_NEGATIVE, &lmo->levels[i]);
        if (good && i > 0 && lmo->levels[i] <= lmo->levels[i - 1])
            spot_error(r, &item, "levels must ascend");
    }
}

static void escalation_read(struct reader *r, const struct spot *spot, struct machine_lmo *lmo)
{
    static const char *const applies[] = {"total", "added"};
    static const struct range bytes = {0, HUGE_VAL, "a number of bytes"};
    static const struct range dependence = {-1, 1, "a number from -1 to 1"};
    struct field fields[] = {{"levels", true, {0}}, {"applies", false, {0}}, {"M1", true, {0}}, {"Mc", false, {0}},
                             {"M2", true, {0}}, {"probability", false, {0}}, {"M1_by_ratio", false, {0}},
                             {"dependence", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    int choice = 0;
    if (fields[0].spot.node)
        levels_read(r, &fields[0].spot, lmo);
    if (fields[1].spot.node && choice_read(r, &fields[1].spot, "way to apply a level", applies, 2, &choice))
        lmo->levels_added = choice == 1;
    if (fields[2].spot.node)
        curve_read(r, &fields[2].spot, CURVE_OF_BYTES, &lmo->M1);
    if (fields[3].spot.node)
        curve_read(r, &fields[3].spot, CURVE_OF_BYTES, &lmo->Mc);
    if (fields[4].spot.node)
        fitted_number_read(r, &fields[4].spot, bytes, &lmo->M2);
    if (fields[6].spot.node)
        curve_read(r, &fields[6].spot, CURVE_OF_BYTES, &lmo->M1_by_ratio);
    if (fields[7].spot.node)
        fitted_number_read(r, &fields[7].spot, dependence, &lmo->dependence);
    const struct spot *surfaces = &fields[5].spot;
    char what[60];
    snprintf(what, sizeof what, "%zu surfaces, one per level", lmo->n_levels);
    if (!surfaces->node || lmo->n_levels == 0 || !list_check(r, surfaces, lmo->n_levels, what))
        return;
    lmo->probability = alloc_zeroed(lmo->n_levels, sizeof *lmo->probability);
    for (size_t i = 0; i < lmo->n_levels; i++) {
        struct spot item = spot_item(surfaces, i);
        surface_read(r, &item, &lmo->probability[i]);
    }
}

/* C, t and beta: one each for all nodes, or lists by node. */
static void lmo_rates_read(struct reader *r, const struct spot *spot, const struct spot *beta,
                           const struct spot *inverse, const struct machine *machine)
{
    struct machine_lmo *lmo = machine->lmo;
    const struct spot *given = beta->node ? beta : inverse;
    enum cell cell = beta->node ? CELL_RATE : CELL_ANY_TIME;
    lmo->is_inverse = inverse->node != NULL;
    if (!beta->node == !inverse->node) {
        if (beta->node || !(beta->misspelt || inverse->misspelt))
            spot_error(r, spot, beta->node ? "`beta` and `inverse_beta` cannot stand together"
                                       : "missing key `beta` (bytes/s) or `inverse_beta` (s/byte)");
    } else if (!lmo->alike) {
        matrix_read(r, given, nodes_of(machine, given), cell, &lmo->beta);
    } else {
        static const struct range rate = {DBL_MIN, HUGE_VAL, "a rate above 0 in bytes/s"};
        lmo->beta = (struct machine_matrix){1, alloc_zeroed(1, sizeof *lmo->beta.value)};
        if (lmo->is_inverse)
            fitted_time_read(r, given, SIGN_ANY, lmo->beta.value);
        else
            fitted_number_read(r, given, rate, lmo->beta.value);
    }
}

static double *lmo_delays_read(struct reader *r, const struct spot *spot, const struct machine *machine)
{
    if (!spot->node)
        return NULL;
    if (!machine->lmo->alike)
        return delays_read(r, spot, nodes_of(machine, spot));
    double *delay = alloc_zeroed(1, sizeof *delay);
    fitted_time_read(r, spot, SIGN_NOT_NEGATIVE, delay);
    return delay;
}

/* What has been fitted beyond the formula of small or of large shares; its kappa has a place of its own. */
static void lmo_beyond_read(struct reader *r, const struct spot *spot, double fitted[N_LMO_BEYOND])
{
    struct field fields[] = {
#define X(name) {#name, LMO_BEYOND_##name != LMO_BEYOND_kappa, {0}},
        LMO_BEYOND_LIST(X)
#undef X
    };
    const size_t first = LMO_BEYOND_kappa + 1;
    if (!fields_take(r, spot, fields + first, N_LMO_BEYOND - first))
        return;
    for (size_t i = first; i < N_LMO_BEYOND; i++)
        if (fields[i].spot.node)
            fitted_time_read(r, &fields[i].spot, SIGN_ANY, &fitted[i]);
}

static void lmo_flat_read(struct reader *r, const struct spot *spot, bool gather, struct machine_lmo *lmo)
{
    static const struct range bytes = {1, HUGE_VAL, "a number of bytes of at least 1"};
    enum { KAPPA, SMALL = 2, LARGE, S };
    struct field fields[] = {{"kappa1", gather, {0}}, {"kappa2", gather, {0}}, {"small", false, {0}}, {"large", false, {0}},
                             {"S", false, {0}}};
    double (*fitted)[N_LMO_BEYOND] = gather ? lmo->gather : lmo->scatter;
    if (!fields_take(r, spot, fields, gather ? S : S + 1))
        return;
    for (int large = 0; large < 2; large++) {
        const struct spot *kappa = &fields[KAPPA + large].spot, *more = &fields[SMALL + large].spot;
        if (kappa->node && gather && lmo->forms_2007)
            fitted_number_read(r, kappa, any_number, &fitted[large][LMO_BEYOND_kappa]);
        else if (kappa->node)
            fitted_time_read(r, kappa, SIGN_ANY, &fitted[large][LMO_BEYOND_kappa]);
        if (more->node && lmo->forms_2007)
            spot_error(r, more, "`%s` is for `forms: 2009`", fields[SMALL + large].name);
        else if (more->node)
            lmo_beyond_read(r, more, fitted[large]);
    }
    if (gather)
        lmo->has_kappa = fields[KAPPA].spot.node && fields[KAPPA + 1].spot.node;
    else if (fields[S].spot.node)
        fitted_number_read(r, &fields[S].spot, bytes, &lmo->scatter_S);
}

static void lmo_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const char *const forms[] = {"2009", "2007"};
    enum { C, T, BETA, INVERSE, LIMITED, FORMS, SCATTER, GATHER, ESCALATION };
    struct field fields[] = {{"C", true, {0}}, {"t", true, {0}}, {"beta", false, {0}}, {"inverse_beta", false, {0}},
                             {"port_limited", false, {0}}, {"forms", false, {0}}, {"scatter", false, {0}},
                             {"gather", false, {0}}, {"escalation", false, {0}}};
    struct machine_lmo *lmo = machine->lmo = alloc_zeroed(1, sizeof *lmo);
    int choice = 0;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    lmo->alike = fields[C].spot.node && fields[C].spot.node->kind != YAML_KIND_LIST;
    lmo->C = lmo_delays_read(r, &fields[C].spot, machine);
    lmo->t = lmo_delays_read(r, &fields[T].spot, machine);
    lmo->n = lmo->alike ? 1 : machine->nodes > 0 ? (size_t)machine->nodes : 0;
    lmo_rates_read(r, spot, &fields[BETA].spot, &fields[INVERSE].spot, machine);
    if (fields[LIMITED].spot.node)
        bool_read(r, &fields[LIMITED].spot, &lmo->port_limited);
    if (fields[FORMS].spot.node && choice_read(r, &fields[FORMS].spot, "year of the forms", forms, 2, &choice))
        lmo->forms_2007 = choice == 1;
    for (int gather = 0; gather < 2; gather++)
        if (fields[SCATTER + gather].spot.node)
            lmo_flat_read(r, &fields[SCATTER + gather].spot, gather, lmo);
    if (fields[ESCALATION].spot.node)
        escalation_read(r, &fields[ESCALATION].spot, lmo);
}

/* X(key of the section); NAME_read reads it. */
#define SECTION_LIST(X) \
    X(hockney) X(hockney_hetero) X(logp) X(loggp) X(plogp) X(logp_hetero) X(loggp_hetero) X(plogp_hetero) X(lmo)

void models_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(name) {#name, false, {0}},
        SECTION_LIST(X)
#undef X
    };
    static void (*const readers[])(struct reader *, const struct spot *, struct machine *) = {
#define X(name) name##_read,
        SECTION_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].spot.node)
            readers[i](r, &fields[i].spot, machine);
}

bool model_is_given(const struct machine *m, const char *name)
{
#define X(model, given, formula)   \
    if (strcmp(name, #model) == 0) \
        return given;
    MODEL_LIST(X)
#undef X
    return false;
}
