/* Sizes, parts of the data and positions: what all algorithms compute with. */
#include "collectives/schedule_impl.h"

#include <assert.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t schedule_share(const struct schedule *s, int32_t rank)
{
    return s->sums ? s->sums[rank + 1] - s->sums[rank] : s->bytes;
}

int64_t schedule_pair(const struct schedule *s, int32_t from, int32_t to)
{
    return s->pairs ? s->pairs[(int64_t)from * s->size + to] : schedule_share(s, from);
}

int64_t schedule_edge(const struct schedule *s, int32_t from, int32_t edge)
{
    return s->pairs ? s->pairs[edge] : schedule_share(s, from);
}

size_t schedule_n_pairs(const struct schedule *s)
{
    return collective_op_is_local(s->op) ? (size_t)s->topology->first_out[s->size] : (size_t)s->size * (size_t)s->size;
}

int64_t schedule_total(const struct schedule *s)
{
    switch (collective_op_like(s->op)) {
    case COLLECTIVE_MPI_Bcast:
    case COLLECTIVE_MPI_Reduce:
    case COLLECTIVE_MPI_Allreduce:
    case COLLECTIVE_MPI_Scan:
    case COLLECTIVE_MPI_Exscan:
        return s->bytes;
    default:
        return s->sums ? s->sums[s->size] : s->bytes * s->size;
    }
}

struct part part_token(void)
{
    return (struct part){.kind = PART_TOKEN};
}

struct part part_range(int64_t first, int64_t count)
{
    return (struct part){PART_RANGE, first, count, count};
}

struct part part_blocks(const struct schedule *s, int64_t first, int64_t count)
{
    assert(first >= 0 && first < s->size && count >= 0 && count <= s->size);
    int64_t bytes = count * s->bytes;
    if (s->sums) {
        int64_t end = first + count, wrapped = end > s->size ? end - s->size : 0;
        bytes = s->sums[end - wrapped] - s->sums[first] + s->sums[wrapped];
    }
    return (struct part){PART_BLOCKS, first, count, bytes};
}

/* The block is named by its receiver, its size is the sender's. */
struct part part_pair(const struct schedule *s, int32_t from, int32_t to)
{
    return (struct part){PART_BLOCKS, to, 1, schedule_pair(s, from, to)};
}

int64_t schedule_elements(const struct schedule *s)
{
    return (s->bytes + ELEMENT_BYTES - 1) / ELEMENT_BYTES;
}

struct part part_elements(const struct schedule *s, int64_t first, int64_t count)
{
    int64_t begin = least(first * ELEMENT_BYTES, s->bytes), end = least((first + count) * ELEMENT_BYTES, s->bytes);
    return part_range(begin, end - begin);
}

int64_t part_segments(struct part whole, int64_t segment)
{
    return segment <= 0 || whole.count <= segment ? 1 : (whole.count - 1) / segment + 1;
}

struct part part_segment(struct part whole, int64_t segment, int64_t k)
{
    if (part_segments(whole, segment) == 1)
        return whole;
    return part_range(whole.first + k * segment, least(segment, whole.count - k * segment));
}

int32_t other_rank(int64_t k, int32_t without)
{
    return (int32_t)(k < without ? k : k + 1);
}

/* The position of a rank, and the rank at a position, where the root and process 0 have changed places. */
static int32_t swapped(const struct schedule *s, int32_t place)
{
    return place == 0 ? s->root : place == s->root ? 0 : place;
}

int32_t rank_from_root(const struct schedule *s)
{
    if (s->carried && s->carried->position)
        return s->carried->position[s->rank];
    if (s->algorithm == ALGORITHM_binomial_swapped)
        return swapped(s, s->rank);
    return s->rank >= s->root ? s->rank - s->root : s->rank - s->root + s->size;
}

int32_t rank_at(const struct schedule *s, int64_t distance)
{
    if (s->carried && s->carried->order && distance >= 0)
        return s->carried->order[distance];
    if (s->algorithm == ALGORITHM_binomial_swapped && distance >= 0)
        return swapped(s, (int32_t)distance);
    return (int32_t)((distance + s->root) % s->size);
}

int32_t power_below(int32_t n)
{
    return (int32_t)1 << log2_below(n);
}

int32_t log2_below(int32_t n)
{
    assert(n >= 1);
    int32_t exponent = 0;
    while (n >>= 1)
        exponent++;
    return exponent;
}
