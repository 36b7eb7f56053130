#include "report/report.h"

#include "common/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Widths that depend on what was asked for. */
struct widths {
    int model, mode, params, placement; /* model, params: 0 where there is one only */
};

static int widest(int a, size_t b)
{
    return (int)b > a ? (int)b : a;
}

static int placement_width(struct placement at)
{
    char text[32];
    return snprintf(text, sizeof text, "%dx%d", at.nodes, at.ppn);
}

/* The texts of all combinations are not known yet when the first row is written: the longest value of each parameter
 * tells. */
static int params_width(const struct predict_request *request)
{
    size_t width = 0;
    for (size_t i = 0; i < request->n_sweeps; i++) {
        size_t longest = 0;
        for (size_t j = 0; j < request->sweeps[i].n; j++) {
            char text[VALUE_TEXT_BYTES];
            const struct definition definition = sweep_definition(&request->sweeps[i], j);
            size_t n = strlen(definition_text(&definition, text));
            longest = n > longest ? n : longest;
        }
        width += strlen(request->sweeps[i].name) + 1 + longest + (i > 0);
    }
    char *factors = request->scale ? scale_text(request->scale) : NULL;
    width += factors ? strlen(" scale:") + strlen(factors) : 0;
    free(factors);
    return (int)width;
}

static struct widths report_widths(const struct report *report)
{
    const struct predict_request *request = report->request;
    struct widths widths = {0, 4, 0, 5};
    for (size_t i = 0; i < request->n_modes; i++) {
        const struct predict_mode *mode = &request->modes[i];
        widths.mode = widest(widths.mode, strlen(mode->name));
        if (mode->model && strcmp(mode->model, request->model) != 0)
            widths.model = widest(widest(widths.model, strlen(mode->model)), strlen("model"));
    }
    for (size_t i = 0; i < request->n_placements; i++)
        widths.placement = widest(widths.placement, (size_t)placement_width(request->placements[i]));
    if (sweep_combinations(request->n_sweeps, request->sweeps) > 1)
        widths.params = widest(6, (size_t)params_width(request));
    return widths;
}

static void write_plan(const struct report *report)
{
    const struct replicate_plan *plan = &report->request->plan;
    if (plan->exact > 0)
        fprintf(report->out, "replications %u, seed %llu\n", plan->exact, (unsigned long long)report->request->seed);
    else
        fprintf(report->out, "replications until the mean is known to +-%g %% (95 %%), seed %llu\n",
                100 * plan->precision, (unsigned long long)report->request->seed);
}

static void write_parameters(const struct report *report)
{
    const struct predict_request *request = report->request;
    if (request->scale) {
        char *factors = scale_text(request->scale);
        fprintf(report->out, "scale        %s\n", factors);
        free(factors);
    }
    if (request->n_sweeps == 0)
        return;
    fprintf(report->out, "parameters  ");
    for (size_t i = 0; i < request->n_sweeps; i++) {
        fprintf(report->out, " %s=", request->sweeps[i].name);
        for (size_t j = 0; j < request->sweeps[i].n; j++) {
            char text[VALUE_TEXT_BYTES];
            const struct definition definition = sweep_definition(&request->sweeps[i], j);
            fprintf(report->out, "%s%s", j > 0 ? "," : "", definition_text(&definition, text));
        }
    }
    fputc('\n', report->out);
}

void report_text_begin(struct report *report)
{
    FILE *out = report->out;
    const struct predict_request *request = report->request;
    struct widths widths = report_widths(report);
    fprintf(out, "program      %s\n", request->program);
    fprintf(out, "machine      %s (%s)\n", request->machine->name, report->machine_path);
    fprintf(out, "model        %s, contention %s%s%s\n", request->model, contention_name(predict_contention(request)),
            request->map.cyclic ? ", ranks dealt to nodes in turn" : "", predict_sockets_text(request->machine, request->map));
    if (request->optimised)
        fprintf(out, "collectives  by the decisions of the machine file, with libpevpm-coll\n");
    write_plan(report);
    write_parameters(report);
    if (request->placements_defaulted)
        fprintf(out, "processes    as many as the machine has nodes (-n was not given)\n");
    fprintf(out, "\n%7s  %*s", "procs", widths.placement, "n x p");
    if (widths.model)
        fprintf(out, "  %-*s", widths.model, "model");
    fprintf(out, "  %-*s", widths.mode, "mode");
    if (widths.params)
        fprintf(out, "  %-*s", widths.params, "params");
    fprintf(out, "  %9s  %7s  %22s  %8s  %6s  %10s", "time", "+-", "5 % .. 95 % of runs", "speedup", "+-",
            "efficiency");
    fprintf(out, "%s\n", report->measured ? "   measured    error" : "");
}

static void write_time(FILE *out, const struct statistics *time)
{
    char text[UNITS_TIME_BYTES];
    fprintf(out, "  %9s", units_format_time(time->mean, text));
    if (time->ci95 > 0 && 100 * time->ci95 < 0.005 * time->mean)
        fprintf(out, "  <0.01 %%");
    else if (time->ci95 > 0 && time->mean > 0)
        fprintf(out, "  %5.2f %%", 100 * time->ci95 / time->mean);
    else
        fprintf(out, "  %7s", time->ci95 >= 0 ? "0 %" : "-");
    if (time->p95 > time->p5) {
        fprintf(out, "  %9s", units_format_time(time->p5, text));
        fprintf(out, " .. %9s", units_format_time(time->p95, text));
    } else {
        fprintf(out, "  %22s", "");
    }
}

static void write_speedup(FILE *out, const struct prediction *p)
{
    if (isnan(p->speedup)) {
        fprintf(out, "  %8s  %6s  %10s", "-", "", "-");
        return;
    }
    fprintf(out, "  %8.3f", p->speedup);
    if (p->speedup_ci95 > 0)
        fprintf(out, "  %6.3f", p->speedup_ci95);
    else
        fprintf(out, "  %6s", "");
    fprintf(out, "  %8.1f %%", 100 * p->efficiency);
}

static void write_measured(const struct report *report, const struct prediction *p)
{
    char text[UNITS_TIME_BYTES];
    double error, measured = report_measured(report, p, &error);
    if (isnan(measured))
        fprintf(report->out, "  %9s  %7s", "-", "-");
    else
        fprintf(report->out, "  %9s  %+5.1f %%", units_format_time(measured, text), 100 * error);
}

/* A line for each region under the row, names below one another. */
static void write_regions(FILE *out, const struct prediction *p)
{
    char most[UNITS_TIME_BYTES], mean[UNITS_TIME_BYTES];
    int width = 0;
    for (size_t i = 0; i < p->n_regions; i++)
        width = widest(width, strlen(p->regions[i]));
    for (size_t i = 0; i < p->n_regions; i++) {
        const double *times = &p->region_times[i * N_REGION_TIMES];
        fprintf(out, "%15s%-*s  %9s in the process with most, %9s in the mean of all\n", "region ", width,
                p->regions[i], units_format_time(times[REGION_max], most), units_format_time(times[REGION_mean], mean));
    }
}

void report_text_row(struct report *report, const struct prediction *p)
{
    FILE *out = report->out;
    struct widths widths = report_widths(report);
    char at[32];
    snprintf(at, sizeof at, "%dx%d", p->at.nodes, p->at.ppn);
    fprintf(out, "%7d  %*s", p->at.numprocs, widths.placement, at);
    if (widths.model)
        fprintf(out, "  %-*s", widths.model, p->model);
    fprintf(out, "  %-*s", widths.mode, p->mode);
    if (widths.params)
        fprintf(out, "  %-*s", widths.params, p->params);
    write_time(out, &p->time);
    write_speedup(out, p);
    if (report->measured)
        write_measured(report, p);
    fprintf(out, "%s\n", p->complete ? "" : "  (incomplete)");
    write_regions(out, p);
}

/* "predicted on one process", "Serial time of all processes at 2x1, ..." */
static void write_base(FILE *out, const struct prediction *p)
{
    char text[UNITS_TIME_BYTES];
    units_format_time(p->baseline, text);
    switch (p->base) {
    case BASELINE_GIVEN:
        fprintf(out, "%s, as given", text);
        break;
    case BASELINE_PREDICTED:
        fprintf(out, "%s, predicted on one process", text);
        break;
    case BASELINE_SERIAL:
        fprintf(out, "%s, the Serial time of all processes at %dx%d (the program does not run on one)", text,
                p->base_at.nodes, p->base_at.ppn);
        break;
    case BASELINE_NONE:
        fprintf(out, "unknown: the program has no Serial time, give --baseline TIME");
        break;
    }
}

static bool same_base(const struct prediction *a, const struct prediction *b)
{
    if (a->base != b->base)
        return false;
    return a->base == BASELINE_NONE || fabs(a->baseline - b->baseline) <= 1e-4 * a->baseline;
}

/* One line where all rows refer to the same base, else one for each mode and set of parameters (the first few). */
static void write_bases(FILE *out, const struct predict_result *result)
{
    enum { BASES_SHOWN = 8 };
    const struct prediction *shown[BASES_SHOWN];
    size_t n = 0;
    for (size_t i = 0; i < result->n; i++) {
        const struct prediction *p = &result->rows[i];
        bool known = false;
        for (size_t j = 0; j < n; j++)
            known = known || same_base(shown[j], p);
        if (!known && n < BASES_SHOWN)
            shown[n++] = p;
    }
    for (size_t j = 0; j < n; j++) {
        fprintf(out, "%s ", j == 0 ? "speedup      = T1 / time; T1 =" : "                           T1 =");
        write_base(out, shown[j]);
        if (n > 1)
            fprintf(out, " (%s%s%s%s%s)", shown[j]->among_models ? shown[j]->model : "",
                    shown[j]->among_models ? ", " : "", shown[j]->mode, *shown[j]->params ? ", " : "",
                    shown[j]->params);
        fputc('\n', out);
    }
}

static void write_inversions(FILE *out, const struct predict_result *result)
{
    unsigned long long inverted = 0, all = 0;
    for (size_t i = 0; i < result->n; i++) {
        inverted += result->rows[i].inversions;
        all += result->rows[i].inversions_of;
    }
    if (inverted > 0)
        fprintf(out, "note: in %llu of %llu replications messages were served out of the order of time: "
                     "they were run in the time-ordered engine\n", inverted, all);
}

/* Hours read better than thousands of seconds. */
static void write_duration(FILE *out, double seconds)
{
    char text[UNITS_TIME_BYTES];
    if (seconds >= 2 * 86400)
        fprintf(out, "%.4g days", seconds / 86400);
    else if (seconds >= 2 * 3600)
        fprintf(out, "%.4g hours", seconds / 3600);
    else if (seconds >= 2 * 60)
        fprintf(out, "%.4g minutes", seconds / 60);
    else
        fputs(units_format_time(seconds, text), out);
}

void report_text_end(struct report *report, const struct predict_result *result)
{
    FILE *out = report->out;
    fputc('\n', out);
    write_bases(out, result);
    for (size_t i = 0; i < result->n_notes; i++)
        fprintf(out, "note: %s\n", result->notes[i]);
    if (report->verbose)
        write_inversions(out, result);
    if (report->plot)
        fprintf(out, "plot         %s\n", report->plot);
    if (report->trace)
        fprintf(out, "trace        %s\n", report->trace);
    if (!result->complete)
        fprintf(out, "INCOMPLETE: the run ended before all rows were known\n");
    if (result->n == 0 || !(result->simulated > 0) || !(result->seconds > 0))
        return;
    fprintf(out, "simulated    ");
    write_duration(out, result->simulated);
    fprintf(out, " of run time (");
    write_duration(out, result->simulated_cpu);
    fprintf(out, " of processor time) in ");
    write_duration(out, result->seconds);
    double faster = result->simulated / result->seconds;
    fprintf(out, ": %.*f times faster than the real runs\n", faster < 10 ? 2 : faster < 100 ? 1 : 0, faster);
}
