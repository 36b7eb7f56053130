#include "measure/pattern.h"

size_t pattern_stream(const struct shape *shape, int repetition, struct pattern_message list[])
{
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        int group = shape_group(shape, repetition, copy);
        for (int m = 0; m < shape->burst; m++) {
            int node = 1 + m % (shape->nodes - 1), slot = m % shape->ppn;
            list[n++] = (struct pattern_message){shape_place(shape, group, m % shape->senders),
                                                 shape_place(shape, group, node * shape->ppn + slot),
                                                 copy * shape->stagger};
        }
    }
    return n;
}
