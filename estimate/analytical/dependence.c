#include "estimate/analytical/dependence.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

bool dependence_find(size_t n, const struct pairs_of_two points[], struct dependence *found)
{
    double weight = 0, sum = 0, variance = 0, pairs = 0;
    for (size_t i = 0; i < n; i++) {
        const double a = points[i].n[1][1], b = points[i].n[0][1], other_a = points[i].n[1][0], other_b = points[i].n[0][0];
        const double m = a + other_a, k = b + other_b, all = m + k;
        if (m == 0 || k == 0 || a + b == 0 || other_a + other_b == 0)
            continue;
        weight += m * k / all;
        sum += (a * k - b * m) / all + m * k / all / (points[i].operations - 1);
        variance += (a * other_a * k * k * k + b * other_b * m * m * m) / (m * k * all * all);
        pairs += all;
    }
    if (weight == 0)
        return false;
    *found = (struct dependence){sum / weight, gsl_cdf_ugaussian_Pinv(0.975) * sqrt(variance) / weight, (size_t)pairs};
    return true;
}
