#include "directives/lower/lower_impl.h"

#include <stdlib.h>

/* False after a FAIL; likewise below. */
static bool find_root(struct lowering *lowering, const struct stmt *stmt, struct collective_ref *ref)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    const struct expr *expr = stmt->collective.key[KEY_root];
    if (!expr)
        return true;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind == FOLD_UNKNOWN) {
        ref->root_expr = lower_expr(lowering, stmt, expr, 1);
        return !lowering->dead;
    }
    enum status status = program_check_root(lowering->program, ref->comm, folded.value, &ref->root, text);
    if (status != STATUS_OK)
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
    return status == STATUS_OK;
}

/* What the run computes. */
static bool leave_size(struct lowering *lowering, const struct stmt *stmt, struct collective_ref *ref)
{
    ref->bytes = 0;
    ref->bytes_expr = lower_expr(lowering, stmt, stmt->collective.key[KEY_size], 1);
    return !lowering->dead;
}

/* What all members say of their shares. True when they are known. */
static bool find_shares(struct lowering *lowering, const struct stmt *stmt, bool is_known, struct collective_ref *ref)
{
    struct gathering *gathering = lower_meet(lowering, stmt, ref->comm);
    if (lowering->gathering)
        lower_say(lowering, gathering, is_known, ref->bytes);
    ref->shares = gathering->settled && is_known ? gathering->shares : NULL;
    return ref->shares != NULL;
}

static bool find_size(struct lowering *lowering, const struct stmt *stmt, struct collective_ref *ref)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    const struct expr *expr = stmt->collective.key[KEY_size];
    if (!expr)
        return true;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    bool is_known = folded.kind == FOLD_KNOWN, has_shares = collective_op_has_shares(ref->op);
    enum status status = is_known ? program_check_bytes(folded.value, &ref->bytes, text) : STATUS_OK;
    if (status != STATUS_OK) {
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
        return false;
    }
    if (has_shares && find_shares(lowering, stmt, is_known, ref))
        ref->bytes = -1;
    else if (!is_known || has_shares)
        return leave_size(lowering, stmt, ref);
    return true;
}

/* The process's sizes over `partner` or `neighbor`, row [n]. *is_known: before the run. False after a FAIL. */
static bool fold_row(struct lowering *lowering, const struct stmt *stmt, const struct collective_ref *ref, int32_t n,
                     int64_t row[], bool *is_known)
{
    char text[PROGRAM_TEXT_BYTES];
    const struct expr *expr = stmt->collective.key[KEY_size];
    const int32_t rank = program_comm_rank(lowering->program, ref->comm, lowering->scope.process);
    for (int32_t partner = 0; partner < n; partner++) {
        struct folded folded;
        row[partner] = 0;
        if (program_row_partner(lowering->program, ref->op, ref->comm, rank, partner) < 0)
            continue;
        lowering->scope.partner = partner;
        scope_fold(&lowering->scope, expr, &folded);
        *is_known = folded.kind != FOLD_UNKNOWN;
        if (!*is_known)
            return true;
        enum status status = STATUS_RANGE;
        if (folded.kind == FOLD_KNOWN)
            status = program_check_bytes(folded.value, &row[partner], text);
        else
            expression_problem_print(text, sizeof text, folded.problem, folded.value);
        if (status != STATUS_OK) {
            lower_fail(lowering, stmt, folded.at ? folded.at : &expr->at, status, "%s, for %s %d", text,
                       collective_op_is_local(ref->op) ? "neighbor" : "partner", partner);
            return false;
        }
    }
    return true;
}

/* A size over `partner` or `neighbor`: the root's row is the shares of a Scatterv, the rows of all are the pairs of an
 * Alltoallv. */
static bool find_row(struct lowering *lowering, const struct stmt *stmt, struct collective_ref *ref)
{
    const enum collective_sizes sizes = collective_op_sizes(ref->op);
    const bool pairs = sizes != SIZES_root;
    const int32_t n = lowering->program->comms[ref->comm].n;
    const int32_t rank = program_comm_rank(lowering->program, ref->comm, lowering->scope.process);
    const struct program_row place = program_row(lowering->program, ref->op, ref->comm, rank);
    if (sizes == SIZES_pair && n > PROGRAM_PAIRS_MOST) {
        lower_fail(lowering, stmt, &stmt->collective.key[KEY_size]->at, STATUS_RANGE,
                   "sizes that differ for each pair of %d processes: there can be %d (`size`)", n, PROGRAM_PAIRS_MOST);
        return false;
    }
    struct gathering *gathering = lower_meet(lowering, stmt, ref->comm);
    if (gathering->settled && gathering->shares) {
        ref->bytes = -1;
        *(pairs ? &ref->pairs : &ref->shares) = gathering->shares;
        return true;
    }
    const bool asked = pairs || ref->root_expr >= 0 || rank == ref->root;
    bool is_known = true;
    int64_t *row = alloc_array((size_t)place.n, sizeof *row);
    bool fine = !asked || fold_row(lowering, stmt, ref, place.n, row, &is_known);
    if (fine && lowering->gathering)
        lower_say_row(lowering, gathering, is_known && ref->root_expr < 0, place, asked ? row : NULL);
    free(row);
    return fine && leave_size(lowering, stmt, ref);
}

/* False after a FAIL: the communicator has no neighbours that the operation needs. */
static bool check_neighbours(struct lowering *lowering, const struct stmt *stmt, const struct collective_ref *ref)
{
    bool lacks = collective_op_is_local(ref->op) && !lowering->program->comms[ref->comm].topology;
    if (lacks)
        lower_fail(lowering, stmt, &stmt->collective.key[KEY_comm]->at, STATUS_RANGE,
                   "this communicator has no neighbours: cart_create or dist_graph_create_adjacent makes one that has");
    return !lacks;
}

void lower_inner_collective(struct lowering *lowering, const struct stmt *stmt, const struct agreement_step *step,
                            int32_t comm)
{
    const struct collective_ref ref = {.op = step->op, .site = lower_site(lowering, stmt), .comm = comm,
                                       .algorithm = step->algorithm, .bytes = step->bytes, .root_expr = -1,
                                       .bytes_expr = -1};
    const int32_t index = lower_collective_ref(lowering, &ref);
    struct instr *instr = lower_emit(lowering, INSTR_COLLECTIVE, stmt);
    instr->comm = comm;
    instr->index = index;
}

void lower_collective(struct lowering *lowering, const struct stmt *stmt)
{
    const struct collective *collective = &stmt->collective;
    struct collective_ref ref = {.op = collective->op,
                                 .site = lower_site(lowering, stmt),
                                 .algorithm = collective->algorithm,
                                 .over_partner = collective->over_partner,
                                 .root_expr = -1,
                                 .bytes_expr = -1};
    if (!lower_find_comm(lowering, stmt, collective->key[KEY_comm], &ref.comm) ||
        !check_neighbours(lowering, stmt, &ref) || !find_root(lowering, stmt, &ref) ||
        !(ref.over_partner ? find_row(lowering, stmt, &ref) : find_size(lowering, stmt, &ref)) ||
        !lower_find_requests(lowering, stmt, collective->n_requests, collective->requests, false))
        return;
    int32_t index = lower_collective_ref(lowering, &ref);
    struct instr *instr = lower_emit(lowering, INSTR_COLLECTIVE, stmt);
    instr->comm = ref.comm;
    instr->index = index;
    lower_set_requests(lowering, instr, lowering->n_requests, lowering->requests);
}
