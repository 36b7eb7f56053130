/* pevpm-time - puts the times of a real run into a machine file. See docs/cli.md. */
#include "timing/instrument.h"
#include "timing/options.h"
#include "timing/summary.h"

#include "common/alloc.h"
#include "common/outfile.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static enum status write_text(const char *path, const char *text, struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    fputs(text, file.stream);
    return outfile_commit(&file, diags);
}

/* The records after one another; all that are damaged are reported. */
static enum status read_records(const struct time_options *options, struct record records[], struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->n_records; i++) {
        enum status next = record_read(&records[i], options->records[i], diags);
        status = status != STATUS_OK ? status : next;
    }
    return status;
}

/* Where the result goes to standard output, the table goes to standard error. */
static FILE *table_stream(const struct time_options *options)
{
    return options->output && strcmp(options->output, "-") != 0 ? stdout : stderr;
}

static enum status write_times(const struct time_options *options, const struct timings *timings, struct diags *diags)
{
    char *text = NULL;
    enum status status = STATUS_OK;
    if (options->machine)
        status = serial_merge(timings, options->nodes, options->machine, &text, diags);
    else
        text = serial_text(timings, options->nodes);
    if (status == STATUS_OK)
        status = write_text(options->output, text, diags);
    if (status == STATUS_OK && !options->quiet)
        summary_print(timings, options->nodes, table_stream(options));
    free(text);
    return status;
}

static enum status merge(const struct time_options *options, struct diags *diags)
{
    struct record *records = alloc_zeroed(options->n_records, sizeof *records);
    struct timings timings = {0};
    enum status status = read_records(options, records, diags);
    if (status == STATUS_OK)
        status = timings_make(&timings, records, options->n_records, diags);
    if (status == STATUS_OK && options->nodes == SERIAL_AUTO) /* else the user has said it */
        timings_warn_nodes(&timings, diags);
    if (status == STATUS_OK)
        status = write_times(options, &timings, diags);
    timings_free(&timings);
    for (size_t i = 0; i < options->n_records; i++)
        record_free(&records[i]);
    free(records);
    return status;
}

static enum status instrument(const struct time_options *options, struct diags *diags)
{
    struct source *source;
    char *text;
    enum status status = source_read(&source, options->program, diags);
    if (status != STATUS_OK)
        return status;
    status = instrument_source(source, &text, diags);
    if (status == STATUS_OK)
        status = write_text(options->output, text, diags);
    free(text);
    source_destroy(source);
    return status;
}

static enum status run(const struct time_options *options, struct diags *diags)
{
    switch (options->action) {
    case TIME_MERGE: return merge(options, diags);
    case TIME_INSTRUMENT: return instrument(options, diags);
    case TIME_HELP: time_options_help(stdout); break;
    case TIME_VERSION: printf("pevpm-time %s\nLicence GPL-3.0-or-later: free software, no warranty.\n", PEVPM_VERSION);
    }
    return STATUS_OK;
}

int main(int argc, char *argv[])
{
    struct diags diags = DIAGS_EMPTY;
    struct time_options options;
    signal(SIGPIPE, SIG_IGN);
    enum status status = time_options_parse(&options, argc, argv, &diags);
    if (status == STATUS_OK)
        status = run(&options, &diags);
    if (status == STATUS_OK)
        status = outfile_check(stdout, "standard output", &diags);
    if (!options.quiet || (status != STATUS_OK && status != STATUS_GONE))
        diags_print(&diags, stderr);
    diags_free(&diags);
    return status_exit_code(status);
}
