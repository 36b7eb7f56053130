/* transports.h - a machine file's `transports`: how messages go between nodes, within one and to oneself.
 * Private to the reader; models/machine/fields.h says how errors are reported. */
#ifndef PEVPM_MODELS_MACHINE_TRANSPORTS_H
#define PEVPM_MODELS_MACHINE_TRANSPORTS_H

#include "models/machine/fields.h"

void transports_read(struct reader *r, const struct spot *spot, struct machine *machine);

#endif
