/* acknowledging.h - when a receiver acknowledges frames by frames of its own.
 *
 * A process that has read a frame owes its sender an acknowledgement (Linux: tcp_cleanup_rbuf, tcp_event_data_sent):
 *
 *     answers    where it has answered before, having sent data back within DELAY of a frame, it waits for its next data,
 *                which carry the acknowledgement. At the second frame it waits no longer
 *     else       it acknowledges each frame at once
 *     late       what has not been answered within DELAY is acknowledged then, and it no longer counts as one that answers
 *     quick      of 16 frames, full ones too, each is acknowledged at once, by one that does not answer: where none has come
 *                for longer than its own timeout, as at first; and where one comes twice, which lets it forget that it has
 *                answered (tcp_incr_quickack, tcp_enter_quickack_mode)
 *
 * So acknowledgements cost messages that go one way nearly as much of a port as short data, and messages to and fro nothing.
 * A process that computes does not read: however many frames come meanwhile, one acknowledgement is owed, for when it
 * does.
 * Pure: knows no port. Times in seconds. */
#ifndef PEVPM_NETWORK_ACKNOWLEDGING_H
#define PEVPM_NETWORK_ACKNOWLEDGING_H

#include <math.h>
#include <stdbool.h>

/* How long an acknowledgement may wait for data to go with. s (Linux: TCP_DELACK_MIN; RFC 1122 allows 0.5) */
#define ACKNOWLEDGING_DELAY 0.04

/* How many are quick (Linux: TCP_MAX_QUICKACKS). */
enum { ACKNOWLEDGING_QUICK = 16 };

/* Of what goes one way between two processes; kept by the receiver. */
struct acknowledging {
    double heard;   /* when its last frame came */
    int quick;      /* so many acknowledgements more are quick */
    int owed;       /* frames that it has not acknowledged: 0, 1 or, if there are more, 2 */
    bool answers;
};

#define ACKNOWLEDGING_NONE ((struct acknowledging){.heard = -INFINITY})

/* The receiver sends data to the sender. */
static inline void acknowledging_sent(struct acknowledging *a, double now)
{
    a->answers = a->answers || now - a->heard <= ACKNOWLEDGING_DELAY;
    a->owed = 0;
}

/* The receiver takes what has come. Whether an acknowledgement goes back alone, now. */
static inline bool acknowledging_read(struct acknowledging *a)
{
    const bool alone = a->owed > a->answers;
    a->owed = alone ? 0 : a->owed;
    return alone;
}

/* Something has been acknowledged, alone or with data. */
static inline void acknowledging_acknowledged(struct acknowledging *a)
{
    a->quick -= a->quick > 0;
}

static inline bool acknowledging_is_quick(const struct acknowledging *a)
{
    return a->quick > 0 && !a->answers;
}

/* The next one is quick (receive_window.h), and takes none of those that are (Linux: quick |= 1). */
static inline void acknowledging_soon(struct acknowledging *a)
{
    a->quick |= 1;
}

/* A frame has come that had come before. */
static inline void acknowledging_heard_again(struct acknowledging *a)
{
    a->quick = ACKNOWLEDGING_QUICK;
    a->answers = false;
}

/* A frame has come; reads: its receiver takes it at once; timeout: after so long a rest it is quick. Whether an
 * acknowledgement of a short one goes back alone, now. */
static inline bool acknowledging_heard(struct acknowledging *a, bool reads, double timeout, double now)
{
    if (now - a->heard > timeout)
        a->quick = ACKNOWLEDGING_QUICK;
    if (now - a->heard > ACKNOWLEDGING_DELAY && a->owed > 0) {
        a->owed = 0;
        a->answers = false;
    }
    a->heard = now;
    a->owed = a->owed > 0 ? 2 : 1;
    return reads && acknowledging_read(a);
}

#endif
