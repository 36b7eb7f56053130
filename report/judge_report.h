/* judge_report.h - predictions held against measured runs, as a table for people. */
#ifndef PEVPM_REPORT_JUDGE_REPORT_H
#define PEVPM_REPORT_JUDGE_REPORT_H

#include "sim/judge.h"

#include <stdio.h>

/* error = (predicted - measured) / measured, of the medians; of communication: the same difference over what
 * communication takes of the measured time. `inside`: launches between p5 and p95, without and with the model error.
 * Write errors stay in the stream. */
void judge_report_write(FILE *out, const char *machine_path, const struct judge_request *request,
                        const struct judge_result *result);

/* Notes of predictions of these runs, a line each, behind an empty one; which runs a note is of, where it is not of all n. */
void judge_report_notes(FILE *out, const struct note_list *notes, size_t n, const struct judge_run runs[]);

#endif
