// SPDX-License-Identifier: MIT
#include "coll/place.h"

#include <stdio.h>
#include <stdlib.h>

void *coll_memory(size_t n, size_t size)
{
    void *memory = calloc(n > 0 ? n : 1, size);
    if (!memory) {
        fprintf(stderr, "pevpm-coll: no memory for %zu bytes\n", n * size);
        abort();
    }
    return memory;
}

static void place_free(struct coll_place *place)
{
    free(place->seats.node);
    free(place->seats.rank_on);
    free(place);
}

/* MPI calls this when the communicator is freed, which is collective, as freeing ours is. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    struct coll_place *place = value;
    int result = PMPI_Comm_free(&place->comm);
    place_free(place);
    return result;
}

int place_keyval_create(void)
{
    int keyval = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
    return keyval;
}

/* The rank in MPI_COMM_WORLD of each process. False: one has none. */
static bool world_ranks(MPI_Group group, int n, int ranks[])
{
    MPI_Group world;
    int *own = coll_memory((size_t)n, sizeof *own);
    for (int i = 0; i < n; i++)
        own[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    bool known = PMPI_Group_translate_ranks(group, n, own, world, ranks) == MPI_SUCCESS;
    PMPI_Group_free(&world);
    for (int i = 0; known && i < n; i++)
        known = ranks[i] != MPI_UNDEFINED;
    free(own);
    return known;
}

static bool nodes_find(struct coll_seats *seats, MPI_Group group)
{
    seats->node = coll_memory((size_t)seats->size, sizeof *seats->node);
    seats->rank_on = coll_memory((size_t)seats->nodes, sizeof *seats->rank_on);
    if (!world_ranks(group, seats->size, seats->node))
        return false;
    for (int i = 0; i < seats->size; i++)
        seats->node[i] = coll.node[seats->node[i]];
    coll_seats_find(seats);
    return true;
}

/* MPI_Comm_dup would call what the program has tied to its communicator. */
static struct coll_place *place_make(MPI_Comm comm)
{
    struct coll_place *place = coll_memory(1, sizeof *place);
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_size(comm, &place->size);
    PMPI_Comm_rank(comm, &place->rank);
    place->seats = (struct coll_seats){.size = place->size, .nodes = coll.world};
    bool known = nodes_find(&place->seats, group) && PMPI_Comm_create(comm, group, &place->comm) == MPI_SUCCESS;
    PMPI_Group_free(&group);
    if (!known) {
        place_free(place);
        return NULL;
    }
    PMPI_Comm_set_errhandler(place->comm, MPI_ERRORS_RETURN);
    PMPI_Comm_set_attr(comm, coll.keyval, place);
    return place;
}

struct coll_place *place_of(MPI_Comm comm)
{
    struct coll_place *place;
    int known;
    if (PMPI_Comm_get_attr(comm, coll.keyval, &place, &known) != MPI_SUCCESS)
        return NULL;
    return known ? place : place_make(comm);
}
