/* formula.h - times of collectives by the formula of a model: `collectives: OP: {model: hockney}` of the machine file.
 *
 * A formula's times are those of the algorithm's messages under that model (collectives/schedule_time.h) when all
 * processes enter at once: for Hockney the closed forms of collectives/schedule.h; or of the model's own formula of the
 * operation where it has one (models/model_list.h; LMO: models/lmo_collective.h). Processes cost what their nodes do.
 * No eager limit, and nothing but the collective is on the network, whatever the run's --model and --contention.
 * Times are found once for each (model, communicator, operation, algorithm, sizes) and kept.
 * Belongs to one engine: not shared between threads. Units: seconds, bytes. */
#ifndef PEVPM_ENGINE_FORMULA_H
#define PEVPM_ENGINE_FORMULA_H

#include "collectives/schedule.h"
#include "directives/program.h"
#include "models/collective_formula.h"
#include "models/machine.h"

#include <signal.h>
#include <stdbool.h>

struct formulas;

/* Borrowed: all; stop: NULL or a flag that ends a long calculation. */
struct formulas *formulas_create(const struct program *program, const struct machine *machine,
                                 const volatile sig_atomic_t *stop);
void formulas_destroy(struct formulas *formulas);

/* The number of the model that an entry names, which is not "measured"; its parameters are read. Statuses of
 * cost_model_open. */
enum status formulas_find(struct formulas *formulas, const struct machine_collective *entry, int *model,
                          struct diags *diags);

/* leaves [schedule->size]: when each rank of the communicator leaves if all enter at 0. False: the stop flag was
 * set. */
bool formulas_times(struct formulas *formulas, int model, int32_t comm, const struct schedule *schedule,
                    double leaves[]);

/* The root's time is drawn and not always `leaves`, which formulas_times says: the caller owns *time. False: it is. */
bool formulas_root_time(const struct formulas *formulas, int model, const struct schedule *schedule, double leaves,
                        enum collective_before before, struct distribution *time);

#endif
