/* collective_time.h - measured times of a collective operation, from the machine file's `collectives: OP: measured:`.
 *
 * Between measured sizes and between measured numbers of processes the quantile functions are interpolated at equal
 * probability: first in bytes at each number of processes, then in processes, both linearly. Below the smallest size
 * the smallest serves, above the largest the line through the last two goes on. */
#ifndef PEVPM_MODELS_COLLECTIVE_TIME_H
#define PEVPM_MODELS_COLLECTIVE_TIME_H

#include "models/machine.h"

/* The entry of an operation, or where it has none that of its blocking form ("MPI_Ibcast", "MPI_Bcast"; the same twice
 * where it blocks). NULL: the file has neither. */
const struct machine_collective *collective_time_find(const struct machine *machine, const char *operation,
                                                      const char *blocking);

/* The time of one process (root: of the root) with `numprocs` processes and `bytes` as in the directive's `size`. False
 * where numprocs lies outside what was measured: then *mix is not written. */
bool collective_time_mix(const struct machine_collective *collective, int numprocs, int64_t bytes, bool root,
                         struct mix *mix);

/* The numbers of processes it was measured on; the sizes at the one or two that serve numprocs, which is among them. */
void collective_time_numprocs(const struct machine_collective *collective, struct measured_range *range);
void collective_time_sizes(const struct machine_collective *collective, int numprocs, struct measured_range *range);

#endif
