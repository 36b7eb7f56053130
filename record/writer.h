/* writer.h - a template as a directive program (docs/directives.md), with formulas for all that differs.
 *
 * Each value, trip count and condition becomes a formula that gives what every recording shows (fit.h). Where none is
 * found, a table over the recorded counts stands there, and at another count using it is an error that names it; a
 * remark says so in words. The computation before each call becomes a Serial with a formula over the counts. */
#ifndef PEVPM_RECORD_WRITER_H
#define PEVPM_RECORD_WRITER_H

#include "record/template.h"

#include <stdio.h>

enum writer_clock { CLOCK_AUTO, CLOCK_WALL, CLOCK_PROCESSOR };

/* Which times are taken: CLOCK_AUTO is the processor's where more processes than processors were on a host. */
bool writer_use_processor(size_t n, const struct recording recordings[], enum writer_clock clock);

/* Values that follow no formula before chance is what the program follows: its data, or when messages come. From there
 * on nothing but what is the same everywhere is written as a formula, and no other grid is tried: it would cost minutes
 * for notes that nobody can read. */
enum { WRITER_TABLES_MOST = 200 };

struct writer_result {
    size_t n, capacity;
    char **remarks;                  /* [n] sentences: what was not generalised, or only roughly */
    size_t *times;                   /* [n] of how many places each is said */
    bool processor;                  /* computing times are of the processor, else of the wall clock */
    size_t n_calls, n_tables;        /* places with calls; values that stayed tables */
    size_t n_doubts;                 /* formulas of which another one gives the same at the recorded counts */
    size_t n_senders;                /* wildcards that stand as who sent */
    bool meant;                      /* means stand for sizes at the recorded counts, too */
};

/* What to write. first, last: places ("cg.f:583") on the outermost level of the program, outside of loops: calls before
 * the first one and behind the last one are left out; NULL: none are. */
struct writer_request {
    enum writer_clock clock;
    const char *first, *last;
    bool means;                      /* sizes of collectives that follow no formula: one for their means */
    size_t tables_most;              /* 0: WRITER_TABLES_MOST; else beyond so many nobody wants the program */
    bool one_grid;                   /* in `grid` alone, not in whichever is the best */
    enum grid grid;
    bool senders;                    /* a wildcard is written as who sent, where the recordings know that and a formula says it */
};

/* Writes the program. where: "cg.f:583, in main" of a site; [sites of the template], borrowed.
 *   STATUS_NAME     no call on the outermost level is at `first`, or none behind it at `last`
 *   STATUS_NOT_YET  a call that directives cannot say: the diagnostic names it */
enum status writer_write(const struct template *template, const struct writer_request *request,
                         const char *const where[], FILE *out, struct writer_result *result, struct diags *diags);
void writer_result_free(struct writer_result *result);

#endif
