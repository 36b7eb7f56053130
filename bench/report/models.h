/* models.h - the figures of a machine file's `models:`, those of
 *
 *   [1] Lastovetsky, Rychkov, IJHPCA 23(2), 2009   [2] Lastovetsky, O'Flynn, IPDPS 2007   [3] Lastovetsky, Rychkov, O'Flynn, the
 *   software tool, 2009
 *   models          [1] Figure 4: one-way times by size under each model of the file, the mean of those measured, and round
 *                   trips of pevpm-estimate
 *   scatter         [1] Figure 3 (a), [3] Figure 3: a linear Scatter among all nodes by LMO, and as measured: the mean of
 *                   `collectives`, and each operation of pevpm-estimate; where S is
 *   gather          [1] Figure 3 (b), [2] Figures 2 and 3, [3] Figure 3: a Gather's linear part, its mean, its levels where
 *                   they are taken, and what was measured; where M1, Mc and M2 are
 *   thresholds      [2] Figures 6 and 7: M1, Mc, M2 by number of processes; M1 by [1]'s ratio, where the file has it
 *   escalation-1 .. [2] Figures 8 to 11: how often each level is taken: the surface, cut at each number of processes of M1,
 *                   and its intervals where the file has them
 * [1] Figure 5 is a drawing of matrices. */
#ifndef PEVPM_BENCH_REPORT_MODELS_H
#define PEVPM_BENCH_REPORT_MODELS_H

#include "bench/report/figure.h"
#include "models/machine_source.h"

#include <stdbool.h>

enum { REPORT_LEVELS_MOST = 8, REPORT_MODEL_FIGURES = 4 + REPORT_LEVELS_MOST };

/* Fills figures that the file has the data of, and returns how many; a note says which are left out, and why. */
size_t report_model_figures(const struct machine *machine, const struct machine_source *source,
                            struct figure figures[REPORT_MODEL_FIGURES], struct diags *diags);

#endif
