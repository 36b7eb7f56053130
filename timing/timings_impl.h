/* timings_impl.h - what timings.c and timings_nodes.c share. */
#ifndef PEVPM_TIMING_TIMINGS_IMPL_H
#define PEVPM_TIMING_TIMINGS_IMPL_H

#include "timing/timings.h"

/* The node of a host that has a record; the block that a record's block went into. */
size_t timings_node_of(const struct timings *timings, const char *host);
struct timings_block *timings_block_of(const struct timings *timings, size_t record, size_t block);

/* Sets outcome and factors. */
void timings_compare_nodes(struct timings *timings);

#endif
