/* nest.h - loops within loops that no call path tells apart.
 *
 * A halo is exchanged along three axes by one call, and that in each step:
 *
 *     for step: for axis: MPI_Sendrecv(partner[axis])
 *
 * From its call path this is one loop. Its partners say more: they come again every three trips. Where processes or
 * runs differ in how many partners they have, they agree in the number of steps; so either all have the same number of
 * rounds, or all rounds are of the same length. */
#ifndef PEVPM_RECORD_NEST_H
#define PEVPM_RECORD_NEST_H

#include "record/shape.h"

/* Cuts such loops of all processes of all recordings in two. Partners, tags and communicators decide, and where these
 * are the same in all trips, sizes. shapes [n], memory: theirs. */
void nest_loops(size_t n, struct shapes shapes[], struct arena *memory);

#endif
