#include "sim/decide.h"

#include "coll/branch.h"
#include "coll/choice.h"
#include "collectives/selection.h"
#include "common/alloc.h"
#include "models/collective_time.h"
#include "models/lmo_collective.h"
#include "models/model_list.h"
#include "models/schedule_cost.h"
#include "sim/steadied.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAPPED_GAIN 0.02     /* over a tree without mapping, which serves any root */
#define MAPPING_SLACK 0.01   /* a mapping is kept from size to size: few lines, and the model is no better than that */
#define WORDS_MOST 0.02
#define DEVIATIONS 1.96         /* of what a gain may be wrong by, that it must exceed */
#define PIECE_PART 0.75      /* of M1, the least size that was seen to escalate: those just below were not tried, or were lucky */
enum { SIZES_MOST = 32, ROOTS_MOST = 16, LARGEST = 16 << 20, DRAWS = 16 };
enum { WORK_MOST = 100000 }; /* changes tried for one size, times the processes: half a second of a processor at most */

static const struct {
    enum collective_op op, regular;
    enum algorithm tree;
} ops[] = { /* in the order of COLL_OP_LIST */
    {COLLECTIVE_MPI_Bcast, COLLECTIVE_MPI_Bcast, ALGORITHM_binomial_blocking},
    {COLLECTIVE_MPI_Scatter, COLLECTIVE_MPI_Scatter, ALGORITHM_binomial},
    {COLLECTIVE_MPI_Scatterv, COLLECTIVE_MPI_Scatter, ALGORITHM_binomial},
    {COLLECTIVE_MPI_Gather, COLLECTIVE_MPI_Gather, ALGORITHM_binomial},
    {COLLECTIVE_MPI_Gatherv, COLLECTIVE_MPI_Gather, ALGORITHM_binomial},
};

enum way { NATIVE, PIECES, TREE };

/* A machine as it may be. */
struct likely {
    struct steadied steadied;
    struct cost_model *model;
};

/* One operation on n processes, and what answers need. */
struct question {
    const struct machine *machine;
    const struct decide_wish *wish;
    struct cost_model *model;
    const struct likely *draws; /* [DRAWS] */
    const struct collective_formulas *own;
    enum coll_op op;
    int n;
    size_t n_sizes, n_roots;
    int64_t size[SIZES_MOST]; /* ascending */
    int root[ROOTS_MOST];     /* that lines without a mapping are tried from */
    int64_t M1, piece;        /* 0: not known, or none of it concerns the operation */
};

/* ---- times ---- */

/* Of a schedule, ranks on node[]; `escalates`: the mean of what its root may take. */
static double schedule_end(const struct question *q, const struct schedule *given, const int node[], bool escalates)
{
    struct schedule schedule = *given;
    int root = schedule.root;
    struct schedule_cost cost = {q->machine, q->model, q->own, node, NULL};
    struct distribution drawn;
    double *leaves = alloc_array((size_t)q->n, sizeof *leaves), last = 0;
    schedule_cost_times(&cost, &schedule, leaves);
    if (escalates && q->n >= 3 && q->own && q->own->root_time &&
        q->own->root_time(q->machine, &schedule, leaves[root], BEFORE_unknown, &drawn)) {
        leaves[root] = drawn.average;
        distribution_free(&drawn);
    }
    for (int i = 0; i < q->n; i++)
        last = fmax(last, leaves[i]);
    free(leaves);
    return last;
}

/* Of an algorithm, from rank `root`. */
static double time_of(const struct question *q, enum collective_op op, enum algorithm algorithm, int64_t segment,
                      const int node[], int root, int64_t bytes, bool escalates)
{
    struct schedule schedule = {.op = op, .algorithm = algorithm, .size = q->n, .root = root, .bytes = bytes,
                                .segment = segment};
    return schedule_end(q, &schedule, node, escalates);
}

static void nodes_in_order(int n, int root, int node[])
{
    for (int i = 0; i < n; i++)
        node[i] = (root + i) % n;
}

static double native_time(const struct question *q, int root, int64_t bytes)
{
    const struct machine_collective *entry =
        collective_time_find(q->machine, coll_op_name(q->op), coll_op_name(q->op));
    int64_t segment = 0;
    enum algorithm algorithm;
    struct diags none = DIAGS_EMPTY;
    if (!entry || !entry->algorithm ||
        algorithm_parse(entry->algorithm, ops[q->op].op, place_of_file(NULL), &algorithm, &segment, &none) != STATUS_OK)
        algorithm = algorithm_select(q->wish->library, ops[q->op].op,
                                     &(struct schedule){.op = ops[q->op].op, .size = q->n, .bytes = bytes}, &segment);
    diags_free(&none);
    bool same = schedule_exists(ops[q->op].regular, algorithm);
    int *node = alloc_array((size_t)q->n, sizeof *node);
    nodes_in_order(q->n, 0, node);
    double time = time_of(q, same ? ops[q->op].regular : ops[q->op].op, algorithm, segment, node, root, bytes, true);
    free(node);
    return time;
}

/* node[0] is the root's. */
static double tree_time(const struct question *q, const int node[], int64_t bytes)
{
    int32_t *same = alloc_array((size_t)q->n, sizeof *same);
    for (int i = 0; i < q->n; i++)
        same[i] = i;
    struct carried carried = {.order = same, .position = same};
    if (q->op == COLL_MPI_Scatterv)
        carried.label = CHOICE_LABEL_BYTES;
    if (q->op == COLL_MPI_Gatherv) {
        carried.told_from = 1;
        carried.word = carried.word_share = CHOICE_WORD_BYTES;
    }
    struct schedule schedule = {.op = ops[q->op].regular, .algorithm = ops[q->op].tree, .size = q->n, .bytes = bytes,
                                .carried = &carried};
    double time = schedule_end(q, &schedule, node, false);
    free(same);
    return time;
}

/* INFINITY: it is not for pieces. */
static double pieces_time(const struct question *q, int root, int64_t bytes)
{
    if (q->piece < 1 || bytes < q->M1 || (double)bytes > q->machine->lmo->M2)
        return INFINITY;
    int64_t m = pieces_of(bytes, q->piece), piece = (bytes - 1) / m + 1;
    int *node = alloc_array((size_t)q->n, sizeof *node);
    nodes_in_order(q->n, 0, node);
    struct schedule_cost cost = {q->machine, q->model, q->own, node, NULL};
    struct message_cost message;
    double round = time_of(q, COLLECTIVE_MPI_Gather, ALGORITHM_linear, 0, node, root, piece, false), part = 0, asks = 0;
    for (int i = 0; i < q->n; i++) {
        if (i == root)
            continue;
        schedule_cost_message(&cost, i, root, piece, &message);
        part = fmax(part, message.transit - message.in_gap);
        schedule_cost_message(&cost, root, i, 0, &message);
        asks += message.out_gap;
    }
    free(node);
    return round + (double)(m - 1) * (round - part + asks);
}

/* What waiting for the root's words costs where they say that there is no tree. */
static double words_time(const struct question *q, const int node[])
{
    return time_of(q, COLLECTIVE_MPI_Scatter, ALGORITHM_linear_nb, 0, node, 0, CHOICE_WORD_BYTES, false);
}

/* A tree carries 2 GiB at most (coll/choice.h). */
static bool fits_tree(const struct question *q, int64_t bytes)
{
    return q->op == COLL_MPI_Bcast || bytes <= INT_MAX / q->n - CHOICE_LABEL_BYTES;
}

/* ---- how sure ---- */

/* What a way takes with the nodes of node[], or that of them where it does not matter. */
static double way_time(const struct question *q, enum way way, const int node[], int64_t bytes)
{
    return way == NATIVE   ? native_time(q, node[0], bytes)
           : way == PIECES ? pieces_time(q, node[0], bytes)
           : fits_tree(q, bytes) ? tree_time(q, node, bytes) : INFINITY;
}

/* An allowance for what packing, and a message of the root to itself, may add to a tree, which no model knows: two
 * empty messages' work on each level, and two more. A guess: more keeps more small operations native. */
static double tree_extra(const struct question *q, const int node[])
{
    struct schedule_cost cost = {q->machine, q->model, q->own, node, NULL};
    struct message_cost message;
    double work = 0;
    int levels = 0;
    for (int i = 1; i < q->n; i++) {
        schedule_cost_message(&cost, 0, i, 0, &message);
        work += message.transit / 2 / (q->n - 1);
    }
    while (1 << levels < q->n)
        levels++;
    return (2 * levels + 2) * work;
}

/* Whether a way saves what is asked for, and more than is uncertain. share: the part of native that it takes. */
static bool gains_surely(const struct question *q, enum way way, const int node[], int64_t bytes, double share)
{
    double sum = 0;
    if (way == TREE)
        share += tree_extra(q, node) / native_time(q, node[0], bytes);
    if (!(share <= 1 - q->wish->gain))
        return false;
    for (int i = 0; i < DRAWS && q->draws; i++) {
        struct question drawn = *q;
        drawn.machine = &q->draws[i].steadied.machine;
        drawn.model = q->draws[i].model;
        double extra = way == TREE ? tree_extra(&drawn, node) : 0;
        double off = (way_time(&drawn, way, node, bytes) + extra) / native_time(&drawn, node[0], bytes) - share;
        sum += off * off;
    }
    return share <= 1 - DEVIATIONS * sqrt(sum / DRAWS);
}

/* ---- mappings ---- */

/* By how long a message takes between the root and each node, the nearest at the largest subtree. */
static void mapping_begin(const struct question *q, int root, int64_t bytes, int mapping[])
{
    double *far = alloc_zeroed((size_t)q->n, sizeof *far);
    int *node = alloc_array((size_t)q->n, sizeof *node), *left = alloc_array((size_t)q->n, sizeof *left);
    nodes_in_order(q->n, 0, node);
    struct schedule_cost cost = {q->machine, q->model, q->own, node, NULL};
    struct message_cost message;
    int n_left = 0;
    for (int i = 0; i < q->n; i++) {
        if (i == root)
            continue;
        schedule_cost_message(&cost, coll_op_goes_up(q->op) ? i : root, coll_op_goes_up(q->op) ? root : i, bytes,
                              &message);
        far[i] = message.transit;
        left[n_left++] = i;
    }
    mapping[0] = root;
    for (int run = q->n; run >= 1; run--) /* positions by the size of their subtrees */
        for (int p = 1; p < q->n; p++) {
            if (branch_of(q->n, p).run != run)
                continue;
            int nearest = 0;
            for (int i = 1; i < n_left; i++)
                if (far[left[i]] < far[left[nearest]])
                    nearest = i;
            mapping[p] = left[nearest];
            left[nearest] = left[--n_left];
        }
    free(far);
    free(node);
    free(left);
}

static void change_places(int mapping[], int a, int b)
{
    int kept = mapping[a];
    mapping[a] = mapping[b];
    mapping[b] = kept;
}

/* The time with *mapping, which was changed until no pair's change makes it shorter, or enough were tried. */
static double mapping_improve(const struct question *q, int64_t bytes, int mapping[])
{
    double best = tree_time(q, mapping, bytes);
    int trials = 0, most = WORK_MOST / q->n;
    for (bool better = true; better;) {
        better = false;
        for (int a = 1; a < q->n; a++)
            for (int b = a + 1; b < q->n && trials < most; b++, trials++) {
                change_places(mapping, a, b);
                double time = tree_time(q, mapping, bytes);
                if (time < best * (1 - 1e-9)) {
                    best = time;
                    better = true;
                } else {
                    change_places(mapping, a, b);
                }
            }
    }
    return best;
}

/* ---- lines ---- */

static struct coll_row *row_add(struct decisions *d, const struct question *q, int64_t at, enum way way,
                                const int mapping[])
{
    size_t n = d->table.n++;
    d->table.rows = alloc_resize(d->table.rows, d->table.n, sizeof *d->table.rows);
    d->decided = alloc_resize(d->decided, d->table.n, sizeof *d->decided);
    struct coll_row *row = &d->table.rows[n];
    *row = (struct coll_row){.op = q->op, .numprocs = q->n, .from = at, .to = at, .piece = way == PIECES ? q->piece : 0};
    d->decided[n] = (struct decided){0};
    if (mapping) {
        row->mapping = alloc_array((size_t)q->n, sizeof *row->mapping);
        memcpy(row->mapping, mapping, (size_t)q->n * sizeof *mapping);
    }
    return row;
}

/* The last line ends where another begins, so that sizes between two that were looked at are in one of them. */
static void row_end_before(struct decisions *d, int64_t at)
{
    d->table.rows[d->table.n - 1].to = at - 1;
}

/* The last line now goes up to this size. */
static void row_reach(struct decisions *d, int64_t at, double native, double ours)
{
    struct coll_row *row = &d->table.rows[d->table.n - 1];
    struct decided *decided = &d->decided[d->table.n - 1];
    row->to = at;
    if (row->from == at)
        decided->native[0] = native, decided->ours[0] = ours;
    decided->native[1] = native, decided->ours[1] = ours;
}

/* ---- without a mapping ---- */

/* The largest part of native that a way takes from any root, which is *worst; and its times from node 0's. */
static double share_of_native(const struct question *q, int64_t bytes, enum way way, int *worst, double *native,
                              double *ours)
{
    double share = 0;
    int *node = alloc_array((size_t)q->n, sizeof *node);
    for (size_t i = 0; i < q->n_roots; i++) {
        int root = q->root[i];
        nodes_in_order(q->n, root, node);
        double before = native_time(q, root, bytes), after = way_time(q, way, node, bytes);
        if (after / before > share) {
            share = after / before;
            *worst = root;
        }
        if (i == 0)
            *native = before, *ours = after;
    }
    free(node);
    return share;
}

/* Which way each size goes. */
static void ways_choose(const struct question *q, bool trees, enum way way[])
{
    double native = 0, ours = 0;
    int *node = alloc_array((size_t)q->n, sizeof *node);
    for (size_t i = 0; i < q->n_sizes; i++) {
        int worst[2] = {0, 0};
        double pieces = share_of_native(q, q->size[i], PIECES, &worst[0], &native, &ours);
        double tree = trees ? share_of_native(q, q->size[i], TREE, &worst[1], &native, &ours) : INFINITY;
        enum way best = pieces < tree ? PIECES : TREE;
        nodes_in_order(q->n, worst[best == TREE], node);
        way[i] = gains_surely(q, best, node, q->size[i], fmin(pieces, tree)) ? best : NATIVE;
    }
    free(node);
}

/* Whether the root's words cost little enough where there is no tree, beyond the least size that has one. */
static bool words_pay(const struct question *q, int root, const bool tree[])
{
    int *node = alloc_array((size_t)q->n, sizeof *node);
    bool any = false, pays = true;
    nodes_in_order(q->n, root, node);
    for (size_t i = 0; i < q->n_sizes; i++) {
        any = any || tree[i];
        if (any && !tree[i] && q->op == COLL_MPI_Gatherv)
            pays = pays && words_time(q, node) <= WORDS_MOST * native_time(q, root, q->size[i]);
    }
    free(node);
    return any && pays;
}

static void rows_of_ways(struct decisions *d, const struct question *q, const enum way way[])
{
    for (size_t i = 0; i < q->n_sizes; i++) {
        double native = 0, ours = 0;
        int worst = 0;
        if (way[i] == NATIVE)
            continue;
        if (i > 0 && way[i - 1] != NATIVE && way[i - 1] != way[i])
            row_end_before(d, q->size[i]);
        if (i == 0 || way[i - 1] != way[i])
            row_add(d, q, q->size[i], way[i], NULL);
        share_of_native(q, q->size[i], way[i], &worst, &native, &ours);
        row_reach(d, q->size[i], native, ours);
        if (q->op == COLL_MPI_Gatherv && way[i] == PIECES && i + 1 < q->n_sizes)
            row_end_before(d, q->size[i + 1]); /* nothing beyond is the library's own either, see holes_fill */
    }
}

/* ---- mapped ---- */

/* What is done with a root if it has no lines of its own. */
static double time_without(const struct question *q, int root, int64_t bytes, enum way way)
{
    int *node = alloc_array((size_t)q->n, sizeof *node);
    nodes_in_order(q->n, root, node);
    double time = way_time(q, way, node, bytes);
    free(node);
    return time;
}

/* Then no mapping is better than another. */
static bool nodes_alike(const struct question *q)
{
    uint32_t first = q->model->pair_class(q->model, TRANSPORT_network, 0, 1);
    for (int i = 0; i < q->n; i++)
        for (int j = 0; j < q->n; j++)
            if (i != j && q->model->pair_class(q->model, TRANSPORT_network, i, j) != first)
                return false;
    return true;
}

/* Lines of one root, before those for all. */
static void rows_of_root(struct decisions *d, const struct question *q, int root, const enum way way[])
{
    size_t before = d->table.n;
    bool open = false, tree[SIZES_MOST];
    int *mapping = alloc_array((size_t)q->n, sizeof *mapping), *better = alloc_array((size_t)q->n, sizeof *better);
    for (size_t i = 0; i < q->n_sizes; i++) {
        int64_t at = q->size[i];
        tree[i] = way[i] == TREE;
        if (!fits_tree(q, at)) {
            open = false;
            continue;
        }
        if (!open)
            mapping_begin(q, root, at, better);
        double found = mapping_improve(q, at, better), native = native_time(q, root, at);
        bool gains = found <= (1 - MAPPED_GAIN) * time_without(q, root, at, way[i]) &&
                     gains_surely(q, TREE, better, at, found / native);
        double kept = open && gains ? tree_time(q, mapping, at) : INFINITY;
        if (gains && kept > (1 + MAPPING_SLACK) * found) {
            memcpy(mapping, better, (size_t)q->n * sizeof *mapping);
            if (open)
                row_end_before(d, at);
            row_add(d, q, at, TREE, mapping);
            kept = found;
        }
        open = gains;
        tree[i] = tree[i] || gains;
        if (gains)
            row_reach(d, at, native, kept);
    }
    if (!words_pay(q, root, tree))
        for (; d->table.n > before; d->table.n--)
            free(d->table.rows[d->table.n - 1].mapping);
    free(mapping);
    free(better);
}

/* ---- one operation ---- */

static void size_add(struct question *q, int64_t bytes)
{
    size_t at = q->n_sizes;
    while (at > 0 && q->size[at - 1] > bytes)
        at--;
    if ((at > 0 && q->size[at - 1] == bytes) || bytes < 1)
        return;
    memmove(q->size + at + 1, q->size + at, (q->n_sizes - at) * sizeof *q->size);
    q->size[at] = bytes;
    q->n_sizes++;
}

static void question_fill(struct question *q, enum coll_op op, int n)
{
    const struct machine_lmo *lmo = q->machine->lmo;
    q->op = op;
    q->n = n;
    q->n_sizes = 0;
    for (int64_t bytes = 1; bytes <= LARGEST; bytes *= 2)
        size_add(q, bytes);
    bool escalates = coll_op_goes_up(op) && strcmp(q->wish->model, "lmo") == 0 && lmo->n_levels > 0 && n >= 3;
    q->M1 = escalates ? (int64_t)fmin(machine_curve_at(&lmo->M1, n), INT_MAX) : 0;
    q->piece = (int64_t)(PIECE_PART * (double)q->M1);
    if (escalates && (double)q->M1 <= lmo->M2) {
        size_add(q, q->M1);
        size_add(q, (int64_t)fmin(lmo->M2, LARGEST));
    }
    q->n_roots = (size_t)(n < ROOTS_MOST ? n : ROOTS_MOST);
    for (size_t i = 0; i < q->n_roots; i++)
        q->root[i] = (int)(i * (size_t)n / q->n_roots);
}

/* Where any share of a Gatherv is cut, the library carries out all of them (coll/choice.h), and what it does not cut leaves
 * in one burst with all else: so what lies between is cut, too. */
static void holes_fill(const struct question *q, enum way way[])
{
    size_t last = 0;
    bool any = false;
    for (size_t i = 0; i < q->n_sizes; i++) {
        if (way[i] != PIECES)
            continue;
        for (size_t k = last + 1; any && k < i; k++)
            way[k] = way[k] == NATIVE ? PIECES : way[k];
        last = i;
        any = true;
    }
}

static void operation_decide(struct decisions *d, struct question *q)
{
    enum way way[SIZES_MOST];
    bool tree[SIZES_MOST];
    ways_choose(q, true, way);
    for (size_t i = 0; i < q->n_sizes; i++)
        tree[i] = way[i] == TREE;
    for (size_t i = 0; coll_op_is_v(q->op) && i < q->n_roots; i++)
        if (!words_pay(q, q->root[i], tree)) {
            ways_choose(q, false, way);
            break;
        }
    if (q->op == COLL_MPI_Gatherv)
        holes_fill(q, way);
    for (size_t i = 0; i < q->wish->n_roots; i++)
        if (q->wish->roots[i] < q->n && !nodes_alike(q))
            rows_of_root(d, q, q->wish->roots[i], way);
    rows_of_ways(d, q, way);
}

/* ---- all ---- */

static void notes_add(const struct machine *machine, const struct decide_wish *wish, struct diags *diags)
{
    if (strcmp(wish->model, "lmo") != 0 || machine->lmo->n_levels == 0)
        diag_warning(diags, place_of_file(machine->path),
                     "no Gather is cut into pieces: only `models.lmo.escalation` says which sizes want it");
    for (size_t i = 0; i < machine->n_collectives; i++)
        if (machine->collectives[i].n_measured > 0)
            diag_warning(diags, place_of_file(machine->path),
                         "collectives.%s: decisions do not look at measured times, but at the model's",
                         machine->collectives[i].operation);
}

/* The machine as it may be, opened; also what could not be. draw: 0 the likeliest. */
static enum status likely_open(struct likely *likely, const struct machine *machine, const struct decide_wish *wish,
                               uint64_t draw, struct diags *diags)
{
    struct cost_options options = {.model = wish->model, .contention = CONTENTION_scoreboard, .ppn = 1};
    steadied_init(&likely->steadied, machine, wish->source, draw);
    return cost_model_open(&likely->model, &likely->steadied.machine, &options, diags);
}

static void likely_close(struct likely *likely)
{
    if (likely->model)
        cost_model_close(likely->model);
    steadied_free(&likely->steadied);
}

static void all_decide(struct decisions *d, struct question *q)
{
    for (int op = 0; op < N_COLL_OPS; op++)
        for (size_t i = 0; i < q->wish->n_counts; i++) {
            assert(q->wish->counts[i] >= 2 && q->wish->counts[i] <= q->machine->nodes);
            question_fill(q, (enum coll_op)op, q->wish->counts[i]);
            if (q->n > 2) /* between two all ways are one message */
                operation_decide(d, q);
        }
}

static const struct collective_formulas *formulas_of(const char *model)
{
    static const struct {
        const char *name;
        const struct collective_formulas *own;
    } models[] = {
#define X(name, given, formula) {#name, formula},
        ANALYTICAL_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].name, model) == 0)
            return models[i].own;
    return NULL;
}

enum status decide(struct decisions *d, const struct machine *machine, const struct decide_wish *wish,
                   struct diags *diags)
{
    *d = (struct decisions){.table.per_process = wish->per_process};
    struct likely *likely = alloc_zeroed(1 + DRAWS, sizeof *likely);
    bool unsure = wish->source && wish->source->n_fitted > 0 && strcmp(wish->model, "lmo") == 0;
    int n = 0;
    enum status status = STATUS_OK;
    for (; n < (unsure ? 1 + DRAWS : 1) && status == STATUS_OK; n++)
        status = likely_open(&likely[n], machine, wish, (uint64_t)n, diags);
    if (status == STATUS_OK) {
        notes_add(machine, wish, diags);
        struct question q = {.machine = &likely[0].steadied.machine, .wish = wish, .model = likely[0].model,
                             .draws = unsure ? likely + 1 : NULL, .own = formulas_of(wish->model)};
        all_decide(d, &q);
    }
    for (int i = 0; i < n; i++)
        likely_close(&likely[i]);
    free(likely);
    return status;
}

void decisions_free(struct decisions *d)
{
    coll_table_free(&d->table);
    free(d->decided);
    *d = (struct decisions){0};
}
