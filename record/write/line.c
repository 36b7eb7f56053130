#include "record/write/writer_impl.h"

/* Messages of MPI_COMM_WORLD that have one partner. */
static bool is_message(const struct writer *writer, const struct template_node *node)
{
    const enum operation_kind kind = operation_kind(writer->template->sites.sites[node->site].op);
    return (kind == KIND_send || kind == KIND_recv) && writer_comm_of(writer, node) == -1;
}

/* The way to the partner in the program's grid, if it is the same for all processes that come to it; else
 * DIRECTION_NONE. */
static int way_of(const struct writer *writer, const struct template_node *node)
{
    const struct direction_grid in = {writer->prefers, writer->last_first};
    int way = DIRECTION_NONE;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        int64_t peer;
        if (!node->of[k])
            continue;
        if (!series_is_constant(node->of[k]->field[FIELD_peer], &peer) || peer < 0)
            return DIRECTION_NONE;
        const int here = direction_of(&in, writer->template->instances[k].rank, (int)peer,
                                      writer_ranks(writer->template, k));
        if (here == DIRECTION_NONE || (way != DIRECTION_NONE && here != way))
            return DIRECTION_NONE;
        way = here;
    }
    return way;
}

static void count_ways(const struct writer *writer, size_t n, const struct template_node *nodes, size_t *messages,
                       size_t *one_way)
{
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].site < 0)
            count_ways(writer, nodes[i].n, nodes[i].body, messages, one_way);
        else if (is_message(writer, &nodes[i])) {
            *messages += 1;
            *one_way += way_of(writer, &nodes[i]) != DIRECTION_NONE;
        }
    }
}

void writer_find_lines(struct writer *writer, size_t n, const struct template_node *nodes)
{
    size_t messages = 0, one_way = 0;
    count_ways(writer, n, nodes, &messages, &one_way);
    writer->lined = 2 * one_way > messages;
}

int writer_way_of(const struct writer *writer, const struct template_node *node)
{
    while (node->site < 0)
        node = node->body;
    return writer->lined && is_message(writer, node) ? way_of(writer, node) : DIRECTION_NONE;
}
