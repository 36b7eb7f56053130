/* number.h - whole numbers, as formulas count with them. */
#ifndef PEVPM_RECORD_NUMBER_H
#define PEVPM_RECORD_NUMBER_H

#include <stdint.h>

static inline int64_t number_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
static inline int64_t number_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The largest number that both are multiples of, both >= 0; of 0 and b it is b. */
int64_t number_divisor(int64_t a, int64_t b);

/* 2^exponent; 0 where the exponent is negative or above 40. */
int64_t number_power2(int64_t exponent);
/* floor(log2 n); -1 of n < 1 */
int64_t number_log2(int64_t n);
/* n / 2^times, n >= 0, times >= 0; what is above 40 counts as 40. */
int64_t number_halved(int64_t n, int64_t times);

#endif
