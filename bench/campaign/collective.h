/* collective.h - collective operations, within a budget of their own. */
#ifndef PEVPM_BENCH_CAMPAIGN_COLLECTIVE_H
#define PEVPM_BENCH_CAMPAIGN_COLLECTIVE_H

#include "bench/state.h"

/* Statuses of collective_measure and block_end. */
enum status campaign_collectives(struct campaign *c);

#endif
