/* confirmed.h - decisions that an analytical model made (decide.h), held against the virtual machine.
 *
 * Where a machine file has measured times they know what no model does: ports that pass the first bytes at once, that
 * two messages to one node wait for one another. So of a tree those sizes stay at which the operation, alone and
 * entered by all at once, takes at least `gain` less with the decisions than without, by the median of
 * CONFIRM_REPLICATIONS replications, from the line's own root, or from each of CONFIRM_ROOTS that are spread over the
 * ranks. Looked at are a line's ends and the powers of two between them; what holds at CONFIRM_LARGEST is taken to hold
 * beyond, and what holds at a size up to the next. Lines with pieces stay: how often a Gather escalates is itself
 * measured (models.lmo.escalation), at the very operation. Their pieces are halved until the root's port, whichever node
 * is root, holds one of each other process, where the machine file says what it holds (buffer), and then as often as that
 * makes the operation at least `gain` shorter: a burst of all shares, which the model goes by, finds the root's port
 * empty, and pieces that follow one another do not. */
#ifndef PEVPM_SIM_CONFIRMED_H
#define PEVPM_SIM_CONFIRMED_H

#include "sim/decide.h"

enum { CONFIRM_REPLICATIONS = 16, CONFIRM_ROOTS = 3, CONFIRM_LARGEST = 1 << 20 };

/* Can it: has the machine measured times, and are its nodes those of the decisions (not each a process)? */
bool decisions_confirmable(const struct machine *machine, const struct decide_wish *wish);

/* Shortens or drops lines of *decisions, or parts them; what is told of a line is then what was predicted here.
 * *dropped: how many of the sizes looked at did not hold. Errors of a prediction come back with its status. */
enum status decisions_confirm(struct decisions *decisions, const struct machine *machine,
                              const struct decide_wish *wish, size_t *dropped, struct diags *diags);

#endif
