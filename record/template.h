/* template.h - what all processes of all recordings did, as one program.
 *
 * An instance is one process of one recording. Each instance's calls and loops are laid beside those of the others: a
 * node of the template is a call from one site, or a loop, at one place of the order; instances that were not there
 * have no part in it. The order of each instance is kept. */
#ifndef PEVPM_RECORD_TEMPLATE_H
#define PEVPM_RECORD_TEMPLATE_H

#include "record/among.h"
#include "record/direction.h"
#include "record/resolve.h"
#include "record/shape.h"

struct template_instance {
    int recording, rank;
};

struct template_node {
    int site;                        /* -1: a loop */
    uint64_t hash;                   /* of the first instance's shape */
    const struct shape **of;         /* [n_instances] NULL: that instance was not there */
    size_t n, capacity;              /* of a loop */
    struct template_node *body;
};

struct template {
    size_t n_recordings;
    const struct recording *recordings; /* [n_recordings] borrowed */
    size_t n_instances;
    struct template_instance *instances;
    struct site_table sites;
    struct among *own_among;         /* NULL: it was begun with another one's */
    const struct among *among;       /* of the recordings */
    struct shapes *shapes;           /* [n_instances] */
    bool joined;                     /* sites were (template/meeting.h) */
    bool ragged;                     /* loops may have trips that differ in their calls (template/ragged.h) */
    bool directed;                   /* sites have directions (direction.h) in this grid: */
    struct direction_grid in;
    int *order;                      /* [sites.n] while it is made: which of two sites with directions is first; or
                                      * NULL */
    const struct resolved_path *lines; /* [sites.n] while it is made, or NULL */
    size_t n_by_address;             /* pairs of calls that no process came to, of whose order lines say nothing */
    int by_address[2];               /* the first pair's sites, as they stand */
    size_t n, capacity;
    struct template_node *nodes;
    struct arena memory;
};

/* Are they recordings of one program, from which it can be told? At least one.
 *   STATUS_SCHEMA  they are of different programs: no module is in all of them; or recordings_check's */
enum status template_check(size_t n, const struct recording recordings[], struct diags *diags);

/* Recordings of one program, as template_check: their instances and sites. Ends with template_free, whatever was
 * returned. template_make then lays them side by side. lines: of the sites (resolve.h), borrowed for the call; NULL:
 * not known. Where no process came to two calls, the lines say which is first, or else the addresses, which a
 * compiler may have put in another order: by_address. */
enum status template_begin(struct template *template, size_t n, const struct recording recordings[],
                           struct diags *diags);
void template_make(struct template *template, const struct resolved_path lines[]);
/* Those that follow borrow `among` of the plain template, until they are freed. */

/* The same recordings again, with collective operations at one site wherever processes come to them. False: they are at
 * one already; there is nothing to free then. */
bool template_begin_joined(struct template *joined, const struct template *plain);
/* The same recordings again, with sites that have directions. False: no calls have, or not in an order that is the same
 * in all processes; there is nothing to free then. */
bool template_begin_directed(struct template *directed, const struct template *plain, const struct direction_grid *in);
/* The same recordings again, with loops of which not every trip comes to the same calls. False: no call stands at two places
 * of the plain template, so there are none; there is nothing to free then. */
bool template_begin_ragged(struct template *ragged, const struct template *plain);
void template_free(struct template *template);

#endif
