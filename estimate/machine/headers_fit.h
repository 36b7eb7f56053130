/* headers_fit.h - what a port takes for a lone short message, which bursts do not show.
 *
 * What a connection sends while a message of it waits in the port goes together: TCP puts several short messages of a
 * burst into one frame, the more the fewer connections a burst is spread over. So bursts make messages of less than a
 * frame cheaper than they are alone. Larger ones tell what headers take, for these share no frames: with M bytes,
 *
 *     gap(M) = b (M + h + T floor(M / frame))
 *
 * b: s per byte; h: bytes that the library and the first frame add; T: those of every further frame. A message just
 * below a frame's size, one that just fills a frame and so needs a second, and a long one give all three.
 *
 * Where a port passes a frame in little more time than timers are late by, their lateness is in the leap between the
 * first two sizes: ports of 60 Mbit/s behind token buckets made 313 and 337 bytes of T. No frame has so many, so such a
 * port does not tell.
 * Pure functions; units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_HEADERS_FIT_H
#define PEVPM_ESTIMATE_HEADERS_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEADERS_LONG = 2 }; /* frames: messages from which on what a port takes tells its time per byte */

struct headers_gap {
    int64_t bytes;
    double gap; /* s; NaN: not measured */
};

struct headers {
    double message, frame; /* h and T */
    bool usual;            /* not measured: those of Open MPI over TCP and Ethernet, 88 and 66 */
};

/* From the gaps of several ports that are alike, each of `n` gaps, ascending: the means of those that tell. One does
 * not where it has no gap within a twentieth of the frame's size on both sides of it, none of twice that size, or where
 * what it has makes h or T negative or T more than 150 bytes (Ethernet, IPv6 and TCP with time stamps have 114; of 32
 * calibrations 30 said 55 to 80, both sides averaged). Where none tells but one makes T too large, the usual ones; else
 * false. */
bool headers_fit(size_t n_ports, size_t n, const struct headers_gap *const gaps[], double frame,
                 struct headers *headers);

/* The usual ones. */
struct headers headers_usual(void);

/* What a message takes at least of a port with that time per byte, s. 0 for one as near to a frame's size as those that
 * headers_fit asks, or longer: what these take is measured. */
double headers_least(const struct headers *headers, double per_byte, double bytes, double frame);

/* The time per byte of a port, from the longest message measured. NaN: none of a frame's size or more. */
double headers_per_byte(const struct headers *headers, size_t n, const struct headers_gap gaps[], double frame);

#endif
