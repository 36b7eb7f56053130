/* breaks.h - structural breaks of a straight line: where a series of times by message size changes its line.
 *
 * J. Bai, P. Perron, Computation and analysis of multiple structural change models, Journal of Applied Econometrics
 * 18(1), 2003: for each number of breaks m the partition of the series into m + 1 segments, each with its own line of
 * least squares, with the least sum of squared residuals RSS(m), by dynamic programming; and of all m the one with the
 * least
 *     BIC(m) = n (ln RSS(m) + 1 - ln n + ln 2 pi) + 3 (m + 1) ln n
 * as R's strucchange 1.5 has them (A. Zeileis et al., Journal of Statistical Software 7(2), 2002), ties and the order
 * of additions included, so that results agree with it.
 *
 * Single large values - escalations - hide breaks: they are to be taken out first (levels.h). Without any noise
 * residuals are those of rounding, and breaks are arbitrary. A bend without a leap may be found one size too early or
 * late. */
#ifndef PEVPM_ESTIMATE_BREAKS_H
#define PEVPM_ESTIMATE_BREAKS_H

#include <stddef.h>

/* One number of breaks. */
struct breaks {
    size_t m;
    size_t *last;  /* [m], ascending: the index of the last point before each break */
    double rss, bic;
};

struct breaks_found {
    size_t n;            /* 0 .. n - 1 breaks were tried */
    struct breaks *by_m; /* [n] */
    size_t chosen;       /* the m of the least BIC, the smaller one of equals */
};

/* The series x [n] (strictly ascending), y [n], in segments of at least `least` points, with at most `most` breaks (as
 * far as n / least allows). 3 <= least <= n / 2. Ends with breaks_free. */
void breaks_find(size_t n, const double x[], const double y[], size_t least, size_t most, struct breaks_found *found);
void breaks_free(struct breaks_found *found);

/* strucchange's default h: segments of at least 15 % of the points, but 3. */
size_t breaks_least(size_t n);

#endif
