#include "record/tested.h"

#include "common/alloc.h"
#include "record/site.h"
#include "recorder/fold.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = 2000000 };  /* of a process: 0.5 GB, for each is kept by itself; one with more stays as it is */
enum { TRIPS_LOOKED_AT = 2 };   /* of a loop, to see what comes between two of its calls */

static bool is_test(enum operation op)
{
    return op == OPERATION_MPI_Test || op == OPERATION_MPI_Testall || op == OPERATION_MPI_Testany ||
           op == OPERATION_MPI_Testsome;
}

/* A list of numbers, each once where it is a set. */
struct numbers {
    size_t n, capacity;
    int *list;
};

static void numbers_add(struct numbers *numbers, int number)
{
    numbers->list = alloc_grow(numbers->list, numbers->n, &numbers->capacity, sizeof *numbers->list);
    numbers->list[numbers->n++] = number;
}

static bool numbers_have(const struct numbers *numbers, int number)
{
    for (size_t i = 0; i < numbers->n; i++)
        if (numbers->list[i] == number)
            return true;
    return false;
}

static void numbers_put(struct numbers *numbers, int number)
{
    if (!numbers_have(numbers, number))
        numbers_add(numbers, number);
}

/* A call that completes requests which began on these call paths, by their numbers in the table of sites. */
struct completion {
    int site;
    bool test;
    struct numbers paths;       /* a set */
    struct numbers between;     /* of a wait: sites of what came since the last of them began, a set */
};

struct finder {
    struct site_table sites;
    size_t n, capacity;
    struct completion *list;
};

/* ---- what is open ---- */

struct open {
    int path, ordinal;          /* the process's own number */
    size_t begun;               /* calls before */
};

struct walk {
    struct finder *finder;
    const struct recorded_process *process;
    size_t n_open, capacity;
    struct open *open;
    struct numbers history;     /* sites of the calls so far */
};

static void walk_free(struct walk *walk)
{
    free(walk->open);
    free(walk->history.list);
}

static void begin(struct walk *walk, const struct recorded_node *node)
{
    walk->open = alloc_grow(walk->open, walk->n_open, &walk->capacity, sizeof *walk->open);
    walk->open[walk->n_open++] = (struct open){node->path, node->list, walk->history.n};
}

static bool names(const struct recorded_process *process, const struct recorded_node *node, const struct open *open)
{
    const struct recorded_list *list = node->list < 0 ? NULL : &process->lists[node->list];
    bool named = !list || list->all;
    for (int i = 0; list && i < list->n && !named; i++)
        named = list->pairs[i].path == open->path &&
                (list->pairs[i].ordinal < 0 || list->pairs[i].ordinal == open->ordinal);
    return named;
}

/* What the call completes moves to the end of the open ones: how many. *last: calls before the last of them began. */
static size_t part(struct walk *walk, const struct recorded_node *node, size_t *last)
{
    size_t kept = 0, done = 0;
    struct open *moved = alloc_array(walk->n_open + 1, sizeof *moved);
    *last = 0;
    for (size_t i = 0; i < walk->n_open; i++)
        if (names(walk->process, node, &walk->open[i])) {
            *last = walk->open[i].begun > *last ? walk->open[i].begun : *last;
            moved[done++] = walk->open[i];
        } else {
            walk->open[kept++] = walk->open[i];
        }
    if (done > 0) /* else there may be no list */
        memcpy(walk->open + kept, moved, done * sizeof *moved);
    free(moved);
    return done;
}

/* ---- who completes what ---- */

static bool same_set(const struct numbers *a, const struct numbers *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = numbers_have(b, a->list[i]);
    return same;
}

static struct completion *completion_of(struct finder *finder, int site, bool test, const struct numbers *paths)
{
    for (size_t i = 0; i < finder->n; i++)
        if (finder->list[i].site == site && same_set(&finder->list[i].paths, paths))
            return &finder->list[i];
    finder->list = alloc_grow(finder->list, finder->n, &finder->capacity, sizeof *finder->list);
    struct completion *new = &finder->list[finder->n++];
    *new = (struct completion){.site = site, .test = test};
    for (size_t i = 0; i < paths->n; i++)
        numbers_put(&new->paths, paths->list[i]);
    return new;
}

static void complete(struct walk *walk, const struct recorded_node *node, int site)
{
    size_t last, done = part(walk, node, &last);
    struct numbers paths = {0};
    walk->n_open -= done;
    for (size_t i = 0; i < done; i++)
        numbers_put(&paths, site_path(&walk->finder->sites, walk->process, walk->open[walk->n_open + i].path));
    if (done > 0) {
        struct completion *completion = completion_of(walk->finder, site, is_test(node->op), &paths);
        for (size_t i = last; i < walk->history.n && !completion->test; i++)
            numbers_put(&completion->between, walk->history.list[i]);
    }
    free(paths.list);
}

static void look(struct walk *walk, size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        for (int64_t trip = 0; node->loop && trip < node->trips / node->runs && trip < TRIPS_LOOKED_AT; trip++)
            look(walk, node->n_body, node->body);
        if (node->loop)
            continue;
        const int site = site_find(&walk->finder->sites, walk->process, node->op, node->path);
        if (operation_kind(node->op) == KIND_wait)
            complete(walk, node, site);
        numbers_add(&walk->history, site);
        if (operation_gives_request(node->op))
            begin(walk, node);
    }
}

/* The wait that stands for a test: one of the same function that has completed what the test completes; NULL: none. */
static const struct completion *wait_for(const struct finder *finder, int site)
{
    for (size_t t = 0; t < finder->n; t++)
        for (size_t w = 0; w < finder->n && finder->list[t].site == site; w++)
            if (!finder->list[w].test && site_beside(&finder->sites, site, finder->list[w].site) &&
                same_set(&finder->list[t].paths, &finder->list[w].paths))
                return &finder->list[w];
    return NULL;
}

/* Has any process come here between the beginning of such requests and that wait? */
static bool comes_between(const struct finder *finder, int wait, int site)
{
    for (size_t i = 0; i < finder->n; i++)
        if (finder->list[i].site == wait && numbers_have(&finder->list[i].between, site))
            return true;
    return false;
}

/* ---- the calls of a process, one by one ---- */

struct putting {
    struct walk walk;
    struct recorded_process *process;
    struct arena *memory;       /* of the recording */
    size_t n, capacity;
    struct recorded_node *calls; /* [n] */
    size_t n_late, late_capacity;
    struct late {
        struct recorded_node node;
        int wait;               /* its site */
    } *late;                    /* tests that are to become waits, before the next call that does not come between */
};

/* How many calls these are; of more than CALLS_MOST nobody asks how many more. */
static int64_t count_calls(size_t n, const struct recorded_node nodes[])
{
    int64_t calls = 0;
    for (size_t i = 0; i < n && calls <= CALLS_MOST; i++) {
        const int64_t trips = nodes[i].loop ? nodes[i].trips / nodes[i].runs : 1;
        const int64_t inner = nodes[i].loop ? count_calls(nodes[i].n_body, nodes[i].body) : 1;
        calls += inner * (trips < CALLS_MOST ? trips : CALLS_MOST);
    }
    return calls < CALLS_MOST ? calls : CALLS_MOST;
}

/* Is any of these a test for which a wait stands elsewhere? */
static bool has_late_tests(size_t n, const struct recorded_node nodes[], struct finder *finder,
                           const struct recorded_process *process)
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i].loop ? has_late_tests(nodes[i].n_body, nodes[i].body, finder, process)
                          : is_test(nodes[i].op) &&
                                wait_for(finder, site_find(&finder->sites, process, nodes[i].op, nodes[i].path)))
            return true;
    return false;
}

static void add(struct putting *putting, const struct recorded_node *node)
{
    putting->calls = alloc_grow(putting->calls, putting->n, &putting->capacity, sizeof *putting->calls);
    putting->calls[putting->n] = *node;
    putting->calls[putting->n].number = (int)putting->n;
    putting->n++;
}

/* One of the times that a node stands for: the mean. */
static struct recorded_node one_of(const struct recorded_node *node)
{
    struct recorded_node one = *node;
    struct recorded_times *t = &one.times;
    const double n = t->n > 0 ? (double)t->n : 1;
    t->wall /= n;
    t->inside /= n;
    t->processor = t->processor_n > 0 ? t->processor / (double)t->processor_n : 0;
    t->processor_n = t->processor_n > 0;
    t->n = 1;
    t->n_bins = 0;
    t->bins = NULL;
    return one;
}

/* The call path of the wait, which differs from the test's in the place within their function. */
static int path_of_wait(struct putting *putting, int path, const struct recorded_site *wait)
{
    struct recorded_process *process = putting->process;
    const struct recorded_path *of = &process->paths[path];
    for (int i = 0; i < process->n_paths; i++)
        if (process->paths[i].n == of->n && process->paths[i].frames[0].offset == wait->frames[0].offset &&
            process->paths[i].frames[0].module == of->frames[0].module &&
            memcmp(process->paths[i].frames + 1, of->frames + 1, (size_t)(of->n - 1) * sizeof *of->frames) == 0)
            return i;
    process->paths = alloc_resize(process->paths, (size_t)process->n_paths + 1, sizeof *process->paths);
    of = &process->paths[path];
    struct recorded_path *new = &process->paths[process->n_paths];
    *new = (struct recorded_path){of->n, arena_alloc(putting->memory, (size_t)of->n, sizeof *new->frames)};
    memcpy(new->frames, of->frames, (size_t)of->n * sizeof *new->frames);
    new->frames[0].offset = wait->frames[0].offset;
    return process->n_paths++;
}

/* A list of just these requests. */
static int list_of(struct putting *putting, size_t n, const struct open open[])
{
    struct recorded_process *process = putting->process;
    for (int i = 0; i < process->n_lists; i++) {
        const struct recorded_list *list = &process->lists[i];
        bool same = !list->all && (size_t)list->n == n;
        for (size_t k = 0; k < n && same; k++)
            same = list->pairs[k].path == open[k].path && list->pairs[k].ordinal == open[k].ordinal;
        if (same)
            return i;
    }
    process->lists = alloc_resize(process->lists, (size_t)process->n_lists + 1, sizeof *process->lists);
    struct recorded_list *new = &process->lists[process->n_lists];
    *new = (struct recorded_list){.n = (int)n, .pairs = arena_alloc(putting->memory, n, sizeof *new->pairs)};
    for (size_t k = 0; k < n; k++)
        new->pairs[k] = (struct recorded_pair){open[k].path, open[k].ordinal};
    return process->n_lists++;
}

/* Tests whose time has come before a call of this site; -1: before the end. */
static void put_late(struct putting *putting, int site)
{
    size_t kept = 0;
    for (size_t i = 0; i < putting->n_late; i++)
        if (site >= 0 && comes_between(putting->walk.finder, putting->late[i].wait, site))
            putting->late[kept++] = putting->late[i];
        else
            add(putting, &putting->late[i].node);
    putting->n_late = kept;
}

/* A wait or a test: it is added, or kept for later. */
static void put_completion(struct putting *putting, const struct recorded_node *node, int site)
{
    struct walk *walk = &putting->walk;
    size_t last, done = part(walk, node, &last);
    const struct completion *wait = is_test(node->op) && done > 0 ? wait_for(walk->finder, site) : NULL;
    struct recorded_node one = one_of(node);
    walk->n_open -= done;
    if (!wait) {
        add(putting, &one);
        return;
    }
    const struct recorded_site *as = &walk->finder->sites.sites[wait->site];
    one.op = as->op;
    one.path = path_of_wait(putting, node->path, as);
    one.list = list_of(putting, done, walk->open + walk->n_open);
    putting->late = alloc_grow(putting->late, putting->n_late, &putting->late_capacity, sizeof *putting->late);
    putting->late[putting->n_late++] = (struct late){one, wait->site};
}

static void put(struct putting *putting, size_t n, const struct recorded_node nodes[])
{
    struct walk *walk = &putting->walk;
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        for (int64_t trip = 0; node->loop && trip < node->trips / node->runs; trip++)
            put(putting, node->n_body, node->body);
        if (node->loop)
            continue;
        const int site = site_find(&walk->finder->sites, putting->process, node->op, node->path);
        put_late(putting, site);
        if (operation_kind(node->op) == KIND_wait) {
            put_completion(putting, node, site);
            continue;
        }
        const struct recorded_node one = one_of(node);
        add(putting, &one);
        if (operation_gives_request(node->op))
            begin(walk, node);
    }
}

/* Can each call of the process be kept by itself? */
static bool is_short(const struct recorded_process *process)
{
    return process->alike != FOLD_SHAPES && count_calls(process->n, process->nodes) < CALLS_MOST;
}

static void put_tests(struct finder *finder, struct recorded_process *process, struct arena *memory)
{
    struct putting putting = {.walk = {.finder = finder, .process = process}, .process = process, .memory = memory};
    put(&putting, process->n, process->nodes);
    put_late(&putting, -1);
    recorded_nodes_free(process->n, process->nodes);
    process->nodes = putting.calls;
    process->n = putting.n;
    process->n_calls = (int)putting.n;
    walk_free(&putting.walk);
    free(putting.late);
}

static void put_tests_of(struct finder *finder, struct recording *recording)
{
    recording->n_tested = 0;
    for (int rank = 0; rank < recording->ranks; rank++) {
        struct recorded_process *process = &recording->processes[rank];
        if (!has_late_tests(process->n, process->nodes, finder, process))
            continue;
        if (is_short(process))
            put_tests(finder, process, &recording->memory);
        else
            recording->n_tested++;
    }
}

static bool has_tests(size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i].loop ? has_tests(nodes[i].n_body, nodes[i].body) : is_test(nodes[i].op))
            return true;
    return false;
}

void recordings_put_tests(size_t n, struct recording recordings[])
{
    struct finder finder = {.n = 0};
    bool any = false;
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks && !any; rank++)
            any = has_tests(recordings[r].processes[rank].n, recordings[r].processes[rank].nodes);
    if (!any)
        return;
    site_table_init(&finder.sites);
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++) {
            struct walk walk = {.finder = &finder, .process = &recordings[r].processes[rank]};
            look(&walk, walk.process->n, walk.process->nodes);
            walk_free(&walk);
        }
    for (size_t r = 0; r < n; r++)
        put_tests_of(&finder, &recordings[r]);
    for (size_t i = 0; i < finder.n; i++) {
        free(finder.list[i].paths.list);
        free(finder.list[i].between.list);
    }
    free(finder.list);
    site_table_free(&finder.sites);
}
