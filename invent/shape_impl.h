/* shape_impl.h - the shapes, for shape.c's table. Each writes a phase and returns its messages. */
#ifndef PEVPM_INVENT_SHAPE_IMPL_H
#define PEVPM_INVENT_SHAPE_IMPL_H

#include "invent/shape.h"

#define X(name, kind, by_time, may_deadlock) struct shape_cost shape_##name(struct maker *m);
SHAPE_LIST(X)
#undef X

/* A collective operation as phases call it: further keys behind its size, which stands in brackets, so that they may begin
 * with a factor; NULL: it has no size. The largest size, and the messages that one process sees: fixed and for each
 * process. */
struct operation {
    const char *name, *keys;
    int64_t most;
    double fixed, each;
};

/* more: keys behind these. */
struct shape_cost operation_say(struct maker *m, const struct operation *operation, const char *more);

/* The tag of this phase's messages, and of others beside it (0 to 9). */
static inline int phase_tag(const struct maker *m, int which)
{
    return 10 * m->n_phases + which;
}

/* Behind such a tag where a wildcard takes messages of several senders: who has gone through the loop once more must
 * not be taken in place of one who is late, whose send might wait for ever. No MPI library need have tags above 32767;
 * 300 laps ahead nobody is. */
#define TAG_LAP " + 100*(" SHAPE_LAP "%300)"

#endif
