/* kept.h - what pevpm-estimate has measured, as lines of a machine file's provenance, and read again for --resume.
 *
 *     measured by pevpm-estimate:
 *       nodes: h1 h2 h3
 *       round_trip 8192 0 0 from 0: 1 6612345 6612001, 2 ...
 *       to_two 8192 0 0 from 0: 1 2 13123456 13120021, ...
 *       at_once to_two 8192 0 0: 31234
 *       operations: largest 131072, rest 50000000, all
 *       scatter 16 8192: 48120021 48121001,
 *       gather 16 8192: 51123456 51120021, 51121342,
 *       edge 16 4095: 30123456 30120021,
 *       others h1: 2.1 % of 2 processors over 83.1 s
 * A line of experiments has kind, bytes there and back, messages, and the node that takes the times; then of each its
 * other nodes and its times, ns. `at_once` is what carrying them out at the same time may add (survey_added), ns. A
 * line of operations (flat_kind) has the number of processes, the bytes of a share and times, with a comma
 * behind each of which none came right after it (in a line without any comma, as they once were, that is not known of any); before
 * them stand how they were wished (bytes, ns), and `all` where every size was measured, else `some`. `others` is how busy a machine
 * was with other work (measure/others.h).
 * Times are whole nanoseconds, so that what is read again is bit for bit what was measured. */
#ifndef PEVPM_SURVEY_KEPT_H
#define PEVPM_SURVEY_KEPT_H

#include "estimate/analytical/noted.h"
#include "measure/others.h"
#include "models/machine_source.h"
#include "survey/flat.h"
#include "survey/survey.h"

#define KEPT_SECTION "provenance"

/* What it is of. All borrowed. */
struct kept {
    struct survey *survey;
    struct flat_survey *flat;
    const struct flat_wish *wish; /* of flat, where Scatters and Gathers are asked for; NULL: they are not */
    size_t nodes;
    char *const *hosts;           /* [nodes] */
    struct others *others;        /* NULL: nothing is said of these */
};

/* The lines, which the caller frees: what has been measured and what is kept of before. */
char *kept_text(const struct kept *kept);

/* Adds what the notes of file `path` have to survey (survey_keep), flat (empty before) and others; without the heading nothing.
 * STATUS_SCHEMA: of other hosts, or of other Scatters and Gathers than are wished; or a line that cannot be read. */
enum status kept_read(const struct kept *kept, const struct machine_source *source, const char *path,
                      struct diags *diags);

#endif
