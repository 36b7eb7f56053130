#include "models/machine_convert.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- one list for both formats ---- */

/* An order of ports in which equal ones are neighbours. */
static int numbers_compare(size_t n, const double a[], const double b[])
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int curves_compare(const struct machine_curve *a, const struct machine_curve *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    const int bytes = numbers_compare(a->n, a->bytes, b->bytes);
    return bytes ? bytes : numbers_compare(a->n, a->time, b->time);
}

static int ports_compare(const struct machine_ports *a, const struct machine_ports *b)
{
    const double x[] = {a->credit, a->frame, a->window, a->buffer}, y[] = {b->credit, b->frame, b->window, b->buffer};
    int order = numbers_compare(4, x, y);
#define X(name) order = order ? order : curves_compare(&a->name, &b->name);
    PORT_CURVE_LIST(X)
#undef X
    return order;
}

static struct machine_resource *list_add(struct resource_list *list, enum resource_scope scope,
                                         enum resource_direction direction)
{
    struct machine_resource *resource = &list->of[list->n++];
    *resource = (struct machine_resource){.scope = scope, .direction = direction, .transport = TRANSPORT_network};
    return resource;
}

/* The two ports of some nodes, unless they cost nothing; nodes empty: of all. */
static void list_add_ports(struct resource_list *list, const struct machine *machine,
                           const struct machine_ports *ports, const struct node_set *nodes)
{
    const enum resource_scope scope = machine->ports_per_process ? RESOURCE_OF_process : RESOURCE_OF_node;
    const size_t curves = ports->out_gap.n + ports->in_gap.n + ports->reverse_gap.n;
    for (enum resource_direction direction = RESOURCE_out; curves > 0 && direction <= RESOURCE_in; direction++) {
        struct machine_resource *resource = list_add(list, scope, direction);
        resource->demand = direction == RESOURCE_out ? ports->out_gap : ports->in_gap;
        resource->acknowledgements = ports->reverse_gap;
        resource->credit = ports->credit;
        resource->frame = ports->frame;
        resource->window = direction == RESOURCE_out ? ports->window : 0;
        node_set_add_all(&resource->nodes, nodes);
    }
    if (curves > 0 && machine->has_overflow && ports->buffer > 0) {
        struct machine_resource *in = &list->of[list->n - 1];
        in->buffer = ports->buffer;
        in->has_overflow = true;
        in->overflow = machine->overflow;
    }
}

/* A node's own ports, and the next node with equal ones; NULL: none. */
struct own_ports {
    const struct machine_ports *ports;
    struct own_ports *next;
    bool is_later; /* another comes before it */
};

static int own_compare(const void *a, const void *b)
{
    const struct own_ports *x = *(struct own_ports *const *)a, *y = *(struct own_ports *const *)b;
    const int order = ports_compare(x->ports, y->ports);
    return order ? order : (x > y) - (x < y);
}

/* Nodes with equal ports have one line. */
static void list_add_per_node(struct resource_list *list, const struct machine *machine)
{
    const size_t n = machine->n_node_ports;
    struct own_ports *own = alloc_zeroed(n, sizeof *own), **sorted = alloc_array(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        own[i].ports = &machine->node_ports[i];
        sorted[i] = &own[i];
    }
    qsort(sorted, n, sizeof *sorted, own_compare);
    for (size_t i = 1; i < n; i++) {
        sorted[i]->is_later = ports_compare(sorted[i - 1]->ports, sorted[i]->ports) == 0;
        sorted[i - 1]->next = sorted[i]->is_later ? sorted[i] : NULL;
    }
    for (size_t i = 0; i < n; i++) {
        struct node_set nodes = {0};
        if (own[i].is_later)
            continue;
        for (const struct own_ports *at = &own[i]; at; at = at->next)
            node_set_add(&nodes, (int)(at - own), (int)(at - own));
        list_add_ports(list, machine, own[i].ports, &nodes);
        node_set_free(&nodes);
    }
    free(sorted);
    free(own);
}

void resource_list_init(struct resource_list *list, const struct machine *machine)
{
    const size_t most = 2 * (machine->n_node_ports + 1) + 1;
    *list = (struct resource_list){0};
    if (machine->version >= 2) {
        list->n = machine->n_resources;
        list->of = alloc_array(list->n, sizeof *list->of);
        for (size_t i = 0; i < list->n; i++) {
            list->of[i] = machine->resources[i];
            list->of[i].nodes = (struct node_set){0};
            node_set_add_all(&list->of[i].nodes, &machine->resources[i].nodes);
        }
        return;
    }
    list->of = alloc_array(most, sizeof *list->of);
    if (!machine->has_ports)
        return;
    if (machine->n_node_ports > 0)
        list_add_per_node(list, machine);
    else
        list_add_ports(list, machine, &machine->ports, &(struct node_set){0});
    if (machine->common_gap.n > 0)
        list_add(list, RESOURCE_OF_all, RESOURCE_both)->demand = machine->common_gap;
}

void resource_list_free(struct resource_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        node_set_free(&list->of[i].nodes);
    free(list->of);
    *list = (struct resource_list){0};
}

/* ---- from format 1 to format 2 ---- */

/* How sure the number at `from` is, is how sure the one at `to` is. */
static void fitted_copy(struct machine_source *source, const double *from, const double *to)
{
    const size_t n = source->n_fitted;
    for (size_t i = 0; i < n; i++)
        if (source->fitted[i].of == from) {
            struct machine_fitted fitted = source->fitted[i];
            fitted.of = to;
            machine_source_add_fitted(source, &fitted);
            return;
        }
}

/* A curve of its own in the place of a borrowed one. */
static void curve_keep(struct machine_curve *curve, struct machine_source *source)
{
    const struct machine_curve from = *curve;
    curve->bytes = alloc_array(from.n, sizeof *curve->bytes);
    curve->time = alloc_array(from.n, sizeof *curve->time);
    for (size_t i = 0; i < from.n; i++) {
        curve->bytes[i] = from.bytes[i];
        curve->time[i] = from.time[i];
        fitted_copy(source, &from.time[i], &curve->time[i]);
    }
}

/* The ports that the resource was made of. */
static const struct machine_ports *ports_of(const struct machine *machine, const struct machine_resource *resource)
{
    return resource->nodes.n > 0 ? &machine->node_ports[resource->nodes.stretch[0].first] : &machine->ports;
}

static void overflow_keep(struct machine_resource *resource, const struct machine *machine,
                          struct machine_source *source)
{
    const struct distribution *from = &machine->overflow;
    distribution_copy(&resource->overflow, from);
    const struct machine_form *form = machine_source_form(source, from);
    if (!form)
        return;
    struct machine_form copy = *form;
    copy.of = &resource->overflow;
    machine_source_add(source, &copy);
}

static void resource_keep(struct machine_resource *resource, const struct machine *machine,
                          struct machine_source *source)
{
    const struct machine_ports *ports = ports_of(machine, resource);
#define X(name) curve_keep(&resource->name, source);
    RESOURCE_CURVE_LIST(X)
#undef X
    if (resource->scope != RESOURCE_OF_all) {
        fitted_copy(source, &ports->credit, &resource->credit);
        fitted_copy(source, &ports->buffer, &resource->buffer);
    }
    if (resource->has_overflow)
        overflow_keep(resource, machine, source);
    if (resource->nodes.n > 0)
        resource->of = node_set_text(&resource->nodes);
}

void machine_convert(struct machine *machine, struct machine_source *source)
{
    struct resource_list list;
    if (machine->version >= 2)
        return;
    resource_list_init(&list, machine);
    machine->version = 2;
    machine->n_resources = list.n;
    machine->resources = list.of;
    for (size_t i = 0; i < list.n; i++)
        resource_keep(&machine->resources[i], machine, source);
    machine->has_ports = machine->n_resources > 0 || machine->rest_delay.n > 0;
}
