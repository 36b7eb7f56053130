#include "estimate/histogram.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static void init(struct histogram *h, int bits, int64_t width)
{
    *h = (struct histogram){.bits = bits, .width = width};
}

void histogram_init(struct histogram *h, double relative)
{
    assert(relative > 0 && relative <= 1);
    int bits = 1;
    while (bits < 30 && 1 / (double)(1 << bits) > relative)
        bits++;
    init(h, bits, 0);
}

void histogram_init_linear(struct histogram *h, int64_t width)
{
    assert(width >= 1);
    init(h, 0, width);
}

void histogram_free(struct histogram *h)
{
    free(h->bins);
    init(h, h->bits, h->width);
}

/* ---- layout ---- */

static int log2_floor(uint64_t v)
{
    return 63 - __builtin_clzll(v);
}

/* Of v >= 0: the leading bits + 1 bits of v after a number that counts the powers of two, so that indices ascend by one
 * from bin to bin and below 2^bits are the values themselves. */
static int64_t magnitude_index(int bits, uint64_t v)
{
    int shift = v >> bits ? log2_floor(v) - bits : 0;
    return ((int64_t)shift << bits) + (int64_t)(v >> shift);
}

static uint64_t magnitude_low(int bits, int64_t index)
{
    int shift = index >> bits ? (int)((index >> bits) - 1) : 0;
    return (uint64_t)(index - ((int64_t)shift << bits)) << shift;
}

int64_t histogram_index(const struct histogram *h, int64_t ns)
{
    if (h->bits == 0)
        return ns / h->width - (ns % h->width < 0);
    /* -1 - ns maps the negative onto 0, 1, 2 ... without overflow */
    return ns >= 0 ? magnitude_index(h->bits, (uint64_t)ns) : -1 - magnitude_index(h->bits, (uint64_t)(-1 - ns));
}

static int64_t clamp(uint64_t v)
{
    return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

void histogram_range(const struct histogram *h, int64_t index, int64_t *low, int64_t *high)
{
    if (h->bits == 0) {
        if (__builtin_mul_overflow(index, h->width, low))
            *low = INT64_MIN;
        if (index == INT64_MAX || __builtin_mul_overflow(index + 1, h->width, high))
            *high = INT64_MAX;
    } else if (index >= 0) {
        *low = clamp(magnitude_low(h->bits, index));
        *high = clamp(magnitude_low(h->bits, index + 1));
    } else {
        uint64_t next = magnitude_low(h->bits, -index);
        *low = next > INT64_MAX ? INT64_MIN : -(int64_t)next;
        *high = -clamp(magnitude_low(h->bits, -1 - index));
    }
}

/* ---- filling ---- */

static struct bin *bin_of(struct histogram *h, int64_t index)
{
    return bin_at(&h->bins, &h->n, &h->capacity, index);
}

static void widen(struct histogram *h, int64_t minimum, int64_t maximum)
{
    bool is_first = h->count == 0;
    h->minimum = is_first || minimum < h->minimum ? minimum : h->minimum;
    h->maximum = is_first || maximum > h->maximum ? maximum : h->maximum;
}

void histogram_add(struct histogram *h, int64_t ns, int64_t count)
{
    assert(count >= 0);
    if (count == 0)
        return;
    bin_of(h, histogram_index(h, ns))->count += count;
    widen(h, ns, ns);
    h->count += count;
    h->sum += (double)ns * (double)count;
}

void histogram_add_samples(struct histogram *h, const struct samples *samples)
{
    for (size_t i = 0; i < samples->n; i++)
        histogram_add(h, samples->ns[i], 1);
}

void histogram_merge(struct histogram *h, const struct histogram *other)
{
    assert(h->bits == other->bits && h->width == other->width);
    if (other->count == 0)
        return;
    for (size_t i = 0; i < other->n; i++)
        bin_of(h, other->bins[i].index)->count += other->bins[i].count;
    widen(h, other->minimum, other->maximum);
    h->count += other->count;
    h->sum += other->sum;
}

/* ---- reading ---- */

bool histogram_same(const struct histogram *a, const struct histogram *b)
{
    if (a->bits != b->bits || a->width != b->width || a->n != b->n || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->bins[i].index != b->bins[i].index || a->bins[i].count != b->bins[i].count)
            return false;
    return a->count == 0 || (a->minimum == b->minimum && a->maximum == b->maximum && a->sum == b->sum);
}

int64_t histogram_quantile(const struct histogram *h, double p)
{
    assert(h->count > 0 && p >= 0 && p <= 1);
    int64_t passed = 0, low, high;
    size_t i = 0;
    while (i + 1 < h->n && (double)(passed += h->bins[i].count) < p * (double)h->count * (1 - 1e-14))
        i++;
    histogram_range(h, h->bins[i].index, &low, &high);
    int64_t middle = low / 2 + high / 2;
    return middle < h->minimum ? h->minimum : middle > h->maximum ? h->maximum : middle;
}

void histogram_table(const struct histogram *h, struct histogram_table *table)
{
    *table = (struct histogram_table){0, alloc_array(2 * h->n + 2, sizeof *table->edges),
                                      alloc_array(2 * h->n + 1, sizeof *table->counts)};
    for (size_t i = 0; i < h->n; i++) {
        int64_t low, high;
        histogram_range(h, h->bins[i].index, &low, &high);
        if (i == 0)
            table->edges[0] = h->minimum;
        else if (table->edges[table->n] < low) {
            table->counts[table->n++] = 0;
            table->edges[table->n] = low;
        }
        table->counts[table->n++] = h->bins[i].count;
        table->edges[table->n] = high;
    }
    if (table->n > 0 && h->maximum < INT64_MAX)
        table->edges[table->n] = h->maximum + 1;
}

void histogram_table_free(struct histogram_table *table)
{
    free(table->edges);
    free(table->counts);
    *table = (struct histogram_table){0, NULL, NULL};
}
