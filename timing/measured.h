/* measured.h - what a Serial directive says of the code that is to be timed. */
#ifndef PEVPM_TIMING_MEASURED_H
#define PEVPM_TIMING_MEASURED_H

#include "directives/token.h"

/* measured(NAME) or measured(NAME, EXPR). */
struct measured {
    bool found;
    struct token name;
    struct lexer argument;  /* where EXPR starts */
    char *text;             /* what is given to the timer: EXPR, or what `code` says. NULL: no argument */
    bool code;
};

/* Whether directive i is a Serial. */
bool measured_is_serial(const struct source *source, const struct directives *directives, size_t i);

/* What Serial directive i says; found: false where it says no measured(NAME). Ends with measured_free. */
struct measured measured_read(const struct source *source, const struct directives *directives, size_t i);
void measured_free(struct measured *measured);

/* Goes through EXPR: the next token, and how deep in parentheses the lexer is then. *depth starts at 0. False: EXPR is
 * over. */
bool measured_argument_next(struct lexer *argument, int *depth, struct token *token);

/* Whether a token is this word, in any letter case. */
bool measured_token_is(const struct source *source, struct token token, const char *word);

/* 1e5 is an integer in a directive and a real number in programs; it divides as it is. */
bool measured_is_integer_here_alone(const struct source *source, struct token token);

#endif
