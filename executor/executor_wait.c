/* Waits and tests. */
#include "executor/executor_impl.h"

#include <assert.h>

static bool marked_find(struct executor *x, const struct instr *instr)
{
    struct problem problem;
    return requests_mark(&x->requests, x->program, instr, x->process, x->slots, &problem) ||
           executor_fail(x, &problem);
}

/* Looks at what marked call `i` has brought; status i of MPI's array belongs to it. */
static bool marked_finish(struct executor *x, const struct instr *instr, size_t i, const MPI_Status *status)
{
    struct open_call *call = &x->requests.open[x->requests.marked[i]];
    bool receives = call->kind == REQUEST_RECEIVE;
    bool good = !receives || executor_take(x, call, status);
    if (receives)
        executor_bind_status(x, instr, call->nobody ? NULL : status);
    call_release(call);
    x->requests.handles[i] = MPI_REQUEST_NULL;
    return good;
}

static bool all_finish(struct executor *x, const struct instr *instr)
{
    bool good = true;
    for (size_t i = 0; i < x->requests.n_marked && good; i++)
        good = marked_finish(x, instr, i, &x->requests.statuses[i]);
    requests_sweep(&x->requests);
    return good;
}

/* One of them; which: its place among the marked, MPI_UNDEFINED: none. */
static bool one_finish(struct executor *x, const struct instr *instr, int which, const MPI_Status *status)
{
    int64_t place = -1;
    struct problem problem;
    bool good = true;
    if (which != MPI_UNDEFINED) {
        const struct open_call *call = &x->requests.open[x->requests.marked[which]];
        if (!operand_request_place(x->program, instr, x->process, x->slots, call->name, call->index, &place, &problem))
            return executor_fail(x, &problem);
        good = marked_finish(x, instr, (size_t)which, status);
    }
    executor_bind(x, instr, BIND_index, place);
    requests_sweep(&x->requests);
    return good;
}

/* What a Waitsome or Testsome completed: n of them, MPI_UNDEFINED: there was none to wait for. */
static bool some_finish(struct executor *x, const struct instr *instr, int n)
{
    struct requests *r = &x->requests;
    bool good = true;
    for (int i = 0; n != MPI_UNDEFINED && i < n && good; i++)
        good = marked_finish(x, instr, (size_t)r->which[i], &r->statuses[i]);
    executor_bind(x, instr, BIND_count, n == MPI_UNDEFINED ? -1 : n);
    requests_sweep(r);
    return good;
}

bool executor_wait(struct executor *x, const struct instr *instr)
{
    struct requests *r = &x->requests;
    int n;
    if (!marked_find(x, instr))
        return false;
    executor_bind_status(x, instr, NULL);
    switch ((enum instr_op)instr->op) {
    case INSTR_WAIT:
    case INSTR_WAITALL:
        if (r->n_marked == 1)
            MPI_Wait(r->handles, r->statuses);
        else if (r->n_marked > 1)
            MPI_Waitall((int)r->n_marked, r->handles, r->statuses);
        return all_finish(x, instr);
    case INSTR_WAITANY: {
        int which = MPI_UNDEFINED;
        MPI_Status status;
        MPI_Waitany((int)r->n_marked, r->handles, &which, &status);
        return one_finish(x, instr, which, &status);
    }
    case INSTR_WAITSOME:
        MPI_Waitsome((int)r->n_marked, r->handles, &n, r->which, r->statuses);
        return some_finish(x, instr, n);
    default:
        assert(false && "no wait");
        return false;
    }
}

bool executor_test(struct executor *x, const struct instr *instr)
{
    struct requests *r = &x->requests;
    int flag, which = MPI_UNDEFINED;
    MPI_Status status;
    if (!marked_find(x, instr))
        return false;
    executor_bind_status(x, instr, NULL);
    if (instr->op == INSTR_TESTANY) {
        MPI_Testany((int)r->n_marked, r->handles, &which, &flag, &status);
        executor_bind(x, instr, BIND_flag, flag);
        return one_finish(x, instr, flag ? which : MPI_UNDEFINED, &status);
    }
    if (instr->op == INSTR_TESTSOME) {
        MPI_Testsome((int)r->n_marked, r->handles, &which, r->which, r->statuses);
        return some_finish(x, instr, which);
    }
    if (r->n_marked == 1)
        MPI_Test(r->handles, &flag, r->statuses);
    else
        MPI_Testall((int)r->n_marked, r->handles, &flag, r->statuses);
    executor_bind(x, instr, BIND_flag, flag);
    if (flag)
        return all_finish(x, instr);
    requests_sweep(r);
    return true;
}
