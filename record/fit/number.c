#include "record/fit/number.h"

int64_t number_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

enum { EXPONENT_MOST = 40 };    /* more processes there are nowhere, and sums of a few powers still fit */

int64_t number_power2(int64_t exponent)
{
    return exponent < 0 || exponent > EXPONENT_MOST ? 0 : INT64_C(1) << exponent;
}

int64_t number_log2(int64_t n)
{
    return n < 1 ? -1 : 63 - __builtin_clzll((uint64_t)n);
}

int64_t number_halved(int64_t n, int64_t times)
{
    return n / number_power2(number_least(times, EXPONENT_MOST));
}
