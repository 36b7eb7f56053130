/* Streams of messages, pipelines and wavefronts take as long as they were measured to on the virtual cluster
 * (validation/cluster): machines as pevpm-bench wrote them, with about each distribution's median in its place. */
#include "engine/tests/play.h"

#include "models/scaled.h"

#include <stdlib.h>

/* Hosts of 10 Mbit/s, as in validation/results/frozen. */
static const char *const equal =
    "pevpm_machine: 2\nname: equal\nnodes: 16\nprocesses_per_node: 1\neager_limit: 65480\npoint_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: 29 us, send_overhead: 17 us, receive_overhead: 3 us}\n"
    "      - {bytes: 1024, transit: 34 us, send_overhead: 20 us, receive_overhead: 4 us}\n"
    "      - {bytes: 4096, transit: 2.233 ms, send_overhead: 23 us, receive_overhead: 7 us}\n"
    "      - {bytes: 16384, transit: 12.55 ms, send_overhead: 35 us, receive_overhead: 14 us}\n"
    "      - {bytes: 65480, transit: 53.7 ms, send_overhead: 80 us, receive_overhead: 40 us}\n"
    "resources:\n"
    "  - scope: node\n    direction: out\n"
    "    demand: [[0, 71 us], [64, 122 us], [1024, 887 us], [4096, 3.455 ms], [16384, 13.78 ms], [65480, 54.9 ms]]\n"
    "    acknowledgements: [[1024, 32 us], [4096, 125 us], [16384, 454 us]]\n"
    "    credit: 1.25 ms\n    frame: 1448\n    window: 32558\n"
    "  - scope: node\n    direction: in\n"
    "    demand: [[0, 71 us], [64, 122 us], [1024, 887 us], [4096, 3.455 ms], [16384, 13.78 ms], [65480, 54.9 ms]]\n"
    "    acknowledgements: [[1024, 32 us], [4096, 125 us], [16384, 454 us]]\n"
    "    credit: 1.25 ms\n    frame: 1448\n";

/* Hosts of 20, 10 and 5 Mbit/s by turns, as in validation/results/ordinary/mixed.yaml. */
#define PORTS(hosts, demand, acknowledgements, credit, buffer) \
    "  - {scope: node, of: \"" hosts "\", direction: out, demand: " demand ", acknowledgements: " acknowledgements \
    ", credit: " credit ", frame: 1448, window: 31777}\n" \
    "  - {scope: node, of: \"" hosts "\", direction: in, demand: " demand ", acknowledgements: " acknowledgements \
    ", credit: " credit ", frame: 1448, buffer: " buffer ", overflow: {edges: [40 ms, 41 ms], counts: [1]}}\n"
static const char *const unequal =
    "pevpm_machine: 2\nname: unequal\nnodes: 8\nprocesses_per_node: 1\neager_limit: 65480\npoint_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: 33 us, send_overhead: 18 us, receive_overhead: 3 us}\n"
    "      - {bytes: 1024, transit: 36 us, send_overhead: 20 us, receive_overhead: 4 us}\n"
    "      - {bytes: 4096, transit: 1.128 ms, send_overhead: 23 us, receive_overhead: 7 us}\n"
    "      - {bytes: 16384, transit: 6.308 ms, send_overhead: 35 us, receive_overhead: 14 us}\n"
    "      - {bytes: 65480, transit: 26.9 ms, send_overhead: 80 us, receive_overhead: 40 us}\n"
    "resources:\n"
    PORTS("0,3,6", "[[0, 35.7 us], [1024, 444.5 us], [4096, 1.73 ms], [16384, 6.89 ms], [65480, 27.43 ms]]",
          "[[1024, 14 us], [4096, 59 us], [16384, 240 us]]", "644 us", "13.5 ms")
    PORTS("1,4,7", "[[0, 71.4 us], [1024, 889 us], [8192, 6.888 ms]]", "[[1024, 16 us], [8192, 173 us]]", "1.19 ms",
          "27 ms")
    PORTS("2,5", "[[0, 143 us], [1024, 1.779 ms], [8192, 13.79 ms]]", "[[1024, 18 us], [8192, 422 us]]", "2.55 ms",
          "54 ms");

static void expect_near(const char *what, double found, double measured, double within)
{
    if (!(fabs(found / measured - 1) <= within))
        fail_msg("%s: %.6g s, measured %.6g s: %+.1f %%", what, found, measured, 100 * (found / measured - 1));
}

static void expect(const char *what, const char *machine, int numprocs, const char *program, double measured,
                   double within)
{
    const struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_frames};
    expect_near(what, play_timed(scene, program, machine), measured, within);
}

/* 200 messages of a host of 20 Mbit/s to one of 10. */
static void stream_expect(int bytes, double measured)
{
    char program[400], what[40];
    snprintf(program, sizeof program,
             "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 200\n{\n"
             "Message type = MPI_Send & to = 1 & size = %d\n}\n}\n"
             "{\nLoop iterations = 200\n{\nMessage type = MPI_Recv & from = 0\n}\n}\n", bytes);
    snprintf(what, sizeof what, "a stream of %d bytes", bytes);
    expect(what, unequal, 2, program, 200 * measured, 0.04);
}

static void streams_to_a_slower_host(void **state)
{
    (void)state;
    stream_expect(100, 98.9e-6);
    stream_expect(400, 348.4e-6);
    stream_expect(4096, 3.439e-3);
}

#define PIPELINE \
    "Loop iterations = 300\n{\nMessage type = MPI_Recv & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL\n" \
    "Serial time = 0.006/numprocs\n" \
    "Message type = MPI_Send & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL & size = 4096\n}\n"

static void a_pipeline(void **state)
{
    (void)state;
    expect("2 hosts", equal, 2, PIPELINE, 1.0416, 0.02);
    expect("4 hosts", equal, 4, PIPELINE, 1.0774, 0.02);
    expect("8 hosts", equal, 8, PIPELINE, 1.0904, 0.02);
    expect("16 hosts", equal, 16, PIPELINE, 1.1158, 0.02);
}

/* validation/results/ordinary/wavefront.pevpm: the host in a corner runs ahead of its port, and what it sends one
 * neighbour is kept while what it sends the other leaves. */
#define WAVEFRONT(across) \
    "Param px = " #across "\nParam py = numprocs / px\nSet x = procnum % px\nSet y = procnum / px\n" \
    "Loop iterations = 3\n{\nLoop iterations = 4 & var = corner\n{\n" \
    "Set sx = corner % 2 == 0 ? 1 : -1\nSet sy = corner / 2 == 0 ? 1 : -1\n" \
    "Set fx = x - sx >= 0 && x - sx < px ? procnum - sx : MPI_PROC_NULL\n" \
    "Set tx = x + sx >= 0 && x + sx < px ? procnum + sx : MPI_PROC_NULL\n" \
    "Set fy = y - sy >= 0 && y - sy < py ? procnum - sy * px : MPI_PROC_NULL\n" \
    "Set ty = y + sy >= 0 && y + sy < py ? procnum + sy * px : MPI_PROC_NULL\n" \
    "Loop iterations = 10\n{\nMessage type = MPI_Recv & from = fx\nMessage type = MPI_Recv & from = fy\n" \
    "Serial time = 4 ms\nMessage type = MPI_Send & to = tx & size = 6000\n" \
    "Message type = MPI_Send & to = ty & size = 4000\n}\n}\n}\n"

/* Where each port takes so many times what it takes. */
static double play_scaled(const char *machine, int numprocs, const char *program, double gaps)
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_frames};
    struct scale scale = SCALE_NONE;
    struct outcome outcome;
    char text[4000] = "";
    scale.out_gap = scale.in_gap = gaps;
    scene_open(&scene, program, machine);
    scene.setup.model = scene.cost = scaled_wrap(scene.cost, &scale);
    const enum status status = scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, text, sizeof text);
    scene_close(&scene);
    assert_string_equal(status == STATUS_OK ? "" : text, "");
    return outcome.time;
}

static int time_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whose frames come first where two meet decides how the rest of a sweep goes, so on 4 hosts it takes 1.63 to 1.64 s
 * with some gaps, 1.78 to 1.85 and 2.06 to 2.12 with others that differ from them by a thousandth. Measured gaps are not
 * known so exactly: the median of what lies within 1 % of them tells, of 4 hosts not much. */
static void wavefront_expect(const char *what, int numprocs, const char *program, double measured, double within)
{
    enum { STEPS = 10 };
    double times[2 * STEPS + 1];
    for (int i = -STEPS; i <= STEPS; i++)
        times[i + STEPS] = play_scaled(unequal, numprocs, program, 1 + 0.001 * i);
    qsort(times, sizeof times / sizeof *times, sizeof *times, time_compare);
    expect_near(what, times[STEPS], measured, within);
}

static void a_wavefront(void **state)
{
    (void)state;
    wavefront_expect("4 unequal hosts", 4, WAVEFRONT(2), 1.677, 0.04);
    wavefront_expect("8 unequal hosts", 8, WAVEFRONT(4), 2.511, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_to_a_slower_host),
        cmocka_unit_test(a_pipeline),
        cmocka_unit_test(a_wavefront),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
