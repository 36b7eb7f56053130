/* A result as a machine file. */
#include "results/result_write_impl.h"

#include "results/residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double writing_seconds(int64_t ns)
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

double writing_rounded(double seconds)
{
    return writing_seconds(llround(seconds * 1e9));
}

void writing_histogram(struct writing *w, struct distribution *place, const struct histogram *h)
{
    struct histogram_table table;
    histogram_table(h, &table);
    double *edges = arena_alloc(&w->arena, table.n + 1, sizeof *edges);
    double *counts = arena_alloc(&w->arena, table.n, sizeof *counts);
    for (size_t i = 0; i <= table.n; i++)
        edges[i] = writing_seconds(table.edges[i] > 0 ? table.edges[i] : 0);
    for (size_t i = 0; i < table.n; i++)
        counts[i] = (double)table.counts[i];
    distribution_histogram(place, table.n, edges, counts);
    place->average = fmax(writing_seconds(llround(h->sum / (double)h->count)), place->minimum);
    w->forms = alloc_grow(w->forms, w->n_forms, &w->capacity, sizeof *w->forms);
    w->forms[w->n_forms++] =
        (struct machine_form){.of = place, .kind = FORM_HISTOGRAM, .n = table.n, .edges = edges, .counts = counts};
    histogram_table_free(&table);
}

static void size_make(struct writing *w, struct machine_size *size, const struct point *point)
{
    size->bytes = point->key.bytes;
    size->launch_sd = point->launch_sd;
    writing_histogram(w, &size->transit, &point->transit);
    size->has_send_overhead = point->send_overhead.count > 0;
    size->has_receive_overhead = point->receive_overhead.count > 0;
    if (size->has_send_overhead)
        writing_histogram(w, &size->send_overhead, &point->send_overhead);
    if (size->has_receive_overhead)
        writing_histogram(w, &size->receive_overhead, &point->receive_overhead);
}

static bool same_entry(const struct point_key *a, const struct point_key *b)
{
    return a->operation == b->operation && a->pattern == b->pattern && a->nodes == b->nodes && a->ppn == b->ppn &&
           a->level == b->level && a->socket == b->socket;
}

static enum transport transport_of(const struct point_key *key)
{
    if (key->socket)
        return TRANSPORT_socket;
    return key->nodes * key->ppn == 1 ? TRANSPORT_self : machine_transport_by_nodes(key->nodes);
}

/* Whether the larger sizes of several messages at once did not fit into the budget, while those of one alone, of the same
 * transport, did: what serves messages at another level serves larger ones better than the line would. */
static bool ends_early(const struct machine *machine, const struct result *result, const struct point_key *of)
{
    const enum transport transport = transport_of(of);
    bool unused;
    const int64_t limit = machine_eager_limit(machine, transport, &unused);
    int64_t own = 0, alone = 0;
    for (size_t i = 0; i < result->n_points && of->level > 1; i++) {
        const struct point_key *key = &result->points[i].key;
        if (result->points[i].transit.count == 0 || key->bytes > limit)
            continue;
        if (same_entry(key, of))
            own = key->bytes;
        else if (key->level == 1 && transport_of(key) == transport)
            alone = key->bytes > alone ? key->bytes : alone;
    }
    return own < alone / RESULT_LINE_MOST;
}

static void entries_make(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    machine->entries = alloc_zeroed(result->n_points, sizeof *machine->entries);
    const struct point_key *last = NULL;
    for (size_t i = 0; i < result->n_points; i++) {
        const struct point *point = &result->points[i];
        if (point->transit.count == 0 || result_is_explained(result, &point->key) ||
            ends_early(machine, result, &point->key))
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

void writing_fitted(struct writing *w, const double *of, double ci95, int launches)
{
    if (launches < 2 || isnan(ci95))
        return;
    w->fitted = alloc_grow(w->fitted, w->n_fitted, &w->fitted_capacity, sizeof *w->fitted);
    w->fitted[w->n_fitted++] = (struct machine_fitted){of, writing_rounded(ci95), launches};
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
        writing_histogram(w, &time->time, &point->time);
        time->has_root_time = point->root_time.count > 0;
        if (time->has_root_time)
            writing_histogram(w, &time->root_time, &point->root_time);
    }
}

static void machine_make(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    machine->name = alloc_string(result->name);
    machine->time_unit = 1;
    machine->nodes = result->nodes;
    machine->ppn = result->ppn;
    machine->processors = result->processors;
    machine->sockets = result->sockets;
    machine->has_socket_map = result->has_socket_map;
    machine->socket_map = result->socket_map;
    machine->eager_limit = result->eager_limit;
    memcpy(machine->transports, result->transports, sizeof machine->transports);
    machine->has_connect = result->has_connect;
    machine->connect = (struct machine_connect){
        .message = writing_rounded(result->connect.message), .call = writing_rounded(result->connect.call),
        .late = writing_rounded(result->connect.late), .shared = writing_rounded(result->connect.shared),
        .listen = writing_rounded(result->connect.listen)};
    machine->launches = result->launches;
    entries_make(w, result);
    entries_trim(machine);
    writing_resources(w, result);
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
