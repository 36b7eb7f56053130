#include "estimate/machine/exchange_fit.h"

#include <math.h>
#include <stdbool.h>

/* Between 1 and 2, where hardly any were found: 1.0 to 1.5 at once, 1.96 to 2.04 one after the other. */
static const double AFTER_FROM = 1.6;

struct exchange_counts exchange_fit(size_t n, size_t each, const double time[], double one_way)
{
    struct exchange_counts counts = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k + 1 < each; k++) {
            const double *at = &time[i * each + k];
            const bool known = at[1] > AFTER_FROM * one_way;
            if (at[0] > AFTER_FROM * one_way)
                continue;
            *(k == 0 ? &counts.first : &counts.later) += 1;
            *(k == 0 ? &counts.first_known : &counts.later_known) += known;
        }
    return counts;
}

struct exchange_behind_counts exchange_behind_fit(const struct samples *ns, double one_way)
{
    struct exchange_behind_counts counts = {.n = ns->n / 2};
    struct samples waits;
    samples_init(&waits);
    for (size_t i = 0; i < counts.n; i++) {
        samples_add(&waits, ns->ns[2 * i]);
        counts.known += 1e-9 * (double)ns->ns[2 * i + 1] > AFTER_FROM * one_way;
    }
    samples_sort(&waits);
    counts.waited = counts.n > 0 ? 1e-9 * samples_median(&waits) : 0;
    samples_free(&waits);
    return counts;
}

/* known of n, else what is known of the others. */
static double part_of(size_t known, size_t n, size_t other_known, size_t other)
{
    if (n > 0)
        return (double)known / (double)n;
    return other > 0 ? (double)other_known / (double)other : NAN;
}

double exchange_known_after_rest(const struct exchange_counts *counts)
{
    return part_of(counts->first_known, counts->first, counts->later_known, counts->later);
}

double exchange_known(const struct exchange_counts *counts)
{
    return part_of(counts->later_known, counts->later, counts->first_known, counts->first);
}
