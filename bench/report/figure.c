#include "bench/report/figure.h"

#include "common/alloc.h"
#include "common/gnuplot.h"
#include "common/outfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Okabe and Ito's palette in an order that goes from cold to warm: told apart by the colour-blind too, and on paper. */
static const char *const colours[] = {"#0072B2", "#56B4E9", "#009E73", "#E69F00",
                                      "#D55E00", "#CC79A7", "#882255", "#666666"};
enum { N_COLOURS = sizeof colours / sizeof *colours };

enum { FIGURE_WIDTH = 1000, FIGURE_HEIGHT = 600 };

struct figure_curve *figure_curve_add(struct figure *figure, char *label, enum curve_style style)
{
    figure->curves = alloc_grow(figure->curves, figure->n_curves, &figure->capacity, sizeof *figure->curves);
    struct figure_curve *curve = &figure->curves[figure->n_curves++];
    *curve = (struct figure_curve){.label = label, .style = style, .dash = 1, .mark = NAN};
    return curve;
}

void figure_point_add(struct figure_curve *curve, double x, double y)
{
    curve->x = alloc_grow(curve->x, curve->n, &curve->x_capacity, sizeof *curve->x);
    curve->y = alloc_grow(curve->y, curve->n, &curve->y_capacity, sizeof *curve->y);
    curve->x[curve->n] = x;
    curve->y[curve->n++] = y;
}

void figure_free(struct figure *figure)
{
    for (size_t i = 0; i < figure->n_curves; i++) {
        free(figure->curves[i].label);
        free(figure->curves[i].x);
        free(figure->curves[i].y);
    }
    free(figure->curves);
    free(figure->title);
    *figure = (struct figure){0};
}

/* ---- units ---- */

struct unit {
    const char *name;
    double value;
};

/* The unit in which the largest time of the axis has one to four digits before the point. */
static struct unit time_unit(double most)
{
    return most < 2e-3 ? (struct unit){"us", 1e-6} : most < 2 ? (struct unit){"ms", 1e-3} : (struct unit){"s", 1};
}

double figure_largest(const struct figure *figure)
{
    double most = 0;
    for (size_t i = 0; i < figure->n_curves; i++)
        for (size_t j = 0; j < figure->curves[i].n; j++)
            most = fmax(most, figure->curves[i].y[j]);
    return most;
}

static double largest(const struct figure *figure, bool y)
{
    return y ? figure_largest(figure) : figure->x_high;
}

static struct unit axis_unit(const struct figure *figure, bool y)
{
    struct unit time = {"", 1};
    switch (y ? figure->y_axis : figure->x_axis) {
    case AXIS_BYTES: return (struct unit){"bytes", 1};
    case AXIS_DURATION:
    case AXIS_TIME: return time_unit(largest(figure, y));
    case AXIS_DENSITY:
        time = axis_unit(figure, false);
        return (struct unit){time.name, 1 / time.value};
    case AXIS_PROCESSES:
    case AXIS_SHARE:
    case AXIS_LOG_DENSITY: break;
    }
    return time;
}

static void write_label(FILE *out, const struct figure *figure, bool y)
{
    struct unit unit = axis_unit(figure, y);
    fprintf(out, "set %slabel '", y ? "y" : "x");
    switch (y ? figure->y_axis : figure->x_axis) {
    case AXIS_BYTES: fprintf(out, "message size (bytes)'\n"); break;
    case AXIS_TIME: fprintf(out, "transit time (%s)'\n", unit.name); break;
    case AXIS_DURATION: fprintf(out, "time of the operation (%s)'\n", unit.name); break;
    case AXIS_PROCESSES: fprintf(out, "processes'\n"); break;
    case AXIS_SHARE: fprintf(out, "share of operations'\n"); break;
    case AXIS_DENSITY: fprintf(out, "probability density (1/%s)'\n", unit.name); break;
    case AXIS_LOG_DENSITY: fprintf(out, "probability density (per factor e of time)'\n"); break;
    }
}

/* ---- the script ---- */

static void write_data(FILE *out, const struct figure *figure, size_t number)
{
    double x_unit = axis_unit(figure, false).value, y_unit = axis_unit(figure, true).value;
    for (size_t i = 0; i < figure->n_curves; i++) {
        const struct figure_curve *curve = &figure->curves[i];
        fprintf(out, "$figure%zu_%zu << EOD\n", number, i);
        for (size_t j = 0; j < curve->n; j++)
            fprintf(out, "%.9g %.9g\n", curve->x[j] / x_unit, curve->y[j] / y_unit);
        fprintf(out, "EOD\n");
    }
    fprintf(out, "$marks%zu << EOD\n", number);
    for (size_t i = 0; i < figure->n_curves; i++)
        if (!isnan(figure->curves[i].mark))
            fprintf(out, "%.9g 0\n", figure->curves[i].mark / x_unit);
    fprintf(out, "EOD\n");
}

static bool has_marks(const struct figure *figure)
{
    for (size_t i = 0; i < figure->n_curves; i++)
        if (!isnan(figure->curves[i].mark))
            return true;
    return false;
}

/* A power of two every quarter of the axis, x or y. */
static void write_byte_ticks(FILE *out, char axis, double most)
{
    double step = exp2(fmax(floor(log2(fmax(most, 4)) - 1.9), 0));
    fprintf(out, "set %ctics (", axis);
    for (double at = 0; at <= most; at += step)
        fprintf(out, at >= 1024 ? "%s'%.4g KiB' %.0f" : "%s'%.4g' %.0f", at > 0 ? ", " : "",
                at >= 1024 ? at / 1024 : at, at);
    fprintf(out, ")\n");
}

static void write_axes(FILE *out, const struct figure *figure)
{
    double unit = axis_unit(figure, false).value;
    fprintf(out, "unset logscale\nset xtics autofreq\nset ytics autofreq\nset yrange [0:*]\nset xrange [%.9g:%.9g]\n",
            figure->x_low / unit, figure->x_high / unit);
    if (figure->x_axis == AXIS_BYTES)
        write_byte_ticks(out, 'x', figure->x_high);
    if (figure->y_axis == AXIS_BYTES) { /* ticks of our own round no axis up: nothing is to lie on its end */
        fprintf(out, "set yrange [0:%.9g]\n", 1.1 * figure_largest(figure));
        write_byte_ticks(out, 'y', figure_largest(figure));
    }
    if (figure->logarithmic) {
        fprintf(out, "set logscale x\nset xtics (");
        double decade = pow(10, floor(log10(figure->x_low / unit)));
        for (bool first = true; decade <= figure->x_high / unit; decade *= 10)
            for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
                fprintf(out, "%s'%g' %g", first ? "" : ", ", digit * decade, digit * decade);
                first = false;
            }
        fprintf(out, ")\n");
    }
    /* gnuplot centres a title over the axes: beside a wide key that goes beyond the picture's left edge. */
    fprintf(out, "set label 1 ");
    gnuplot_write_quoted(out, figure->title);
    fprintf(out, " at graph 0, graph 1 left offset 0, 1 noenhanced\n");
    write_label(out, figure, false);
    write_label(out, figure, true);
}

static void write_curve(FILE *out, const struct figure *figure, size_t number, size_t i)
{
    const struct figure_curve *curve = &figure->curves[i];
    const char *colour = colours[(size_t)curve->colour % N_COLOURS];
    static const int marks[N_COLOURS] = {7, 5, 9, 13, 11, 15, 6, 4};
    const int dash = curve->dash + curve->colour / N_COLOURS; /* where colours begin anew */
    fprintf(out, "  ");
    if (curve->style == CURVE_BAND) {
        fprintf(out, "$figure%zu_%zu with filledcurves closed fs transparent solid 0.18 noborder lc rgb '%s' notitle, \\\n", number, i,
                colour);
        return;
    }
    if (curve->style == CURVE_DENSITY)
        fprintf(out, "$figure%zu_%zu with filledcurves y1=0 fs transparent solid 0.18 lc rgb '%s' notitle, \\\n  ",
                number, i, colour);
    fprintf(out, "$figure%zu_%zu ", number, i);
    if (curve->style == CURVE_DENSITY)
        fprintf(out, "with lines lc rgb '%s' lw 1.5 title ", colour);
    else if (curve->style == CURVE_BOUND)
        fprintf(out, "with lines lc rgb '#000000' lw 3 dt 3 title ");
    else if (curve->style == CURVE_POINTS)
        fprintf(out, "with points pt 6 ps 0.5 lc rgb '#444444' title ");
    else if (curve->style == CURVE_PLAIN)
        fprintf(out, "with lines lc rgb '%s' lw 1.8 dt %d title ", colour, dash);
    else
        fprintf(out, "with linespoints lc rgb '%s' lw 1.8 dt %d pt %d ps 0.6 title ", colour, dash,
                marks[(size_t)curve->colour % N_COLOURS]);
    gnuplot_write_quoted(out, curve->label);
    fprintf(out, " noenhanced, \\\n");
}

static void write_figure(FILE *out, const struct figure *figure, size_t number)
{
    write_data(out, figure, number);
    write_axes(out, figure);
    fprintf(out, "plot \\\n");
    for (size_t i = 0; i < figure->n_curves; i++)
        write_curve(out, figure, number, i);
    if (has_marks(figure))
        fprintf(out, "  $marks%zu using 1:2 with points pt 9 ps 1.2 lc rgb '#000000' title 'average'\n", number);
    else
        fprintf(out, "  NaN notitle\n");
}

struct picture {
    const struct figure *figures;
    size_t n;
    const char *path;
};

static void write_script(FILE *out, const void *what)
{
    const struct picture *picture = what;
    int columns = picture->n > 1 ? 2 : 1, rows = ((int)picture->n + columns - 1) / columns;
    gnuplot_write_terminal(out, picture->path, FIGURE_WIDTH * columns * 4 / (columns + 3),
                           FIGURE_HEIGHT * rows * 4 / (columns + 3));
    fprintf(out, "set encoding utf8\nset grid lc rgb '#dddddd' lw 1\nset border 3 lc rgb '#444444'\n"
                 "set tics nomirror\nset key outside right top reverse Left samplen 3 spacing 1.1\nset clip one\n"
                 "set tmargin 3\n");
    if (picture->n > 1)
        fprintf(out, "set multiplot layout %d,%d\n", rows, columns);
    for (size_t i = 0; i < picture->n; i++)
        write_figure(out, &picture->figures[i], i);
    if (picture->n > 1)
        fprintf(out, "unset multiplot\n");
}

enum status figures_draw(const struct figure figures[], size_t n, const char *path, struct diags *diags)
{
    return gnuplot_draw(path, write_script, &(struct picture){figures, n, path}, diags);
}

enum status figure_write_csv(const struct figure *figure, const char *path, struct diags *diags)
{
    static const char *const names[] = {"bytes", "transit_s", "density_per_s", "density_per_factor_e",
                                        "time_s", "processes", "share"};
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    fprintf(file.stream, "curve,%s,%s\n", names[figure->x_axis], names[figure->y_axis]);
    for (size_t i = 0; i < figure->n_curves; i++)
        for (size_t j = 0; j < figure->curves[i].n; j++)
            fprintf(file.stream, "\"%s\",%.9g,%.9g\n", figure->curves[i].label, figure->curves[i].x[j],
                    figure->curves[i].y[j]);
    return outfile_commit(&file, diags);
}
