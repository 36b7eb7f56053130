#include "models/measured.h"

#include "models/measured/checks.h"
#include "models/measured/choice.h"
#include "models/measured/tables.h"
#include "models/measured/times.h"
#include "models/measured/way.h"

#include <string.h>

/* The highest level of messages of a transport, as serving_of has them. */
static int highest_level(const struct measured_model *model, enum transport transport)
{
    int highest = 1;
    for (int kind = 0; kind < 2; kind++) {
        const struct serving *serving = serving_of(model, transport, (enum send_kind)kind);
        if (serving->n > 0 && serving->level[serving->n - 1] > highest)
            highest = serving->level[serving->n - 1];
    }
    return highest;
}

/* Whether some eager messages, to which a limit of the transport's own belongs, are not over before they are read. */
static bool sends_wait_for_readers(const struct machine *machine)
{
    bool taken, wait = false;
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        wait |= machine_unread_limit(machine, transport) < machine_eager_limit(machine, transport, &taken);
    return wait;
}

/* The first key that asks for an engine that serves requests in the order of time; NULL: none does. Without ports one alone, which is
 * about calls. */
static const char *in_time_key(const struct machine *machine, const struct node_kinds *kinds, bool ports, bool streams)
{
    static const char readers[] = "transports: unread_limit";
    if (!ports)
        return sends_wait_for_readers(machine) ? readers : NULL;
    bool acknowledgements = false, overflow = false, both = false, rails = false, trunks = false, local = false;
    for (size_t i = 0; i < kinds->list.n; i++) {
        const struct machine_resource *resource = &kinds->list.of[i];
        acknowledgements |= resource->acknowledgements.n > 0;
        overflow |= resource->has_overflow;
        both |= node_resource_is_port(resource) && resource->direction == RESOURCE_both;
        rails |= resource->rails > 1;
        trunks |= resource->scope == RESOURCE_OF_group;
        local |= resource->transport != TRANSPORT_network;
    }
    const struct {
        bool there;
        const char *keys[2]; /* in either format */
    } keys[] = {{streams, {"ports: frame", "resources: frame"}},
                {acknowledgements, {"ports: reverse_gap", "resources: acknowledgements"}},
                {overflow || machine->has_overflow, {"ports: overflow", "resources: overflow"}},
                {both, {NULL, "resources: direction both"}},
                {rails, {NULL, "resources: rails"}},
                {trunks, {NULL, "resources: scope group"}},
                {local, {NULL, "resources: transport node"}},
                {machine->n_node_ports > 0 || kinds->n > 1, {"ports: per_node", "resources: of"}},
                {machine->common_gap.n > 0 || kinds->all != &kinds->none, {"ports: common_gap", "scope: all"}},
                {machine->rest_delay.n > 0, {"ports: rest_delay", "rests: delay"}},
                {machine->send_buffer.n > 0, {NULL, "send_buffer"}},
                {sends_wait_for_readers(machine), {readers, readers}}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].there)
            return keys[i].keys[machine->version >= 2];
    return NULL;
}

/* Whose port it is: of one process where any is. */
static enum port_scope scope_of(const struct node_kinds *kinds)
{
    for (size_t i = 0; i < kinds->list.n; i++)
        if (kinds->list.of[i].scope == RESOURCE_OF_process)
            return PORTS_PER_PROCESS;
    return PORTS_PER_NODE;
}

/* Whether what the processes of a node do to one another's messages is said by a port that they share. */
static bool nodes_have_ports(const struct node_kinds *kinds, bool ports)
{
    bool have = false;
    for (size_t i = 0; i < kinds->list.n; i++)
        have |= kinds->list.of[i].scope == RESOURCE_OF_node && kinds->list.of[i].transport == TRANSPORT_network;
    return ports && have;
}

/* The first that loses frames says how late they come. */
static const struct distribution *overflow_of(const struct machine *machine, const struct node_kinds *kinds)
{
    for (size_t i = 0; i < kinds->list.n; i++)
        if (kinds->list.of[i].has_overflow)
            return machine->version >= 2 ? &machine->resources[i].overflow : &machine->overflow;
    return machine->has_overflow ? &machine->overflow : NULL;
}

static void base_fill(struct measured_model *model, const struct cost_options *options)
{
    const struct machine *machine = model->machine;
    const bool ports = contention_has_ports(options->contention);
    const int between = highest_level(model, TRANSPORT_network), within = highest_level(model, TRANSPORT_node),
              socket = highest_level(model, TRANSPORT_socket), local = within > socket ? within : socket,
              highest = between > local ? between : local;
    const bool between_own = model->serving[TRANSPORT_network][0].n > 0;
    const bool streams = options->contention == CONTENTION_frames;
    model->base = (struct cost_model){
        .name = "measured",
        .ports = !ports ? PORTS_OFF : scope_of(&model->kinds),
        .self_is_known = model->serving[TRANSPORT_self][0].n > 0,
        .in_time_by = in_time_key(machine, &model->kinds, ports, streams),
        .streams = streams,
        .overflow = ports ? overflow_of(machine, &model->kinds) : NULL,
        .rest_delay = ports && machine->rest_delay.n > 0 ? &machine->rest_delay : NULL,
        .wake = ports && model->kinds.all->wake.n > 0 ? &model->kinds.all->wake : NULL,
        .measured_after = machine->measured_after,
        .known = machine->known,
        .known_after_rest = machine->known_after_rest,
        .known_after_wait = machine->known_after_wait.n > 0 ? &machine->known_after_wait : NULL,
        .connect = ports && machine->has_connect ? &machine->connect : NULL,
        .send_buffer = ports && machine->send_buffer.n > 0 ? &machine->send_buffer : NULL,
        .congestion = machine->congestion,
        .progress = machine->progress,
        .socket_levels = machine_has_socket_times(machine),
        .level_max = model->levels ? highest : 1,
        .level_measured = {[TRANSPORT_network] = between, [TRANSPORT_node] = within, [TRANSPORT_socket] = socket,
                           [TRANSPORT_self] = 1},
        .other_ppn = between_own && !ppn_was_measured(machine, options->ppn) && !nodes_have_ports(&model->kinds, ports),
        .pair_class = measured_pair_class,
        .transit = measured_transit,
        .overhead = measured_overhead,
        .ports_for = measured_ports_for,
        .node_ports = ports ? measured_node_ports : NULL,
        .path = ports && model->paths.n_trunks + model->paths.n_local > 0 ? measured_path : NULL,
        .hop_for = measured_hop_for,
        .sizes = measured_sizes,
        .close = measured_close,
    };
    memcpy(model->base.rare, model->rare, sizeof model->rare);
    cost_eager_limits(&model->base, machine);
}

enum status measured_model_open(struct cost_model **out, const struct machine *machine,
                                const struct cost_options *options, struct diags *diags)
{
    const bool ports = contention_has_ports(options->contention);
    *out = NULL;
    enum status status = ports ? ports_check(machine, options->contention, diags) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct measured_model *model = tables_build(machine, options);
    base_fill(model, options);
    status = servings_check(model, options->ppn, diags);
    if (ports && status == STATUS_OK)
        status = node_ports_check(model, options->contention, diags);
    if (ports && status == STATUS_OK)
        status = paths_check(model, diags);
    if (status == STATUS_OK && options->contention == CONTENTION_frames)
        status = streams_check(model, machine, diags);
    if (options->contention == CONTENTION_ports && status == STATUS_OK)
        frames_note(model, machine, diags);
    if (ports && status == STATUS_OK)
        gaps_check(machine, diags);
    if (status == STATUS_OK)
        *out = &model->base;
    else
        measured_close(&model->base);
    return status;
}
