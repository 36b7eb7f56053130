#include "estimate/analytical/bootstrap.h"

#include "common/alloc.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

double repeats_mean(const struct repeats *repeats)
{
    double sum = 0;
    for (size_t i = 0; i < repeats->n; i++)
        sum += repeats->t[i];
    return sum / (double)repeats->n;
}

/* Room for one resample of all experiments. */
struct resample {
    struct repeats *experiments;
    double *times;
};

static struct resample resample_make(size_t n, const struct repeats experiments[])
{
    size_t all = 0;
    for (size_t e = 0; e < n; e++)
        all += experiments[e].n;
    struct resample r = {alloc_array(n, sizeof *r.experiments), alloc_array(all, sizeof *r.times)};
    double *at = r.times;
    for (size_t e = 0; e < n; e++) {
        r.experiments[e] = (struct repeats){experiments[e].n, at};
        at += experiments[e].n;
    }
    return r;
}

static void resample_draw(struct resample *r, size_t n, const struct repeats experiments[], gsl_rng *random)
{
    double *at = r->times;
    for (size_t e = 0; e < n; e++) {
        size_t repetitions = experiments[e].n;
        double mean = repeats_mean(&experiments[e]), wider = sqrt((double)repetitions / (double)(repetitions - 1));
        for (size_t i = 0; i < repetitions; i++)
            *at++ = mean + wider * (experiments[e].t[gsl_rng_uniform_int(random, (unsigned long)repetitions)] - mean);
    }
}

static void shared_add(struct resample *r, const struct bootstrap *b, double drawn[], gsl_rng *random)
{
    for (size_t g = 0; g < b->shared.n; g++)
        drawn[g] = gsl_ran_gaussian(random, b->shared.sd[g]);
    double *at = r->times;
    for (size_t e = 0; e < b->n_experiments; e++)
        for (size_t i = 0; i < r->experiments[e].n; i++, at++)
            *at += b->shared.n > 0 && b->shared.of[e] >= 0 ? drawn[b->shared.of[e]] : 0;
}

static void degrees_find(const struct bootstrap *b, const struct repeats experiments[], double degrees[])
{
    size_t fewest = experiments[0].n;
    for (size_t e = 1; e < b->n_experiments; e++)
        fewest = experiments[e].n < fewest ? experiments[e].n : fewest;
    assert(fewest >= 2);
    for (size_t p = 0; p < b->n_parameters; p++)
        degrees[p] = (double)(fewest - 1);
    if (b->degrees)
        b->degrees(b->context, experiments, degrees);
}

void bootstrap_run(const struct bootstrap *b, const struct repeats experiments[], struct estimate found[])
{
    assert(b->resamples >= 2 && b->n_experiments > 0);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, (unsigned long)b->seed);
    struct resample r = resample_make(b->n_experiments, experiments);
    double *value = alloc_array(b->n_parameters, sizeof *value), *drawn = alloc_array(b->shared.n + 1, sizeof *drawn);
    double *mean = alloc_zeroed(b->n_parameters, sizeof *mean), *squares = alloc_zeroed(b->n_parameters, sizeof *mean);
    for (size_t k = 1; k <= b->resamples; k++) { /* Welford's sums */
        resample_draw(&r, b->n_experiments, experiments, random);
        shared_add(&r, b, drawn, random);
        b->estimate(b->context, r.experiments, value);
        for (size_t p = 0; p < b->n_parameters; p++) {
            double difference = value[p] - mean[p];
            mean[p] += difference / (double)k;
            squares[p] += difference * (value[p] - mean[p]);
        }
    }
    double *degrees = alloc_array(b->n_parameters, sizeof *degrees);
    degrees_find(b, experiments, degrees);
    b->estimate(b->context, experiments, value);
    for (size_t p = 0; p < b->n_parameters; p++)
        found[p] = (struct estimate){
            value[p], gsl_cdf_tdist_Pinv(0.975, degrees[p]) * sqrt(squares[p] / (double)(b->resamples - 1)), 0};
    free(degrees);
    free(squares);
    free(mean);
    free(drawn);
    free(value);
    free(r.experiments);
    free(r.times);
    gsl_rng_free(random);
}
