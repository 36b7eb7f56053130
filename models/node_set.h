/* node_set.h - a set of nodes, numbered from 0, as stretches of consecutive ones: what a cluster names together has few
 * stretches, however many nodes it has. */
#ifndef PEVPM_MODELS_NODE_SET_H
#define PEVPM_MODELS_NODE_SET_H

#include <stdbool.h>
#include <stddef.h>

struct node_stretch {
    int first, last;
};

/* Stretches ascend and do not touch one another. {0}: the empty set. */
struct node_set {
    size_t n, capacity;
    struct node_stretch *stretch;
};

/* Adds first .. last; of them, those that were in the set before stay. */
void node_set_add(struct node_set *set, int first, int last);
void node_set_add_all(struct node_set *set, const struct node_set *other);
void node_set_free(struct node_set *set);

bool node_set_has(const struct node_set *set, int node);
long long node_set_count(const struct node_set *set);

/* The first node that both have; -1: none. */
int node_set_meet(const struct node_set *a, const struct node_set *b);

/* Whether all nodes of `part` are in `whole`. */
bool node_set_is_part(const struct node_set *part, const struct node_set *whole);

/* As host_list.h reads it without names: "0-3,8". The caller frees it. */
char *node_set_text(const struct node_set *set);

#endif
