/* verifier.h - were a process's messages delivered as the rules of matching allow?
 *
 * The rules are those of the virtual machine (MPI 4.0, section 3.5). Receives and probes are gone through in the order
 * in which they were posted. Of the messages of one sender, a receive takes the first that was sent which fits its
 * communicator and tag and that no receive before it took; a probe sees that one. Whose message a wildcard takes is up
 * to the run. A receive that is still open at the end had no message that a later one took.
 *
 * A message of at least STAMP_BYTES begins with a stamp, so that it is known which one was delivered, and is filled
 * with bytes that follow from the stamp; of a shorter one only source, tag and length are known. No MPI here. */
#ifndef PEVPM_EXECUTOR_VERIFIER_H
#define PEVPM_EXECUTOR_VERIFIER_H

#include "common/diag.h"
#include "directives/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message as its sender knows it. */
struct sent_message {
    int64_t bytes;
    int32_t comm, tag, site;
    int32_t to;                 /* a process */
};

/* What a message says of itself. */
struct stamp {
    uint32_t magic;
    int32_t from, site;
    uint32_t replication;
    int64_t number;             /* among the sender's messages to the receiver, from 0 */
    int64_t bytes;
    uint64_t checksum;          /* of what follows it */
};
enum { STAMP_BYTES = sizeof(struct stamp) };

/* Contents alone, n bytes of them, which follow from sender, number and replication. Fewer are the beginning of
 * more. */
void contents_write(void *memory, size_t n, const struct stamp *stamp);

/* Fills the memory of a message: stamp and contents, or for less than STAMP_BYTES contents alone. */
void stamp_write(void *memory, const struct stamp *stamp);

/* Reads one back. NULL, or what is wrong with it ("its contents are not what was sent"). number: -1 where the message
 * is too short to say. */
const char *stamp_read(const void *memory, int64_t bytes, uint32_t replication, int from, int64_t *number);

struct verifier;

/* Of one process. */
struct verifier *verifier_create(const struct program *program, int process);
void verifier_destroy(struct verifier *verifier);
void verifier_reset(struct verifier *verifier);

/* The process sends. Returns the message's number among those to the same receiver. */
int64_t verifier_send(struct verifier *verifier, const struct sent_message *message);

/* The process posts a receive, or probes: from a process or OPERAND_ANY_PEER, tag or OPERAND_ANY_TAG. Returns its
 * number. Then what came of it; number -1: not known; wrong: what stamp_read said. Neither is called for a receive that
 * stays open. */
int64_t verifier_post(struct verifier *verifier, int32_t from, int32_t comm, int32_t tag, int32_t site);
void verifier_take(struct verifier *verifier, int64_t posted, int from, int32_t tag, int64_t bytes, int64_t number,
                   const char *wrong);
void verifier_see(struct verifier *verifier, int32_t from, int32_t comm, int32_t tag, int32_t site, int seen_from,
                  int32_t seen_tag, int64_t seen_bytes);

/* What it has sent, [*n] in order; borrowed until the next send. */
const struct sent_message *verifier_sent(const struct verifier *verifier, size_t *n);

/* Judges all that it has received: messages [first[p] .. first[p + 1]) are those that process p has sent to this one,
 * in order. Adds an error for each delivery that the rules forbid; returns how many there were. */
size_t verifier_judge(const struct verifier *verifier, const struct sent_message messages[], const size_t first[],
                      struct diags *diags);

#endif
