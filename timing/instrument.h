/* instrument.h - a C or C++ source with PEVPM_TIME_BEGIN and _END around the code of its measured(NAME) directives.
 *
 * The language does not say which code a Serial directive stands for. Here it is the whole statements between the
 * directive (the last of a row of alternatives) and the next directive of any kind, from the first on, up to
 *   - the end of the enclosing block,
 *   - a statement that is not closed before the next directive: `for (...) {` around further directives,
 *   - a statement that leaves the block (return, goto, break, continue of a loop outside) or calls MPI; a warning,
 *     where more statements follow.
 * Not timed, with a warning: code in which conditional compilation starts or ends, code that does not start with a
 * statement (the body of a loop without braces), code outside functions; and where the argument of measured(NAME, EXPR)
 * is no C expression, or another one, at the place (scope.h says what its names are there). `code = ...` takes the
 * place of EXPR as it stands. With a note: blocks whose name the program times itself. */
#ifndef PEVPM_TIMING_INSTRUMENT_H
#define PEVPM_TIMING_INSTRUMENT_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/source.h"

#include <stdbool.h>

/* Whether a Serial directive of the file says measured(NAME). */
bool instrument_is_wanted(const struct source *source);

/* The timed source in *text, which the caller frees; a note for each directive says which lines are timed. program: the
 * list of files that `source` is one of: what one of them times by hand is left as it is in all.
 * STATUS_SYNTAX: another language, directives that cannot be read, or no measured(NAME) at all. */
enum status instrument_source(const struct source *program, const struct source *source, char **text,
                              struct diags *diags);

#endif
