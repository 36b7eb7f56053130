/* waited.h - how far behind a port is at most while more than one process keep it full. */
#ifndef PEVPM_BENCH_WAITED_H
#define PEVPM_BENCH_WAITED_H

#include "bench/state.h"

/* How long short messages waited at most at in ports of the class that is being measured, s, while long ones
 * overflowed them: the median of several ports (overflow_wait), into *ports how many. `guess`: the buffer as far as
 * bursts tell it, s. 0: that cannot be told, for there are not two senders and one more node, hosts do not count
 * what they lose, or too few ports lost anything. Connections that lost something send with care for long after. */
double campaign_waited(struct campaign *c, double guess, size_t *ports);

#endif
