/* connect_fit.h - what making the connection of two processes takes, from first messages between processes that had not spoken
 * before, compared with later ones between the same (measure/first.h). Pure function; times of the machine file: seconds
 * (struct machine_connect; rules: docs/ARCHITECTURE.md, section 4).
 *
 *     message   median of what the first round trip of a pair takes longer than its later ones
 *     call      median of what the first nonblocking send takes longer than later ones
 *     late      median of what a receive lasts that begins after the send, less half a later round trip, in which the message comes
 *     shared    of n connections made at once, m by each process, what all take longer than the same messages later, over n; 0 where
 *               that is less than a quarter more than what each process's own take, m call + late
 *     listen    what the first message that a process ever gets takes longer than a first message else is even between 0 and
 *               `listen`: (k + 1) / k of the longest of k, and 0 where less than a quarter of them, or only one, takes longer by `message` */
#ifndef PEVPM_ESTIMATE_CONNECT_FIT_H
#define PEVPM_ESTIMATE_CONNECT_FIT_H

#include "estimate/samples.h"
#include "models/machine.h"

#include <stdbool.h>

/* Differences of a first message and later ones, ns, but `late` and `trips`. */
struct connect_samples {
    struct samples messages, calls; /* by pair */
    struct samples late;            /* what the receive lasted, likewise */
    struct samples trips;           /* later round trips of the pairs of `messages` */
    struct samples listens;         /* by process: of the first message it ever got, a round trip */
    int64_t at_once;                /* of all connections that were made at once */
    int made_at_once, each;         /* how many they were, and how many of them a process had; 0: none */
};

#define CONNECT_SAMPLES_EMPTY {SAMPLES_EMPTY, SAMPLES_EMPTY, SAMPLES_EMPTY, SAMPLES_EMPTY, SAMPLES_EMPTY, 0, 0, 0}
void connect_samples_free(struct connect_samples *samples);

/* False: no pair was measured, or `message` is less than half of a later message's time: processes are connected
 * already, or making a connection is nothing to speak of. Sorts the samples. */
bool connect_fit(struct connect_samples *samples, struct machine_connect *connect);

#endif
