/* polling.h - a process that polls: it looks again and again, in vain, until something happens to it.
 *
 * A look (a test, an Iprobe) that finds nothing changes nothing but the clock of its process, as long as neither a connection
 * nor a full host waits for that process to look, and none of its collectives can go on with what that look has read. (A rendezvous
 * that has not started after one look waits for its other process.) Where the program then leads back to the same look with the
 * same values in all variables, every round is as the one before, but for what is drawn. Such a process has no turns: it is
 * TIMED_POLLING, and its looks are carried out one behind the other when somebody asks. They are the same looks at the same times
 * with the same draws, so no prediction depends on it;
 * the spans of one process are told in their order, but between those of others: a profile's sums over processes may differ in
 * their last bits from those with turns.
 *
 * It polls so from its second look in vain on, where between one look and the next there is nothing but
 *   - computation whose time no variable decides, and clocks of Regions;
 *   - SETs, branches, and ends of loops that do not end by themselves (Loop while);
 *   - other looks that find nothing either.
 * So it has its turns in a loop that counts (Loop iterations, or a variable), and where a computation's time or an element of
 * a table is computed. Nobody polls so in programs with windows, where a look may serve others.
 *
 * Who asks:
 *   - what the process might see: a message there (arrival_noticed), an operation that is complete (completion_noticed);
 *     of what is known to be complete later it has a turn then;
 *   - what depends on when it is in MPI: a rendezvous (may_go_on), an acknowledgement (receiver_sees), a connection, a full
 *     host, a frame. Each of these rouses it: it goes on with turns, and may poll again;
 *   - where processes that have rested share processors (struct cost_model, wake): who wakes, and a message that takes of them, since
 *     each look behind a computation is such a waking too. These looks are carried out in the order of time, those of all processes together.
 * At one time the order of turns holds: a look at the time of now has been carried out if a turn that is behind its own has.
 *
 * Where nothing is left to happen but that processes poll, they do so for ever: that is said at once. Of one that has its
 * turns it is said after so many looks (look.c). */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_POLLING_H
#define PEVPM_ENGINE_TIMED_PROCESS_POLLING_H

#include "engine/timed/state.h"

/* Room for all processes; NULL: nobody of the program polls so. Ends with pollings_destroy; reset before every run. */
struct pollings *pollings_create(const struct program *program);
void pollings_reset(struct timed *e);
void pollings_destroy(struct pollings *pollings);

/* The running process has just looked in vain, as instr says, and is behind that look. Whether it polls from now on; then it
 * does not go on. */
bool polling_begin(struct timed *e, int32_t process, const struct instr *instr);

/* A process that polls has a turn from now on, if it has not this one. */
__attribute__((cold)) void polling_end(struct timed *e, int32_t process);

static inline void polling_rouse(struct timed *e, int32_t process)
{
    if (__builtin_expect(e->n_polling > 0, 0) && e->processes[process].state == TIMED_POLLING)
        polling_end(e, process);
}

/* Some process wakes now, or a message takes of what those that wake share: those that poll and rest have done what they do before. */
__attribute__((cold)) void pollings_wake_before(struct timed *e);
static inline void pollings_wake(struct timed *e)
{
    if (__builtin_expect(e->n_polling > 0, 0))
        pollings_wake_before(e);
}

/* A turn of the process begins at the time of now, or what happens behind all turns of that time: INT32_MAX. */
__attribute__((cold)) void pollings_pass(struct timed *e, int32_t process);
static inline void pollings_note_turn(struct timed *e, int32_t process)
{
    if (__builtin_expect(e->n_polling > 0, 0))
        pollings_pass(e, process);
}

/* Loops of a process that polls are told of its rounds so far. */
void polling_count(struct timed *e, int32_t process);

/* Nothing is left to happen: where a process polls it does so for ever, which is the failure of the run. False: none
 * does. */
bool pollings_fail(struct timed *e);

#endif
