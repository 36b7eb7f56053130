/* tcp.h - what the TCP connections of this process tell, as its host keeps it (Linux, tcp(7)). On other systems nothing is known. */
#ifndef PEVPM_MEASURE_TCP_H
#define PEVPM_MEASURE_TCP_H

#include <stdint.h>

/* Segments that all connections now open have sent again, less those that the other side says had come the first time
 * (TCP_INFO; RFC 2883): a host probes for losses where an acknowledgement is late, and one that waits behind data at a port is.
 * So many have been lost; of a segment that was sent again a round trip ago at most nothing is known yet. -1: this host
 * does not count, or there is no such connection. */
int64_t tcp_losses(void);

/* How one that leads to another host avoids congestion (TCP_CONGESTION): "cubic", as Linux names it. Empty: there is none. */
enum { TCP_CONGESTION_BYTES = 17 };
void tcp_congestion(char name[TCP_CONGESTION_BYTES]);

/* Bytes of data in a full segment of the connections that lead to other hosts (TCP_MAXSEG), of all interfaces that these use, and
 * of no other: what a frame carries. The least, where they differ. 0: there is none, so messages go another way, or stay. */
int tcp_segment(void);

/* From how many of this host's addresses connections lead to other hosts: over so many interfaces a library spreads its messages. */
int tcp_interfaces(void);

#endif
