/* include.h - the files that a source includes by "...": C's #include "x.h", Fortran's include 'x'.
 *
 * Each is looked for beside the file that includes it, then in the folders given; what is not there, and what stands in
 * <...>, is passed over, as it may be on the cluster only; the first of the former is kept in source->missing, for who misses what it
 * declares. Nothing is preprocessed: what stands behind an #if counts.
 */
#ifndef PEVPM_DIRECTIVES_FILES_INCLUDE_H
#define PEVPM_DIRECTIVES_FILES_INCLUDE_H

#include "directives/source.h"

#include <stddef.h>

enum { INCLUDED_MOST = 1000 }; /* files of one source; more are not read */

/* Hangs what the source includes, and these in turn, on source->included, each file once. */
void include_read(struct source *source, size_t n_folders, char *const folders[]);

#endif
