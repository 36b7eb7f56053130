/* closed_forms.h - for tests of collectives: the costs of one message that make every term count, and what closed forms
 * of algorithms are written in. Times in s. */
#ifndef PEVPM_ENGINE_TESTS_CLOSED_FORMS_H
#define PEVPM_ENGINE_TESTS_CLOSED_FORMS_H

#include <stdbool.h>
#include <stdint.h>

/* T(M) = 3 + M / 4, a reduction 1 / 16 a byte; and the same in a machine file. */
#define ALPHA 3.0
#define BETA  0.25
#define GAMMA 0.0625
#define REDUCTION "reduction: {gamma: \"0.0625 s\"}\n"
#define HOCKNEY   "hockney: {alpha: \"3 s\", beta: \"0.25 s\"}"

static inline double T(double bytes)
{
    return ALPHA + BETA * bytes;
}

/* Rounds of doubling: the smallest L with 2^L >= n. */
static inline int L(int32_t n)
{
    int steps = 0;
    while (1 << steps < n)
        steps++;
    return steps;
}

static inline bool power_of_two(int32_t n)
{
    return (n & (n - 1)) == 0;
}

#endif
