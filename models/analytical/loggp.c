/* LogGP and LogP cost of one point-to-point message.
 *
 * Source: A. Alexandrov, M. F. Ionescu, K. E. Schauser, C. Scheiman, LogGP: Incorporating long messages into the LogP
 * model, SPAA 1995 (one overhead o there; o_s to send and o_r to receive here). With b = max(M, 1) - 1, the bytes after
 * the first:
 *     send overhead  o_s                     receive overhead  o_r
 *     out gap        max(g, o_s) + b G       in gap            max(g, o_r) + b G
 *     transit        L + o_s + o_r + b G
 * The parameters come from the first section the file has of loggp_hetero (by ordered pair of nodes; within a node the
 * diagonal), loggp, logp_hetero, logp (LogP: G = 0).
 *
 * LogP: D. Culler et al., LogP: Towards a realistic model of parallel computation, PPoPP 1993. G = 0: a message of any
 * size costs what a small one does (size_blind). Its parameters are those of logp_hetero or logp. */
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

static struct analytical_cost loggp_hetero_cost(const struct machine_loggp_hetero *m, uint32_t i, uint32_t j,
                                                int64_t bytes)
{
    size_t at = i * m->L.n + j;
    struct machine_loggp pair = {.L = m->L.value[at], .o_s = m->o_s.value[at], .o_r = m->o_r.value[at],
                                 .g = m->g.value[at], .G = m->G.value ? m->G.value[at] : 0};
    return loggp_cost(&pair, bytes);
}

/* X(section of the machine file) */
#define FORMULAS(X) X(loggp) X(logp)
#define X(section)                                                                                       \
    static struct analytical_cost section##_formula(const struct machine *machine, uint32_t i, uint32_t j, \
                                                    int64_t bytes)                                         \
    {                                                                                                      \
        (void)i, (void)j;                                                                                  \
        return loggp_cost(machine->section, bytes);                                                        \
    }                                                                                                      \
    static struct analytical_cost section##_hetero_formula(const struct machine *machine, uint32_t i, uint32_t j, \
                                                           int64_t bytes)                                  \
    {                                                                                                      \
        return loggp_hetero_cost(machine->section##_hetero, i, j, bytes);                                  \
    }
FORMULAS(X)
#undef X

/* hetero NULL: `formula` serves every pair. */
static void model_create(struct cost_model **model, const char *name, analytical_formula *formula,
                         const struct machine_loggp_hetero *hetero, const struct machine *machine,
                         const struct cost_options *options, struct diags *diags)
{
    *model = analytical_create(name, formula, hetero ? (uint32_t)hetero->L.n : 1, machine, options);
    if (hetero)
        analytical_note_diagonal(*model, machine, options, diags);
}

/* From the LogP parameters. */
static enum status logp_create(struct cost_model **model, const char *name, const struct machine *machine,
                               const struct cost_options *options, struct diags *diags)
{
    if (machine->logp_hetero)
        model_create(model, name, logp_hetero_formula, machine->logp_hetero, machine, options, diags);
    else if (machine->logp)
        model_create(model, name, logp_formula, NULL, machine, options, diags);
    else
        return analytical_missing(machine, name, diags);
    return STATUS_OK;
}

enum status logp_model_open(struct cost_model **model, const struct machine *machine,
                            const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    enum status status = logp_create(model, "logp", machine, options, diags);
    if (status == STATUS_OK)
        (*model)->size_blind = true;
    return status;
}

enum status loggp_model_open(struct cost_model **model, const struct machine *machine,
                             const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    if (machine->loggp_hetero)
        model_create(model, "loggp", loggp_hetero_formula, machine->loggp_hetero, machine, options, diags);
    else if (machine->loggp)
        model_create(model, "loggp", loggp_formula, NULL, machine, options, diags);
    else
        return logp_create(model, "loggp", machine, options, diags);
    return STATUS_OK;
}
