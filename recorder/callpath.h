/* callpath.h - who called: the return addresses on the stack, as a small number.
 *
 * SPDX-License-Identifier: MIT
 *
 * The stack is unwound by .eh_frame (the compiler's own unwinder) the first time only. What it found is kept with the
 * places on the stack where the return addresses stood: if a later call comes from the same place with the same stack
 * pointer, and all these places hold the same return addresses, then it is the same path. That takes some loads. */
#ifndef PEVPM_RECORDER_CALLPATH_H
#define PEVPM_RECORDER_CALLPATH_H

#include <stddef.h>
#include <stdint.h>

/* Frames beyond these are left out, the outermost ones. */
enum { CALLPATH_DEPTH = 32 };

struct callpath {
    uint64_t hash;
    int n;
    uintptr_t address[CALLPATH_DEPTH]; /* return addresses, the innermost first */
};

struct callpath_stack {
    uintptr_t pointer;                 /* the stack pointer behind the innermost call */
    int32_t path;
    int32_t next;                      /* of the same bucket, -1: none */
    uintptr_t *slot[CALLPATH_DEPTH];   /* where each return address stood */
};

struct callpaths {
    size_t n, capacity, n_stacks, stacks_capacity;
    struct callpath *paths;
    struct callpath_stack *stacks;
    int32_t *buckets;
};

void callpaths_init(struct callpaths *paths);
void callpaths_free(struct callpaths *paths);

/* The number, from 0, of the path of a function that returns to `caller`, with `frame` its __builtin_frame_address(0).
 * The function must have a frame pointer, and must be the one that calls this. */
int32_t callpath_find(struct callpaths *paths, void *caller, void *frame);

#endif
