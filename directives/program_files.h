/* program_files.h - the files of a program, read as a list of sources.
 *
 * A program is a file, several files, a folder, or a compile_commands.json. Of a folder, and of the folders in it, all
 * C, C++, Fortran and stand-alone files are taken in the order of their names, but for names that begin with a dot. Of
 * a compile_commands.json the files it names, with their -I and -D. A file that is named twice is read once. Each file
 * comes with what it includes (files/include.h). */
#ifndef PEVPM_DIRECTIVES_PROGRAM_FILES_H
#define PEVPM_DIRECTIVES_PROGRAM_FILES_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/source.h"

#include <stddef.h>

/* Reads the program of n >= 1 paths; "-": standard input. flags: those of the compiler for all files that no
 * compile_commands.json names, NULL: they are not known. Where flags are known, what a compiler says of a C or C++
 * file's constants comes with it (host/facts.h); where it cannot say, a warning. An included file that has directives
 * and is no file of the program is a warning.
 *   STATUS_IO      something cannot be read
 *   STATUS_SCHEMA  a folder, or a compile_commands.json, has no source in it, or too many
 *   STATUS_SYNTAX  of a compile_commands.json
 * On success the caller owns *program (source_destroy). */
enum status program_files_read(struct source **program, size_t n, const char *const paths[], const char *flags,
                               struct diags *diags);

/* All that was read as bytes, for processes that do not see the files. The caller frees them. */
char *program_files_pack(const struct source *program, size_t *n);
struct source *program_files_unpack(const char *bytes);

#endif
