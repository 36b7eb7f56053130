#include "models/bspline.h"

#include <assert.h>

size_t bspline_basis(size_t n_knots, const double knots[], int degree, double x, double value[])
{
    assert(degree >= 0 && degree <= BSPLINE_DEGREE_MOST && n_knots >= 2 * (size_t)degree + 2);
    size_t d = (size_t)degree, low = d, high = n_knots - d - 1;
    x = x < knots[low] ? knots[low] : x > knots[high] ? knots[high] : x;
    size_t span = low; /* knots[span] <= x < knots[span + 1], at the end the last span that is not empty */
    while (span + 1 < high && x >= knots[span + 1])
        span++;
    while (span > low && knots[span] == knots[span + 1])
        span--;
    double left[BSPLINE_DEGREE_MOST + 1], right[BSPLINE_DEGREE_MOST + 1];
    value[0] = 1;
    for (size_t j = 1; j <= d; j++) { /* C. de Boor, A Practical Guide to Splines, chapter X, BSPLVB */
        double saved = 0;
        left[j] = x - knots[span + 1 - j];
        right[j] = knots[span + j] - x;
        for (size_t r = 0; r < j; r++) {
            double width = right[r + 1] + left[j - r], part = width > 0 ? value[r] / width : 0;
            value[r] = saved + right[r + 1] * part;
            saved = left[j - r] * part;
        }
        value[j] = saved;
    }
    return span - d;
}
