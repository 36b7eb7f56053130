/* facts.h - what a compiler knows of the constants in a C or C++ file and its headers.
 *
 * A text of one line each, so that processes which do not see the files can be sent it; fields are separated by tabs:
 *
 *     macro     NAME  VALUE  FILE  LINE  COLUMN              at the end of the file; those of -D have no FILE
 *     constant  NAME  VALUE  FILE  LINE  COLUMN              an enumerator, a const variable that
 *                                                            all functions see
 *     variable  NAME  VALUE  FILE  LINE  COLUMN  [CHANGE  FILE  LINE  COLUMN]
 *     type      NAME  BYTES                                  "struct atom", "real_t"
 *     function  NAME  -      FILE  LINE  COLUMN              that a header declares, or a macro with arguments there
 *     global    NAME  WHAT   FILE  LINE  COLUMN              a variable that all functions see and a header declares
 *
 * VALUE: a whole number, a real with a point or an exponent, `-`: it is known only in the run. CHANGE, what is done to
 * a variable somewhere: `assigned`, `counted`, `address`, `reference`. WHAT: `number`, or `other`: a pointer, an array, a
 * structure. What system headers declare is left out. */
#ifndef PEVPM_HOST_FACTS_H
#define PEVPM_HOST_FACTS_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

enum fact_kind { FACT_NONE, FACT_MACRO, FACT_CONSTANT, FACT_VARIABLE, FACT_TYPE, FACT_FUNCTION, FACT_GLOBAL };

/* One line, taken apart; texts are borrowed from it and not terminated. */
struct fact {
    enum fact_kind kind;
    const char *name, *value, *file, *change, *change_file;
    size_t name_length, value_length, file_length, change_length, change_file_length;
    int line, column, change_line, change_column;
};

/* The facts of a file: n bytes of text, as the file has them; flags: of its compiler, one command line. headers
 * [n_headers]: names by which the caller knows files that it includes: they are called so. The caller frees the result;
 * NULL, with a warning: the file cannot be read. */
char *facts_read(const char *path, const char *text, size_t n, const char *flags, size_t n_headers,
                 const char *const headers[], struct diags *diags);

/* The next line of the text; *at begins at its start. False at its end. */
bool facts_next(const char **at, struct fact *fact);

/* Bytes of a type; 0: none of the name. text: NULL has none. */
long facts_type_bytes(const char *text, const char *type);

#endif
