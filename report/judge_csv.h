/* judge_csv.h - predictions held against measured runs, as csv. */
#ifndef PEVPM_REPORT_JUDGE_CSV_H
#define PEVPM_REPORT_JUDGE_CSV_H

#include "sim/judge.h"

#include <stdio.h>

/* A line for each run, medians and intervals in seconds:
 *     program,params,numprocs,nodes,ppn,launches,draws,measured_s,predicted_s,error,error_of_communication,
 *     p5_s,p95_s,inside,p5_then_s,p95_then_s,inside_then
 * draws: `theirs` where computations drew what the launches did, `own`, or `none` where nothing is drawn. error as in
 * judge_report.h, as a part of one; empty where communication takes no time. `then`: with the model error. Write errors stay in
 * the stream. */
void judge_csv_write(FILE *out, const struct judge_request *request, const struct judge_result *result);

#endif
