/* SPDX-FileCopyrightText: the pevpm authors
 * SPDX-License-Identifier: MIT
 *
 * pevpm_time.h - times the Serial blocks of a real run, for pevpm-time(1).
 *
 *     // PEVPM Serial time = measured(update, n)
 *     PEVPM_TIME_BEGIN_ARG(update, n);
 *     for (i = 1; i <= n; i++) ...
 *     PEVPM_TIME_END(update);
 *
 * Without -DPEVPM_TIME the macros are ((void)0): the object code is what it would be without them (so an argument must
 * not have side effects). With it, each process writes one record when it exits (by return from main, exit or STOP; not
 * by abort or _exit), before or after MPI_Finalize alike:
 *
 *     pevpm-time.HOST.RANK.dat, or what $PEVPM_TIME_FILE says: %h becomes the host, %r the rank; where there is a
 *     rank and no %r, ".RANK" is appended. Without a launcher's variable the process number stands for the rank.
 *
 * Any C from C89 on and any C++. Nothing to link: the functions are weak symbols, so that all source files of a program
 * share one record. A compiler without weak symbols wants -DPEVPM_TIME_EXTERN as well, and pevpm_time.c linked.
 *
 * A block's name is an identifier. Blocks may nest (the outer includes the inner), 32 deep. A BEGIN whose END was
 * skipped (break, return) is forgotten and counted, with its name and place (of up to 16 places). PEVPM_TIME_START()
 * forgets all blocks so far, also those that are open: what stands before it is warm-up, and the record begins there.
 * Call from one thread at a time: around parallel regions, not in them. What reading the clock takes (measured at the
 * start) is subtracted. Durations are kept as histograms with bins of less than 1 % of the time; minimum, maximum, sum
 * and count are exact. At most 4096 pairs of name and argument are kept; blocks beyond that are counted and lost. */
#ifndef PEVPM_TIME_H
#define PEVPM_TIME_H

#if defined __GNUC__ && !defined PEVPM_TIME_STRICT && !defined PEVPM_TIME_IMPLEMENTATION
#pragma GCC system_header /* the user's warning flags are for the user's code */
#endif

#ifndef PEVPM_TIME

#define PEVPM_TIME_BEGIN(name)        ((void)0)
#define PEVPM_TIME_BEGIN_ARG(name, x) ((void)0)
#define PEVPM_TIME_END(name)          ((void)0)
#define PEVPM_TIME_START()            ((void)0)
#define PEVPM_TIME_WRITE()            ((void)0)

#else

#define PEVPM_TIME_BEGIN(name)        pevpm_time_begin_at(#name, __FILE__, __LINE__)
#define PEVPM_TIME_BEGIN_ARG(name, x) pevpm_time_begin_argument_at(#name, (double)(x), __FILE__, __LINE__)
#define PEVPM_TIME_END(name)          pevpm_time_end_at(#name, __FILE__, __LINE__)
/* Counting starts here: forgets the blocks of the warm-up. */
#define PEVPM_TIME_START()            pevpm_time_start()
/* Writes the record now, for programs that end without exit; later blocks are in a later writing. */
#define PEVPM_TIME_WRITE()            pevpm_time_write()

/* Strict modes (-std=c99) hide the monotonic clock; harmless where a system header came first. */
#if defined __STRICT_ANSI__ && !defined _POSIX_C_SOURCE && !defined _XOPEN_SOURCE && !defined _GNU_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif

#if defined PEVPM_TIME_EXTERN
#define PEVPM_TIME_LINK
#elif (defined __GNUC__ || defined __TINYC__ || defined __xlC__ || defined __SUNPRO_C) && !defined _WIN32
#define PEVPM_TIME_LINK __attribute__((weak))
#else
#define PEVPM_TIME_LINK static
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* What the macros call: `name` is copied, `file` must stay. */
PEVPM_TIME_LINK void pevpm_time_begin_at(const char *name, const char *file, int line);
PEVPM_TIME_LINK void pevpm_time_begin_argument_at(const char *name, double argument, const char *file, int line);
PEVPM_TIME_LINK void pevpm_time_end_at(const char *name, const char *file, int line);
PEVPM_TIME_LINK void pevpm_time_start(void);
/* For languages that do not know the place. */
PEVPM_TIME_LINK void pevpm_time_begin(const char *name);
PEVPM_TIME_LINK void pevpm_time_begin_argument(const char *name, double argument);
PEVPM_TIME_LINK void pevpm_time_end(const char *name);
PEVPM_TIME_LINK void pevpm_time_write(void);
#ifdef __cplusplus
}
#endif

#if !defined PEVPM_TIME_EXTERN || defined PEVPM_TIME_IMPLEMENTATION

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined __unix__ || defined __unix || defined __APPLE__
#define PEVPM_TIME_UNIX
#include <sys/time.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>
#endif

enum {
    PEVPM_TIME_KEYS = 4096,   /* bounds memory: some kB each */
    PEVPM_TIME_SLOTS = 16384, /* of the hash table: a power of two, well above KEYS */
    PEVPM_TIME_DEPTH = 32,
    PEVPM_TIME_BINS = 128,    /* per power of two: bins of at most 1/128 of the time */
    PEVPM_TIME_STRAYS = 16,   /* places that are told apart; a program has few that are wrong */
    PEVPM_TIME_PATH = 1024
};

struct pevpm_time_bin {
    unsigned long index, count;
};

struct pevpm_time_key {
    char *name;
    int has_argument;
    double argument, minimum, maximum, sum; /* ns */
    unsigned long count;
    size_t n, capacity;
    struct pevpm_time_bin *bins;            /* ascending */
};

/* Of one place: BEGINs whose END was skipped, or ENDs without BEGIN. */
struct pevpm_time_stray {
    const char *kind, *file;                /* "begin", "end"; NULL: the file is not known */
    char *name;
    int line;
    unsigned long count;
};

struct pevpm_time_state {
    long base_s, base_ns;                   /* times are ns since then */
    double overhead, cost;                  /* ns of an empty block as it is timed; of BEGIN and END together */
    double first, last;                     /* the first BEGIN, the last END */
    unsigned long unmatched, dropped;
    long process;
    int depth;
    struct {
        int key;                            /* -1: there was no room for it */
        double start;                       /* -1: before the start of counting */
        const char *file;
        int line;
    } open[PEVPM_TIME_DEPTH];
    size_t n_strays;
    struct pevpm_time_stray strays[PEVPM_TIME_STRAYS];
    size_t n;
    struct pevpm_time_key *keys;            /* [PEVPM_TIME_KEYS] */
    short slots[PEVPM_TIME_SLOTS];          /* index into keys + 1; 0 = free */
};

/* NULL until the first block; again after memory ran out. */
static struct pevpm_time_state *pevpm_time_kept;
static int pevpm_time_tried;

/* ---- clock ---- */

#if !defined CLOCK_MONOTONIC && defined __linux__ && (defined __GNUC__ || defined __TINYC__)
/* <time.h> came before this header, in a strict mode: the function is there all the same. */
#define PEVPM_TIME_HIDDEN_CLOCK
struct pevpm_time_spec {
    long tv_sec, tv_nsec;
};
#ifdef __cplusplus
extern "C"
#endif
int pevpm_time_hidden_clock(int clock, struct pevpm_time_spec *now) __asm__("clock_gettime");
#endif

#if defined CLOCK_MONOTONIC
#define PEVPM_TIME_CLOCK "CLOCK_MONOTONIC"
#elif defined PEVPM_TIME_HIDDEN_CLOCK
#define PEVPM_TIME_CLOCK "CLOCK_MONOTONIC"
#elif defined PEVPM_TIME_UNIX
#define PEVPM_TIME_CLOCK "gettimeofday"
#elif defined TIME_UTC
#define PEVPM_TIME_CLOCK "timespec_get"
#else
#define PEVPM_TIME_CLOCK "clock"
#endif

static void pevpm_time_read(long *s, long *ns)
{
#if defined CLOCK_MONOTONIC
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *s = (long)now.tv_sec;
    *ns = (long)now.tv_nsec;
#elif defined PEVPM_TIME_HIDDEN_CLOCK
    struct pevpm_time_spec now;
    pevpm_time_hidden_clock(1, &now); /* CLOCK_MONOTONIC of Linux */
    *s = now.tv_sec;
    *ns = now.tv_nsec;
#elif defined PEVPM_TIME_UNIX
    struct timeval now;
    gettimeofday(&now, 0);
    *s = (long)now.tv_sec;
    *ns = (long)now.tv_usec * 1000;
#elif defined TIME_UTC
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    *s = (long)now.tv_sec;
    *ns = (long)now.tv_nsec;
#else
    double now = (double)clock() / (double)CLOCKS_PER_SEC;
    *s = (long)now;
    *ns = (long)((now - (double)*s) * 1e9);
#endif
}

/* ns since the first block of the process. */
static double pevpm_time_now(const struct pevpm_time_state *state)
{
    long s, ns;
    pevpm_time_read(&s, &ns);
    return (double)(s - state->base_s) * 1e9 + (double)(ns - state->base_ns);
}

/* ---- histograms ---- */

/* Whole ns below BINS have bins of their own; above, each power of two has BINS of them. */
static unsigned long pevpm_time_bin_of(double ns)
{
    unsigned long shift = 0;
    while (ns >= 65536.0 * (2 * PEVPM_TIME_BINS)) {
        ns *= 1 / 65536.0;
        shift += 16;
    }
    while (ns >= 2 * PEVPM_TIME_BINS) {
        ns *= 0.5;
        shift++;
    }
    return shift * PEVPM_TIME_BINS + (unsigned long)ns;
}

static void pevpm_time_count(struct pevpm_time_key *key, double ns)
{
    unsigned long index = pevpm_time_bin_of(ns);
    size_t low = 0, high = key->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (key->bins[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == key->n || key->bins[low].index != index) {
        if (key->n == key->capacity) {
            size_t capacity = key->capacity ? 2 * key->capacity : 16;
            void *grown = realloc(key->bins, capacity * sizeof *key->bins);
            if (!grown)
                return; /* this one is in no count */
            key->bins = (struct pevpm_time_bin *)grown;
            key->capacity = capacity;
        }
        memmove(key->bins + low + 1, key->bins + low, (key->n - low) * sizeof *key->bins);
        key->bins[low].index = index;
        key->bins[low].count = 0;
        key->n++;
    }
    key->bins[low].count++;
    key->minimum = key->count == 0 || ns < key->minimum ? ns : key->minimum;
    key->maximum = ns > key->maximum ? ns : key->maximum;
    key->sum += ns;
    key->count++;
}

/* ---- names ---- */

static unsigned long pevpm_time_hash(const char *name, double argument)
{
    unsigned long hash = 2166136261UL; /* FNV-1a */
    const unsigned char *at = (const unsigned char *)&argument;
    size_t i;
    for (i = 0; i < sizeof argument; i++)
        hash = (hash ^ at[i]) * 16777619UL;
    for (at = (const unsigned char *)name; *at; at++)
        hash = (hash ^ *at) * 16777619UL;
    return hash ^ hash >> 15;
}

/* The index of a pair of name and argument, made where there is none; -1: no room. */
static int pevpm_time_key_of(struct pevpm_time_state *state, const char *name, int has_argument, double argument)
{
    unsigned long slot = pevpm_time_hash(name, argument);
    struct pevpm_time_key *key;
    for (;; slot++) {
        int index = state->slots[slot % PEVPM_TIME_SLOTS] - 1;
        if (index < 0)
            break;
        key = &state->keys[index];
        if (key->has_argument == has_argument && memcmp(&key->argument, &argument, sizeof argument) == 0 &&
            strcmp(key->name, name) == 0)
            return index;
    }
    if (state->n == PEVPM_TIME_KEYS)
        return -1;
    key = &state->keys[state->n];
    key->name = (char *)malloc(strlen(name) + 1);
    if (!key->name)
        return -1;
    strcpy(key->name, name);
    key->has_argument = has_argument;
    key->argument = argument;
    state->slots[slot % PEVPM_TIME_SLOTS] = (short)++state->n;
    return (int)state->n - 1;
}

/* ---- blocks ---- */

/* The depth at which a block of that name is open; -1: none. */
static int pevpm_time_open_at(const struct pevpm_time_state *state, const char *name)
{
    int depth = state->depth;
    while (depth-- > 0)
        if (state->open[depth].key >= 0 && strcmp(state->keys[state->open[depth].key].name, name) == 0)
            return depth;
    return -1;
}

/* One more BEGIN without END or END without BEGIN; beyond the last place it is in the total alone. */
static void pevpm_time_stray_add(struct pevpm_time_state *state, const char *kind, const char *name, const char *file,
                                 int line)
{
    struct pevpm_time_stray *stray = state->strays;
    size_t i;
    state->unmatched++;
    for (i = 0; i < state->n_strays; i++, stray++)
        if (stray->line == line && stray->file == file && stray->kind[0] == kind[0] && strcmp(stray->name, name) == 0) {
            stray->count++;
            return;
        }
    if (i == PEVPM_TIME_STRAYS)
        return;
    stray->name = (char *)malloc(strlen(name) + 1);
    if (!stray->name)
        return;
    strcpy(stray->name, name);
    stray->kind = kind;
    stray->file = file;
    stray->line = line;
    stray->count = 1;
    state->n_strays++;
}

/* Forgets the blocks that are open from `depth` on. */
static void pevpm_time_abandon(struct pevpm_time_state *state, int depth)
{
    for (; state->depth > depth; state->depth--) {
        int at = state->depth - 1;
        if (state->open[at].start < 0)
            continue;
        if (state->open[at].key < 0)
            state->unmatched++;
        else
            pevpm_time_stray_add(state, "begin", state->keys[state->open[at].key].name, state->open[at].file,
                                 state->open[at].line);
    }
}

static void pevpm_time_enter(struct pevpm_time_state *state, const char *name, int has_argument, double argument,
                             const char *file, int line)
{
    int open = pevpm_time_open_at(state, name), depth;
    if (open >= 0)
        pevpm_time_abandon(state, open);
    depth = state->depth;
    if (depth == PEVPM_TIME_DEPTH) {
        state->dropped++;
        return;
    }
    state->open[depth].key = pevpm_time_key_of(state, name, has_argument, argument);
    state->open[depth].file = file;
    state->open[depth].line = line;
    state->depth++;
    state->open[depth].start = pevpm_time_now(state);
}

static void pevpm_time_leave(struct pevpm_time_state *state, const char *name, double stop, const char *file, int line)
{
    int top = state->depth - 1, open = pevpm_time_open_at(state, name);
    double ns;
    if (open < 0 && top >= 0 && state->open[top].key < 0) {
        state->dropped++;
        state->depth--;
        return;
    }
    if (open < 0) {
        pevpm_time_stray_add(state, "end", name, file, line);
        return;
    }
    pevpm_time_abandon(state, open + 1);
    state->depth = open;
    if (state->open[open].start < 0)
        return;
    if (state->first < 0)
        state->first = state->open[open].start;
    state->last = stop;
    ns = stop - state->open[open].start - state->overhead;
    pevpm_time_count(&state->keys[state->open[open].key], ns > 0 ? ns : 0);
}

/* ---- the record ---- */

static const char *pevpm_time_rank(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                            "ALPS_APP_PE", "FLUX_TASK_RANK", "SLURM_PROCID"};
    size_t i;
    for (i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value && strspn(value, "0123456789") == strlen(value) && strlen(value) < 10)
            return value;
    }
    return 0;
}

static void pevpm_time_host(char host[65])
{
    size_t i;
    strcpy(host, "unknown");
#ifdef PEVPM_TIME_UNIX
    {
        struct utsname names;
        if (uname(&names) == 0 && names.nodename[0]) {
            size_t n = strlen(names.nodename);
            memcpy(host, names.nodename, n < 64 ? n : 64);
            host[n < 64 ? n : 64] = '\0';
        }
    }
#endif
    for (i = 0; host[i]; i++)
        if (strchr("/\\ \t\n%", host[i]))
            host[i] = '_';
}

/* Appends to path [PEVPM_TIME_PATH], cut where it is full. */
static void pevpm_time_append(char *path, const char *text, size_t n)
{
    size_t length = strlen(path);
    if (n > PEVPM_TIME_PATH - 1 - length)
        n = PEVPM_TIME_PATH - 1 - length;
    memcpy(path + length, text, n);
    path[length + n] = '\0';
}

static void pevpm_time_path(char path[PEVPM_TIME_PATH], const char *host, const char *rank, int is_rank)
{
    const char *at = getenv("PEVPM_TIME_FILE");
    int named = !is_rank;
    path[0] = '\0';
    if (!at || !*at) {
        at = "pevpm-time.%h.%r.dat";
        named = 1;
    }
    for (; *at; at++) {
        if (at[0] == '%' && (at[1] == 'h' || at[1] == 'r')) {
            const char *text = at[1] == 'h' ? host : rank;
            named = named || at[1] == 'r';
            pevpm_time_append(path, text, strlen(text));
            at++;
        } else {
            pevpm_time_append(path, at, 1);
        }
    }
    if (!named) {
        pevpm_time_append(path, ".", 1);
        pevpm_time_append(path, rank, strlen(rank));
    }
}

static void pevpm_time_print_word(FILE *out, const char *text)
{
    const char *at;
    for (at = text; *at; at++)
        fputc(strchr(" \t\r\n", *at) ? '_' : *at, out);
}

/* Whole numbers need no decimal point, which locales spell differently. */
static void pevpm_time_print_key(FILE *out, const struct pevpm_time_key *key)
{
    char argument[40];
    size_t i;
    fputs("block ", out);
    pevpm_time_print_word(out, key->name);
    strcpy(argument, "-");
    if (key->has_argument)
        sprintf(argument, "%.17g", key->argument);
    if (strchr(argument, ','))
        *strchr(argument, ',') = '.';
    fprintf(out, " %s %lu %.0f %.0f %.0f %lu\n", argument, key->count, key->minimum, key->maximum, key->sum,
            (unsigned long)key->n);
    for (i = 0; i < key->n; i++)
        fprintf(out, "%lu %lu%s", key->bins[i].index, key->bins[i].count, (i + 1) % 8 && i + 1 < key->n ? " " : "\n");
}

static void pevpm_time_print_stray(FILE *out, const char *kind, const char *name, const char *file, int line,
                                   unsigned long count)
{
    fprintf(out, "stray %s ", kind);
    pevpm_time_print_word(out, name);
    fputc(' ', out);
    pevpm_time_print_word(out, file ? file : "-");
    fprintf(out, " %d %lu\n", line, count);
}

/* Their number, then a line for each; blocks that are open now are BEGINs without END, too. */
static void pevpm_time_print_strays(FILE *out, const struct pevpm_time_state *state)
{
    unsigned long n = (unsigned long)state->n_strays, unmatched = state->unmatched;
    size_t i;
    int depth;
    for (depth = 0; depth < state->depth; depth++) {
        n += state->open[depth].key >= 0 && state->open[depth].start >= 0;
        unmatched += state->open[depth].start >= 0;
    }
    fprintf(out, "unmatched %lu\ndropped %lu\nstrays %lu\n", unmatched, state->dropped, n);
    for (i = 0; i < state->n_strays; i++)
        pevpm_time_print_stray(out, state->strays[i].kind, state->strays[i].name, state->strays[i].file,
                               state->strays[i].line, state->strays[i].count);
    for (depth = 0; depth < state->depth; depth++)
        if (state->open[depth].key >= 0 && state->open[depth].start >= 0)
            pevpm_time_print_stray(out, "begin", state->keys[state->open[depth].key].name, state->open[depth].file,
                                   state->open[depth].line, 1);
}

static void pevpm_time_print(FILE *out, const struct pevpm_time_state *state, const char *host, const char *rank)
{
    unsigned long blocks = 0;
    size_t i;
    fprintf(out, "pevpm-time 2\nhost %s\nrank %s\nclock %s\nbins %d\n", host, rank ? rank : "-", PEVPM_TIME_CLOCK,
            (int)PEVPM_TIME_BINS);
    fprintf(out, "overhead_ns %.0f\ncost_ns %.0f\nwindow_ns %.0f\n", state->overhead, state->cost,
            state->first < 0 ? 0.0 : state->last - state->first);
    pevpm_time_print_strays(out, state);
    for (i = 0; i < state->n; i++) {
        if (state->keys[i].count == 0)
            continue;
        pevpm_time_print_key(out, &state->keys[i]);
        blocks++;
    }
    fprintf(out, "end %lu\n", blocks);
}

PEVPM_TIME_LINK void pevpm_time_write(void)
{
    struct pevpm_time_state *state = pevpm_time_kept;
    const char *rank = pevpm_time_rank();
    char host[65], path[PEVPM_TIME_PATH], process[32];
    FILE *out;
    int failed;
    if (!state)
        return;
#ifdef PEVPM_TIME_UNIX
    if ((long)getpid() != state->process)
        return; /* a child made by fork: the record is the parent's */
#endif
    pevpm_time_host(host);
    sprintf(process, "%ld", state->process);
    pevpm_time_path(path, host, rank ? rank : process, rank != 0);
    out = fopen(path, "w");
    failed = !out;
    if (out) {
        pevpm_time_print(out, state, host, rank);
        failed = ferror(out);
        failed = fclose(out) || failed;
    }
    if (failed) {
        fprintf(stderr, "pevpm-time: cannot write ");
        perror(path);
    }
}

/* ---- start ---- */

/* Empty blocks: the shortest is what the clock itself takes, so that never too much is subtracted. */
static void pevpm_time_calibrate(struct pevpm_time_state *state)
{
    double start, stop, cost;
    int group, i;
    for (group = 0; group < 16; group++) {
        start = pevpm_time_now(state);
        for (i = 0; i < 16; i++) {
            pevpm_time_enter(state, "", 0, 0.0, 0, 0);
            pevpm_time_leave(state, "", pevpm_time_now(state), 0, 0);
        }
        stop = pevpm_time_now(state);
        cost = (stop - start) / 16;
        if (group == 0 || cost < state->cost)
            state->cost = cost;
    }
    if (state->n > 0) {
        state->overhead = state->keys[0].minimum;
        free(state->keys[0].name);
        free(state->keys[0].bins);
        memset(&state->keys[0], 0, sizeof state->keys[0]);
    }
    memset(state->slots, 0, sizeof state->slots);
    state->n = 0;
    state->first = -1;
}

static struct pevpm_time_state *pevpm_time_state_of(void)
{
    struct pevpm_time_state *state = pevpm_time_kept;
    if (state || pevpm_time_tried)
        return state;
    pevpm_time_tried = 1;
    state = (struct pevpm_time_state *)calloc(1, sizeof *state);
    if (state)
        state->keys = (struct pevpm_time_key *)calloc(PEVPM_TIME_KEYS, sizeof *state->keys);
    if (!state || !state->keys) {
        free(state);
        return 0;
    }
#ifdef PEVPM_TIME_UNIX
    state->process = (long)getpid();
#else
    state->process = (long)time(0);
#endif
    pevpm_time_read(&state->base_s, &state->base_ns);
    pevpm_time_calibrate(state);
    pevpm_time_kept = state;
    atexit(pevpm_time_write);
    return state;
}

PEVPM_TIME_LINK void pevpm_time_begin_at(const char *name, const char *file, int line)
{
    struct pevpm_time_state *state = pevpm_time_state_of();
    if (state)
        pevpm_time_enter(state, name, 0, 0.0, file, line);
}

PEVPM_TIME_LINK void pevpm_time_begin_argument_at(const char *name, double argument, const char *file, int line)
{
    struct pevpm_time_state *state = pevpm_time_state_of();
    if (state && argument - argument == 0) /* else infinite or NaN */
        pevpm_time_enter(state, name, 1, argument + 0.0, file, line); /* -0 becomes 0 */
    else if (state)
        state->dropped++;
}

PEVPM_TIME_LINK void pevpm_time_end_at(const char *name, const char *file, int line)
{
    struct pevpm_time_state *state = pevpm_time_kept;
    if (state)
        pevpm_time_leave(state, name, pevpm_time_now(state), file, line);
}

PEVPM_TIME_LINK void pevpm_time_begin(const char *name)
{
    pevpm_time_begin_at(name, 0, 0);
}

PEVPM_TIME_LINK void pevpm_time_begin_argument(const char *name, double argument)
{
    pevpm_time_begin_argument_at(name, argument, 0, 0);
}

PEVPM_TIME_LINK void pevpm_time_end(const char *name)
{
    pevpm_time_end_at(name, 0, 0);
}

PEVPM_TIME_LINK void pevpm_time_start(void)
{
    struct pevpm_time_state *state = pevpm_time_kept;
    size_t i;
    int depth;
    if (!state)
        return;
    for (i = 0; i < state->n; i++) {
        struct pevpm_time_key *key = &state->keys[i];
        key->minimum = key->maximum = key->sum = 0;
        key->count = 0;
        key->n = 0;
    }
    for (i = 0; i < state->n_strays; i++)
        free(state->strays[i].name);
    state->n_strays = 0;
    state->unmatched = state->dropped = 0;
    state->first = -1;
    for (depth = 0; depth < state->depth; depth++)
        state->open[depth].start = -1;
}

#endif
#endif
#endif
