#include "report/inspect.h"

#include "common/alloc.h"
#include "common/outfile.h"
#include "common/units.h"
#include "report/replay.h"
#include "report/report_profile.h"

#include <stdlib.h>
#include <string.h>

/* The form of the profiles: the file's, else the report's. */
static enum report_format form_of(const struct inspect_wish *wish)
{
    if (!wish->profile_path)
        return wish->format;
    const char *dot = strrchr(wish->profile_path, '.');
    if (dot && strcmp(dot, ".csv") == 0)
        return REPORT_csv;
    return dot && strcmp(dot, ".json") == 0 ? REPORT_json : REPORT_text;
}

enum status inspect_try(const struct inspect_wish *wish, struct diags *diags)
{
    enum status status = wish->trace ? trace_try(wish->trace, diags) : STATUS_OK;
    return status == STATUS_OK ? outfile_try(wish->profile_path, diags) : status;
}

static char *render(const struct profile_report *report, enum report_format form)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (form == REPORT_json)
        report_profile_json(out, report);
    else if (form == REPORT_csv)
        report_profile_csv(out, report);
    else
        report_profile_text(out, report);
    fclose(out);
    return text;
}

/* The last row is no longer the last. */
static void last_pass(struct inspection *inspection)
{
    if (!inspection->last)
        return;
    const char *between = form_of(&inspection->wish) == REPORT_json ? ",\n"
                          : form_of(&inspection->wish) == REPORT_text ? "\n" : "";
    char *longer = alloc_format("%s%s%s", inspection->profiles ? inspection->profiles : "", inspection->last_plain,
                                between);
    free(inspection->profiles);
    free(inspection->last);
    free(inspection->last_plain);
    inspection->profiles = longer;
    inspection->last = inspection->last_plain = NULL;
}

static enum status profile_row(struct inspection *inspection, const struct predict_request *request,
                               const struct prediction *row, const struct engine_setup *setup, struct diags *diags)
{
    size_t n = row->time.n + row->deadlocks;
    if (request->plan.exact == 0 && n > INSPECT_REPLICATIONS)
        n = INSPECT_REPLICATIONS;
    struct profile profile;
    struct races races;
    profile_init(&profile, setup->program->numprocs, setup->program->n_sites);
    races_init(&races, setup->program->numprocs, setup->program->n_sites);
    enum status status = replay_profile(setup, 0, (uint32_t)n, request->plan.threads, &profile, &races, diags);
    if (status == STATUS_OK) {
        struct profile_report report = {.row = row, .program = setup->program, .source = request->source,
                                        .profile = &profile, .races = &races, .verbose = inspection->wish.verbose};
        enum report_format form = form_of(&inspection->wish);
        last_pass(inspection);
        inspection->last_plain = render(&report, form);
        report.margin = true;
        inspection->last = render(&report, form);
        inspection->n_profiles++;
    }
    races_free(&races);
    profile_free(&profile);
    return status;
}

static enum status trace_row(struct inspection *inspection, const struct predict_request *request,
                             const struct prediction *row, const struct engine_setup *setup, struct diags *diags)
{
    const struct inspect_wish *wish = &inspection->wish;
    uint32_t replication = wish->trace_numbered ? wish->trace_number : row->picks[wish->trace_pick];
    const char *model = row->among_models ? row->model : "", *then = row->among_models ? " " : "";
    char *title = alloc_format("%s on %s, %dx%d, %s%s%s%s%s, seed %llu, replication %u", row->program, row->machine,
                               row->at.nodes, row->at.ppn, model, then, row->mode, *row->params ? ", " : "",
                               row->params, (unsigned long long)request->seed, replication);
    struct trace_about about = {.program = setup->program, .title = title};
    struct trace *trace = NULL;
    double time = 0;
    enum status status = trace_open(&trace, wish->trace, &about, diags);
    if (status == STATUS_OK) {
        status = replay_trace(setup, replication, trace, &time, diags);
        if (status == STATUS_OK)
            status = trace_commit(trace, diags);
        else
            trace_abandon(trace);
    }
    if (status == STATUS_OK) {
        char text[UNITS_TIME_BYTES];
        inspection->trace_text = alloc_format("%s: replication %u, %s (%dx%d %s%s%s%s%s)", wish->trace, replication,
                                              units_format_time(time, text), row->at.nodes, row->at.ppn, model, then,
                                              row->mode,
                                              *row->params ? " " : "", row->params);
    }
    free(title);
    return status;
}

enum status inspect_row(struct inspection *inspection, const struct predict_request *request,
                        const struct prediction *row, const struct engine_setup *setup, struct diags *diags)
{
    enum status status = STATUS_OK;
    if (inspection->wish.profile)
        status = profile_row(inspection, request, row, setup, diags);
    if (status == STATUS_OK && inspection->wish.trace && !inspection->trace_text)
        status = trace_row(inspection, request, row, setup, diags);
    return status;
}

char *inspect_text(const struct inspection *inspection)
{
    return alloc_format("%s%s", inspection->profiles ? inspection->profiles : "",
                        inspection->last ? inspection->last : "");
}

enum status inspect_write(const struct inspection *inspection, struct diags *diags)
{
    const struct inspect_wish *wish = &inspection->wish;
    if (!wish->profile_path || inspection->n_profiles == 0)
        return STATUS_OK;
    struct outfile file;
    enum status status = outfile_open(&file, wish->profile_path, diags);
    if (status != STATUS_OK)
        return status;
    char *text = inspect_text(inspection);
    enum report_format form = form_of(wish);
    if (form == REPORT_csv)
        report_profile_csv_begin(file.stream);
    if (form == REPORT_json)
        fprintf(file.stream, "{\n  \"pevpm\": \"%s\",\n  \"profiles\": [\n%s\n  ]\n}\n", PEVPM_VERSION, text);
    else
        fputs(text, file.stream);
    free(text);
    return outfile_commit(&file, diags);
}

void inspect_free(struct inspection *inspection)
{
    free(inspection->profiles);
    free(inspection->last);
    free(inspection->last_plain);
    free(inspection->trace_text);
    *inspection = (struct inspection){0};
}
