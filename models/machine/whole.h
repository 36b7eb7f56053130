/* whole.h - whether a machine file is whole, or was cut off, as by a copy to a full disk: what is left of one is often good YAML.
 *
 * A file that a program writes anew begins with a comment which says that another one ends it. Other files need neither; of those
 * the last line tells, where nothing ends it. */
#ifndef PEVPM_MODELS_MACHINE_WHOLE_H
#define PEVPM_MODELS_MACHINE_WHOLE_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* Where MACHINE_LAST_LINE begins that a text ends with; its length where it ends otherwise. */
size_t whole_end(const char *text, size_t length);
/* Whether a text begins with MACHINE_FIRST_LINE and has no MACHINE_LAST_LINE: then an error says so. */
bool whole_is_cut(const char *name, const char *text, size_t length, struct diags *diags);
/* Whether the last diagnostic is an error on the last line. */
bool whole_error_is_last(const char *text, size_t length, const struct diags *diags);
/* Warns if nothing ends the last line: of a text that a program has written, or whose last line is wrong. */
void whole_doubt(const char *name, const char *text, size_t length, struct diags *diags);

#endif
