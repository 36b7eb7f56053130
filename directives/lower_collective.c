#include "directives/lower_impl.h"

bool lower_has_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Alltoallv;
}

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

/* What all members say of their shares. True when they are known. */
static bool find_shares(struct lowering *lowering, const struct stmt *stmt, bool is_known, struct collective_ref *ref)
{
    struct gathering *gathering = lower_meet(lowering, stmt, ref->comm);
    if (lowering->gathering)
        lower_say(lowering, gathering, is_known, ref->bytes, 0);
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
    bool is_known = folded.kind == FOLD_KNOWN, has_shares = lower_has_shares(ref->op);
    enum status status = is_known ? program_check_bytes(folded.value, &ref->bytes, text) : STATUS_OK;
    if (status != STATUS_OK) {
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
        return false;
    }
    if (has_shares && find_shares(lowering, stmt, is_known, ref)) {
        ref->bytes = -1;
    } else if (!is_known || has_shares) {
        ref->bytes = 0;
        ref->bytes_expr = lower_expr(lowering, stmt, expr, 1);
    }
    return !lowering->dead;
}

void lower_collective(struct lowering *lowering, const struct stmt *stmt)
{
    const struct collective *collective = &stmt->collective;
    struct collective_ref ref = {.op = collective->op,
                                 .site = lower_site(lowering, stmt),
                                 .algorithm = collective->algorithm,
                                 .root_expr = -1,
                                 .bytes_expr = -1};
    if (!lower_find_comm(lowering, stmt, collective->key[KEY_comm], &ref.comm) || !find_root(lowering, stmt, &ref) ||
        !find_size(lowering, stmt, &ref) ||
        !lower_find_requests(lowering, stmt, collective->n_requests, collective->requests, false))
        return;
    int32_t index = lower_collective_ref(lowering, &ref);
    struct instr *instr = lower_emit(lowering, INSTR_COLLECTIVE, stmt);
    instr->comm = ref.comm;
    instr->index = index;
    lower_set_requests(lowering, instr, lowering->n_requests, lowering->requests);
}
