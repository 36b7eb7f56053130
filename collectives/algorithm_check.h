/* algorithm_check.h - does every Collective directive of a program have the algorithm that it names? */
#ifndef PEVPM_COLLECTIVES_ALGORITHM_CHECK_H
#define PEVPM_COLLECTIVES_ALGORITHM_CHECK_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/tree.h"

/* All wrong names are reported, each at its place. The first status of algorithm_parse (schedule.h) that is not OK. */
enum status algorithms_check(const struct tree *tree, struct diags *diags);

#endif
