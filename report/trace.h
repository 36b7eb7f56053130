/* trace.h - a timeline of one replication, written for the viewers that exist.
 *
 * The form is chosen by the name:
 *   NAME.json  Chrome trace events (Perfetto, chrome://tracing): a track for each process, a slice for each span,
 *              arrows for messages. Google, "Trace Event Format", 2016
 *   NAME.paje  Paje (ViTE, pj_dump): L. M. Schnorr, "Paje trace file format", 2016
 *   NAME       a folder with an OTF2 archive (Vampir, Cube, otf2-print), where this was built with libotf2 3 or later
 * Chrome events are written as they are told. The other two want the order of time: spans and flights are kept in
 * memory until the end, 32 and 56 bytes each. Times are rounded to 1 ns; spans without length are left out.
 * A file or folder appears whole or not at all. */
#ifndef PEVPM_REPORT_TRACE_H
#define PEVPM_REPORT_TRACE_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/program.h"
#include "engine/ledger.h"

#include <stdint.h>

/* What is traced; borrowed until the trace ends. */
struct trace_about {
    const struct program *program;
    const char *title;           /* "jacobi.c on perseus, 4x1, distribution, seed 1, replication 17" */
};

struct trace;

/* Opens what will become `path` (copied).
 *   STATUS_IO       it cannot be created; or a folder of that name holds other things than an earlier archive
 *   STATUS_NOT_YET  a folder, and the program was built without libotf2
 * On success it ends with trace_commit or trace_abandon. */
enum status trace_open(struct trace **trace, const char *path, const struct trace_about *about, struct diags *diags);

/* Can `path` be written? Says what trace_open would say, and leaves nothing behind. */
enum status trace_try(const char *path, struct diags *diags);

/* What the trace wants to be told; valid until it ends. Spans and flights come in the order of each process's time. */
struct ledger trace_ledger(struct trace *trace);

/* Writes what is left and makes the trace appear. STATUS_IO: it could not be written, an earlier one is as it was.
 * The trace is gone either way. */
enum status trace_commit(struct trace *trace, struct diags *diags);

/* Nothing appears. NULL is legal. */
void trace_abandon(struct trace *trace);

#endif
