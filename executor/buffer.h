/* buffer.h - the memory that messages are sent from or received into: one piece, which grows.
 *
 * What it was before it grew stays where it is until the end, since a message may still be on its way from or to
 * there. */
#ifndef PEVPM_EXECUTOR_BUFFER_H
#define PEVPM_EXECUTOR_BUFFER_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise. */
struct buffer {
    char *at;
    int64_t size, touched;
    int64_t used;           /* of it, since it was written last */
    size_t n_old, old_capacity;
    struct old_space { void *at; int64_t size; } *old;
};

/* Room for `bytes`: zeros that are in memory; or address space alone, which a receive offers that does not know how
 * much will come. */
void *buffer_touched(struct buffer *buffer, int64_t bytes);
void *buffer_taken(struct buffer *buffer, int64_t bytes);

/* Writes zeros over what has been asked for as touched since the last time, so that it is in the cache of this process again and of
 * nobody else. No message may be on its way from there. */
void buffer_write(struct buffer *buffer);
void buffer_free(struct buffer *buffer);

#endif
