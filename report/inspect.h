/* inspect.h - what --profile and --trace do with the rows of a prediction, and what they write in the end.
 *
 * Every row is profiled: as many replications as it has where their number was given, else at most
 * INSPECT_REPLICATIONS of them. The source with its margin is shown once, with the last row. The first row is
 * traced. */
#ifndef PEVPM_REPORT_INSPECT_H
#define PEVPM_REPORT_INSPECT_H

#include "report/report.h"
#include "sim/predict.h"

#include <stdbool.h>
#include <stdint.h>

/* Enough to know the shares to a percent or so; a profile is for a person. */
enum { INSPECT_REPLICATIONS = 64 };

/* What is asked for; texts are borrowed. */
struct inspect_wish {
    bool profile;
    const char *profile_path;    /* .csv, .json, else text; NULL: part of the report */
    enum report_format format;   /* of the report */
    const char *trace;           /* NULL: none */
    bool trace_numbered;         /* replication trace_number, else the one at trace_pick */
    uint32_t trace_number;
    enum replicate_pick trace_pick;
    bool verbose;
};

/* Zero-initialise all but `wish`. */
struct inspection {
    struct inspect_wish wish;
    size_t n_profiles;
    char *profiles;              /* of all rows but the last; NULL: none */
    char *last, *last_plain;     /* of the last row, with the source and without */
    char *trace_text;            /* "t.json: replication 17, 1.234 s (2x1 distribution)"; NULL: not written */
};

/* Can what is asked for be written? STATUS_IO, or STATUS_NOT_YET, said before the work. */
enum status inspect_try(const struct inspect_wish *wish, struct diags *diags);

/* Profiles and traces a row. Statuses of replay.h and trace.h. */
enum status inspect_row(struct inspection *inspection, const struct predict_request *request,
                        const struct prediction *row, const struct engine_setup *setup, struct diags *diags);

/* All profiles as the report wants them: text; or json objects with commas between. Allocated; "": none. */
char *inspect_text(const struct inspection *inspection);

/* Writes profile_path, where there is one. STATUS_IO. */
enum status inspect_write(const struct inspection *inspection, struct diags *diags);

void inspect_free(struct inspection *inspection);

#endif
