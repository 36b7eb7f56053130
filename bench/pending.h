/* pending.h - series whose stamps wait: a stamp means something when the clocks have been synchronised behind it. */
#ifndef PEVPM_BENCH_PENDING_H
#define PEVPM_BENCH_PENDING_H

#include "bench/state.h"

/* s: a receive is called when the message has surely come; so much longer than a message it may take, see pending.c */
#define RECEIVE_SPARE 2e-3

/* Takes over a series, whose points go to `key`. Settles all where there is no room for more. */
void pending_add(struct campaign *c, const struct pending *pending);

/* Synchronises the clocks, and turns what is pending into points of the result. */
void campaign_settle(struct campaign *c);

#endif
