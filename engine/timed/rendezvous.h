/* rendezvous.h - messages whose sender waits for their receiver, once these have found each other: when they go on. Likewise the
 * answer to a synchronous send whose data have not waited. */
#ifndef PEVPM_ENGINE_TIMED_RENDEZVOUS_H
#define PEVPM_ENGINE_TIMED_RENDEZVOUS_H

#include "engine/timed/state.h"

/* What has to be done when a process at one of its ends comes to MPI: rendezvous_try; and no longer. */
void meeting_wait(struct timed *e, int32_t transfer);
void meeting_end(struct timed *e, int32_t transfer);

/* A matched rendezvous goes on, if the processes it needs are in MPI; else when they are. EVENT_PERMIT and EVENT_DEPART
 * are steps of it. see: in a test or Iprobe the process sees all that wait for it to receive them. */
void rendezvous_see(struct timed *e, int32_t process);
void rendezvous_try(struct timed *e, int32_t transfer);
void rendezvous_permit(struct timed *e, int32_t transfer);
void rendezvous_depart(struct timed *e, int32_t transfer);
/* The process has come to its end: what it has buffered and may send leaves then. */
void rendezvous_ended(struct timed *e, int32_t process);

/* EVENT_ACKNOWLEDGE. Released: the receive is complete, the transfer goes. */
void send_acknowledge(struct timed *e, int32_t send);
void acknowledgement_released(struct timed *e, int32_t transfer);

/* Its data leave, at the time that stands for its send call. */
void rendezvous_start(struct timed *e, int32_t transfer, double time);

#endif
