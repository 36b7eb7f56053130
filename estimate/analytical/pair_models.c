#include "estimate/analytical/pair_models.h"

#include <assert.h>
#include <math.h>

void hockney_two_series(const void *bytes, const struct repeats e[2], double parameters[2])
{
    double alpha = repeats_mean(&e[0]) / 2;
    parameters[HOCKNEY_alpha] = alpha;
    parameters[HOCKNEY_beta] = (repeats_mean(&e[1]) / 2 - alpha) / *(const double *)bytes;
}

/* Centred, so that large sizes lose no digits. */
void hockney_regression(const void *context, const struct repeats e[], double parameters[HOCKNEY_PARAMETERS])
{
    const struct hockney_sizes *sizes = context;
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0, n = (double)sizes->n;
    for (size_t k = 0; k < sizes->n; k++) {
        mean_x += sizes->bytes[k] / n;
        mean_y += repeats_mean(&e[k]) / 2 / n;
    }
    for (size_t k = 0; k < sizes->n; k++) {
        double x = sizes->bytes[k] - mean_x;
        xx += x * x;
        xy += x * (repeats_mean(&e[k]) / 2 - mean_y);
    }
    assert(xx > 0);
    parameters[HOCKNEY_beta] = xy / xx;
    parameters[HOCKNEY_alpha] = mean_y - xy / xx * mean_x;
}

double hockney_miss(const struct hockney_sizes *sizes, const struct repeats e[], const double parameters[HOCKNEY_PARAMETERS],
                    size_t k)
{
    double time = repeats_mean(&e[k]) / 2;
    return (parameters[HOCKNEY_alpha] + parameters[HOCKNEY_beta] * sizes->bytes[k] - time) / time;
}

void logp_estimate(const void *context, const struct repeats e[LOGP_EXPERIMENTS], double p[LOGP_PARAMETERS])
{
    const struct loggp_sizes *sizes = context;
    p[LOGGP_o_s] = repeats_mean(&e[LOGGP_send]);
    p[LOGGP_o_r] = repeats_mean(&e[LOGGP_late_receive]);
    p[LOGGP_L] = repeats_mean(&e[LOGGP_round_trip]) / 2 - p[LOGGP_o_s] - p[LOGGP_o_r];
    p[LOGGP_g] = repeats_mean(&e[LOGGP_saturation]) / sizes->messages;
}

void loggp_estimate(const void *context, const struct repeats e[LOGGP_EXPERIMENTS], double p[LOGGP_PARAMETERS])
{
    const struct loggp_sizes *sizes = context;
    logp_estimate(context, e, p);
    p[LOGGP_G] = (repeats_mean(&e[LOGGP_large]) / sizes->large_messages - p[LOGGP_g]) / (sizes->large - sizes->small);
}

void plogp_estimate(const void *context, const struct repeats e[], double p[])
{
    const struct plogp_sizes *sizes = context;
    double empty = repeats_mean(&e[plogp_experiment(sizes, PLOGP_round_trips, 0)]);
    double gap = repeats_mean(&e[plogp_experiment(sizes, PLOGP_saturations, 0)]) / sizes->empty_messages;
    p[0] = empty / 2 - gap;
    for (size_t k = 0; k < sizes->k; k++) {
        p[plogp_parameter(sizes, PLOGP_o_s, k)] = repeats_mean(&e[plogp_experiment(sizes, PLOGP_sends, k)]);
        p[plogp_parameter(sizes, PLOGP_o_r, k)] = repeats_mean(&e[plogp_experiment(sizes, PLOGP_late_receives, k)]);
        p[plogp_parameter(sizes, PLOGP_g, k)] =
            k == 0          ? gap
            : sizes->direct ? repeats_mean(&e[plogp_experiment(sizes, PLOGP_saturations, k)]) / sizes->messages
                            : repeats_mean(&e[plogp_experiment(sizes, PLOGP_round_trips, k)]) - empty + gap;
    }
}

double plogp_refine(size_t k, const double x[], const double y[], double tolerance, double least)
{
    assert(k >= 3);
    double slope = (y[k - 2] - y[k - 3]) / (x[k - 2] - x[k - 3]);
    double expected = y[k - 2] + slope * (x[k - 1] - x[k - 2]);
    double middle = (x[k - 1] + x[k - 2]) / 2;
    bool consistent = fabs(y[k - 1] - expected) <= tolerance * fabs(expected);
    return consistent || x[k - 1] - middle <= least ? NAN : middle;
}
