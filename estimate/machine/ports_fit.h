/* ports_fit.h - the gap and the credit of a port, from bursts.
 *
 * k messages of one size leave (or reach) a port that was idle before. By the rules for one message (ARCHITECTURE.md)
 * the last of them arrives, after the first send call,
 *
 *     last(k) = transit + max(0, (k - 1) gap - credit(M)),      credit(M) = max(0, credit - gap)
 *
 * whether the port serves them one after another or in slices, for the last one waits for all. So the gap is the slope
 * of the later bursts, and credit(M) is how much earlier than that slope says the first ones come. Only medians over
 * the bursts of one length are looked at and the line is the one with the least absolute deviations, so a burst that
 * lost a packet and waited 200 ms for it changes nothing as long as most did not. Pure functions; units: seconds. */
#ifndef PEVPM_ESTIMATE_PORTS_FIT_H
#define PEVPM_ESTIMATE_PORTS_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ports_burst {
    int k;       /* messages, >= 1 */
    double last; /* s */
};

struct ports_gap {
    double transit; /* median of last(1) */
    double gap;     /* s per message */
    double credit;  /* credit(M): 0 where the gap is at least the credit */
    double misfit;  /* largest deviation of a median from the line, s */
    int64_t bytes;  /* of each message; ports_fit_gap leaves it 0 */
};

/* `most`: what a message can add to a burst while no packet is lost (HUGE_VAL: not known). Lengths whose median is
 * further above that of the next shorter one than their messages can add are left out: there losses, not the port, make
 * the time, and a line through them would be a port of twice the gap that had saved up much. False when no burst has k
 * = 1 or no other length is left; *fit is left alone then. */
bool ports_fit_gap(size_t n, const struct ports_burst bursts[], double most, struct ports_gap *fit);

/* The machine file's credit from what was found at several sizes: of those below `frame` bytes where it stands out
 * there, else of all. Messages of two frames say up to a third more than the port saves up (60 Mbit/s: 283 us at 1,448
 * bytes, 212 at 1,024, of a bucket of 213), but only long ones show what a port saves up that holds several of them. It
 * stands out where credit(M) is above `noise` of the transit and a tenth of the gap. The median of credit(M) + gap(M)
 * over the longest of these messages (shorter ones say less: TCP puts several into a frame, and a burst of them is no
 * line) which the line fits about as well, for their credit, as the best of them. 0 where it stands out nowhere. */
double ports_fit_credit(size_t n, const struct ports_gap gaps[], double frame, double noise);

/* To what part of their time bursts of one length are measured: as many as are enough where none differ by more. A fifth of what a
 * frame's headers add to a gap. */
#define PORTS_ALIKE 0.005

/* Whether there are at least `enough` times and no two of them differ by more than `part` of the least. */
bool ports_alike(size_t n, const double times[], size_t enough, double part);

/* Of n values, which are sorted in place; n >= 1. */
double ports_median(size_t n, double values[]);

#endif
