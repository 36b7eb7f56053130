/* period.h - after how many trips of a loop values repeat themselves.
 *
 *     if (step % 10 == 0) MPI_Allreduce(...)          tag = step % 3          root = step % numprocs
 *     for (corner = 0; corner < 4; corner++) for (k = 0; k < 5; k++) MPI_Recv(... from[corner] ...)     trip / 5 % 4
 *
 * Samples (fit.h) are the ends of runs of equal values, so what lies between two of them is known, too. */
#ifndef PEVPM_RECORD_PERIOD_H
#define PEVPM_RECORD_PERIOD_H

#include "record/fit.h"

#define PERIOD_NUMPROCS INT64_C(0)
enum { PERIOD_ODD = 4 };

struct period {
    int loop;
    int64_t stretch;              /* trips that follow one another and are alike: residues are of trip / stretch */
    int64_t trips;                /* at least 2, or PERIOD_NUMPROCS: as many as there are processes */
    int n_odd;                    /* the residues whose value is not that of most; 0: more than PERIOD_ODD are */
    int64_t odd[PERIOD_ODD];      /* [n_odd] ascending */
};

/* Of loop number `loop` of the samples: the least number of trips, up to 64, after which the values of each process
 * repeat themselves, whatever the other loops' trips; and numprocs, if that is one, too. Some process has had all of
 * its trips twice. And where values change at multiples of some number of trips alone, the least number, up to 8, of such
 * stretches; these need not come again, if they are three at least. Returns how many were written, 0 to PERIODS; 0 also where
 * nothing depends on the loop. */
enum { PERIODS = 3 };
int periods_find(struct period periods[PERIODS], int loop, size_t n, const struct fit_sample samples[]);

/* Trips in which alone some process has another value than in most, such as the hundredth of 120: odd [PERIOD_ODD] ascending; how many,
 * 0 where they are more. */
int odd_trips_find(int64_t odd[PERIOD_ODD], int loop, size_t n, const struct fit_sample samples[]);

/* How long one value lasts in a loop, at one count: trips until the next one comes, but for the last of a process; where no process
 * has had another one, until the end. */
enum { TURNS_MOST = 16 };
struct turn {
    int numprocs;
    int64_t least, most;
    int64_t trips;              /* of the loop, the most */
};
/* Of each count that the samples are of. Returns how many; 0: nobody counts so many. */
size_t turns_find(struct turn turns[TURNS_MOST], int loop, size_t n, const struct fit_sample samples[]);

#endif
