/* streams.h - what the processes of two nodes send each other as TCP carries it (--contention frames; the rules are in
 * docs/ARCHITECTURE.md, Streams): a stream of bytes each way, in frames that pass ports and trunks one by one. It stands
 * in for the whole messages of way/ where a channel `has_stream`. On this shelf
 *
 *     stream.c      what is written to a stream: messages, announcements, permissions, answers
 *     mark.c        where in it each of these ends
 *     sender.c      what may leave of it, and when: windows, losses, acknowledgements that have come
 *     packet.c      a frame, or an acknowledgement alone, on its way through ports and trunks
 *     receiver.c    a frame has come: what ends with it, and when it is acknowledged
 *
 * Places are bytes of the stream, the library's headers among them. Both streams of a pair open together, with the first that is
 * written. Units: seconds, bytes. Part of state.h. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_STREAMS_H
#define PEVPM_ENGINE_TIMED_STREAM_STREAMS_H

#include "engine/timed/event_queue.h"
#include "models/machine_path.h"
#include "network/acknowledging.h"
#include "network/connection.h"
#include "network/receive_window.h"
#include "network/slow_start.h"

enum { NONE = -1 };

/* Places are sums of bytes: what they may be wrong by. */
#define STREAM_ROUNDING 1e-6

enum mark_kind { MARK_DATA, MARK_ANNOUNCES, MARK_PERMITS, MARK_ANSWERS };

/* Where a message, an announcement, a permission or an answer ends. */
struct timed_mark {
    double end, given;           /* its place; the same in what the channel was given */
    double common;               /* what it still has to take of what all nodes have in common, s */
    int32_t transfer, next;      /* transfer: of an answer, the send that it ends */
    uint8_t kind;                /* enum mark_kind */
    uint8_t shares;              /* it is one of so many of its message, over as many rails; else 1 */
};

/* What has left a port or a trunk for what is next on its way stands in line, one later than the other: only the first is in the
 * event queue, which so stays small. The port or trunk knows the last; NONE: there is none. */

/* What has come of a stream: all frames before `got`, and from ... to - 1. */
struct stream_heard {
    uint32_t got, from, to;
};

/* A frame of a stream, or an acknowledgement that goes the same way. Each says what has come of the stream back. */
struct timed_packet {
    struct event comes;          /* to what is next */
    struct timed_stream *stream;
    int32_t next;                /* in its line; free */
    uint32_t frame;              /* of one without bytes: enum packet_alone */
    double bytes;                /* of the stream in it */
    double in_short;             /* what it takes of the queue that it is in, less than a full frame; else 0 */
    struct stream_heard heard;   /* of the stream back */
    int16_t stage;               /* what it reaches next: a trunk, the in port; PACKET_THERE: its end */
    bool in_line;
};
_Static_assert(sizeof(struct timed_packet) == 64, "a cache line");
enum { PACKET_THERE = -1 };
/* What a packet without bytes is: an acknowledgement; of a connection that is to be made, what asks for it, what answers and what
 * acknowledges that. Both ends measure a round trip so. */
enum packet_alone { PACKET_ACKNOWLEDGES, PACKET_ASKS, PACKET_ANSWERS, PACKET_CONFIRMS };

/* What its packets need stands first, in two cache lines; then what its ends do. */
struct timed_stream {
    _Alignas(64) struct timed_stream *back; /* the other way */
    int32_t channel;
    int32_t from, n_hops;        /* as its channel's, and its ports */
    struct timed_port *from_port, *to_port;
    double *leaving_until;       /* of its sender's port (port_leaving) */
    double frame;                /* bytes of it in a full frame */
    /* What a frame takes of both ports beside its bytes, and each of these; what they save up; and the in port holds, s. */
    double out_frame, out_byte, out_saved, in_frame, in_byte, in_saved, buffer;
    double left, entered;        /* when something left the out port last, and the in port: they keep their order */
    double jitter;               /* within what time leaves what the out port held, s */
    uint64_t order;              /* of its packets' events, but for their number */
    struct timed_process *sender, *receiver;
    struct timed_words *leaving; /* draw that */

    /* the receiver's */
    struct acknowledging acknowledging;
    double unanswered, answer_due; /* bytes that have come and are not acknowledged; when they are at the latest */
    uint32_t answer_from, answer_to; /* the frames that came last, one after the other */
    bool unread;                 /* some have come since it looked: in first_unread of its process */
    bool message_unread;         /* and a whole message with them */
    bool shut;                   /* its sender has more, for which the window has no room */
    struct timed_stream *next_unread;
    double read, ahead_end;      /* bytes: what its process has read; where the last that has come ends */
    struct receive_window receive;

    struct timed_stream *next_rail; /* its channel's on the next; NULL: it is on the last */

    int32_t number;              /* of those that are open */
    double alarm;                /* the next EVENT_TIMER */
    double written, sent, got, acknowledged; /* so far; got: without a gap */
    double acknowledged_given;
    int32_t first_mark, next_mark, last_mark; /* not acknowledged; of these not come */
    int32_t leaving_mark;        /* of these the first of which not all has been sent */

    /* the sender's */
    struct connection at;
    double asked, replied;       /* when it last asked for a connection, and answered who did */
    double on_way;               /* what the receiver's host has not got of what was sent, with what a host counts for each frame */
    int32_t n_under_way;         /* segments of TCP's that are not acknowledged */
    double goes_on;              /* when no more than that is on its way; -INFINITY: it does not wait for what is */
    double end_waits_until, end_waits_for; /* till then the end of what is written waits while so much is on its way */
    bool limited;                /* the window kept it from sending, until limited_end is acknowledged */
    uint32_t limited_end;
    struct slow_start start;
    double passed[PATH_MOST];    /* when something left each trunk on its way last */
};

/* What is the same of a channel's stream in all runs. A chain: the frames of a message, on an idle way. */
struct stream_chain {
    int64_t bytes;               /* of the message and its header; 0: of none */
    double time;                 /* the last has come, after the first leaves */
};
struct stream_known {
    const struct port_cost *ports; /* of an empty message; NULL: nothing is known yet */
    double jitter, empty_chain;
    double announces, permits;   /* by how much longer than that the chains of an announcement and a permission are */
    struct stream_chain chain[2]; /* of the last two sizes, the newest first */
};

struct timed_streams {
    int32_t n, n_marks, n_packets, free_mark, free_packet;
    size_t capacity, marks_capacity, packets_capacity;
    struct timed_stream **streams; /* [capacity], where each stays; those beyond n keep their connection's memory */
    struct timed_mark *marks;
    struct timed_packet *packets;
    struct event_queue timers;   /* EVENT_TIMERs, most of which are far away and come to nothing, in no other queue's way */
};

#endif
