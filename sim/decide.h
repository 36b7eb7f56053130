/* decide.h - which collectives a program's own MPI library should not carry out, from a machine's models: the
 * `decisions` of a machine file (coll/table.h).
 *
 * For each operation, number of processes and size (powers of two of bytes, and the ends of the irregular region) the
 * time until the last process leaves, when all enter at once, is predicted for
 *
 *   native   the algorithm that the machine file's `collectives` names for the operation, else the MPI library's table.
 *            Under LMO a linear Gather's root takes the mean over its escalation levels. The forms with v are costed as
 *            those without, with equal shares
 *   pieces   Gather(v) under LMO, M1 <= M <= M2, in m pieces, M / m <= p < M / (m - 1), with p three quarters of M1, which
 *            is the least size that escalates: what is sent for the first time ends as (9) of Lastovetsky and Rychkov 2009
 *            without escalation, and each of the other rounds keeps the root busy with as much again and with asking for it,
 *                T(M / m) + (m - 1) (T(M / m) - max P_i(M / m) + n C_0)
 *   tree     binomial, messages as collectives/schedule.h has them; the ranks in their order, or mapped. With what the forms
 *            with v tell besides (coll/choice.h): labels in a Scatterv, the root's words in a Gatherv
 *
 * A way is decided for where it takes `gain` less than native, and by more than is uncertain: 1.96 times how much the
 * part of native that it takes varies as LMO's C and t do within their confidence intervals (16 draws). The parameters
 * themselves are steadied (steadied.h), so that what estimates are wrong by makes no mapping look good. A tree must
 * gain an allowance for the library's own work, too, a guess: that of 2 log2 n + 2 empty messages. So it is decided:
 * without a mapping, from each of 16 roots at most, spread over the nodes; mapped, from its root, where that takes 2 %
 * less than what would be done without. A mapping begins with the nearest nodes at the largest subtrees; pairs change
 * places until none of them makes the operation shorter, or enough have been tried. It is kept from one size to the
 * next while it is within 1 % of that. What is decided at one size holds up to the next. There is no tree of a Gatherv
 * where the words would cost more than 2 % of native at a size beyond its least that has none; below it there are no
 * words. Where some sizes of a Gatherv go in pieces so do those between them, and up to the next that was looked at, for
 * then the library carries out all of that operation, and what is not cut would be one burst.
 *
 * Not looked at: measured times of collectives; ports and what else only the virtual machine knows (confirmed.h);
 * processes that enter at different times; that the messages of a tree might escalate, which few of them at a time do
 * not. Processes are on nodes 0 .. n - 1. */
#ifndef PEVPM_SIM_DECIDE_H
#define PEVPM_SIM_DECIDE_H

#include "coll/table.h"
#include "collectives/library.h"
#include "common/diag.h"
#include "common/status.h"
#include "models/machine.h"
#include "models/machine_source.h"

struct decide_wish {
    const char *model;       /* an analytical one */
    enum mpi_library library;
    double gain;             /* 0 .. 1 */
    const struct machine_source *source; /* the machine file's, for confidence intervals; NULL: none is known */
    bool per_process;        /* a node of the machine file is a process */
    size_t n_counts, n_roots;
    const int *counts, *roots; /* of processes, 2 and more, at most the machine's nodes; nodes that mappings begin
                                * with */
};

/* What is predicted of one line at the ends of its sizes. */
struct decided {
    double native[2], ours[2];
};

struct decisions {
    struct coll_table table;
    struct decided *decided; /* [table.n] */
};

/* STATUS_SCHEMA: the file lacks what the model needs. Ends with decisions_free in any case. */
enum status decide(struct decisions *decisions, const struct machine *machine, const struct decide_wish *wish,
                   struct diags *diags);
void decisions_free(struct decisions *decisions);

#endif
