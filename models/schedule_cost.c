#include "models/schedule_cost.h"

#include "common/alloc.h"
#include "models/machine.h"

#include <stdlib.h>

static uint32_t pair_of(const struct schedule_cost *cost, int32_t from, int32_t to)
{
    const struct seat from_seat = {from, cost->node[from], SEAT_NO_SOCKET}, to_seat = {to, cost->node[to], SEAT_NO_SOCKET};
    return cost->model->pair_class(cost->model, transport_between(from_seat, to_seat), from_seat.node, to_seat.node);
}

/* An analytical model's costs are constants. */
static double mix_value(const struct mix *mix)
{
    double value = 0;
    for (int i = 0; i < mix->n; i++)
        value += mix->weight[i] * mix->part[i]->average;
    return value;
}

void schedule_cost_message(const struct schedule_cost *cost, int32_t from, int32_t to, int64_t bytes,
                           struct message_cost *message)
{
    const struct cost_model *model = cost->model;
    uint32_t pair = pair_of(cost, from, to);
    struct port_cost ports;
    struct mix mix;
    model->ports_for(model, pair, bytes, &ports);
    message->out_gap = ports.out_gap;
    message->in_gap = ports.in_gap;
    model->transit(model, pair, SEND_BLOCKING, bytes, 1, &mix);
    message->transit = mix_value(&mix);
    model->overhead(model, pair, SIDE_SEND, SEND_BLOCKING, bytes, &mix);
    message->send_overhead = mix_value(&mix);
    model->overhead(model, pair, SIDE_RECEIVE, SEND_BLOCKING, bytes, &mix);
    message->receive_overhead = mix_value(&mix);
}

static void message_cost(const void *context, int32_t from, int32_t to, int64_t bytes, struct message_cost *message)
{
    schedule_cost_message(context, from, to, bytes, message);
}

/* Does every pair of ranks cost the same? Not where two share a node; else where rank 0 finds all alike, since a model
 * that tells nodes apart has a class for each pair of them. */
static bool all_alike(const struct schedule_cost *cost, int32_t n)
{
    int nodes = 0;
    for (int32_t rank = 0; rank < n; rank++)
        nodes = cost->node[rank] >= nodes ? cost->node[rank] + 1 : nodes;
    bool *taken = alloc_zeroed((size_t)nodes, sizeof *taken), alike = true;
    for (int32_t rank = 0; rank < n && alike; rank++) {
        int node = cost->node[rank];
        alike = !taken[node] && (rank == 0 || (pair_of(cost, 0, rank) == pair_of(cost, 0, n - 1) &&
                                               pair_of(cost, rank, 0) == pair_of(cost, 0, n - 1)));
        taken[node] = true;
    }
    free(taken);
    return alike;
}

bool schedule_cost_times(const struct schedule_cost *cost, const struct schedule *schedule, double leaves[])
{
    if (cost->own && cost->own->times(cost->machine, schedule, cost->node, leaves))
        return true;
    struct schedule_costs costs = {
        .message = message_cost,
        .context = cost,
        .gamma = cost->machine->reduction_gamma,
        .alike = all_alike(cost, schedule->size),
        .stop = cost->stop,
    };
    return schedule_times(schedule, &costs, leaves);
}
