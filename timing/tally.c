#include "timing/tally.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void tally_add(struct tally *tally, const struct record_block *block, double factor)
{
    double minimum = floor(block->minimum / factor), maximum = ceil(block->maximum / factor);
    for (size_t i = 0; i < block->n; i++) {
        double low, high;
        record_bin_range(block->bins[i].index, &low, &high);
        double middle = fmin(fmax(0.5 * (low + high), block->minimum), block->maximum) / factor;
        int64_t index = factor == 1 ? block->bins[i].index : record_bin_of(middle);
        bin_at(&tally->bins, &tally->n, &tally->capacity, index)->count += block->bins[i].count;
    }
    tally->minimum = tally->count == 0 ? minimum : fmin(tally->minimum, minimum);
    tally->maximum = tally->count == 0 ? maximum : fmax(tally->maximum, maximum);
    tally->sum += block->sum / factor;
    tally->count += block->count;
}

void tally_free(struct tally *tally)
{
    free(tally->bins);
    *tally = (struct tally){0};
}

double tally_quantile(const struct tally *tally, double p)
{
    assert(tally->count > 0 && p >= 0 && p <= 1);
    double wanted = p * (double)tally->count, passed = 0, low, high;
    size_t i = 0;
    while (i + 1 < tally->n && passed + (double)tally->bins[i].count < wanted)
        passed += (double)tally->bins[i++].count;
    record_bin_range(tally->bins[i].index, &low, &high);
    double value = low + (high - low) * fmin(1, (wanted - passed) / (double)tally->bins[i].count);
    return fmin(fmax(value, tally->minimum), tally->maximum);
}

size_t tally_table(const struct tally *tally, double **edges, double **counts)
{
    size_t n = 0;
    double *edge = alloc_array(2 * tally->n + 2, sizeof *edge), *count = alloc_array(2 * tally->n + 1, sizeof *count);
    for (size_t i = 0; i < tally->n; i++) {
        double low, high;
        record_bin_range(tally->bins[i].index, &low, &high);
        low = i == 0 ? tally->minimum : low;
        high = i + 1 == tally->n ? fmax(tally->maximum, low + (i == 0)) : high;
        if (i == 0) {
            edge[0] = low;
        } else if (edge[n] < low) {
            count[n++] = 0;
            edge[n] = low;
        }
        /* A maximum on the lower edge of its bin leaves no width: its share joins the bin before. */
        if (high > edge[n]) {
            count[n++] = (double)tally->bins[i].count;
            edge[n] = high;
        } else {
            count[n - 1] += (double)tally->bins[i].count;
        }
    }
    *edges = edge;
    *counts = count;
    return n;
}
