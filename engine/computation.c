#include "engine/computation.h"

#include "engine/random.h"

#include <assert.h>

void computing_begin(const struct computations *all, struct computing *computing, uint32_t replication, int process)
{
    *computing = (struct computing){
        .replication = replication,
        .process = process,
        .time_factor = variability_at(&all->variability, all->seed, replication, program_node(all->program, process)),
    };
}

void computations_prepare(const struct computations *all, int process)
{
    const struct role *role = &all->program->roles[all->program->role_of[process]];
    for (const struct instr *instr = role->code; instr < role->code + role->n_code; instr++) {
        if (instr->op != INSTR_SAMPLE)
            continue;
        const struct serial_ref *serial = &all->program->serials[instr->index];
        struct problem problem;
        if (!serial->dynamic[0] && !serial->dynamic[1]) /* a problem is told of by the process that comes to it */
            price_serial(all->book, all->machine, all->mode, serial, serial->a, &problem);
    }
}

static double draw(const struct computations *all, const struct computing *computing, const struct quantile *q,
                   uint64_t number, enum stream stream)
{
    return random_draw(q, all->seed, computing->replication, (uint32_t)computing->process, number, stream);
}

bool computing_next(const struct computations *all, struct computing *computing, const struct instr *instr,
                    const struct value *slots, double *seconds, struct problem *problem)
{
    assert(instr->op == INSTR_SERIAL || instr->op == INSTR_SAMPLE);
    double a[2];
    bool is_sampled = instr->op == INSTR_SAMPLE;
    if (is_sampled ? !operand_serial(all->program, instr, computing->process, slots, a, problem)
                   : !operand_seconds(all->program, instr, computing->process, slots, seconds, problem))
        return false;
    if (is_sampled) {
        const struct quantile *q =
            price_serial(all->book, all->machine, all->mode, &all->program->serials[instr->index], a, problem);
        if (!q)
            return false;
        *seconds = draw(all, computing, q, computing->n_sampled++, STREAM_SERIAL);
    }
    const struct quantile *call = variability_of_call(&all->variability);
    double factor = computing->time_factor * draw(all, computing, call, computing->n_computed++, STREAM_SERIAL_CALL);
    *seconds = factor * *seconds;
    return true;
}
