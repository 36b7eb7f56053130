#include "models/machine.h"

#include "common/alloc.h"
#include "common/suggest.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void curve_free(struct machine_curve *curve)
{
    free(curve->bytes);
    free(curve->time);
}

static void ports_free(struct machine_ports *ports)
{
#define X(name) curve_free(&ports->name);
    PORT_CURVE_LIST(X)
#undef X
}

static void entry_free(struct machine_entry *entry)
{
    for (size_t i = 0; i < entry->n_sizes; i++) {
        distribution_free(&entry->sizes[i].transit);
        distribution_free(&entry->sizes[i].send_overhead);
        distribution_free(&entry->sizes[i].receive_overhead);
    }
    free(entry->sizes);
}

static void collective_free(struct machine_collective *collective)
{
    for (size_t i = 0; i < collective->n_measured; i++) {
        distribution_free(&collective->measured[i].time);
        distribution_free(&collective->measured[i].root_time);
    }
    free(collective->measured);
    free(collective->operation);
    free(collective->algorithm);
    free(collective->model);
}

static void serial_free(struct machine_serial *serial)
{
    for (size_t i = 0; i < (serial->n ? serial->n : 1); i++)
        distribution_free(&serial->times[i]);
    free(serial->times);
    free(serial->argument);
    free(serial->name);
}

static void loggp_hetero_free(struct machine_loggp_hetero *m)
{
    if (!m)
        return;
    free(m->L.value);
    free(m->o_s.value);
    free(m->o_r.value);
    free(m->g.value);
    free(m->G.value);
    free(m);
}

static void plogp_free(struct machine_plogp *m)
{
    if (!m)
        return;
    curve_free(&m->o_s);
    curve_free(&m->o_r);
    curve_free(&m->g);
    free(m);
}

static void plogp_hetero_free(struct machine_plogp_hetero *m)
{
    if (!m)
        return;
    struct machine_curve *curves[] = {m->o_s, m->o_r, m->g};
    for (int i = 0; i < 3; i++) {
        for (size_t pair = 0; curves[i] && pair < m->n * m->n; pair++)
            curve_free(&curves[i][pair]);
        free(curves[i]);
    }
    free(m->L.value);
    free(m);
}

void machine_surface_free(struct machine_surface *surface)
{
    double *const all[] = {surface->numprocs, surface->bytes, surface->p, surface->coefficients, surface->low, surface->high};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *surface = (struct machine_surface){.n_numprocs = 0};
}

static void lmo_free(struct machine_lmo *m)
{
    if (!m)
        return;
    for (size_t i = 0; m->probability && i < m->n_levels; i++)
        machine_surface_free(&m->probability[i]);
    free(m->probability);
    curve_free(&m->M1);
    curve_free(&m->Mc);
    curve_free(&m->M1_by_ratio);
    free(m->levels);
    free(m->C);
    free(m->t);
    free(m->beta.value);
    free(m);
}

static void models_free(struct machine *machine)
{
    free(machine->hockney);
    if (machine->hockney_hetero) {
        free(machine->hockney_hetero->alpha.value);
        free(machine->hockney_hetero->beta.value);
    }
    free(machine->hockney_hetero);
    free(machine->logp);
    free(machine->loggp);
    plogp_free(machine->plogp);
    loggp_hetero_free(machine->logp_hetero);
    loggp_hetero_free(machine->loggp_hetero);
    plogp_hetero_free(machine->plogp_hetero);
    lmo_free(machine->lmo);
}

void machine_resource_free(struct machine_resource *resource)
{
#define X(name) curve_free(&resource->name);
    RESOURCE_CURVE_LIST(X)
#undef X
    curve_free(&resource->wake);
    if (resource->has_overflow)
        distribution_free(&resource->overflow);
    node_set_free(&resource->nodes);
    free(resource->groups);
    free(resource->of);
}

static void topology_free(struct machine *machine)
{
    for (size_t i = 0; i < machine->n_groups; i++) {
        free(machine->groups[i].name);
        free(machine->groups[i].text);
        free(machine->groups[i].groups);
        node_set_free(&machine->groups[i].nodes);
    }
    free(machine->groups);
    host_names_free(&machine->host_names);
    free(machine->hosts);
    for (size_t i = 0; i < machine->n_resources; i++)
        machine_resource_free(&machine->resources[i]);
    free(machine->resources);
}

void machine_destroy(struct machine *machine)
{
    if (!machine)
        return;
    for (size_t i = 0; i < machine->n_entries; i++)
        entry_free(&machine->entries[i]);
    free(machine->entries);
    topology_free(machine);
    ports_free(&machine->ports);
    curve_free(&machine->common_gap);
    curve_free(&machine->rest_delay);
    curve_free(&machine->known_after_wait);
    curve_free(&machine->send_buffer);
    if (machine->has_overflow)
        distribution_free(&machine->overflow);
    for (size_t i = 0; i < machine->n_node_ports; i++)
        ports_free(&machine->node_ports[i]);
    free(machine->node_ports);
    for (size_t i = 0; i < machine->n_collectives; i++)
        collective_free(&machine->collectives[i]);
    free(machine->collectives);
    for (size_t i = 0; i < machine->n_serials; i++)
        serial_free(&machine->serials[i]);
    free(machine->serials);
    free(machine->factors);
    for (int scope = 0; scope < N_VARIABILITIES; scope++)
        if (machine->has_variability[scope])
            distribution_free(&machine->variability[scope]);
    models_free(machine);
    coll_table_free(&machine->decisions);
    free(machine->name);
    free(machine->path);
    free(machine);
}

const struct machine_serial *machine_serial_find(const struct machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->n_serials; i++)
        if (strcmp(machine->serials[i].name, name) == 0)
            return &machine->serials[i];
    return NULL;
}

static enum status serial_missing(const struct machine *machine, const char *name,
                                  char text[MACHINE_SERIAL_TEXT_BYTES])
{
    const char **names = alloc_array(machine->n_serials, sizeof *names);
    for (size_t i = 0; i < machine->n_serials; i++)
        names[i] = machine->serials[i].name;
    const char *near = suggest_name(name, strlen(name), names, machine->n_serials);
    if (near)
        snprintf(text, MACHINE_SERIAL_TEXT_BYTES, "machine `%.28s` has no computation `%.40s`, did you mean `%.40s`?",
                 machine->name, name, near);
    else
        snprintf(text, MACHINE_SERIAL_TEXT_BYTES, "machine `%.40s` has no computation `%.40s`: time it (pevpm-time)",
                 machine->name, name);
    free(names);
    return STATUS_NAME;
}

enum status machine_serial_look_up(const struct machine *machine, const char *name, bool has_argument, double argument,
                                   const struct machine_serial **found, char text[MACHINE_SERIAL_TEXT_BYTES])
{
    const struct machine_serial *serial = *found = machine_serial_find(machine, name);
    if (!serial)
        return serial_missing(machine, name, text);
    if (has_argument != (serial->n > 0)) {
        snprintf(text, MACHINE_SERIAL_TEXT_BYTES,
                 has_argument ? "measured(%.40s) takes no argument on machine `%.40s`"
                              : "measured(%.40s) needs an argument on machine `%.40s`",
                 name, machine->name);
        return STATUS_NAME;
    }
    if (serial->n == 1 && argument != serial->argument[0]) {
        snprintf(text, MACHINE_SERIAL_TEXT_BYTES,
                 "measured(%.40s, %.10g) was timed at %.10g alone: time it there too, or at one more argument", name,
                 argument, serial->argument[0]);
        return STATUS_RANGE;
    }
    return STATUS_OK;
}

/* The last i of n ascending values, at most n - 2, with x[i] <= at: the piece for `at`, also beyond the ends. */
static size_t piece_find(const double x[], size_t n, double at)
{
    size_t low = 0;
    for (size_t left = n - 1; left > 1; left -= left / 2) /* it is one of so many from `low` on */
        low += x[low + left / 2] <= at ? left / 2 : 0;
    return low;
}

void machine_serial_mix(const struct machine_serial *serial, double argument, struct mix *mix)
{
    if (serial->n < 2) {
        *mix = MIX_OF(&serial->times[0]);
        return;
    }
    size_t i = piece_find(serial->argument, serial->n, argument);
    double weight = (argument - serial->argument[i]) / (serial->argument[i + 1] - serial->argument[i]);
    if (weight == 0 || weight == 1)
        *mix = MIX_OF(&serial->times[i + (weight == 1)]);
    else
        *mix = (struct mix){.n = 2, .weight = {1 - weight, weight}, .part = {&serial->times[i], &serial->times[i + 1]}};
}

const char *machine_entry_pattern(const struct machine_entry *entry)
{
    static const char *const patterns[][2] = {
#define X(name) {#name, #name " in a socket"},
        PATTERN_LIST(X)
#undef X
    };
    return entry->transport == TRANSPORT_self ? "self" : patterns[entry->pattern][entry->transport == TRANSPORT_socket];
}

enum transport machine_transport_by_nodes(int nodes)
{
    return nodes == 1 ? TRANSPORT_node : TRANSPORT_network;
}

enum transport machine_limit_of(const struct machine *machine, enum transport transport)
{
    const bool node = transport == TRANSPORT_socket && machine->transports[TRANSPORT_node].has_eager_limit;
    return machine->transports[transport].has_eager_limit ? transport : node ? TRANSPORT_node : TRANSPORT_network;
}

int64_t machine_eager_limit(const struct machine *machine, enum transport transport, bool *taken)
{
    const enum transport of = machine_limit_of(machine, transport);
    const int64_t limit = of == TRANSPORT_network ? machine->eager_limit : machine->transports[of].eager_limit;
    *taken = of != transport && limit != INT64_MAX;
    return limit;
}

int64_t machine_unread_limit(const struct machine *machine, enum transport transport)
{
    const bool own = transport != TRANSPORT_socket || machine->transports[TRANSPORT_socket].has_unread_limit;
    const struct machine_transport *of = &machine->transports[own ? transport : TRANSPORT_node];
    return of->has_unread_limit ? of->unread_limit : INT64_MAX;
}

enum rendezvous machine_rendezvous(const struct machine *machine, enum transport transport, bool *told)
{
    const bool own = transport != TRANSPORT_socket || machine->transports[TRANSPORT_socket].has_rendezvous;
    const struct machine_transport *of = &machine->transports[own ? transport : TRANSPORT_node];
    *told = of->has_rendezvous;
    return of->rendezvous;
}

bool machine_has_socket_times(const struct machine *machine)
{
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        if (entry->transport == TRANSPORT_socket &&
            (entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs))
            return true;
    }
    return false;
}

double machine_curve_at(const struct machine_curve *curve, double x)
{
    if (curve->n == 0)
        return 0;
    if (curve->n == 1 || x <= curve->bytes[0])
        return curve->time[0];
    size_t i = piece_find(curve->bytes, curve->n, x);
    double weight = (x - curve->bytes[i]) / (curve->bytes[i + 1] - curve->bytes[i]);
    const double time = curve->time[i] + (curve->time[i + 1] - curve->time[i]) * weight;
    return time > 0 ? time : 0;
}

double machine_time_factor(const struct machine *machine, int node)
{
    assert(node >= 0);
    return machine->n_factors ? machine->factors[(size_t)node % machine->n_factors] : 1;
}
