/* headers.h - ports, trunks and a node's bus take no less for a short message than its bytes and headers say. */
#ifndef PEVPM_RESULTS_HEADERS_H
#define PEVPM_RESULTS_HEADERS_H

#include "results/result.h"

/* Raises the out and in gaps of messages of less than a frame, of all classes of nodes, to b (M + h) of headers_fit.h,
 * where they are less, and those of trunks and of the bus: bursts and streams of such messages share frames, a message alone
 * does not. h and T are those of class 0, for frames are alike everywhere; a bus through memory, which has none, is so quick that
 * they are nothing. b is each class's, trunk's, bus's and way's own. Without
 * effect where the gaps of class 0 do not tell them, and the second time. Where any is raised NOTE_HEADERS says so, and
 * whether h and T are the usual ones. */
void headers_count(struct result *result);

#endif
