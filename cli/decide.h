/* decide.h - `pevpm-sim decide`: which collectives libpevpm-coll should carry out, written into a machine file. */
#ifndef PEVPM_CLI_DECIDE_H
#define PEVPM_CLI_DECIDE_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stdio.h>

/* argv[0] is "decide"; argv is permuted. What was decided, --help and --version go to `out`. *quiet: warnings are not
 * wanted. */
enum status decide_command(int argc, char *argv[], FILE *out, bool *quiet, struct diags *diags);

#endif
