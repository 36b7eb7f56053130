#include "clock/clock.h"

#include "clock/clock_impl.h"
#include "clock/share.h"
#include "common/alloc.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* ---- the local source ---- */

static int64_t source_read(clockid_t source)
{
    struct timespec time;
    clock_gettime(source, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* ns of one reading: the mean of a hundred, in the least disturbed of several rows. */
static double source_overhead(clockid_t source)
{
    enum { ROWS = 30, READINGS = 100 };
    int64_t least = INT64_MAX;
    for (int row = 0; row < ROWS; row++) {
        int64_t start = source_read(source), now = start;
        for (int i = 0; i < READINGS; i++)
            now = source_read(source);
        least = now - start < least ? now - start : least;
    }
    return (double)least / READINGS;
}

/* The smallest step seen. */
static double source_granularity(clockid_t source)
{
    int64_t least = INT64_MAX, last = source_read(source);
    for (int i = 0; i < 2000; i++) {
        int64_t now = source_read(source);
        if (now > last && now - last < least)
            least = now - last;
        last = now;
    }
    return (double)least;
}

/* CLOCK_MONOTONIC_RAW is not slewed by NTP, but where the kernel must be entered for it (before 5.3) it takes ten times
 * as long. All processes use the same source. */
static void source_choose(struct clock *clock)
{
    int is_slow = source_overhead(CLOCK_MONOTONIC_RAW) > 3 * source_overhead(CLOCK_MONOTONIC);
    MPI_Allreduce(MPI_IN_PLACE, &is_slow, 1, MPI_INT, MPI_MAX, clock->comm);
    clock->source = is_slow ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
    clock->overhead_ns = source_overhead(clock->source);
    clock->granularity_ns = source_granularity(clock->source);

    char hardware[32] = "?";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (file) {
        if (fscanf(file, "%31s", hardware) != 1)
            strcpy(hardware, "?");
        fclose(file);
    }
    clock->source_name = alloc_format("%s (%s)", is_slow ? "CLOCK_MONOTONIC" : "CLOCK_MONOTONIC_RAW", hardware);
}

int64_t clock_reading(const struct clock *clock)
{
    return (int64_t)clock->overhead_ns;
}

int64_t clock_raw(const struct clock *clock)
{
    return source_read(clock->source);
}

int64_t clock_error_apply(const struct clock_error *error, int64_t start, int64_t raw)
{
    return raw + error->offset_ns + (int64_t)(error->drift_ppm * 1e-6 * (double)(raw - start));
}

int64_t clock_error_undo(const struct clock *clock, int64_t local)
{
    int64_t since = local - clock->error.offset_ns - clock->error_start;
    double rate = clock->error.drift_ppm * 1e-6;
    return clock->error_start + since - llround((double)since * (rate / (1 + rate)));
}

int64_t clock_now(const struct clock *clock)
{
    return clock_error_apply(&clock->error, clock->error_start, source_read(clock->source));
}

int clock_crowding(const struct clock *clock)
{
    return clock->crowding;
}

int clock_processors(const struct clock *clock)
{
    return clock->processors;
}

struct clock_quality clock_quality(const struct clock *clock)
{
    return (struct clock_quality){clock->source_name, clock->overhead_ns, clock->granularity_ns};
}

/* ---- the global clock ---- */

int64_t clock_global(const struct clock *clock, int64_t local)
{
    return clock_map_global(&clock->map, local);
}

int64_t clock_local(const struct clock *clock, int64_t global)
{
    return clock_map_local(&clock->map, global);
}

int64_t clock_bound(const struct clock *clock, int64_t local)
{
    return clock_map_bound(&clock->map, local);
}

int64_t clock_limit(const struct clock *clock, int64_t local)
{
    return clock_map_limit(&clock->map, local);
}

void clock_block_bounds(const struct clock *clock, int64_t *bound, int64_t *limit)
{
    const struct clock_map *map = &clock->map;
    *bound = *limit = 0;
    if (map->n == 0)
        return;
    int64_t to = map->knots[map->n - 1].local, from = map->n > 1 ? map->knots[map->n - 2].local : to;
    const int64_t times[] = {from, from + (to - from) / 2, to}; /* between knots the bound is largest in their middle */
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        int64_t likely = clock_bound(clock, times[i]), sure = clock_limit(clock, times[i]);
        *bound = likely > *bound ? likely : *bound;
        *limit = sure > *limit ? sure : *limit;
    }
}

/* ---- hosts ---- */

/* What a process must share with another to read the same clock: the running kernel and the time namespace. */
static uint64_t kernel_identity(void)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    char text[256] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    size_t n = file ? fread(text, 1, 64, file) : 0;
    if (file)
        fclose(file);
    ssize_t more = readlink("/proc/self/ns/time", text + n, sizeof text - n);
    n += more > 0 ? (size_t)more : 0;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash;
}

/* The cores on which processes of one kernel may run, one bound to this and one to that. All, where there are more than
 * fit into a set. */
static int cores_find(MPI_Comm comm, uint64_t kernel)
{
    cpu_set_t set;
    MPI_Comm same;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        memset(&set, 0xff, sizeof set);
    MPI_Comm_split(comm, (int)(kernel & 0x7fffffff), 0, &same);
    MPI_Allreduce(MPI_IN_PLACE, &set, sizeof set, MPI_BYTE, MPI_BOR, same);
    MPI_Comm_free(&same);
    return CPU_COUNT(&set);
}

/* Processes that read one clock. Where errors are injected each process has a clock of its own. */
static void hosts_find(struct clock *clock, uint64_t kernel)
{
    int injected = clock->error.offset_ns != 0 || clock->error.drift_ppm != 0;
    MPI_Allreduce(MPI_IN_PLACE, &injected, 1, MPI_INT, MPI_MAX, clock->comm);
    MPI_Comm shared;
    MPI_Comm_split_type(clock->comm, MPI_COMM_TYPE_SHARED, clock->rank, MPI_INFO_NULL, &shared);
    int color = injected ? clock->rank : (int)(kernel & 0x7fffffff);
    MPI_Comm_split(shared, color, clock->rank, &clock->host);
    MPI_Comm_free(&shared);
}

/* A binomial tree over `n` leaders: the parent of i is i without its lowest bit. Where the hosts share a machine, so
 * that conversations must follow one another anyway, a star: as fast, and no error is handed on. */
static void tree_place(struct clock_tree *tree, int n, const int leaders[], int i)
{
    tree->parent = i == 0 ? -1 : leaders[tree->is_star ? 0 : i & (i - 1)];
    tree->children = alloc_array((size_t)n, sizeof *tree->children);
    if (tree->is_star) {
        for (int k = 1; i == 0 && k < n; k++)
            tree->children[tree->n_children++] = leaders[k];
        return;
    }
    int reach = i == 0 ? n : i & -i, step = 1;
    while (2 * step < reach)
        step *= 2;
    for (; step > 0; step /= 2)
        if (step < reach && i + step < n)
            tree->children[tree->n_children++] = leaders[i + step];
}

static void tree_build(struct clock *clock, uint64_t kernel, bool force_chain)
{
    struct place {
        uint64_t kernel;
        int is_leader, padding;
    } mine = {kernel, 0, 0}, *all = alloc_array((size_t)clock->size, sizeof *all);
    int rank_on_host;
    MPI_Comm_rank(clock->host, &rank_on_host);
    mine.is_leader = rank_on_host == 0;
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, clock->comm);

    int *leaders = alloc_array((size_t)clock->size, sizeof *leaders);
    int n = 0, index = 0, on_kernel = 0;
    for (int r = 0; r < clock->size; r++) {
        on_kernel += all[r].kernel == kernel;
        if (r == clock->rank)
            index = n;
        if (all[r].is_leader)
            leaders[n++] = r;
    }
    struct clock_tree *tree = &clock->tree;
    tree->is_leader = mine.is_leader;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i && !tree->is_serial; k++)
            tree->is_serial = all[leaders[i]].kernel == all[leaders[k]].kernel;
    tree->is_star = tree->is_serial && !force_chain;
    clock->is_one_machine = on_kernel == clock->size;
    const int cores = cores_find(clock->comm, kernel);
    clock->is_crowded = on_kernel > cores;
    clock->crowding = (on_kernel + cores - 1) / cores;
    MPI_Allreduce(MPI_IN_PLACE, &clock->crowding, 1, MPI_INT, MPI_MAX, clock->comm);
    MPI_Allreduce(&cores, &clock->processors, 1, MPI_INT, MPI_MIN, clock->comm);
    tree->parent = -1;
    if (tree->is_leader)
        tree_place(tree, n, leaders, index);
    for (tree->n_turns = 0; tree->n_turns < n - 1 && (tree->is_serial || 1 << tree->n_turns < n);)
        tree->n_turns++;
    free(leaders);
    free(all);
}

struct clock *clock_create(MPI_Comm comm, const struct clock_options *options)
{
    struct clock *clock = alloc_zeroed(1, sizeof *clock);
    MPI_Comm_dup(comm, &clock->comm);
    MPI_Comm_rank(clock->comm, &clock->rank);
    MPI_Comm_size(clock->comm, &clock->size);
    clock->sync_time = options->sync_time > 0 ? options->sync_time : 0.5;
    clock->error = options->error;
    clock->slack_ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
    source_choose(clock);
    clock->error_start = clock_raw(clock);
    uint64_t kernel = kernel_identity();
    hosts_find(clock, kernel);
    tree_build(clock, kernel, options->force_chain);
    return clock;
}

void clock_destroy(struct clock *clock)
{
    if (clock->slack_ns > 0)
        prctl(PR_SET_TIMERSLACK, clock->slack_ns, 0, 0, 0);
    MPI_Comm_free(&clock->host);
    MPI_Comm_free(&clock->comm);
    clock_map_free(&clock->map);
    free(clock->tree.children);
    free(clock->source_name);
    free(clock);
}

/* ---- starting together ---- */

/* Nearer than this to the moment, waiting spins. */
enum { SPIN_NS = 100000 };

bool clock_wait(const struct clock *clock, int64_t global)
{
    int64_t until = clock_local(clock, global), left = until - clock_now(clock);
    if (left <= 0)
        return false;
    int64_t spin = clock->is_crowded ? 0 : SPIN_NS;
    if (left > spin) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t wake = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + left - spin;
        struct timespec deadline = {(time_t)(wake / 1000000000), (long)(wake % 1000000000)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) != 0)
            continue;
    }
    while (clock_now(clock) < until)
        continue;
    return true;
}

void clock_announce(const struct clock *clock, MPI_Comm comm, void *buffer, int bytes)
{
    if (clock->is_crowded)
        share_broadcast(comm, buffer, bytes, 0);
    else
        MPI_Bcast(buffer, bytes, MPI_BYTE, 0, comm);
}

/* Those who sleep while they wait for the news look again within a millisecond, and hand it on. */
enum { ASLEEP_NS = 2000000 };

int64_t clock_soon(const struct clock *clock, int64_t slack_ns)
{
    return clock_global(clock, clock_now(clock)) + 3 * clock->notice_ns + (clock->is_crowded ? ASLEEP_NS : 0) +
           slack_ns;
}

int64_t clock_start(struct clock *clock, int64_t slack_ns)
{
    int64_t start = clock_soon(clock, slack_ns);
    clock_announce(clock, clock->comm, &start, sizeof start);
    return start;
}
