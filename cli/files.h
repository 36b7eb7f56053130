/* files.h - which files a command line means, and whether those to be written can be. */
#ifndef PEVPM_CLI_FILES_H
#define PEVPM_CLI_FILES_H

#include "cli/default_machine.h"
#include "common/diag.h"
#include "common/status.h"

/* The machine file: `given`, else $PEVPM_MACHINE, else the one that comes with the program, whose path goes to `own`.
 * NULL: there is none. */
const char *files_machine(const char *given, char own[DEFAULT_MACHINE_BYTES]);

/* There is none: says so. Returns STATUS_USAGE. */
enum status files_no_machine(struct diags *diags);

/* Whether a file can be written whole under that name (NULL and "-" can): it replaces what had the name, so never a
 * device, a pipe or a folder. STATUS_IO. */
enum status files_output_try(const char *path, struct diags *diags);

/* Writes a text there, whole or not at all; an interrupt waits until then. STATUS_IO. */
enum status files_store(const char *path, const char *text, struct diags *diags);

/* interrupt_hold (interrupt.h) where `path` is a file: a device, a pipe and standard output (NULL, "-") have no temporary
 * file to be left behind, and a reader that stands still would keep the process for ever. interrupt_release ends both. */
void files_hold(const char *path);

#endif
