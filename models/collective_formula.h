/* collective_formula.h - what a model says of a collective beyond the costs of its messages.
 *
 * Most models say nothing: the messages of the algorithm tell (collectives/schedule_time.h). model_list.h names those
 * that do. */
#ifndef PEVPM_MODELS_COLLECTIVE_FORMULA_H
#define PEVPM_MODELS_COLLECTIVE_FORMULA_H

#include "collectives/schedule.h"
#include "models/machine.h"

/* What the operation before it was, in the same communicator, of the same root and size: none that is known of, one that took
 * the root what `times` says, or longer. */
enum collective_before { BEFORE_unknown, BEFORE_as_ever, BEFORE_longer, N_BEFORE };

struct collective_formulas {
    /* leaves [schedule->size]: when each rank leaves if all enter at 0, s. node [size]: the node of each rank. False,
     * and nothing is written: the model has no formula of its own for this operation with this algorithm. */
    bool (*times)(const struct machine *machine, const struct schedule *schedule, const int node[], double leaves[]);

    /* The root's time is not always `leaves`, what `times` says, but drawn: the caller owns *time. False: it is. NULL:
     * so it is always. */
    bool (*root_time)(const struct machine *machine, const struct schedule *schedule, double leaves,
                      enum collective_before before, struct distribution *time);
};

#endif
