/* stream_play.h - for tests of messages in TCP's frames: a machine, and what its ports take. They pass a byte on the wire in 1 us;
 * a frame carries 1448 bytes and has 66 of headers, a message 22: so one of 14458 bytes is in ten full frames, 15.14 ms
 * of a port. */
#ifndef PEVPM_ENGINE_TESTS_STREAM_PLAY_H
#define PEVPM_ENGINE_TESTS_STREAM_PLAY_H

#include "engine/random.h"
#include "engine/tests/play.h"

#define PORT(direction, more)                                                                                          \
    "  - {scope: node, direction: " direction ", demand: [[0, 88 us], [1000, 1.088 ms], [14458, 15.14 ms]], frame: 1448" \
    more "}\n"
#define POINT_TO_POINT(empty)                                                                                         \
    "pevpm_machine: 2\nname: m\nnodes: 9\nprocesses_per_node: 1\npoint_to_point:\n  - {operation: MPI_Send, pattern: "  \
    "pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: " empty "}, {bytes: 1000, transit: 1.2 ms}, " \
    "{bytes: 14458, transit: 15.3 ms}, {bytes: 144600, transit: 153 ms}]}\nresources:\n"
#define MACHINE_OF(empty, out, in) POINT_TO_POINT(empty) PORT("out", out) PORT("in", in)
#define MACHINE(out, in) MACHINE_OF("0.2 ms", out, in)
#define HALF_DUPLEX POINT_TO_POINT("0.2 ms") PORT("both", "")
#define PLAIN MACHINE(", acknowledgements: [[0, 0.05 ms]]", "")

/* Ten full frames take as long over one rail as twice as many do over two. */
#define RAILS(k, more)                                                                                                  \
    "pevpm_machine: 2\nname: m\nnodes: 9\nprocesses_per_node: 1\neager_limit: 20000\npoint_to_point:\n  - {operation: MPI_Send, " \
    "pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 0.2 ms}, {bytes: 14458, transit: 15.3 ms}, "  \
    "{bytes: 28848, transit: 15.7 ms}, {bytes: 288480, transit: 152 ms}]}\nresources:\n" PORT("out", ", rails: " k) \
    PORT("in", ", rails: " k more)

static const double FRAME = 1.514e-3, MESSAGE = 15.14e-3, HEADER = 66e-6;
/* By how much the measured transits of one frame and of ten are longer than these take on an idle way, from port to port. */
static const double LATE = 0.112e-3, LATE_OF_TEN = 0.16e-3;

/* The longest round trip with which a connection begins that was used before the program. */
static const double FIRST_ROUND = 10e-3;

static inline double played_as(uint64_t seed, int numprocs, const char *machine, const char *program)
{
    struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_frames, .seed = seed};
    return play_timed(scene, program, machine);
}

static inline double played(int numprocs, const char *machine, const char *program)
{
    return played_as(0, numprocs, machine, program);
}

static inline void expect_between(double found, double least, double most)
{
    if (!(found >= least && found <= most))
        fail_msg("%.6g s, expected %.6g to %.6g s", found, least, most);
}

static inline void expect(double found, double expected)
{
    expect_between(found, expected - 1e-8, expected + 1e-8);
}

/* ---- programs by chance ---- */

enum { PROGRAMS = 60, MESSAGES_MOST = 30 };

static inline int chance(uint32_t program, uint32_t *drawn, int n)
{
    return (int)(random_word(program, 7, 1, (*drawn)++, STREAM_SERIAL) % (uint32_t)n);
}

static inline double wire_time(int bytes)
{
    const int all = bytes + 20, frames = (all + 1447) / 1448;
    return 1e-6 * (all + 66 * frames);
}

#endif
