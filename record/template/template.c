#include "record/template.h"

#include "record/template/meeting.h"
#include "record/template/nest.h"
#include "record/template/ragged.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- are they of one program ---- */

/* Is a module of the first process in use in this recording too? Most calls come from the program itself. */
static bool has_module(const struct recording *recording, const struct recorded_module *module)
{
    const struct recorded_process *process = &recording->processes[0];
    for (int i = 0; i < process->n_modules; i++)
        if (strcmp(process->modules[i].build_id, module->build_id) == 0 &&
            (strcmp(module->build_id, "-") != 0 || strcmp(process->modules[i].path, module->path) == 0))
            return true;
    return false;
}

/* The module of the innermost frame of the first process's first call path. */
static const struct recorded_module *program_of(const struct recording *recording)
{
    const struct recorded_process *process = &recording->processes[0];
    for (int i = 0; i < process->n_paths; i++)
        if (process->paths[i].n > 0 && process->paths[i].frames[0].module >= 0)
            return &process->modules[process->paths[i].frames[0].module];
    return NULL;
}

enum status template_check(size_t n, const struct recording recordings[], struct diags *diags)
{
    enum status status = STATUS_OK;
    const struct recorded_module *program = program_of(&recordings[0]);
    for (size_t i = 1; i < n; i++)
        if (program && !has_module(&recordings[i], program)) {
            const struct recorded_module *other = program_of(&recordings[i]);
            diag_error(diags, place_of_file(recordings[i].name),
                       "this recording is of another program than %s: that one is of %s (build-id %s), this one of %s "
                       "(build-id %s)", recordings[0].name, program->path, program->build_id, other ? other->path : "?",
                       other ? other->build_id : "?");
            status = STATUS_SCHEMA;
        }
    enum status usable = recordings_check(n, recordings, diags);
    status = status == STATUS_OK ? usable : status;
    return status;
}

/* ---- instances ---- */

static void make_instances(struct template *template, const struct directions *directions)
{
    for (size_t i = 0; i < template->n_recordings; i++)
        template->n_instances += (size_t)template->recordings[i].ranks;
    template->instances = alloc_zeroed(template->n_instances, sizeof *template->instances);
    template->shapes = alloc_zeroed(template->n_instances, sizeof *template->shapes);
    size_t n = 0;
    for (size_t i = 0; i < template->n_recordings; i++)
        for (int rank = 0; rank < template->recordings[i].ranks; rank++, n++) {
            template->instances[n] = (struct template_instance){(int)i, rank};
            shapes_make(&template->shapes[n], &template->recordings[i].processes[rank], &template->sites,
                        directions ? directions->of[n] : NULL, template->among->of[n], &template->memory);
        }
}

/* Loops of any instance, each body once, those of few calls first. */
struct patterns {
    size_t n, capacity;
    struct pattern *list;
};

static void mark_sites(const struct shape *shape, bool marks[])
{
    if (shape->site >= 0)
        marks[shape->site] = true;
    for (size_t i = 0; i < shape->n; i++)
        mark_sites(&shape->body[i], marks);
}

/* Which sites stand beside a node of a list: in[site] says in how many of its nodes a site is. own [n_sites]: room. */
static void mark_beside(const struct shape *shape, const size_t in[], int n_sites, bool own[], bool beside[])
{
    memset(own, 0, (size_t)n_sites * sizeof *own);
    mark_sites(shape, own);
    for (int site = 0; site < n_sites; site++)
        beside[site] = beside[site] || in[site] > own[site];
}

static void collect_patterns(struct patterns *patterns, size_t n, const struct shape *shapes, int n_sites)
{
    size_t *in = alloc_zeroed((size_t)n_sites + 1, sizeof *in);
    bool *own = alloc_zeroed((size_t)n_sites + 1, sizeof *own);
    for (size_t i = 0; i < n; i++) {
        memset(own, 0, (size_t)n_sites * sizeof *own);
        mark_sites(&shapes[i], own);
        for (int site = 0; site < n_sites; site++)
            in[site] += own[site];
    }
    for (size_t i = 0; i < n; i++) {
        if (shapes[i].site >= 0)
            continue;
        collect_patterns(patterns, shapes[i].n, shapes[i].body, n_sites);
        size_t k = 0;
        while (k < patterns->n && patterns->list[k].loop.hash != shapes[i].hash)
            k++;
        if (k == patterns->n) {
            patterns->list = alloc_grow(patterns->list, patterns->n, &patterns->capacity, sizeof *patterns->list);
            patterns->list[patterns->n++] = (struct pattern){shapes[i], alloc_zeroed((size_t)n_sites, sizeof(bool))};
        }
        mark_beside(&shapes[i], in, n_sites, own, patterns->list[k].beside);
    }
    free(in);
    free(own);
}

static void patterns_free(struct patterns *patterns)
{
    for (size_t k = 0; k < patterns->n; k++)
        free(patterns->list[k].beside);
    free(patterns->list);
}

/* A loop that went round once somewhere is a loop there too. Inner loops come first, as they were collected; what they
 * make of bodies can make new patterns, hence a few rounds. */
static void wrap_instances(struct template *template)
{
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        struct patterns patterns = {0};
        size_t wrapped = 0;
        for (size_t i = 0; i < template->n_instances; i++)
            collect_patterns(&patterns, template->shapes[i].n, template->shapes[i].list, template->sites.n);
        for (size_t i = 0; i < template->n_instances; i++)
            for (size_t k = 0; k < patterns.n; k++)
                wrapped += shapes_wrap(&template->shapes[i], patterns.n, patterns.list, k, &template->memory);
        patterns_free(&patterns);
        for (size_t i = 0; i < template->n_instances && wrapped > 0; i++)
            shapes_fold(&template->shapes[i], &template->memory);
        if (wrapped == 0)
            break;
    }
}

/* ---- side by side ---- */

static size_t shared_shape(const struct template_node *node, const struct shape *shape);

/* Calls in a loop of the template that stand in a shape's body as well, at any depth. */
static size_t shared_body(const struct template_node *node, size_t n, const struct shape *list)
{
    size_t shared = 0;
    for (size_t i = 0; i < n; i++)
        shared += shared_shape(node, &list[i]);
    return shared;
}

static bool has_site(const struct template_node *node, int site)
{
    if (node->site >= 0)
        return node->site == site;
    for (size_t i = 0; i < node->n; i++)
        if (has_site(&node->body[i], site))
            return true;
    return false;
}

static size_t shared_shape(const struct template_node *node, const struct shape *shape)
{
    return shape->site >= 0 ? has_site(node, shape->site) : shared_body(node, shape->n, shape->body);
}

/* How well a node and a shape fit: 0 not at all. */
static size_t fit(const struct template_node *node, const struct shape *shape)
{
    if (node->site >= 0 || shape->site >= 0)
        return node->site == shape->site ? 2 : 0;
    size_t shared = shared_body(node, shape->n, shape->body);
    return shared == 0 ? 0 : 2 * shared + (node->hash == shape->hash);
}

/* A list of nodes of the template, outermost or a body. */
struct list {
    size_t *n, *capacity;
    struct template_node **nodes;
};

static void merge_list(struct template *template, struct list list, size_t n, const struct shape *shapes,
                       size_t instance);

static struct template_node new_node(const struct template *template, const struct shape *shape)
{
    struct template_node node = {.site = shape->site, .hash = shape->hash};
    node.of = alloc_zeroed(template->n_instances, sizeof *node.of);
    return node;
}

static void enter(struct template *template, struct template_node *node, const struct shape *shape, size_t instance)
{
    node->of[instance] = shape;
    if (shape->site < 0)
        merge_list(template, (struct list){&node->n, &node->capacity, &node->body}, shape->n, shape->body, instance);
}

/* best[i][k]: the fit of the nodes from i on and the shapes from k on, the heaviest common subsequence. */
static size_t *common(size_t rows, const struct template_node *nodes, size_t n, const struct shape *shapes, size_t **fits)
{
    size_t width = n + 1;
    size_t *best = alloc_zeroed((rows + 1) * width, sizeof *best);
    *fits = alloc_zeroed((rows + 1) * width, sizeof **fits);
    for (size_t i = rows; i-- > 0;)
        for (size_t k = n; k-- > 0;) {
            size_t here = (*fits)[i * width + k] = fit(&nodes[i], &shapes[k]);
            size_t both = here > 0 ? here + best[(i + 1) * width + k + 1] : 0;
            size_t skip = best[(i + 1) * width + k], other = best[i * width + k + 1];
            best[i * width + k] = both >= skip && both >= other ? both : skip > other ? skip : other;
        }
    return best;
}

/* The first call of a node of the template, and of a shape. */
static int first_of_node(const struct template_node *node)
{
    while (node->site < 0)
        node = node->body;
    return node->site;
}

static int first_of_shape(const struct shape *shape)
{
    while (shape->site < 0)
        shape = shape->body;
    return shape->site;
}

/* What some process did at a node of the template. */
static const struct shape *some_of(const struct template *template, const struct template_node *node)
{
    size_t k = 0;
    while (!node->of[k] && k + 1 < template->n_instances)
        k++;
    return node->of[k];
}

/* Is one the begin of a receive and the other a blocking send with the same tag, in one run of a function? Who does both
 * begins to receive first, or all might wait for one another. */
static bool begins_before(const struct template *template, const struct shape *receive, const struct shape *send)
{
    int64_t received, sent;
    if (receive->site < 0 || send->site < 0 || !site_beside(&template->sites, receive->site, send->site))
        return false;
    enum operation op = template->sites.sites[send->site].op;
    return template->sites.sites[receive->site].op == OPERATION_MPI_Irecv && operation_sends(op) &&
           !operation_is_collective(op) && !operation_gives_request(op) && series_is_constant(receive->field[FIELD_tag], &received) &&
           series_is_constant(send->field[FIELD_tag], &sent) && received == sent;
}

/* NULL: not known. */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* By the lines of the function in which two call paths part; 0: not known, or of one line. */
static int compare_lines(const struct template *template, int a, int b)
{
    if (!template->lines)
        return 0;
    const struct resolved_path *x = &template->lines[a], *y = &template->lines[b];
    for (int i = x->n - 1, k = y->n - 1; i >= 0 && k >= 0; i--, k--) {
        const struct resolved_frame *f = &x->frames[i], *g = &y->frames[k];
        if (!same_text(f->file, g->file) || !same_text(f->function, g->function))
            return 0;
        if (f->line != g->line)
            return f->line < g->line ? -1 : 1;
    }
    return 0;
}

static bool has_lines(const struct template *template, int site)
{
    return template->lines && template->lines[site].n > 0 && template->lines[site].frames[0].line > 0;
}

/* Nothing but their addresses had a before b. */
static void count_by_address(struct template *template, int a, int b)
{
    if (has_lines(template, a) && has_lines(template, b))
        return;
    if (template->n_by_address++ == 0) {
        template->by_address[0] = a;
        template->by_address[1] = b;
    }
}

static bool has_direction(const struct template *template, int site)
{
    return template->sites.sites[site].direction >= 0;
}

/* Is it the node's turn, and not the shape's? best: at the two. Where no process came to both, little but their places
 * in the program says which is first. */
static bool node_first(struct template *template, const struct template_node *node, const struct shape *shape,
                       const size_t *best, size_t width)
{
    bool skips_node = best[0] == best[width], skips_shape = best[0] == best[1];
    if (!skips_node || !skips_shape)
        return skips_node;
    int a = first_of_node(node), b = first_of_shape(shape), by_lines = compare_lines(template, a, b);
    if (template->order && has_direction(template, a) && has_direction(template, b))
        return template->order[a] < template->order[b];
    const struct shape *of_node = some_of(template, node);
    if (of_node && begins_before(template, of_node, shape))
        return true;
    if (of_node && begins_before(template, shape, of_node))
        return false;
    if (by_lines != 0)
        return by_lines < 0;
    const bool first = !site_before(&template->sites, b, a);
    count_by_address(template, first ? a : b, first ? b : a);
    return first;
}

/* Of a list and of the shapes, so many are laid side by side at once: time and memory grow with the length of a process's list
 * and not with its square. Programs that repeat themselves have some hundred nodes on a level. */
enum { WINDOW = 1024 };

/* A list that is being merged with shapes. */
struct merging {
    struct template *template;
    size_t n, capacity;
    struct template_node *merged;
};

/* Merges some nodes of a list with some shapes, until one of them has come to its stop. *i, *k: how many of them that took. */
static void merge_window(struct merging *merging, size_t rows, const struct template_node *nodes, size_t n,
                         const struct shape *shapes, size_t instance, size_t stop_i, size_t stop_k, size_t *i, size_t *k)
{
    size_t *fits, width = n + 1;
    size_t *best = common(rows, nodes, n, shapes, &fits);
    for (*i = *k = 0; (*i < rows || *k < n) && *i < stop_i && *k < stop_k;) {
        size_t at = *i * width + *k, here = *i < rows && *k < n ? fits[at] : 0;
        merging->merged = alloc_grow(merging->merged, merging->n, &merging->capacity, sizeof *merging->merged);
        struct template_node *node = &merging->merged[merging->n++];
        if (here > 0 && best[at] == here + best[at + width + 1]) {
            *node = nodes[(*i)++];
            enter(merging->template, node, &shapes[(*k)++], instance);
        } else if (*i < rows && (*k == n || node_first(merging->template, &nodes[*i], &shapes[*k], &best[at], width))) {
            *node = nodes[(*i)++];
        } else {
            *node = new_node(merging->template, &shapes[*k]);
            enter(merging->template, node, &shapes[(*k)++], instance);
        }
    }
    free(best);
    free(fits);
}

static void merge_list(struct template *template, struct list list, size_t n, const struct shape *shapes,
                       size_t instance)
{
    size_t rows = *list.n;
    struct merging merging = {.template = template};
    for (size_t i = 0, k = 0, took_i, took_k; i < rows || k < n; i += took_i, k += took_k) {
        bool all_i = rows - i <= WINDOW, all_k = n - k <= WINDOW;
        merge_window(&merging, all_i ? rows - i : WINDOW, i > 0 ? *list.nodes + i : *list.nodes,
                     all_k ? n - k : WINDOW, k > 0 ? shapes + k : shapes, instance,
                     all_i ? SIZE_MAX : WINDOW / 2, all_k ? SIZE_MAX : WINDOW / 2, &took_i, &took_k);
    }
    free(*list.nodes);
    *list.nodes = merging.merged;
    *list.n = merging.n;
    *list.capacity = merging.capacity;
}

enum status template_begin(struct template *template, size_t n, const struct recording recordings[], struct diags *diags)
{
    *template = (struct template){.n_recordings = n, .recordings = recordings, .memory = ARENA_EMPTY};
    site_table_init(&template->sites);
    enum status status = template_check(n, recordings, diags);
    if (status == STATUS_OK) {
        template->among = template->own_among = alloc_zeroed(1, sizeof *template->own_among);
        among_find(template->own_among, n, recordings);
        make_instances(template, NULL);
    }
    return status;
}

/* Of a list, and below: does a site stand there twice? met [sites]. */
static bool is_met_twice(size_t n, const struct template_node *nodes, bool met[])
{
    bool twice = false;
    for (size_t i = 0; i < n && !twice; i++) {
        twice = nodes[i].site >= 0 ? met[nodes[i].site] : is_met_twice(nodes[i].n, nodes[i].body, met);
        if (nodes[i].site >= 0)
            met[nodes[i].site] = true;
    }
    return twice;
}

bool template_begin_ragged(struct template *ragged, const struct template *plain)
{
    bool *met = alloc_zeroed((size_t)plain->sites.n + 1, sizeof *met);
    const bool twice = !plain->directed && is_met_twice(plain->n, plain->nodes, met);
    free(met);
    *ragged = (struct template){.n_recordings = plain->n_recordings, .recordings = plain->recordings, .ragged = true,
                                .joined = plain->joined, .among = plain->among, .memory = ARENA_EMPTY};
    if (!twice)
        return false;
    site_table_init(&ragged->sites);
    if (plain->joined)
        meetings_join(&ragged->sites, plain->n_recordings, plain->recordings, ragged->among);
    make_instances(ragged, NULL);
    return true;
}

bool template_begin_joined(struct template *joined, const struct template *plain)
{
    *joined = (struct template){.n_recordings = plain->n_recordings, .recordings = plain->recordings, .joined = true,
                                .among = plain->among, .memory = ARENA_EMPTY};
    site_table_init(&joined->sites);
    const bool meet = meetings_join(&joined->sites, joined->n_recordings, joined->recordings, joined->among);
    if (meet)
        make_instances(joined, NULL);
    else
        template_free(joined);
    return meet;
}

/* ---- the order of directions ---- */

/* Which sites with directions come before which: in some process the first call of one before the first of another. */
struct edge {
    int to;
    size_t next;                /* of the same site: 1 + its place in the list; 0: none */
};
struct precedence {
    size_t n, n_edges, capacity;
    int *sites;                 /* [n] */
    int *number;                /* [template->sites.n] of a site among them, -1 */
    size_t *first;              /* [n] as edge.next */
    size_t *waits;              /* [n] how many edges lead there */
    int *early;                 /* [n] how many call paths a process has been on before, the least */
    int *awaited;               /* [n] of a wait: the call path whose requests it is for; -1: none, or several */
    bool *several;              /* [template->sites.n] some process has had more than one request open of this call path */
    struct edge *edges;         /* [n_edges] */
};

static void add_edge(struct precedence *precedence, int from, int to)
{
    precedence->edges = alloc_grow(precedence->edges, precedence->n_edges, &precedence->capacity, sizeof *precedence->edges);
    precedence->edges[precedence->n_edges++] = (struct edge){to, precedence->first[from]};
    precedence->first[from] = precedence->n_edges;
    precedence->waits[to]++;
}

/* The call path of all requests of the lists in a series; -1: of several, or some that are not named. found: before, -2: none. */
static int awaited_path(const struct template *template, const struct recorded_process *process, const struct series *series,
                        int found)
{
    for (size_t i = 0; i < series->n; i++)
        found = awaited_path(template, process, series->runs[i].of, found);
    const struct recorded_list *list =
        series->n == 0 && series->value >= 0 && series->value < process->n_lists ? &process->lists[series->value] : NULL;
    if (series->n == 0 && (!list || list->all))
        return -1;
    for (int i = 0; list && i < list->n; i++) {
        const int path = site_path(&template->sites, process, list->pairs[i].path);
        found = found == -2 || found == path ? path : -1;
    }
    return found;
}

static bool is_above(const struct series *series, int64_t value)
{
    for (size_t i = 0; i < series->n; i++)
        if (is_above(series->runs[i].of, value))
            return true;
    return series->n == 0 && series->value > value;
}

/* Which requests waits are for, and of which call paths more than one is open at a time. */
static void find_requests(struct precedence *precedence, const struct template *template, size_t instance, size_t n,
                          const struct shape *list)
{
    const struct template_instance *of = &template->instances[instance];
    const struct recorded_process *process = &template->recordings[of->recording].processes[of->rank];
    for (size_t i = 0; i < n; i++) {
        if (list[i].site < 0) {
            find_requests(precedence, template, instance, list[i].n, list[i].body);
            continue;
        }
        const struct recorded_site *site = &template->sites.sites[list[i].site];
        const int here = precedence->number[list[i].site];
        if (here >= 0 && operation_kind(site->op) == KIND_wait && precedence->awaited[here] != -1)
            precedence->awaited[here] = awaited_path(template, process, list[i].field[FIELD_list], precedence->awaited[here]);
        if (operation_gives_request(site->op) && is_above(list[i].field[FIELD_list], 0))
            precedence->several[site->path] = true;
    }
}

/* Of a process: what it has come to. */
struct walk {
    const struct site_table *table;
    bool *seen, *path;          /* [n] sites, [table->n] call paths */
    int paths, last;            /* how many of these; the last site, -1 */
};

static void first_calls(struct precedence *precedence, size_t n, const struct shape *list, struct walk *walk)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].site < 0) {
            first_calls(precedence, list[i].n, list[i].body, walk);
            continue;
        }
        int here = precedence->number[list[i].site], path = walk->table->sites[list[i].site].path;
        if (here < 0 || walk->seen[here])
            continue;
        walk->paths += !walk->path[path];
        walk->path[path] = walk->seen[here] = true;
        if (walk->paths < precedence->early[here])
            precedence->early[here] = walk->paths;
        if (walk->last >= 0)
            add_edge(precedence, walk->last, here);
        walk->last = here;
    }
}

static void find_precedence(struct precedence *precedence, const struct template *template)
{
    size_t n_sites = (size_t)template->sites.n;
    *precedence = (struct precedence){0};
    precedence->sites = alloc_array(n_sites + 1, sizeof *precedence->sites);
    precedence->number = alloc_array(n_sites + 1, sizeof *precedence->number);
    precedence->first = alloc_zeroed(n_sites + 1, sizeof *precedence->first);
    precedence->waits = alloc_zeroed(n_sites + 1, sizeof *precedence->waits);
    precedence->early = alloc_array(n_sites + 1, sizeof *precedence->early);
    precedence->awaited = alloc_array(n_sites + 1, sizeof *precedence->awaited);
    precedence->several = alloc_zeroed(n_sites + 1, sizeof *precedence->several);
    for (size_t i = 0; i < n_sites; i++) {
        precedence->early[i] = INT_MAX;
        precedence->number[i] = has_direction(template, (int)i) ? (int)precedence->n : -1;
        if (precedence->number[i] >= 0)
            precedence->sites[precedence->n++] = (int)i;
    }
    for (size_t i = 0; i < precedence->n; i++)
        precedence->awaited[i] = -2;
    for (size_t k = 0; k < template->n_instances; k++) {
        struct walk walk = {.table = &template->sites, .last = -1};
        walk.seen = alloc_zeroed(precedence->n + 1, sizeof *walk.seen);
        walk.path = alloc_zeroed(n_sites + 1, sizeof *walk.path);
        first_calls(precedence, template->shapes[k].n, template->shapes[k].list, &walk);
        find_requests(precedence, template, k, template->shapes[k].n, template->shapes[k].list);
        free(walk.seen);
        free(walk.path);
    }
}

static void free_precedence(struct precedence *precedence)
{
    free(precedence->sites);
    free(precedence->number);
    free(precedence->first);
    free(precedence->waits);
    free(precedence->early);
    free(precedence->awaited);
    free(precedence->several);
    free(precedence->edges);
}

/* Is i a wait for what k begins anew, on a call path of which no process has had two requests open? */
static bool waits_first(const struct template *template, const struct precedence *precedence, int i, int k)
{
    const struct recorded_site *begin = &template->sites.sites[precedence->sites[k]];
    return precedence->awaited[i] >= 0 && operation_gives_request(begin->op) && begin->path == precedence->awaited[i] &&
           !precedence->several[begin->path];
}

/* Of two sites that no process tells the order of, below 0: the first is before. A wait before what needs its request
 * again; on how many paths processes have been before; lines. */
static int likely_order(const struct template *template, const struct precedence *precedence, int i, int k)
{
    if (waits_first(template, precedence, i, k) || waits_first(template, precedence, k, i))
        return waits_first(template, precedence, i, k) ? -1 : 1;
    if (precedence->early[i] != precedence->early[k])
        return precedence->early[i] < precedence->early[k] ? -1 : 1;
    return compare_lines(template, precedence->sites[i], precedence->sites[k]);
}

/* Is nothing known of their order but addresses? Of one call the directions are. */
static bool is_by_address(const struct template *template, const struct precedence *precedence, int i, int k)
{
    const struct recorded_site *sites = template->sites.sites;
    return likely_order(template, precedence, i, k) == 0 &&
           sites[precedence->sites[i]].path != sites[precedence->sites[k]].path;
}

static bool likely_before(const struct template *template, const struct precedence *precedence, int i, int k)
{
    const struct recorded_site *sites = template->sites.sites;
    const int a = precedence->sites[i], b = precedence->sites[k], likely = likely_order(template, precedence, i, k);
    if (likely != 0)
        return likely < 0;
    return is_by_address(template, precedence, i, k) ? site_before(&template->sites, a, b)
                                                     : direction_before(&template->in, sites[a].direction, sites[b].direction);
}

/* One site after the other, none before those that some process has before it; of several that could be next the likeliest.
 * False: a ring of such orders. */
static bool order_sites(struct template *template, int order[])
{
    struct precedence precedence;
    find_precedence(&precedence, template);
    size_t n = precedence.n, n_ready = 0;
    int placed = 0;
    int *ready = alloc_array(n + 1, sizeof *ready);
    for (size_t i = 0; i < n; i++)
        if (precedence.waits[i] == 0)
            ready[n_ready++] = (int)i;
    while (n_ready > 0) {
        size_t best = 0;
        for (size_t i = 1; i < n_ready; i++)
            if (likely_before(template, &precedence, ready[i], ready[best]))
                best = i;
        int next = ready[best];
        ready[best] = ready[--n_ready];
        for (size_t i = 0; i < n_ready; i++)
            if (is_by_address(template, &precedence, next, ready[i]))
                count_by_address(template, precedence.sites[next], precedence.sites[ready[i]]);
        order[precedence.sites[next]] = placed++;
        for (size_t e = precedence.first[next]; e > 0; e = precedence.edges[e - 1].next)
            if (--precedence.waits[precedence.edges[e - 1].to] == 0)
                ready[n_ready++] = precedence.edges[e - 1].to;
    }
    free(ready);
    free_precedence(&precedence);
    return (size_t)placed == n;
}

bool template_begin_directed(struct template *directed, const struct template *plain, const struct direction_grid *in)
{
    struct directions directions;
    *directed = (struct template){.n_recordings = plain->n_recordings, .recordings = plain->recordings, .directed = true,
                                  .joined = plain->joined, .among = plain->among, .in = *in, .memory = ARENA_EMPTY};
    bool found = directions_find(&directions, in, plain->n_recordings, plain->recordings);
    site_table_init(&directed->sites);
    if (found) {
        if (plain->joined)
            meetings_join(&directed->sites, plain->n_recordings, plain->recordings, directed->among);
        make_instances(directed, &directions);
        int *order = alloc_zeroed((size_t)directed->sites.n + 1, sizeof *order);
        found = order_sites(directed, order);
        free(order);
    }
    directions_free(&directions);
    if (!found)
        template_free(directed);
    return found;
}

/* By lines, then by addresses. */
static int compare_sites(const void *of, int a, int b)
{
    const struct template *template = of;
    const int by_lines = compare_lines(template, a, b);
    return by_lines != 0 ? by_lines : site_before(&template->sites, a, b) ? -1 : site_before(&template->sites, b, a) ? 1 : 0;
}

static void find_ragged(struct template *template)
{
    const struct ragged_order order = {compare_sites, template};
    int *recordings = alloc_array(template->n_instances, sizeof *recordings);
    for (size_t k = 0; k < template->n_instances; k++)
        recordings[k] = template->instances[k].recording;
    ragged_loops(template->n_instances, template->shapes, recordings, template->sites.n, &order, &template->memory);
    free(recordings);
}

void template_make(struct template *template, const struct resolved_path lines[])
{
    template->lines = lines;
    template->n_by_address = 0;
    if (template->directed) {
        template->order = alloc_zeroed((size_t)template->sites.n + 1, sizeof *template->order);
        order_sites(template, template->order);
    }
    nest_loops(template->n_instances, template->shapes, &template->memory);
    if (template->ragged)
        find_ragged(template);
    wrap_instances(template);
    /* the largest first: it has most of what there is */
    for (size_t i = template->n_instances; i-- > 0;)
        merge_list(template, (struct list){&template->n, &template->capacity, &template->nodes}, template->shapes[i].n,
                   template->shapes[i].list, i);
    template->lines = NULL;
    free(template->order);
    template->order = NULL;
}

static void nodes_free(size_t n, struct template_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        nodes_free(nodes[i].n, nodes[i].body);
        free(nodes[i].of);
    }
    free(nodes);
}

void template_free(struct template *template)
{
    nodes_free(template->n, template->nodes);
    for (size_t i = 0; template->shapes && i < template->n_instances; i++)
        free(template->shapes[i].list);
    free(template->shapes);
    free(template->instances);
    if (template->own_among)
        among_free(template->own_among);
    free(template->own_among);
    site_table_free(&template->sites);
    arena_free(&template->memory);
    *template = (struct template){.memory = ARENA_EMPTY};
}
