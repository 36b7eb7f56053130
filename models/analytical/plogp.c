/* PLogP cost of one point-to-point message.
 *
 * Source: T. Kielmann, H. E. Bal, K. Verstoep, Fast measurement of LogP parameters for message passing platforms, IPDPS
 * 2000 workshops. Overheads and gap are piecewise linear functions of the size (machine_curve_at); the gap covers them:
 *     send overhead  o_s(M)        receive overhead  o_r(M)
 *     out gap, in gap  g(M)        transit  L + g(M)
 * The parameters are those of plogp_hetero (by ordered pair of nodes; within a node the diagonal, where nothing is no
 * time at all) or plogp. */
#include "models/analytical.h"

#include "models/machine.h"

static struct analytical_cost plogp_cost(double L, const struct machine_curve *o_s, const struct machine_curve *o_r,
                                         const struct machine_curve *g, int64_t bytes)
{
    double gap = machine_curve_at(g, (double)bytes);
    return (struct analytical_cost){
        .send_overhead = machine_curve_at(o_s, (double)bytes),
        .out_gap = gap,
        .transit = L + gap,
        .in_gap = gap,
        .receive_overhead = machine_curve_at(o_r, (double)bytes),
    };
}

static struct analytical_cost plogp_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes)
{
    const struct machine_plogp *m = machine->plogp;
    (void)i, (void)j;
    return plogp_cost(m->L, &m->o_s, &m->o_r, &m->g, bytes);
}

static struct analytical_cost plogp_hetero_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes)
{
    const struct machine_plogp_hetero *m = machine->plogp_hetero;
    size_t at = i * m->n + j;
    return plogp_cost(m->L.value[at], &m->o_s[at], &m->o_r[at], &m->g[at], bytes);
}

enum status plogp_model_open(struct cost_model **model, const struct machine *machine,
                             const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    if (machine->plogp_hetero) {
        *model = analytical_create("plogp", plogp_hetero_formula, (uint32_t)machine->plogp_hetero->n, machine, options);
        analytical_note_diagonal(*model, machine, options, diags);
    } else if (machine->plogp) {
        *model = analytical_create("plogp", plogp_formula, 1, machine, options);
    } else {
        return analytical_missing(machine, "plogp", diags);
    }
    return STATUS_OK;
}
