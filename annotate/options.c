#include "annotate/options.h"

#include "common/alloc.h"
#include "common/option.h"

#include <stdlib.h>
#include <string.h>

enum option_number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    ANNOTATE_OPTION_LIST(X)
#undef X
};

static const struct option_spec option_specs[] = {ANNOTATE_OPTION_LIST(OPTION_SPEC)};
static const struct option_table table = {"pevpm-annotate", sizeof option_specs / sizeof *option_specs, option_specs, NULL};

static enum status apply_option(void *context, const struct option_given *given)
{
    struct annotate_options *options = context;
    switch ((enum option_number)given->number) {
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_DIFF: options->diff = true; break;
    case OPTION_CFLAGS: options->cflags = given->argument; break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = ANNOTATE_HELP; break;
    case OPTION_VERSION: options->action = ANNOTATE_VERSION; break;
    }
    return STATUS_OK;
}

static bool is_recording(const char *path)
{
    static const char head[] = "pevpm-recording ";
    char text[sizeof head] = "";
    const char *dot = strrchr(path, '.');
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof head - 1, file) : 0;
    if (file)
        fclose(file);
    return (n == sizeof head - 1 && memcmp(text, head, n) == 0) || (dot && strcmp(dot, ".rec") == 0);
}

enum status annotate_options_parse(struct annotate_options *options, int argc, char *argv[], struct diags *diags)
{
    int first;
    *options = (struct annotate_options){.action = ANNOTATE_WRITE, .output = "annotated"};
    enum status status = option_read(&table, argc, argv, apply_option, options, &first, diags);
    size_t n = (size_t)(argc - first);
    options->files = alloc_zeroed(n + 1, sizeof *options->files);
    options->recordings = alloc_zeroed(n + 1, sizeof *options->recordings);
    for (size_t i = 0; i < n; i++) {
        const char *word = argv[(size_t)first + i];
        if (is_recording(word))
            options->recordings[options->n_recordings++] = word;
        else
            options->files[options->n_files++] = word;
    }
    if (status != STATUS_OK || options->action != ANNOTATE_WRITE)
        return status;
    if (options->n_files == 0)
        diag_error(diags, place_of_file(NULL), "no source is given: pevpm-annotate src/ app@2.rec app@4.rec");
    if (options->n_recordings == 0)
        diag_error(diags, place_of_file(NULL), "no recording is given: make some with "
                   "mpirun -n 4 pevpm-record -o app@4.rec ./app, the program compiled with -g");
    return options->n_files > 0 && options->n_recordings > 0 ? STATUS_OK : STATUS_USAGE;
}

void annotate_options_free(struct annotate_options *options)
{
    free(options->files);
    free(options->recordings);
}

void annotate_options_help(FILE *out)
{
    fputs("pevpm-annotate [OPTION]... SOURCE... RECORDING...\n\n"
          "Writes directives into copies of a C, C++ or Fortran program's sources (files, a folder or a\n"
          "compile_commands.json): loops, branches, procedures and calls as libclang, or for Fortran a reader of its own,\n"
          "reads them, values from the source where they can be read, else from recordings of pevpm-record.\n\n", out);
    option_print(&table, out);
}
