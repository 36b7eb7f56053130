/* machine_source.h - what a machine file says beyond `struct machine`: how each distribution is written, and the
 * provenance.
 *
 * With it a tool changes a part of a file and writes the rest as it stood: forms, notes and fitted numbers are what
 * machine_write takes. Lost all the same: comments, equal bins (they become edges), and how sure the numbers of
 * `models:` are. */
#ifndef PEVPM_MODELS_MACHINE_SOURCE_H
#define PEVPM_MODELS_MACHINE_SOURCE_H

#include "common/alloc.h"
#include "models/machine_write.h"

struct machine_source {
    size_t n_forms, forms_capacity;
    struct machine_form *forms; /* histograms and laws; a plain time and quantile points have none */
    size_t n_notes, notes_capacity;
    struct machine_note *notes; /* items of a list are numbered from 1 */
    size_t n_fitted, fitted_capacity;
    struct machine_fitted *fitted; /* numbers with ci95 and experiments */
    struct arena arena;         /* arrays and texts of the forms and notes */
};
#define MACHINE_SOURCE_EMPTY {0}

/* machine_read, and *source besides (empty before). Forms name distributions of *machine by address. The caller ends
 * both: machine_destroy and, whatever was returned, machine_source_free. STATUS_IO, STATUS_SYNTAX, STATUS_SCHEMA. */
enum status machine_read_whole(struct machine **machine, struct machine_source *source, const char *path,
                               struct diags *diags);

void machine_source_free(struct machine_source *source);

/* How the distribution at `of` is written; NULL: as a time or as quantile points. */
struct machine_form *machine_source_form(const struct machine_source *source, const struct distribution *of);

/* Adds a form; the arrays of a histogram are copied. */
void machine_source_add(struct machine_source *source, const struct machine_form *form);
void machine_source_add_fitted(struct machine_source *source, const struct machine_fitted *fitted);

/* What machine_write wants to write the file as it stood; borrows from *source. */
struct machine_write_options machine_source_options(const struct machine_source *source);

#endif
