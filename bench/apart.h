/* apart.h - sizes at which ports of a result take what its other sizes do not explain (estimate/machine/apart_fit.h).
 *
 * What was measured is in the result, how far off its bursts were in the notes of fan_out and fan_in. A size that stands apart is measured
 * a second time, which then holds, whatever it says; what stands apart still is said in the provenance. */
#ifndef PEVPM_BENCH_APART_H
#define PEVPM_BENCH_APART_H

#include "results/result.h"

/* What a note of fan_out or fan_in ends with. */
#define APART_TWICE "; measured twice"

/* "fan_out", or "fan_in" of PORT_IN; of classes above 0 with their number. */
#define APART_HEADING_BYTES 40
const char *apart_heading(size_t class, enum port_gap side, char text[APART_HEADING_BYTES]);

/* Notes that it has been measured twice where nothing counted the second time: what is noted of the first one stays. */
void apart_twice(struct result *result, size_t class, enum port_gap side, int64_t bytes);
/* Whether the port of a class, out or in, stands apart at a size where it was measured once. */
bool apart_asks(const struct result *result, size_t class, int64_t bytes);
/* Gaps of messages of less than a frame as their bursts had them, of all classes: those that long ones have raised (results/headers.h),
 * before these were measured again. */
void apart_short_gaps(struct result *result);
/* Notes all that do, under NOTE_APART; returns how many. */
size_t apart_note(struct result *result);

#endif
