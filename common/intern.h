/* intern.h - finds equal things again, so that each is kept once.
 *
 * A table of (hash, id): the things themselves live elsewhere and the caller compares them. Ids are what the caller
 * says, usually an index into its array. Zero-initialise; nothing is allocated before the first intern_add. */
#ifndef PEVPM_COMMON_INTERN_H
#define PEVPM_COMMON_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct intern_entry {
    uint64_t hash;
    int32_t id;
    bool used;
};

struct intern {
    struct intern_entry *entries; /* [capacity], a power of two, at most half full */
    size_t n, capacity;
};

/* Hash of `bytes` bytes, continued from `seed` (0 at the start). Padding counts: clear it first. */
uint64_t intern_hash(uint64_t seed, const void *data, size_t bytes);

/* The id of the thing with this hash for which same(context, id) holds, or -1. */
int32_t intern_find(const struct intern *table, uint64_t hash, bool (*same)(const void *context, int32_t id),
                    const void *context);

/* Adds what intern_find did not find. id >= 0. */
void intern_add(struct intern *table, uint64_t hash, int32_t id);

void intern_free(struct intern *table);

#endif
