/* remote.h - one-sided operations: what is kept and sent, and what its receivers do with it. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_REMOTE_H
#define PEVPM_ENGINE_TIMED_PROCESS_REMOTE_H

#include "engine/timed/state.h"

/* As the calls above: MPI_Put and MPI_Get; LOCK; UNLOCK and FLUSH; DELIVER. */
bool timed_call_remote(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_lock(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_release(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_deliver(struct timed *e, int32_t process, const struct instr *instr);

/* Does a call that has blocked begin anew when what it waited for is there? */
bool remote_call_begins_anew(const struct instr *instr);

/* Marks the open operations that a SETTLE waits for. False: the run has failed. */
bool remote_mark(struct timed *e, int32_t process, const struct instr *instr);

/* A message of a window is there, or its process comes to MPI: it is received, if that is so now; it is received
 * otherwise. */
void remote_serve(struct timed *e, int32_t operation);
void remote_received(struct timed *e, int32_t operation);

/* A process ends: nothing may be left that it would have had to send. False: the run has failed. */
bool remote_end(struct timed *e, int32_t process);

/* reset: as before a replication, memory kept; free: gives it back. So do those of paths and frames below. */
void windows_reset(struct timed_windows *windows);
void windows_free(struct timed_windows *windows);

#endif
