// SPDX-License-Identifier: MIT
#include "recorder/callpath.h"

#include "recorder/fold.h"

#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { BUCKETS = 1024 };
enum { STACKS_MOST = 1 << 16 }; /* deep recursion: beyond these each call is unwound */

void callpaths_init(struct callpaths *paths)
{
    memset(paths, 0, sizeof *paths);
    paths->buckets = fold_memory(NULL, BUCKETS, sizeof *paths->buckets);
    memset(paths->buckets, 0xff, BUCKETS * sizeof *paths->buckets);
}

void callpaths_free(struct callpaths *paths)
{
    free(paths->paths);
    free(paths->stacks);
    free(paths->buckets);
    memset(paths, 0, sizeof *paths);
}

/* What the unwinder has passed. It begins in callpath_find: frames are left out until the caller is met. */
struct walk {
    uintptr_t caller;
    struct callpath path;
    uintptr_t *slot[CALLPATH_DEPTH];
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    uintptr_t address = _Unwind_GetIP(context);
    if (address == 0 || walk->path.n == CALLPATH_DEPTH)
        return _URC_END_OF_STACK;
    if (walk->path.n > 0 || address == walk->caller) {
        walk->path.address[walk->path.n] = address;
        /* libgcc gives the stack pointer of this frame, below which its callee's return address stands */
        walk->slot[walk->path.n++] = (uintptr_t *)_Unwind_GetCFA(context) - 1;
    }
    return _URC_NO_REASON;
}

static int32_t path_number(struct callpaths *paths, struct callpath *path)
{
    path->hash = 0xcbf29ce484222325U; /* FNV-1a, by words */
    for (int i = 0; i < path->n; i++)
        path->hash = (path->hash ^ path->address[i]) * 0x100000001b3U;
    for (size_t i = 0; i < paths->n; i++)
        if (paths->paths[i].hash == path->hash && paths->paths[i].n == path->n &&
            memcmp(paths->paths[i].address, path->address, (size_t)path->n * sizeof *path->address) == 0)
            return (int32_t)i;
    if (paths->n == paths->capacity) {
        paths->capacity = paths->capacity ? 2 * paths->capacity : 32;
        paths->paths = fold_memory(paths->paths, paths->capacity, sizeof *paths->paths);
    }
    paths->paths[paths->n] = *path;
    return (int32_t)paths->n++;
}

static void stack_keep(struct callpaths *paths, uintptr_t pointer, int32_t path, const struct walk *walk,
                       int32_t *bucket)
{
    /* A place that does not hold its return address (a frame that the unwinder knows by other means) proves nothing. */
    for (int i = 0; i < walk->path.n; i++)
        if (*walk->slot[i] != walk->path.address[i])
            return;
    if (paths->n_stacks == STACKS_MOST)
        return;
    if (paths->n_stacks == paths->stacks_capacity) {
        paths->stacks_capacity = paths->stacks_capacity ? 2 * paths->stacks_capacity : 32;
        paths->stacks = fold_memory(paths->stacks, paths->stacks_capacity, sizeof *paths->stacks);
    }
    struct callpath_stack *stack = &paths->stacks[paths->n_stacks];
    stack->pointer = pointer;
    stack->path = path;
    stack->next = *bucket;
    memcpy(stack->slot, walk->slot, (size_t)walk->path.n * sizeof *walk->slot);
    *bucket = (int32_t)paths->n_stacks++;
}

static int32_t unwind(struct callpaths *paths, uintptr_t caller, uintptr_t frame, int32_t *bucket)
{
    struct walk walk = {.caller = caller};
    _Unwind_Backtrace(step, &walk);
    if (walk.path.n == 0) /* no .eh_frame: the call alone is known */
        walk.path = (struct callpath){.n = 1, .address = {caller}};
    else
        walk.slot[0] = (uintptr_t *)frame + 1;
    int32_t path = path_number(paths, &walk.path);
    if (walk.slot[0])
        stack_keep(paths, frame, path, &walk, bucket);
    return path;
}

static int holds(const struct callpath_stack *stack, const struct callpath *path)
{
    for (int i = 0; i < path->n; i++)
        if (*stack->slot[i] != path->address[i])
            return 0;
    return 1;
}

int32_t callpath_find(struct callpaths *paths, void *caller, void *frame)
{
    uintptr_t pointer = (uintptr_t)frame, address = (uintptr_t)caller;
    int32_t *bucket = &paths->buckets[(address * 0x9e3779b97f4a7c15U ^ pointer >> 4) % BUCKETS];
    for (int32_t i = *bucket; i >= 0; i = paths->stacks[i].next) {
        const struct callpath_stack *stack = &paths->stacks[i];
        const struct callpath *path = &paths->paths[stack->path];
        if (stack->pointer == pointer && path->address[0] == address && holds(stack, path))
            return stack->path;
    }
    return unwind(paths, address, pointer, bucket);
}
