/* losses.h - what the TCP connections of this process have lost, as its host has counted it (Linux, tcp(7),
 * TCP_INFO), and how it avoids that (TCP_CONGESTION). */
#ifndef PEVPM_MEASURE_LOSSES_H
#define PEVPM_MEASURE_LOSSES_H

#include <stdint.h>

/* Segments that all connections now open have sent again, less those that the other side says had come the first time
 * (RFC 2883): a host probes for losses where an acknowledgement is late, and one that waits behind data at a port is.
 * So many have been lost; of a segment that was sent again a round trip ago at most nothing is known yet. -1: this host
 * does not count, or there is no such connection. */
int64_t losses_counted(void);

/* How one that leads to another host avoids congestion: "cubic", as Linux names it. Empty: as above. */
enum { LOSSES_NAME_BYTES = 17 };
void losses_avoided_by(char name[LOSSES_NAME_BYTES]);

#endif
