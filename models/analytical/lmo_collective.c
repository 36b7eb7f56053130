#include "models/lmo_collective.h"

#include "models/escalation.h"
#include "models/analytical/lmo.h"

#include <math.h>

/* What both operations are made of. M: bytes of a share. */
struct flat {
    const struct machine_lmo *lmo;
    int size, root;
    const int *node; /* [size] */
    double M;
    bool gather;
};

static double delay(const struct flat *f, int rank)
{
    return lmo_C(f->lmo, f->node[rank]) + lmo_t(f->lmo, f->node[rank]) * f->M;
}

/* P_i */
static double part(const struct flat *f, int rank)
{
    int other = f->node[rank], root = f->node[f->root];
    return delay(f, rank) + f->M * lmo_inverse_beta(f->lmo, f->gather ? other : root, f->gather ? root : other);
}

/* What goes through the root's processor. */
static double root_part(const struct flat *f)
{
    const struct machine_lmo *lmo = f->lmo;
    int n = f->size - 1, root = f->node[f->root];
    return lmo->forms_2007 ? lmo_C(lmo, root) + lmo_t(lmo, root) * n * f->M : n * delay(f, f->root);
}

static void parts_of_others(const struct flat *f, double *sum, double *most)
{
    *sum = *most = 0;
    for (int i = 0; i < f->size; i++)
        if (i != f->root) {
            *sum += part(f, i);
            *most = fmax(*most, part(f, i));
        }
}

/* n C_0 + max C_i */
static double empty_time(const struct flat *f)
{
    struct flat empty = *f;
    double sum, most;
    empty.M = 0;
    parts_of_others(&empty, &sum, &most);
    return root_part(&empty) + most;
}

/* What has been fitted beyond the formula. */
static double beyond(const struct flat *f, const double fitted[N_LMO_BEYOND])
{
    double n = f->size - 1;
    return fitted[LMO_BEYOND_kappa] * f->M + fitted[LMO_BEYOND_offset] +
           n * (fitted[LMO_BEYOND_C] + fitted[LMO_BEYOND_t] * f->M);
}

static void scatter_times(const struct flat *f, double leaves[])
{
    bool serial = f->lmo->scatter_S > 0 && f->M > f->lmo->scatter_S;
    double sum, most, at = root_part(f);
    parts_of_others(f, &sum, &most);
    double last = at + (serial ? sum : most), shift = beyond(f, f->lmo->scatter[serial]);
    at += fmax(shift, fmin(0, empty_time(f) - last)); /* all come by as much earlier or later */
    leaves[f->root] = at;
    for (int step = 1; step < f->size; step++) { /* the order in which a linear algorithm sends matters where serial */
        int i = step <= f->root ? step - 1 : step;
        leaves[i] = at + part(f, i);
        at = serial ? leaves[i] : at;
    }
    if (serial)
        leaves[f->root] = at;
}

/* [2], 4.3.1 and 4.3.3 */
static double gather_time_2007(const struct flat *f, bool large)
{
    const struct machine_lmo *lmo = f->lmo;
    int root = f->node[f->root];
    double C = 0, t = 0, inverse_beta = 0;
    for (int i = 0; i < f->size; i++)
        if (i != f->root) {
            C += lmo_C(lmo, f->node[i]);
            t += lmo_t(lmo, f->node[i]);
            inverse_beta += lmo_inverse_beta(lmo, f->node[i], root) / (f->size - 1);
        }
    double kappa = lmo->has_kappa ? lmo->gather[large][LMO_BEYOND_kappa] : 1;
    double own = lmo_C(lmo, root) + f->M * (lmo_t(lmo, root) + inverse_beta);
    return large ? own + kappa * (C + t * f->M) : own + C + kappa * t * f->M;
}

static double gather_time(const struct flat *f)
{
    const struct machine_lmo *lmo = f->lmo;
    bool large = lmo->n_levels > 0 && f->M > lmo->M2;
    double sum, most, least = delay(f, f->root);
    if (lmo->forms_2007)
        return fmax(least, gather_time_2007(f, large));
    parts_of_others(f, &sum, &most);
    double linear = root_part(f) + (large ? sum : most);
    return fmax(least, fmax(linear + beyond(f, lmo->gather[large]), fmin(linear, empty_time(f))));
}

static bool is_flat(const struct schedule *s, enum collective_op op)
{
    bool linear = s->algorithm == ALGORITHM_linear || s->algorithm == ALGORITHM_linear_nb;
    return linear && s->op == op && !s->sums && s->size > 1 && s->bytes > 0;
}

bool lmo_collective_times(const struct machine *machine, const struct schedule *s, const int node[], double leaves[])
{
    bool scatter = is_flat(s, COLLECTIVE_MPI_Scatter), gather = is_flat(s, COLLECTIVE_MPI_Gather);
    if (!scatter && !gather)
        return false;
    struct flat f = {machine->lmo, s->size, s->root, node, (double)s->bytes, gather};
    if (scatter) {
        scatter_times(&f, leaves);
        return true;
    }
    for (int i = 0; i < s->size; i++)
        leaves[i] = i == s->root ? gather_time(&f) : delay(&f, i);
    return true;
}

bool lmo_root_time(const struct machine *machine, const struct schedule *s, double leaves, enum collective_before before,
                   struct distribution *time)
{
    return is_flat(s, COLLECTIVE_MPI_Gather) &&
           escalation_time(machine->lmo, s->size, (double)s->bytes, leaves, before, time);
}

double lmo_linear_time(const struct machine_lmo *lmo, bool gather, bool large, int size, int root, const int node[],
                       double bytes)
{
    struct flat f = {lmo, size, root, node, bytes, gather};
    double sum, most;
    parts_of_others(&f, &sum, &most);
    return root_part(&f) + (large ? sum : most);
}

const struct collective_formulas lmo_collectives = {lmo_collective_times, lmo_root_time};

double lmo_one_to_two_time(const struct machine_lmo *lmo, int i, int j, int k, double M)
{
    double to_j = 2 * lmo_C(lmo, j) + M * (lmo_t(lmo, j) + lmo_inverse_beta(lmo, i, j));
    double to_k = 2 * lmo_C(lmo, k) + M * (lmo_t(lmo, k) + lmo_inverse_beta(lmo, i, k));
    return 4 * lmo_C(lmo, i) + 2 * M * lmo_t(lmo, i) + fmax(to_j, to_k);
}
