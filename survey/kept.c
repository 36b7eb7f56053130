#include "survey/kept.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
            fprintf(out, "%s    %s %" PRId64 " %" PRId64 " %d from %d:", i > 0 ? "\n" : "", noted_experiment_name(e->kind),
                    e->there, e->back, e->messages, e->node[0]);
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
        fprintf(out, "    at_once %s %" PRId64 " %" PRId64 " %d: %lld\n", noted_experiment_name(e->kind), e->there, e->back,
                e->messages, llround(1e9 * s->added[i].seconds));
    }
}

static void points_write(FILE *out, enum flat_kind kind, size_t n, const struct flat_point points[])
{
    for (size_t i = 0; i < n; i++) {
        if (points[i].times.n == 0)
            continue;
        fprintf(out, "    %s %d %.0f:", noted_operation_name(kind), points[i].numprocs, points[i].bytes);
        for (size_t r = 0, end; r < points[i].times.n; r = end) {
            for (end = r + 1; end < points[i].times.n && points[i].follows[end]; end++)
                continue;
            times_write(out, end - r, points[i].times.t + r);
            fputc(',', out);
        }
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
    fputs("  " NOTED_HEADING ":\n    nodes:", out);
    for (size_t i = 0; i < k->nodes; i++)
        fprintf(out, " %s", k->hosts[i]);
    fputc('\n', out);
    experiments_write(out, k->survey);
    added_write(out, k->survey);
    if (k->flat->n[FLAT_scatter] + k->flat->n[FLAT_gather] > 0) {
        fprintf(out, "    operations: largest %" PRId64 ", rest %lld, %s\n", k->flat->largest,
                llround(1e9 * k->flat->rest), k->flat->is_whole ? "all" : "some");
        for (int kind = 0; kind < N_FLAT_KINDS; kind++)
            points_write(out, (enum flat_kind)kind, k->flat->n[kind], k->flat->points[kind]);
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
    diag_error(r->diags, place_of_file(r->path), "--resume: under `" NOTED_HEADING "` the line `%s` is not as "
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

static enum status added_read(const struct reading *r, const struct machine_note *note)
{
    struct experiment e = {.kind = EXPERIMENT_round_trip};
    char word[32];
    int used = 0, end = 0;
    long long ns;
    if (sscanf(note->key, "at_once %31s %" SCNd64 " %" SCNd64 " %d%n", word, &e.there, &e.back, &e.messages,
               &used) != 4 || note->key[used] || sscanf(note->value, "%lld%n", &ns, &end) != 1 || note->value[end] ||
        ns < 0 || !noted_experiment_find(word, &e.kind))
        return refuse(r, note);
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

static void experiment_keep(void *reading, const struct experiment *e, size_t n, const double t[])
{
    survey_keep(((const struct reading *)reading)->kept->survey, e, n, t);
}

static void operation_keep(void *reading, enum flat_kind kind, int numprocs, double bytes, size_t n, const double t[],
                           const bool follows[])
{
    for (size_t i = 0; i < n; i++)
        flat_add(((const struct reading *)reading)->kept->flat, kind, numprocs, bytes, t[i], follows[i]);
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

static enum status note_read(struct reading *r, const struct machine_note *note)
{
    const struct noted_taker taker = {r, experiment_keep, operation_keep};
    const enum noted noted = noted_read(note, r->kept->nodes, &taker);
    if (noted != NOTED_else)
        return noted == NOTED_times ? STATUS_OK : refuse(r, note);
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
    struct reading r = {kept, path, diags};
    size_t n;
    const struct machine_note *lines = noted_lines(source, &n);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++)
        status = note_read(&r, &lines[i]);
    return status;
}
