#include "models/measured/checks.h"

#include "models/measured.h"
#include "models/measured/way.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A demand measured at one size says nothing of others. True: it was, which is noted. */
static bool gap_check(const struct machine *machine, const struct machine_curve *gap, const char *name,
                      struct diags *diags)
{
    if (gap->n != 1 || gap->time[0] == 0)
        return false;
    diag_note(diags, place_of_file(machine->path),
              "%s has one size, %.10g bytes: messages of all sizes are taken to keep %s busy as long", name,
              gap->bytes[0], machine->version >= 2 ? "it" : "a port");
    return true;
}

/* Of all nodes, or of the first whose own ports say so. */
static void port_gaps_check(const struct machine *machine, struct diags *diags)
{
    bool out = gap_check(machine, &machine->ports.out_gap, "ports.out_gap", diags);
    bool in = gap_check(machine, &machine->ports.in_gap, "ports.in_gap", diags);
    for (size_t i = 0; i < machine->n_node_ports; i++) {
        char name[60];
        snprintf(name, sizeof name, "ports.per_node[%zu].out_gap", i);
        out = out || gap_check(machine, &machine->node_ports[i].out_gap, name, diags);
        snprintf(name, sizeof name, "ports.per_node[%zu].in_gap", i);
        in = in || gap_check(machine, &machine->node_ports[i].in_gap, name, diags);
    }
}

/* What has messages of one size is noted once. */
void gaps_check(const struct machine *machine, struct diags *diags)
{
    if (machine->version < 2)
        port_gaps_check(machine, diags);
    for (size_t i = 0; i < machine->n_resources; i++) {
        char name[60];
        snprintf(name, sizeof name, "resources[%zu].demand", i);
        if (gap_check(machine, &machine->resources[i].demand, name, diags))
            return;
    }
}

static bool is_same(const struct distribution *a, const struct distribution *b)
{
    return a->n == b->n && memcmp(a->p, b->p, a->n * sizeof *a->p) == 0 && memcmp(a->t, b->t, a->n * sizeof *a->t) == 0;
}

/* What of the file's resources the engines do not know yet; NULL: nothing. */
static const char *not_served(const struct machine *machine, const struct machine_resource *resource)
{
    for (size_t i = 0; i < machine->n_resources; i++)
        if (resource->scope == RESOURCE_OF_node && resource->transport == TRANSPORT_network &&
            machine->resources[i].scope == RESOURCE_OF_process)
            return "`scope: node` beside `scope: process`";
    if (resource->scope == RESOURCE_OF_socket && resource->transport == TRANSPORT_network)
        return "`scope: socket` of messages between nodes";
    if (resource->transport == TRANSPORT_node && resource->scope == RESOURCE_OF_process)
        return "`transport: node` of a process";
    if (resource->transport == TRANSPORT_node && resource->scope == RESOURCE_OF_node &&
        resource->direction != RESOURCE_both)
        return "`transport: node` of a node without `direction: both`";
    if (resource->transport == TRANSPORT_socket &&
        (resource->scope != RESOURCE_OF_socket || resource->direction != RESOURCE_both))
        return "`transport: socket` without `scope: socket` and `direction: both`";
    if (resource->transport != TRANSPORT_network && resource->acknowledgements.n > 0)
        return "`transport: node` or `socket` with `acknowledgements`";
    const bool is_in_port = node_resource_is_port(resource) && resource->direction == RESOURCE_in;
    if (resource->has_overflow && !is_in_port && resource->scope != RESOURCE_OF_group)
        return "a `buffer` of anything but groups and what messages enter a node by (`direction: in`)";
    for (size_t i = 0; i < machine->n_resources && resource->has_overflow; i++)
        if (machine->resources[i].has_overflow && !is_same(&machine->resources[i].overflow, &resource->overflow))
            return "an `overflow` other than that of another resource";
    if (resource->scope == RESOURCE_OF_all && (resource->credit > 0 || resource->frame > 0 || resource->window > 0 ||
                                               resource->acknowledgements.n > 0))
        return "`scope: all` with `credit`, `frame` or `acknowledgements`";
    if (resource->wake.n > 0 && resource->scope != RESOURCE_OF_all)
        return "`wake` without `scope: all`";
    return NULL;
}

static enum status resources_check(const struct machine *machine, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < machine->n_resources; i++) {
        const char *what = not_served(machine, &machine->resources[i]);
        if (!what)
            continue;
        diag_error(diags, place_of_file(machine->path),
                   "resources[%zu]: %s cannot be simulated yet; --contention scoreboard does without resources", i,
                   what);
        status = STATUS_NOT_YET;
    }
    return status;
}

enum status ports_check(const struct machine *machine, enum contention contention, struct diags *diags)
{
    if (machine->has_ports)
        return resources_check(machine, diags);
    diag_error(diags, place_of_file(machine->path),
               "no `%s`, which --contention %s needs: run pevpm-bench, add them, "
               "or use --contention scoreboard",
               machine->version >= 2 ? "resources" : "ports", contention_name(contention));
    return STATUS_SCHEMA;
}

/* What engines know of one message's way. */
enum status paths_check(const struct measured_model *model, struct diags *diags)
{
    static const enum resource_direction ways[] = {RESOURCE_out, RESOURCE_in};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const int depth = machine_paths_depth(&model->paths, ways[i]);
        if (depth <= PATH_MOST / 2)
            continue;
        diag_error(diags, place_of_file(model->machine->path),
                   "resources: messages %s %d groups with a resource, and more than %d cannot be simulated yet; "
                   "--contention scoreboard does without resources", i == 0 ? "leave" : "enter", depth, PATH_MOST / 2);
        return STATUS_NOT_YET;
    }
    return STATUS_OK;
}

/* What of rails and of ports of one queue the engines do not know yet; NULL: nothing. A port of one queue knows no rates at which
 * messages flow in from a hop before it. */
static const char *ports_not_served(const struct measured_model *model, enum contention contention)
{
    bool rails = false, both = false, trunks = false, buffer = false;
    for (size_t i = 0; i < model->kinds.list.n; i++) {
        const struct machine_resource *resource = &model->kinds.list.of[i];
        rails |= resource->rails > 1;
        both |= node_resource_is_port(resource) && resource->direction == RESOURCE_both;
        trunks |= resource->scope == RESOURCE_OF_group;
        buffer |= resource->has_overflow;
    }
    for (uint32_t i = 0; i < model->kinds.n; i++) {
        const struct machine_resource *out = model->kinds.kinds[i].out, *in = model->kinds.kinds[i].in;
        if (out->demand.n > 0 && in->demand.n > 0 && (out->rails > 1 ? out->rails : 1) != (in->rails > 1 ? in->rails : 1))
            return "different `rails` of what leaves a node and of what enters it";
    }
    if (rails && trunks)
        return "`rails` beside `scope: group`";
    if (both && trunks)
        return "`direction: both` of a port beside `scope: group`";
    return rails && buffer && contention == CONTENTION_ports ? "`rails` and `buffer` with --contention ports" : NULL;
}

enum status node_ports_check(const struct measured_model *model, enum contention contention, struct diags *diags)
{
    const char *what = ports_not_served(model, contention);
    if (!what)
        return STATUS_OK;
    diag_error(diags, place_of_file(model->machine->path),
               "resources: %s cannot be simulated yet; --contention scoreboard does without resources", what);
    return STATUS_NOT_YET;
}

enum status servings_check(const struct measured_model *model, int ppn, struct diags *diags)
{
    const struct machine *machine = model->machine;
    const bool between = model->serving[TRANSPORT_network][0].n > 0, node = model->serving[TRANSPORT_node][0].n > 0,
               socket = model->serving[TRANSPORT_socket][0].n > 0, within = node || socket;
    struct place place = place_of_file(machine->path);
    if (!between && !within) {
        diag_error(diags, place,
                   "no `point_to_point` entry with pattern pingpong or pairs: run pevpm-bench or add one");
        return STATUS_SCHEMA;
    }
    if (!between && machine->nodes > 1) {
        diag_error(diags, place,
                   "no `point_to_point` entry between nodes (nodes: 2 or more): run pevpm-bench or add one");
        return STATUS_SCHEMA;
    }
    if (!within && ppn > 1)
        diag_note(diags, place,
                  "no `point_to_point` entry within a node (nodes: 1): messages within a node are taken to cost "
                  "what those between nodes do");
    else if (!node && ppn > 1)
        diag_note(diags, place,
                  "no `point_to_point` entry between the sockets of a node (nodes: 1): messages between them are taken to "
                  "cost what those within a socket do");
    return STATUS_OK;
}

static bool is_port(const struct machine_resource *resource)
{
    return resource->scope != RESOURCE_OF_all && resource->transport == TRANSPORT_network;
}

/* Whether it is known of all ports and trunks what a frame takes of them. */
static bool frames_known(const struct node_kinds *kinds)
{
    for (size_t i = 0; i < kinds->list.n; i++)
        if (is_port(&kinds->list.of[i]) && !(kinds->list.of[i].frame > 0 && wire_byte(&kinds->list.of[i]) > 0))
            return false;
    return true;
}

/* What long messages take of a port or trunk follows from a message shorter than two frames, where no longer one was measured. */
static void short_frames_note(const struct measured_model *model, const struct machine *machine, struct diags *diags)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < model->kinds.list.n; i++) {
        const struct machine_resource *resource = &model->kinds.list.of[i];
        const int64_t longest = is_port(resource) ? (int64_t)resource->demand.bytes[resource->demand.n - 1] : INT64_MAX;
        if ((double)longest < 2 * resource->frame && longest < least)
            least = longest;
    }
    if (least < INT64_MAX)
        diag_note(diags, place_of_file(machine->path),
                  "a port or trunk was measured up to %" PRId64 " bytes, less than two of its frames: what longer messages take of it "
                  "follows from that", least);
}

enum status streams_check(const struct measured_model *model, const struct machine *machine, struct diags *diags)
{
    if (frames_known(&model->kinds)) {
        short_frames_note(model, machine, diags);
        return STATUS_OK;
    }
    diag_error(diags, place_of_file(machine->path),
               "a port or trunk without `frame`, or whose longest message fills less "
               "than half of one, which --contention frames needs: run pevpm-bench, or use --contention ports");
    return STATUS_SCHEMA;
}

/* Whole messages pass whatever the file tells of frames. */
void frames_note(const struct measured_model *model, const struct machine *machine, struct diags *diags)
{
    const char *key = NULL;
    for (size_t i = 0; i < model->kinds.list.n; i++) {
        const struct machine_resource *resource = &model->kinds.list.of[i];
        key = resource->frame > 0 ? "frame" : !key && resource->window > 0 ? "window" : key;
    }
    if (key)
        diag_note(diags, place_of_file(machine->path),
                  "--contention ports has whole messages pass: `%s`, which tells of TCP's frames, is left out of account%s",
                  key,
                  machine->has_model_error ? ", and predictions are further off than `model_error` says" : "");
}

bool measured_knows_frames(const struct machine *machine)
{
    struct node_kinds kinds;
    bool ports = false;
    node_kinds_init(&kinds, machine);
    for (size_t i = 0; i < kinds.list.n; i++)
        ports |= is_port(&kinds.list.of[i]);
    const bool known = ports && frames_known(&kinds);
    node_kinds_free(&kinds);
    return known;
}
