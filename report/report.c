#include "report/report.h"

#include "common/numerals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    void (*begin)(struct report *report);
    void (*row)(struct report *report, const struct prediction *p);
    void (*end)(struct report *report, const struct predict_result *result);
} formats[] = {
#define X(name) {report_##name##_begin, report_##name##_row, report_##name##_end},
    REPORT_FORMAT_LIST(X)
#undef X
};

void report_begin(struct report *report)
{
    report->n_rows = 0;
    formats[report->format].begin(report);
}

void report_row(struct report *report, const struct prediction *row)
{
    formats[report->format].row(report, row);
    report->n_rows++;
}

void report_end(struct report *report, const struct predict_result *result)
{
    formats[report->format].end(report, result);
}

double report_measured(const struct report *report, const struct prediction *row, double *error)
{
    double measured = report->measured ? measurements_find(report->measured, &row->at) : NAN;
    *error = (row->time.mean - measured) / measured;
    return measured;
}

char *report_number(double value, char text[REPORT_NUMBER_BYTES])
{
    char number[REPORT_NUMBER_BYTES] = "";
    const struct numerals before = numerals_plain();
    for (int digits = 15; digits <= 17 && isfinite(value); digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (numerals_read(number, NULL) == value)
            break;
    }
    numerals_restore(before);
    return memcpy(text, number, sizeof number);
}
