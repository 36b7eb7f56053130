/* schedule_cost.h - what a collective operation takes under an analytical model, ranks being on given nodes.
 *
 * By the model's own formula of the operation where it has one (collective_formula.h), else by the messages of the
 * algorithm (collectives/schedule_time.h), each at what the model says. Units: seconds, bytes. */
#ifndef PEVPM_MODELS_SCHEDULE_COST_H
#define PEVPM_MODELS_SCHEDULE_COST_H

#include "collectives/schedule.h"
#include "collectives/schedule_time.h"
#include "models/collective_formula.h"
#include "models/cost.h"

#include <signal.h>

struct schedule_cost {
    const struct machine *machine;
    const struct cost_model *model;       /* an analytical one: its costs are constants */
    const struct collective_formulas *own; /* its own; NULL: none */
    const int *node;                      /* [size] the node of each rank */
    const volatile sig_atomic_t *stop;    /* as in struct schedule_costs */
};

/* leaves [schedule->size]: out; when each rank leaves if all enter at 0. False: the stop flag was set. */
bool schedule_cost_times(const struct schedule_cost *cost, const struct schedule *schedule, double leaves[]);

/* One message from a rank to another. */
void schedule_cost_message(const struct schedule_cost *cost, int32_t from, int32_t to, int64_t bytes,
                           struct message_cost *message);

#endif
