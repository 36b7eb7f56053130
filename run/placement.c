#include "run/placement.h"

/* The first rank that is not where a map wants it; size: none. */
static int first_elsewhere(const struct job *job, int ppn, bool cyclic)
{
    int r = 0;
    while (r < job->size && job->node_of[r] == (cyclic ? r % job->nodes : r / ppn))
        r++;
    return r;
}

enum status placement_find(const struct job *job, enum run_map wanted, struct placement *at, bool *cyclic,
                           struct diags *diags)
{
    int ppn = (job->size + job->nodes - 1) / job->nodes;
    bool is[] = {first_elsewhere(job, ppn, false) == job->size, first_elsewhere(job, ppn, true) == job->size};
    *at = (struct placement){job->size, job->nodes, ppn};
    *cyclic = wanted == MAP_CYCLIC || (wanted == MAP_AS_IT_IS && !is[0]);
    if (is[*cyclic])
        return STATUS_OK;
    int elsewhere = first_elsewhere(job, ppn, *cyclic);
    if (wanted == MAP_AS_IT_IS)
        diag_error(diags, place_of_file(NULL),
                   "ranks are placed neither block (rank / %d) nor cyclic (rank modulo %d): rank %d is on node %d; "
                   "start the job with mpirun --map-by slot or --map-by node, the same number on each node",
                   ppn, job->nodes, first_elsewhere(job, ppn, false),
                   job->node_of[first_elsewhere(job, ppn, false)]);
    else
        diag_error(diags, place_of_file(NULL), "--map %s: rank %d is on node %d, not on node %d",
                   *cyclic ? "cyclic" : "block", elsewhere, job->node_of[elsewhere],
                   *cyclic ? elsewhere % job->nodes : elsewhere / ppn);
    return STATUS_USAGE;
}
