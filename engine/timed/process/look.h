/* look.h - tests and probes: a process looks whether operations are complete, or a message is there.
 *
 * A look costs what receiving an empty message costs. One that finds nothing may be the first of many (polling.h); a process
 * that has its turns and looks for ever is told so after so many looks. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_LOOK_H
#define PEVPM_ENGINE_TIMED_PROCESS_LOOK_H

#include "engine/timed/state.h"

/* One call of a process; each returns whether the process goes on at once. */
bool timed_call_test(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_probe(struct timed *e, int32_t process, const struct instr *instr);

/* An unmatched transfer is there: a probe that waits for it may go on. probe_finish: its turn has come, in state IN_PROBE. */
void arrival_noticed(struct timed *e, int32_t transfer);
void probe_finish(struct timed *e, int32_t process, const struct instr *instr);

/* A blocked probe that begins anew. */
void probe_withdraw(struct timed *e, int32_t process);

/* Would a look find nothing, if the process came to it now? What it costs, then, is of such a message; `count`: how many of the
 * requests of a test are complete. Marks operations as that test does. */
bool look_is_vain(struct timed *e, int32_t process, const struct instr *instr, struct price **price, int64_t *count);

/* What such a look binds; and its end, at the process's clock. */
void bind_nothing(struct timed_process *p, const struct instr *instr, int64_t count);
void look_end(struct timed *e, int32_t process, struct price *price);

#endif
