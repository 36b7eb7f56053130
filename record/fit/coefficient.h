/* coefficient.h - a term of a formula of times: a coefficient, and what it is of, as "/numprocs".
 *
 * The language divides whole numbers as C does, so before a division the coefficient is written as a real number: 1.0/numprocs. */
#ifndef PEVPM_RECORD_FIT_COEFFICIENT_H
#define PEVPM_RECORD_FIT_COEFFICIENT_H

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The caller frees it. */
static inline char *coefficient_text(double coefficient, const char *of)
{
    char *number = alloc_format("%.6g", coefficient);
    char *text = alloc_format("%s%s%s", number, strchr(of, '/') && !strpbrk(number, ".e") ? ".0" : "", of);
    free(number);
    return text;
}

#endif
