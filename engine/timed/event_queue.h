/* event_queue.h - what happens next: events in order of time.
 *
 * Events of one time are ordered by kind, then by process, then by object, so the order never depends on how the queue
 * was filled, if no two events of a run are equal in all. Time and order are compared as one 128-bit number: no branch
 * to mispredict. Most stand in a 4-ary heap, whose four children share a cache line; those that are pushed in order of
 * time stand in a line (a ring) and cost no more than a comparison. Capacities double when needed and are kept by
 * event_queue_clear. */
#ifndef PEVPM_ENGINE_EVENT_QUEUE_H
#define PEVPM_ENGINE_EVENT_QUEUE_H

#include "common/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct event {
    uint64_t order; /* kind 5 bits, process 24, object 35 */
    uint64_t time;  /* bits of a double >= 0: they order as the number does */
};

struct event_queue {
    size_t n, capacity;
    void *block;
    struct event *heap;  /* [capacity]; heap[0] is next; heap[1] is aligned to 64 bytes; EVENT_NEVER from n on */
    size_t line_first, line_n, line_capacity;
    struct event *line;  /* [line_capacity], a power of two: line[(line_first + i) mod capacity] in order */
    struct event next_in_line, last_in_line; /* the first is EVENT_NEVER where there is none */
};

__extension__ typedef unsigned __int128 event_key;

#define EVENT_OBJECT_MASK (((uint64_t)1 << 35) - 1)

static inline uint64_t event_time_bits(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* time >= 0, kind < 32, process < 2^24; of `object` the lower 35 bits are kept. */
static inline struct event event_make(double time, int kind, int32_t process, uint64_t object)
{
    return (struct event){(uint64_t)kind << 59 | (uint64_t)process << 35 | (object & EVENT_OBJECT_MASK), event_time_bits(time)};
}

static inline double event_time(const struct event *event)
{
    double time;
    memcpy(&time, &event->time, sizeof time);
    return time;
}

static inline int event_kind(const struct event *event)
{
    return (int)(event->order >> 59);
}

static inline int32_t event_process(const struct event *event)
{
    return (int32_t)(event->order >> 35 & 0xffffff);
}

static inline uint64_t event_object(const struct event *event)
{
    return event->order & EVENT_OBJECT_MASK;
}

/* Half by half, as it was written: a load of all 16 bytes just after two stores of 8 would wait for both. */
static inline struct event event_load(const struct event *event)
{
    struct event copy = {event->order, event->time};
    __asm__("" : "+r"(copy.order), "+r"(copy.time));
    return copy;
}

static inline event_key event_key_of(const struct event *event)
{
    return (event_key)event->time << 64 | event->order;
}

static inline bool event_before(const struct event *a, const struct event *b)
{
    return event_key_of(a) < event_key_of(b);
}

/* Later than every event. */
#define EVENT_NEVER ((struct event){UINT64_MAX, UINT64_MAX})

static inline bool event_is_never(const struct event *event)
{
    return event->time == UINT64_MAX;
}

static inline void event_queue_grow(struct event_queue *queue)
{
    size_t capacity = queue->capacity ? 2 * queue->capacity : 256;
    void *block = alloc_array(capacity * sizeof(struct event) + 128, 1);
    uintptr_t aligned = ((uintptr_t)block + 127) & ~(uintptr_t)63;
    struct event *heap = (struct event *)(aligned - sizeof(struct event));
    if (queue->n > 0)
        memcpy(heap, queue->heap, queue->n * sizeof *heap);
    for (size_t i = queue->n; i < capacity; i++)
        heap[i] = EVENT_NEVER;
    free(queue->block);
    queue->block = block;
    queue->heap = heap;
    queue->capacity = capacity;
}

static inline void event_queue_init(struct event_queue *queue)
{
    *queue = (struct event_queue){.next_in_line = EVENT_NEVER};
    event_queue_grow(queue);
}

static inline void event_queue_push(struct event_queue *queue, struct event event)
{
    if (queue->n + 5 > queue->capacity)
        event_queue_grow(queue);
    size_t i = queue->n++;
    while (i > 0) {
        size_t up = (i - 1) / 4;
        if (!event_before(&event, &queue->heap[up]))
            break;
        queue->heap[i] = event_load(&queue->heap[up]);
        i = up;
    }
    queue->heap[i] = event;
}

/* The earlier of two, a where none is: by a mask that is hidden from the compiler, which would make a branch of it that nothing can
 * predict. */
static inline struct event *event_earlier(struct event *a, struct event *b)
{
    uintptr_t before = -(uintptr_t)event_before(b, a);
    __asm__("" : "+r"(before));
    return (struct event *)((uintptr_t)a + (before & ((uintptr_t)b - (uintptr_t)a)));
}

/* Puts an event into the hole at the top of n events. */
static inline void event_queue_sift(struct event *heap, size_t n, struct event event)
{
    struct event *hole = heap;
    for (struct event *child = heap + 1; child < heap + n; child = heap + 4 * (hole - heap) + 1) {
        struct event *least = event_earlier(event_earlier(child, child + 1), event_earlier(child + 2, child + 3));
        if (!event_before(least, &event))
            break;
        *hole = event_load(least);
        hole = least;
    }
    *hole = event;
}

static inline void event_queue_line_grow(struct event_queue *queue)
{
    size_t capacity = queue->line_capacity ? 2 * queue->line_capacity : 256;
    struct event *line = alloc_array(capacity, sizeof *line);
    for (size_t i = 0; i < queue->line_n; i++)
        line[i] = queue->line[(queue->line_first + i) & (queue->line_capacity - 1)];
    free(queue->line);
    queue->line = line;
    queue->line_first = 0;
    queue->line_capacity = capacity;
}

/* As event_queue_push, for events most of which come in order. */
static inline void event_queue_push_in_line(struct event_queue *queue, struct event event)
{
    if (queue->line_n == 0) {
        queue->next_in_line = event;
    } else if (event_before(&event, &queue->last_in_line)) {
        event_queue_push(queue, event);
        return;
    }
    if (queue->line_n == queue->line_capacity)
        event_queue_line_grow(queue);
    queue->line[(queue->line_first + queue->line_n++) & (queue->line_capacity - 1)] = event;
    queue->last_in_line = event;
}

static inline struct event event_queue_pop_line(struct event_queue *queue)
{
    struct event first = event_load(&queue->next_in_line);
    queue->line_first = (queue->line_first + 1) & (queue->line_capacity - 1);
    queue->next_in_line = --queue->line_n > 0 ? event_load(&queue->line[queue->line_first]) : EVENT_NEVER;
    return first;
}

static inline bool event_queue_is_empty(const struct event_queue *queue)
{
    return queue->n == 0 && queue->line_n == 0;
}

static inline struct event event_queue_pop_heap(struct event_queue *queue)
{
    struct event first = event_load(&queue->heap[0]);
    struct event last = event_load(&queue->heap[--queue->n]);
    queue->heap[queue->n] = EVENT_NEVER;
    if (queue->n > 0)
        event_queue_sift(queue->heap, queue->n, last);
    return first;
}

/* Puts an event in place of the first of the heap. */
static inline void event_queue_replace_first(struct event_queue *queue, struct event event)
{
    event_queue_sift(queue->heap, queue->n, event);
}

/* Whether an event comes before all that are in the queue. */
static inline bool event_queue_is_before(const struct event_queue *queue, const struct event *event)
{
    return event_before(event, &queue->heap[0]) && event_before(event, &queue->next_in_line);
}

/* Whether the first event stands in the line. */
static inline bool event_queue_line_is_first(const struct event_queue *queue)
{
    return event_before(&queue->next_in_line, &queue->heap[0]);
}

/* Takes the first event out, if there is one and it comes before `limit`. */
static inline bool event_queue_pop_before(struct event_queue *queue, struct event limit, struct event *event)
{
    const bool in_line = event_queue_line_is_first(queue);
    if (!event_before(in_line ? &queue->next_in_line : &queue->heap[0], &limit))
        return false;
    *event = in_line ? event_queue_pop_line(queue) : event_queue_pop_heap(queue);
    return true;
}

/* The first event; EVENT_NEVER where there is none. */
static inline struct event event_queue_pop(struct event_queue *queue)
{
    struct event first = EVENT_NEVER;
    event_queue_pop_before(queue, EVENT_NEVER, &first);
    return first;
}

static inline void event_queue_clear(struct event_queue *queue)
{
    for (size_t i = 0; i < queue->n; i++)
        queue->heap[i] = EVENT_NEVER;
    queue->n = queue->line_n = queue->line_first = 0;
    queue->next_in_line = EVENT_NEVER;
}

static inline void event_queue_free(struct event_queue *queue)
{
    free(queue->block);
    free(queue->line);
    *queue = (struct event_queue){0};
}

#endif
