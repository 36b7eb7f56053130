#include "measure/job.h"

#include "common/alloc.h"
#include "common/status.h"
#include "measure/slots.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lowest rank of this rank's node, and this rank's number on it. */
static void node_find(MPI_Comm comm, int *lowest, int *slot)
{
    MPI_Comm node;
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, slot);
    MPI_Allreduce(&rank, lowest, 1, MPI_INT, MPI_MIN, node);
    MPI_Comm_free(&node);
}

/* Nodes numbered by their lowest ranks, places filled. lowest, slot: [size], of all ranks. */
static void places_fill(struct job *job, const int lowest[], const int slot[])
{
    int *node_of = job->node_of = alloc_array((size_t)job->size, sizeof *node_of);
    int *held = alloc_zeroed((size_t)job->size, sizeof *held);
    job->nodes = 0;
    for (int r = 0; r < job->size; r++) {
        node_of[r] = lowest[r] == r ? job->nodes++ : node_of[lowest[r]];
        held[node_of[r]]++;
    }
    job->ppn = INT_MAX;
    for (int node = 0; node < job->nodes; node++)
        job->ppn = held[node] < job->ppn ? held[node] : job->ppn;
    job->rank_of = alloc_array((size_t)(job->nodes * job->ppn), sizeof *job->rank_of);
    job->socket_of = alloc_zeroed((size_t)(job->nodes * job->ppn), sizeof *job->socket_of);
    job->order = alloc_array((size_t)job->nodes, sizeof *job->order);
    for (int node = 0; node < job->nodes; node++)
        job->order[node] = node;
    job->place = -1;
    for (int r = 0; r < job->size; r++)
        if (slot[r] < job->ppn) {
            int place = node_of[r] * job->ppn + slot[r];
            job->rank_of[place] = r;
            if (r == job->rank)
                job->place = place;
        }
    free(held);
}

void job_init(struct job *job, MPI_Comm comm, const char *tool, const struct clock_options *options)
{
    memset(job, 0, sizeof *job);
    MPI_Comm_dup(comm, &job->comm);
    MPI_Comm_rank(job->comm, &job->rank);
    MPI_Comm_size(job->comm, &job->size);
    job->watch = watch_create(tool, job->rank);
    watch_set(job->watch, 3, "looking at the nodes"); /* and connecting */
    int mine[2];
    node_find(job->comm, &mine[0], &mine[1]);
    int *all = alloc_array((size_t)job->size, sizeof mine), *lowest = alloc_array((size_t)job->size, sizeof *lowest);
    int *slot = alloc_array((size_t)job->size, sizeof *slot);
    MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, job->comm);
    for (int r = 0; r < job->size; r++) {
        lowest[r] = all[2 * r];
        slot[r] = all[2 * r + 1];
    }
    places_fill(job, lowest, slot);
    free(all);
    free(lowest);
    free(slot);
    job->clock = clock_create(job->comm, options);
    job->crowding = clock_crowding(job->clock);
    job->processors = clock_processors(job->clock);
    watch_set(job->watch, 0, NULL);
}

void job_free(struct job *job)
{
    clock_destroy(job->clock);
    watch_destroy(job->watch);
    free(job->node_of);
    free(job->rank_of);
    free(job->socket_of);
    free(job->order);
    MPI_Comm_free(&job->comm);
}

int job_place(const struct job *job, int place)
{
    return job->order[place / job->ppn] * job->ppn + place % job->ppn;
}

int job_shape_place(const struct job *job, const struct shape *shape, int place)
{
    if (shape->pairs == TRANSPORT_network)
        return job_place(job, place);
    const int node = job->order[place / job->ppn], *socket = job->socket_of + node * job->ppn;
    return node * job->ppn + slots_nth(job->ppn, socket, shape->pairs, shape->ppn, place % job->ppn);
}

int job_slots_most(const struct job *job, enum transport transport)
{
    int most = job->sockets > 0 ? job->ppn : 0;
    for (int node = 0; node < job->nodes && most > 0; node++) {
        const int own = slots_most(job->ppn, job->socket_of + node * job->ppn, transport);
        most = own < most ? own : most;
    }
    return most;
}

void job_mpi_failed(const char *tool, MPI_Comm comm, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, rank = -1;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = 0;
    MPI_Comm_rank(comm, &rank);
    fprintf(stderr, "%s: error: rank %d: MPI failed: %.*s\n", tool, rank, length, text);
    MPI_Abort(MPI_COMM_WORLD, status_exit_code(STATUS_IO));
}

int job_turn(const struct job *job)
{
    int turn = 0;
    if (job->place < 0 || job->place % job->ppn != 0)
        return job->nodes;
    while (job->order[turn] != job->place / job->ppn)
        turn++;
    return turn;
}
