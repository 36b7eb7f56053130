/* bin.h - counts by the number of a bin: an array that ascends by it and grows where a bin is missing. What a bin's number stands
 * for its owner knows. */
#ifndef PEVPM_COMMON_BIN_H
#define PEVPM_COMMON_BIN_H

#include <stddef.h>
#include <stdint.h>

struct bin {
    int64_t index, count;
};

/* The bin with this index of bins [*n], made with a count of 0 where there is none. Good until the next call. */
struct bin *bin_at(struct bin **bins, size_t *n, size_t *capacity, int64_t index);

#endif
