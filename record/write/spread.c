/* How far a computation's times are from their mean: of the trips of a loop, and of processes that do the same. Who
 * waits for the slowest of several waits longer than for their mean. */
#include "record/write/writer_impl.h"

#include "common/alloc.h"

#include <stdlib.h>

/* The middle half of a normal distribution is so many standard deviations wide. A first trip that does other work, or
 * an interrupt, is outside of it, so that these are in the mean alone. */
static const double MIDDLE_HALF = 1.349;
/* Below, a computation is written without a spread. Smaller: all have one; nothing else changes. */
static const double LEAST_SPREAD = 0.005;

struct weighted {
    double value, weight;
};

struct parts {
    size_t n, capacity;
    struct weighted *list;      /* [n] times, as parts of the mean of their recording */
    double weight;
};

static void part_add(struct parts *parts, double value, double weight)
{
    parts->list = alloc_grow(parts->list, parts->n, &parts->capacity, sizeof *parts->list);
    parts->list[parts->n++] = (struct weighted){value, weight};
    parts->weight += weight;
}

static void parts_add(struct parts *parts, const struct recorded_times *times, double own, double mean)
{
    if (times->n_bins == 0)
        part_add(parts, own / mean, (double)times->n);
    for (size_t i = 0; i < times->n_bins; i++)
        part_add(parts, (times->bins[i].low + times->bins[i].high) / 2 / mean, (double)times->bins[i].count);
}

static int part_compare(const void *a, const void *b)
{
    const double x = ((const struct weighted *)a)->value, y = ((const struct weighted *)b)->value;
    return (x > y) - (x < y);
}

static double quantile(const struct parts *parts, double part)
{
    double passed = 0;
    for (size_t i = 0; i < parts->n; i++) {
        passed += parts->list[i].weight;
        if (passed >= part * parts->weight)
            return parts->list[i].value;
    }
    return parts->list[parts->n - 1].value;
}

static void instances_add(struct parts *parts, const struct writer *writer, const struct template_node *node,
                          int recording, int only)
{
    const double mean = writer_mean_of_recording(writer, node, recording, only);
    for (size_t k = 0; mean > 0 && k < writer->template->n_instances; k++)
        if (writer_computes(writer, node, k, recording, only))
            parts_add(parts, &node->of[k]->times, writer_mean_time(writer, node->of[k]), mean);
}

double writer_spread(const struct writer *writer, const struct template_node *node, bool apart)
{
    struct parts parts = {0};
    for (size_t r = 0; r < writer->template->n_recordings; r++)
        for (int only = apart ? 0 : -1; only <= (apart ? 1 : -1); only++)
            instances_add(&parts, writer, node, (int)r, only);
    double spread = 0;
    if (parts.n > 1) {
        qsort(parts.list, parts.n, sizeof *parts.list, part_compare);
        spread = (quantile(&parts, 0.75) - quantile(&parts, 0.25)) / MIDDLE_HALF;
    }
    free(parts.list);
    return spread < LEAST_SPREAD ? 0 : spread;
}
