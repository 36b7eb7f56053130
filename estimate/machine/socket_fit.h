/* socket_fit.h - how much a host holds of a connection when a send is over (network/socket.h), from sends behind one
 * another.
 *
 * A process sends another without pause, and the other receives as it comes. Some sends are over at once, those for
 * which the host has no room later. When such a one is over, what had been given by its end and had not come is what
 * the host holds. It holds more of a connection that has sent more, so it is found for so many bytes given:
 *
 *     given(i) = 64 KiB 2^i       the median of what sends told that ended within a factor of sqrt(2) of that
 *
 * What a host takes at once of a new connection: a process begins to send messages and comes back to MPI long after;
 * those that have come by then its host had taken, and half of the next on average.
 *
 * Pure; units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_SOCKET_FIT_H
#define PEVPM_ESTIMATE_SOCKET_FIT_H

#include <stddef.h>
#include <stdint.h>

enum { SOCKET_POINTS = 7 }; /* up to 4 MiB, which a network of 10 Mbit/s passes in 3.5 s */
int64_t socket_given(int i);

/* One of them. */
struct socket_sample {
    double given, held;
};

/* n sends of `bytes` each: when the calls began and returned, and when the messages had come; all ascending. Those of
 * them that waited for room go to samples [n]; returns how many. A send waits that takes more than a quarter of what a
 * message takes to pass: one that does not wait takes what copying does. */
size_t socket_samples(size_t n, double bytes, const double call[], const double back[], const double there[],
                      struct socket_sample samples[]);

/* The median of n hosts, each of which took so many of `pieces` messages of `piece` bytes, and half of the next; NAN
 * where it is all of them, or n = 0. taken [n] is sorted anew. */
double socket_first(size_t n, double taken[], int pieces, double piece);

/* held [SOCKET_POINTS], settled; NAN where fewer than three samples tell. `samples` are sorted anew. first: as
 * socket_first. */
void socket_fit(size_t n, struct socket_sample samples[], double first, double held[SOCKET_POINTS]);

/* A host that held more once holds as much later, and never more than was given, so that what it holds grows by no more
 * than was given meanwhile: medians of different samples may say otherwise, and a machine file that does is refused.
 * What it takes at once is the least, and no point up to there tells more. NAN stays. */
void socket_held_settle(double first, double held[SOCKET_POINTS]);

#endif
