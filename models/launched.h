/* launched.h - a cost model as another launch of the measuring job might have found it.
 *
 * The machine file says how much the median transit of a size differs between launches (`launch_sd`, a part of it).
 * Here every transit of M bytes is longer by that: one standard deviation. Between sizes launch_sd is linear, beyond
 * the ends it stays; of several entries those of the lowest level between nodes count, or within one where nothing
 * between nodes has it. */
#ifndef PEVPM_MODELS_LAUNCHED_H
#define PEVPM_MODELS_LAUNCHED_H

#include "models/cost.h"
#include "models/machine.h"

#include <stdbool.h>

/* Whether the file says anything about it. */
bool launched_is_known(const struct machine *machine);

/* inner and machine are borrowed; cost_model_close of the result leaves them alone. */
struct cost_model *launched_wrap(const struct cost_model *inner, const struct machine *machine);

#endif
