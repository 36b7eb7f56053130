/* compare_report.h - comparisons as text for people, csv for tables, json for programs; report.h does predictions. */
#ifndef PEVPM_REPORT_COMPARE_REPORT_H
#define PEVPM_REPORT_COMPARE_REPORT_H

#include "report/report.h"
#include "sim/compare.h"

#include <stdio.h>

/* Column and its value in terms of `const struct prediction *a, *b` and `const struct comparison *c`. The names and
 * their order are fixed for scripts. */
#define COMPARE_COLUMNS(TEXT, INTEGER, REAL)     \
    TEXT(program_a, a->program)                  \
    TEXT(program_b, b->program)                  \
    TEXT(machine_a, a->machine)                  \
    TEXT(machine_b, b->machine)                  \
    TEXT(model_a, a->model)                      \
    TEXT(model_b, b->model)                      \
    TEXT(mode_a, a->mode)                        \
    TEXT(mode_b, b->mode)                        \
    INTEGER(numprocs_a, a->at.numprocs)          \
    INTEGER(nodes_a, a->at.nodes)                \
    INTEGER(ppn_a, a->at.ppn)                    \
    INTEGER(numprocs_b, b->at.numprocs)          \
    INTEGER(nodes_b, b->at.nodes)                \
    INTEGER(ppn_b, b->at.ppn)                    \
    TEXT(params_a, a->params)                    \
    TEXT(params_b, b->params)                    \
    INTEGER(replications, c->n)                  \
    REAL(mean_a_s, a->time.mean)                 \
    REAL(mean_b_s, b->time.mean)                 \
    REAL(difference_s, c->difference)            \
    REAL(difference_ci95_s, c->difference_ci95)  \
    REAL(ratio, c->ratio)                        \
    REAL(ratio_ci95, c->ratio_ci95)              \
    REAL(b_faster, c->faster)                    \
    REAL(b_faster_any, c->faster_any)

/* What is being written; all borrowed. */
struct compare_report {
    enum report_format format;
    FILE *out;
    const struct compare_request *request;
    const char *machine_path[2];
    size_t n_rows;               /* so far */
};

/* Write errors stay in the stream. An incomplete result is marked so. */
void compare_report_begin(struct compare_report *report);
void compare_report_row(struct compare_report *report, const struct comparison *row);
void compare_report_end(struct compare_report *report, const struct compare_result *result);

#endif
