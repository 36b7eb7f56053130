/* told.h - for tests of listeners that are told spans and messages by hand: the machine, and places in the program. */
#ifndef PEVPM_REPORT_TESTS_TOLD_H
#define PEVPM_REPORT_TESTS_TOLD_H

#include "engine/tests/play.h"

static const char machine_text[] = "pevpm_machine: 1\nname: testbed\nnodes: 4\nprocesses_per_node: 1\n"
                                   "point_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n"
                                   "    processes_per_node: 1\n    sizes:\n"
                                   "      - {bytes: 0, transit: {uniform: {low: 1 ms, high: 3 ms}}}\n";

/* The directive of a line, which has one. */
static inline int32_t site_at(const struct program *program, int line)
{
    for (int32_t i = 0; i < program->n_sites; i++)
        if (program->sites[i].at.line == line)
            return i;
    fail_msg("no directive in line %d", line);
    return -1;
}

#endif
