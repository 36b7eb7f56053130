#include "directives/stand_in.h"

#include <stdbool.h>
#include <string.h>

/* X(name, what to write). A `*` at the end stands for anything; the first that fits counts. */
#define STAND_IN_LIST(X)                                                                                             \
    X("MPI_Isendrecv*", "write MPI_Irecv and MPI_Isend")                                                             \
    X("MPI_Iscatterv", "write the blocking form where it is waited for")                                             \
    X("MPI_Igatherv", "write the blocking form where it is waited for")                                              \
    X("MPI_Iallgatherv", "write the blocking form where it is waited for")                                           \
    X("MPI_Ialltoall*", "write the blocking form where it is waited for")                                            \
    X("MPI_Ireduce_scatter*", "write the blocking form where it is waited for")                                              \
    X("MPI_Neighbor_*", "write MPI_Irecv and MPI_Isend for each neighbour, and MPI_Waitall")                         \
    X("MPI_Ineighbor_*", "write MPI_Irecv and MPI_Isend for each neighbour, and MPI_Waitall")                        \
    X("MPI_Comm_*", "communicators are made by Set NAME = comm_split(COLOR, KEY)")                                   \
    X("MPI_Cart_*", "communicators are made by Set NAME = comm_split(COLOR, KEY); neighbours are ranks to compute")  \
    X("MPI_Graph_*", "communicators are made by Set NAME = comm_split(COLOR, KEY); neighbours stand in tables")      \
    X("MPI_Dist_graph_*", "communicators are made by Set NAME = comm_split(COLOR, KEY); neighbours stand in tables") \
    X("MPI_File_*", "files are not simulated; its time can be given as Serial")                                      \
    X("MPI_Put", "one-sided communication is not simulated")                                                         \
    X("MPI_Get", "one-sided communication is not simulated")                                                         \
    X("MPI_Accumulate", "one-sided communication is not simulated")                                                  \
    X("MPI_Win_*", "one-sided communication is not simulated")                                                       \
    X("MPI_Init*", "it needs no directive")                                                                          \
    X("MPI_Finalize", "it needs no directive")

const char *stand_in_find(const char *name, size_t n)
{
    static const struct {
        const char *name, *advice;
    } list[] = {
#define X(name, advice) {name, advice},
        STAND_IN_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t length = strlen(list[i].name);
        bool open = list[i].name[length - 1] == '*';
        if (open ? n >= length - 1 && memcmp(name, list[i].name, length - 1) == 0
                 : n == length && memcmp(name, list[i].name, length) == 0)
            return list[i].advice;
    }
    return NULL;
}
