/* subject_calls.c - subjects about calls: requests, probes, windows, cancelling, and what no recording has. */
#include "subject.h"

#include <mpi.h>
#include <string.h>

static void everything(void)
{
    char out[256] = {0}, in[4096];
    int right = (rank + 1) % size, left = (rank + size - 1) % size, flag = 0, counts[64];
    MPI_Request r[4];
    MPI_Comm rows;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &rows);
    for (int i = 0; i < 5; i++) { /* persistent requests, and one that is tested */
        if (i == 0) {
            MPI_Send_init(out, 100, MPI_CHAR, right, 1, MPI_COMM_WORLD, &r[0]);
            MPI_Recv_init(in, 100, MPI_CHAR, left, 1, MPI_COMM_WORLD, &r[1]);
        }
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        MPI_Irecv(in, 256, MPI_CHAR, left, 2, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(out, 256, MPI_CHAR, right, 2, MPI_COMM_WORLD, &r[3]);
        for (flag = 0; !flag;)
            MPI_Test(&r[2], &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&r[3], MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, out, 10, MPI_INT, MPI_MAX, rows);
        MPI_Bcast(out, 16, MPI_CHAR, 0, rows);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    for (int i = 0; i < size; i++)
        counts[i] = 4;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : out, 8, MPI_CHAR, in, 8, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&rows);
}

/* Operations with a request, each with some computing under it. */
static void started(void)
{
    static char out[4096], in[4096];
    MPI_Request r[9];
    int counts[64], at[64];
    MPI_Datatype types[64];
    for (int i = 0; i < size; i++) {
        counts[i] = 4;
        at[i] = 64 * i;
        types[i] = MPI_INT;
    }
    for (int i = 0; i < 3; i++) {
        MPI_Iscatter(out, 11, MPI_CHAR, in, 11, MPI_CHAR, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Igather(out, 12, MPI_CHAR, in + 1024, 12, MPI_CHAR, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Ireduce(out, in + 2048, 13, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Iallgather(out, 14, MPI_CHAR, in + 2200, 14, MPI_CHAR, MPI_COMM_WORLD, &r[3]);
        MPI_Ialltoall(out, 15, MPI_CHAR, in + 2700, 15, MPI_CHAR, MPI_COMM_WORLD, &r[4]);
        MPI_Iscan(out, in + 3200, 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[5]);
        MPI_Iexscan(out, in + 3400, 17, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[6]);
        MPI_Ibcast(in + 3600, 18, MPI_CHAR, 0, MPI_COMM_WORLD, &r[7]);
        MPI_Ibarrier(MPI_COMM_WORLD, &r[8]);
        MPI_Waitall(9, r, MPI_STATUSES_IGNORE);
        MPI_Iscatterv(out, counts, at, MPI_CHAR, in, 4, MPI_CHAR, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Igatherv(rank == 1 ? MPI_IN_PLACE : out, 4, MPI_CHAR, in + 512, counts, at, MPI_CHAR, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_CHAR, in + 1024, counts, at, MPI_CHAR, MPI_COMM_WORLD, &r[2]);
        MPI_Ireduce_scatter(out, in + 1536, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[3]);
        MPI_Ireduce_scatter_block(out, in + 1600, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[4]);
        MPI_Ialltoallv(out, counts, at, MPI_SHORT, in + 2048, counts, at, MPI_SHORT, MPI_COMM_WORLD, &r[5]);
        MPI_Ialltoallw(out, counts, at, types, in + 3072, counts, at, types, MPI_COMM_WORLD, &r[6]);
        MPI_Waitall(7, r, MPI_STATUSES_IGNORE);
    }
}

/* Looks whether two messages have come, and waits for them later if not, as TeaLeaf does. Which it is differs from time to time
 * and from process to process. */
static void looked(int salt)
{
    char out[256] = {0}, in[512];
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request across[2], along[2];
    for (int i = 0; i < 40; i++) {
        int done = 0;
        MPI_Irecv(in, 200, MPI_CHAR, left, 1, MPI_COMM_WORLD, &across[0]);
        MPI_Isend(out, 200, MPI_CHAR, right, 1, MPI_COMM_WORLD, &across[1]);
        while ((i * i + rank * salt) % 5 < 2 && !done)
            MPI_Testall(2, across, &done, MPI_STATUSES_IGNORE);
        MPI_Irecv(in + 256, 100, MPI_CHAR, right, 2, MPI_COMM_WORLD, &along[0]);
        MPI_Isend(out, 100, MPI_CHAR, left, 2, MPI_COMM_WORLD, &along[1]);
        if (!done)
            MPI_Waitall(2, across, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, along, MPI_STATUSES_IGNORE);
        if (i % 4 == 3)
            MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Messages that are taken out before they are received: from who is known, and from anybody. */
static void taken(void)
{
    char out[64] = {0}, in[64];
    MPI_Message message;
    MPI_Request r;
    int flag = 0;
    for (int i = 0; i < 4; i++) {
        MPI_Isend(out, 20, MPI_CHAR, (rank + 1) % size, 6, MPI_COMM_WORLD, &r);
        MPI_Mprobe((rank + size - 1) % size, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in, 64, MPI_CHAR, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Isend(out, 30, MPI_CHAR, (rank + 1) % size, 7, MPI_COMM_WORLD, &r);
        for (flag = 0; !flag;)
            MPI_Improbe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Imrecv(in, 64, MPI_CHAR, &message, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

/* One-sided operations: fences on all processes, locks of one and of all on every other one. (On both halves at a time
 * Open MPI 4.1 may fail: its osc/rdma gives their windows' files one name.) */
static void windows(void)
{
    enum { N = 3000 };
    static double memory[N], own[N], *given;
    MPI_Comm half;
    MPI_Win all, part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &half);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    if (rank % 2 == 0)
        MPI_Win_allocate(800, 8, MPI_INFO_NULL, half, &given, &part);
    MPI_Win_fence(0, all);
    for (int i = 0; i < 5; i++) {
        MPI_Put(own, N, MPI_DOUBLE, (rank + 1) % size, 0, N, MPI_DOUBLE, all);
        MPI_Get(own, 10, MPI_DOUBLE, (rank + size - 1) % size, 0, 10, MPI_DOUBLE, all);
        MPI_Accumulate(own, 2, MPI_DOUBLE, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, 2, MPI_DOUBLE, MPI_SUM, all);
        MPI_Win_fence(0, all);
        if (rank % 2)
            continue;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, part);
        MPI_Put(own, 100, MPI_DOUBLE, 0, 0, 100, MPI_DOUBLE, part);
        MPI_Win_flush(0, part);
        MPI_Win_unlock(0, part);
    }
    if (rank % 2 == 0) {
        MPI_Win_lock_all(0, part);
        for (int i = 0; i < 4; i++) {
            MPI_Get(own, 7, MPI_DOUBLE, 0, 0, 7, MPI_DOUBLE, part);
            MPI_Win_flush(0, part);
        }
        MPI_Win_flush_all(part);
        MPI_Win_unlock_all(part);
        MPI_Win_free(&part);
        MPI_Comm_free(&half);
    }
    MPI_Win_free(&all);
}

/* What no recording has: the call that makes it, and what the program goes on with. */
static void refused(const char *what)
{
    int counts[64] = {0}, number = 1;
    char name[] = "refused.data";
    MPI_Request r;
    if (strcmp(what, "window") == 0) {
        MPI_Win window;
        MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
        MPI_Fetch_and_op(&rank, counts, MPI_INT, (rank + 1) % size, 0, MPI_SUM, window);
        MPI_Win_unlock((rank + 1) % size, window);
        MPI_Barrier(MPI_COMM_WORLD);
        if (number != 1 + (rank + size - 1) % size)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Win_free(&window);
    } else if (strcmp(what, "longest") == 0) { /* thirteen arguments */
        MPI_Win window;
        MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
        MPI_Rget_accumulate(&rank, 1, MPI_INT, counts, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, MPI_SUM, window, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Win_unlock((rank + 1) % size, window);
        MPI_Barrier(MPI_COMM_WORLD);
        if (counts[0] != 1 || number != 1 + (rank + size - 1) % size)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Win_free(&window);
    } else if (strcmp(what, "file") == 0) {
        MPI_File file;
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        MPI_File_iwrite_at_all(file, 4 * rank, &number, 1, MPI_INT, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    } else if (strcmp(what, "between") == 0) {
        MPI_Comm half, between;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
        MPI_Barrier(between);
    } else if (strcmp(what, "late") == 0) { /* ten arguments, four of them on the stack */
        MPI_Win window;
        MPI_Win_create(&number, sizeof number, sizeof number, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
        MPI_Raccumulate(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, MPI_SUM, window, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Win_unlock((rank + 1) % size, window);
        MPI_Barrier(MPI_COMM_WORLD);
        if (number != 1 + (rank + size - 1) % size)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Win_free(&window);
    } else { /* a call that no wrapper sees makes what the program goes on with */
        if (strcmp(what, "comm") == 0) {
            MPI_Comm own;
            PMPI_Comm_dup(MPI_COMM_WORLD, &own);
            MPI_Barrier(own);
        } else {
            PMPI_Ibarrier(MPI_COMM_WORLD, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    }
    ring(2);
}

/* Receives that stand open while the messages before them come, the last of which is cancelled. */
static void ahead(int laps)
{
    char in[8], out[8] = {0};
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request r, freed;
    MPI_Status status;
    int cancelled;
    MPI_Irecv(in, 8, MPI_CHAR, left, 1, MPI_COMM_WORLD, &r);
    MPI_Irecv(in, 8, MPI_CHAR, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &freed);
    for (int i = 0; i < laps; i++) {
        MPI_Send(out, 8, MPI_CHAR, right, 1, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Irecv(in, 8, MPI_CHAR, left, 1, MPI_COMM_WORLD, &r);
    }
    MPI_Cancel(&freed);
    MPI_Request_free(&freed);
    MPI_Cancel(&r);
    MPI_Wait(&r, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* all have cancelled */
    MPI_Sendrecv(out, 8, MPI_CHAR, right, 1, in, 8, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Each lap cancels receives that would have taken the messages behind them, one of them persistent, another by a process whose
 * every third lap has a message for it. */
static void stale(int laps)
{
    char in[8], out[8] = {0};
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request r[3], again;
    MPI_Recv_init(in, 8, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &again);
    for (int i = 0; i < laps; i++) {
        MPI_Irecv(in, 8, MPI_CHAR, left, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]);
        MPI_Start(&again);
        MPI_Cancel(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
        MPI_Cancel(&r[0]);
        MPI_Barrier(MPI_COMM_WORLD); /* all have cancelled */
        MPI_Isend(out, 8, MPI_CHAR, right, 4, MPI_COMM_WORLD, &r[1]);
        MPI_Irecv(in, 8, MPI_CHAR, left, 4, MPI_COMM_WORLD, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
        MPI_Irecv(in, 8, MPI_CHAR, left, 5, MPI_COMM_WORLD, &r[0]);
        if (i % 3 == 2)
            MPI_Ssend(out, 8, MPI_CHAR, right, 5, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Cancel(&r[0]); /* in vain in every third lap */
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&again);
    MPI_Send(out, 8, MPI_CHAR, right, 7, MPI_COMM_WORLD);
    MPI_Recv(in, 8, MPI_CHAR, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void cancelled_send(void)
{
    char out[8] = {0}, in[8];
    MPI_Request r;
    MPI_Isend(out, 8, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD, &r);
    MPI_Recv(in, 8, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

const struct subject subjects_of_calls[] = {
    {.name = "everything", .alone = everything},
    {.name = "ahead", .counted = ahead},
    {.name = "stale", .counted = stale},
    {.name = "cancelled-send", .alone = cancelled_send},
    {.name = "started", .alone = started},
    {.name = "looked", .counted = looked, .usual = 1},
    {.name = "taken", .alone = taken},
    {.name = "windows", .alone = windows},
    {.name = "refused", .told = refused},
    {.name = NULL},
};
