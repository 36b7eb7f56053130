/* Formulas for what calls on files take, which follows the file system and no law of computing, and differs by factors: of least
 * squares of the logarithms, so that twice as long and half as long count the same. By the relative error, which is 100 % at most
 * below, a constant near the least of 60, 400 and 900 us would be the best one. */
#include "record/fit.h"

#include "common/alloc.h"
#include "record/coefficient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What b / a is tried, and the steps between: an error of 2 % in a. */
static const double LEAST_RATIO = 1e-4, MOST_RATIO = 1e4, RATIO_STEP = 1.02;
/* A term must be worth its while: as in fit_time. */
static const double BETTER_BY = 0.9, BETTER_THAN = 0.005;

/* a + b x^power of numprocs, us; error: the largest |ln(formula / time)|. */
struct law {
    int power;
    double a, b, error;
};

/* The best law of one shape, `one` + `slope` x, times a number: which has its least squares in closed form. *squares: their sum. */
static struct law law_of(size_t n, const struct fit_sample samples[], double one, double slope, int power, double *squares)
{
    struct law law = {.power = power};
    double mean = 0;
    *squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += log((double)samples[i].value * 1e-6 / (one + slope * pow(samples[i].numprocs, power))) / (double)n;
    law.a = exp(mean) * one;
    law.b = exp(mean) * slope;
    for (size_t i = 0; i < n; i++) {
        const double off = fabs(log((double)samples[i].value * 1e-6 / (law.a + law.b * pow(samples[i].numprocs, power))));
        *squares += off * off;
        law.error = fmax(law.error, off);
    }
    return law;
}

static struct law best_law(size_t n, const struct fit_sample samples[], int power)
{
    double least, squares;
    struct law best = law_of(n, samples, 0, 1, power, &least);
    for (double ratio = LEAST_RATIO; ratio < MOST_RATIO; ratio *= RATIO_STEP) {
        const struct law next = law_of(n, samples, 1, ratio, power, &squares);
        if (squares < least * (1 - 1e-6)) { /* one number rather than two that give the same */
            best = next;
            least = squares;
        }
    }
    return best;
}

static const char *keep(struct arena *memory, char *text)
{
    const char *kept = arena_string_n(memory, text, strlen(text));
    free(text);
    return kept;
}

/* Of recordings at one count, us; 0: of this sample an earlier one has told. */
static double mean_at_count(size_t n, const struct fit_sample samples[], size_t at)
{
    double sum = 0;
    int found = 0;
    for (size_t i = 0; i < n; i++)
        if (samples[i].numprocs == samples[at].numprocs) {
            if (i < at)
                return 0;
            sum += (double)samples[i].value * 1e-6;
            found++;
        }
    return sum / found;
}

const char *fit_time_in_file(size_t n, const struct fit_sample samples[], const char **formula, double *factor, struct arena *memory)
{
    double squares;
    struct law best = law_of(n, samples, 1, 0, 0, &squares);
    for (int power = -1; power <= 1; power += 2) {
        const struct law next = best_law(n, samples, power);
        if (n > 1 && next.error < BETTER_BY * best.error - BETTER_THAN)
            best = next;
    }
    const char *slope = best.power < 0 ? "/numprocs" : "*numprocs";
    char *term = coefficient_text(best.b, slope);
    const char *text = keep(memory, best.power == 0 ? alloc_format("%.6g", best.a)
                                  : best.a == 0 ? alloc_format("%s", term)
                                  : alloc_format("%.6g + %s", best.a, term));
    free(term);
    *formula = text;
    *factor = exp(best.error);
    for (size_t i = *factor > 1 + FIT_ROUGH ? n : 0; i > 0; i--) {
        const double mean = mean_at_count(n, samples, i - 1);
        if (mean > 0)
            text = keep(memory, alloc_format("(numprocs == %d ? %.6g : %s)", samples[i - 1].numprocs, mean, text));
    }
    return text;
}
