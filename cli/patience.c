#include "cli/patience.h"

#include "common/diag.h"

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

const struct engine_watch *patience_begin(struct patience *patience, struct progress_bar *progress)
{
    const char *other = getenv("PEVPM_PATIENCE");
    const double period = other ? strtod(other, NULL) : PATIENCE;
    *patience = (struct patience){.watch = {.period = period, .tell = tell, .context = patience},
                                  .progress = progress};
    return &patience->watch;
}
