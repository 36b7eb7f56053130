#include "record/write/writer_impl.h"

#include <stdlib.h>
#include <string.h>

enum { TRIPS_MOST = 64 };       /* of the loops around a call: what differs more often is no face */

/* Trips of the loops around a call in which its size or its partner changes. */
struct trips {
    int depth;
    size_t n;
    int64_t index[TRIPS_MOST][FIT_LOOPS];
};

static void add_trips(struct trips *trips, const struct series *series)
{
    struct samples samples = {0};
    struct fit_sample sample = {0};
    samples_add_series(&samples, series, 0, trips->depth, 0, &sample);
    for (size_t i = 0; i < samples.n && trips->n < TRIPS_MOST; i++) {
        size_t k = 0;
        while (k < trips->n && memcmp(trips->index[k], samples.list[i].index, sizeof trips->index[k]) != 0)
            k++;
        if (k == trips->n)
            memcpy(trips->index[trips->n++], samples.list[i].index, sizeof trips->index[k]);
    }
    free(samples.list);
}

/* The value in a trip; false: there was none. */
static bool value_at(const struct series *series, int depth, const int64_t index[], int64_t *value)
{
    for (int level = 0; level < depth; level++) {
        int64_t left = index[level];
        size_t i = 0;
        while (i < series->n && left >= series->runs[i].count)
            left -= series->runs[i++].count;
        if (i == series->n || !series->runs[i].of)
            return false;
        series = series->runs[i].of;
    }
    *value = series->value;
    return true;
}

static void add_face(struct writer *writer, const struct template_node *node, int depth, const int64_t index[])
{
    const struct template *template = writer->template;
    struct writer_faces *faces = writer->faces;
    const struct recorded_site *site = &template->sites.sites[node->site];
    struct box_face face = {.sends = alloc_array(template->n_instances, sizeof *face.sends)};
    face.line = site->n > 0 ? site->frames[0].offset : 0;
    for (size_t k = 0; k < template->n_instances; k++) {
        int64_t size, peer;
        if (node->of[k] && value_at(node->of[k]->field[FIELD_bytes], depth, index, &size) &&
            value_at(node->of[k]->field[FIELD_peer], depth, index, &peer) && peer >= 0)
            face.sends[face.n++] = (struct box_send){template->instances[k].rank, writer_ranks(template, k), (int)peer,
                                                     size, template->instances[k].recording};
    }
    size_t capacity = faces->capacity;
    faces->list = alloc_grow(faces->list, faces->n, &faces->capacity, sizeof *faces->list);
    faces->nodes = alloc_grow(faces->nodes, faces->n, &capacity, sizeof *faces->nodes);
    faces->nodes[faces->n] = node;
    faces->list[faces->n++] = face;
}

static void find_faces(struct writer *writer, size_t n, const struct template_node *nodes, int depth)
{
    const struct template *template = writer->template;
    for (size_t i = 0; i < n; i++) {
        const struct template_node *node = &nodes[i];
        if (node->site < 0) {
            find_faces(writer, node->n, node->body, depth + 1);
            continue;
        }
        enum operation op = template->sites.sites[node->site].op;
        bool sends = operation_sends(op) && !operation_is_collective(op);
        if (!sends || depth > FIT_LOOPS || writer_comm_of(writer, node) != -1)
            continue;
        struct trips trips = {.depth = depth};
        for (size_t k = 0; k < template->n_instances; k++)
            if (node->of[k]) {
                add_trips(&trips, node->of[k]->field[FIELD_bytes]);
                add_trips(&trips, node->of[k]->field[FIELD_peer]);
            }
        for (size_t k = 0; k < trips.n; k++)
            add_face(writer, node, depth, trips.index[k]);
    }
}

/* Parameters that recordings differ in: the others are in the numbers. */
static void find_scales(struct writer *writer)
{
    struct writer_faces *faces = writer->faces;
    faces->scales = alloc_array((size_t)writer->n_params + 1, sizeof *faces->scales);
    for (int i = 0; i < writer->n_params; i++) {
        const int64_t *values = writer->param_values[i];
        bool differs = false;
        for (size_t r = 1; r < writer->template->n_recordings; r++)
            differs = differs || values[r] != values[0];
        if (differs)
            faces->scales[faces->n_scales++] = (struct box_scale){writer->params[i], values};
    }
}

void writer_find_faces(struct writer *writer, size_t n, const struct template_node *nodes)
{
    writer->faces = alloc_zeroed(1, sizeof *writer->faces);
    find_scales(writer);
    find_faces(writer, n, nodes, 0);
    writer->last_first = writer->template->directed ? writer->template->in.last_first
                       : box_last_first(writer->faces->n, writer->faces->list, writer->prefers);
    box_find_laws(writer->faces->n, writer->faces->list, writer->prefers, writer->faces->n_scales, writer->faces->scales);
}

void writer_free_faces(struct writer *writer)
{
    for (size_t i = 0; writer->faces && i < writer->faces->n; i++)
        free(writer->faces->list[i].sends);
    if (writer->faces) {
        free(writer->faces->list);
        free(writer->faces->nodes);
        free(writer->faces->scales);
    }
    free(writer->faces);
    writer->faces = NULL;
}

static bool same_law(const struct box_law *a, const struct box_law *b)
{
    return a->axis == b->axis && a->k == b->k && a->h == b->h && memcmp(a->border, b->border, sizeof a->border) == 0 &&
           memcmp(a->points, b->points, sizeof a->points) == 0;
}

size_t writer_laws_of(const struct writer *writer, const struct template_node *node, struct box_law **laws)
{
    size_t n = 0;
    *laws = alloc_array(TRIPS_MOST, sizeof **laws);
    for (size_t i = 0; i < writer->faces->n; i++) {
        const struct box_law *law = &writer->faces->list[i].law;
        size_t k = 0;
        if (writer->faces->nodes[i] != node || law->axis < 0)
            continue;
        while (k < n && !same_law(&(*laws)[k], law))
            k++;
        if (k == n)
            (*laws)[n++] = *law;
    }
    return n;
}
