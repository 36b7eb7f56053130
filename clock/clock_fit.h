/* clock_fit.h - from the stamps of a conversation of two processes, the difference of their clocks, and its bound.
 *
 * A message cannot arrive before it was sent. So each one that this process sent at `sent` and that the other received
 * at `remote` says: other's clock - mine <= remote - sent at that time; each reply that left at `remote` and arrived
 * here at `received` says: >= remote - received. All lines (the two clocks differ by an offset and a drift) that obey
 * every one of these lie between the upper hull of the lower limits and the lower hull of the upper limits; the
 * interval between the two hulls is rigorous: nothing is assumed about the symmetry of the way, and slow messages do
 * no harm. The estimate is its middle, taken where it is narrowest. Source: the convex-hull method of one-way delay
 * measurements (Zhang, Liu, Xia, INFOCOM 2002), here from both sides. */
#ifndef PEVPM_CLOCK_CLOCK_FIT_H
#define PEVPM_CLOCK_CLOCK_FIT_H

#include <stddef.h>
#include <stdint.h>

/* One round trip: my clock, the other's, mine. Ascending in all three, from one to the next. */
struct clock_trip {
    int64_t sent, remote, received;
};

/* At my time `local` the other's clock shows `remote` +- `half` ns. slack: how much longer than the quickest round
 * trip the tenth quickest took (the slowest where there are fewer): near 0 when both ways were often as quick as they
 * can be. */
struct clock_match {
    int64_t local, remote, half, slack;
};

/* n >= 1 (asserted). One clock runs as evenly as the other during the conversation, at another rate. Limits that
 * contradict each other (a clock that stepped) give their middle, and half their distance. */
struct clock_match clock_fit(size_t n, const struct clock_trip trips[]);

#endif
