/* bspline.h - B-spline bases on any knots, by the recursion of Cox and de Boor.
 *
 * Of degree d on n ascending knots there are n - d - 1 basis functions; between knots d and n - d - 1 they are not
 * negative and add up to 1, so a spline stays between its least and its largest coefficient there. Arguments outside
 * are taken to the nearer end. */
#ifndef PEVPM_MODELS_BSPLINE_H
#define PEVPM_MODELS_BSPLINE_H

#include <stddef.h>

enum { BSPLINE_DEGREE_MOST = 9 };

/* The degree + 1 basis functions that may differ from 0 at x: value [degree + 1] out; returns the number of the
 * first. */
size_t bspline_basis(size_t n_knots, const double knots[], int degree, double x, double value[]);

#endif
