/* busy.h - how busy the machines were with other work while they were measured (measure/others.h), as notes of a result:
 * under NOTE_BUSY a line for each machine over all that was measured, and one for each part of it in which others had
 * OTHERS_MOST or more.
 *
 *     processors busy with other work:
 *       h1: 12.4 % of 2 processors over 83.1 s
 *       h1, block to 16.2 s: 51.3 % of 2 processors over 8.0 s */
#ifndef PEVPM_RESULTS_BUSY_H
#define PEVPM_RESULTS_BUSY_H

#include "measure/others.h"
#include "results/result.h"

/* Notes what others_gather has found, the last time in `part`. */
void busy_note(struct result *result, const struct others *others, const char *part);

/* What a file to go on with says of machines of these names is added to others_all. */
void busy_resume(const struct result *result, struct others *others);

/* Of each machine the line of the launch in which it was busiest; of parts none. */
void busy_merge(struct result *merged, size_t n, const struct result results[]);

/* Warns (others_say) where a line says OTHERS_MOST or more: of machines, or where there is none such, of parts. */
void busy_warn(const struct result *result, struct place place, struct diags *diags);

#endif
