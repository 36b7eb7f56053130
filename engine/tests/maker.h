/* maker.h - for tests: programs made by chance from the shapes that MPI programs have, and machines to run them on. */
#ifndef PEVPM_ENGINE_TESTS_MAKER_H
#define PEVPM_ENGINE_TESTS_MAKER_H

#include "engine/random.h"
#include "engine/tests/play.h"

/* An entry more. */
static const char maker_self[] =
    "  - operation: MPI_Isend\n    nodes: 1\n    processes_per_node: 1\n    transport: self\n    sizes:\n"
    "      - {bytes: 0, transit: {uniform: {low: \"0.4 us\", high: \"0.7 us\"}}, send_overhead: {uniform: {low: "
    "\"0.2 us\", high: \"0.3 us\"}}}\n"
    "      - {bytes: 16384, transit: {exponential: {mean: \"5 us\"}}, receive_overhead: \"0.1 us\"}\n";

/* A format: more entries, more of `ports`, more of the file. */
static const char maker_machine[] =
    "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 2\n"
    "point_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 0, transit: {edges: [\"90 us\", \"100 us\", \"130 us\"], counts: [3, 1]}, "
    "send_overhead: \"7 us\"}\n"
    "      - {bytes: 1024, transit: {normal: {mean: \"240 us\", sd: \"11 us\"}}, "
    "send_overhead: {uniform: {low: \"8 us\", high: \"9 us\"}},\n"
    "         receive_overhead: {exponential: {mean: \"5 us\"}}}\n"
    "      - {bytes: 16384, transit: {gamma: {shape: 3, scale: \"300 us\"}, shift: \"1 ms\"}, "
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
    "serial: {step: {gamma: {shape: 2, scale: \"100 us\"}}, row: [[10, \"50 us\"], [100, "
    "{exponential: {mean: \"450 us\"}}]]}\n"
    "models: {hockney: {alpha: \"100 us\", beta: \"0.09 us\"}, loggp: {L: \"60 us\", o_s: \"9 us\", o_r: \"11 us\", "
    "g: \"25 us\", G: \"0.08 us\"}}\n";

/* ---- programs made by chance ---- */

struct maker {
    uint64_t seed;
    uint32_t drawn;
    int requests;
    char *text;
    size_t used, size;
    bool by_time; /* also shapes whose way depends on time, and collectives */
    bool any_self; /* what a process sends to itself is received from any source: the others use other tags */
};

static inline int chance(struct maker *m, int n)
{
    return (int)(random_word(m->seed, 1, 2, m->drawn++, STREAM_SERIAL) % (uint32_t)n);
}

__attribute__((format(printf, 2, 3))) static inline void say(struct maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(m->text + m->used, m->size - m->used, format, arguments);
    va_end(arguments);
    m->used += (size_t)n;
    assert_true(m->used < m->size);
}

static inline const char *size(struct maker *m)
{
    static const char *const sizes[] = {"0", "10", "500", "1024", "3000", "20000", "256*(procnum+1)"};
    return sizes[chance(m, 7)];
}

static inline void say_serial(struct maker *m)
{
    static const char *const times[] = {"37 us",
                                        "procnum*100 us",
                                        "normal(100, 30) us",
                                        "exponential(55) us",
                                        "measured(step)",
                                        "measured(row, 10*(procnum+1))",
                                        "(procnum%3)/7.0 ms",
                                        "gamma(2, 0.0001)"};
    if (chance(m, 3))
        say(m, "Serial time = %s\n", times[chance(m, 8)]);
}

static inline void say_send(struct maker *m, const char *to, int tag)
{
    static const char *const ops[] = {"MPI_Send", "MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend"};
    const char *bytes = size(m), *op = ops[chance(m, 5)]; /* one after the other, whatever the compiler */
    say(m, "Message type = %s & to = %s & size = %s & tag = %d\n", op, to, bytes, tag);
}

/* Everybody sends up and receives from below; with rendezvous this may deadlock, which is part of the test. */
static inline void say_shift(struct maker *m)
{
    int tag = chance(m, 2), odd_first = chance(m, 4);
    if (odd_first)
        say(m, "Runon c1 = procnum%%2 == 0 & c2 = procnum%%2 == 1\n{\n");
    for (int turn = 0; turn < (odd_first ? 2 : 1); turn++) {
        if (turn == 0)
            say_send(m, "(procnum+1)%numprocs", tag);
        say(m, "Message type = MPI_Recv & from = (procnum+numprocs-1)%%numprocs & tag = %d\n", tag);
        if (turn == 1)
            say_send(m, "(procnum+1)%numprocs", tag);
        if (odd_first)
            say(m, "%s", turn == 0 ? "}\n{\n" : "}\n");
    }
}

static inline void say_exchange(struct maker *m)
{
    static const char *const waits[] = {"MPI_Waitall & request = (a, b, c, d)", "MPI_Waitall",
                                        "MPI_Waitall & request = (d, b)", "MPI_Wait & request = a"};
    int tag = chance(m, 3);
    say(m, "Message type = MPI_Irecv & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL & tag = %d & request = a\n", tag);
    say(m, "Message type = MPI_Irecv & from = (procnum+1)%%numprocs & tag = %d & request = b\n", 7);
    say_serial(m);
    const char *bytes = size(m), *op = chance(m, 4) ? "MPI_Isend" : "MPI_Issend";
    say(m, "Message type = %s & to = (procnum+numprocs-1)%%numprocs & tag = 7 & size = %s & request = c\n", op, bytes);
    if (chance(m, 2))
        say_shift(m);
    say(m,
        "Message type = MPI_Isend & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL & tag = %d & size = %s & "
        "request = d\n",
        tag, size(m));
    say_serial(m);
    say(m, "Message type = %s\n", waits[chance(m, 4)]);
    say(m, "Message type = MPI_Waitall\n");
}

static inline void say_fan(struct maker *m)
{
    int root = chance(m, 2), posted = chance(m, 2);
    say(m, "Runon c1 = procnum == %d\n{\nLoop iterations = numprocs & var = i\n{\nRunon c1 = i != procnum\n{\n", root);
    say(m, "Message type = %s & from = i & tag = 1%s\n}\n}\n", posted ? "MPI_Irecv" : "MPI_Recv",
        posted ? " & request = r[i]" : "");
    if (posted)
        say(m, "Message type = MPI_Waitall & request = r\n");
    if (chance(m, 2)) {
        say(m, "Loop iterations = numprocs & var = i\n{\nRunon c1 = i != procnum\n{\n");
        say_send(m, "i", 2);
        say(m, "}\n}\n}\nRunon c1 = procnum != %d\n{\n", root);
        say_send(m, root ? "1" : "0", 1);
        say_serial(m);
        say(m, "Message type = MPI_Recv & from = %d & tag = 2\n}\n", root);
    } else {
        say(m, "}\nRunon c1 = procnum != %d\n{\n", root);
        say_serial(m);
        say_send(m, root ? "1" : "0", 1);
        say(m, "}\n");
    }
}

static inline void say_sendrecv(struct maker *m)
{
    say(m,
        "Message type = MPI_Sendrecv & to = (procnum+1)%%numprocs & from = (procnum+numprocs-1)%%numprocs & "
        "size = %s & "
        "recv_size = 100000\n",
        size(m));
}

/* A burst of more unmatched messages than may be, taken in two orders of tags. */
static inline void say_burst(struct maker *m)
{
    say(m, "Runon c1 = procnum == 0 & c2 = procnum == numprocs-1\n{\nLoop iterations = 70 & var = i\n{\n"
           "Message type = MPI_Send & to = numprocs-1 & size = 8*i & tag = 10 + i%%2\n}\n}\n{\n");
    for (int tag = 11; tag >= 10; tag--)
        say(m, "Loop iterations = 35\n{\nMessage type = MPI_Recv & from = 0 & tag = %d\n}\n", tag);
    say(m, "}\n");
}

/* To oneself; the last way deadlocks above the limit. */
static inline void say_self(struct maker *m)
{
    const char *from = m->any_self ? "MPI_ANY_SOURCE" : "procnum", *bytes = size(m);
    say_serial(m);
    switch (chance(m, 5)) {
    case 0:
        say(m, "Message type = MPI_Irecv & from = %s & tag = 31 & request = u\n", from);
        say_send(m, "procnum", 31);
        say_serial(m);
        say(m, "Message type = MPI_Wait & request = u\n");
        break;
    case 1:
        say(m, "Message type = %s & to = (procnum+numprocs)%%numprocs & tag = 31 & size = %s & request = v\n",
            chance(m, 4) ? "MPI_Isend" : "MPI_Issend", bytes);
        say_serial(m);
        say(m, "Message type = MPI_Recv & from = %s & tag = 31\nMessage type = MPI_Wait & request = v\n", from);
        break;
    case 2:
        say(m, "Message type = MPI_Irecv & from = %s & tag = 31 & request = u\n", from);
        say_serial(m);
        say(m, "Message type = MPI_Isend & to = procnum & tag = 31 & size = %s & request = v\n", bytes);
        say_sendrecv(m);
        say(m, "Message type = MPI_Waitall\n");
        break;
    case 3:
        say(m, "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = %s & tag = 32 & recv_tag = 32\n",
            bytes);
        break;
    default:
        say_send(m, "procnum", 31);
        say(m, "Message type = MPI_Recv & from = %s & tag = 31\n", from);
        break;
    }
}

/* ---- where time decides, and collectives ---- */

static inline void say_any(struct maker *m)
{
    static const char *const ways[] = {
        "MPI_Recv & from = MPI_ANY_SOURCE & tag = 21 & source = s",
        "MPI_Irecv & from = MPI_ANY_SOURCE & tag = 21 & request = w\nMessage type = MPI_Wait & request = w",
        "MPI_Probe & from = MPI_ANY_SOURCE & tag = 21 & source = s\nMessage type = MPI_Recv & from = s & tag = 21"};
    say(m, "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1\n{\nMessage type = %s\n",
        ways[chance(m, 3)]);
    say_serial(m);
    say(m, "}\n}\n{\n");
    say_serial(m);
    say_send(m, "0", 21);
    say(m, "}\n");
}

static inline void say_waitany(struct maker *m)
{
    const char *bytes = size(m);
    say(m, "Message type = MPI_Irecv & from = (procnum+1)%%numprocs & tag = 22 & request = x\n");
    say(m, "Message type = MPI_Irecv & from = (procnum+numprocs-1)%%numprocs & tag = 23 & request = y\n");
    say(m, "Message type = MPI_Isend & to = (procnum+numprocs-1)%%numprocs & tag = 22 & size = %s & request = z\n",
        bytes);
    say_serial(m);
    say(m, "Message type = MPI_Isend & to = (procnum+1)%%numprocs & tag = 23 & size = %s & request = z\n", bytes);
    say(m, "Message type = %s\n",
        chance(m, 2) ? "MPI_Waitany & request = (x, y)" : "MPI_Waitsome & request = (x, y, z)");
    say(m, "Set seen = 0\nLoop while = seen == 0\n{\nMessage type = MPI_Testall & request = (x, y) & flag = seen\n");
    say_serial(m);
    say(m, "}\nMessage type = MPI_Waitall\n");
}

static inline void say_look(struct maker *m)
{
    say(m, "Runon c1 = procnum%%2 == 1\n{\n");
    say_serial(m);
    say_send(m, "procnum-1", 24);
    say(m, "}\nRunon c1 = procnum%%2 == 0 && procnum < numprocs-1\n{\nSet seen = 0\nLoop while = seen == 0\n{\n"
           "Message type = MPI_Iprobe & from = MPI_ANY_SOURCE & tag = 24 & flag = seen\nSerial time = 20 us\n}\n"
           "Message type = MPI_Recv & from = procnum+1 & tag = 24\n}\n");
}

static inline void say_collective(struct maker *m)
{
    static const char *const ops[] = {"Barrier",
                                      "Bcast & size = 3000 & root = 0",
                                      "Bcast & size = 40000 & root = numprocs-1",
                                      "Allreduce & size = 8",
                                      "Allreduce & size = 50000",
                                      "Alltoall & size = 500",
                                      "Allgather & size = 1024",
                                      "Gatherv & size = 100*procnum & root = 1",
                                      "Scatter & size = 700 & root = 0",
                                      "Scan & size = 64",
                                      "Reduce & size = 9000 & root = 0",
                                      "Alltoallv & size = 64*procnum"};
    say_serial(m);
    if (chance(m, 4) == 0) {
        say(m, "Collective type = MPI_I%s & request = k\n",
            chance(m, 2) ? "bcast & size = 5000 & root = 0" : "allreduce & size = 5000");
        say_serial(m);
        say(m, "Message type = MPI_Wait & request = k\n");
    } else {
        say(m, "Collective type = MPI_%s\n", ops[chance(m, 12)]);
    }
}

static inline void make_program(struct maker *m)
{
    static void (*const shapes[])(struct maker *) = {say_shift,  say_exchange, say_fan,     say_sendrecv,
                                                     say_burst,  say_serial,   say_self,    say_self,
                                                     say_any,    say_waitany,  say_look,    say_collective,
                                                     say_collective};
    m->used = 0;
    say(m, "Loop iterations = %d\n{\n", 1 + chance(m, 3));
    int n = 1 + chance(m, 4);
    for (int i = 0; i < n; i++)
        shapes[chance(m, m->by_time ? 13 : 8)](m);
    say(m, "}\n");
}

/* Program number `program` on a machine made by chance, opened. m: text, size and by_time are given. */
static inline struct scene maker_open(struct maker *m, int program)
{
    static const char *const model[] = {"measured", "measured", "measured", "hockney", "loggp"};
    static const enum contention rule[] = {CONTENTION_scoreboard, CONTENTION_ports, CONTENTION_none};
    static const char *const protocol[] = {"", "eager_limit: 2000\n", "eager_limit: 2000\nprogress: async\n",
                                           "eager_limit: 700\n",
                                           "eager_limit: 2000\ntransports: {self: {eager_limit: 400}, "
                                           "node: {eager_limit: 9000}}\n",
                                           "eager_limit: 2000\ntransports: {self: {eager_limit: 9000}}\n"};
    char yaml[sizeof maker_machine + sizeof maker_self + 200];
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
    const char *more = protocol[chance(m, 6)], *shared = chance(m, 3) ? "" : ", shared_by: process";
    const char *self = chance(m, 2) ? maker_self : "";
    snprintf(yaml, sizeof yaml, maker_machine, self, shared, more);
    make_program(m);
    scene_open(&scene, m->text, yaml);
    return scene;
}

#endif
