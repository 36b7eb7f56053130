/* measured.h - costs drawn from the measured entries of a machine file (`--model measured`).
 *
 * Which entries serve (docs/machine-file.md): patterns pingpong and pairs; fan_in and fan_out serve the estimation of
 * ports only. Messages of a process to itself are served by entries with transport: self, those within a socket by those
 * with transport: socket, others within a node by those with nodes: 1, messages between nodes by the rest. Of each of the four the entries of all operations and
 * processes_per_node make one axis of levels:
 *   1. first the operation asked for (MPI_Send for blocking sends, MPI_Isend for the others) with the run's
 *      processes_per_node; then the other operation with the run's, at levels below or above all of these; then, at
 *      levels below all of these, or at any where there are none of these, the operation with another
 *      processes_per_node and the other operation with another. Within a node the processes_per_node do not count here;
 *   2. of entries with the same level one stays. At level 1 a pingpong is preferred to pairs, above it pairs to a
 *      pingpong; then the processes_per_node nearest to the run's, then fewer nodes, then the earlier in the file.
 * A machine without entries within a node serves such messages by those between nodes (noted when a run puts several
 * processes on a node). A machine of one node (nodes: 1) without entries between nodes serves all by those within; any
 * other without them is refused. Within a socket and between two of a node the entries of the one serve the other, too,
 * where it has none. Without entries for messages to oneself such a message has the overheads of an empty
 * message within the node, and nothing else: its transit is the smallest send overhead and the receive overhead, so
 * that whatever is drawn it is no later than the calls (self_is_known is false).
 *
 * Transit: interpolated in bytes within an entry, then between the levels; all linear, at equal probability. Below the
 * smallest size or level the smallest serves; above the largest size the sizes of the other operation's entry that was
 * measured likewise (same pattern, nodes, processes_per_node, level), and above all of these the line through the last
 * two goes on; above the largest level the largest serves. So at most 4 distributions are mixed. Overheads:
 * interpolated in bytes likewise, in one entry that gives the overhead for any size (sizes without it are skipped): of
 * the operation asked for, or else of the other; then of the lowest level, then of the run's processes_per_node, then
 * as in step 2. 0 where no entry between nodes, or within one, gives it. They do not depend on the level: how long a
 * call keeps its own processor busy is not known to depend on what others have in flight, and a pingpong shows it most
 * cleanly. Modes average and minimum: every distribution is replaced by its average or minimum before anything is
 * mixed. Ports act under CONTENTION_ports and CONTENTION_frames only; their gaps and credits come from the sender's and the receiver's node
 * where the file has per_node. */
#ifndef PEVPM_MODELS_MEASURED_H
#define PEVPM_MODELS_MEASURED_H

#include "models/cost.h"

/* STATUS_SCHEMA: no entries that can serve, or CONTENTION_ports without `ports` in the file. */
enum status measured_model_open(struct cost_model **model, const struct machine *machine,
                                const struct cost_options *options, struct diags *diags);

/* Whether CONTENTION_frames can have it: of all ports and trunks between nodes the file tells what a frame takes. False
 * where there are none. */
bool measured_knows_frames(const struct machine *machine);

#endif
