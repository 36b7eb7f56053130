#include "models/measured/choice.h"

#include <limits.h>
#include <stdlib.h>

bool entry_serves(const struct machine_entry *entry, enum transport transport)
{
    bool makes_levels = entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs;
    return makes_levels && entry->n_sizes > 0 && entry->transport == transport;
}

/* Whether a comes before b where both have the same level and are as close to what is asked for. */
static bool entry_preferred(const struct machine_entry *a, const struct machine_entry *b, int ppn)
{
    enum pattern best = a->level == 1 ? PATTERN_pingpong : PATTERN_pairs;
    if ((a->pattern == best) != (b->pattern == best))
        return a->pattern == best;
    int far_a = abs(a->ppn - ppn), far_b = abs(b->ppn - ppn);
    return far_a != far_b ? far_a < far_b : a->nodes < b->nodes;
}

/* How far an entry is from what is asked for: 0 nothing differs, 1 the operation, 2 the ppn, 3 both. Within a node the
 * level says how many send, whatever the ppn. */
enum { DISTANCES = 4 };

static int entry_distance(const struct machine_entry *entry, enum send_kind kind, int ppn)
{
    bool other_ppn = entry->transport == TRANSPORT_network && entry->ppn != ppn;
    return 2 * other_ppn + (entry->operation != kind);
}

/* Whether messages between nodes were measured with as many processes per node as the run has. */
bool ppn_was_measured(const struct machine *machine, int ppn)
{
    for (size_t i = 0; i < machine->n_entries; i++)
        if (entry_serves(&machine->entries[i], TRANSPORT_network) && machine->entries[i].ppn == ppn)
            return true;
    return false;
}

/* Puts an entry at its place among those chosen, ascending by level, one each. */
static void chosen_add(const struct machine_entry *chosen[], size_t *n, const struct machine_entry *entry, int ppn)
{
    size_t at = *n;
    while (at > 0 && chosen[at - 1]->level > entry->level)
        at--;
    if (at > 0 && chosen[at - 1]->level == entry->level) {
        if (entry_preferred(entry, chosen[at - 1], ppn))
            chosen[at - 1] = entry;
        return;
    }
    for (size_t i = (*n)++; i > at; i--)
        chosen[i] = chosen[i - 1];
    chosen[at] = entry;
}

/* The entries that make the axis of levels, ascending, into chosen [n_entries]; how many. The closest come first; those
 * further away make the axis longer and never stand between two that are closer. With other ppn they do so downwards
 * only: few messages that share a node's port are as many that do not, but of many no ppn tells what another costs. */
size_t entries_choose(const struct machine *machine, enum transport transport, enum send_kind kind, int ppn,
                      const struct machine_entry *chosen[])
{
    const bool has_ppn = ppn_was_measured(machine, ppn);
    size_t n = 0;
    for (int distance = 0; distance < DISTANCES; distance++) {
        const bool upwards = distance < 2 || !has_ppn;
        const int low = n > 0 ? chosen[0]->level : INT_MAX, high = n > 0 ? chosen[n - 1]->level : INT_MAX;
        for (size_t i = 0; i < machine->n_entries; i++) {
            const struct machine_entry *entry = &machine->entries[i];
            if (entry_serves(entry, transport) && entry_distance(entry, kind, ppn) == distance &&
                (entry->level < low || (upwards && entry->level > high)))
                chosen_add(chosen, &n, entry, ppn);
        }
    }
    return n;
}

const struct distribution *size_quantity(const struct machine_size *size, enum quantity quantity)
{
    switch (quantity) {
    case QUANTITY_TRANSIT:
        return &size->transit;
    case QUANTITY_SEND_OVERHEAD:
        return size->has_send_overhead ? &size->send_overhead : NULL;
    case QUANTITY_RECEIVE_OVERHEAD:
        return size->has_receive_overhead ? &size->receive_overhead : NULL;
    }
    return NULL;
}

bool entry_has(const struct machine_entry *entry, enum quantity quantity)
{
    for (size_t i = 0; i < entry->n_sizes; i++)
        if (size_quantity(&entry->sizes[i], quantity))
            return true;
    return false;
}

/* The entry that a quantity which does not depend on the level is taken from; NULL: none has it. Of those that have it
 * at all one of its operation, then of the lowest level, then of the run's ppn. */
const struct machine_entry *entry_with(const struct machine *machine, enum transport transport,
                                       enum send_kind kind, int ppn, enum quantity quantity)
{
    const struct machine_entry *found = NULL;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        if (!entry_serves(entry, transport) || !entry_has(entry, quantity))
            continue;
        bool better = !found;
        if (found && (entry->operation == kind) != (found->operation == kind))
            better = entry->operation == kind;
        else if (found && entry->level != found->level)
            better = entry->level < found->level;
        else if (found && (entry->ppn == ppn) != (found->ppn == ppn))
            better = entry->ppn == ppn;
        else if (found)
            better = entry_preferred(entry, found, ppn);
        found = better ? entry : found;
    }
    return found;
}
