#include "survey/flat_fitting.h"

#include "common/alloc.h"
#include "estimate/analytical/thresholds.h"
#include "survey/section.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool flat_fit(const struct flat_survey *flat, const struct fitting *lmo, struct many_to_one *found)
{
    assert(lmo->model == FITTING_lmo);
    if (!flat->is_whole)
        return false;
    double *parameters = alloc_array(lmo_parameters(lmo->nodes), sizeof *parameters);
    section_lmo(lmo, parameters);
    const struct many_to_one_input input = flat_input(flat, lmo->nodes, parameters);
    many_to_one_fit(&input, found);
    free(parameters);
    return true;
}

char *flat_missing(const struct flat_survey *flat, double budget)
{
    return alloc_format(MANY_TO_ONE ": the budget of %g s was spent before every size was measured, from %s among %d processes "
                        "with %.0f bytes on", budget, flat->missing_kind == FLAT_gather ? "Gathers" : "Scatters",
                        flat->missing.numprocs, flat->missing.bytes);
}

/* 0: none escalates. */
static double M1_by_levels(const struct machine_lmo *lmo, int numprocs)
{
    for (size_t i = 0; i < lmo->M1.n; i++)
        if (lmo->M1.bytes[i] == numprocs && lmo->M1.time[i] <= lmo->M2)
            return lmo->M1.time[i];
    return 0;
}

/* Whether both ways find the same size of a row to be the first that escalates. */
static void ratio_judge(const struct flat_survey *flat, const struct machine_lmo *lmo, int numprocs, struct diags *diags)
{
    struct ratio_leap leap = {0};
    const struct many_to_one_input input = flat_input(flat, 0, NULL);
    const double levels = M1_by_levels(lmo, numprocs);
    many_to_one_ratio(&input, numprocs, &leap);
    if (leap.row == levels)
        return;
    char *text[2];
    for (int by_ratio = 0; by_ratio < 2; by_ratio++) {
        const double M1 = by_ratio ? leap.to : levels;
        text[by_ratio] = M1 > 0 ? alloc_format("%.0f bytes", M1) : alloc_string("none");
    }
    diag_note(diags, place_of_file(NULL), MANY_TO_ONE ": M1 of %d processes is %s by levels, which predictions go by, and "
              "%s by the ratio of %g", numprocs, text[0], text[1], THRESHOLD_RATIO);
    free(text[0]);
    free(text[1]);
}

void flat_judge(const struct flat_survey *flat, const struct flat_wish *wish, const struct many_to_one *found,
                struct diags *diags)
{
    double worst = 0;
    for (size_t i = 0; i < flat->n[FLAT_gather]; i++)
        worst = fmax(worst, flat_point_uncertainty(&flat->points[FLAT_gather][i]));
    if (flat->spent)
        diag_warning(diags, place_of_file(NULL), MANY_TO_ONE ": the budget of %g s is spent; shares of escalated "
                     "operations are known to %.2g only, not to %g", wish->budget, worst, FLAT_SHARE);
    if (found->lmo.n_levels > 0 && found->M2_stride == 0)
        diag_warning(diags, place_of_file(NULL), MANY_TO_ONE ": the largest size still escalates: M2 may be larger; "
                     "let the largest share be larger than %lld bytes", (long long)wish->largest);
    if (flat->n_late > 0)
        diag_note(diags, place_of_file(NULL), MANY_TO_ONE ": %lld operations were measured again, as a process came "
                  "too late for their start", (long long)flat->n_late);
    for (size_t i = 0; i < flat->n[FLAT_gather]; i++) {
        const struct flat_point *point = &flat->points[FLAT_gather][i];
        if (i == 0 || point->numprocs != point[-1].numprocs)
            ratio_judge(flat, &found->lmo, point->numprocs, diags);
    }
}
