#include "models/machine/ports.h"

#include "common/alloc.h"

#include <stdio.h>
#include <string.h>

enum { NODE_PORTS_MOST = 65534 }; /* pairs of nodes are numbered in 32 bits */

static void curve_copy(struct machine_curve *to, const struct machine_curve *from)
{
    to->n = from->n;
    to->bytes = alloc_array(from->n, sizeof *to->bytes);
    to->time = alloc_array(from->n, sizeof *to->time);
    memcpy(to->bytes, from->bytes, from->n * sizeof *to->bytes);
    memcpy(to->time, from->time, from->n * sizeof *to->time);
}

/* The keys that ports have of every node. */
#define PORT_KEY(name) PORT_##name,
#define PORT_FIELD(name) {#name, KEY_OPTIONAL, {0}},

enum {
    PORT_CURVE_LIST(PORT_KEY) N_PORT_CURVES,
    PORT_credit = N_PORT_CURVES, PORT_frame, PORT_window, PORT_buffer, PORT_exchange_gap, N_PORT_KEYS
};

#define PORT_FIELDS \
    PORT_CURVE_LIST(PORT_FIELD) PORT_FIELD(credit) PORT_FIELD(frame) PORT_FIELD(window) PORT_FIELD(buffer) \
    {"exchange_gap", KEY_FORMER, {0}},

static struct machine_curve *port_curve(struct machine_ports *ports, int key)
{
#define PORT_CURVE(name) &ports->name,
    struct machine_curve *const curves[] = {PORT_CURVE_LIST(PORT_CURVE)};
    return curves[key];
}

/* is_own: of one node, where a buffer of 0 says that it has none, whatever the default. */
static void node_ports_read(struct reader *r, const struct field fields[N_PORT_KEYS], bool is_own, struct machine_ports *ports)
{
    for (int i = 0; i < N_PORT_CURVES; i++)
        if (fields[i].spot.node)
            demand_read(r, &fields[i].spot, i == PORT_reverse_gap ? DEMAND_OF_ACKNOWLEDGEMENTS : DEMAND_OF_MESSAGES,
                        port_curve(ports, i));
    if (fields[PORT_credit].spot.node)
        fitted_time_read(r, &fields[PORT_credit].spot, SIGN_NOT_NEGATIVE, &ports->credit);
    length_read(r, &fields[PORT_frame].spot, &ports->frame);
    length_read(r, &fields[PORT_window].spot, &ports->window);
    if (fields[PORT_buffer].spot.node && is_own)
        fitted_time_read(r, &fields[PORT_buffer].spot, SIGN_NOT_NEGATIVE, &ports->buffer);
    else if (fields[PORT_buffer].spot.node)
        buffer_read(r, &fields[PORT_buffer].spot, &ports->buffer);
}

/* What a node's own ports leave out is as the default says. */
static void own_ports_read(struct reader *r, const struct spot *spot, struct machine_ports *ports,
                           struct machine_ports *own)
{
    struct field fields[] = {PORT_FIELDS};
    own->credit = ports->credit;
    own->frame = ports->frame;
    own->window = ports->window;
    own->buffer = ports->buffer;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    node_ports_read(r, fields, true, own);
    for (int i = 0; i < N_PORT_CURVES; i++)
        if (!fields[i].spot.node && port_curve(ports, i)->n > 0)
            curve_copy(port_curve(own, i), port_curve(ports, i));
}

static void per_node_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    char what[60];
    size_t nodes = machine->nodes > 0 ? (size_t)machine->nodes : LIST_ANY;
    snprintf(what, sizeof what, "a list of %d ports, one per node", machine->nodes);
    if (spot->node->kind == YAML_KIND_LIST && spot->node->n == 0)
        return;
    if (!list_check(r, spot, nodes, what))
        return;
    if (spot->node->n > NODE_PORTS_MOST) {
        spot_error(r, spot, "ports can be told apart on at most %d nodes, found %u", NODE_PORTS_MOST, spot->node->n);
        return;
    }
    machine->n_node_ports = spot->node->n;
    machine->node_ports = alloc_zeroed(machine->n_node_ports, sizeof *machine->node_ports);
    for (size_t i = 0; i < machine->n_node_ports; i++) {
        struct spot item = spot_item(spot, i);
        own_ports_read(r, &item, &machine->ports, &machine->node_ports[i]);
    }
}

void ports_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const char *const scopes[] = {"node", "process"};
    enum { SHARED_BY = N_PORT_KEYS, PER_NODE, OVERFLOW_DELAY, COMMON_GAP, REST_DELAY, MEASURED_AFTER };
    struct field fields[] = {PORT_FIELDS PORT_FIELD(shared_by) PORT_FIELD(per_node) PORT_FIELD(overflow)
                                 PORT_FIELD(common_gap) PORT_FIELD(rest_delay) PORT_FIELD(measured_after)};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    machine->has_ports = true;
    int choice;
    if (!spot_is_meant(&fields[PORT_out_gap].spot) && !spot_is_meant(&fields[PORT_in_gap].spot) &&
        !spot_is_meant(&fields[PER_NODE].spot) && !spot_is_meant(&fields[COMMON_GAP].spot) &&
        !spot_is_meant(&fields[REST_DELAY].spot))
        spot_error(r, spot, "missing key `out_gap` or `in_gap`: ports without gaps cost nothing");
    node_ports_read(r, fields, false, &machine->ports);
    if (fields[SHARED_BY].spot.node && choice_read(r, &fields[SHARED_BY].spot, "scope", scopes, 2, &choice))
        machine->ports_per_process = choice == 1;
    if (fields[PER_NODE].spot.node)
        per_node_read(r, &fields[PER_NODE].spot, machine);
    if (fields[COMMON_GAP].spot.node)
        demand_read(r, &fields[COMMON_GAP].spot, DEMAND_OF_MESSAGES, &machine->common_gap);
    if (fields[REST_DELAY].spot.node)
        curve_read(r, &fields[REST_DELAY].spot, CURVE_OF_RESTS, &machine->rest_delay);
    if (fields[MEASURED_AFTER].spot.node)
        time_read(r, &fields[MEASURED_AFTER].spot, SIGN_NOT_NEGATIVE, &machine->measured_after);
    if (fields[OVERFLOW_DELAY].spot.node)
        machine->has_overflow = distribution_read(r, &fields[OVERFLOW_DELAY].spot, &machine->overflow);
    if (fields[OVERFLOW_DELAY].spot.node && !spot_is_meant(&fields[PORT_buffer].spot) &&
        !spot_is_meant(&fields[PER_NODE].spot))
        spot_error(r, &fields[OVERFLOW_DELAY].spot, "no port has a `buffer` that could overflow");
    else if (!spot_is_meant(&fields[OVERFLOW_DELAY].spot) && fields[PORT_buffer].spot.node)
        spot_error(r, spot, "missing key `overflow`: a port with a `buffer` loses frames, how late do they come?");
}
