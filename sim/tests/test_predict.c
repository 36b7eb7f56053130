/* Whole predictions of small programs whose times are worked out by hand. */
#include "sim/predict.h"

#include "common/alloc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define assert_close(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

/* Transit 1 ms alone, 4 ms within a node; at level 4, 3 ms; `drawn` is uniform between 1 and 3 ms. */
static const char machine_text[] =
    "pevpm_machine: 1\n"
    "name: testbed\n"
    "nodes: 4\n"
    "processes_per_node: 2\n"
    "point_to_point:\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, "
    "transit: 1 ms}]}\n"
    "  - {operation: MPI_Send, pattern: pairs, nodes: 4, processes_per_node: 1, level: 4, sizes: [{bytes: 0, "
    "transit: 3 ms}]}\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, "
    "transit: 4 ms}]}\n"
    "serial:\n"
    "  drawn: {uniform: {low: 1 ms, high: 3 ms}}\n";

/* A token goes from process to process, each works `S` ms before it passes it on: T = P S + (P - 1) transit, one
 * message at a time. */
static const char chain[] =
    "Param S = 10\n"
    "Runon c1 = procnum > 0\n{\nMessage type = MPI_Recv & size = 8 & from = procnum - 1\n}\n"
    "Serial time = S ms\n"
    "Runon c1 = procnum < numprocs - 1\n{\nMessage type = MPI_Send & size = 8 & to = procnum + 1\n}\n";

/* Even processes send to the next one: runs on even numbers only. T = 24 ms / P + transit. */
static const char pairs[] = "Serial time = 24.0/numprocs ms\n"
                            "Runon c1 = procnum % 2 == 0 & else\n"
                            "{\nMessage type = MPI_Send & size = 8 & to = procnum + 1\n}\n"
                            "{\nMessage type = MPI_Recv & size = 8 & from = procnum - 1\n}\n";

static const struct predict_mode average = {"average", MODE_average, false, NULL};

/* A request with its inputs read. */
struct scene {
    struct source *source;
    struct machine *machine;
    struct diags diags;
    struct predict_request request;
    struct predict_result result;
};

static void scene_open(struct scene *s, const char *program, size_t n, const struct placement placements[])
{
    *s = (struct scene){.source = source_from_text("p.pevpm", program, strlen(program)), .diags = DIAGS_EMPTY};
    enum status status = machine_read_text(&s->machine, "m.yaml", machine_text, strlen(machine_text), &s->diags);
    diags_print(&s->diags, stderr);
    assert_int_equal(status, STATUS_OK);
    s->request = (struct predict_request){.program = "p.pevpm",
                                          .source = s->source,
                                          .machine = s->machine,
                                          .n_placements = n,
                                          .placements = placements,
                                          .n_modes = 1,
                                          .modes = &average,
                                          .model = "measured",
                                          .baseline = NAN,
                                          .seed = 1,
                                          .plan = {.precision = 0.01, .threads = 1}};
}

static void scene_close(struct scene *s)
{
    predict_result_free(&s->result);
    diags_free(&s->diags);
    machine_destroy(s->machine);
    source_destroy(s->source);
}

static enum status scene_run(struct scene *s)
{
    return predict_run(&s->request, &s->result, &s->diags);
}

static const struct placement few[] = {{2, 2, 1}, {4, 4, 1}, {1, 1, 1}};

/* S = 10: 10 ms on one process, 21 on two, 43 on four. */
static void base_predicted_on_one_process(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, chain, 3, few);
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.result.n, 3);
    static const double expected[] = {0.021, 0.043, 0.010};
    for (size_t i = 0; i < 3; i++) {
        const struct prediction *row = &s.result.rows[i];
        assert_int_equal(row->at.numprocs, few[i].numprocs);
        assert_close(row->time.mean, expected[i]);
        assert_int_equal(row->base, BASELINE_PREDICTED);
        assert_close(row->baseline, 0.010);
        assert_close(row->speedup, 0.010 / expected[i]);
        assert_close(row->speedup_p5, row->speedup);
        assert_close(row->efficiency, 0.010 / expected[i] / few[i].numprocs);
        assert_int_equal(row->messages, few[i].numprocs - 1);
        assert_int_equal(row->time.n, 1);
        assert_true(row->time.ci95 == 0 && row->speedup_ci95 == 0);
        assert_string_equal(row->params, "");
    }
    assert_true(s.result.complete);
    scene_close(&s);
}

static void base_given(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, chain, 1, few);
    s.request.baseline = 0.0315;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.result.rows[0].base, BASELINE_GIVEN);
    assert_close(s.result.rows[0].speedup, 1.5);
    scene_close(&s);
}

/* Serial on two processes adds up to 24 ms; T = 12 + 1 = 13 ms on two. On four 6 ms + transit at level 2: between 1 ms
 * at level 1 and 3 ms at level 4, 1 + 2 / 3 ms. */
static void base_of_serial_times(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, pairs, 2, few);
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.diags.n_errors, 0);
    assert_int_equal(s.result.rows[0].base, BASELINE_SERIAL);
    assert_int_equal(s.result.rows[1].base_at.numprocs, 2);
    assert_close(s.result.rows[1].baseline, 0.024);
    assert_close(s.result.rows[0].time.mean, 0.013);
    assert_close(s.result.rows[0].speedup, 24.0 / 13);
    assert_close(s.result.rows[1].time.mean, 0.006 + 0.001 * (1 + 2.0 / 3));
    scene_close(&s);
}

static void no_serial_time_no_speedup(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, chain, 2, few);
    s.request.n_sweeps = 1;
    struct value zero = {.kind = VALUE_INT, .i = 0};
    char name[] = "S";
    struct sweep sweep = {name, 1, &zero, NULL};
    s.request.sweeps = &sweep;
    assert_int_equal(scene_run(&s), STATUS_OK);
    const struct prediction *row = &s.result.rows[1];
    assert_close(row->time.mean, 0.003);
    assert_int_equal(row->base, BASELINE_NONE);
    assert_true(isnan(row->baseline) && isnan(row->speedup) && isnan(row->speedup_p95) && isnan(row->efficiency));
    assert_string_equal(row->params, "S=0");
    scene_close(&s);
}

/* An odd count is an error, the others are predicted. */
static void a_count_that_does_not_run(void **state)
{
    (void)state;
    static const struct placement odd[] = {{3, 3, 1}, {2, 2, 1}, {1, 1, 1}, {4, 4, 1}};
    struct scene s;
    scene_open(&s, pairs, 4, odd);
    assert_int_equal(scene_run(&s), STATUS_RANGE);
    assert_int_equal(s.diags.n_errors, 2);
    assert_int_equal(s.result.n, 2);
    assert_int_equal(s.result.rows[0].at.numprocs, 2);
    assert_int_equal(s.result.rows[1].at.numprocs, 4);
    assert_true(s.result.complete);
    scene_close(&s);
    scene_open(&s, pairs, 4, odd);
    s.request.placements = odd + 1;
    s.request.n_placements = 2;
    s.request.placements_defaulted = true; /* then one process is no error */
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.diags.n_errors, 0);
    assert_int_equal(s.result.n, 1);
    scene_close(&s);
}

/* Rows: parameters, then placements, then modes. */
static void order_of_rows(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, chain, 2, few);
    struct value values[] = {{.kind = VALUE_INT, .i = 20}, {.kind = VALUE_REAL, .r = 2.5}};
    char name[] = "S";
    struct sweep sweep = {name, 2, values, NULL};
    s.request.n_sweeps = 1;
    s.request.sweeps = &sweep;
    static const struct predict_mode modes[] = {{"average", MODE_average, false, NULL},
                                                {"minimum", MODE_minimum, false, NULL}};
    s.request.n_modes = 2;
    s.request.modes = modes;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.result.n, 8);
    for (size_t i = 0; i < 8; i++) {
        const struct prediction *row = &s.result.rows[i];
        assert_string_equal(row->params, i < 4 ? "S=20" : "S=2.5");
        assert_int_equal(row->at.numprocs, few[i / 2 % 2].numprocs);
        assert_string_equal(row->mode, modes[i % 2].name);
    }
    assert_close(s.result.rows[3].time.mean, 0.083);
    assert_close(s.result.rows[7].time.mean, 0.013);
    assert_close(s.result.rows[7].baseline, 0.0025);
    scene_close(&s);
}

/* Two processes of one node: 4 ms within it; by X@2x1 every message costs the 1 ms of the ping-pong. On 4x1, pairs run
 * at level 2, and by X@2x1 at level 1. */
static void pingpong_mode(void **state)
{
    (void)state;
    static const struct placement at[] = {{2, 1, 2}, {4, 4, 1}};
    static const struct predict_mode modes[] = {{"average", MODE_average, false, NULL},
                                                {"average@2x1", MODE_average, true, NULL}};
    struct scene s;
    scene_open(&s, pairs, 2, at);
    s.request.n_modes = 2;
    s.request.modes = modes;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_close(s.result.rows[0].time.mean, 0.012 + 0.004);
    assert_close(s.result.rows[1].time.mean, 0.012 + 0.001);
    assert_close(s.result.rows[2].time.mean, 0.006 + 0.001 * (1 + 2.0 / 3));
    assert_close(s.result.rows[3].time.mean, 0.006 + 0.001);
    assert_int_equal(s.result.rows[1].contention, CONTENTION_none);
    scene_close(&s);
}

/* Sampled on both sides: T1 is one uniform draw of 1 to 3 ms (mean 2, sd 0.57735), T2 two of them and 1 ms (mean 5, sd
 * 0.8165). With 4096 replications the half-width of T1 is 1.9605 * 0.57735 / 64 = 0.0177 ms, of T2 0.0250 ms, of T1 /
 * T2 = 0.4 then 0.4 sqrt((0.0177 / 2)^2 + (0.0250 / 5)^2) = 0.00406. */
static void interval_of_a_sampled_speedup(void **state)
{
    (void)state;
    static const char drawn[] =
        "Runon c1 = procnum > 0\n{\nMessage type = MPI_Recv & from = procnum - 1\n}\n"
        "Serial time = measured(drawn)\n"
        "Runon c1 = procnum < numprocs - 1\n{\nMessage type = MPI_Send & size = 8 & to = procnum + 1\n}\n";
    static const struct predict_mode mode = {"distribution", MODE_distribution, false, NULL};
    struct scene s;
    scene_open(&s, drawn, 1, few);
    s.request.modes = &mode;
    s.request.plan.exact = 4096;
    assert_int_equal(scene_run(&s), STATUS_OK);
    const struct prediction *row = &s.result.rows[0];
    assert_int_equal(row->time.n, 4096);
    assert_true(fabs(row->speedup - 0.4) < 0.01);
    assert_true(fabs(row->speedup_ci95 - 0.00406) < 0.0003);
    assert_true(row->speedup_p5 < row->speedup && row->speedup < row->speedup_p95);
    assert_close(row->speedup_p5, row->baseline / row->time.p95);
    scene_close(&s);
}

static void notes_say_what_the_machine_lacks(void **state)
{
    (void)state;
    static const struct placement large[] = {{18, 6, 3}};
    struct scene s;
    scene_open(&s, pairs, 1, large);
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_true(s.result.n_notes >= 2);
    assert_string_equal(s.result.notes[0],
                        "6 nodes are more than the 4 of testbed: the machine file's nodes are used again and again");
    assert_string_equal(s.result.notes[1], "3 processes per node are more than the 2 of testbed: each is taken to have a processor of its own");
    assert_string_equal(s.result.notes[2], "nothing was measured between nodes with 3 processes per node (6x3; 1 row): "
                                           "messages cost what they do with other numbers");
    scene_close(&s);
}

/* On a machine of one node two processes are more likely meant to be on it. */
static void one_node_is_told_apart(void **state)
{
    (void)state;
    static const struct placement apart[] = {{2, 2, 1}};
    struct scene s;
    scene_open(&s, pairs, 1, apart);
    s.machine->nodes = 1;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_string_equal(s.result.notes[0], "2 nodes are more than the 1 of testbed: the machine file's nodes are used again and again; "
                                           "-n 1x2 has 2 processes on one");
    scene_close(&s);
}

/* Processes that have to wait for one another's turns: as many as a node has processors are none, and how many it has may be said of one
 * that was measured with fewer processes. */
static void processes_that_share_processors_are_noted(void **state)
{
    (void)state;
    static const struct placement alone[] = {{6, 3, 2}}, shared[] = {{12, 4, 3}};
    static const struct {
        int processors;
        const struct placement *at;
        const char *note; /* the first; NULL: none of processors */
    } cases[] = {
        {2, alone, NULL},
        {3, shared, "3 processes per node are more than the 2 of testbed"},
        {1, alone, "2 processes of a node share its 1 processor (processors_per_node of testbed): how long they wait for one another's "
                   "turns is not predicted, and may be most of the time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene s;
        scene_open(&s, pairs, 1, cases[i].at);
        s.machine->processors = cases[i].processors;
        assert_int_equal(scene_run(&s), STATUS_OK);
        if (cases[i].note)
            assert_string_equal(s.result.notes[0], cases[i].note);
        for (size_t k = cases[i].processors < cases[i].at->ppn; k < s.result.n_notes; k++)
            assert_null(strstr(s.result.notes[k], "processor"));
        scene_close(&s);
    }
}

/* Two messages at once in each of two nodes, where one was measured; between nodes there are none. */
static void levels_within_a_node_are_noted_apart(void **state)
{
    (void)state;
    static const struct placement full[] = {{8, 2, 4}};
    struct scene s;
    scene_open(&s, pairs, 1, full);
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.result.n_notes, 3); /* the last is of sizes */
    assert_string_equal(s.result.notes[1], "up to 2 messages within a node were in flight (average, 2x4) and the "
                                           "machine file was measured up to 1: beyond that they cost the same");
    scene_close(&s);
}

/* Twice as many as were measured; the second machine's wait at ports, so not all of them cost the same. */
static void levels_that_ports_explain_are_noted_so(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "", "they cost the same", "ports: {out_gap: [[0, 1 us]], in_gap: [[0, 1 us]]}",
        "only waiting at ports and buses makes them slower"};
    static const struct placement many[] = {{8, 8, 1}};
    for (size_t i = 0; i < 4; i += 2) {
        struct scene s;
        scene_open(&s, pairs, 1, many);
        machine_destroy(s.machine);
        char *text = alloc_format("pevpm_machine: 1\nname: eight\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n"
                                  "  - {operation: MPI_Send, pattern: pairs, nodes: 4, processes_per_node: 1, level: 2, "
                                  "sizes: [{bytes: 0, transit: 1 ms}]}\n%s\n", cases[i]);
        assert_int_equal(machine_read_text(&s.machine, "m.yaml", text, strlen(text), &s.diags), STATUS_OK);
        s.request.machine = s.machine;
        assert_int_equal(scene_run(&s), STATUS_OK);
        char *note = alloc_format("up to 4 messages between nodes were in flight (average, 8x1) and the machine file was measured up to "
                                  "2: beyond that %s", cases[i + 1]);
        assert_true(s.result.n_notes > 0);
        assert_string_equal(s.result.notes[0], note);
        free(note);
        free(text);
        scene_close(&s);
    }
}

static enum status stop_after_one(void *context, const struct prediction *row)
{
    (void)row;
    int *rows = context;
    return ++*rows == 1 ? STATUS_IO : STATUS_OK;
}

/* One of 29 took 155 ms. By all 2029, of which 29 could have met it as these did, it counts for 0.053 %: 13.1 ms on average for
 * (28 * 13.065 + 155.775) / 29. Parts are no counts; and other modes take what the file says. */
static void what_few_late_messages_count_for_is_noted(void **state)
{
    (void)state;
    static const struct predict_mode drawn_from = {"distribution", MODE_distribution, false, NULL};
    static const struct placement two[] = {{2, 2, 1}};
    static const struct {
        const char *first;
        const struct predict_mode *mode;
        bool noted;
    } cases[] = {{"28", &drawn_from, true}, {"27.5", &drawn_from, false}, {"28", &average, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene s;
        scene_open(&s, "Runon c1 = procnum == 0 & else\n{\nMessage type = MPI_Send & size = 8000 & to = 1\n}\n"
                       "{\nMessage type = MPI_Recv & from = 0\n}\n", 1, two);
        machine_destroy(s.machine);
        char *text = alloc_format("pevpm_machine: 1\nname: two\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
                                  "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"
                                  "      {bytes: 1000, transit: {edges: [1 ms, 1.01 ms], counts: [2000]}},\n"
                                  "      {bytes: 8000, transit: {edges: [13 ms, 13.13 ms, 155 ms, 156.55 ms], counts: [%s, 0, 1]}}]}\n",
                                  cases[i].first);
        assert_int_equal(machine_read_text(&s.machine, "m.yaml", text, strlen(text), &s.diags), STATUS_OK);
        s.request.machine = s.machine;
        s.request.modes = cases[i].mode;
        assert_int_equal(scene_run(&s), STATUS_OK);
        bool noted = false;
        for (size_t k = 0; k < s.result.n_notes; k++)
            noted = noted || strcmp(s.result.notes[k], "late messages of sizes of which few were measured count as often as all sizes "
                                    "say: 8000 bytes take 13.1 ms on average, measured 18 ms") == 0;
        assert_int_equal(noted, cases[i].noted);
        free(text);
        scene_close(&s);
    }
}

static void a_row_that_cannot_be_written_ends_the_run(void **state)
{
    (void)state;
    struct scene s;
    int rows = 0;
    scene_open(&s, chain, 3, few);
    s.request.on_row = stop_after_one;
    s.request.context = &rows;
    assert_int_equal(scene_run(&s), STATUS_IO);
    assert_int_equal(rows, 1);
    assert_false(s.result.complete);
    scene_close(&s);
}

static void an_interrupt_before_the_first_row(void **state)
{
    (void)state;
    struct scene s;
    volatile sig_atomic_t stop = 1;
    scene_open(&s, chain, 3, few);
    s.request.stop = &stop;
    assert_int_equal(scene_run(&s), STATUS_INTERRUPTED);
    assert_int_equal(s.result.n, 0);
    assert_int_equal(s.diags.n, 0);
    assert_false(s.result.complete);
    scene_close(&s);
}

static void a_deadlock_is_an_answer(void **state)
{
    (void)state;
    static const char stuck[] = "Serial time = 1 ms\nRunon c1 = numprocs > 1\n{\n"
                                "Message type = MPI_Recv & from = (procnum + 1) % numprocs\n}\n";
    struct scene s;
    scene_open(&s, stuck, 3, few);
    assert_int_equal(scene_run(&s), STATUS_DEADLOCK);
    assert_int_equal(s.result.n, 1);
    assert_int_equal(s.result.rows[0].at.numprocs, 1);
    assert_true(s.diags.n_errors >= 2);
    scene_close(&s);
}

/* Who comes first decides whether process 0 waits for ever. */
static void a_deadlock_by_chance_is_an_answer_too(void **state)
{
    (void)state;
    static const char luck[] = "Runon c1 = procnum == 0 & else\n{\n"
                               "Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = who & size = 8\n"
                               "Runon c1 = who == 1\n{\nMessage type = MPI_Recv & from = 1 & tag = 9 & size = 8\n}\n}\n"
                               "{\nSerial time = measured(drawn)\nMessage type = MPI_Send & to = 0 & size = 8\n}\n";
    static const struct predict_mode modes[] = {{"distribution", MODE_distribution, false, NULL}};
    static const struct placement three = {3, 3, 1};
    struct scene s;
    scene_open(&s, luck, 1, &three);
    s.request.modes = modes;
    s.request.plan.exact = 400;
    assert_int_equal(scene_run(&s), STATUS_DEADLOCK);
    assert_int_equal(s.result.n, 1);
    assert_true(s.result.complete);
    const struct prediction *row = &s.result.rows[0];
    assert_int_equal(row->deadlocks + row->time.n, 400);
    assert_true(row->deadlocks > 150 && row->deadlocks < 250); /* both are as likely: 200 +- 5 sd */
    assert_int_equal(s.diags.n_errors, 2);
    assert_non_null(strstr(diag_message(&s.diags, 0), " of 400 replications ("));
    assert_non_null(strstr(diag_message(&s.diags, 1), "which has ended"));
    assert_non_null(strstr(s.result.notes[0], "times are of the others (distribution, 3x1; 1 row)"));
    scene_close(&s);
}

static void a_wrong_algorithm_is_told_before_all(void **state)
{
    (void)state;
    static const char wrong[] = "Serial time = 1 ms\nRunon c1 = numprocs > 5\n{\n"
                                "Collective type = MPI_Bcast & size = 8 & root = 0 & algorithm = binomail\n}\n";
    struct scene s;
    scene_open(&s, wrong, 3, few);
    assert_int_equal(scene_run(&s), STATUS_NAME);
    assert_int_equal(s.result.n, 0);
    assert_int_equal(s.diags.n_errors, 1);
    assert_non_null(strstr(diag_message(&s.diags, 0), "did you mean `binomial`?"));
    scene_close(&s);
}

/* An Allreduce of 64 bytes on 4 processes: the tables take different algorithms. Making a communicator: other
 * messages. */
static void a_library_may_be_chosen(void **state)
{
    (void)state;
    static const char *const texts[] = {"Collective type = MPI_Allreduce & size = 64\n",
                                        "Message type = MPI_Comm_dup\n"};
    static const struct placement four = {4, 4, 1};
    for (int t = 0; t < 2; t++) {
        double times[3];
        for (int i = 0; i < 3; i++) {
            struct scene s;
            scene_open(&s, texts[t], 1, &four);
            s.machine->library = i == 2 ? LIBRARY_mpich : LIBRARY_open_mpi;
            s.request.library_given = i == 1;
            s.request.library = LIBRARY_mpich;
            assert_int_equal(scene_run(&s), STATUS_OK);
            times[i] = s.result.rows[0].time.mean;
            scene_close(&s);
        }
        assert_true(times[0] != times[1] && times[1] == times[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_predicted_on_one_process),
        cmocka_unit_test(base_given),
        cmocka_unit_test(base_of_serial_times),
        cmocka_unit_test(no_serial_time_no_speedup),
        cmocka_unit_test(a_count_that_does_not_run),
        cmocka_unit_test(order_of_rows),
        cmocka_unit_test(pingpong_mode),
        cmocka_unit_test(interval_of_a_sampled_speedup),
        cmocka_unit_test(notes_say_what_the_machine_lacks), cmocka_unit_test(processes_that_share_processors_are_noted), cmocka_unit_test(one_node_is_told_apart),
        cmocka_unit_test(levels_within_a_node_are_noted_apart),
        cmocka_unit_test(levels_that_ports_explain_are_noted_so),
        cmocka_unit_test(what_few_late_messages_count_for_is_noted),
        cmocka_unit_test(a_row_that_cannot_be_written_ends_the_run),
        cmocka_unit_test(an_interrupt_before_the_first_row),
        cmocka_unit_test(a_deadlock_is_an_answer),
        cmocka_unit_test(a_deadlock_by_chance_is_an_answer_too),
        cmocka_unit_test(a_wrong_algorithm_is_told_before_all),
        cmocka_unit_test(a_library_may_be_chosen),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
