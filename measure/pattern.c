#include "measure/pattern.h"

#include <assert.h>

int shape_groups(const struct shape *shape)
{
    return shape->job_nodes / shape->nodes;
}

int shape_place(const struct shape *shape, int group, int q)
{
    assert(q >= 0 && q < shape->nodes * shape->ppn);
    return (shape->first + group * shape->nodes + q / shape->ppn) * shape->job_ppn + q % shape->ppn;
}

int shape_group(const struct shape *shape, int round, int copy)
{
    return (round / SHAPE_TURN * shape->copies + copy) % shape_groups(shape);
}

int64_t shape_start(const struct shape *shape, int repetition, int copy, int q)
{
    if (shape->spread <= 0)
        return 0;
    uint64_t z = ((uint64_t)repetition << 32) + ((uint64_t)copy << 16) + (uint64_t)q; /* splitmix64 */
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)shape->spread);
}

pattern_list *pattern_find(unsigned pattern)
{
    static pattern_list *const lists[] = {
#define X(name) pattern_##name,
        PATTERN_LIST(X) X(stream)
#undef X
    };
    return lists[pattern];
}

size_t pattern_most(const struct shape *shape)
{
    int processes = shape->nodes * shape->ppn;
    int burst = shape->around ? processes * shape->burst : shape->across > 0 ? shape->across * shape->burst : shape->burst;
    return (size_t)shape->copies * (size_t)(processes > burst ? processes : burst);
}
