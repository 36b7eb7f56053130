/* machine_edit.h - the text of a machine file with another `model_error`, `decisions` or another key of the top; all
 * else, comments included, byte by byte as it was. machine_write in contrast writes a whole machine anew. */
#ifndef PEVPM_MODELS_MACHINE_EDIT_H
#define PEVPM_MODELS_MACHINE_EDIT_H

#include "common/diag.h"
#include "common/status.h"
#include "models/machine.h"

#include <stdbool.h>
#include <stddef.h>

/* *edited is terminated and freed by the caller; NULL where the status is not OK. The key stands where it stood, else
 * at the end. The result has been read back. STATUS_SYNTAX, STATUS_SCHEMA: `text` is no machine file, or one whose top
 * level stands in braces or is indented; `name` names it in diagnostics. */
enum status machine_edit_model_error(char **edited, const char *name, const char *text, size_t length,
                                     const struct machine_model_error *error, struct diags *diags);
/* `told`: a comment in the section, one line, where the decisions are from; NULL: none. */
enum status machine_edit_decisions(char **edited, const char *name, const char *text, size_t length,
                                   const struct coll_table *decisions, const char *told, struct diags *diags);
/* Likewise with `section`, lines that begin with "KEY:" and end with a line end, for the key. Since what the lines say
 * comes from the program, a result that cannot be read back is a bug. */
enum status machine_edit_section(char **edited, const char *name, const char *text, size_t length, const char *key,
                                 const char *section, struct diags *diags);

/* An entry of a section, both of which stand in lines, an entry's key two blanks from the margin. `lines` begin with "
 * KEY:" and end with a line end; they replace the entry where it is there, else they come last, in a new section where
 * there is none or nothing in it. False, and *edited NULL: text or section stand otherwise, in braces for one. It is
 * not read back. */
bool machine_edit_entry(char **edited, const char *text, size_t length, const char *section, const char *key,
                        const char *lines);

/* The lines of an entry, which the caller frees; NULL: there is none, or it stands otherwise. */
char *machine_edit_lines(const char *text, size_t length, const char *section, const char *key);

#endif
