#include "cli/files.h"

#include "cli/default_machine.h"
#include "cli/interrupt.h"
#include "common/outfile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *files_machine(const char *given, char own[DEFAULT_MACHINE_BYTES])
{
    if (given)
        return given;
    const char *path = getenv("PEVPM_MACHINE");
    return path && *path ? path : default_machine_find(own);
}

enum status files_no_machine(struct diags *diags)
{
    diag_error(diags, place_of_file(NULL),
               "no machine file: give one with -m FILE, or name one in the environment variable PEVPM_MACHINE");
    return STATUS_USAGE;
}

/* Whether it is, or will be, a file that is written under another name first. */
static bool is_stored(const char *path)
{
    struct stat there;
    return path && strcmp(path, "-") != 0 && (stat(path, &there) != 0 || S_ISREG(there.st_mode));
}

void files_hold(const char *path)
{
    if (is_stored(path))
        interrupt_hold();
}

enum status files_output_try(const char *path, struct diags *diags)
{
    struct stat there;
    if (!path || strcmp(path, "-") == 0)
        return STATUS_OK;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        diag_error(diags, place_of_file(path), "cannot be replaced by a file: it is %s",
                   S_ISDIR(there.st_mode) ? "a folder" : "not a regular file");
        return STATUS_IO;
    }
    return outfile_try(path, diags);
}

enum status files_store(const char *path, const char *text, struct diags *diags)
{
    files_hold(path);
    const enum status status = outfile_store(path, text, diags);
    interrupt_release();
    return status;
}
