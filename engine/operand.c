#include "engine/operand.h"

#include <stdio.h>
#include <string.h>

/* What an expression said was wrong (program_eval), NULL: nothing; the error stands at the expression itself. */
static bool evaluated(const struct program *program, int64_t expr, const char *wrong, struct value value,
                      struct problem *problem)
{
    if (!wrong)
        return true;
    problem->status = STATUS_RANGE;
    problem->site = program_expr_site(program, (int32_t)expr);
    expression_problem_print(problem->text, sizeof problem->text, wrong, value);
    return false;
}

static bool evaluate(const struct program *program, int64_t expr, int process, const struct value *slots,
                     struct value *value, struct problem *problem)
{
    const char *wrong = program_eval(program, (int32_t)expr, process, slots, value);
    return evaluated(program, expr, wrong, *value, problem);
}

static bool accept(enum status status, int32_t site, struct problem *problem)
{
    problem->status = status;
    problem->site = site;
    return status == STATUS_OK;
}

static bool peer_read(const struct program *program, const struct role *role, const struct instr *instr, int process,
                      const struct value *slots, int32_t *peer, struct problem *problem)
{
    if (!(instr->dynamic & DYNAMIC_PEER) && instr->peer == INSTR_ANY_SOURCE) {
        *peer = OPERAND_ANY_PEER;
        return true;
    }
    if (!(instr->dynamic & DYNAMIC_PEER)) {
        const struct role_peer *known = &role->peers[instr->peer];
        *peer = known->value + (known->relative ? process : 0);
        return true;
    }
    struct value value;
    if (!expression_quick(&program->exprs[instr->peer].quick, slots, &value) &&
        !evaluate(program, instr->peer, process, slots, &value, problem))
        return false;
    bool is_process = value.kind == VALUE_INT && value.i >= 0 && value.i < program->numprocs;
    if (is_process && instr->comm == 0) {
        *peer = (int32_t)value.i;
        return true;
    }
    return accept(program_check_peer(program, instr->comm, (enum instr_op)instr->op, value, peer, problem->text),
                  instr->site, problem);
}

bool operand_message_compute(const struct program *program, const struct role *role, const struct instr *instr,
                             int process, const struct value *slots, struct operands *out, struct problem *problem)
{
    struct value value;
    out->tag = instr->tag;
    out->comm = instr->comm;
    out->bytes = instr->bytes;
    if (!peer_read(program, role, instr, process, slots, &out->peer, problem))
        return false;
    if (instr->dynamic & DYNAMIC_TAG &&
        !(evaluate(program, instr->tag, process, slots, &value, problem) &&
          accept(program_check_tag((enum instr_op)instr->op, value, &out->tag, problem->text), instr->site, problem)))
        return false;
    return !(instr->dynamic & DYNAMIC_BYTES) ||
           (evaluate(program, instr->bytes, process, slots, &value, problem) &&
            accept(program_check_bytes(value, &out->bytes, problem->text), instr->site, problem));
}

bool operand_loop(const struct program *program, const struct instr *instr, int process, const struct value *slots,
                  int64_t *iterations, int64_t *from, struct problem *problem)
{
    struct value value;
    *iterations = instr->count;
    *from = 0;
    if (instr->dynamic & DYNAMIC_COUNT &&
        !(evaluate(program, instr->count, process, slots, &value, problem) &&
          accept(program_check_count(value, iterations, problem->text), instr->site, problem)))
        return false;
    return *iterations <= 0 || !instr->has_variable || instr->from < 0 ||
           (evaluate(program, instr->from, process, slots, &value, problem) &&
            accept(program_check_first(value, from, problem->text), instr->site, problem));
}

bool operand_seconds_compute(const struct program *program, const struct instr *instr, int process,
                             const struct value *slots, double *seconds, struct problem *problem)
{
    struct value value;
    return evaluate(program, instr->index, process, slots, &value, problem) &&
           accept(program_check_seconds(value, seconds, problem->text), instr->site, problem);
}

bool operand_value_compute(const struct program *program, const struct instr *instr, int process,
                           const struct value *slots, struct value *value, struct problem *problem)
{
    return evaluate(program, instr->count, process, slots, value, problem);
}

bool operand_put(const struct program *program, const struct instr *instr, int process, struct value *slots,
                 struct problem *problem)
{
    struct value value, at;
    int64_t i;
    if (!evaluate(program, instr->from, process, slots, &at, problem) ||
        !evaluate(program, instr->count, process, slots, &value, problem))
        return false;
    if (!value_as_integer(at, &i) || i < 0 || i >= instr->target)
        return evaluated(program, instr->from, expression_index_problem, (struct value){VALUE_NONE, {0}}, problem);
    slots[instr->slot + i] = value;
    return true;
}

bool operand_message_held(struct value slot, int32_t site, struct problem *problem)
{
    if (slot.kind != VALUE_NONE)
        return true;
    problem->status = STATUS_RANGE;
    problem->site = site;
    snprintf(problem->text, sizeof problem->text,
             "`message` holds none: no probe has found one, or it has been received");
    return false;
}

bool operand_request(const struct program *program, const struct request_ref *ref, int32_t site, int process,
                     const struct value *slots, int64_t *index, struct problem *problem)
{
    struct value value;
    *index = ref->index;
    return ref->index_expr < 0 || (evaluate(program, ref->index_expr, process, slots, &value, problem) &&
                                   accept(program_check_index(value, index, problem->text), site, problem));
}

bool operand_request_place(const struct program *program, const struct instr *instr, int process,
                           const struct value *slots, int32_t name, int64_t element, int64_t *place,
                           struct problem *problem)
{
    *place = 0;
    for (int32_t r = 0; r < instr->n_requests; r++) {
        const struct request_ref *ref = &program->requests[instr->first_request + r];
        int64_t index;
        if (ref->name != name)
            continue;
        if (!operand_request(program, ref, instr->site, process, slots, &index, problem))
            return false;
        if (!ref->whole && index != element)
            continue;
        *place = ref->whole && instr->n_requests == 1 ? element : r;
        return true;
    }
    return true;
}

bool operand_serial(const struct program *program, const struct instr *instr, int process, const struct value *slots,
                    double a[2], struct problem *problem)
{
    const struct serial_ref *serial = &program->serials[instr->index];
    bool dynamic = false;
    a[0] = a[1] = 0;
    for (int i = 0; i < serial->n; i++) {
        struct value value;
        a[i] = serial->a[i];
        if (!serial->dynamic[i])
            continue;
        if (!evaluate(program, serial->expr[i], process, slots, &value, problem))
            return false;
        a[i] = value_as_real(value);
        dynamic = true;
    }
    return !dynamic || accept(program_check_serial(serial, a, problem->text), instr->site, problem);
}

bool operand_collective(const struct program *program, const struct instr *instr, int process,
                        const struct value *slots, int32_t *root, int64_t *bytes, struct problem *problem)
{
    const struct collective_ref *ref = &program->collectives[instr->index];
    struct value value;
    *root = ref->root;
    if (ref->root_expr >= 0 &&
        !(evaluate(program, ref->root_expr, process, slots, &value, problem) &&
          accept(program_check_root(program, ref->comm, value, root, problem->text), instr->site, problem)))
        return false;
    *bytes = 0;
    int32_t rank = program_comm_rank(program, ref->comm, process);
    return ref->over_partner || operand_share(program, instr, rank, -1, slots, bytes, problem);
}

bool operand_share(const struct program *program, const struct instr *instr, int32_t rank, int32_t partner,
                   const struct value *slots, int64_t *bytes, struct problem *problem)
{
    const struct collective_ref *ref = &program->collectives[instr->index];
    struct value value;
    *bytes = ref->shares ? ref->shares[ref->over_partner ? partner : rank] : ref->bytes;
    if (ref->shares || ref->bytes_expr < 0)
        return true;
    int32_t process = program_comm_process(program, ref->comm, rank);
    const char *wrong = program_eval_partner(program, ref->bytes_expr, process, partner, slots, &value);
    return evaluated(program, ref->bytes_expr, wrong, value, problem) &&
           accept(program_check_bytes(value, bytes, problem->text), instr->site, problem);
}

bool operand_fits(int64_t bytes, int from, int64_t receive_bytes, int32_t site, struct problem *problem)
{
    if (bytes <= receive_bytes)
        return true;
    snprintf(problem->text, sizeof problem->text,
             "the message of %lld bytes from process %d is longer than this receive's %lld", (long long)bytes, from,
             (long long)receive_bytes);
    return accept(STATUS_RANGE, site, problem);
}
