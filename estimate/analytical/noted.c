#include "estimate/analytical/noted.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const experiments[] = {
#define X(name, nodes, time) #name,
    EXPERIMENT_LIST(X)
#undef X
};

static const char *const operations[] = {[FLAT_scatter] = "scatter", [FLAT_gather] = "gather", [FLAT_edge] = "edge"};

const char *noted_experiment_name(enum experiment_kind kind)
{
    return experiments[kind];
}

const char *noted_operation_name(enum flat_kind kind)
{
    return operations[kind];
}

static bool begins_with(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strcspn(text, " ") == n && memcmp(text, word, n) == 0;
}

bool noted_experiment_find(const char *text, enum experiment_kind *kind)
{
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++)
        if (begins_with(text, experiments[i])) {
            *kind = (enum experiment_kind)i;
            return true;
        }
    return false;
}

const struct machine_note *noted_lines(const struct machine_source *source, size_t *n)
{
    size_t i = *n = 0;
    while (i < source->n_notes && (source->notes[i].depth > 0 || strcmp(source->notes[i].key, NOTED_HEADING) != 0))
        i++;
    if (i == source->n_notes)
        return NULL;
    for (i++; i + *n < source->n_notes && source->notes[i + *n].depth > 0; ++*n)
        ;
    return source->notes + i;
}

/* Whole numbers up to a comma or the end: t [*n] in seconds, owned by the caller; where the list ends. */
static const char *times_read(const char *at, size_t *n, double **t)
{
    size_t capacity = 0;
    *n = 0;
    *t = NULL;
    for (;;) {
        char *end;
        long long ns = strtoll(at, &end, 10);
        if (end == at)
            return at + strspn(at, " ");
        *t = alloc_grow(*t, *n, &capacity, sizeof **t);
        (*t)[(*n)++] = 1e-9 * (double)ns;
        at = end;
    }
}

static bool is_node(size_t nodes, int node)
{
    return node >= 0 && (size_t)node < nodes;
}

static enum noted experiments_read(const struct machine_note *line, enum experiment_kind kind, size_t nodes,
                                   const struct noted_taker *taker)
{
    struct experiment e = {.kind = kind};
    int used = 0;
    if (sscanf(line->key, "%*s %" SCNd64 " %" SCNd64 " %d from %d%n", &e.there, &e.back, &e.messages, &e.node[0],
               &used) != 4 || line->key[used] || !is_node(nodes, e.node[0]))
        return NOTED_wrong;
    for (const char *at = line->value;; at++) {
        const int n_nodes = experiment_nodes(&e);
        bool good = true;
        for (int k = 1; good && k < n_nodes; k++) {
            good = sscanf(at, "%d%n", &e.node[k], &used) == 1 && is_node(nodes, e.node[k]);
            at += good ? used : 0;
        }
        size_t n = 0;
        double *t = NULL;
        at = good ? times_read(at, &n, &t) : at;
        if (n > 0)
            taker->experiment(taker->context, &e, n, t);
        free(t);
        if (n == 0 || (*at && *at != ','))
            return NOTED_wrong;
        if (!*at)
            return NOTED_times;
    }
}

/* Rows of operations, each with a comma behind it. */
struct rows {
    size_t n, times_capacity, follows_capacity;
    double *t;
    bool *follows;
};

/* Up to the end, which may stand behind a comma. Without any comma nothing is known of rows: so were lines before these were told.
 * False: not as pevpm-estimate writes them. */
static bool rows_read(const char *at, struct rows *rows)
{
    const bool are_told = strchr(at, ',');
    do {
        size_t n = 0;
        double *t = NULL;
        at = times_read(at, &n, &t);
        for (size_t i = 0; i < n; i++) {
            rows->t = alloc_grow(rows->t, rows->n, &rows->times_capacity, sizeof *rows->t);
            rows->follows = alloc_grow(rows->follows, rows->n, &rows->follows_capacity, sizeof *rows->follows);
            rows->t[rows->n] = t[i];
            rows->follows[rows->n++] = are_told && i > 0;
        }
        free(t);
        if (n == 0 || *at != ',')
            return n > 0 && !*at;
        at++;
        at += strspn(at, " ");
    } while (*at);
    return true;
}

static enum noted operation_read(const struct machine_note *line, enum flat_kind kind, size_t nodes,
                                 const struct noted_taker *taker)
{
    int numprocs, used = 0;
    int64_t bytes;
    struct rows rows = {.n = 0};
    bool good = sscanf(line->key, "%*s %d %" SCNd64 "%n", &numprocs, &bytes, &used) == 2 && !line->key[used] &&
                numprocs >= 2 && (size_t)numprocs <= nodes && bytes > 0;
    good = good && rows_read(line->value, &rows);
    if (good)
        taker->operation(taker->context, kind, numprocs, (double)bytes, rows.n, rows.t, rows.follows);
    free(rows.t);
    free(rows.follows);
    return good ? NOTED_times : NOTED_wrong;
}

enum noted noted_read(const struct machine_note *line, size_t nodes, const struct noted_taker *taker)
{
    enum experiment_kind experiment;
    if (line->depth != 1 || !line->value)
        return NOTED_wrong;
    if (noted_experiment_find(line->key, &experiment))
        return experiments_read(line, experiment, nodes, taker);
    for (int kind = 0; kind < N_FLAT_KINDS; kind++)
        if (begins_with(line->key, operations[kind]))
            return operation_read(line, (enum flat_kind)kind, nodes, taker);
    return NOTED_else;
}
