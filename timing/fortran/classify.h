/* classify.h - what a statement of Fortran is, by its words. */
#ifndef PEVPM_TIMING_FORTRAN_CLASSIFY_H
#define PEVPM_TIMING_FORTRAN_CLASSIFY_H

#include "timing/fortran/statement.h"

/* The kind of the statement of tokens [first, end), end > first, which has no label and no construct's name any more;
 * *ends: of a loop, its label. fixed: the form. */
enum fortran_kind fortran_classify(const struct host_text *host, size_t first, size_t end, bool labelled, bool fixed,
                                   long *ends);

/* Whether tokens [first, end) are NAME { "(" ... ")" | "%" NAME } "=" ...: no first word is reserved. */
bool fortran_is_assignment(const struct host_text *host, size_t first, size_t end);

/* The kind of a directive in a comment, by its words behind `$`: "omp parallel do". */
enum fortran_kind fortran_classify_sentinel(const char *words, size_t n);

#endif
