#include "report/report_profile.h"

#include "common/alloc.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

static void csv_real(FILE *out, double value)
{
    char text[REPORT_NUMBER_BYTES];
    fprintf(out, ",%s", report_number(value, text));
}

void report_profile_csv_begin(FILE *out)
{
    fprintf(out, "mode,numprocs,nodes,ppn,params,replications,run_time_s,line,directive,process,time_s,share");
    for (int loss = 0; loss < N_LOSSES; loss++)
        fprintf(out, ",%s_s", loss_name((enum loss)loss));
    fputs(",file\n", out);
}

/* What all rows of a profile begin with. */
static void csv_head(FILE *out, const struct profile_report *report)
{
    const struct prediction *row = report->row;
    report_csv_text(out, row->mode);
    fprintf(out, ",%d,%d,%d,", row->at.numprocs, row->at.nodes, row->at.ppn);
    report_csv_text(out, row->params);
    fprintf(out, ",%llu", (unsigned long long)report->profile->replications);
    csv_real(out, profile_run_time(report->profile));
}

/* Sums over replications, and over `processes`, as means. */
static void csv_losses(FILE *out, const struct profile *profile, const double losses[N_LOSSES], double processes)
{
    double sum = 0, each = (double)profile->replications * processes;
    for (int loss = 0; loss < N_LOSSES; loss++)
        sum += losses[loss];
    csv_real(out, sum / each);
    csv_real(out, profile->run_time > 0 ? sum / (profile->run_time * processes) : 0);
    for (int loss = 0; loss < N_LOSSES; loss++)
        csv_real(out, losses[loss] / each);
    fputc(',', out);
}

/* The file of a directive. */
static const char *file_of(const struct profile_report *report, int32_t site)
{
    return source_short_name(report->source, report->program->sites[site].at.file);
}

void report_profile_csv(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    int32_t *order = alloc_array((size_t)profile->n_sites + 1, sizeof *order);
    int32_t n = report_profile_order(profile, order);
    for (int32_t i = 0; i < n; i++) {
        csv_head(out, report);
        if (order[i] == profile->n_sites) {
            fprintf(out, ",,,");
        } else {
            fprintf(out, ",%d,", report->program->sites[order[i]].at.line);
            report_csv_text(out, report->program->sites[order[i]].what);
            fputc(',', out);
        }
        csv_losses(out, profile, profile->by_site[order[i]], profile->n_processes);
        if (order[i] < profile->n_sites)
            report_csv_text(out, file_of(report, order[i]));
        fputc('\n', out);
    }
    for (int32_t p = 0; p < profile->n_processes; p++) {
        csv_head(out, report);
        fprintf(out, ",,,%d", p);
        csv_losses(out, profile, profile->by_process[p], 1);
        fputc('\n', out);
    }
    free(order);
}

static void json_real(FILE *out, const char *name, double value)
{
    char text[REPORT_NUMBER_BYTES];
    fprintf(out, ", \"%s\": %s", name, isfinite(value) ? report_number(value, text) : "null");
}

static void json_losses(FILE *out, const struct profile *profile, const double losses[N_LOSSES], double processes)
{
    double sum = 0, each = (double)profile->replications * processes;
    for (int loss = 0; loss < N_LOSSES; loss++)
        sum += losses[loss];
    json_real(out, "time_s", sum / each);
    json_real(out, "share", profile->run_time > 0 ? sum / (profile->run_time * processes) : 0);
    for (int loss = 0; loss < N_LOSSES; loss++) {
        char name[32];
        snprintf(name, sizeof name, "%s_s", loss_name((enum loss)loss));
        json_real(out, name, losses[loss] / each);
    }
    fputc('}', out);
}

/* "line": 31, "directive": "MPI_Recv", "file": "jacobi.c"; null after the end. */
static void json_site(FILE *out, const struct profile_report *report, int32_t site)
{
    if (site == report->profile->n_sites) {
        fprintf(out, "{\"line\": null, \"directive\": null, \"file\": null");
        return;
    }
    fprintf(out, "{\"line\": %d, \"directive\": ", report->program->sites[site].at.line);
    report_json_text(out, report->program->sites[site].what);
    fprintf(out, ", \"file\": ");
    report_json_text(out, file_of(report, site));
}

static void json_senders(FILE *out, const struct races *races, const struct race_site *site)
{
    int32_t *order = alloc_array((size_t)races->n_processes, sizeof *order);
    int32_t n = races_order(races, site, order);
    for (int32_t i = 0; i < n; i++) {
        const struct race_sender *sender = &site->senders[order[i]];
        fprintf(out, "%s\n          {\"process\": %d", i > 0 ? "," : "", order[i]);
        json_real(out, "taken", (double)sender->taken / (double)races->replications);
        json_real(out, "first", (double)sender->first / (double)races->replications);
        json_real(out, "first_time_s", races_first_time(races, sender));
        json_real(out, "correlation", races_correlation(races, sender));
        fputc('}', out);
    }
    free(order);
}

static void json_races(FILE *out, const struct profile_report *report)
{
    const struct races *races = report->races;
    for (int32_t i = 0; races && races->replications > 0 && i < races->n; i++) {
        const struct race_site *site = &races->sites[i];
        double explained = NAN, chance = NAN;
        if (!races_dependence(races, site, &explained, &chance))
            explained = chance = NAN;
        fprintf(out, "%s\n        ", i > 0 ? "," : "");
        json_site(out, report, site->site);
        json_real(out, "taken", (double)site->taken / (double)races->replications);
        json_real(out, "contested", (double)site->contested / (double)races->replications);
        fprintf(out, ", \"orders\": %zu", site->n_orders);
        json_real(out, "candidates", (double)site->candidates / (double)site->taken);
        fprintf(out, ", \"candidates_most\": %d", site->candidates_most);
        json_real(out, "explained", explained);
        json_real(out, "chance", chance);
        fprintf(out, ", \"senders\": [");
        json_senders(out, races, site);
        fprintf(out, "]}");
    }
}

static void json_lost(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    const char *comma = "";
    for (int32_t site = 0; site < profile->n_sites; site++) {
        const struct profile_lost *lost = &profile->lost[site];
        if (lost->n == 0)
            continue;
        fprintf(out, "%s\n        ", comma);
        json_site(out, report, site);
        json_real(out, "messages", (double)lost->n / (double)profile->replications);
        fprintf(out, ", \"from\": %d, \"to\": %d, \"tag\": %d}", lost->from, lost->to, lost->tag);
        comma = ",";
    }
}

void report_profile_json(FILE *out, const struct profile_report *report)
{
    const struct profile *profile = report->profile;
    const struct prediction *row = report->row;
    fprintf(out, "    {\"mode\": ");
    report_json_text(out, row->mode);
    fprintf(out, ", \"numprocs\": %d, \"nodes\": %d, \"ppn\": %d, \"params\": ", row->at.numprocs, row->at.nodes,
            row->at.ppn);
    report_json_text(out, row->params);
    fprintf(out, ", \"replications\": %llu", (unsigned long long)profile->replications);
    json_real(out, "run_time_s", profile_run_time(profile));
    fprintf(out, ", \"unreceived\": %llu,\n      \"directives\": [", (unsigned long long)row->unreceived);
    int32_t *order = alloc_array((size_t)profile->n_sites + 1, sizeof *order);
    int32_t n = report_profile_order(profile, order);
    for (int32_t i = 0; i < n; i++) {
        fprintf(out, "%s\n        ", i > 0 ? "," : "");
        json_site(out, report, order[i]);
        json_losses(out, profile, profile->by_site[order[i]], profile->n_processes);
    }
    free(order);
    fprintf(out, "],\n      \"processes\": [");
    for (int32_t p = 0; p < profile->n_processes; p++) {
        fprintf(out, "%s\n        {\"process\": %d", p > 0 ? "," : "", p);
        json_losses(out, profile, profile->by_process[p], 1);
    }
    fprintf(out, "],\n      \"races\": [");
    json_races(out, report);
    fprintf(out, "],\n      \"never_received\": [");
    json_lost(out, report);
    fprintf(out, "]}");
}
