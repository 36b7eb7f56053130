/* ragged.h - loops of which not every trip comes to the same calls.
 *
 *     for (distance = 1; distance < size; distance *= 2) {
 *         if (sends)         MPI_Send(..., rank + distance, ...);
 *         else if (receives) MPI_Recv(..., rank - distance, ...);
 *         MPI_Barrier(...);
 *     }
 *
 * A call path is one place of the program. Who comes there again has gone round a loop, whatever lay between; so places
 * that processes come to in turn are those of one loop, and a trip ends where the next call does not stand further down.
 * What a process left out in a trip is a hole in the series of that call (shape.h): the run of such trips has no `of`. */
#ifndef PEVPM_RECORD_RAGGED_H
#define PEVPM_RECORD_RAGGED_H

#include "record/shape.h"

/* Which of two sites stands first in the source: below 0 the first, above 0 the second. */
struct ragged_order {
    int (*compare)(const void *of, int a, int b);
    const void *of;
};

/* Of n instances, recordings [n]: which recording each is of. Loops whose trips are all alike stay as they are, and so do
 * levels of more than some hundred calls. False: nothing has changed. */
bool ragged_loops(size_t n, struct shapes shapes[], const int recordings[], int n_sites, const struct ragged_order *order,
                  struct arena *memory);

#endif
