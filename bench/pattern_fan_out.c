#include "bench/pattern.h"

size_t pattern_fan_out(const struct shape *shape, int repetition, struct pattern_message list[])
{
    int processes = shape->nodes * shape->ppn;
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        int group = shape_group(shape, repetition, copy), hub = repetition % processes;
        for (int m = 0; m < shape->burst; m++) {
            int other = (hub + 1 + m % (processes - 1)) % processes;
            struct pattern_message message = {shape_place(shape, group, hub), shape_place(shape, group, other),
                                              copy * shape->stagger};
            list[n++] = message;
            if (shape->both_ways)
                list[n++] = (struct pattern_message){message.to, message.from, message.offset};
        }
    }
    return n;
}
