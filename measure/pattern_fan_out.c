#include "measure/pattern.h"

size_t pattern_fan_out(const struct shape *shape, int repetition, struct pattern_message list[])
{
    int processes = shape->nodes * shape->ppn;
    size_t n = 0;
    for (int copy = 0; copy < shape->copies; copy++) {
        int group = shape_group(shape, repetition, copy), hub = repetition % processes;
        for (int m = 0; m < shape->burst; m++)
            for (int sender = 0; sender < (shape->around ? processes : 1); sender++) {
                int from = (hub + sender) % processes, step = shape->around ? shape->step : 1 + m % (processes - 1);
                list[n++] = (struct pattern_message){shape_place(shape, group, from),
                                                     shape_place(shape, group, (from + step) % processes),
                                                     copy * shape->stagger};
            }
    }
    return n;
}
