#include "measure/pattern.h"

size_t pattern_pairs(const struct shape *shape, int repetition, struct pattern_message list[])
{
    int processes = shape->nodes * shape->ppn, stretch = shape->stretch > 0 ? shape->stretch : processes;
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        int group = shape_group(shape, repetition, copy);
        for (int q = 0; q < processes; q++) {
            const int partner = q - q % stretch + (q % stretch + stretch / 2) % stretch;
            list[n++] = (struct pattern_message){shape_place(shape, group, q),
                                                 shape_place(shape, group, partner),
                                                 copy * shape->stagger + shape_start(shape, repetition, copy, q)};
        }
    }
    return n;
}
