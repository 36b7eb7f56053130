/* What messages wait for, as a result has found it: ports, trunks, the bus of a node, what all nodes have in common. */
#include "results/result_write_impl.h"

#include <math.h>
#include <stdlib.h>

/* ---- lines ---- */

/* The last slope goes on: where the last two, by chance, are the other way round, large messages would take nothing. */
static void last_slope_raise(struct machine_curve *curve)
{
    if (curve->n > 1)
        curve->time[curve->n - 1] = fmax(curve->time[curve->n - 1], curve->time[curve->n - 2]);
}

static void curve_make(struct writing *w, struct machine_curve *curve, const struct class_ports *from,
                       enum port_gap field, int launches)
{
    curve->bytes = alloc_array(from->n, sizeof *curve->bytes);
    curve->time = alloc_array(from->n, sizeof *curve->time);
    for (size_t i = 0; i < from->n; i++) {
        const struct port_point *point = &from->points[i];
        if (isnan(point->gap[field]))
            continue;
        curve->bytes[curve->n] = (double)point->bytes;
        curve->time[curve->n] = writing_rounded(point->gap[field]);
        writing_fitted(w, &curve->time[curve->n++], point->ci95[field], launches);
    }
    last_slope_raise(curve);
}

/* The next line; what it is kept busy for is in the field `demand` of the curves. */
static struct machine_resource *line_add(struct writing *w, const struct result *result, enum resource_scope scope,
                                         enum resource_direction direction, const struct class_ports *curves,
                                         enum port_gap demand)
{
    struct machine_resource *line = &w->machine->resources[w->machine->n_resources++];
    *line = (struct machine_resource){.scope = scope, .direction = direction, .transport = TRANSPORT_network,
                                      .frame = result->frame};
    curve_make(w, &line->demand, curves, demand, result->launches);
    curve_make(w, &line->acknowledgements, curves, PORT_REVERSE, result->launches);
    return line;
}

/* ---- ports ---- */

static void buffer_add(struct writing *w, const struct result *result, struct machine_resource *line, double buffer)
{
    if (!(buffer > 0))
        return;
    line->buffer = writing_rounded(buffer);
    line->has_overflow = true;
    writing_histogram(w, &line->overflow, &result->overflow);
}

static struct class_ports ports_of(const struct result *result, size_t class)
{
    return class > 0 ? result->classes[class]
                     : (struct class_ports){.n = result->n_ports, .points = result->ports, .credit = result->credit,
                                            .credit_ci95 = result->credit_ci95};
}

/* A switch has as many bytes for a slow port as for a quick one, which last the longer the slower it is: as the in gaps
 * of the largest size that both classes have. 0: what was found at another class's says nothing of these before both
 * are known. */
static double buffer_scale(const struct result *result, const struct class_ports *ports)
{
    const struct class_ports own = ports_of(result, result->buffer_class);
    double scale = result->buffer_class > 0 ? 0 : 1;
    for (size_t i = 0; i < ports->n; i++)
        for (size_t k = 0; k < own.n; k++)
            if (ports->points[i].bytes == own.points[k].bytes && ports->points[i].bytes > 0 &&
                ports->points[i].gap[PORT_IN] > 0 && own.points[k].gap[PORT_IN] > 0)
                scale = ports->points[i].gap[PORT_IN] / own.points[k].gap[PORT_IN];
    return scale;
}

/* The ports of some nodes, NULL: of all, which the line then holds. */
static void ports_add(struct writing *w, const struct result *result, const struct class_ports *ports,
                      const struct node_set *nodes)
{
    const enum resource_scope scope = result->ports_per_process ? RESOURCE_OF_process : RESOURCE_OF_node;
    struct machine_resource *line = NULL;
    for (enum resource_direction way = RESOURCE_out; way <= RESOURCE_in; way++) {
        line = line_add(w, result, scope, way, ports, way == RESOURCE_out ? PORT_OUT : PORT_IN);
        line->credit = writing_rounded(ports->credit);
        writing_fitted(w, &line->credit, ports->credit_ci95, result->launches);
        if (nodes)
            line->of = node_set_text(nodes);
    }
    buffer_add(w, result, line, result->buffer * buffer_scale(result, ports));
}

/* Of each class, the quickest first; of all nodes as of these where the others' are not known. */
static void all_ports_add(struct writing *w, const struct result *result)
{
    bool are_known = result->n_classes > 1;
    for (size_t class = 1; class < result->n_classes; class++)
        are_known = are_known && result->classes[class].n > 0;
    if (!are_known) {
        const struct class_ports first = ports_of(result, 0);
        ports_add(w, result, &first, NULL);
        return;
    }
    for (size_t class = 0; class < result->n_classes; class++) {
        const struct class_ports ports = ports_of(result, class);
        struct node_set nodes = {0};
        for (int node = 0; node < result->nodes; node++)
            if (result->class_of[node] == (int)class)
                node_set_add(&nodes, node, node);
        ports_add(w, result, &ports, &nodes);
        node_set_free(&nodes);
    }
}

/* ---- what rests do ---- */

struct rest_value {
    double time, ci95;
};

static struct rest_value delay_of(const struct rest_point *rest)
{
    return (struct rest_value){rest->delay, rest->ci95};
}

static struct rest_value wake_of(const struct rest_point *rest)
{
    return (struct rest_value){rest->wake, rest->wake_ci95};
}

/* From [0, 0] on; none where nothing is known. wakes: behind shorter rests than can be measured it is as behind the shortest of these,
 * but nobody sleeps for less than his waking takes: so the curve goes up to [time, time] first. */
static void rest_curve_make(struct writing *w, const struct result *result,
                            struct rest_value (*value_of)(const struct rest_point *), bool wakes, struct machine_curve *curve)
{
    const size_t most = result->n_rests + 2;
    *curve = (struct machine_curve){1, alloc_zeroed(most, sizeof *curve->bytes),
                                    alloc_zeroed(most, sizeof *curve->time)};
    for (size_t i = 0; i < result->n_rests; i++) {
        const struct rest_value value = value_of(&result->rests[i]);
        if (isnan(value.time))
            continue;
        const double rest = writing_seconds(result->rests[i].rest), time = writing_rounded(value.time);
        if (wakes && curve->n == 1 && time < rest) {
            curve->bytes[1] = curve->time[1] = time;
            curve->n++;
        }
        curve->bytes[curve->n] = rest;
        curve->time[curve->n] = time;
        writing_fitted(w, &curve->time[curve->n++], value.ci95, result->launches);
    }
    if (curve->n > 1)
        return;
    free(curve->bytes);
    free(curve->time);
    *curve = (struct machine_curve){0};
}

static void common_add(struct writing *w, const struct result *result)
{
    struct port_point point = {.gap = {result->common_gap, NAN, NAN}, .ci95 = {result->common_ci95, 0, 0}};
    const struct class_ports common = {.n = 1, .points = &point};
    struct machine_curve wake = {0};
    rest_curve_make(w, result, wake_of, true, &wake);
    if (result->common_gap == 0 && wake.n == 0)
        return;
    struct machine_resource *line = line_add(w, result, RESOURCE_OF_all, RESOURCE_both, &common, PORT_OUT);
    line->frame = 0;
    line->wake = wake;
}

/* ---- groups and their trunks ---- */

static void groups_make(struct machine *machine, const struct result *result)
{
    machine->n_groups = result->n_groups + result->n_outer;
    machine->groups = alloc_zeroed(machine->n_groups, sizeof *machine->groups);
    for (size_t i = 0; i < machine->n_groups; i++) {
        struct machine_group *group = &machine->groups[i];
        for (int node = 0; node < result->nodes; node++)
            if (result_group_has(result, (int)i, node))
                node_set_add(&group->nodes, node, node);
        group->name = alloc_format("group%zu", i);
        if (i < result->n_groups) {
            group->text = node_set_text(&group->nodes);
            continue;
        }
        group->groups = alloc_array(i, sizeof *group->groups);
        for (size_t inner = 0; inner < i; inner++)
            if (result->above[inner] == (int)i)
                group->groups[group->n_groups++] = inner;
    }
}

/* The buffer was asked of trunks of groups of nodes. A switch has as many bytes for a quick trunk as for a slow one. */
static double trunk_scale(const struct result *result, size_t group)
{
    const struct class_ports *own = &result->trunks[group];
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < result->n_groups && group >= result->n_groups; i++)
        if (result->trunks[i].n > 0) {
            sum += result->trunks[i].points[result->trunks[i].n - 1].gap[PORT_OUT];
            n++;
        }
    return n > 0 ? own->points[own->n - 1].gap[PORT_OUT] / (sum / (double)n) : 1;
}

/* What overflows was measured on the way out. The other end is a port of a switch, too, and the one at which bursts from
 * several groups meet. */
static void trunks_add(struct writing *w, const struct result *result)
{
    for (size_t i = 0; i < result->n_groups + result->n_outer; i++)
        for (enum resource_direction way = RESOURCE_out; result->trunks[i].n > 0 && way <= RESOURCE_in; way++) {
            struct machine_resource *line = line_add(w, result, RESOURCE_OF_group, way, &result->trunks[i],
                                                     way == RESOURCE_out ? PORT_OUT : PORT_IN);
            line->groups = alloc_array(1, sizeof *line->groups);
            line->groups[line->n_groups++] = i;
            buffer_add(w, result, line, result->trunk_buffer * trunk_scale(result, i));
        }
}

static void bus_add(struct writing *w, const struct result *result)
{
    if (result->bus.n > 0)
        line_add(w, result, RESOURCE_OF_node, RESOURCE_both, &result->bus, PORT_OUT)->transport = TRANSPORT_node;
}

/* ---- rests ---- */

static void rests_make(struct writing *w, const struct result *result)
{
    rest_curve_make(w, result, delay_of, false, &w->machine->rest_delay);
    if (w->machine->rest_delay.n > 0)
        w->machine->measured_after = writing_rounded(result->measured_after);
}

/* The shortest wait that is longer than `last`; INFINITY: there is none. */
static double wait_beyond(const struct result *result, double last)
{
    double shortest = INFINITY;
    for (int i = 0; i < EXCHANGE_WAITS; i++) {
        const double waited = writing_rounded(result->waited[i]);
        if (!isnan(result->known_after_wait[i]) && waited > last && waited < shortest)
            shortest = waited;
    }
    return shortest;
}

/* The mean of the series that waited so long. */
static double known_mean(const struct result *result, double waited)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < EXCHANGE_WAITS; i++)
        if (!isnan(result->known_after_wait[i]) && writing_rounded(result->waited[i]) == waited) {
            sum += result->known_after_wait[i];
            n++;
        }
    return sum / n;
}

/* In the order of the waits, which chance may have changed. */
static void waits_make(struct machine_curve *curve, const struct result *result)
{
    curve->bytes = alloc_zeroed(EXCHANGE_WAITS, sizeof *curve->bytes);
    curve->time = alloc_zeroed(EXCHANGE_WAITS, sizeof *curve->time);
    for (double wait = wait_beyond(result, -INFINITY); wait < INFINITY; wait = wait_beyond(result, wait)) {
        curve->bytes[curve->n] = wait;
        curve->time[curve->n++] = known_mean(result, wait);
    }
}

static void handshakes_make(const struct writing *w, const struct result *result)
{
    if (isnan(result->known) || isnan(result->known_after_rest))
        return;
    w->machine->has_handshakes = true;
    w->machine->known = result->known;
    w->machine->known_after_rest = result->known_after_rest;
    waits_make(&w->machine->known_after_wait, result);
}

static void held_add(struct machine_curve *curve, double given, double held)
{
    curve->bytes[curve->n] = given;
    curve->time[curve->n++] = held;
}

/* Where no send waits what is taken at once tells nothing of those that go on. */
static void send_buffer_make(const struct writing *w, const struct result *result)
{
    struct machine_curve *curve = &w->machine->send_buffer;
    const double first = rint(result->held_first);
    curve->bytes = alloc_zeroed(SOCKET_POINTS + 1, sizeof *curve->bytes);
    curve->time = alloc_zeroed(SOCKET_POINTS + 1, sizeof *curve->time);
    for (int i = 0; i < SOCKET_POINTS; i++) {
        if (isnan(result->held[i]))
            continue;
        if (curve->n == 0 && !isnan(first))
            held_add(curve, first, first);
        held_add(curve, (double)socket_given(i), rint(result->held[i]));
    }
}

void writing_resources(struct writing *w, const struct result *result)
{
    struct machine *machine = w->machine;
    machine->version = 2;
    machine->resources = alloc_zeroed(2 * (result->n_classes + result->n_groups + result->n_outer + 1) + 2, sizeof *machine->resources);
    if (result->n_ports > 0) {
        all_ports_add(w, result);
        common_add(w, result);
        rests_make(w, result);
        handshakes_make(w, result);
        send_buffer_make(w, result);
        machine->has_congestion = result->has_congestion;
        machine->congestion = result->congestion;
    }
    if (result->n_groups > 1)
        groups_make(machine, result);
    trunks_add(w, result);
    bus_add(w, result);
    machine->has_ports = machine->n_resources > 0 || machine->rest_delay.n > 0;
}
