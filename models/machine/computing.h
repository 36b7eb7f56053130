/* computing.h - what a machine file says of computing: `serial`, `node_time_factor`, `serial_variability` and `reduction`.
 * Private to the reader; models/machine/fields.h says how errors are reported. */
#ifndef PEVPM_MODELS_MACHINE_COMPUTING_H
#define PEVPM_MODELS_MACHINE_COMPUTING_H

#include "models/machine/fields.h"

void serials_read(struct reader *r, const struct spot *spot, struct machine *machine);
/* One for each node, or for the first ones; machine->nodes must be known (0: it was not read). */
void factors_read(struct reader *r, const struct spot *spot, struct machine *machine);
void variability_read(struct reader *r, const struct spot *spot, struct machine *machine);
void reduction_read(struct reader *r, const struct spot *spot, struct machine *machine);

#endif
