#include "executor/remote_verifier.h"

#include "common/alloc.h"
#include "executor/verifier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTED_MOST = 20 };
/* Bytes that a process has for others to get; of a longer get the beginning is looked at. */
static const int64_t OWN_MOST = INT64_C(1) << 22;
enum { OWN_NUMBER = -1 };           /* of a put that nobody makes */

/* An access that is not over. */
struct access {
    bool gets;
    size_t window;
    int peer;
    int64_t bytes;
    int32_t site;
    void *memory;                   /* [bytes] */
};

/* A get that brought something else. */
struct wrong_get {
    int peer;
    int64_t bytes;
    int32_t site;
};

struct remote_verifier {
    const struct program *program;
    int process;
    int64_t longest;
    unsigned char *memory, *expected; /* expected: to compare with, as long as any was */
    int64_t expected_bytes;
    uint32_t replication;
    int64_t *n_to;                  /* [numprocs] puts so far */
    struct remote_put *puts;        /* [numprocs][REMOTE_PLACES] */
    bool *is_open;                  /* likewise: the last put is not over */
    size_t n_open, open_capacity, n_wrong, wrong_capacity;
    struct access *open;
    struct wrong_get *wrong;
};

int64_t remote_memory_bytes(int numprocs, int64_t longest)
{
    return longest * (1 + (int64_t)numprocs * REMOTE_PLACES);
}

static int64_t place_offset(const struct remote_verifier *v, int from, int64_t place)
{
    return v->longest * (1 + (int64_t)from * REMOTE_PLACES + place);
}

static struct stamp own_stamp(int process)
{
    return (struct stamp){.from = process, .number = OWN_NUMBER};
}

static struct stamp put_stamp(const struct remote_verifier *v, int from, const struct remote_put *put)
{
    return (struct stamp){.from = from, .replication = v->replication, .number = put->number};
}

static bool is_expected(struct remote_verifier *v, const void *memory, int64_t bytes, struct stamp stamp)
{
    if (bytes > v->expected_bytes) {
        v->expected_bytes = bytes;
        v->expected = alloc_resize(v->expected, (size_t)bytes, 1);
    }
    contents_write(v->expected, (size_t)bytes, &stamp);
    return memcmp(memory, v->expected, (size_t)bytes) == 0;
}

static int64_t own_bytes(int64_t bytes)
{
    return bytes < OWN_MOST ? bytes : OWN_MOST;
}

struct remote_verifier *remote_verifier_create(const struct program *program, int process, int64_t longest,
                                               void *memory)
{
    const size_t numprocs = (size_t)program->numprocs;
    struct remote_verifier *v = alloc_zeroed(1, sizeof *v);
    v->program = program;
    v->process = process;
    v->longest = longest;
    v->memory = memory;
    v->expected = alloc_array(1, 1);
    v->n_to = alloc_zeroed(numprocs, sizeof *v->n_to);
    v->puts = alloc_zeroed(numprocs * REMOTE_PLACES, sizeof *v->puts);
    v->is_open = alloc_zeroed(numprocs * REMOTE_PLACES, sizeof *v->is_open);
    const struct stamp own = own_stamp(process);
    contents_write(memory, (size_t)own_bytes(longest), &own);
    return v;
}

static void accesses_free(struct remote_verifier *v)
{
    for (size_t i = 0; i < v->n_open; i++)
        free(v->open[i].memory);
    v->n_open = 0;
}

void remote_verifier_destroy(struct remote_verifier *v)
{
    if (!v)
        return;
    accesses_free(v);
    free(v->open);
    free(v->wrong);
    free(v->expected);
    free(v->n_to);
    free(v->puts);
    free(v->is_open);
    free(v);
}

void remote_verifier_reset(struct remote_verifier *v, uint32_t replication)
{
    const size_t numprocs = (size_t)v->program->numprocs;
    accesses_free(v);
    v->n_wrong = 0;
    v->replication = replication;
    memset(v->n_to, 0, numprocs * sizeof *v->n_to);
    memset(v->puts, 0, numprocs * REMOTE_PLACES * sizeof *v->puts);
    memset(v->is_open, 0, numprocs * REMOTE_PLACES * sizeof *v->is_open);
}

static void *access_open(struct remote_verifier *v, const struct access *access)
{
    v->open = alloc_grow(v->open, v->n_open, &v->open_capacity, sizeof *v->open);
    struct access *opened = &v->open[v->n_open++];
    *opened = *access;
    opened->memory = alloc_zeroed((size_t)access->bytes, 1);
    return opened->memory;
}

void *remote_verifier_put(struct remote_verifier *v, size_t window, int peer, int64_t bytes, int32_t site,
                          int64_t *offset)
{
    const int64_t number = v->n_to[peer]++, place = number % REMOTE_PLACES;
    const size_t at = (size_t)peer * REMOTE_PLACES + (size_t)place;
    v->puts[at] = (struct remote_put){.bytes = bytes, .number = number, .site = site, .is_known = !v->is_open[at]};
    v->is_open[at] = true;
    *offset = place_offset(v, v->process, place);
    void *memory = access_open(v, &(struct access){.window = window, .peer = peer, .bytes = bytes, .site = site});
    const struct stamp stamp = put_stamp(v, v->process, &v->puts[at]);
    contents_write(memory, (size_t)bytes, &stamp);
    return memory;
}

void *remote_verifier_get(struct remote_verifier *v, size_t window, int peer, int64_t bytes, int32_t site,
                          int64_t *offset)
{
    *offset = 0;
    return access_open(v, &(struct access){.gets = true, .window = window, .peer = peer, .bytes = bytes, .site = site});
}

static void got_check(struct remote_verifier *v, const struct access *access)
{
    if (is_expected(v, access->memory, own_bytes(access->bytes), own_stamp(access->peer)))
        return;
    v->wrong = alloc_grow(v->wrong, v->n_wrong, &v->wrong_capacity, sizeof *v->wrong);
    v->wrong[v->n_wrong++] = (struct wrong_get){.peer = access->peer, .bytes = access->bytes, .site = access->site};
}

/* Puts of other windows to the same process may still be under way: places are told apart by them, not by their
 * window. */
static void places_end(struct remote_verifier *v, int peer)
{
    for (size_t i = 0; i < v->n_open; i++)
        if (!v->open[i].gets && v->open[i].peer == peer)
            return;
    memset(v->is_open + (size_t)peer * REMOTE_PLACES, 0, REMOTE_PLACES * sizeof *v->is_open);
}

void remote_verifier_end(struct remote_verifier *v, size_t window, int peer)
{
    size_t left = 0;
    for (size_t i = 0; i < v->n_open; i++) {
        const struct access *access = &v->open[i];
        if (access->window != window || (peer != REMOTE_ALL && access->peer != peer)) {
            v->open[left++] = *access;
            continue;
        }
        if (access->gets)
            got_check(v, access);
        free(access->memory);
    }
    v->n_open = left;
    for (int p = 0; p < v->program->numprocs; p++)
        places_end(v, p);
}

const struct remote_put *remote_verifier_puts(const struct remote_verifier *v)
{
    return v->puts;
}

static void got_complain(const struct remote_verifier *v, const struct wrong_get *get, struct diags *diags)
{
    const struct site *at = &v->program->sites[get->site];
    diag_error(diags, at->at,
               "%s in process %d (of %d) got %" PRId64 " bytes from process %d that are not what is there", at->what,
               v->process, v->program->numprocs, get->bytes, get->peer);
}

static void put_complain(const struct remote_verifier *v, int from, const struct remote_put *put, struct diags *diags)
{
    const struct site *at = &v->program->sites[put->site];
    diag_error(diags, at->at, "%s in process %d (of %d) put %" PRId64 " bytes to process %d that are not where they should "
               "be", at->what, from, v->program->numprocs, put->bytes, v->process);
}

size_t remote_verifier_judge(struct remote_verifier *v, const struct remote_put puts[], struct diags *diags)
{
    size_t n_errors = v->n_wrong;
    for (size_t i = 0; i < v->n_wrong && i < REPORTED_MOST; i++)
        got_complain(v, &v->wrong[i], diags);
    for (int from = 0; from < v->program->numprocs; from++)
        for (int place = 0; place < REMOTE_PLACES; place++) {
            const struct remote_put *put = &puts[from * REMOTE_PLACES + place];
            const unsigned char *there = v->memory + place_offset(v, from, place);
            if (put->is_known && !is_expected(v, there, put->bytes, put_stamp(v, from, put)) &&
                n_errors++ < REPORTED_MOST)
                put_complain(v, from, put, diags);
        }
    return n_errors;
}
