#include "directives/comm.h"

#include <assert.h>
#include <stdlib.h>

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

bool comm_function_is_own(enum comm_function function)
{
    return function == COMM_FUNCTION_procnum_in || function == COMM_FUNCTION_cart_shift;
}

/* A dimension of the grid; false for anything else. */
static bool is_dimension(const struct topology *grid, struct value value, int32_t *dimension)
{
    int64_t i;
    if (!value_as_integer(value, &i) || i < 0 || i >= grid->n_dims)
        return false;
    *dimension = (int32_t)i;
    return true;
}

static const char not_a_dimension[] = "a dimension of a grid is a number from 0 to the number of dimensions less 1";

/* The coordinate `at` of a dimension within the grid: round it where it is periodic; -1 outside. */
static int32_t wrapped(const struct topology *grid, int32_t dimension, int64_t at)
{
    const int32_t n = grid->dims[dimension];
    if (at >= 0 && at < n)
        return (int32_t)at;
    return grid->periodic[dimension] ? (int32_t)((at % n + n) % n) : -1;
}

/* Ranks from one coordinate of the dimension to the next. */
static int32_t stride_of(const struct topology *grid, int32_t dimension)
{
    int32_t stride = 1;
    for (int32_t d = dimension + 1; d < grid->n_dims; d++)
        stride *= grid->dims[d];
    return stride;
}

/* The rank `steps` up the dimension, -1 beyond a border. */
static int32_t shifted(const struct topology *grid, int32_t rank, int32_t dimension, int64_t steps)
{
    const int32_t stride = stride_of(grid, dimension), own = topology_coordinate(grid, rank, dimension);
    int64_t there;
    if (__builtin_add_overflow(grid->periodic[dimension] ? steps % grid->dims[dimension] : steps, own, &there))
        return -1;
    const int32_t at = wrapped(grid, dimension, there);
    return at < 0 ? -1 : rank + (at - own) * stride;
}

static const char *shift(const struct comm *comm, int32_t rank, const struct value a[], struct value *out)
{
    int32_t dimension;
    int64_t steps;
    if (!is_dimension(comm->topology, a[0], &dimension))
        return not_a_dimension;
    if (!value_as_integer(a[1], &steps))
        return "the steps of a cart_shift are a whole number";
    if (rank < 0)
        return "this process is not a member of the communicator";
    const int32_t there = shifted(comm->topology, rank, dimension, steps);
    *out = value_int(there < 0 ? VALUE_PROC_NULL : there);
    return NULL;
}

static const char *coordinate(const struct comm *comm, const struct value a[], struct value *out)
{
    int32_t dimension;
    int64_t rank;
    if (!value_as_integer(a[0], &rank) || rank < 0 || rank >= comm->n)
        return "cart_coords needs a rank of the grid";
    if (!is_dimension(comm->topology, a[1], &dimension))
        return not_a_dimension;
    *out = value_int(topology_coordinate(comm->topology, (int32_t)rank, dimension));
    return NULL;
}

static const char *rank_at(const struct topology *grid, size_t n, const struct value a[], struct value *out)
{
    int32_t rank = 0;
    if (n != (size_t)grid->n_dims)
        return "cart_rank needs a coordinate for each dimension of the grid";
    for (int32_t d = 0; d < grid->n_dims; d++) {
        int64_t given;
        const int32_t at = value_as_integer(a[d], &given) ? wrapped(grid, d, given) : -1;
        if (at < 0)
            return "a coordinate outside of the grid";
        rank = rank * grid->dims[d] + at;
    }
    *out = value_int(rank);
    return NULL;
}

const char *comm_call(const struct comm *comm, enum comm_function function, int32_t process, size_t n,
                      const struct value arguments[], struct value *out)
{
    if (function >= COMM_FUNCTION_cart_shift && (!comm->topology || comm->topology->n_dims == 0))
        return "the communicator is no grid: Set NAME = cart_create(...) makes one";
    switch (function) {
    case COMM_FUNCTION_procnum_in:
        *out = value_int(comm_rank(comm, process));
        return NULL;
    case COMM_FUNCTION_numprocs_in:
        *out = value_int(comm->n);
        return NULL;
    case COMM_FUNCTION_cart_shift:
        return shift(comm, comm_rank(comm, process), arguments, out);
    case COMM_FUNCTION_cart_coords:
        return coordinate(comm, arguments, out);
    case COMM_FUNCTION_cart_rank:
        return rank_at(comm->topology, n, arguments, out);
    case N_COMM_FUNCTIONS:
        break;
    }
    assert(false && "a function");
    return NULL;
}

/* ---- topologies ---- */

int32_t topology_size(const struct topology *grid)
{
    int32_t n = 1;
    for (int32_t d = 0; d < grid->n_dims; d++)
        n *= grid->dims[d];
    return n;
}

int32_t topology_coordinate(const struct topology *grid, int32_t rank, int32_t dimension)
{
    return rank / stride_of(grid, dimension) % grid->dims[dimension];
}

static int32_t *copied(struct arena *memory, int32_t n, const int32_t from[])
{
    int32_t *to = arena_alloc(memory, (size_t)n, sizeof *to);
    for (int32_t i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}

/* The same number of neighbours for each of n ranks. */
static int32_t *evenly(struct arena *memory, int32_t n, int32_t each)
{
    int32_t *first = arena_alloc(memory, (size_t)n + 1, sizeof *first);
    for (int32_t rank = 0; rank <= n; rank++)
        first[rank] = rank * each;
    return first;
}

const struct topology *topology_grid(struct arena *memory, int32_t n_dims, const int32_t dims[],
                                     const int32_t periodic[])
{
    struct topology *grid = arena_alloc(memory, 1, sizeof *grid);
    grid->n_dims = n_dims;
    grid->dims = copied(memory, n_dims, dims);
    grid->periodic = copied(memory, n_dims, periodic);
    const int32_t n = topology_size(grid), each = 2 * n_dims;
    int32_t *neighbour = arena_alloc(memory, (size_t)n * (size_t)each, sizeof *neighbour);
    int32_t *edge = arena_alloc(memory, (size_t)n * (size_t)each, sizeof *edge);
    for (int32_t i = 0; i < n * each; i++) {
        const int32_t down = i % 2 == 0;
        neighbour[i] = shifted(grid, i / each, i % each / 2, down ? -1 : 1);
        /* what my lower neighbour sends up, and the other way round */
        edge[i] = neighbour[i] < 0 ? -1 : neighbour[i] * each + i % each / 2 * 2 + down;
    }
    grid->first_in = grid->first_out = evenly(memory, n, each);
    grid->in = grid->out = neighbour;
    grid->edge = edge;
    return grid;
}

/* An edge of a graph: its place in the list of the one rank that has said it. */
struct edge {
    int32_t from, to, place;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* All sources, or all destinations, in the order of ranks. */
static void lists_join(int32_t n, const struct neighbours said[], bool sources, int32_t first[], int32_t all[],
                       struct edge edges[])
{
    int32_t place = 0;
    for (int32_t rank = 0; rank < n; rank++) {
        const int32_t many = sources ? said[rank].n_in : said[rank].n_out;
        const int32_t *list = sources ? said[rank].in : said[rank].out;
        first[rank] = place;
        for (int32_t i = 0; i < many; i++, place++) {
            all[place] = list[i];
            edges[place] = sources ? (struct edge){list[i], rank, place} : (struct edge){rank, list[i], place};
        }
    }
    first[n] = place;
    qsort(edges, (size_t)place, sizeof *edges, compare_edges);
}

const struct topology *topology_graph(struct arena *memory, int32_t n, const struct neighbours said[], int32_t *from,
                                      int32_t *to)
{
    size_t n_in = 0, n_out = 0;
    for (int32_t rank = 0; rank < n; rank++) {
        n_in += (size_t)said[rank].n_in;
        n_out += (size_t)said[rank].n_out;
    }
    int32_t *first_in = arena_alloc(memory, (size_t)n + 1, sizeof *first_in);
    int32_t *first_out = arena_alloc(memory, (size_t)n + 1, sizeof *first_out);
    int32_t *in = arena_alloc(memory, n_in, sizeof *in), *out = arena_alloc(memory, n_out, sizeof *out);
    int32_t *edge = arena_alloc(memory, n_in, sizeof *edge);
    struct edge *received = alloc_array(n_in, sizeof *received), *sent = alloc_array(n_out, sizeof *sent);
    lists_join(n, said, true, first_in, in, received);
    lists_join(n, said, false, first_out, out, sent);
    size_t agreed = 0;
    while (agreed < n_in && agreed < n_out && received[agreed].from == sent[agreed].from &&
           received[agreed].to == sent[agreed].to) {
        edge[received[agreed].place] = sent[agreed].place;
        agreed++;
    }
    bool agree = agreed == n_in && agreed == n_out;
    if (!agree) {
        bool is_sent = agreed == n_in || (agreed < n_out && compare_edges(&sent[agreed], &received[agreed]) < 0);
        *from = is_sent ? sent[agreed].from : received[agreed].from;
        *to = is_sent ? sent[agreed].to : received[agreed].to;
    }
    free(received);
    free(sent);
    struct topology *graph = arena_alloc(memory, 1, sizeof *graph);
    *graph = (struct topology){.first_in = first_in, .first_out = first_out, .in = in, .out = out, .edge = edge};
    return agree ? graph : NULL;
}

static bool lists_equal(const int32_t *a, const int32_t *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool topology_equal(const struct topology *a, const struct topology *b, int32_t n)
{
    if (!a || !b)
        return a == b;
    return a->n_dims == b->n_dims && lists_equal(a->dims, b->dims, a->n_dims) &&
           lists_equal(a->periodic, b->periodic, a->n_dims) && lists_equal(a->first_in, b->first_in, n + 1) &&
           lists_equal(a->first_out, b->first_out, n + 1) && lists_equal(a->in, b->in, a->first_in[n]) &&
           lists_equal(a->out, b->out, a->first_out[n]);
}
