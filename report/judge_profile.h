/* judge_profile.h - where a prediction goes wrong: the time in each directive, predicted and measured, as a table. */
#ifndef PEVPM_REPORT_JUDGE_PROFILE_H
#define PEVPM_REPORT_JUDGE_PROFILE_H

#include "sim/judge.h"

#include <stdio.h>

/* Predicts `run`, which has a profile, with request->plan.exact replications, and writes its directives by how far
 * apart the times are; where it is known what the run's computations drew, the prediction's draw that. Times are means over
 * processes and replications; `of the run`: the difference over the measured run time. Directives that were measured and that
 * the program does not have are a warning: it has changed. STATUS_SCHEMA: a directive has more rows than the program has it,
 * as where a profile was added twice. What a reader of the prediction should know is added to `notes`, of run number
 * `run` - request->runs. Write errors stay in the stream; else statuses of predict_run and replay_profile. On rank 0 alone
 * something is written, but all ranks call it. */
enum status judge_profile(const struct judge_request *request, const struct judge_run *run, bool csv, FILE *out,
                          struct note_list *notes, struct diags *diags);

/* What stands above the lines of all runs as csv: program,params,numprocs,nodes,ppn,draws,file,line,directive,run_time_s,
 * predicted_run_time_s,measured_s,predicted_s. draws: as in judge_csv.h; line empty: after the end. */
void judge_profile_header(FILE *out);

#endif
