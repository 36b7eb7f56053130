/* gaps.h - what is known of the ports of the class that is being measured. */
#ifndef PEVPM_BENCH_GAPS_H
#define PEVPM_BENCH_GAPS_H

#include "bench/state.h"

/* How long a message keeps a port busy, as far as messages alone tell: the time per byte of the largest sizes. */
double campaign_gap_guess(const struct campaign *c, int64_t bytes);
/* The port of the class that is being measured at a size. */
struct port_point *campaign_port(struct campaign *c, int64_t bytes);
/* The port of a class as the result has it; NULL: nothing of it is known. */
const struct port_point *campaign_port_find(const struct campaign *c, size_t class, int64_t bytes);
/* All gaps of that class as the notes have them, in place of those that were there; and the class's credit from them. */
void campaign_gaps_take(struct campaign *c);
void campaign_credit_fit(struct campaign *c);

#endif
