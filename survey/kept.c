#include "survey/kept.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
#define X(name, nodes, time) #name,
    EXPERIMENT_LIST(X)
#undef X
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const char *const flat_kinds[] = {[FLAT_scatter] = "scatter", [FLAT_gather] = "gather", [FLAT_edge] = "edge"};

/* ---- written ---- */

static int surveyed_compare(const void *a, const void *b)
{
    return experiments_compare(&(*(const struct surveyed *const *)a)->experiment,
                               &(*(const struct surveyed *const *)b)->experiment);
}

/* What has times, of this run and of before, in order: [*n], the caller frees it. Of one that both have, this run's. */
static const struct surveyed **all_of(const struct survey *s, size_t *n)
{
    const struct surveyed **all = alloc_array(s->n + s->n_kept + 1, sizeof(const struct surveyed *));
    size_t measured = *n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->all[i].n > 0)
            all[(*n)++] = &s->all[i];
    measured = *n;
    qsort((void *)all, measured, sizeof *all, surveyed_compare);
    for (size_t i = 0; i < s->n_kept; i++) {
        const struct surveyed *one = &s->kept[i];
        if (!bsearch(&one, (void *)all, measured, sizeof *all, surveyed_compare))
            all[(*n)++] = one;
    }
    qsort((void *)all, *n, sizeof *all, surveyed_compare);
    return all;
}

static bool same_line(const struct experiment *a, const struct experiment *b)
{
    return a->kind == b->kind && a->there == b->there && a->back == b->back && a->messages == b->messages &&
           a->node[0] == b->node[0];
}

static void times_write(FILE *out, size_t n, const double t[])
{
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %lld", llround(1e9 * t[i]));
}

static void experiments_write(FILE *out, const struct survey *s)
{
    size_t n;
    const struct surveyed **all = all_of(s, &n);
    for (size_t i = 0; i < n; i++) {
        const struct experiment *e = &all[i]->experiment;
        if (i == 0 || !same_line(e, &all[i - 1]->experiment))
            fprintf(out, "%s    %s %" PRId64 " %" PRId64 " %d from %d:", i > 0 ? "\n" : "", kinds[e->kind], e->there,
                    e->back, e->messages, e->node[0]);
        else
            fputc(',', out);
        for (int k = 1; k < experiment_nodes(e); k++)
            fprintf(out, " %d", e->node[k]);
        times_write(out, all[i]->n, all[i]->t);
    }
    fputs(n > 0 ? "\n" : "", out);
    free((void *)all);
}

static void added_write(FILE *out, const struct survey *s)
{
    for (size_t i = 0; i < s->n_added; i++) {
        const struct experiment *e = &s->added[i].like;
        fprintf(out, "    at_once %s %" PRId64 " %" PRId64 " %d: %lld\n", kinds[e->kind], e->there, e->back,
                e->messages, llround(1e9 * s->added[i].seconds));
    }
}

static void points_write(FILE *out, const char *name, size_t n, const struct flat_point points[])
{
    for (size_t i = 0; i < n; i++) {
        if (points[i].times.n == 0)
            continue;
        fprintf(out, "    %s %d %.0f:", name, points[i].numprocs, points[i].bytes);
        times_write(out, points[i].times.n, points[i].times.t);
        fputc('\n', out);
    }
}

static void others_write(FILE *out, const struct others *others)
{
    char name[OTHERS_NAME_BYTES], text[OTHERS_TEXT_BYTES];
    size_t n = 0;
    const struct others_machine *all = others ? others_all(others, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    others %s: %s\n", others_name(&all[i], name), others_text(&all[i], text));
}

char *kept_text(const struct kept *k)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("  " KEPT_HEADING ":\n    nodes:", out);
    for (size_t i = 0; i < k->nodes; i++)
        fprintf(out, " %s", k->hosts[i]);
    fputc('\n', out);
    experiments_write(out, k->survey);
    added_write(out, k->survey);
    if (k->flat->n[FLAT_scatter] + k->flat->n[FLAT_gather] > 0) {
        fprintf(out, "    operations: largest %" PRId64 ", rest %lld, %s\n", k->flat->largest,
                llround(1e9 * k->flat->rest), k->flat->is_whole ? "all" : "some");
        for (int kind = 0; kind < N_FLAT_KINDS; kind++)
            points_write(out, flat_kinds[kind], k->flat->n[kind], k->flat->points[kind]);
    }
    others_write(out, k->others);
    fclose(out);
    return text;
}

/* ---- read ---- */

struct reading {
    const struct kept *kept;
    const char *path;
    struct diags *diags;
};

static enum status refuse(const struct reading *r, const struct machine_note *note)
{
    diag_error(r->diags, place_of_file(r->path), "--resume: under `" KEPT_HEADING "` the line `%s` is not as "
               "pevpm-estimate writes it", note->key);
    return STATUS_SCHEMA;
}

static enum status differ(const struct reading *r, const char *what, const char *in_file, const char *here)
{
    diag_error(r->diags, place_of_file(r->path), "--resume: %s is %s in this file, %s in this job", what, in_file,
               here);
    return STATUS_SCHEMA;
}

static enum status nodes_read(const struct reading *r, const struct machine_note *note)
{
    const char *at = note->value;
    for (size_t i = 0; i < r->kept->nodes; i++) {
        char in_file[256], what[64];
        int used = 0;
        if (sscanf(at, "%255s%n", in_file, &used) != 1)
            snprintf(in_file, sizeof in_file, "none");
        snprintf(what, sizeof what, "the host of node %zu", i);
        if (strcmp(in_file, r->kept->hosts[i]) != 0)
            return differ(r, what, in_file, r->kept->hosts[i]);
        at += used;
    }
    return at[strspn(at, " ")] ? refuse(r, note) : STATUS_OK;
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

static bool is_node(const struct reading *r, int node)
{
    return node >= 0 && (size_t)node < r->kept->nodes;
}

static enum status experiments_read(const struct reading *r, const struct machine_note *note, enum experiment_kind kind)
{
    struct experiment e = {.kind = kind};
    int used = 0;
    if (sscanf(note->key, "%*s %" SCNd64 " %" SCNd64 " %d from %d%n", &e.there, &e.back, &e.messages, &e.node[0],
               &used) != 4 || note->key[used] || !is_node(r, e.node[0]))
        return refuse(r, note);
    for (const char *at = note->value;; at++) {
        const int n_nodes = experiment_nodes(&e);
        bool good = true;
        for (int k = 1; k < n_nodes; k++, at += used)
            good = good && sscanf(at, "%d%n", &e.node[k], &used) == 1 && is_node(r, e.node[k]);
        size_t n = 0;
        double *t = NULL;
        at = good ? times_read(at, &n, &t) : at;
        if (n > 0)
            survey_keep(r->kept->survey, &e, n, t);
        free(t);
        if (n == 0 || (*at && *at != ','))
            return refuse(r, note);
        if (!*at)
            return STATUS_OK;
    }
}

static enum status added_read(const struct reading *r, const struct machine_note *note)
{
    struct experiment e = {.kind = EXPERIMENT_round_trip};
    char word[32];
    int used = 0, end = 0, kind = 0;
    long long ns;
    if (sscanf(note->key, "at_once %31s %" SCNd64 " %" SCNd64 " %d%n", word, &e.there, &e.back, &e.messages,
               &used) != 4 || note->key[used] || sscanf(note->value, "%lld%n", &ns, &end) != 1 || note->value[end] ||
        ns < 0)
        return refuse(r, note);
    while (kind < N_KINDS && strcmp(kinds[kind], word) != 0)
        kind++;
    if (kind == N_KINDS)
        return refuse(r, note);
    e.kind = (enum experiment_kind)kind;
    survey_add_added(r->kept->survey, &e, 1e-9 * (double)ns);
    return STATUS_OK;
}

/* Scatters and Gathers are of one kind: the same sizes, after the same rest. */
static enum status operations_read(const struct reading *r, const struct machine_note *note)
{
    struct flat_survey *flat = r->kept->flat;
    const struct flat_wish *wish = r->kept->wish;
    long long rest;
    int used = 0;
    char in_file[64], here[64];
    if (sscanf(note->value, "largest %" SCNd64 ", rest %lld, %n", &flat->largest, &rest, &used) != 2 || used == 0)
        return refuse(r, note);
    flat->rest = 1e-9 * (double)rest;
    flat->is_whole = strcmp(note->value + used, "all") == 0;
    if (wish && wish->largest != flat->largest) {
        snprintf(in_file, sizeof in_file, "%" PRId64 " bytes", flat->largest);
        snprintf(here, sizeof here, "%" PRId64, wish->largest);
        return differ(r, "--largest", in_file, here);
    }
    if (wish && rest != llround(1e9 * wish->rest)) {
        snprintf(in_file, sizeof in_file, "%g s", flat->rest);
        snprintf(here, sizeof here, "%g", wish->rest);
        return differ(r, "--rest", in_file, here);
    }
    return STATUS_OK;
}

static enum status point_read(const struct reading *r, const struct machine_note *note, enum flat_kind kind)
{
    int numprocs, used = 0;
    int64_t bytes;
    size_t n = 0;
    double *t = NULL;
    bool good = sscanf(note->key, "%*s %d %" SCNd64 "%n", &numprocs, &bytes, &used) == 2 && !note->key[used] &&
                numprocs >= 2 && (size_t)numprocs <= r->kept->nodes && bytes > 0;
    good = good && !*times_read(note->value, &n, &t) && n > 0;
    for (size_t i = 0; good && i < n; i++)
        flat_add(r->kept->flat, kind, numprocs, (double)bytes, t[i]);
    free(t);
    return good ? STATUS_OK : refuse(r, note);
}

/* A line that tells of none of this job's machines is of no use. */
static enum status others_line_read(const struct reading *r, const struct machine_note *note)
{
    char name[OTHERS_NAME_BYTES];
    size_t n = 0;
    const struct others_machine *all = r->kept->others ? others_all(r->kept->others, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        struct others_machine earlier = all[i];
        if (strcmp(note->key + strlen("others "), others_name(&all[i], name)) == 0 && others_read(&earlier, note->value))
            others_earlier(r->kept->others, i, &earlier);
    }
    return STATUS_OK;
}

static enum status note_read(const struct reading *r, const struct machine_note *note)
{
    if (note->depth != 1 || !note->value)
        return refuse(r, note);
    const size_t word = strcspn(note->key, " ");
    for (int kind = 0; kind < N_KINDS; kind++)
        if (strlen(kinds[kind]) == word && memcmp(kinds[kind], note->key, word) == 0)
            return experiments_read(r, note, (enum experiment_kind)kind);
    for (int kind = 0; kind < N_FLAT_KINDS; kind++)
        if (strlen(flat_kinds[kind]) == word && memcmp(flat_kinds[kind], note->key, word) == 0)
            return point_read(r, note, (enum flat_kind)kind);
    if (strcmp(note->key, "nodes") == 0)
        return nodes_read(r, note);
    if (strncmp(note->key, "at_once ", 8) == 0)
        return added_read(r, note);
    if (strncmp(note->key, "others ", strlen("others ")) == 0)
        return others_line_read(r, note);
    if (strcmp(note->key, "operations") == 0)
        return operations_read(r, note);
    return refuse(r, note);
}

enum status kept_read(const struct kept *kept, const struct machine_source *source, const char *path,
                      struct diags *diags)
{
    const struct reading r = {kept, path, diags};
    size_t i = 0;
    enum status status = STATUS_OK;
    while (i < source->n_notes && (source->notes[i].depth > 0 || strcmp(source->notes[i].key, KEPT_HEADING) != 0))
        i++;
    for (i++; status == STATUS_OK && i < source->n_notes && source->notes[i].depth > 0; i++)
        status = note_read(&r, &source->notes[i]);
    return status;
}
