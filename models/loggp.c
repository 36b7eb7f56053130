#include "models/loggp.h"

#include "models/analytical.h"
#include "models/machine.h"

#include <math.h>

static struct analytical_cost loggp_cost(const struct machine_loggp *p, int64_t bytes)
{
    double rest = (double)(bytes > 1 ? bytes - 1 : 0) * p->G;
    return (struct analytical_cost){
        .send_overhead = p->o_s,
        .out_gap = fmax(p->g, p->o_s) + rest,
        .transit = p->L + p->o_s + p->o_r + rest,
        .in_gap = fmax(p->g, p->o_r) + rest,
        .receive_overhead = p->o_r,
    };
}

static struct analytical_cost loggp_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes)
{
    (void)i, (void)j;
    return loggp_cost(machine->loggp ? machine->loggp : machine->logp, bytes);
}

static struct analytical_cost loggp_hetero_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes)
{
    const struct machine_loggp_hetero *m = machine->loggp_hetero ? machine->loggp_hetero : machine->logp_hetero;
    size_t at = i * m->L.n + j;
    struct machine_loggp pair = {.L = m->L.value[at], .o_s = m->o_s.value[at], .o_r = m->o_r.value[at],
                                 .g = m->g.value[at], .G = m->G.value ? m->G.value[at] : 0};
    return loggp_cost(&pair, bytes);
}

enum status loggp_model_open(struct cost_model **model, const struct machine *machine,
                             const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    const struct machine_loggp_hetero *hetero =
        machine->loggp_hetero ? machine->loggp_hetero : machine->loggp ? NULL : machine->logp_hetero;
    if (hetero) {
        *model = analytical_create("loggp", loggp_hetero_formula, (uint32_t)hetero->L.n, machine, options);
        analytical_note_diagonal(*model, machine, options, diags);
    } else if (machine->loggp || machine->logp) {
        *model = analytical_create("loggp", loggp_formula, 1, machine, options);
    } else {
        return analytical_missing(machine, "loggp", diags);
    }
    return STATUS_OK;
}
