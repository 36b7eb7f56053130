#include "measure/pattern.h"

static int senders_of(const struct shape *shape, int processes)
{
    return shape->around ? processes : shape->across > 0 ? shape->across : 1;
}

/* Of the m-th message of a burst that process `from` of a group sends. */
static int receiver_of(const struct shape *shape, int processes, int from, int m)
{
    if (shape->across > 0)
        return shape->across + (from + shape->step + m) % (processes - shape->across);
    return (from + (shape->around ? shape->step : 1 + m % (processes - 1))) % processes;
}

size_t pattern_fan_out(const struct shape *shape, int repetition, struct pattern_message list[])
{
    const int processes = shape->nodes * shape->ppn, senders = senders_of(shape, processes);
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        const int group = shape_group(shape, repetition, copy), hub = shape->across > 0 ? 0 : repetition % processes;
        for (int i = 0; i < senders * shape->burst; i++) {
            const int m = shape->across > 0 ? i % shape->burst : i / senders;
            const int from = (hub + (shape->across > 0 ? i / shape->burst : i % senders)) % processes;
            list[n++] = (struct pattern_message){shape_place(shape, group, from),
                                                 shape_place(shape, group, receiver_of(shape, processes, from, m)),
                                                 copy * shape->stagger};
        }
    }
    return n;
}
