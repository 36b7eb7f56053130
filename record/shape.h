/* shape.h - what one process did, as loops over places in the program, with the values that calls had there.
 *
 * A call path that comes again and again comes from a loop of the program. So calls are folded by their sites alone,
 * whatever their values, and each value becomes a series over the loops around it:
 *
 *     MPI_Sendrecv to 1, to 2, to 3, from one line     ->    loop 3 { MPI_Sendrecv to series 1 2 3 }
 *
 * A node inside d loops has series of depth d: for the outermost loop a list of runs of equal elements, each a series
 * of depth d - 1. A loop that is all that another loop has is none of its own here, for no call path tells the two
 * apart: template/nest.h does, by the values. */
#ifndef PEVPM_RECORD_SHAPE_H
#define PEVPM_RECORD_SHAPE_H

#include "record/recording.h"
#include "record/site.h"

struct series_run;

/* Runs with room for more behind them. */
struct series_room {
    size_t used, capacity;
};

/* depth 0: `value`; else runs. Shared and never changed once made; but a loop's series, which goes on with every trip,
 * is given up for the longer one and leaves it its room. */
struct series {
    int64_t value;
    size_t n;
    struct series_run *runs;
    struct series_room *room;            /* NULL: none */
};

struct series_run {
    int64_t count;
    const struct series *of;             /* NULL: these trips did not come here (template/ragged.h) */
};

/* What a call says. X(name): peers as in recorder/operation.h; comm, list: numbers of this process; who: as recorded_node */
#define FIELD_LIST(X) X(peer) X(tag) X(bytes) X(peer2) X(tag2) X(bytes2) X(comm) X(list) X(who)
enum field {
#define X(name) FIELD_##name,
    FIELD_LIST(X)
#undef X
    N_FIELDS
};

/* A call at `site`, or (site -1) a loop over body. */
struct shape {
    int site;
    uint64_t hash;                       /* of the sites in their order, and of loops, but not of trips and values */
    const struct series *field[N_FIELDS];/* of a call */
    const struct series *trips;          /* of a loop */
    struct recorded_times times;         /* of a call: all its executions together */
    bool varies;                         /* of a call: its bytes differ in a way that is not in the series */
    double bytes_least, bytes_most;
    size_t n;
    struct shape *body;                  /* [n] */
};

/* The outermost level of a process. */
struct shapes {
    size_t n, capacity;
    struct shape *list;
};

/* directions, among [process->n_calls]: what tells the sites of its calls apart beside their paths; NULL: that does not.
 * memory: of the series and bodies. */
void shapes_make(struct shapes *shapes, const struct recorded_process *process, struct site_table *sites,
                 const signed char directions[], const int among[], struct arena *memory);
/* Folds again what `shapes_wrap` may have made foldable. */
void shapes_fold(struct shapes *shapes, struct arena *memory);

/* A loop of some process, with what stands beside it in the same body: by site, true where a call from there does. */
struct pattern {
    struct shape loop;
    bool *beside;                        /* [sites] */
};

/* Puts what stands on the outermost level or in a body, and is what the loop of patterns[which] has as its body, into a
 * loop of one trip, if something stands beside it that stands beside the pattern, and it is no part of what a longer
 * pattern has: elsewhere the program went round more than once. Returns how many. */
size_t shapes_wrap(struct shapes *shapes, size_t n_patterns, const struct pattern patterns[], size_t which,
                   struct arena *memory);

const struct series *series_constant(struct arena *memory, int64_t value);
bool series_equal(const struct series *a, const struct series *b);
/* Is it the same value everywhere, though loops may have gone round differently often, and trips may have none? */
bool series_is_constant(const struct series *series, int64_t *value);
/* In how many loops it is, where it has a value. */
int series_depth(const struct series *series);
/* The same value in each of `count` trips. */
const struct series *series_repeat(struct arena *memory, const struct series *of, int64_t count);
/* b behind a, of one depth; a is given up. */
const struct series *series_join(struct arena *memory, const struct series *a, const struct series *b);
/* As deep and as long as the first `depth` levels of a series, all values `value`. */
const struct series *series_like(struct arena *memory, const struct series *series, int depth, int64_t value);
/* Times and sizes of `from` to those of `to`, where they are one call. */
void shape_add(struct shape *to, const struct shape *from);
/* The hash of a loop from its body's. */
void shape_hash_loop(struct shape *loop);

#endif
