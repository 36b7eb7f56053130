/* What a run leaves behind, and the judgement of its deliveries. */
#include "executor/executor_impl.h"

#include "common/alloc.h"

#include <stdlib.h>

/* A receive that nobody waited for: it may have got its message all the same. */
static void receive_cancel(struct executor *x, struct open_call *call)
{
    MPI_Status status;
    int is_cancelled;
    MPI_Cancel(&call->handle);
    MPI_Wait(&call->handle, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    if (!is_cancelled)
        executor_take(x, call, &status);
    call_release(call);
}

/* Takes every message that is there; returns how many. */
static int64_t strays_receive(struct executor *x)
{
    int64_t n = 0;
    for (int32_t c = 0; c < x->program->n_comms; c++) {
        int flag = x->comms[c] != MPI_COMM_NULL;
        while (flag) {
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, x->comms[c], &flag, &status);
            if (!flag)
                break;
            MPI_Recv(x->receive.at, (int)x->receive_bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, x->comms[c],
                     MPI_STATUS_IGNORE);
            n++;
        }
    }
    return n;
}

uint64_t executor_settle(struct executor *x)
{
    struct requests *r = &x->requests;
    size_t n = 0;
    executor_release_messages(x);
    for (size_t i = 0; i < r->n; i++)
        if (r->open[i].kind == REQUEST_RECEIVE)
            receive_cancel(x, &r->open[i]);
        else
            r->open[n++] = r->open[i];
    r->n = n;
    int64_t mine = x->n_sent - x->n_received, left, strays = -1;
    for (;;) {
        MPI_Allreduce(&mine, &left, 1, MPI_INT64_T, MPI_SUM, x->comms[0]);
        strays = strays < 0 ? left : strays;
        if (left == 0)
            break;
        mine -= strays_receive(x);
    }
    for (size_t i = 0; i < r->n; i++) {
        MPI_Wait(&r->open[i].handle, MPI_STATUS_IGNORE);
        call_release(&r->open[i]);
    }
    r->n = 0;
    return (uint64_t)strays;
}

/* ---- the judgement ---- */

/* Where each process's messages begin among those of all; the counts are taken. */
static size_t *first_of(int n, const int counts[])
{
    size_t *first = alloc_zeroed((size_t)n + 1, sizeof *first);
    for (int p = 0; p < n; p++)
        first[p + 1] = first[p] + (size_t)counts[p];
    return first;
}

static void offsets_fill(int n, const int counts[], int offsets[])
{
    offsets[0] = 0;
    for (int p = 1; p < n; p++)
        offsets[p] = offsets[p - 1] + counts[p - 1];
}

/* The messages that this process sent, by receiver, each receiver's in order. x->counts and x->offsets say where. */
static struct sent_message *by_receiver(struct executor *x)
{
    int numprocs = x->program->numprocs;
    size_t n;
    const struct sent_message *sent = verifier_sent(x->verifier, &n);
    struct sent_message *sorted = alloc_array(n, sizeof *sorted);
    int *next = alloc_array((size_t)numprocs, sizeof *next);
    for (int p = 0; p < numprocs; p++)
        x->counts[p] = 0;
    for (size_t i = 0; i < n; i++)
        x->counts[sent[i].to]++;
    offsets_fill(numprocs, x->counts, x->offsets);
    offsets_fill(numprocs, x->counts, next);
    for (size_t i = 0; i < n; i++)
        sorted[next[sent[i].to]++] = sent[i];
    free(next);
    return sorted;
}

enum status executor_verify(struct executor *x, struct diags *diags)
{
    int numprocs = x->program->numprocs;
    MPI_Datatype message;
    MPI_Type_contiguous(sizeof(struct sent_message), MPI_BYTE, &message);
    MPI_Type_commit(&message);
    struct sent_message *mine = by_receiver(x);
    MPI_Alltoall(x->counts, 1, MPI_INT, x->receive_counts, 1, MPI_INT, x->comms[0]);
    offsets_fill(numprocs, x->receive_counts, x->receive_offsets);
    size_t *first = first_of(numprocs, x->receive_counts);
    struct sent_message *theirs = alloc_array(first[numprocs], sizeof *theirs);
    MPI_Alltoallv(mine, x->counts, x->offsets, message, theirs, x->receive_counts, x->receive_offsets, message,
                  x->comms[0]);
    size_t n_errors = verifier_judge(x->verifier, theirs, first, diags);
    MPI_Type_free(&message);
    free(mine);
    free(first);
    free(theirs);
    const enum status windows = executor_verify_windows(x, diags);
    return n_errors > 0 ? STATUS_UNMATCHED : windows;
}
