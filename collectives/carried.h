/* carried.h - a collective operation as libpevpm-coll carries it out: the schedule that coll/carry.c makes.
 *
 * coll/choice.h says which way an operation goes; coll/tests/held.c holds each process's calls in the library to the
 * moves of its schedule here. One thing differs: of the pieces of a Gather that are on their way the library takes
 * whichever comes first. */
#ifndef PEVPM_COLLECTIVES_CARRIED_H
#define PEVPM_COLLECTIVES_CARRIED_H

#include "coll/choice.h"
#include "collectives/schedule.h"

/* What all processes of one operation share. */
struct carriage {
    enum coll_way way;
    bool is_algorithm;           /* the algorithm is the library's, and not the one that the MPI library would take */
    enum algorithm algorithm;
    struct carried carried;
};

/* Whether there is a line for a blocking operation on so many processes. */
bool carriage_may(const struct coll_table *table, enum collective_op op, int32_t size);

/* Of an operation that carriage_may. schedule: op, size, root, bytes and sums count. NULL: the MPI library carries it
 * out, and nothing else happens. The caller's, until carriage_free. */
struct carriage *carriage_make(const struct coll_table *table, const struct coll_seats *seats,
                               const struct schedule *schedule);
void carriage_free(struct carriage *carriage);

/* The schedule with what the carriage, which it borrows, says of it. */
void carriage_apply(const struct carriage *carriage, struct schedule *schedule);

#endif
