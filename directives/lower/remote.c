/* One-sided operations. What they and their epochs do is what Open MPI's osc/pt2pt does (docs/directives.md); an
 * epoch's end is made of instructions that wait for what is on its way, and of a fence's collective operations. */
#include "directives/lower/lower_impl.h"

/* What Open MPI counts for each process in a fence: messages, in 4 bytes. */
enum { COUNT_BYTES = 4 };

static struct instr *emit(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm)
{
    struct instr *instr = lower_emit(lowering, op, stmt);
    instr->comm = comm;
    instr->slot = stmt->message.window;
    return instr;
}

void lower_fence(struct lowering *lowering, const struct stmt *stmt, int32_t comm)
{
    const struct agreement_step counts = {COLLECTIVE_MPI_Reduce_scatter_block, COUNT_BYTES, NULL},
                                barrier = {COLLECTIVE_MPI_Barrier, 0, NULL};
    emit(lowering, stmt, INSTR_DELIVER, comm);
    lower_inner_collective(lowering, stmt, &counts, comm);
    emit(lowering, stmt, INSTR_SETTLE, comm);
    lower_inner_collective(lowering, stmt, &barrier, comm);
}

void lower_settle(struct lowering *lowering, const struct stmt *stmt, const struct instr *behind)
{
    const int32_t peer = behind->peer, comm = behind->comm;
    const uint8_t dynamic = behind->dynamic & DYNAMIC_PEER;
    struct instr *settle = emit(lowering, stmt, INSTR_SETTLE, comm);
    settle->peer = peer;
    settle->dynamic = dynamic;
}
