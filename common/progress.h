/* progress.h - a bar on standard error while predictions are being made: how far, and how long still.
 *
 * Work is weighed by the caller (one unit per process and replication, say). Every function accepts NULL: no bar. */
#ifndef PEVPM_COMMON_PROGRESS_H
#define PEVPM_COMMON_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

struct progress_bar;

/* total: expected weight of all rows together, > 0. */
struct progress_bar *progress_create(FILE *out, double total);
void progress_destroy(struct progress_bar *progress);

/* A row begins: its name on the bar, and its expected weight. The row before it is done. */
void progress_row(struct progress_bar *progress, const char *name, double weight);

/* `done` of about `expected` replications of this row are known. Draws at most ten times a second. From one thread at a
 * time. */
void progress_replications(struct progress_bar *progress, size_t done, size_t expected);

/* Takes the bar away, before other output; it comes back with the next progress_replications. */
void progress_clear(struct progress_bar *progress);

/* The bar's text: `done` in [0, 1] after `elapsed` seconds, e.g.
 *     [##########--------------------]  33 %  about 2 min 5 s left  distribution 64x2
 * At most 79 columns. */
#define PROGRESS_TEXT_BYTES 160
char *progress_format(double done, double elapsed, const char *name, char text[PROGRESS_TEXT_BYTES]);

#endif
