/* diag.h - diagnostics as a compiler gives them.
 *
 *     jacobi.c:12:27: error: unknown key `siez`, did you mean `size`?
 *       12 | // PEVPM Message type = MPI_Send & siez = 4
 *          |                                   ^~~~
 *
 * Functions that read the user's input add to a `struct diags`; only a main prints it. Errors, warnings and
 * notes keep the order in which they were added. */
#ifndef PEVPM_COMMON_DIAG_H
#define PEVPM_COMMON_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A place in a text the user wrote. file, text: borrowed from the source or file that was read, which must
 * outlive the place. line, column: from 1; column counts bytes; 0 = none (then only `file:` is printed, or
 * nothing where file is NULL too). text: the whole line, not terminated, text_length bytes; NULL = not quoted.
 * width: bytes to underline from column on, at least 1. */
struct place {
    const char *file;
    int line, column, width;
    const char *text;
    size_t text_length;
};

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

/* Append with diag_error and its kin only. n_errors counts also those dropped over the cap. */
struct diags {
    struct diag *list;
    size_t n, capacity;
    size_t n_errors, n_warnings, n_dropped;
};
#define DIAGS_EMPTY {NULL, 0, 0, 0, 0, 0}

/* Adds one diagnostic; the quoted line is copied, so the place may die afterwards. At most 200 are kept
 * (the rest are counted and the count is printed last). An exact repetition (same place and text) is dropped. */
void diag_error(struct diags *diags, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct diags *diags, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note(struct diags *diags, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A place that is only a file (or, with NULL, no place at all), for errors that have no line. */
struct place place_of_file(const char *file);

/* What diagnostic i < diags->n says, without its place; until diags_free. */
const char *diag_message(const struct diags *diags, size_t i);
enum severity diag_severity(const struct diags *diags, size_t i);
/* The line of its place; 0: it has none. */
int diag_line(const struct diags *diags, size_t i);

/* Prints them all, quoted lines shortened around the caret to 120 columns, control bytes shown as `?`. Each is written at once. */
void diags_print(const struct diags *diags, FILE *out);

/* The same for work that says what it has to say bit by bit, but that a note without a line, which is of the whole, is not printed
 * again: `told` has those that were, and takes those that are now. */
void diags_print_once(const struct diags *diags, struct diags *told, FILE *out);

/* Forgets all. */
void diags_free(struct diags *diags);

#endif
