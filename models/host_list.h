/* host_list.h - nodes named in one text, as Slurm does: "n[0-3,8],login". In brackets stand numbers and stretches of
 * them, with leading zeros where the names have them ("n[08-11]"). Of several pairs of brackets in a name the last
 * counts fastest: "r[1-2]n[1-4]" is r1n1 to r1n4, r2n1 to r2n4. Where nodes have no names the text has their numbers,
 * from 0: "0-3,8". */
#ifndef PEVPM_MODELS_HOST_LIST_H
#define PEVPM_MODELS_HOST_LIST_H

#include "models/node_set.h"

#include <stdbool.h>
#include <stddef.h>

/* Names of one form: prefix, number, suffix. A name without brackets is one with digits = 0 and an empty suffix. */
struct host_names_item {
    char *prefix, *suffix;
    int digits;      /* at least so many, with leading zeros */
    int first, last; /* numbers */
    int node;        /* of the first */
};

/* The names of nodes 0, 1, 2 ... {0}: they have none. */
struct host_names {
    size_t n, capacity;
    struct host_names_item *items;
    int nodes; /* how many names */
};

enum {
    HOST_LIST_PROBLEM_BYTES = 160,
    HOST_NAME_BYTES = 280 /* a full name in DNS has at most 253 */
};

/* Both return false where `text` is wrong, with what is wrong in `problem`; what was read until then is to be freed all
 * the same.
 *   names  the nodes in the order of their names; those that were there stay before them, and none is there twice
 *   nodes  of a machine of `nodes` nodes; added to *set */
bool host_names_parse(struct host_names *names, const char *text, char problem[HOST_LIST_PROBLEM_BYTES]);
bool host_list_parse(struct node_set *set, const struct host_names *names, int nodes, const char *text,
                     char problem[HOST_LIST_PROBLEM_BYTES]);

/* The node of that name; -1: none. */
int host_names_find(const struct host_names *names, const char *name);
/* The name of a node, 0 <= node < names->nodes. */
void host_names_name(const struct host_names *names, int node, char name[HOST_NAME_BYTES]);

void host_names_free(struct host_names *names);

#endif
