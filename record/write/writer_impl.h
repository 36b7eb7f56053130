/* writer_impl.h - the state of the writer, known on this shelf alone: what is known of the program while it is
 * written. */
#ifndef PEVPM_RECORD_WRITE_WRITER_IMPL_H
#define PEVPM_RECORD_WRITE_WRITER_IMPL_H

#include "record/fit.h"
#include "record/writer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

extern const char *const writer_loops[FIT_LOOPS];        /* variables of loops, outermost first */

/* A communicator of the program: what one call made, in each instance. MPI_COMM_SELF is made by none. */
struct made_comm {
    const struct template_node *node; /* NULL: MPI_COMM_SELF */
    int *number;                /* [n_instances] -1: not made there */
    bool world;                 /* has all processes in their order everywhere */
    bool window;                /* a window, which has what it was made on as its parent */
    bool near;                  /* there are calls among its neighbours: another communicator, NAME and WRITER_NEAR, has
                                 * these */
    char name[24];
};

#define WRITER_NEAR "_near"

/* Several places of a program that are written as one formula where another gives the same, or where nothing confirms it. */
struct doubt {
    const char *text, *other, *unconfirmed, *where; /* other, unconfirmed: as fit_other; where: the first of them */
    int beyond, cheaper;        /* as fit_other, of `other` */
    size_t n;
};

/* Places of which one thing is said together. */
struct said_of {
    size_t n;
    const char *first;          /* the first of them */
};

/* A list of nodes that is being written, and the place in it. */
struct writer_beside {
    size_t n, at;
    const struct template_node *nodes;
};

struct writer {
    const struct template *template;
    struct writer_result *result;
    struct diags *diags;
    const char *const *where;
    FILE *out;
    bool processor;
    bool means, senders;        /* as writer_request */
    size_t tables_most;
    const struct template_node *sized; /* a call whose size is asked for; NULL: it is something else */
    int depth, levels;          /* loops around; blocks around */
    const char *trips[FIT_LOOPS]; /* [depth] how often they go round; as fit_names */
    unsigned decisive;          /* bit `level`: the trip of this loop decides who comes here */
    bool begins;                /* the next call is the first one: what was computed before is none of the program */
    double work;                /* s, all computations of all processes */
    int n_comms;
    struct made_comm *comms;
    bool *indexed;              /* [sites] requests of this path have an index */
    size_t n_left, left_capacity;
    struct writer_left *left;   /* [n_left] left.c */
    bool *directed;             /* [sites] requests of this path have their direction as index */
    bool *wildcard;             /* [sites] receives of this path may take a message of anybody */
    struct arena memory;
    int n_params;
    const char **params;
    int64_t **param_values;
    unsigned condition;         /* the grids of the condition of the block around */
    unsigned taken;             /* the grids of the last formula that was taken */
    unsigned grids;             /* what a size that is asked for may follow; see fit_names */
    size_t n_laws;
    struct box_law *laws;       /* [n_laws] of a size that is asked for */
    enum grid prefers;
    bool last_first;            /* as fit_names */
    bool lined;                 /* more than half of the messages go to neighbours in the grid: line.c */
    bool in_line;               /* of a partner or a condition that is asked for; see fit_names */
    int direction;              /* where in_line */
    size_t gridded, foreign;    /* formulas with a grid; with others than the preferred one */
    size_t divided;             /* with the preferred one, and not only to go so far in the ring of all */
    struct writer_faces *faces;
    struct writer_beside beside;
    int sign;                   /* of a partner or a condition that is asked for; see fit_names */
    struct writer_memo *memo;   /* what was asked for before */
    struct fit_places places;
    unsigned char *inside;      /* [places.n] which of these come to the block */
    size_t n_doubts, doubts_capacity;
    struct doubt *doubts;
    int *counts;                /* [recordings] of how many processes they are */
    int n_counts;               /* different ones */
    struct said_of alone;       /* values that were seen at one count alone */
    struct said_of uneven;      /* shares of what only counts that were not recorded do not divide */
    int uneven_at;              /* the least of these counts */
    struct said_of limits;      /* trip counts that are one number at all sizes, of loops that a result may end */
    struct said_of times;       /* computations whose formula has as many numbers as there are counts for it */
    enum status status;
};

/* A wait, by its call path, and the call path of a request that was open there: some process took it, or did not. */
struct writer_left {
    int wait, path;
    bool taken, open;
};

/* The messages of the program that stand where faces of a box may (box.h). */
struct writer_faces {
    size_t n, capacity;
    struct box_face *list;                  /* [n] */
    const struct template_node **nodes;     /* [n] */
    size_t n_scales;
    struct box_scale *scales;               /* [n_scales] what the box may be so and so many of */
};

/* Values of one field, over the instances that come to it. */
struct samples {
    size_t n, capacity;
    struct fit_sample *list;
};

/* Where the value of a field stands, and what it means. */
enum meaning { MEANS_NUMBER, MEANS_PEER, MEANS_TAG, MEANS_COMM };

/* writer.c: a sentence on what was not generalised; text that stays; blanks before a directive; "cg.f:583" or "?". */
void writer_remark(struct writer *writer, const char *form, ...) __attribute__((format(printf, 2, 3)));
bool writer_gives_up(const struct writer *writer); /* as WRITER_TABLES_MOST */
const char *writer_keep(struct writer *writer, char *text); /* a copy as long as the writer lives; text is freed */
void writer_indent(const struct writer *writer);
const char *writer_place(const struct writer *writer, int site);
const struct recorded_process *writer_process(const struct template *template, size_t instance);
int writer_ranks(const struct template *template, size_t instance);

/* value.c. One value of each run of equal ones at either end, and some between in the loops of `dense`; comm: whose
 * ranks the values are of, -1 MPI_COMM_WORLD. */
void samples_add(struct samples *samples, const struct fit_sample *sample);
void samples_add_series(struct samples *samples, const struct series *series, int level, int depth, unsigned dense,
                        struct fit_sample *sample);
/* Bit `level` of each loop around in which a series differs from trip to trip: for `dense`, of all that go together. */
unsigned samples_levels(const struct series *series, int level);
void samples_add_instance(const struct writer *writer, struct samples *samples, size_t instance,
                          const struct series *series, enum meaning meaning, int comm, unsigned dense);
/* Leaves out the loops that say nothing: the samples then have one trip of each, and are in order. One of
 * writer->decisive stays: a process that comes here once has one value. */
void writer_leave_loops(struct writer *writer, struct samples *samples, struct fit_names *names);
struct fit_names writer_names(struct writer *writer, int comm, enum meaning meaning);
/* A formula was taken: which grid has it, and whether another one gives the same. what: "the size of MPI_Send". */
void writer_note_formula(struct writer *writer, const char *text, const struct fit_other *other, const char *what,
                         int site);
/* One more place of those. */
void writer_say_of(struct writer *writer, struct said_of *said, const char *what, int site);
/* The remarks on all of these, and on what was known of too few counts. */
void writer_remark_doubts(struct writer *writer);
/* All recordings; at another count `beyond`, NULL: an error; but *everywhere: it is the same at all (table.h). NULL: too many entries. */
const char *writer_table(struct writer *writer, const struct fit_names *names, struct samples *samples,
                         const char *beyond, bool tag, bool *everywhere);
/* A value of a call as text: a formula, or a table with a remark. what: "the size of MPI_Send". */
const char *writer_expression(struct writer *writer, struct samples *samples, int comm, enum meaning meaning,
                              const char *what, int site);
/* The same of a field of a call; what: "size". */
const char *writer_field(struct writer *writer, const struct template_node *node, enum field field,
                         enum meaning meaning, int comm, const char *what);

/* comm.c: what makes communicators and windows, in the order of the program; the communicator of a call, an index
 * into comms, -1 for MPI_COMM_WORLD, -2 where it is not one; its window, NULL where it has none; the Set of a
 * communicator, and of MPI_COMM_SELF. */
void writer_find_comms(struct writer *writer, size_t n, const struct template_node *nodes);
int writer_comm_of(const struct writer *writer, const struct template_node *node);
const struct made_comm *writer_window_of(const struct writer *writer, const struct template_node *node);
void writer_write_comm(struct writer *writer, const struct template_node *node);
/* What stands before all calls: communicators that no call made, and those of whose making only members know. */
void writer_write_first(struct writer *writer);

/* face.c: finds the faces and their laws; *laws: those of a call, malloced; how many. */
void writer_find_faces(struct writer *writer, size_t n, const struct template_node *nodes);
void writer_free_faces(struct writer *writer);
size_t writer_laws_of(const struct writer *writer, const struct template_node *node, struct box_law **laws);

/* sign.c: which neighbour is likelier where the recorded counts do not tell the one before from the next: as
 * fit_names.sign. writer_sign_of: the partner that `field` says, of a call at writer->beside. writer_side_of: on which
 * side all partners of the first message of some nodes are; 0: on both. */
int writer_sign_of(const struct writer *writer, enum field field);
int writer_side_of(const struct writer *writer, const struct template_node *node);

/* line.c: whether messages of the program go to neighbours in its grid. writer_way_of: of the first message of some
 * nodes, which way (direction.h), where that is so; else DIRECTION_NONE. */
void writer_find_lines(struct writer *writer, size_t n, const struct template_node *nodes);
int writer_way_of(const struct writer *writer, const struct template_node *node);

/* memo.c: fit_value, that looks up whether the same was asked before. */
const char *writer_fit(struct writer *writer, const struct samples *samples, const struct fit_names *names,
                       struct fit_other *other);
void writer_free_memo(struct writer *writer);

/* wait.c: whether a receive or probe is from anybody; which paths have more than one request open at a time, and
 * wildcards; a wait for requests. */
bool writer_has_wildcard(const struct writer *writer, const struct template_node *node);
void writer_find_indexed(struct writer *writer, size_t n, const struct template_node *nodes);

/* left.c: which waits take requests of a path, and leave some of it open elsewhere; these have an index. Behind
 * writer_find_indexed. NULL: no process took one there. */
void writer_find_left(struct writer *writer);
const struct writer_left *writer_left_by(const struct writer *writer, int wait, int path);
void writer_write_wait(struct writer *writer, const struct template_node *node, enum operation op);

/* time.c: what all processes of all recordings computed before the calls of a node, s; the Serial before one. */
double writer_work(const struct writer *writer, const struct template_node *node);
/* That processes waited for a processor, where that is so. */
/* What was computed before the call by this instance, on average, s; by the clock that is asked for. */
double writer_mean_time(const struct writer *writer, const struct shape *shape);
/* Is the k-th instance of this recording, and came to the call? only: -1 all, 1 process 0, 0 the others. */
bool writer_computes(const struct writer *writer, const struct template_node *node, size_t k, int recording, int only);
/* The mean of these instances' times, s; -1: there are none. */
double writer_mean_of_recording(const struct writer *writer, const struct template_node *node, int recording, int only);
/* The standard deviation of what is computed before the call, as a part of its mean (spread.c); 0: none worth writing.
 * apart: process 0 has a mean of its own. */
double writer_spread(const struct writer *writer, const struct template_node *node, bool apart);
void writer_write_computation(struct writer *writer, const struct template_node *node);

/* call.c: a call with the computation before it. */
void writer_write_call(struct writer *writer, const struct template_node *node);

#endif
