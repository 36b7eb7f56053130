/* packet.h - a frame of a stream, or an acknowledgement alone, on its way: the out port of its sender's node, trunks, the in port
 * of the receiver's. Each passes them in the order in which they come (network/queue.h), and one without room for it loses it. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_PACKET_H
#define PEVPM_ENGINE_TIMED_STREAM_PACKET_H

#include "engine/timed/state.h"

/* n frames leave together, now, from `first` on, of whose bytes the connection knows (`load`); and an acknowledgement alone. What has
 * come of the stream back and is not acknowledged goes along. wait: for what all nodes have in common, while they wait for the port. */
void packets_leave(struct timed *e, struct timed_stream *s, uint32_t first, int32_t n, double wait);
void packet_answer(struct timed *e, struct timed_stream *s);

/* What makes a connection leaves: what is no acknowledgement of data. As long as a frame's headers. */
void packet_connect(struct timed *e, struct timed_stream *s, enum packet_alone what);

/* It reaches what is next on its way (EVENT_PACKET). */
void packet_go_on(struct timed *e, int32_t packet);

/* What a trunk has saved up, as a port: a frame at least. */
static inline double hop_saves(const struct hop_cost *cost)
{
    return rule_latest(cost->credit, cost->full);
}

#endif
