/* block.h - campaigns go on in blocks: the clocks are synchronised and the file is written at the end of each. */
#ifndef PEVPM_BENCH_CAMPAIGN_BLOCK_H
#define PEVPM_BENCH_CAMPAIGN_BLOCK_H

#include "bench/state.h"

/* Settles what was found before the first block, and learns what the end of one takes. */
void block_first(struct campaign *c);
/* Whether it has lasted long enough: less long at first, so that a run that is killed early leaves a file too. */
bool block_is_over(const struct campaign *c);
/* What is left for tasks, s: without the ends of the blocks that still come. */
double block_time_left(const struct campaign *c);
/* Settles, and writes the file. STATUS_IO. */
enum status block_end(struct campaign *c);

#endif
