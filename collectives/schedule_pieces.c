/* A Gather(v) whose shares go straight to the root in pieces. A process sends a piece when the root has its last one,
 * so no more than one of each is on its way: Lastovetsky and O'Flynn, IPDPS 2007, section 7, and coll/carry.h, which
 * takes whatever piece comes first. Here the root takes them in the order in which it has asked for them. */
#include "collectives/schedule_impl.h"

#include "coll/branch.h"

/* The others, from the root on round the circle. */
static int32_t rank_round(const struct schedule *s, int64_t k)
{
    return (int32_t)((s->root + 1 + k) % s->size);
}

static int64_t pieces_of_rank(const struct schedule *s, int32_t rank)
{
    const int64_t share = schedule_share(s, rank);
    if (share == 0)
        return 0;
    if (s->carried && s->carried->pieces)
        return s->carried->pieces[rank];
    return s->segment > 0 ? pieces_of(share, s->segment) : 1;
}

static struct part piece_part(const struct schedule *s, int32_t rank, int64_t pieces, int64_t k)
{
    const int64_t share = schedule_share(s, rank), begin = piece_begin(share, pieces, k);
    return part_range((s->sums ? s->sums[rank] : rank * s->bytes) + begin, piece_begin(share, pieces, k + 1) - begin);
}

static void pieces_send(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int64_t pieces = pieces_of_rank(s, s->rank);
    int64_t k;
    if (pieces == 0)
        return;
    call_send(c, s->root, piece_part(s, s->rank, pieces, 0));
    if (cursor_rounds(c, pieces - 1, 2, &k)) {
        call_recv(c, s->root, part_token());
        call_send(c, s->root, piece_part(s, s->rank, pieces, k + 1));
    }
}

static int64_t most_pieces(const struct schedule *s)
{
    int64_t most = 0;
    if (!s->sums)
        return pieces_of_rank(s, s->root == 0 ? 1 : 0);
    for (int32_t rank = 0; rank < s->size; rank++) {
        const int64_t pieces = rank == s->root ? 0 : pieces_of_rank(s, rank);
        most = pieces > most ? pieces : most;
    }
    return most;
}

/* Piece k of a rank has come; the next one is asked for. */
static void piece_take(struct cursor *c, int32_t rank, int64_t k)
{
    const int64_t pieces = pieces_of_rank(c->s, rank);
    call_plain(c, k < pieces ? MOVE_WAIT_RECEIVE : MOVE_SKIP);
    if (k + 1 < pieces) {
        call_irecv(c, rank, piece_part(c->s, rank, pieces, k + 1));
        call_send(c, rank, part_token());
    } else {
        call_plain(c, MOVE_SKIP);
        call_plain(c, MOVE_SKIP);
    }
}

void pieces_gather(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int64_t others = s->size - 1;
    int64_t i, k;
    if (s->rank != s->root) {
        pieces_send(c);
        return;
    }
    if (cursor_rounds(c, others, 1, &i)) {
        const int32_t rank = rank_round(s, i);
        const int64_t pieces = pieces_of_rank(s, rank);
        if (pieces > 0)
            call_irecv(c, rank, piece_part(s, rank, pieces, 0));
        else
            call_plain(c, MOVE_SKIP);
    }
    if (cursor_rounds(c, most_pieces(s), 3 * others, &k) && cursor_rounds(c, others, 3, &i))
        piece_take(c, rank_round(s, i), k);
}
