#include "sim/confirmed.h"

#include "common/alloc.h"
#include "directives/source.h"
#include "models/cost.h"
#include "sim/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 64, LEAST_PIECE = 512 }; /* bytes: below, a message costs the same whatever is in it */

/* What was found at one size of a line. */
struct held {
    int64_t bytes;
    bool holds;
    double native, ours; /* from the first root */
};

bool decisions_confirmable(const struct machine *machine, const struct decide_wish *wish)
{
    return machine->n_entries > 0 && !wish->per_process;
}

/* The median time of one operation alone. */
static enum status operation_time(const struct machine *machine, const struct decide_wish *wish,
                                  const struct coll_row *row, int64_t bytes, int root, bool optimised, double *time,
                                  struct diags *diags)
{
    char *text = alloc_format("Collective type = %s & size = %lld & root = %d\n", coll_op_name(row->op),
                              (long long)bytes, root);
    struct source *source = source_from_text("decided.pevpm", text, strlen(text));
    struct placement at = {row->numprocs, row->numprocs, 1};
    struct predict_mode mode = {.name = "distribution", .cost = MODE_distribution};
    struct predict_request request = {.program = source->name, .source = source, .machine = machine, .n_placements = 1,
                                      .placements = &at, .n_modes = 1, .modes = &mode, .model = "measured",
                                      .library_given = true, .library = wish->library, .optimised = optimised,
                                      .baseline = 1, .seed = 1,
                                      .plan = {.exact = CONFIRM_REPLICATIONS, .spread_alone = true, .threads = 1}};
    struct predict_result result = {0};
    enum status status = predict_run(&request, &result, diags);
    if (status == STATUS_OK)
        *time = result.rows[0].time.median;
    predict_result_free(&result);
    source_destroy(source);
    free(text);
    return status;
}

static enum status size_hold(const struct machine *machine, const struct decide_wish *wish, const struct coll_row *row,
                             struct held *held, struct diags *diags)
{
    int n_roots = row->mapping ? 1 : CONFIRM_ROOTS < row->numprocs ? CONFIRM_ROOTS : row->numprocs;
    enum status status = STATUS_OK;
    held->holds = true;
    for (int i = 0; i < n_roots && status == STATUS_OK; i++) {
        int root = row->mapping ? row->mapping[0] : i * row->numprocs / n_roots;
        double native = NAN, ours = NAN;
        status = operation_time(machine, wish, row, held->bytes, root, false, &native, diags);
        if (status == STATUS_OK)
            status = operation_time(machine, wish, row, held->bytes, root, true, &ours, diags);
        held->holds = held->holds && ours <= (1 - wish->gain) * native;
        if (i == 0)
            held->native = native, held->ours = ours;
    }
    return status;
}

/* A line's least size, and the powers of two and its largest as far as they are looked at; ascending. */
static size_t sizes_find(const struct coll_row *row, struct held held[])
{
    size_t n = 0;
    held[n++] = (struct held){.bytes = row->from};
    for (int64_t bytes = 1; bytes <= CONFIRM_LARGEST && bytes <= row->to; bytes *= 2)
        if (bytes > row->from)
            held[n++] = (struct held){.bytes = bytes};
    if (row->to > held[n - 1].bytes && row->to <= CONFIRM_LARGEST)
        held[n++] = (struct held){.bytes = row->to};
    return n;
}

/* What a line's operations take with pieces of `piece` bytes, at the sizes looked at: the mean, seconds per byte. */
static enum status pieces_time(const struct machine *machine, const struct decide_wish *wish, struct coll_row *row,
                               int64_t piece, double *time, struct diags *diags)
{
    struct held held[SIZES_MOST];
    const size_t n = sizes_find(row, held);
    enum status status = STATUS_OK;
    row->piece = piece;
    *time = 0;
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        double taken = NAN;
        status = operation_time(machine, wish, row, held[i].bytes, 0, true, &taken, diags);
        *time += taken / (double)held[i].bytes / (double)n;
    }
    return status;
}

/* Does the port of each root hold a piece of all others at once? */
static bool ports_hold(const struct cost_model *model, int numprocs, int64_t piece)
{
    for (int root = 0; root < numprocs; root++) {
        struct port_cost cost = {.buffer = INFINITY};
        double behind = 0;
        for (int i = 0; i < numprocs; i++) {
            if (i == root)
                continue;
            model->ports_for(model, model->pair_class(model, TRANSPORT_network, i, root), piece, &cost);
            behind += cost.in_gap;
        }
        if (behind > cost.buffer)
            return false;
    }
    return true;
}

/* The largest of a line's pieces and their halves that ports hold. */
static enum status pieces_fit(const struct machine *machine, struct coll_row *row, struct diags *diags)
{
    const struct predict_request request = {.machine = machine, .model = "measured"};
    const struct cost_options options = {.model = "measured", .contention = predict_contention(&request), .ppn = 1};
    struct cost_model *model;
    enum status status = cost_model_open(&model, machine, &options, diags);
    if (status != STATUS_OK)
        return status;
    while (row->piece / 2 >= LEAST_PIECE && !ports_hold(model, row->numprocs, row->piece))
        row->piece /= 2;
    cost_model_close(model);
    return STATUS_OK;
}

/* Halves a line's pieces until ports hold them, and then as often as makes its operations shorter, by `gain` and more:
 * the model knows what a burst of all shares loses, not what a port loses that pieces of all processes reach all the
 * time. */
static enum status pieces_halve(const struct machine *machine, const struct decide_wish *wish, struct coll_row *row,
                                struct diags *diags)
{
    double least, time;
    enum status status = pieces_fit(machine, row, diags);
    if (status != STATUS_OK)
        return status;
    int64_t best = row->piece;
    status = pieces_time(machine, wish, row, best, &least, diags);
    for (int64_t piece = best / 2; piece >= LEAST_PIECE && status == STATUS_OK; piece /= 2) {
        status = pieces_time(machine, wish, row, piece, &time, diags);
        if (status != STATUS_OK || time > (1 - wish->gain) * least)
            continue;
        best = piece;
        least = time;
    }
    row->piece = best;
    return status;
}

static void row_keep(struct decisions *to, const struct coll_row *row, const struct decided *decided)
{
    size_t n = to->table.n++;
    to->table.rows = alloc_resize(to->table.rows, to->table.n, sizeof *to->table.rows);
    to->decided = alloc_resize(to->decided, to->table.n, sizeof *to->decided);
    to->table.rows[n] = *row;
    to->decided[n] = *decided;
    if (row->mapping) {
        to->table.rows[n].mapping = alloc_array((size_t)row->numprocs, sizeof *row->mapping);
        memcpy(to->table.rows[n].mapping, row->mapping, (size_t)row->numprocs * sizeof *row->mapping);
    }
}

/* One line for each run of sizes that hold. */
static void runs_keep(struct decisions *to, const struct coll_row *row, size_t n, const struct held held[])
{
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && held[next].holds == held[first].holds; next++)
            ;
        if (!held[first].holds)
            continue;
        struct coll_row part = *row;
        part.from = held[first].bytes;
        part.to = next < n ? held[next].bytes - 1 : row->to;
        row_keep(to, &part, &(struct decided){{held[first].native, held[next - 1].native},
                                              {held[first].ours, held[next - 1].ours}});
    }
}

enum status decisions_confirm(struct decisions *d, const struct machine *machine, const struct decide_wish *wish,
                              size_t *dropped, struct diags *diags)
{
    struct machine decided = *machine; /* shares all but the decisions; not destroyed */
    struct decisions kept = {.table.per_process = d->table.per_process};
    enum status status = STATUS_OK;
    decided.has_decisions = true;
    decided.decisions = d->table;
    *dropped = 0;
    for (size_t i = 0; i < d->table.n && status == STATUS_OK; i++) {
        struct coll_row *row = &d->table.rows[i]; /* `decided` has it, too */
        struct held held[SIZES_MOST];
        size_t n = row->piece > 0 ? 0 : sizes_find(row, held);
        if (row->piece > 0)
            status = pieces_halve(&decided, wish, row, diags);
        for (size_t k = 0; k < n && status == STATUS_OK; k++) {
            status = size_hold(&decided, wish, row, &held[k], diags);
            *dropped += !held[k].holds;
        }
        if (row->piece > 0 && status == STATUS_OK)
            row_keep(&kept, row, &d->decided[i]);
        else if (status == STATUS_OK)
            runs_keep(&kept, row, n, held);
    }
    if (status == STATUS_OK) {
        decisions_free(d);
        *d = kept;
    } else {
        decisions_free(&kept);
    }
    return status;
}
