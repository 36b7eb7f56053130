/* directive.h - the directives of a source: each one a list of pieces of lines.
 *
 * A directive is a comment whose first word is PEVPM; a comment `PEVPM & ...` goes on with the directive above it.
 * Lines of a block comment after the first, and spliced lines, are further pieces. What joins the pieces is not part of
 * them: the `&` that starts a further piece, the `&` at the end of a piece before such a one (as Fortran writes it),
 * and the `*` that starts a line of a block comment. */
#ifndef PEVPM_DIRECTIVES_DIRECTIVE_H
#define PEVPM_DIRECTIVES_DIRECTIVE_H

#include "common/diag.h"
#include "directives/source.h"

#include <stddef.h>

struct piece {
    size_t begin, end;           /* offsets into the source's text, blanks at both ends apart */
    size_t line_begin, line_end;
    int line;                    /* from 1 */
};

struct directive {
    size_t first, n;             /* pieces, n >= 1 */
};

struct directives {
    size_t n, capacity;
    struct directive *list;
    size_t n_pieces, pieces_capacity;
    struct piece *pieces;
};

/* Finds them all. A continuation of nothing, an empty one, a comment that is never closed and a directive of more than
 * 1 MiB are errors, and the last is not in the list; the number of errors is returned. A comment that looks like a directive but for letter case is a
 * warning. */
size_t directives_find(struct directives *directives, const struct source *source, struct diags *diags);

void directives_free(struct directives *directives);

/* The place of `width` bytes at `offset` of a piece. */
struct place piece_place(const struct source *source, const struct piece *piece, size_t offset, size_t width);

#endif
