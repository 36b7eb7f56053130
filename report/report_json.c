#include "report/report.h"

#include <math.h>
#include <string.h>

/* Bytes of the UTF-8 character at `s`, 0 where it is none (RFC 3629: no overlong forms, no surrogates). */
static int utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    int n = s[0] >= 0xc2 && s[0] <= 0xdf ? 2 : s[0] >= 0xe0 && s[0] <= 0xef ? 3 : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

/* A file name may hold any bytes: those that are not UTF-8 become U+FFFD, so that the output is always valid. */
void report_json_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', out);
    while (*s) {
        int n = utf8_length(s);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)n, out);
        s += n > 0 ? n : 1;
    }
    fputc('"', out);
}

static void write_real(FILE *out, double value)
{
    char text[REPORT_NUMBER_BYTES];
    fputs(isfinite(value) ? report_number(value, text) : "null", out);
}

static void write_field(FILE *out, const char *name)
{
    fprintf(out, "%s\"%s\": ", strcmp(name, "program") == 0 ? "" : ", ", name);
}

void report_json_begin(struct report *report)
{
    FILE *out = report->out;
    const struct predict_request *request = report->request;
    fprintf(out, "{\n  \"pevpm\": \"%s\",\n  \"program\": ", PEVPM_VERSION);
    report_json_text(out, request->program);
    fprintf(out, ",\n  \"machine\": ");
    report_json_text(out, request->machine->name);
    fprintf(out, ",\n  \"machine_file\": ");
    report_json_text(out, report->machine_path);
    fprintf(out, ",\n  \"model\": ");
    report_json_text(out, request->model);
    const char *sockets = request->machine->sockets < 2 ? ""
                          : predict_socket_map(request->machine, request->map) == SOCKET_MAP_block ? ":block" : ":cyclic";
    fprintf(out, ",\n  \"contention\": \"%s\",\n  \"collectives\": \"%s\",\n  \"map\": \"%s%s\",\n  \"seed\": %llu,\n  \"predictions\": [",
            contention_name(predict_contention(request)), request->optimised ? "optimised" : "native",
            request->map.cyclic ? "cyclic" : "block", sockets,
            (unsigned long long)request->seed);
}

static void write_regions(FILE *out, const struct prediction *p)
{
    fprintf(out, ", \"regions\": [");
    for (size_t i = 0; i < p->n_regions; i++) {
        fprintf(out, "%s{\"name\": ", i > 0 ? ", " : "");
        report_json_text(out, p->regions[i]);
#define X(name)                                                           \
    write_field(out, #name "_s");                                         \
    write_real(out, p->region_times[i * N_REGION_TIMES + REGION_##name]);
        REGION_TIME_LIST(X)
#undef X
        fputc('}', out);
    }
    fputc(']', out);
}

void report_json_row(struct report *report, const struct prediction *p)
{
    FILE *out = report->out;
    fprintf(out, "%s\n    {", report->n_rows > 0 ? "," : "");
#define TEXT(name, value)    \
    write_field(out, #name); \
    report_json_text(out, value);
#define INTEGER(name, value) \
    write_field(out, #name); \
    fprintf(out, "%llu", (unsigned long long)(value));
#define REAL(name, value)    \
    write_field(out, #name); \
    write_real(out, value);
    REPORT_COLUMNS(TEXT, INTEGER, REAL)
    TEXT(contention, contention_name(p->contention))
    REAL(speedup_ci95, p->speedup_ci95)
    INTEGER(unreceived, p->unreceived)
    INTEGER(deadlocks, p->deadlocks)
    if (report->measured) {
        double error, measured = report_measured(report, p, &error);
        REAL(measured_s, measured)
        REAL(error, error)
    }
#undef TEXT
#undef INTEGER
#undef REAL
    if (p->n_regions > 0)
        write_regions(out, p);
    fprintf(out, ", \"precise\": %s, \"complete\": %s}", p->precise ? "true" : "false", p->complete ? "true" : "false");
}

void report_json_end(struct report *report, const struct predict_result *result)
{
    FILE *out = report->out;
    fprintf(out, "%s],\n  \"notes\": [", report->n_rows > 0 ? "\n  " : "");
    for (size_t i = 0; i < result->n_notes; i++) {
        fprintf(out, "%s\n    ", i > 0 ? "," : "");
        report_json_text(out, result->notes[i]);
    }
    fprintf(out, "%s]", result->n_notes > 0 ? "\n  " : "");
    if (report->profiles)
        fprintf(out, ",\n  \"profiles\": [%s%s%s]", *report->profiles ? "\n" : "", report->profiles,
                *report->profiles ? "\n  " : "");
    fprintf(out, ",\n  \"complete\": %s\n}\n", result->complete ? "true" : "false");
}
