/* line.h - a + b x, with x one of the slopes of a search (fit_terms.h). */
#ifndef PEVPM_RECORD_LINE_H
#define PEVPM_RECORD_LINE_H

#include "record/fit/fit_terms.h"

/* Are the numbers beyond doubt? One number needs two places, two need three. */
struct line {
    double a, b;
    size_t places;              /* different x, 3 stands for more */
    size_t high;                /* the sample with the largest x */
};

/* The line through the values at the least and the largest x; false: there is none, or its numbers need more places. */
bool line_find(const struct search *search, const struct slope *slope, struct subset subset, struct line *line);
/* Whether that one gives all values, exact to the half: only whole ones are asked for. */
bool line_fits(const struct search *search, const struct slope *slope, struct subset subset, struct line *line);
/* Its value at a place. */
double line_at(const struct line *line, const struct slope *slope, size_t place);
const char *line_text(struct search *search, const struct slope *slope, const struct line *line);
/* Is it a slope of a grid that other formulas of the call know? */
bool line_of_grid(const struct search *search, const struct slope *slope);

#endif
