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

/* A job's nodes by their switches, as struct result has groups. */
struct switches_groups {
    int n;         /* groups of nodes; 1: all are at one switch, or each at one of its own, which its port cannot be told from */
    int *group_of; /* [nodes] from 0 on in the order of the nodes */
    int n_outer;   /* groups of groups: what stands behind a switch further up, of which the rest of the job has none */
    int *above;    /* [n + n_outer] the group that each is in, of a greater number; -1: none */
};

/* Of a job's hosts [nodes]. What is no group: a switch that has no more of the job than another one behind it, for what its trunk
 * passes the other's does; one that has all of it; and one with a single node, where the switch that it is behind has other such
 * alone: then these are a group together. STATUS_NAME: some host is at no switch, which is an error for each. Ends with
 * switches_groups_free, whatever was returned. */
enum status switches_groups(const struct switches *switches, const char *path, int nodes, const char *const hosts[],
                            struct switches_groups *groups, struct diags *diags);
void switches_groups_free(struct switches_groups *groups);

#endif
