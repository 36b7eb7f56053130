/* frame_cost.h - what a frame takes of a resource beside the bytes of messages, read off its demand.
 *
 * On the wire each frame has headers of its own and a gap behind it, and a message of M bytes is in 1 + floor(M /
 * frame) frames, for the library adds some bytes to it. With b, the time per byte within one frame, and t, what a frame
 * takes beside its bytes,
 *
 *     demand(M) = demand(0) + b M + t floor(M / frame)
 *
 * so b is the slope below a frame's size and t what the largest size takes more than this slope says, for each frame
 * beyond the first. Several messages that share a frame take t once. Units: seconds, bytes. */
#ifndef PEVPM_MODELS_FRAME_COST_H
#define PEVPM_MODELS_FRAME_COST_H

#include "models/machine.h"

/* What a message is on the wire beside its own bytes: with each frame, Ethernet, IP and TCP with timestamps; with each
 * message, the library's (Open MPI's BTL over TCP: 20 for what fits into a frame). */
enum { FRAME_WIRE_HEADERS = 66, FRAME_LIBRARY_HEADER = 20 };

struct frame_cost {
    double overhead; /* t; 0: the demand does not tell it: it has less than two sizes below a frame's or none above,
                      * or t is less than 1 % of a full frame, no more than how well gaps are measured */
    double full;     /* what a frame full of messages takes: b frame + t */
};

/* frame: bytes; 0: there are none, and nothing to share. */
struct frame_cost frame_cost_of(const struct machine_curve *demand, double frame);

/* What a message of that size does not take that shares the frame of another: t, or 0 where it fills more than a
 * frame. */
double frame_cost_shared(const struct machine_curve *demand, double frame, double bytes);

#endif
