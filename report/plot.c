#include "report/plot.h"

#include "common/alloc.h"
#include "common/gnuplot.h"
#include "common/numerals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Okabe and Ito's palette: told apart by the colour-blind too, and on paper. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
enum { N_COLOURS = sizeof colours / sizeof *colours, TICKS_MOST = 16, MARKS = 6 };

/* What is drawn, and on which axes. */
struct plot {
    const struct predict_result *result;
    const struct measurements *measured;
    double baseline;            /* s, of measured points; NaN: unknown */
    bool speedup;               /* else the run time */
    bool logarithmic;
    bool params_differ;         /* else they stand in the title */
    double highest;             /* of what is drawn, but for the ideal line */
    int least, most;            /* processes */
    size_t n_ticks;             /* distinct numbers of processes, where few enough */
    int ticks[TICKS_MOST];
};

static bool same_colour(const struct prediction *a, const struct prediction *b)
{
    return strcmp(a->model, b->model) == 0 && strcmp(a->mode, b->mode) == 0 && strcmp(a->params, b->params) == 0;
}

static bool same_curve(const struct prediction *a, const struct prediction *b)
{
    return same_colour(a, b) && a->at.ppn == b->at.ppn;
}

/* Number of different kinds before row i, where `same` tells kinds apart. *first: whether row i is the first of its
 * kind; else the number is that of its kind. */
static size_t kind_number(const struct predict_result *result, size_t i, bool *first,
                          bool (*same)(const struct prediction *a, const struct prediction *b))
{
    size_t number = 0;
    for (size_t j = 0; j < i; j++) {
        bool repeated = false;
        for (size_t k = 0; k < j && !repeated; k++)
            repeated = same(&result->rows[k], &result->rows[j]);
        if (same(&result->rows[j], &result->rows[i])) {
            *first = false;
            return number - repeated;
        }
        number += !repeated;
    }
    *first = true;
    return number;
}

static void tick_add(struct plot *plot, int numprocs)
{
    size_t n = plot->n_ticks < TICKS_MOST ? plot->n_ticks : 0;
    for (size_t i = 0; i < n; i++)
        if (plot->ticks[i] == numprocs)
            return;
    if (plot->n_ticks < TICKS_MOST)
        plot->ticks[plot->n_ticks] = numprocs;
    plot->n_ticks++;
}

static struct plot plot_plan(const struct predict_result *result, const struct measurements *measured)
{
    struct plot plot = {.result = result, .measured = measured, .baseline = NAN, .least = 1, .most = 1};
    for (size_t i = 0; i < result->n; i++) {
        const struct prediction *row = &result->rows[i];
        plot.speedup = plot.speedup || !isnan(row->speedup);
        if (isnan(plot.baseline))
            plot.baseline = row->baseline;
        plot.least = i == 0 || row->at.numprocs < plot.least ? row->at.numprocs : plot.least;
        plot.most = row->at.numprocs > plot.most ? row->at.numprocs : plot.most;
        tick_add(&plot, row->at.numprocs);
        plot.params_differ = plot.params_differ || strcmp(row->params, result->rows[0].params) != 0;
        plot.highest = row->speedup_p95 > plot.highest ? row->speedup_p95 : plot.highest;
    }
    for (size_t i = 0; measured && i < measured->n; i++)
        plot.highest = fmax(plot.highest, plot.baseline / measured->times[i].seconds);
    /* Counts that double crowd at the left of a linear axis; 1, 2, 3 ... do not. */
    plot.logarithmic = plot.n_ticks >= 4 && plot.n_ticks <= TICKS_MOST && plot.most >= 16 * plot.least;
    return plot;
}

static double row_y(const struct plot *plot, const struct prediction *row)
{
    return plot->speedup ? row->speedup : row->time.mean;
}

/* $curveN: processes, value, lower end, upper end. */
static void write_curve_data(FILE *out, const struct plot *plot, size_t number, const struct prediction *first)
{
    fprintf(out, "$curve%zu << EOD\n", number);
    for (size_t i = 0; i < plot->result->n; i++) {
        const struct prediction *row = &plot->result->rows[i];
        if (!same_curve(row, first) || isnan(row_y(plot, row)))
            continue;
        fprintf(out, "%d %.9g %.9g %.9g\n", row->at.numprocs, row_y(plot, row),
                plot->speedup ? row->speedup_p5 : row->time.p5, plot->speedup ? row->speedup_p95 : row->time.p95);
    }
    fprintf(out, "EOD\n");
}

static bool has_measured(const struct plot *plot)
{
    return plot->measured && plot->measured->n > 0 && (!plot->speedup || !isnan(plot->baseline));
}

static void write_data(FILE *out, const struct plot *plot)
{
    for (size_t i = 0; i < plot->result->n; i++) {
        bool first;
        size_t number = kind_number(plot->result, i, &first, same_curve);
        if (first)
            write_curve_data(out, plot, number, &plot->result->rows[i]);
    }
    fprintf(out, "$ideal << EOD\n"); /* close points: on a logarithmic axis the line is a curve */
    for (double numprocs = plot->least; numprocs < plot->most; numprocs *= 1.03)
        fprintf(out, "%.9g\n", numprocs);
    fprintf(out, "%d\nEOD\n", plot->most);
    if (!has_measured(plot))
        return;
    fprintf(out, "$measured << EOD\n");
    for (size_t i = 0; i < plot->measured->n; i++) {
        const struct measured_time *time = &plot->measured->times[i];
        fprintf(out, "%d %.9g\n", time->numprocs, plot->speedup ? plot->baseline / time->seconds : time->seconds);
    }
    fprintf(out, "EOD\n");
}

static int by_value(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void write_axes(FILE *out, const struct plot *plot)
{
    fprintf(out, "set xlabel 'processes'\nset ylabel '%s'\n", plot->speedup ? "speedup" : "run time (s)");
    if (plot->logarithmic)
        fprintf(out, "set logscale x 2\nset xrange [%.9g:%.9g]\n", plot->least / 1.15, plot->most * 1.15);
    else
        fprintf(out, "set xrange [%.9g:%.9g]\n", plot->least > 1 ? 0.0 : 0.5, plot->most * 1.03 + 0.5);
    if (plot->speedup) /* the ideal line leaves the picture where it would flatten the curves */
        fprintf(out, "set yrange [0:%.9g]\n", 1.05 * fmin(fmax(1.3 * plot->highest, plot->least), plot->most));
    else
        fprintf(out, "set logscale y\n");
    if (plot->n_ticks <= TICKS_MOST) {
        int sorted[TICKS_MOST];
        memcpy(sorted, plot->ticks, plot->n_ticks * sizeof *sorted);
        qsort(sorted, plot->n_ticks, sizeof *sorted, by_value);
        fprintf(out, "set xtics (");
        int shown = -1; /* on a linear axis ticks closer than a thirtieth of it would overlap */
        for (size_t i = 0; i < plot->n_ticks; i++) {
            bool room = plot->logarithmic || shown < 0 || (sorted[i] - shown) * 30 >= plot->most;
            if (!room)
                continue;
            fprintf(out, "%s%d", shown < 0 ? "" : ", ", sorted[i]);
            shown = sorted[i];
        }
        fprintf(out, ")\n");
    }
}

static void write_title(FILE *out, const struct plot *plot, const struct predict_request *request)
{
    const char *slash = strrchr(request->program, '/');
    const char *params = plot->params_differ ? "" : plot->result->rows[0].params;
    char *title = alloc_format("Predicted %s of %s on %s%s%s%s", plot->speedup ? "speedup" : "run time",
                               slash ? slash + 1 : request->program, request->machine->name, *params ? ", " : "",
                               params, plot->result->complete ? "" : " (incomplete)");
    fprintf(out, "set title ");
    gnuplot_write_quoted(out, title);
    fprintf(out, " noenhanced\n");
    free(title);
}

static void write_curve(FILE *out, const struct plot *plot, size_t number, size_t i)
{
    const struct prediction *row = &plot->result->rows[i];
    bool first;
    size_t colour = kind_number(plot->result, i, &first, same_colour);
    static const int marks[MARKS] = {7, 5, 9, 13, 11, 15}; /* filled: circle, square, triangle, diamond, ... */
    char *title = alloc_format("%s%s%s, n x %d%s%s", row->among_models ? row->model : "",
                               row->among_models ? ", " : "", row->mode, row->at.ppn, plot->params_differ ? ", " : "",
                               plot->params_differ ? row->params : "");
    if (row->time.p95 > row->time.p5)
        fprintf(out, "  $curve%zu using 1:2:3:4 with yerrorbars lc rgb '%s' lw 1 pt 0 notitle, \\\n", number,
                colours[colour % N_COLOURS]);
    fprintf(out, "  $curve%zu using 1:2 with linespoints lc rgb '%s' lw 2 dt %d pt %d ps 0.7 title ", number,
            colours[colour % N_COLOURS], row->at.ppn > 1 ? 2 + (row->at.ppn > 2) : 1, marks[colour % MARKS]);
    gnuplot_write_quoted(out, title);
    fprintf(out, " noenhanced, \\\n");
    free(title);
}

void plot_write_script(FILE *out, const char *ending, const struct predict_request *request,
                       const struct predict_result *result, const struct measurements *measured)
{
    struct plot plot = plot_plan(result, measured);
    const struct numerals before = numerals_plain();
    gnuplot_write_terminal(out, ending, 1000, 600);
    write_title(out, &plot, request);
    write_axes(out, &plot);
    fprintf(out,
            "set key outside right top reverse Left samplen 3 spacing 1.15\n"
            "set grid lc rgb '#dddddd' lw 1\nset border 3 lc rgb '#444444'\nset tics nomirror\n");
    write_data(out, &plot);
    fprintf(out, "plot \\\n");
    if (plot.speedup)
        fprintf(out, "  $ideal using 1:1 with lines lc rgb '#999999' lw 1.5 dt 3 title 'ideal', \\\n");
    for (size_t i = 0; i < result->n; i++) {
        bool first;
        size_t number = kind_number(result, i, &first, same_curve);
        if (first)
            write_curve(out, &plot, number, i);
    }
    fprintf(out, has_measured(&plot)
                     ? "  $measured using 1:2 with points pt 6 ps 1.3 lw 2 lc rgb '#000000' title 'measured'\n"
                     : "  NaN notitle\n");
    numerals_restore(before);
}

/* plot_write's arguments, for the script. */
struct plot_job {
    const char *path;
    const struct predict_request *request;
    const struct predict_result *result;
    const struct measurements *measured;
};

static void job_write(FILE *out, const void *what)
{
    const struct plot_job *job = what;
    plot_write_script(out, strrchr(job->path, '.'), job->request, job->result, job->measured);
}

enum status plot_write(const char *path, const struct predict_request *request, const struct predict_result *result,
                       const struct measurements *measured, struct diags *diags)
{
    if (result->n == 0) {
        diag_error(diags, place_of_file(path), "there is nothing to draw: no prediction succeeded");
        return STATUS_RANGE;
    }
    return gnuplot_draw(path, job_write, &(struct plot_job){path, request, result, measured}, diags);
}
