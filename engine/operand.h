/* operand.h - the operands of an instruction for one process, known before the run or computed now.
 *
 * All engines read operands here, so a value out of range gives the same words in all, and the same as where lowering
 * finds it (program_check_...). */
#ifndef PEVPM_ENGINE_OPERAND_H
#define PEVPM_ENGINE_OPERAND_H

#include "common/status.h"
#include "directives/expression.h"
#include "directives/program.h"

#include <stdbool.h>
#include <stdint.h>

struct operands {
    int32_t tag;    /* OPERAND_ANY_TAG: MPI_ANY_TAG */
    int32_t comm;   /* index into program->comms. Messages match within one communicator only. Behind the tag, as in
                     * struct instr and in a context: so they are copied, and read, as one word */
    int32_t peer;   /* a process; OPERAND_NO_PEER: MPI_PROC_NULL; OPERAND_ANY_PEER: MPI_ANY_SOURCE */
    int64_t bytes;  /* 0 for a probe */
};
enum { OPERAND_NO_PEER = -1, OPERAND_ANY_PEER = INSTR_ANY_SOURCE, OPERAND_ANY_TAG = INSTR_ANY_TAG };

/* Communicator and tag in one: messages match where it is the same. The tag is its lower half. */
static inline int64_t operand_context(int32_t comm, int32_t tag)
{
    return (int64_t)((uint64_t)(uint32_t)comm << 32 | (uint32_t)tag);
}

/* What went wrong, for program_report: filled only when a function below returns false. */
struct problem {
    enum status status;
    int32_t site;
    char text[PROGRAM_TEXT_BYTES];
};

/* Of a message or a probe. */
bool operand_message_compute(const struct program *program, const struct role *role, const struct instr *instr,
                             int process, const struct value *slots, struct operands *out, struct problem *problem);

/* The same where nothing needs to be computed: instr->dynamic is 0. */
static inline struct operands operand_message_known(const struct role *role, const struct instr *instr, int process)
{
    struct operands known = {.tag = instr->tag, .comm = instr->comm, .peer = OPERAND_ANY_PEER, .bytes = instr->bytes};
    if (instr->peer != INSTR_ANY_SOURCE) {
        const struct role_peer *peer = &role->peers[instr->peer];
        known.peer = peer->value + (peer->relative ? process : 0);
    }
    return known;
}

static inline bool operand_message(const struct program *program, const struct role *role, const struct instr *instr,
                                   int process, const struct value *slots, struct operands *out,
                                   struct problem *problem)
{
    if (instr->dynamic != 0)
        return operand_message_compute(program, role, instr, process, slots, out, problem);
    *out = operand_message_known(role, instr, process);
    return true;
}

/* Iterations of a LOOP (0 for less), and its variable's first value (0 where it has none, or is never run). */
bool operand_loop(const struct program *program, const struct instr *instr, int process, const struct value *slots,
                  int64_t *iterations, int64_t *from, struct problem *problem);

/* Of a SERIAL. */
bool operand_seconds_compute(const struct program *program, const struct instr *instr, int process,
                             const struct value *slots, double *seconds, struct problem *problem);

static inline bool operand_seconds(const struct program *program, const struct instr *instr, int process,
                                   const struct value *slots, double *seconds, struct problem *problem)
{
    *seconds = instr->seconds;
    return !(instr->dynamic & DYNAMIC_SECONDS) ||
           operand_seconds_compute(program, instr, process, slots, seconds, problem);
}

/* The expression of a BRANCH or SET. */
bool operand_value_compute(const struct program *program, const struct instr *instr, int process,
                           const struct value *slots, struct value *value, struct problem *problem);

static inline bool operand_value(const struct program *program, const struct instr *instr, int process,
                                 const struct value *slots, struct value *value, struct problem *problem)
{
    const struct expr_code *code = &program->exprs[instr->count];
    return expression_quick(&code->quick, slots, value) ||
           operand_value_compute(program, instr, process, slots, value, problem);
}

/* Carries a PUT out. */
bool operand_put(const struct program *program, const struct instr *instr, int process, struct value *slots,
                 struct problem *problem);

/* False where the slot of a RECV or IRECV that takes a message holds none. */
bool operand_message_held(struct value slot, int32_t site, struct problem *problem);

/* The element index of a request; -1 where it has no brackets. `site`: of the instruction. */
bool operand_request(const struct program *program, const struct request_ref *ref, int32_t site, int process,
                     const struct value *slots, int64_t *index, struct problem *problem);

/* What a Waitany or Testany binds as `index` that took the operation (name, element): its place in the list of requests;
 * of a whole name that is the list the element. 0: it is not in the list. */
bool operand_request_place(const struct program *program, const struct instr *instr, int process,
                           const struct value *slots, int32_t name, int64_t element, int64_t *place,
                           struct problem *problem);

/* The arguments of a sampled computation. */
bool operand_serial(const struct program *program, const struct instr *instr, int process, const struct value *slots,
                    double a[2], struct problem *problem);

/* The root of a collective operation (0 where it has none) and the caller's own bytes: 0 where they depend on
 * `partner`. */
bool operand_collective(const struct program *program, const struct instr *instr, int process,
                        const struct value *slots, int32_t *root, int64_t *bytes, struct problem *problem);

/* The share of a rank in a collective operation, with the caller's variables where it must be computed; or, where
 * `size` is over `partner`, what it says for that rank. */
bool operand_share(const struct program *program, const struct instr *instr, int32_t rank, int32_t partner,
                   const struct value *slots, int64_t *bytes, struct problem *problem);

/* False when a message of `bytes` from process `from` is longer than its receive, posted at `site`, takes. */
bool operand_fits(int64_t bytes, int from, int64_t receive_bytes, int32_t site, struct problem *problem);

#endif
