/* place.h - where in the sources a recorded call stands: the functions of the program around it, each with the line in it, as the
 * frames of its call path say. Where a compiler has left no frame of a function, or the line of another one, the sources do. */
#ifndef PEVPM_ANNOTATE_PLACE_H
#define PEVPM_ANNOTATE_PLACE_H

#include "annotate/plan.h"

#include <stdbool.h>

enum { PLACES_MOST = 100 };    /* functions around one call */

struct place_found {
    int file, function, line;  /* outline's function */
    int behind;                /* where the line is not known: one that the call stands behind, 0 */
    const char *name;
};

/* The functions of the program that the call of a site stands in, the outermost first. Returns how many there are; 0: none, or too
 * many. */
int places_find(const struct plan *plan, int site, struct place_found places[PLACES_MOST]);

/* The file of the program that debugging information calls so. -1: none. */
int place_file(const struct plan *plan, const char *path);

/* Is a function called so? Of a template, debugging information says the arguments too. */
bool place_is_called(const char *function, const char *name);

/* Where a function first calls another, in a line from `from` on; 0: nowhere by its name. */
int place_line_of_call(const struct outline *outline, int function, const char *name, int from);

#endif
