/* frame_cost.h - what a frame takes on the wire beside the bytes of messages. Bytes. */
#ifndef PEVPM_MODELS_FRAME_COST_H
#define PEVPM_MODELS_FRAME_COST_H

/* With each frame, Ethernet, IP and TCP with timestamps; with each message, the library's (Open MPI's BTL over TCP: 20 for what fits
 * into a frame). */
enum { FRAME_WIRE_HEADERS = 66, FRAME_LIBRARY_HEADER = 20 };

#endif
