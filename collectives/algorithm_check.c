#include "collectives/algorithm_check.h"

#include "collectives/schedule.h"

static enum status keep_first(enum status first, enum status next)
{
    return first != STATUS_OK ? first : next;
}

static enum status collective_check(const struct collective *collective, struct diags *diags)
{
    enum algorithm algorithm;
    int64_t segment;
    if (!collective->algorithm)
        return STATUS_OK;
    return algorithm_parse(collective->algorithm, collective->op, collective->algorithm_at, &algorithm, &segment,
                           diags);
}

/* The parser limits how deep blocks nest. */
static enum status block_check(const struct block *block, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        if (stmt->kind == STMT_COLLECTIVE)
            status = keep_first(status, collective_check(&stmt->collective, diags));
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            status = keep_first(status, block_check(inner, diags));
    }
    return status;
}

enum status algorithms_check(const struct tree *tree, struct diags *diags)
{
    enum status status = block_check(&tree->program, diags);
    for (const struct procedure *procedure = tree->procedures; procedure; procedure = procedure->next)
        status = keep_first(status, block_check(&procedure->body, diags));
    return status;
}
