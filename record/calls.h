/* calls.h - messages, one-sided and collective operations of one process in their order: those that a recording has, those that a
 * program says, and one laid against the other.
 *
 * A Sendrecv is a receive and a send. What goes to or comes from MPI_PROC_NULL is none. Between calls lie items: what
 * was computed, and waits. Which calls a wait is for stands with these. */
#ifndef PEVPM_RECORD_CALLS_H
#define PEVPM_RECORD_CALLS_H

#include "directives/program.h"
#include "record/recording.h"
#include "record/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CALL_ANY = -1 };         /* of peers and bytes: whatever it is */
enum { CALL_TAG_UNKNOWN = -2 }; /* of tags; MPI_ANY_TAG is TAG_ANY, and agrees with itself only */

/* The processes of a collective operation. */
struct call_group {
    uint32_t hash;              /* of who they are, in any order; 0: all processes */
    int32_t n, least, most;
};

struct call {
    enum { CALL_SEND, CALL_RECEIVE, CALL_COLLECTIVE, CALL_REMOTE, CALL_AGREEMENT } kind;
    int32_t peer;               /* a process; the root, a rank of the communicator; CALL_ANY */
    int32_t op;                 /* of a collective: enum collective_op; of a one-sided operation its enum instr_op; of
                                 * what makes a communicator the enum message_op that says what it takes */
    int32_t from;               /* site of the program, or of the site table */
    struct call_group group;    /* of a collective */
    int32_t tag;                /* of messages; of a lock 1: exclusive; of others 0. CALL_TAG_UNKNOWN */
    int64_t bytes;              /* of sends, collectives, and what is put or got; CALL_ANY */
    size_t items;               /* that lie before it, from the beginning on */
    size_t done;                /* how many calls had been made when it was complete for certain: a blocking one itself and
                                 * those before, one with a request those before its wait; CALL_OPEN, CALL_UNKNOWN */
    int32_t waited;             /* as `from`, of that wait; -1: none */
};
/* It was not waited for; nobody knows when it was, since a test or a Waitany took it, or it was freed. */
#define CALL_OPEN ((size_t)-1)
#define CALL_UNKNOWN ((size_t)-2)

struct call_item {
    enum { ITEM_COMPUTED, ITEM_WAIT } kind;
    const struct recorded_node *node; /* that was computed before this call; NULL where a program says it */
    int32_t serial;             /* program->serials; -1: a time that is known */
    double argument;            /* of measured(NAME, ARGUMENT) */
};

/* All zero: empty. */
struct calls {
    size_t n, capacity, n_items, items_capacity;
    struct call *list;          /* [n] */
    struct call_item *items;    /* [n_items] */
};
void calls_free(struct calls *calls);

/* Adds what a process did. False: it did more than are looked at, 2,000,000. */
bool calls_recorded(struct calls *calls, const struct recorded_process *process, struct site_table *sites);

/* Adds what a program says of a process, at most as many. reached [program->n_sites]: becomes true where it came to. A
 * value that cannot be computed is reported; of a table (table.h), for which counts it is known. What only the run knows (a
 * bound status) is CALL_ANY, or CALL_TAG_UNKNOWN.
 *   STATUS_NOT_YET  whether or how often something is done depends on that */
enum status calls_said(struct calls *calls, const struct program *program, int process, bool *reached,
                       struct diags *diags);

/* Where in `ran` most of `said` follows: all of it, where it is there. *matched: how many from there on. */
size_t calls_match(const struct calls *said, const struct calls *ran, size_t *matched);

/* The first call, of `matched` from `start` on, that is waited for elsewhere than the program says: behind other calls, not at
 * all, or only here. matched: there is none. */
size_t calls_match_waits(const struct calls *said, const struct calls *ran, size_t start, size_t matched);

/* The directive, an enum message_op, that says what a call takes which makes a communicator; -1: none does. */
int calls_agreement(enum operation op);

/* The name of a collective's `op`; what a one-sided operation's is: "a put". */
const char *calls_collective(int32_t op);
const char *calls_remote(int32_t op);

#endif
