#include "bench/pattern.h"

#include <assert.h>

int shape_groups(const struct shape *shape)
{
    return shape->job_nodes / shape->nodes;
}

int shape_place(const struct shape *shape, int group, int q)
{
    assert(q >= 0 && q < shape->nodes * shape->ppn);
    return (group * shape->nodes + q / shape->ppn) * shape->job_ppn + q % shape->ppn;
}

int shape_group(const struct shape *shape, int round, int copy)
{
    return (round / SHAPE_TURN * shape->copies + copy) % shape_groups(shape);
}

pattern_list *pattern_find(enum pattern pattern)
{
    static pattern_list *const lists[] = {
#define X(name) pattern_##name,
        PATTERN_LIST(X)
#undef X
    };
    return lists[pattern];
}

size_t pattern_most(const struct shape *shape)
{
    int processes = shape->nodes * shape->ppn;
    return (size_t)shape->copies * (size_t)(processes > shape->burst ? processes : shape->burst);
}
