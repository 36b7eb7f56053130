/* apart.h - sizes at which ports of a result take what its other sizes do not explain (estimate/machine/apart_fit.h).
 *
 * What was measured is in the result, how far off its bursts were in the notes of fan_out and fan_in. A size that stands apart is measured
 * a second time, which then holds, whatever it says; what stands apart still is said in the provenance. */
#ifndef PEVPM_BENCH_APART_H
#define PEVPM_BENCH_APART_H

#include "estimate/machine/ports_fit.h"
#include "results/result.h"

/* What a note of fan_out or fan_in ends with. */
#define APART_TWICE "; measured twice"

/* What such notes stand under: result_class_heading of "fan_out", of PORT_IN "fan_in". */
const char *apart_heading(size_t class, enum port_gap side, char text[RESULT_HEADING_BYTES]);

/* Notes what bursts say of a port, to 0.1 ns, for the shortest gaps are less than a microsecond; twice: it had been measured before. */
void apart_gap_note(struct result *result, size_t class, enum port_gap side, const struct ports_gap *gap, bool twice);
/* What such a note says, or one of an older bench, to 0.1 us; its bytes stay 0. False: it is none. */
bool apart_gap_read(const char *note, struct ports_gap *gap);
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
