/* delivery.h - are as many messages sent to each process as it receives?
 *
 * A partner may be known in a recording as the sender of another message alone, so that holding calls against each other
 * says nothing of it. What a whole program sends and receives has to balance all the same, for each process and tag. Of
 * a tag nothing is said where some message may go to anybody, or where somebody receives any tag. */
#ifndef PEVPM_RECORD_DELIVERY_H
#define PEVPM_RECORD_DELIVERY_H

#include "common/intern.h"
#include "record/calls.h"

struct delivered {
    int32_t process, tag;       /* process -1: of all of this tag, of which nothing is said where `sent` is not 0 */
    int64_t sent, received;
};

/* All zero: empty. */
struct delivery {
    struct delivered *list;
    size_t n, capacity;
    struct intern index;
    bool any_tag;               /* somebody receives whatever comes */
};
void delivery_free(struct delivery *delivery);

void delivery_add(struct delivery *delivery, int process, const struct calls *said);

/* One that does not balance; NULL: none. Borrowed. */
const struct delivered *delivery_check(const struct delivery *delivery);

#endif
