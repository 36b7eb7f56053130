#include "common/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Noreturn void out_of_memory(size_t n, size_t size)
{
    fprintf(stderr, "pevpm: error: out of memory (%zu objects of %zu bytes)\n", n, size);
    exit(4);
}

static size_t bytes_checked(size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / 2 / size)
        out_of_memory(n, size);
    return n * size;
}

void *alloc_array(size_t n, size_t size)
{
    return alloc_resize(NULL, n, size);
}

void *alloc_zeroed(size_t n, size_t size)
{
    size_t bytes = bytes_checked(n, size);
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (!memory)
        out_of_memory(n, size);
    return memory;
}

void *alloc_lanes(size_t n, size_t size)
{
    size_t bytes = (bytes_checked(n, size) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes ? bytes : 64);
    if (!memory)
        out_of_memory(n, size);
    memset(memory, 0, bytes);
    return memory;
}

void *alloc_resize(void *old, size_t n, size_t size)
{
    size_t bytes = bytes_checked(n, size);
    void *memory = realloc(old, bytes ? bytes : 1);
    if (!memory)
        out_of_memory(n, size);
    return memory;
}

void *alloc_space(size_t bytes)
{
    void *space = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1, 0);
    if (space == MAP_FAILED)
        out_of_memory(1, bytes);
    return space;
}

void *alloc_space_grow(void *space, size_t old, size_t bytes)
{
    if (!space)
        return alloc_space(bytes);
    void *grown = mremap(space, old ? old : 1, bytes ? bytes : 1, MREMAP_MAYMOVE);
    if (grown == MAP_FAILED)
        out_of_memory(1, bytes);
    return grown;
}

void alloc_space_free(void *space, size_t bytes)
{
    if (space)
        munmap(space, bytes ? bytes : 1);
}

void *alloc_grow(void *array, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    *capacity = *capacity < 8 ? 8 : *capacity * 2;
    return alloc_resize(array, *capacity, size);
}

char *alloc_string(const char *text)
{
    return alloc_string_n(text, strlen(text));
}

char *alloc_string_n(const char *text, size_t n)
{
    char *copy = alloc_array(n + 1, 1);
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *alloc_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = alloc_format_list(format, arguments);
    va_end(arguments);
    return text;
}

char *alloc_format_list(const char *format, va_list arguments)
{
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        out_of_memory(1, strlen(format));
    return text;
}

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(16) unsigned char memory[];
};

/* Large enough that a source of a thousand directives needs a few blocks. */
enum { ARENA_BLOCK_BYTES = 64 * 1024 };

void *arena_alloc(struct arena *arena, size_t n, size_t size)
{
    size_t bytes = (bytes_checked(n, size) + 15) / 16 * 16;
    struct arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        size_t room = bytes > ARENA_BLOCK_BYTES ? bytes : ARENA_BLOCK_BYTES;
        block = alloc_zeroed(1, sizeof *block + room);
        block->size = room;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->memory + block->used;
    block->used += bytes;
    return memory;
}

char *arena_string_n(struct arena *arena, const char *text, size_t n)
{
    char *copy = arena_alloc(arena, n + 1, 1);
    memcpy(copy, text, n);
    return copy;
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}
