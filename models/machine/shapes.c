/* Curves and matrices of a machine file. */
#include "common/units.h"
#include "models/machine/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct range not_negative = {0, HUGE_VAL, "a number of at least 0"};
static const struct range probability = {0, 1, "a probability from 0 to 1"};

static const struct {
    const char *point, *list, *abscissas;
    bool is_rest, is_time; /* the abscissa is a time; the ordinate is */
} AXES[] = {
    [CURVE_OF_TIMES] = {"a pair [bytes, time]", "a list of [bytes, time]", "sizes", false, true},
    [CURVE_OF_BYTES] = {"a pair [numprocs, bytes]", "a list of [numprocs, bytes]", "process counts", false, false},
    [CURVE_OF_RESTS] = {"a pair [rest, time]", "a list of [rest, time]", "rests", true, true},
    [CURVE_OF_HELD] = {"a pair [bytes given, bytes held]", "a list of [bytes given, bytes held]", "bytes given", false, false},
    [CURVE_OF_CHANCES] = {"a pair [wait, probability]", "a list of [wait, probability]", "waits", true, false},
};

/* One [x, y]; `last` is the x before, negative at first. */
static bool point_read(struct reader *r, const struct spot *spot, enum curve_axes axes, double last, double *x,
                       double *y)
{
    if (!list_check(r, spot, 2, AXES[axes].point))
        return false;
    struct spot abscissa = spot_item(spot, 0), value = spot_item(spot, 1);
    bool good = AXES[axes].is_rest ? time_read(r, &abscissa, SIGN_NOT_NEGATIVE, x)
                                   : number_read(r, &abscissa, not_negative, x);
    if (axes == CURVE_OF_CHANCES)
        good &= number_read(r, &value, probability, y);
    else
        good &= AXES[axes].is_time ? fitted_time_read(r, &value, SIGN_NOT_NEGATIVE, y)
                                   : fitted_number_read(r, &value, not_negative, y);
    if (good && *x <= last) {
        spot_error(r, &abscissa, "%g after %g: %s must ascend", *x, last, AXES[axes].abscissas);
        return false;
    }
    return good;
}

bool curve_read(struct reader *r, const struct spot *spot, enum curve_axes axes, struct machine_curve *curve)
{
    const char *what = AXES[axes].list;
    if (!list_check(r, spot, LIST_ANY, what))
        return false;
    size_t n = spot->node->n;
    if (n == 0) {
        spot_error(r, spot, "expected %s, found an empty list", what);
        return false;
    }
    curve->bytes = alloc_zeroed(n, sizeof *curve->bytes);
    curve->time = alloc_zeroed(n, sizeof *curve->time);
    curve->n = n;
    bool good = true;
    double last = -1;
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        good &= point_read(r, &item, axes, last, &curve->bytes[i], &curve->time[i]);
        last = fmax(last, curve->bytes[i]);
    }
    return good;
}

/* Measured short messages differ by chance, the more so the less they take; what is less than this part is a slip of a pen. */
static const double SLIP = 0.5;

bool demand_read(struct reader *r, const struct spot *spot, enum demand what, struct machine_curve *curve)
{
    if (!curve_read(r, spot, CURVE_OF_TIMES, curve))
        return false;
    for (size_t i = 1; i < curve->n; i++) {
        const bool is_last = i + 1 == curve->n;
        const double before = curve->time[i - 1], time = curve->time[i];
        if (time >= before || (!is_last && (what == DEMAND_OF_ACKNOWLEDGEMENTS || time >= SLIP * before)))
            continue;
        char text[2][UNITS_TIME_BYTES];
        struct spot item = spot_item(spot, i);
        units_format_time(before, text[0]);
        units_format_time(time, text[1]);
        if (!is_last)
            spot_warning(r, &item, "%s at %.10g bytes after %s at %.10g: do more bytes take less time?", text[1], curve->bytes[i],
                         text[0], curve->bytes[i - 1]);
        else if (what == DEMAND_OF_ACKNOWLEDGEMENTS)
            spot_warning(r, &item, "%s at %.10g bytes after %s at %.10g: the last slope goes on, so those of more than %.0f bytes "
                         "take nothing", text[1], curve->bytes[i], text[0], curve->bytes[i - 1],
                         curve->bytes[i] + time * (curve->bytes[i] - curve->bytes[i - 1]) / (before - time));
        else
            spot_error(r, &item, "%s at %.10g bytes after %s at %.10g: the last slope goes on, so that messages of more than %.0f "
                       "bytes would take nothing", text[1], curve->bytes[i], text[0], curve->bytes[i - 1],
                       curve->bytes[i] + time * (curve->bytes[i] - curve->bytes[i - 1]) / (before - time));
    }
    return true;
}

static bool cell_read(struct reader *r, const struct spot *spot, enum cell cell, bool diagonal, double *value)
{
    static const struct range rate = {1e-300, HUGE_VAL, "a rate above 0 in bytes/s (an inverse_beta may be negative)"};
    static const struct range any = {-HUGE_VAL, HUGE_VAL, "a number"};
    if (diagonal && node_is_null(spot->node)) {
        *value = 0;
        return true;
    }
    if (cell == CELL_RATE)
        return fitted_number_read(r, spot, diagonal ? any : rate, value);
    return fitted_time_read(r, spot, cell == CELL_TIME ? SIGN_NOT_NEGATIVE : SIGN_ANY, value);
}

bool matrix_read(struct reader *r, const struct spot *spot, size_t n, enum cell cell, struct machine_matrix *matrix)
{
    char rows[60], columns[60];
    snprintf(rows, sizeof rows, "%zu rows, one per node", n);
    snprintf(columns, sizeof columns, "a row of %zu numbers, one per node", n);
    if (!list_check(r, spot, n, rows))
        return false;
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        struct spot row = spot_item(spot, i);
        good &= list_check(r, &row, n, columns);
    }
    if (!good) /* before n * n numbers are asked for */
        return false;
    *matrix = (struct machine_matrix){.n = n, .value = alloc_zeroed(n * n, sizeof(double))};
    for (size_t i = 0; i < n; i++) {
        struct spot row = spot_item(spot, i);
        for (size_t j = 0; j < n; j++) {
            struct spot item = spot_item(&row, j);
            good &= cell_read(r, &item, cell, i == j, &matrix->value[i * n + j]);
        }
    }
    return good;
}
