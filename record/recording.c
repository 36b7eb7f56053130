#include "record/recording.h"

#include "directives/source.h"
#include "record/cancelled.h"
#include "recorder/fold.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1 };
enum { RANKS_MOST = 1 << 20, FRAMES_MOST = 64, NESTING_MOST = 100, NEAR_MOST = 1000 };
enum { OCTAVES = FOLD_BINS / FOLD_BINS_PER_OCTAVE };
enum { BINS_BEFORE = 4 };       /* in each power of two, in recordings that do not say it */
/* Of a number in a file: times of 30 years in ns are below, and sums of such numbers do not overflow. */
static const int64_t NUMBER_MOST = INT64_C(1000000000000000000);

/* A file while it is being read, word by word; words of one line belong together. */
struct scan {
    const struct source *source;
    struct recording *recording;
    struct recorded_process *process; /* whose section this is */
    struct diags *diags;
    size_t at, end;                   /* of the line: the next word, the line feed */
    size_t word, word_length;         /* the last one that was taken; length 0: the line has no more */
    size_t line;
};

/* ---- words ---- */

/* Goes to the next line that is not empty. */
static bool next_line(struct scan *scan)
{
    while (scan->line < scan->source->n_lines) {
        scan->at = scan->source->line_start[scan->line];
        scan->end = source_line_end(scan->source, scan->line);
        scan->line++;
        if (scan->end > scan->at)
            return true;
    }
    scan->at = scan->end = scan->source->length;
    return false;
}

static bool next_word(struct scan *scan)
{
    const char *text = scan->source->text;
    while (scan->at < scan->end && text[scan->at] == ' ')
        scan->at++;
    scan->word = scan->at;
    while (scan->at < scan->end && text[scan->at] != ' ')
        scan->at++;
    scan->word_length = scan->at - scan->word;
    return scan->word_length > 0;
}

static bool word_is(const struct scan *scan, const char *text)
{
    return scan->word_length == strlen(text) && memcmp(scan->source->text + scan->word, text, scan->word_length) == 0;
}

static bool more(const struct scan *scan)
{
    size_t at = scan->at;
    while (at < scan->end && scan->source->text[at] == ' ')
        at++;
    return at < scan->end;
}

/* Whether the file ends with the last word that was taken, for programs end each line. */
static bool word_is_cut(const struct scan *scan)
{
    const struct source *source = scan->source;
    return scan->word_length > 0 && scan->word + scan->word_length == source->length;
}

/* Says what was expected where the last word is. */
static bool refuse(struct scan *scan, const char *expected)
{
    enum { SHOWN = 40 };
    const char *cut = word_is_cut(scan) ? "the recording is cut short: " : "";
    if (scan->word_length == 0 && scan->line >= scan->source->n_lines)
        diag_error(scan->diags, place_of_file(scan->source->name),
                   "the recording is cut short: expected %s, found the end of the file", expected);
    else if (scan->word_length == 0)
        diag_error(scan->diags, source_place(scan->source, scan->end, 1), "expected %s, found the end of the line",
                   expected);
    else
        diag_error(scan->diags, source_place(scan->source, scan->word, scan->word_length), "%sexpected %s, found `%.*s`", cut,
                   expected, (int)(scan->word_length < SHOWN ? scan->word_length : SHOWN),
                   scan->source->text + scan->word);
    return false;
}

/* The words of a call's line, as docs/recording.md has them. */
enum { WORD_peer = 3, WORD_peer2 = 6, WORD_tag2 = 7, WORD_list = 9 };

/* Says what was expected at one of these, when the whole line has been read. */
static bool refuse_word(struct scan *scan, int word, const char *expected)
{
    scan->at = scan->source->line_start[scan->line - 1];
    for (int i = 0; i <= word; i++)
        next_word(scan);
    return refuse(scan, expected);
}

static bool take_keyword(struct scan *scan, const char *keyword)
{
    char expected[64];
    next_word(scan);
    snprintf(expected, sizeof expected, "`%s`", keyword);
    return word_is(scan, keyword) || refuse(scan, expected);
}

static bool take_number(struct scan *scan, int64_t least, int64_t most, const char *expected, int64_t *value)
{
    char *end;
    if (!next_word(scan))
        return refuse(scan, expected);
    errno = 0;
    *value = strtoll(scan->source->text + scan->word, &end, 10);
    if (end != scan->source->text + scan->word + scan->word_length || errno || *value < least || *value > most)
        return refuse(scan, expected);
    return true;
}

static bool take_int(struct scan *scan, int64_t least, int64_t most, const char *expected, int *value)
{
    int64_t number;
    if (!take_number(scan, least, most, expected, &number))
        return false;
    *value = (int)number;
    return true;
}

static bool take_seconds(struct scan *scan, double *seconds)
{
    int64_t ns = 0;
    if (!take_number(scan, 0, NUMBER_MOST, "a time in ns", &ns))
        return false;
    *seconds = (double)ns * 1e-9;
    return true;
}

static const char *kept(struct scan *scan, size_t at, size_t n)
{
    return arena_string_n(&scan->recording->memory, scan->source->text + at, n);
}

static bool take_text(struct scan *scan, const char *expected, const char **text)
{
    if (!next_word(scan))
        return refuse(scan, expected);
    *text = kept(scan, scan->word, scan->word_length);
    return true;
}

/* What is left of the line. */
static bool take_rest(struct scan *scan, const char *expected, const char **text)
{
    if (!next_word(scan))
        return refuse(scan, expected);
    *text = kept(scan, scan->word, scan->end - scan->word);
    scan->at = scan->end;
    return true;
}

static bool line_ends(struct scan *scan)
{
    return !next_word(scan) || refuse(scan, "the end of the line");
}

/* ---- what calls refer to ---- */

static bool take_module(struct scan *scan)
{
    struct recorded_process *process = scan->process;
    int number;
    struct recorded_module module;
    if (!take_int(scan, process->n_modules, process->n_modules, "the number of the next module", &number) ||
        !take_text(scan, "a build-id", &module.build_id) || !take_rest(scan, "the path of a file", &module.path))
        return false;
    process->modules = alloc_resize(process->modules, (size_t)process->n_modules + 1, sizeof module);
    process->modules[process->n_modules++] = module;
    return true;
}

/* MODULE:OFFSET, the offset in hexadecimal */
static bool take_frame(struct scan *scan, struct recorded_frame *frame)
{
    char *end;
    next_word(scan);
    const char *text = scan->source->text + scan->word;
    errno = 0;
    long module = strtol(text, &end, 10);
    if (*end != ':' || end == text || module < -1 || module >= scan->process->n_modules || errno)
        return refuse(scan, "MODULE:OFFSET of a module above");
    const char *offset = end + 1;
    frame->module = (int)module;
    frame->offset = strtoull(offset, &end, 16);
    if (end == offset || end != text + scan->word_length || errno || *offset == '-')
        return refuse(scan, "MODULE:OFFSET, the offset in hexadecimal");
    return true;
}

static bool take_path(struct scan *scan)
{
    struct recorded_process *process = scan->process;
    struct recorded_frame frames[FRAMES_MOST];
    int number, n = 0;
    if (!take_int(scan, process->n_paths, process->n_paths, "the number of the next call path", &number))
        return false;
    while (more(scan)) {
        if (n == FRAMES_MOST)
            return next_word(scan) && refuse(scan, "at most 64 frames");
        if (!take_frame(scan, &frames[n++]))
            return false;
    }
    struct recorded_path path = {n, arena_alloc(&scan->recording->memory, (size_t)n, sizeof *frames)};
    if (n > 0)
        memcpy(path.frames, frames, (size_t)n * sizeof *frames);
    process->paths = alloc_resize(process->paths, (size_t)process->n_paths + 1, sizeof path);
    process->paths[process->n_paths++] = path;
    return true;
}

static bool take_comm(struct scan *scan)
{
    struct recorded_process *process = scan->process;
    struct recorded_comm comm = {0};
    int number, ranks = scan->recording->ranks, capacity = 0;
    if (!take_int(scan, process->n_comms, process->n_comms, "the number of the next communicator", &number) ||
        !take_int(scan, 0, process->n_comms - 1, "a communicator above", &comm.parent) ||
        !take_int(scan, -1, ranks - 1, "a rank", &comm.rank))
        return false;
    for (; more(scan); comm.size++) {
        if (comm.size == capacity) {
            int *old = comm.members;
            capacity = capacity ? 2 * capacity : 16;
            comm.members = arena_alloc(&scan->recording->memory, (size_t)capacity, sizeof *old);
            if (old)
                memcpy(comm.members, old, (size_t)comm.size * sizeof *old);
        }
        if (comm.size == ranks)
            return next_word(scan) && refuse(scan, "at most as many members as processes");
        if (!take_int(scan, 0, ranks - 1, "a rank in MPI_COMM_WORLD", &comm.members[comm.size]))
            return false;
    }
    if (comm.rank >= comm.size)
        return refuse(scan, "more members than this process's rank");
    process->comms = alloc_resize(process->comms, (size_t)process->n_comms + 1, sizeof comm);
    process->comms[process->n_comms++] = comm;
    return true;
}

/* near NUMBER SOURCES NEIGHBOUR... */
static bool take_near(struct scan *scan)
{
    struct recorded_process *process = scan->process;
    int number, n = 0, near[2 * NEAR_MOST];
    if (!take_int(scan, 1, process->n_comms - 1, "a communicator above", &number))
        return false;
    struct recorded_comm *comm = &process->comms[number];
    if (!take_int(scan, 0, NEAR_MOST, "a number of sources", &comm->n_sources))
        return false;
    while (more(scan)) {
        if (n == 2 * NEAR_MOST)
            return next_word(scan) && refuse(scan, "at most 2000 neighbours");
        if (!take_int(scan, PEER_NULL, comm->size - 1, "a rank of the communicator, or -1", &near[n++]))
            return false;
    }
    scan->word_length = 0;
    if (n < comm->n_sources)
        return refuse(scan, "as many neighbours as sources, and more");
    comm->n_destinations = n - comm->n_sources;
    comm->near = arena_alloc(&scan->recording->memory, (size_t)n + 1, sizeof *near);
    memcpy(comm->near, near, (size_t)n * sizeof *near);
    return true;
}

/* PATH:ORDINAL */
static bool take_pair(struct scan *scan, struct recorded_pair *pair)
{
    char *end;
    next_word(scan);
    const char *text = scan->source->text + scan->word;
    long path = strtol(text, &end, 10), ordinal = -2;
    if (*end == ':' && end > text) {
        const char *second = end + 1;
        ordinal = strtol(second, &end, 10);
        ordinal = end == second || end != text + scan->word_length ? -2 : ordinal;
    }
    if (path < 0 || path >= scan->process->n_paths || ordinal < -1 || ordinal > INT_MAX)
        return refuse(scan, "PATH:ORDINAL of a call path above");
    *pair = (struct recorded_pair){(int)path, (int)ordinal};
    return true;
}

static bool take_list(struct scan *scan)
{
    struct recorded_process *process = scan->process;
    struct recorded_list list = {0};
    size_t capacity = 0;
    int number;
    if (!take_int(scan, process->n_lists, process->n_lists, "the number of the next list", &number))
        return false;
    struct recorded_pair *pairs = NULL;
    bool good = true;
    while (good && more(scan)) {
        size_t before = scan->at;
        next_word(scan);
        if (word_is(scan, "all")) {
            list.all = true;
            continue;
        }
        scan->at = before;
        pairs = alloc_grow(pairs, (size_t)list.n, &capacity, sizeof *pairs);
        good = take_pair(scan, &pairs[list.n++]);
    }
    if (good && list.n > 0) {
        list.pairs = arena_alloc(&scan->recording->memory, (size_t)list.n, sizeof *pairs);
        memcpy(list.pairs, pairs, (size_t)list.n * sizeof *pairs);
    }
    free(pairs);
    process->lists = alloc_resize(process->lists, (size_t)process->n_lists + 1, sizeof list);
    process->lists[process->n_lists++] = list;
    return good;
}

/* ---- calls and loops ---- */

/* Nodes of one body while it is read. */
struct body {
    size_t n, capacity;
    struct recorded_node *nodes;
};

/* Where a bin begins, s: those of recorder/fold.h. */
static double bin_start(long bin, int per_octave)
{
    if (bin < 2 * per_octave)
        return (double)bin * 1e-9;
    return ldexp((double)(per_octave + bin % per_octave), (int)(bin / per_octave) - 1) * 1e-9;
}

/* BIN:COUNT BIN:COUNT ... */
static bool take_bins(struct scan *scan, struct recorded_times *times)
{
    struct recorded_bin bins[FOLD_BINS];
    int per_octave = scan->process->bins_per_octave;
    long last = -1;
    int64_t left = times->n;
    while (next_word(scan)) {
        const char *text = scan->source->text + scan->word;
        char *end;
        long bin = strtol(text, &end, 10);
        int64_t count = end == text || *end != ':' ? 0 : strtoll(end + 1, &end, 10);
        if (end != text + scan->word_length || bin <= last || bin >= (long)OCTAVES * per_octave || count < 1 ||
            count > left)
            return refuse(scan, "BIN:COUNT, bins ascending, and no more than there were calls");
        bins[times->n_bins++] = (struct recorded_bin){bin_start(bin, per_octave),
                                                               bin_start(bin + 1, per_octave), count};
        left -= count;
        last = bin;
    }
    times->bins = arena_alloc(&scan->recording->memory, times->n_bins, sizeof *bins);
    memcpy(times->bins, bins, times->n_bins * sizeof *bins);
    return true;
}

static bool take_times(struct scan *scan, struct recorded_node *node)
{
    struct recorded_times *times = &node->times;
    int64_t sum, least, most;
    if (!take_keyword(scan, "n") || !take_number(scan, 1, NUMBER_MOST, "how often it was called", &times->n) ||
        !take_keyword(scan, "wall") || !take_seconds(scan, &times->wall) || !take_seconds(scan, &times->wall_least) ||
        !take_seconds(scan, &times->wall_most) || !take_keyword(scan, "cpu") ||
        !take_number(scan, 0, times->n, "of how many the processor's time is known", &times->processor_n) ||
        !take_seconds(scan, &times->processor) || !take_keyword(scan, "in") || !take_seconds(scan, &times->inside) ||
        !take_keyword(scan, "size") || !take_number(scan, 0, NUMBER_MOST, "bytes", &sum) ||
        !take_number(scan, 0, NUMBER_MOST, "bytes", &least) || !take_number(scan, least, NUMBER_MOST, "bytes", &most))
        return false;
    node->bytes_mean = (double)sum / (double)times->n;
    node->bytes_least = (double)least;
    node->bytes_most = (double)most;
    if (least == most) /* also where the fold did not tell calls apart by it */
        node->bytes = least;
    return !more(scan) || (take_keyword(scan, "bins") && take_bins(scan, times));
}

/* Is it a message's call that has no second partner, in whose place stands who sent? */
static bool has_sender(const struct recorded_node *node)
{
    const enum operation_kind kind = operation_kind(node->op);
    return (kind == KIND_send || kind == KIND_recv || kind == KIND_probe || kind == KIND_mprobe) &&
           (node->peer == PEER_ANY || node->peer == PEER_SOURCE) && node->peer2 > 0;
}

static bool check_call(struct scan *scan, const struct recorded_node *node)
{
    enum operation_kind kind = operation_kind(node->op);
    int size = scan->process->comms[node->comm].size;
    if (kind == KIND_wait && (node->list < 0 || node->list >= scan->process->n_lists) && scan->process->alike < 2)
        return refuse_word(scan, WORD_list, "a list of requests above");
    if (kind == KIND_cancel && scan->process->alike < 2 &&
        (node->list < 0 || node->list >= scan->process->n_lists || scan->process->lists[node->list].n != 1))
        return refuse_word(scan, WORD_list, "a list of one request above");
    const bool makes = operation_makes_comm(node->op);
    if (makes && (node->peer < 1 || node->peer >= scan->process->n_comms) && scan->process->alike < 2)
        return refuse_word(scan, WORD_peer, "a communicator above");
    if (kind == KIND_mrecv && (node->tag2 < 0 || node->tag2 >= scan->process->n_paths))
        return refuse_word(scan, WORD_tag2, "a call path above as tag2");
    if (!makes && node->peer >= size && size > 0)
        return refuse_word(scan, WORD_peer, "a rank of the communicator as peer");
    if (has_sender(node) && node->peer2 > size && size > 0)
        return refuse_word(scan, WORD_peer2, "0, or 1 + a rank of the communicator, as who sent");
    return true;
}

static int partner_of(const struct recorded_node *node)
{
    return has_sender(node) ? node->peer2 - 1 : node->peer;
}

static bool take_call(struct scan *scan, int op, struct body *body)
{
    struct recorded_process *process = scan->process;
    struct recorded_node node = {.op = (enum operation)op};
    if (!take_int(scan, 0, process->n_paths - 1, "a call path above", &node.path) ||
        !take_int(scan, 0, process->n_comms - 1, "a communicator above", &node.comm) ||
        !take_int(scan, PEER_SOURCE, INT_MAX, "a peer", &node.peer) ||
        !take_int(scan, TAG_ANY, INT_MAX, "a tag", &node.tag) ||
        !take_number(scan, 0, NUMBER_MOST, "bytes", &node.bytes) ||
        !take_int(scan, PEER_SOURCE, INT_MAX, "a peer", &node.peer2) ||
        !take_int(scan, TAG_ANY, INT_MAX, "a tag", &node.tag2) ||
        !take_number(scan, 0, NUMBER_MOST, "bytes", &node.bytes2) ||
        !take_int(scan, -1, INT_MAX, "a list of requests, an ordinal or -1", &node.list) || !take_times(scan, &node) ||
        !check_call(scan, &node))
        return false;
    node.who = partner_of(&node);
    node.number = process->n_calls++;
    body->nodes = alloc_grow(body->nodes, body->n, &body->capacity, sizeof node);
    body->nodes[body->n++] = node;
    return true;
}

static int operation_number(const struct scan *scan)
{
    for (int i = 0; i < N_OPERATIONS; i++)
        if (word_is(scan, operation_name((enum operation)i)))
            return i;
    return -1;
}

void recorded_nodes_free(size_t n, struct recorded_node nodes[])
{
    for (size_t i = 0; i < n; i++)
        recorded_nodes_free(nodes[i].n_body, nodes[i].body);
    free(nodes);
}

static bool take_body(struct scan *scan, const char *end, int depth, struct body *body);

static bool take_loop(struct scan *scan, int depth, struct body *outer)
{
    struct recorded_node loop = {.loop = true};
    struct body body = {0};
    if (depth == NESTING_MOST)
        return refuse(scan, "loops nested 100 deep at most");
    if (!take_number(scan, 1, NUMBER_MOST, "how often the loop went round", &loop.trips) ||
        !take_number(scan, 1, loop.trips, "how often the loop was run", &loop.runs) || !line_ends(scan))
        return false;
    bool good = take_body(scan, "next", depth + 1, &body);
    if (good && body.n == 0)
        good = refuse(scan, "a call in the loop");
    loop.n_body = body.n;
    loop.body = body.nodes;
    outer->nodes = alloc_grow(outer->nodes, outer->n, &outer->capacity, sizeof loop);
    outer->nodes[outer->n++] = loop;
    return good;
}

/* Lines up to the one that begins with `end`, whose other words are still there. */
static bool take_body(struct scan *scan, const char *end, int depth, struct body *body)
{
    while (next_line(scan) && next_word(scan) && !word_is(scan, end)) {
        int op = operation_number(scan);
        if (word_is(scan, "loop") ? !take_loop(scan, depth, body) : op < 0 || !take_call(scan, op, body))
            return op >= 0 || scan->diags->n_errors > 0 ? false : refuse(scan,
                                                                         "an operation of MPI, `loop` or the end");
    }
    return word_is(scan, end) && scan->word_length > 0 ? true : (scan->word_length = 0, refuse(scan, end));
}

/* ---- sections ---- */

/* Lines of a section before its calls. X(keyword, reader of the rest) */
static bool take_host(struct scan *scan) { return take_rest(scan, "a host", &scan->process->host); }
static bool take_processors(struct scan *scan)
{
    return take_number(scan, 1, INT_MAX, "a number of processors", &scan->process->processors);
}
static bool take_clocks(struct scan *scan)
{
    double cost;
    return take_seconds(scan, &scan->process->clock) && take_seconds(scan, &cost);
}
static bool take_threads(struct scan *scan) { return take_seconds(scan, &scan->process->threads); }
static bool take_polls(struct scan *scan)
{
    int64_t polls;
    return take_number(scan, 0, NUMBER_MOST, "a count", &polls);
}
static bool take_alike(struct scan *scan) { return take_int(scan, 0, 2, "0, 1 or 2", &scan->process->alike); }
/* Bins in each power of two. */
static bool take_width(struct scan *scan)
{
    return take_int(scan, 1, FOLD_BINS_PER_OCTAVE, "a number of bins in each power of two",
                    &scan->process->bins_per_octave);
}
static bool take_stopped(struct scan *scan) { return take_rest(scan, "a reason", &scan->process->stopped); }

#define SECTION_LIST(X) \
    X(host, host) X(processors, processors) X(clocks, clocks) X(threads, threads) X(polls, polls) X(alike, alike) \
    X(bins, width) X(stopped, stopped) X(module, module) X(path, path) X(comm, comm) X(near, near) X(list, list)

static const struct {
    const char *keyword;
    bool (*take)(struct scan *scan);
} section_lines[] = {
#define X(keyword, reader) {#keyword, take_##reader},
    SECTION_LIST(X)
#undef X
};

/* Reads the lines before the calls; false with *good where one is wrong. */
static bool take_section_head(struct scan *scan)
{
    for (;;) {
        struct scan before = *scan;
        bool known = false;
        if (!next_line(scan) || !next_word(scan)) {
            scan->word_length = 0;
            return refuse(scan, "the calls of a process");
        }
        for (size_t i = 0; i < sizeof section_lines / sizeof *section_lines && !known; i++)
            if (word_is(scan, section_lines[i].keyword)) {
                known = true;
                if (!section_lines[i].take(scan) || !line_ends(scan))
                    return false;
            }
        if (!known) {
            *scan = before;
            return true;
        }
    }
}

static bool take_section(struct scan *scan, int rank)
{
    struct body body = {0};
    int number;
    if (!next_line(scan) || !take_keyword(scan, "rank") ||
        !take_int(scan, rank, rank, "the next process's rank", &number) ||
        !take_int(scan, scan->recording->ranks, scan->recording->ranks, "the number of processes of the head",
                  &number) ||
        !line_ends(scan))
        return false;
    scan->process = &scan->recording->processes[rank];
    struct recorded_process *process = scan->process;
    process->host = "?";
    process->processors = 1;
    process->bins_per_octave = BINS_BEFORE;
    process->n_comms = 1;
    process->comms = alloc_zeroed(1, sizeof *process->comms);
    process->comms[0] = (struct recorded_comm){.parent = -1, .rank = rank, .size = scan->recording->ranks};
    if (!take_section_head(scan))
        return false;
    bool good = take_body(scan, "done", 0, &body);
    process->n = body.n;
    process->nodes = body.nodes;
    good = good && take_int(scan, rank, rank, "the process's rank", &number) && line_ends(scan);
    if (!good || process_drop_cancelled(process, &scan->recording->memory))
        return good;
    diag_error(scan->diags, source_place(scan->source, scan->end, 1),
               "process %d has cancelled a receive that was not open", rank);
    return false;
}

/* "param NAME VALUE" */
static bool take_params(struct scan *scan)
{
    struct recording *recording = scan->recording;
    for (;;) {
        struct scan before = *scan;
        struct recorded_param param;
        if (!next_line(scan) || !next_word(scan) || !word_is(scan, "param")) {
            *scan = before;
            return true;
        }
        if (!take_text(scan, "a name", &param.name) ||
            !take_number(scan, -NUMBER_MOST, NUMBER_MOST, "a whole number", &param.value) || !line_ends(scan))
            return false;
        recording->params = alloc_resize(recording->params, (size_t)recording->n_params + 1, sizeof param);
        recording->params[recording->n_params++] = param;
    }
}

static bool take_head(struct scan *scan)
{
    int64_t version;
    if (!next_line(scan) || !next_word(scan) || !word_is(scan, "pevpm-recording")) {
        diag_error(scan->diags, place_of_file(scan->source->name),
                   "this is no recording: it does not begin with `pevpm-recording`");
        return false;
    }
    if (!take_number(scan, 0, INT_MAX, "a version", &version))
        return false;
    if (version != VERSION) {
        diag_error(scan->diags, source_place(scan->source, scan->word, scan->word_length),
                   "the recording is of version %" PRId64 ", this program reads version %d: record the program again",
                   version, VERSION);
        return false;
    }
    return line_ends(scan) && take_params(scan) && next_line(scan) && take_keyword(scan, "ranks") &&
           take_int(scan, 1, RANKS_MOST, "a number of processes", &scan->recording->ranks) && line_ends(scan);
}

static bool take_recording(struct scan *scan)
{
    int number;
    struct recording *recording = scan->recording;
    if (!take_head(scan))
        return false;
    if ((size_t)recording->ranks > scan->source->n_lines) { /* each has a line: no memory for what cannot be there */
        scan->line = scan->source->n_lines;
        scan->word_length = 0;
        return refuse(scan, "a section for each process");
    }
    recording->processes = alloc_zeroed((size_t)recording->ranks, sizeof *recording->processes);
    for (int rank = 0; rank < recording->ranks; rank++)
        if (!take_section(scan, rank))
            return false;
    scan->word_length = 0;
    if (!next_line(scan))
        return refuse(scan, "`end`");
    return take_keyword(scan, "end") &&
           take_int(scan, recording->ranks, recording->ranks, "the number of processes", &number) && line_ends(scan);
}

static enum status read_source(struct recording *recording, const struct source *source, struct diags *diags)
{
    struct scan scan = {.source = source, .recording = recording, .diags = diags};
    recording->name = arena_string_n(&recording->memory, source->name, strlen(source->name));
    size_t errors = diags->n_errors;
    if (take_recording(&scan))
        return STATUS_OK;
    if (diags->n_errors == errors) {
        scan.line = source->n_lines;
        scan.word_length = 0;
        refuse(&scan, "more lines");
    }
    return STATUS_SCHEMA;
}

enum status recording_read_text(struct recording *recording, const char *name, const char *text, size_t length,
                                struct diags *diags)
{
    *recording = (struct recording){.memory = ARENA_EMPTY};
    struct source *source = source_from_text(name, text, length);
    enum status status = read_source(recording, source, diags);
    source_destroy(source);
    return status;
}

enum status recording_read(struct recording *recording, const char *path, struct diags *diags)
{
    struct source *source;
    *recording = (struct recording){.memory = ARENA_EMPTY};
    char *part = alloc_format("%s.part.0", path);
    bool killed = access(path, F_OK) != 0 && access(part, F_OK) == 0;
    if (killed)
        diag_error(diags, place_of_file(path), "the run did not come to its end; what was known of each process is in "
                   "%s and its like: --join them first", part);
    free(part);
    if (killed)
        return STATUS_IO;
    enum status status = source_read(&source, path, diags);
    if (status != STATUS_OK)
        return status;
    status = read_source(recording, source, diags);
    source_destroy(source);
    return status;
}

void recording_free(struct recording *recording)
{
    for (int rank = 0; recording->processes && rank < recording->ranks; rank++) {
        struct recorded_process *process = &recording->processes[rank];
        recorded_nodes_free(process->n, process->nodes);
        free(process->modules);
        free(process->paths);
        free(process->comms);
        free(process->lists);
    }
    free(recording->processes);
    free(recording->params);
    arena_free(&recording->memory);
    *recording = (struct recording){.memory = ARENA_EMPTY};
}

enum status recordings_check(size_t n, const struct recording recordings[], struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n; i++)
        for (int rank = 0; rank < recordings[i].ranks; rank++) {
            const struct recorded_process *process = &recordings[i].processes[rank];
            if (process->stopped)
                diag_error(diags, place_of_file(recordings[i].name), "the recording of process %d ended early: %s",
                           rank, process->stopped);
            else if (process->alike == FOLD_SHAPES)
                diag_error(diags, place_of_file(recordings[i].name),
                           "the calls of process %d repeat themselves nowhere, so that their partners and tags were not "
                           "kept: record a shorter run", rank);
            else
                continue;
            status = STATUS_SCHEMA;
            break; /* the first process of a recording is enough */
        }
    return status;
}

bool recording_crowded(const struct recording *recording)
{
    for (int a = 0; a < recording->ranks; a++) {
        int64_t here = 0;
        for (int b = 0; b < recording->ranks; b++)
            here += strcmp(recording->processes[a].host, recording->processes[b].host) == 0;
        if (here > recording->processes[a].processors)
            return true;
    }
    return false;
}

/* ---- of several ---- */

static const struct recorded_param *param_find(const struct recording *recording, const char *name)
{
    for (int i = 0; i < recording->n_params; i++)
        if (strcmp(recording->params[i].name, name) == 0)
            return &recording->params[i];
    return NULL;
}

/* False: one has none of that name. */
static bool param_values(size_t n, const struct recording recordings[], const char *name, int64_t values[])
{
    for (size_t r = 0; r < n; r++) {
        const struct recorded_param *param = param_find(&recordings[r], name);
        if (!param)
            return false;
        values[r] = param->value;
    }
    return true;
}

int recordings_params(size_t n, const struct recording recordings[], const char ***names, int64_t ***values)
{
    const struct recording *first = &recordings[0];
    int found = 0;
    *names = alloc_array((size_t)first->n_params, sizeof **names);
    *values = alloc_array((size_t)first->n_params, sizeof **values);
    for (int i = 0; i < first->n_params; i++) {
        int64_t *of = alloc_array(n, sizeof *of);
        if (!param_values(n, recordings, first->params[i].name, of)) {
            free(of);
            continue;
        }
        (*names)[found] = first->params[i].name;
        (*values)[found++] = of;
    }
    return found;
}

void recordings_params_free(int n_params, const char **names, int64_t **values)
{
    for (int i = 0; i < n_params; i++)
        free(values[i]);
    free(names);
    free(values);
}
