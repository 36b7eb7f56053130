/* campaign_impl.h - what the files of a campaign share. */
#ifndef PEVPM_BENCH_CAMPAIGN_IMPL_H
#define PEVPM_BENCH_CAMPAIGN_IMPL_H

#include "bench/campaign.h"
#include "bench/plan.h"
#include "estimate/nodes_fit.h"
#include "estimate/ports_fit.h"

/* A message size and what is known of it. */
struct size_info {
    int64_t bytes;
    double one_way;      /* s: median of a message alone */
    bool copies;         /* groups may run at once: they were seen not to disturb one another */
    bool is_new;         /* added where the curve bends */
};

/* A measured series whose stamps wait for the next synchronisation. */
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
    size_t n_classes;              /* of nodes, at least 1 */
    struct node_class *classes;    /* [n_classes], the quickest first */
    int *class_of;                 /* [nodes] */
    int64_t burst_bytes;           /* message size of the bursts that told; 0: nobody has looked */
    struct node_times *node_times; /* [nodes] what NODES_BURST such messages take */
    size_t n_groups;               /* of nodes that share a trunk, see groups_find; 0: nobody has looked */
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

double campaign_now(void);
/* Seconds of the budget that are left. */
double campaign_left(const struct campaign *c);
/* With --verbose, a line on standard error: what has been done. */
void campaign_log(const struct campaign *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says what is being done, on a terminal. */
void campaign_say(const struct campaign *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes a point whose median is known to `precision` only; drops the note where it has become precise. */
void campaign_note_precision(struct campaign *c, const char *point, size_t samples, double precision, enum stop stop);

/* The group that one message alone is measured in, and any other: of the class that is being measured, and of all nodes
 * where it has fewer. */
struct shape campaign_pair(const struct campaign *c);
struct shape campaign_shape(const struct campaign *c, int nodes, int ppn);

/* One-way times, s, of n repetitions of a pattern between two processes, `rest` s apart, in `copies` groups at once:
 * their median and the ends of its 95 % confidence interval. Allows `busy` s for each. median NaN: fewer than half
 * counted; then `seen` still is the median of all. */
struct pilot {
    double median, low, high, seen;
};
struct pilot campaign_pilot(struct campaign *c, enum pattern pattern, int64_t bytes, double rest, double busy, int n,
                            int copies);

/* find.c: what has to be known before planning. */
int64_t campaign_find_rest(struct campaign *c);
int64_t campaign_find_eager(struct campaign *c);
/* The same where it probably is `limit`: quicker, and also before anything else was sent. */
int64_t campaign_check_eager(struct campaign *c, int64_t limit);
void campaign_find_sizes(struct campaign *c);
/* What is asked for, or else what is usual; [*n], ascending. */
const int64_t *campaign_sizes_asked(const struct campaign *c, size_t *n);
/* Of messages within a node, where the job has several processes there. */
void campaign_find_node_limit(struct campaign *c);
/* The eager limit of messages in a group on so many nodes. */
int64_t campaign_limit(const struct campaign *c, int nodes);
/* self.c: messages of rank 0 to itself, what there is not yet. A second or two. */
void campaign_self(struct campaign *c);
/* common.c: result->common_gap, measured where ranks share processors, or from the provenance. */
void campaign_find_common(struct campaign *c);
/* ... and result->rests' wake, likewise. */
void campaign_find_waking(struct campaign *c);
/* rest.c: result->rests, measured between the first and the last node, or from the provenance. */
void campaign_find_rest_delay(struct campaign *c);
/* sends.c: result->held, from pairs of nodes that send blocking messages. */
void campaign_find_sends(struct campaign *c);
/* exchange.c: result->known and known_after_rest, from pairs of nodes that exchange large messages, or from the
 * provenance. */
void campaign_find_exchanges(struct campaign *c);

enum { NODES_BURST = 12 }; /* messages: the same number for each of three others, of two, of one */
/* nodes.c: c->classes, and the job's order by them, measured or from the provenance. A second or two, twice
 * where nodes differ. */
void campaign_find_nodes(struct campaign *c);
/* groups.c: what the result knows of groups already: an earlier run found them, or --topology gave them; or the
 * provenance says that there are none, or none that could be told. Before the classes, whose nodes are sorted by groups. */
void campaign_take_groups(struct campaign *c);
/* c->group_of and the result's groups, where they are not known yet. A fraction of a second; where there are trunks as
 * often again as a group has nodes. */
void campaign_find_groups(struct campaign *c);
/* Patterns take the nodes group by group, in the order of their numbers. crew_order_nodes brings another one back. */
void campaign_order_by_group(struct campaign *c);
/* Adds the nodes of a class, -1: all, in that order, to the n of `order`; returns how many there are then. */
int campaign_order_add(const struct campaign *c, int class, int order[], int n);
/* From now on what is measured is that of a class of nodes: patterns lie over these alone, or, where there is one only,
 * over it and the one before it. */
void campaign_class(struct campaign *c, size_t class);
/* How many nodes patterns may take of which none stands behind another trunk than the rest, if they begin with a group's
 * first: all of the class, or the nodes of a group where all groups have as many. */
int campaign_close(const struct campaign *c);
/* The least number of nodes from `wanted` on into which all of these can be parted, so that no part crosses a trunk; all of
 * them where there are fewer. */
int campaign_close_group(const struct campaign *c, int wanted);
/* The nodes of the largest group. */
int campaign_largest_group(const struct campaign *c);
/* Messages at once on so many nodes, none of which waits for another at a trunk: half a group away within stretches of
 * so many nodes. 0: within all of them. -1: that cannot be; a trunk's waiting would be in the transits as well. */
int campaign_stretch(const struct campaign *c, int nodes);
/* Whether a place is on a node of the class that is being measured. */
bool campaign_in_class(const struct campaign *c, int place);

/* Adds a size, in order; NULL: it was there. */
struct size_info *campaign_size_add(struct campaign *c, int64_t bytes);

/* plan.c: c->tasks, in the order of measuring, with what each should cost. Takes the job's nodes and processes, the
 * options, and what has been found: sizes, eager limits, classes, groups, rest. No MPI. */
void campaign_plan(struct campaign *c);

/* task.c: one task each. */
double task_cost(const struct campaign *c, const struct task *task);
/* Whether times from `least` to `most`, ns, lie within the precision that is asked of medians: so far there is no tail. */
bool campaign_are_alike(const struct campaign *c, int64_t least, int64_t most, double median);
/* ... and are so many that no more are needed. */
bool campaign_alike_are_enough(const struct campaign *c, const struct histogram *h);
/* Takes at most time_cap s, beyond what the least number of samples takes, to know the median precisely. Keeps in the
 * task what a second time adds to. */
void task_measure(struct campaign *c, struct task *task, double time_cap);
/* ports.c */
double task_ports_cost(const struct campaign *c, const struct size_info *size);
void task_measure_ports(struct campaign *c, const struct task *task);
/* How long a message keeps a port busy, as far as messages alone tell: the time per byte of the largest sizes. */
double campaign_gap_guess(const struct campaign *c, int64_t bytes);
/* First call to last arrival of every group's burst of k messages in every repetition that counts; returns how many.
 * bursts: room for n / k of n messages. */
size_t campaign_bursts_read(const struct series_message messages[], size_t n, int k, struct ports_burst bursts[]);
/* From the start of a repetition to its last arrival: the median, ns. */
int64_t campaign_bursts_busy(const struct series_message messages[], size_t n);
/* The port of the class that is being measured at a size, and the heading of a note about it. */
struct port_point *campaign_port(struct campaign *c, int64_t bytes);
void campaign_heading(struct campaign *c, const char *what);
/* A gap of that class, and its credit from all of them. */
void campaign_gap_add(struct campaign *c, const struct ports_gap *gap);
void campaign_credit_fit(struct campaign *c);
/* reverse.c */
double task_reverse_cost(const struct campaign *c, const struct size_info *size);
void task_measure_reverse(struct campaign *c, const struct task *task);
/* owner.c: at least two processes per node. Their message size: one of the campaign's. */
int64_t campaign_owner_bytes(const struct campaign *c);
double task_owner_cost(const struct campaign *c, const struct size_info *size);
void task_measure_owner(struct campaign *c, const struct task *task);
/* saturation.c: streams from all `ppn` processes of a node to those of another. */
double task_saturation_cost(const struct campaign *c, const struct task *task);
void task_measure_saturation(struct campaign *c, const struct task *task);
/* The note of a task that is done, under NOTE_SATURATION; key: [n]. */
void task_saturation_key(const struct task *task, size_t n, char key[]);
/* overflow.c: without effect where fewer than three nodes are close, or no trunk was measured. Before bursts
 * through ports: a connection that has lost packets sends with care for long after. */
double task_overflow_cost(const struct campaign *c);
void task_measure_overflow(struct campaign *c);
void task_measure_trunk_overflow(struct campaign *c);

/* window.c: where there are three nodes that no trunk parts. Of messages of so many bytes. */
int64_t campaign_window_bytes(const struct campaign *c);
double task_window_cost(const struct campaign *c);
void task_measure_window(struct campaign *c, const struct task *task);

/* rates.c: what passes the port of each node of a class, each trunk, the bus of a node. Their message size: one
 * of the campaign's. */
int64_t campaign_rates_bytes(const struct campaign *c);
double task_rates_cost(const struct campaign *c, const struct task *task);
void task_measure_rates(struct campaign *c, const struct task *task);
void task_measure_trunks(struct campaign *c, const struct task *task);
void task_measure_bus(struct campaign *c, const struct task *task);

/* Of the sizes or of those at the frame; is_at_frame: of the latter. NULL: of neither. */
const struct size_info *campaign_size(const struct campaign *c, int64_t bytes);
bool campaign_is_at_frame(const struct campaign *c, int64_t bytes);
/* How many messages a burst to all others in turn may have. What a connection sends while a message of it waits in the
 * port goes together, in full frames; so at the frame no more than two to each. */
int campaign_burst_most(const struct campaign *c, int64_t bytes);

/* collective.c: within the collectives' own budget. Statuses of collective_measure and campaign_checkpoint. */
enum status campaign_collectives(struct campaign *c);

/* resume.c: takes from the file's provenance what was found before planning. STATUS_SCHEMA: the file was not
 * measured on this machine, or not as the options say. */
enum status campaign_resume(struct campaign *c);
/* Whether a task's points are in the result already. */
bool task_is_done(const struct campaign *c, const struct task *task);
/* Whether the medians of its points are as precise as asked for. */
bool task_is_precise(const struct campaign *c, const struct task *task);

/* Whether they would tell of what is known to be shared as well: result_is_explained. */
bool task_is_explained(const struct campaign *c, const struct task *task);

/* Settles, and writes the file. STATUS_IO. */
enum status campaign_checkpoint(struct campaign *c);

/* Synchronises the clocks, and turns what is pending into points of the result. */
void campaign_settle(struct campaign *c);

#endif
