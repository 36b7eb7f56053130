/* Hockney's cost of one point-to-point message.
 *
 * Source: R. W. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, Parallel Computing 20,
 * 1994.
 *     T(M) = alpha + beta M        alpha: latency, s; beta: time per byte, s/byte
 * transit = out gap = T(M): the sender's port is busy for the whole transfer, so its sends follow one another; in gap
 * and overheads are 0. With `models: hockney_hetero` alpha and beta are those of the ordered pair of nodes (within a
 * node the diagonal), else those of `models: hockney`. */
#include "models/analytical.h"

#include "models/machine.h"

static struct analytical_cost hockney_cost(double alpha, double beta, int64_t bytes)
{
    double time = alpha + beta * (double)bytes;
    return (struct analytical_cost){.out_gap = time, .transit = time};
}

static struct analytical_cost hockney_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes)
{
    (void)i, (void)j;
    return hockney_cost(machine->hockney->alpha, machine->hockney->beta, bytes);
}

static struct analytical_cost hockney_hetero_formula(const struct machine *machine, uint32_t i, uint32_t j,
                                                     int64_t bytes)
{
    const struct machine_hockney_hetero *m = machine->hockney_hetero;
    return hockney_cost(m->alpha.value[i * m->alpha.n + j], m->beta.value[i * m->beta.n + j], bytes);
}

enum status hockney_model_open(struct cost_model **model, const struct machine *machine,
                               const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    if (machine->hockney_hetero) {
        uint32_t n = (uint32_t)machine->hockney_hetero->alpha.n;
        *model = analytical_create("hockney", hockney_hetero_formula, n, machine, options);
        analytical_note_diagonal(*model, machine, options, diags);
    } else if (machine->hockney) {
        *model = analytical_create("hockney", hockney_formula, 1, machine, options);
    } else {
        return analytical_missing(machine, "hockney", diags);
    }
    return STATUS_OK;
}
