/* Predictions held against runs that were measured: which count where some cannot be predicted. */
#include "sim/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char machine_text[] =
    "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 1\npoint_to_point:\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 1 ms}]}\n";

#define PAIR(after) "Runon c1 = procnum == 0 & c2 = procnum == 1\n"                                            \
                    "{\nMessage type = MPI_Send & size = 8 & to = 1\n}\n{\nMessage type = MPI_Recv & size = 8 & from = 0\n" \
                    after "}\n"
static const char good[] = "Serial time = 3 ms\n" PAIR("");
static const char waits[] = PAIR("Message type = MPI_Recv & size = 8 & from = 0\n");

/* The message comes after 3 ms, too late for the test, but where messages take no time after 2 ms: then process 1 waits
 * for another, which nobody sends. */
static const char waits_if_quick[] =
    "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nSerial time = 2 ms\nMessage type = MPI_Send & size = 8 & to = 1 & tag = 1\n"
    "}\n{\nMessage type = MPI_Irecv & size = 8 & from = 0 & tag = 1 & request = r\n"
    "Serial time = 2.5 ms\nMessage type = MPI_Test & request = r & flag = seen\n"
    "Runon c1 = seen\n{\nMessage type = MPI_Recv & size = 8 & from = 0 & tag = 2\n}\n"
    "Message type = MPI_Wait & request = r\n}\n";
static const char does_nothing[] =
    "Set alone = comm_split(procnum, 0)\nCollective type = MPI_Allgather & size = 8 & comm = alone\n";

enum { RUNS = 7 };

/* Seven runs on two processes, of which `bad` stands at two places. */
static enum status judged_of(const char *bad, bool leaves_out, struct judge_result *result, struct diags *diags)
{
    static double seconds = 4.2e-3;
    struct judge_draws draws[RUNS];
    struct machine *machine = NULL;
    struct source *sources[2] = {source_from_text("good", good, strlen(good)),
                                 source_from_text("bad", bad, strlen(bad))};
    struct judge_run runs[RUNS] = {0};
    assert_int_equal(machine_read_text(&machine, "m", machine_text, strlen(machine_text), diags), STATUS_OK);
    for (size_t i = 0; i < RUNS; i++) {
        draws[i] = (struct judge_draws){.seed = 7 + i, .n = 1};
        runs[i] = (struct judge_run){.source = sources[i == 1 || i == 4], .program = sources[i == 1 || i == 4]->name,
                                     .at = {2, 2, 1}, .n = 1, .seconds = &seconds, .draws = &draws[i],
                                     .place = place_of_file("runs")};
    }
    const struct judge_request request = {.machine = machine, .n = RUNS, .runs = runs, .seed = 1, .by_chance = true,
                                          .leaves_out = leaves_out, .plan = {.exact = 2, .threads = 1}};
    const enum status status = judge_measured(&request, result, diags);
    machine_destroy(machine);
    for (int i = 0; i < 2; i++)
        source_destroy(sources[i]);
    return status;
}

static void expect_left_out(const char *bad)
{
    static const size_t left[] = {0, 2, 3, 5, 6};
    struct judge_result result;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(judged_of(bad, true, &result, &diags), STATUS_OK);
    assert_int_equal(result.n, 5);
    for (size_t i = 0; i < result.n; i++)
        assert_int_equal(result.runs[i].run, left[i]);
    assert_int_equal(result.launches, 5);
    assert_true(result.found.communication > 0 || result.found.computation > 0);
    assert_true(diags.n_errors > 0);
    judge_result_free(&result);
    diags_free(&diags);
}

static void what_cannot_be_predicted_is_left_out(void **state)
{
    (void)state;
    expect_left_out(waits);
}

/* It is not enough to be predicted on the machine as it is; and why not is said. */
static void so_is_what_fails_where_messages_are_free(void **state)
{
    (void)state;
    expect_left_out(waits_if_quick);
}

static void so_is_what_is_predicted_to_take_no_time(void **state)
{
    (void)state;
    expect_left_out(does_nothing);
}

static void else_it_is_an_error(void **state)
{
    (void)state;
    const char *const bad[] = {waits, waits_if_quick, does_nothing};
    const enum status expected[] = {STATUS_DEADLOCK, STATUS_DEADLOCK, STATUS_RANGE};
    for (size_t i = 0; i < 3; i++) {
        struct judge_result result;
        struct diags diags = DIAGS_EMPTY;
        assert_int_equal(judged_of(bad[i], false, &result, &diags), expected[i]);
        assert_true(diags.n_errors > 0);
        judge_result_free(&result);
        diags_free(&diags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_predicted_is_left_out),
        cmocka_unit_test(so_is_what_fails_where_messages_are_free),
        cmocka_unit_test(so_is_what_is_predicted_to_take_no_time),
        cmocka_unit_test(else_it_is_an_error),
    };
    return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
