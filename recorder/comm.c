// SPDX-License-Identifier: MIT
/* Communicators and windows under their numbers, and the peers that are ranks of them. */
#include "recorder/recorder.h"

#include <stdlib.h>
#include <string.h>

/* ---- communicators ---- */

static int *world_ranks(MPI_Comm comm, int size)
{
    int *ranks = fold_memory(NULL, (size_t)size, sizeof *ranks), *members = fold_memory(NULL, (size_t)size,
                                                                                        sizeof *ranks);
    MPI_Group world, group;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &group);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    PMPI_Group_translate_ranks(group, size, ranks, world, members);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    free(ranks);
    return members;
}

static void find_neighbours(struct recorder_comm *new)
{
    int kind = MPI_UNDEFINED, n = 0, weighted;
    PMPI_Topo_test(new->handle, &kind);
    if (kind == MPI_CART)
        PMPI_Cartdim_get(new->handle, &n);
    if (kind == MPI_GRAPH)
        PMPI_Graph_neighbors_count(new->handle, new->rank, &n);
    new->n_sources = new->n_destinations = kind == MPI_CART ? 2 * n : n;
    if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(new->handle, &new->n_sources, &new->n_destinations, &weighted);
    if (kind == MPI_UNDEFINED)
        return;
    int all = new->n_sources + new->n_destinations, *near = fold_memory(NULL, (size_t)all + 1, sizeof *near);
    int *destinations = near + new->n_sources;
    for (int d = 0; kind == MPI_CART && d < n; d++)
        PMPI_Cart_shift(new->handle, d, 1, &near[2 * d], &near[2 * d + 1]);
    if (kind == MPI_GRAPH)
        PMPI_Graph_neighbors(new->handle, new->rank, n, near);
    if (kind == MPI_DIST_GRAPH) {
        int *weights = fold_memory(NULL, (size_t)all + 1, sizeof *weights);
        PMPI_Dist_graph_neighbors(new->handle, new->n_sources, near, weights, new->n_destinations, destinations,
                                  weights + new->n_sources);
        free(weights);
    } else {
        memcpy(destinations, near, (size_t)new->n_sources * sizeof *near);
    }
    for (int i = 0; i < all; i++)
        near[i] = near[i] == MPI_PROC_NULL ? PEER_NULL : near[i];
    new->near = near;
}

static bool same_ranks(int n, const int a[], const int b[])
{
    return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool same_comm(const struct recorder_comm *a, const struct recorder_comm *b)
{
    return a->path == b->path && a->window == b->window && a->size == b->size && a->n_sources == b->n_sources &&
           a->n_destinations == b->n_destinations && !a->near == !b->near && same_ranks(a->size, a->members, b->members) &&
           same_ranks(a->n_sources + a->n_destinations, a->near, b->near);
}

/* FNV-1a, over numbers. */
static uint32_t hash_ranks(uint32_t hash, int n, const int ranks[])
{
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)ranks[i]) * 16777619U;
    return hash;
}

static uint32_t comm_hash(const struct recorder_comm *comm)
{
    const int own[] = {comm->path, comm->window};
    const uint32_t hash = hash_ranks(hash_ranks(2166136261U, 2, own), comm->size, comm->members);
    return hash_ranks(hash, comm->n_sources + comm->n_destinations, comm->near);
}

/* Chains ascend, so that a step that makes several which are the same gives them the same numbers, in whatever order the
 * step before has freed them. */
static void leave_number(int number)
{
    struct recorder_comm *left = &recorder.comms[number];
    int *at = &recorder.vacant[left->hash % RECORDER_CHAINS];
    while (*at > 0 && *at < number)
        at = &recorder.comms[*at].next;
    left->handle = MPI_COMM_NULL;
    left->next = *at;
    *at = number;
}

/* 0: there is none. */
static int vacant_number(const struct recorder_comm *new)
{
    for (int *at = &recorder.vacant[new->hash % RECORDER_CHAINS]; *at > 0; at = &recorder.comms[*at].next)
        if (same_comm(&recorder.comms[*at], new)) {
            const int number = *at;
            *at = recorder.comms[number].next;
            return number;
        }
    return 0;
}

/* Gives a new one its number, and takes what it has. */
static int take_number(struct recorder_comm *new)
{
    new->hash = comm_hash(new);
    new->number = vacant_number(new);
    if (new->number > 0) {
        recorder.comms[new->number].handle = new->handle;
        free(new->members);
        free(new->near);
        return new->number;
    }
    if (recorder.n_comms == recorder.comms_capacity) {
        recorder.comms_capacity = recorder.comms_capacity ? 2 * recorder.comms_capacity : 8;
        recorder.comms = fold_memory(recorder.comms, (size_t)recorder.comms_capacity, sizeof *recorder.comms);
    }
    new->number = recorder.n_comms++;
    recorder.comms[new->number] = *new;
    return new->number;
}

void recorder_comm_freed(MPI_Comm comm)
{
    for (int i = 1; i < recorder.n_comms && recorder.on && comm != MPI_COMM_NULL; i++)
        if (recorder.comms[i].handle == comm)
            leave_number(i);
    recorder.last_comm = 0;
}

int recorder_comm_new(MPI_Comm comm, int parent, int32_t path)
{
    recorder_comm_freed(comm);
    struct recorder_comm new = {.handle = comm, .path = path, .parent = parent, .rank = -1};
    int between = 0;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_test_inter(comm, &between);
    if (between)
        recorder_stop("a communicator between two groups was made, which is not recorded");
    if (comm != MPI_COMM_NULL && !between) {
        PMPI_Comm_rank(comm, &new.rank);
        PMPI_Comm_size(comm, &new.size);
        new.members = world_ranks(comm, new.size);
        find_neighbours(&new);
    }
    take_number(&new);
    if (comm == MPI_COMM_NULL) /* a process that is no member has nothing to free */
        leave_number(new.number);
    return new.number;
}

int recorder_comm(MPI_Comm comm)
{
    if (recorder.comms[recorder.last_comm].handle == comm)
        return recorder.last_comm;
    for (int i = 0; i < recorder.n_comms; i++)
        if (recorder.comms[i].handle == comm)
            return recorder.last_comm = i;
    if (comm != MPI_COMM_SELF && comm != MPI_COMM_NULL)
        recorder_stop("a communicator was used that a call made which is not recorded");
    return recorder.last_comm = recorder_comm_new(comm, 0, -1);
}

/* ---- windows ---- */

struct recorder_window *recorder_window(MPI_Win handle)
{
    for (int i = 0; i < recorder.n_windows; i++)
        if (recorder.windows[i].handle == handle)
            return &recorder.windows[i];
    recorder_stop("a window was used that a call made which is not recorded");
    recorder_window_new(handle, 0, -1);
    return &recorder.windows[recorder.n_windows - 1];
}

void recorder_window_freed(MPI_Win handle)
{
    for (int i = 0; i < recorder.n_windows && recorder.on; i++)
        if (recorder.windows[i].handle == handle) {
            free(recorder.windows[i].locked);
            leave_number(recorder.windows[i].comm);
            recorder.windows[i] = recorder.windows[--recorder.n_windows];
        }
}

int recorder_window_new(MPI_Win handle, int parent, int32_t path)
{
    recorder_window_freed(handle);
    if (recorder.n_windows == recorder.windows_capacity) {
        recorder.windows_capacity = recorder.windows_capacity ? 2 * recorder.windows_capacity : 4;
        recorder.windows = fold_memory(recorder.windows, (size_t)recorder.windows_capacity, sizeof *recorder.windows);
    }
    const struct recorder_comm *of = &recorder.comms[parent];
    const size_t size = (size_t)of->size;
    struct recorder_comm new = {.handle = MPI_COMM_NULL, .window = true, .path = path, .parent = parent, .rank = of->rank,
                                .size = of->size, .members = fold_memory(NULL, size, sizeof *new.members)};
    memcpy(new.members, of->members, size * sizeof *new.members);
    struct recorder_window window = {.handle = handle, .comm = take_number(&new)};
    window.locked = fold_memory(NULL, size, sizeof *window.locked);
    memset(window.locked, 0, size * sizeof *window.locked);
    recorder.windows[recorder.n_windows++] = window;
    return window.comm;
}

int recorder_peer(int peer, int comm, bool sends)
{
    if (peer == MPI_PROC_NULL)
        return PEER_NULL;
    if (peer == MPI_ANY_SOURCE)
        return PEER_ANY;
    const struct recorder_comm *of = &recorder.comms[comm];
    if (sends && recorder.source >= 0 && of->members && peer < of->size && of->members[peer] == recorder.source)
        return PEER_SOURCE;
    return peer;
}

void recorder_source(int source, int comm, bool waited)
{
    const struct recorder_comm *of = &recorder.comms[comm];
    recorder.source = source >= 0 && source < of->size && of->members ? of->members[source] : -1;
    recorder.source_waited = waited;
    recorder.since_source = -1; /* this call counts, too */
}

int recorder_named_source(int peer, int comm)
{
    const struct recorder_comm *of = &recorder.comms[comm];
    const bool same = recorder.source >= 0 && of->members && peer >= 0 && peer < of->size &&
                      of->members[peer] == recorder.source;
    if (recorder.source_waited)
        recorder.source = -1;
    else if (same && recorder.since_source == 0)
        return PEER_SOURCE;
    return peer;
}
