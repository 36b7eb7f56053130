#include "directives/lower/agreement.h"

/* What the others are told of a process in a split: color and key; in one by type: type and key, and both with their
 * signs changed, so that the largest are the least, too; of a graph: how many sources and destinations. Open MPI tells
 * a communicator's number in 4 bytes; MPICH all numbers that are free: 2048 bits, and a word that says whether none
 * may be. */
enum { SPLIT_BYTES = 8, TYPE_BYTES = 16, DEGREE_BYTES = 8, NUMBER_BYTES = 4, MASK_BYTES = 2048 / 8 + 4 };

#define SPLIT {COLLECTIVE_MPI_Allgather, SPLIT_BYTES, NULL}
#define TYPE {COLLECTIVE_MPI_Allreduce, TYPE_BYTES, NULL}
#define DEGREES {COLLECTIVE_MPI_Reduce_scatter_block, DEGREE_BYTES, NULL}
#define NOTHING {0}

/* Before the number, Open MPI's and MPICH's; of no bytes: none. */
static const struct maker {
    enum message_op op;
    struct agreement_step before[2];
} makers[] = {
    {MESSAGE_MPI_Comm_dup, {NOTHING, NOTHING}},
    {MESSAGE_MPI_Comm_split, {SPLIT, SPLIT}},
    {MESSAGE_MPI_Comm_split_type, {TYPE, SPLIT}},
    {MESSAGE_MPI_Comm_create_group, {NOTHING, NOTHING}},
    {MESSAGE_MPI_Dist_graph_create, {DEGREES, DEGREES}},
};

enum { OPEN_MPI_ROUNDS = 3 };

int agreement_steps(enum message_op op, bool mpich, struct agreement_step steps[AGREEMENT_STEPS_MOST])
{
    const struct agreement_step
        mask = {COLLECTIVE_MPI_Allreduce, MASK_BYTES, NULL}, number = {COLLECTIVE_MPI_Iallreduce, NUMBER_BYTES, NULL},
        in_group = {COLLECTIVE_MPI_Allreduce, NUMBER_BYTES, "binary"};
    const struct maker *maker = NULL;
    int n = 0;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i].op == op)
            maker = &makers[i];
    if (!maker)
        return 0;
    if (maker->before[mpich].bytes > 0)
        steps[n++] = maker->before[mpich];
    if (mpich)
        steps[n++] = mask;
    for (int round = 0; round < OPEN_MPI_ROUNDS && !mpich; round++)
        steps[n++] = op == MESSAGE_MPI_Comm_create_group ? in_group : number;
    return n;
}
