#include "record/write/writer_impl.h"

/* Do two calls have the same partners, wherever each is made? */
static bool same_values(const struct writer *writer, const struct template_node *a, enum field of_a,
                        const struct template_node *b, enum field of_b)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (!a->of[k] != !b->of[k] || (a->of[k] && !series_equal(a->of[k]->field[of_a], b->of[k]->field[of_b])))
            return false;
    return true;
}

static enum operation_kind kind_of(const struct writer *writer, const struct template_node *node)
{
    return node->site < 0 ? KIND_other : operation_kind(writer->template->sites.sites[node->site].op);
}

static bool is_send(const struct writer *writer, const struct template_node *node)
{
    if (node->site < 0)
        return false;
    enum operation op = writer->template->sites.sites[node->site].op;
    return operation_sends(op) && !operation_is_collective(op);
}

/* Exchanges with both neighbours: the one before is served first, then the next, and so on. A call alone goes to the
 * next. */
static int sign_of_send(const struct writer *writer, size_t at)
{
    const struct writer_beside *beside = &writer->beside;
    size_t before = 0, all = 0;
    for (size_t i = 0; i < beside->n; i++) {
        bool same = is_send(writer, &beside->nodes[i]) &&
                    same_values(writer, &beside->nodes[i], FIELD_peer, &beside->nodes[at], FIELD_peer);
        all += same;
        before += same && i < at;
    }
    return all == 1 || before % 2 == 1 ? 1 : -1;
}

/* The n-th receive takes the n-th message with its tag. */
static int sign_of_receive(const struct writer *writer, size_t at)
{
    const struct writer_beside *beside = &writer->beside;
    const struct template_node *nodes = beside->nodes, *node = &nodes[at];
    size_t before = 0;
    for (size_t i = 0; i < at; i++)
        before += kind_of(writer, &nodes[i]) == kind_of(writer, node) && !is_send(writer, &nodes[i]) &&
                  same_values(writer, &nodes[i], FIELD_peer, node, FIELD_peer) &&
                  same_values(writer, &nodes[i], FIELD_tag, node, FIELD_tag);
    for (size_t i = 0; i < beside->n; i++)
        if (is_send(writer, &nodes[i]) && same_values(writer, &nodes[i], FIELD_peer, node, FIELD_peer) &&
            same_values(writer, &nodes[i], FIELD_tag, node, FIELD_tag) && before-- == 0)
            return -sign_of_send(writer, i);
    return -1;
}

int writer_sign_of(const struct writer *writer, enum field field)
{
    const struct template_node *node = &writer->beside.nodes[writer->beside.at];
    if (field == FIELD_peer2)
        return same_values(writer, node, FIELD_peer, node, FIELD_peer2) ? -sign_of_send(writer, writer->beside.at) : -1;
    return is_send(writer, node) ? sign_of_send(writer, writer->beside.at) : sign_of_receive(writer, writer->beside.at);
}

int writer_side_of(const struct writer *writer, const struct template_node *node)
{
    while (node->site < 0)
        node = node->body;
    enum operation_kind kind = kind_of(writer, node);
    int side = 0;
    if (kind != KIND_send && kind != KIND_recv && kind != KIND_both)
        return 0;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        int64_t peer;
        if (!node->of[k])
            continue;
        int here = !series_is_constant(node->of[k]->field[FIELD_peer], &peer) || peer < 0 ? 0
                 : peer > writer->template->instances[k].rank ? 1 : -1;
        if (here == 0 || (side != 0 && here != side))
            return 0;
        side = here;
    }
    return side;
}
