/* fit_terms.h - what formulas are made of (fit.h), each with its value for every sample.
 *
 *     parts    numbers > 0 that divide: strides, extents of grids, distances
 *     wholes   formulas on their own: constants, ranks, neighbours
 *     tests    conditions over procnum, numprocs and the loops that are true for some samples and not for all
 *     slopes   x of a + b x
 *
 * Each also has a value at places that nobody recorded, where formulas that give all samples may differ. The lists are
 * in the order of what is likelier in programs. For this shelf alone. */
#ifndef PEVPM_RECORD_FIT_TERMS_H
#define PEVPM_RECORD_FIT_TERMS_H

#include "record/fit.h"
#include "record/fit/period.h"

/* A term with its value for each sample. */
struct candidate {
    const char *text;
    int64_t *value;   /* [m] */
    unsigned grids;   /* as fit_other; GRID_STEPS of those that divide nothing */
    struct candidate *alike; /* the next one that has the same value for each sample, but not beyond; NULL: none */
};

/* x of a + b x. */
struct slope {
    const char *text; /* a factor: "/numprocs", "*numprocs" */
    const char *part; /* that it is made of, or NULL */
    unsigned grids;
    double *value;    /* [m] */
};

/* Of what a block is one (block.h): place q of E. */
struct block_place {
    const char *q_text, *E_text;
    int64_t *q, *E;   /* [m] */
    unsigned grids;
};

/* What speaks for a block, and against it. */
struct block_evidence {
    int numbers;      /* that were taken from the values */
    size_t tried;     /* places and kinds, with this one: where who has the same place has the same value */
    int64_t least;    /* extent: so many n are about as likely */
    bool apart;       /* places of one extent have different shares: who has more has to be told */
    size_t rounded;   /* samples that may have been rounded up or down */
};

/* What a parameter says: itself, a little more or less, its square; or 1. */
struct quantity {
    const char *text;
    int64_t *value;   /* [m] below 1: nothing that is shared out, nor a length */
};

/* The first n places are the samples; up to m come those of counts that were not recorded. */
struct search {
    size_t n, m;
    const struct fit_sample *samples;
    const struct fit_names *names;
    struct arena *memory;
    size_t n_parts, parts_capacity;
    struct candidate *parts;      /* numbers > 0: strides, extents, distances */
    size_t n_wholes, wholes_capacity;
    struct candidate *wholes;     /* formulas on their own */
    size_t n_tests, tests_capacity;
    struct candidate *tests;      /* conditions, the likelier first */
    size_t n_laws, laws_capacity;
    struct candidate *laws;       /* of names->laws, and neighbours of a message in_line */
    size_t n_slopes, slopes_capacity;
    struct slope *slopes;
    size_t n_places, places_capacity;
    struct block_place *places;
    size_t n_quantities, quantities_capacity;
    struct quantity *quantities;  /* 1 is the first */
    int n_periods;
    struct period periods[FIT_LOOPS * PERIODS];
    size_t n_groups, *group;      /* [n] of each sample, below n_groups (group.h); NULL: not made yet */
    int64_t *work;                /* [m] */
    unsigned grids;               /* of what is added */
    int conditions;               /* that are around what is looked for */
    struct fit_sample *beyond;    /* [m] the samples, and what they could be at other counts */
    size_t *place;                /* [m] of what is no sample: its place in names->places */
    bool *cheaper;                /* [m] as fit_place */
    int counts;                   /* different numprocs, 3 stands for more */
    struct fit_other *other;      /* what is asked for, or NULL; text NULL: none so far */
};

/* The samples of a search that count: mask[i] is `here`; mask NULL: all. */
struct subset {
    const unsigned char *mask;
    unsigned char here;
};
#define IN(subset, i) (!(subset).mask || (subset).mask[i] == (subset).here)

/* Are these the values of all samples of the subset? value [n]. */
bool search_gives(const struct search *search, const int64_t value[], struct subset subset);

/* The places; parts and laws, and of these wholes, tests and slopes (slopes.h), are made when they are asked for. Texts and values
 * live in `memory`, all else until search_end. */
void search_begin(struct search *search, size_t n, const struct fit_sample samples[], const struct fit_names *names,
                  struct arena *memory);
void search_make_parts(struct search *search);   /* before those below */
void search_make_wholes(struct search *search);  /* whole.c */
void search_make_tests(struct search *search);   /* condition.c */
void search_end(struct search *search);

/* As printf, in the search's memory. */
const char *search_text(struct search *search, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* A whole number without a point. */
const char *search_number(struct search *search, double x);

#endif
