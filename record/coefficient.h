/* coefficient.h - numbers in formulas, where a division may follow.
 *
 * The language divides whole numbers as C does, and 5 and 1e+06 are whole: before a division a coefficient is written as a real
 * number, 5.0 or 1.0e+06. */
#ifndef PEVPM_RECORD_COEFFICIENT_H
#define PEVPM_RECORD_COEFFICIENT_H

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* x with so many digits, as a real number. The caller frees it. */
static inline char *coefficient_real(double x, int digits)
{
    char *number = alloc_format("%.*g", digits, x);
    if (strchr(number, '.'))
        return number;
    const int before = (int)strcspn(number, "e");
    char *real = alloc_format("%.*s.0%s", before, number, number + before);
    free(number);
    return real;
}

/* A term of a formula of times: a coefficient, and what it is of, as "/numprocs" or "*n". The caller frees it. */
static inline char *coefficient_text(double coefficient, const char *of)
{
    char *number = strchr(of, '/') ? coefficient_real(coefficient, 6) : alloc_format("%.6g", coefficient);
    char *text = alloc_format("%s%s", number, of);
    free(number);
    return text;
}

#endif
