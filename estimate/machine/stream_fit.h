/* stream_fit.h - the gap of a port under saturation, from a stream of messages.
 *
 * Messages of one size follow one another through a port that is never idle, many more than a burst has. What it had
 * saved up while idle, and what its sender does at the start of a connection that rested, is over after the first part
 * of them; from there on one message arrives after another, one gap apart. Pure functions; units: seconds. */
#ifndef PEVPM_ESTIMATE_STREAM_FIT_H
#define PEVPM_ESTIMATE_STREAM_FIT_H

#include <stddef.h>

enum { STREAM_LEAST = 8 }; /* messages of a stream */

/* The mean time between arrivals after the first quarter; s per message. n >= STREAM_LEAST. Sorts the arrivals. What
 * packets that are lost cost is part of it, where streams lose any: the caller takes the median of several streams. */
double stream_fit_gap(size_t n, double arrivals[]);

#endif
