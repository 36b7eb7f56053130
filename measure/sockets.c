#include "measure/sockets.h"

#include "common/alloc.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the node that this process is on. sockets 0: nobody can tell; socket -1: on none. */
struct seat_found {
    int sockets, socket;
};

#ifdef PEVPM_HAVE_HWLOC
#include <hwloc.h>

static int package_of(hwloc_topology_t topology, int packages)
{
    int found = -1;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (set && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0 && !hwloc_bitmap_iszero(set))
        for (int i = 0; i < packages && found < 0; i++) {
            const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, (unsigned)i);
            if (package && hwloc_bitmap_isincluded(set, package->cpuset))
                found = i;
        }
    hwloc_bitmap_free(set);
    return found;
}

/* Packages alone are asked for, which is quicker than all that a node has. */
static struct seat_found seat_find(void)
{
    struct seat_found found = {0, -1};
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return found;
    if (hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE) == 0 &&
        hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
        hwloc_topology_load(topology) == 0) {
        const int packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
        found.sockets = packages > 0 ? packages : 0;
        found.socket = package_of(topology, found.sockets);
    }
    hwloc_topology_destroy(topology);
    return found;
}

static const char untold[] = "not known: hwloc does not tell them on the node of rank %d";
#else
static struct seat_found seat_find(void)
{
    return (struct seat_found){0, -1};
}

static const char untold[] = "not known: pevpm-bench was built without hwloc (rank %d)";
#endif

/* What keeps sockets from being told apart, or how many a node has: all ranks come to the same. */
static void found_judge(struct job *job, const struct seat_found all[])
{
    int unknown = -1, unbound = -1, other = -1;
    for (int rank = job->size; rank-- > 0;) {
        unknown = all[rank].sockets < 1 ? rank : unknown;
        unbound = all[rank].socket < 0 ? rank : unbound;
        other = all[rank].sockets != all[0].sockets ? rank : other;
    }
    job->sockets = 0;
    if (unknown >= 0)
        snprintf(job->sockets_told, sizeof job->sockets_told, untold, unknown);
    else if (other >= 0)
        snprintf(job->sockets_told, sizeof job->sockets_told, "not told apart: nodes differ, that of rank 0 has %d, that of rank %d has %d",
                 all[0].sockets, other, all[other].sockets);
    else if (all[0].sockets == 1)
        snprintf(job->sockets_told, sizeof job->sockets_told, "1 in a node");
    else if (unbound >= 0)
        snprintf(job->sockets_told, sizeof job->sockets_told, "not told apart: of the %d in a node rank %d is bound to none",
                 all[0].sockets, unbound);
    else {
        job->sockets = all[0].sockets;
        snprintf(job->sockets_told, sizeof job->sockets_told, "%d in a node", job->sockets);
    }
}

void job_find_sockets(struct job *job)
{
    watch_set(job->watch, 3, "looking at the sockets");
    const struct seat_found own = seat_find();
    struct seat_found *all = alloc_array((size_t)job->size, sizeof *all);
    MPI_Allgather(&own, 2, MPI_INT, all, 2, MPI_INT, job->comm);
    found_judge(job, all);
    for (int place = 0; place < job->nodes * job->ppn; place++)
        job->socket_of[place] = job->sockets > 0 ? all[job->rank_of[place]].socket : 0;
    free(all);
    if (job->sockets > 0 && job->ppn > 1 && job_slots_most(job, TRANSPORT_node) + job_slots_most(job, TRANSPORT_socket) == 0) {
        job->sockets = 0;
        snprintf(job->sockets_told, sizeof job->sockets_told, "not told apart: processes share one on some nodes alone");
    }
    watch_set(job->watch, 0, NULL);
}
