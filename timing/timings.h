/* timings.h - the records of all processes, of one run or of several, put together.
 *
 * Hosts become nodes 0, 1, ... in the order of their lowest ranks, as `--map block` lays ranks over nodes; hosts
 * without ranks follow in the order of the records. */
#ifndef PEVPM_TIMING_TIMINGS_H
#define PEVPM_TIMING_TIMINGS_H

#include "timing/tally.h"

/* How the nodes compare.
 *
 * For block b on node h let m(b, h) be the mean of ln median over the processes of h, and L = m(b, h) - mean over nodes
 * of m(b, .). A node's factor is exp of the mean of its L over the blocks that all nodes ran at least TIMINGS_RUNS
 * times, weighted with the blocks' total times, relative to the fastest node.
 *   alike    no factor is above 1 + TIMINGS_ALIKE, or no two nodes differ beyond chance
 *   factors  all blocks with at least 1 % of the time obey their nodes' factors within TIMINGS_CONSISTENT, or chance
 *   mixed    neither: one factor per node does not describe them
 *
 * What chance makes is judged by Student's t at TIMINGS_CHANCE over all comparisons. The standard error of a node is
 * that of the mean of its processes, where some node ran at least two (runs count as processes), and at least what the
 * median of so many durations is uncertain by. */
enum timings_nodes { NODES_ALIKE, NODES_FACTORS, NODES_MIXED };
#define TIMINGS_ALIKE 0.02      /* timer interrupts and memory layout alone make 1 % */
#define TIMINGS_CONSISTENT 0.05
#define TIMINGS_CHANCE 0.01     /* of equal nodes, one set in a hundred is thought to differ */
#define TIMINGS_RUNS 10         /* fewer say little about a median */

struct timings_node {
    const char *host;
    int first_rank;             /* -1: none known */
    int processes;              /* records; a process of two runs counts twice */
    double factor;              /* >= 1; the fastest node has 1. 1 for all where they cannot be compared */
};

struct timings_block {
    const char *name;
    bool has_argument;
    double argument;
    struct tally all;           /* as measured */
    struct tally *nodes;        /* [n_nodes] as measured; may be empty */
    struct tally levelled;      /* each duration divided by its node's factor */
};

struct timings {
    size_t n_records;
    const struct record *records; /* borrowed; names, too */
    size_t n_nodes, n;
    struct timings_node *nodes; /* [n_nodes] */
    struct timings_block *blocks; /* [n] names in the order of the records, arguments ascending */
    size_t *first, *joined;     /* the block that block j of record i went into: joined[first[i] + j] */
    enum timings_nodes outcome;
    double window, cost;        /* sums over the processes: from first BEGIN to last END; of BEGIN and END; ns */
    int64_t unmatched, dropped;
};

/* Puts records [n] together; they must outlive *timings. STATUS_SCHEMA with a diagnostic: no block at all, or one name
 * with and without an argument. Warnings: blocks lost, unmatched (where, as far as the records know) or too short. The
 * caller ends it with timings_free, whatever was returned. */
enum status timings_make(struct timings *timings, const struct record records[], size_t n, struct diags *diags);
void timings_free(struct timings *timings);

/* Warns where nodes differ such that a person should say what to make of it. */
void timings_warn_nodes(const struct timings *timings, struct diags *diags);

#endif
