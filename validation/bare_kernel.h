/* bare_kernel.h - the least that a sampled message can cost, to compare the simulator with: a random number, a look-up
 * in a table of 1024 steps, an addition and a maximum, in 32 lanes, with one Philox block for four messages. No
 * program, no matching, no contention level: nothing that the simulator is for. */
#ifndef PEVPM_VALIDATION_BARE_KERNEL_H
#define PEVPM_VALIDATION_BARE_KERNEL_H

#include <stdint.h>

/* Samples 32 * steps messages; returns the sum of the lanes' clocks, so that nothing can be left out. */
double bare_kernel(uint64_t steps);

#endif
