/* A result as a machine file. */
#include "bench/result.h"

#include "bench/residual.h"
#include "common/alloc.h"
#include "models/machine_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A result's machine and the forms its distributions are written in; arrays that forms borrow are kept in `arena`. */
struct writing {
    struct machine *machine;
    struct machine_form *forms;
    size_t n_forms, capacity;
    struct machine_fitted *fitted;
    size_t n_fitted, fitted_capacity;
    struct arena arena;
};

/* The double that "5.69 ms" is read as, so that the file repeats it: see write_time and units_parse_time. */
static double seconds_of(int64_t ns)
{
    double value = (double)ns;
    if (ns < 1000)
        return value * 1e-9;
    if (ns < 1000000)
        return value / 1e3 * 1e-6;
    if (ns < 1000000000)
        return value / 1e6 * 1e-3;
    return value / 1e9;
}

/* Adds the form of the histogram h for the distribution that is to stand at `place` in the end, and makes it. */
static void histogram_write(struct writing *w, struct distribution *place, const struct histogram *h)
{
    struct histogram_table table;
    histogram_table(h, &table);
    double *edges = arena_alloc(&w->arena, table.n + 1, sizeof *edges);
    double *counts = arena_alloc(&w->arena, table.n, sizeof *counts);
    for (size_t i = 0; i <= table.n; i++)
        edges[i] = seconds_of(table.edges[i] > 0 ? table.edges[i] : 0);
    for (size_t i = 0; i < table.n; i++)
        counts[i] = (double)table.counts[i];
    distribution_histogram(place, table.n, edges, counts);
    place->average = fmax(seconds_of(llround(h->sum / (double)h->count)), place->minimum);
    w->forms = alloc_grow(w->forms, w->n_forms, &w->capacity, sizeof *w->forms);
    w->forms[w->n_forms++] =
        (struct machine_form){.of = place, .kind = FORM_HISTOGRAM, .n = table.n, .edges = edges, .counts = counts};
    histogram_table_free(&table);
}

static void size_make(struct writing *w, struct machine_size *size, const struct point *point)
{
    size->bytes = point->key.bytes;
    size->launch_sd = point->launch_sd;
    histogram_write(w, &size->transit, &point->transit);
    size->has_send_overhead = point->send_overhead.count > 0;
    size->has_receive_overhead = point->receive_overhead.count > 0;
    if (size->has_send_overhead)
        histogram_write(w, &size->send_overhead, &point->send_overhead);
    if (size->has_receive_overhead)
        histogram_write(w, &size->receive_overhead, &point->receive_overhead);
}

static bool same_entry(const struct point_key *a, const struct point_key *b)
{
    return a->operation == b->operation && a->pattern == b->pattern && a->nodes == b->nodes && a->ppn == b->ppn &&
           a->level == b->level;
}

static enum transport transport_of(const struct point_key *key)
{
    return key->nodes * key->ppn == 1 ? TRANSPORT_self : machine_transport_by_nodes(key->nodes);
}

static void entries_make(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    machine->entries = alloc_zeroed(result->n_points, sizeof *machine->entries);
    const struct point_key *last = NULL;
    for (size_t i = 0; i < result->n_points; i++) {
        const struct point *point = &result->points[i];
        if (point->transit.count == 0)
            continue;
        if (!last || !same_entry(last, &point->key)) {
            struct machine_entry *entry = &machine->entries[machine->n_entries++];
            *entry = (struct machine_entry){.operation = point->key.operation, .pattern = point->key.pattern,
                                            .transport = transport_of(&point->key), .nodes = point->key.nodes,
                                            .ppn = point->key.ppn, .level = point->key.level};
            entry->sizes = alloc_zeroed(result->n_points - i, sizeof *entry->sizes);
        }
        last = &point->key;
        struct machine_entry *entry = &machine->entries[machine->n_entries - 1];
        size_make(w, &entry->sizes[entry->n_sizes++], point);
    }
}

/* Beyond its last size an entry goes on with the line through its last two. Two sizes that differ by one byte, at the
 * eager limit, give none: where nothing larger was measured the last is left out. */
static void entries_trim(struct machine *machine)
{
    for (size_t i = 0; i < machine->n_entries; i++) {
        struct machine_entry *entry = &machine->entries[i];
        size_t n = entry->n_sizes;
        bool unused;
        const int64_t limit = machine_eager_limit(machine, entry->transport, &unused);
        if (n < 2 || entry->sizes[n - 2].bytes != limit || entry->sizes[n - 1].bytes != limit + 1)
            continue;
        distribution_free(&entry->sizes[n - 1].transit);
        distribution_free(&entry->sizes[n - 1].send_overhead);
        distribution_free(&entry->sizes[n - 1].receive_overhead);
        entry->n_sizes--;
    }
}

/* The number at `of` is known to +- ci95 from several launches. */
static void fitted_add(struct writing *w, const double *of, double ci95, int launches)
{
    if (launches < 2)
        return;
    w->fitted = alloc_grow(w->fitted, w->n_fitted, &w->fitted_capacity, sizeof *w->fitted);
    w->fitted[w->n_fitted++] = (struct machine_fitted){of, seconds_of(llround(ci95 * 1e9)), launches};
}

static void curve_make(struct writing *w, struct machine_curve *curve, size_t n, const struct port_point points[],
                       int launches, enum port_gap field)
{
    curve->bytes = alloc_array(n, sizeof *curve->bytes);
    curve->time = alloc_array(n, sizeof *curve->time);
    for (size_t i = 0; i < n; i++) {
        double gap = points[i].gap[field];
        if (isnan(gap))
            continue;
        curve->bytes[curve->n] = (double)points[i].bytes;
        curve->time[curve->n] = seconds_of(llround(gap * 1e9));
        fitted_add(w, &curve->time[curve->n++], points[i].ci95[field], launches);
    }
}

static void curves_make(struct writing *w, struct machine_ports *ports, size_t n, const struct port_point points[],
                        const struct result *result)
{
    curve_make(w, &ports->out_gap, n, points, result->launches, PORT_OUT);
    curve_make(w, &ports->in_gap, n, points, result->launches, PORT_IN);
    curve_make(w, &ports->reverse_gap, n, points, result->launches, PORT_REVERSE);
    curve_make(w, &ports->exchange_gap, n, points, result->launches, PORT_EXCHANGE);
    ports->frame = result->frame;
}

/* Every node's own, where they differ. */
static void node_ports_make(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    bool are_known = result->n_classes > 1;
    for (size_t class = 1; class < result->n_classes; class++)
        are_known = are_known && result->classes[class].n > 0;
    if (!are_known)
        return;
    machine->n_node_ports = (size_t)result->nodes;
    machine->node_ports = alloc_zeroed(machine->n_node_ports, sizeof *machine->node_ports);
    for (int node = 0; node < result->nodes; node++) {
        struct machine_ports *ports = &machine->node_ports[node];
        const int class = result->class_of[node];
        const struct class_ports *own = &result->classes[class];
        if (class == 0)
            curves_make(w, ports, result->n_ports, result->ports, result);
        else
            curves_make(w, ports, own->n, own->points, result);
        ports->credit = seconds_of(llround((class == 0 ? result->credit : own->credit) * 1e9));
        fitted_add(w, &ports->credit, class == 0 ? result->credit_ci95 : own->credit_ci95, result->launches);
        ports->buffer = result->buffer > 0 ? seconds_of(llround(result->buffer * 1e9)) : 0;
    }
}

static void collectives_make(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    machine->collectives = alloc_zeroed(result->n_collectives, sizeof *machine->collectives);
    for (size_t i = 0; i < result->n_collectives; i++) {
        const struct collective_point *point = &result->collectives[i];
        if (point->time.count == 0)
            continue;
        struct machine_collective *collective = NULL;
        for (size_t j = 0; j < machine->n_collectives; j++)
            if (strcmp(machine->collectives[j].operation, point->operation) == 0)
                collective = &machine->collectives[j];
        if (!collective) {
            collective = &machine->collectives[machine->n_collectives++];
            collective->operation = alloc_string(point->operation);
            collective->measured = alloc_zeroed(result->n_collectives, sizeof *collective->measured);
        }
        struct machine_collective_time *time = &collective->measured[collective->n_measured++];
        *time = (struct machine_collective_time){.numprocs = point->numprocs, .bytes = point->bytes};
        histogram_write(w, &time->time, &point->time);
        time->has_root_time = point->root_time.count > 0;
        if (time->has_root_time)
            histogram_write(w, &time->root_time, &point->root_time);
    }
}

static void common_gap_make(struct writing *w, const struct result *result)
{
    struct machine_curve *curve = &w->machine->common_gap;
    if (!(result->common_gap > 0))
        return;
    *curve = (struct machine_curve){1, alloc_zeroed(1, sizeof *curve->bytes), alloc_array(1, sizeof *curve->time)};
    curve->time[0] = seconds_of(llround(result->common_gap * 1e9));
    fitted_add(w, &curve->time[0], result->common_ci95, result->launches);
}

/* From [0, 0] on. */
static void rest_delay_make(struct writing *w, const struct result *result)
{
    struct machine_curve *curve = &w->machine->rest_delay;
    const size_t n = result->n_rests + 1;
    if (result->n_rests == 0)
        return;
    *curve = (struct machine_curve){n, alloc_zeroed(n, sizeof *curve->bytes), alloc_zeroed(n, sizeof *curve->time)};
    for (size_t i = 0; i < result->n_rests; i++) {
        const struct rest_point *point = &result->rests[i];
        curve->bytes[i + 1] = seconds_of(point->rest);
        curve->time[i + 1] = seconds_of(llround(point->delay * 1e9));
        fitted_add(w, &curve->time[i + 1], point->ci95, result->launches);
    }
    w->machine->measured_after = seconds_of(llround(result->measured_after * 1e9));
}

static void machine_make(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    machine->name = alloc_string(result->name);
    machine->time_unit = 1;
    machine->nodes = result->nodes;
    machine->ppn = result->ppn;
    machine->eager_limit = result->eager_limit;
    memcpy(machine->transports, result->transports, sizeof machine->transports);
    machine->launches = result->launches;
    entries_make(w, result);
    entries_trim(machine);
    machine->has_ports = result->n_ports > 0;
    if (machine->has_ports) {
        curves_make(w, &machine->ports, result->n_ports, result->ports, result);
        machine->ports_per_process = result->ports_per_process;
        machine->ports.credit = seconds_of(llround(result->credit * 1e9));
        fitted_add(w, &machine->ports.credit, result->credit_ci95, result->launches);
        node_ports_make(w, result);
        common_gap_make(w, result);
        rest_delay_make(w, result);
    }
    if (machine->has_ports && result->buffer > 0) {
        machine->ports.buffer = seconds_of(llround(result->buffer * 1e9));
        machine->has_overflow = true;
        histogram_write(w, &machine->overflow, &result->overflow);
    }
    collectives_make(w, result);
    machine->has_model_error = residuals_model_error(result, &machine->model_error);
}

enum status result_write(const struct result *result, const char *path, struct diags *diags)
{
    struct writing w = {.machine = alloc_zeroed(1, sizeof(struct machine)), .arena = ARENA_EMPTY};
    machine_make(&w, result);
    struct machine_note *notes = alloc_array(result->n_notes, sizeof *notes);
    for (size_t i = 0; i < result->n_notes; i++)
        notes[i] = (struct machine_note){result->notes[i].depth, result->notes[i].key, result->notes[i].value};
    struct machine_write_options options = {
        .n_forms = w.n_forms, .forms = w.forms, .n_notes = result->n_notes, .notes = notes,
        .n_fitted = w.n_fitted, .fitted = w.fitted};
    enum status status = machine_write(w.machine, &options, path, diags);
    machine_destroy(w.machine);
    arena_free(&w.arena);
    free(w.forms);
    free(w.fitted);
    free(notes);
    return status;
}
