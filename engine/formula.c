#include "engine/formula.h"

#include "common/alloc.h"
#include "models/cost.h"
#include "models/lmo_collective.h"
#include "models/model_list.h"
#include "models/schedule_cost.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const struct collective_formulas *own; /* NULL: its messages tell */
} models[] = {
#define X(name, given, formula) {#name, formula},
    ANALYTICAL_LIST(X)
#undef X
};

/* Kept times pass BYTES_MOST only where they are of one collective alone; then those before are forgotten. */
enum { N_FORMULAS = sizeof models / sizeof *models, BUCKETS = 256, BYTES_MOST = 32 << 20 };

struct known {
    struct known *next;          /* of its bucket */
    struct schedule schedule;    /* rank 0; sums and pairs: behind leaves; NULL */
    int model;
    int32_t comm;
    double leaves[];             /* [size], then the sums: int64_t [size + 1], and the pairs: [size][size] */
};

struct formulas {
    const struct program *program;
    const struct machine *machine;
    const volatile sig_atomic_t *stop;
    struct cost_model *models[N_FORMULAS]; /* NULL: not opened */
    size_t bytes;
    struct known *buckets[BUCKETS];
};

struct formulas *formulas_create(const struct program *program, const struct machine *machine,
                                 const volatile sig_atomic_t *stop)
{
    struct formulas *f = alloc_zeroed(1, sizeof *f);
    f->program = program;
    f->machine = machine;
    f->stop = stop;
    return f;
}

static void known_forget(struct formulas *f)
{
    for (int b = 0; b < BUCKETS; b++)
        for (struct known *known = f->buckets[b], *next; known; known = next) {
            next = known->next;
            free(known);
        }
    memset(f->buckets, 0, sizeof f->buckets);
    f->bytes = 0;
}

void formulas_destroy(struct formulas *f)
{
    if (!f)
        return;
    known_forget(f);
    for (int i = 0; i < N_FORMULAS; i++)
        cost_model_close(f->models[i]);
    free(f);
}

/* ---- models ---- */

enum status formulas_find(struct formulas *f, const struct machine_collective *entry, int *model, struct diags *diags)
{
    *model = 0;
    while (strcmp(models[*model].name, entry->model) != 0) /* the machine file has been checked: it is there */
        ++*model;
    /* Ports act; a process a node, for which no model has anything to note. */
    struct cost_options options = {.model = entry->model, .contention = CONTENTION_scoreboard, .ppn = 1};
    return f->models[*model] ? STATUS_OK : cost_model_open(&f->models[*model], f->machine, &options, diags);
}

/* ---- one collective ---- */

static bool times_work_out(const struct formulas *f, int model, int32_t comm, const struct schedule *schedule,
                           double leaves[])
{
    int *node = alloc_array((size_t)schedule->size, sizeof *node);
    for (int32_t rank = 0; rank < schedule->size; rank++)
        node[rank] = program_node(f->program, program_comm_process(f->program, comm, rank));
    struct schedule_cost cost = {f->machine, f->models[model], models[model].own, node, f->stop};
    bool known = schedule_cost_times(&cost, schedule, leaves);
    free(node);
    return known;
}

/* ---- what is known ---- */

static uint64_t key_mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9e3779b97f4a7c15u; /* Fibonacci hashing */
    return key ^ key >> 29;
}

static size_t sums_bytes(const struct schedule *s)
{
    return s->sums ? ((size_t)s->size + 1) * sizeof *s->sums : 0;
}

static size_t pairs_bytes(const struct schedule *s)
{
    return s->pairs ? schedule_n_pairs(s) * sizeof *s->pairs : 0;
}

static int64_t bytes_key(const struct schedule *s)
{
    return s->sums ? s->sums[s->size] : s->bytes;
}

static size_t bucket_of(int model, int32_t comm, const struct schedule *s)
{
    uint64_t key = key_mix((uint64_t)model, (uint64_t)comm);
    key = key_mix(key, (uint64_t)s->op << 32 | (uint64_t)s->algorithm);
    key = key_mix(key, (uint64_t)s->root);
    key = key_mix(key, (uint64_t)s->segment);
    return key_mix(key, (uint64_t)bytes_key(s)) % BUCKETS;
}

static bool same_schedule(const struct schedule *a, const struct schedule *b)
{
    return a->op == b->op && a->algorithm == b->algorithm && a->root == b->root && a->segment == b->segment &&
           a->leaves_empty == b->leaves_empty && a->sends_empty == b->sends_empty && !a->sums == !b->sums &&
           !a->pairs == !b->pairs && bytes_key(a) == bytes_key(b) &&
           (!a->sums || memcmp(a->sums, b->sums, sums_bytes(a)) == 0) &&
           (!a->pairs || memcmp(a->pairs, b->pairs, pairs_bytes(a)) == 0);
}

/* Room for the answer, not in its bucket yet. */
static struct known *known_make(struct formulas *f, int model, int32_t comm, const struct schedule *s)
{
    size_t bytes = sizeof(struct known) + (size_t)s->size * sizeof(double) + sums_bytes(s) + pairs_bytes(s);
    if (f->bytes + bytes > BYTES_MOST)
        known_forget(f);
    f->bytes += bytes;
    struct known *known = alloc_array(bytes, 1);
    *known = (struct known){.schedule = *s, .model = model, .comm = comm};
    if (s->sums) {
        int64_t *sums = (int64_t *)(known->leaves + s->size);
        memcpy(sums, s->sums, sums_bytes(s));
        known->schedule.sums = sums;
        if (s->pairs)
            known->schedule.pairs = memcpy(sums + s->size + 1, s->pairs, pairs_bytes(s));
    }
    return known;
}

bool formulas_times(struct formulas *f, int model, int32_t comm, const struct schedule *s, double leaves[])
{
    assert(f->models[model]);
    size_t bucket = bucket_of(model, comm, s);
    struct known *known = f->buckets[bucket];
    while (known && !(known->model == model && known->comm == comm && same_schedule(&known->schedule, s)))
        known = known->next;
    if (!known) {
        known = known_make(f, model, comm, s);
        if (!times_work_out(f, model, comm, s, known->leaves)) {
            free(known);
            return false;
        }
        known->next = f->buckets[bucket];
        f->buckets[bucket] = known;
    }
    memcpy(leaves, known->leaves, (size_t)s->size * sizeof *leaves);
    return true;
}

bool formulas_root_time(const struct formulas *f, int model, const struct schedule *s, double leaves,
                        enum collective_before before, struct distribution *time)
{
    const struct collective_formulas *own = models[model].own;
    return own && own->root_time && own->root_time(f->machine, s, leaves, before, time);
}
