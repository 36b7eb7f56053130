/* slow.h - notices that a replication takes long, and finds the loop that keeps it.
 *
 * Engines look where they look at the stop flag. One that has begun and not ended after setup->watch->period of wall
 * time is told of once; where no process is in a loop just then, they look again a period later. */
#ifndef PEVPM_ENGINE_SLOW_H
#define PEVPM_ENGINE_SLOW_H

#include "engine/engine.h"

struct slow {
    const struct engine_watch *watch; /* NULL: nobody wants to know, or all is told */
    double begin, looked;             /* s, of the clock; when last no loop was found */
    uint32_t looks;
    struct slow_loop found;
};

/* A replication, or a batch, begins. */
void slow_begin(struct slow *slow, const struct engine_setup *setup);

/* Whether it has taken longer than the period. Where it has, each process that has not ended goes to slow_process, with
 * the index of its next instruction, and then slow_tell tells. */
bool slow_is_due(const struct slow *slow);
void slow_process(struct slow *slow, const struct program *program, int32_t process, int32_t pc,
                  const struct value *slots);
void slow_tell(struct slow *slow);

/* The same where engines look so often that they had better not read the clock each time. */
static inline bool slow_may_be_due(struct slow *slow)
{
    enum { LOOKS_PER_CLOCK = 64 };
    return slow->watch && ++slow->looks % LOOKS_PER_CLOCK == 0 && slow_is_due(slow);
}

#endif
