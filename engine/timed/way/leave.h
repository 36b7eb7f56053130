/* leave.h - a message where it leaves: board, out port. */
#ifndef PEVPM_ENGINE_TIMED_WAY_LEAVE_H
#define PEVPM_ENGINE_TIMED_WAY_LEAVE_H

#include "engine/timed/state.h"

/* A message of the channel starts at `time`: the send call, which is now, or the start of a rendezvous. */
void wire_depart(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double time);

/* The host of a channel that was stalled takes more. */
void wire_go_on(struct timed *e, int32_t channel);

/* The channel's connection is made: all that has waited for it leaves. */
void wire_connected(struct timed *e, int32_t channel);

#endif
