#include "executor/verifier.h"

#include "common/alloc.h"
#include "engine/operand.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t MAGIC = 0x70657670;
enum { NOBODY = -1, REPORTED_MOST = 20 };

/* ---- stamps ---- */

/* A word of the contents (Marsaglia's xorshift of the stamp and the place). */
static uint64_t word_of(const struct stamp *stamp, size_t at)
{
    uint64_t x = ((uint64_t)(uint32_t)stamp->from << 40 ^ (uint64_t)stamp->replication << 52 ^
                  (uint64_t)stamp->number << 20 ^ (uint64_t)at) + 0x9e3779b97f4a7c15u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

/* As FNV-1a (Fowler, Noll, Vo), by words. */
static uint64_t checksum_of(const unsigned char *bytes, size_t n)
{
    uint64_t hash = 14695981039346656037u, word;
    for (size_t i = 0; i < n; i += sizeof word) {
        word = 0;
        memcpy(&word, bytes + i, n - i < sizeof word ? n - i : sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 32;
    }
    return hash;
}

void contents_write(void *memory, size_t n, const struct stamp *stamp)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t word = word_of(stamp, i);
        memcpy(bytes + i, &word, n - i < sizeof word ? n - i : sizeof word);
    }
}

void stamp_write(void *memory, const struct stamp *stamp)
{
    unsigned char *bytes = memory;
    if (stamp->bytes < STAMP_BYTES) {
        contents_write(bytes, (size_t)stamp->bytes, stamp);
        return;
    }
    size_t n = (size_t)stamp->bytes - STAMP_BYTES;
    contents_write(bytes + STAMP_BYTES, n, stamp);
    struct stamp whole = *stamp;
    whole.magic = MAGIC;
    whole.checksum = checksum_of(bytes + STAMP_BYTES, n);
    memcpy(bytes, &whole, sizeof whole);
}

const char *stamp_read(const void *memory, int64_t bytes, uint32_t replication, int from, int64_t *number)
{
    struct stamp stamp;
    *number = -1;
    if (bytes < STAMP_BYTES)
        return NULL;
    memcpy(&stamp, memory, sizeof stamp);
    if (stamp.magic != MAGIC)
        return "it does not begin as messages do";
    *number = stamp.number;
    if (stamp.from != from)
        return "its status names another sender than it does itself";
    if (stamp.replication != replication)
        return "it is of another run";
    if (stamp.bytes != bytes)
        return "it is not as long as when it was sent";
    if (stamp.checksum != checksum_of((const unsigned char *)memory + STAMP_BYTES, (size_t)bytes - STAMP_BYTES))
        return "its contents are not what was sent";
    return NULL;
}

/* ---- what happens ---- */

/* A receive or a probe. */
struct taking {
    bool probes, is_done;
    int32_t from, comm, tag, site;  /* asked for */
    int32_t got_from, got_tag;      /* where is_done */
    int64_t got_bytes, number;
    const char *wrong;
};

struct verifier {
    const struct program *program;
    int process;
    int64_t *n_to;                  /* [numprocs] sent so far */
    size_t n_sent, sent_capacity, n_takings, takings_capacity;
    struct sent_message *sent;
    struct taking *takings;
};

struct verifier *verifier_create(const struct program *program, int process)
{
    struct verifier *verifier = alloc_zeroed(1, sizeof *verifier);
    verifier->program = program;
    verifier->process = process;
    verifier->n_to = alloc_zeroed((size_t)program->numprocs, sizeof *verifier->n_to);
    return verifier;
}

void verifier_destroy(struct verifier *verifier)
{
    if (!verifier)
        return;
    free(verifier->n_to);
    free(verifier->sent);
    free(verifier->takings);
    free(verifier);
}

void verifier_reset(struct verifier *verifier)
{
    verifier->n_sent = verifier->n_takings = 0;
    memset(verifier->n_to, 0, (size_t)verifier->program->numprocs * sizeof *verifier->n_to);
}

int64_t verifier_send(struct verifier *verifier, const struct sent_message *message)
{
    verifier->sent = alloc_grow(verifier->sent, verifier->n_sent, &verifier->sent_capacity, sizeof *verifier->sent);
    verifier->sent[verifier->n_sent++] = *message;
    return verifier->n_to[message->to]++;
}

static struct taking *taking_add(struct verifier *verifier)
{
    verifier->takings =
        alloc_grow(verifier->takings, verifier->n_takings, &verifier->takings_capacity, sizeof *verifier->takings);
    return &verifier->takings[verifier->n_takings++];
}

int64_t verifier_post(struct verifier *verifier, int32_t from, int32_t comm, int32_t tag, int32_t site)
{
    *taking_add(verifier) = (struct taking){.from = from, .comm = comm, .tag = tag, .site = site};
    return (int64_t)verifier->n_takings - 1;
}

void verifier_take(struct verifier *verifier, int64_t posted, int from, int32_t tag, int64_t bytes, int64_t number,
                   const char *wrong)
{
    struct taking *taking = &verifier->takings[posted];
    taking->is_done = true;
    taking->got_from = from;
    taking->got_tag = tag;
    taking->got_bytes = bytes;
    taking->number = number;
    taking->wrong = wrong;
}

void verifier_see(struct verifier *verifier, int32_t from, int32_t comm, int32_t tag, int32_t site, int seen_from,
                  int32_t seen_tag, int64_t seen_bytes)
{
    int64_t posted = verifier_post(verifier, from, comm, tag, site);
    verifier->takings[posted].probes = true;
    verifier_take(verifier, posted, seen_from, seen_tag, seen_bytes, -1, NULL);
}

const struct sent_message *verifier_sent(const struct verifier *verifier, size_t *n)
{
    *n = verifier->n_sent;
    return verifier->sent;
}

/* ---- the judgement ---- */

struct judgement {
    const struct verifier *verifier;
    const struct sent_message *messages;
    const size_t *first;            /* [numprocs + 1] */
    size_t *untaken;                /* [numprocs] of each sender: all before it are taken */
    int64_t *taken_by;              /* [messages] number of the receive; NOBODY */
    size_t n_errors;
    struct diags *diags;
};

static bool fits(const struct taking *taking, const struct sent_message *message)
{
    return taking->comm == message->comm && (taking->tag == OPERAND_ANY_TAG || taking->tag == message->tag);
}

/* The first message of a sender that fits and that none before took; SIZE_MAX: there is none. */
static size_t expected_find(struct judgement *j, const struct taking *taking, int from)
{
    while (j->untaken[from] < j->first[from + 1] && j->taken_by[j->untaken[from]] != NOBODY)
        j->untaken[from]++;
    for (size_t i = j->untaken[from]; i < j->first[from + 1]; i++)
        if (j->taken_by[i] == NOBODY && fits(taking, &j->messages[i]))
            return i;
    return SIZE_MAX;
}

static const struct site *site_of(const struct judgement *j, int32_t site)
{
    return &j->verifier->program->sites[site];
}

/* An error at the receive, and a note at each of the sends that it is about (SIZE_MAX: none). */
static void complain(struct judgement *j, const struct taking *taking, size_t got, size_t due, const char *what)
{
    const struct site *at = site_of(j, taking->site);
    if (j->n_errors++ >= REPORTED_MOST)
        return;
    diag_error(j->diags, at->at, "%s in process %d (of %d) %s a message of %" PRId64 " bytes with tag %d from process "
               "%d: %s", at->what, j->verifier->process, j->verifier->program->numprocs,
               taking->probes ? "saw" : "took", taking->got_bytes, taking->got_tag, taking->got_from, what);
    if (got != SIZE_MAX)
        diag_note(j->diags, site_of(j, j->messages[got].site)->at, "this %s sent it",
                  site_of(j, j->messages[got].site)->what);
    if (due != SIZE_MAX)
        diag_note(j->diags, site_of(j, j->messages[due].site)->at,
                  "this %s sent what it should have been: %" PRId64 " bytes with tag %d",
                  site_of(j, j->messages[due].site)->what, j->messages[due].bytes, j->messages[due].tag);
}

/* The message that was delivered, where its stamp says so; SIZE_MAX: it does not, or there is none of that number. */
static size_t delivered_find(const struct judgement *j, const struct taking *taking)
{
    size_t n = j->first[taking->got_from + 1] - j->first[taking->got_from];
    if (taking->number < 0 || (uint64_t)taking->number >= n)
        return SIZE_MAX;
    return j->first[taking->got_from] + (size_t)taking->number;
}

static void taking_judge(struct judgement *j, const struct taking *taking, int64_t number)
{
    size_t due = expected_find(j, taking, taking->got_from), got = delivered_find(j, taking);
    if (taking->from != OPERAND_ANY_PEER && taking->from != taking->got_from)
        complain(j, taking, got, SIZE_MAX, "it names another sender");
    else if (taking->wrong)
        complain(j, taking, got, due, taking->wrong);
    else if (due == SIZE_MAX)
        complain(j, taking, got, due, "no message of that sender is left that fits");
    else if (got != SIZE_MAX ? got != due
                             : j->messages[due].tag != taking->got_tag || j->messages[due].bytes != taking->got_bytes)
        complain(j, taking, got, due, "another was sent before it, fits, and no receive before took that one");
    size_t taken = got != SIZE_MAX ? got : due;
    if (!taking->probes && taken != SIZE_MAX)
        j->taken_by[taken] = number;
}

/* A receive that stayed open, though a message fitted that a later one took. */
static void open_judge(struct judgement *j, const struct taking *taking, int64_t number)
{
    int numprocs = j->verifier->program->numprocs;
    for (int p = 0; p < numprocs; p++) {
        if (taking->from != OPERAND_ANY_PEER && taking->from != p)
            continue;
        for (size_t i = j->first[p]; i < j->first[p + 1]; i++)
            if (j->taken_by[i] > number && fits(taking, &j->messages[i])) {
                complain(j, &j->verifier->takings[j->taken_by[i]], i, SIZE_MAX,
                         "a receive that was posted before fits it and got nothing");
                diag_note(j->diags, site_of(j, taking->site)->at, "this receive, which is still open");
                return;
            }
    }
}

size_t verifier_judge(const struct verifier *verifier, const struct sent_message messages[], const size_t first[],
                      struct diags *diags)
{
    size_t numprocs = (size_t)verifier->program->numprocs, n = first[numprocs];
    struct judgement j = {.verifier = verifier, .messages = messages, .first = first, .diags = diags};
    j.untaken = alloc_array(numprocs, sizeof *j.untaken);
    memcpy(j.untaken, first, numprocs * sizeof *j.untaken);
    j.taken_by = alloc_array(n, sizeof *j.taken_by);
    for (size_t i = 0; i < n; i++)
        j.taken_by[i] = NOBODY;
    for (size_t i = 0; i < verifier->n_takings; i++)
        if (verifier->takings[i].is_done)
            taking_judge(&j, &verifier->takings[i], (int64_t)i);
    for (size_t i = 0; i < verifier->n_takings; i++)
        if (!verifier->takings[i].is_done)
            open_judge(&j, &verifier->takings[i], (int64_t)i);
    free(j.untaken);
    free(j.taken_by);
    return j.n_errors;
}
