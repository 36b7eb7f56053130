/* pending.h - the open requests of one process: which call each began, until it is waited for.
 *
 * Names are a program's or a recording's call paths; of one name there may be several open, also of one element. What a
 * call is told is when it was complete for certain: as many calls of its process as had been made by then. */
#ifndef PEVPM_RECORD_PENDING_H
#define PEVPM_RECORD_PENDING_H

#include "record/calls.h"

/* A request; call: an index into calls->list, PENDING_NOBODY: of what is no call, such as a receive from MPI_PROC_NULL. */
struct pending_request {
    int64_t name, element;
    size_t call;
};
#define PENDING_NOBODY ((size_t)-1)

/* All zero: empty. */
struct pending {
    size_t n, capacity;
    struct pending_request *list;   /* in the order in which they were begun */
};
void pending_free(struct pending *pending);

/* The call, the last one, has begun it. */
void pending_begin(struct pending *pending, struct calls *calls, const struct pending_request *request);

enum pending_which { PENDING_ALL, PENDING_NAME, PENDING_LATEST }; /* open ones; of a name; the last one of name and element */

/* They are waited for at `site` when calls->n calls have been made. */
void pending_end(struct pending *pending, struct calls *calls, enum pending_which which, int64_t name, int64_t element,
                 int32_t site);
/* Which of them are complete the run decides: nothing can be said of them any more. They stay open, or are gone. */
void pending_doubt(struct pending *pending, struct calls *calls, enum pending_which which, int64_t name, int64_t element,
                   bool gone);

#endif
