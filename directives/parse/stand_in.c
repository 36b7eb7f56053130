#include "directives/parse/stand_in.h"

#include <string.h>

/* X(name, what to write). A `*` stands for anything; the first that fits counts. */
#define STAND_IN_LIST(X)                                                                                             \
    X("MPI_Isendrecv*", "write MPI_Irecv and MPI_Isend")                                                             \
    X("MPI_Comm_create", "write Set NAME = comm_split(COLOR, KEY), and Message type = MPI_Comm_dup for its time")    \
    X("MPI_Comm_free", "it sends nothing and needs no directive")                                                    \
    X("MPI_Comm_spawn*", "processes that a program starts itself are not simulated")                                 \
    X("MPI_Comm_*", "communicators are made by Set NAME = comm_split(COLOR, KEY)")                                   \
    X("MPI_Cart_create", "write Set NAME = cart_create((DIMENSIONS), (PERIODIC))")                                   \
    X("MPI_Cart_sub", "write Set NAME = cart_sub(GRID, (REMAIN))")                                                   \
    X("MPI_Cart_*", "its result is an expression: cart_shift, cart_coords, cart_rank")                               \
    X("MPI_Dims_create", "its result is an expression: dims_create(PROCESSES, DIMENSIONS, WHICH)")                   \
    X("MPI_Graph_*", "write Set NAME = dist_graph_create_adjacent((SOURCES), (DESTINATIONS))")                       \
    X("MPI_Dist_graph_*", "write Set NAME = dist_graph_create_adjacent((SOURCES), (DESTINATIONS))")                  \
    X("MPI_File_*", "files are not simulated; its time can be given as Serial")                                      \
    X("MPI_Win_create*", "a window is a name: write `window = NAME` where it is used")                                \
    X("MPI_Win_allocate", "a window is a name: write `window = NAME` where it is used")                              \
    X("MPI_Win_free", "write Collective type = MPI_Barrier, which it contains")                                      \
    X("MPI_Win_lock_all", "write MPI_Win_lock of each process that is accessed")                                     \
    X("MPI_Win_unlock_all", "write MPI_Win_unlock of each process that is accessed")                                 \
    X("MPI_Win_flush_*", "write MPI_Win_flush of each process that is accessed")                                     \
    X("MPI_Win_allocate_shared", "memory that processes share sends no messages")                                    \
    X("MPI_Win_post", "epochs of groups are not simulated: write MPI_Win_fence where they are the same")             \
    X("MPI_Win_start", "epochs of groups are not simulated: write MPI_Win_fence where they are the same")            \
    X("MPI_Win_complete", "epochs of groups are not simulated: write MPI_Win_fence where they are the same")         \
    X("MPI_Win_wait", "epochs of groups are not simulated: write MPI_Win_fence where they are the same")             \
    X("MPI_Win_test", "epochs of groups are not simulated: write MPI_Win_fence where they are the same")             \
    X("MPI_Win_*", "it needs no directive")                                                                          \
    X("MPI_Rput", "requests of one-sided operations are not simulated: write MPI_Put and MPI_Win_flush")             \
    X("MPI_Rget", "requests of one-sided operations are not simulated: write MPI_Get and MPI_Win_flush")             \
    X("MPI_Raccumulate", "requests of one-sided operations are not simulated: write MPI_Accumulate and MPI_Win_flush") \
    X("MPI_Get_accumulate", "operations on memory that bring back what was there are not simulated")                 \
    X("MPI_Rget_accumulate", "operations on memory that bring back what was there are not simulated")                \
    X("MPI_Fetch_and_op", "operations on memory that bring back what was there are not simulated")                   \
    X("MPI_Compare_and_swap", "operations on memory that bring back what was there are not simulated")               \
    X("MPI_Psend_init", "messages in parts are not simulated")                                                       \
    X("MPI_Precv_init", "messages in parts are not simulated")                                                       \
    X("MPI_*_init", "write the operation with a request where it is started")                                        \
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
        const char *star = strchr(list[i].name, '*');
        const size_t length = strlen(list[i].name), before = star ? (size_t)(star - list[i].name) : length,
                     behind = star ? length - before - 1 : 0;
        if ((star ? n >= before + behind : n == length) && memcmp(name, list[i].name, before) == 0 &&
            memcmp(name + n - behind, list[i].name + length - behind, behind) == 0)
            return list[i].advice;
    }
    return NULL;
}
