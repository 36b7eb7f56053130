/* comment.h - which parts of a host language's source are comments and which are strings.
 *
 * This is as much of each language as it takes not to mistake the inside of a string for a comment: C and C++ with
 * character literals, digit separators, raw strings and spliced lines; Fortran with strings continued by `&`; Python
 * with triple quotes; shell and YAML with quotes inside one line (their `#` counts at the start of a word only). In a
 * stand-alone file each line is a comment up to a `#`. One pass, linear in the length, for any bytes. */
#ifndef PEVPM_DIRECTIVES_COMMENT_H
#define PEVPM_DIRECTIVES_COMMENT_H

#include "directives/source.h"

#include <stdbool.h>
#include <stddef.h>

enum comment_kind {
    COMMENT_LINE,     /* to the end of its line, or of the last of the lines spliced with a backslash */
    COMMENT_BLOCK,    /* C's, over any number of lines */
    COMMENT_UNCLOSED, /* one that goes on to the end of the file */
    COMMENT_PLAIN,    /* one that cannot be a directive: not in column 1 of a fixed-form source, or C's in a line of
                       * Fortran's preprocessor */
    COMMENT_STRING,   /* no comment: a string or character literal */
};

/* Offsets: [outer_begin, outer_end) with the leader and the closing mark, [begin, end) without. */
struct comment {
    enum comment_kind kind;
    size_t outer_begin, begin, end, outer_end;
};

typedef void comment_sink(void *context, const struct comment *comment);

/* Calls `sink` for each comment and string in the order of the file. */
void comment_scan(const struct source *source, comment_sink *sink, void *context);

/* A copy of the text (length + 1 bytes, NUL-terminated) with comments, and the insides of strings, replaced by blanks;
 * line ends stay. The caller frees it. */
char *comment_blank(const struct source *source);

#endif
