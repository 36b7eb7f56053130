// SPDX-License-Identifier: MIT
#include "recorder/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct recorder recorder;

static pthread_t recorded_thread;

/* The outermost level of the fold: beyond so many calls and loops that are not alike the program follows its data. 3
 * MB, and as much in the recording; with fewer, what a program of some thousand calls says would be thrown away. */
enum { NODES_MOST = 20000 };
/* So many at the coarsest idea of what is alike: 20 MB and more to come. */
enum { HOPELESS = 200000 };
/* A process that is killed has written what it did until so long ago, in ns: first a short time, then twice as much
 * each time up to the long one; a program that has much to write does so less often, so that it takes at most a
 * fiftieth of the time. */
static const double checkpoint_first = 1e8, checkpoint_most = 2e9;
enum { CHECKPOINT_SHARE = 50 };
/* A wildcard's sender is answered within so many calls, or the equal rank is an accident. */
enum { ANSWER_CALLS = 8 };

static double clock_ns(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
static double wall_now(void) { return clock_ns(CLOCK_MONOTONIC); }
static double processor_now(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
/* What all threads but the calling one have computed. */
static double threads_now(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - processor_now(); }

/* What one reading takes, the quickest of some: others were interrupted. */
static double reading_cost(clockid_t id)
{
    double least = 1e9;
    for (int i = 0; i < 20; i++) {
        double start = wall_now();
        for (int k = 0; k < 10; k++)
            clock_ns(id);
        double cost = (wall_now() - start) / 10;
        least = cost < least ? cost : least;
    }
    return least;
}

/* Started by the launcher of another MPI library: each process is alone, and would write its recording over the others'.
 * PEVPM_RECORD_LAUNCHED says how many were started, and which of them this is (record/launch.c). The first says so. */
static bool is_alone_by_mistake(void)
{
    const char *text = getenv("PEVPM_RECORD_LAUNCHED");
    int launched = 0, which = 0;
    if (!text || sscanf(text, "%d %d", &launched, &which) != 2 || launched < 2 || recorder.size > 1)
        return false;
    if (which == 0)
        fprintf(stderr,
                "pevpm-record: nothing is recorded: the launcher has started %d processes, which do not find each other: "
                "it is not the launcher of the program's MPI library\n",
                launched);
    return true;
}

void recorder_start(void)
{
    const char *output = getenv("PEVPM_RECORD_OUTPUT");
    if (recorder.on || !output)
        return;
    recorder.output = strdup(output);
    PMPI_Comm_rank(MPI_COMM_WORLD, &recorder.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &recorder.size);
    if (is_alone_by_mistake())
        return;
    PMPI_Comm_dup(MPI_COMM_WORLD, &recorder.own);
    fold_init(&recorder.fold, NODES_MOST);
    callpaths_init(&recorder.paths);
    recorder_comm_new(MPI_COMM_WORLD, -1, -1);
    recorder.source = recorder.last_path = -1;
    recorder.wall_cost = reading_cost(CLOCK_MONOTONIC);
    recorder.processor_cost = reading_cost(CLOCK_THREAD_CPUTIME_ID);
    recorder.long_computation = 20 * recorder.processor_cost;
    recorder.checkpoint_pause = checkpoint_first;
    recorded_thread = pthread_self();
    recorder.threads_before = threads_now();
    recorder.process = (long)getpid();
    recorder.on = recorder.meets = true;
    recorder.processor_left = processor_now();
    recorder.left = recorder.checkpoint = wall_now();
}

/* ---- around each call ---- */

void recorder_stop(const char *why)
{
    recorder.on = false;
    if (!recorder.stopped)
        recorder.stopped = why;
}

bool recorder_enter(void)
{
    if (!recorder.on)
        return false;
    if (!pthread_equal(pthread_self(), recorded_thread)) {
        recorder_stop("a thread other than the one that called MPI_Init has called MPI");
        return false;
    }
    if (recorder.depth > 0)
        return false;
    recorder.entered = wall_now();
    recorder.processor_entered = -1;
    if (recorder.processor_left >= 0 && recorder.entered - recorder.left > recorder.long_computation / 2)
        recorder.processor_entered = processor_now();
    recorder.depth++;
    return true;
}

double recorder_clock(void)
{
    return wall_now();
}

void recorder_called(void)
{
    recorder.called = wall_now();
}

/* The computation that ends with this call. Where the processor's clock was not read, a short time is the processor's
 * too; a long one may be an interruption, so nothing is known of the processor. */
static struct fold_sample sample_now(void)
{
    struct fold_sample sample = {.processor = -1};
    double own = recorder.wall_cost;
    if (recorder.processor_entered >= 0) {
        sample.processor = recorder.processor_entered - recorder.processor_left - recorder.processor_cost;
        sample.processor = sample.processor > 0 ? sample.processor : 0;
    }
    sample.wall = recorder.entered - recorder.left - own;
    sample.wall = sample.wall > 0 ? sample.wall : 0;
    if (sample.processor < 0 && recorder.entered - recorder.left <= recorder.long_computation)
        sample.processor = sample.wall;
    double begun = recorder.entered + (recorder.processor_entered >= 0 ? recorder.processor_cost : 0);
    sample.inside = recorder.called - begun - recorder.wall_cost;
    sample.inside = (sample.inside > 0 ? sample.inside : 0) + recorder.unkept;
    recorder.unkept = 0;
    return sample;
}

static double *follows(int32_t path)
{
    if (path >= recorder.follows_capacity) {
        int32_t old = recorder.follows_capacity;
        recorder.follows_capacity = 2 * path + 32;
        recorder.follows = fold_memory(recorder.follows, (size_t)recorder.follows_capacity, sizeof *recorder.follows);
        for (int32_t i = old; i < recorder.follows_capacity; i++)
            recorder.follows[i] = -1; /* not known: the clock is read */
    }
    return &recorder.follows[path];
}

/* Starts the next computation, which follows a call from `path`. */
static void begin_computation(int32_t path)
{
    recorder.last_path = path;
    double expected = path < 0 ? -1 : *follows(path);
    recorder.depth--;
    recorder.processor_left = expected < 0 || expected > recorder.long_computation ? processor_now() : -1;
    recorder.left = wall_now();
}

static void learn(double wall)
{
    if (recorder.last_path < 0)
        return;
    double *expected = follows(recorder.last_path);
    *expected = *expected < 0 ? wall : 0.75 * *expected + 0.25 * wall;
}

static void checkpoint(void)
{
    if (recorder.called - recorder.checkpoint < recorder.checkpoint_pause)
        return;
    double start = wall_now();
    recorder_save();
    recorder.checkpoint = wall_now();
    double least = CHECKPOINT_SHARE * (recorder.checkpoint - start), next = 2 * recorder.checkpoint_pause;
    next = next < checkpoint_most ? next : checkpoint_most;
    recorder.checkpoint_pause = least > next ? least : next;
}

int32_t recorder_path(void *caller, void *frame)
{
    return callpath_find(&recorder.paths, caller, frame);
}

void recorder_also(const struct fold_call *call)
{
    struct fold_sample sample = {.wall = 0};
    if (!recorder.kept) {
        sample = sample_now();
        learn(sample.wall);
    }
    recorder.kept = true;
    fold_add(&recorder.fold, call, &sample);
}

void recorder_also_took(const struct fold_call *call, const struct fold_sample *sample)
{
    fold_add(&recorder.fold, call, sample);
}

/* The wrapper's last call has been kept. */
static void leave_kept(const struct fold_call *call)
{
    recorder.since_source++;
    if (recorder.since_source > ANSWER_CALLS)
        recorder.source = -1;
    recorder.kept = false;
    if (recorder.fold.n > HOPELESS)
        recorder_stop("its calls repeat themselves nowhere, so that a recording would grow with its steps");
    checkpoint();
    begin_computation(call->path);
}

void recorder_leave(const struct fold_call *call)
{
    recorder_also(call);
    leave_kept(call);
}

void recorder_leave_took(const struct fold_call *call, const struct fold_sample *sample)
{
    recorder_also_took(call, sample);
    leave_kept(call);
}

void recorder_leave_both(const struct fold_call *first, const struct fold_call *second)
{
    struct fold_sample before = sample_now();
    const struct fold_sample own = {.wall = before.inside, .processor = -1};
    before.inside = 0;
    learn(before.wall);
    fold_add(&recorder.fold, first, &before);
    recorder_leave_took(second, &own);
}

/* The computation goes on where it was left, and the next call takes what this one took. */
static void leave_unkept(void)
{
    double took = wall_now() - recorder.entered;
    recorder.depth--;
    recorder.left += took;
    recorder.unkept += took > recorder.wall_cost ? took - recorder.wall_cost : 0;
}

void recorder_leave_poll(void)
{
    recorder.polls++;
    leave_unkept();
    if (recorder.processor_left >= 0)
        recorder.processor_left = -1;
}

void recorder_leave_silent(void)
{
    leave_unkept();
    if (recorder.processor_left >= 0 && recorder.processor_entered >= 0)
        recorder.processor_left += processor_now() - recorder.processor_entered;
}

/* ---- communicators ---- */

static int *world_ranks(MPI_Comm comm, int size)
{
    int *ranks = fold_memory(NULL, (size_t)size, sizeof *ranks), *members = fold_memory(NULL, (size_t)size,
                                                                                        sizeof *ranks);
    MPI_Group world, group;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &group);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    PMPI_Group_translate_ranks(group, size, ranks, world, members);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    free(ranks);
    return members;
}

static void find_neighbours(struct recorder_comm *new)
{
    int kind = MPI_UNDEFINED, n = 0, weighted;
    PMPI_Topo_test(new->handle, &kind);
    if (kind == MPI_CART)
        PMPI_Cartdim_get(new->handle, &n);
    if (kind == MPI_GRAPH)
        PMPI_Graph_neighbors_count(new->handle, new->rank, &n);
    new->n_sources = new->n_destinations = kind == MPI_CART ? 2 * n : n;
    if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(new->handle, &new->n_sources, &new->n_destinations, &weighted);
    if (kind == MPI_UNDEFINED)
        return;
    int all = new->n_sources + new->n_destinations, *near = fold_memory(NULL, (size_t)all + 1, sizeof *near);
    int *destinations = near + new->n_sources;
    for (int d = 0; kind == MPI_CART && d < n; d++)
        PMPI_Cart_shift(new->handle, d, 1, &near[2 * d], &near[2 * d + 1]);
    if (kind == MPI_GRAPH)
        PMPI_Graph_neighbors(new->handle, new->rank, n, near);
    if (kind == MPI_DIST_GRAPH) {
        int *weights = fold_memory(NULL, (size_t)all + 1, sizeof *weights);
        PMPI_Dist_graph_neighbors(new->handle, new->n_sources, near, weights, new->n_destinations, destinations,
                                  weights + new->n_sources);
        free(weights);
    } else {
        memcpy(destinations, near, (size_t)new->n_sources * sizeof *near);
    }
    for (int i = 0; i < all; i++)
        near[i] = near[i] == MPI_PROC_NULL ? PEER_NULL : near[i];
    new->near = near;
}

static bool same_ranks(int n, const int a[], const int b[])
{
    return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool same_comm(const struct recorder_comm *a, const struct recorder_comm *b)
{
    return a->path == b->path && a->window == b->window && a->size == b->size && a->n_sources == b->n_sources &&
           a->n_destinations == b->n_destinations && !a->near == !b->near && same_ranks(a->size, a->members, b->members) &&
           same_ranks(a->n_sources + a->n_destinations, a->near, b->near);
}

/* FNV-1a, over numbers. */
static uint32_t hash_ranks(uint32_t hash, int n, const int ranks[])
{
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)ranks[i]) * 16777619U;
    return hash;
}

static uint32_t comm_hash(const struct recorder_comm *comm)
{
    const int own[] = {comm->path, comm->window};
    const uint32_t hash = hash_ranks(hash_ranks(2166136261U, 2, own), comm->size, comm->members);
    return hash_ranks(hash, comm->n_sources + comm->n_destinations, comm->near);
}

/* Chains ascend, so that a step that makes several which are the same gives them the same numbers, in whatever order the
 * step before has freed them. */
static void leave_number(int number)
{
    struct recorder_comm *left = &recorder.comms[number];
    int *at = &recorder.vacant[left->hash % RECORDER_CHAINS];
    while (*at > 0 && *at < number)
        at = &recorder.comms[*at].next;
    left->handle = MPI_COMM_NULL;
    left->next = *at;
    *at = number;
}

/* 0: there is none. */
static int vacant_number(const struct recorder_comm *new)
{
    for (int *at = &recorder.vacant[new->hash % RECORDER_CHAINS]; *at > 0; at = &recorder.comms[*at].next)
        if (same_comm(&recorder.comms[*at], new)) {
            const int number = *at;
            *at = recorder.comms[number].next;
            return number;
        }
    return 0;
}

/* Gives a new one its number, and takes what it has. */
static int take_number(struct recorder_comm *new)
{
    new->hash = comm_hash(new);
    new->number = vacant_number(new);
    if (new->number > 0) {
        recorder.comms[new->number].handle = new->handle;
        free(new->members);
        free(new->near);
        return new->number;
    }
    if (recorder.n_comms == recorder.comms_capacity) {
        recorder.comms_capacity = recorder.comms_capacity ? 2 * recorder.comms_capacity : 8;
        recorder.comms = fold_memory(recorder.comms, (size_t)recorder.comms_capacity, sizeof *recorder.comms);
    }
    new->number = recorder.n_comms++;
    recorder.comms[new->number] = *new;
    return new->number;
}

void recorder_comm_freed(MPI_Comm comm)
{
    for (int i = 1; i < recorder.n_comms && recorder.on && comm != MPI_COMM_NULL; i++)
        if (recorder.comms[i].handle == comm)
            leave_number(i);
    recorder.last_comm = 0;
}

int recorder_comm_new(MPI_Comm comm, int parent, int32_t path)
{
    recorder_comm_freed(comm);
    struct recorder_comm new = {.handle = comm, .path = path, .parent = parent, .rank = -1};
    int between = 0;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_test_inter(comm, &between);
    if (between)
        recorder_stop("a communicator between two groups was made, which is not recorded");
    if (comm != MPI_COMM_NULL && !between) {
        PMPI_Comm_rank(comm, &new.rank);
        PMPI_Comm_size(comm, &new.size);
        new.members = world_ranks(comm, new.size);
        find_neighbours(&new);
    }
    take_number(&new);
    if (comm == MPI_COMM_NULL) /* a process that is no member has nothing to free */
        leave_number(new.number);
    return new.number;
}

int recorder_comm(MPI_Comm comm)
{
    if (recorder.comms[recorder.last_comm].handle == comm)
        return recorder.last_comm;
    for (int i = 0; i < recorder.n_comms; i++)
        if (recorder.comms[i].handle == comm)
            return recorder.last_comm = i;
    if (comm != MPI_COMM_SELF && comm != MPI_COMM_NULL)
        recorder_stop("a communicator was used that a call made which is not recorded");
    return recorder.last_comm = recorder_comm_new(comm, 0, -1);
}

/* ---- windows ---- */

struct recorder_window *recorder_window(MPI_Win handle)
{
    for (int i = 0; i < recorder.n_windows; i++)
        if (recorder.windows[i].handle == handle)
            return &recorder.windows[i];
    recorder_stop("a window was used that a call made which is not recorded");
    recorder_window_new(handle, 0, -1);
    return &recorder.windows[recorder.n_windows - 1];
}

void recorder_window_freed(MPI_Win handle)
{
    for (int i = 0; i < recorder.n_windows && recorder.on; i++)
        if (recorder.windows[i].handle == handle) {
            free(recorder.windows[i].locked);
            leave_number(recorder.windows[i].comm);
            recorder.windows[i] = recorder.windows[--recorder.n_windows];
        }
}

int recorder_window_new(MPI_Win handle, int parent, int32_t path)
{
    recorder_window_freed(handle);
    if (recorder.n_windows == recorder.windows_capacity) {
        recorder.windows_capacity = recorder.windows_capacity ? 2 * recorder.windows_capacity : 4;
        recorder.windows = fold_memory(recorder.windows, (size_t)recorder.windows_capacity, sizeof *recorder.windows);
    }
    const struct recorder_comm *of = &recorder.comms[parent];
    const size_t size = (size_t)of->size;
    struct recorder_comm new = {.handle = MPI_COMM_NULL, .window = true, .path = path, .parent = parent, .rank = of->rank,
                                .size = of->size, .members = fold_memory(NULL, size, sizeof *new.members)};
    memcpy(new.members, of->members, size * sizeof *new.members);
    struct recorder_window window = {.handle = handle, .comm = take_number(&new)};
    window.locked = fold_memory(NULL, size, sizeof *window.locked);
    memset(window.locked, 0, size * sizeof *window.locked);
    recorder.windows[recorder.n_windows++] = window;
    return window.comm;
}

int recorder_peer(int peer, int comm, bool sends)
{
    if (peer == MPI_PROC_NULL)
        return PEER_NULL;
    if (peer == MPI_ANY_SOURCE)
        return PEER_ANY;
    const struct recorder_comm *of = &recorder.comms[comm];
    if (sends && recorder.source >= 0 && of->members && peer < of->size && of->members[peer] == recorder.source)
        return PEER_SOURCE;
    return peer;
}

void recorder_source(int source, int comm, bool waited)
{
    const struct recorder_comm *of = &recorder.comms[comm];
    recorder.source = source >= 0 && source < of->size && of->members ? of->members[source] : -1;
    recorder.source_waited = waited;
    recorder.since_source = -1; /* this call counts, too */
}

int recorder_named_source(int peer, int comm)
{
    const struct recorder_comm *of = &recorder.comms[comm];
    const bool same = recorder.source >= 0 && of->members && peer >= 0 && peer < of->size &&
                      of->members[peer] == recorder.source;
    if (recorder.source_waited)
        recorder.source = -1;
    else if (same && recorder.since_source == 0)
        return PEER_SOURCE;
    return peer;
}

/* ---- requests ---- */

/* The smallest ordinal that is free among those of the path; beyond 64 at a time, one above all. */
static int32_t free_ordinal(int32_t path)
{
    uint64_t taken = 0;
    int32_t most = -1;
    for (int i = 0; i < recorder.n_requests; i++) {
        const struct recorder_request *other = &recorder.requests[i];
        if (!other->active || other->path != path)
            continue;
        most = other->ordinal > most ? other->ordinal : most;
        taken |= other->ordinal < 64 ? UINT64_C(1) << other->ordinal : 0;
    }
    return ~taken ? __builtin_ctzll(~taken) : most + 1;
}

void recorder_request_activate(struct recorder_request *request, int32_t path)
{
    request->active = false;
    request->ordinal = free_ordinal(path);
    request->path = path;
    request->active = true;
}

struct recorder_request *recorder_request_new(MPI_Request handle, int32_t path)
{
    if (recorder.n_requests == recorder.requests_capacity) {
        recorder.requests_capacity = recorder.requests_capacity ? 2 * recorder.requests_capacity : 16;
        recorder.requests = fold_memory(recorder.requests, (size_t)recorder.requests_capacity,
                                        sizeof *recorder.requests);
    }
    struct recorder_request *new = &recorder.requests[recorder.n_requests++];
    *new = (struct recorder_request){.handle = handle, .path = -1};
    recorder_request_activate(new, path);
    return new;
}

void recorder_request_in_file(MPI_Request handle)
{
    if (recorder_request_find(handle))
        recorder_stop("two requests have one handle, one of them of a file, so that nobody knows which of them a call completes");
    struct recorder_request *new = recorder_request_new(handle, -1);
    new->active = false;
    new->in_file = true;
    recorder.n_in_file++;
}

struct recorder_request *recorder_request_find(MPI_Request handle)
{
    for (int i = 0; i < recorder.n_requests; i++)
        if (recorder.requests[i].handle == handle)
            return &recorder.requests[i];
    return NULL;
}

void recorder_request_end(MPI_Request handle)
{
    struct recorder_request *request = recorder_request_find(handle);
    if (!request)
        return;
    recorder.n_cancelled -= request->cancelled;
    recorder.n_in_file -= request->in_file;
    if (request->persistent)
        request->active = request->cancelled = false;
    else /* the others stay in their order */
        memmove(request, request + 1, (size_t)(&recorder.requests[--recorder.n_requests] - request) * sizeof *request);
}

void recorder_request_cancelled(struct recorder_request *request)
{
    recorder.n_cancelled++;
    request->cancelled = true;
    request->active = false;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct recorder_pair *x = a, *y = b;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

/* Where all that are open of a path are in the set, one pair with ordinal -1 stands for them. */
static int shorten(int n, struct recorder_pair pairs[])
{
    int kept = 0;
    for (int i = 0, next; i < n; i = next) {
        for (next = i; next < n && pairs[next].path == pairs[i].path;)
            next++;
        int open = 0;
        for (int k = 0; k < recorder.n_requests; k++)
            open += recorder.requests[k].active && recorder.requests[k].path == pairs[i].path;
        if (open == next - i && open > 1)
            pairs[kept++] = (struct recorder_pair){pairs[i].path, -1};
        else
            for (int k = i; k < next; k++)
                pairs[kept++] = pairs[k];
    }
    return kept;
}

static int32_t list_number(const struct recorder_list *list)
{
    for (int i = 0; i < recorder.n_lists; i++)
        if (recorder.lists[i].all == list->all && recorder.lists[i].n == list->n &&
            memcmp(recorder.lists[i].pairs, list->pairs, (size_t)list->n * sizeof *list->pairs) == 0)
            return i;
    if (recorder.n_lists == recorder.lists_capacity) {
        recorder.lists_capacity = recorder.lists_capacity ? 2 * recorder.lists_capacity : 16;
        recorder.lists = fold_memory(recorder.lists, (size_t)recorder.lists_capacity, sizeof *recorder.lists);
    }
    struct recorder_list *new = &recorder.lists[recorder.n_lists];
    *new = *list;
    new->pairs = fold_memory(NULL, (size_t)list->n, sizeof *list->pairs);
    memcpy(new->pairs, list->pairs, (size_t)list->n * sizeof *list->pairs);
    return recorder.n_lists++;
}

/* Libraries have one handle for all requests that are complete from the start (to MPI_PROC_NULL): of equal handles each
 * stands for the oldest that is not in the set yet. */
static struct recorder_request *find_unlisted(MPI_Request handle)
{
    for (int i = 0; i < recorder.n_requests; i++) {
        struct recorder_request *request = &recorder.requests[i];
        if (request->handle == handle && request->active && !request->listed)
            return request;
    }
    return NULL;
}

int32_t recorder_list(int n, const MPI_Request handles[])
{
    struct recorder_pair few[64], *pairs = n <= 64 ? few : fold_memory(NULL, (size_t)n, sizeof *pairs);
    struct recorder_list list = {.pairs = pairs};
    int open = 0;
    for (int i = 0; i < n; i++) {
        struct recorder_request *request = handles[i] == MPI_REQUEST_NULL ? NULL : find_unlisted(handles[i]);
        if (handles[i] != MPI_REQUEST_NULL && !recorder_request_find(handles[i]))
            recorder_stop("a request was waited for that a call made which is not recorded");
        if (!request)
            continue;
        request->listed = true;
        pairs[list.n++] = (struct recorder_pair){request->path, request->ordinal};
    }
    for (int i = 0; i < recorder.n_requests; i++) {
        open += recorder.requests[i].active;
        recorder.requests[i].listed = false;
    }
    list.all = open == list.n && n > 1;
    if (!list.all) {
        qsort(pairs, (size_t)list.n, sizeof *pairs, compare_pairs);
        list.n = shorten(list.n, pairs);
    } else {
        list.n = 0;
    }
    int32_t number = list_number(&list);
    if (pairs != few)
        free(pairs);
    return number;
}

/* ---- messages that probes take out ---- */

void recorder_message_new(struct recorder_message message)
{
    for (int i = 0; i < recorder.n_messages; i++)
        if (recorder.messages[i].path == message.path)
            recorder_stop("one call of MPI_Mprobe or MPI_Improbe held two messages at a time, which is not recorded");
    if (recorder.n_messages == recorder.messages_capacity) {
        recorder.messages_capacity = recorder.messages_capacity ? 2 * recorder.messages_capacity : 8;
        recorder.messages = fold_memory(recorder.messages, (size_t)recorder.messages_capacity,
                                        sizeof *recorder.messages);
    }
    recorder.messages[recorder.n_messages++] = message;
}

bool recorder_message_take(MPI_Message handle, struct recorder_message *message)
{
    for (int i = 0; i < recorder.n_messages; i++)
        if (recorder.messages[i].handle == handle) { /* the others stay in their order */
            *message = recorder.messages[i];
            memmove(&recorder.messages[i], &recorder.messages[i + 1],
                    (size_t)(--recorder.n_messages - i) * sizeof *message);
            return true;
        }
    return false;
}

/* ---- files ---- */

static char *own_name(void)
{
    size_t length = strlen(recorder.output) + 32;
    char *name = fold_memory(NULL, length, 1);
    snprintf(name, length, "%s.part.%d", recorder.output, recorder.rank);
    return name;
}

/* Whole or not at all, under a temporary name first. False: errno says why. */
static bool write_whole(const char *name, const char *text, size_t length)
{
    size_t room = strlen(name) + 8;
    char *temporary = fold_memory(NULL, room, 1);
    snprintf(temporary, room, "%s.XXXXXX", name);
    int file = mkstemp(temporary);
    bool good = file >= 0;
    mode_t mask = umask(0);
    umask(mask);
    for (size_t at = 0; good && at < length;) {
        ssize_t n = write(file, text + at, length - at);
        good = n > 0;
        at += n > 0 ? (size_t)n : 0;
    }
    good = good && fchmod(file, 0666 & ~mask) == 0;
    int why = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(temporary, name) != 0) {
        good = false;
        why = errno;
    }
    if (!good && file >= 0)
        unlink(temporary);
    free(temporary);
    errno = why;
    return good;
}

static char *section(size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out) {
        if (pthread_equal(pthread_self(), recorded_thread)) /* else what was last known stays */
            recorder.threads = threads_now() - recorder.threads_before;
        recorder_write(&recorder, out);
        fclose(out);
    }
    return text;
}

/* What is left of this process where there is no whole recording. */
static void save_part(const char *name, const char *text, size_t length)
{
    if (!text || !write_whole(name, text, length))
        fprintf(stderr, "pevpm-record: what process %d did is lost: cannot write %s: %s\n", recorder.rank, name,
                strerror(errno));
}

void recorder_save(void)
{
    size_t length = 0;
    char *text = section(&length), *name = own_name();
    if (text)
        write_whole(name, text, length);
    free(name);
    free(text);
}

/* NAME=VALUE,NAME=VALUE from the command line, which has been checked there. */
static void write_params(FILE *out)
{
    const char *at = getenv("PEVPM_RECORD_PARAMS");
    while (at && *at) {
        int name = (int)strcspn(at, "="), value = (int)strcspn(at, ",") - name - 1;
        if (value > 0)
            fprintf(out, "param %.*s %.*s\n", name, at, value, at + name + 1);
        at += strcspn(at, ",");
        at += *at == ',';
    }
}

/* Rank 0 gets all sections, one after another, and writes them; the files of the parts are removed then. False: they
 * could not be written, which it has said. */
static bool gather(const char *text, size_t length)
{
    if (recorder.rank != 0) {
        unsigned long n = length;
        PMPI_Send(&n, 1, MPI_UNSIGNED_LONG, 0, 1, recorder.own);
        for (size_t at = 0; at < length; at += 1 << 30)
            PMPI_Send((void *)(uintptr_t)(text + at), (int)(length - at < 1 << 30 ? length - at : 1 << 30), MPI_CHAR,
                      0, 1,
                      recorder.own);
        return true;
    }
    char *all = NULL;
    size_t all_length = 0;
    FILE *out = open_memstream(&all, &all_length);
    fputs("pevpm-recording 1\n", out);
    write_params(out);
    fprintf(out, "ranks %d\n", recorder.size);
    fwrite(text, 1, length, out);
    for (int rank = 1; rank < recorder.size; rank++) {
        unsigned long n;
        PMPI_Recv(&n, 1, MPI_UNSIGNED_LONG, rank, 1, recorder.own, MPI_STATUS_IGNORE);
        char *next = fold_memory(NULL, n, 1);
        for (size_t at = 0; at < n; at += 1 << 30)
            PMPI_Recv(next + at, (int)(n - at < 1 << 30 ? n - at : 1 << 30), MPI_CHAR, rank, 1, recorder.own,
                      MPI_STATUS_IGNORE);
        fwrite(next, 1, n, out);
        free(next);
    }
    fprintf(out, "end %d\n", recorder.size);
    fclose(out);
    bool good = write_whole(recorder.output, all, all_length);
    if (!good)
        fprintf(stderr,
                "pevpm-record: cannot write %s: %s; each process leaves what it did in %s.part.N, for "
                "pevpm-record --join %s\n",
                recorder.output, strerror(errno), recorder.output, recorder.output);
    free(all);
    return good;
}

void recorder_finish(void)
{
    size_t length = 0;
    recorder.meets = false;
    /* Recordings must not travel beside the program's last messages to a process that is not done: those of 15 that
     * left the last reduction made its root up to 0.03 s later. */
    PMPI_Barrier(recorder.own);
    char *text = section(&length), *name = own_name();
    int good = text && gather(text, length);
    PMPI_Bcast(&good, 1, MPI_INT, 0, recorder.own);
    PMPI_Comm_free(&recorder.own);
    if (good)
        unlink(name);
    else
        save_part(name, text, length);
    if (recorder.rank == 0 && recorder.stopped)
        fprintf(stderr, "pevpm-record: the recording ends early: %s\n", recorder.stopped);
    else if (recorder.rank == 0 && recorder.fold.level == FOLD_SHAPES)
        fputs("pevpm-record: calls repeat themselves nowhere, so that their partners and tags were not kept: no program can be "
              "made of this recording; record a shorter run\n", stderr);
    free(name);
    free(text);
    recorder.on = false;
}

/* Is this the very program that pevpm-record became, and not one that it started, and has none of these recorded since?
 * PEVPM_RECORD_STARTED has its process and the moment (record/launch.c). */
static bool was_not_recorded(void)
{
    const char *started = getenv("PEVPM_RECORD_STARTED"), *output = getenv("PEVPM_RECORD_OUTPUT");
    long process = 0;
    long long moment = 0;
    struct stat status;
    return started && output && sscanf(started, "%ld %lld", &process, &moment) == 2 && process == (long)getpid() &&
           (stat(output, &status) != 0 || status.st_mtime < moment);
}

/* A program that ends without MPI_Finalize, or that has never called MPI_Init, leaves no recording: said here, since
 * nothing else of it would be. */
__attribute__((destructor)) static void end(void)
{
    if (recorder.on && recorder.process == (long)getpid()) {
        recorder_save();
        fprintf(stderr, "pevpm-record: process %d ended without MPI_Finalize: what it did is in %s.part.%d\n",
                recorder.rank, recorder.output, recorder.rank);
    } else if (!recorder.on && !recorder.output && was_not_recorded()) {
        fprintf(stderr, "pevpm-record: %s ended without a call of MPI_Init: nothing was recorded\n",
                program_invocation_short_name);
    }
}
