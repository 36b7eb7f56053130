/* connection.h - the frames of one pair of processes, as TCP sends them and sends them again.
 *
 * A resource whose buffer is full drops frames. What that costs depends on what the sender hears afterwards:
 *
 *     lost      a frame is when one that left later is acknowledged, if it left longer ago than the round trip that the
 *               acknowledgement shows: of the last frame that it passes on without a gap, else of the last that it tells of.
 *               What left together with that one, or up to a quarter of the least round trip before it until three behind are
 *               there, is waited for, 2 ms longer than is missing. It is sent again, and may be lost again (RFC 8985; Linux:
 *               tcp_rack_advance, tcp_rack_detect_loss). Where whole messages pass, one acknowledged for itself each, it is
 *               lost as soon as one that left later is there
 *     probe     where nothing is known to be lost and nothing is acknowledged for 2 rtt + 2 ms, or with one frame
 *               outstanding 2 rtt + 0.2 s, but no later than the timeout, a new frame is sent, or the last one again
 *               (RFC 8985, section 7). Before it, or what is sent behind it, is acknowledged there is no other probe
 *     timeout   where nothing is acknowledged for rtt + spread, or after a probe, or after the first outstanding one was sent,
 *               all that is outstanding is taken for lost; twice as long when that goes wrong again, and so on. The spread is four
 *               times the smoothed deviation of round trips, where that is more than Linux's least, 0.2 s: at once where it grows, by
 *               a quarter of the difference for each window where it falls, and less by what comes sooner (RFC 6298; Linux:
 *               tcp_rtt_estimator)
 *
 * So a frame lost in the midst of others comes again within a round trip, which the queue at the resource hides, and the
 * last one of all after 0.2 s. How many frames may be outstanding is the window:
 *
 *     window    10 at first (RFC 6928). Of n acknowledged it grows by n up to the threshold, and by n / (4 window) above, where
 *               the sender could have used more: half as fast as cubic's friendly region (RFC 9438, section 4.3), which
 *               Linux follows with a delay; or, `by_time`, as Linux's cubic (cubic.h)
 *               What passes nothing on without a gap does not let it grow
 *     loss      threshold = max(2, 0.7 window); the window shrinks to that as frames are acknowledged (RFC 6937), after a
 *               timeout it is 1 and grows to that. Until all that was outstanding is there no further loss counts
 *     rest      halved for each timeout without sending, but no less than 10 for that; the threshold is three quarters
 *               of what it was, if that is more (RFC 2861, section 3)
 *     start     the threshold at first: what round trips show (slow_start.h)
 *
 * Timers end with ticks, later by up to two of them and by more where they are far (timer.h).
 *
 * The window outlasts messages: a pair that has lost something sends more carefully, and loses again when it has grown.
 * Round trips are smoothed (RFC 6298): an eighth of each one that is measured counts, also where frames go otherwise and none of
 * them can be lost. At first they are what connecting showed (connection_made), or, where that is over before the program,
 * about CONNECTION_FIRST_ROUND_TRIP.
 * What is left out: delayed acknowledgements, frames out of order. Where whole messages pass ports growth by time,
 * and with it acknowledgements held back, were tried on measured Gathers: shares that escalate came out worse,
 * since the hosts' windows often do not grow for dozens of operations (docs/accuracy/collectives.md); streams have it. Frames are
 * numbered in the order of the stream, from 0 on, modulo 2^32.
 * Knows no clock and no queue: whoever calls carries frames and acknowledgements. Seconds. */
#ifndef PEVPM_NETWORK_CONNECTION_H
#define PEVPM_NETWORK_CONNECTION_H

#include "network/cubic.h"

#include <stdbool.h>
#include <stdint.h>

/* How TCP avoids congestion, X(name as Linux has it). What differs:
 *
 *     cubic     as above
 *     reno      its slow start does not listen to round trips, and goes on until a loss; above the threshold the window grows by
 *               one for each window acknowledged; a loss halves it (RFC 5681) */
#define CONGESTION_LIST(X) X(cubic) X(reno)
enum congestion {
#define X(name) CONGESTION_##name,
    CONGESTION_LIST(X)
#undef X
};

enum connection_state {
    CONNECTION_OPEN,
    CONNECTION_RECOVERS, /* from a loss that acknowledgements told of */
    CONNECTION_STARTS,   /* again, after a timeout */
};

enum connection_timer {
    CONNECTION_TIMEOUT,
    CONNECTION_PROBE,
    CONNECTION_SETTLES, /* what is waited for counts as lost */
};

/* A frame that was sent and is not known to be there, with all before it. */
struct connection_frame {
    double sent;
    uint64_t order;    /* among all that were sent, again or not */
    const void *cost;  /* the caller's */
    bool there;        /* acknowledged */
    bool received;
    bool lost;         /* and not sent again yet */
    bool repeated;     /* sent more than once: no round trip is measured with it */
    bool ends;         /* the caller's: it is the last of a message */
    double load;       /* the caller's: how much more it takes than its message, which shares it with others */
    double end;        /* the caller's: where in its stream the frame ends */
};

struct connection {
    enum connection_state state;
    int32_t window, threshold;
    int32_t in_flight, n_lost, n_there;  /* of the outstanding: neither there nor lost; lost; there */
    int32_t most;                        /* outstanding since nothing was */
    int32_t growth;                      /* acknowledged towards the next step of the window above the threshold */
    int32_t window_before, delivered, repeated; /* CONNECTION_RECOVERS: when it began, and since */
    int32_t timeouts;                    /* in a row */
    bool limited;                        /* the window kept it from sending */
    enum congestion congestion;          /* the caller sets it after connection_reset, which has made it cubic */
    bool by_time;                        /* above the threshold it grows as Linux's cubic; the caller sets it likewise */
    bool waits;                          /* for what is not lost for certain, as above; likewise */
    double ticks;                        /* the phase of its host's timers (timer.h); likewise */
    struct cubic cubic;                  /* by_time: how */
    enum connection_timer timer;         /* what `due` is of */
    bool probe_sent;                     /* a probe is to be sent */
    bool probed;                         /* a probe is outstanding, behind which probe_end comes: there is no other meanwhile */
    bool probe_repeats;                  /* what was sent before. It has repaired that when more than all up to probe_end is there */
    double round_trip;                   /* smoothed; 0: not known. The caller may know it beforehand */
    double deviation, deviation_most;    /* from that, smoothed, four times, s; the largest until round_end is acknowledged, or more */
    double spread;                       /* which a timeout adds to the round trip */
    double least_round_trip;             /* the caller may know it beforehand, too; INFINITY: nobody does */
    double due;                          /* INFINITY: nothing is outstanding */
    double heard;                        /* when the last of what went otherwise is acknowledged: both wait from then on */
    double last_sent;
    uint64_t n_sent, newest;             /* orders: the last one sent, the latest one there */
    double told;                         /* the round trip that losses are told by */
    int32_t n_told;                      /* so many are, by the packet that is being taken; */
    bool advanced;                       /* some of them without a gap */
    bool left_out;                       /* some that left before `newest` are missing */
    uint32_t first, next, offered;       /* outstanding: first ... next - 1; to be sent: next ... offered - 1 */
    uint32_t state_end, probe_end, round_end;
    uint32_t got;                        /* the receiver has all before this one */
    uint32_t n_ahead;                    /* and so many behind that are `received`; those before are not marked */
    uint32_t capacity;                   /* of frames, a power of two */
    struct connection_frame *frames;     /* of frame i: frames[i % capacity] */
};

/* The window of a connection that has sent nothing yet, frames. */
enum { CONNECTION_FIRST_WINDOW = 10 };

/* One part in so many of a new round trip counts (RFC 6298). */
enum { CONNECTION_SMOOTHING = 8 };

/* Its smoothed round trip, s, where the two processes have spoken before: on average. They have sent each other short messages, and what is
 * not answered is acknowledged after 40 ms (acknowledging.h), an eighth of which counts; how many that were answered have come since,
 * nobody knows, so a stream draws it evenly from 0 to twice as much. */
#define CONNECTION_FIRST_ROUND_TRIP 5e-3

/* Its threshold, where a frame takes so long. connection_reset sets none. */
int32_t connection_first_threshold(double frame);

/* The window of one that has sent nothing for `idle` and begins again. */
int32_t connection_window_halved(int32_t window, double timeout, double idle);

static inline int32_t connection_window_rested(int32_t window, double timeout, double idle)
{
    return window > CONNECTION_FIRST_WINDOW ? connection_window_halved(window, timeout, idle) : window;
}

/* As it is before anything is sent; the memory of frames is kept. */
void connection_reset(struct connection *c);
void connection_free(struct connection *c);

/* What asked for it has been answered after so long, which is its first round trip whatever was known beforehand; and the least, if none
 * was less. */
void connection_made(struct connection *c, double round_trip);

/* s: Linux, TCP_RTO_MIN. */
#define CONNECTION_LEAST_TIMEOUT 0.2

/* Doublings of the timeout. */
enum { CONNECTION_MOST_BACKOFF = 8 };

/* How long it waits for an acknowledgement before all that is outstanding is taken for lost. */
static inline double connection_timeout(const struct connection *c)
{
    const double first = c->round_trip + c->spread;
    if (c->timeouts == 0)
        return first;
    return first * (1 << (c->timeouts < CONNECTION_MOST_BACKOFF ? c->timeouts : CONNECTION_MOST_BACKOFF));
}

/* It has sent nothing for `idle`, which is longer than its timeout. */
void connection_rest(struct connection *c, double idle);

/* The sender has n more frames. */
static inline void connection_offer(struct connection *c, int32_t n, double now)
{
    if (c->first == c->next) {
        const double idle = now - c->last_sent;
        c->most = 0;
        if (idle > c->round_trip + c->spread)
            connection_rest(c, idle);
    }
    c->offered += (uint32_t)n;
}

/* The frame to send now; false: there is none, or none may be sent. To be asked again until then; `due` is then right. */
bool connection_send(struct connection *c, double now, uint32_t *frame);

/* The first frame that is known to be lost, of n_lost > 0. */
uint32_t connection_first_lost(const struct connection *c);

/* The same for n > 0 frames more, offered as they are sent one after the other, where all that was offered before has been
 * sent and the window has room for all. Frames that are known to be lost may wait meanwhile. Returns the first. */
uint32_t connection_send_new(struct connection *c, int32_t n, double now);

/* An acknowledgement reaches the sender. The time `due` has come. */
void connection_acknowledge(struct connection *c, uint32_t frame, double now);
void connection_wake(struct connection *c, double now);

/* A probe is due, and one is outstanding, or the sender's host will not take it: the timeout is waited for. */
void connection_probe_drop(struct connection *c, double now);

/* connection_acknowledge of all that one packet tells of: of each frame, which may be known to be there (false); then, if any was not,
 * connection_told: what is lost, the window and `due`. Of what one packet acknowledges the first one's round trip is measured, and no other's. */
bool connection_acknowledge_one(struct connection *c, uint32_t frame, bool measured, double now);

/* The same of all frames before `got`; false: all were known to be there. *round_trip: NaN where none is measured yet; then of the
 * last that was sent once. */
bool connection_acknowledge_before(struct connection *c, uint32_t got, double *round_trip, double now);
void connection_told(struct connection *c, double now);

/* One of its frames went through otherwise, and was not lost. */
void connection_passed(struct connection *c, double now);

/* What it has sent otherwise until now is acknowledged at `back`, which each acknowledgement before tells of: the timers wait
 * from then on. To be told before what waits with it is sent. */
void connection_heard(struct connection *c, double back);

/* The smoothed round trip that was `before`. */
static inline double connection_round_trip(double before, double last)
{
    return before + (last - before) / CONNECTION_SMOOTHING;
}

static inline struct connection_frame *connection_frame_at(const struct connection *c, uint32_t frame)
{
    return &c->frames[frame & (c->capacity - 1)];
}

/* A frame reaches the receiver. */
static inline void connection_receive(struct connection *c, uint32_t frame)
{
    if (frame == c->got && c->n_ahead == 0) {
        c->got++;
        return;
    }
    if ((int32_t)(frame - c->got) < 0 || connection_frame_at(c, frame)->received) {
        c->probed = c->probed && !c->probe_repeats; /* it was not lost, and the acknowledgement says so */
        return;
    }
    connection_frame_at(c, frame)->received = true;
    c->n_ahead++;
    for (; c->n_ahead > 0 && connection_frame_at(c, c->got)->received; c->got++)
        c->n_ahead--;
}

#endif
