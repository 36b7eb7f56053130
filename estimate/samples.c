#include "estimate/samples.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void samples_init(struct samples *samples)
{
    *samples = (struct samples)SAMPLES_EMPTY;
}

void samples_free(struct samples *samples)
{
    free(samples->ns);
    samples_init(samples);
}

void samples_reset(struct samples *samples)
{
    samples->n = 0;
}

void samples_add(struct samples *samples, int64_t ns)
{
    samples->ns = alloc_grow(samples->ns, samples->n, &samples->capacity, sizeof *samples->ns);
    samples->ns[samples->n++] = ns;
}

void samples_append(struct samples *samples, size_t n, const int64_t values[])
{
    if (samples->capacity - samples->n < n) {
        samples->capacity = samples->n + n;
        samples->ns = alloc_resize(samples->ns, samples->capacity, sizeof *samples->ns);
    }
    if (values && n > 0) {
        memcpy(samples->ns + samples->n, values, n * sizeof *values);
        samples->n += n;
    }
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void samples_sort(struct samples *samples)
{
    if (samples->n > 1)
        qsort(samples->ns, samples->n, sizeof *samples->ns, compare);
}

int64_t samples_quantile(const struct samples *sorted, double p)
{
    assert(sorted->n > 0 && p >= 0 && p <= 1);
    /* p n with a hair less, so that 0.07 * 100, which is 7.000000000000001, asks for the 7th. */
    double rank = ceil((double)sorted->n * p * (1 - 1e-14));
    size_t k = rank < 1 ? 1 : (size_t)rank;
    return sorted->ns[k < sorted->n ? k - 1 : sorted->n - 1];
}

double samples_median(const struct samples *sorted)
{
    assert(sorted->n > 0);
    size_t n = sorted->n;
    return ((double)sorted->ns[(n - 1) / 2] + (double)sorted->ns[n / 2]) / 2;
}
