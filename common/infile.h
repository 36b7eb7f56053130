/* infile.h - why a file of the user's cannot be opened. */
#ifndef PEVPM_COMMON_INFILE_H
#define PEVPM_COMMON_INFILE_H

#include "common/diag.h"
#include "common/status.h"

/* Adds the error that `path` cannot be opened for reading, with the system's `reason` (an errno); returns STATUS_IO.
 * Where the last part of the path does not exist, or the first of its folders that does not, and beside it there is
 * something of a similar name (suggest.h), the error names that: did you mean `examples/jacobi`? An empty path is ''. */
enum status infile_refuse(const char *path, int reason, struct diags *diags);

#endif
