/* source.h - a file that carries directives, in memory.
 *
 * Host languages by file name, in any letter case: C and C++ (.c .h .cc .cpp .cxx .hpp .cu), Fortran free form (.f90
 * .f95 .f03 .f08) and fixed form (.f .for .ftn), # comments (.py .sh .yaml .yml), stand-alone (.pevpm). Any other name,
 * and standard input ("-"), is guessed from the leader of its first directive. The text is kept as read, NUL bytes and
 * all, so that diagnostics can quote it. Lines end with LF or CR LF.
 *
 * A program of several files is a list of sources; what a file includes hangs on it (program_files.h). */
#ifndef PEVPM_DIRECTIVES_SOURCE_H
#define PEVPM_DIRECTIVES_SOURCE_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name, what to call it) */
#define HOST_LIST(X)                         \
    X(C, "C or C++")                         \
    X(FORTRAN_FREE, "Fortran, free form")    \
    X(FORTRAN_FIXED, "Fortran, fixed form")  \
    X(PYTHON, "Python")                      \
    X(SHELL, "a shell script")               \
    X(YAML, "YAML")                          \
    X(STANDALONE, "stand-alone directives")
enum host {
#define X(name, text) HOST_##name,
    HOST_LIST(X)
#undef X
};

struct source {
    char *name;          /* as diagnostics show it */
    char *text;          /* [length + 1], NUL-terminated for safety */
    size_t length;
    enum host host;
    size_t n_lines;
    size_t *line_start;  /* [n_lines + 1] offsets into text; the first line starts behind a byte order mark */
    struct source *next; /* the next file of the program; NULL: the last one */
    struct source *included; /* headers, a list through `next`: read for the constants that they declare */
    struct place missing;    /* the first that is included by "..." and not found, but for MPI's own; file NULL: none. Borrows from this
                              * source or one of `included` */
    char *flags;         /* of its compiler, one command line; NULL: not known */
    char *facts;         /* what a compiler knows of its constants, host/facts.h; NULL: none was asked */
    char *program;       /* of the first of several files: what they are called together; NULL: as this one */
};

/* Reads a whole file ("-": standard input, shown as "<stdin>"). STATUS_IO with a diagnostic (a directory, no such file,
 * more than 1 GiB). On success the caller owns *source (source_destroy). */
enum status source_read(struct source **source, const char *path, struct diags *diags);

/* The same from memory; name and text are copied. */
struct source *source_from_text(const char *name, const char *text, size_t length);

/* All files of the list, with what they include. */
void source_destroy(struct source *source);

/* What the program is called, of which this is the first file. */
const char *source_program(const struct source *source);

/* A file's name without its folders, but for those that tell it from other files of the program; borrowed. */
const char *source_short_name(const struct source *program, const char *file);

/* The language that a file's name says. False: it says none. */
bool source_host_of_name(const char *name, enum host *host);

/* "C or C++", "Python". */
const char *host_text(enum host host);

/* The number of the line (from 0) that holds the byte at `offset`, and where that line ends: its line feed or CR LF
 * apart. */
size_t source_line(const struct source *source, size_t offset);
size_t source_line_end(const struct source *source, size_t line);

/* The place of `width` bytes at `offset`, for diagnostics; borrowed from the source. */
struct place source_place(const struct source *source, size_t offset, size_t width);

#endif
