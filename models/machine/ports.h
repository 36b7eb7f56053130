/* ports.h - a machine file's `ports`, of format 1: how long a message keeps them busy, for all nodes and for each.
 * Private to the reader; models/machine/fields.h says how errors are reported. */
#ifndef PEVPM_MODELS_MACHINE_PORTS_H
#define PEVPM_MODELS_MACHINE_PORTS_H

#include "models/machine/fields.h"

/* machine->nodes must be known (0: it was not read; then nothing is compared with it). */
void ports_read(struct reader *r, const struct spot *spot, struct machine *machine);

#endif
