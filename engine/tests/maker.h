/* maker.h - for tests: programs made by chance from the shapes that MPI programs have, and machines to run them on. */
#ifndef PEVPM_ENGINE_TESTS_MAKER_H
#define PEVPM_ENGINE_TESTS_MAKER_H

#include "common/tests/share.h"
#include "engine/tests/play.h"
#include "invent/shape.h"

/* An entry more. */
static const char maker_self[] =
    "  - operation: MPI_Isend\n    nodes: 1\n    processes_per_node: 1\n    transport: self\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"0.4 us\", high: \"0.7 us\"}}, send_overhead: {uniform: {low: "
    "\"0.2 us\", high: \"0.3 us\"}}}\n"
    "      - {bytes: 16384, transit: {exponential: {mean: \"5 us\"}}, receive_overhead: \"0.1 us\"}\n";

/* Without gamma laws, whose quantiles take ten times as long as all of a test's runs.
 * A format: more entries, more of `ports`, more of the file. */
static const char maker_machine[] =
    "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 2\n"
    "point_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: {edges: [\"90 us\", \"100 us\", \"130 us\"], counts: [3, 1]}, "
    "send_overhead: \"7 us\"}\n"
    "      - {bytes: 1024, transit: {normal: {mean: \"240 us\", sd: \"11 us\"}}, "
    "send_overhead: {uniform: {low: \"8 us\", high: \"9 us\"}},\n"
    "         receive_overhead: {exponential: {mean: \"5 us\"}}}\n"
    "      - {bytes: 16384, transit: {lognormal: {mean: \"900 us\", sd: \"520 us\"}, shift: \"1 ms\"}, "
    "send_overhead: \"30 us\", receive_overhead: \"41 us\"}\n"
    "  - operation: MPI_Send\n    nodes: 4\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: {start: \"100 us\", width: \"10 us\", counts: [5, 9, 3, 0, 0, 1]}}\n"
    "      - {bytes: 1024, transit: {start: \"250 us\", width: \"13 us\", counts: [15, 29, 13, 2, 0, 0, 0, 1]}}\n"
    "      - {bytes: 16384, transit: {start: \"2 ms\", width: \"113 us\", counts: [15, 29, 13, 2, 0, 0, 0, 1]}}\n"
    "  - operation: MPI_Isend\n    nodes: 8\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 512, transit: {lognormal: {mean: \"300 us\", sd: \"50 us\"}}}\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 1\n    processes_per_node: 2\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"3 us\", high: \"4 us\"}}}\n"
    "      - {bytes: 16384, transit: \"21 us\"}\n"
    "  - operation: MPI_Send\n    nodes: 1\n    processes_per_node: 2\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"4 us\", high: \"6 us\"}}, send_overhead: \"1 us\"}\n"
    "      - {bytes: 16384, transit: \"29 us\", receive_overhead: \"2 us\"}\n"
    "%s"
    "ports: {out_gap: [[0, \"12 us\"], [1024, \"92 us\"]], in_gap: [[0, \"10 us\"], [1024, \"97 us\"]], "
    "credit: \"128 us\"%s}\n"
    "%s"
    "node_time_factor: [1, 1, 1.25, 1, 1, 0.9]\n"
    "serial: {step: {lognormal: {mean: \"200 us\", sd: \"141 us\"}}, row: [[10, \"50 us\"], [100, "
    "{exponential: {mean: \"450 us\"}}]]}\n"
    "models: {hockney: {alpha: \"100 us\", beta: \"0.09 us\"}, loggp: {L: \"60 us\", o_s: \"9 us\", o_r: \"11 us\", "
    "g: \"25 us\", G: \"0.08 us\"}}\n";

/* ---- programs made by chance ---- */

/* Short programs of all shapes, those that deadlock too: how they are spread over processes, what they compute and how
 * long their messages are is made for the machine above. by_time: also shapes whose way depends on time, and collectives.
 * Zero-initialise a maker and set any_self; its text ends with free. */
static inline void make_program(struct maker *m, bool by_time)
{
    static const char *const sizes[] = {"0", "10", "500", "1024", "3000", "20000", "256*(procnum+1)"};
    static const char *const times[] = {"37 us",
                                        "procnum*100 us",
                                        "normal(100, 30) us",
                                        "exponential(55) us",
                                        "measured(step)",
                                        "measured(row, 10*(procnum+1))",
                                        "(procnum%3)/7.0 ms",
                                        "gamma(2, 0.0001)"};
    m->sizes = sizes;
    m->n_sizes = sizeof sizes / sizeof *sizes;
    m->times = times;
    m->n_times = sizeof times / sizeof *times;
    m->computes = m->ready = true;
    m->used = 0;
    m->n_phases = 0;
    say(m, "Loop iterations = %d & var = " SHAPE_LAP "\n{\n", 1 + chance(m, 3));
    for (int n = 1 + chance(m, 4); n > 0; n--) {
        static const enum shape_name often[] = {SHAPE_self, SHAPE_self, SHAPE_shift, SHAPE_flood};
        int shape = chance(m, 3) ? chance(m, N_SHAPES) : (int)often[chance(m, 4)];
        while (!by_time && shape_is_by_time((enum shape_name)shape))
            shape = chance(m, N_SHAPES);
        shape_say(m, (enum shape_name)shape);
    }
    say(m, "}\n");
}

/* Sockets, of which a node has two with a place each, and entries within them: two processes of four share one. */
static const char maker_sockets[] =
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 1\n    processes_per_node: 2\n    transport: socket\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"1 us\", high: \"2 us\"}}, send_overhead: \"0.3 us\"}\n"
    "      - {bytes: 16384, transit: {exponential: {mean: \"7 us\"}}}\n"
    "  - operation: MPI_Isend\n    nodes: 1\n    processes_per_node: 2\n    transport: socket\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"2 us\", high: \"3 us\"}}, receive_overhead: \"0.2 us\"}\n"
    "      - {bytes: 16384, transit: \"11 us\", receive_overhead: \"0.9 us\"}\n";

/* Program number `program` on a machine made by chance, opened. sockets: on one whose nodes have two sockets, with three or
 * four processes a node. */
static inline struct scene maker_open_on(struct maker *m, bool by_time, bool sockets, int program)
{
    static const char *const model[] = {"measured", "measured", "measured", "hockney", "loggp"};
    static const enum contention rule[] = {CONTENTION_scoreboard, CONTENTION_ports, CONTENTION_none};
    static const char *const protocol[] = {"", "eager_limit: 2000\n", "eager_limit: 2000\nprogress: async\n",
                                           "eager_limit: 700\n",
                                           ("eager_limit: 2000\ntransports: {self: {eager_limit: 400}, "
                                            "node: {eager_limit: 9000}}\n"),
                                           "eager_limit: 2000\ntransports: {self: {eager_limit: 9000}}\n",
                                           "eager_limit: 2000\ntransports: {node: {eager_limit: 700, rendezvous: get}}\n"};
    static const char *const told[] = {
        "sockets_per_node: 2\n", "sockets_per_node: 2\nsocket_map: block\n",
        "sockets_per_node: 2\neager_limit: 2000\ntransports: {socket: {eager_limit: 700}, node: {eager_limit: 9000}}\n",
        "sockets_per_node: 2\nsocket_map: block\neager_limit: 2000\ntransports: {socket: {rendezvous: get}}\n"};
    char yaml[sizeof maker_machine + sizeof maker_self + sizeof maker_sockets + 200], entries[sizeof maker_self + sizeof maker_sockets];
    m->seed = (uint64_t)program;
    m->drawn = 0;
    struct scene scene = {.seed = 1000 + m->seed};
    scene.contention = rule[chance(m, 3)];
    scene.model = model[chance(m, 5)];
    scene.mode = chance(m, 6) ? MODE_distribution : MODE_average;
    scene.ppn = 1 + chance(m, 2);
    scene.nodes = 1 + chance(m, 5);
    scene.numprocs = scene.nodes * scene.ppn;
    if (scene.numprocs == 1) {
        scene.nodes = 2;
        scene.numprocs = 2;
    }
    const char *more = protocol[chance(m, 7)], *shared = chance(m, 3) ? "" : ", shared_by: process";
    const char *self = chance(m, 2) ? maker_self : "";
    snprintf(entries, sizeof entries, "%s%s", self, sockets && program % 3 > 0 ? maker_sockets : "");
    if (sockets) {
        scene.ppn = 3 + program % 2;
        scene.numprocs = scene.nodes * scene.ppn;
        more = told[program / 2 % 4];
    }
    snprintf(yaml, sizeof yaml, maker_machine, entries, shared, more);
    make_program(m, by_time);
    scene_open(&scene, m->text, yaml);
    return scene;
}

static inline struct scene maker_open(struct maker *m, bool by_time, int program)
{
    return maker_open_on(m, by_time, false, program);
}

#endif
