/* outdir.h - a folder that is written whole or not at all.
 *
 * The files go to a folder with a temporary name beside the wanted one; outdir_commit gives it that name. An earlier
 * folder of that name is replaced only when it is empty or holds the file `marker`, which says that it is of the same
 * kind: nobody's other files are deleted. */
#ifndef PEVPM_COMMON_OUTDIR_H
#define PEVPM_COMMON_OUTDIR_H

#include "common/diag.h"
#include "common/status.h"

struct outdir {
    char *path, *temporary; /* write into temporary */
};

/* Makes the temporary folder. STATUS_IO: it cannot be made, or `path` (copied) is a file, or a folder that will not be
 * replaced. marker: a file name, "traces.otf2". */
enum status outdir_open(struct outdir *dir, const char *path, const char *marker, struct diags *diags);

/* Makes the folder appear under its name. STATUS_IO: it could not; an earlier one is as it was, the temporary is gone.
 * The struct is finished either way. */
enum status outdir_commit(struct outdir *dir, struct diags *diags);

/* Removes the temporary with all that is in it. Legal on a zeroed or finished struct. */
void outdir_abandon(struct outdir *dir);

#endif
