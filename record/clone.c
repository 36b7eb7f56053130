#include "record/clone.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Calls of these paths are not asked for: any operation stands for the path. */
#define PATH_OPERATION ((enum operation)0)

void clone_paths(struct site_table *paths, size_t n, const struct recording recordings[])
{
    site_table_init(paths);
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++)
            for (int path = 0; path < recordings[r].processes[rank].n_paths; path++)
                site_find(paths, &recordings[r].processes[rank], PATH_OPERATION, path);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The same lines, all of them known but that of who calls main(). */
static bool same_lines(const struct resolved_path *a, const struct resolved_path *b)
{
    bool same = a->n == b->n && a->n > 0;
    for (int i = 0; i < a->n && same; i++) {
        const struct resolved_frame *x = &a->frames[i], *y = &b->frames[i];
        same = x->line == y->line && same_text(x->file, y->file) && same_text(x->function, y->function) &&
               ((x->file && x->line > 0) || (i > 0 && i == a->n - 1));
    }
    return same;
}

static bool same_modules(const struct recorded_site *a, const struct recorded_site *b)
{
    bool same = a->n == b->n;
    for (int i = 0; i < a->n && same; i++)
        same = a->frames[i].module == b->frames[i].module;
    return same;
}

/* Which processes of all recordings are on which path. */
struct presence {
    size_t processes;
    unsigned char *on;          /* [paths->n][processes] */
};

static struct presence find_presence(const struct site_table *paths, size_t n, const struct recording recordings[])
{
    struct presence presence = {0};
    size_t process = 0;
    for (size_t r = 0; r < n; r++)
        presence.processes += (size_t)recordings[r].ranks;
    presence.on = alloc_zeroed((size_t)paths->n * presence.processes + 1, 1);
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++, process++) {
            const struct recorded_process *of = &recordings[r].processes[rank];
            for (int path = 0; path < of->n_paths; path++)
                presence.on[(size_t)site_path(paths, of, path) * presence.processes + process] = 1;
        }
    return presence;
}

/* Was no process on both paths? Those of the second are on the first then as well. */
static bool take_over(struct presence *presence, size_t first, size_t second)
{
    unsigned char *a = presence->on + first * presence->processes, *b = presence->on + second * presence->processes;
    for (size_t i = 0; i < presence->processes; i++)
        if (a[i] && b[i])
            return false;
    for (size_t i = 0; i < presence->processes; i++)
        a[i] = a[i] || b[i];
    return true;
}

size_t clone_join(const struct site_table *paths, const struct resolved_path lines[], size_t n,
                  struct recording recordings[])
{
    struct presence presence = find_presence(paths, n, recordings);
    int *as = alloc_array((size_t)paths->n + 1, sizeof *as);
    size_t joined = 0;
    for (int i = 0; i < paths->n; i++) {
        as[i] = i;
        for (int k = 0; k < i && as[i] == i; k++)
            if (as[k] == k && same_lines(&lines[k], &lines[i]) && same_modules(&paths->sites[k], &paths->sites[i]) &&
                take_over(&presence, (size_t)k, (size_t)i))
                as[i] = k;
        joined += as[i] != i;
    }
    for (size_t r = 0; r < n && joined > 0; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++) {
            struct recorded_process *process = &recordings[r].processes[rank];
            for (int path = 0; path < process->n_paths; path++) {
                const struct recorded_site *first = &paths->sites[as[site_path(paths, process, path)]];
                for (int i = 0; i < first->n; i++)
                    process->paths[path].frames[i].offset = first->frames[i].offset;
            }
        }
    free(presence.on);
    free(as);
    return joined;
}

void recordings_join_clones(size_t n, struct recording recordings[])
{
    struct site_table paths;
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY; /* what is not known of lines is said when the program is written */
    clone_paths(&paths, n, recordings);
    clone_join(&paths, resolve_paths(&paths, &memory, &unused), n, recordings);
    diags_free(&unused);
    arena_free(&memory);
    site_table_free(&paths);
}
