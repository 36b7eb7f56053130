/* Operations among neighbours: on grids and graphs, with processes that are their own neighbours or twice each other's,
 * messages of two processes match in their order, edge by edge, and each edge has one. */
#include "collectives/schedule_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { EDGES_MOST = 400 };

/* Edges between two processes in the order of posting. */
struct posted {
    int n;
    struct part parts[EDGES_MOST];
};

/* Parts that `rank` sends to, or receives from, `other`. */
static struct posted posted_find(struct schedule s, int32_t rank, int32_t other, bool sends)
{
    struct posted posted = {.n = 0};
    struct cursor c;
    s.rank = rank;
    for (int64_t step = 0; schedule_walk(&s, step, &c), c.move.kind != MOVE_END; step++) {
        const bool is_send = c.move.kind == MOVE_ISEND, is_receive = c.move.kind == MOVE_IRECV;
        assert_true(is_send || is_receive || c.move.kind == MOVE_SKIP || c.move.kind == MOVE_WAITALL);
        if (sends ? is_send && c.move.to == other : is_receive && c.move.from == other)
            posted.parts[posted.n++] = sends ? c.sent : c.received;
    }
    return posted;
}

static void match(const struct schedule *s)
{
    bool seen[EDGES_MOST] = {false};
    for (int32_t from = 0; from < s->size; from++)
        for (int32_t to = 0; to < s->size; to++) {
            const struct posted sent = posted_find(*s, from, to, true), received = posted_find(*s, to, from, false);
            assert_int_equal(sent.n, received.n);
            for (int i = 0; i < sent.n; i++) {
                const int64_t edge = sent.parts[i].first;
                assert_int_equal(edge, received.parts[i].first);
                assert_int_equal(s->topology->out[edge], to);
                assert_in_range(edge, s->topology->first_out[from], s->topology->first_out[from + 1] - 1);
                assert_int_equal(sent.parts[i].bytes, s->pairs ? s->pairs[edge] : schedule_share(s, from));
                assert_int_equal(sent.parts[i].bytes, received.parts[i].bytes);
                assert_false(seen[edge]);
                seen[edge] = true;
            }
        }
    for (int32_t edge = 0; edge < s->topology->first_out[s->size]; edge++)
        assert_int_equal(seen[edge], s->topology->out[edge] >= 0);
}

static void match_all(const struct topology *t, int32_t n)
{
    int64_t pairs[EDGES_MOST], sums[65] = {0};
    for (int i = 0; i < EDGES_MOST; i++)
        pairs[i] = 1000 + i;
    for (int32_t r = 0; r < n; r++)
        sums[r + 1] = sums[r] + 7 * r;
    struct schedule s = {.op = COLLECTIVE_MPI_Neighbor_alltoallv, .algorithm = ALGORITHM_linear, .size = n,
                         .topology = t, .sums = sums, .pairs = pairs};
    match(&s);
    s.pairs = NULL;
    s.op = COLLECTIVE_MPI_Neighbor_allgatherv;
    match(&s);
    s.sums = NULL;
    s.bytes = 24;
    s.op = COLLECTIVE_MPI_Neighbor_alltoall;
    match(&s);
    assert_true(n > 0);
}

static void on_grids(void **state)
{
    (void)state;
    static const int32_t dims[][3] = {{1, 1, 1}, {2, 1, 1}, {2, 2, 2}, {3, 1, 2}, {4, 3, 2}, {5, 1, 1}};
    for (size_t g = 0; g < sizeof dims / sizeof *dims; g++)
        for (int around = 0; around < 8; around++)
            for (int32_t n_dims = 1; n_dims <= 3; n_dims++) {
                struct arena memory = ARENA_EMPTY;
                const int32_t periodic[] = {around & 1, around >> 1 & 1, around >> 2};
                const struct topology *grid = topology_grid(&memory, n_dims, dims[g], periodic);
                match_all(grid, topology_size(grid));
                arena_free(&memory);
            }
}

static void on_graphs(void **state)
{
    (void)state;
    enum { N = 7, DEGREE = 9 };
    for (uint32_t seed = 1; seed < 60; seed++) {
        struct arena memory = ARENA_EMPTY;
        int32_t in[N][N * DEGREE], out[N][DEGREE], from = -1, to = -1;
        struct neighbours said[N] = {{0, 0, NULL, NULL}};
        uint32_t x = seed;
        for (int32_t rank = 0; rank < N; rank++) {
            said[rank].in = in[rank];
            said[rank].out = out[rank];
        }
        for (int32_t i = 0; i < N * DEGREE; i++) {
            const int32_t rank = i % N, other = (int32_t)((x = x * 1664525 + 1013904223) >> 16) % (N + 2);
            if (other >= N)
                continue;
            out[rank][said[rank].n_out++] = other;
            in[other][said[other].n_in++] = rank;
        }
        const struct topology *graph = topology_graph(&memory, N, said, &from, &to);
        assert_non_null(graph);
        match_all(graph, N);
        said[3].n_out--; /* one that only its receiver names */
        assert_null(topology_graph(&memory, N, said, &from, &to));
        assert_int_equal(from, 3);
        assert_int_equal(to, out[3][said[3].n_out]);
        arena_free(&memory);
    }
}

static void nothing_is_sent_where_all_know_that_there_is_nothing(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    const struct topology *grid = topology_grid(&memory, 1, (int32_t[]){3}, (int32_t[]){1});
    struct schedule s = {.op = COLLECTIVE_MPI_Neighbor_allgather, .algorithm = ALGORITHM_linear, .size = 3, .topology = grid};
    int64_t sums[4] = {0};
    struct move move;
    schedule_move(&s, 0, &move);
    assert_int_equal(move.kind, MOVE_END);
    s.op = COLLECTIVE_MPI_Neighbor_allgatherv;
    s.sums = sums;
    schedule_move(&s, 0, &move);
    assert_int_equal(move.kind, MOVE_IRECV);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_grids),
        cmocka_unit_test(on_graphs),
        cmocka_unit_test(nothing_is_sent_where_all_know_that_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
