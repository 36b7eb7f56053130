/* What waits leave open: at one place a process may wait for a request that another process, or the same one at another
 * time, has open and does not wait for there. Such a wait names elements, of which some are never begun. */
#include "record/write/writer_impl.h"

#include <stdlib.h>

enum {
    TRIPS_SEEN = 2,     /* of a loop: what is open when it begins, and what it leaves open itself */
    LEFT_MOST = 20000   /* pairs of a wait and a request: beyond, waits are written as if they left nothing */
};

/* The requests that are open while a process's calls are gone through. */
struct opened {
    size_t n, capacity;
    struct {
        int path, ordinal;
    } *list;
};

static void opened_close(struct opened *opened, int path, int ordinal)
{
    size_t kept = 0;
    for (size_t i = 0; i < opened->n; i++)
        if (opened->list[i].path != path || (ordinal >= 0 && opened->list[i].ordinal != ordinal))
            opened->list[kept++] = opened->list[i];
    opened->n = kept;
}

static void opened_begin(struct opened *opened, int path, int ordinal)
{
    opened_close(opened, path, ordinal);
    opened->list = alloc_grow(opened->list, opened->n, &opened->capacity, sizeof *opened->list);
    opened->list[opened->n].path = path;
    opened->list[opened->n++].ordinal = ordinal;
}

static void note_left(struct writer *writer, int wait, int path, bool taken)
{
    struct writer_left *left = NULL;
    for (size_t i = 0; i < writer->n_left && !left; i++)
        if (writer->left[i].wait == wait && writer->left[i].path == path)
            left = &writer->left[i];
    if (!left && writer->n_left == LEFT_MOST)
        return;
    if (!left) {
        writer->left = alloc_grow(writer->left, writer->n_left, &writer->left_capacity, sizeof *writer->left);
        left = &writer->left[writer->n_left++];
        *left = (struct writer_left){.wait = wait, .path = path};
    }
    left->taken |= taken;
    left->open |= !taken;
}

static bool is_listed(const struct writer *writer, const struct recorded_process *process, const struct recorded_list *list,
                      int path, int ordinal)
{
    for (int i = 0; i < list->n; i++)
        if (site_path(&writer->template->sites, process, list->pairs[i].path) == path &&
            (list->pairs[i].ordinal < 0 || list->pairs[i].ordinal == ordinal))
            return true;
    return list->all;
}

static void see_wait(struct writer *writer, struct opened *opened, const struct recorded_process *process,
                     const struct recorded_node *node)
{
    const int wait = site_path(&writer->template->sites, process, node->path);
    /* of what only some of several took nobody knows which those were */
    if (node->list < 0 || node->list >= process->n_lists || wait < 0 || operation_takes_some(node->op))
        return;
    const struct recorded_list *list = &process->lists[node->list];
    size_t kept = 0;
    for (size_t i = 0; i < opened->n; i++) {
        const bool taken = is_listed(writer, process, list, opened->list[i].path, opened->list[i].ordinal);
        note_left(writer, wait, opened->list[i].path, taken);
        if (!taken)
            opened->list[kept++] = opened->list[i];
    }
    opened->n = kept;
}

static void see_nodes(struct writer *writer, struct opened *opened, const struct recorded_process *process, size_t n,
                      const struct recorded_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        for (int64_t trip = 0; node->loop && trip < TRIPS_SEEN && trip < node->trips / node->runs; trip++)
            see_nodes(writer, opened, process, node->n_body, node->body);
        if (node->loop)
            continue;
        if (operation_kind(node->op) == KIND_wait)
            see_wait(writer, opened, process, node);
        const int path = operation_gives_request(node->op) && node->list >= 0
                       ? site_path(&writer->template->sites, process, node->path) : -1;
        if (path >= 0)
            opened_begin(opened, path, node->list);
    }
}

void writer_find_left(struct writer *writer)
{
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        const struct recorded_process *process = writer_process(writer->template, k);
        struct opened opened = {0};
        see_nodes(writer, &opened, process, process->n, process->nodes);
        free(opened.list);
    }
    for (size_t i = 0; i < writer->n_left; i++)
        if (writer->left[i].taken && writer->left[i].open && !writer->directed[writer->left[i].path])
            writer->indexed[writer->left[i].path] = true;
}

const struct writer_left *writer_left_by(const struct writer *writer, int wait, int path)
{
    for (size_t i = 0; i < writer->n_left && writer->n_left < LEFT_MOST; i++)
        if (writer->left[i].wait == wait && writer->left[i].path == path && writer->left[i].taken)
            return &writer->left[i];
    return NULL;
}
