/* topology.h - the parts of a machine file that say what messages wait for: `topology`, `resources`, `rests` and
 * `handshakes` of format 2. Private to the reader; models/machine/fields.h says how errors are reported. */
#ifndef PEVPM_MODELS_MACHINE_TOPOLOGY_H
#define PEVPM_MODELS_MACHINE_TOPOLOGY_H

#include "models/machine/fields.h"

/* machine->nodes must be known (0: it was not read; then nothing is compared with it). */
void topology_read(struct reader *r, const struct spot *spot, struct machine *machine);

/* After the topology, whose groups it names. */
void resources_read(struct reader *r, const struct spot *spot, struct machine *machine);

void rests_read(struct reader *r, const struct spot *spot, struct machine *machine);
void handshakes_read(struct reader *r, const struct spot *spot, struct machine *machine);
void send_buffer_read(struct reader *r, const struct spot *spot, struct machine *machine);

#endif
