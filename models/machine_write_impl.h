/* machine_write_impl.h - what machine_write.c, machine_write_models.c and machine_edit.c share. */
#ifndef PEVPM_MODELS_MACHINE_WRITE_IMPL_H
#define PEVPM_MODELS_MACHINE_WRITE_IMPL_H

#include "models/machine_write.h"

/* A number with as few digits as read the same number again; a time likewise with the unit that suits. */
void write_number(FILE *out, double value);
void write_time(FILE *out, double seconds);

/* [[bytes, time], ...] or, where the ordinates are no times, [[x, y], ...]. */
enum curve_kind { CURVE_TIMES, CURVE_NUMBERS };
void write_curve(FILE *out, const struct machine_curve *curve, enum curve_kind kind);

/* The `model_error:` section. */
void write_model_error(FILE *out, const struct machine_model_error *error);

/* The `models:` section; nothing where the machine has no models. */
void write_models(FILE *out, const struct machine *machine);

#endif
