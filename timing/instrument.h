/* instrument.h - a C, C++ or Fortran source with timing calls around the code of its measured(NAME) directives: those
 * of pevpm_time.h in C and C++, those of pevpm_time.F90 in Fortran.
 *
 * The language does not say which code a Serial directive stands for. Here it is the whole statements between the
 * directive (the last of a row of alternatives) and the next directive of any kind, from the first on, up to
 *   - the end of the enclosing block,
 *   - a statement that is not closed before the next directive: `for (...) {` or `do` around further directives,
 *   - a statement that leaves the block (return, goto, break, continue of a loop outside; Fortran's return, exit,
 *     cycle, and jumps to labels outside of the statement) or calls MPI; a warning, where more statements follow.
 * Not timed, with a warning: code in which conditional compilation starts or ends, code that does not start with a
 * statement (the body of a loop without braces; Fortran's declarations), code outside functions; and where the argument
 * of measured(NAME, EXPR) is no expression of the program's language, or another one, at the place (c/scope.h and
 * fortran/scope.h say what its names are there). `code = ...` takes the place of EXPR as it stands. With a note: blocks
 * whose name the program times itself.
 *
 * Of Fortran, free and fixed form, also:
 *   - `use pevpm_time` goes behind the first statement of each program unit that is timed. Not timed is one whose first
 *     statement is compiled on another condition than the block.
 *   - A statement with a label ends the block, unless a loop inside ends there, since others may jump to it. Labels that
 *     are jumped to within one construct are that construct's own.
 *   - What `include` brings in, among executable statements, is not read, and ends the block.
 *   - Not timed is where no call may stand: in a pure procedure, in where, forall and do concurrent, and between an
 *     OpenMP or OpenACC directive and its loop. A directive of these belongs to the statement below it, its `end` to the
 *     one above, unless it stands alone, as a barrier does, or with its `end` is a construct of its own.
 *   - Fixed form is read with blanks between its words, but for endif, enddo, goto10, do10i and their like.
 *   - A statement function is told from an assignment to an array by the declaration of its name in a file that is read;
 *     an undeclared one counts as an assignment. */
#ifndef PEVPM_TIMING_INSTRUMENT_H
#define PEVPM_TIMING_INSTRUMENT_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/source.h"

#include <stdbool.h>

/* Whether a Serial directive of the file says measured(NAME). */
bool instrument_is_wanted(const struct source *source);

/* The timed source in *text, which the caller frees; a note for each directive says which lines are timed. program: the
 * list of files that `source` is one of: what one of them times by hand is left as it is in all, and modules of Fortran
 * are looked for in all.
 * STATUS_SYNTAX: another language, directives that cannot be read, or no measured(NAME) at all; *text is then NULL. */
enum status instrument_source(const struct source *program, const struct source *source, char **text,
                              struct diags *diags);

#endif
