#include "directives/comm.h"

#include <assert.h>

int32_t comm_process(const struct comm *comm, int32_t rank)
{
    assert(rank >= 0 && rank < comm->n);
    return comm->members ? comm->members[rank] : rank;
}

int32_t comm_rank(const struct comm *comm, int32_t process)
{
    if (!comm->members)
        return process >= 0 && process < comm->n ? process : -1;
    int32_t from = 0, to = comm->n;
    while (from < to) {
        int32_t middle = from + (to - from) / 2, rank = comm->by_process[middle];
        if (comm->members[rank] == process)
            return rank;
        if (comm->members[rank] < process)
            from = middle + 1;
        else
            to = middle;
    }
    return -1;
}
