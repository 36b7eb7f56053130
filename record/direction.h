/* direction.h - neighbours of a grid that a loop goes through in a fixed order.
 *
 * Codes visit the neighbours of a process one after the other, and leave out those that it has not:
 *
 *     for direction: if (neighbour[direction] exists) MPI_Send(to neighbour[direction])
 *
 * From its call path this is one call, and its n-th trip is another direction in each process. Which, the places of the
 * two processes in the grid tell: a direction is -1, 0 or 1 along each axis. So the calls of each direction have a site
 * of their own (site.h), and the loop is written out, each direction with its condition and its partner. Nothing of the
 * kind holds for a ring, where nobody is left out. */
#ifndef PEVPM_RECORD_DIRECTION_H
#define PEVPM_RECORD_DIRECTION_H

#include "record/grid.h"
#include "record/recording.h"

enum { DIRECTION_NONE = -1, DIRECTIONS = 27 };

struct direction_grid {
    enum grid grid;
    bool last_first;            /* as grid_place */
};

/* The direction from one process to another; DIRECTION_NONE: they are no neighbours. */
int direction_of(const struct direction_grid *in, int from, int to, int processes);
/* Its step along an axis of up to GRID_DIMENSIONS: -1, 0 or 1. */
int direction_step(int direction, int axis);
/* Has the process a neighbour there? */
bool direction_exists(const struct direction_grid *in, int direction, int process, int processes);
/* Does the first come first, where a program goes through neighbours in the order of their numbers? */
bool direction_before(const struct direction_grid *in, int a, int b);
/* The condition that the neighbour exists, and its number, as expressions over these two. The caller frees them. */
char *direction_exists_text(const struct direction_grid *in, int direction, const char *process, const char *processes);
char *direction_partner_text(const struct direction_grid *in, int direction, const char *process,
                             const char *processes);

/* The direction of each call of each process. */
struct directions {
    size_t n;
    signed char **of;           /* [n: processes of all recordings, in their order][n_calls] */
};
/* Calls have one where all partners of their site, in MPI_COMM_WORLD or what has its ranks, are neighbours, and where
 * those of some process are several; so have MPI_Wait and MPI_Test for a request of such a call. True: there are some,
 * and processes of a recording differ in theirs. Ends with directions_free, whatever was returned. */
bool directions_find(struct directions *directions, const struct direction_grid *in, size_t n,
                     const struct recording recordings[]);
void directions_free(struct directions *directions);

#endif
