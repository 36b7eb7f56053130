#include "record/write/writer_impl.h"

#include <stdlib.h>
#include <string.h>

/* The requests that a wait completes, over all instances: paths and, where it is one request, its ordinals. */
struct waited {
    bool all, lists;            /* some took all that were open; some named them */
    bool several;               /* a call that completes more than one, or none */
    int n;
    int *paths;                 /* [n] sites' path numbers */
};

static void wait_add(struct waited *waited, int path)
{
    for (int i = 0; i < waited->n; i++)
        if (waited->paths[i] == path)
            return;
    waited->paths = alloc_resize(waited->paths, (size_t)waited->n + 1, sizeof *waited->paths);
    waited->paths[waited->n++] = path;
}

static void wait_series(struct writer *writer, struct waited *waited, size_t instance, const struct series *series)
{
    const struct recorded_process *process = writer_process(writer->template, instance);
    for (size_t i = 0; series && i < series->n; i++)
        wait_series(writer, waited, instance, series->runs[i].of);
    if (!series || series->n > 0)
        return;
    if (series->value < 0 || series->value >= process->n_lists) {
        waited->all = true;
        return;
    }
    const struct recorded_list *list = &process->lists[series->value];
    waited->all |= list->all;
    waited->lists |= !list->all;
    waited->several |= list->all || list->n != 1 || list->pairs[0].ordinal < 0;
    for (int i = 0; i < list->n; i++)
        wait_add(waited, site_path(&writer->template->sites, process, list->pairs[i].path));
}

/* The series of list numbers as one of ordinals. */
static const struct series *ordinals(struct writer *writer, const struct recorded_process *process,
                                     const struct series *series)
{
    if (!series)
        return NULL;
    struct series *copy = arena_alloc(&writer->memory, 1, sizeof *copy);
    copy->n = series->n;
    if (series->n == 0) {
        copy->value = process->lists[series->value].pairs[0].ordinal;
        return copy;
    }
    copy->runs = arena_alloc(&writer->memory, series->n, sizeof *copy->runs);
    for (size_t i = 0; i < series->n; i++)
        copy->runs[i] = (struct series_run){series->runs[i].count, ordinals(writer, process, series->runs[i].of)};
    return copy;
}

static void write_one_request(struct writer *writer, const struct template_node *node, int path)
{
    struct samples samples = {0};
    int direction = writer->template->sites.sites[node->site].direction;
    fprintf(writer->out, " & request = r%d", path);
    if (direction >= 0)
        fprintf(writer->out, "[%d]", direction);
    if (!writer->indexed[path] || direction >= 0)
        return;
    unsigned dense = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        dense |= node->of[k] ? samples_levels(node->of[k]->field[FIELD_list], 0) : 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k])
            samples_add_instance(writer, &samples, k,
                                 ordinals(writer, writer_process(writer->template, k), node->of[k]->field[FIELD_list]),
                                 MEANS_NUMBER, -1, dense);
    fprintf(writer->out, "[%s]", writer_expression(writer, &samples, -1, MEANS_NUMBER, "the request of a wait", node->site));
    free(samples.list);
}

/* The most that requests of a path are numbered, in the lists of all processes. */
static int ordinal_most(const struct writer *writer, int path)
{
    int most = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        const struct recorded_process *process = writer_process(writer->template, k);
        for (int l = 0; l < process->n_lists; l++)
            for (int i = 0; i < process->lists[l].n; i++)
                if (process->lists[l].pairs[i].ordinal > most &&
                    site_path(&writer->template->sites, process, process->lists[l].pairs[i].path) == path)
                    most = process->lists[l].pairs[i].ordinal;
    }
    return most;
}

/* Which request of a path a list takes: its number; `none`, where it takes none; -1: not one. */
static int taken_of(const struct writer *writer, const struct recorded_process *process, int64_t number, int path, int none)
{
    int taken = none;
    if (number < 0 || number >= process->n_lists)
        return -1;
    const struct recorded_list *list = &process->lists[number];
    for (int i = 0; i < list->n; i++)
        if (site_path(&writer->template->sites, process, list->pairs[i].path) == path) {
            const int ordinal = list->pairs[i].ordinal < 0 && none == 1 ? 0 : list->pairs[i].ordinal;
            taken = taken == none ? ordinal : -1;
        }
    return list->all ? none == 1 ? 0 : -1 : taken; /* one that is not open is waited for in no time */
}

/* NULL: some list takes several. */
static const struct series *taken_series(struct writer *writer, const struct recorded_process *process,
                                         const struct series *series, int path, int none)
{
    struct series *copy = arena_alloc(&writer->memory, 1, sizeof *copy);
    copy->n = series->n;
    if (series->n == 0) {
        copy->value = taken_of(writer, process, series->value, path, none);
        return copy->value < 0 ? NULL : copy;
    }
    copy->runs = arena_alloc(&writer->memory, series->n, sizeof *copy->runs);
    for (size_t i = 0; i < series->n; i++) {
        const struct series *of = series->runs[i].of;
        copy->runs[i] = (struct series_run){series->runs[i].count, of ? taken_series(writer, process, of, path, none) : NULL};
        if (of && !copy->runs[i].of)
            return NULL;
    }
    return copy;
}

/* A request of a list of several: [NUMBER] behind its name, where one of this path is left open at times. */
static void write_element(struct writer *writer, const struct template_node *node, int path)
{
    const struct writer_left *left = writer_left_by(writer, writer->template->sites.sites[node->site].path, path);
    const int none = ordinal_most(writer, path) + 1;
    struct samples samples = {0};
    unsigned dense = 0;
    bool known = left && left->open && !writer->directed[path]; /* else the number is a direction */
    for (size_t k = 0; known && k < writer->template->n_instances; k++)
        dense |= node->of[k] ? samples_levels(node->of[k]->field[FIELD_list], 0) : 0;
    for (size_t k = 0; known && k < writer->template->n_instances; k++) {
        if (!node->of[k])
            continue;
        const struct series *taken =
            taken_series(writer, writer_process(writer->template, k), node->of[k]->field[FIELD_list], path, none);
        known = taken;
        if (known)
            samples_add_instance(writer, &samples, k, taken, MEANS_NUMBER, -1, dense);
    }
    if (known)
        fprintf(writer->out, "[%s]", writer_expression(writer, &samples, -1, MEANS_NUMBER, "the request of a wait", node->site));
    free(samples.list);
}

/* Where a wait takes all that is open here, and not all elsewhere: what that is. */
static void wait_name(const struct writer *writer, const struct template_node *node, struct waited *waited)
{
    const int wait = writer->template->sites.sites[node->site].path;
    bool leaves = false;
    for (size_t i = 0; i < writer->n_left; i++)
        leaves = leaves || (writer->left[i].wait == wait && writer->left[i].open);
    for (size_t i = 0; i < writer->n_left && leaves; i++)
        if (writer->left[i].wait == wait && writer->left[i].taken)
            wait_add(waited, writer->left[i].path);
    waited->all = waited->all && !leaves;
}

void writer_write_wait(struct writer *writer, const struct template_node *node, enum operation op)
{
    struct waited waited = {0};
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k])
            wait_series(writer, &waited, k, node->of[k]->field[FIELD_list]);
    const char *name = operation_facts(op)->said;
    if (strcmp(name, "MPI_Wait") == 0 && (waited.several || waited.n != 1))
        name = "MPI_Waitall";
    if (waited.all && waited.lists)
        wait_name(writer, node, &waited);
    if (!waited.all && waited.lists && waited.n == 0) { /* nothing but null requests */
        fputs("# waits for nothing\n", writer->out);
        free(waited.paths);
        return;
    }
    fprintf(writer->out, "Message type = %s", name);
    bool directed = waited.n == 1 && writer->directed[waited.paths[0]] && writer->template->sites.sites[node->site].direction < 0;
    if (!waited.several && waited.n == 1 && !waited.all && !directed) {
        write_one_request(writer, node, waited.paths[0]);
        if (strcmp(name, "MPI_Wait") == 0 && writer->wildcard[waited.paths[0]])
            fputs(" & source = sender", writer->out);
    } else if (!waited.all || strcmp(name, "MPI_Waitall") != 0) {
        for (int i = 0; i < waited.n; i++) {
            fprintf(writer->out, "%sr%d", i == 0 ? " & request = (" : ", ", waited.paths[i]);
            write_element(writer, node, waited.paths[i]);
        }
        fputs(waited.n > 0 ? ")" : "", writer->out);
    }
    putc('\n', writer->out);
    free(waited.paths);
}

static bool has_any(const struct series *peer)
{
    bool any = peer->n == 0 && peer->value == PEER_ANY;
    for (size_t i = 0; i < peer->n && !any; i++)
        any = peer->runs[i].of && has_any(peer->runs[i].of);
    return any;
}

/* Some process, somewhere, gives MPI_ANY_SOURCE. */
bool writer_has_wildcard(const struct writer *writer, const struct template_node *node)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k] && has_any(node->of[k]->field[FIELD_peer]))
            return true;
    return false;
}

/* Which paths have more than one request open at a time, and which have wildcards. */
void writer_find_indexed(struct writer *writer, size_t n, const struct template_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        const struct template_node *node = &nodes[i];
        writer_find_indexed(writer, node->n, node->body);
        if (node->site < 0)
            continue;
        if (!operation_gives_request(writer->template->sites.sites[node->site].op))
            continue;
        const struct recorded_site *site = &writer->template->sites.sites[node->site];
        if (site->direction >= 0) {
            writer->directed[site->path] = true;
            continue;
        }
        if (operation_kind(site->op) == KIND_recv && writer_has_wildcard(writer, node))
            writer->wildcard[site->path] = true;
        struct samples samples = {0};
        struct fit_sample sample = {0};
        for (size_t k = 0; k < writer->template->n_instances; k++) {
            if (!node->of[k])
                continue;
            const struct series *list = node->of[k]->field[FIELD_list];
            samples_add_series(&samples, list, 0, series_depth(list), 0, &sample);
        }
        for (size_t k = 0; k < samples.n; k++)
            if (samples.list[k].value > 0)
                writer->indexed[writer->template->sites.sites[node->site].path] = true;
        free(samples.list);
    }
}
