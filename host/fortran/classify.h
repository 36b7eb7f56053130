/* classify.h - what a statement of Fortran is, by its words. */
#ifndef PEVPM_HOST_FORTRAN_CLASSIFY_H
#define PEVPM_HOST_FORTRAN_CLASSIFY_H

#include "host/fortran/statement.h"

/* Sets kind, `closes` and `ends` of a statement, which has its label and its first token, by its tokens up to `end`. */
void fortran_classify(const struct host_text *host, struct fortran_statement *statement, size_t end);

/* Whether tokens [first, end) are NAME { "(" ... ")" | "%" NAME } "=" ...: no first word is reserved. */
bool fortran_is_assignment(const struct host_text *host, size_t first, size_t end);

/* The kind of a directive in a comment, by its words behind `$`: "omp parallel do". */
enum fortran_kind fortran_classify_sentinel(const char *words, size_t n);

#endif
