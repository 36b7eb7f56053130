/* phrase_impl.h - what phrase.c and phrase_formula.c share. Texts are in the phrases' memory. */
#ifndef PEVPM_ANNOTATE_PHRASE_IMPL_H
#define PEVPM_ANNOTATE_PHRASE_IMPL_H

#include "annotate/phrase.h"
#include "record/fit.h"

const char *phrases_keep(struct phrases *p, const char *form, ...) __attribute__((format(printf, 2, 3)));

/* Values in what is around them. */
struct level {
    int n;                     /* of what is around, the innermost first, that the formula may use */
    int of[FIT_LOOPS];
    const char *name[FIT_LOOPS];
    const char *trips[FIT_LOOPS]; /* how often a loop of the same function goes round, where that is the same everywhere; NULL */
    int64_t rounds[FIT_LOOPS];    /* that number */
    size_t n_samples;
    struct fit_sample *samples;
};

enum sought { SOUGHT_VALUE, SOUGHT_PARTNER, SOUGHT_TAG, SOUGHT_CONDITION };

/* What things are called in formulas over a level. */
struct fit_names phrases_names(struct phrases *p, const struct level *level, enum sought sought);

/* A formula for all that was seen, in a function of the program; else a table, with *table true; NULL: neither. What
 * the text uses of loops and calls around is noted as needed there. */
const char *phrases_formula(struct phrases *p, const struct seen_list *seen, int function, enum sought sought,
                            bool *table);
/* The same for means, where values follow the data: never NULL. */
const char *phrases_mean_formula(struct phrases *p, const struct seen_list *seen, int function);

/* Their mean over all processes and calls as a formula in the number of processes alone. error: how far off it is, 1
 * where one count does not tell; spread: how far values of one count are from their mean. */
const char *phrases_mean_size(struct phrases *p, const struct seen_list *seen, double *error, double *spread);

/* A node's text uses a name: its loop counts, or its function needs the argument. what: as struct arguments. */
void phrases_use(struct phrases *p, int function, int what);

/* Is there one value everywhere, and at least one? */
bool seen_constant(const struct seen_list *seen, int64_t *value);
double seen_mean(const struct seen_list *seen);

#endif
