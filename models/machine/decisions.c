/* The `decisions:` section of a machine file, read and written. coll/table.c reads the lines as they are written
 * here. */
#include "models/machine/fields.h"
#include "models/machine/write_impl.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { NUMPROCS_MOST = 1 << 16 }; /* as coll/table.c */

/* ---- reading ---- */

static void operation_read(struct reader *r, const struct spot *spot, enum coll_op *op)
{
    static const char *const names[] = {
#define X(name, v, up) #name,
        COLL_OP_LIST(X)
#undef X
    };
    int choice;
    if (choice_read(r, spot, "operation", names, N_COLL_OPS, &choice))
        *op = (enum coll_op)choice;
}

static void bytes_read(struct reader *r, const struct spot *spot, struct coll_row *row)
{
    if (!list_check(r, spot, 2, "[from, to] in bytes"))
        return;
    struct spot from = spot_item(spot, 0), to = spot_item(spot, 1);
    if (whole_read(r, &from, 1, INT64_MAX, &row->from))
        whole_read(r, &to, row->from, INT64_MAX, &row->to);
}

/* Distinct nodes (or processes), the root's first. */
static void mapping_read(struct reader *r, const struct spot *spot, const struct machine *machine, struct coll_row *row)
{
    char what[80];
    bool per_process = machine->decisions.per_process;
    int most = machine->nodes <= 0 ? INT_MAX : machine->nodes;
    if (per_process)
        most = most > INT_MAX / machine->ppn ? INT_MAX : most * machine->ppn;
    snprintf(what, sizeof what, "%d %s, one for each process", row->numprocs, per_process ? "processes" : "nodes");
    if (row->numprocs == 0 || !list_check(r, spot, (size_t)row->numprocs, what))
        return;
    row->mapping = alloc_zeroed((size_t)row->numprocs, sizeof *row->mapping);
    for (int i = 0; i < row->numprocs; i++) {
        struct spot item = spot_item(spot, (size_t)i);
        bool good = int_read(r, &item, 0, most - 1, &row->mapping[i]);
        for (int j = 0; good && j < i; j++)
            if (row->mapping[j] == row->mapping[i]) {
                spot_error(r, &item, "%d stands there twice", row->mapping[i]);
                break;
            }
    }
}

static void row_read(struct reader *r, const struct spot *spot, const struct machine *machine, struct coll_row *row)
{
    static const char *const trees[] = {"binomial"};
    struct field fields[] = {{"operation", true, {0}}, {"numprocs", true, {0}}, {"bytes", true, {0}},
                             {"piece", false, {0}}, {"tree", false, {0}}, {"mapping", false, {0}}};
    int tree;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[0].spot.node)
        operation_read(r, &fields[0].spot, &row->op);
    if (fields[1].spot.node)
        int_read(r, &fields[1].spot, 2, NUMPROCS_MOST, &row->numprocs);
    if (fields[2].spot.node)
        bytes_read(r, &fields[2].spot, row);
    if (!fields[3].spot.node == !fields[4].spot.node)
        spot_error(r, spot, "expected either `piece` or `tree`");
    if (fields[3].spot.node && whole_read(r, &fields[3].spot, 1, INT32_MAX, &row->piece) &&
        !coll_op_goes_up(row->op))
        spot_error(r, &fields[3].spot, "%s does not go in pieces: MPI_Gather and MPI_Gatherv do",
                   coll_op_name(row->op));
    if (fields[4].spot.node)
        choice_read(r, &fields[4].spot, "tree", trees, 1, &tree);
    if (fields[5].spot.node && !fields[4].spot.node)
        spot_error(r, &fields[5].spot, "a mapping is of a `tree`");
    else if (fields[5].spot.node)
        mapping_read(r, &fields[5].spot, machine, row);
}

void decisions_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const char *const per[] = {"node", "process"};
    struct field fields[] = {{"per", true, {0}}, {"table", true, {0}}};
    struct coll_table *table = &machine->decisions;
    int choice;
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    machine->has_decisions = true;
    if (fields[0].spot.node && choice_read(r, &fields[0].spot, "place of a process", per, 2, &choice))
        table->per_process = choice == 1;
    const struct spot *rows = &fields[1].spot;
    if (!rows->node || !list_check(r, rows, LIST_ANY, "a list of decisions"))
        return;
    table->rows = alloc_zeroed(rows->node->n, sizeof *table->rows);
    table->n = rows->node->n;
    for (size_t i = 0; i < table->n; i++) {
        struct spot row = spot_item(rows, i);
        row_read(r, &row, machine, &table->rows[i]);
    }
}

/* ---- writing ---- */

static void write_row(FILE *out, const struct coll_row *row)
{
    fprintf(out, "    - {operation: %s, numprocs: %d, bytes: [%lld, %lld], ", coll_op_name(row->op), row->numprocs,
            (long long)row->from, (long long)row->to);
    if (row->piece > 0)
        fprintf(out, "piece: %lld", (long long)row->piece);
    else
        fputs("tree: binomial", out);
    for (int i = 0; row->mapping && i < row->numprocs; i++)
        fprintf(out, "%s%d", i ? ", " : ", mapping: [", row->mapping[i]);
    fputs(row->mapping ? "]}\n" : "}\n", out);
}

void write_decisions(FILE *out, const struct coll_table *table)
{
    fprintf(out, "decisions:\n  per: %s\n  table:%s\n", table->per_process ? "process" : "node",
            table->n > 0 ? "" : " []");
    for (size_t i = 0; i < table->n; i++)
        write_row(out, &table->rows[i]);
}
