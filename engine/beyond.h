/* beyond.h - what a run asked of the machine file that lies outside of what was measured.
 *
 * An answer is given all the same (docs/machine-file.md says which); the report says once that it was. Several threads
 * may add. */
#ifndef PEVPM_ENGINE_BEYOND_H
#define PEVPM_ENGINE_BEYOND_H

#include "models/cost.h"

#include <stddef.h>

/* X(kind) */
#define BEYOND_LIST(X)                                                       \
    X(message)   /* sizes of messages */                                     \
    X(table)     /* the argument of measured(NAME, argument) */              \
    X(collective)/* bytes of a collective that is costed as a whole */       \
    X(numprocs)  /* processes of one that has measured times for others */   \
    X(reduction) /* bytes that a collective combines */                      \
    X(exchange)  /* bytes of two messages that wait for each other */        \
    X(wait)      /* bytes of two such messages behind short ones */          \
    X(send)      /* bytes of a send that hosts may not hold */               \
    X(permit)    /* bytes of a message that waits for its sender within a node */
enum beyond_kind {
#define X(kind) BEYOND_##kind,
    BEYOND_LIST(X)
#undef X
};

struct beyond_item {
    enum beyond_kind kind;
    const char *name;            /* of the table, the operation; "" for messages. Borrowed */
    struct measured_range measured;
    double least, most;          /* asked for */
};

/* Zero-initialise. Items ascend by kind, name and range, so their order does not depend on when they came. */
struct beyond {
    size_t n, capacity;
    struct beyond_item *items;
};

/* Notes `asked` where it is outside of `measured`. beyond NULL: nobody wants to know. */
void beyond_add(struct beyond *beyond, enum beyond_kind kind, const char *name, const struct measured_range *measured,
                double asked);

/* The sentence for the report; the caller frees it. */
char *beyond_text(const struct beyond_item *item);

void beyond_free(struct beyond *beyond);

#endif
