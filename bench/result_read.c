/* A machine file as a result. */
#include "bench/result.h"

#include "bench/collective.h"
#include "bench/residual.h"
#include "common/alloc.h"
#include "models/machine_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct machine *machine;
    struct machine_source *source;
    struct result *result;
    struct diags *diags;
};

static int64_t ns_of(double seconds)
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
        int64_t n = llround(form->counts[i]), low = ns_of(form->edges[i]), high = ns_of(form->edges[i + 1]);
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

static enum status histogram_take(const struct reading *r, const struct distribution *d, const char *what,
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
                            .ppn = entry->ppn, .level = entry->level, .bytes = size->bytes};
    struct point *point = result_point(r->result, &key);
    enum status status = histogram_take(r, &size->transit, "transit", &point->transit);
    if (status == STATUS_OK && size->has_send_overhead)
        status = histogram_take(r, &size->send_overhead, "send_overhead", &point->send_overhead);
    if (status == STATUS_OK && size->has_receive_overhead)
        status = histogram_take(r, &size->receive_overhead, "receive_overhead", &point->receive_overhead);
    point->launch_sd = size->launch_sd;
    return status;
}

static void curve_take(struct result *result, size_t class, const struct machine_curve *curve, size_t field)
{
    for (size_t i = 0; i < curve->n; i++) {
        const int64_t bytes = (int64_t)curve->bytes[i];
        (class == 0 ? result_port(result, bytes) : result_class_port(result, class, bytes))->gap[field] = curve->time[i];
    }
}

static void curves_take(struct result *result, size_t class, const struct machine_ports *ports)
{
    curve_take(result, class, &ports->out_gap, PORT_OUT);
    curve_take(result, class, &ports->in_gap, PORT_IN);
    curve_take(result, class, &ports->reverse_gap, PORT_REVERSE);
    curve_take(result, class, &ports->exchange_gap, PORT_EXCHANGE);
}

static bool same_curve(const struct machine_curve *a, const struct machine_curve *b)
{
    return a->n == b->n && memcmp(a->bytes, b->bytes, a->n * sizeof *a->bytes) == 0 &&
           memcmp(a->time, b->time, a->n * sizeof *a->time) == 0;
}

static bool same_ports(const struct machine_ports *a, const struct machine_ports *b)
{
    return same_curve(&a->out_gap, &b->out_gap) && same_curve(&a->in_gap, &b->in_gap) && a->credit == b->credit;
}

/* Nodes whose ports are written alike are of one class, those like `ports` of class 0. */
static void classes_take(const struct reading *r)
{
    const struct machine *machine = r->machine;
    const size_t nodes = machine->n_node_ports;
    if (nodes == 0)
        return;
    int *class_of = alloc_zeroed(nodes, sizeof *class_of);
    size_t *first = alloc_array(nodes + 1, sizeof *first), n = 1; /* a node of each class but 0 */
    for (size_t node = 0; node < nodes; node++) {
        size_t class = same_ports(&machine->node_ports[node], &machine->ports) ? 0 : 1;
        while (class > 0 && class < n && !same_ports(&machine->node_ports[node], &machine->node_ports[first[class]]))
            class++;
        if (class == n)
            first[n++] = node;
        class_of[node] = (int)class;
    }
    result_classes(r->result, n, class_of);
    for (size_t class = 1; class < n; class++) {
        curves_take(r->result, class, &machine->node_ports[first[class]]);
        r->result->classes[class].credit = machine->node_ports[first[class]].credit;
    }
    free(class_of);
    free(first);
}

/* The file also says that no rest delays nothing, see result_write. */
static void rests_take(const struct reading *r)
{
    const struct machine_curve *curve = &r->machine->rest_delay;
    for (size_t i = 0; i < curve->n; i++)
        if (curve->bytes[i] > 0)
            result_rest(r->result, ns_of(curve->bytes[i]))->delay = curve->time[i];
    r->result->measured_after = r->machine->measured_after;
}

static enum status ports_take(const struct reading *r)
{
    const struct machine_ports *ports = &r->machine->ports;
    if (!r->machine->has_ports)
        return STATUS_OK;
    curves_take(r->result, 0, ports);
    classes_take(r);
    r->result->common_gap = machine_curve_at(&r->machine->common_gap, 0);
    rests_take(r);
    r->result->credit = ports->credit;
    r->result->buffer = ports->buffer;
    r->result->frame = (int)ports->frame;
    r->result->ports_per_process = r->machine->ports_per_process;
    if (!r->machine->has_overflow)
        return STATUS_OK;
    return histogram_take(r, &r->machine->overflow, "overflow", &r->result->overflow);
}

static enum status collective_take(const struct reading *r, const struct machine_collective *collective)
{
    enum collective op = collective_find(collective->operation);
    enum status status = STATUS_OK;
    for (size_t i = 0; op < N_COLLECTIVES && i < collective->n_measured && status == STATUS_OK; i++) {
        const struct machine_collective_time *time = &collective->measured[i];
        struct collective_point *point =
            result_collective(r->result, collective_name(op), time->numprocs, time->bytes);
        status = histogram_take(r, &time->time, "time", &point->time);
        if (status == STATUS_OK && time->has_root_time)
            status = histogram_take(r, &time->root_time, "root_time", &point->root_time);
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
    result->eager_limit = machine->eager_limit;
    memcpy(result->transports, machine->transports, sizeof result->transports);
    result->launches = machine->launches > 0 ? machine->launches : 1;
    result->bin = bin_of(r->source);
    histogram_free(&result->overflow);
    result_histogram_init(result, &result->overflow);
    for (size_t i = 0; i < machine->n_entries; i++)
        for (size_t k = 0; k < machine->entries[i].n_sizes && status == STATUS_OK; k++)
            status = size_take(r, &machine->entries[i], &machine->entries[i].sizes[k]);
    if (status == STATUS_OK)
        status = ports_take(r);
    for (size_t i = 0; i < machine->n_collectives && status == STATUS_OK; i++)
        status = collective_take(r, &machine->collectives[i]);
    notes_take(result, r->source);
    return status;
}

/* Whether the file's model_error is what its own residuals say, and no other program has put it there. */
static bool is_own(const struct result *result, const struct machine_model_error *error)
{
    struct machine_model_error own;
    return residuals_model_error(result, &own) && own.communication == error->communication &&
           own.computation == error->computation;
}

enum status result_read(struct result *result, const char *path, struct diags *diags)
{
    struct machine *machine = NULL;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    result_init(result);
    enum status status = machine_read_whole(&machine, &source, path, diags);
    if (status == STATUS_OK) {
        struct reading reading = {machine, &source, result, diags};
        if (machine->version >= 2) {
            diag_error(diags, place_of_file(path), "format 2: pevpm-bench goes on with and merges files as it writes "
                                                   "them, in format 1");
            status = STATUS_SCHEMA;
        } else {
            status = machine_take(&reading);
        }
        if (status == STATUS_OK && residuals_unread(result) > 0)
            diag_warning(diags, place_of_file(path), "%zu lines under `" NOTE_JUDGED "` of the provenance cannot be read and "
                         "do not count for model_error", residuals_unread(result));
        if (status == STATUS_OK && machine->has_model_error && !is_own(result, &machine->model_error))
            diag_warning(diags, place_of_file(path),
                         "model_error is left out: predictions from another calibration are off by something else "
                         "(pevpm-sim judge finds it)");
        machine_destroy(machine);
    }
    machine_source_free(&source);
    return status;
}
