/* serial.h - timings as the `serial:` section of a machine file, and a machine file with that section in it. */
#ifndef PEVPM_TIMING_SERIAL_H
#define PEVPM_TIMING_SERIAL_H

#include "timing/timings.h"

/* SERIAL_AUTO: one distribution per block; where nodes differ by a factor each, of the levelled times, with
 * node_time_factor beside it. SERIAL_POOL: of all times as they are, no factors. SERIAL_PER_NODE: a block without
 * argument becomes a table whose argument is the node, for measured(NAME, node); one with an argument is pooled. */
enum serial_nodes { SERIAL_AUTO, SERIAL_POOL, SERIAL_PER_NODE };

/* The lines of the section, and of node_time_factor where it belongs to it. The caller frees it. */
char *serial_text(const struct timings *timings, enum serial_nodes nodes);

/* The machine file at `path` ("-" = standard input) with the timings in place of entries of the same names and of an
 * earlier node_time_factor; all else, comments included, stays as it is (comments inside `serial:` excepted). The
 * result is read back before it is returned: the caller frees *text. STATUS_IO, STATUS_SYNTAX, STATUS_SCHEMA: the file
 * cannot be read, or has its top level in one line, or has fewer nodes than there are factors. */
enum status serial_merge(const struct timings *timings, enum serial_nodes nodes, const char *path, char **text,
                         struct diags *diags);

#endif
