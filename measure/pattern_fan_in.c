#include "measure/pattern.h"

size_t pattern_fan_in(const struct shape *shape, int repetition, struct pattern_message list[])
{
    size_t n = pattern_fan_out(shape, repetition, list);
    for (size_t i = 0; i < n; i++)
        list[i] = (struct pattern_message){list[i].to, list[i].from, list[i].offset};
    return n;
}
