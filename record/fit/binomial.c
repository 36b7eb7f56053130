#include "record/fit/binomial.h"

#include "directives/value.h"
#include "record/fit/number.h"

int64_t binomial_reach(int64_t p, int64_t P)
{
    return value_lowbit(p, 2 * (P - p) - 1);
}

int64_t binomial_below(int64_t p, int64_t P)
{
    return number_least(value_lowbit(p, 2 * P - 1), P - p);
}

int64_t binomial_below_next(int64_t p, int64_t P, int64_t k)
{
    return number_least(k, P - p - k);
}

int64_t binomial_step(int64_t p)
{
    return number_power2(number_log2(2 * p + 1));
}
