#include "report/report_profile.h"

#include "common/alloc.h"
#include "common/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIVES_SHOWN = 20, SENTENCE_LEAST = 1 /* % */ };

/* What a loss is at a place, and what helps: "<share> of the time <is>; <help>". %s: the place. `within`: what helps
 * in a collective, where that is something else; else NULL. Computation is no loss. */
static const struct {
    const char *is, *help, *within;
} advice[] = {
    [LOSS_send_overhead] = {.is = "is the cost of sending at %s",
                            .help = "fewer and larger messages cost less"},
    [LOSS_receive_overhead] = {.is = "is the cost of receiving at %s",
                               .help = "fewer and larger messages cost less"},
    [LOSS_transit] = {.is = "is messages on their way to %s",
                      .help = "send them earlier, or compute between a nonblocking receive and its wait",
                      .within = "send less, try another algorithm, or compute during its nonblocking form"},
    [LOSS_port_wait] = {.is = "is messages for %s that wait for a busy network port",
                        .help = "send fewer at once, or from and to more nodes"},
    [LOSS_contention] = {.is = "is messages for %s slowed down by others in flight",
                         .help = "send fewer or smaller ones at once"},
    [LOSS_late_sender] = {.is = "is late senders at %s: the message has not been sent when the receiver waits for it",
                          .help = "send earlier, or balance the work that comes before the send",
                          .within = "balance the work that comes before it, or try another algorithm"},
    [LOSS_late_receiver] = {.is = "is late receivers at %s: the sender waits until the receiver is ready",
                            .help = "post the receive earlier, or balance the work that comes before it",
                            .within = "balance the work that comes before it, or try another algorithm"},
    [LOSS_collective_wait] = {.is = "is waiting for the other processes at %s",
                              .help = "balance the work that comes before it"},
    [LOSS_end_imbalance] = {.is = "is processes that have ended while others still run (%s)",
                            .help = "balance the work over the processes"},
};

char *report_share(double share, char text[REPORT_SHARE_BYTES])
{
    if (!(share > 0))
        *text = '\0';
    else if (share < 0.0005)
        snprintf(text, REPORT_SHARE_BYTES, "<0.1 %%");
    else
        snprintf(text, REPORT_SHARE_BYTES, "%.1f %%", 100 * share);
    return text;
}

char *report_site_text(const struct program *program, const struct profile *profile, int32_t site)
{
    if (site == profile->n_sites)
        return alloc_string("after the end");
    const struct site *at = &program->sites[site];
    return alloc_format("%s:%d %s", source_short_name(program->tree->source, at->at.file), at->at.line, at->what);
}

struct ranked {
    double lost, time;
    int32_t site;
};

static int by_lost(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    return x->site < y->site ? -1 : 1;
}

int32_t report_profile_order(const struct profile *profile, int32_t order[])
{
    struct ranked *ranked = alloc_array((size_t)profile->n_sites + 1, sizeof *ranked);
    int32_t n = 0;
    for (int32_t site = 0; site <= profile->n_sites; site++) {
        double time = profile_site_time(profile, site);
        double computed = profile_mean(profile, profile->by_site[site][LOSS_computation]);
        if (time > 0)
            ranked[n++] = (struct ranked){time - computed, time, site};
    }
    qsort(ranked, (size_t)n, sizeof *ranked, by_lost);
    for (int32_t i = 0; i < n; i++)
        order[i] = ranked[i].site;
    free(ranked);
    return n;
}

/* The losses that occur are the columns. */
struct columns {
    int n;
    enum loss loss[N_LOSSES];
    int width[N_LOSSES];
};

/* A heading stands on two lines, cut at its space. */
static int heading_cut(const char *heading)
{
    const char *space = strchr(heading, ' ');
    return space ? (int)(space - heading) : 0;
}

static struct columns columns_of(const struct profile *profile)
{
    struct columns columns = {.n = 0};
    for (int loss = 0; loss < N_LOSSES; loss++) {
        if (!(profile_loss_time(profile, (enum loss)loss) > 0))
            continue;
        int all = (int)strlen(loss_heading((enum loss)loss)), upper = heading_cut(loss_heading((enum loss)loss));
        int lower = upper ? all - upper - 1 : all, width = upper > lower ? upper : lower;
        columns.loss[columns.n] = (enum loss)loss;
        columns.width[columns.n++] = (width < 7 ? 7 : width) + 2;
    }
    return columns;
}

/* Both lines of headings; `first` is what stands left of the columns on the second. */
static void write_headings(FILE *out, const struct columns *columns, int indent, const char *first)
{
    fprintf(out, "%*s", indent, "");
    int pending = 0; /* no blanks at the line's end */
    for (int i = 0; i < columns->n; i++) {
        const char *heading = loss_heading(columns->loss[i]);
        int upper = heading_cut(heading);
        pending += columns->width[i];
        if (upper) {
            fprintf(out, "%*.*s", pending, upper, heading);
            pending = 0;
        }
    }
    fprintf(out, "\n%-*s", indent, first);
    for (int i = 0; i < columns->n; i++) {
        const char *heading = loss_heading(columns->loss[i]);
        int upper = heading_cut(heading);
        fprintf(out, "%*s", columns->width[i], heading + (upper ? upper + 1 : 0));
    }
    fputc('\n', out);
}

/* The shares that `losses` [N_LOSSES] are of `whole`. */
static void write_shares(FILE *out, const struct columns *columns, const double losses[N_LOSSES], double whole)
{
    int pending = 0;
    for (int i = 0; i < columns->n; i++) {
        char text[REPORT_SHARE_BYTES];
        report_share(whole > 0 ? losses[columns->loss[i]] / whole : 0, text);
        pending += columns->width[i];
        if (*text) {
            fprintf(out, "%*s", pending, text);
            pending = 0;
        }
    }
    fputc('\n', out);
}

static double profile_whole(const struct profile *profile)
{
    return profile->run_time * profile->n_processes;
}

static void write_directives(FILE *out, const struct profile_report *report, const struct columns *columns)
{
    const struct profile *profile = report->profile;
    int32_t *order = alloc_array((size_t)profile->n_sites + 1, sizeof *order);
    int32_t n = report_profile_order(profile, order);
    int32_t shown = report->verbose || n <= DIRECTIVES_SHOWN ? n : DIRECTIVES_SHOWN;
    char **texts = alloc_array((size_t)shown, sizeof *texts);
    int width = (int)strlen("directive");
    for (int32_t i = 0; i < shown; i++) {
        texts[i] = report_site_text(report->program, profile, order[i]);
        width = (int)strlen(texts[i]) > width ? (int)strlen(texts[i]) : width;
    }
    write_headings(out, columns, 7 + 2 + 11 + 2 + width, "  share  per process  directive");
    double rest = 0;
    for (int32_t i = 0; i < n; i++) {
        char share[REPORT_SHARE_BYTES], time[UNITS_TIME_BYTES];
        double seconds = profile_site_time(profile, order[i]);
        if (i >= shown) {
            rest += seconds;
            continue;
        }
        fprintf(out, "%7s  %11s  %-*s", report_share(seconds / profile_run_time(profile), share),
                units_format_time(seconds, time), width, texts[i]);
        write_shares(out, columns, profile->by_site[order[i]], profile_whole(profile));
        free(texts[i]);
    }
    if (shown < n) {
        char share[REPORT_SHARE_BYTES], time[UNITS_TIME_BYTES];
        fprintf(out, "%7s  %11s  %d more (-v shows them)\n", report_share(rest / profile_run_time(profile), share),
                units_format_time(rest, time), n - shown);
    }
    free(texts);
    free(order);
}

/* Least, mean and greatest over the processes of what each spends on a loss. */
static void write_spread(FILE *out, const struct profile *profile, const struct columns *columns)
{
    fprintf(out, "\n%-16s  %10s  %10s  %10s  %s\n", "per process", "min", "mean", "max", "(process)");
    for (int i = 0; i < columns->n; i++) {
        enum loss loss = columns->loss[i];
        int32_t least = 0, most = 0;
        for (int32_t p = 1; p < profile->n_processes; p++) {
            least = profile->by_process[p][loss] < profile->by_process[least][loss] ? p : least;
            most = profile->by_process[p][loss] > profile->by_process[most][loss] ? p : most;
        }
        double n = (double)profile->replications;
        char low[UNITS_TIME_BYTES], mean[UNITS_TIME_BYTES], high[UNITS_TIME_BYTES];
        fprintf(out, "%-16s  %10s  %10s  %10s  (%d)\n", loss_heading(loss),
                units_format_time(profile->by_process[least][loss] / n, low),
                units_format_time(profile_loss_time(profile, loss), mean),
                units_format_time(profile->by_process[most][loss] / n, high), most);
    }
}

static void write_processes(FILE *out, const struct profile *profile, const struct columns *columns)
{
    fputc('\n', out);
    write_headings(out, columns, 9, "  process");
    for (int32_t p = 0; p < profile->n_processes; p++) {
        fprintf(out, "%9d", p);
        write_shares(out, columns, profile->by_process[p], profile->run_time);
    }
}

/* Messages that nobody received, by the directives that sent them. */
static void write_lost(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    double n = (double)profile->replications;
    bool first = true;
    for (int32_t site = 0; site < profile->n_sites; site++) {
        const struct profile_lost *lost = &profile->lost[site];
        if (lost->n == 0)
            continue;
        char *place = report_site_text(report->program, profile, site);
        fprintf(out, "%s%s sent %.4g message%s a run that nobody received, such as one from %d to %d",
                first ? "\n" : "", place, (double)lost->n / n, lost->n == profile->replications ? "" : "s", lost->from,
                lost->to);
        fprintf(out, lost->tag < 0 ? "\n" : " (tag %d)\n", lost->tag);
        free(place);
        first = false;
    }
}

/* The place and the loss where most is lost. */
static double largest_loss(const struct profile *profile, int32_t *site, enum loss *loss)
{
    double most = 0;
    for (int32_t s = 0; s <= profile->n_sites; s++)
        for (int l = 0; l < N_LOSSES; l++)
            if (l != LOSS_computation && profile->by_site[s][l] > most) {
                most = profile->by_site[s][l];
                *site = s;
                *loss = (enum loss)l;
            }
    return most;
}

static const char *help_at(const struct program *program, int32_t site, enum loss loss)
{
    for (int32_t i = 0; i < program->n_collectives; i++)
        if (program->collectives[i].site == site && advice[loss].within)
            return advice[loss].within;
    return advice[loss].help;
}

static void write_sentences(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    int32_t site = 0;
    enum loss loss = LOSS_computation;
    double whole = profile_whole(profile), lost = largest_loss(profile, &site, &loss);
    if (!(whole > 0))
        return;
    fprintf(out, "\nComputation is %.1f %% of the time. ", 100 * profile_loss_time(profile, LOSS_computation) /
                                                               profile_run_time(profile));
    if (100 * lost < SENTENCE_LEAST * whole) {
        fprintf(out, "No other single thing takes as much as %d %%.\n", (int)SENTENCE_LEAST);
        return;
    }
    char *place = report_site_text(report->program, profile, site);
    fprintf(out, "The largest loss: %.1f %% of the time ", 100 * lost / whole);
    const char *is = advice[loss].is, *here = strstr(is, "%s");
    fprintf(out, "%.*s%s%s; %s.\n", (int)(here - is), is, place, here + 2,
            help_at(report->program, site, loss));
    free(place);
}

/* The lanes engine counts messages in flight by sweeps, the time-ordered one by time: DIFFERENCE_SAID of the mean is
 * more than a reader would forgive without a word. */
#define DIFFERENCE_SAID 0.005

static void write_difference(FILE *out, const struct profile_report *report)
{
    const struct statistics *table = &report->row->time;
    double difference = fabs(profile_run_time(report->profile) - table->mean);
    double n = (double)report->profile->replications; /* the first ones: of fewer the mean differs by chance too */
    double chance = table->sd > 0 && table->n != report->profile->replications ? 3 * table->sd / sqrt(n) : 0;
    char time[UNITS_TIME_BYTES];
    if (difference > DIFFERENCE_SAID * table->mean + chance)
        fprintf(out, "             (not the table's %s: profiles follow the order of time, as --engine timed does)\n",
                units_format_time(table->mean, time));
}

static void write_head(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    char time[UNITS_TIME_BYTES];
    fprintf(out, "profile      %dx%d %s%s%s%s%s: %s, the mean of %llu replication%s\n", report->row->at.nodes,
            report->row->at.ppn, report->row->among_models ? report->row->model : "",
            report->row->among_models ? " " : "", report->row->mode, *report->row->params ? " " : "",
            report->row->params, units_format_time(profile_run_time(profile), time),
            (unsigned long long)profile->replications, profile->replications == 1 ? "" : "s");
    write_difference(out, report);
    fputc('\n', out);
}

void report_profile_text(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    struct columns columns = columns_of(profile);
    write_head(out, report);
    write_directives(out, report, &columns);
    if (profile->n_processes > 1)
        write_spread(out, profile, &columns);
    if (report->verbose)
        write_processes(out, profile, &columns);
    report_races(out, report);
    if (report->margin)
        report_margin(out, report);
    write_lost(out, report);
    write_sentences(out, report);
}
