#include "bench/result.h"

#include "common/alloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Bins of at most this part of their lower edge: what a median's confidence interval will not resolve anyway. */
static const double RELATIVE_BIN = 0.01;

void result_init(struct result *result)
{
    *result = (struct result){.eager_limit = INT64_MAX, .launches = 1};
}

static void point_free(struct point *point)
{
    histogram_free(&point->transit);
    histogram_free(&point->send_overhead);
    histogram_free(&point->receive_overhead);
}

void result_free(struct result *result)
{
    for (size_t i = 0; i < result->n_points; i++)
        point_free(&result->points[i]);
    for (size_t i = 0; i < result->n_collectives; i++) {
        histogram_free(&result->collectives[i].time);
        histogram_free(&result->collectives[i].root_time);
    }
    for (size_t i = 0; i < result->n_notes; i++) {
        free(result->notes[i].key);
        free(result->notes[i].value);
    }
    free(result->points);
    free(result->ports);
    free(result->collectives);
    free(result->notes);
    free(result->name);
    memset(result, 0, sizeof *result);
}

void result_histogram_init(const struct result *result, struct histogram *h)
{
    if (result->bin > 0)
        histogram_init_linear(h, result->bin);
    else
        histogram_init(h, RELATIVE_BIN);
}

static int key_compare(const struct point_key *a, const struct point_key *b)
{
    const int64_t x[] = {(int64_t)a->operation, (int64_t)a->pattern, a->nodes, a->ppn, a->level, a->bytes};
    const int64_t y[] = {(int64_t)b->operation, (int64_t)b->pattern, b->nodes, b->ppn, b->level, b->bytes};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Where the key stands or would stand. */
static size_t key_place(const struct result *result, const struct point_key *key)
{
    size_t at = 0;
    while (at < result->n_points && key_compare(&result->points[at].key, key) < 0)
        at++;
    return at;
}

struct point *result_find(const struct result *result, const struct point_key *key)
{
    size_t at = key_place(result, key);
    return at < result->n_points && key_compare(&result->points[at].key, key) == 0 ? &result->points[at] : NULL;
}

struct point *result_point(struct result *result, const struct point_key *key)
{
    struct point *found = result_find(result, key);
    if (found)
        return found;
    size_t at = key_place(result, key);
    result->points =
        alloc_grow(result->points, result->n_points, &result->points_capacity, sizeof *result->points);
    memmove(&result->points[at + 1], &result->points[at], (result->n_points - at) * sizeof *result->points);
    result->n_points++;
    result->points[at] = (struct point){.key = *key};
    result_histogram_init(result, &result->points[at].transit);
    result_histogram_init(result, &result->points[at].send_overhead);
    result_histogram_init(result, &result->points[at].receive_overhead);
    return &result->points[at];
}

struct port_point *result_port(struct result *result, int64_t bytes)
{
    size_t at = 0;
    while (at < result->n_ports && result->ports[at].bytes < bytes)
        at++;
    if (at < result->n_ports && result->ports[at].bytes == bytes)
        return &result->ports[at];
    result->ports = alloc_grow(result->ports, result->n_ports, &result->ports_capacity, sizeof *result->ports);
    memmove(&result->ports[at + 1], &result->ports[at], (result->n_ports - at) * sizeof *result->ports);
    result->n_ports++;
    result->ports[at] = (struct port_point){bytes, NAN, NAN};
    return &result->ports[at];
}

/* The note of that key under the last heading at lesser depth, appended where there is none. */
static struct result_note *note_place(struct result *result, int depth, const char *key)
{
    for (size_t i = result->n_notes; i-- > 0 && result->notes[i].depth >= depth;)
        if (result->notes[i].depth == depth && strcmp(result->notes[i].key, key) == 0)
            return &result->notes[i];
    result->notes = alloc_grow(result->notes, result->n_notes, &result->notes_capacity, sizeof *result->notes);
    result->notes[result->n_notes] = (struct result_note){depth, alloc_string(key), NULL};
    return &result->notes[result->n_notes++];
}

void result_note(struct result *result, int depth, const char *key, const char *format, ...)
{
    struct result_note *note = note_place(result, depth, key);
    va_list arguments;
    va_start(arguments, format);
    free(note->value);
    note->value = alloc_format_list(format, arguments);
    va_end(arguments);
}

void result_heading(struct result *result, int depth, const char *key)
{
    note_place(result, depth, key);
}
