/* A machine file as a result. */
#include "results/result_read_impl.h"

#include "common/alloc.h"
#include "measure/collective.h"
#include "models/machine_convert.h"
#include "results/residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t reading_ns(double seconds)
{
    return llround(seconds * 1e9);
}

/* The samples of a bin lie evenly in it: they all fall into the bin that they were written from where the layout is the
 * same, and none is lost where it is another. The sum is that of the written average. */
static void table_add(struct histogram *h, const struct machine_form *form, double average)
{
    double before = h->sum;
    int64_t count = 0;
    for (size_t i = 0; i < form->n; i++) {
        int64_t n = llround(form->counts[i]), low = reading_ns(form->edges[i]), high = reading_ns(form->edges[i + 1]);
        int64_t last = high > low ? high - 1 : low;
        if (n > 0 && histogram_index(h, low) == histogram_index(h, last)) {
            bool is_last = i + 1 == form->n; /* its end is the maximum, as the first's start is the minimum */
            histogram_add(h, is_last ? last : low, 1);
            histogram_add(h, low, n - 1);
        } else {
            for (int64_t k = 0; k < n; k++)
                histogram_add(h, low + (int64_t)((double)(last - low) * (n > 1 ? (double)k / (double)(n - 1) : 0.5)),
                              1);
        }
        count += n;
    }
    h->sum = before + average * 1e9 * (double)count;
}

enum status reading_histogram(const struct reading *r, const struct distribution *d, const char *what,
                              struct histogram *h)
{
    const struct machine_form *form = machine_source_form(r->source, d);
    if (!form || form->kind != FORM_HISTOGRAM) {
        diag_error(r->diags, place_of_file(r->machine->path),
                   "%s is no histogram: only what pevpm-bench measured can be added to, not laws fitted to it", what);
        return STATUS_SCHEMA;
    }
    table_add(h, form, d->average);
    return STATUS_OK;
}

static enum status size_take(const struct reading *r, const struct machine_entry *entry,
                             const struct machine_size *size)
{
    struct point_key key = {.operation = entry->operation, .pattern = entry->pattern, .nodes = entry->nodes,
                            .ppn = entry->ppn, .level = entry->level, .bytes = size->bytes,
                            .socket = entry->transport == TRANSPORT_socket};
    struct point *point = result_point(r->result, &key);
    enum status status = reading_histogram(r, &size->transit, "transit", &point->transit);
    if (status == STATUS_OK && size->has_send_overhead)
        status = reading_histogram(r, &size->send_overhead, "send_overhead", &point->send_overhead);
    if (status == STATUS_OK && size->has_receive_overhead)
        status = reading_histogram(r, &size->receive_overhead, "receive_overhead", &point->receive_overhead);
    point->launch_sd = size->launch_sd;
    return status;
}

static enum status collective_take(const struct reading *r, const struct machine_collective *collective)
{
    enum collective op = collective_find(collective->operation);
    enum status status = STATUS_OK;
    for (size_t i = 0; op < N_COLLECTIVES && i < collective->n_measured && status == STATUS_OK; i++) {
        const struct machine_collective_time *time = &collective->measured[i];
        struct collective_point *point =
            result_collective(r->result, collective_name(op), time->numprocs, time->bytes);
        status = reading_histogram(r, &time->time, "time", &point->time);
        if (status == STATUS_OK && time->has_root_time)
            status = reading_histogram(r, &time->root_time, "root_time", &point->root_time);
    }
    return status;
}

/* Bins of another width than the usual are told in the provenance, see result_write. */
static int64_t bin_of(const struct machine_source *source)
{
    for (size_t i = 0; i < source->n_notes; i++)
        if (source->notes[i].depth == 0 && source->notes[i].value && strcmp(source->notes[i].key, NOTE_BIN) == 0)
            return strtoll(source->notes[i].value, NULL, 10);
    return 0;
}

static void notes_take(struct result *result, const struct machine_source *source)
{
    for (size_t i = 0; i < source->n_notes; i++) {
        const struct machine_note *note = &source->notes[i];
        if (note->depth == 0 && !note->value)
            result_heading(result, note->key);
        else if (note->depth <= 1 && note->value)
            result_note(result, note->depth, note->key, "%s", note->value);
    }
}

static enum status machine_take(const struct reading *r)
{
    const struct machine *machine = r->machine;
    struct result *result = r->result;
    enum status status = STATUS_OK;
    result->name = alloc_string(machine->name);
    result->nodes = machine->nodes;
    result->ppn = machine->ppn;
    result->processors = machine->processors;
    result->sockets = machine->sockets;
    result->has_socket_map = machine->has_socket_map;
    result->socket_map = machine->socket_map;
    result->eager_limit = machine->eager_limit;
    memcpy(result->transports, machine->transports, sizeof result->transports);
    result->has_connect = machine->has_connect;
    result->connect = machine->connect;
    result->launches = machine->launches > 0 ? machine->launches : 1;
    result->bin = bin_of(r->source);
    histogram_free(&result->overflow);
    result_histogram_init(result, &result->overflow);
    for (size_t i = 0; i < machine->n_entries; i++)
        for (size_t k = 0; k < machine->entries[i].n_sizes && status == STATUS_OK; k++)
            status = size_take(r, &machine->entries[i], &machine->entries[i].sizes[k]);
    if (status == STATUS_OK)
        status = reading_resources(r);
    for (size_t i = 0; i < machine->n_collectives && status == STATUS_OK; i++)
        status = collective_take(r, &machine->collectives[i]);
    notes_take(result, r->source);
    return status;
}

/* Whether the file's model_error is what its own residuals say, and no other program has put it there. One without
 * `stretch` or `share_power` was found from them by an older rule. */
static bool is_own(const struct result *result, const struct machine_model_error *error)
{
    struct machine_model_error own;
    return residuals_model_error(result, &own) &&
           (error->share_power > 0 ? own.communication == error->communication && own.computation == error->computation &&
                                     own.stretch == error->stretch
                               : own.runs == error->runs);
}

enum status result_read(struct result *result, const char *path, struct diags *diags)
{
    struct machine *machine = NULL;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    result_init(result);
    enum status status = machine_read_whole(&machine, &source, path, diags);
    if (status == STATUS_OK) {
        struct reading reading = {machine, &source, result, diags};
        machine_convert(machine, &source);
        status = machine_take(&reading);
        if (status == STATUS_OK && residuals_unread(result) > 0)
            diag_warning(diags, place_of_file(path),
                         "%zu lines under `" NOTE_JUDGED "` of the provenance cannot be read and "
                         "do not count for model_error",
                         residuals_unread(result));
        if (status == STATUS_OK && machine->has_model_error && !is_own(result, &machine->model_error))
            diag_warning(diags, place_of_file(path),
                         "model_error is left out: predictions from another calibration are off by something else "
                         "(pevpm-sim judge finds it)");
        machine_destroy(machine);
    }
    machine_source_free(&source);
    return status;
}
