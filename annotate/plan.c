#include "annotate/plan.h"

#include "annotate/place.h"
#include "annotate/plan_impl.h"
#include "host/facts.h"
#include "host/fortran/outline.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 4 * PLACES_MOST }; /* calls, loops and branches around one call */

const struct outline_node *plan_outline(const struct plan *plan, const struct plan_node *node)
{
    return &plan->files[node->file].outline.nodes[node->outline];
}

int plan_depth_of(const struct plan *plan, int function)
{
    return -1 - (int)plan->n_functions - function;
}

int plan_depth_function(const struct plan *plan, int around)
{
    return around <= plan_depth_of(plan, 0) ? plan_depth_of(plan, 0) - around : -1;
}

static bool calls_through(const struct plan *plan, int function, int other, bool *been)
{
    been[function] = true;
    for (size_t i = 0; i < plan->n_nodes; i++) {
        const struct plan_node *node = &plan->nodes[i];
        if (node->function != function || node->callee < 0)
            continue;
        if (node->callee == other || (!been[node->callee] && calls_through(plan, node->callee, other, been)))
            return true;
    }
    return false;
}

bool plan_calls(const struct plan *plan, int function, int other)
{
    bool *been = alloc_zeroed(plan->n_functions, sizeof *been), does = calls_through(plan, function, other, been);
    free(been);
    return does;
}

/* ---- sites ---- */

static void find_sites(struct plan *plan, const struct recorded_process *process, size_t n,
                       const struct recorded_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].loop)
            find_sites(plan, process, nodes[i].n_body, nodes[i].body);
        else
            site_find(&plan->sites, process, nodes[i].op, nodes[i].path);
    }
}

static int function_get(struct plan *plan, int file, int outline)
{
    for (size_t i = 0; i < plan->n_functions; i++)
        if (plan->functions[i].file == file && plan->functions[i].outline == outline)
            return (int)i;
    plan->functions =
        alloc_grow(plan->functions, plan->n_functions, &plan->functions_capacity, sizeof *plan->functions);
    plan->functions[plan->n_functions] = (struct plan_function){.file = file, .outline = outline};
    return (int)plan->n_functions++;
}

/* The child of a node, or of a function where parent is -1; made where it is new. */
static int node_get(struct plan *plan, int function, int parent, int file, int outline, int op, int callee)
{
    size_t n = parent < 0 ? plan->functions[function].n : plan->nodes[parent].n;
    const int *children = parent < 0 ? plan->functions[function].children : plan->nodes[parent].children;
    for (size_t i = 0; i < n; i++) {
        const struct plan_node *node = &plan->nodes[children[i]];
        if (node->outline == outline && node->op == op && node->callee == callee)
            return children[i];
    }
    plan->nodes = alloc_grow(plan->nodes, plan->n_nodes, &plan->nodes_capacity, sizeof *plan->nodes);
    int made = (int)plan->n_nodes++;
    plan->nodes[made] = (struct plan_node){.file = file, .outline = outline, .function = function, .parent = parent,
                                           .callee = callee, .op = op, .comm = -1, .window = -1, .taken = -1, .world = true};
    if (callee >= 0)
        plan->functions[callee].callers++;
    int **list = parent < 0 ? &plan->functions[function].children : &plan->nodes[parent].children;
    size_t *capacity = parent < 0 ? &plan->functions[function].capacity : &plan->nodes[parent].capacity;
    *list = alloc_grow(*list, n, capacity, sizeof **list);
    (*list)[n] = made;
    if (parent < 0)
        plan->functions[function].n++;
    else
        plan->nodes[parent].n++;
    return made;
}

/* The loops and branches of a function that a call stands in, and the call. Returns how many nodes were added. */
static int add_call(struct plan *plan, int function, const struct place_found *at, int call, int op, int callee,
                    int nodes[DEEPEST])
{
    int around[DEEPEST], n = 0, m = 0, parent = -1;
    const struct outline *outline = &plan->files[at->file].outline;
    for (int i = outline->nodes[call].parent; i >= 0 && i != at->function && n < DEEPEST / 2;
         i = outline->nodes[i].parent)
        if (outline->nodes[i].kind == OUTLINE_LOOP || outline->nodes[i].kind == OUTLINE_ARM)
            around[n++] = i;
    while (n > 0)
        nodes[m++] = parent = node_get(plan, function, parent, at->file, around[--n], -1, -1);
    nodes[m++] = node_get(plan, function, parent, at->file, call, op, callee);
    return m;
}

/* The call that stands in the source: beside one on a file it is that one. */
static enum operation call_of(const struct plan *plan, int site)
{
    const struct recorded_site *own = &plan->sites.sites[site];
    for (int i = 0; operation_is_beside(own->op) && i < plan->sites.n; i++)
        if (plan->sites.sites[i].path == own->path && operation_kind(plan->sites.sites[i].op) == KIND_file)
            return plan->sites.sites[i].op;
    return own->op;
}

static void make_chain(struct plan *plan, int site)
{
    struct place_found places[PLACES_MOST];
    enum operation op = plan->sites.sites[site].op;
    int nodes[2 * DEEPEST], m = 0, n = places_find(plan, site, places);
    plan->node_of[site] = -1;
    for (int i = 0; i < n && m < DEEPEST; i++) {
        bool last = i + 1 == n;
        struct outline *outline = &plan->files[places[i].file].outline;
        int function = function_get(plan, places[i].file, places[i].function);
        int callee = last ? -1 : function_get(plan, places[i + 1].file, places[i + 1].function);
        int call = outline_call_at(outline, places[i].function, places[i].line,
                                   last ? operation_name(call_of(plan, site)) : places[i + 1].name);
        m += add_call(plan, function, &places[i], call, last ? (int)op : -1, callee, nodes + m);
        for (int k = 0; k < i; k++)
            plan->functions[function].recursive |= places[k].file == places[i].file &&
                                                   places[k].function == places[i].function;
    }
    if (n == 0)
        return;
    plan->chains[site].n = m;
    plan->chains[site].nodes = arena_alloc(&plan->memory, (size_t)m, sizeof *nodes);
    memcpy(plan->chains[site].nodes, nodes, (size_t)m * sizeof *nodes);
    plan->node_of[site] = nodes[m - 1];
    plan->path_of[site] = plan->nodes[nodes[m - 1]].n_paths++;
}

/* A lock that is kept beside an access stands before that. */
static unsigned order_of(const struct plan *plan, int node)
{
    return 2 * plan_outline(plan, &plan->nodes[node])->order + !plan_is_lock_beside(plan, &plan->nodes[node]);
}

/* Few at a time: those of one block. */
static void sort_children(const struct plan *plan, size_t n, int *children)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && order_of(plan, children[k - 1]) > order_of(plan, children[k]); k--) {
            int other = children[k];
            children[k] = children[k - 1];
            children[k - 1] = other;
        }
}

/* Calls of a function are numbered in the order of the sources, whatever came first in the recordings: what a person
 * wrote with these numbers stays right when more is recorded. */
static void number_calls(struct plan *plan)
{
    for (size_t i = 0; i < plan->n_nodes; i++) {
        struct plan_node *node = &plan->nodes[i];
        node->ordinal = 0;
        for (size_t k = 0; node->callee >= 0 && k < plan->n_nodes; k++) {
            const struct plan_node *other = &plan->nodes[k];
            bool before = other->file != node->file ? other->file < node->file
                        : order_of(plan, (int)k) != order_of(plan, (int)i)
                              ? order_of(plan, (int)k) < order_of(plan, (int)i) : k < i;
            node->ordinal += other->callee == node->callee && before;
        }
    }
}

/* What a function is called, as a name of directives: `operator+` is none. */
static char *name_of_function(const struct plan *plan, int function)
{
    const struct plan_function *f = &plan->functions[function];
    const struct outline_node *node = &plan->files[f->file].outline.nodes[f->outline];
    char *name = alloc_string(node->known_as ? node->known_as : node->name);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c))
            *c = '_';
    return name;
}

static bool stands_before(const struct plan_function *a, const struct plan_function *b)
{
    return a->file != b->file ? a->file < b->file : a->outline < b->outline;
}

static bool is_among(const char *name, size_t n, char *const names[])
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Procedures are the whole program's: functions of one name have numbers, in the order of the sources. */
static void name_functions(struct plan *plan)
{
    char **wish = alloc_array(plan->n_functions + 1, sizeof *wish);
    for (size_t i = 0; i < plan->n_functions; i++)
        wish[i] = name_of_function(plan, (int)i);
    for (size_t i = 0; i < plan->n_functions; i++) {
        int before = 0;
        for (size_t k = 0; k < plan->n_functions; k++)
            before += strcmp(wish[k], wish[i]) == 0 && stands_before(&plan->functions[k], &plan->functions[i]);
        char *name = alloc_string(wish[i]);
        for (int number = 2; before > 0; number++) {
            free(name);
            name = alloc_format("%s_%d", wish[i], number);
            before -= !is_among(name, plan->n_functions, wish);
        }
        plan->functions[i].name = arena_string_n(&plan->memory, name, strlen(name));
        free(name);
    }
    for (size_t i = 0; i < plan->n_functions; i++)
        free(wish[i]);
    free(wish);
}

static void make_chains(struct plan *plan)
{
    size_t n = (size_t)plan->sites.n;
    plan->chains = arena_alloc(&plan->memory, n, sizeof *plan->chains);
    plan->node_of = arena_alloc(&plan->memory, n, sizeof *plan->node_of);
    plan->path_of = arena_alloc(&plan->memory, n, sizeof *plan->path_of);
    for (int i = 0; i < plan->sites.n; i++)
        make_chain(plan, i);
    number_calls(plan);
    name_functions(plan);
    for (size_t i = 0; i < plan->n_nodes; i++) {
        struct plan_node *node = &plan->nodes[i];
        sort_children(plan, node->n, node->children);
        node->ways = plan->functions[node->function].callers > 1 ? plan->functions[node->function].callers : 1;
        node->times = alloc_zeroed((size_t)node->ways * plan->n_recordings, sizeof *node->times);
    }
    for (size_t i = 0; i < plan->n_functions; i++)
        sort_children(plan, plan->functions[i].n, plan->functions[i].children);
}

/* ---- what all calls of a node have in common ---- */

/* By which call of its function a recorded call was reached; where that calls itself, by the outermost. */
static int way_of(const struct plan *plan, const struct chain *chain)
{
    int function = -1, way = 0;
    for (int i = chain->n - 1; i >= 0; i--) {
        const struct plan_node *node = &plan->nodes[chain->nodes[i]];
        if (node->callee < 0 || (function >= 0 && node->callee != function))
            continue;
        function = node->callee;
        way = node->ordinal;
    }
    return way;
}

static void add_times(const struct plan *plan, struct plan_node *node, int way, const struct recorded_times *times,
                      int recording, int rank)
{
    bool processor = plan->processor && times->processor_n > 0;
    double mean = processor ? times->processor / (double)times->processor_n : times->wall / (double)times->n;
    struct plan_time *to = &node->times[(size_t)way * plan->n_recordings + (size_t)recording];
    to->sum[rank > 0] += mean * (double)times->n;
    to->n[rank > 0] += times->n;
}

static void add_nodes(struct plan *plan, int recording, int rank, size_t n, const struct recorded_node *nodes)
{
    const struct recorded_process *process = &plan->recordings[recording].processes[rank];
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *ran = &nodes[i];
        if (ran->loop) {
            add_nodes(plan, recording, rank, ran->n_body, ran->body);
            continue;
        }
        int site = site_find(&plan->sites, process, ran->op, ran->path), at = plan->node_of[site];
        bool counts = operation_kind(ran->op) != KIND_other && operation_kind(ran->op) != KIND_comm && !operation_is_beside(ran->op);
        plan->calls += counts ? ran->times.n : 0;
        if (at < 0) {
            plan->uncovered += counts ? ran->times.n : 0;
            continue;
        }
        struct plan_node *node = &plan->nodes[at];
        node->calls += ran->times.n;
        add_times(plan, node, way_of(plan, &plan->chains[site]), &ran->times, recording, rank);
        if (operation_kind(ran->op) == KIND_comm && ran->peer > 0 && ran->peer < process->n_comms &&
            !recorded_comm_is_world(&process->comms[ran->peer], plan->recordings[recording].ranks))
            node->world = false;
        if (ran->bytes_least != ran->bytes_most) {
            node->bytes_least = node->varies && node->bytes_least < ran->bytes_least ? node->bytes_least
                                                                                      : ran->bytes_least;
            node->bytes_most = node->bytes_most > ran->bytes_most ? node->bytes_most : ran->bytes_most;
            node->varies = true;
        }
        node->bytes_sum += ran->bytes_mean * (double)ran->times.n;
        node->bytes_n += (double)ran->times.n;
    }
}

static enum status read_files(struct plan *plan, const struct source *files, struct diags *diags)
{
    bool any = false;
    struct diags said = DIAGS_EMPTY; /* of facts: what the outline has said */
    for (const struct source *source = files; source; source = source->next)
        plan->n_files++;
    plan->files = alloc_zeroed(plan->n_files, sizeof *plan->files);
    for (size_t i = 0; i < plan->n_files; i++, files = files->next) {
        struct plan_file *file = &plan->files[i];
        file->source = files;
        file->read = files->host == HOST_C &&
                     outline_read(&file->outline, files->name, files->text, files->length, files->flags, diags);
        if (file->read)
            file->facts = facts_read(files->name, files->text, files->length, files->flags, 0, NULL, &said);
        else if (files->host != HOST_C)
            file->read = fortran_outline(&file->outline, &file->facts, files);
        any = any || file->read;
    }
    diags_free(&said);
    if (any)
        return STATUS_OK;
    diag_error(diags, place_of_file(NULL), "no file of the program could be read");
    return STATUS_NOT_YET;
}

bool plan_is_lock_beside(const struct plan *plan, const struct plan_node *node)
{
    const char *name = plan_outline(plan, node)->name;
    return node->op == OPERATION_MPI_Win_lock && name && strcmp(name, operation_name(OPERATION_MPI_Win_lock)) != 0;
}

static int most_neighbours(const struct plan *plan)
{
    int most = 0;
    for (size_t r = 0; r < plan->n_recordings; r++)
        for (int rank = 0; rank < plan->recordings[r].ranks; rank++)
            for (int i = 0; i < plan->recordings[r].processes[rank].n_comms; i++) {
                const struct recorded_comm *comm = &plan->recordings[r].processes[rank].comms[i];
                most = comm->n_sources > most ? comm->n_sources : most;
                most = comm->n_destinations > most ? comm->n_destinations : most;
            }
    return most;
}

/* ---- all of it ---- */

enum status plan_make(struct plan *plan, const struct source *files, size_t n, const struct recording recordings[],
                      struct diags *diags)
{
    *plan = (struct plan){.n_recordings = n, .recordings = recordings, .begin = -1, .memory = ARENA_EMPTY};
    site_table_init(&plan->sites);
    enum status status = read_files(plan, files, diags);
    if (status != STATUS_OK)
        return status;
    for (size_t r = 0; r < n; r++) {
        plan->processor = plan->processor || recording_crowded(&recordings[r]);
        for (int rank = 0; rank < recordings[r].ranks; rank++)
            find_sites(plan, &recordings[r].processes[rank], recordings[r].processes[rank].n,
                       recordings[r].processes[rank].nodes);
    }
    plan->paths = resolve_paths(&plan->sites, &plan->memory, diags);
    status = plan_check_versions(plan, diags);
    if (status != STATUS_OK)
        return status;
    make_chains(plan);
    plan_check_lines(plan, diags);
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++)
            add_nodes(plan, (int)r, rank, recordings[r].processes[rank].n, recordings[r].processes[rank].nodes);
    plan->most_near = most_neighbours(plan);
    status = plan_find_begin(plan, diags);
    return status == STATUS_OK ? plan_walk(plan, diags) : status;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->n_nodes; i++) {
        struct plan_node *node = &plan->nodes[i];
        for (int f = 0; f < N_PLAN_FIELDS; f++)
            free(node->field[f].list);
        for (int k = 0; node->sources && k < plan->most_near; k++) {
            free(node->sources[k].list);
            free(node->destinations[k].list);
        }
        free(node->sources);
        free(node->destinations);
        free(node->present.list);
        free(node->trips.list);
        free(node->children);
        free(node->waited);
        free(node->times);
    }
    for (size_t i = 0; i < plan->n_functions; i++)
        free(plan->functions[i].children);
    for (size_t i = 0; i < plan->n_files; i++) {
        if (plan->files[i].read)
            outline_free(&plan->files[i].outline);
        free(plan->files[i].facts);
    }
    free(plan->files);
    free(plan->nodes);
    free(plan->functions);
    site_table_free(&plan->sites);
    arena_free(&plan->memory);
}
