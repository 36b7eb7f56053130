/* collectives.h - a machine file's `collectives`: which algorithms its library takes, by which model they are costed, and what
 * whole operations were measured to take.
 * Private to the reader; models/machine/fields.h says how errors are reported. */
#ifndef PEVPM_MODELS_MACHINE_COLLECTIVES_H
#define PEVPM_MODELS_MACHINE_COLLECTIVES_H

#include "models/machine/fields.h"

/* After `models`, of which an operation may name one that the file has to give. */
void collectives_read(struct reader *r, const struct spot *spot, struct machine *machine);

#endif
