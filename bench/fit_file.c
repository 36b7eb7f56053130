#include "bench/fit_file.h"

#include "common/alloc.h"
#include "common/units.h"
#include "models/fit.h"
#include "models/machine_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a distribution describes, for the table. 0 and NULL: does not apply. */
struct subject {
    const char *operation, *pattern, *quantity;
    int nodes, ppn, level;
    int64_t bytes;          /* -1: does not apply */
};

struct fitting {
    struct machine_source *source;
    FILE *table;
    bool csv;
    size_t histograms, replaced;
};

static const struct {
    const char *name, *first, *second;
} laws[] = {
#define X(name, n, first, second) {#name, #first, (n) == 2 ? #second : ""},
    LAW_LIST(X)
#undef X
};

/* ---- the table ---- */

static void table_head(const struct fitting *f)
{
    if (f->csv)
        fprintf(f->table, "operation,pattern,nodes,ppn,level,bytes,quantity,samples,law,first,second,shift_s,ks,chi2_p,"
                          "aic,mean_error,verdict\n");
    else
        fprintf(f->table, "%-12s %-9s %7s %9s %-16s %8s  %-52s %6s %6s %7s  %s\n", "operation", "pattern", "n x p",
                "bytes", "quantity", "samples", "law", "KS", "chi2 p", "mean", "verdict");
}

/* A shape as a number, any other parameter as a time. */
static const char *parameter_text(const char *name, double value, char text[UNITS_TIME_BYTES])
{
    if (strcmp(name, "shape") != 0)
        return units_format_time(value, text);
    snprintf(text, UNITS_TIME_BYTES, "%.4g", value);
    return text;
}

static void law_text(const struct fit *fit, char *text, size_t bytes)
{
    char a[UNITS_TIME_BYTES], b[UNITS_TIME_BYTES], shift[UNITS_TIME_BYTES];
    const char *second = laws[fit->law].second;
    size_t n = (size_t)snprintf(text, bytes, "%s %s %s", laws[fit->law].name, laws[fit->law].first,
                                parameter_text(laws[fit->law].first, fit->a, a));
    if (*second && n < bytes)
        n += (size_t)snprintf(text + n, bytes - n, ", %s %s", second, parameter_text(second, fit->b, b));
    if (fit->shift > 0 && n < bytes)
        snprintf(text + n, bytes - n, " + %s", units_format_time(fit->shift, shift));
}

static void text_row(FILE *out, const struct subject *s, const struct fit *fit)
{
    char shape[32] = "", bytes[24] = "", law[80] = "-";
    if (s->nodes > 0)
        snprintf(shape, sizeof shape, "%dx%d", s->nodes, s->ppn);
    else if (s->level > 0)
        snprintf(shape, sizeof shape, "%d", s->level);
    if (s->bytes >= 0)
        snprintf(bytes, sizeof bytes, "%lld", (long long)s->bytes);
    fprintf(out, "%-12s %-9s %7s %9s %-16s %8.0f  ", s->operation, s->pattern, shape, bytes, s->quantity, fit->n);
    if (!fit_has_law(fit)) {
        fprintf(out, "%-52s %6s %6s %7s  %s\n", law, "", "", "", fit_verdict_text(fit->verdict));
        return;
    }
    law_text(fit, law, sizeof law);
    fprintf(out, "%-52s %6.4f %6.3f %+6.1f%%  %s", law, fit->ks, fit->chi2_p, 100 * fit->mean_error,
            fit_verdict_text(fit->verdict));
    if (fit->verdict == FIT_tail) {
        char time[UNITS_TIME_BYTES];
        fprintf(out, ": %.2g %% beyond %s, the law says %.2g %%", 100 * fit->tail_measured,
                units_format_time(fit->tail_time, time), 100 * fit->tail_law);
    }
    fputc('\n', out);
}

static void csv_number(FILE *out, double value)
{
    if (isnan(value))
        fputc(',', out);
    else
        fprintf(out, ",%.9g", value);
}

static void csv_row(FILE *out, const struct subject *s, const struct fit *fit)
{
    static const char *const verdicts[] = {
#define X(name, text) #name,
        FIT_VERDICT_LIST(X)
#undef X
    };
    bool law = fit_has_law(fit);
    fprintf(out, "%s,%s", s->operation, s->pattern);
    csv_number(out, s->nodes > 0 ? (double)s->nodes : NAN);
    csv_number(out, s->nodes > 0 ? (double)s->ppn : NAN);
    csv_number(out, s->level > 0 ? (double)s->level : NAN);
    fprintf(out, s->bytes >= 0 ? ",%lld" : ",", (long long)s->bytes);
    fprintf(out, ",%s,%.9g,%s", s->quantity, fit->n, law ? laws[fit->law].name : "");
    const double numbers[] = {fit->a, *laws[fit->law].second ? fit->b : NAN, fit->shift, fit->ks, fit->chi2_p, fit->aic,
                              fit->mean_error};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        csv_number(out, law ? numbers[i] : NAN);
    fprintf(out, ",%s\n", verdicts[fit->verdict]);
}

/* ---- replacing ---- */

/* To 9 digits, which is far below what samples tell, and what the file repeats: the number times its unit. */
static double time_rounded(double seconds)
{
    char text[40];
    double unit = fabs(seconds) < 1e-6 ? 1e-9 : fabs(seconds) < 1e-3 ? 1e-6 : fabs(seconds) < 1 ? 1e-3 : 1;
    snprintf(text, sizeof text, "%.9g", seconds / unit);
    return strtod(text, NULL) * unit;
}

static double parameter_rounded(const char *name, double value)
{
    char text[40];
    if (strcmp(name, "shape") != 0)
        return time_rounded(value);
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

/* The law in the histogram's place; the modes minimum and average go on with what was measured. */
static void law_take(struct machine_form *form, struct distribution *d, const struct fit *fit)
{
    struct distribution made;
    *form = (struct machine_form){.of = d, .kind = FORM_LAW, .law = fit->law,
                                  .a = parameter_rounded(laws[fit->law].first, fit->a),
                                  .b = parameter_rounded(laws[fit->law].second, fit->b),
                                  .shift = time_rounded(fit->shift)};
    distribution_law(&made, form->law, form->a, form->b, form->shift);
    made.minimum = d->minimum;
    made.average = d->average;
    distribution_free(d);
    *d = made;
}

static void distribution_fit(struct fitting *f, struct distribution *d, const struct subject *subject)
{
    struct machine_form *form = machine_source_form(f->source, d);
    if (!form || form->kind != FORM_HISTOGRAM)
        return;
    struct fit fit;
    fit_best(&fit, &(struct fit_bins){form->n, form->edges, form->counts});
    if (f->csv)
        csv_row(f->table, subject, &fit);
    else
        text_row(f->table, subject, &fit);
    f->histograms++;
    if (fit.verdict != FIT_good)
        return;
    law_take(form, d, &fit);
    f->replaced++;
}

static void size_fit(struct fitting *f, const struct machine_entry *entry, struct machine_size *size)
{
    struct subject subject = {.operation = entry->operation == SEND_BLOCKING ? "MPI_Send" : "MPI_Isend",
                              .pattern = machine_entry_pattern(entry),
                              .quantity = "transit", .nodes = entry->nodes,
                              .ppn = entry->ppn, .level = entry->level, .bytes = size->bytes};
    distribution_fit(f, &size->transit, &subject);
    subject.quantity = "send_overhead";
    if (size->has_send_overhead)
        distribution_fit(f, &size->send_overhead, &subject);
    subject.quantity = "receive_overhead";
    if (size->has_receive_overhead)
        distribution_fit(f, &size->receive_overhead, &subject);
}

static void collective_fit(struct fitting *f, const struct machine_collective *collective)
{
    for (size_t i = 0; i < collective->n_measured; i++) {
        struct machine_collective_time *time = &collective->measured[i];
        struct subject subject = {.operation = collective->operation, .pattern = "", .quantity = "time",
                                  .level = time->numprocs, .bytes = time->bytes};
        distribution_fit(f, &time->time, &subject);
        subject.quantity = "root_time";
        if (time->has_root_time)
            distribution_fit(f, &time->root_time, &subject);
    }
}

static void machine_fit(struct fitting *f, struct machine *machine)
{
    for (size_t i = 0; i < machine->n_entries; i++)
        for (size_t j = 0; j < machine->entries[i].n_sizes; j++)
            size_fit(f, &machine->entries[i], &machine->entries[i].sizes[j]);
    for (size_t i = 0; i < machine->n_collectives; i++)
        collective_fit(f, &machine->collectives[i]);
    for (size_t i = 0; i < machine->n_serials; i++) {
        const struct machine_serial *serial = &machine->serials[i];
        const struct subject subject = {.operation = serial->name, .pattern = "", .quantity = "serial", .bytes = -1};
        for (size_t j = 0; j < (serial->n > 0 ? serial->n : 1); j++)
            distribution_fit(f, &serial->times[j], &subject);
    }
}

static enum status fitted_write(const struct fitting *f, const struct machine *machine, const char *path,
                                struct diags *diags)
{
    const struct machine_source *source = f->source;
    char *text = alloc_format("by pevpm-bench %s: laws in place of %zu of %zu histograms; minimum and average as "
                              "measured", PEVPM_VERSION, f->replaced, f->histograms);
    struct machine_note *notes = alloc_array(source->n_notes + 1, sizeof *notes);
    size_t n = 0;
    for (size_t i = 0; i < source->n_notes; i++)
        if (source->notes[i].depth > 0 || strcmp(source->notes[i].key, "fitted") != 0)
            notes[n++] = source->notes[i];
    notes[n++] = (struct machine_note){.key = "fitted", .value = text};
    struct machine_write_options options = machine_source_options(source);
    options.n_notes = n;
    options.notes = notes;
    enum status status = machine_write(machine, &options, path, diags);
    free(notes);
    free(text);
    return status;
}

enum status fit_file(const struct bench_options *options, FILE *table, struct diags *diags)
{
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct machine *machine;
    enum status status = machine_read_whole(&machine, &source, options->fit, diags);
    if (status == STATUS_OK) {
        struct fitting f = {.source = &source, .table = table, .csv = options->csv};
        table_head(&f);
        machine_fit(&f, machine);
        if (!f.csv)
            fprintf(table, "%zu of %zu histograms replaced by a law\n", f.replaced, f.histograms);
        if (f.histograms == 0 && !options->quiet)
            diag_warning(diags, place_of_file(options->fit), "there is no histogram in it");
        status = fitted_write(&f, machine, options->output, diags);
        machine_destroy(machine);
    }
    machine_source_free(&source);
    return status;
}
