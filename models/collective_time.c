#include "models/collective_time.h"

#include <math.h>
#include <string.h>

static const struct machine_collective *entry_find(const struct machine *machine, const char *operation)
{
    for (size_t i = 0; i < machine->n_collectives; i++)
        if (strcmp(machine->collectives[i].operation, operation) == 0)
            return &machine->collectives[i];
    return NULL;
}

const struct machine_collective *collective_time_find(const struct machine *machine, const char *operation,
                                                      const char *blocking)
{
    const struct machine_collective *own = entry_find(machine, operation);
    return own ? own : entry_find(machine, blocking);
}

/* Of the entries for numprocs the one with the most bytes below `below`, or with the fewest from `from` on. */
static const struct machine_collective_time *most_below(const struct machine_collective *c, int numprocs, int64_t below)
{
    const struct machine_collective_time *found = NULL;
    for (size_t i = 0; i < c->n_measured; i++) {
        const struct machine_collective_time *t = &c->measured[i];
        if (t->numprocs == numprocs && t->bytes < below && (!found || t->bytes > found->bytes))
            found = t;
    }
    return found;
}

static const struct machine_collective_time *fewest_from(const struct machine_collective *c, int numprocs, int64_t from)
{
    const struct machine_collective_time *found = NULL;
    for (size_t i = 0; i < c->n_measured; i++) {
        const struct machine_collective_time *t = &c->measured[i];
        if (t->numprocs == numprocs && t->bytes >= from && (!found || t->bytes < found->bytes))
            found = t;
    }
    return found;
}

static void part_add(struct mix *mix, double weight, const struct machine_collective_time *time, bool root)
{
    if (weight == 0)
        return;
    mix->weight[mix->n] = weight;
    mix->part[mix->n++] = root && time->has_root_time ? &time->root_time : &time->time;
}

/* Adds the time at one measured number of processes. */
static void sizes_add(const struct machine_collective *c, int numprocs, int64_t bytes, bool root, double weight,
                      struct mix *mix)
{
    const struct machine_collective_time *low = most_below(c, numprocs, bytes), *high = fewest_from(c, numprocs, bytes);
    if (low && !high) {
        high = low;
        low = most_below(c, numprocs, high->bytes);
    }
    double at = low ? (double)(bytes - low->bytes) / (double)(high->bytes - low->bytes) : 1;
    if (low)
        part_add(mix, weight * (1 - at), low, root);
    part_add(mix, weight * at, high, root);
}

/* The nearest measured numbers of processes at and around numprocs; 0: none. */
static void numprocs_find(const struct machine_collective *c, int numprocs, int *low, int *high)
{
    *low = *high = 0;
    for (size_t i = 0; i < c->n_measured; i++) {
        int n = c->measured[i].numprocs;
        *low = n <= numprocs && n > *low ? n : *low;
        *high = n >= numprocs && (*high == 0 || n < *high) ? n : *high;
    }
}

void collective_time_numprocs(const struct machine_collective *c, struct measured_range *range)
{
    *range = (struct measured_range){c->n_measured, INFINITY, 0};
    for (size_t i = 0; i < c->n_measured; i++) {
        range->least = fmin(range->least, c->measured[i].numprocs);
        range->most = fmax(range->most, c->measured[i].numprocs);
    }
}

void collective_time_sizes(const struct machine_collective *c, int numprocs, struct measured_range *range)
{
    int ends[2];
    numprocs_find(c, numprocs, &ends[0], &ends[1]);
    *range = (struct measured_range){SIZE_MAX, 0, INFINITY};
    for (int e = 0; e < 2; e++) {
        struct measured_range at = {0, INFINITY, 0};
        for (size_t i = 0; i < c->n_measured; i++) {
            if (c->measured[i].numprocs != ends[e])
                continue;
            at.n++;
            at.least = fmin(at.least, (double)c->measured[i].bytes);
            at.most = fmax(at.most, (double)c->measured[i].bytes);
        }
        range->n = at.n < range->n ? at.n : range->n;
        range->least = fmax(range->least, at.least);
        range->most = fmin(range->most, at.most);
    }
}

bool collective_time_mix(const struct machine_collective *c, int numprocs, int64_t bytes, bool root, struct mix *mix)
{
    int low, high;
    numprocs_find(c, numprocs, &low, &high);
    if (low == 0 || high == 0)
        return false;
    double at = high > low ? (double)(numprocs - low) / (high - low) : 1;
    mix->n = 0;
    if (at < 1)
        sizes_add(c, low, bytes, root, 1 - at, mix);
    sizes_add(c, high, bytes, root, at, mix);
    return true;
}
