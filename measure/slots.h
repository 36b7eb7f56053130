/* slots.h - which processes of a node send to which, where it matters on which sockets they are. Pure.
 *
 * A node has `ppn` processes, numbered by slots; socket[slot] is the socket of each. The first `n` of a choice are a
 * group over which a pattern is laid that sends from process q to process q + n/2 and back (pattern_pingpong with n = 2,
 * pattern_pairs): so all its messages are of one transport,
 *
 *     socket  within one socket: all are of the one that has most
 *     node    between sockets: the first half are of the sockets that come first, third ..., the others of the rest
 *
 * Sockets may have any numbers from 0 on; the order in which they come in `socket` counts. */
#ifndef PEVPM_MEASURE_SLOTS_H
#define PEVPM_MEASURE_SLOTS_H

#include "models/machine.h"

#include <stdbool.h>

/* How many processes a group may have at most, an even number; 0: no two processes send so. */
int slots_most(int ppn, const int socket[], enum transport transport);

/* The slot of process q of n; 0 <= q < n <= slots_most. */
int slots_nth(int ppn, const int socket[], enum transport transport, int n, int q);

/* How the processes of all nodes lie on their sockets, `sockets` of each node. False: in no way that a machine file has.
 * socket [nodes * ppn]. */
bool slots_map(int nodes, int ppn, const int socket[], int sockets, enum socket_map *map);

#endif
