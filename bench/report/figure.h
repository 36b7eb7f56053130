/* figure.h - figures: curves with labels on two axes, drawn by gnuplot or written as csv. Knows nothing of what
 * they show. Values are in seconds and bytes (densities in 1/s). */
#ifndef PEVPM_BENCH_REPORT_FIGURE_H
#define PEVPM_BENCH_REPORT_FIGURE_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* PLAIN: without marks; BOUND: thick and dotted; DENSITY: filled down to 0; POINTS: marks alone, in no order; BAND: its points
 * go round an area, which is filled and not in the key */
enum curve_style { CURVE_LINE, CURVE_PLAIN, CURVE_BOUND, CURVE_DENSITY, CURVE_POINTS, CURVE_BAND };

struct figure_curve {
    char *label;            /* owned */
    enum curve_style style;
    int colour, dash;       /* numbers of a palette; dash 1: solid */
    size_t n, x_capacity, y_capacity;
    double *x, *y;          /* [n], owned */
    double mark;            /* DENSITY: an x to be marked on the axis, the average; NaN: none */
};

/* What an axis counts in. */
enum axis { AXIS_BYTES, AXIS_TIME, AXIS_DENSITY, AXIS_LOG_DENSITY, AXIS_DURATION, AXIS_PROCESSES, AXIS_SHARE };

struct figure {
    const char *name;       /* of its file, without ending */
    char *title;            /* owned */
    enum axis x_axis, y_axis;
    bool logarithmic;       /* x */
    double x_low, x_high;   /* what is shown */
    size_t n_curves, capacity;
    struct figure_curve *curves; /* in the order of the key */
};

/* A new last curve; label is taken. The pointer dies with the next one. */
struct figure_curve *figure_curve_add(struct figure *figure, char *label, enum curve_style style);
void figure_point_add(struct figure_curve *curve, double x, double y);
void figure_free(struct figure *figure);

/* The largest value on the y axis; 0 without curves. */
double figure_largest(const struct figure *figure);

/* One picture, the ending of `path` saying the form; several figures stand in two columns. STATUS_IO. */
enum status figures_draw(const struct figure figures[], size_t n, const char *path, struct diags *diags);

/* curve,x,y with the units in the head. STATUS_IO. */
enum status figure_write_csv(const struct figure *figure, const char *path, struct diags *diags);

#endif
