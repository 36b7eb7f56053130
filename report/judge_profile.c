#include "report/judge_profile.h"

#include "common/alloc.h"
#include "common/units.h"
#include "report/replay.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct line {
    int line;                   /* 0: after the end */
    const char *file, *directive; /* file: "" where the measured one is not said */
    double measured, predicted;
};

struct table {
    size_t n, capacity;
    struct line *lines;
};

/* The line of a directive, made where there is none: several sites may share one (a procedure that is called twice). */
static struct line *line_find(struct table *table, const char *file, int line, const char *directive)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->lines[i].line == line && strcmp(table->lines[i].directive, directive) == 0 &&
            (!*table->lines[i].file || strcmp(table->lines[i].file, file) == 0))
            return &table->lines[i];
    table->lines = alloc_grow(table->lines, table->n, &table->capacity, sizeof *table->lines);
    table->lines[table->n] = (struct line){.line = line, .file = file, .directive = directive};
    return &table->lines[table->n++];
}

/* How many sites of the program a row may be of. */
static size_t program_has(const struct judge_run *run, const struct program *program, const struct judge_site *site)
{
    size_t n = 0;
    for (int32_t i = 0; i < program->n_sites; i++) {
        const struct site *at = &program->sites[i];
        n += at->at.line == site->line && strcmp(at->what, site->directive) == 0 &&
             (!*site->file || strcmp(source_short_name(run->source, at->at.file), site->file) == 0);
    }
    return n;
}

static bool same_row(const struct judge_site *a, const struct judge_site *b)
{
    return a->line == b->line && strcmp(a->directive, b->directive) == 0 && strcmp(a->file, b->file) == 0;
}

/* Rows of a directive are added up, so a profile that was added twice would have measured twice the time. */
static enum status refuse_twice(const struct judge_run *run, const struct program *program, struct diags *diags)
{
    for (size_t i = 1; i < run->n_sites; i++) {
        const struct judge_site *site = &run->sites[i];
        const size_t most = site->line == 0 ? 1 : program_has(run, program, site);
        size_t n = 1;
        for (size_t k = 0; k < i; k++)
            n += same_row(&run->sites[k], site);
        if (n == 1 || n <= most || most == 0)
            continue;
        diag_error(diags, site->place, "row %zu of the same directive in the same profile, and %s has it %zu time%s: was the "
                   "profile added twice?", n, run->program, most, most == 1 ? "" : "s");
        return STATUS_SCHEMA;
    }
    return STATUS_OK;
}

/* What has been measured and stands nowhere now would be shown as predicted to take no time. */
static void warn_of_change(const struct judge_run *run, const struct program *program, struct diags *diags)
{
    const struct judge_site *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < run->n_sites; i++)
        if (run->sites[i].line > 0 && !program_has(run, program, &run->sites[i]) && n++ == 0)
            first = &run->sites[i];
    if (!first)
        return;
    char *more = n > 1 ? alloc_format(", nor are %zu others", n - 1) : alloc_string("");
    diag_warning(diags, run->place, "line %d %s of this profile is no directive of %s%s: the program has changed since, or was run "
                 "for another machine (Serial on)", first->line, first->directive, run->program, more);
    free(more);
}

static int by_difference(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    double dx = fabs(x->predicted - x->measured), dy = fabs(y->predicted - y->measured);
    return dx != dy ? (dx < dy ? 1 : -1) : (x->line > y->line) - (x->line < y->line);
}

static void table_fill(struct table *table, const struct judge_run *run, const struct program *program,
                       const struct profile *profile)
{
    for (size_t i = 0; i < run->n_sites; i++)
        line_find(table, run->sites[i].file, run->sites[i].line, run->sites[i].directive)->measured +=
            run->sites[i].seconds;
    for (int32_t site = 0; site <= profile->n_sites; site++) {
        double time = profile_site_time(profile, site);
        bool is_end = site == profile->n_sites;
        const struct site *at = is_end ? NULL : &program->sites[site];
        if (time > 0)
            line_find(table, at ? source_short_name(run->source, at->at.file) : "", at ? at->at.line : 0,
                      at ? at->what : "")->predicted += time;
    }
    qsort(table->lines, table->n, sizeof *table->lines, by_difference);
}

static char *signed_time(double seconds, char text[UNITS_TIME_BYTES + 1])
{
    *text = seconds < 0 ? '-' : '+';
    units_format_time(fabs(seconds), text + 1);
    return text;
}

/* "12", of a program of several files "halo.c:12". Allocated. */
static char *label(const struct line *line, bool named)
{
    if (line->line == 0)
        return alloc_string("");
    return named ? alloc_format("%s:%d", line->file, line->line) : alloc_format("%d", line->line);
}

static const char *directive(const struct line *line)
{
    return line->line == 0 ? "after the end" : line->directive;
}

/* The first two columns are as wide as what stands in them. */
struct widths {
    int label, directive;
};

static struct widths widths_of(const struct table *table, bool named)
{
    struct widths widths = {8, 18};
    for (size_t i = 0; i < table->n; i++) {
        char *text = label(&table->lines[i], named);
        const int of_label = (int)strlen(text), of_directive = (int)strlen(directive(&table->lines[i]));
        widths.label = of_label > widths.label ? of_label : widths.label;
        widths.directive = of_directive > widths.directive ? of_directive : widths.directive;
        free(text);
    }
    return widths;
}

static void line_write(FILE *out, const struct line *line, double run_time, bool named, struct widths widths)
{
    char text[UNITS_TIME_BYTES], difference[UNITS_TIME_BYTES + 1];
    double error = line->predicted - line->measured;
    char *where = label(line, named);
    fprintf(out, "%*s  %-*s", widths.label, where, widths.directive, directive(line));
    free(where);
    fprintf(out, "  %9s", units_format_time(line->measured, text));
    fprintf(out, "  %9s  %10s  %+8.1f %%\n", units_format_time(line->predicted, text), signed_time(error, difference),
            100 * error / run_time);
}

/* Whose draws the prediction had. draws NULL: its own. */
static void draws_write(FILE *out, const struct judge_run *run, const struct judge_draws *draws)
{
    if (draws && draws->n > 1)
        fprintf(out, "draws of the run: replications %" PRIu32 " to %" PRIu32 " of seed %" PRIu64 "\n", draws->first,
                draws->first + draws->n - 1, draws->seed);
    else if (draws)
        fprintf(out, "draws of the run: replication %" PRIu32 " of seed %" PRIu64 "\n", draws->first, draws->seed);
    else
        fputs(run->draws        ? "no draws: computations take the same in every run\n"
              : run->unsaid > 0 ? "draws of the prediction: the file does not say what the run drew (seed, launch, replications)\n"
                                : "draws of the prediction: what the run drew is not known (see the warning)\n", out);
}

static void table_write(FILE *out, const struct judge_run *run, const struct judge_draws *draws, const struct program *program,
                        const struct profile *profile)
{
    char measured[UNITS_TIME_BYTES], predicted[UNITS_TIME_BYTES];
    double run_time = run->seconds[0], mean = profile_run_time(profile);
    struct table table = {0};
    table_fill(&table, run, program, profile);
    bool named = run->source->next != NULL;
    struct widths widths = widths_of(&table, named);
    fprintf(out, "%s%s%s, %dx%d: measured %s, predicted %s (%+.1f %%)\n", run->program, *run->params ? " " : "",
            run->params, run->at.nodes, run->at.ppn, units_format_time(run_time, measured),
            units_format_time(mean, predicted), 100 * (mean - run_time) / run_time);
    draws_write(out, run, draws);
    fprintf(out, "\n%*s  %-*s  %9s  %9s  %10s  %10s\n", widths.label, "line", widths.directive, "directive", "measured",
            "predicted", "difference", "of the run");
    for (size_t i = 0; i < table.n; i++)
        line_write(out, &table.lines[i], run_time, named, widths);
    free(table.lines);
}

static void csv_write(FILE *out, const struct judge_run *run, const struct judge_draws *draws, const struct program *program,
                      const struct profile *profile)
{
    struct table table = {0};
    char text[REPORT_NUMBER_BYTES];
    table_fill(&table, run, program, profile);
    for (size_t i = 0; i < table.n; i++) {
        const struct line *line = &table.lines[i];
        report_csv_text(out, run->program);
        fputc(',', out);
        report_csv_text(out, run->params);
        fprintf(out, ",%d,%d,%d,%s,", run->at.numprocs, run->at.nodes, run->at.ppn,
                draws ? "theirs" : run->draws ? "none" : "own");
        report_csv_text(out, line->file);
        if (line->line > 0)
            fprintf(out, ",%d,%s", line->line, line->directive);
        else
            fputs(",,", out);
        const double numbers[] = {run->seconds[0], profile_run_time(profile), line->measured, line->predicted};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            fprintf(out, ",%s", report_number(numbers[k], text));
        fputc('\n', out);
    }
    free(table.lines);
}

void judge_profile_header(FILE *out)
{
    fputs("program,params,numprocs,nodes,ppn,draws,file,line,directive,run_time_s,predicted_run_time_s,measured_s,predicted_s\n",
          out);
}

struct profiling {
    const struct judge_request *request;
    const struct judge_run *run;
    const struct judge_draws *draws; /* that count; else NULL */
    bool csv;
    FILE *out;
    struct diags *diags;
};

/* The replications are shared among what the runs drew, at least one to each. */
static enum status replay(const struct profiling *profiling, const struct engine_setup *setup, struct profile *profile,
                          struct races *races)
{
    const struct replicate_plan *plan = &profiling->request->plan;
    const uint32_t n = profiling->draws ? profiling->draws->n : 1, each = (plan->exact + n - 1) / n;
    struct engine_setup drawn = *setup;
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < n && status == STATUS_OK; i++) {
        drawn.work = setup->work + i;
        status = replay_profile(&drawn, i * each, each, plan->threads, profile, races, profiling->diags);
    }
    return status;
}

static enum status on_inspect(void *context, const struct prediction *row, const struct engine_setup *setup)
{
    struct profiling *profiling = context;
    struct profile profile;
    struct races races;
    (void)row;
    if (profiling->request->plan.spread->rank > 0)
        return STATUS_OK;
    profile_init(&profile, setup->program->numprocs, setup->program->n_sites);
    races_init(&races, setup->program->numprocs, setup->program->n_sites);
    enum status status = refuse_twice(profiling->run, setup->program, profiling->diags);
    if (status == STATUS_OK)
        status = replay(profiling, setup, &profile, &races);
    if (status == STATUS_OK)
        warn_of_change(profiling->run, setup->program, profiling->diags);
    if (status == STATUS_OK)
        (profiling->csv ? csv_write : table_write)(profiling->out, profiling->run, profiling->draws, setup->program, &profile);
    races_free(&races);
    profile_free(&profile);
    return status;
}

enum status judge_profile(const struct judge_request *request, const struct judge_run *run, bool csv, FILE *out,
                          struct note_list *notes, struct diags *diags)
{
    static const struct predict_mode distribution = {"distribution", MODE_distribution, false, NULL};
    const struct judge_draws *draws = judge_draws_count(request, run) ? run->draws : NULL;
    struct profiling profiling = {request, run, draws, csv, out, diags};
    struct predict_request predict = judge_predict_request(request, run, draws, request->machine, &distribution);
    struct predict_result result = {0};
    predict.plan.spread_alone = true; /* there are no intervals */
    predict.on_inspect = on_inspect;
    predict.context = &profiling;
    enum status status = predict_run(&predict, &result, diags);
    if (status == STATUS_OK)
        note_list_add(notes, result.n_notes, result.notes, (size_t)(run - request->runs));
    predict_result_free(&result);
    return status;
}
