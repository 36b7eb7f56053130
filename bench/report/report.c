#include "bench/report.h"

#include "bench/report/curves.h"
#include "common/alloc.h"
#include "common/outdir.h"
#include "common/outfile.h"
#include "common/units.h"
#include "results/result.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* One line of it. `shape` is n x p, or the number of processes of a collective. */
struct row {
    const char *operation, *pattern;
    int nodes, ppn, level;
    int64_t bytes;
    double samples;
    bool bounded;           /* its greatest time is known: no law */
    const struct distribution *time;
};

static void table_head(FILE *out, bool csv)
{
    if (csv)
        fprintf(out, "operation,pattern,nodes,ppn,level,bytes,samples,min_s,median_s,mean_s,p99_s,max_s\n");
    else
        fprintf(out, "%-14s %-10s %7s %6s %9s %8s %11s %11s %11s %11s %11s\n", "operation", "pattern", "n x p", "level",
                "bytes", "samples", "min", "median", "mean", "99 %", "max");
}

static void row_write(FILE *out, bool csv, const struct row *row)
{
    const struct distribution *d = row->time;
    const double times[] = {d->minimum, distribution_quantile(d, 0.5), d->average, distribution_quantile(d, 0.99),
                            d->t[d->n - 1]};
    enum { N_TIMES = sizeof times / sizeof *times };
    char shape[32] = "", samples[32] = "", text[UNITS_TIME_BYTES];
    if (row->samples > 0)
        snprintf(samples, sizeof samples, "%.9g", row->samples);
    if (row->nodes > 0)
        snprintf(shape, sizeof shape, csv ? "%d,%d" : "%dx%d", row->nodes, row->ppn);
    else if (csv)
        strcpy(shape, ",");
    fprintf(out, csv ? "%s,%s,%s,%d,%lld,%s" : "%-14s %-10s %7s %6d %9lld %8s", row->operation, row->pattern, shape,
            row->level, (long long)row->bytes, samples);
    for (int i = 0; i < N_TIMES; i++) {
        bool known = i < N_TIMES - 1 || row->bounded;
        if (csv && known)
            fprintf(out, ",%.9g", times[i]);
        else if (csv)
            fputc(',', out);
        else
            fprintf(out, " %11s", known ? units_format_time(times[i], text) : "-");
    }
    fputc('\n', out);
}

/* A histogram's samples and whether it has a greatest time. */
static void row_finish(struct row *row, const struct machine_source *source)
{
    const struct machine_form *form = machine_source_form(source, row->time);
    row->samples = report_samples(source, row->time);
    row->bounded = !form || form->kind != FORM_LAW;
}

static void table_write(FILE *out, bool csv, const struct machine *machine, const struct machine_source *source)
{
    table_head(out, csv);
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        struct row row = {.operation = entry->operation == SEND_BLOCKING ? "MPI_Send" : "MPI_Isend",
                          .pattern = machine_entry_pattern(entry), .nodes = entry->nodes, .ppn = entry->ppn,
                          .level = entry->level};
        for (size_t j = 0; j < entry->n_sizes; j++) {
            row.bytes = entry->sizes[j].bytes;
            row.time = &entry->sizes[j].transit;
            row_finish(&row, source);
            row_write(out, csv, &row);
        }
    }
    for (size_t i = 0; i < machine->n_collectives; i++)
        for (size_t j = 0; j < machine->collectives[i].n_measured; j++) {
            const struct machine_collective_time *time = &machine->collectives[i].measured[j];
            struct row row = {.operation = machine->collectives[i].operation, .pattern = "collective",
                              .level = time->numprocs, .bytes = time->bytes, .time = &time->time};
            row_finish(&row, source);
            row_write(out, csv, &row);
        }
}

/* What passes nodes, trunks and buses, from the provenance: the lines under a heading, or the line that it is. */
static void notes_write(FILE *out, const struct machine_source *source, const char *key)
{
    size_t i = 0;
    while (i < source->n_notes && (source->notes[i].depth > 0 || strcmp(source->notes[i].key, key) != 0))
        i++;
    if (i == source->n_notes)
        return;
    const char *value = source->notes[i].value;
    fprintf(out, "\n%s%s%s\n", key, value ? ": " : "", value ? value : "");
    for (i++; i < source->n_notes && source->notes[i].depth > 0; i++)
        fprintf(out, "  %-22s %s\n", source->notes[i].key, source->notes[i].value ? source->notes[i].value : "");
}

/* ---- a folder of figures ---- */

#define TABLE_NAME "table.csv" /* by which a later report knows the folder for one of its own */

static char *name_in(const struct outdir *dir, const char *name, const char *ending)
{
    return alloc_format("%s/%s%s", dir->temporary, name, ending);
}

static enum status table_save(const struct outdir *dir, const struct machine *machine,
                              const struct machine_source *source, struct diags *diags)
{
    struct outfile file;
    char *path = name_in(dir, TABLE_NAME, "");
    enum status status = outfile_open(&file, path, diags);
    if (status == STATUS_OK) {
        table_write(file.stream, true, machine, source);
        status = outfile_commit(&file, diags);
    }
    free(path);
    return status;
}

static enum status folder_write(const struct report_choice *choice, const struct figure figures[], size_t n,
                                struct diags *diags)
{
    struct outdir dir;
    bool csv = choice->options->csv;
    enum status status = outdir_open(&dir, choice->options->output, TABLE_NAME, diags);
    if (status != STATUS_OK)
        return status;
    status = table_save(&dir, choice->machine, choice->source, diags);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        char *path = name_in(&dir, figures[i].name, csv ? ".csv" : ".svg");
        status = csv ? figure_write_csv(&figures[i], path, diags) : figures_draw(&figures[i], 1, path, diags);
        free(path);
    }
    if (status == STATUS_OK)
        return outdir_commit(&dir, diags);
    outdir_abandon(&dir);
    return status;
}

static enum status draw(const struct bench_options *options, const struct machine *machine,
                        const struct machine_source *source, struct diags *diags)
{
    struct figure figures[REPORT_FIGURES];
    size_t n;
    const struct report_choice choice = {machine, source, options};
    enum status status = report_figures(&choice, figures, &n, diags);
    if (status == STATUS_OK && options->plot)
        status = figures_draw(figures, n, options->plot, diags);
    else if (status == STATUS_OK)
        status = folder_write(&choice, figures, n, diags);
    for (size_t i = 0; i < n; i++)
        figure_free(&figures[i]);
    return status;
}

enum status report_run(const struct bench_options *options, FILE *out, struct diags *diags)
{
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct machine *machine;
    enum status status = machine_read_whole(&machine, &source, options->report, diags);
    if (status == STATUS_OK) {
        /* The figures first: who reads the table may go away, as `head` does. */
        if (options->plot || options->output)
            status = draw(options, machine, &source, diags);
        table_write(out, options->csv, machine, &source);
        if (!options->csv) {
            notes_write(out, &source, NOTE_GROUPS);
            notes_write(out, &source, NOTE_OUTER_GROUPS);
            notes_write(out, &source, NOTE_GROUPS_UNTOLD);
            notes_write(out, &source, NOTE_RATES);
            notes_write(out, &source, NOTE_APART);
            notes_write(out, &source, NOTE_BUSY);
        }
        machine_destroy(machine);
    }
    machine_source_free(&source);
    return status;
}
