/* frame.h - how much of a message travels as one piece. */
#ifndef PEVPM_BENCH_FRAME_H
#define PEVPM_BENCH_FRAME_H

/* Bytes of TCP data in a frame of this host's network: the smallest MTU of an interface that is up and has an IPv4
 * address, the loopback aside, less the headers of IPv4 (20), TCP (20) and its time stamps (12). 0: there is no such
 * interface. A network that TCP does not use has pieces of its own; what depends on them is half a piece in a
 * message. */
int frame_bytes(void);

#endif
