/* dry_run.h - what the expressions of a process come to, as far as that is known without a network.
 *
 * The process's code is carried out without its messages and computations. What a message tells (a bound variable)
 * is not known, nor what depends on it: a block under such a condition, or in a loop of so many iterations, is passed
 * over, and what it sets is not known behind it. After DRY_RUN_STEPS instructions the rest is not seen. */
#ifndef PEVPM_DIRECTIVES_DRY_RUN_H
#define PEVPM_DIRECTIVES_DRY_RUN_H

#include "directives/program.h"

enum { DRY_RUN_STEPS = 1 << 20 /* a few hundredths of a second */, DRY_RUN_VALUES = 3 };

/* The values of one operand, each where it differs from the one before. */
struct dry_seen {
    bool used;
    int32_t expr;
    int n;                      /* the first ones */
    bool more;                  /* there are others, or may be */
    struct value value[DRY_RUN_VALUES];
};

struct dry_run;

struct dry_run *dry_run_create(const struct program *program, int process);
void dry_run_destroy(struct dry_run *run);

/* What the expression of the process's instruction number `instr` came to; a peer is a process. NULL: it was never
 * reached, or is not known. */
const struct dry_seen *dry_run_find(const struct dry_run *run, int32_t instr, int32_t expr);

/* Whether an expression can be computed where some slots are unknown, [n_slots of the role]: it needs none of them, and
 * no `partner`. */
bool dry_run_knows(const struct program *program, int64_t expr, const bool unknown[]);

#endif
