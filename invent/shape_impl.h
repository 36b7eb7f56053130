/* shape_impl.h - the shapes, for shape.c's table. Each writes a phase and returns what its messages take. */
#ifndef PEVPM_INVENT_SHAPE_IMPL_H
#define PEVPM_INVENT_SHAPE_IMPL_H

#include "invent/shape.h"

#define X(name, kind, by_time, may_deadlock) struct shape_cost shape_##name(struct maker *m);
SHAPE_LIST(X)
#undef X

/* The tag of this phase's messages, and of others beside it. */
static inline int phase_tag(const struct maker *m, int which)
{
    return 10 * m->n_phases + which;
}

#endif
