/* levels.h - the discrete levels to which the time of a many-to-one operation escalates.
 *
 * Lastovetsky, O'Flynn, A performance model of many-to-one collective communications for parallel computing, IPDPS
 * 2007, sections 3 to 5. An operation takes its linear time or one of a few levels that depend neither on the size nor
 * on the number of processes: either the level itself, or the level on top of the linear time; which one fits better is
 * told.
 *
 * What is more than (1 + margin) linear + resolution counts as escalated. The escalated times are parted into k groups
 * so that the squared distances from the groups' means are least, exactly (dynamic programming: H. Wang, M. Song, R
 * Journal 3(2), 2011), and k is the one with the least
 *     n ln(RSS / n + resolution^2) + 2 k ln n
 * of those whose means are at least the resolution and LEVEL_APART of the larger one apart: so levels are not split by
 * what timers and noise do. Times within an eighth of the resolution of the least of them stay together; a level is the mean
 * of all times of its group. Groups of fewer than LEVEL_LEAST times are no levels. Units: seconds. */
#ifndef PEVPM_ESTIMATE_LEVELS_H
#define PEVPM_ESTIMATE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

enum { LEVELS_MOST = 8, LEVEL_LEAST = 3 };
#define LEVEL_RESOLUTION 4e-3 /* s: a tick of a 250 Hz kernel, on which retransmission timers run */
#define LEVEL_APART 0.05      /* of a level: noise of 3 % parts one into two that are 5 % apart */
#define LEVEL_MARGIN 0.2      /* of the linear time: what is within it is noise */

struct levels {
    size_t n;                  /* 0: nothing escalates */
    double value[LEVELS_MOST]; /* ascending, s */
    double half_width[LEVELS_MOST]; /* of its 95 % interval: Student's of the group's mean */
    size_t times[LEVELS_MOST];  /* that are of the group */
    bool added;                /* they come on top of the linear time */
    double margin, resolution; /* that they were found with */
};

/* From n operations, each with the linear time of its size and number of processes. */
void levels_find(size_t n, const double times[], const double linear[], double margin, double resolution,
                 struct levels *levels);

/* 0: not escalated; else 1 + the number of the nearest level. */
size_t levels_classify(const struct levels *levels, double time, double linear);

#endif
