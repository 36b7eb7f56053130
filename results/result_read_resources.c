/* What messages wait for, from a machine file: the lines that result_write_resources.c writes, each as what it was. */
#include "results/result_read_impl.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what cannot be kept ---- */

static bool is_port(const struct machine_resource *line)
{
    return line->scope <= RESOURCE_OF_node && line->transport == TRANSPORT_network;
}

/* What a line says that a result has no place for; NULL: nothing. */
static const char *not_kept(const struct machine_resource *line)
{
    if (line->transport == TRANSPORT_node) {
        if (line->scope != RESOURCE_OF_node || line->direction != RESOURCE_both)
            return "`transport: node` without `scope: node` and `direction: both`";
        if (line->of || line->credit > 0 || line->acknowledgements.n > 0 || line->has_overflow)
            return "`transport: node` with more than `demand` and `frame`";
    } else if (line->scope == RESOURCE_OF_socket || line->transport == TRANSPORT_socket) {
        return "what processes of a socket share";
    } else if (line->scope != RESOURCE_OF_all && line->direction == RESOURCE_both) {
        return "`direction: both`";
    } else if (line->rails > 1) {
        return "`rails`";
    } else if (!is_port(line) && line->credit > 0) {
        return "`credit` of anything but ports";
    } else if (line->scope == RESOURCE_OF_all && line->has_overflow) {
        return "`buffer` of `scope: all`";
    } else if (line->scope == RESOURCE_OF_group && line->n_groups != 1) {
        return "one line for several groups";
    }
    return NULL;
}

static enum status lines_check(const struct reading *r)
{
    for (size_t i = 0; i < r->machine->n_resources; i++) {
        const char *what = not_kept(&r->machine->resources[i]);
        if (!what)
            continue;
        diag_error(r->diags, place_of_file(r->machine->path), "resources[%zu]: %s: pevpm-bench writes no such resource "
                   "and would lose it", i, what);
        return STATUS_SCHEMA;
    }
    if (r->machine->hosts)
        diag_warning(r->diags, place_of_file(r->machine->path), "the names in `topology: hosts` are left out: "
                     "pevpm-bench numbers nodes");
    return STATUS_OK;
}

/* ---- curves ---- */

/* Of a line that nothing was measured for the file says that it costs nothing. */
static bool is_empty(const struct machine_curve *curve)
{
    return curve->n == 1 && curve->bytes[0] <= 0 && curve->time[0] <= 0;
}

/* Where a point of a line's curves belongs. */
typedef struct port_point *point_of(struct result *result, size_t part, int64_t bytes);

static struct port_point *port_point_of(struct result *result, size_t class, int64_t bytes)
{
    return class == 0 ? result_port(result, bytes) : result_class_port(result, class, bytes);
}

static struct port_point *bus_point_of(struct result *result, size_t part, int64_t bytes)
{
    (void)part;
    return result_bus(result, bytes);
}

static void curve_take(struct result *result, point_of *of, size_t part, const struct machine_curve *curve,
                       enum port_gap field)
{
    for (size_t i = 0; i < curve->n && !is_empty(curve); i++)
        of(result, part, (int64_t)curve->bytes[i])->gap[field] = curve->time[i];
}

static void curves_take(struct result *result, point_of *of, size_t part, const struct machine_resource *line)
{
    curve_take(result, of, part, &line->demand, line->direction == RESOURCE_in ? PORT_IN : PORT_OUT);
    curve_take(result, of, part, &line->acknowledgements, PORT_REVERSE);
}

/* ---- ports ---- */

static bool same_nodes(const struct node_set *a, const struct node_set *b)
{
    return node_set_is_part(a, b) && node_set_is_part(b, a);
}

static bool same_curve(const struct machine_curve *a, const struct machine_curve *b)
{
    return a->n == b->n && (a->n == 0 || (memcmp(a->bytes, b->bytes, a->n * sizeof *a->bytes) == 0 &&
                                          memcmp(a->time, b->time, a->n * sizeof *a->time) == 0));
}

/* The lines of out ports, of which each class of nodes has one: the first is class 0's. In a file of format 1, whose
 * nodes came one by one, class 0 is that of `ports`. [*n]; the caller frees it. */
static const struct machine_resource **classes_find(const struct machine *machine, size_t *n)
{
    const struct machine_resource **lines = alloc_array(machine->n_resources, sizeof *lines);
    *n = 0;
    for (size_t i = 0; i < machine->n_resources; i++)
        if (is_port(&machine->resources[i]) && machine->resources[i].direction == RESOURCE_out)
            lines[(*n)++] = &machine->resources[i];
    for (size_t i = 0; i < *n && machine->n_node_ports > 0; i++)
        if (same_curve(&lines[i]->demand, &machine->ports.out_gap) && lines[i]->credit == machine->ports.credit) {
            const struct machine_resource *first = lines[i];
            memmove(&lines[1], &lines[0], i * sizeof *lines);
            lines[0] = first;
            break;
        }
    return lines;
}

/* The line of in ports of the same nodes; NULL: none. */
static const struct machine_resource *in_port_find(const struct machine *machine, const struct machine_resource *out)
{
    for (size_t i = 0; i < machine->n_resources; i++)
        if (is_port(&machine->resources[i]) && machine->resources[i].direction == RESOURCE_in &&
            same_nodes(&machine->resources[i].nodes, &out->nodes))
            return &machine->resources[i];
    return NULL;
}

/* Which class each node is of. STATUS_SCHEMA: one is of none. */
static enum status classes_take(const struct reading *r, size_t n, const struct machine_resource *const lines[])
{
    const int nodes = r->machine->nodes;
    int *class_of = alloc_array((size_t)nodes, sizeof *class_of), unknown = -1;
    for (int node = 0; node < nodes; node++) {
        class_of[node] = -1;
        for (size_t class = 0; class < n; class++)
            if (node_set_has(&lines[class]->nodes, node))
                class_of[node] = (int)class;
        unknown = class_of[node] < 0 && unknown < 0 ? node : unknown;
    }
    if (unknown < 0)
        result_classes(r->result, n, class_of);
    else
        diag_error(r->diags, place_of_file(r->machine->path), "`resources`: node %d has no out port, though others "
                   "have one: pevpm-bench has not written this", unknown);
    free(class_of);
    return unknown < 0 ? STATUS_OK : STATUS_SCHEMA;
}

/* All lines with a buffer have the same overflow. */
static enum status overflow_take(const struct reading *r, const struct machine_resource *line, double *buffer)
{
    if (!line->has_overflow || *buffer > 0)
        return STATUS_OK;
    *buffer = line->buffer;
    return r->result->overflow.count > 0
               ? STATUS_OK
               : reading_histogram(r, &line->overflow, "overflow", &r->result->overflow);
}

static enum status ports_take(const struct reading *r)
{
    size_t n;
    const struct machine_resource **lines = classes_find(r->machine, &n);
    enum status status = n > 0 && lines[0]->nodes.n > 0 ? classes_take(r, n, lines) : STATUS_OK;
    for (size_t class = 0; class < n && status == STATUS_OK; class++) {
        const struct machine_resource *in = in_port_find(r->machine, lines[class]);
        curves_take(r->result, port_point_of, class, lines[class]);
        *(class == 0 ? &r->result->credit : &r->result->classes[class].credit) = lines[class]->credit;
        r->result->ports_per_process = lines[class]->scope == RESOURCE_OF_process;
        r->result->frame = (int)lines[class]->frame;
        if (!in) {
            diag_error(r->diags, place_of_file(r->machine->path), "`resources`: there is no in port of the nodes that "
                       "have an out port: pevpm-bench has not written this");
            status = STATUS_SCHEMA;
            break;
        }
        curve_take(r->result, port_point_of, class, &in->demand, PORT_IN);
        status = overflow_take(r, in, &r->result->buffer);
    }
    free(lines);
    return status;
}

/* ---- groups ---- */

static bool is_outer(const struct machine *machine, size_t group)
{
    return machine->groups[group].n_groups > 0;
}

/* How many of the first `end` groups are of nodes, or of groups. */
static size_t groups_before(const struct machine *machine, size_t end, bool outer)
{
    size_t n = 0;
    for (size_t i = 0; i < end; i++)
        n += is_outer(machine, i) == outer;
    return n;
}

/* A result numbers groups of nodes first, then those of groups, each in the file's order. */
static int number_of(const struct machine *machine, size_t group)
{
    const size_t before = groups_before(machine, group, is_outer(machine, group));
    return (int)(is_outer(machine, group) ? groups_before(machine, machine->n_groups, false) + before : before);
}

/* Groups of groups. A group stands in one at most. */
static enum status outer_groups_take(const struct reading *r)
{
    const struct machine *machine = r->machine;
    const size_t outer = groups_before(machine, machine->n_groups, true);
    int *above = alloc_array(machine->n_groups, sizeof *above);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < machine->n_groups; i++)
        above[i] = -1;
    for (size_t i = 0; i < machine->n_groups; i++)
        for (size_t k = 0; k < machine->groups[i].n_groups; k++) {
            int *own = &above[number_of(machine, machine->groups[i].groups[k])];
            if (*own >= 0 && status == STATUS_OK) {
                diag_error(r->diags, place_of_file(machine->path), "`topology: groups`: `%s` is in two groups: pevpm-bench has not "
                           "written this", machine->groups[machine->groups[i].groups[k]].name);
                status = STATUS_SCHEMA;
            }
            *own = number_of(machine, i);
        }
    if (status == STATUS_OK)
        result_outer_groups(r->result, outer, above);
    free(above);
    return status;
}

/* Each node stands in one group of nodes. */
static enum status groups_take(const struct reading *r)
{
    const struct machine *machine = r->machine;
    const size_t n = groups_before(machine, machine->n_groups, false);
    if (machine->n_groups == 0)
        return STATUS_OK;
    int *group_of = alloc_array((size_t)machine->nodes, sizeof *group_of), wrong = -1;
    for (int node = 0; node < machine->nodes; node++) {
        int found = 0;
        for (size_t i = 0; i < machine->n_groups; i++)
            if (!is_outer(machine, i) && node_set_has(&machine->groups[i].nodes, node)) {
                group_of[node] = number_of(machine, i);
                found++;
            }
        wrong = found != 1 && wrong < 0 ? node : wrong;
    }
    if (wrong < 0 && n > 1)
        result_groups(r->result, n, group_of);
    else
        diag_error(r->diags, place_of_file(machine->path), "`topology: groups`: node %d is not in one of several "
                   "groups: pevpm-bench has not written this", wrong < 0 ? 0 : wrong);
    free(group_of);
    return wrong < 0 && n > 1 ? outer_groups_take(r) : STATUS_SCHEMA;
}

/* A rest as long as waking takes is none that was measured (result_write_resources.c). */
static void common_take(struct result *result, const struct machine_resource *line)
{
    result->common_gap = machine_curve_at(&line->demand, 0);
    for (size_t i = 0; i < line->wake.n; i++)
        if (line->wake.bytes[i] != line->wake.time[i])
            result_rest(result, reading_ns(line->wake.bytes[i]))->wake = line->wake.time[i];
}

static enum status shared_take(const struct reading *r)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < r->machine->n_resources && status == STATUS_OK; i++) {
        const struct machine_resource *line = &r->machine->resources[i];
        if (line->transport == TRANSPORT_node)
            curves_take(r->result, bus_point_of, 0, line);
        else if (line->scope == RESOURCE_OF_group)
            curves_take(r->result, result_trunk, (size_t)number_of(r->machine, line->groups[0]), line);
        else if (line->scope == RESOURCE_OF_all)
            common_take(r->result, line);
        if (line->scope == RESOURCE_OF_group)
            status = overflow_take(r, line, &r->result->trunk_buffer);
    }
    return status;
}

/* ---- rests ---- */

/* The file also says that no rest delays nothing, see result_write_resources.c. */
static void rests_take(const struct reading *r)
{
    const struct machine_curve *curve = &r->machine->rest_delay;
    for (size_t i = 0; i < curve->n; i++)
        if (curve->bytes[i] > 0)
            result_rest(r->result, reading_ns(curve->bytes[i]))->delay = curve->time[i];
    r->result->measured_after = r->machine->measured_after;
}

/* Of a curve with more points than the bench measures, as a person may write, some: the first and the last among them. */
static void handshakes_take(const struct reading *r)
{
    const bool told = r->machine->has_handshakes;
    r->result->known = told ? r->machine->known : NAN;
    r->result->known_after_rest = told ? r->machine->known_after_rest : NAN;
    const struct machine_curve *curve = &r->machine->known_after_wait;
    for (size_t i = 0; i < curve->n && curve->n <= EXCHANGE_WAITS; i++) {
        r->result->waited[i] = curve->bytes[i];
        r->result->known_after_wait[i] = curve->time[i];
    }
    for (size_t i = 0; i < EXCHANGE_WAITS && curve->n > EXCHANGE_WAITS; i++) {
        const size_t point = i * (curve->n - 1) / (EXCHANGE_WAITS - 1);
        r->result->waited[i] = curve->bytes[point];
        r->result->known_after_wait[i] = curve->time[point];
    }
}

/* Of a curve that a person wrote, what it says of the same numbers of bytes. A host that holds all of its first pair
 * takes so much at once. */
static void send_buffer_take(const struct reading *r)
{
    const struct machine_curve *curve = &r->machine->send_buffer;
    const bool has_first = curve->n > 1 && curve->time[0] >= curve->bytes[0];
    r->result->held_first = has_first ? curve->bytes[0] : NAN;
    for (int i = 0; i < SOCKET_POINTS; i++) {
        const double given = (double)socket_given(i);
        const bool told = curve->n > 0 && given >= curve->bytes[has_first] && given <= curve->bytes[curve->n - 1];
        r->result->held[i] = told ? machine_curve_at(curve, given) : NAN;
    }
}

enum status reading_resources(const struct reading *r)
{
    enum status status = lines_check(r);
    if (status == STATUS_OK)
        status = ports_take(r);
    if (status == STATUS_OK)
        status = groups_take(r);
    if (status == STATUS_OK)
        status = shared_take(r);
    if (status != STATUS_OK)
        return status;
    rests_take(r);
    handshakes_take(r);
    send_buffer_take(r);
    r->result->has_congestion = r->machine->has_congestion;
    r->result->congestion = r->machine->congestion;
    return STATUS_OK;
}
