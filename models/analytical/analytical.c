#include "models/analytical.h"

#include "common/alloc.h"
#include "models/machine.h"
#include "models/model_list.h"
#include "models/pair_class.h"

#include <math.h>
#include <stdlib.h>

struct analytical_model {
    struct cost_model base; /* first: a struct cost_model * is also this */
    const struct machine *machine;
    analytical_formula *formula;
    uint32_t n_nodes;
    struct distribution second; /* 1 s always: a cost is that many of them */
};

/* To oneself: what the calls take, and nothing of the network. */
static struct analytical_cost cost_of(const struct analytical_model *model, uint32_t pair_class, int64_t bytes)
{
    uint32_t from, to;
    bool self = pair_class_nodes(model->n_nodes, pair_class, &from, &to) == TRANSPORT_self;
    struct analytical_cost cost = model->formula(model->machine, from, to, bytes);
    if (self)
        cost.transit = cost.send_overhead + cost.receive_overhead;
    return cost;
}

static void mix_constant(const struct analytical_model *model, double seconds, struct mix *mix)
{
    mix->n = 1;
    mix->weight[0] = seconds;
    mix->part[0] = &model->second;
}

static uint32_t analytical_pair_class(const struct cost_model *base, enum transport transport, int from_node,
                                      int to_node)
{
    return pair_class_of(((const struct analytical_model *)base)->n_nodes, transport, from_node, to_node);
}

static void analytical_transit(const struct cost_model *base, uint32_t pair_class, enum send_kind kind, int64_t bytes,
                               int level, struct mix *mix)
{
    const struct analytical_model *model = (const struct analytical_model *)base;
    (void)kind, (void)level;
    mix_constant(model, cost_of(model, pair_class, bytes).transit, mix);
}

static void analytical_overhead(const struct cost_model *base, uint32_t pair_class, enum side side, enum send_kind kind,
                                int64_t bytes, struct mix *mix)
{
    const struct analytical_model *model = (const struct analytical_model *)base;
    struct analytical_cost cost = cost_of(model, pair_class, bytes);
    (void)kind;
    mix_constant(model, side == SIDE_SEND ? cost.send_overhead : cost.receive_overhead, mix);
}

static void analytical_ports_for(const struct cost_model *base, uint32_t pair_class, int64_t bytes,
                                 struct port_cost *ports)
{
    const struct analytical_model *model = (const struct analytical_model *)base;
    uint32_t from, to;
    *ports = (struct port_cost){0};
    if (base->ports == PORTS_OFF || pair_class_nodes(model->n_nodes, pair_class, &from, &to) != TRANSPORT_network)
        return;
    struct analytical_cost cost = cost_of(model, pair_class, bytes);
    ports->out_gap = cost.out_gap;
    ports->in_gap = ports->frame = ports->senders_in_gap = cost.in_gap;
    ports->buffer = INFINITY;
}

static void analytical_close(struct cost_model *base)
{
    distribution_free(&((struct analytical_model *)base)->second);
    free(base);
}

struct cost_model *analytical_create(const char *name, analytical_formula *formula, uint32_t n_nodes,
                                     const struct machine *machine, const struct cost_options *options)
{
    struct analytical_model *model = alloc_zeroed(1, sizeof *model);
    model->base = (struct cost_model){
        .name = name,
        .ports = options->contention == CONTENTION_none ? PORTS_OFF : PORTS_PER_PROCESS,
        .self_is_known = true,
        .progress = machine->progress,
        .level_max = 1,
        .pair_class = analytical_pair_class,
        .transit = analytical_transit,
        .overhead = analytical_overhead,
        .ports_for = analytical_ports_for,
        .close = analytical_close,
    };
    cost_eager_limits(&model->base, machine);
    model->machine = machine;
    model->formula = formula;
    model->n_nodes = n_nodes;
    distribution_constant(&model->second, 1);
    return &model->base;
}

bool analytical_is_known(const struct machine *m)
{
    bool known = false;
#define X(name, given, formulas) known = known || (given);
    ANALYTICAL_LIST(X)
#undef X
    return known;
}

enum status analytical_missing(const struct machine *machine, const char *section, struct diags *diags)
{
    diag_error(diags, place_of_file(machine->path),
               "no `models: %s`, which --model %s needs: run pevpm-estimate or add it", section, section);
    return STATUS_SCHEMA;
}

void analytical_note_diagonal(const struct cost_model *model, const struct machine *machine,
                              const struct cost_options *options, struct diags *diags)
{
    const struct analytical_model *own = (const struct analytical_model *)model;
    if (options->ppn < 2)
        return;
    for (uint32_t i = 0; i < own->n_nodes; i++)
        if (own->formula(machine, i, i, 1).transit > 0)
            return;
    diag_note(diags, place_of_file(machine->path),
              "messages within a node cost nothing: the diagonals of `models: %s` are 0", model->name);
}
