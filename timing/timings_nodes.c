/* How the nodes compare: see enum timings_nodes. */
#include "timing/timings_impl.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of block b, what all nodes are compared with: the mean over nodes of ln median. NaN: a node ran it too seldom. */
static double reference(const struct timings *timings, const struct timings_block *block)
{
    double sum = 0;
    for (size_t h = 0; h < timings->n_nodes; h++)
        sum += block->nodes[h].count >= TIMINGS_RUNS ? log(fmax(tally_quantile(&block->nodes[h], 0.5), 1)) : NAN;
    return sum / (double)timings->n_nodes;
}

/* The weighted mean of a node's L; 0 where no block can be compared. */
static double node_deviation(const struct timings *timings, const double references[], size_t h)
{
    double sum = 0, weight = 0;
    for (size_t b = 0; b < timings->n; b++) {
        const struct timings_block *block = &timings->blocks[b];
        if (isnan(references[b]))
            continue;
        sum += block->all.sum * (log(fmax(tally_quantile(&block->nodes[h], 0.5), 1)) - references[b]);
        weight += block->all.sum;
    }
    return weight > 0 ? sum / weight : 0;
}

/* The same of one process. NaN where it ran none of the blocks. */
static double process_deviation(const struct timings *timings, const double references[], size_t process)
{
    const struct record *record = &timings->records[process];
    double sum = 0, weight = 0;
    for (size_t i = 0; i < record->n; i++) {
        const struct timings_block *block = timings_block_of(timings, process, i);
        double at = references[block - timings->blocks];
        if (isnan(at))
            continue;
        struct tally tally = {0};
        tally_add(&tally, &record->blocks[i], 1);
        sum += block->all.sum * (log(fmax(tally_quantile(&tally, 0.5), 1)) - at);
        weight += block->all.sum;
        tally_free(&tally);
    }
    return weight > 0 ? sum / weight : NAN;
}

/* Whether two nodes differ by more than the processes of one node do. */
static bool stands_out(const struct timings *timings, const double references[])
{
    double *sum = alloc_zeroed(timings->n_nodes, sizeof *sum), *square = alloc_zeroed(timings->n_nodes, sizeof *square);
    double *n = alloc_zeroed(timings->n_nodes, sizeof *n), within = 0, freedom = 0;
    bool found = false;
    for (size_t i = 0; i < timings->n_records; i++) {
        size_t h = timings_node_of(timings, timings->records[i].host);
        double u = process_deviation(timings, references, i);
        if (isnan(u))
            continue;
        n[h] += 1;
        sum[h] += u;
        square[h] += u * u;
    }
    for (size_t h = 0; h < timings->n_nodes; h++) {
        if (n[h] < 2)
            continue;
        within += fmax(0, square[h] - sum[h] * sum[h] / n[h]);
        freedom += n[h] - 1;
    }
    for (size_t g = 0; g < timings->n_nodes; g++)
        for (size_t h = 0; h < g; h++)
            if (n[g] > 0 && n[h] > 0) {
                double error = freedom > 0 ? sqrt(within / freedom * (1 / n[g] + 1 / n[h])) : 0;
                found = found || fabs(sum[g] / n[g] - sum[h] / n[h]) > 3 * error;
            }
    free(sum);
    free(square);
    free(n);
    return found;
}

static bool consistent(const struct timings *timings, const double references[], const double deviations[])
{
    double total = 0;
    for (size_t b = 0; b < timings->n; b++)
        total += timings->blocks[b].all.sum;
    for (size_t b = 0; b < timings->n; b++) {
        const struct timings_block *block = &timings->blocks[b];
        for (size_t h = 0; h < timings->n_nodes; h++) {
            if (isnan(references[b]) || block->all.sum < 0.01 * total)
                continue;
            double own = log(fmax(tally_quantile(&block->nodes[h], 0.5), 1)) - references[b];
            if (fabs(own - deviations[h]) > log1p(TIMINGS_CONSISTENT))
                return false;
        }
    }
    return true;
}

void timings_compare_nodes(struct timings *timings)
{
    double *references = alloc_array(timings->n, sizeof *references);
    double *deviations = alloc_array(timings->n_nodes, sizeof *deviations);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t b = 0; b < timings->n; b++)
        references[b] = reference(timings, &timings->blocks[b]);
    for (size_t h = 0; h < timings->n_nodes; h++) {
        deviations[h] = node_deviation(timings, references, h);
        least = fmin(least, deviations[h]);
        most = fmax(most, deviations[h]);
    }
    /* Opposite deviations of two blocks may cancel out in a node's mean. */
    bool is_consistent = consistent(timings, references, deviations);
    bool apart = most - least > log1p(TIMINGS_ALIKE) && stands_out(timings, references);
    timings->outcome = !is_consistent ? NODES_MIXED : apart ? NODES_FACTORS : NODES_ALIKE;
    if (timings->n_nodes < 2)
        timings->outcome = NODES_ALIKE;
    for (size_t h = 0; h < timings->n_nodes; h++)
        timings->nodes[h].factor = timings->outcome == NODES_FACTORS ? exp(deviations[h] - least) : 1;
    free(references);
    free(deviations);
}
