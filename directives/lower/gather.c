#include "directives/lower/lower_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- occasions ---- */

/* How often this walk has met the directive with the communicator before. */
static int32_t times_met(struct lowering *lowering, int32_t statement, int32_t comm)
{
    for (size_t i = 0; i < lowering->n_met; i++)
        if (lowering->met[i].statement == statement && lowering->met[i].comm == comm)
            return lowering->met[i].n++;
    lowering->met = alloc_grow(lowering->met, lowering->n_met, &lowering->met_capacity, sizeof *lowering->met);
    lowering->met[lowering->n_met++] = (struct meeting){statement, comm, 1};
    return 0;
}

static bool same_gathering(const void *context, int32_t id)
{
    const struct lowering *lowering = context;
    const struct gathering *a = &lowering->gatherings[lowering->n_gatherings], *b = &lowering->gatherings[id];
    return a->statement == b->statement && a->comm == b->comm && a->nth == b->nth;
}

struct gathering *lower_meet(struct lowering *lowering, const struct stmt *stmt, int32_t comm)
{
    lowering->gatherings = alloc_grow(lowering->gatherings, lowering->n_gatherings, &lowering->gatherings_capacity,
                                      sizeof *lowering->gatherings);
    struct gathering *new = &lowering->gatherings[lowering->n_gatherings]; /* what same_gathering compares with */
    *new = (struct gathering){.statement = stmt->number, .comm = comm, .missing = -1};
    new->nth = times_met(lowering, stmt->number, comm);
    int32_t words[] = {new->statement, new->comm, new->nth};
    uint64_t hash = intern_hash(0, words, sizeof words);
    int32_t id = intern_find(&lowering->gatherings_index, hash, same_gathering, lowering);
    if (id >= 0)
        return &lowering->gatherings[id];
    assert(lowering->gathering);
    size_t n = (size_t)lowering->program->comms[comm].n;
    new->n = (int32_t)n;
    new->came = alloc_zeroed(n, sizeof *new->came);
    new->unknown = alloc_zeroed(n, sizeof *new->unknown);
    if (stmt->kind == STMT_MAKE) {
        new->maker = stmt->make.maker;
        new->sayings = alloc_zeroed(n, sizeof *new->sayings);
        new->made = alloc_array(n, sizeof *new->made);
    } else {
        bool rows = stmt->collective.over_partner && collective_op_sizes(stmt->collective.op) != SIZES_root;
        new->n_said = rows ? program_rows(lowering->program, stmt->collective.op, comm) : n;
        new->said = alloc_zeroed(new->n_said, sizeof *new->said);
    }
    intern_add(&lowering->gatherings_index, hash, (int32_t)lowering->n_gatherings);
    return &lowering->gatherings[lowering->n_gatherings++];
}

/* Notes that the process has come, as *rank. False where it has before. */
static bool come(struct lowering *lowering, struct gathering *gathering, bool is_known, int32_t *rank)
{
    *rank = program_comm_rank(lowering->program, gathering->comm, lowering->scope.process);
    assert(*rank >= 0);
    if (gathering->settled || gathering->came[*rank])
        return false;
    gathering->came[*rank] = true;
    gathering->unknown[*rank] = !is_known;
    gathering->n_came++;
    return true;
}

void lower_say(struct lowering *lowering, struct gathering *gathering, bool is_known, int64_t said)
{
    int32_t rank;
    if (come(lowering, gathering, is_known, &rank))
        gathering->said[rank] = said;
}

void lower_say_lists(struct lowering *lowering, struct gathering *gathering, bool is_known, struct saying saying)
{
    int32_t rank;
    if (come(lowering, gathering, is_known, &rank))
        gathering->sayings[rank] = saying;
    else
        free(saying.values);
}

void lower_say_row(struct lowering *lowering, struct gathering *gathering, bool is_known, struct program_row row,
                   const int64_t values[])
{
    int32_t rank;
    if (come(lowering, gathering, is_known, &rank) && values)
        memcpy(gathering->said + row.first, values, (size_t)row.n * sizeof *values);
}

/* ---- settling ---- */

struct shares_key {
    const struct lowering *lowering;
    const struct gathering *gathering;
};

static bool same_shares(const void *context, int32_t id)
{
    const struct shares_key *key = context;
    const struct gathering *a = key->gathering, *b = &key->lowering->gatherings[id];
    return a->n_said == b->n_said && memcmp(a->said, b->shares, a->n_said * sizeof *a->said) == 0;
}

/* Keeps what all have said, equal arrays once. */
static void keep_shares(struct lowering *lowering, struct gathering *gathering)
{
    size_t n = gathering->n_said, bytes = n * sizeof *gathering->said;
    for (int32_t i = 0; i < gathering->n; i++)
        if (!gathering->came[i] || gathering->unknown[i])
            return;
    struct shares_key key = {lowering, gathering};
    uint64_t hash = intern_hash(0, gathering->said, bytes);
    int32_t id = intern_find(&lowering->shares_index, hash, same_shares, &key);
    if (id >= 0) {
        gathering->shares = lowering->gatherings[id].shares;
        return;
    }
    int64_t *shares = arena_alloc(&lowering->program->memory, n, sizeof *shares);
    memcpy(shares, gathering->said, bytes);
    gathering->shares = shares;
    intern_add(&lowering->shares_index, hash, (int32_t)(gathering - lowering->gatherings));
}

static void forget_said(struct gathering *gathering)
{
    for (int32_t rank = 0; gathering->sayings && rank < gathering->n; rank++)
        free(gathering->sayings[rank].values);
    free(gathering->came);
    free(gathering->unknown);
    free(gathering->said);
    free(gathering->sayings);
    gathering->came = gathering->unknown = NULL;
    gathering->said = NULL;
    gathering->sayings = NULL;
}

static void settle(struct lowering *lowering, struct gathering *gathering)
{
    if (gathering->made)
        lower_make_comms(lowering, gathering);
    else
        keep_shares(lowering, gathering);
    forget_said(gathering);
    gathering->settled = true;
}

/* What became of a process in the walks so far. */
enum walked { WALKED_HALT, WALKED_END, WALKED_FAIL };

/* A member that has not come and will not, -1: all others stopped at an error of their own. halted: one that was
 * halted before will not come either. */
static int32_t find_missing(const struct lowering *lowering, const struct gathering *gathering,
                            const enum walked walked[], bool halted)
{
    for (int32_t rank = 0; rank < gathering->n; rank++) {
        int32_t process = program_comm_process(lowering->program, gathering->comm, rank);
        if (!gathering->came[rank] && (walked[process] == WALKED_END || (halted && walked[process] == WALKED_HALT)))
            return process;
    }
    return -1;
}

/* Settles those to which all came, and returns how many. */
static size_t settle_complete(struct lowering *lowering)
{
    size_t n = 0;
    for (size_t i = 0; i < lowering->n_gatherings; i++) {
        struct gathering *gathering = &lowering->gatherings[i];
        if (gathering->settled || gathering->n_came < gathering->n)
            continue;
        settle(lowering, gathering);
        n++;
    }
    return n;
}

/* Settles those that somebody will never come to, or where `all`, the rest too; returns how many. */
static size_t settle_incomplete(struct lowering *lowering, const enum walked walked[], bool all)
{
    size_t n = 0;
    for (size_t i = 0; i < lowering->n_gatherings; i++) {
        struct gathering *gathering = &lowering->gatherings[i];
        if (gathering->settled)
            continue;
        gathering->missing = find_missing(lowering, gathering, walked, all);
        if (gathering->missing < 0 && !all)
            continue;
        settle(lowering, gathering);
        n++;
    }
    return n;
}

/* ---- walks ---- */

static bool walk(struct lowering *lowering, enum walked walked[])
{
    bool halted = false;
    for (int process = 0; process < lowering->program->numprocs && lowering->status == STATUS_OK; process++) {
        if (walked[process] != WALKED_HALT)
            continue;
        lower_begin(lowering, process);
        lower_block(lowering, &lowering->tree->program);
        if (!lowering->scope.unmade)
            walked[process] = lowering->dead ? WALKED_FAIL : WALKED_END;
        halted = halted || lowering->scope.unmade;
    }
    return halted;
}

void lower_gather(struct lowering *lowering)
{
    if (!lowering->gathers || lowering->status != STATUS_OK)
        return;
    enum walked *walked = alloc_zeroed((size_t)lowering->program->numprocs, sizeof *walked);
    lowering->dry = lowering->gathering = true;
    bool halted = true;
    while (halted && lowering->status == STATUS_OK) {
        halted = walk(lowering, walked);
        if (settle_complete(lowering) > 0 || settle_incomplete(lowering, walked, false) > 0)
            continue;
        settle_incomplete(lowering, walked, true);
    }
    settle_incomplete(lowering, walked, true);
    lowering->dry = lowering->gathering = false;
    free(walked);
}

void lower_gather_free(struct lowering *lowering)
{
    for (size_t i = 0; i < lowering->n_gatherings; i++) {
        forget_said(&lowering->gatherings[i]);
        free(lowering->gatherings[i].made);
    }
    free(lowering->gatherings);
    free(lowering->met);
    intern_free(&lowering->gatherings_index);
    intern_free(&lowering->comms_index);
    intern_free(&lowering->shares_index);
}
