/* branch.h - into how many pieces a share is cut, and who is whose parent in a tree. No MPI here.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PEVPM_COLL_BRANCH_H
#define PEVPM_COLL_BRANCH_H

#include <stdint.h>

/* m pieces of a share of M bytes such that M / m <= M1 < M / (m - 1); one where M <= M1. Source: A. Lastovetsky, M.
 * O'Flynn, A performance model of many-to-one collective communications for parallel computing, IPDPS 2007, section 7.
 * M >= 0, M1 >= 1. */
int64_t pieces_of(int64_t M, int64_t M1);

/* Where piece k of m begins, 0 <= k <= m: at M for k = m. No piece is longer than M / m rounded up. */
int64_t piece_begin(int64_t M, int64_t m, int64_t k);

/* A position of the binomial tree of n, 0 being the root: the parent is the position without its lowest bit, and a
 * subtree is a run of positions. Children in ascending order, that is, smallest subtree first. */
struct branch {
    int parent; /* -1: none */
    int run;    /* positions of the subtree, this one included */
    int n_children;
    int children[31];
};
struct branch branch_of(int n, int position);

#endif
