/* noted.h - times as lines of a machine file's provenance, as pevpm-estimate writes them (survey/kept.h has how they look): for who
 * goes on with them, and for who draws them.
 *
 * Times are whole nanoseconds in the file, seconds here. */
#ifndef PEVPM_ESTIMATE_NOTED_H
#define PEVPM_ESTIMATE_NOTED_H

#include "estimate/analytical/experiment.h"
#include "estimate/analytical/many_to_one.h"
#include "models/machine_source.h"

#define NOTED_HEADING "measured by pevpm-estimate"

/* The first word of a line. */
const char *noted_experiment_name(enum experiment_kind kind);
const char *noted_operation_name(enum flat_kind kind);

/* The experiment whose name a text begins with, up to a blank or the end. False: none. */
bool noted_experiment_find(const char *text, enum experiment_kind *kind);

/* The lines under the heading, [*n], borrowed of the source; NULL: there is no heading. */
const struct machine_note *noted_lines(const struct machine_source *source, size_t *n);

/* Who is told of times: t [n] is borrowed for the call, as follows [n] is: whether an operation is known to have come right
 * after the one before it in the line. */
struct noted_taker {
    void *context;
    void (*experiment)(void *context, const struct experiment *experiment, size_t n, const double t[]);
    void (*operation)(void *context, enum flat_kind kind, int numprocs, double bytes, size_t n, const double t[],
                      const bool follows[]);
};

/* What a line is: times, of which the taker has been told; something else; or not as pevpm-estimate writes it, then the taker may
 * have been told of what stands before. Nodes are those of the file. */
enum noted { NOTED_times, NOTED_else, NOTED_wrong };
enum noted noted_read(const struct machine_note *line, size_t nodes, const struct noted_taker *taker);

#endif
