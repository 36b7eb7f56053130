#include "measure/pattern.h"

size_t pattern_pingpong(const struct shape *shape, int repetition, struct pattern_message list[])
{
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        int group = shape_group(shape, repetition / 2, copy);
        int a = shape_place(shape, group, 0), b = shape_place(shape, group, shape->nodes * shape->ppn - 1);
        int64_t offset = copy * shape->stagger;
        list[n++] =
            repetition % 2 == 0 ? (struct pattern_message){a, b, offset} : (struct pattern_message){b, a, offset};
    }
    return n;
}
