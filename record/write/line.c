#include "record/write/writer_impl.h"

#include <stdlib.h>

/* Along which axis, and to which side: 1 + the axis, negative to the one before; 0: not to a neighbour of the grid. */
static int way_to(const struct writer *writer, int from, int to, int processes)
{
    struct grid_place a, b;
    int way = 0;
    if (to < 0 || !grid_place(&a, writer->prefers, writer->last_first, from, processes) ||
        !grid_place(&b, writer->prefers, writer->last_first, to, processes))
        return 0;
    for (int axis = 0; axis < grid_dimensions(writer->prefers); axis++) {
        const int64_t step = b.at[axis] - a.at[axis];
        if (step == 0)
            continue;
        if (way != 0 || step < -1 || step > 1)
            return 0;
        way = (int)step * (axis + 1);
    }
    return way;
}

/* Messages of MPI_COMM_WORLD that have one partner. */
static bool is_message(const struct writer *writer, const struct template_node *node)
{
    const enum operation_kind kind = operation_kind(writer->template->sites.sites[node->site].op);
    return (kind == KIND_send || kind == KIND_recv) && writer_comm_of(writer, node) == -1;
}

/* Do all processes that come to it have their partner at the same side? */
static bool goes_one_way(const struct writer *writer, const struct template_node *node)
{
    int way = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        int64_t peer;
        if (!node->of[k])
            continue;
        if (!series_is_constant(node->of[k]->field[FIELD_peer], &peer) || peer < 0)
            return false;
        const int rank = writer->template->instances[k].rank;
        const int here = way_to(writer, rank, (int)peer, writer_ranks(writer->template, k));
        if (here == 0 || (way != 0 && here != way))
            return false;
        way = here;
    }
    return way != 0;
}

static void count_ways(const struct writer *writer, size_t n, const struct template_node *nodes, size_t *messages,
                       size_t *one_way)
{
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].site < 0)
            count_ways(writer, nodes[i].n, nodes[i].body, messages, one_way);
        else if (is_message(writer, &nodes[i])) {
            *messages += 1;
            *one_way += goes_one_way(writer, &nodes[i]);
        }
    }
}

void writer_find_lines(struct writer *writer, size_t n, const struct template_node *nodes)
{
    size_t messages = 0, one_way = 0;
    count_ways(writer, n, nodes, &messages, &one_way);
    writer->lined = 2 * one_way > messages;
}

bool writer_in_line(const struct writer *writer, const struct template_node *node)
{
    while (node->site < 0)
        node = node->body;
    return writer->lined && is_message(writer, node) && goes_one_way(writer, node);
}
