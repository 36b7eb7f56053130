/* machine_write.h - writes a machine file that machine_read reads back bit for bit.
 *
 * Keys stand in the order of docs/machine-file.md and every number has as many digits as it takes to read the same
 * number again, so two writings of one machine are the same bytes. Times carry a unit. A distribution is written as a
 * time (where it is constant), as quantile points, or in the form that the caller names: a histogram as edges and
 * counts, or a named law. `minimum` and `average` stand beside it where they are not what the form itself gives. */
#ifndef PEVPM_MODELS_MACHINE_WRITE_H
#define PEVPM_MODELS_MACHINE_WRITE_H

#include "common/diag.h"
#include "common/status.h"
#include "models/machine.h"

#include <stdio.h>

/* How the distribution at address `of` is to be written. The form must give the same points as the distribution has:
 * it is what distribution_histogram or distribution_law was called with. Arrays are borrowed. */
enum machine_form_kind { FORM_HISTOGRAM, FORM_LAW };
struct machine_form {
    const struct distribution *of;
    enum machine_form_kind kind;
    size_t n;              /* FORM_HISTOGRAM: edges [n + 1], counts [n] */
    const double *edges, *counts;
    enum law law;          /* FORM_LAW, with distribution_law's arguments */
    double a, b, shift;
};

/* One line of `provenance:`, in the order given. depth 0 stands directly under it; a note of depth d + 1 belongs to the
 * last one of depth d, whose value is NULL. Keys and values are any text; they are quoted where YAML wants it. */
struct machine_note {
    int depth;
    const char *key, *value;
};

/* The number at address `of`, a gap or a credit, say, is to be written as {value, ci95, experiments}. */
struct machine_fitted {
    const double *of;
    double ci95;           /* s, bytes: value +- ci95 */
    int experiments;
};

struct machine_write_options {
    size_t n_forms, n_notes;
    const struct machine_form *forms; /* in any order; sorted internally */
    const struct machine_note *notes;
    size_t n_fitted;
    const struct machine_fitted *fitted;
};

/* What a file begins and ends with, so that a part of it is known to be one. Comments, for a person may append a section. */
#define MACHINE_FIRST_LINE "# A machine file; it is whole if `# end of the machine file` follows.\n"
#define MACHINE_LAST_LINE "# end of the machine file\n"

/* Writes `machine` to the file `path` ("-" = standard output), whole or not at all. machine->path is not used.
 * `options` may be NULL. STATUS_IO. */
enum status machine_write(const struct machine *machine, const struct machine_write_options *options, const char *path,
                          struct diags *diags);

/* The same to an open stream, without these two lines; the caller looks at ferror. */
void machine_write_stream(const struct machine *machine, const struct machine_write_options *options, FILE *out);

/* The keys of `models: lmo` that tell how a Gather escalates, at their place in the file; nothing where it does not. Numbers
 * that `fitted` has stand with their intervals. */
void machine_write_escalation(FILE *out, const struct machine_lmo *lmo, size_t n_fitted, const struct machine_fitted fitted[]);

/* A number that is no time, likewise. */
void machine_write_fitted(FILE *out, const double *number, size_t n_fitted, const struct machine_fitted fitted[]);

#endif
