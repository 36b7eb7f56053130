/* When each process leaves: against the executor under Hockney, and worked out by hand under LogGP. */
#include "collectives/schedule_time.h"

#include "collectives/tests/executor.h"
#include "common/tests/share.h"

#include <math.h>

/* Hockney with these, or LogGP. Seconds. */
#define ALPHA 3.0
#define BETA  0.25
#define GAMMA 0.0625

static void hockney(const void *context, int32_t from, int32_t to, int64_t bytes, struct message_cost *cost)
{
    (void)context, (void)from, (void)to;
    double time = ALPHA + BETA * (double)bytes;
    *cost = (struct message_cost){.out_gap = time, .transit = time};
}

static bool has_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Alltoallv;
}

static double latest(int32_t size, const double leaves[])
{
    double time = 0;
    for (int32_t rank = 0; rank < size; rank++)
        time = fmax(time, leaves[rank]);
    return time;
}

/* One process for all of them, where the schedule turns, gives the same. */
static void agree(const struct schedule *s)
{
    double leaves[64], alike[64];
    struct schedule_costs costs = {.message = hockney, .gamma = GAMMA};
    struct world w = {.alpha = ALPHA, .beta = BETA, .gamma = GAMMA};
    world_run(&w, s);
    assert_true(schedule_times(s, &costs, leaves));
    costs.alike = true;
    assert_true(schedule_times(s, &costs, alike));
    double took = latest(s->size, leaves);
    for (int32_t rank = 0; rank < s->size; rank++)
        if (leaves[rank] != alike[rank] || fabs(took - w.finish) > 1e-12 * w.finish)
            fail_msg("%s %s: P = %d, %lld bytes, segment %lld: rank %d leaves at %.17g, alone at %.17g; the last at "
                     "%.17g instead of %.17g", collective_op_name(s->op), algorithm_name(s->algorithm), (int)s->size,
                     (long long)s->bytes, (long long)s->segment, (int)rank, leaves[rank], alike[rank], took, w.finish);
}

static void agree_sizes(struct schedule s)
{
    static const int64_t sizes[] = {0, 5, 48, 200};
    int64_t sums[65] = {0};
    for (int i = 0; i < 4; i++) {
        s.bytes = sizes[i];
        s.segment = 0;
        agree(&s);
        s.segment = 7;
        if (schedule_segments(s.op, s.algorithm))
            agree(&s);
    }
    for (int32_t r = 0; r < s.size; r++)
        sums[r + 1] = sums[r] + 5 * (r % 4);
    s.sums = sums;
    s.segment = 0;
    if (has_shares(s.op))
        agree(&s);
    if (s.op != COLLECTIVE_MPI_Alltoallv)
        return;
    int64_t pairs[40 * 40];
    for (int32_t i = 0; i < s.size * s.size; i++)
        pairs[i] = i % s.size % 3 == 0 ? 0 : 2 + i % 11;
    for (int32_t r = 0; r < s.size; r++) {
        sums[r + 1] = sums[r];
        for (int32_t to = 0; to < s.size; to++)
            sums[r + 1] += pairs[r * s.size + to];
    }
    s.pairs = pairs;
    agree(&s);
}

#define EACH_SCHEDULE(s)                                                                                             \
    for (struct schedule s = {.op = 0}; s.op <= COLLECTIVE_MPI_Ibcast; s.op++)                                       \
        for (s.algorithm = 0; s.algorithm < N_ALGORITHMS; s.algorithm++)                                             \
            for (s.size = 1; schedule_exists(s.op, s.algorithm) && s.size <= 40; s.size += s.size < 18 ? 1 : 11)  \
                if (share_takes(s.size + (int)s.algorithm))

static void every_algorithm_ends_as_in_the_executor(void **state)
{
    (void)state;
    EACH_SCHEDULE(s)
    {
        s.root = s.size / 3;
        agree_sizes(s);
    }
}

/* Moves of `rank` are those of rank 0 with partners turned by `rank`. */
static bool is_turned(const struct schedule *first, int32_t rank)
{
    struct schedule other = *first;
    other.rank = rank;
    for (int64_t step = 0;; step++) {
        struct move a, b;
        schedule_move(first, step, &a);
        schedule_move(&other, step, &b);
        bool same = a.kind == b.kind && a.bytes == b.bytes && a.receive_bytes == b.receive_bytes &&
                    (a.to < 0 ? b.to < 0 : (a.to + rank) % first->size == b.to) &&
                    (a.from < 0 ? b.from < 0 : (a.from + rank) % first->size == b.from);
        if (!same || a.kind == MOVE_END)
            return same;
    }
}

static void what_is_said_to_turn_turns(void **state)
{
    (void)state;
    static const int64_t sizes[] = {0, 5, 8, 48, 1000};
    int turning = 0;
    EACH_SCHEDULE(s)
    {
        for (int i = 0; i < 5; i++) {
            s.bytes = sizes[i];
            turning += schedule_turns(&s);
            for (int32_t rank = 1; schedule_turns(&s) && rank < s.size; rank++)
                if (!is_turned(&s, rank))
                    fail_msg("%s %s, P = %d, %lld bytes: rank %d", collective_op_name(s.op),
                             algorithm_name(s.algorithm), (int)s.size, (long long)s.bytes, (int)rank);
        }
    }
    assert_true(turning > share_least(100));
    const int64_t sums[] = {0, 4, 5};
    const struct schedule shares = {
        .op = COLLECTIVE_MPI_Allgatherv, .algorithm = ALGORITHM_ring, .size = 2, .sums = sums};
    assert_false(schedule_turns(&shares));
}

/* ---- LogGP, by hand ---- */

/* L = 10, o_s = 1, o_r = 2, g = 4 (out) and 6 (in), G = 0 but for the last byte. */
static void loggp(const void *context, int32_t from, int32_t to, int64_t bytes, struct message_cost *cost)
{
    (void)context, (void)from, (void)to;
    double rest = 0.5 * (double)(bytes > 1 ? bytes - 1 : 0);
    *cost = (struct message_cost){.send_overhead = 1, .out_gap = 4 + rest, .transit = 13 + rest, .in_gap = 6 + rest,
                                  .receive_overhead = 2};
}

static void expect(enum collective_op op, enum algorithm algorithm, int32_t size, int64_t bytes,
                   const double expected[])
{
    const struct schedule s = {.op = op, .algorithm = algorithm, .size = size, .bytes = bytes};
    const struct schedule_costs costs = {.message = loggp, .alike = true};
    double leaves[16];
    assert_true(schedule_times(&s, &costs, leaves));
    for (int32_t rank = 0; rank < size; rank++)
        if (fabs(leaves[rank] - expected[rank]) > 1e-12 * expected[rank])
            fail_msg("%s %s: rank %d leaves at %.17g instead of %.17g", collective_op_name(op),
                     algorithm_name(algorithm), (int)rank, leaves[rank], expected[rank]);
}

static void overheads_and_gaps_count(void **state)
{
    (void)state;
    /* The calls of the root take o_s each, its messages leave every g; each is there a transit later. */
    expect(COLLECTIVE_MPI_Bcast, ALGORITHM_linear, 4, 1, (double[]){3, 13, 4 + 13, 8 + 13});
    /* With three bytes more, gap and transit are 1.5 longer. */
    expect(COLLECTIVE_MPI_Bcast, ALGORITHM_linear, 3, 4, (double[]){2, 14.5, 5.5 + 14.5});
    /* Three messages reach the root at 13 at once: its port passes one every 6. */
    expect(COLLECTIVE_MPI_Gather, ALGORITHM_linear, 4, 1, (double[]){13 + 6 + 6, 1, 1, 1});
    /* Both send at 0; the message arrives at 13, after the overhead of the receive. */
    expect(COLLECTIVE_MPI_Allgather, ALGORITHM_ring, 2, 1, (double[]){13, 13});
    /* Round the ring of three: the second message goes out when the first has come. */
    expect(COLLECTIVE_MPI_Allgather, ALGORITHM_ring, 3, 1, (double[]){26, 26, 26});
    /* Sends leave at 0, 4, 8 and arrive at 13, 17, 21, but the port passes one every 6; the last passes at 25. */
    expect(COLLECTIVE_MPI_Alltoall, ALGORITHM_linear, 4, 1, (double[]){25, 25, 25, 25});
}

/* A schedule that turns takes the work of one process. */
static void many_processes(void **state)
{
    (void)state;
    enum { P = 65536 };
    const struct schedule s = {.op = COLLECTIVE_MPI_Alltoall, .algorithm = ALGORITHM_pairwise, .size = P, .bytes = 8};
    const struct schedule_costs costs = {.message = hockney, .alike = true};
    double *leaves = malloc(P * sizeof *leaves);
    assert_non_null(leaves);
    assert_true(schedule_times(&s, &costs, leaves));
    int wrong = 0;
    for (int rank = 0; rank < P; rank++)
        wrong += fabs(leaves[rank] - (P - 1) * (ALPHA + 8 * BETA)) > 1e-9 * P;
    free(leaves);
    assert_int_equal(wrong, 0);
}

static void a_stop_is_noticed(void **state)
{
    (void)state;
    const volatile sig_atomic_t stop = 1;
    const struct schedule s = {.op = COLLECTIVE_MPI_Bcast, .algorithm = ALGORITHM_chain, .size = 8, .bytes = 8};
    const struct schedule_costs costs = {.message = hockney, .stop = &stop};
    double leaves[8];
    assert_false(schedule_times(&s, &costs, leaves));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_ends_as_in_the_executor),
        cmocka_unit_test(what_is_said_to_turn_turns),
        cmocka_unit_test(overheads_and_gaps_count),
        cmocka_unit_test(many_processes),
        cmocka_unit_test(a_stop_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
