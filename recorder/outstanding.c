// SPDX-License-Identifier: MIT
#include "recorder/outstanding.h"

#include <stdlib.h>
#include <string.h>

enum { ORDINALS = 64 };     /* of a path are kept in a word */

/* Upper bits of a product with 2^64 over the golden ratio (Knuth, The Art of Computer Programming, 6.4): handles are addresses or
 * small numbers at equal distances, and this is on the way of each call. */
static uint64_t spread(uint64_t x)
{
    return x * 0x9e3779b97f4a7c15U >> 32;
}

/* ---- handles ---- */

static struct outstanding_bucket *bucket_of(const struct outstanding *outstanding, uint64_t handle)
{
    return &outstanding->buckets[spread(handle) & (uint64_t)(outstanding->n_buckets - 1)];
}

static void bucket_append(struct outstanding *outstanding, int32_t at)
{
    struct recorder_request *request = &outstanding->requests[at];
    struct outstanding_bucket *bucket = bucket_of(outstanding, request->handle);
    request->next = OUTSTANDING_NONE;
    request->before = bucket->last;
    if (bucket->last == OUTSTANDING_NONE)
        bucket->first = at;
    else
        outstanding->requests[bucket->last].next = at;
    bucket->last = at;
}

/* Equal handles were in one bucket, and so they keep their order. */
static void buckets_grow(struct outstanding *outstanding)
{
    const int32_t n_old = outstanding->n_buckets;
    struct outstanding_bucket *old = outstanding->buckets;
    outstanding->n_buckets = n_old > 0 ? 2 * n_old : 16;
    outstanding->buckets = fold_memory(NULL, (size_t)outstanding->n_buckets, sizeof *outstanding->buckets);
    for (int32_t i = 0; i < outstanding->n_buckets; i++)
        outstanding->buckets[i] = (struct outstanding_bucket){OUTSTANDING_NONE, OUTSTANDING_NONE};
    for (int32_t i = 0; i < n_old; i++)
        for (int32_t at = old[i].first, next; at != OUTSTANDING_NONE; at = next) {
            next = outstanding->requests[at].next;
            bucket_append(outstanding, at);
        }
    free(old);
}

struct recorder_request *outstanding_new(struct outstanding *outstanding, uint64_t handle)
{
    int32_t at = outstanding->vacant - 1;
    if (at >= 0) {
        outstanding->vacant = outstanding->requests[at].next;
    } else {
        if (outstanding->used == outstanding->capacity) {
            outstanding->capacity = outstanding->capacity ? 2 * outstanding->capacity : 16;
            outstanding->requests = fold_memory(outstanding->requests, (size_t)outstanding->capacity,
                                                sizeof *outstanding->requests);
        }
        at = outstanding->used++;
    }
    outstanding->requests[at] = (struct recorder_request){.handle = handle, .path = -1, .listed_last = OUTSTANDING_NONE};
    if (outstanding->n++ == outstanding->n_buckets)
        buckets_grow(outstanding);
    bucket_append(outstanding, at);
    return &outstanding->requests[at];
}

/* From here on in its bucket. */
static struct recorder_request *find_from(struct outstanding *outstanding, int32_t at, uint64_t handle)
{
    for (; at != OUTSTANDING_NONE; at = outstanding->requests[at].next) {
        outstanding->steps++;
        if (outstanding->requests[at].handle == handle)
            return &outstanding->requests[at];
    }
    return NULL;
}

struct recorder_request *outstanding_find(struct outstanding *outstanding, uint64_t handle)
{
    if (outstanding->found > 0 && outstanding->requests[outstanding->found - 1].handle == handle)
        return &outstanding->requests[outstanding->found - 1];
    struct recorder_request *request =
        outstanding->n > 0 ? find_from(outstanding, bucket_of(outstanding, handle)->first, handle) : NULL;
    outstanding->found = request ? (int32_t)(request - outstanding->requests) + 1 : 0;
    return request;
}

struct recorder_request *outstanding_next(struct outstanding *outstanding, const struct recorder_request *request)
{
    return find_from(outstanding, request->next, request->handle);
}

void outstanding_remove(struct outstanding *outstanding, struct recorder_request *request)
{
    const int32_t at = (int32_t)(request - outstanding->requests);
    struct outstanding_bucket *bucket = bucket_of(outstanding, request->handle);
    outstanding_stop(outstanding, request);
    *(request->before == OUTSTANDING_NONE ? &bucket->first : &outstanding->requests[request->before].next) = request->next;
    *(request->next == OUTSTANDING_NONE ? &bucket->last : &outstanding->requests[request->next].before) = request->before;
    request->next = outstanding->vacant;
    outstanding->vacant = at + 1;
    outstanding->found = outstanding->found == at + 1 ? 0 : outstanding->found;
    outstanding->n--;
}

/* ---- ordinals ---- */

static struct outstanding_path *path_of(struct outstanding *outstanding, int32_t path)
{
    if (path >= outstanding->n_paths) {
        const int32_t n = path >= 2 * outstanding->n_paths ? path + 16 : 2 * outstanding->n_paths;
        outstanding->paths = fold_memory(outstanding->paths, (size_t)n, sizeof *outstanding->paths);
        for (int32_t i = outstanding->n_paths; i < n; i++)
            outstanding->paths[i] = (struct outstanding_path){.end = ORDINALS};
        outstanding->n_paths = n;
    }
    return &outstanding->paths[path];
}

static void swap(int32_t *a, int32_t *b)
{
    const int32_t was = *a;
    *a = *b;
    *b = was;
}

/* The smallest above 63. */
static int32_t heap_take(struct outstanding *outstanding, struct outstanding_path *path)
{
    if (path->n_free == 0)
        return path->end++;
    int32_t *heap = path->free;
    const int32_t least = heap[0];
    heap[0] = heap[--path->n_free];
    for (int32_t i = 0, below; (below = 2 * i + 1) < path->n_free; i = below) {
        outstanding->steps++;
        below += below + 1 < path->n_free && heap[below + 1] < heap[below];
        if (heap[i] <= heap[below])
            break;
        swap(&heap[i], &heap[below]);
    }
    return least;
}

static void heap_give_back(struct outstanding *outstanding, struct outstanding_path *path, int32_t ordinal)
{
    if (path->n_free == path->free_capacity) {
        path->free_capacity = path->free_capacity ? 2 * path->free_capacity : 64;
        path->free = fold_memory(path->free, (size_t)path->free_capacity, sizeof *path->free);
    }
    int32_t *heap = path->free, i = path->n_free++;
    heap[i] = ordinal;
    for (; i > 0 && heap[(i - 1) / 2] > heap[i]; i = (i - 1) / 2) {
        outstanding->steps++;
        swap(&heap[(i - 1) / 2], &heap[i]);
    }
}

void outstanding_start(struct outstanding *outstanding, struct recorder_request *request, int32_t path)
{
    outstanding_stop(outstanding, request);
    struct outstanding_path *of = path_of(outstanding, path);
    request->path = path;
    request->active = true;
    of->n++;
    outstanding->n_active++;
    if (~of->taken) {
        request->ordinal = __builtin_ctzll(~of->taken);
        of->taken |= UINT64_C(1) << request->ordinal;
    } else {
        request->ordinal = heap_take(outstanding, of);
    }
}

void outstanding_stop(struct outstanding *outstanding, struct recorder_request *request)
{
    if (!request->active)
        return;
    struct outstanding_path *of = &outstanding->paths[request->path];
    request->active = false;
    outstanding->n_active--;
    if (request->ordinal < ORDINALS)
        of->taken &= ~(UINT64_C(1) << request->ordinal);
    else
        heap_give_back(outstanding, of, request->ordinal);
    if (--of->n == 0) {
        of->n_free = 0;
        of->end = ORDINALS;
    }
}

int32_t outstanding_of_path(const struct outstanding *outstanding, int32_t path)
{
    return path >= 0 && path < outstanding->n_paths ? outstanding->paths[path].n : 0;
}

void outstanding_free(struct outstanding *outstanding)
{
    for (int32_t i = 0; i < outstanding->n_paths; i++)
        free(outstanding->paths[i].free);
    free(outstanding->paths);
    free(outstanding->requests);
    free(outstanding->buckets);
    *outstanding = (struct outstanding){.n = 0};
}

/* ---- sets ---- */

/* Of equal handles those before the last one that is in the set are in it, too, or will not be. */
struct recorder_request *outstanding_list(struct outstanding *outstanding, uint64_t handle)
{
    struct recorder_request *oldest = outstanding_find(outstanding, handle), *request = oldest;
    if (oldest && oldest->listed_last != OUTSTANDING_NONE)
        request = outstanding_next(outstanding, &outstanding->requests[oldest->listed_last]);
    while (request && !request->active)
        request = outstanding_next(outstanding, request);
    if (request)
        oldest->listed_last = (int32_t)(request - outstanding->requests);
    return request;
}

void outstanding_unlist(struct outstanding *outstanding, uint64_t handle)
{
    struct recorder_request *oldest = outstanding_find(outstanding, handle);
    if (oldest)
        oldest->listed_last = OUTSTANDING_NONE;
}

static uint64_t list_hash(const struct recorder_list *list)
{
    uint64_t hash = (uint64_t)list->n * 2 + list->all;
    for (int i = 0; i < list->n; i++)
        hash = spread(hash + ((uint64_t)(uint32_t)list->pairs[i].path << 32 | (uint32_t)list->pairs[i].ordinal));
    return hash;
}

static bool list_same(const struct recorder_list *a, const struct recorder_list *b)
{
    return a->all == b->all && a->n == b->n && (a->n == 0 || memcmp(a->pairs, b->pairs, (size_t)a->n * sizeof *a->pairs) == 0);
}

static void table_grow(struct outstanding_sets *sets)
{
    sets->table_size = sets->table_size ? 2 * sets->table_size : 64;
    sets->table = fold_memory(sets->table, (size_t)sets->table_size, sizeof *sets->table);
    memset(sets->table, 0xff, (size_t)sets->table_size * sizeof *sets->table);
    for (int32_t i = 0; i < sets->n; i++) {
        uint64_t at = list_hash(&sets->lists[i]);
        while (sets->table[at & (uint64_t)(sets->table_size - 1)] >= 0)
            at++;
        sets->table[at & (uint64_t)(sets->table_size - 1)] = i;
    }
}

int32_t outstanding_set_number(struct outstanding_sets *sets, const struct recorder_list *list)
{
    const int32_t of_first = list->n > 0 ? list->pairs[0].path + 5 * list->pairs[0].ordinal : 0;
    int32_t *recent = &sets->recent[(uint32_t)of_first % OUTSTANDING_RECENT];
    if (*recent < sets->n && list_same(&sets->lists[*recent], list))
        return *recent;
    if (2 * sets->n >= sets->table_size)
        table_grow(sets);
    int32_t *slot;
    for (uint64_t at = list_hash(list);; at++) {
        sets->steps++;
        slot = &sets->table[at & (uint64_t)(sets->table_size - 1)];
        if (*slot < 0)
            break;
        if (list_same(&sets->lists[*slot], list))
            return *recent = *slot;
    }
    if (sets->n == sets->capacity) {
        sets->capacity = sets->capacity ? 2 * sets->capacity : 16;
        sets->lists = fold_memory(sets->lists, (size_t)sets->capacity, sizeof *sets->lists);
    }
    struct recorder_list *new = &sets->lists[sets->n];
    *new = *list;
    new->pairs = fold_memory(NULL, (size_t)list->n, sizeof *list->pairs);
    if (list->n > 0)
        memcpy(new->pairs, list->pairs, (size_t)list->n * sizeof *list->pairs);
    *slot = sets->n;
    return *recent = sets->n++;
}

void outstanding_sets_free(struct outstanding_sets *sets)
{
    for (int32_t i = 0; i < sets->n; i++)
        free(sets->lists[i].pairs);
    free(sets->lists);
    free(sets->table);
    *sets = (struct outstanding_sets){.n = 0};
}
