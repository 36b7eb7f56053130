#include "common/intern.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One round of a multiply and fold; the constant is 2^64 divided by the golden ratio, made odd. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    uint64_t x = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return x ^ (x >> 32);
}

uint64_t intern_hash(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = mix(seed, bytes), word;
    for (; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    if (bytes > 0) {
        word = 0;
        memcpy(&word, at, bytes);
        hash = mix(hash, word);
    }
    return hash;
}

int32_t intern_find(const struct intern *table, uint64_t hash, bool (*same)(const void *context, int32_t id),
                    const void *context)
{
    if (table->capacity == 0)
        return -1;
    size_t mask = table->capacity - 1;
    for (size_t i = (size_t)hash & mask; table->entries[i].used; i = (i + 1) & mask)
        if (table->entries[i].hash == hash && same(context, table->entries[i].id))
            return table->entries[i].id;
    return -1;
}

static void place_entry(struct intern *table, struct intern_entry entry)
{
    size_t mask = table->capacity - 1, i = (size_t)entry.hash & mask;
    while (table->entries[i].used)
        i = (i + 1) & mask;
    table->entries[i] = entry;
}

void intern_add(struct intern *table, uint64_t hash, int32_t id)
{
    assert(id >= 0);
    if (2 * (table->n + 1) > table->capacity) {
        struct intern old = *table;
        table->capacity = old.capacity ? 2 * old.capacity : 64;
        table->entries = alloc_zeroed(table->capacity, sizeof *table->entries);
        for (size_t i = 0; i < old.capacity; i++)
            if (old.entries[i].used)
                place_entry(table, old.entries[i]);
        free(old.entries);
    }
    place_entry(table, (struct intern_entry){hash, id, true});
    table->n++;
}

void intern_free(struct intern *table)
{
    free(table->entries);
    *table = (struct intern){NULL, 0, 0};
}
