/* Each algorithm delivers the right data to the right processes, at any number of them, any root and any size, with
 * eager sends and without deadlock with synchronous ones; and sends as many messages and bytes as it should. */
#include "collectives/tests/executor.h"

#include "collectives/topology.h"
#include "common/tests/said.h"
#include "common/tests/share.h"

#define EACH_OP(op) for (int op = 0; op <= COLLECTIVE_MPI_Ibcast; op++)
#define EACH_ALGORITHM(op, a)            \
    for (int a = 0; a < N_ALGORITHMS; a++) \
        if (schedule_exists((enum collective_op)op, (enum algorithm)a))

static const int32_t counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 32, 33};
enum { N_COUNTS = sizeof counts / sizeof *counts };

static bool op_has_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Alltoallv || op == COLLECTIVE_MPI_Reduce_scatter;
}

static void run_both(const struct schedule *s)
{
    for (int synchronous = 0; synchronous < 2; synchronous++) {
        struct world w = {.synchronous = synchronous != 0};
        world_run(&w, s);
    }
}

static void run_roots(struct schedule s)
{
    const int32_t roots[] = {0, 1, s.size / 2, s.size - 1};
    const int n = op_rooted(s.op) ? 4 : 1;
    for (int i = 0; i < n; i++) {
        bool again = roots[i] >= s.size;
        for (int j = 0; j < i; j++)
            again |= roots[j] == roots[i];
        s.root = roots[i];
        if (!again)
            run_both(&s);
    }
}

/* Shares with and without empty ones: 0 0 3 0 1 ..., and 5 6 7 ... */
static void run_shares(struct schedule s)
{
    int64_t sums[65] = {0};
    for (int pattern = 0; pattern < 2; pattern++) {
        for (int32_t r = 0; r < s.size; r++)
            sums[r + 1] = sums[r] + (pattern == 0 ? (r % 5 == 2 ? 3 : r % 7 == 4) : 5 + r % 4);
        s.sums = sums;
        run_roots(s);
    }
}

/* What each has for each other one: all of some size, or many empty; what stays in a process is no message. */
static void run_pairs(struct schedule s)
{
    int64_t sums[65] = {0}, *pairs = calloc((size_t)s.size * (size_t)s.size, sizeof *pairs);
    assert_non_null(pairs);
    for (int pattern = 0; pattern < 2; pattern++) {
        for (int32_t i = 0; i < s.size * s.size; i++) {
            int32_t from = i / s.size, to = i % s.size;
            pairs[i] = pattern == 0 ? 3 + (5 * from + 2 * to) % 7 : (from + 2 * to) % 3 == 1 ? 4 + from : 0;
        }
        for (int32_t r = 0; r < s.size; r++) {
            sums[r + 1] = sums[r];
            for (int32_t to = 0; to < s.size; to++)
                sums[r + 1] += pairs[r * s.size + to];
        }
        s.sums = sums;
        s.pairs = pairs;
        run_both(&s);
    }
    free(pairs);
}

static void delivers(enum collective_op op, enum algorithm algorithm)
{
    const int64_t sizes[] = {0, 1, 7, 64, 333};
    const struct schedule two = {.op = op, .size = 2, .bytes = 1};
    const bool vector = schedule_total(&two) == 1;
    for (int i = 0; i < N_COUNTS; i++) {
        if (!share_takes(i + (int)algorithm))
            continue;
        struct schedule s = {.op = op, .algorithm = algorithm, .size = counts[i]};
        /* The largest size is for vectors: two elements of 8 bytes for each process and more. */
        for (int k = 0; k < 5; k++) {
            if (sizes[k] == 64 && counts[i] > 16)
                continue;
            s.bytes = sizes[k] == 333 && counts[i] > 8 ? (vector ? 2 * 8 * counts[i] + 3 : 11) : sizes[k];
            s.segment = 0;
            run_roots(s);
            for (s.segment = 3; schedule_segments(op, algorithm) && s.segment < 100; s.segment = s.segment * 2 + 21)
                run_roots(s);
        }
        s.segment = 0;
        if (op_has_shares(op))
            run_shares(s);
        if (op == COLLECTIVE_MPI_Alltoallv)
            run_pairs(s);
    }
}

#define DELIVERS(name)                                             \
    static void name##_delivers(void **state)                      \
    {                                                              \
        (void)state;                                               \
        EACH_ALGORITHM(COLLECTIVE_MPI_##name, a)                   \
        {                                                          \
            delivers(COLLECTIVE_MPI_##name, (enum algorithm)a);    \
        }                                                          \
    }
#define EACH_NAME(X)                                                                                                 \
    X(Barrier) X(Bcast) X(Scatter) X(Scatterv) X(Gather) X(Gatherv) X(Allgather) X(Allgatherv) X(Reduce) X(Allreduce) \
    X(Reduce_scatter) X(Alltoall) X(Alltoallv) X(Scan) X(Exscan)
EACH_NAME(DELIVERS)

/* ---- what the executor would not notice ---- */

static void an_operation_without_moves_ends_at_once(void **state)
{
    (void)state;
    EACH_OP(op)
    {
        EACH_ALGORITHM(op, a)
        {
            struct schedule alone = {
                .op = (enum collective_op)op, .algorithm = (enum algorithm)a, .size = 1, .bytes = 8};
            struct schedule empty = {
                .op = (enum collective_op)op, .algorithm = (enum algorithm)a, .size = 6, .rank = 3};
            struct move move;
            schedule_move(&alone, 0, &move);
            assert_int_equal(move.kind, MOVE_END);
            schedule_move(&empty, 0, &move);
            assert_int_equal(move.kind == MOVE_END, op != COLLECTIVE_MPI_Barrier && op != COLLECTIVE_MPI_Alltoallv);
        }
    }
}

/* A step far beyond the end is still the end; fields that a kind has not are -1 and 0. */
static void moves_are_well_formed(void **state)
{
    (void)state;
    EACH_OP(op)
    {
        EACH_ALGORITHM(op, a)
        {
            struct schedule s = {
                .op = (enum collective_op)op, .algorithm = (enum algorithm)a, .size = 12, .rank = 5, .bytes = 96};
            struct move move = {.kind = MOVE_SKIP};
            for (int64_t step = 0; move.kind != MOVE_END; step++) {
                schedule_move(&s, step, &move);
                bool sends = move.kind == MOVE_SEND || move.kind == MOVE_ISEND || move.kind == MOVE_EXCHANGE;
                bool receives = move.kind == MOVE_RECV || move.kind == MOVE_IRECV || move.kind == MOVE_EXCHANGE;
                assert_int_equal(move.to >= 0, sends);
                assert_int_equal(move.from >= 0, receives);
                assert_true(sends || move.kind == MOVE_REDUCE || move.bytes == 0);
                assert_true(receives || move.receive_bytes == 0);
            }
            schedule_move(&s, (int64_t)1 << 40, &move);
            assert_int_equal(move.kind, MOVE_END);
        }
    }
}

/* 65,536 processes, without memory: the last calls of some ranks in the operations with most calls. */
static void many_processes_cost_nothing(void **state)
{
    (void)state;
    struct move move;
    struct schedule ring = {
        .op = COLLECTIVE_MPI_Allgather, .algorithm = ALGORITHM_ring, .size = 65536, .rank = 40000, .bytes = 10};
    schedule_move(&ring, 65534, &move);
    assert_int_equal(move.kind, MOVE_EXCHANGE);
    assert_int_equal(move.to, 40001);
    assert_int_equal(move.from, 39999);
    schedule_move(&ring, 65535, &move);
    assert_int_equal(move.kind, MOVE_END);
    struct schedule all = {
        .op = COLLECTIVE_MPI_Alltoall, .algorithm = ALGORITHM_linear, .size = 65536, .rank = 7, .bytes = 10};
    schedule_move(&all, 65535, &move);
    assert_int_equal(move.kind, MOVE_ISEND);
    assert_int_equal(move.to, 6);
    schedule_move(&all, 2 * 65535, &move);
    assert_int_equal(move.kind, MOVE_WAITALL);
}

/* The first calls of some processes, as the libraries make them. */
static void expect_moves(struct schedule s, int n, const struct move expected[])
{
    for (int i = 0; i < n; i++) {
        struct move move;
        schedule_move(&s, i, &move);
        assert_int_equal(move.kind, expected[i].kind);
        assert_int_equal(move.to, expected[i].to);
        assert_int_equal(move.from, expected[i].from);
        assert_int_equal(move.bytes, expected[i].bytes);
        assert_int_equal(move.receive_bytes, expected[i].receive_bytes);
    }
}

static void orders_are_those_of_the_libraries(void **state)
{
    (void)state;
    /* Open MPI's binomial broadcast: nearest first, all at once; MPICH's: farthest first, one by one. Root 1 of 8. */
    struct schedule s = {
        .op = COLLECTIVE_MPI_Ibcast, .algorithm = ALGORITHM_binomial, .size = 8, .rank = 1, .root = 1, .bytes = 9};
    expect_moves(s, 5, (struct move[]){{MOVE_ISEND, 2, -1, 9, 0}, {MOVE_ISEND, 3, -1, 9, 0}, {MOVE_ISEND, 5, -1, 9, 0},
                                       {MOVE_WAITALL, -1, -1, 0, 0}, {MOVE_END, -1, -1, 0, 0}});
    s.algorithm = ALGORITHM_binomial_blocking;
    expect_moves(s, 4, (struct move[]){{MOVE_SEND, 5, -1, 9, 0}, {MOVE_SEND, 3, -1, 9, 0}, {MOVE_SEND, 2, -1, 9, 0},
                                       {MOVE_END, -1, -1, 0, 0}});
    /* Open MPI's Ibcast: root 1 and process 0 have changed places, so 0 has two children, and 3 gets its message from
     * it. */
    s.algorithm = ALGORITHM_binomial_swapped;
    expect_moves(s, 5, (struct move[]){{MOVE_ISEND, 0, -1, 9, 0}, {MOVE_ISEND, 2, -1, 9, 0}, {MOVE_ISEND, 4, -1, 9, 0},
                                       {MOVE_WAITALL, -1, -1, 0, 0}, {MOVE_END, -1, -1, 0, 0}});
    s.rank = 0;
    expect_moves(s, 5, (struct move[]){{MOVE_RECV, -1, 1, 0, 9}, {MOVE_ISEND, 3, -1, 9, 0}, {MOVE_ISEND, 5, -1, 9, 0},
                                       {MOVE_WAITALL, -1, -1, 0, 0}, {MOVE_END, -1, -1, 0, 0}});
    s.rank = 3;
    expect_moves(s, 4, (struct move[]){{MOVE_RECV, -1, 0, 0, 9}, {MOVE_ISEND, 7, -1, 9, 0}, {MOVE_WAITALL, -1, -1, 0, 0},
                                       {MOVE_END, -1, -1, 0, 0}});
    /* A pipeline: the next segment is received while one is passed on. 20 bytes in segments of 8. */
    s.algorithm = ALGORITHM_chain;
    s.segment = 8;
    s.bytes = 20;
    s.rank = 2;
    expect_moves(s, 12,
                 (struct move[]){{MOVE_IRECV, -1, 1, 0, 8},
                                 {MOVE_IRECV, -1, 1, 0, 8},
                                 {MOVE_WAIT_RECEIVE, -1, -1, 0, 0},
                                 {MOVE_ISEND, 3, -1, 8, 0},
                                 {MOVE_WAIT_SENDS, -1, -1, 0, 0},
                                 {MOVE_IRECV, -1, 1, 0, 4},
                                 {MOVE_WAIT_RECEIVE, -1, -1, 0, 0},
                                 {MOVE_ISEND, 3, -1, 8, 0},
                                 {MOVE_WAIT_SENDS, -1, -1, 0, 0},
                                 {MOVE_WAIT_RECEIVE, -1, -1, 0, 0},
                                 {MOVE_ISEND, 3, -1, 4, 0},
                                 {MOVE_WAITALL, -1, -1, 0, 0}});
    /* Scatter: largest subtree first, of 6 processes: 4 and 5; 2 and 3; 1. */
    struct schedule scatter = {.op = COLLECTIVE_MPI_Scatter, .algorithm = ALGORITHM_binomial, .size = 6, .bytes = 10};
    expect_moves(scatter, 4,
                 (struct move[]){{MOVE_SEND, 4, -1, 20, 0},
                                 {MOVE_SEND, 2, -1, 20, 0},
                                 {MOVE_SEND, 1, -1, 10, 0},
                                 {MOVE_END, -1, -1, 0, 0}});
    /* Alltoall: receives to the right, sends to the left. */
    struct schedule all = {
        .op = COLLECTIVE_MPI_Alltoall, .algorithm = ALGORITHM_linear, .size = 3, .rank = 1, .bytes = 4};
    expect_moves(all, 6,
                 (struct move[]){{MOVE_IRECV, -1, 2, 0, 4},
                                 {MOVE_IRECV, -1, 0, 0, 4},
                                 {MOVE_ISEND, 0, -1, 4, 0},
                                 {MOVE_ISEND, 2, -1, 4, 0},
                                 {MOVE_WAITALL, -1, -1, 0, 0},
                                 {MOVE_END, -1, -1, 0, 0}});
    /* MPICH's takes 32 partners at a time, the first of which is the process itself. */
    struct schedule batches = {
        .op = COLLECTIVE_MPI_Alltoall, .algorithm = ALGORITHM_scattered, .size = 40, .rank = 1, .bytes = 4};
    struct move move;
    for (int64_t step = 0; step <= 32 + 32 + 1 + 8 + 8; step++) {
        schedule_move(&batches, step, &move);
        assert_int_equal(move.kind == MOVE_SKIP, step == 0 || step == 32);
        assert_int_equal(move.kind == MOVE_WAITALL, step == 64 || step == 81);
    }
    /* A linear Reduce combines from the highest rank down, over the root. */
    struct schedule reduce = {.op = COLLECTIVE_MPI_Reduce, .algorithm = ALGORITHM_linear, .size = 3, .bytes = 4};
    reduce.rank = reduce.root = 1;
    expect_moves(reduce, 4, (struct move[]){{MOVE_RECV, -1, 2, 0, 4}, {MOVE_REDUCE, -1, -1, 4, 0},
                                            {MOVE_RECV, -1, 0, 0, 4}, {MOVE_REDUCE, -1, -1, 4, 0}});
    /* An empty share of a Gatherv is left out by both sides. */
    const int64_t sums[] = {0, 4, 4, 9};
    struct schedule gather = {.op = COLLECTIVE_MPI_Gatherv, .algorithm = ALGORITHM_linear, .size = 3, .sums = sums};
    expect_moves(gather, 3,
                 (struct move[]){{MOVE_SKIP, -1, -1, 0, 0}, {MOVE_RECV, -1, 2, 0, 5}, {MOVE_END, -1, -1, 0, 0}});
}

/* ---- counts ---- */

static void expect_counts(struct schedule s, int64_t messages, int64_t bytes, int64_t reduced)
{
    struct world w = {.synchronous = false};
    world_run(&w, &s);
    assert_int_equal(w.n_messages, messages);
    assert_int_equal(w.n_bytes, bytes);
    assert_int_equal(w.n_reduced, reduced);
}

static int64_t ceil_log2(int64_t n)
{
    int64_t bits = 0;
    while ((int64_t)1 << bits < n)
        bits++;
    return bits;
}

static void counts_are_those_of_closed_forms(void **state)
{
    (void)state;
    for (int i = 1; i < N_COUNTS; i++) {
        const int32_t n = counts[i];
        const int64_t P = n, M = 8 * 2 * P, L = ceil_log2(P), extra = P - power_below(n), F = log2_below(n);
        struct schedule s = {.size = n, .bytes = M};
        const enum algorithm trees[] = {ALGORITHM_linear, ALGORITHM_chain, ALGORITHM_binomial, ALGORITHM_binary};
        for (int t = 0; t < 4; t++) {
            s.algorithm = trees[t];
            s.op = COLLECTIVE_MPI_Bcast;
            expect_counts(s, P - 1, (P - 1) * M, 0);
            s.op = COLLECTIVE_MPI_Reduce;
            expect_counts(s, P - 1, (P - 1) * M, (P - 1) * M);
        }
        s.op = COLLECTIVE_MPI_Allgather;
        s.algorithm = ALGORITHM_ring;
        expect_counts(s, P * (P - 1), P * (P - 1) * M, 0);
        s.algorithm = ALGORITHM_bruck;
        expect_counts(s, P * L, P * (P - 1) * M, 0);
        s.op = COLLECTIVE_MPI_Alltoall;
        s.algorithm = ALGORITHM_pairwise;
        expect_counts(s, P * (P - 1), P * (P - 1) * M, 0);
        s.op = COLLECTIVE_MPI_Allreduce;
        s.algorithm = ALGORITHM_ring;
        expect_counts(s, 2 * P * (P - 1), 2 * (P - 1) * M, (P - 1) * M);
        s.algorithm = ALGORITHM_recursive_doubling;
        expect_counts(s, (P - extra) * F + 2 * extra, ((P - extra) * F + 2 * extra) * M, ((P - extra) * F + extra) * M);
        s.algorithm = ALGORITHM_rabenseifner;
        if (extra == 0)
            expect_counts(s, 2 * P * F, 2 * (P - 1) * M, (P - 1) * M);
        s.op = COLLECTIVE_MPI_Reduce_scatter;
        s.algorithm = ALGORITHM_ring;
        expect_counts(s, P * (P - 1), P * (P - 1) * M, P * (P - 1) * M);
        s.op = COLLECTIVE_MPI_Barrier;
        s.algorithm = ALGORITHM_dissemination;
        expect_counts(s, P * L, 0, 0);
    }
}

/* Segments of 20 elements, two processes: a rest of more than half a lap of 40 makes a phase of its own. Each phase is
 * one message from each process; the distribution one more. */
static void rings_go_round_once_for_each_segment(void **state)
{
    (void)state;
    struct schedule s = {.op = COLLECTIVE_MPI_Allreduce, .algorithm = ALGORITHM_ring, .size = 2, .segment = 160};
    s.bytes = 100 * 8;
    expect_counts(s, 2 * 2 + 2, 2 * s.bytes, s.bytes);
    s.bytes = 102 * 8;
    expect_counts(s, 2 * 3 + 2, 2 * s.bytes, s.bytes);
}

/* ---- trees ---- */

static void parents_and_children_agree(void **state)
{
    (void)state;
    const enum tree_shape shapes[] = {TREE_CHAIN,   TREE_BINOMIAL, TREE_BINOMIAL_IN_ORDER,
                                      TREE_KNOMIAL, TREE_BINARY,   TREE_BINARY_IN_ORDER};
    for (int t = 0; t < 6; t++)
        for (int32_t size = 1; size < 200; size++) {
            int32_t below = 0;
            for (int32_t position = 0; position < size; position++) {
                struct tree_node node, child;
                tree_node_init(&node, shapes[t], size, position);
                assert_int_equal(node.parent < 0, position == (shapes[t] == TREE_BINARY_IN_ORDER ? size - 1 : 0));
                for (int32_t i = 0; i < node.n_children; i++) {
                    tree_node_init(&child, shapes[t], size, node.children[i]);
                    assert_int_equal(child.parent, position);
                }
                below += node.n_children;
            }
            assert_int_equal(below, size - 1);
        }
}

/* ---- names ---- */

static const char *message_of(const char *text, enum collective_op op, enum status expected)
{
    static char message[2000];
    struct diags diags = DIAGS_EMPTY;
    enum algorithm algorithm = ALGORITHM_bruck;
    int64_t segment = 77;
    assert_int_equal(algorithm_parse(text, op, place_of_file("m.yaml"), &algorithm, &segment, &diags), expected);
    assert_int_equal(algorithm, ALGORITHM_bruck);
    assert_int_equal(segment, 77);
    char *printed = said_by(&diags);
    snprintf(message, sizeof message, "%s", printed);
    free(printed);
    diags_free(&diags);
    return message;
}

static void names_are_read_with_their_segments(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    enum algorithm algorithm;
    int64_t segment;
    const struct place place = place_of_file("m.yaml");
    const struct {
        const char *text;
        enum algorithm algorithm;
        int64_t segment;
    } good[] = {{"binomial", ALGORITHM_binomial, 0},           {"binomial/8K", ALGORITHM_binomial, 8192},
                {"chain/100", ALGORITHM_chain, 100},           {"flat", ALGORITHM_linear, 0},
                {"split_binary/2M", ALGORITHM_split_binary, 2 * 1024 * 1024}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(algorithm_parse(good[i].text, COLLECTIVE_MPI_Ibcast, place, &algorithm, &segment, &diags),
                         STATUS_OK);
        assert_int_equal(algorithm, good[i].algorithm);
        assert_int_equal(segment, good[i].segment);
    }
    assert_int_equal(diags.n_errors, 0);
}

static void wrong_names_are_answered(void **state)
{
    (void)state;
    const char *text = message_of("binomal", COLLECTIVE_MPI_Bcast, STATUS_NAME);
    assert_non_null(
        strstr(text, "unknown algorithm `binomal`, did you mean `binomial`? MPI_Bcast has linear, chain, binomial,"));
    text = message_of("", COLLECTIVE_MPI_Scan, STATUS_NAME);
    assert_non_null(strstr(text, "unknown algorithm ``: MPI_Scan has chain or recursive_doubling"));
    text = message_of("ring", COLLECTIVE_MPI_Scan, STATUS_NAME);
    assert_non_null(strstr(text, "MPI_Scan has no algorithm `ring`, it has chain or recursive_doubling"));
    text = message_of("linear/8K", COLLECTIVE_MPI_Reduce, STATUS_RANGE);
    assert_non_null(strstr(
        text, "`linear` of MPI_Reduce has no segments; those with are chain, chain_blocking, binomial, binary or "
              "in_order_binary"));
    text = message_of("ring/8K", COLLECTIVE_MPI_Allgather, STATUS_RANGE);
    assert_non_null(strstr(text, "`ring` of MPI_Allgather has no segments\n"));
    const char *const bad[] = {
        "chain/", "chain/0", "chain/8KB", "chain/-8", "chain/99999999999999", "chain/9999999999M", "chain/K"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        text = message_of(bad[i], COLLECTIVE_MPI_Bcast, STATUS_RANGE);
        assert_non_null(strstr(text, "expected the bytes of a segment after `/`, such as `chain/8K`, found `"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name) cmocka_unit_test(name##_delivers),
        EACH_NAME(X)
#undef X
        cmocka_unit_test(an_operation_without_moves_ends_at_once),
        cmocka_unit_test(moves_are_well_formed),
        cmocka_unit_test(many_processes_cost_nothing),
        cmocka_unit_test(orders_are_those_of_the_libraries),
        cmocka_unit_test(counts_are_those_of_closed_forms),
        cmocka_unit_test(rings_go_round_once_for_each_segment),
        cmocka_unit_test(parents_and_children_agree),
        cmocka_unit_test(names_are_read_with_their_segments),
        cmocka_unit_test(wrong_names_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
