/* alloc.h - checked allocation.
 *
 * Out of memory stops the program here, with one line on standard error and exit code 4, so no caller carries
 * a ladder for it. Counts are multiplied with an overflow check. Nothing here is called from an event loop. */
#ifndef PEVPM_COMMON_ALLOC_H
#define PEVPM_COMMON_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

/* n objects of `size` bytes: uninitialised, zeroed, aligned to 64 bytes and zeroed (release with free), resized. */
void *alloc_array(size_t n, size_t size);
void *alloc_zeroed(size_t n, size_t size);
void *alloc_lanes(size_t n, size_t size);
void *alloc_resize(void *old, size_t n, size_t size);

/* Address space for `bytes`, zeroed, which takes memory only as far as it is touched; ends with alloc_space_free of the
 * same size, or grows: its pages move then and are not copied, so that it never takes memory twice. space NULL: there is none yet. */
void *alloc_space(size_t bytes);
void *alloc_space_grow(void *space, size_t old, size_t bytes);
void alloc_space_free(void *space, size_t bytes);

/* Makes room for one more element: when n == *capacity the array is doubled (at least 8). Returns the array. */
void *alloc_grow(void *array, size_t n, size_t *capacity, size_t size);

/* Copies of a string, of its first n bytes, and of a formatted text. */
char *alloc_string(const char *text);
char *alloc_string_n(const char *text, size_t n);
char *alloc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *alloc_format_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* An arena: many small objects that die together. Zero-initialise with ARENA_EMPTY. */
struct arena {
    struct arena_block *blocks;
};
#define ARENA_EMPTY {NULL}

/* Zeroed memory, aligned to 16 bytes, valid until arena_free. */
void *arena_alloc(struct arena *arena, size_t n, size_t size);
char *arena_string_n(struct arena *arena, const char *text, size_t n);
void arena_free(struct arena *arena);

#endif
