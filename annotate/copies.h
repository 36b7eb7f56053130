/* copies.h - annotated copies in a folder, which keep what a person changes in them.
 *
 * What was written is kept beside the copies, in FOLDER/.pevpm-annotate. Where a copy is not as it was written, what is
 * new is merged into it by diff3; where both changed the same lines, the person's stay. */
#ifndef PEVPM_ANNOTATE_COPIES_H
#define PEVPM_ANNOTATE_COPIES_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>

/* Writes FOLDER/name, with the folders that it takes. *kept: a person's changes are in it. STATUS_IO: what was not there is not
 * there now. */
enum status copy_write(const char *folder, const char *name, const char *text, bool *kept, struct diags *diags);

/* Prints how `text` differs from the file `path`, as diff -u does. label: what the changed file would be called. */
enum status copy_diff(const char *path, const char *label, const char *text, struct diags *diags);

#endif
