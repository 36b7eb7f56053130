/* region.h - the times of a program's Regions in one replication, as timers of its own would show them.
 *
 * The clock of a region starts for a process when it enters the region, and stops when it leaves; within itself (a
 * procedure that calls itself) the region is entered once. A process that ends inside of one, or never comes there, has
 * the time that its clock has shown by then. All engines add up the same differences of clocks in the same order. */
#ifndef PEVPM_ENGINE_REGION_H
#define PEVPM_ENGINE_REGION_H

#include "directives/program.h"

#include <stddef.h>
#include <stdint.h>

/* X(name): what is told of a region, over all processes. */
#define REGION_TIME_LIST(X) X(max) X(mean)
enum region_time {
#define X(name) REGION_##name,
    REGION_TIME_LIST(X)
#undef X
    N_REGION_TIMES
};

/* What an instruction ENTER (1) or LEAVE (-1) makes of how often the process is inside: whether the clock starts or
 * stops by it. */
static inline int region_turn(int32_t *inside, const struct instr *instr)
{
    const int32_t before = *inside;
    *inside += instr->op == INSTR_ENTER ? 1 : -1;
    return before == 0 ? 1 : *inside == 0 ? -1 : 0;
}

/* A process's clock of a region. */
struct region_clock {
    int32_t inside;
    double since, seconds;
};

static inline void region_step(struct region_clock *region, const struct instr *instr, double now)
{
    const int turn = region_turn(&region->inside, instr);
    if (turn > 0)
        region->since = now;
    else if (turn < 0)
        region->seconds += now - region->since;
}

/* How many numbers a replication has: N_REGION_TIMES of each region. */
static inline size_t region_numbers(const struct program *program)
{
    return program->tree->n_regions * N_REGION_TIMES;
}

/* A process's time in region r is added to what is told of it: times [region_numbers], zero before the first process,
 * processes in the order of their ranks. */
static inline void region_tell(const struct program *program, size_t r, double seconds, double times[])
{
    double *told = &times[r * N_REGION_TIMES];
    told[REGION_max] = seconds > told[REGION_max] ? seconds : told[REGION_max];
    told[REGION_mean] += seconds / program->numprocs;
}

#endif
