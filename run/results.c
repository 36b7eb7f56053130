#include "run/results.h"

#include "common/alloc.h"
#include "common/outfile.h"
#include "common/units.h"
#include "directives/source.h"
#include "engine/region.h"
#include "report/report.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The columns of the runs, with a line feed: two more for each region. Files of earlier versions have no `runs`. The caller
 * frees it. */
static char *header_text(const struct tree *tree, bool has_runs)
{
    char *text = alloc_string(has_runs ? "program,params,numprocs,nodes,ppn,launch,run,runs,seed,seconds"
                                       : "program,params,numprocs,nodes,ppn,launch,run,seed,seconds");
    for (size_t i = 0; i <= tree->n_regions; i++) {
        const char *region = i < tree->n_regions ? tree->regions[i] : NULL;
        char *longer = region ? alloc_format("%s,region_%s_max_s,region_%s_mean_s", text, region, region)
                              : alloc_format("%s\n", text);
        free(text);
        text = longer;
    }
    return text;
}

/* "N=512 work=0.1" */
static char *params_text(const struct run_options *options)
{
    char *text = alloc_string("");
    for (size_t i = 0; i < options->n_sweeps; i++) {
        char value[VALUE_TEXT_BYTES];
        const struct definition definition = sweep_definition(&options->sweeps[i], 0);
        char *longer = alloc_format("%s%s%s=%s", text, i > 0 ? " " : "", definition.name,
                                    definition_text(&definition, value));
        free(text);
        text = longer;
    }
    return text;
}

/* ---- runs ---- */

static bool begins_with(const struct source *source, const char *header)
{
    const size_t n = strlen(header);
    return source->length >= n && memcmp(source->text, header, n) == 0;
}

/* What is there already in a file that is added to; NULL: nothing. It begins with either header; older: NULL where there is
 * one alone. */
static enum status earlier_read(const struct run_options *options, const char *path, const char *header, const char *older,
                                struct source **earlier, struct diags *diags)
{
    *earlier = NULL;
    FILE *there = options->append && path && strcmp(path, "-") != 0 ? fopen(path, "r") : NULL;
    if (!there)
        return STATUS_OK;
    fclose(there);
    enum status status = source_read(earlier, path, diags);
    if (status != STATUS_OK || (*earlier)->length == 0)
        return status;
    const struct source *source = *earlier;
    if (begins_with(source, header) || (older && begins_with(source, older)))
        return STATUS_OK;
    diag_error(diags, source_place(source, 0, source_line_end(source, 0)),
               "--append: the columns are not those of these runs: %.*s", (int)strlen(header) - 1,
               header);
    return STATUS_SCHEMA;
}

/* What a file begins with: what is there already, or the columns. */
static void earlier_write(const struct source *earlier, const char *header, FILE *out)
{
    if (!earlier || earlier->length == 0) {
        fputs(header, out);
        return;
    }
    fwrite(earlier->text, 1, earlier->length, out);
    if (earlier->text[earlier->length - 1] != '\n')
        fputc('\n', out);
}

#define LOSS_COLUMN(name, heading) "," #name "_s"
static const char profile_header[] = "mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,share"
                                     LOSS_LIST(LOSS_COLUMN) ",program,file,launch,seed\n";
#undef LOSS_COLUMN

enum status results_try(const struct run_options *options, const struct tree *tree, struct diags *diags)
{
    char *header = header_text(tree, true), *older = header_text(tree, false);
    const struct {
        const char *path, *header, *older;
    } files[] = {{options->output, header, older}, {options->profile_output, profile_header, NULL}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2 && status == STATUS_OK; i++) {
        struct source *earlier;
        status = earlier_read(options, files[i].path, files[i].header, files[i].older, &earlier, diags);
        if (earlier)
            source_destroy(earlier);
    }
    free(older);
    free(header);
    for (size_t i = 0; i < 2 && status == STATUS_OK; i++)
        status = outfile_try(files[i].path, diags);
    return status;
}

/* The columns that say what was run and where, up to the comma before its launch. */
static void series_name(const struct results *results, FILE *out)
{
    char *params = params_text(results->options);
    report_csv_text(out, results->name);
    fputc(',', out);
    report_csv_text(out, params);
    fprintf(out, ",%d,%d,%d,", results->at.numprocs, results->at.nodes, results->at.ppn);
    free(params);
}

/* A run that is there already, of the same program in the same place with the same seed. */
struct earlier_run {
    size_t line;
    uint64_t launch, run;
    uint64_t of_launch;        /* runs of its launch; 0: the file does not say it */
};

/* What stands behind a row's series_name. */
static bool earlier_run_read(const char *text, bool has_runs, struct earlier_run *run, uint64_t *seed)
{
    if (has_runs)
        return sscanf(text, "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",", &run->launch, &run->run, &run->of_launch,
                      seed) == 4 && run->launch > 0 && run->of_launch > 0;
    run->of_launch = 0;
    return sscanf(text, "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",", &run->launch, &run->run, seed) == 3 && run->launch > 0;
}

/* All of them; the caller frees them. */
static size_t earlier_runs(const struct results *results, const struct source *earlier, bool has_runs,
                           struct earlier_run **runs)
{
    char *name = NULL;
    size_t length, n = 0, capacity = 0;
    FILE *out = open_memstream(&name, &length);
    series_name(results, out);
    fclose(out);
    *runs = NULL;
    for (size_t i = 1; i < earlier->n_lines; i++) {
        const size_t at = earlier->line_start[i];
        struct earlier_run run = {.line = i};
        uint64_t seed;
        if (earlier->length - at < length || memcmp(earlier->text + at, name, length) != 0 ||
            !earlier_run_read(earlier->text + at + length, has_runs, &run, &seed) || seed != results->options->seed)
            continue;
        *runs = alloc_grow(*runs, n, &capacity, sizeof **runs);
        (*runs)[n++] = run;
    }
    free(name);
    return n;
}

/* How many runs a launch has, where the file does not say what its -r was, which is more where it was cut short. */
static uint64_t runs_of_launch(uint64_t launch, size_t n, const struct earlier_run runs[])
{
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++)
        if (runs[i].launch == launch && runs[i].run >= most)
            most = runs[i].run + 1;
    return most;
}

/* The numbers of a replication are the same each time, so a second row of it is no sample of its own. */
static void warn_of_same(const struct results *results, const struct source *earlier, bool has_runs, struct diags *diags)
{
    const struct run_options *options = results->options;
    const uint64_t first = (options->launch - 1) * options->runs;
    struct earlier_run *runs;
    const struct earlier_run *same = NULL;
    size_t n = earlier_runs(results, earlier, has_runs, &runs);
    uint64_t of_launch = 0, replication = 0, next = first + options->runs; /* next: from here on nobody has drawn any */
    for (size_t i = 0; i < n; i++) {
        if (has_runs)
            of_launch = runs[i].of_launch;
        else if (i == 0 || runs[i].launch != runs[i - 1].launch)
            of_launch = runs_of_launch(runs[i].launch, n, runs);
        const uint64_t its = (runs[i].launch - 1) * of_launch + runs[i].run;
        next = its >= next ? its + 1 : next;
        const uint64_t end = runs[i].launch * (has_runs ? of_launch : options->runs); /* it may have been cut short; where
                                                                                      * its -r is not known, that of these */
        next = end > next ? end : next;
        const bool is_there = runs[i].launch == options->launch && runs[i].run < results->measured->n &&
                              (!has_runs || of_launch == options->runs);
        if (same || (!is_there && (its < first || its - first >= results->measured->n)))
            continue;
        same = &runs[i];
        replication = its;
    }
    if (same) {
        const size_t at = earlier->line_start[same->line];
        const struct place place = source_place(earlier, at, source_line_end(earlier, same->line) - at);
        const uint64_t launch = (next + options->runs - 1) / options->runs + 1;
        if (same->launch == options->launch && (!has_runs || same->of_launch == options->runs))
            diag_warning(diags, place,
                         "--append: this run is there already, and is added once more; another launch of the job draws "
                         "other numbers: --launch %" PRIu64, launch);
        else
            diag_warning(diags, place,
                         "--append: this run has drawn the numbers of replication %" PRIu64 ", and so does run %" PRIu64
                         " of these: the launches have not the same -r%s. Other numbers: --launch %" PRIu64,
                         replication, replication - first, has_runs ? "" : ", or this one was cut short and all is well",
                         launch);
    }
    free(runs);
}

static void runs_write(const struct results *results, bool has_runs, FILE *out)
{
    const struct run_options *options = results->options;
    for (uint32_t k = 0; k < results->measured->n; k++) {
        series_name(results, out);
        fprintf(out, "%" PRIu64 ",%" PRIu32, options->launch, k);
        if (has_runs)
            fprintf(out, ",%" PRIu32, options->runs);
        fprintf(out, ",%" PRIu64 ",%.9g", options->seed, results->measured->seconds[k]);
        for (size_t i = 0; i < region_numbers(results->program); i++)
            fprintf(out, ",%.9g", results->measured->regions[k * region_numbers(results->program) + i]);
        fputc('\n', out);
    }
}

enum status results_store(const struct results *results, struct diags *diags)
{
    struct source *earlier;
    struct outfile file = {0};
    char *header = header_text(results->program->tree, true), *older = header_text(results->program->tree, false);
    enum status status = earlier_read(results->options, results->options->output, header, older, &earlier, diags);
    if (status == STATUS_OK)
        status = outfile_open(&file, results->options->output, diags);
    if (status == STATUS_OK) {
        earlier_write(earlier, header, file.stream);
        const bool has_runs = !earlier || !begins_with(earlier, older);
        if (earlier)
            warn_of_same(results, earlier, has_runs, diags);
        runs_write(results, has_runs, file.stream);
        status = outfile_commit(&file, diags);
    }
    free(older);
    free(header);
    if (earlier)
        source_destroy(earlier);
    return status;
}

/* ---- text ---- */

static int compare_reals(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Of each region the means over all runs. */
static void regions_print(const struct results *results, FILE *out)
{
    const size_t n = region_numbers(results->program);
    char most[UNITS_TIME_BYTES], mean[UNITS_TIME_BYTES];
    for (size_t r = 0; r < results->program->tree->n_regions; r++) {
        double sum[N_REGION_TIMES] = {0}, runs = results->measured->n;
        for (uint32_t k = 0; k < results->measured->n; k++)
            for (size_t i = 0; i < N_REGION_TIMES; i++)
                sum[i] += results->measured->regions[k * n + r * N_REGION_TIMES + i];
        fprintf(out, "region %s  %s in the process with most, %s in the mean of all\n",
                results->program->tree->regions[r], units_format_time(sum[REGION_max] / runs, most),
                units_format_time(sum[REGION_mean] / runs, mean));
    }
}

static void times_print(const struct measured *measured, FILE *out)
{
    char text[UNITS_TIME_BYTES], least[UNITS_TIME_BYTES], most[UNITS_TIME_BYTES];
    size_t n = measured->n;
    double *sorted = alloc_array(n, sizeof *sorted);
    memcpy(sorted, measured->seconds, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_reals);
    double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    fprintf(out, "time         %s", units_format_time(median, text));
    if (n > 1)
        fprintf(out, ", the median of %zu runs (%s .. %s)", n, units_format_time(sorted[0], least),
                units_format_time(sorted[n - 1], most));
    fputc('\n', out);
    free(sorted);
}

/* Sum over processes of what they spent at a site. */
static double site_sum(const struct results *results, int32_t site)
{
    double sum = 0;
    for (int p = 0; p < results->at.numprocs; p++)
        sum += results->spent[(size_t)p * (size_t)results->program->n_sites + (size_t)site];
    return sum;
}

static double imbalance_sum(const struct results *results)
{
    double sum = 0;
    for (int p = 0; p < results->at.numprocs; p++)
        sum += results->measured->imbalance[p];
    return sum;
}

static double run_time_sum(const struct results *results)
{
    double sum = 0;
    for (uint32_t k = 0; k < results->measured->n; k++)
        sum += results->measured->seconds[k];
    return sum;
}

struct line {
    int32_t site;              /* -1: after the end */
    double sum;
};

static int by_time(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->sum != y->sum ? (x->sum < y->sum ? 1 : -1) : (x->site > y->site) - (x->site < y->site);
}

/* Sites where time went and the end, those with the most time first. lines [n_sites + 1]; returns how many. */
static int32_t lines_sort(const struct results *results, struct line lines[])
{
    int32_t n = 0;
    for (int32_t site = 0; site < results->program->n_sites; site++) {
        double sum = site_sum(results, site);
        if (sum > 0)
            lines[n++] = (struct line){site, sum};
    }
    lines[n++] = (struct line){-1, imbalance_sum(results)};
    qsort(lines, (size_t)n, sizeof *lines, by_time);
    return n;
}

static void profile_print(const struct results *results, FILE *out)
{
    const struct program *program = results->program;
    struct line *lines = alloc_array((size_t)program->n_sites + 1, sizeof *lines);
    double processes = results->at.numprocs, runs = results->measured->n, all = run_time_sum(results) * processes;
    int32_t n = lines_sort(results, lines);
    fprintf(out, "\n  share  per process  directive\n");
    for (int32_t i = 0; i < n; i++) {
        char text[UNITS_TIME_BYTES];
        fprintf(out, "%5.1f %%  %11s  ", 100 * lines[i].sum / all,
                units_format_time(lines[i].sum / (processes * runs), text));
        if (lines[i].site < 0)
            fprintf(out, "after the end\n");
        else
            fprintf(out, "%s:%d %s\n", program->sites[lines[i].site].at.file, program->sites[lines[i].site].at.line,
                    program->sites[lines[i].site].what);
    }
    free(lines);
}

void results_print(const struct results *results, FILE *out)
{
    const struct run_options *options = results->options;
    const struct measured *measured = results->measured;
    char library[MPI_MAX_LIBRARY_VERSION_STRING], text[UNITS_TIME_BYTES];
    int length;
    MPI_Get_library_version(library, &length);
    char *params = params_text(options);
    fprintf(out, "program      %s%s%s\n", results->name, *params ? " " : "", params);
    fprintf(out, "processes    %d (%dx%d, %s)\n", results->at.numprocs, results->at.nodes, results->at.ppn,
            results->cyclic ? "cyclic" : "block");
    fprintf(out, "library      %.*s\n", (int)strcspn(library, ",\n"), library);
    if (options->verify) {
        fprintf(out, "verified     %" PRIu32 " run%s: every message was delivered as it may be\n", measured->n,
                measured->n == 1 ? "" : "s");
    } else {
        times_print(measured, out);
        regions_print(results, out);
        if (measured->clock_bound > 0)
            fprintf(out, "clock        the same on all nodes within %s\n",
                    units_format_time(measured->clock_bound, text));
    }
    if (results->spent && !options->profile_output)
        profile_print(results, out);
    free(params);
}

/* ---- the profile's csv ---- */

/* site -1: no directive's. A time and its share, then the losses as far as they are known: what a process computed, and
 * waited after its end; NaN: not known. */
static void profile_row(const struct results *results, int32_t site, double time, double share, double computation,
                        double imbalance, FILE *out)
{
    const double known[N_LOSSES] = {[LOSS_computation] = computation, [LOSS_end_imbalance] = imbalance};
    fprintf(out, "%.9g,%.9g", time, share);
    for (int loss = 0; loss < N_LOSSES; loss++) {
        bool is_known = (loss == LOSS_computation || loss == LOSS_end_imbalance) && known[loss] >= 0;
        fprintf(out, is_known ? ",%.9g" : ",", known[loss]);
    }
    fputc(',', out);
    report_csv_text(out, results->name);
    fputc(',', out);
    if (site >= 0)
        report_csv_text(out, source_short_name(results->program->tree->source, results->program->sites[site].at.file));
    fprintf(out, ",%" PRIu64 ",%" PRIu64 "\n", results->options->launch, results->options->seed);
}

static bool computes(const struct program *program, int32_t site)
{
    return strcmp(program->sites[site].what, "Serial") == 0;
}

/* process -1: the mean of all. */
static void profile_site_row(const struct results *results, const char *head, int32_t site, int process, FILE *out)
{
    const struct program *program = results->program;
    size_t n_sites = (size_t)program->n_sites;
    double runs = results->measured->n, mean = results->at.numprocs * runs;
    double imbalance = process < 0 ? imbalance_sum(results) / mean : results->measured->imbalance[process] / runs;
    double time = site < 0      ? imbalance
                  : process < 0 ? site_sum(results, site) / mean
                                : results->spent[(size_t)process * n_sites + (size_t)site] / runs;
    double share = time * runs / run_time_sum(results);
    if (process >= 0 && site >= 0 && time == 0)
        return;
    fputs(head, out);
    if (site >= 0)
        fprintf(out, ",%d,%s,", program->sites[site].at.line, program->sites[site].what);
    else
        fputs(",,,", out);
    if (process >= 0)
        fprintf(out, "%d", process);
    fputc(',', out);
    profile_row(results, site, time, share, site >= 0 && computes(program, site) ? time : site >= 0 ? 0 : -1,
                site < 0 ? time : 0, out);
}

static void profile_process_row(const struct results *results, const char *head, int process, FILE *out)
{
    const struct program *program = results->program;
    const double *spent = &results->spent[(size_t)process * (size_t)program->n_sites];
    double runs = results->measured->n, computation = 0, time = results->measured->imbalance[process];
    for (int32_t site = 0; site < program->n_sites; site++) {
        time += spent[site];
        computation += computes(program, site) ? spent[site] : 0;
    }
    fprintf(out, "%s,,,%d,", head, process);
    profile_row(results, -1, time / runs, time / run_time_sum(results), computation / runs,
                results->measured->imbalance[process] / runs, out);
}

/* What rows of a program in a place begin with, up to the comma before `replications`. */
static char *place_text(const struct results *results)
{
    char *params = params_text(results->options), *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "run,%d,%d,%d,", results->at.numprocs, results->at.nodes, results->at.ppn);
    report_csv_text(out, params);
    fputc(',', out);
    fclose(out);
    free(params);
    return text;
}

/* What all rows begin with. */
static char *head_text(const struct results *results)
{
    char *place = place_text(results);
    char *text = alloc_format("%s%" PRIu32 ",%.9g", place, results->measured->n,
                              run_time_sum(results) / results->measured->n);
    free(place);
    return text;
}

static void profile_write(const struct results *results, FILE *out)
{
    struct line *lines = alloc_array((size_t)results->program->n_sites + 1, sizeof *lines);
    char *head = head_text(results);
    int32_t n = lines_sort(results, lines);
    for (int32_t i = 0; i < n; i++)
        profile_site_row(results, head, lines[i].site, -1, out);
    for (int32_t i = 0; i < n; i++)
        for (int p = 0; p < results->at.numprocs && lines[i].site >= 0; p++)
            profile_site_row(results, head, lines[i].site, p, out);
    for (int p = 0; p < results->at.numprocs; p++)
        profile_process_row(results, head, p, out);
    free(head);
    free(lines);
}

/* "ring.c," */
static char *program_text(const struct results *results)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    report_csv_text(out, results->name);
    fputc(',', out);
    fclose(out);
    return text;
}

/* Whether a row is of the program whose rows begin with `place`, and of this seed: which launch, of how many runs. Columns from
 * `replications` to `program` have no quotes, nor have the last two. */
static bool profile_row_read(const char *row, const char *end, const char *place, const char *program, uint64_t seed,
                             struct earlier_run *found)
{
    const size_t n = strlen(place), n_program = strlen(program);
    uint64_t its_seed;
    if ((size_t)(end - row) < n || memcmp(row, place, n) != 0 || sscanf(row + n, "%" SCNu64, &found->of_launch) != 1)
        return false;
    const char *at = row + n;
    for (int i = 0; i < 7 + N_LOSSES && at; i++) {
        at = memchr(at, ',', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || (size_t)(end - at) < n_program || memcmp(at, program, n_program) != 0)
        return false;
    const char *last = memrchr(at, ',', (size_t)(end - at));
    const char *launch = last > at ? memrchr(at, ',', (size_t)(last - at)) : NULL;
    return launch && sscanf(launch, ",%" SCNu64 ",%" SCNu64, &found->launch, &its_seed) == 2 && its_seed == seed &&
           found->launch > 0 && found->of_launch > 0;
}

/* As of runs (warn_of_same). A profile has all runs that were asked for, or is not there. */
static void warn_of_same_profile(const struct results *results, const struct source *earlier, struct diags *diags)
{
    const struct run_options *options = results->options;
    const uint64_t first = (options->launch - 1) * options->runs;
    char *place = place_text(results), *program = program_text(results);
    struct earlier_run same = {0};
    uint64_t next = first + options->runs; /* from here on nobody has drawn any */
    for (size_t i = 1; i < earlier->n_lines; i++) {
        struct earlier_run found = {.line = i};
        if (!profile_row_read(earlier->text + earlier->line_start[i], earlier->text + source_line_end(earlier, i), place,
                              program, options->seed, &found))
            continue;
        const uint64_t end = found.launch * found.of_launch;
        next = end > next ? end : next;
        if (same.line == 0 && end - found.of_launch < first + options->runs && first < end)
            same = found;
    }
    if (same.line > 0) {
        const size_t at = earlier->line_start[same.line];
        const struct place where = source_place(earlier, at, source_line_end(earlier, same.line) - at);
        const uint64_t launch = (next + options->runs - 1) / options->runs + 1;
        if (same.launch == options->launch && same.of_launch == options->runs)
            diag_warning(diags, where,
                         "--append: this profile is there already, and is added once more; another launch of the job draws "
                         "other numbers: --launch %" PRIu64, launch);
        else
            diag_warning(diags, where,
                         "--append: this profile has drawn the numbers of replications %" PRIu64 " to %" PRIu64
                         ", and so have runs of these: the launches have not the same -r. Other numbers: --launch %" PRIu64,
                         (same.launch - 1) * same.of_launch, same.launch * same.of_launch - 1, launch);
    }
    free(program);
    free(place);
}

enum status results_store_profile(const struct results *results, struct diags *diags)
{
    const char *path = results->options->profile_output;
    struct source *earlier;
    struct outfile file = {0};
    enum status status = earlier_read(results->options, path, profile_header, NULL, &earlier, diags);
    if (status == STATUS_OK)
        status = outfile_open(&file, path, diags);
    if (status == STATUS_OK) {
        earlier_write(earlier, profile_header, file.stream);
        if (earlier)
            warn_of_same_profile(results, earlier, diags);
        profile_write(results, file.stream);
        status = outfile_commit(&file, diags);
    }
    if (earlier)
        source_destroy(earlier);
    return status;
}
