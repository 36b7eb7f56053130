/* patience.h - tells the user of a replication that takes long: which loop of which process it is in. */
#ifndef PEVPM_CLI_PATIENCE_H
#define PEVPM_CLI_PATIENCE_H

#include "common/diag.h"
#include "common/progress.h"
#include "common/status.h"
#include "sim/predict.h"

struct patience {
    struct engine_watch watch;
    struct progress_bar *progress; /* taken away before something is said; NULL: none */
    bool said;
};

/* For requests: their `watch`. The first replication that takes longer than ten seconds of wall time is a warning on
 * standard error, at once; later ones are not told. It stays valid as long as *patience. For tests the variable
 * PEVPM_PATIENCE of the environment has another number of seconds, which patience_check has found to be one. */
const struct engine_watch *patience_begin(struct patience *patience, struct progress_bar *progress);

/* STATUS_USAGE with a diagnostic: what PEVPM_PATIENCE says is no time above zero. */
enum status patience_check(struct diags *diags);

#endif
