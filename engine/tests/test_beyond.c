/* What was not measured: said once, in all engines alike; or an error in the process that needs it. */
#include "engine/tests/play.h"

#include "common/alloc.h"

static const char machine[] =
    "pevpm_machine: 1\nname: lab\nnodes: 8\nprocesses_per_node: 1\n"
    "point_to_point:\n"
    "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 64, transit: 98 us}, "
    "{bytes: 1024, transit: 100 us}]}\n"
    "serial:\n  force: [[2000, 1 ms]]\n  table: [[500, 1 ms], [2000, 2 ms]]\n  plain: 1 ms\n"
    "collectives:\n"
    "  MPI_Bcast: {measured: [{numprocs: 2, bytes: 8, time: 1 ms}, {numprocs: 4, bytes: 8, time: 1 ms}]}\n"
    "  MPI_Reduce: {measured: [{numprocs: 2, bytes: 8, time: 1 ms}, {numprocs: 2, bytes: 800, time: 2 ms}, "
    "{numprocs: 8, bytes: 80, time: 1 ms}, {numprocs: 8, bytes: 900, time: 1 ms}]}\n";

/* The notes of a run, one a line. The caller frees them. */
static char *notes_of(const char *program, int numprocs, enum engine_kind kind)
{
    struct scene scene = {.numprocs = numprocs};
    struct beyond beyond = {0};
    struct outcome outcome[8];
    char error[4000] = "", *text = alloc_string("");
    scene_open(&scene, program, machine);
    scene.setup.beyond = &beyond;
    enum status status = scene_run(&scene, kind, kind == ENGINE_LANES ? 8 : 1, 1, outcome, NULL, error, sizeof error);
    if (status != STATUS_OK)
        fail_msg("%s", error);
    for (size_t i = 0; i < beyond.n; i++) {
        char *line = beyond_text(&beyond.items[i]), *longer = alloc_format("%s%s\n", text, line);
        free(line);
        free(text);
        text = longer;
    }
    beyond_free(&beyond);
    scene_close(&scene);
    return text;
}

static void assert_notes(const char *program, int numprocs, bool any_engine, const char *expected)
{
    for (int kind = any_engine ? ENGINE_LANES : ENGINE_TIMED; kind <= ENGINE_TIMED; kind++) {
        char *notes = notes_of(program, numprocs, (enum engine_kind)kind);
        assert_string_equal(notes, expected);
        free(notes);
    }
}

#define RING(size)                                                                                              \
    "Message type = MPI_Sendrecv & size = " size " & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs\n"

static void sizes_that_were_not_measured_are_told(void **state)
{
    (void)state;
    assert_notes(RING("64") RING("1024") RING("100"), 4, true, "");
    assert_notes(RING("5000") RING("1024") RING("3000"), 4, true,
                 "messages of 3000 to 5000 bytes: 64 to 1024 bytes were measured; for larger ones the line through the "
                 "last two sizes goes on\n");
    assert_notes(RING("63"), 4, true,
                 "messages of 63 bytes: 64 to 1024 bytes were measured; smaller ones are taken to cost what the "
                 "smallest do\n");
}

static void arguments_that_were_not_timed_are_told(void **state)
{
    (void)state;
    assert_notes("Serial time = measured(table, 500)\nSerial time = measured(table, 2000)\n"
                 "Serial time = measured(plain)\nSerial time = measured(force, 2000)\n", 2, true, "");
    assert_notes("Loop iterations = 3 & var = i\n{\nSerial time = measured(table, 499 + i*2000)\n}\n", 2, true,
                 "measured(table, 499 to 4499) is outside of what was timed, 500 to 2000: the line at that end goes "
                 "on, cut at 0\n");
}

static void collectives_that_were_not_measured_are_told(void **state)
{
    (void)state;
    assert_notes("Collective type = MPI_Bcast & size = 8 & root = 0\nCollective type = MPI_Reduce & size = 100 & root = "
                 "0\n", 2, false, "");
    assert_notes("Collective type = MPI_Bcast & size = 100 & root = 0\n", 3, false,
                 "MPI_Bcast of 100 bytes: 8 bytes alone were measured; all others are taken to cost the same\n");
    assert_notes("Collective type = MPI_Reduce & size = 850 & root = 0\n", 4, false,
                 "MPI_Reduce of 850 bytes: 80 to 800 bytes were measured; for larger ones the line through the last "
                 "two sizes goes on\n");
    assert_notes("Collective type = MPI_Bcast & size = 100 & root = 0\n", 8, false,
                 "MPI_Bcast on 8 processes: its times were measured on 2 to 4, so it is carried out message by "
                 "message\n");
    assert_notes("Collective type = MPI_Bcast & size = 8 & root = 0\n", 1, false, "");
}

static void arithmetic_that_costs_nothing_is_told(void **state)
{
    (void)state;
    assert_notes("Collective type = MPI_Allreduce & size = 512 & algorithm = recursive_doubling\n"
                 "Collective type = MPI_Allreduce & size = 64 & algorithm = recursive_doubling\n", 4, false,
                 "the arithmetic of reductions (up to 512 bytes at a time) is taken to cost nothing: the machine file has "
                 "no `reduction`\n");
    assert_notes("Collective type = MPI_Allgather & size = 64\n", 2, false, "");
}

/* All engines fail with this; place and process are before and behind it. */
static void assert_untimed(const char *program, enum status expected, const char *part)
{
    for (int kind = ENGINE_LANES; kind <= ENGINE_TIMED; kind++) {
        struct scene scene = {.numprocs = 4};
        struct outcome outcome[8];
        char text[4000] = "";
        scene_open(&scene, program, machine);
        enum status status = scene_run(&scene, (enum engine_kind)kind, kind == ENGINE_LANES ? 8 : 1, 1, outcome, NULL,
                                       text, sizeof text);
        scene_close(&scene);
        assert_string_equal(status_name(status), status_name(expected));
        if (!strstr(text, part))
            fail_msg("\"%s\" is not in\n%s", part, text);
    }
}

static void what_was_not_timed_is_an_error_where_it_is_reached(void **state)
{
    (void)state;
    assert_untimed("Runon c1 = procnum == 2\n{\nSerial time = measured(forse, 1)\n}\n", STATUS_NAME,
                   "test.pevpm:3:1: error: Serial: machine `lab` has no computation `forse`, did you mean `force`?, in "
                   "process 2 (of 4)");
    assert_untimed("Serial time = measured(nothing_like_it)\n", STATUS_NAME,
                   "machine `lab` has no computation `nothing_like_it`: time it (pevpm-time)");
    assert_untimed("Serial time = measured(plain, 3)\n", STATUS_NAME, "measured(plain) takes no argument on machine `lab`");
    assert_untimed("Serial time = measured(table)\n", STATUS_NAME, "measured(table) needs an argument on machine `lab`");
    assert_untimed("Loop iterations = 2 & var = i\n{\nSerial time = measured(force, 2000 + i)\n}\n", STATUS_RANGE,
                   "measured(force, 2001) was timed at 2000 alone: time it there too, or at one more argument");
    /* nobody comes there */
    assert_notes("Runon c1 = numprocs > 4\n{\nSerial time = measured(forse, 1)\n}\nLoop iterations = 0\n{\n"
                 "Serial time = measured(table)\n}\n", 4, true, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_were_not_measured_are_told),
        cmocka_unit_test(arguments_that_were_not_timed_are_told),
        cmocka_unit_test(collectives_that_were_not_measured_are_told),
        cmocka_unit_test(arithmetic_that_costs_nothing_is_told),
        cmocka_unit_test(what_was_not_timed_is_an_error_where_it_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
