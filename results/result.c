#include "results/result.h"

#include "common/alloc.h"
#include "models/node_set.h"
#include "measure/collective.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Bins of at most this part of their lower edge: what a median's confidence interval will not resolve anyway. */
static const double RELATIVE_BIN = 0.01;

void result_init(struct result *result)
{
    *result = (struct result){.eager_limit = INT64_MAX, .launches = 1, .known = NAN, .known_after_rest = NAN};
    for (int i = 0; i < EXCHANGE_WAITS; i++)
        result->waited[i] = result->known_after_wait[i] = NAN;
    for (int i = 0; i < SOCKET_POINTS; i++)
        result->held[i] = NAN;
    result->held_first = NAN;
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
    histogram_free(&result->overflow);
    free(result->points);
    free(result->ports);
    for (size_t class = 0; class < result->n_classes; class++)
        free(result->classes[class].points);
    free(result->classes);
    free(result->class_of);
    for (size_t group = 0; group < result->n_groups + result->n_outer; group++)
        free(result->trunks[group].points);
    free(result->trunks);
    free(result->above);
    free(result->group_of);
    free(result->bus.points);
    free(result->rests);
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
    const int64_t x[] = {(int64_t)a->operation, (int64_t)a->pattern, a->nodes, a->ppn, a->level, a->socket, a->bytes};
    const int64_t y[] = {(int64_t)b->operation, (int64_t)b->pattern, b->nodes, b->ppn, b->level, b->socket, b->bytes};
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

const char *result_within_node(const struct result *result)
{
    const char *note = result_note_find(result, NOTE_WITHIN_NODE, NULL);
    for (size_t i = 0; i < result->n_points; i++)
        if (result->points[i].key.nodes == 1 && result->points[i].key.ppn > 1)
            return note ? note : WITHIN_NODE_COLD;
    return NULL;
}

static struct port_point *port_in(struct port_point **points, size_t *n, size_t *capacity, int64_t bytes)
{
    size_t at = 0;
    while (at < *n && (*points)[at].bytes < bytes)
        at++;
    if (at < *n && (*points)[at].bytes == bytes)
        return &(*points)[at];
    *points = alloc_grow(*points, *n, capacity, sizeof **points);
    memmove(&(*points)[at + 1], &(*points)[at], (*n - at) * sizeof **points);
    ++*n;
    (*points)[at] = (struct port_point){.bytes = bytes, .gap = {NAN, NAN, NAN}};
    return &(*points)[at];
}

struct port_point *result_port(struct result *result, int64_t bytes)
{
    return port_in(&result->ports, &result->n_ports, &result->ports_capacity, bytes);
}

/* Of `nodes` nodes each is of one of n parts from now on, all of which have curves of their own. Those that were there
 * are kept. */
static void parts_set(int nodes, size_t n, const int part_of[], size_t *n_parts, int **parts,
                      struct class_ports **curves)
{
    for (size_t part = n; part < *n_parts; part++)
        free((*curves)[part].points);
    *curves = alloc_resize(*curves, n, sizeof **curves);
    for (size_t part = *n_parts; part < n; part++)
        (*curves)[part] = (struct class_ports){0};
    *n_parts = n;
    *parts = alloc_resize(*parts, (size_t)nodes, sizeof **parts);
    memmove(*parts, part_of, (size_t)nodes * sizeof **parts);
}

void result_classes(struct result *result, size_t n, const int class_of[])
{
    parts_set(result->nodes, n, class_of, &result->n_classes, &result->class_of, &result->classes);
}

struct port_point *result_class_port(struct result *result, size_t class, int64_t bytes)
{
    assert(class >= 1 && class < result->n_classes);
    struct class_ports *ports = &result->classes[class];
    return port_in(&ports->points, &ports->n, &ports->capacity, bytes);
}

char *result_group_text(const struct result *result, int group)
{
    struct node_set nodes = {0};
    for (int node = 0; node < result->nodes; node++)
        if (result_group_has(result, group, node))
            node_set_add(&nodes, node, node);
    char *text = node_set_text(&nodes);
    node_set_free(&nodes);
    return text;
}

/* The groups [first, end). */
static void groups_note(struct result *result, const char *key, int first, int end, const char *from)
{
    char *text = alloc_string("nodes");
    for (int group = first; group < end; group++) {
        char *nodes = result_group_text(result, group), *longer;
        longer = alloc_format("%s%s %s", text, group > first ? ";" : "", nodes);
        free(nodes);
        free(text);
        text = longer;
    }
    result_note(result, 0, key, from ? "%s (%s)" : "%s", text, from);
    free(text);
}

void result_note_groups(struct result *result, const char *from)
{
    groups_note(result, NOTE_GROUPS, 0, (int)result->n_groups, from);
}

void result_note_outer_groups(struct result *result, const char *from)
{
    const int first = (int)result->n_groups;
    groups_note(result, NOTE_OUTER_GROUPS, first, first + (int)result->n_outer, from);
}

/* The points of trunks that are no more are freed before. */
static void above_set(struct result *result, size_t n, const int above[])
{
    const size_t all = result->n_groups + n, before = result->n_groups + result->n_outer;
    for (size_t group = all; group < before; group++)
        free(result->trunks[group].points);
    result->trunks = alloc_resize(result->trunks, all, sizeof *result->trunks);
    for (size_t group = before; group < all; group++)
        result->trunks[group] = (struct class_ports){0};
    result->above = alloc_resize(result->above, all, sizeof *result->above);
    for (size_t group = 0; group < all; group++) {
        assert(!above || above[group] < 0 || ((size_t)above[group] > group && (size_t)above[group] < all));
        result->above[group] = above ? above[group] : -1;
    }
    result->n_outer = n;
}

void result_groups(struct result *result, size_t n, const int group_of[])
{
    assert(n >= 2);
    if (result->n_outer > 0)
        above_set(result, 0, NULL);
    parts_set(result->nodes, n, group_of, &result->n_groups, &result->group_of, &result->trunks);
    above_set(result, 0, NULL);
}

void result_outer_groups(struct result *result, size_t n, const int above[])
{
    assert(result->n_groups >= 2);
    above_set(result, n, above);
}

bool result_group_has(const struct result *result, int group, int node)
{
    int at = result->group_of[node];
    while (at >= 0 && at < group)
        at = result->above[at];
    return at == group;
}

int result_group_height(const struct result *result, int group)
{
    int height = 0;
    for (int inner = 0; inner < group; inner++)
        if (result->above[inner] == group) {
            const int own = result_group_height(result, inner);
            height = own + 1 > height ? own + 1 : height;
        }
    return height;
}

struct port_point *result_trunk(struct result *result, size_t group, int64_t bytes)
{
    assert(group < result->n_groups + result->n_outer);
    struct class_ports *trunk = &result->trunks[group];
    return port_in(&trunk->points, &trunk->n, &trunk->capacity, bytes);
}

struct port_point *result_bus(struct result *result, int64_t bytes)
{
    return port_in(&result->bus.points, &result->bus.n, &result->bus.capacity, bytes);
}

bool result_is_explained(const struct result *result, const struct point_key *key)
{
    if (key->nodes == 1)
        return key->level > 1 && result->bus.n > 0;
    return key->ppn > 1 && result->n_ports > 0 && !result->ports_per_process;
}

struct rest_point *result_rest(struct result *result, int64_t rest)
{
    size_t at = 0;
    while (at < result->n_rests && result->rests[at].rest < rest)
        at++;
    if (at < result->n_rests && result->rests[at].rest == rest)
        return &result->rests[at];
    result->rests = alloc_grow(result->rests, result->n_rests, &result->rests_capacity, sizeof *result->rests);
    memmove(&result->rests[at + 1], &result->rests[at], (result->n_rests - at) * sizeof *result->rests);
    result->n_rests++;
    result->rests[at] = (struct rest_point){.rest = rest, .delay = NAN, .wake = NAN};
    return &result->rests[at];
}

void result_port_losses_drop(struct result *result)
{
    static const enum port_gap lossy[] = {PORT_IN, PORT_REVERSE};
    for (size_t i = 0; i < result->n_ports && result->buffer > 0 && result->buffer_class == 0; i++) {
        struct port_point *port = &result->ports[i];
        if (!(port->gap[PORT_IN] > result->buffer))
            continue;
        for (size_t k = 0; k < sizeof lossy / sizeof *lossy; k++) {
            port->gap[lossy[k]] = NAN;
            port->ci95[lossy[k]] = 0;
        }
    }
}

static int collective_compare(const struct collective_point *a, enum collective op, int numprocs, int64_t bytes)
{
    const int64_t x[] = {(int64_t)collective_find(a->operation), a->numprocs, a->bytes};
    const int64_t y[] = {(int64_t)op, numprocs, bytes};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static size_t collective_place(const struct result *result, const char *operation, int numprocs, int64_t bytes)
{
    size_t at = 0;
    enum collective op = collective_find(operation);
    while (at < result->n_collectives && collective_compare(&result->collectives[at], op, numprocs, bytes) < 0)
        at++;
    return at;
}

struct collective_point *result_collective_find(const struct result *result, const char *operation, int numprocs,
                                                int64_t bytes)
{
    size_t at = collective_place(result, operation, numprocs, bytes);
    bool found = at < result->n_collectives &&
                 collective_compare(&result->collectives[at], collective_find(operation), numprocs, bytes) == 0;
    return found ? &result->collectives[at] : NULL;
}

struct collective_point *result_collective(struct result *result, const char *operation, int numprocs, int64_t bytes)
{
    struct collective_point *found = result_collective_find(result, operation, numprocs, bytes);
    if (found)
        return found;
    size_t at = collective_place(result, operation, numprocs, bytes);
    result->collectives = alloc_grow(result->collectives, result->n_collectives, &result->collectives_capacity,
                                     sizeof *result->collectives);
    found = &result->collectives[at];
    memmove(found + 1, found, (result->n_collectives - at) * sizeof *found);
    result->n_collectives++;
    *found = (struct collective_point){.operation = operation, .numprocs = numprocs, .bytes = bytes};
    result_histogram_init(result, &found->time);
    result_histogram_init(result, &found->root_time);
    return found;
}

/* ---- notes ---- */

/* Where the notes under a note end. */
static size_t note_end(const struct result *result, size_t note)
{
    size_t end = note + 1;
    while (end < result->n_notes && result->notes[end].depth > result->notes[note].depth)
        end++;
    return end;
}

/* The note of that key from `first` to `end`, put there where there is none. */
static size_t note_place(struct result *result, size_t first, size_t end, int depth, const char *key)
{
    for (size_t i = first; i < end; i++)
        if (result->notes[i].depth == depth && strcmp(result->notes[i].key, key) == 0)
            return i;
    result->notes = alloc_grow(result->notes, result->n_notes, &result->notes_capacity, sizeof *result->notes);
    memmove(&result->notes[end + 1], &result->notes[end], (result->n_notes - end) * sizeof *result->notes);
    result->n_notes++;
    result->notes[end] = (struct result_note){depth, alloc_string(key), NULL};
    return end;
}

void result_note(struct result *result, int depth, const char *key, const char *format, ...)
{
    size_t first = depth == 0 ? 0 : result->heading + 1;
    size_t end = depth == 0 ? result->n_notes : note_end(result, result->heading);
    size_t at = note_place(result, first, end, depth, key);
    struct result_note *note = &result->notes[at];
    va_list arguments;
    va_start(arguments, format);
    free(note->value);
    note->value = alloc_format_list(format, arguments);
    va_end(arguments);
}

void result_heading(struct result *result, const char *key)
{
    result->heading = note_place(result, 0, result->n_notes, 0, key);
}

const char *result_class_heading(const char *what, size_t class, char text[RESULT_HEADING_BYTES])
{
    if (class == 0)
        return what;
    snprintf(text, RESULT_HEADING_BYTES, "%s, class %zu", what, class);
    return text;
}

void result_notes_under(const struct result *result, const char *heading, size_t *first, size_t *end)
{
    *first = *end = 0;
    for (size_t i = 0; i < result->n_notes; i++)
        if (result->notes[i].depth == 0 && strcmp(result->notes[i].key, heading) == 0) {
            *first = i + 1;
            *end = note_end(result, i);
        }
}

/* Drops the notes [first, end). */
static void notes_drop(struct result *result, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        free(result->notes[i].key);
        free(result->notes[i].value);
    }
    memmove(&result->notes[first], &result->notes[end], (result->n_notes - end) * sizeof *result->notes);
    result->n_notes -= end - first;
    result->heading = 0;
}

void result_notes_drop(struct result *result, const char *heading)
{
    size_t first, end;
    result_notes_under(result, heading, &first, &end);
    if (first > 0)
        notes_drop(result, first - 1, end);
}

void result_note_drop(struct result *result, const char *heading, const char *key)
{
    size_t first, end;
    result_notes_under(result, heading, &first, &end);
    for (size_t i = first; i < end; i++)
        if (strcmp(result->notes[i].key, key) == 0) {
            const bool is_last = end - first == 1;
            notes_drop(result, is_last ? first - 1 : i, i + 1);
            return;
        }
}

const char *result_note_find(const struct result *result, const char *key0, const char *key1)
{
    size_t first = 0, end = result->n_notes;
    if (key1)
        result_notes_under(result, key0, &first, &end);
    for (size_t i = first; i < end; i++)
        if (result->notes[i].depth == (key1 ? 1 : 0) && strcmp(result->notes[i].key, key1 ? key1 : key0) == 0)
            return result->notes[i].value;
    return NULL;
}
