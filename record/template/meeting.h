/* meeting.h - collective operations that processes come to at different places of the code.
 *
 *     if (rank == 0) MPI_Bcast(mine, ...);
 *     else           MPI_Bcast(theirs, ...);      or what a compiler makes of one call behind a branch
 *
 * All processes of a communicator call its collective operations in one order, so the k-th of one process is the k-th
 * of each other. Two places that meet so are one operation, whoever comes to which. A communicator is known by its
 * members, and by which of those with these members it is in the order in which they are made: its number may have been
 * another one's before (docs/recording.md), in one process and not in another. */
#ifndef PEVPM_RECORD_MEETING_H
#define PEVPM_RECORD_MEETING_H

#include "record/among.h"
#include "record/recording.h"
#include "record/site.h"

#include <stdbool.h>

/* Makes one site of the places where blocking operations of the recordings meet, as far as the first million of a
 * process tell, or the first 30,000 communicators. among: of these recordings; NULL: calls are not told apart by that. False: none meet. */
bool meetings_join(struct site_table *table, size_t n, const struct recording recordings[], const struct among *among);

#endif
