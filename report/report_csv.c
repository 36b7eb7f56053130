#include "report/report.h"

#include <string.h>

/* RFC 4180: quoted where it has to be, quotes doubled. Lines end in \n alone, as Unix tools expect. */
void report_csv_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_real(FILE *out, double value)
{
    char text[REPORT_NUMBER_BYTES];
    fputs(report_number(value, text), out);
}

/* The columns; those of regions are known when the first row is. */
static void write_header(const struct report *report, const struct prediction *p)
{
    const char *comma = "";
#define X(name, value)                         \
    fprintf(report->out, "%s%s", comma, #name); \
    comma = ",";
    REPORT_COLUMNS(X, X, X)
#undef X
    fprintf(report->out, "%s,deadlocks", report->measured ? ",measured_s,error" : "");
    for (size_t i = 0; p && i < p->n_regions; i++) {
#define X(name) fprintf(report->out, ",region_%s_" #name "_s", p->regions[i]);
        REGION_TIME_LIST(X)
#undef X
    }
    fputc('\n', report->out);
}

void report_csv_begin(struct report *report)
{
    (void)report;
}

void report_csv_row(struct report *report, const struct prediction *p)
{
    FILE *out = report->out;
    const char *comma = "";
    if (report->n_rows == 0)
        write_header(report, p);
#define TEXT(name, value)   \
    fputs(comma, out);      \
    report_csv_text(out, value); \
    comma = ",";
#define INTEGER(name, value) fprintf(out, ",%llu", (unsigned long long)(value));
#define REAL(name, value) \
    fputc(',', out);      \
    write_real(out, value);
    REPORT_COLUMNS(TEXT, INTEGER, REAL)
#undef TEXT
#undef INTEGER
#undef REAL
    if (report->measured) {
        double error, measured = report_measured(report, p, &error);
        fputc(',', out);
        write_real(out, measured);
        fputc(',', out);
        write_real(out, error);
    }
    fprintf(out, ",%llu", (unsigned long long)p->deadlocks);
    for (size_t i = 0; i < p->n_regions * N_REGION_TIMES; i++) {
        fputc(',', out);
        write_real(out, p->region_times[i]);
    }
    fputc('\n', out);
}

void report_csv_end(struct report *report, const struct predict_result *result)
{
    (void)result;
    if (report->n_rows == 0)
        write_header(report, NULL);
}
