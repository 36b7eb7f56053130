/* Van de Geijn's broadcast: a binomial scatter of equal pieces of the message, then an allgather. Open MPI: bcast
 * scatter_allgather and scatter_allgather_ring; MPICH: the same, bcast_utils.c. */
#include "collectives/schedule_impl.h"
#include "collectives/topology.h"

/* The pieces of positions first .. first + n - 1; the last ones may be short or empty. */
static struct part pieces(const struct schedule *s, int64_t first, int64_t n)
{
    const int64_t piece = (s->bytes - 1) / s->size + 1;
    const int64_t begin = first * piece < s->bytes ? first * piece : s->bytes;
    const int64_t end = (first + n) * piece < s->bytes ? (first + n) * piece : s->bytes;
    return part_range(begin, end - begin);
}

static struct part subtree_pieces(const struct schedule *s, int32_t position)
{
    return pieces(s, position, position & -position);
}

/* Empty pieces are not sent. */
static void scatter_pieces(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int32_t position = rank_from_root(s);
    struct tree_node node;
    tree_node_init(&node, TREE_BINOMIAL_IN_ORDER, s->size, position);
    if (node.parent >= 0 && subtree_pieces(s, position).bytes > 0)
        call_recv(c, rank_at(s, node.parent), subtree_pieces(s, position));
    for (int32_t i = node.n_children - 1; i >= 0; i--)
        if (subtree_pieces(s, node.children[i]).bytes > 0)
            call_send(c, rank_at(s, node.children[i]), subtree_pieces(s, node.children[i]));
}

/* Both libraries' answer to fewer bytes than processes. */
static bool sent_linearly(struct cursor *c)
{
    const struct schedule *s = c->s;
    if (s->bytes >= s->size)
        return false;
    struct schedule linear = *s;
    linear.algorithm = ALGORITHM_linear;
    cursor_run(c, &linear);
    return true;
}

void scatter_ring_allgather_bcast(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int32_t position = rank_from_root(s);
    int64_t k;
    if (sent_linearly(c))
        return;
    scatter_pieces(c);
    if (!cursor_rounds(c, s->size - 1, 1, &k))
        return;
    const int64_t mine = position + s->size - k;
    call_exchange(c, rank_at(s, position + 1), pieces(s, mine % s->size, 1), rank_at(s, position + s->size - 1),
                  pieces(s, (mine - 1) % s->size, 1));
}

/* In a step of recursive doubling the `mask` processes from `own` on stood opposite a group from `own + mask` on that
 * is not complete. Those who had no partner there get that group's pieces from those who had, along a binomial tree.
 * */
static void supply_partnerless(struct cursor *c, int32_t position, int32_t mask, int32_t own)
{
    const struct schedule *s = c->s;
    const int32_t opposite = s->size - own - mask;
    const struct part missing = pieces(s, own + mask, mask);
    for (int32_t half = mask >> 1; half > 0; half >>= 1) {
        const int32_t other = position ^ half, informed = (position & ~(2 * half - 1)) + opposite;
        if (other > position && position < informed && other >= informed)
            call_send(c, rank_at(s, other), missing);
        else if (other < position && other < informed && position >= informed)
            call_recv(c, rank_at(s, other), missing);
    }
}

void scatter_allgather_bcast(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int32_t position = rank_from_root(s);
    if (sent_linearly(c))
        return;
    scatter_pieces(c);
    for (int32_t mask = 1; mask < s->size; mask <<= 1) {
        const int32_t other = position ^ mask, own = position & ~(mask - 1), opposite = other & ~(mask - 1);
        if (other < s->size)
            call_exchange(c, rank_at(s, other), pieces(s, own, mask), rank_at(s, other), pieces(s, opposite, mask));
        if (opposite + (int64_t)mask > s->size && opposite < s->size)
            supply_partnerless(c, position, mask, own);
    }
}
