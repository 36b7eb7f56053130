/* among.h - which of its communicators or windows a call is on, where one place of the program has several.
 *
 *     for step: exchange(grid, step % 2 ? a : b, window_of(grid))
 *
 * A directive names one communicator or window, so the calls of one call path (exchange's MPI_Win_fence and MPI_Put) on
 * each have a site of their own (site.h). Communicators are the same in all processes and recordings where one call path
 * made them as its first, its second, ...; so such a call path has a site for each, too, if something else than what makes
 * another is called on one that is not its first, and if all counts have as many. Trips of a loop behind the first make those of
 * the first anew, under the same numbers. A process that is left out of several has one number for them, and its calls
 * are told by their order; where it comes to them by one call in a loop, nobody's are told apart. */
#ifndef PEVPM_RECORD_AMONG_H
#define PEVPM_RECORD_AMONG_H

#include "record/recording.h"

enum { AMONG_ANY = -1,
       AMONG_MOST = 64 };           /* communicators of one call path that are told apart: each is written by itself */

/* Which one each call of each process is on; AMONG_ANY where its place has one alone, or too many. */
struct among {
    size_t n;
    int **of;                       /* [n: processes of all recordings, in their order][n_calls] */
};

/* Ends with among_free. */
void among_find(struct among *among, size_t n, const struct recording recordings[]);
void among_free(struct among *among);

#endif
