// SPDX-License-Identifier: MIT
#include "recorder/keep.h"

enum { CANCEL_LOOKS = 1000 };   /* for whether a receive was cancelled: some 0.1 ms */

int64_t keep_bytes(int count, MPI_Datatype type)
{
    int size = 0;
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_size(type, &size);
    return (int64_t)count * size;
}

int keep_rank(MPI_Comm comm)
{
    return recorder.comms[recorder_comm(comm)].rank;
}

static struct fold_call call_of(struct here here, enum operation op, MPI_Comm comm)
{
    return (struct fold_call){.op = (int32_t)op, .path = recorder_path(here.caller, here.frame),
                              .comm = recorder_comm(comm), .list = -1};
}

static void set_side(struct fold_call *call, struct side side, bool sends)
{
    call->peer = recorder_peer(side.peer, call->comm, sends);
    if (!sends && call->peer >= 0)
        call->peer = recorder_named_source(call->peer, call->comm);
    call->sender = call->peer == PEER_SOURCE ? side.peer + 1 : 0;
    call->tag = side.tag == MPI_ANY_TAG ? TAG_ANY : side.tag;
    call->bytes = keep_bytes(side.count, side.type);
}

/* Of a wildcard; source: as keep_recv. */
static void take_sender(struct fold_call *call, int source)
{
    recorder_source(source, call->comm, false);
    call->sender = source >= 0 ? source + 1 : 0;
}

void keep_send(struct here here, enum operation op, struct side side, MPI_Comm comm)
{
    struct fold_call call = call_of(here, op, comm);
    set_side(&call, side, true);
    recorder_leave(&call);
}

void keep_recv(struct here here, enum operation op, struct side side, MPI_Comm comm, int source)
{
    struct fold_call call = call_of(here, op, comm);
    set_side(&call, side, false);
    if (call.peer == PEER_ANY)
        take_sender(&call, source);
    recorder_leave(&call);
}

void keep_start(struct here here, enum operation op, struct side side, MPI_Comm comm, MPI_Request request)
{
    struct fold_call call = call_of(here, op, comm);
    set_side(&call, side, op != OPERATION_MPI_Irecv);
    struct recorder_request *new = recorder_request_new(request, call.path);
    new->wildcard = call.peer == PEER_ANY;
    new->receives = op == OPERATION_MPI_Irecv;
    new->call.comm = call.comm;
    call.list = new->ordinal;
    recorder_leave(&call);
}

void keep_both(struct here here, enum operation op, struct side sent, struct side received, MPI_Comm comm)
{
    struct fold_call call = call_of(here, op, comm);
    set_side(&call, received, false);
    call.peer2 = call.peer;
    call.tag2 = call.tag;
    call.bytes2 = call.bytes;
    set_side(&call, sent, true);
    call.sender = 0; /* two sides have no place for it */
    recorder_leave(&call);
}

void keep_probe(struct here here, enum operation op, int source, int tag, MPI_Comm comm, int from)
{
    struct fold_call call = call_of(here, op, comm);
    call.peer = recorder_peer(source, call.comm, false);
    call.tag = tag == MPI_ANY_TAG ? TAG_ANY : tag;
    if (call.peer == PEER_ANY)
        take_sender(&call, from);
    recorder_leave(&call);
}

void keep_mprobe(struct here here, enum operation op, int source, int tag, MPI_Comm comm, int from, MPI_Message message)
{
    struct fold_call call = call_of(here, op, comm);
    call.peer = recorder_peer(source, call.comm, false);
    call.tag = tag == MPI_ANY_TAG ? TAG_ANY : tag;
    if (call.peer == PEER_ANY)
        take_sender(&call, from);
    recorder_message_new((struct recorder_message){message, call.path, call.comm, call.peer, call.tag});
    recorder_leave(&call);
}

void keep_mrecv(struct here here, enum operation op, int64_t bytes, MPI_Message message, const MPI_Request *request)
{
    struct recorder_message taken = {.comm = 0};
    if (!recorder_message_take(message, &taken))
        recorder_stop("a message was received that a call took out which is not recorded");
    struct fold_call call = call_of(here, op, MPI_COMM_WORLD);
    call.comm = taken.comm;
    call.peer = taken.peer;
    call.tag = taken.tag;
    call.tag2 = taken.path;
    call.bytes = bytes;
    if (request) {
        struct recorder_request *new = recorder_request_new(*request, call.path);
        new->receives = true;
        call.list = new->ordinal;
    }
    recorder_leave(&call);
}

/* Did the call complete receives that were cancelled, and nothing else? */
static bool only_cancelled(int n, const MPI_Request handles[], int n_completed, const int completed[])
{
    int found = 0;
    for (int i = 0; i < (completed ? n_completed : n); i++) {
        const MPI_Request handle = handles[completed ? completed[i] : i];
        const struct recorder_request *request = handle == MPI_REQUEST_NULL ? NULL : recorder_request_find(handle);
        if (request && !request->cancelled)
            return false;
        found += request != NULL;
    }
    return found > 0;
}

/* Was the call for requests of files? One that is for messages, too, ends the recording. */
static bool for_files(int n, const MPI_Request handles[])
{
    int files = 0, others = 0;
    for (int i = 0; i < n; i++) {
        const struct recorder_request *request = handles[i] == MPI_REQUEST_NULL ? NULL : recorder_request_find(handles[i]);
        files += request && request->in_file;
        others += handles[i] != MPI_REQUEST_NULL && !(request && request->in_file);
    }
    if (files > 0 && others > 0)
        recorder_stop("one call waited for messages and for what a file was asked for, which is not recorded");
    return files > 0;
}

/* What it took is time in files. */
static void keep_file_wait(struct here here, int n, const MPI_Request handles[], int n_completed, const int completed[])
{
    const struct fold_call come = {.op = OPERATION_file_come, .path = recorder_path(here.caller, here.frame),
                                   .peer = PEER_NULL, .list = -1};
    struct fold_call wait = come;
    wait.op = OPERATION_file_wait;
    for (int i = 0; i < (completed ? n_completed : n); i++)
        recorder_request_end(handles[completed ? completed[i] : i]);
    recorder_leave_both(&come, &wait);
}

void keep_wait(struct here here, enum operation op, int n, const MPI_Request handles[], int n_completed,
               const int completed[], int source)
{
    if (recorder.n_in_file > 0 && for_files(n, handles)) {
        keep_file_wait(here, n, handles, n_completed, completed);
        return;
    }
    if (recorder.n_cancelled > 0 && only_cancelled(n, handles, n_completed, completed)) {
        for (int i = 0; i < (completed ? n_completed : n); i++)
            recorder_request_end(handles[completed ? completed[i] : i]);
        recorder_leave_silent();
        return;
    }
    struct fold_call call = call_of(here, op, MPI_COMM_WORLD);
    call.list = recorder_list(n, handles);
    const struct recorder_request *one = n == 1 ? recorder_request_find(handles[0]) : NULL;
    if (one && one->wildcard)
        recorder_source(source, one->call.comm, true);
    for (int i = 0; i < (completed ? n_completed : n); i++)
        recorder_request_end(handles[completed ? completed[i] : i]);
    recorder_leave(&call);
}

/* A receive that was cancelled is complete at once, or soon, whatever other processes do; one whose message has begun
 * to come need not be. */
void keep_cancel(struct here here, MPI_Request handle)
{
    MPI_Status status;
    int done = 0, cancelled = 0;
    struct recorder_request *request = recorder_request_find_receive(handle);
    if (!request)
        recorder_stop("MPI_Cancel was called for what is no receive: what has no directive is not recorded");
    for (int i = 0; request && i < CANCEL_LOOKS && !done; i++)
        PMPI_Request_get_status(handle, &done, &status);
    if (done)
        PMPI_Test_cancelled(&status, &cancelled);
    else
        recorder_stop("MPI_Cancel was called for a receive, and whether it came in time was not to be seen");
    if (cancelled && request->active) {
        struct fold_call call = call_of(here, OPERATION_MPI_Cancel, MPI_COMM_WORLD);
        call.list = recorder_list(1, &handle);
        recorder_request_cancelled(request);
        recorder_leave(&call);
    } else {
        recorder_leave_silent();
    }
}

void keep_made(enum operation op, struct side side, MPI_Comm comm, MPI_Request request)
{
    struct fold_call call = {.op = (int32_t)op, .comm = recorder_comm(comm), .list = -1};
    set_side(&call, side, false);
    struct recorder_request *new = recorder_request_made(request);
    new->persistent = true;
    new->wildcard = call.peer == PEER_ANY;
    new->receives = op == OPERATION_MPI_Irecv;
    new->call = call;
    recorder_leave_silent();
}

void keep_started(struct here here, int n, const MPI_Request handles[])
{
    int32_t path = recorder_path(here.caller, here.frame);
    struct fold_call last = {.list = -1};
    int found = 0;
    for (int i = 0; i < n; i++) {
        struct recorder_request *request = recorder_request_find(handles[i]);
        if (!request) {
            recorder_stop("a request was started that a call made which is not recorded");
            continue;
        }
        recorder_request_activate(request, path);
        if (found++ > 0)
            recorder_also(&last);
        last = request->call;
        last.path = path;
        last.list = request->ordinal;
    }
    if (found > 0)
        recorder_leave(&last);
    else
        recorder_leave_silent();
}

void keep_collective(struct here here, enum operation op, int root, int64_t bytes, int64_t bytes2, MPI_Comm comm,
                     const MPI_Request *request)
{
    struct fold_call call = call_of(here, op, comm);
    call.peer = root == MPI_PROC_NULL ? PEER_NULL : root;
    call.bytes = bytes;
    call.bytes2 = bytes2;
    if (request)
        call.list = recorder_request_new(*request, call.path)->ordinal;
    recorder_leave(&call);
}

int keep_size(MPI_Comm comm)
{
    return recorder.comms[recorder_comm(comm)].size;
}

int keep_destinations(MPI_Comm comm)
{
    return recorder.comms[recorder_comm(comm)].n_destinations;
}

void keep_shares(struct here here, enum operation op, struct shares shares, MPI_Comm comm, const MPI_Request *request)
{
    int64_t all = 0, most = 0;
    int own = operation_kind(op) == KIND_near ? -1 : keep_rank(comm), others = own < 0 ? shares.n : shares.n - 1;
    for (int i = 0; i < shares.n; i++) {
        if (i == own)
            continue;
        int64_t bytes = keep_bytes(shares.counts[i], shares.types ? shares.types[i] : shares.type);
        all += bytes;
        most = bytes > most ? bytes : most;
    }
    keep_collective(here, op, MPI_PROC_NULL, others > 0 ? all / others : 0, most, comm, request);
}

void keep_comm(struct here here, enum operation op, MPI_Comm parent, MPI_Comm made)
{
    struct fold_call call = call_of(here, op, parent);
    call.peer = recorder_comm_new(made, call.comm, call.path);
    recorder_leave(&call);
}

/* ---- one-sided operations ---- */

/* window: among communicators. */
static struct fold_call remote_of(struct here here, enum operation op, int window, int rank)
{
    return (struct fold_call){.op = (int32_t)op, .path = recorder_path(here.caller, here.frame), .comm = window,
                              .peer = recorder_peer(rank, window, false), .list = -1};
}

void keep_window(struct here here, enum operation op, MPI_Comm parent, MPI_Win made)
{
    struct fold_call call = call_of(here, op, parent);
    call.peer = recorder_window_new(made, call.comm, call.path);
    recorder_leave(&call);
}

void keep_window_freed(struct here here, MPI_Win window)
{
    const struct fold_call call = remote_of(here, OPERATION_MPI_Win_free, recorder_window(window)->comm, MPI_PROC_NULL);
    recorder_window_freed(window);
    recorder_leave(&call);
}

void keep_remote(struct here here, enum operation op, int count, MPI_Datatype type, int rank, MPI_Win window)
{
    struct recorder_window *on = recorder_window(window);
    struct fold_call call = remote_of(here, op, on->comm, rank);
    if (on->all && call.peer >= 0 && !on->locked[call.peer]) {
        const struct fold_call lock = remote_of(here, OPERATION_MPI_Win_lock, on->comm, rank);
        on->locked[call.peer] = true;
        recorder_also(&lock);
    }
    call.bytes = keep_bytes(count, type);
    recorder_leave(&call);
}

void keep_fence(struct here here, MPI_Win window)
{
    const struct fold_call call = remote_of(here, OPERATION_MPI_Win_fence, recorder_window(window)->comm,
                                            MPI_PROC_NULL);
    recorder_leave(&call);
}

void keep_lock(struct here here, enum operation op, int rank, bool exclusive, MPI_Win window)
{
    struct recorder_window *on = recorder_window(window);
    struct fold_call call = remote_of(here, op, on->comm, rank);
    call.tag = exclusive;
    const bool known = call.peer >= 0, of_nobody = on->all && known && !on->locked[call.peer];
    if (known && op != OPERATION_MPI_Win_flush)
        on->locked[call.peer] = op == OPERATION_MPI_Win_lock;
    if (of_nobody) /* a flush of what was not accessed since MPI_Win_lock_all */
        recorder_leave_silent();
    else
        recorder_leave(&call);
}

void keep_lock_all(MPI_Win window)
{
    recorder_window(window)->all = true;
    recorder_leave_silent();
}

void keep_all(struct here here, enum operation op, MPI_Win window)
{
    struct recorder_window *on = recorder_window(window);
    struct fold_call last = {.list = -1};
    int found = 0;
    for (int rank = 0; rank < recorder.comms[on->comm].size; rank++) {
        if (!on->locked[rank])
            continue;
        if (found++ > 0)
            recorder_also(&last);
        last = remote_of(here, op, on->comm, rank);
        on->locked[rank] = op == OPERATION_MPI_Win_flush;
    }
    on->all = on->all && op == OPERATION_MPI_Win_flush;
    if (found > 0)
        recorder_leave(&last);
    else
        recorder_leave_silent();
}
