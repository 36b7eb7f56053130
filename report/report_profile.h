/* report_profile.h - a profile as text for people, csv for tables, json for programs.
 *
 * "Lost" is all that is not computation. Shares are of the processes' time: run time times processes, so a share of a
 * directive is also the share of the run time that a process spends there on average. */
#ifndef PEVPM_REPORT_REPORT_PROFILE_H
#define PEVPM_REPORT_REPORT_PROFILE_H

#include "directives/program.h"
#include "directives/source.h"
#include "report/profile.h"
#include "report/races.h"
#include "sim/predict.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What was found for one row. Everything is borrowed. */
struct profile_report {
    const struct prediction *row;
    const struct program *program;
    const struct source *source;
    const struct profile *profile;
    const struct races *races;   /* NULL or without sites: no wildcard took a message */
    bool verbose;                /* text: all directives, all processes, all senders */
    bool margin;                 /* text: also the source with the times in its margin */
};

/* Text: directives by what they lose, losses over processes, races, the source, and what to look at first. */
void report_profile_text(FILE *out, const struct profile_report *report);

/* csv: a row for each directive and for each process, times in seconds per process. */
void report_profile_csv_begin(FILE *out);
void report_profile_csv(FILE *out, const struct profile_report *report);

/* json: one object, indented by four. */
void report_profile_json(FILE *out, const struct profile_report *report);

/* The source with share, time per process and chief loss left of each line that has a directive where time went. Long
 * stretches without are left out. Part of the text. */
void report_margin(FILE *out, const struct profile_report *report);

/* Which sender each wildcard took, and what that did to the run time. Part of the text. */
void report_races(FILE *out, const struct profile_report *report);

/* Sites where time went, by what they lose, then by time.
 *   order [profile->n_sites + 1] out; returns how many */
int32_t report_profile_order(const struct profile *profile, int32_t order[]);

/* "jacobi.c:31 MPI_Recv"; of the site that stands for none: "after the end". Allocated. */
char *report_site_text(const struct program *program, const struct profile *profile, int32_t site);

/* "12.3 %"; "" for 0, "<0.1 %" where that is all. */
#define REPORT_SHARE_BYTES 16
char *report_share(double share, char text[REPORT_SHARE_BYTES]);

#endif
