#include "survey/measuring.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "estimate/analytical/lmo_formula.h"

#include <math.h>
#include <stdlib.h>

static const double EXPERIMENT_MOST = 5; /* s: what slow links may take of one; the dead are told apart by each repetition */

struct stopping measuring_rule(void)
{
    struct stopping rule = STOPPING_DEFAULT;
    rule.minimum = MEASURING_REPETITIONS_LEAST;
    rule.maximum = 10;
    rule.time_cap = EXPERIMENT_MOST;
    return rule;
}

int measuring_nodes_least(const bool models[N_FITTINGS])
{
    return models[FITTING_lmo] ? 3 : 2;
}

/* PLogP: sizes are added where the curves bend, until they do not, or there is no room. */
static void plogp_survey(struct survey *survey, const struct fitting_wish *wish, struct fitting *f)
{
    double M = (double)wish->bytes, bytes[PLOGP_SIZES_MOST] = {0, floor(M / 4), floor(M / 2), M}, at = 0;
    size_t k = 4;
    while (!isnan(at)) {
        fitting_plan(f, FITTING_plogp, survey, wish, k, bytes);
        survey_run(survey);
        at = NAN;
        if (survey->rank == 0 && k < PLOGP_SIZES_MOST) {
            fitting_estimate(f, survey, NULL);
            at = fitting_refine(f);
        }
        share_broadcast(survey->comm, &at, (int)sizeof at, 0);
        if (isnan(at))
            break;
        size_t place = k++;
        for (; bytes[place - 1] > at; place--)
            bytes[place] = bytes[place - 1];
        bytes[place] = at;
        fitting_free(f);
    }
}

static void triplets_survey(struct survey *survey, struct fitting *f)
{
    size_t bytes = fitting_triplets(f, survey, NULL) * sizeof(struct triplet);
    struct triplet *all = alloc_array(bytes, 1);
    if (survey->rank == 0)
        fitting_triplets(f, survey, all);
    share_broadcast(survey->comm, all, (int)bytes, 0);
    fitting_plan_triplets(f, survey, all);
    survey_run(survey);
    free(all);
}

/* LMO: passes of those one-to-two experiments that are to be repeated, until none is. */
static void lmo_survey(struct survey *survey, const struct fitting_wish *wish, const struct stopping *rule, struct fitting *f)
{
    bool any = true;
    fitting_plan(f, FITTING_lmo, survey, wish, 0, NULL);
    survey_run(survey);
    triplets_survey(survey, f);
    bool *more = alloc_zeroed(survey->n, sizeof *more);
    while (any) {
        if (survey->rank == 0)
            fitting_more(f, survey, rule, more);
        share_broadcast(survey->comm, more, (int)(survey->n * sizeof *more), 0);
        any = false;
        for (size_t i = 0; i < survey->n; i++)
            any = any || more[i];
        if (any)
            survey_more(survey, more);
    }
    free(more);
}

size_t measuring_run(struct survey *survey, const struct fitting_wish *wish, const struct stopping *rule,
                     const bool models[N_FITTINGS], struct fitting fittings[N_FITTINGS])
{
    size_t n = 0;
    for (int model = 0; model < N_FITTINGS; model++) {
        if (!models[model])
            continue;
        struct fitting *f = &fittings[n++];
        if (model == FITTING_plogp) {
            plogp_survey(survey, wish, f);
        } else if (model == FITTING_lmo) {
            lmo_survey(survey, wish, rule, f);
        } else {
            fitting_plan(f, (enum fitting_model)model, survey, wish, 0, NULL);
            survey_run(survey);
        }
    }
    return n;
}

void measuring_judge(const struct survey *survey, const struct fitting *f, struct diags *diags)
{
    if (f->model != FITTING_lmo)
        return;
    if (lmo_port_limited(f->nodes, f->found))
        diag_warning(diags, place_of_file(NULL),
                     "lmo: 1/beta is negative: ports and not processors limit the nodes, so t is a port's time per byte. "
                     "Sums t + t + 1/beta are right (port_limited)");
    struct repeats *repeats = fitting_repeats(f, survey, NULL, 0);
    double worst = 0;
    size_t node = 0;
    for (size_t i = 0; i < f->nodes; i++) {
        double excess = lmo_excess(&f->lmo, repeats, i);
        if (excess > worst)
            worst = excess, node = i;
    }
    size_t first, second;
    if (f->lmo.ports && lmo_fastest_pair(&f->lmo, repeats, &first, &second))
        diag_note(diags, place_of_file(NULL),
                  "lmo: nodes %zu and %zu are faster than all others, and one of them may be faster than its t says: "
                  "it has nobody as fast to send to", first, second);
    free(repeats);
    const struct estimate *t = &f->found[lmo_parameter_t(f->nodes, node)];
    if (worst > t->half_width)
        diag_note(diags, place_of_file(NULL),
                  "lmo: t of node %zu, %.3g s, may be up to %.2g s too large, if what times vary by arises on the way to "
                  "one node alone", node, t->value, worst);
}

void measuring_clamped(const struct section_clamped *clamped, struct diags *diags)
{
    if (clamped->n > 0)
        diag_warning(diags, place_of_file(NULL), "%zu parameter%s (%s) came out negative and %s set to 0: measure with "
                     "more repetitions or more bytes", clamped->n, clamped->n == 1 ? "" : "s", clamped->kinds,
                     clamped->n == 1 ? "was" : "were");
}
