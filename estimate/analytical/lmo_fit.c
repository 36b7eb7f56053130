#include "estimate/analytical/lmo_fit.h"

#include "common/alloc.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* ---- numbers of experiments and parameters ---- */

static size_t pairs(size_t n)
{
    return n * (n - 1) / 2;
}

static size_t pair_number(size_t i, size_t j)
{
    assert(i != j);
    return i < j ? j * (j - 1) / 2 + i : i * (i - 1) / 2 + j;
}

size_t lmo_experiments(size_t n)
{
    return 2 * pairs(n) + n * pairs(n - 1);
}

size_t lmo_empty(size_t n, size_t i, size_t j)
{
    (void)n;
    return pair_number(i, j);
}

size_t lmo_there(size_t n, size_t i, size_t j)
{
    return pairs(n) + pair_number(i, j);
}

size_t lmo_to_two(size_t n, size_t i, size_t j, size_t k)
{
    assert(i != j && i != k);
    return 2 * pairs(n) + i * pairs(n - 1) + pair_number(j - (j > i), k - (k > i)); /* the others, counted without i */
}

size_t lmo_parameters(size_t n)
{
    return 2 * n + pairs(n);
}

size_t lmo_parameter_C(size_t n, size_t i)
{
    (void)n;
    return i;
}

size_t lmo_parameter_t(size_t n, size_t i)
{
    return n + i;
}

size_t lmo_parameter_inverse_beta(size_t n, size_t i, size_t j)
{
    return 2 * n + pair_number(i, j);
}

/* ---- the larger of two ---- */

/* Which of the two is larger is asked of the others, repetition by repetition, of as many as both have. */
static double larger_mean(const struct repeats *a, const struct repeats *b)
{
    size_t n = a->n < b->n ? a->n : b->n;
    double sum_a = 0, sum_b = 0, sum = 0;
    for (size_t l = 0; l < n; l++) {
        sum_a += a->t[l];
        sum_b += b->t[l];
    }
    for (size_t l = 0; l < n; l++)
        sum += sum_a - a->t[l] > sum_b - b->t[l] ? a->t[l] : b->t[l];
    return sum / (double)n;
}

static double variance(const struct repeats *r)
{
    double mean = repeats_mean(r), squares = 0;
    for (size_t l = 0; l < r->n; l++)
        squares += (r->t[l] - mean) * (r->t[l] - mean);
    return squares / (double)(r->n - 1);
}

/* Clark: E max(A, B) - max(E A, E B) of two normal variables with these means of r draws each; theta^2 is the variance
 * of A - B. Chance alone sets the means apart by a variance of theta^2 / r, which is taken off first. */
static double max_excess(double mean_a, double mean_b, double theta, double r)
{
    if (!(theta > 0))
        return 0;
    double difference = (mean_a - mean_b) / theta, apart = sqrt(fmax(0, difference * difference - 1 / r));
    return theta * (gsl_ran_ugaussian_pdf(apart) - apart * gsl_cdf_ugaussian_Q(apart));
}

/* Of one triplet, where a part of the noise arises on the way. */
static double triplet_excess(const struct repeats *a, const struct repeats *b, double inside)
{
    if (inside == 0)
        return 0;
    return max_excess(repeats_mean(a), repeats_mean(b), sqrt(inside * (variance(a) + variance(b))), (double)a->n);
}

/* ---- parameters ---- */

/* (7): the mean over the triplets of i. */
static double C_of(size_t n, const struct repeats e[], size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++)
            if (j != i && k != i)
                sum += (repeats_mean(&e[lmo_empty(n, i, j)]) + repeats_mean(&e[lmo_empty(n, i, k)]) -
                        repeats_mean(&e[lmo_empty(n, j, k)])) / 4;
    return sum / (double)pairs(n - 1);
}

/* s_ij: the time per byte from i to j. */
static double byte_time(const struct lmo_design *design, const struct repeats e[], const double p[], size_t i, size_t j)
{
    size_t n = design->n;
    return (repeats_mean(&e[lmo_there(n, i, j)]) - 2 * p[lmo_parameter_C(n, i)] - 2 * p[lmo_parameter_C(n, j)]) /
           design->bytes;
}

/* The receivers whose triplets tell t_i: all, or with `ports` those that are no slower. p: its C are known. Returns how
 * many; the largest s_ij of them goes to *most. */
static size_t receivers_find(const struct lmo_design *design, const struct repeats e[], const double p[], size_t i,
                             bool serves[], double *most)
{
    size_t n = design->n, count = 0;
    double least = INFINITY;
    *most = 0;
    for (size_t j = 0; j < n; j++)
        if (j != i)
            least = fmin(least, byte_time(design, e, p, i, j));
    for (size_t j = 0; j < n; j++) {
        double here = j == i ? INFINITY : byte_time(design, e, p, i, j);
        serves[j] = j != i && (!design->ports || here <= (1 + LMO_ALIKE) * least);
        count += serves[j];
        *most = serves[j] ? fmax(*most, here) : *most;
    }
    return count;
}

/* (13)-(15): the same, of the triplets of `count` receivers, at least two. */
static double t_of(const struct lmo_design *design, const struct repeats e[], size_t i, double C, const bool serves[],
                   size_t count)
{
    size_t n = design->n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++) {
            if (!serves[j] || !serves[k])
                continue;
            const struct repeats *to_j = &e[lmo_there(n, i, j)], *to_k = &e[lmo_there(n, i, k)];
            sum += repeats_mean(&e[lmo_to_two(n, i, j, k)]) - larger_mean(to_j, to_k) -
                   triplet_excess(to_j, to_k, design->noise_inside);
        }
    return (sum / (double)pairs(count) - 2 * C) / design->bytes;
}

void lmo_fit(const void *context, const struct repeats e[], double p[])
{
    const struct lmo_design *design = context;
    size_t n = design->n;
    bool *serves = alloc_array(n, sizeof *serves);
    assert(n >= 3);
    for (size_t i = 0; i < n; i++)
        p[lmo_parameter_C(n, i)] = C_of(n, e, i);
    for (size_t i = 0; i < n; i++) {
        double alone;
        size_t count = receivers_find(design, e, p, i, serves, &alone);
        p[lmo_parameter_t(n, i)] = count > 1 ? t_of(design, e, i, p[lmo_parameter_C(n, i)], serves, count) : alone;
    }
    for (size_t j = 0; j < n; j++) /* (16) */
        for (size_t i = 0; i < j; i++)
            p[lmo_parameter_inverse_beta(n, i, j)] =
                byte_time(design, e, p, i, j) - p[lmo_parameter_t(n, i)] - p[lmo_parameter_t(n, j)];
    free(serves);
}

bool lmo_fastest_pair(const struct lmo_design *design, const struct repeats e[], size_t *first, size_t *second)
{
    const struct lmo_design by_ports = {design->n, design->bytes, design->noise_inside, true};
    size_t n = design->n, alone = 0;
    double *p = alloc_array(lmo_parameters(n), sizeof *p), most;
    bool *serves = alloc_array(n, sizeof *serves);
    for (size_t i = 0; i < n; i++)
        p[lmo_parameter_C(n, i)] = C_of(n, e, i);
    for (size_t i = 0; i < n; i++)
        if (receivers_find(&by_ports, e, p, i, serves, &most) == 1) {
            *(alone == 0 ? first : second) = i;
            alone++;
        }
    free(serves);
    free(p);
    return alone == 2;
}

/* ---- degrees of freedom ---- */

/* Sum of the variances of what a parameter is the sum of, and of their squares by the degrees of each. */
struct tally {
    double variance, squares;
};

static void tally_add(struct tally *tally, double weight, const struct repeats *r)
{
    double part = weight * weight * variance(r) / (double)r->n;
    tally->variance += part;
    tally->squares += part * part / (double)(r->n - 1);
}

static double tally_degrees(struct tally a, struct tally b, struct tally c)
{
    double all = a.variance + b.variance + c.variance, squares = a.squares + b.squares + c.squares;
    return squares > 0 ? fmax(1, all * all / squares) : 1; /* without noise the interval is empty whatever they are */
}

/* Of 2 C_i. */
static struct tally C_tally(size_t n, const struct repeats e[], size_t i)
{
    struct tally tally = {0, 0};
    for (size_t k = 0; k < n; k++)
        if (k != i)
            tally_add(&tally, 1 / (double)(n - 1), &e[lmo_empty(n, i, k)]);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++)
            if (j != i && k != i)
                tally_add(&tally, 0.5 / (double)pairs(n - 1), &e[lmo_empty(n, j, k)]);
    return tally;
}

/* Of M t_i + 2 C_i; of a single receiver, of M t_i + 2 C_i + 2 C_j without what C_j adds. */
static struct tally t_tally(size_t n, const struct repeats e[], size_t i, const bool serves[], size_t count)
{
    struct tally tally = {0, 0};
    double share = count > 1 ? 1 / (double)pairs(count) : 1;
    for (size_t j = 0; j < n; j++) {
        size_t larger = count == 1 && serves[j];
        for (size_t k = 0; k < n; k++) {
            if (!serves[j] || !serves[k] || j == k)
                continue;
            double here = repeats_mean(&e[lmo_there(n, i, j)]), there = repeats_mean(&e[lmo_there(n, i, k)]);
            larger += here > there || (here == there && j > k);
            if (j < k)
                tally_add(&tally, share, &e[lmo_to_two(n, i, j, k)]);
        }
        if (serves[j])
            tally_add(&tally, (double)larger * share, &e[lmo_there(n, i, j)]);
    }
    return tally;
}

void lmo_degrees(const void *context, const struct repeats e[], double degrees[])
{
    const struct lmo_design *design = context;
    size_t n = design->n;
    struct tally *t = alloc_array(n, sizeof *t), none = {0, 0};
    double *p = alloc_array(lmo_parameters(n), sizeof *p), alone;
    bool *serves = alloc_array(n, sizeof *serves);
    for (size_t i = 0; i < n; i++)
        p[lmo_parameter_C(n, i)] = C_of(n, e, i);
    for (size_t i = 0; i < n; i++) {
        struct tally C = C_tally(n, e, i);
        size_t count = receivers_find(design, e, p, i, serves, &alone);
        t[i] = t_tally(n, e, i, serves, count);
        degrees[lmo_parameter_C(n, i)] = tally_degrees(C, none, none);
        degrees[lmo_parameter_t(n, i)] = tally_degrees(t[i], C, none);
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            struct tally there = {0, 0};
            tally_add(&there, 1, &e[lmo_there(n, i, j)]);
            degrees[lmo_parameter_inverse_beta(n, i, j)] = tally_degrees(there, t[i], t[j]);
        }
    free(serves);
    free(p);
    free(t);
}

double lmo_to_two_precision(size_t n, const struct repeats e[], size_t i)
{
    struct tally tally = {0, 0}, none = {0, 0};
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++)
            if (j != i && k != i) {
                sum += repeats_mean(&e[lmo_to_two(n, i, j, k)]);
                tally_add(&tally, 1, &e[lmo_to_two(n, i, j, k)]);
            }
    return gsl_cdf_tdist_Pinv(0.975, tally_degrees(tally, none, none)) * sqrt(tally.variance) / sum;
}

double lmo_excess(const struct lmo_design *design, const struct repeats e[], size_t i)
{
    size_t n = design->n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < k; j++)
            if (j != i && k != i)
                sum += triplet_excess(&e[lmo_there(n, i, j)], &e[lmo_there(n, i, k)], 1);
    return sum / (double)pairs(n - 1) / design->bytes;
}

bool lmo_port_limited(size_t n, const struct estimate p[])
{
    size_t negative = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            const struct estimate *inverse = &p[lmo_parameter_inverse_beta(n, i, j)];
            negative += inverse->value + inverse->half_width < 0;
        }
    return 2 * negative > pairs(n);
}
