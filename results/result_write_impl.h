/* result_write_impl.h - what result_write.c and result_write_resources.c share. */
#ifndef PEVPM_RESULTS_RESULT_WRITE_IMPL_H
#define PEVPM_RESULTS_RESULT_WRITE_IMPL_H

#include "common/alloc.h"
#include "models/machine_write.h"
#include "results/result.h"

/* A result's machine and the forms its distributions are written in; arrays that forms borrow are kept in `arena`. */
struct writing {
    struct machine *machine;
    struct machine_form *forms;
    size_t n_forms, capacity;
    struct machine_fitted *fitted;
    size_t n_fitted, fitted_capacity;
    struct arena arena;
};

/* The double that "5.69 ms" is read as, so that the file repeats it: see write_time and units_parse_time. */
double writing_seconds(int64_t ns);
/* To the nanosecond. */
double writing_rounded(double seconds);

/* Adds the form of the histogram h for the distribution that is to stand at `place` in the end, and makes it. */
void writing_histogram(struct writing *w, struct distribution *place, const struct histogram *h);

/* The number at `of` is known to +- ci95 from several launches. NaN: it is not known how well. */
void writing_fitted(struct writing *w, const double *of, double ci95, int launches);

/* `topology`, `resources` and `rests`. */
void writing_resources(struct writing *w, const struct result *result);

#endif
