/* watch.h - ends a process that waits for something that will not come.
 *
 * When another rank or a link has died, an MPI call may wait for ever. A watch is a thread that sleeps until a step has
 * taken longer than it can; then it says on standard error which rank was doing what, and ends the process with exit
 * code 4, upon which the launcher ends the job. Time in which this process was stopped, or had no processor for half a
 * second and more, does not count. */
#ifndef PEVPM_MEASURE_WATCH_H
#define PEVPM_MEASURE_WATCH_H

/* s beyond what a step should take. TCP that loses the same segment four times in a row, after 200, 400, 800 and
 * 1600 ms, is alive. And a job is to end within 10 s of what killed it; over several hosts Open MPI's launcher takes 4
 * of them, for on its own host and then on the others it waits 1 s before SIGTERM and 1 s before SIGKILL
 * (odls_base_sigkill_timeout). So no step should take more than 1 s; what lasts longer is done in several. */
#define WATCH_GRACE 4.5

struct watch;

/* NULL where no thread can be made: then nothing is watched. tool: whose message it is; borrowed. */
struct watch *watch_create(const char *tool, int rank);
void watch_destroy(struct watch *watch);

/* From now on: `doing` (borrowed until the next call) should take at most `seconds`. NULL: nothing is being watched. */
void watch_set(struct watch *watch, double seconds, const char *doing);

/* What is to happen in place of the message: `say`, called by the watch's thread, says what it knows and returns the
 * exit code; others, whose time is up at the same moment, are then given 2 s to do the same. NULL: the message. */
typedef int watch_say(void *context);
void watch_instead(struct watch *watch, watch_say *say, void *context);

/* What the watch's thread calls when all has been said, before it ends the process. NULL: nothing. */
void watch_last(struct watch *watch, void (*last)(void));

#endif
