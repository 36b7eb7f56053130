/* fit.h - a formula for values that processes of several recordings had.
 *
 * A sample is one value: of a process (rank `procnum` of `numprocs`) in trip index[0], index[1], ... of the loops
 * around, in a recording with certain parameters. A formula is one that gives every sample exactly, the simplest
 * that is found:
 *
 *   constants, ranks and sizes   c, numprocs - 1, procnum + d, the neighbour in a ring, a row or a column, or across
 *                                in a torus, the partner whose number differs in one bit, the place in the transposed grid, ...
 *   sizes and counts             a + b x with x one of 1/P, 1/P^2, 1/(columns of a grid), log2 P, 2^i, n + 2, n/P, n/(columns of a
 *                                grid), n m/(columns times layers), ...
 *   binomial trees               p - lowbit(p, P), ..., b min(lowbit(p, 2 P - 1), P - p)
 *   blocks                       a + b (n/P + (p < n%P)) and other ways to share out what no count divides (fit/block.h)
 *   either of two                COND ? one : other, COND over procnum, numprocs and the loops, also which trip is the last;
 *                                one within the other
 *   each trip of a loop          one for each of up to 8 trips, where all counts have had all of them
 *   every so manyth trip         i%k stands wherever a loop's trip does, where the values repeat themselves after k trips,
 *                                up to 64 or numprocs, at least twice; i/n%k where each n trips are alike (fit/period.h)
 *
 * Grids are those of grid.h. Two numbers of a formula need values at three places to be believed, and where there are
 * three counts, either of two needs more than one of them: else it is a table. Nor does a condition part processes that have one
 * value in every trip of every recording. Several formulas may give all samples
 * and differ at other counts: then the first of a list is taken, with what is likelier in programs first, and another
 * one is told with the counts at which the two differ. Of few values some formula gives almost any: that such a one is
 * confirmed by nothing is told as well (fit/chance.h). */
#ifndef PEVPM_RECORD_FIT_H
#define PEVPM_RECORD_FIT_H

#include "common/alloc.h"
#include "record/box.h"
#include "record/direction.h"
#include "record/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIT_LOOPS = 8 };          /* within each other; what differs further in has no formula and no table */

/* Values that are no numbers. */
#define FIT_NULL (INT64_MIN + 1)    /* MPI_PROC_NULL */
#define FIT_ANY (INT64_MIN + 2)     /* MPI_ANY_SOURCE, MPI_ANY_TAG as fit_names say */
#define FIT_SOURCE (INT64_MIN + 3)  /* the variable fit_names.source */

struct fit_sample {
    int procnum, numprocs;
    int world;                      /* its rank in MPI_COMM_WORLD, where procnum is that in another communicator */
    int recording;                  /* which one: its parameters */
    unsigned between;               /* bit i: in loop i the trip is one between the ends of a run of equal values, which a
                                     * formula has to give as well, and a table needs no entry for */
    int64_t index[FIT_LOOPS];       /* [n_loops] from 0 */
    int64_t trips[FIT_LOOPS];       /* [n_loops] how many of them the loop has there */
    int64_t value;
};

/* For qsort: by recording, process and trips, the places of samples; 0: the same place, whatever the values. */
int fit_sample_compare(const void *a, const void *b);

/* Processes of counts that were not recorded, where formulas are held against each other. */
struct fit_place {
    int procnum, numprocs;
    bool cheaper;                   /* no power of two, where all recorded counts are: a program may not run there, so that
                                     * it does not count as a difference; but if it does run, it tells */
};
struct fit_places {
    size_t n, capacity;
    struct fit_place *list;
};
void fit_places_make(struct fit_places *places, size_t n, const int counts[]);
void fit_places_free(struct fit_places *places);

/* Another formula that gives all samples too. text NULL: none that was tried, or it differs nowhere. */
struct fit_other {
    const char *text;
    int beyond, cheaper;            /* counts at which it differs: the least of those beyond; of the cheaper ones, 0:
                                     * none */
    unsigned grids;                 /* of the formula that was taken: GRID_BIT of each grid that it is made of, and of
                                     * GRIDS where a number stands for an extent */
    unsigned divides;               /* ... of which it knows more than how far to go in the ring of all processes */
    const char *unconfirmed;        /* the formula that was taken, or a part of it, if for so few values some formula gives
                                     * almost any (fit/chance.h); NULL: it is confirmed */
    int uneven;                     /* a share of what the recorded counts divide, and this one, at which a program may not run, does
                                     * not: who has how much of it there is not known. 0: none, or `text` tells */
    bool alone;                     /* what is unconfirmed is one number, seen at one count alone */
};

/* What things are called in the formula. */
struct fit_names {
    const char *procnum, *numprocs, *any, *source;
    int n_loops;
    const char *const *loop;        /* [n_loops] variables of the loops, the outermost first */
    const char *const *trips;       /* [n_loops] how often they go round, of which fit_has_last is true; NULL where nothing says it; or
                                     * NULL: of no loop. Names in them need not be those of formulas: samples know the number */
    int n_params;
    const char *const *param;       /* [n_params] */
    const int64_t *const *values;   /* [n_params][recording] */
    unsigned grids;                 /* of formulas of the same call: sizes follow the grids that these know */
    enum grid prefers;              /* what divides processes: which is tried first */
    bool last_first;                /* the order of its axes, as grid_place */
    bool number;                    /* the values are no partners: no formula with MPI_PROC_NULL gives them */
    const int *counts;              /* [recording] of how many processes each is, where these differ: what comes at one count
                                     * alone nothing confirms. NULL: they do not, or nobody asks */
    int sign;                       /* of rings 1: the next neighbour is tried first, -1 the one before; 0: as 1. Of conditions
                                     * -1: the first end of an axis is tried first, 1 the last; 0: as -1 */
    size_t n_laws;
    const struct box_law *laws;     /* [n_laws] of a size: before all else */
    bool in_line;                   /* of a message between neighbours in the wanted grid, where that is what the program's
                                     * messages are: the partner is such a neighbour before all else, and of conditions
                                     * the ends of axes stand before the first and the last process */
    int direction;                  /* where in_line: which way it goes (direction.h). Across, along several axes at once,
                                     * the neighbour there comes first, and of conditions that there is one */
    bool constants;                 /* nothing but what is the same everywhere is looked for */
    const struct fit_places *places;/* NULL: those that fit_places_make makes of the samples' counts */
    const unsigned char *inside;    /* [places->n] which processes come here; NULL: all */
};

/* A formula, in memory; NULL: none was found. other: out, or NULL where nobody asks. */
const char *fit_value(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                      struct fit_other *other, struct arena *memory);

/* A condition that is true where the value is not 0, and false elsewhere. "1" where it is true everywhere. inside
 * [names->places->n]: out, which places it holds at (all, where none was found), or NULL. */
const char *fit_condition(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                          struct fit_other *other, unsigned char inside[], struct arena *memory);

/* May a condition name the last trip of a loop that goes round so often, `trips - 1`? Not of a table: what it is at other counts nobody
 * knows. */
bool fit_has_last(const char *trips);

/* A recording's time of `seconds`, as fit_time has it. */
struct fit_sample fit_time_sample(int numprocs, int recording, double seconds);

/* Computations below, s, are left out: a call of MPI takes more. */
#define FIT_SHORTEST 1e-7
/* Does process 0 compute longer than the others, or shorter, in every recording, by a factor of FIT_APART? */
#define FIT_APART 1.5
/* A formula for times that is further off than FIT_ROUGH is remarked on, where the computation is more than this part of all. */
#define FIT_ROUGH 0.05
#define FIT_REMARKABLE 0.01
bool fit_times_differ(size_t n, const struct fit_sample first[], size_t n_others, const struct fit_sample others[]);

/* A mean of sizes that follow the data: further off from its formula nobody would believe in one; and sizes of one
 * count that are further from their mean differ by more than chance, so that at other counts the mean is asked for or
 * nothing. */
#define FIT_MEAN_ERROR 0.05
#define FIT_MEAN_SPREAD 0.25

/* A formula in us for times that differ by chance: a + b x, both >= 0, by weights 1 / f^2, f the formula itself, so that the mean of
 * time / formula is 1. error: how far it is from the time that it is furthest from, as a part of the lesser of the two; above 1 where
 * that is less than half of the other. One recording gives a constant. numprocs and recording of the samples count, the value is in ps. */
const char *fit_time(size_t n, const struct fit_sample samples[], const struct fit_names *names, double *error,
                     struct arena *memory);
/* What calls on files take, us (in_file.c): a, a + b numprocs or a + b / numprocs, all >= 0, of least squares of the logarithms.
 * *formula: that; *factor: the largest one between it and a given time, at least 1. Where that is more than 1 + FIT_ROUGH the text is what
 * was recorded, at its counts, and the formula at others. Samples as fit_time's; parameters do not count. */
const char *fit_time_in_file(size_t n, const struct fit_sample samples[], const char **formula, double *factor, struct arena *memory);
/* Has that formula fewer numbers than it got times of different counts, or of recordings with parameters? One that has as
 * many gives them whatever they are. */
bool fit_time_confirmed(size_t n, const struct fit_sample samples[], const struct fit_names *names, const char *text);

#endif
