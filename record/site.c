#include "record/site.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };
enum { SITE_FRAMES = 64 }; /* as many as a recording may have */

void site_table_init(struct site_table *table)
{
    *table = (struct site_table){.n_buckets = BUCKETS, .memory = ARENA_EMPTY};
    table->buckets = alloc_array(BUCKETS, sizeof *table->buckets);
    memset(table->buckets, 0xff, BUCKETS * sizeof *table->buckets);
}

void site_table_free(struct site_table *table)
{
    free(table->modules);
    free(table->sites);
    free(table->buckets);
    free(table->next);
    arena_free(&table->memory);
}

/* A file with a build-id is the same wherever it lies. Its number in the table; -1: not there. */
static int module_known(const struct site_table *table, const struct recorded_module *module)
{
    for (int i = 0; i < table->n_modules; i++)
        if (strcmp(table->modules[i].build_id, module->build_id) == 0 &&
            (strcmp(module->build_id, "-") != 0 || strcmp(table->modules[i].path, module->path) == 0))
            return i;
    return -1;
}

static int module_number(struct site_table *table, const struct recorded_module *module)
{
    int known = module_known(table, module);
    if (known >= 0)
        return known;
    table->modules = alloc_resize(table->modules, (size_t)table->n_modules + 1, sizeof *module);
    table->modules[table->n_modules] = *module;
    return table->n_modules++;
}

static bool same_path(const struct recorded_site *a, const struct recorded_site *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (a->frames[i].module != b->frames[i].module || a->frames[i].offset != b->frames[i].offset)
            return false;
    return true;
}

/* FNV-1a of the path, so that its sites share a bucket. */
static int bucket_of(const struct recorded_site *site)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (int i = 0; i < site->n; i++)
        hash = (hash ^ (site->frames[i].offset + (uint64_t)site->frames[i].module)) * 0x100000001b3U;
    return (int)((hash >> 20) % BUCKETS);
}

int site_path(const struct site_table *table, const struct recorded_process *process, int path)
{
    const struct recorded_path *recorded = &process->paths[path];
    struct site_frame frames[SITE_FRAMES];
    struct recorded_site site = {.n = recorded->n, .frames = frames};
    for (int i = 0; i < recorded->n; i++) {
        int module = recorded->frames[i].module;
        frames[i].module = module < 0 ? -1 : module_known(table, &process->modules[module]);
        frames[i].offset = recorded->frames[i].offset;
    }
    for (int i = table->buckets[bucket_of(&site)]; i >= 0; i = table->next[i])
        if (same_path(&table->sites[i], &site))
            return table->sites[i].path;
    return -1;
}

int site_find(struct site_table *table, const struct recorded_process *process, enum operation op, int path)
{
    return site_find_apart(table, process, op, path, -1, -1);
}

int site_find_apart(struct site_table *table, const struct recorded_process *process, enum operation op, int path,
                    int direction, int among)
{
    const struct recorded_path *recorded = &process->paths[path];
    struct site_frame frames[SITE_FRAMES];
    struct recorded_site site = {op, table->n, table->n, direction, among, recorded->n, frames};
    for (int i = 0; i < recorded->n; i++) {
        int module = recorded->frames[i].module;
        frames[i].module = module < 0 ? -1 : module_number(table, &process->modules[module]);
        frames[i].offset = recorded->frames[i].offset;
    }
    int *bucket = &table->buckets[bucket_of(&site)];
    for (int i = *bucket; i >= 0; i = table->next[i]) {
        if (!same_path(&table->sites[i], &site))
            continue;
        if (table->sites[i].op == op && table->sites[i].direction == direction && table->sites[i].among == among)
            return table->sites[i].as;
        site.path = table->sites[i].path;
    }
    if (table->n == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        table->sites = alloc_resize(table->sites, (size_t)table->capacity, sizeof *table->sites);
        table->next = alloc_resize(table->next, (size_t)table->capacity, sizeof *table->next);
    }
    site.frames = arena_alloc(&table->memory, (size_t)site.n, sizeof *frames);
    if (site.n > 0)
        memcpy(site.frames, frames, (size_t)site.n * sizeof *frames);
    table->sites[table->n] = site;
    table->next[table->n] = *bucket;
    *bucket = table->n;
    return table->n++;
}

bool site_join(struct site_table *table, int a, int b)
{
    const int x = table->sites[a].as, y = table->sites[b].as, first = x < y ? x : y;
    for (int i = 0; i < table->n && x != y; i++)
        if (table->sites[i].as == x || table->sites[i].as == y)
            table->sites[i].as = first;
    return x != y;
}

bool site_beside(const struct site_table *table, int a, int b)
{
    const struct recorded_site *x = &table->sites[a], *y = &table->sites[b];
    bool same = x->n == y->n && x->n > 0 && x->frames[0].module == y->frames[0].module;
    for (int i = 1; i < x->n && same; i++)
        same = x->frames[i].module == y->frames[i].module && x->frames[i].offset == y->frames[i].offset;
    return same;
}

bool site_before(const struct site_table *table, int a, int b)
{
    const struct recorded_site *x = &table->sites[a], *y = &table->sites[b];
    int i = x->n - 1, k = y->n - 1;
    while (i > 0 && k > 0 && x->frames[i].module == y->frames[k].module && x->frames[i].offset == y->frames[k].offset)
        i--, k--;
    return i >= 0 && k >= 0 && x->frames[i].module == y->frames[k].module && x->frames[i].offset < y->frames[k].offset;
}
