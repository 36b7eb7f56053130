/* language.h - what instrument.c asks of a program's language: where whole statements may be timed, whether an argument
 * means the same in the program, and what is written. The door of the shelves c/ and fortran/. */
#ifndef PEVPM_TIMING_LANGUAGE_H
#define PEVPM_TIMING_LANGUAGE_H

#include "host/text.h"
#include "timing/measured.h"

#include <stdio.h>

/* The code behind a directive that is timed. Offsets into the source. */
struct timed_block {
    size_t begin, end;     /* from the first statement to behind the last; begin = end: none */
    size_t stop;           /* where the scan stopped */
    const char *reason;    /* why it stopped before the block did: "`return` leaves the block"; NULL: it did not */
    const char *refused;   /* why no timing call may stand at `begin`; NULL: one may */
    bool refused_there;    /* and `begin` is the place to show; else the directive is */
};

/* A copy of the source as it is being written. */
struct timed_copy {
    const struct source *source;
    FILE *out;
    size_t written;        /* bytes of the source that are in `out` */
};

/* Copies the source up to an offset; a lesser one than before copies nothing. */
void timed_copy_up_to(struct timed_copy *copy, size_t at);

/* The blanks that the line of `at` starts with. */
void timed_copy_indent(struct timed_copy *copy, size_t at);

struct instrument_language {
    /* What is known of a source, for the functions below. program: the list of files that it is one of. Borrowed. */
    void *(*open)(const struct source *program, const struct host_text *host);
    void (*close)(void *code);
    /* Whether code, and not comments and white space alone, stands in [begin, end). */
    bool (*has_code)(const void *code, size_t begin, size_t end);
    /* The statements of [begin, end), from the first on. */
    struct timed_block (*find)(void *code, size_t begin, size_t end);
    /* Why EXPR, as the directive has it, is no expression of the language at `at`, or another one: "is not declared
     * here", of the token *refused. NULL: it means the same. */
    const char *(*argument_problem)(void *code, const struct measured *measured, size_t at,
                                    struct token *refused);
    /* The offset in which a file itself times a block of that name; SIZE_MAX: none. */
    size_t (*timed_by_hand)(const struct host_text *host, const char *name, size_t length);
    /* Writes the source up to `block`, which is behind all blocks before it, and the block with its timing calls. */
    void (*write)(void *code, struct timed_copy *copy, const struct measured *measured,
                  const struct timed_block *block);
};

extern const struct instrument_language language_c, language_fortran;

#endif
