#include "executor/buffer.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SPACE = 1 << 16 };

void *buffer_taken(struct buffer *buffer, int64_t bytes)
{
    if (buffer->at && bytes <= buffer->size)
        return buffer->at;
    if (buffer->at) {
        buffer->old = alloc_grow(buffer->old, buffer->n_old, &buffer->old_capacity, sizeof *buffer->old);
        buffer->old[buffer->n_old++] = (struct old_space){buffer->at, buffer->size};
    }
    int64_t size = buffer->size > 0 ? buffer->size : LEAST_SPACE;
    while (size < bytes)
        size *= 2;
    buffer->at = alloc_space((size_t)size);
    buffer->size = size;
    buffer->touched = 0;
    return buffer->at;
}

void *buffer_touched(struct buffer *buffer, int64_t bytes)
{
    char *at = buffer_taken(buffer, bytes);
    buffer->used = bytes > buffer->used ? bytes : buffer->used;
    if (bytes > buffer->touched) {
        memset(at + buffer->touched, 0, (size_t)(bytes - buffer->touched));
        buffer->touched = bytes;
    }
    return at;
}

void buffer_write(struct buffer *buffer)
{
    if (buffer->used > 0)
        memset(buffer->at, 0, (size_t)buffer->used);
    buffer->used = 0;
}

void buffer_free(struct buffer *buffer)
{
    for (size_t i = 0; i < buffer->n_old; i++)
        alloc_space_free(buffer->old[i].at, (size_t)buffer->old[i].size);
    if (buffer->at)
        alloc_space_free(buffer->at, (size_t)buffer->size);
    free(buffer->old);
    *buffer = (struct buffer){.at = NULL};
}
