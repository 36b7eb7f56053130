/* outfile.h - a file that is written whole or not at all.
 *
 * The text goes to a temporary name in the same folder; outfile_commit flushes, syncs and renames it over the
 * wanted name, so a full disk, a crash or Ctrl-C leaves the earlier file as it was. The new file has the permissions of
 * the earlier one; where the name is a link, what it leads to is replaced, and the link stays. */
#ifndef PEVPM_COMMON_OUTFILE_H
#define PEVPM_COMMON_OUTFILE_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    FILE *stream; /* write here */
    char *path, *temporary;
};

/* Opens a temporary file beside `path` (copied); or standard output where path is "-", NULL or leads to the file that it
 * goes to, or `path` itself where it is a device or a pipe: then commit only flushes. A pipe is waited for until it has a reader; SIGINT and SIGTERM,
 * whether blocked or handled, end the wait: STATUS_INTERRUPTED with a diagnostic. STATUS_IO with one naming path and the
 * system's reason, also for a link that leads nowhere. */
enum status outfile_open(struct outfile *file, const char *path, struct diags *diags);

/* Whether `path` is a pipe that has a name: its reader takes each closing for the end of all. */
bool outfile_is_pipe(const char *path);

/* Whether outfile_open would fail, found before long work and not after. A pipe is not opened, because its reader would
 * hear nothing more. path NULL: nothing is to be written. STATUS_IO as outfile_open. */
enum status outfile_try(const char *path, struct diags *diags);

/* Makes the file appear under its name. STATUS_IO when any write failed: the temporary is removed, an earlier
 * file of that name untouched; STATUS_GONE as outfile_check. The struct is finished either way. */
enum status outfile_commit(struct outfile *file, struct diags *diags);

/* A whole file of this text: outfile_open to outfile_commit. */
enum status outfile_store(const char *path, const char *text, struct diags *diags);

/* Removes the temporary; nothing appears. Legal on a zeroed or finished struct. */
void outfile_abandon(struct outfile *file);

/* Has all that was written to the stream gone out by now? STATUS_GONE without a word: it is a pipe whose reader has
 * closed it (`| head -1`; SIGPIPE must be ignored). STATUS_IO with a diagnostic that names `name`. */
enum status outfile_check(FILE *stream, const char *name, struct diags *diags);

#endif
