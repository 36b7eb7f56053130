/* write_impl.h - what write.c, write_models.c, write_resources.c and edit.c share. */
#ifndef PEVPM_MODELS_MACHINE_WRITE_IMPL_H
#define PEVPM_MODELS_MACHINE_WRITE_IMPL_H

#include "models/machine_write.h"

struct writer {
    FILE *out;
    bool factors;              /* distributions are of plain numbers, not of times */
    size_t n_forms;
    const struct machine_form **forms; /* sorted by the distribution's address */
    size_t n_fitted;
    const struct machine_fitted *fitted;
};

/* A text, in quotes where YAML wants them. */
void write_text(FILE *out, const char *text);

/* A number with as few digits as read the same number again; a time likewise with the unit that suits. */
void write_number(FILE *out, double value);
void write_time(FILE *out, double seconds);

/* [[bytes, time], ...] or, where the ordinates are no times, [[x, y], ...]. */
enum curve_kind { CURVE_TIMES, CURVE_NUMBERS };
void write_curve(FILE *out, const struct machine_curve *curve, enum curve_kind kind);

/* DISTRIBUTION, in the form that the writer knows of. */
void write_distribution(const struct writer *w, const struct distribution *d);

/* A time or another number, with its uncertainty where that is known; points with such times. */
void write_fitted(const struct writer *w, const double *seconds);
void write_fitted_number(const struct writer *w, const double *number);
void write_fitted_curve(const struct writer *w, const struct machine_curve *curve,
                        void (*write_abscissa)(FILE *out, double x));

/* `topology:`, `resources:` and `rests:`. */
void write_topology(FILE *out, const struct machine *machine);
void write_resources(const struct writer *w, const struct machine *machine);

/* The `model_error:` section. */
void write_model_error(FILE *out, const struct machine_model_error *error);
void write_decisions(FILE *out, const struct coll_table *table);

/* The `models:` section; nothing where the machine has no models. */
void write_models(FILE *out, const struct machine *machine);

#endif
