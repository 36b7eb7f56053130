/* entries.h - the entries of a machine file's `point_to_point`: what messages were measured to take.
 * Private to the reader; models/machine/fields.h says how errors are reported. */
#ifndef PEVPM_MODELS_MACHINE_ENTRIES_H
#define PEVPM_MODELS_MACHINE_ENTRIES_H

#include "models/machine/fields.h"

/* machine->nodes must be known (0: it was not read; then nothing is compared with it). */
void point_to_point_read(struct reader *r, const struct spot *spot, struct machine *machine);

#endif
