/* exchange_fit.h - how often a process knows of its partner's next announcement as soon as it has the data before it.
 *
 * Two processes send each other messages above the eager limit, one exchange right behind the other. An exchange passes
 * both messages at once, in about the time of one, or one after the other, in that of two. It is the second where a
 * process knew (docs/ARCHITECTURE.md, section 4), and stays so; what counts is therefore how exchanges go on that
 * passed both at once. The first of a series comes after a rest. Pure function; units: seconds. */
#ifndef PEVPM_ESTIMATE_EXCHANGE_FIT_H
#define PEVPM_ESTIMATE_EXCHANGE_FIT_H

#include "estimate/samples.h"

#include <stddef.h>
#include <stdint.h>

struct exchange_counts {
    size_t first, first_known;  /* first exchanges that passed both at once; whose next went one after the other */
    size_t later, later_known;  /* the same of later exchanges */
};

/* n series of `each` exchanges: time [n][each], row-major. one_way: what one message alone takes; more than 1.6 times
 * that is one after the other, for both at once wait for acknowledgements and for one another's beginning. */
struct exchange_counts exchange_fit(size_t n, size_t each, const double time[], double one_way);

/* The probabilities that `handshakes` has (docs/machine-file.md): how often an exchange that passes both at once is
 * followed by one after the other, where it is a first one, and where it is a later one. Of which none did, the other
 * says: where all first exchanges are followed by one after the other no later one passes both at once. NAN: none did. */
double exchange_known_after_rest(const struct exchange_counts *counts);
double exchange_known(const struct exchange_counts *counts);

/* Behind a short exchange, which one of the two begins so much later than the other, ns. Whom a message wakes is the slower the
 * longer it has slept, up to some ms. */
enum { EXCHANGE_WAITS = 4 };
#define EXCHANGE_DELAYS ((const int64_t[EXCHANGE_WAITS]){0, 100000, 1000000, 5000000})

/* Of exchanges behind a short one, for which one of the two processes had `waited` (the median): how many are one after the other. */
struct exchange_behind_counts {
    double waited;
    size_t n, known;
};

/* ns: pairs of how long that was and what the long exchange took. one_way: as above. */
struct exchange_behind_counts exchange_behind_fit(const struct samples *ns, double one_way);

#endif
