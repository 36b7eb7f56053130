#include "record/fit/binomial.h"

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t binomial_low(int64_t n, int64_t most)
{
    int64_t bit = 1;
    for (; n % 2 == 0 && bit <= most / 2; n /= 2)
        bit *= 2;
    return bit;
}

int64_t binomial_reach(int64_t p, int64_t P)
{
    return binomial_low(p, 2 * (P - p) - 1);
}

int64_t binomial_below(int64_t p, int64_t P)
{
    return least_of(binomial_low(p, 2 * P - 1), P - p);
}

int64_t binomial_below_next(int64_t p, int64_t P, int64_t k)
{
    return least_of(k, P - p - k);
}

int64_t binomial_step(int64_t p)
{
    int64_t step = 1;
    while (step <= p)
        step *= 2;
    return step;
}
