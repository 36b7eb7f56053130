/* How the nodes compare: see enum timings_nodes. */
#include "timing/timings_impl.h"

#include "common/alloc.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL_BLOCKS SIZE_MAX

/* NaN: the block was not run, or too seldom on a node. */
struct comparison {
    const struct timings *timings;
    size_t *node_of;       /* [n_records] */
    size_t n;              /* blocks */
    double *weights;       /* [n] their total times; 0: not to be compared */
    double *processes;     /* [n_records][n] L of one process */
    double *nodes;         /* [n_nodes][n] L */
    double *uncertain;     /* [n_nodes][n] standard error of L, as far as the durations tell it */
};

static double log_median(const struct tally *tally)
{
    return tally->count > 0 ? log(fmax(tally_quantile(tally, 0.5), 1)) : NAN;
}

/* Order statistics 3 sd of the binomial law to either side of the median enclose it, whatever the durations' law. */
static double log_median_error(const struct tally *tally)
{
    if (tally->count == 0)
        return NAN;
    double reach = fmin(3 * 0.5 / sqrt((double)tally->count), 0.5);
    double low = tally_quantile(tally, 0.5 - reach), high = tally_quantile(tally, 0.5 + reach);
    return (log(fmax(high, 1)) - log(fmax(low, 1))) / 6;
}

static void take_processes(struct comparison *c)
{
    const struct timings *timings = c->timings;
    for (size_t i = 0; i < timings->n_records * c->n; i++)
        c->processes[i] = NAN;
    for (size_t i = 0; i < timings->n_records; i++)
        for (size_t j = 0; j < timings->records[i].n; j++) {
            size_t b = (size_t)(timings_block_of(timings, i, j) - timings->blocks);
            struct tally tally = {0};
            tally_add(&tally, &timings->records[i].blocks[j], 1);
            c->processes[i * c->n + b] = log_median(&tally);
            tally_free(&tally);
        }
}

/* A node is the mean of its processes: the median of all their durations would jump from the one process to the other
 * where each has a speed of its own. */
static void compare_block(struct comparison *c, size_t b)
{
    const struct timings *timings = c->timings;
    const struct timings_block *block = &timings->blocks[b];
    double *sum = alloc_zeroed(timings->n_nodes, sizeof *sum), *n = alloc_zeroed(timings->n_nodes, sizeof *n);
    double reference = 0;
    bool often = true;
    for (size_t i = 0; i < timings->n_records; i++)
        if (!isnan(c->processes[i * c->n + b])) {
            sum[c->node_of[i]] += c->processes[i * c->n + b];
            n[c->node_of[i]] += 1;
        }
    for (size_t h = 0; h < timings->n_nodes; h++) {
        c->nodes[h * c->n + b] = sum[h] / n[h];
        c->uncertain[h * c->n + b] = log_median_error(&block->nodes[h]);
        often = often && block->nodes[h].count >= TIMINGS_RUNS;
        reference += sum[h] / n[h] / (double)timings->n_nodes;
    }
    free(sum);
    free(n);
    reference = often ? reference : NAN;
    c->weights[b] = often ? block->all.sum : 0;
    for (size_t h = 0; h < timings->n_nodes; h++)
        c->nodes[h * c->n + b] -= reference;
    for (size_t i = 0; i < timings->n_records; i++)
        c->processes[i * c->n + b] -= reference;
}

static void comparison_init(struct comparison *c, const struct timings *timings)
{
    size_t n = timings->n;
    *c = (struct comparison){.timings = timings, .n = n};
    c->weights = alloc_array(n, sizeof *c->weights);
    c->nodes = alloc_array(timings->n_nodes * n, sizeof *c->nodes);
    c->uncertain = alloc_array(timings->n_nodes * n, sizeof *c->uncertain);
    c->processes = alloc_array(timings->n_records * n, sizeof *c->processes);
    c->node_of = alloc_array(timings->n_records, sizeof *c->node_of);
    for (size_t i = 0; i < timings->n_records; i++)
        c->node_of[i] = timings_node_of(timings, timings->records[i].host);
    take_processes(c);
    for (size_t b = 0; b < n; b++)
        compare_block(c, b);
}

static void comparison_free(struct comparison *c)
{
    free(c->node_of);
    free(c->weights);
    free(c->nodes);
    free(c->uncertain);
    free(c->processes);
}

/* ---- deviations and their errors ---- */

/* The weighted mean of L [n]; 0 where no block can be compared. */
static double mean_of(const struct comparison *c, const double L[])
{
    double sum = 0, weight = 0;
    for (size_t b = 0; b < c->n; b++)
        if (!isnan(L[b])) {
            sum += c->weights[b] * L[b];
            weight += c->weights[b];
        }
    return weight > 0 ? sum / weight : 0;
}

/* How a node or process deviates: over all blocks, or in one block from that. */
static double deviation_of(const struct comparison *c, const double L[], size_t block)
{
    double mean = mean_of(c, L);
    return block == ALL_BLOCKS ? mean : L[block] - mean;
}

/* The standard error of a node's deviation as its durations tell it. */
static double error_of(const struct comparison *c, size_t node, size_t block)
{
    const double *uncertain = &c->uncertain[node * c->n];
    double sum = 0, weight = 0;
    if (block != ALL_BLOCKS)
        return uncertain[block];
    for (size_t b = 0; b < c->n; b++)
        if (c->weights[b] > 0) {
            sum += c->weights[b] * c->weights[b] * uncertain[b] * uncertain[b];
            weight += c->weights[b];
        }
    return weight > 0 ? sqrt(sum) / weight : 0;
}

/* The standard error of each node's deviation: by how much processes of one node deviate from one another, and at least
 * what the durations tell. Returns Student's degrees of freedom, infinite where no node has two processes. */
static double node_errors(const struct comparison *c, size_t block, double errors[])
{
    size_t n_nodes = c->timings->n_nodes;
    double *sum = alloc_zeroed(n_nodes, sizeof *sum), *square = alloc_zeroed(n_nodes, sizeof *square);
    double *n = alloc_zeroed(n_nodes, sizeof *n), within = 0, freedom = 0;
    for (size_t i = 0; i < c->timings->n_records; i++) {
        size_t h = c->node_of[i];
        double u = deviation_of(c, &c->processes[i * c->n], block);
        if (isnan(u))
            continue;
        n[h] += 1;
        sum[h] += u;
        square[h] += u * u;
    }
    for (size_t h = 0; h < n_nodes; h++)
        if (n[h] >= 2) {
            within += fmax(0, square[h] - sum[h] * sum[h] / n[h]);
            freedom += n[h] - 1;
        }
    for (size_t h = 0; h < n_nodes; h++) {
        double spread = freedom > 0 && n[h] > 0 ? sqrt(within / freedom / n[h]) : 0;
        errors[h] = fmax(spread, error_of(c, h, block));
    }
    free(sum);
    free(square);
    free(n);
    return freedom > 0 ? freedom : INFINITY;
}

/* How many standard errors chance makes, once in 1 / TIMINGS_CHANCE times that `comparisons` are made. */
static double chance_limit(double freedom, double comparisons)
{
    double p = TIMINGS_CHANCE / (2 * comparisons);
    return isinf(freedom) ? gsl_cdf_ugaussian_Qinv(p) : gsl_cdf_tdist_Qinv(p, freedom);
}

/* ---- what follows ---- */

/* Whether two nodes differ beyond chance. */
static bool stands_out(const struct comparison *c, double errors[])
{
    size_t n = c->timings->n_nodes;
    double freedom = node_errors(c, ALL_BLOCKS, errors);
    double limit = chance_limit(freedom, 0.5 * (double)n * (double)(n - 1));
    for (size_t g = 0; g < n; g++)
        for (size_t h = 0; h < g; h++)
            if (fabs(mean_of(c, &c->nodes[g * c->n]) - mean_of(c, &c->nodes[h * c->n])) >
                limit * hypot(errors[g], errors[h]))
                return true;
    return false;
}

/* Whether all blocks of weight obey their nodes' factors, chance apart. */
static bool consistent(const struct comparison *c, double errors[])
{
    size_t n_nodes = c->timings->n_nodes;
    double total = 0;
    for (size_t b = 0; b < c->n; b++)
        total += c->timings->blocks[b].all.sum;
    for (size_t b = 0; b < c->n; b++) {
        if (c->weights[b] < 0.01 * total)
            continue;
        double limit = chance_limit(node_errors(c, b, errors), (double)(c->n * n_nodes));
        for (size_t h = 0; h < n_nodes; h++)
            if (fabs(deviation_of(c, &c->nodes[h * c->n], b)) > fmax(log1p(TIMINGS_CONSISTENT), limit * errors[h]))
                return false;
    }
    return true;
}

void timings_compare_nodes(struct timings *timings)
{
    timings->outcome = NODES_ALIKE;
    for (size_t h = 0; h < timings->n_nodes; h++)
        timings->nodes[h].factor = 1;
    if (timings->n_nodes < 2)
        return;
    struct comparison c;
    double *errors = alloc_array(timings->n_nodes, sizeof *errors), least = HUGE_VAL, most = -HUGE_VAL;
    comparison_init(&c, timings);
    for (size_t h = 0; h < timings->n_nodes; h++) {
        double deviation = mean_of(&c, &c.nodes[h * c.n]);
        least = fmin(least, deviation);
        most = fmax(most, deviation);
    }
    /* Opposite deviations of two blocks may cancel out in a node's mean. */
    if (!consistent(&c, errors))
        timings->outcome = NODES_MIXED;
    else if (most - least > log1p(TIMINGS_ALIKE) && stands_out(&c, errors))
        timings->outcome = NODES_FACTORS;
    for (size_t h = 0; h < timings->n_nodes && timings->outcome == NODES_FACTORS; h++)
        timings->nodes[h].factor = exp(mean_of(&c, &c.nodes[h * c.n]) - least);
    comparison_free(&c);
    free(errors);
}
