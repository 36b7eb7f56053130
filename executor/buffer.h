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
    size_t n_old, old_capacity;
    struct old_space { void *at; int64_t size; } *old;
};

/* Room for `bytes`: zeros that are in memory; or address space alone, which a receive offers that does not know how
 * much will come. */
void *buffer_touched(struct buffer *buffer, int64_t bytes);
void *buffer_taken(struct buffer *buffer, int64_t bytes);
void buffer_free(struct buffer *buffer);

#endif
