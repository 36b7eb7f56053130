/* Which nodes belong together, and what their messages wait for. */
#include "models/machine/topology.h"

#include "common/suggest.h"
#include "network/rails.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESOURCES_MOST = 16384 }; /* each is compared with each: two seconds */

/* ---- sets of nodes ---- */

/* A set of nodes in one text. */
static bool nodes_read(struct reader *r, const struct spot *spot, const struct machine *machine, struct node_set *set)
{
    const char *text;
    char problem[HOST_LIST_PROBLEM_BYTES];
    if (!text_read(r, spot, "nodes such as \"0-3,8\"", &text))
        return false;
    if (host_list_parse(set, &machine->host_names, machine->nodes > 0 ? machine->nodes : INT_MAX, text, problem))
        return true;
    spot_error(r, spot, "%s", problem);
    return false;
}

/* The first n groups have that name: which; SIZE_MAX: none. */
static size_t group_find(const struct machine *machine, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(machine->groups[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

/* The name of a group among the first n; `where` says where those stand. */
static bool group_read(struct reader *r, const struct spot *spot, const struct machine *machine, size_t n,
                       const char *where, size_t *group)
{
    const char *text;
    if (!text_read(r, spot, "the name of a group", &text))
        return false;
    *group = group_find(machine, n, text);
    if (*group != SIZE_MAX)
        return true;
    const char **names = alloc_array(n, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = machine->groups[i].name;
    const char *meant = suggest_name(text, strlen(text), names, n);
    spot_error(r, spot, "no group `%.40s` %s%s%s%s", text, where, meant ? ", did you mean `" : "", meant ? meant : "",
               meant ? "`?" : "");
    free(names);
    return false;
}

/* One name, or a list of them. */
static bool groups_read(struct reader *r, const struct spot *spot, const struct machine *machine, size_t n,
                        const char *where, size_t *n_groups, size_t **groups)
{
    const bool is_list = spot->node->kind == YAML_KIND_LIST;
    const size_t count = is_list ? spot->node->n : 1;
    bool good = true;
    if (count == 0) {
        spot_error(r, spot, "expected at least one group, found an empty list");
        return false;
    }
    *groups = alloc_zeroed(count, sizeof **groups);
    *n_groups = count;
    for (size_t i = 0; i < count; i++) {
        struct spot item = is_list ? spot_item(spot, i) : *spot;
        good &= group_read(r, &item, machine, n, where, &(*groups)[i]);
        for (size_t j = 0; good && j < i; j++)
            if ((*groups)[j] == (*groups)[i]) {
                spot_error(r, &item, "group `%.40s` is there twice", machine->groups[(*groups)[i]].name);
                good = false;
            }
    }
    return good;
}

/* ---- topology ---- */

static void group_members_read(struct reader *r, const struct spot *spot, struct machine *machine,
                               struct machine_group *group)
{
    const size_t before = (size_t)(group - machine->groups);
    if (spot->node->kind == YAML_KIND_LIST) {
        if (!groups_read(r, spot, machine, before, "stands above this one", &group->n_groups, &group->groups))
            return;
        for (size_t i = 0; i < group->n_groups; i++)
            node_set_add_all(&group->nodes, &machine->groups[group->groups[i]].nodes);
    } else if (nodes_read(r, spot, machine, &group->nodes)) {
        group->text = alloc_string(spot->node->text);
    }
}

static void groups_of_topology_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    char found[FOUND_BYTES];
    if (spot->node->kind != YAML_KIND_MAP) {
        spot_error(r, spot, "expected a map from names to nodes or groups, found %s", node_found(spot->node, found));
        return;
    }
    machine->groups = alloc_zeroed(spot->node->n, sizeof *machine->groups);
    for (size_t i = 0; i < spot->node->n; i++) {
        struct spot pair = spot_pair(spot, i);
        machine->groups[i].name = alloc_string(pair.key->text);
        machine->n_groups++;
        group_members_read(r, &pair, machine, &machine->groups[i]);
    }
}

static void hosts_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    const char *text;
    char problem[HOST_LIST_PROBLEM_BYTES];
    if (!text_read(r, spot, "names of nodes such as \"n[0-15]\"", &text))
        return;
    machine->hosts = alloc_string(text);
    if (!host_names_parse(&machine->host_names, text, problem))
        spot_error(r, spot, "%s", problem);
    else if (machine->nodes > 0 && machine->host_names.nodes != machine->nodes)
        spot_error(r, spot, "%d names for %d nodes", machine->host_names.nodes, machine->nodes);
}

void topology_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"hosts", false, {0}}, {"groups", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[0].spot.node)
        hosts_read(r, &fields[0].spot, machine);
    if (fields[1].spot.node)
        groups_of_topology_read(r, &fields[1].spot, machine);
}

/* ---- resources ---- */

/* X(key, use): a resource. */
#define RESOURCE_KEY_LIST(X)                                                                                    \
    X(scope, KEY_REQUIRED) X(direction, KEY_OPTIONAL) X(transport, KEY_OPTIONAL) X(of, KEY_OPTIONAL)            \
    X(demand, KEY_REQUIRED) X(acknowledgements, KEY_OPTIONAL) X(exchange, KEY_FORMER) X(credit, KEY_OPTIONAL)   \
    X(frame, KEY_OPTIONAL) X(window, KEY_OPTIONAL) X(buffer, KEY_OPTIONAL) X(overflow, KEY_OPTIONAL)            \
    X(rails, KEY_OPTIONAL) X(wake, KEY_OPTIONAL)
enum resource_key {
#define X(name, use) RESOURCE_KEY_##name,
    RESOURCE_KEY_LIST(X)
#undef X
};

/* Who passes it: scope, direction and transport, which go together. */
static void resource_way_read(struct reader *r, const struct spot *spot, const struct field fields[],
                              int sockets, struct machine_resource *resource)
{
    static const char *const scopes[] = {
#define X(name, sharers) #name,
        RESOURCE_SCOPE_LIST(X)
#undef X
    };
    static const char *const directions[] = {
#define X(name, messages) #name,
        RESOURCE_DIRECTION_LIST(X)
#undef X
    };
    enum { N_PASSING = TRANSPORT_self }; /* the last: what a process sends itself passes nothing */
    static const char *const transports[] = {
#define X(name, messages) #name,
        TRANSPORT_LIST(X)
#undef X
    };
    const struct spot *scope = &fields[RESOURCE_KEY_scope].spot, *direction = &fields[RESOURCE_KEY_direction].spot;
    const struct spot *transport = &fields[RESOURCE_KEY_transport].spot;
    int choice;
    resource->direction = RESOURCE_both;
    resource->transport = TRANSPORT_network;
    if (!scope->node || !choice_read(r, scope, "scope", scopes, N_RESOURCE_SCOPES, &choice))
        return;
    resource->scope = (enum resource_scope)choice;
    if (direction->node && choice_read(r, direction, "direction", directions, N_RESOURCE_DIRECTIONS, &choice))
        resource->direction = (enum resource_direction)choice;
    if (transport->node && choice_read(r, transport, "transport", transports, N_PASSING, &choice))
        resource->transport = (enum transport)choice;
    if (resource->scope == RESOURCE_OF_all && direction->node)
        spot_error(r, direction, "with scope: all every message between nodes passes it, in no direction");
    else if (resource->scope != RESOURCE_OF_all && !spot_is_meant(direction))
        spot_error(r, spot, "missing key `direction`: is it passed by what leaves its %s (out), by what enters it (in) "
                            "or by both?", scopes[resource->scope]);
    if (sockets == 1 && resource->scope == RESOURCE_OF_socket)
        spot_error(r, scope, SOCKETS_UNKNOWN);
    else if (sockets == 1 && resource->transport == TRANSPORT_socket)
        spot_error(r, transport, SOCKETS_UNKNOWN);
    else if (resource->transport == TRANSPORT_node && resource->scope > RESOURCE_OF_node)
        spot_error(r, transport, "messages within a node pass what is of a process, a socket or a node");
    else if (resource->transport == TRANSPORT_socket && resource->scope > RESOURCE_OF_socket)
        spot_error(r, transport, "messages within a socket pass what is of a process or a socket");
}

static void resource_owners_read(struct reader *r, const struct spot *spot, const struct spot *of,
                                 const struct machine *machine, struct machine_resource *resource)
{
    if (resource->scope == RESOURCE_OF_group && !spot_is_meant(of))
        spot_error(r, spot, "missing key `of`: which groups have one?");
    if (!of->node)
        return;
    if (resource->scope == RESOURCE_OF_all) {
        spot_error(r, of, "with scope: all there is one, of all nodes");
    } else if (resource->scope == RESOURCE_OF_group) {
        groups_read(r, of, machine, machine->n_groups, "under `topology.groups`", &resource->n_groups,
                    &resource->groups);
    } else {
        const char *text;
        if (!text_read(r, of, "a group or nodes such as \"0-3,8\"", &text))
            return;
        const size_t group = group_find(machine, machine->n_groups, text);
        resource->of = alloc_string(text);
        if (group != SIZE_MAX)
            node_set_add_all(&resource->nodes, &machine->groups[group].nodes);
        else
            nodes_read(r, of, machine, &resource->nodes);
    }
}

static void resource_losses_read(struct reader *r, const struct spot *spot, const struct field fields[],
                                 struct machine_resource *resource)
{
    const struct spot *buffer = &fields[RESOURCE_KEY_buffer].spot, *overflow = &fields[RESOURCE_KEY_overflow].spot;
    if (buffer->node)
        buffer_read(r, buffer, &resource->buffer);
    if (overflow->node)
        resource->has_overflow = distribution_read(r, overflow, &resource->overflow);
    if (buffer->node && !spot_is_meant(overflow))
        spot_error(r, spot, "missing key `overflow`: what has a `buffer` loses frames, how late do they come?");
    else if (overflow->node && !spot_is_meant(buffer))
        spot_error(r, overflow, "there is no `buffer` that could overflow");
}

static void resource_rails_read(struct reader *r, const struct spot *spot, struct machine_resource *resource)
{
    if (!spot->node || !int_read(r, spot, 1, RAILS_MOST, &resource->rails))
        return;
    if (resource->scope > RESOURCE_OF_node || resource->scope == RESOURCE_OF_socket || resource->transport != TRANSPORT_network)
        spot_error(r, spot, "rails are ports of a process or a node, which messages between nodes pass");
}

/* Of a process or a node, for what it sends to others. */
static bool is_out_port(const struct machine_resource *resource)
{
    return resource->scope <= RESOURCE_OF_node && resource->direction == RESOURCE_out &&
           resource->transport == TRANSPORT_network;
}

static void resource_read(struct reader *r, const struct spot *spot, const struct machine *machine,
                          struct machine_resource *resource)
{
    struct field fields[] = {
#define X(name, use) {#name, use, {0}},
        RESOURCE_KEY_LIST(X)
#undef X
    };
    const struct {
        enum resource_key key;
        struct machine_curve *curve;
    } curves[] = {
#define X(name) {RESOURCE_KEY_##name, &resource->name},
        RESOURCE_CURVE_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    resource_way_read(r, spot, fields, machine->sockets, resource);
    resource_owners_read(r, spot, &fields[RESOURCE_KEY_of].spot, machine, resource);
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (fields[curves[i].key].spot.node)
            demand_read(r, &fields[curves[i].key].spot,
                        curves[i].key == RESOURCE_KEY_acknowledgements ? DEMAND_OF_ACKNOWLEDGEMENTS : DEMAND_OF_MESSAGES,
                        curves[i].curve);
    if (fields[RESOURCE_KEY_credit].spot.node)
        fitted_time_read(r, &fields[RESOURCE_KEY_credit].spot, SIGN_NOT_NEGATIVE, &resource->credit);
    length_read(r, &fields[RESOURCE_KEY_frame].spot, &resource->frame);
    length_read(r, &fields[RESOURCE_KEY_window].spot, &resource->window);
    if (resource->window > 0 && !is_out_port(resource))
        spot_error(r, &fields[RESOURCE_KEY_window].spot,
                   "a window is what a connection brings a port by which nodes send: "
                   "scope: process or node, direction: out");
    resource_losses_read(r, spot, fields, resource);
    resource_rails_read(r, &fields[RESOURCE_KEY_rails].spot, resource);
    if (fields[RESOURCE_KEY_wake].spot.node)
        curve_read(r, &fields[RESOURCE_KEY_wake].spot, CURVE_OF_RESTS, &resource->wake);
}

/* ---- which lie on one path ---- */

static bool ways_meet(const struct machine_resource *a, const struct machine_resource *b)
{
    return a->scope == b->scope && a->transport == b->transport &&
           (a->direction == b->direction || a->direction == RESOURCE_both || b->direction == RESOURCE_both);
}

/* A node that has both; -1: none. An empty set is all nodes. */
static int owners_meet(const struct machine_resource *a, const struct machine_resource *b)
{
    if (a->nodes.n == 0 || b->nodes.n == 0)
        return a->nodes.n > 0 ? a->nodes.stretch[0].first : b->nodes.n > 0 ? b->nodes.stretch[0].first : 0;
    return node_set_meet(&a->nodes, &b->nodes);
}

static void owners_compare(struct reader *r, const struct spot *list, const struct machine *machine, size_t i, size_t j)
{
    const struct machine_resource *a = &machine->resources[i], *b = &machine->resources[j];
    struct spot item = spot_item(list, i);
    if (!ways_meet(a, b))
        return;
    if (a->scope == RESOURCE_OF_all) {
        spot_error(r, &item, "resources[%zu] is of all nodes too: their demands are one resource's", j);
    } else if (a->scope != RESOURCE_OF_group) {
        const int node = owners_meet(a, b);
        if (node >= 0)
            spot_error(r, &item, "node %d has resources[%zu] of the same scope, direction and transport", node, j);
    }
    for (size_t k = 0; a->scope == RESOURCE_OF_group && k < a->n_groups; k++)
        for (size_t l = 0; l < b->n_groups; l++)
            if (a->groups[k] == b->groups[l])
                spot_error(r, &item, "group `%.40s` has resources[%zu] of the same direction",
                           machine->groups[a->groups[k]].name, j);
}

/* A message goes up from group to group and down again: of two that it leaves one holds the other. */
static void nesting_check(struct reader *r, const struct spot *list, const struct machine *machine, size_t i, size_t j)
{
    const struct machine_resource *a = &machine->resources[i], *b = &machine->resources[j];
    for (size_t k = 0; k < a->n_groups; k++)
        for (size_t l = 0; l < b->n_groups && (i != j || l < k); l++) {
            const struct machine_group *x = &machine->groups[a->groups[k]], *y = &machine->groups[b->groups[l]];
            struct spot item = spot_item(list, i);
            const int node = node_set_meet(&x->nodes, &y->nodes);
            if (node >= 0 && !node_set_is_part(&x->nodes, &y->nodes) && !node_set_is_part(&y->nodes, &x->nodes))
                spot_error(r, &item, "groups `%.40s` and `%.40s` share node %d, and neither holds the other: which does "
                                     "a message leave first?", x->name, y->name, node);
        }
}

void resources_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    if (!list_check(r, spot, LIST_ANY, "a list of resources"))
        return;
    if (spot->node->n > RESOURCES_MOST) {
        spot_error(r, spot, "expected at most %d resources, found %u: nodes that are alike share one (`of`)",
                   RESOURCES_MOST, spot->node->n);
        return;
    }
    machine->n_resources = spot->node->n;
    machine->has_ports = machine->n_resources > 0;
    machine->resources = alloc_zeroed(machine->n_resources, sizeof *machine->resources);
    const size_t errors = r->errors;
    for (size_t i = 0; i < machine->n_resources; i++) {
        struct spot item = spot_item(spot, i);
        resource_read(r, &item, machine, &machine->resources[i]);
    }
    const bool good = r->errors == errors;
    for (size_t i = 0; good && i < machine->n_resources; i++)
        for (size_t j = 0; j <= i; j++) {
            if (j < i)
                owners_compare(r, spot, machine, i, j);
            nesting_check(r, spot, machine, i, j);
        }
}

/* ---- handshakes ---- */

void handshakes_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const struct range probability = {0, 1, "a probability from 0 to 1"};
    struct field fields[] = {{"known", true, {0}}, {"known_after_rest", false, {0}}, {"known_after_wait", false, {0}}};
    double *const values[] = {&machine->known, &machine->known_after_rest};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    machine->has_handshakes = true;
    for (int i = 0; i < 2; i++)
        if (fields[i].spot.node)
            number_read(r, &fields[i].spot, probability, values[i]);
    if (!fields[1].spot.node)
        machine->known_after_rest = machine->known;
    if (fields[2].spot.node)
        curve_read(r, &fields[2].spot, CURVE_OF_CHANCES, &machine->known_after_wait);
}

/* ---- send_buffer ---- */

void send_buffer_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct machine_curve *curve = &machine->send_buffer;
    if (!curve_read(r, spot, CURVE_OF_HELD, curve))
        return;
    machine->has_ports = true;
    for (size_t i = 1; i < curve->n; i++) {
        struct spot item = spot_item(spot, i);
        if (curve->time[i] - curve->time[i - 1] > curve->bytes[i] - curve->bytes[i - 1])
            spot_error(r, &item, "%.10g bytes held after %.10g: more by more than was given meanwhile", curve->time[i],
                       curve->time[i - 1]);
    }
}

/* ---- rests ---- */

void rests_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"delay", true, {0}}, {"measured_after", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    machine->has_ports = true;
    if (fields[0].spot.node)
        curve_read(r, &fields[0].spot, CURVE_OF_RESTS, &machine->rest_delay);
    if (fields[1].spot.node)
        time_read(r, &fields[1].spot, SIGN_NOT_NEGATIVE, &machine->measured_after);
}
