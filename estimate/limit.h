/* limit.h - the largest message that is sent eagerly, found by trying. Pure: the caller sends. */
#ifndef PEVPM_ESTIMATE_LIMIT_H
#define PEVPM_ESTIMATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

enum { LIMIT_NOTHING = -1 }; /* even an empty message waits for its receive */

/* The largest size for which `waits` is false, if it is so for all smaller ones: by doubling from 1024 on, then by
 * halving. LIMIT_NOTHING; INT64_MAX: none up to `most` waits. */
int64_t limit_search(int64_t most, bool (*waits)(void *context, int64_t bytes), void *context);

#endif
