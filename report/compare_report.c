#include "report/compare_report.h"

#include "common/alloc.h"
#include "common/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

static void text_begin(struct compare_report *report)
{
    FILE *out = report->out;
    const struct replicate_plan *plan = &report->request->plan;
    for (int s = 0; s < 2; s++) {
        const struct predict_request *side = report->request->side[s];
        fprintf(out, "%c            %s on %s (%s), model %s, contention %s%s%s", "AB"[s], side->program,
                side->machine->name, report->machine_path[s], side->model, contention_name(predict_contention(side)),
                side->map.cyclic ? ", ranks dealt to nodes in turn" : "", predict_sockets_text(side->machine, side->map));
        if (side->optimised)
            fputs(", collectives by its decisions", out);
        char *factors = side->scale ? scale_text(side->scale) : NULL;
        fprintf(out, "%s%s\n", factors ? ", scale " : "", factors ? factors : "");
        free(factors);
    }
    if (plan->exact > 0)
        fprintf(out, "replications %u", plan->exact);
    else
        fprintf(out, "replications until the difference is known to +-%g %% of A (95 %%)", 100 * plan->precision);
    fprintf(out, ", seed %llu, the same random numbers in A and B\n", (unsigned long long)report->request->seed);
    fprintf(out, "\n%11s  %-12s  %9s  %9s  %10s  %9s  %8s  %7s  %8s  %7s\n", "n x p", "mode", "A", "B", "B - A", "+-",
            "B / A", "+-", "B faster", "any two");
}

/* "4x1", or "4x1 : 8x1" where B's is another. */
static const char *pair_text(const char *a, const char *b, char text[160])
{
    if (strcmp(a, b) == 0)
        return a;
    snprintf(text, 160, "%s : %s", *a ? a : "-", *b ? b : "-");
    return text;
}

static void text_row(struct compare_report *report, const struct comparison *c)
{
    FILE *out = report->out;
    const struct prediction *a = &c->side[0], *b = &c->side[1];
    char at_a[32], at_b[32], text[160], time[UNITS_TIME_BYTES];
    snprintf(at_a, sizeof at_a, "%dx%d", a->at.nodes, a->at.ppn);
    snprintf(at_b, sizeof at_b, "%dx%d", b->at.nodes, b->at.ppn);
    fprintf(out, "%11s", pair_text(at_a, at_b, text));
    fprintf(out, "  %-12s", pair_text(a->mode, b->mode, text));
    fprintf(out, "  %9s", units_format_time(a->time.mean, time));
    fprintf(out, "  %9s", units_format_time(b->time.mean, time));
    fprintf(out, "  %10s", units_format_time(c->difference, time));
    fprintf(out, "  %9s", isnan(c->difference_ci95) ? "-" : units_format_time(c->difference_ci95, time));
    fprintf(out, "  %8.5f", c->ratio);
    if (isnan(c->ratio_ci95))
        fprintf(out, "  %7s", "-");
    else
        fprintf(out, "  %7.5f", c->ratio_ci95);
    fprintf(out, "  %6.1f %%  %5.1f %%", 100 * c->faster, 100 * c->faster_any);
    const char *params = pair_text(a->params, b->params, text);
    fprintf(out, "%s%s%s\n", *params ? "  " : "", params, c->precise ? "" : "  (not as precise as asked for)");
}

static void text_end(struct compare_report *report, const struct compare_result *result)
{
    FILE *out = report->out;
    fprintf(out, "\nB / A below 1: B takes less time. B faster: the part of the replications in which it does, with\n"
                 "the same random numbers; any two: the probability when each is run once, "
                 "with its own luck. +-: 95 %%\n");
    for (size_t i = 0; i < result->n_notes; i++)
        fprintf(out, "note: %s\n", result->notes[i]);
    if (!result->complete)
        fprintf(out, "INCOMPLETE: the run ended before all rows were known\n");
}

/* ---- csv ---- */

static void csv_begin(struct compare_report *report)
{
    const char *comma = "";
#define X(name, value)                          \
    fprintf(report->out, "%s%s", comma, #name); \
    comma = ",";
    COMPARE_COLUMNS(X, X, X)
#undef X
    fputc('\n', report->out);
}

static void csv_row(struct compare_report *report, const struct comparison *c)
{
    FILE *out = report->out;
    const struct prediction *a = &c->side[0], *b = &c->side[1];
    const char *comma = "";
    char number[REPORT_NUMBER_BYTES];
#define TEXT(name, value)        \
    fputs(comma, out);           \
    report_csv_text(out, value); \
    comma = ",";
#define INTEGER(name, value) fprintf(out, ",%llu", (unsigned long long)(value));
#define REAL(name, value) fprintf(out, ",%s", report_number(value, number));
    COMPARE_COLUMNS(TEXT, INTEGER, REAL)
#undef TEXT
#undef INTEGER
#undef REAL
    fputc('\n', out);
}

/* Notes go to standard error: csv has no place for them. */
static void csv_end(struct compare_report *report, const struct compare_result *result)
{
    (void)report;
    (void)result;
}

/* ---- json ---- */

static void json_begin(struct compare_report *report)
{
    fprintf(report->out, "{\n  \"pevpm\": \"%s\",\n  \"seed\": %llu,\n  \"comparisons\": [", PEVPM_VERSION,
            (unsigned long long)report->request->seed);
}

static void json_row(struct compare_report *report, const struct comparison *c)
{
    FILE *out = report->out;
    const struct prediction *a = &c->side[0], *b = &c->side[1];
    const char *comma = "";
    char number[REPORT_NUMBER_BYTES];
    fprintf(out, "%s\n    {", report->n_rows > 0 ? "," : "");
#define NAME(name)                              \
    fprintf(out, "%s\"%s\": ", comma, #name);   \
    comma = ", ";
#define TEXT(name, value)         \
    NAME(name)                    \
    report_json_text(out, value);
#define INTEGER(name, value) \
    NAME(name)               \
    fprintf(out, "%llu", (unsigned long long)(value));
#define REAL(name, value) \
    NAME(name)            \
    fputs(isfinite(value) ? report_number(value, number) : "null", out);
    COMPARE_COLUMNS(TEXT, INTEGER, REAL)
#undef TEXT
#undef INTEGER
#undef REAL
#undef NAME
    fprintf(out, ", \"precise\": %s}", c->precise ? "true" : "false");
}

static void json_end(struct compare_report *report, const struct compare_result *result)
{
    FILE *out = report->out;
    fprintf(out, "%s],\n  \"notes\": [", report->n_rows > 0 ? "\n  " : "");
    for (size_t i = 0; i < result->n_notes; i++) {
        fprintf(out, "%s\n    ", i > 0 ? "," : "");
        report_json_text(out, result->notes[i]);
    }
    fprintf(out, "%s],\n  \"complete\": %s\n}\n", result->n_notes > 0 ? "\n  " : "",
            result->complete ? "true" : "false");
}

static const struct {
    void (*begin)(struct compare_report *report);
    void (*row)(struct compare_report *report, const struct comparison *row);
    void (*end)(struct compare_report *report, const struct compare_result *result);
} formats[] = {
#define X(name) {name##_begin, name##_row, name##_end},
    REPORT_FORMAT_LIST(X)
#undef X
};

void compare_report_begin(struct compare_report *report)
{
    report->n_rows = 0;
    formats[report->format].begin(report);
}

void compare_report_row(struct compare_report *report, const struct comparison *row)
{
    formats[report->format].row(report, row);
    report->n_rows++;
}

void compare_report_end(struct compare_report *report, const struct compare_result *result)
{
    formats[report->format].end(report, result);
}
