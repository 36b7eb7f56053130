/* event_queue.h - what happens next: a 4-ary heap of events in order of time.
 *
 * Events of one time are ordered by kind, then by process, then by object, so the order never depends on how the heap was
 * filled, if no two events of a run are equal in all. Time and order are compared as one 128-bit number: no branch to
 * mispredict; four children share a cache line. Capacity doubles when needed and is kept by event_queue_clear. */
#ifndef PEVPM_SIM_EVENT_QUEUE_H
#define PEVPM_SIM_EVENT_QUEUE_H

#include "common/alloc.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct event {
    uint64_t order; /* kind 4 bits, process 24, object 36 */
    uint64_t time;  /* bits of a double >= 0: they order as the number does */
};

struct event_queue {
    size_t n, capacity;
    void *block;
    struct event *heap;  /* [capacity]; heap[0] is next; heap[1] is aligned to 64 bytes */
};

__extension__ typedef unsigned __int128 event_key;

#define EVENT_OBJECT_MASK (((uint64_t)1 << 36) - 1)

/* time >= 0, kind < 16, process < 2^24; of `object` the lower 36 bits are kept. */
static inline struct event event_make(double time, int kind, int32_t process, uint64_t object)
{
    struct event event = {(uint64_t)kind << 60 | (uint64_t)process << 36 | (object & EVENT_OBJECT_MASK), 0};
    assert(time >= 0);
    memcpy(&event.time, &time, sizeof time);
    return event;
}

static inline double event_time(const struct event *event)
{
    double time;
    memcpy(&time, &event->time, sizeof time);
    return time;
}

static inline int event_kind(const struct event *event)
{
    return (int)(event->order >> 60);
}

static inline int32_t event_process(const struct event *event)
{
    return (int32_t)(event->order >> 36 & 0xffffff);
}

static inline uint64_t event_object(const struct event *event)
{
    return event->order & EVENT_OBJECT_MASK;
}

static inline event_key event_key_of(const struct event *event)
{
    return (event_key)event->time << 64 | event->order;
}

static inline bool event_before(const struct event *a, const struct event *b)
{
    return event_key_of(a) < event_key_of(b);
}

static inline void event_queue_grow(struct event_queue *queue)
{
    size_t capacity = queue->capacity ? 2 * queue->capacity : 256;
    void *block = alloc_array(capacity * sizeof(struct event) + 128, 1);
    uintptr_t aligned = ((uintptr_t)block + 127) & ~(uintptr_t)63;
    struct event *heap = (struct event *)(aligned - sizeof(struct event));
    if (queue->n > 0)
        memcpy(heap, queue->heap, queue->n * sizeof *heap);
    free(queue->block);
    queue->block = block;
    queue->heap = heap;
    queue->capacity = capacity;
}

static inline void event_queue_push(struct event_queue *queue, struct event event)
{
    if (queue->n == queue->capacity)
        event_queue_grow(queue);
    size_t i = queue->n++;
    while (i > 0) {
        size_t up = (i - 1) / 4;
        if (!event_before(&event, &queue->heap[up]))
            break;
        queue->heap[i] = queue->heap[up];
        i = up;
    }
    queue->heap[i] = event;
}

/* The least of four children. */
static inline size_t event_queue_least(const struct event *heap, size_t i)
{
    size_t a = event_before(&heap[i + 1], &heap[i]) ? i + 1 : i;
    size_t b = event_before(&heap[i + 3], &heap[i + 2]) ? i + 3 : i + 2;
    return event_before(&heap[b], &heap[a]) ? b : a;
}

/* Puts an event into the hole at the top of n events. */
static inline void event_queue_sift(struct event *heap, size_t n, struct event event)
{
    size_t i = 0;
    for (size_t down = 1; down < n; down = 4 * i + 1) {
        size_t least = down;
        if (down + 4 <= n)
            least = event_queue_least(heap, down);
        else
            for (size_t j = down + 1; j < n; j++)
                least = event_before(&heap[j], &heap[least]) ? j : least;
        if (!event_before(&heap[least], &event))
            break;
        heap[i] = heap[least];
        i = least;
    }
    heap[i] = event;
}

/* The first event; the queue must not be empty. replace: and `event` takes its place. */
static inline struct event event_queue_pop(struct event_queue *queue)
{
    struct event first = queue->heap[0];
    queue->n--;
    event_queue_sift(queue->heap, queue->n, queue->heap[queue->n]);
    return first;
}

static inline struct event event_queue_replace(struct event_queue *queue, struct event event)
{
    struct event first = queue->heap[0];
    event_queue_sift(queue->heap, queue->n, event);
    return first;
}

static inline void event_queue_clear(struct event_queue *queue)
{
    queue->n = 0;
}

static inline void event_queue_free(struct event_queue *queue)
{
    free(queue->block);
    *queue = (struct event_queue){0};
}

#endif
