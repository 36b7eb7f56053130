/* statements.h - how far whole C statements go that may be timed as one block. */
#ifndef PEVPM_TIMING_C_STATEMENTS_H
#define PEVPM_TIMING_C_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>

/* C code without comments, the insides of strings, and preprocessor lines: blanks stand for them. Of a #pragma its `#`
 * is left, conditional compilation leaves STATEMENTS_CONDITION. Changes `code` [length], which comment_blank made. */
#define STATEMENTS_CONDITION '\1'
void statements_prepare(char *code, size_t length);

struct statements {
    size_t begin, end;      /* offsets: from the first statement to behind the last; begin = end: none */
    size_t stop;            /* where the scan stopped */
    const char *reason;     /* why it stopped before the block did: "`return` leaves the block"; NULL: it did not */
};

/* The statements of code [begin, end). */
struct statements statements_find(const char *code, size_t begin, size_t end);

/* Whether a statement may start at `at`, and whether that is inside braces. */
bool statements_may_start(const char *code, size_t at);
bool statements_in_braces(const char *code, size_t at);

#endif
