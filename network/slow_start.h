/* slow_start.h - when a window that opens by what is acknowledged has opened enough: HyStart, as Linux's cubic has it.
 *
 *     train     acknowledgements that come close behind one another, for longer than half of the least round trip, say
 *               that the way is full
 *     delay     so do 8 round trips of one round the least of which is 4 ms above the least of all: a queue has grown
 *
 * Both are listened to from a window of 16 frames on. Source: Linux 6.18, net/ipv4/tcp_cubic.c (RFC 9406 has the like). Pure;
 * seconds, frames. */
#ifndef PEVPM_NETWORK_SLOW_START_H
#define PEVPM_NETWORK_SLOW_START_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* HYSTART_LOW_WINDOW, _MIN_SAMPLES. */
enum { SLOW_START_WINDOW = 16, SLOW_START_SAMPLES = 8 };
/* s: HYSTART_DELAY_MIN; hystart_ack_delta; and what a device takes for what it sends at once, by which a train may last
 * longer than half of the least round trip. */
#define SLOW_START_DELAY 4e-3
#define SLOW_START_SPACING 2e-3
#define SLOW_START_DEVICE 1e-3

struct slow_start {
    bool over;
    int32_t samples;             /* of the round: round trips */
    uint32_t round_end;          /* it ends with the first acknowledgement of what was sent after that frame */
    double least, round_least;   /* round trip, ever and in the round. The caller may know the first beforehand */
    double round_begun, last_answer;
};

/* An acknowledgement that has shown a round trip: all before `first` are there, and `next` is the next that will be
 * sent; window: as it was before that lets it grow (Linux: cubictcp_acked, before tcp_cong_control). Whether slow start is over,
 * with that window. */
static inline bool slow_start_listen(struct slow_start *s, int32_t window, uint32_t first, uint32_t next,
                                     double round_trip, double now)
{
    if ((int32_t)(first - s->round_end) > 0) {
        s->round_end = next;
        s->round_begun = s->last_answer = now;
        s->round_least = INFINITY;
        s->samples = 0;
    }
    s->least = round_trip < s->least ? round_trip : s->least;
    if (window < SLOW_START_WINDOW)
        return false;
    if (now - s->last_answer <= SLOW_START_SPACING) {
        s->last_answer = now;
        s->over = now - s->round_begun > (s->least + SLOW_START_DEVICE) / 2;
    }
    s->round_least = round_trip < s->round_least ? round_trip : s->round_least;
    if (s->samples < SLOW_START_SAMPLES)
        s->samples++;
    else if (s->round_least > s->least + SLOW_START_DELAY)
        s->over = true;
    return s->over;
}

/* The window at which it is over where nobody listens: so many frames, each of which keeps the way busy so long, make a
 * queue of that delay, and then the samples tell. */
static inline double slow_start_window(double frame)
{
    return fmax(SLOW_START_WINDOW, ceil(SLOW_START_DELAY / frame)) + SLOW_START_SAMPLES;
}

#endif
