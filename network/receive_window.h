/* receive_window.h - how far a sender may be ahead of what its receiver has: TCP's receive window, as Linux lets it grow.
 *
 *     edge        no sender sends beyond it: got + window, got: what has come without a gap. It never goes back
 *     window      min(grown, room - 0.68 kept); kept: bytes that have come and are not read, or are behind a gap. A host joins frames, so
 *                 that they take less than frames that come are reckoned at: of a process that computed 128 KiB held 121,400 bytes
 *     grown       64 KiB at first, and twice as much more as comes, in frames of 128 bytes and more, up to `room`. Such a frame is
 *                 acknowledged at once (icsk_ack.quick), as 16 are at first, by a host that does not answer (acknowledging.h)
 *     room        81 KiB at first. Its process reads: once a round trip, n bytes since the last time, and where that is more than ever
 *                 (`most`; at first ten frames, 64 KiB at most) room is at least 2 n (1 + 2 (n - most) / most) + span. With each
 *                 frame behind a gap it is at least 2 most + span. span: from the gap to the end of what has come
 *     round trip  what its sender sees, which stands for what the receiver does: whole ms, less than one counts for nothing. A
 *                 longer one than before counts an eighth, and only where all has been read. Until there is one: the time in
 *                 which a whole window came
 *
 * So a connection that has lost nothing yet sends 81 KiB beyond a frame that is missing, and then, for want of room, what was lost;
 * and after that much more, for what had waited behind the gap is read at once. Source: Linux 6.18, net/ipv4/tcp_input.c
 * (tcp_rcv_space_adjust, tcp_rcvbuf_grow, tcp_grow_window, tcp_rcv_rtt_update), tcp_output.c (__tcp_select_window), with a tcp_rmem of
 * 128 KiB, of which data of full frames have 81. Pure; bytes of a stream, seconds. */
#ifndef PEVPM_NETWORK_RECEIVE_WINDOW_H
#define PEVPM_NETWORK_RECEIVE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* tcp_rmem, less what a host takes for a frame beside its bytes; TCP_INIT_CWND. */
enum { RECEIVE_WINDOW_FIRST = 64 << 10, RECEIVE_WINDOW_ROOM = 81 << 10, RECEIVE_WINDOW_FRAMES = 10, RECEIVE_WINDOW_LEAST = 128 };

/* Of the room that bytes which come are reckoned at; measured, as the contract says. */
#define RECEIVE_WINDOW_KEPT 0.68

/* s: of TCP's time stamps. */
#define RECEIVE_WINDOW_CLOCK 1e-3

struct receive_window {
    double edge, grown, room;
    double most;                /* read in a round trip */
    double round_trip;          /* 0: not known */
    double begun, begun_read;   /* of the round trip that is measured: when, and what had been read */
    double whole_begun, whole_end; /* of the window that is timed: when it began, and its end */
};

static inline double receive_window_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline struct receive_window receive_window_first(double frame, double now)
{
    const double ten = RECEIVE_WINDOW_FRAMES * frame, grown = frame < RECEIVE_WINDOW_FIRST ? RECEIVE_WINDOW_FIRST : frame;
    return (struct receive_window){.edge = grown, .grown = grown, .room = frame < RECEIVE_WINDOW_ROOM ? RECEIVE_WINDOW_ROOM : 2 * frame,
                                   .most = receive_window_lesser(ten, RECEIVE_WINDOW_FIRST), .begun = now, .whole_begun = now,
                                   .whole_end = grown};
}

static inline void receive_window_move(struct receive_window *w, double got, double kept)
{
    const double edge = got + receive_window_lesser(w->grown, w->room - RECEIVE_WINDOW_KEPT * kept);
    w->edge = edge > w->edge ? edge : w->edge;
}

/* A round trip was seen. */
static inline void receive_window_round_trip(struct receive_window *w, double round_trip, bool all_is_read)
{
    const double seen = RECEIVE_WINDOW_CLOCK * (double)(int64_t)(round_trip / RECEIVE_WINDOW_CLOCK);
    if (seen <= 0)
        return;
    if (w->round_trip <= 0 || seen < w->round_trip)
        w->round_trip = seen;
    else if (all_is_read)
        w->round_trip += (seen - w->round_trip) / 8;
}

/* n bytes were read in a round trip, or count as if. */
static inline void receive_window_widen(struct receive_window *w, double n, double span)
{
    const double room = 2 * n * (1 + 2 * (n - w->most) / w->most) + span;
    w->most = n;
    w->room = room > w->room ? room : w->room;
}

/* A whole window has come. */
static inline void receive_window_whole(struct receive_window *w, double got, double now)
{
    const double time = now - w->whole_begun;
    if (w->round_trip <= 0 || time < w->round_trip)
        w->round_trip = time;
    w->whole_begun = now;
    w->whole_end = got + w->grown;
}

/* A frame of so many bytes has come: then `got` have without a gap, and span is from there to the end of all. Whether the window grows
 * by it. */
static inline bool receive_window_come(struct receive_window *w, double bytes, double got, double span, double now)
{
    if (span > 0)
        receive_window_widen(w, w->most, span);
    if (got >= w->whole_end)
        receive_window_whole(w, got, now);
    if (w->grown >= w->room || bytes < RECEIVE_WINDOW_LEAST)
        return false;
    w->grown = receive_window_lesser(w->grown + 2 * bytes, w->room);
    return true;
}

/* Its process has read all that has come without a gap. */
static inline void receive_window_read(struct receive_window *w, double read, double span, double now)
{
    if (now - w->begun < w->round_trip || w->round_trip <= 0)
        return;
    const double n = read - w->begun_read;
    if (n > w->most)
        receive_window_widen(w, n, span);
    w->begun = now;
    w->begun_read = read;
}

#endif
