#include "models/measured/way.h"

#include "models/frame_cost.h"
#include "models/measured/tables.h"
#include "models/pair_class.h"

#include <math.h>

/* Bytes of a resource's frame where messages pass in frames. 0: whole ones do. */
static double frame_of(const struct measured_model *model, const struct machine_resource *resource)
{
    return model->base.streams ? resource->frame : 0;
}

/* In how many pieces a message travels through a resource. */
static double frames_of(double frame, double size)
{
    return frame > 0 ? fmax(1, ceil(size / frame)) : 1;
}

/* What a byte on the wire takes of it, by the largest message; 0: its frames are not known, or that fills less than half of
 * one, of which what is beside its bytes may be most. */
double wire_byte(const struct machine_resource *of)
{
    const struct machine_curve *demand = &of->demand;
    const double size = demand->n > 0 ? demand->bytes[demand->n - 1] : 0;
    if (of->frame == 0 || size < of->frame / 2)
        return 0;
    return demand->time[demand->n - 1] /
           (FRAME_WIRE_HEADERS * (1 + floor(size / of->frame)) + size + FRAME_HEADER_eager);
}

static double idle_gap(const struct machine_resource *port, double size)
{
    return fmax(0, machine_curve_at(&port->demand, size) - port->credit);
}

/* How long two idle ports keep the last frame of a message behind its first. */
static double idle_width(const struct machine_resource *out, const struct machine_resource *in, double size)
{
    return fmax(idle_gap(out, size), idle_gap(in, size));
}

static double slower_than_quickest(const struct node_kinds *kinds, const struct machine_resource *out,
                                   const struct machine_resource *in, double size)
{
    const double own = idle_width(out, in, size);
    double least = own;
    for (uint32_t i = 0; i < kinds->n; i++)
        if (kinds->kinds[i].out->demand.n > 0)
            least = fmin(least, idle_width(kinds->kinds[i].out, kinds->kinds[i].in, size));
    return own - least;
}

static int rails_of(const struct node_kind *kind)
{
    const int rails = kind->out->rails > kind->in->rails ? kind->out->rails : kind->in->rails;
    return rails > 1 ? rails : 1;
}

static int rails_between(const struct node_kind *sender, const struct node_kind *receiver)
{
    const int from = rails_of(sender), to = rails_of(receiver);
    return from < to ? from : to;
}

void measured_ports_for(const struct cost_model *base, uint32_t pair_class, int64_t bytes, struct port_cost *cost)
{
    const struct measured_model *model = (const struct measured_model *)base;
    uint32_t from, to;
    *cost = (struct port_cost){0};
    if (pair_class_nodes(model->n_kinds, pair_class, &from, &to) != TRANSPORT_network || base->ports == PORTS_OFF)
        return;
    const struct node_kind *sender = &model->kinds.kinds[from], *receiver = &model->kinds.kinds[to];
    const int rails = rails_between(sender, receiver);
    cost->shares = bytes > base->eager_limit[TRANSPORT_network] ? rails : 1;
    const double size = (double)bytes / cost->shares;
    cost->out_gap = machine_curve_at(&sender->out->demand, size);
    cost->in_gap = machine_curve_at(&receiver->in->demand, size);
    cost->out_byte = wire_byte(sender->out);
    cost->in_byte = wire_byte(receiver->in);
    cost->frame_bytes = frame_of(model, sender->out);
    cost->out_saved = sender->out->credit;
    cost->in_saved = receiver->in->credit;
    cost->receivers_out_gap = machine_curve_at(&receiver->out->demand, size);
    cost->receivers_out_saved = receiver->out->credit;
    cost->senders_in_saved = sender->in->credit;
    cost->common = machine_curve_at(&model->kinds.all->demand, (double)bytes);
    cost->slower = slower_than_quickest(&model->kinds, sender->out, receiver->in, size);
    cost->spread = cost->out_gap * (1 - 1 / frames_of(cost->frame_bytes, size));
    cost->reverse_out = machine_curve_at(&receiver->out->acknowledgements, size);
    cost->reverse_in = machine_curve_at(&sender->in->acknowledgements, size);
    cost->frame = cost->in_gap / frames_of(frame_of(model, receiver->in), size);
    cost->senders_in_gap = machine_curve_at(&sender->in->demand, size);
    cost->buffer = receiver->in->has_overflow && receiver->in->buffer > 0 ? receiver->in->buffer : INFINITY;
}

struct node_ports measured_node_ports(const struct cost_model *base, int node)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const struct node_kind *kind = &model->kinds.kinds[node_kind_of(&model->kinds, node)];
    return (struct node_ports){.both = kind->out->direction == RESOURCE_both, .rails = rails_of(kind)};
}

int measured_path(const struct cost_model *base, enum transport transport, struct seat from, struct seat to,
                  struct path_hop hop[PATH_MOST])
{
    const struct measured_model *model = (const struct measured_model *)base;
    return machine_path(&model->paths, transport, from, to, hop);
}

void measured_hop_for(const struct cost_model *base, int32_t resource, int64_t bytes, struct hop_cost *cost,
                      double *acknowledgements)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const struct machine_resource *of = &model->machine->resources[resource];
    const double size = (double)bytes, work = machine_curve_at(&of->demand, size);
    const double frame = work / frames_of(frame_of(model, of), size);
    const double byte = wire_byte(of);
    *cost = (struct hop_cost){.work = work, .frame = frame, .saved = fmax(of->credit, frame),
                              .credit = of->credit, .empty = FRAME_WIRE_HEADERS * byte, .byte = byte,
                              .full = (FRAME_WIRE_HEADERS + of->frame) * byte,
                              .buffer = of->has_overflow && of->buffer > 0 ? of->buffer : INFINITY};
    *acknowledgements = machine_curve_at(&of->acknowledgements, size);
}

uint32_t measured_pair_class(const struct cost_model *base, enum transport transport, int from_node, int to_node)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const bool alike = model->n_kinds == 1;
    return pair_class_of(model->n_kinds, transport, alike ? 0 : (int)node_kind_of(&model->kinds, from_node),
                         alike ? 0 : (int)node_kind_of(&model->kinds, to_node));
}
