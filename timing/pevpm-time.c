/* pevpm-time - puts the times of a real run into a machine file. See docs/cli.md. */
#include "timing/instrument.h"
#include "timing/options.h"
#include "timing/put.h"

#include "common/alloc.h"
#include "common/option.h"
#include "common/outfile.h"
#include "directives/program_files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The records after one another; all that are damaged are reported. */
static enum status read_records(const struct time_options *options, struct record records[], struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->n_files; i++) {
        enum status next = record_read(&records[i], options->files[i], diags);
        status = status != STATUS_OK ? status : next;
    }
    return status;
}

static enum status merge(const struct time_options *options, struct diags *diags)
{
    struct record *records = alloc_zeroed(options->n_files, sizeof *records);
    const struct put_request request = {options->machine, options->output, options->nodes, options->quiet};
    enum status status = read_records(options, records, diags);
    if (status == STATUS_OK)
        status = put_records(&request, records, options->n_files, diags);
    for (size_t i = 0; i < options->n_files; i++)
        record_free(&records[i]);
    free(records);
    return status;
}

/* FOLDER/name, with the folders that the name has. Allocated; NULL, reported, where one cannot be made. */
static char *path_in(const char *folder, const char *name, struct diags *diags)
{
    char *path = alloc_format("%s/%s", folder, name);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            diag_error(diags, place_of_file(path), "cannot make this folder: %s", strerror(errno));
            free(path);
            return NULL;
        }
        *slash = '/';
    }
    return path;
}

/* One of these files or of what they include, under whatever name. */
static bool is_among(const struct source *files, const struct stat *written)
{
    struct stat read;
    for (const struct source *file = files; file; file = file->next)
        if ((stat(file->name, &read) == 0 && read.st_dev == written->st_dev && read.st_ino == written->st_ino) ||
            is_among(file->included, written))
            return true;
    return false;
}

/* The program's own files stay as they are. False, reported, where `path` (NULL: standard output) is one of them. */
static bool may_be_written(const struct source *program, const char *path, struct diags *diags)
{
    struct stat written;
    if (!path || strcmp(path, "-") == 0 || stat(path, &written) != 0 || !is_among(program, &written))
        return true;
    diag_error(diags, place_of_file(path), "a file of the program itself is not overwritten: give another to -o");
    return false;
}

static enum status instrument_file(const struct source *program, const struct source *file, const char *path,
                                   struct diags *diags)
{
    char *text;
    enum status status = instrument_source(program, file, &text, diags);
    if (status == STATUS_OK)
        status = outfile_store(path, text, diags);
    free(text);
    return status;
}

static bool all_may_be_written(const struct time_options *options, const struct source *program, struct diags *diags)
{
    bool may = true;
    for (const struct source *file = program; file; file = file->next) {
        char *path = alloc_format("%s/%s", options->output, source_short_name(program, file->name));
        may &= !instrument_is_wanted(file) || may_be_written(program, path, diags);
        free(path);
    }
    return may;
}

/* The files that are timed, under their names, into a folder. */
static enum status instrument_files(const struct time_options *options, const struct source *program,
                                    struct diags *diags)
{
    enum status status = STATUS_OK;
    size_t n = 0;
    if (!all_may_be_written(options, program, diags))
        return STATUS_IO;
    for (const struct source *file = program; file; file = file->next) {
        if (!instrument_is_wanted(file))
            continue;
        char *path = path_in(options->output, source_short_name(program, file->name), diags);
        enum status next = path ? instrument_file(program, file, path, diags) : STATUS_IO;
        status = status == STATUS_OK ? next : status;
        free(path);
        n++;
    }
    if (n > 0)
        return status;
    diag_error(diags, place_of_file(source_program(program)),
               "nothing to time: no Serial directive says measured(NAME), such as `Serial time = measured(update)`");
    return STATUS_SYNTAX;
}

static enum status instrument(const struct time_options *options, struct diags *diags)
{
    struct source *program;
    enum status status = program_files_read(&program, options->n_files, (const char *const *)options->files, options->cflags, diags);
    if (status != STATUS_OK)
        return status;
    if (!program->program) {
        status = may_be_written(program, options->output, diags)
                     ? instrument_file(program, program, options->output, diags) : STATUS_IO;
    } else if (options->output && strcmp(options->output, "-") != 0) {
        status = instrument_files(options, program, diags);
    } else {
        diag_error(diags, place_of_file(NULL), "a program of several files is timed in a folder: -o FOLDER");
        status = STATUS_USAGE;
    }
    source_destroy(program);
    return status;
}

static enum status run(const struct time_options *options, struct diags *diags)
{
    switch (options->action) {
    case TIME_MERGE: return merge(options, diags);
    case TIME_INSTRUMENT: return instrument(options, diags);
    case TIME_HELP: time_options_help(stdout); break;
    case TIME_VERSION: option_print_version("pevpm-time", stdout); break;
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
    return option_finish(status, options.quiet, &diags);
}
