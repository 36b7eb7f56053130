#include "bench/pattern.h"

size_t pattern_pairs(const struct shape *shape, int repetition, struct pattern_message list[])
{
    int processes = shape->nodes * shape->ppn;
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        int group = shape_group(shape, repetition, copy);
        for (int q = 0; q < processes; q++)
            list[n++] = (struct pattern_message){shape_place(shape, group, q),
                                                 shape_place(shape, group, (q + processes / 2) % processes),
                                                 copy * shape->stagger + shape_start(shape, repetition, copy, q)};
    }
    return n;
}
