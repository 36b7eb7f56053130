/* Collectives made of two others. Open MPI: allreduce basic_linear and nonoverlapping, allgather basic_linear,
 * allgatherv basic_default, reduce_scatter nonoverlapping, reduce_scatter_block basic_linear; libnbc's ireduce_scatter. */
#include "collectives/schedule_impl.h"
#include "collectives/selection.h"

/* The same data, another operation, root 0. */
static struct schedule inner_schedule(const struct schedule *s, enum collective_op op, enum algorithm algorithm)
{
    struct schedule inner = *s;
    inner.op = op;
    inner.root = 0;
    inner.algorithm = algorithm;
    return inner;
}

/* Operations on the whole of all shares. */
static struct schedule inner_on_all(const struct schedule *s, enum collective_op op, enum algorithm algorithm)
{
    struct schedule inner = inner_schedule(s, op, algorithm);
    inner.bytes = schedule_total(s);
    inner.sums = NULL;
    return inner;
}

static void run_selected(struct cursor *c, struct schedule *inner)
{
    inner->algorithm = algorithm_select(LIBRARY_open_mpi, inner->op, inner, &inner->segment);
    cursor_run(c, inner);
}

static void run_inner(struct cursor *c, struct schedule inner, bool selected)
{
    if (selected)
        run_selected(c, &inner);
    else
        cursor_run(c, &inner);
}

void compose_allreduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    const bool selected = s->algorithm == ALGORITHM_nonoverlapping;
    run_inner(c, inner_schedule(s, COLLECTIVE_MPI_Reduce, s->algorithm), selected);
    run_inner(c, inner_schedule(s, COLLECTIVE_MPI_Bcast, s->algorithm), selected);
}

/* A Gatherv is always linear there. */
void compose_allgather(struct cursor *c)
{
    const struct schedule *s = c->s;
    const bool v = s->op == COLLECTIVE_MPI_Allgatherv, selected = s->algorithm == ALGORITHM_gather_bcast;
    run_inner(c, inner_schedule(s, v ? COLLECTIVE_MPI_Gatherv : COLLECTIVE_MPI_Gather, s->algorithm), selected);
    run_inner(c, inner_on_all(s, COLLECTIVE_MPI_Bcast, s->algorithm), selected);
}

void compose_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    const bool block = s->algorithm == ALGORITHM_reduce_then_scatter && !s->sums;
    const bool selected = s->algorithm == ALGORITHM_nonoverlapping || s->algorithm == ALGORITHM_reduce_then_scatter;
    run_inner(c, inner_on_all(s, COLLECTIVE_MPI_Reduce, s->algorithm), selected);
    run_inner(c, inner_schedule(s, block ? COLLECTIVE_MPI_Scatter : COLLECTIVE_MPI_Scatterv, s->algorithm), selected);
}

/* libnbc: over a binomial tree to process 0, from there to each, also where a share is empty. */
void swapped_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    struct schedule scatterv = inner_schedule(s, COLLECTIVE_MPI_Scatterv, ALGORITHM_linear_nb);
    scatterv.sends_empty = true;
    run_inner(c, inner_on_all(s, COLLECTIVE_MPI_Reduce, ALGORITHM_binomial_swapped), false);
    run_inner(c, scatterv, false);
}
