#include "directives/lower_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- making communicators ---- */

struct member {
    int64_t color, key;
    int32_t rank, process; /* in the parent */
};

/* By color; then in the order of ranks (MPI standard 4.0, section 7.4.2: MPI_COMM_SPLIT). */
static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->color != y->color)
        return x->color < y->color ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

struct place_of {
    int32_t process, rank;
};

static int compare_processes(const void *a, const void *b)
{
    const struct place_of *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

struct comm_key {
    const struct lowering *lowering;
    size_t n;
    const struct member *members;
};

static bool same_comm(const void *context, int32_t id)
{
    const struct comm_key *key = context;
    const struct comm *comm = &key->lowering->program->comms[id];
    if ((size_t)comm->n != key->n)
        return false;
    for (size_t i = 0; i < key->n; i++)
        if (comm->members[i] != key->members[i].process)
            return false;
    return true;
}

/* The communicator of these members that this directive makes, as before where it has made it before. */
static int32_t intern_comm(struct lowering *lowering, int32_t statement, size_t n, const struct member members[])
{
    struct program *program = lowering->program;
    struct comm_key key = {lowering, n, members};
    uint64_t hash = intern_hash((uint64_t)statement, &n, sizeof n);
    for (size_t i = 0; i < n; i++)
        hash = intern_hash(hash, &members[i].process, sizeof members[i].process);
    int32_t id = intern_find(&lowering->comms_index, hash, same_comm, &key);
    if (id >= 0)
        return id;
    assert(program->n_comms < INT32_MAX);
    id = program->n_comms++;
    program->comms = alloc_grow(program->comms, (size_t)id, &lowering->comms_capacity, sizeof *program->comms);
    struct comm *comm = &program->comms[id];
    comm->n = (int32_t)n;
    comm->members = arena_alloc(&program->memory, n, sizeof *comm->members);
    comm->by_process = arena_alloc(&program->memory, n, sizeof *comm->by_process);
    struct place_of *places = alloc_array(n, sizeof *places);
    for (size_t i = 0; i < n; i++) {
        comm->members[i] = members[i].process;
        places[i] = (struct place_of){members[i].process, (int32_t)i};
    }
    qsort(places, n, sizeof *places, compare_processes);
    for (size_t i = 0; i < n; i++)
        comm->by_process[i] = places[i].rank;
    free(places);
    intern_add(&lowering->comms_index, hash, id);
    return id;
}

void lower_make_comms(struct lowering *lowering, struct gathering *gathering)
{
    struct member *members = alloc_array((size_t)gathering->n, sizeof *members);
    size_t n = 0;
    for (int32_t rank = 0; rank < gathering->n; rank++) {
        gathering->made[rank] = SCOPE_COMM_NULL;
        if (gathering->came[rank] && !gathering->unknown[rank] && gathering->said[rank] >= 0)
            members[n++] = (struct member){gathering->said[rank], gathering->key[rank], rank,
                                           program_comm_process(lowering->program, gathering->comm, rank)};
    }
    qsort(members, n, sizeof *members, compare_members);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && members[to].color == members[from].color;)
            to++;
        int32_t comm = intern_comm(lowering, gathering->statement, to - from, &members[from]);
        for (size_t i = from; i < to; i++)
            gathering->made[members[i].rank] = comm;
    }
    free(members);
    lowering->scope.comms = lowering->program->comms;
}

/* ---- the directives ---- */

bool lower_find_comm(struct lowering *lowering, const struct stmt *stmt, const struct expr *name, int32_t *comm)
{
    *comm = 0;
    const char *problem = name ? scope_find_comm(&lowering->scope, name, comm) : NULL;
    if (problem)
        lower_fail(lowering, stmt, &name->at, STATUS_RANGE, "%s", problem);
    return !problem;
}

/* A color or a key. False after a FAIL. */
static bool find_number(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, const char *what,
                        int64_t *out)
{
    char number[VALUE_TEXT_BYTES];
    struct folded folded;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind == FOLD_UNKNOWN)
        lower_fail(lowering, stmt, &expr->at, STATUS_RANGE,
                   "the %s of a comm_split must be known before the run, and this depends on what happens in it", what);
    else if (!value_as_integer(folded.value, out))
        lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "a %s that is not an integer: %s", what,
                   fold_value_name(folded.value, number));
    return !lowering->dead;
}

void lower_split(struct lowering *lowering, const struct stmt *stmt)
{
    int32_t parent;
    int64_t color = 0, key = 0;
    if (!lower_find_comm(lowering, stmt, stmt->split.parent, &parent))
        return;
    bool is_known = find_number(lowering, stmt, stmt->split.color, "color", &color) &&
                    find_number(lowering, stmt, stmt->split.key, "key", &key);
    if (lowering->scope.unmade)
        return;
    struct gathering *gathering = lower_meet(lowering, stmt, parent);
    if (lowering->gathering)
        lower_say(lowering, gathering, is_known, color, key);
    if (!is_known)
        return;
    if (gathering->settled && gathering->missing >= 0) {
        lower_fail(lowering, stmt, NULL, STATUS_RANGE,
                   "all processes of a communicator must call comm_split, but process %d does not get here",
                   gathering->missing);
        return;
    }
    struct folded made = {.kind = FOLD_KNOWN, .value = value_int(SCOPE_COMM_UNMADE)};
    if (gathering->settled)
        made.value.i = gathering->made[program_comm_rank(lowering->program, parent, lowering->scope.process)];
    lower_assign(lowering, stmt->split.variable, &made);
}
