#include "clock/outside.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>

bool outside_is_chance(int64_t outside, int64_t errors, int64_t independent)
{
    assert(outside >= 0 && outside <= errors && independent <= errors);
    if (errors == 0)
        return true;
    int64_t whole = outside * independent / errors;
    return whole == 0 ||
           gsl_cdf_binomial_Q((unsigned)(whole - 1), OUTSIDE_SHARE, (unsigned)independent) >= OUTSIDE_CHANCE;
}
