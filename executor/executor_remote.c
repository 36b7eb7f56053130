/* One-sided operations. A window is made where it is used on a communicator; what is put and got begins at its first byte. */
#include "executor/executor_impl.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdlib.h>

static bool is_access(const struct instr *instr)
{
    return instr->op == INSTR_REMOTE_PUT || instr->op == INSTR_REMOTE_GET;
}

/* ---- windows ---- */

static MPI_Win *window_at(struct executor *x, const struct instr *instr)
{
    return &x->windows[instr->slot * x->program->n_comms + instr->comm];
}

static size_t windows_number(const struct executor *x)
{
    return x->program->tree->n_windows * (size_t)x->program->n_comms;
}

/* Which of them some process uses; *longest: what an access takes at most, `unknown` at least where the run computes it. */
static bool *windows_used(const struct executor *x, int64_t unknown, int64_t *longest)
{
    bool *used = alloc_zeroed(windows_number(x), sizeof *used);
    *longest = 0;
    for (int32_t r = 0; r < x->program->n_roles; r++)
        for (int32_t i = 0; i < x->program->roles[r].n_code; i++) {
            const struct instr *instr = &x->program->roles[r].code[i];
            if (!is_access(instr) && instr->op != INSTR_DELIVER && instr->op != INSTR_LOCK)
                continue;
            used[instr->slot * x->program->n_comms + instr->comm] = true;
            const int64_t bytes = !is_access(instr) ? 0 : instr->dynamic & DYNAMIC_BYTES ? unknown : instr->bytes;
            *longest = bytes > *longest ? bytes : *longest;
        }
    return used;
}

void executor_windows_create(struct executor *x, int64_t unknown)
{
    const int32_t n_comms = x->program->n_comms;
    bool *used = windows_used(x, unknown, &x->window_bytes);
    x->windows = alloc_array(windows_number(x), sizeof *x->windows);
    for (size_t i = 0; i < windows_number(x); i++) { /* all members in the same order */
        const MPI_Comm comm = x->comms[i % (size_t)n_comms];
        x->windows[i] = MPI_WIN_NULL;
        if (!used[i])
            continue;
        MPI_Barrier(x->comms[0]); /* two parts at a time: Open MPI 4.1's osc/rdma would give their files one name */
        if (comm == MPI_COMM_NULL)
            continue;
        if (!x->memory)
            x->memory = alloc_space((size_t)x->window_bytes);
        MPI_Win_create(x->memory, (MPI_Aint)x->window_bytes, 1, MPI_INFO_NULL, comm, &x->windows[i]);
    }
    free(used);
}

void executor_windows_free(struct executor *x)
{
    for (size_t i = 0; i < windows_number(x); i++)
        if (x->windows[i] != MPI_WIN_NULL)
            MPI_Win_free(&x->windows[i]);
    free(x->windows);
    if (x->memory)
        alloc_space_free(x->memory, (size_t)x->window_bytes);
}

/* ---- operations ---- */

static bool access_memory(struct executor *x, const struct instr *instr, int rank, int64_t bytes)
{
    const MPI_Win window = *window_at(x, instr);
    const int n = rank == MPI_PROC_NULL ? 0 : (int)bytes;
    if (!bytes_check(x, instr, bytes))
        return false;
    if (instr->op == INSTR_REMOTE_GET)
        MPI_Get(buffer_touched(&x->receive, n), n, MPI_BYTE, rank, 0, n, MPI_BYTE, window);
    else if (x->accumulates[instr->site])
        MPI_Accumulate(buffer_touched(&x->send, n), n, MPI_BYTE, rank, 0, n, MPI_BYTE, MPI_BXOR, window);
    else
        MPI_Put(buffer_touched(&x->send, n), n, MPI_BYTE, rank, 0, n, MPI_BYTE, window);
    return true;
}

bool executor_remote(struct executor *x, const struct instr *instr)
{
    struct operands o;
    struct problem problem;
    if (!operand_message(x->program, x->role, instr, x->process, x->slots, &o, &problem))
        return executor_fail(x, &problem);
    const int rank = o.peer == OPERAND_NO_PEER ? MPI_PROC_NULL : program_comm_rank(x->program, o.comm, o.peer);
    const MPI_Win window = *window_at(x, instr);
    x->pc++;
    switch ((enum instr_op)instr->op) {
    case INSTR_REMOTE_PUT:
    case INSTR_REMOTE_GET:
        return access_memory(x, instr, rank, o.bytes);
    case INSTR_LOCK:
        MPI_Win_lock(o.tag != 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, rank, 0, window);
        return true;
    case INSTR_UNLOCK:
        MPI_Win_unlock(rank, window);
        return true;
    case INSTR_FLUSH:
        MPI_Win_flush(rank, window);
        return true;
    default:
        assert(false && "no one-sided operation");
        return false;
    }
}

/* With it go the instructions that an engine has for the rest of a fence. */
bool executor_fence(struct executor *x, const struct instr *instr)
{
    MPI_Win_fence(0, *window_at(x, instr));
    x->pc += 4;
    return true;
}
