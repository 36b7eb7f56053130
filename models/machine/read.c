/* The machine file, top to bottom; the parts are in fields.c, shapes.c, distribution.c and models.c. */
#include "collectives/schedule.h"
#include "common/infile.h"
#include "common/units.h"
#include "models/machine/fields.h"
#include "models/machine/topology.h"
#include "models/machine/source_impl.h"
#include "models/machine/whole.h"
#include "models/model_list.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    FORMAT_VERSION = 2,
    NODE_PORTS_MOST = 65535, /* pairs of nodes are numbered in 32 bits */
};

/* ---- point_to_point ---- */

static void size_read(struct reader *r, const struct spot *spot, struct machine_size *size)
{
    struct field fields[] = {{"bytes", true, {0}}, {"transit", true, {0}}, {"send_overhead", false, {0}},
                             {"receive_overhead", false, {0}}, {"launch_sd", false, {0}}};
    static const struct range not_negative = {0, HUGE_VAL, "a number of at least 0"};
    size->bytes = -1;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[0].spot.node)
        whole_read(r, &fields[0].spot, 0, INT64_MAX, &size->bytes);
    if (fields[1].spot.node)
        distribution_read(r, &fields[1].spot, &size->transit);
    if (fields[2].spot.node)
        size->has_send_overhead = distribution_read(r, &fields[2].spot, &size->send_overhead);
    if (fields[3].spot.node)
        size->has_receive_overhead = distribution_read(r, &fields[3].spot, &size->receive_overhead);
    if (fields[4].spot.node)
        number_read(r, &fields[4].spot, not_negative, &size->launch_sd);
}

static void sizes_read(struct reader *r, const struct spot *spot, struct machine_entry *entry)
{
    if (!list_check(r, spot, LIST_ANY, "a list of sizes"))
        return;
    size_t n = spot->node->n;
    if (n == 0)
        spot_error(r, spot, "expected at least 1 size, found an empty list");
    entry->sizes = alloc_zeroed(n, sizeof *entry->sizes);
    entry->n_sizes = n;
    int64_t last = -1;
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        size_read(r, &item, &entry->sizes[i]);
        int64_t bytes = entry->sizes[i].bytes;
        if (bytes >= 0 && bytes == last)
            spot_error(r, &item, "two entries for %lld bytes", (long long)bytes);
        else if (bytes >= 0 && bytes < last)
            spot_error(r, &item, "%lld bytes after %lld: sizes must ascend", (long long)bytes, (long long)last);
        last = bytes > last ? bytes : last;
    }
}

/* X(key, required): an entry. */
#define ENTRY_LIST(X)                                                                                      \
    X(operation, true) X(pattern, false) X(nodes, true) X(processes_per_node, true) X(level, false)        \
    X(transport, false) X(sizes, true)
enum entry_key {
#define X(name, required) ENTRY_##name,
    ENTRY_LIST(X)
#undef X
};

/* How many nodes, processes and messages; what is not given follows from the rest. */
static void entry_shape_read(struct reader *r, const struct spot *spot, const struct field fields[],
                             const struct machine *machine, struct machine_entry *entry)
{
    const struct spot *nodes = &fields[ENTRY_nodes].spot, *ppn = &fields[ENTRY_processes_per_node].spot;
    const struct spot *level = &fields[ENTRY_level].spot;
    entry->nodes = entry->ppn = 0;
    if (nodes->node && int_read(r, nodes, 1, INT_MAX, &entry->nodes) && machine->nodes && entry->nodes > machine->nodes)
        spot_error(r, nodes, "%d is more than the machine has (nodes: %d)", entry->nodes, machine->nodes);
    if (ppn->node && int_read(r, ppn, 1, INT_MAX, &entry->ppn) && machine->ppn && entry->ppn > machine->ppn)
        spot_error(r, ppn, "%d is more than the machine has (processes_per_node: %d)", entry->ppn, machine->ppn);
    double processes = (double)entry->nodes * entry->ppn;
    if (processes == 1 && !fields[ENTRY_transport].spot.node)
        spot_error(r, spot, "one process alone sends messages to itself only: nodes or processes_per_node must be "
                            "above 1, or `transport: self` there");
    entry->level = entry->pattern == PATTERN_pingpong ? 1 : processes < INT_MAX ? (int)processes : INT_MAX;
    if (level->node)
        int_read(r, level, 1, INT_MAX, &entry->level);
}

/* The transport, which must be that of messages of such a shape. */
static void entry_transport_read(struct reader *r, const struct spot *spot, struct machine_entry *entry)
{
    static const char *const transports[] = {
#define X(name, messages) #name,
        TRANSPORT_LIST(X)
#undef X
    };
    int choice;
    bool alone = entry->nodes == 1 && entry->ppn == 1;
    enum transport by_nodes = entry->transport = machine_transport_by_nodes(entry->nodes);
    if (!spot->node || !choice_read(r, spot, "transport", transports, N_TRANSPORTS, &choice))
        return;
    entry->transport = (enum transport)choice;
    if (entry->nodes == 0 || entry->ppn == 0)
        return;
    if (entry->transport != TRANSPORT_self && (alone || entry->transport != by_nodes))
        spot_error(r, spot, "with nodes: %d and processes_per_node: %d messages go by `%s`", entry->nodes, entry->ppn,
                   alone ? "self" : transports[by_nodes]);
    else if (entry->transport == TRANSPORT_self && (!alone || entry->level != 1))
        spot_error(r, spot, "a message to oneself is measured on one process: nodes, processes_per_node and level "
                            "must be 1");
    else if (entry->transport == TRANSPORT_self &&
             (entry->pattern == PATTERN_fan_in || entry->pattern == PATTERN_fan_out))
        spot_error(r, spot, "one process alone makes no fan: the pattern must be pingpong or pairs");
}

static void entry_read(struct reader *r, const struct spot *spot, const struct machine *machine,
                       struct machine_entry *entry)
{
    static const char *const operations[] = {"MPI_Send", "MPI_Isend"};
    static const char *const patterns[] = {
#define X(name) #name,
        PATTERN_LIST(X)
#undef X
    };
    struct field fields[] = {
#define X(name, required) {#name, required, {0}},
        ENTRY_LIST(X)
#undef X
    };
    entry->pattern = PATTERN_pairs;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    int choice;
    if (fields[ENTRY_operation].spot.node &&
        choice_read(r, &fields[ENTRY_operation].spot, "operation", operations, 2, &choice))
        entry->operation = choice == 0 ? SEND_BLOCKING : SEND_NONBLOCKING;
    if (fields[ENTRY_pattern].spot.node &&
        choice_read(r, &fields[ENTRY_pattern].spot, "pattern", patterns, sizeof patterns / sizeof *patterns, &choice))
        entry->pattern = (enum pattern)choice;
    entry_shape_read(r, spot, fields, machine, entry);
    entry_transport_read(r, &fields[ENTRY_transport].spot, entry);
    if (fields[ENTRY_sizes].spot.node)
        sizes_read(r, &fields[ENTRY_sizes].spot, entry);
}

/* An entry and where it stands, sorted to find two of one kind. */
struct entry_ref {
    const struct machine_entry *entry;
    size_t index;
};

static int entry_compare_kind(const struct machine_entry *a, const struct machine_entry *b)
{
    const int x[] = {(int)a->operation, (int)a->pattern, a->nodes, a->ppn, a->level};
    const int y[] = {(int)b->operation, (int)b->pattern, b->nodes, b->ppn, b->level};
    for (int i = 0; i < 5; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int entry_compare(const void *a, const void *b)
{
    const struct entry_ref *x = a, *y = b;
    int order = entry_compare_kind(x->entry, y->entry);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void entries_compare(struct reader *r, const struct spot *list, const struct machine *machine)
{
    struct entry_ref *refs = alloc_array(machine->n_entries, sizeof *refs);
    for (size_t i = 0; i < machine->n_entries; i++)
        refs[i] = (struct entry_ref){&machine->entries[i], i};
    qsort(refs, machine->n_entries, sizeof *refs, entry_compare);
    for (size_t i = 1; i < machine->n_entries; i++) {
        struct spot item = spot_item(list, refs[i].index);
        if (refs[i].entry->nodes && refs[i].entry->ppn && entry_compare_kind(refs[i - 1].entry, refs[i].entry) == 0)
            spot_error(r, &item,
                       "the same operation, pattern, nodes, processes_per_node and level as point_to_point[%zu]",
                       refs[i - 1].index);
    }
    free(refs);
}

static void point_to_point_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    if (!list_check(r, spot, LIST_ANY, "a list of measurements"))
        return;
    machine->n_entries = spot->node->n;
    machine->entries = alloc_zeroed(machine->n_entries, sizeof *machine->entries);
    for (size_t i = 0; i < machine->n_entries; i++) {
        struct spot item = spot_item(spot, i);
        entry_read(r, &item, machine, &machine->entries[i]);
    }
    entries_compare(r, spot, machine);
}

/* ---- transports ---- */

static void rendezvous_read(struct reader *r, const struct spot *spot, struct machine_transport *transport)
{
    static const char *const names[] = {
#define X(name) #name,
        RENDEZVOUS_LIST(X)
#undef X
    };
    int choice;
    if (!choice_read(r, spot, "rendezvous", names, N_RENDEZVOUS, &choice))
        return;
    transport->has_rendezvous = true;
    transport->rendezvous = (enum rendezvous)choice;
}

/* Whoever sends himself something has nobody to wait for: the last key is none of `self`. */
static void transport_read(struct reader *r, const struct spot *spot, enum transport which,
                           struct machine_transport *transport)
{
    struct field fields[] = {{"eager_limit", false, {0}}, {"rendezvous", false, {0}}};
    if (!fields_take(r, spot, fields, which == TRANSPORT_node ? 2 : 1))
        return;
    if (fields[0].spot.node)
        transport->has_eager_limit = whole_read(r, &fields[0].spot, 0, INT64_MAX, &transport->eager_limit);
    if (fields[1].spot.node)
        rendezvous_read(r, &fields[1].spot, transport);
}

static void connect_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct machine_connect *connect = &machine->connect;
    struct field fields[] = {{"message", true, {0}}, {"call", false, {0}}, {"late", false, {0}}, {"shared", false, {0}},
                             {"listen", false, {0}}};
    double *const times[] = {&connect->message, &connect->call, &connect->late, &connect->shared, &connect->listen};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (fields[i].spot.node)
            time_read(r, &fields[i].spot, SIGN_NOT_NEGATIVE, times[i]);
    machine->has_connect = true;
}

static void network_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"connect", false, {0}}};
    if (fields_take(r, spot, FIELDS(fields)) && fields[0].spot.node)
        connect_read(r, &fields[0].spot, machine);
}

/* Of messages between nodes the eager limit stands at the top. */
static void transports_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(name, messages) {#name, false, {0}},
        TRANSPORT_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[TRANSPORT_network].spot.node)
        network_read(r, &fields[TRANSPORT_network].spot, machine);
    for (size_t i = TRANSPORT_network + 1; i < N_TRANSPORTS; i++)
        if (fields[i].spot.node)
            transport_read(r, &fields[i].spot, (enum transport)i, &machine->transports[i]);
}

/* ---- ports ---- */

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

static void node_ports_read(struct reader *r, const struct field fields[N_PORT_KEYS], struct machine_ports *ports)
{
    for (int i = 0; i < N_PORT_CURVES; i++)
        if (fields[i].spot.node)
            curve_read(r, &fields[i].spot, CURVE_OF_TIMES, port_curve(ports, i));
    if (fields[PORT_credit].spot.node)
        fitted_time_read(r, &fields[PORT_credit].spot, SIGN_NOT_NEGATIVE, &ports->credit);
    length_read(r, &fields[PORT_frame].spot, &ports->frame);
    length_read(r, &fields[PORT_window].spot, &ports->window);
    if (fields[PORT_buffer].spot.node)
        fitted_time_read(r, &fields[PORT_buffer].spot, SIGN_NOT_NEGATIVE, &ports->buffer);
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
    node_ports_read(r, fields, own);
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

static void ports_read(struct reader *r, const struct spot *spot, struct machine *machine)
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
    node_ports_read(r, fields, &machine->ports);
    if (fields[SHARED_BY].spot.node && choice_read(r, &fields[SHARED_BY].spot, "scope", scopes, 2, &choice))
        machine->ports_per_process = choice == 1;
    if (fields[PER_NODE].spot.node)
        per_node_read(r, &fields[PER_NODE].spot, machine);
    if (fields[COMMON_GAP].spot.node)
        curve_read(r, &fields[COMMON_GAP].spot, CURVE_OF_TIMES, &machine->common_gap);
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

/* ---- collectives ---- */

static void collective_time_read(struct reader *r, const struct spot *spot, struct machine_collective_time *time)
{
    struct field fields[] = {
        {"numprocs", true, {0}}, {"bytes", true, {0}}, {"time", true, {0}}, {"root_time", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[0].spot.node)
        int_read(r, &fields[0].spot, 1, INT_MAX, &time->numprocs);
    if (fields[1].spot.node)
        whole_read(r, &fields[1].spot, 0, INT64_MAX, &time->bytes);
    if (fields[2].spot.node)
        distribution_read(r, &fields[2].spot, &time->time);
    if (fields[3].spot.node)
        time->has_root_time = distribution_read(r, &fields[3].spot, &time->root_time);
}

static void collective_times_read(struct reader *r, const struct spot *spot, struct machine_collective *collective)
{
    if (!list_check(r, spot, LIST_ANY, "a list of measurements"))
        return;
    size_t n = spot->node->n;
    collective->n_measured = n;
    collective->measured = alloc_zeroed(n, sizeof *collective->measured);
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        struct machine_collective_time *times = collective->measured;
        collective_time_read(r, &item, &times[i]);
        for (size_t j = 0; j < i; j++)
            if (times[i].numprocs > 0 && times[i].numprocs == times[j].numprocs && times[i].bytes == times[j].bytes) {
                spot_error(r, &item, "two entries for numprocs %d and %lld bytes", times[i].numprocs,
                           (long long)times[i].bytes);
                break;
            }
    }
}

static void algorithm_read(struct reader *r, const struct spot *spot, enum collective_op op,
                           struct machine_collective *collective)
{
    const char *text;
    enum algorithm algorithm;
    int64_t segment;
    struct diags wrong = DIAGS_EMPTY;
    if (!text_read(r, spot, "the name of an algorithm", &text))
        return;
    if (algorithm_parse(text, op, place_of_file(NULL), &algorithm, &segment, &wrong) == STATUS_OK)
        collective->algorithm = alloc_string(text);
    else
        spot_error(r, spot, "%s", diag_message(&wrong, 0));
    diags_free(&wrong);
}

/* measured: has the entry measured times? */
static void collective_model_read(struct reader *r, const struct spot *spot, const struct machine *machine,
                                  bool measured, struct machine_collective *collective)
{
    static const char *const models[] = {
#define X(name, given, formula) #name,
        MODEL_LIST(X)
#undef X
    };
    int choice;
    if (!choice_read(r, spot, "model", models, sizeof models / sizeof *models, &choice))
        return;
    struct place place = yaml_tree_place(r->tree, spot->node);
    collective->model = alloc_string(models[choice]);
    collective->model_line = place.line;
    collective->model_column = place.column;
    if (choice == 0 && !measured)
        spot_error(r, spot, "no key `measured` beside it, whose times it names");
    else if (choice > 0 && !model_is_given(machine, models[choice]))
        spot_error(r, spot, "`models` of this file has no `%s`, whose parameters it needs", models[choice]);
}

static void collective_read(struct reader *r, const struct spot *spot, enum collective_op op,
                            const struct machine *machine, struct machine_collective *collective)
{
    struct field fields[] = {{"algorithm", false, {0}}, {"model", false, {0}}, {"measured", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (!spot_is_meant(&fields[0].spot) && !spot_is_meant(&fields[1].spot) && !spot_is_meant(&fields[2].spot))
        spot_error(r, spot, "expected `algorithm`, `model` or `measured`");
    if (fields[0].spot.node)
        algorithm_read(r, &fields[0].spot, op, collective);
    if (fields[1].spot.node)
        collective_model_read(r, &fields[1].spot, machine, spot_is_meant(&fields[2].spot), collective);
    if (fields[2].spot.node && collective_op_is_local(op))
        spot_error(r, &fields[2].spot,
                   "what an operation among neighbours takes depends on who they are: one time for all "
                   "communicators of a size cannot stand for it");
    else if (fields[2].spot.node)
        collective_times_read(r, &fields[2].spot, collective);
}

static void collectives_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(name, sizes, like, who) {#name, false, {0}},
        COLLECTIVE_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    machine->collectives = alloc_zeroed(sizeof fields / sizeof *fields, sizeof *machine->collectives);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].spot.node) {
            struct machine_collective *collective = &machine->collectives[machine->n_collectives++];
            collective->operation = alloc_string(fields[i].name);
            collective_read(r, &fields[i].spot, (enum collective_op)i, machine, collective);
        }
}

/* ---- computations and factors ---- */

static void serial_row_read(struct reader *r, const struct spot *spot, size_t i, struct machine_serial *serial)
{
    static const struct range any = {-HUGE_VAL, HUGE_VAL, "a number"};
    struct spot row = spot_item(spot, i);
    if (!list_check(r, &row, 2, "a pair [argument, time]"))
        return;
    struct spot argument = spot_item(&row, 0), time = spot_item(&row, 1);
    bool good = number_read(r, &argument, any, &serial->argument[i]);
    if (good && i > 0 && serial->argument[i] <= serial->argument[i - 1])
        spot_error(r, &argument, "%g after %g: arguments must ascend", serial->argument[i], serial->argument[i - 1]);
    distribution_read(r, &time, &serial->times[i]);
}

static void serials_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    char found[FOUND_BYTES];
    if (spot->node->kind != YAML_KIND_MAP) {
        spot_error(r, spot, "expected a map from names to times, found %s", node_found(spot->node, found));
        return;
    }
    machine->n_serials = spot->node->n;
    machine->serials = alloc_zeroed(machine->n_serials, sizeof *machine->serials);
    for (size_t i = 0; i < machine->n_serials; i++) {
        struct spot pair = spot_pair(spot, i);
        struct machine_serial *serial = &machine->serials[i];
        serial->name = alloc_string(pair.key->text);
        bool table = pair.node->kind == YAML_KIND_LIST;
        serial->n = table ? pair.node->n : 0;
        serial->argument = alloc_zeroed(serial->n, sizeof *serial->argument);
        serial->times = alloc_zeroed(serial->n ? serial->n : 1, sizeof *serial->times);
        if (!table)
            distribution_read(r, &pair, &serial->times[0]);
        else if (serial->n == 0)
            spot_error(r, &pair, "expected a list of [argument, time], found an empty list");
        for (size_t row = 0; row < serial->n; row++)
            serial_row_read(r, &pair, row, serial);
    }
}

static void factors_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const struct range factor = {1e-300, HUGE_VAL, "a factor above 0"};
    if (!list_check(r, spot, LIST_ANY, "a list of factors, one per node"))
        return;
    machine->n_factors = spot->node->n;
    machine->factors = alloc_zeroed(machine->n_factors, sizeof *machine->factors);
    if (machine->nodes && machine->n_factors > (size_t)machine->nodes)
        spot_error(r, spot, "%zu factors for %d nodes", machine->n_factors, machine->nodes);
    for (size_t i = 0; i < machine->n_factors; i++) {
        struct spot item = spot_item(spot, i);
        fitted_number_read(r, &item, factor, &machine->factors[i]);
    }
}

/* Factors are plain numbers: one with a unit, or in the unit of something else, is far from 1. */
static void variability_factor_read(struct reader *r, const struct spot *spot, struct distribution *factor)
{
    static const double most = 10;
    if (!distribution_read(r, spot, factor))
        return;
    if (factor->average > most || factor->average < 1 / most) {
        spot_error(r, spot, "factors on Serial times are about 1, found an average of %g", factor->average);
        distribution_free(factor);
    }
}

static void variability_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(scope) {#scope, false, {0}},
        VARIABILITY_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    for (int scope = 0; scope < N_VARIABILITIES; scope++)
        if (fields[scope].spot.node) {
            machine->has_variability[scope] = true;
            variability_factor_read(r, &fields[scope].spot, &machine->variability[scope]);
        }
}

static void model_error_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const struct range part = {0, 1, "a number from 0 to 1"}, times = {1.1, 100, "a number from 1.1 to 100"},
                              power = {0.1, 1, "a number from 0.1 to 1"};
    struct field fields[] = {{"communication", false, {0}}, {"computation", false, {0}}, {"runs", false, {0}},
                             {"stretch", false, {0}},       {"elsewhere", false, {0}},   {"spread_power", false, {0}},
                             {"share_power", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (!spot_is_meant(&fields[0].spot) && !spot_is_meant(&fields[1].spot))
        spot_error(r, spot, "missing key `communication` or `computation`: which part of it is wrong?");
    for (int i = 3; i < 7; i += i == 3 ? 2 : 1) /* stretch, spread_power and share_power */
        if (fields[i].spot.node && !spot_is_meant(&fields[0].spot))
            spot_error(r, &fields[i].spot, "says how `communication` counts, which is missing");
    machine->has_model_error = true;
    if (fields[0].spot.node)
        number_read(r, &fields[0].spot, part, &machine->model_error.communication);
    if (fields[1].spot.node)
        number_read(r, &fields[1].spot, part, &machine->model_error.computation);
    if (fields[2].spot.node)
        int_read(r, &fields[2].spot, 1, INT_MAX, &machine->model_error.runs);
    if (fields[3].spot.node)
        number_read(r, &fields[3].spot, times, &machine->model_error.stretch);
    if (fields[4].spot.node)
        int_read(r, &fields[4].spot, 1, INT_MAX, &machine->model_error.elsewhere);
    if (fields[5].spot.node)
        number_read(r, &fields[5].spot, part, &machine->model_error.spread_power);
    if (fields[6].spot.node)
        number_read(r, &fields[6].spot, power, &machine->model_error.share_power);
}

static void reduction_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"gamma", true, {0}}};
    if (fields_take(r, spot, FIELDS(fields)) && fields[0].spot.node)
        machine->has_reduction = fitted_time_read(r, &fields[0].spot, SIGN_NOT_NEGATIVE, &machine->reduction_gamma);
}

/* ---- the whole ---- */

static void time_unit_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const char *const names[] = {
#define X(name, seconds) #name,
        TIME_UNIT_LIST(X)
#undef X
    };
    int choice;
    if (choice_read(r, spot, "unit", names, sizeof names / sizeof *names, &choice))
        machine->time_unit = units_time_unit(names[choice], strlen(names[choice]));
}

/* A file of a later version is refused before anything else of it is judged. */
static bool version_check(struct reader *r, const struct spot *root, struct machine *machine)
{
    for (size_t i = 0; root->node->kind == YAML_KIND_MAP && i < root->node->n; i++) {
        struct spot pair = spot_pair(root, i);
        int64_t version;
        if (strcmp(pair.key->text, "pevpm_machine") != 0)
            continue;
        if (!whole_read(r, &pair, 1, INT64_MAX, &version))
            return true;
        if (version > FORMAT_VERSION)
            spot_error(r, &pair, "this file is written by a later version (format %lld; this one reads %d)",
                       (long long)version, FORMAT_VERSION);
        machine->version = version <= FORMAT_VERSION ? (int)version : 0;
        return version <= FORMAT_VERSION;
    }
    return true;
}

/* X(key, required): what stands at the top. */
#define TOP_LIST(X)                                                                                            \
    X(pevpm_machine, true) X(name, true) X(time_unit, false) X(nodes, true) X(processes_per_node, false)       \
    X(eager_limit, false) X(transports, false) X(progress, false) X(mpi, false) X(launches, false)             \
    X(provenance, false) X(point_to_point, false) X(ports, false) X(topology, false) X(resources, false)       \
    X(rests, false) X(handshakes, false) X(send_buffer, false) X(congestion, false)                            \
    X(collectives, false) X(reduction, false)                                                                  \
    X(serial, false) X(node_time_factor, false) X(serial_variability, false) X(model_error, false)             \
    X(models, false) X(decisions, false)
enum top {
#define X(name, required) TOP_##name,
    TOP_LIST(X)
#undef X
};

/* What one version says in one way and the other in another. */
static void versions_keep(struct reader *r, struct field fields[], int version)
{
    static const enum top later[] = {TOP_topology, TOP_resources, TOP_rests, TOP_handshakes, TOP_send_buffer,
                                    TOP_congestion};
    if (version >= 2 && fields[TOP_ports].spot.node) {
        spot_error(r, &fields[TOP_ports].spot,
                   "format 2 has `resources` instead: `pevpm-sim convert` rewrites a file of "
                   "format 1");
        fields[TOP_ports].spot.node = NULL;
    }
    for (size_t i = 0; version < 2 && i < sizeof later / sizeof *later; i++) {
        if (!fields[later[i]].spot.node)
            continue;
        spot_error(r, &fields[later[i]].spot, "format 2 has this key: the file must begin with `pevpm_machine: 2`");
        fields[later[i]].spot.node = NULL;
    }
}

static void scalars_read(struct reader *r, const struct field fields[], struct machine *machine)
{
    static const char *const progress[] = {"none", "async"};
    static const char *const libraries[] = {
#define X(name) #name,
        LIBRARY_LIST(X)
#undef X
    };
    static const char *const congestions[] = {
#define X(name) #name,
        CONGESTION_LIST(X)
#undef X
    };
    const char *text;
    int choice;
    if (fields[TOP_name].spot.node && text_read(r, &fields[TOP_name].spot, "a name", &text))
        machine->name = alloc_string(text);
    if (fields[TOP_time_unit].spot.node)
        time_unit_read(r, &fields[TOP_time_unit].spot, machine);
    if (fields[TOP_nodes].spot.node)
        int_read(r, &fields[TOP_nodes].spot, 1, INT_MAX, &machine->nodes);
    if (fields[TOP_processes_per_node].spot.node)
        int_read(r, &fields[TOP_processes_per_node].spot, 1, INT_MAX, &machine->ppn);
    if (fields[TOP_eager_limit].spot.node)
        whole_read(r, &fields[TOP_eager_limit].spot, 0, INT64_MAX, &machine->eager_limit);
    if (fields[TOP_progress].spot.node &&
        choice_read(r, &fields[TOP_progress].spot, "kind of progress", progress, 2, &choice))
        machine->progress = choice == 0 ? PROGRESS_NONE : PROGRESS_ASYNC;
    if (fields[TOP_mpi].spot.node && choice_read(r, &fields[TOP_mpi].spot, "MPI library", libraries,
                                                 sizeof libraries / sizeof *libraries, &choice)) {
        machine->has_library = true;
        machine->library = (enum mpi_library)choice;
    }
    if (fields[TOP_congestion].spot.node &&
        choice_read(r, &fields[TOP_congestion].spot, "way to avoid congestion", congestions,
                    sizeof congestions / sizeof *congestions, &choice)) {
        machine->has_congestion = true;
        machine->congestion = (enum congestion)choice;
    }
    if (fields[TOP_launches].spot.node)
        int_read(r, &fields[TOP_launches].spot, 1, INT_MAX, &machine->launches);
}

static void top_read(struct reader *r, const struct spot *root, struct machine *machine)
{
    static const struct {
        enum top key;
        void (*read)(struct reader *, const struct spot *, struct machine *);
    } sections[] = { /* collectives name models */
        {TOP_transports, transports_read},
        {TOP_point_to_point, point_to_point_read},  {TOP_ports, ports_read},         {TOP_topology, topology_read},
        {TOP_resources, resources_read},            {TOP_rests, rests_read},         {TOP_models, models_read},
        {TOP_handshakes, handshakes_read},          {TOP_send_buffer, send_buffer_read},
        {TOP_collectives, collectives_read},        {TOP_reduction, reduction_read}, {TOP_serial, serials_read},
        {TOP_node_time_factor, factors_read},       {TOP_serial_variability, variability_read},
        {TOP_model_error, model_error_read},        {TOP_decisions, decisions_read},
    };
    struct field fields[] = {
#define X(name, required) {#name, required, {0}},
        TOP_LIST(X)
#undef X
    };
    if (!version_check(r, root, machine) || !fields_take(r, root, FIELDS(fields)))
        return;
    r->is_told = fields[TOP_provenance].spot.node;
    versions_keep(r, fields, machine->version);
    scalars_read(r, fields, machine);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (fields[sections[i].key].spot.node)
            sections[i].read(r, &fields[sections[i].key].spot, machine);
    if (r->source && fields[TOP_provenance].spot.node)
        machine_source_keep_notes(r->source, fields[TOP_provenance].spot.node);
}

static enum status text_take(struct machine **machine, struct machine_source *source, const char *name,
                             const char *text, size_t length, struct diags *diags)
{
    *machine = NULL;
    struct yaml_tree tree;
    bool is_told = false;
    if (whole_is_cut(name, text, length, diags))
        return STATUS_SYNTAX;
    enum status status = yaml_tree_read(&tree, name, text, length, diags);
    if (status == STATUS_OK && !tree.root) {
        diag_error(diags, place_of_file(name), "an empty file; a machine file begins with `pevpm_machine: 1`");
        status = STATUS_SCHEMA;
    }
    if (status == STATUS_OK) {
        struct reader r = {.tree = &tree, .diags = diags, .source = source};
        struct spot root = {.node = tree.root};
        struct machine *made = alloc_zeroed(1, sizeof *made);
        *made = (struct machine){.path = alloc_string(name), .time_unit = 1, .ppn = 1, .eager_limit = INT64_MAX};
        top_read(&r, &root, made);
        if (r.errors + tree.repeated_keys == 0) {
            *machine = made;
            is_told = r.is_told;
        } else {
            machine_destroy(made);
            status = STATUS_SCHEMA;
        }
    }
    if (is_told || whole_error_is_last(text, length, diags))
        whole_doubt(name, text, length, diags);
    yaml_tree_free(&tree);
    return status;
}

enum status machine_read_text(struct machine **machine, const char *name, const char *text, size_t length,
                              struct diags *diags)
{
    return text_take(machine, NULL, name, text, length, diags);
}

static enum status too_large(struct diags *diags, const char *name)
{
    diag_error(diags, place_of_file(name), "larger than %u MiB, the most that is read as a machine file",
               MACHINE_FILE_MOST >> 20);
    return STATUS_SCHEMA;
}

/* The whole stream in *text, to be freed in any case. */
static enum status stream_read(FILE *stream, const char *name, char **text, size_t *length, struct diags *diags)
{
    struct stat about;
    *text = NULL;
    *length = 0;
    if (fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > (off_t)MACHINE_FILE_MOST)
        return too_large(diags, name);
    size_t capacity = 1 << 16, n;
    *text = alloc_array(capacity, 1);
    while ((n = fread(*text + *length, 1, capacity - *length, stream)) > 0) {
        *length += n;
        if (*length > MACHINE_FILE_MOST)
            return too_large(diags, name);
        if (*length == capacity)
            *text = alloc_resize(*text, capacity *= 2, 1);
    }
    if (!ferror(stream))
        return STATUS_OK;
    diag_error(diags, place_of_file(name), "cannot read: %s", strerror(errno));
    return STATUS_IO;
}

enum status machine_read_whole(struct machine **machine, struct machine_source *source, const char *path,
                               struct diags *diags)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *name = standard_input ? "standard input" : path;
    *machine = NULL;
    FILE *stream = standard_input ? stdin : fopen(path, "rb");
    if (!stream)
        return infile_refuse(name, errno, diags);
    char *text;
    size_t length;
    enum status status = stream_read(stream, name, &text, &length, diags);
    if (!standard_input)
        fclose(stream);
    if (status == STATUS_OK)
        status = text_take(machine, source, name, text, length, diags);
    free(text);
    return status;
}

enum status machine_read(struct machine **machine, const char *path, struct diags *diags)
{
    return machine_read_whole(machine, NULL, path, diags);
}
