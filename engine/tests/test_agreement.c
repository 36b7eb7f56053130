/* A prediction in lanes and one in the time-ordered engine agree: the means of 64 replications within TOLERANCE, for
 * the programs that the validation has, on machines whose ports serve whole messages. Levels and rules of the ports are
 * the same and what lanes cannot serve in the order of time is run again, so the replications are even the same. */
#include "common/alloc.h"
#include "common/tests/share.h"
#include "engine/tests/play.h"
#include "sim/replicate.h"

#define TOLERANCE 0.005

enum { REPLICATIONS = 64, ITERATIONS = 40 };

static const char jacobi[] =
    "Runon c1 = procnum%2 == 0 & else\n{\n"
    "Message type = MPI_Send & size = size & to = procnum > 0 ? procnum-1 : MPI_PROC_NULL\n"
    "Message type = MPI_Send & size = size & to = procnum+1\n"
    "Message type = MPI_Recv & size = size & from = procnum+1\n"
    "Message type = MPI_Recv & size = size & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL\n}\n{\n"
    "Message type = MPI_Recv & size = size & from = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL\n"
    "Message type = MPI_Recv & size = size & from = procnum-1\n"
    "Message type = MPI_Send & size = size & to = procnum-1\n"
    "Message type = MPI_Send & size = size & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL\n}\n"
    "Serial time = 16/numprocs ms\n";
static const char ring[] =
    "Serial time = 16/numprocs ms\n"
    "Message type = MPI_Sendrecv & size = size & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs\n";
static const char pipeline[] =
    "Message type = MPI_Recv & size = size & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL\n"
    "Serial time = 16/numprocs ms\n"
    "Message type = MPI_Send & size = size & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL\n";
static const char stencil[] =
    "Message type = MPI_Irecv & size = size & from = procnum%px > 0 ? procnum-1 : MPI_PROC_NULL\n"
    "Message type = MPI_Irecv & size = size & from = procnum%px < px-1 ? procnum+1 : MPI_PROC_NULL\n"
    "Message type = MPI_Irecv & size = size & from = procnum >= px ? procnum-px : MPI_PROC_NULL\n"
    "Message type = MPI_Irecv & size = size & from = procnum < numprocs-px ? procnum+px : MPI_PROC_NULL\n"
    "Message type = MPI_Isend & size = size & to = procnum%px > 0 ? procnum-1 : MPI_PROC_NULL\n"
    "Message type = MPI_Isend & size = size & to = procnum%px < px-1 ? procnum+1 : MPI_PROC_NULL\n"
    "Message type = MPI_Isend & size = size & to = procnum >= px ? procnum-px : MPI_PROC_NULL\n"
    "Message type = MPI_Isend & size = size & to = procnum < numprocs-px ? procnum+px : MPI_PROC_NULL\n"
    "Serial time = 16/numprocs ms\n"
    "Message type = MPI_Waitall\n";
/* Up and down the neighbours are the process itself where there is one row. */
static const char periodic[] =
    "Message type = MPI_Irecv & size = size & from = procnum - procnum%px + (procnum+px-1)%px & tag = 1\n"
    "Message type = MPI_Irecv & size = size & from = (procnum+px)%numprocs & tag = 2\n"
    "Message type = MPI_Isend & size = size & to = procnum - procnum%px + (procnum+1)%px & tag = 1\n"
    "Message type = MPI_Isend & size = size & to = (procnum+numprocs-px)%numprocs & tag = 2\n"
    "Serial time = 16/numprocs ms\n"
    "Message type = MPI_Waitall\n";
/* 2's message to 0 is decided after 1's and comes now and then before it. */
static const char relayed[] =
    "Runon c1 = procnum == 0 & c2 = procnum == 1 & c3 = procnum == 2 & c4 = procnum == 3\n"
    "{\nMessage type = MPI_Recv & size = size & from = 1\nMessage type = MPI_Recv & size = size & from = 2\n"
    "Message type = MPI_Send & size = 0 & to = 1\nMessage type = MPI_Send & size = 0 & to = 3\n}\n"
    "{\nSerial time = normal(8, 0.5) ms\nMessage type = MPI_Send & size = size & to = 0\n"
    "Message type = MPI_Recv & from = 0\n}\n"
    "{\nMessage type = MPI_Recv & size = size & from = 3\nMessage type = MPI_Send & size = size & to = 0\n}\n"
    "{\nSerial time = normal(10, 0.5) ms\nMessage type = MPI_Send & size = size & to = 2\n"
    "Message type = MPI_Recv & from = 0\n}\n";
/* What starts before a message of its pair that a sweep decides first: a large message that both ends know of, then a
 * small one. */
static const char overtaken[] =
    "Message type = MPI_Irecv & size = 100000 & from = (procnum+numprocs-1)%numprocs & tag = 1 & request = large\n"
    "Message type = MPI_Irecv & size = size & from = (procnum+numprocs-1)%numprocs & tag = 2 & request = small\n"
    "Serial time = normal(1, 0.1) ms\n"
    "Message type = MPI_Isend & size = 100000 & to = (procnum+1)%numprocs & tag = 1 & request = sent\n"
    "Message type = MPI_Isend & size = size & to = (procnum+1)%numprocs & tag = 2\n"
    "Message type = MPI_Wait & request = small\n"
    "Message type = MPI_Waitall\n";

/* Nobody can run while all receive: what was posted starts in those calls, but not where its sender has left its own
 * before the receiver came. */
static const char departed[] =
    "Message type = MPI_Isend & size = 100000 & to = (procnum+1)%numprocs & request = sent\n"
    "Message type = MPI_Recv & size = 100000 & from = (procnum+numprocs-1)%numprocs\n"
    "Serial time = exponential(late) ms\n"
    "Message type = MPI_Wait & request = sent\n";

/* As a switch with ports of 100 Mbit/s, and as one with ports of 10 Mbit/s that save up more than a small message. */
#define SIZE(bytes, mean, sd, overhead) \
    "      - {bytes: " bytes ", transit: {lognormal: {mean: \"" mean "\", sd: \"" sd "\"}}, send_overhead: " \
    "{normal: {mean: \"" overhead "\", sd: \"1 us\"}}, receive_overhead: {normal: {mean: \"9 us\", sd: \"1 us\"}}}\n"
#define ENTRY(nodes, level) \
    "  - operation: MPI_Send\n    nodes: " nodes "\n    processes_per_node: 1\n    level: " level "\n    sizes:\n"
#define HEAD "pevpm_machine: 1\nname: m\nnodes: 16\nprocesses_per_node: 1\neager_limit: 65480\npoint_to_point:\n"

static const char fast[] = HEAD
    ENTRY("2", "1") SIZE("0", "110 us", "6 us", "12 us") SIZE("1024", "230 us", "9 us", "14 us")
    SIZE("16384", "1700 us", "40 us", "30 us") SIZE("131072", "12 ms", "1 ms", "40 us")
    ENTRY("16", "16") SIZE("0", "130 us", "15 us", "12 us") SIZE("1024", "290 us", "40 us", "14 us")
    SIZE("16384", "2300 us", "300 us", "30 us") SIZE("131072", "18 ms", "3 ms", "40 us")
    "ports: {out_gap: [[0, \"12 us\"], [1024, \"90 us\"]], in_gap: [[0, \"12 us\"], [1024, \"97 us\"]], "
    "credit: \"128 us\"}\n";
static const char slow[] = HEAD
    ENTRY("2", "1") SIZE("0", "30 us", "2 us", "14 us") SIZE("1024", "40 us", "4 us", "16 us")
    SIZE("4096", "2300 us", "30 us", "17 us") SIZE("131072", "109 ms", "1 ms", "110 us")
    ENTRY("16", "16") SIZE("0", "36 us", "8 us", "14 us") SIZE("1024", "60 us", "20 us", "16 us")
    SIZE("4096", "2350 us", "90 us", "17 us") SIZE("131072", "110 ms", "2 ms", "110 us")
    "ports: {out_gap: [[0, \"60 us\"], [1024, \"890 us\"], [4096, \"3454 us\"]], in_gap: [[0, \"22 us\"], "
    "[1024, \"891 us\"], [4096, \"3460 us\"]], credit: \"1258 us\"}\n";

struct times {
    double of[REPLICATIONS];
    struct replicate_result result;
};

static struct times times_of(const struct scene *scene, enum engine_kind engine)
{
    struct times times;
    struct diags diags = DIAGS_EMPTY;
    struct replicate_plan plan = {.exact = REPLICATIONS, .times = times.of, .engine = engine, .threads = 1};
    scene_check(replicate_run(&scene->setup, &plan, &times.result, &diags), &diags);
    assert_int_equal(times.result.time.n, REPLICATIONS);
    return times;
}

/* scene: numprocs, contention and, but for one process on each node, nodes and ppn. */
static struct replicate_result agreement_of(struct scene scene, const char *body, int bytes, const char *machine)
{
    char program[4000];
    snprintf(program, sizeof program,
             "Set size = %d\nSet px = numprocs <= 2 ? numprocs : numprocs <= 8 ? numprocs/2 : numprocs/4\n"
             "Loop iterations = %d\n{\n%s}\n", bytes, ITERATIONS, body);
    scene.seed = 4;
    scene_open(&scene, program, machine);
    struct times lanes = times_of(&scene, ENGINE_LANES), timed = times_of(&scene, ENGINE_TIMED);
    scene_close(&scene);
    double apart = timed.result.time.mean / lanes.result.time.mean - 1;
    if (fabs(apart) > TOLERANCE)
        print_error("%d bytes, %d processes: %+.3f %%\n%s", bytes, scene.numprocs, 100 * apart, program);
    assert_true(fabs(apart) <= TOLERANCE);
    assert_memory_equal(lanes.of, timed.of, sizeof lanes.of);
    return lanes.result;
}

static struct replicate_result expect_agreement(const char *body, int bytes, int numprocs, const char *machine,
                                                enum contention contention)
{
    return agreement_of((struct scene){.numprocs = numprocs, .contention = contention}, body, bytes, machine);
}

static void validated_programs_agree(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int bytes;
    } cases[] = {{jacobi, 1024}, {jacobi, 4096}, {ring, 256}, {ring, 4096}, {pipeline, 4096}, {stencil, 1024}, {periodic, 1024}};
    static const char *const machines[] = {fast, slow};
    const int most = share_one_in() > 1 ? 8 : 16;
    int in_lanes = 0, n = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t m = 0; m < 2; m++)
            for (int numprocs = 2; numprocs <= most; numprocs *= 2) {
                struct replicate_result found =
                    expect_agreement(cases[i].body, cases[i].bytes, numprocs, machines[m], CONTENTION_ports);
                in_lanes += found.engine == ENGINE_LANES;
                n++;
            }
    assert_true(in_lanes > 0.7 * n); /* not one engine compared with itself */
}

/* In one direction or in both the neighbour is the process itself; 100,000 bytes are above the limit. */
static void what_a_process_sends_to_itself(void **state)
{
    (void)state;
    static const char *const machines[] = {fast, slow};
    for (size_t m = 0; m < 2; m++) {
        expect_agreement(periodic, 1024, 1, machines[m], CONTENTION_ports);
        expect_agreement(periodic, 100000, 1, machines[m], CONTENTION_ports);
        expect_agreement(periodic, 100000, 2, machines[m], CONTENTION_ports);
        expect_agreement(periodic, 1024, 3, machines[m], CONTENTION_ports);
    }
}

static void what_is_out_of_order_is_run_again(void **state)
{
    (void)state;
    struct replicate_result found = expect_agreement(relayed, 1024, 4, slow, CONTENTION_ports);
    assert_true(found.engine == ENGINE_LANES && found.inversions > 0 && found.inversions < REPLICATIONS / 2);
}

static void a_small_message_behind_a_large_one(void **state)
{
    (void)state;
    static const enum contention rules[] = {CONTENTION_none, CONTENTION_scoreboard, CONTENTION_ports};
    for (size_t i = 0; i < 3; i++) {
        struct replicate_result found = expect_agreement(overtaken, 1024, 4, fast, rules[i]);
        assert_true(found.inversions > 0);
    }
}

/* `late` small: nobody ever comes so late. */
static void a_rendezvous_in_a_call_that_ends_before_it(void **state)
{
    (void)state;
    static const enum contention rules[] = {CONTENTION_none, CONTENTION_scoreboard, CONTENTION_ports};
    char late[sizeof departed + 20], soon[sizeof departed + 20];
    snprintf(late, sizeof late, "Set late = 9\n%s", departed);
    snprintf(soon, sizeof soon, "Set late = 0.1\n%s", departed);
    for (size_t i = 0; i < 3; i++) {
        struct replicate_result found = expect_agreement(late, 0, 4, fast, rules[i]);
        assert_true(found.inversions > 0);
        found = expect_agreement(soon, 0, 4, fast, rules[i]);
        assert_true(found.engine == ENGINE_LANES && found.inversions == 0);
    }
}

/* Messages above the eager limit among the processes of a node, whose receivers get them themselves: around a ring the
 * last process of which computes longest, and what is tried above. */
static void what_receivers_get(void **state)
{
    (void)state;
    static const char exchange[] =
        "Message type = MPI_Irecv & size = size & from = (procnum+numprocs-1)%numprocs & request = a\n"
        "Message type = MPI_Isend & size = size & to = (procnum+1)%numprocs & request = b\n"
        "Serial time = (procnum+1)*2 ms\nMessage type = MPI_Waitall & request = a\n"
        "Message type = MPI_Waitall & request = b\n";
    static const char *const bodies[] = {jacobi, ring, pipeline, stencil, periodic, relayed, overtaken, exchange};
    static const int sizes[] = {1024, 100000};
    char *gets = alloc_format("%s%s", fast, "transports: {node: {eager_limit: 4000, rendezvous: get}}\n");
    char *late = alloc_format("Set late = 3\n%s", departed);
    for (size_t i = 0; i <= sizeof bodies / sizeof *bodies; i++)
        for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            const char *body = i < sizeof bodies / sizeof *bodies ? bodies[i] : late;
            agreement_of((struct scene){.numprocs = 4, .nodes = 1, .ppn = 4}, body, sizes[size], gets);
            agreement_of((struct scene){.numprocs = 8, .nodes = 2, .ppn = 4, .contention = CONTENTION_ports}, body,
                         sizes[size], gets);
        }
    free(late);
    free(gets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validated_programs_agree),
        cmocka_unit_test(what_a_process_sends_to_itself),
        cmocka_unit_test(what_is_out_of_order_is_run_again),
        cmocka_unit_test(a_small_message_behind_a_large_one),
        cmocka_unit_test(what_receivers_get),
        cmocka_unit_test(a_rendezvous_in_a_call_that_ends_before_it),
    };
    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}
