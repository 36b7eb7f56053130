#include "directives/lower/lower_impl.h"

#include <assert.h>
#include <stdio.h>
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
    const struct topology *topology;
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
    return topology_equal(comm->topology, key->topology, comm->n);
}

/* The communicator of these members that this directive makes, as before where it has made it before. topology: NULL or
 * of the program's memory. */
static int32_t intern_comm(struct lowering *lowering, int32_t statement, size_t n, const struct member members[],
                           const struct topology *topology)
{
    struct program *program = lowering->program;
    struct comm_key key = {lowering, n, members, topology};
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
    comm->topology = topology;
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

/* A problem that all have who meet there. */
__attribute__((format(printf, 3, 0)))
static void problem_set(struct lowering *lowering, struct gathering *gathering, const char *form, int32_t a, int32_t b)
{
    char text[PROGRAM_TEXT_BYTES];
    snprintf(text, sizeof text, form, program_comm_process(lowering->program, gathering->comm, a),
             program_comm_process(lowering->program, gathering->comm, b));
    gathering->problem = arena_string_n(&lowering->program->memory, text, strlen(text));
}

/* The first that came, who speaks for all: what makes grids is the same in all processes. NULL: nobody has come, or
 * others say otherwise. */
static const struct saying *agreed(struct lowering *lowering, struct gathering *gathering)
{
    const struct saying *first = NULL;
    for (int32_t rank = 0; rank < gathering->n; rank++) {
        const struct saying *next = &gathering->sayings[rank];
        if (!gathering->came[rank] || gathering->unknown[rank])
            continue;
        if (!first)
            first = next;
        const size_t bytes = (size_t)(first->n[0] + first->n[1]) * sizeof *first->values;
        if (next->n[0] != first->n[0] || next->n[1] != first->n[1] || memcmp(next->values, first->values, bytes) != 0) {
            problem_set(lowering, gathering, "process %d says another grid than process %d: it is the same in all",
                        rank, (int32_t)(first - gathering->sayings));
            return NULL;
        }
    }
    return first;
}

enum { DIMENSIONS_MOST = 16 };

/* Ranks beyond the grid are in none. */
static const struct topology *make_cart(struct lowering *lowering, struct gathering *gathering, struct member members[],
                                        size_t *n)
{
    const struct saying *said = agreed(lowering, gathering);
    int32_t dims[DIMENSIONS_MOST], periodic[DIMENSIONS_MOST];
    if (!said)
        return NULL;
    for (int32_t d = 0; d < said->n[0]; d++) {
        dims[d] = (int32_t)said->values[d];
        periodic[d] = (int32_t)said->values[said->n[0] + d];
    }
    const struct topology *grid = topology_grid(&lowering->program->memory, said->n[0], dims, periodic);
    for (int32_t rank = 0; rank < topology_size(grid); rank++)
        members[(*n)++] = (struct member){.rank = rank};
    return grid;
}

/* The coordinates of dimensions that go give the color, those of others the key. */
static const struct topology *make_sub(struct lowering *lowering, struct gathering *gathering, struct member members[],
                                       size_t *n)
{
    const struct saying *said = agreed(lowering, gathering);
    const struct topology *parent = lowering->program->comms[gathering->comm].topology;
    int32_t dims[DIMENSIONS_MOST], periodic[DIMENSIONS_MOST], n_dims = 0;
    if (!said)
        return NULL;
    for (int32_t d = 0; d < parent->n_dims; d++)
        if (said->values[d]) {
            dims[n_dims] = parent->dims[d];
            periodic[n_dims++] = parent->periodic[d];
        }
    for (int32_t rank = 0; rank < gathering->n; rank++) {
        struct member *member = &members[(*n)++];
        *member = (struct member){.rank = rank};
        for (int32_t d = 0; d < parent->n_dims; d++) {
            int64_t *place = said->values[d] ? &member->key : &member->color;
            *place = *place * parent->dims[d] + topology_coordinate(parent, rank, d);
        }
    }
    return topology_grid(&lowering->program->memory, n_dims, dims, periodic);
}

static const struct topology *make_graph(struct lowering *lowering, struct gathering *gathering,
                                         struct member members[], size_t *n)
{
    int32_t from = 0, to = 0;
    size_t n_values = 0;
    for (int32_t rank = 0; rank < gathering->n; rank++)
        n_values += (size_t)(gathering->sayings[rank].n[0] + gathering->sayings[rank].n[1]);
    int32_t *values = alloc_array(n_values, sizeof *values), *next = values;
    struct neighbours *neighbours = alloc_array((size_t)gathering->n, sizeof *neighbours);
    for (int32_t rank = 0; rank < gathering->n; rank++) {
        const struct saying *said = &gathering->sayings[rank];
        neighbours[rank] = (struct neighbours){said->n[0], said->n[1], next, next + said->n[0]};
        for (int32_t i = 0; i < said->n[0] + said->n[1]; i++)
            *next++ = (int32_t)said->values[i];
        members[(*n)++] = (struct member){.key = rank, .rank = rank};
    }
    const struct topology *graph = topology_graph(&lowering->program->memory, gathering->n, neighbours, &from, &to);
    if (!graph)
        problem_set(lowering, gathering, "process %d as a source and process %d as a destination do not name each other "
                                         "equally often", from, to);
    free(neighbours);
    free(values);
    return graph;
}

static const struct topology *make_split(struct lowering *lowering, struct gathering *gathering,
                                         struct member members[], size_t *n)
{
    (void)lowering;
    for (int32_t rank = 0; rank < gathering->n; rank++) {
        const int64_t *said = gathering->sayings[rank].values;
        if (gathering->came[rank] && !gathering->unknown[rank] && said[0] >= 0)
            members[(*n)++] = (struct member){said[0], said[1], rank, 0};
    }
    return NULL;
}

/* Members with their colors and keys, and their neighbours. */
static const struct topology *(*const make[])(struct lowering *lowering, struct gathering *gathering,
                                              struct member members[], size_t *n) = {
    [MAKER_comm_split] = make_split,
    [MAKER_cart_create] = make_cart,
    [MAKER_cart_sub] = make_sub,
    [MAKER_dist_graph_create_adjacent] = make_graph,
};

void lower_make_comms(struct lowering *lowering, struct gathering *gathering)
{
    struct member *members = alloc_array((size_t)gathering->n, sizeof *members);
    const struct topology *topology = NULL;
    size_t n = 0;
    /* a communicator with neighbours needs all: the error of a process that does not come is that of all */
    if (gathering->maker == MAKER_comm_split || gathering->n_came == gathering->n)
        topology = make[gathering->maker](lowering, gathering, members, &n);
    for (int32_t rank = 0; rank < gathering->n; rank++)
        gathering->made[rank] = SCOPE_COMM_NULL;
    for (size_t i = 0; i < n; i++)
        members[i].process = program_comm_process(lowering->program, gathering->comm, members[i].rank);
    qsort(members, n, sizeof *members, compare_members);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && members[to].color == members[from].color;)
            to++;
        int32_t comm = intern_comm(lowering, gathering->statement, to - from, &members[from], topology);
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

/* A number that settles who is in a communicator. False after a FAIL. */
static bool find_number(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, const char *what,
                        int64_t *out)
{
    char number[VALUE_TEXT_BYTES];
    struct folded folded;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind == FOLD_UNKNOWN)
        lower_fail(lowering, stmt, &expr->at, STATUS_RANGE,
                   "the %s of a %s must be known before the run, and this depends on what happens in it", what,
                   maker_name(stmt->make.maker));
    else if (!value_as_integer(folded.value, out))
        lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "a %s that is not an integer: %s", what,
                   fold_value_name(folded.value, number));
    return !lowering->dead;
}

/* What the items of the first and of the second list are called, and the least and the most that they may be. */
static const struct {
    const char *what[2];
    int64_t least[2], most[2];
} items[] = {
    [MAKER_comm_split] = {{"color", "key"}, {INT64_MIN, INT64_MIN}, {INT64_MAX, INT64_MAX}},
    [MAKER_cart_create] = {{"dimension", "period"}, {1, 0}, {INT32_MAX, 1}},
    [MAKER_cart_sub] = {{"dimension that remains", ""}, {0, 0}, {1, 0}},
    [MAKER_dist_graph_create_adjacent] = {{"source", "destination"}, {0, 0}, {INT32_MAX, INT32_MAX}},
};

/* An item of list `i`; *is_one: it is not MPI_PROC_NULL, which counts for no neighbour. False after a FAIL. */
static bool find_item(struct lowering *lowering, const struct stmt *stmt, int32_t parent, int i,
                      const struct expr *expr, int64_t *value, bool *is_one)
{
    const enum comm_maker maker = stmt->make.maker;
    const bool graph = maker == MAKER_dist_graph_create_adjacent;
    if (!find_number(lowering, stmt, expr, items[maker].what[i], value))
        return false;
    *is_one = !graph || *value != VALUE_PROC_NULL;
    const int64_t most = graph ? lowering->program->comms[parent].n - 1 : items[maker].most[i];
    if (*is_one && (*value < items[maker].least[i] || *value > most))
        lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "a %s is %lld..%lld, not %lld", items[maker].what[i],
                   (long long)items[maker].least[i], (long long)most, (long long)*value);
    return !lowering->dead;
}

/* Behind those before; with a table all its elements. False after a FAIL. */
static bool add_items(struct lowering *lowering, const struct stmt *stmt, int32_t parent, int i,
                      const struct expr *expr, struct saying *saying, size_t *capacity)
{
    const bool table = expr->kind == EXPR_NAME && expr->symbol == SYMBOL_VARIABLE &&
                       lowering->tree->variables[expr->index].kind == VARIABLE_table;
    const int32_t n = table ? lowering->scope.tables[expr->index].n : 1;
    for (int32_t k = 0; k < n; k++) {
        struct expr at = {.kind = EXPR_VALUE, .at = expr->at, .value = value_int(k)};
        struct expr element = {.kind = EXPR_ELEMENT, .at = expr->at, .name = expr->name, .index = expr->index, .n = 1,
                               .a = (struct expr *[]){&at}};
        int64_t value;
        bool is_one;
        if (!find_item(lowering, stmt, parent, i, table ? &element : expr, &value, &is_one))
            return false;
        const size_t used = (size_t)(saying->n[0] + saying->n[1]);
        saying->values = alloc_grow(saying->values, used, capacity, sizeof *saying->values);
        if (is_one) {
            saying->values[used] = value;
            saying->n[i]++;
        }
    }
    return true;
}

/* Do the lists make sense together and with the parent? False after a FAIL. */
static bool check_saying(struct lowering *lowering, const struct stmt *stmt, int32_t parent,
                         const struct saying *saying)
{
    const struct comm *of = &lowering->program->comms[parent];
    const enum comm_maker maker = stmt->make.maker;
    int64_t size = 1;
    for (int32_t d = 0; maker == MAKER_cart_create && d < saying->n[0] && size <= of->n; d++)
        size *= saying->values[d];
    if (maker == MAKER_cart_create && (saying->n[0] > DIMENSIONS_MOST || saying->n[1] != saying->n[0]))
        lower_fail(lowering, stmt, NULL, STATUS_RANGE,
                   "a grid has 1 to %d dimensions, and for each it says whether it is periodic: these are %d and %d",
                   DIMENSIONS_MOST, saying->n[0], saying->n[1]);
    else if (size > of->n)
        lower_fail(lowering, stmt, &stmt->make.lists[0].items[0]->at, STATUS_RANGE,
                   "a grid of more processes than the %d that there are", of->n);
    else if (maker == MAKER_cart_sub && (!of->topology || of->topology->n_dims == 0))
        lower_fail(lowering, stmt, &stmt->make.parent->at, STATUS_RANGE,
                   "the communicator is no grid: Set NAME = cart_create(...) makes one");
    else if (maker == MAKER_cart_sub && saying->n[0] != of->topology->n_dims)
        lower_fail(lowering, stmt, NULL, STATUS_RANGE,
                   "cart_sub says of each of %d dimensions whether it remains, not of %d", of->topology->n_dims,
                   saying->n[0]);
    return !lowering->dead;
}

/* False: what the process says is not known, which has become a FAIL. */
static bool find_saying(struct lowering *lowering, const struct stmt *stmt, int32_t parent, struct saying *saying)
{
    size_t capacity = 0;
    bool known = true;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < stmt->make.lists[i].n && known; k++)
            known = add_items(lowering, stmt, parent, i, stmt->make.lists[i].items[k], saying, &capacity);
    return known && check_saying(lowering, stmt, parent, saying);
}

void lower_make_comm(struct lowering *lowering, const struct stmt *stmt)
{
    int32_t parent;
    struct saying saying = {{0, 0}, NULL};
    if (!lower_find_comm(lowering, stmt, stmt->make.parent, &parent))
        return;
    const bool is_known = find_saying(lowering, stmt, parent, &saying);
    if (lowering->scope.unmade) {
        free(saying.values);
        return;
    }
    struct gathering *gathering = lower_meet(lowering, stmt, parent);
    if (lowering->gathering)
        lower_say_lists(lowering, gathering, is_known, saying);
    else
        free(saying.values);
    if (!is_known)
        return;
    if (gathering->settled && gathering->missing >= 0)
        lower_fail(lowering, stmt, NULL, STATUS_RANGE,
                   "all processes of a communicator must call %s, but process %d does not get here",
                   maker_name(stmt->make.maker), gathering->missing);
    else if (gathering->problem)
        lower_fail(lowering, stmt, NULL, STATUS_RANGE, "%s", gathering->problem);
    if (lowering->dead)
        return;
    struct folded made = {.kind = FOLD_KNOWN, .value = value_int(SCOPE_COMM_UNMADE)};
    if (gathering->settled)
        made.value.i = gathering->made[program_comm_rank(lowering->program, parent, lowering->scope.process)];
    lower_assign(lowering, stmt->make.variable, &made);
}

/* ---- what agreeing on one takes ---- */

void lower_agreement(struct lowering *lowering, const struct stmt *stmt, int32_t comm)
{
    struct agreement_step steps[AGREEMENT_STEPS_MOST];
    const int n = agreement_steps(stmt->message.op, lowering->options->mpich, steps);
    for (int i = 0; i < n; i++)
        lower_inner_collective(lowering, stmt, &steps[i], comm);
}
