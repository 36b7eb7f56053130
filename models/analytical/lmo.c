#include "models/analytical/lmo.h"

#include "models/analytical.h"

#include <math.h>

double lmo_C(const struct machine_lmo *lmo, int node)
{
    return lmo->C[(size_t)node % lmo->n];
}

double lmo_t(const struct machine_lmo *lmo, int node)
{
    return lmo->t[(size_t)node % lmo->n];
}

double lmo_inverse_beta(const struct machine_lmo *lmo, int from_node, int to_node)
{
    double value = lmo->beta.value[(size_t)from_node % lmo->n * lmo->n + (size_t)to_node % lmo->n];
    return lmo->is_inverse || value == 0 ? value : 1 / value; /* a rate of 0: the diagonal of a node without */
}

/* Time per byte from i to j. Numbers in a file are rounded: a sum below 0 by that is 0. */
static double byte_time(const struct machine_lmo *lmo, int i, int j)
{
    static const double rounding = 1e-6; /* of its largest part; files have six digits and more */
    double inverse = lmo_inverse_beta(lmo, i, j), sum = lmo_t(lmo, i) + lmo_t(lmo, j) + inverse;
    return sum < 0 && sum >= -rounding * fabs(inverse) ? 0 : sum;
}

static struct analytical_cost lmo_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes)
{
    const struct machine_lmo *lmo = machine->lmo;
    double M = (double)bytes;
    double sends = lmo_C(lmo, (int)i) + lmo_t(lmo, (int)i) * M, receives = lmo_C(lmo, (int)j) + lmo_t(lmo, (int)j) * M;
    return (struct analytical_cost){
        .send_overhead = lmo->port_limited ? lmo_C(lmo, (int)i) : sends,
        .out_gap = sends,
        .transit = lmo_C(lmo, (int)i) + lmo_C(lmo, (int)j) + M * byte_time(lmo, (int)i, (int)j),
        .in_gap = receives,
        .receive_overhead = lmo->port_limited ? lmo_C(lmo, (int)j) : receives,
    };
}

static enum status pairs_check(const struct machine *machine, struct diags *diags)
{
    const struct machine_lmo *lmo = machine->lmo;
    for (int i = 0; i < (int)lmo->n; i++)
        for (int j = 0; j < (int)lmo->n; j++) {
            double each = byte_time(lmo, i, j);
            if ((i == j && lmo->n > 1) || each >= 0)
                continue;
            diag_error(diags, place_of_file(machine->path),
                       "models.lmo: a byte from node %d to node %d takes %g s (t + t + 1/beta), less than none", i, j,
                       each);
            return STATUS_SCHEMA;
        }
    return STATUS_OK;
}

/* STATUS_SCHEMA: the machine file has no such section, or a pair of nodes in it between which a byte takes less than no
 * time: t_i + t_j + 1/beta_ij < 0. */
enum status lmo_model_open(struct cost_model **model, const struct machine *machine,
                           const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    if (!machine->lmo)
        return analytical_missing(machine, "lmo", diags);
    enum status status = pairs_check(machine, diags);
    if (status != STATUS_OK)
        return status;
    *model = analytical_create("lmo", lmo_formula, (uint32_t)machine->lmo->n, machine, options);
    analytical_note_diagonal(*model, machine, options, diags);
    return STATUS_OK;
}
