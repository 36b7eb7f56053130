/* compile_commands.h - compile_commands.json: which files a program is compiled from, and with which flags.
 *
 * The format is the one of https://clang.llvm.org/docs/JSONCompilationDatabase.html: an array of objects with
 * `directory`, `file`, and `arguments` or `command`. Of the flags, -D, -U, -I, -iquote, -isystem,
 * -include and -std are looked at. */
#ifndef PEVPM_DIRECTIVES_FILES_COMPILE_COMMANDS_H
#define PEVPM_DIRECTIVES_FILES_COMPILE_COMMANDS_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/source.h"

#include <stdbool.h>
#include <stddef.h>

struct compile_command {
    char *file;              /* as seen from the current folder */
    size_t n_folders, folders_capacity;
    char **folders;          /* -I, -iquote, likewise */
    char *definitions;       /* "#define N 64\n" for each -DN=64; "": none */
    char *flags;             /* those of all commands, as one command line for a compiler */
    bool joined;             /* more than one command says something of the file */
};

struct compile_commands {
    size_t n, capacity;
    struct compile_command *list; /* each file once: what several commands say of one is joined */
};

/* Reads the text of such a file. STATUS_SYNTAX: it is no JSON, or none of this form. Ends with compile_commands_free,
 * whatever was returned. */
enum status compile_commands_read(struct compile_commands *commands, const struct source *text, struct diags *diags);
void compile_commands_free(struct compile_commands *commands);

/* The same of flags that a person gives, "-I include -DCLASS=2", for any file; ends with compile_command_free. */
void compile_flags_read(struct compile_command *command, const char *flags);
void compile_command_free(struct compile_command *command);

#endif
