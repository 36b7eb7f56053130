/* report.h - predictions as text for people, csv for tables, json for programs.
 *
 * csv and json carry the same columns (REPORT_COLUMNS; `measured_s` and `error` where measured; `deadlocks`). Numbers
 * are written so that reading them gives the same bits; one that does not exist is an empty field in csv and null in
 * json. Rows are written as they come and nothing is held back, so the caller may flush after each. Write errors stay
 * in the stream (ferror). */
#ifndef PEVPM_REPORT_REPORT_H
#define PEVPM_REPORT_REPORT_H

#include "report/measurements.h"
#include "sim/predict.h"

#include <stdbool.h>
#include <stdio.h>

/* Column, kind, and its value in terms of `const struct prediction *p`. The names and their order are fixed for
 * scripts. */
#define REPORT_COLUMNS(TEXT, INTEGER, REAL) \
    TEXT(program, p->program)               \
    TEXT(machine, p->machine)               \
    TEXT(model, p->model)                   \
    TEXT(mode, p->mode)                     \
    INTEGER(numprocs, p->at.numprocs)       \
    INTEGER(nodes, p->at.nodes)             \
    INTEGER(ppn, p->at.ppn)                 \
    TEXT(params, p->params)                 \
    INTEGER(replications, p->time.n)        \
    REAL(mean_s, p->time.mean)              \
    REAL(ci95_s, p->time.ci95)              \
    REAL(sd_s, p->time.sd)                  \
    REAL(min_s, p->time.min)                \
    REAL(p5_s, p->time.p5)                  \
    REAL(median_s, p->time.median)          \
    REAL(p95_s, p->time.p95)                \
    REAL(max_s, p->time.max)                \
    REAL(baseline_s, p->baseline)           \
    REAL(speedup, p->speedup)               \
    REAL(speedup_p5, p->speedup_p5)         \
    REAL(speedup_p95, p->speedup_p95)       \
    REAL(efficiency, p->efficiency)         \
    INTEGER(messages, p->messages)

/* X(name): --format */
#define REPORT_FORMAT_LIST(X) X(text) X(csv) X(json)
enum report_format {
#define X(name) REPORT_##name,
    REPORT_FORMAT_LIST(X)
#undef X
};

/* What is being written. request, measured: borrowed. */
struct report {
    enum report_format format;
    FILE *out;
    const struct predict_request *request;
    const char *machine_path;
    const struct measurements
        *measured;    /* NULL: none; else two more columns: measured_s and error = (predicted - measured) / measured */
    const char *plot; /* the picture that was drawn; NULL: none */
    const char *trace; /* what was traced, and where to; NULL: nothing */
    const char *profiles; /* json: objects with commas between; NULL: none were asked for */
    bool verbose;     /* text: also rare counts */
    size_t n_rows;    /* so far */
};

void report_begin(struct report *report);
void report_row(struct report *report, const struct prediction *row);
/* Ends the table: notes, and in text how much faster than the real runs the simulation was. An incomplete result is
 * marked so. */
void report_end(struct report *report, const struct predict_result *result);

/* The measured time on so many processes and how far off a prediction is, relative; NaN where there is none. */
double report_measured(const struct report *report, const struct prediction *row, double *error);

/* The shortest decimal text that reads back as the same bits; "" for NaN. */
#define REPORT_NUMBER_BYTES 32
char *report_number(double value, char text[REPORT_NUMBER_BYTES]);

/* A text as a field of csv, quoted where it has to be; and as a json string with its quotes, always valid UTF-8. */
void report_csv_text(FILE *out, const char *text);
void report_json_text(FILE *out, const char *text);

/* One format: a line in report.c's table. */
#define X(name)                                                                   \
    void report_##name##_begin(struct report *report);                            \
    void report_##name##_row(struct report *report, const struct prediction *p);  \
    void report_##name##_end(struct report *report, const struct predict_result *result);
REPORT_FORMAT_LIST(X)
#undef X

#endif
