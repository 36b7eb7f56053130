/* binomial.h - binomial trees of processes, with process 0 as their root, as programs walk them by hand.
 *
 *     by the lowest bit, `low`, of p    it receives from p - low, and sends to p + k for k < low
 *     by the highest                    it receives from p - highest, and sends to p + k for k > highest
 *
 * with k a power of two, where there is such a process among the P. */
#ifndef PEVPM_RECORD_BINOMIAL_H
#define PEVPM_RECORD_BINOMIAL_H

#include <stdint.h>

/* By lowest bits: twice the farthest k; 1: p sends to nobody. lowbit(p, 2*(P-p)-1) */
int64_t binomial_reach(int64_t p, int64_t P);
/* And how many there are from p on in the tree below it. min(lowbit(p, 2*P-1), P-p) */
int64_t binomial_below(int64_t p, int64_t P);
/* The same from p + k on. min(k, P-p-k) */
int64_t binomial_below_next(int64_t p, int64_t P, int64_t k);

/* By highest bits: the least k. round(pow(2, ilog2(2*p+1))) */
int64_t binomial_step(int64_t p);

#endif
