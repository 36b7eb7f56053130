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
    X("MPI_Comm_*", "communicators are made by Set NAME = comm_split(COLOR, KEY)")                                   \
    X("MPI_Cart_create", "write Set NAME = cart_create((DIMENSIONS), (PERIODIC))")                                   \
    X("MPI_Cart_sub", "write Set NAME = cart_sub(GRID, (REMAIN))")                                                   \
    X("MPI_Cart_*", "its result is an expression: cart_shift, cart_coords, cart_rank")                               \
    X("MPI_Dims_create", "its result is an expression: dims_create(PROCESSES, DIMENSIONS, WHICH)")                   \
    X("MPI_Graph_*", "write Set NAME = dist_graph_create_adjacent((SOURCES), (DESTINATIONS))")                       \
    X("MPI_Dist_graph_*", "write Set NAME = dist_graph_create_adjacent((SOURCES), (DESTINATIONS))")                  \
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
