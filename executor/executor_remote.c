/* One-sided operations. A window is made where it is used on a communicator; what is put and got begins at its first
 * byte, with `verify` where remote_verifier.h says. */
#include "executor/executor_impl.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_access(const struct instr *instr)
{
    return instr->op == INSTR_REMOTE_PUT || instr->op == INSTR_REMOTE_GET;
}

/* ---- windows ---- */

static size_t window_number(const struct executor *x, const struct instr *instr)
{
    return (size_t)(instr->slot * x->program->n_comms + instr->comm);
}

static MPI_Win *window_at(struct executor *x, const struct instr *instr)
{
    return &x->windows[window_number(x, instr)];
}

static size_t windows_number(const struct executor *x)
{
    return x->program->tree->n_windows * (size_t)x->program->n_comms;
}

/* A directive of some process that uses each of them, its site; -1: nobody does. *longest: what an access takes at
 * most, `unknown` at least where the run computes it. */
static int32_t *windows_used(const struct executor *x, int64_t unknown, int64_t *longest)
{
    int32_t *used = alloc_array(windows_number(x), sizeof *used);
    for (size_t i = 0; i < windows_number(x); i++)
        used[i] = -1;
    *longest = 0;
    for (int32_t r = 0; r < x->program->n_roles; r++)
        for (int32_t i = 0; i < x->program->roles[r].n_code; i++) {
            const struct instr *instr = &x->program->roles[r].code[i];
            if (!is_access(instr) && instr->op != INSTR_DELIVER && instr->op != INSTR_LOCK)
                continue;
            int32_t *site = &used[window_number(x, instr)];
            *site = *site < 0 ? instr->site : *site;
            const int64_t bytes = !is_access(instr) ? 0 : instr->dynamic & DYNAMIC_BYTES ? unknown : instr->bytes;
            *longest = bytes > *longest ? bytes : *longest;
        }
    return used;
}

/* Whether an MPI function has done what it should, where its errors return: it gave `code`, and was to do `what`. */
static bool mpi_check(struct executor *x, const char *what, int code, int32_t site)
{
    struct problem problem = {.status = STATUS_MPI, .site = site};
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, text, &length);
    snprintf(problem.text, sizeof problem.text, "%s failed: %.100s", what, text);
    return executor_fail(x, &problem);
}

/* Its errors, and those of what is done with it, return. */
static bool window_create(struct executor *x, MPI_Comm comm, int32_t site, MPI_Win *window)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int code = MPI_Win_create(x->memory, (MPI_Aint)x->window_bytes, 1, MPI_INFO_NULL, comm, window);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    if (!mpi_check(x, "MPI_Win_create of its window", code, site)) {
#ifdef OPEN_MPI
        diag_note(x->diags, place_of_file(NULL), "OMPI_MCA_osc=pt2pt lets Open MPI make windows over TCP");
#endif
        return false;
    }
    MPI_Win_set_errhandler(*window, MPI_ERRORS_RETURN);
    return true;
}

bool executor_windows_create(struct executor *x, int64_t unknown)
{
    const int32_t n_comms = x->program->n_comms;
    bool made = true;
    int64_t longest;
    int32_t *used = windows_used(x, unknown, &longest);
    x->window_bytes = x->verifier ? remote_memory_bytes(x->program->numprocs, longest) : longest;
    x->windows = alloc_array(windows_number(x), sizeof *x->windows);
    for (size_t i = 0; i < windows_number(x) && made; i++) { /* all members in the same order */
        const MPI_Comm comm = x->comms[i % (size_t)n_comms];
        x->windows[i] = MPI_WIN_NULL;
        if (used[i] < 0)
            continue;
        if (!x->memory)
            x->memory = alloc_space((size_t)x->window_bytes);
        MPI_Barrier(x->comms[0]); /* two parts at a time: Open MPI 4.1's osc/rdma would give their files one name */
        if (comm != MPI_COMM_NULL)
            made = window_create(x, comm, used[i], &x->windows[i]);
    }
    if (x->verifier && x->memory)
        x->remote_verifier = remote_verifier_create(x->program, x->process, longest, x->memory);
    free(used);
    return made;
}

void executor_windows_free(struct executor *x)
{
    for (size_t i = 0; i < windows_number(x); i++)
        if (x->windows[i] != MPI_WIN_NULL)
            MPI_Win_free(&x->windows[i]);
    free(x->windows);
    remote_verifier_destroy(x->remote_verifier);
    if (x->memory)
        alloc_space_free(x->memory, (size_t)x->window_bytes);
}

/* ---- operations ---- */

/* Where an access has its memory in this process, and *offset, where in the other's. */
static void *access_place(struct executor *x, const struct instr *instr, const struct operands *o, int n,
                          MPI_Aint *offset)
{
    int64_t place = 0;
    void *memory;
    if (!x->remote_verifier || o->peer == OPERAND_NO_PEER)
        memory = buffer_touched(instr->op == INSTR_REMOTE_GET ? &x->receive : &x->send, n);
    else if (instr->op == INSTR_REMOTE_GET)
        memory = remote_verifier_get(x->remote_verifier, window_number(x, instr), o->peer, n, instr->site, &place);
    else
        memory = remote_verifier_put(x->remote_verifier, window_number(x, instr), o->peer, n, instr->site, &place);
    *offset = (MPI_Aint)place;
    return memory;
}

/* What is accumulated is combined by exclusive or, or where it is to be found again, put in place of what was there. */
static bool access_memory(struct executor *x, const struct instr *instr, const struct operands *o, int rank)
{
    const MPI_Win window = *window_at(x, instr);
    const int n = rank == MPI_PROC_NULL ? 0 : (int)o->bytes;
    MPI_Aint offset;
    if (!bytes_check(x, instr, o->bytes))
        return false;
    void *memory = access_place(x, instr, o, n, &offset);
    const MPI_Op op = x->remote_verifier ? MPI_REPLACE : MPI_BXOR;
    int code;
    if (instr->op == INSTR_REMOTE_GET)
        code = MPI_Get(memory, n, MPI_BYTE, rank, offset, n, MPI_BYTE, window);
    else if (x->accumulates[instr->site])
        code = MPI_Accumulate(memory, n, MPI_BYTE, rank, offset, n, MPI_BYTE, op, window);
    else
        code = MPI_Put(memory, n, MPI_BYTE, rank, offset, n, MPI_BYTE, window);
    return mpi_check(x, "the call", code, instr->site);
}

/* `code`: what the call gave that ends them. */
static bool accesses_end(struct executor *x, const struct instr *instr, int peer, int code)
{
    if (!mpi_check(x, "the call", code, instr->site))
        return false;
    if (x->remote_verifier)
        remote_verifier_end(x->remote_verifier, window_number(x, instr), peer);
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
    int code;
    x->pc++;
    switch ((enum instr_op)instr->op) {
    case INSTR_REMOTE_PUT:
    case INSTR_REMOTE_GET:
        return access_memory(x, instr, &o, rank);
    case INSTR_LOCK:
        code = MPI_Win_lock(o.tag != 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, rank, 0, window);
        return mpi_check(x, "the call", code, instr->site);
    case INSTR_UNLOCK:
        return accesses_end(x, instr, o.peer, MPI_Win_unlock(rank, window));
    case INSTR_FLUSH:
        return accesses_end(x, instr, o.peer, MPI_Win_flush(rank, window));
    default:
        assert(false && "no one-sided operation");
        return false;
    }
}

enum status executor_verify_windows(struct executor *x, struct diags *diags)
{
    if (!x->remote_verifier)
        return STATUS_OK;
    const int n = REMOTE_PLACES * (int)sizeof(struct remote_put);
    struct remote_put *puts = alloc_array((size_t)x->program->numprocs * REMOTE_PLACES, sizeof *puts);
    for (size_t i = 0; i < windows_number(x); i++) /* what was put under a lock is for the others to see now */
        if (x->windows[i] != MPI_WIN_NULL)
            MPI_Win_fence(MPI_MODE_NOSUCCEED, x->windows[i]);
    MPI_Alltoall(remote_verifier_puts(x->remote_verifier), n, MPI_BYTE, puts, n, MPI_BYTE, x->comms[0]);
    const size_t n_errors = remote_verifier_judge(x->remote_verifier, puts, diags);
    free(puts);
    return n_errors > 0 ? STATUS_UNMATCHED : STATUS_OK;
}

/* With it go the instructions that an engine has for the rest of a fence. */
bool executor_fence(struct executor *x, const struct instr *instr)
{
    x->pc += 4;
    return accesses_end(x, instr, REMOTE_ALL, MPI_Win_fence(0, *window_at(x, instr)));
}
