#include "models/machine/entries.h"

#include "common/alloc.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static void size_read(struct reader *r, const struct spot *spot, struct machine_size *size)
{
    struct field fields[] = {{"bytes", true, {0}}, {"transit", true, {0}}, {"send_overhead", false, {0}},
                             {"receive_overhead", false, {0}}, {"launch_sd", false, {0}}};
    static const struct range not_negative = {0, HUGE_VAL, "a number of at least 0"};
    size->bytes = -1;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[0].spot.node)
        whole_read(r, &fields[0].spot, 0, INT64_MAX, &size->bytes);
    if (fields[1].spot.node)
        distribution_read(r, &fields[1].spot, &size->transit);
    if (fields[2].spot.node)
        size->has_send_overhead = distribution_read(r, &fields[2].spot, &size->send_overhead);
    if (fields[3].spot.node)
        size->has_receive_overhead = distribution_read(r, &fields[3].spot, &size->receive_overhead);
    if (fields[4].spot.node)
        number_read(r, &fields[4].spot, not_negative, &size->launch_sd);
}

static void sizes_read(struct reader *r, const struct spot *spot, struct machine_entry *entry)
{
    if (!list_check(r, spot, LIST_ANY, "a list of sizes"))
        return;
    size_t n = spot->node->n;
    if (n == 0)
        spot_error(r, spot, "expected at least 1 size, found an empty list");
    entry->sizes = alloc_zeroed(n, sizeof *entry->sizes);
    entry->n_sizes = n;
    int64_t last = -1;
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        size_read(r, &item, &entry->sizes[i]);
        int64_t bytes = entry->sizes[i].bytes;
        if (bytes >= 0 && bytes == last)
            spot_error(r, &item, "two entries for %lld bytes", (long long)bytes);
        else if (bytes >= 0 && bytes < last)
            spot_error(r, &item, "%lld bytes after %lld: sizes must ascend", (long long)bytes, (long long)last);
        last = bytes > last ? bytes : last;
    }
}

/* X(key, required): an entry. */
#define ENTRY_LIST(X)                                                                                      \
    X(operation, true) X(pattern, false) X(nodes, true) X(processes_per_node, true) X(level, false)        \
    X(transport, false) X(sizes, true)
enum entry_key {
#define X(name, required) ENTRY_##name,
    ENTRY_LIST(X)
#undef X
};

/* How many nodes, processes and messages; what is not given follows from the rest. */
static void entry_shape_read(struct reader *r, const struct spot *spot, const struct field fields[],
                             const struct machine *machine, struct machine_entry *entry)
{
    const struct spot *nodes = &fields[ENTRY_nodes].spot, *ppn = &fields[ENTRY_processes_per_node].spot;
    const struct spot *level = &fields[ENTRY_level].spot;
    entry->nodes = entry->ppn = 0;
    if (nodes->node && int_read(r, nodes, 1, INT_MAX, &entry->nodes) && machine->nodes && entry->nodes > machine->nodes)
        spot_error(r, nodes, "%d is more than the machine has (nodes: %d)", entry->nodes, machine->nodes);
    if (ppn->node && int_read(r, ppn, 1, INT_MAX, &entry->ppn) && machine->ppn && entry->ppn > machine->ppn)
        spot_error(r, ppn, "%d is more than the machine has (processes_per_node: %d)", entry->ppn, machine->ppn);
    double processes = (double)entry->nodes * entry->ppn;
    if (processes == 1 && !fields[ENTRY_transport].spot.node)
        spot_error(r, spot, "one process alone sends messages to itself only: nodes or processes_per_node must be "
                            "above 1, or `transport: self` there");
    entry->level = entry->pattern == PATTERN_pingpong ? 1 : processes < INT_MAX ? (int)processes : INT_MAX;
    if (level->node)
        int_read(r, level, 1, INT_MAX, &entry->level);
}

/* The transport, which must be that of messages of such a shape. */
static void entry_transport_read(struct reader *r, const struct spot *spot, const struct machine *machine,
                                 struct machine_entry *entry)
{
    static const char *const transports[] = {
#define X(name, messages) #name,
        TRANSPORT_LIST(X)
#undef X
    };
    int choice;
    bool alone = entry->nodes == 1 && entry->ppn == 1;
    enum transport by_nodes = entry->transport = machine_transport_by_nodes(entry->nodes);
    if (!spot->node || !choice_read(r, spot, "transport", transports, N_TRANSPORTS, &choice))
        return;
    entry->transport = (enum transport)choice;
    if (entry->transport == TRANSPORT_socket && machine->sockets == 1)
        spot_error(r, spot, SOCKETS_UNKNOWN);
    if (entry->nodes == 0 || entry->ppn == 0)
        return;
    if (entry->transport == TRANSPORT_socket && !alone && by_nodes == TRANSPORT_node)
        return;
    if (entry->transport != TRANSPORT_self && (alone || entry->transport != by_nodes))
        spot_error(r, spot, "with nodes: %d and processes_per_node: %d messages go by `%s`", entry->nodes, entry->ppn,
                   alone ? "self" : transports[by_nodes]);
    else if (entry->transport == TRANSPORT_self && (!alone || entry->level != 1))
        spot_error(r, spot, "a message to oneself is measured on one process: nodes, processes_per_node and level "
                            "must be 1");
    else if (entry->transport == TRANSPORT_self &&
             (entry->pattern == PATTERN_fan_in || entry->pattern == PATTERN_fan_out))
        spot_error(r, spot, "one process alone makes no fan: the pattern must be pingpong or pairs");
}

static void entry_read(struct reader *r, const struct spot *spot, const struct machine *machine,
                       struct machine_entry *entry)
{
    static const char *const operations[] = {"MPI_Send", "MPI_Isend"};
    static const char *const patterns[] = {
#define X(name) #name,
        PATTERN_LIST(X)
#undef X
    };
    struct field fields[] = {
#define X(name, required) {#name, required, {0}},
        ENTRY_LIST(X)
#undef X
    };
    entry->pattern = PATTERN_pairs;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    int choice;
    if (fields[ENTRY_operation].spot.node &&
        choice_read(r, &fields[ENTRY_operation].spot, "operation", operations, 2, &choice))
        entry->operation = choice == 0 ? SEND_BLOCKING : SEND_NONBLOCKING;
    if (fields[ENTRY_pattern].spot.node &&
        choice_read(r, &fields[ENTRY_pattern].spot, "pattern", patterns, sizeof patterns / sizeof *patterns, &choice))
        entry->pattern = (enum pattern)choice;
    entry_shape_read(r, spot, fields, machine, entry);
    entry_transport_read(r, &fields[ENTRY_transport].spot, machine, entry);
    if (fields[ENTRY_sizes].spot.node)
        sizes_read(r, &fields[ENTRY_sizes].spot, entry);
}

/* An entry and where it stands, sorted to find two of one kind. */
struct entry_ref {
    const struct machine_entry *entry;
    size_t index;
};

static int entry_compare_kind(const struct machine_entry *a, const struct machine_entry *b)
{
    const int x[] = {(int)a->operation, (int)a->pattern, a->nodes, a->ppn, a->level, a->transport == TRANSPORT_socket};
    const int y[] = {(int)b->operation, (int)b->pattern, b->nodes, b->ppn, b->level, b->transport == TRANSPORT_socket};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int entry_compare(const void *a, const void *b)
{
    const struct entry_ref *x = a, *y = b;
    int order = entry_compare_kind(x->entry, y->entry);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void entries_compare(struct reader *r, const struct spot *list, const struct machine *machine)
{
    struct entry_ref *refs = alloc_array(machine->n_entries, sizeof *refs);
    for (size_t i = 0; i < machine->n_entries; i++)
        refs[i] = (struct entry_ref){&machine->entries[i], i};
    qsort(refs, machine->n_entries, sizeof *refs, entry_compare);
    for (size_t i = 1; i < machine->n_entries; i++) {
        struct spot item = spot_item(list, refs[i].index);
        if (refs[i].entry->nodes && refs[i].entry->ppn && entry_compare_kind(refs[i - 1].entry, refs[i].entry) == 0)
            spot_error(r, &item,
                       "the same operation, pattern, nodes, processes_per_node and level as point_to_point[%zu]",
                       refs[i - 1].index);
    }
    free(refs);
}

void point_to_point_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    if (!list_check(r, spot, LIST_ANY, "a list of measurements"))
        return;
    machine->n_entries = spot->node->n;
    machine->entries = alloc_zeroed(machine->n_entries, sizeof *machine->entries);
    for (size_t i = 0; i < machine->n_entries; i++) {
        struct spot item = spot_item(spot, i);
        entry_read(r, &item, machine, &machine->entries[i]);
    }
    entries_compare(r, spot, machine);
}
