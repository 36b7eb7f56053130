/* comm.h - communicators: which processes have which ranks, and which of them are neighbours. Known before the run;
 * MPI_COMM_WORLD is one of them. */
#ifndef PEVPM_DIRECTIVES_COMM_H
#define PEVPM_DIRECTIVES_COMM_H

#include "common/alloc.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who exchanges with whom in a neighbourhood operation: a Cartesian grid or a graph (MPI standard 4.0, sections 8.5 and
 * 8.6). A rank receives from in[first_in[rank]] ... in[first_in[rank + 1] - 1], in this order, and sends likewise to
 * `out`; a place in `out` is an edge. On a grid of n dimensions each rank has 2 n of both, in each dimension the lower
 * neighbour first; ranks are those of the coordinates with the last dimension fastest. */
struct topology {
    int32_t n_dims;                  /* of a grid; 0: a graph */
    const int32_t *dims, *periodic;  /* [n_dims] */
    const int32_t *first_in, *first_out; /* [n + 1] */
    const int32_t *in, *out;         /* ranks; -1: MPI_PROC_NULL, at the border of a grid */
    const int32_t *edge;             /* beside `in`: which edge brings it; -1 where `in` is */
};

/* MPI_COMM_WORLD, or what one Set made. Its ranks are the processes members[0 .. n - 1]. A directive that is met again
 * gives the same communicator where it has the same members and neighbours. */
struct comm {
    int32_t n;
    int32_t *members;         /* [n] by rank; NULL for MPI_COMM_WORLD: rank = process */
    int32_t *by_process;      /* [n] the ranks, in ascending order of their processes */
    const struct topology *topology; /* NULL: it has no neighbours */
};

/* The process of a rank, 0 <= rank < n. */
int32_t comm_process(const struct comm *comm, int32_t rank);

/* The rank of a process, -1 when it is no member. */
int32_t comm_rank(const struct comm *comm, int32_t process);

/* A grid: dims [n_dims], all >= 1, and periodic [n_dims] are copied. */
const struct topology *topology_grid(struct arena *memory, int32_t n_dims, const int32_t dims[],
                                     const int32_t periodic[]);

/* The neighbours of one rank as it names them. */
struct neighbours {
    int32_t n_in, n_out;
    const int32_t *in, *out;
};

/* The graph of n ranks in which each rank has said its neighbours, said [n]. Where two name each other more than once,
 * the first edge is the first for both. NULL: they do not agree; then *from names *to as a destination more often or
 * less often than *to names *from as a source. */
const struct topology *topology_graph(struct arena *memory, int32_t n, const struct neighbours said[], int32_t *from,
                                      int32_t *to);

/* The same neighbours in the same order? Either may be NULL. */
bool topology_equal(const struct topology *a, const struct topology *b, int32_t n);

/* Ranks of a grid, and of the coordinate of a rank in a dimension. */
int32_t topology_size(const struct topology *grid);
int32_t topology_coordinate(const struct topology *grid, int32_t rank, int32_t dimension);

/* Functions of a communicator in expressions. X(name, least, most: operands behind the communicator)
 *   procnum_in()           the rank of the process
 *   numprocs_in()          how many ranks there are
 *   cart_shift(d, steps)   of a grid: the rank so many steps up dimension d from the process, MPI_PROC_NULL beyond a
 *                          border
 *   cart_coords(rank, d)   of a grid: the coordinate of a rank
 *   cart_rank(c0, c1, ...) of a grid: the rank at these coordinates, which go round in a periodic dimension */
#define COMM_FUNCTION_LIST(X) X(procnum_in, 0, 0) X(numprocs_in, 0, 0) X(cart_shift, 2, 2) X(cart_coords, 2, 2) \
    X(cart_rank, 1, 15)
enum comm_function {
#define X(name, least, most) COMM_FUNCTION_##name,
    COMM_FUNCTION_LIST(X)
#undef X
    N_COMM_FUNCTIONS
};

/* Does the result depend on the process? */
bool comm_function_is_own(enum comm_function function);

/* The value of a function for a process. Returns NULL and sets *out, or a constant text that says what is wrong. */
const char *comm_call(const struct comm *comm, enum comm_function function, int32_t process, size_t n,
                      const struct value arguments[], struct value *out);

#endif
