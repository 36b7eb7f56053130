/* choice.h - which entries of a machine file serve a kind of message: steps 1 and 2 of models/measured.h. */
#ifndef PEVPM_MODELS_MEASURED_CHOICE_H
#define PEVPM_MODELS_MEASURED_CHOICE_H

#include "models/machine.h"

/* Does an entry make levels of messages by this transport? */
bool entry_serves(const struct machine_entry *entry, enum transport transport);

/* Whether messages between nodes were measured with as many processes per node. */
bool ppn_was_measured(const struct machine *machine, int ppn);

/* The entries that make the axis of levels, ascending, into chosen [n_entries]; returns how many. */
size_t entries_choose(const struct machine *machine, enum transport transport, enum send_kind kind, int ppn,
                      const struct machine_entry *chosen[]);

/* Which distribution of a size: 0 transit, 1 + enum side an overhead; NULL: not given. */
enum quantity { QUANTITY_TRANSIT, QUANTITY_SEND_OVERHEAD, QUANTITY_RECEIVE_OVERHEAD };

/* Of one size; NULL: it has none. */
const struct distribution *size_quantity(const struct machine_size *size, enum quantity quantity);

/* Has some size of an entry the quantity? */
bool entry_has(const struct machine_entry *entry, enum quantity quantity);

/* The entry that an overhead is taken from, which does not depend on the level; NULL: none has it. */
const struct machine_entry *entry_with(const struct machine *machine, enum transport transport,
                                       enum send_kind kind, int ppn, enum quantity quantity);

#endif
