/* subject_files.c - subjects about files: calls of all processes of a communicator, and of one for itself. */
#include "subject.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 1000 };

static double own[N], found[N];

static void is_found(const double *what, const char *where)
{
    if (memcmp(what, own, sizeof own) != 0) {
        fprintf(stderr, "subject: %s read something else than was written\n", where);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

/* Each call on a file of all once, the others where they stand. */
static void each(MPI_File file)
{
    MPI_Offset at = (MPI_Offset)rank * (MPI_Offset)sizeof own, bytes;
    MPI_Request r[2];
    MPI_File_set_size(file, 0);
    MPI_File_preallocate(file, (MPI_Offset)sizeof own * size);
    MPI_File_set_atomicity(file, 0);
    MPI_File_write_at(file, at, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &bytes);
    MPI_File_read_at(file, at, found, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    is_found(found, "MPI_File_read_at");
    MPI_File_seek(file, at, MPI_SEEK_SET);
    MPI_File_read(file, found, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, at, MPI_SEEK_SET);
    MPI_File_write(file, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, at, MPI_SEEK_SET);
    MPI_File_write_all(file, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, at, MPI_SEEK_SET);
    MPI_File_read_all(file, found, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    is_found(found, "MPI_File_read_all");
    MPI_File_write_at_all_begin(file, at, own, N, MPI_DOUBLE);
    MPI_File_write_at_all_end(file, own, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, at, own, N / 2, MPI_DOUBLE, &r[0]);
    MPI_File_iwrite_at(file, at + N / 2 * (MPI_Offset)sizeof *own, own + N / 2, N - N / 2, MPI_DOUBLE, &r[1]);
    ring(1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_File_iread_at(file, at, found, N, MPI_DOUBLE, &r[0]);
    for (int done = 0; !done;)
        MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
    is_found(found, "MPI_File_iread_at");
}

/* One pointer for all. */
static void shared(MPI_File file)
{
    MPI_Offset at;
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered(file, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_get_position_shared(file, &at);
    MPI_File_write_shared(file, own, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

/* Output after every step, as a simulation does it, and what comes before and behind. */
static void files(int steps)
{
    MPI_File file;
    MPI_Comm half;
    char name[32];
    for (int i = 0; i < N; i++)
        own[i] = rank * N + i;
    if (MPI_File_open(MPI_COMM_WORLD, "not/there", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_File_open(MPI_COMM_WORLD, "all.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, (MPI_Offset)rank * (MPI_Offset)sizeof own, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    for (int i = 0; i < steps; i++) {
        ring(1);
        if (rank == 0) /* not to be seen but as waiting of the others */
            usleep(2000);
        MPI_File_write_at_all(file, (MPI_Offset)i * N * size, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_read_at_all(file, 0, found, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    is_found(found, "MPI_File_read_at_all");
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    each(file);
    MPI_File_close(&file);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    snprintf(name, sizeof name, "half%d.data", rank % 2);
    MPI_File_open(half, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_Comm_free(&half);
    MPI_File_write_ordered(file, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    snprintf(name, sizeof name, "own%d.data", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_all(file, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_delete(name, MPI_INFO_NULL);
    ring(1);
}

static void shared_files(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "shared.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    shared(file);
    MPI_File_close(&file);
}

static void *save(void *name)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)rank * (MPI_Offset)sizeof own, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return NULL;
}

/* What one process's recording ends with, so that it alone no longer records: its others still wait for each other at each
 * call, and it with them. */
static void parted(const char *how)
{
    MPI_Request r[3];
    pthread_t thread;
    int in, out = 0;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "parted.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (rank == 0 && strcmp(how, "thread") == 0) {
        pthread_create(&thread, NULL, save, "thread.data");
        pthread_join(thread, NULL);
    } else if (strcmp(how, "thread") == 0) {
        save("thread.data");
    } else if (rank == 0) { /* one call waits for a file and for messages */
        MPI_File_iwrite_at(file, 0, own, N, MPI_DOUBLE, &r[0]);
        MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[1]);
        MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[2]);
        MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    }
    MPI_File_write_at_all(file, (MPI_Offset)rank * (MPI_Offset)sizeof own, own, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    save("behind.data");
    ring(1);
}

const struct subject subjects_of_files[] = {
    {.name = "files", .counted = files, .usual = 5},
    {.name = "shared-files", .alone = shared_files},
    {.name = "parted", .told = parted},
    {.name = NULL},
};
