/* state.h - what a campaign knows while it goes on: the time it has, what has been found, which tasks there are.
 *
 * One struct for all that measure, because nearly everything found is asked for by what is measured after it. Who may
 * change what: find.h the rest, sizes, classes and groups; places.h the class that is measured; kind.h its own tasks'
 * points of the result and the notes about them; campaign.h all else. */
#ifndef PEVPM_BENCH_STATE_H
#define PEVPM_BENCH_STATE_H

#include "bench/options.h"
#include "bench/plan.h"
#include "estimate/machine/nodes_fit.h"
#include "estimate/machine/ports_fit.h"
#include "measure/crew.h"
#include "results/result.h"

/* A message size and what is known of it. */
struct size_info {
    int64_t bytes;
    double one_way;      /* s: median of a message alone */
    bool copies;         /* groups may run at once: they were seen not to disturb one another */
    bool is_new;         /* added where the curve bends */
    bool on_line;        /* with the two sizes before it */
};

/* A measured series whose stamps wait for the next synchronisation: see pending.h. */
struct pending {
    int series;
    struct point_key key;
    bool receives;       /* receive overheads; else transits and send overheads */
    enum stop stop;
};

/* Nodes that are alike: of the job's order. */
struct node_class {
    int first, n;
    double slower;                 /* times as long as those of class 0 a burst takes */
    size_t n_gaps, gaps_capacity;
    struct ports_gap *gaps;        /* both sides at every size */
};

struct campaign {
    struct crew *crew;
    const struct bench_options *options;
    struct result *result;
    struct diags *diags;
    double started, block_started; /* s, monotonic */
    double block_cost;             /* s that the last end of a block took: synchronising, collecting, the file */
    double task_ends;              /* when the task at work should have ended, though it took several times its cost */
    double elapsed_before;         /* s that earlier runs took, with --resume */
    struct crew_member *bounds;    /* [places] the largest bound and limit of all blocks */
    int64_t rest_found, rest;      /* ns; rest: longer where ports of the class that is measured are slower */
    double per_byte;               /* s, a low guess; 0: nobody has looked */
    size_t n_classes;              /* of nodes, at least 1 */
    struct node_class *classes;    /* [n_classes], the quickest first */
    int *class_of;                 /* [nodes] */
    int64_t burst_bytes;           /* message size of the bursts that told; 0: nobody has looked */
    struct node_times *node_times; /* [nodes] what NODES_BURST such messages take */
    size_t n_groups;               /* of nodes that share a trunk, as groups_search_found has them; 0: nobody has looked */
    int *group_of;                 /* [nodes] */
    size_t class;                  /* which is being measured: campaign_class */
    int first, nodes;              /* of the job's order, the nodes that patterns are laid over */
    size_t n_sizes, sizes_capacity;
    struct size_info *sizes;       /* ascending */
    size_t n_at_frame;
    struct size_info at_frame[2];  /* two more for ports alone: surely of one frame, and of two */
    size_t n_tasks, tasks_capacity;
    struct task *tasks;
    size_t n_impossible;           /* messages that came before they were sent, as the clocks have it */
    size_t n_measured;             /* points of this run */
    size_t n_pending;
    struct pending pending[CREW_SERIES / 2];
};

/* What the provenance adds where copies is set. */
#define SIZE_COPIES "; pairs do not disturb one another"

enum { PORTS_MOST = 128 << 10 }; /* bytes: a gap is a line in the size, which goes on */
enum { NODES_BURST = 12 }; /* messages: the same number for each of three others, of two, of one */

double campaign_now(void);
/* Seconds of the budget that are left. */
double campaign_left(const struct campaign *c);
/* With --verbose, a line on standard error: what has been done. */
void campaign_log(const struct campaign *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says what is being done, on a terminal. */
void campaign_say(const struct campaign *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes a point whose median is known to `precision` only; drops the note where it has become precise. */
void campaign_note_precision(struct campaign *c, const char *point, size_t samples, double precision, enum stop stop);

/* Of the sizes or of those at the frame; campaign_is_at_frame: of the latter. NULL: of neither. */
const struct size_info *campaign_size(const struct campaign *c, int64_t bytes);
bool campaign_is_at_frame(const struct campaign *c, int64_t bytes);
/* Adds a size, in order; NULL: it was there. */
struct size_info *campaign_size_add(struct campaign *c, int64_t bytes);
/* The eager limit of messages in a group on so many nodes; of a transport. */
int64_t campaign_limit(const struct campaign *c, int nodes);
int64_t campaign_limit_of(const struct campaign *c, enum transport transport);

#endif
