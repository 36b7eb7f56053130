/* forms.h - what a collective takes under Hockney, worked out without its schedule.
 *
 * A form is the time of one algorithm of one operation as a function of processes, root, bytes and segment: a closed
 * form where there is one for all of these, else a recurrence, over the tree that the literature draws (forms_tree.h)
 * or step by step over all processes at once. Forms know nothing of moves. forms_hold compares them with what the
 * executor (executor.h) makes of the schedule's own moves, and fails where an algorithm has no form.
 *
 * Both go by the same network, that of executor.h: T(m) = alpha + beta m; the messages of one process leave one after
 * the other; arrivals do not disturb each other; calls cost nothing; to combine m bytes takes G(m) = gamma m. */
#ifndef PEVPM_COLLECTIVES_TESTS_FORMS_H
#define PEVPM_COLLECTIVES_TESTS_FORMS_H

#include "collectives/tests/executor.h"
#include "common/tests/share.h"

#include <math.h>

enum { MOST_PROCESSES = 64 };

struct problem {
    struct schedule s;          /* rank has no meaning */
    double alpha, beta, gamma;
};

struct form {
    enum collective_op op;
    enum algorithm algorithm;
    double (*time)(const struct problem *p);    /* for two processes or more, and something to send */
};

static inline double T(const struct problem *p, int64_t bytes)
{
    return p->alpha + p->beta * (double)bytes;
}

static inline double G(const struct problem *p, int64_t bytes)
{
    return p->gamma * (double)bytes;
}

/* ---- shares ---- */

/* Ranks go round the circle. */
static inline int64_t share(const struct problem *p, int32_t rank)
{
    const int32_t r = (rank % p->s.size + p->s.size) % p->s.size;
    return p->s.sums ? p->s.sums[r + 1] - p->s.sums[r] : p->s.bytes;
}

static inline int64_t shares(const struct problem *p, int32_t first, int32_t n)
{
    int64_t bytes = 0;
    for (int32_t i = 0; i < n; i++)
        bytes += share(p, first + i);
    return bytes;
}

static inline int64_t all_shares(const struct problem *p)
{
    return shares(p, 0, p->s.size);
}

/* ---- numbers ---- */

/* The largest power of two < n, n > 1. */
static inline int32_t half_above(int32_t n)
{
    int32_t half = 1;
    while (2 * half < n)
        half *= 2;
    return half;
}

/* log2 n, rounded up, and rounded down. */
static inline int32_t log2_above(int32_t n)
{
    int32_t log = 0;
    while ((int64_t)1 << log < n)
        log++;
    return log;
}

static inline int32_t log2_whole(int32_t n)
{
    return log2_above(n + 1) - 1;
}

/* ---- all processes at once ---- */

struct clocks {
    double now[MOST_PROCESSES];     /* when a process makes its next call */
    double port[MOST_PROCESSES];    /* when its last message has left */
};

/* `rank` sends: the message's arrival. */
static inline double leaves(const struct problem *p, struct clocks *c, int32_t rank, int64_t bytes)
{
    c->port[rank] = fmax(c->port[rank], c->now[rank]) + T(p, bytes);
    return c->port[rank];
}

static inline double last_of(const struct problem *p, const struct clocks *c)
{
    double last = 0;
    for (int32_t r = 0; r < p->s.size; r++)
        last = fmax(last, c->now[r]);
    return last;
}

/* A step: each process sends at most one message, then waits for at most one. */
struct step {
    bool sends[MOST_PROCESSES], receives[MOST_PROCESSES];
    int32_t from[MOST_PROCESSES];
    int64_t bytes[MOST_PROCESSES];
};

static inline void step_message(struct step *step, int32_t from, int32_t to, int64_t bytes)
{
    assert_false(step->sends[from] || step->receives[to]);
    step->sends[from] = step->receives[to] = true;
    step->from[to] = from;
    step->bytes[from] = bytes;
}

static inline void step_take(const struct problem *p, const struct step *step, struct clocks *c)
{
    double arrival[MOST_PROCESSES] = {0};
    for (int32_t r = 0; r < p->s.size; r++)
        if (step->sends[r])
            arrival[r] = leaves(p, c, r, step->bytes[r]);
    for (int32_t r = 0; r < p->s.size; r++)
        if (step->receives[r])
            c->now[r] = fmax(c->now[r], arrival[step->from[r]]);
}

/* ---- comparing ---- */

/* The operations of each test_closed_forms_*.c: together all that make messages of their own, and two that make
 * others'. X(name) */
#define ROOTED_OPS(X) X(Bcast) X(Ibcast) X(Scatter) X(Scatterv) X(Gather) X(Gatherv) X(Reduce)
#define EXCHANGE_OPS(X) X(Barrier) X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv) X(Scan) X(Exscan)
#define COMBINE_OPS(X) X(Allreduce) X(Iallreduce) X(Reduce_scatter)
#define ONE(name) +1
#define IS_all 1 /* operations among neighbours have a test of their own, test_schedule_neighbours.c */
#define IS_neighbors 0
#define ONE_LISTED(name, sizes, like, who) +(IS_##who && (int)COLLECTIVE_##name == (int)COLLECTIVE_##like)
_Static_assert(0 ROOTED_OPS(ONE) EXCHANGE_OPS(ONE) COMBINE_OPS(ONE) == 2 COLLECTIVE_LIST(ONE_LISTED),
               "each has its forms");
#undef ONE
#undef ONE_LISTED

/* A test for each, and its line for cmocka. */
#define FORMS_TEST(forms, n, name)                   \
    static void name##_forms_hold(void **state)      \
    {                                                \
        (void)state;                                 \
        forms_hold(forms, n, COLLECTIVE_MPI_##name); \
    }
#define FORMS_UNIT_TEST(name) cmocka_unit_test(name##_forms_hold),

static inline bool op_has_root(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Bcast || op == COLLECTIVE_MPI_Ibcast || op == COLLECTIVE_MPI_Scatter ||
           op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gather || op == COLLECTIVE_MPI_Gatherv ||
           op == COLLECTIVE_MPI_Reduce;
}

/* An I-form is sent as its blocking form. */
static inline enum collective_op op_waiting(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Ibcast ? COLLECTIVE_MPI_Bcast
           : op == COLLECTIVE_MPI_Iallreduce ? COLLECTIVE_MPI_Allreduce : op;
}

static inline bool op_is_of_vectors(enum collective_op op)
{
    op = op_waiting(op);
    return op == COLLECTIVE_MPI_Bcast || op == COLLECTIVE_MPI_Reduce || op == COLLECTIVE_MPI_Allreduce ||
           op == COLLECTIVE_MPI_Scan || op == COLLECTIVE_MPI_Exscan;
}

static inline bool op_has_own_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Alltoallv || op == COLLECTIVE_MPI_Reduce_scatter;
}

static inline const struct form *form_find(const struct form forms[], size_t n, enum collective_op op,
                                           enum algorithm algorithm)
{
    for (size_t i = 0; i < n; i++)
        if (forms[i].op == op_waiting(op) && forms[i].algorithm == algorithm)
            return &forms[i];
    return NULL;
}

static inline double form_time(const struct form *form, const struct problem *p)
{
    const int64_t bytes = op_is_of_vectors(form->op) ? p->s.bytes : all_shares(p);
    const bool ends = bytes == 0 && form->op != COLLECTIVE_MPI_Barrier && form->op != COLLECTIVE_MPI_Alltoallv;
    return p->s.size == 1 || ends ? 0 : form->time(p);
}

static inline void form_compare(const struct form *form, const struct schedule *s)
{
    /* A network that is slower than the processor, and one that is faster. */
    const double costs[2][3] = {{3, 0.25, 0.0625}, {0.5, 0.125, 0.75}};
    for (int i = 0; i < 2; i++) {
        const struct problem p = {*s, costs[i][0], costs[i][1], costs[i][2]};
        struct world w = {.alpha = p.alpha, .beta = p.beta, .gamma = p.gamma};
        const double time = form_time(form, &p);
        world_run(&w, s);
        if (fabs(w.finish - time) > 1e-12 * time)
            fail_msg("%s %s, P = %d, root %d, %lld bytes%s, segment %lld: %.9g instead of %.9g",
                     collective_op_name(s->op), algorithm_name(s->algorithm), (int)s->size, (int)s->root,
                     (long long)s->bytes, s->sums ? " (shares of their own)" : "", (long long)s->segment, w.finish,
                     time);
    }
}

/* Segments: none, equal ones, a half (all of what goes down one side of a tree), with a short last one, many, of more
 * than all. */
static inline void form_compare_segments(const struct form *form, struct schedule s)
{
    const int64_t all = s.bytes, segments[] = {0, all / 4, all / 2, all * 2 / 5 + 1, all / 50 + 1, 100000};
    const size_t n = schedule_segments(s.op, s.algorithm) ? sizeof segments / sizeof *segments : 1;
    for (size_t i = 0; i < n; i++) {
        s.segment = segments[i];
        form_compare(form, &s);
    }
}

/* One size that P divides, one that it does not, one of fewer elements than processes. Shares: also with empty ones. */
static inline void form_compare_sizes(const struct form *form, struct schedule s)
{
    const int64_t vectors[] = {16 * (int64_t)s.size, 8 * (int64_t)s.size + 29, 5};
    int64_t sums[MOST_PROCESSES + 1] = {0};
    for (int i = 0; i < 3; i++) {
        s.bytes = op_is_of_vectors(s.op) ? vectors[i] : i == 0 ? 12 : i == 1 ? 1 : 0;
        form_compare_segments(form, s);
    }
    s.sums = sums;
    for (int pattern = 0; pattern < 2 && op_has_own_shares(s.op); pattern++) {
        for (int32_t r = 0; r < s.size; r++)
            sums[r + 1] = sums[r] + (pattern == 0 ? 7 + r % 5 : r % 3 == 1 ? 9 : r % 7 == 4);
        form_compare(form, &s);
    }
}

static inline void form_holds(const struct form *form, enum collective_op op)
{
    const int32_t counts[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                              14, 15, 16, 17, 18, 19, 20, 31, 32, 33, 42, 63, 64};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        if (!share_takes((int)k + (int)form->algorithm))
            continue;
        struct schedule s = {.op = op, .algorithm = form->algorithm, .size = counts[k]};
        const int32_t roots[] = {0, 1, s.size / 2, s.size - 1};
        /* More processes: two roots will do. */
        for (int i = op_has_root(op) && s.size > 8 ? 2 : 0; i < (op_has_root(op) ? 4 : 1); i++) {
            if (i > 0 && (roots[i] <= roots[i - 1] || roots[i] >= s.size))
                continue;
            s.root = roots[i];
            form_compare_sizes(form, s);
        }
    }
}

/* Every algorithm of op has a form, every form is one of an algorithm, and what they say agrees. */
static inline void forms_hold(const struct form forms[], size_t n, enum collective_op op)
{
    for (int a = 0; a < N_ALGORITHMS; a++) {
        const struct form *form = form_find(forms, n, op, (enum algorithm)a);
        if ((form != NULL) != schedule_exists(op, (enum algorithm)a))
            fail_msg("%s %s has %s", collective_op_name(op), algorithm_name((enum algorithm)a),
                     form ? "a form, but no schedule" : "no form: add one that is worked out from the literature");
        if (form)
            form_holds(form, op);
    }
}

#endif
