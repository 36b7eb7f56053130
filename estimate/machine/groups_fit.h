/* groups_fit.h - which nodes stand behind one trunk, from bursts that all nodes sent at the same moment.
 *
 * In a look each node sends a burst to one other and gets one. Groups are sought whose trunks explain which bursts were
 * slowed. A burst that has left its port after `out` seconds, that its ports keep for `alone`, from group g to group h, takes,
 * when these groups' trunks pass C_g and C_h bursts/s, the same both ways,
 *
 *     max(alone, A_g / C_g, A_h / C_h),      A_g = sum of min(1, out / out_i) over the bursts i of the look that leave g
 *
 * (A_h: that enter h): what has come to the trunk by the time the burst has left its port, which the trunk passes first come,
 * first served. So a burst whose ports are slow passes a full trunk as if it were not there. Any burst is late by chance, or in
 * time, with LOOK_NOISE. Groups may be any nodes. Pure functions; seconds. */
#ifndef PEVPM_ESTIMATE_GROUPS_FIT_H
#define PEVPM_ESTIMATE_GROUPS_FIT_H

#include <stdbool.h>
#include <stddef.h>

#define LOOK_SLOWED 1.2 /* times what the ports need; acknowledgements take a few percent */
#define LOOK_NOISE 0.02 /* of the bursts are seen otherwise than trunks make them */

/* A burst of a look; looks are numbered from 0 on. */
struct burst_seen {
    int look, from, to;
    double out, alone; /* s, above */
    bool slowed;       /* took LOOK_SLOWED times `alone` */
};

/* How the groups stand to what was seen. */
struct groups_fit {
    int n;         /* groups */
    double unlike; /* bursts that are not as the groups have them: the sum of the chances of what was not seen */
    int doubts;    /* nodes */
    double work;   /* bursts that were looked at to find out, of which a processor does some 2e8 a second */
};

/* The groups that explain n bursts best; seen is sorted by look, and within each by `out`. group_of [nodes]: in, groups
 * to begin with, from 0 on; out, each node's, numbered in the order of their first nodes. Groups of which nothing tells that
 * they are two are one. anew: begins with many other groups as well; else it only changes those given. doubtful [nodes]: nodes
 * whose own bursts would be about as likely if they stood in another group, or in none, and of some hundred nodes those of which
 * it takes too long to ask; NULL: not asked, no doubts. Fitting takes up to two seconds, asking three. */
struct groups_fit groups_fit(int nodes, size_t n, const struct burst_seen seen[], bool anew, int group_of[],
                             bool doubtful[]);

#endif
