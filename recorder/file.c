// SPDX-License-Identifier: MIT
#include "recorder/file.h"

#include <pthread.h>
#include <stdlib.h>

/* A file that is open: with what file_enter_open has made for it. */
struct open_file {
    MPI_File handle;
    MPI_Comm meets;
    int comm;
};

static struct {
    pthread_mutex_t lock;   /* for any thread may open files */
    struct open_file *list; /* [n] */
    int n, capacity;
} open_files = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Calls on files within each other: a binding of Fortran makes the call of C. */
static _Thread_local int depth;

/* ---- the files that are open ---- */

static void file_add(const struct open_file *file)
{
    pthread_mutex_lock(&open_files.lock);
    if (open_files.n == open_files.capacity) {
        open_files.capacity = open_files.capacity ? 2 * open_files.capacity : 8;
        open_files.list = fold_memory(open_files.list, (size_t)open_files.capacity, sizeof *open_files.list);
    }
    open_files.list[open_files.n++] = *file;
    pthread_mutex_unlock(&open_files.lock);
}

/* False: no wrapper saw it opened. */
static bool file_find(MPI_File handle, struct open_file *file)
{
    bool found = false;
    pthread_mutex_lock(&open_files.lock);
    for (int i = 0; i < open_files.n && !found; i++)
        if (open_files.list[i].handle == handle) {
            *file = open_files.list[i];
            found = true;
        }
    pthread_mutex_unlock(&open_files.lock);
    return found;
}

static void file_remove(MPI_File handle)
{
    pthread_mutex_lock(&open_files.lock);
    for (int i = 0; i < open_files.n; i++)
        if (open_files.list[i].handle == handle)
            open_files.list[i--] = open_files.list[--open_files.n];
    pthread_mutex_unlock(&open_files.lock);
}

/* ---- around a call ---- */

static bool is_together(const struct file_call *call)
{
    return call->meets != MPI_COMM_NULL;
}

static bool enter(struct file_call *call, struct here here, enum operation op)
{
    *call = (struct file_call){.here = here, .op = op, .nested = depth++ > 0, .meets = MPI_COMM_NULL, .known = true};
    call->recorded = !call->nested && recorder_enter();
    return !call->nested;
}

/* The call begins as soon as all have come to it. */
static void begin(struct file_call *call)
{
    if (is_together(call))
        PMPI_Barrier(call->meets);
    if (call->recorded)
        recorder_called();
    call->began = recorder_clock();
}

void file_enter(struct file_call *call, struct here here, enum operation op, bool together, MPI_File handle)
{
    struct open_file file = {.meets = MPI_COMM_NULL};
    if (!enter(call, here, op))
        return;
    call->known = file_find(handle, &file);
    if (!call->known && call->recorded && handle != MPI_FILE_NULL)
        recorder_stop("a file was used that a call opened which is not recorded");
    call->meets = together && recorder.meets ? file.meets : MPI_COMM_NULL;
    call->comm = is_together(call) ? file.comm : 0;
    begin(call);
}

void file_enter_delete(struct file_call *call, struct here here)
{
    if (enter(call, here, OPERATION_MPI_File_delete))
        begin(call);
}

/* A copy would run what the program has attached to the communicator. */
static MPI_Comm same_processes(MPI_Comm comm)
{
    MPI_Comm made;
    MPI_Group group;
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    if (between) /* the library will say that it is wrong */
        return MPI_COMM_NULL;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_create(comm, group, &made);
    PMPI_Group_free(&group);
    return made;
}

void file_enter_open(struct file_call *call, struct here here, MPI_Comm comm)
{
    if (!enter(call, here, OPERATION_MPI_File_open))
        return;
    if (recorder.meets && comm != MPI_COMM_SELF && comm != MPI_COMM_NULL)
        call->meets = same_processes(comm);
    call->comm = is_together(call) && call->recorded ? recorder_comm(comm) : 0;
    begin(call);
}

static void keep(const struct file_call *call, double took, int64_t bytes)
{
    const struct fold_call beside = {.op = is_together(call) ? OPERATION_file_meet : OPERATION_file_come,
                                     .path = recorder_path(call->here.caller, call->here.frame), .comm = call->comm,
                                     .peer = PEER_NULL, .list = -1};
    struct fold_call file = beside, part = beside;
    file.op = (int32_t)call->op;
    file.peer = is_together(call) ? 0 : PEER_NULL;
    part.op = OPERATION_file_part;
    const struct fold_sample in_file = {.wall = took, .processor = -1, .moved = (double)bytes}, none = {.wall = 0};
    recorder_also(&beside);
    if (is_together(call)) {
        recorder_also_took(&file, &in_file);
        recorder_leave_took(&part, &none);
    } else {
        recorder_leave_took(&file, &in_file);
    }
}

void file_leave(struct file_call *call, int64_t bytes)
{
    depth--;
    if (call->nested)
        return;
    const double own = recorder_clock() - call->began - recorder.wall_cost;
    double took = own > 0 ? own : 0, longest = took;
    if (is_together(call)) /* until the last has left */
        PMPI_Allreduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, call->meets);
    if (call->recorded && call->known)
        keep(call, longest, bytes);
    else if (call->recorded)
        recorder_leave_silent();
}

void file_leave_started(struct file_call *call, int64_t bytes, MPI_Request request)
{
    if (!call->nested && call->recorded && call->known && request != MPI_REQUEST_NULL)
        recorder_request_in_file(request);
    file_leave(call, bytes);
}

void file_leave_open(struct file_call *call, MPI_File handle)
{
    file_leave(call, 0);
    if (!call->nested && handle != MPI_FILE_NULL)
        file_add(&(struct open_file){.handle = handle, .meets = call->meets, .comm = call->comm});
    else if (is_together(call))
        PMPI_Comm_free(&call->meets);
}

void file_leave_close(struct file_call *call, MPI_File handle)
{
    struct open_file file;
    file_leave(call, 0);
    if (call->nested || !file_find(handle, &file))
        return;
    file_remove(handle);
    if (file.meets != MPI_COMM_NULL && recorder.meets)
        PMPI_Comm_free(&file.meets);
}
