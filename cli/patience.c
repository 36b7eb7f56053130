#include "cli/patience.h"

#include "common/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* s. Predictions that end take a second or two. */
static const double PATIENCE = 10;

static void tell(void *context, const struct slow_loop *loop)
{
    struct patience *patience = context;
    if (patience->said)
        return;
    patience->said = true;
    struct diags diags = DIAGS_EMPTY;
    const struct place at = loop->program->sites[loop->site].at;
    const int numprocs = loop->program->numprocs;
    if (loop->endless)
        diag_warning(&diags, at,
                     "process %d of %d has begun this loop %" PRId64
                     " times, in a replication that has taken %.3g s so "
                     "far: does it end?",
                     loop->process, numprocs, loop->rounds, loop->seconds);
    else
        diag_warning(&diags, at,
                     "process %d of %d has %" PRId64 " rounds of this loop to go, in a replication that has taken %.3g "
                     "s so far",
                     loop->process, numprocs, loop->rounds, loop->seconds);
    progress_clear(patience->progress);
    diags_print(&diags, stderr);
    diags_free(&diags);
}

static bool patience_read(double *seconds)
{
    const char *other = getenv("PEVPM_PATIENCE");
    *seconds = PATIENCE;
    return !other || (units_parse_time(other, 1, seconds) && *seconds > 0);
}

enum status patience_check(struct diags *diags)
{
    double seconds;
    if (patience_read(&seconds))
        return STATUS_OK;
    diag_error(diags, place_of_file(NULL), "PEVPM_PATIENCE is `%s`: expected a time above zero in seconds, or with a unit (ns us ms s min)",
               getenv("PEVPM_PATIENCE"));
    return STATUS_USAGE;
}

const struct engine_watch *patience_begin(struct patience *patience, struct progress_bar *progress)
{
    double period;
    (void)patience_read(&period);
    *patience = (struct patience){.watch = {.period = period, .tell = tell, .context = patience},
                                  .progress = progress};
    return &patience->watch;
}
