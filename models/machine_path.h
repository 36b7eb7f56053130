/* machine_path.h - which resources lie on the way from one node to another, beside the ports of the two: trunks of the
 * groups that a message leaves, from the inside out, and of those that it enters, from the outside in; within a node
 * what is shared there: within a socket, in a node, and of messages between two sockets by what leaves and enters one. */
#ifndef PEVPM_MODELS_MACHINE_PATH_H
#define PEVPM_MODELS_MACHINE_PATH_H

#include "models/cost.h"
#include "models/machine.h"

/* One group's trunk, or the nodes' own of a line. */
struct machine_trunk {
    const struct machine_resource *resource;
    int line;                      /* of `resources` */
    int group;
    const struct node_set *nodes;  /* of the group */
    long long size;                /* how many */
};

struct machine_paths {
    int nodes;                     /* those beyond are these taken round robin */
    size_t n_trunks;
    struct machine_trunk *trunks;  /* ascending by size: a group comes before those that hold it */
    size_t n_local;
    struct machine_trunk *local;   /* group: none; scope socket first */
};

/* The machine is borrowed. */
void machine_paths_init(struct machine_paths *paths, const struct machine *machine);
void machine_paths_free(struct machine_paths *paths);

/* How many groups with a resource of that direction hold one node, at most: a message passes so many on its way out, or
 * in. */
int machine_paths_depth(const struct machine_paths *paths, enum resource_direction direction);

/* As cost_model.path. There is room where machine_paths_depth is at most PATH_MOST / 2 out and in. */
int machine_path(const struct machine_paths *paths, enum transport transport, struct seat from, struct seat to,
                 struct path_hop hop[PATH_MOST]);

#endif
