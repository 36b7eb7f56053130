/* handshake.h - what a rendezvous or a synchronous send has its processes tell each other, by messages of 0 bytes where ports
 * are asked in the order of time: announcements, permissions, answers. Rules: docs/ARCHITECTURE.md, section 4. */
#ifndef PEVPM_ENGINE_TIMED_WAY_HANDSHAKE_H
#define PEVPM_ENGINE_TIMED_WAY_HANDSHAKE_H

#include "engine/timed/state.h"

/* What an announcement or a permission takes from idle port to idle port. */
__attribute__((cold)) double handshake_ask(struct timed *e, struct timed_channel *c);
static inline double handshake_time(struct timed *e, struct timed_channel *c)
{
    return isnan(c->handshake) ? handshake_ask(e, c) : c->handshake;
}

/* The rail of the channel's next message that goes over one. */
static inline uint8_t wire_rail(const struct timed *e, struct timed_channel *c, bool synchronous)
{
    return e->setup->library == LIBRARY_open_mpi ? rails_take(&c->turns, c->rails, synchronous ? 1 : 2) : 0;
}

/* Rendezvous. On channels with handshakes the announcement and the receiver's permission are messages of their own. The sender has
 * called. */
void wire_announce(struct timed *e, int32_t transfer);
/* What m's announcement was behind has arrived: the announcement has come with that, or comes after it. */
void wire_announcement_come(struct timed *e, struct timed_transfer *m);
/* The receiver has posted it and is in MPI, where there are no handshakes the sender too. */
void wire_meet(struct timed *e, int32_t transfer);
/* Meanwhile the announcement has come: the permission leaves. */
void wire_permit(struct timed *e, int32_t transfer);
/* A message has come on the channel that permissions wait behind. */
void wire_permissions_go_on(struct timed *e, struct timed_channel *back);
/* For how long sending a permission keeps a process busy. */
double wire_answer_time(struct timed *e, const struct timed_channel *c);
/* What stands for the send call of the rest of a buffered message that leaves now: if that is long, its transit has the
 * handshakes. */
double wire_rest_departs(struct timed *e, const struct timed_transfer *m);

/* When what the channel's receiver acknowledges now has come back, trunks aside: it waits for what its port holds, and not for
 * what the connection has still to bring that, as what is in its stream does. */
static inline double wire_acknowledged(struct timed *e, struct timed_channel *c)
{
    const double held = queue_excess(*port_leaving(c->to_port), e->now);
    return e->now + held + handshake_time(e, c);
}

/* The receiver of a synchronous send whose data have not waited answers it, now, with a message of 0 bytes: the send is over when that
 * has come. */
void wire_answer(struct timed *e, int32_t send);
/* It has come, on a channel whose messages pass ports whole: they pass this one too. */
void wire_answer_come(struct timed *e, int32_t channel);

#endif
