/* phrase.h - what the directives of a plan's nodes say: expressions from the source where these can be read and agree
 * with what ran, else formulas that give all that was seen, else holes: Params with the value that a run showed. */
#ifndef PEVPM_ANNOTATE_PHRASE_H
#define PEVPM_ANNOTATE_PHRASE_H

#include "annotate/plan.h"

/* A Param that stands for what neither the source nor a formula says. */
struct hole {
    const char *name, *comment;
    int64_t value;
    int node;                  /* beside which it stands */
};

struct phrases {
    struct plan *plan;
    struct node_phrases {
        const char *condition; /* NULL: whenever what is around is executed */
        const char *trips;     /* of a loop; NULL: once */
        const char *field[N_PLAN_FIELDS]; /* NULL: it says none */
        const char *time;      /* us; NULL: none to speak of */
        const char *near;      /* of what makes a communicator: its sources and destinations, `(LIST), (LIST)`; NULL: they are
                                * not asked for */
        bool indexed;          /* of what begins requests: more than one is open at a time */
        const char *variable;  /* of a loop */
        bool counted;          /* something depends on it */
    } *of;                     /* [plan->n_nodes] */
    struct arguments {
        size_t n, capacity;
        int *of;               /* what it is, as in struct seen: a loop, which call of a function, or its depth */
    } *arguments;              /* [plan->n_functions] */
    size_t n_holes, holes_capacity;
    struct hole *holes;
    size_t n_remarks, remarks_capacity;
    char **remarks;
    int means;                 /* sizes that are means: they follow the data */
    int tables;                /* what no formula gives: other counts may be an error */
    const char *grid;          /* what the call's partners and conditions are, while its size is looked for; NULL */
    const char *beyond;        /* of a size that is looked for: what a table is at other counts; NULL: an error */
    int within;                /* of a neighbour that is looked for: the node that made the communicator, whose ranks it is
                                * said in; -1: in those of all processes */
    int side;                  /* of a partner that is looked for, as side_of has it; else 0 */
    const char *other;         /* a formula that gives all of the last one's values too, but not beyond; NULL: none */
    bool everywhere;           /* the last one is no formula, but the trips of loops alone tell it, the same at all counts */
    const char *unconfirmed;   /* what of the last one nothing confirms (record/fit.h); NULL: nothing of it */
    int *counts;               /* [n_recordings] of how many processes they are; NULL: all of one */
    int n_params;              /* of the recordings */
    const char **params;
    int64_t **values;          /* [n_params][n_recordings] */
    struct arena memory;
};

void phrases_make(struct phrases *phrases, struct plan *plan);
void phrases_free(struct phrases *phrases);

/* The name of what an argument stands for. */
const char *phrases_argument(struct phrases *phrases, int argument);

#endif
