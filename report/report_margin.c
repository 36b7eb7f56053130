#include "report/report_profile.h"

#include "common/alloc.h"
#include "common/units.h"

#include <stdlib.h>

/* Lines kept on either side of one with a time; and how many of the others in a row are worth leaving out. */
enum { CONTEXT = 5, GAP_LEAST = 3 };
enum { MARGIN_WIDTH = 7 + 1 + 10 + 2 + 16 };

/* Sums of a line's directives: [n_lines], line 1 first. */
static double (*line_sums(const struct profile_report *report, const struct source *source))[N_LOSSES]
{
    double(*lines)[N_LOSSES] = alloc_zeroed(source->n_lines + 1, sizeof *lines);
    for (int32_t site = 0; site < report->profile->n_sites; site++) {
        int line = report->program->sites[site].at.line;
        if (report->program->sites[site].at.file != source->name || line < 1 || (size_t)line > source->n_lines)
            continue;
        for (int loss = 0; loss < N_LOSSES; loss++)
            lines[line - 1][loss] += report->profile->by_site[site][loss];
    }
    return lines;
}

static double line_time(const double losses[N_LOSSES], enum loss *chief)
{
    double sum = 0;
    *chief = LOSS_computation;
    for (int loss = 0; loss < N_LOSSES; loss++) {
        sum += losses[loss];
        if (losses[loss] > losses[*chief])
            *chief = (enum loss)loss;
    }
    return sum;
}

static void write_line(FILE *out, const struct profile_report *report, const struct source *source, size_t line,
                       const double losses[N_LOSSES])
{
    const struct profile *profile = report->profile;
    enum loss chief;
    double time = profile_mean(profile, line_time(losses, &chief));
    if (time > 0) {
        char share[REPORT_SHARE_BYTES], text[UNITS_TIME_BYTES];
        fprintf(out, "%7s %10s  %-16s", report_share(time / profile_run_time(profile), share),
                units_format_time(time, text), loss_heading(chief));
    } else {
        fprintf(out, "%*s", MARGIN_WIDTH, "");
    }
    size_t start = source->line_start[line], length = source_line_end(source, line) - start;
    fprintf(out, length > 0 ? " | " : " |");
    fwrite(source->text + start, 1, length, out);
    fputc('\n', out);
}

/* kept [n_lines]: lines near one with a time, and gaps too short to be worth leaving out. */
static void lines_choose(size_t n_lines, double lines[][N_LOSSES], bool kept[])
{
    for (size_t line = 0; line < n_lines; line++) {
        enum loss chief;
        if (!(line_time(lines[line], &chief) > 0))
            continue;
        size_t from = line > CONTEXT ? line - CONTEXT : 0, to = line + CONTEXT;
        for (size_t near = from; near <= to && near < n_lines; near++)
            kept[near] = true;
    }
    for (size_t line = 0, gap = 0; line <= n_lines; line++) {
        if (line < n_lines && !kept[line]) {
            gap++;
            continue;
        }
        for (size_t back = 1; back <= gap && gap < GAP_LEAST; back++)
            kept[line - back] = true;
        gap = 0;
    }
}

static void write_lines(FILE *out, const struct profile_report *report, const struct source *source,
                        double lines[][N_LOSSES], const bool kept[])
{
    size_t n_lines = source->n_lines;
    fprintf(out, "\n%7s %10s  %-16s | %s\n", "share", "each", "chiefly", source->name);
    for (size_t line = 0, left_out = 0; line < n_lines; line++) {
        if (!kept[line]) {
            left_out++;
            if (line + 1 == n_lines || kept[line + 1])
                fprintf(out, "%*s ... %zu line%s without\n", MARGIN_WIDTH, "", left_out, left_out == 1 ? "" : "s");
            continue;
        }
        left_out = 0;
        write_line(out, report, source, line, lines[line]);
    }
}

void report_margin(FILE *out, const struct profile_report *report)
{
    for (const struct source *source = report->source; source; source = source->next) {
        double(*lines)[N_LOSSES] = line_sums(report, source);
        bool *kept = alloc_zeroed(source->n_lines + 1, sizeof *kept);
        lines_choose(source->n_lines, lines, kept);
        bool any = !report->source->next;
        for (size_t line = 0; line < source->n_lines; line++)
            any = any || kept[line];
        if (any)
            write_lines(out, report, source, lines, kept);
        free(kept);
        free(lines);
    }
}
