/* plan_impl.h - what the files of plan.h share:
 *
 *     plan.c        files, nodes, and what all calls of a node have in common
 *     place.c       where a recorded call stands (place.h)
 *     plan_check.c  whether these are the sources that were compiled, and all of them
 *     plan_walk.c   what all processes did, in their order */
#ifndef PEVPM_ANNOTATE_PLAN_IMPL_H
#define PEVPM_ANNOTATE_PLAN_IMPL_H

#include "annotate/plan.h"

/* STATUS_NOT_YET: a function stands in other lines than when the program was compiled. */
enum status plan_check_versions(const struct plan *plan, struct diags *diags);

/* A warning for the first call that stands in other lines of its function. After the chains. */
void plan_check_lines(const struct plan *plan, struct diags *diags);

/* Finds the function that the program begins in, where all call paths do. STATUS_NOT_YET: there is none, or there are several. */
enum status plan_find_begin(struct plan *plan, struct diags *diags);

/* What all processes did, in their order. */
enum status plan_walk(struct plan *plan, struct diags *diags);

#endif
