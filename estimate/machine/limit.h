/* limit.h - the largest message that is sent eagerly, found by trying. Pure: the caller sends. */
#ifndef PEVPM_ESTIMATE_LIMIT_H
#define PEVPM_ESTIMATE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LIMIT_NOTHING = -1, /* even an empty message waits for its receive */
    LIMIT_AT_ONCE = 64  /* sizes that may be tried at once */
};

/* The i-th of n sizes that are tried at once between two others; of any n sizes between one and itself that one. */
int64_t limit_size(int64_t low, int64_t high, int i, int n);

/* Tries the n sizes between low and high; waits: [n], whether each waits for its receive. */
typedef void limit_try(void *context, int64_t low, int64_t high, int n, bool waits[]);

/* The largest size that does not wait, if that is so for all smaller ones: by doubling from 1024 on, then with up to
 * `at_once` sizes at a time, so that one more than these divides the interval. Where sizes contradict one another the
 * largest is believed that did not wait: a busy processor delays a call, and nothing lets one return that waits.
 * LIMIT_NOTHING; INT64_MAX: none up to `most` waits. */
int64_t limit_search(int64_t most, int at_once, limit_try *attempt, void *context);

#endif
