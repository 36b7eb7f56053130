/* apart_fit.h - whether what a port takes for long messages of one size is what it takes for those of others.
 *
 * A message of M bytes keeps a port busy for b (M + h + T floor(M / frame)), as headers_fit.h has it. So what sizes of two frames and more
 * take lies on a line over the bytes on the wire, which goes through the origin. Of such a size its neighbours' line says what it takes:
 *
 *     gap = (1 - w) gap[before] + w gap[after]      w: how far its bytes on the wire are between theirs
 *     gap = gap[other] wire / wire[other]           of the first and the last one
 *
 * How far it may be off that follows from the measurements alone: by its own misfit (ports_fit.h), by its neighbours' in the same
 * proportions, and by `alike` of both, to which the bursts of one length were measured. Which of the sizes is wrong this does not tell.
 * Pure functions; units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_APART_FIT_H
#define PEVPM_ESTIMATE_APART_FIT_H

#include "estimate/machine/headers_fit.h"

struct apart_gap {
    int64_t bytes;
    double gap, misfit; /* s */
};

struct apart {
    double gap, spread; /* s: what the neighbours say, and how far off that it may be */
};

/* Of the i-th of n gaps, ascending. False: it has less than two frames, or there is no other that has as many. */
bool apart_fit(size_t n, const struct apart_gap gaps[], size_t i, double frame, const struct headers *headers, double alike,
               struct apart *apart);

#endif
