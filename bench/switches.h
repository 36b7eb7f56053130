/* switches.h - a tree of switches, as Slurm's topology.conf describes it (topology/tree): a line for each switch,
 *
 *     SwitchName=leaf1 Nodes=n[1-4]
 *     SwitchName=leaf2 Nodes=n[5-8]
 *     SwitchName=top Switches=leaf[1-2]
 *
 * Keys in any case, `#` begins a comment, a line that ends with `\` goes on in the next. LinkSpeed is left out, with a
 * note: rates are measured. */
#ifndef PEVPM_BENCH_SWITCHES_H
#define PEVPM_BENCH_SWITCHES_H

#include "common/diag.h"
#include "common/status.h"
#include "models/host_list.h"

#include <stdbool.h>
#include <stddef.h>

struct switches_entry {
    char *name;
    int parent;              /* which entry; -1: none */
    int first_node, end_node; /* of `nodes`: those that are plugged into it; empty where other switches are */
};

struct switches {
    size_t n, capacity;
    struct switches_entry *list; /* in the file's order */
    struct host_names nodes;     /* of all switches, likewise */
};

/* Errors, each at its place: what is no such line; a name that is there twice, of a switch, or of a node at two
 * switches; a switch that nobody has described, that two switches have, or that is its own parent's parent; one with
 * both nodes and switches, or neither; one without a parent where others have one. STATUS_IO, STATUS_SYNTAX,
 * STATUS_NAME. Ends with switches_free, whatever was returned. */
enum status switches_read(struct switches *switches, const char *path, struct diags *diags);
void switches_free(struct switches *switches);

/* The switch that a host is plugged into, by its name as it is or up to the first dot; -1: none. */
int switches_of_host(const struct switches *switches, const char *host);

/* The nodes of a job, hosts [nodes], by their switches: writes each one's group, from 0 on in the order of the nodes,
 * to group_of [nodes]; returns how many. 0: some host is at no switch, which is an error for each. */
size_t switches_groups(const struct switches *switches, const char *path, int nodes, const char *const hosts[],
                       int group_of[], struct diags *diags);

/* Whether messages between some of these hosts pass a switch that is neither one with nodes nor the parent of one: what
 * trunks between such switches carry is nobody's group. */
bool switches_are_deep(const struct switches *switches, int nodes, const char *const hosts[]);

#endif
