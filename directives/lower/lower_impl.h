/* lower_impl.h - lowering a tree to a program: what its parts share. Known on this shelf alone.
 *
 * For each process the tree is walked once with everything known about that process folded in (fold.h), into one
 * scratch role; then the role is looked up among those there already. The scratch is reused, so a process that finds
 * its role costs no memory but its entry in role_of.
 *
 * A variable needs a slot only where its value is not known before the run. Which do is found by walking: a walk that
 * meets such a variable notes it, and the process is walked again with a slot for it, until no walk notes a new one. A
 * walk that is likely to be the first of several is dry: it leaves nothing in the program's pools.
 *
 * A communicator needs what all processes say of it, and a process that uses it needs the communicator. So
 * before all else, where the program has one, each process is walked until it uses a communicator that is not made yet;
 * then those at which every member has spoken are made; and so on (gather.c). */
#ifndef PEVPM_DIRECTIVES_LOWER_IMPL_H
#define PEVPM_DIRECTIVES_LOWER_IMPL_H

#include "common/intern.h"
#include "directives/expression.h"
#include "directives/fold.h"
#include "directives/lower/agreement.h"
#include "directives/program.h"

/* What a process says where a communicator is made: the two lists of the directive, with comm_split its color and its
 * key. */
struct saying {
    int32_t n[2];
    int64_t *values;             /* [n[0] + n[1]] */
};

/* An occasion on which every member of a communicator says something of its own that all need to know: one where a
 * communicator is made, or a collective operation with a share for each. It is told from others by its directive, the
 * communicator, and how often the process has met both before. */
struct gathering {
    int32_t statement, comm, nth;
    int32_t n, n_came;           /* members; and those that came */
    bool settled;                /* the arrays of what was said are gone, the rest holds */
    bool *came, *unknown;        /* [n] by rank: it came; what it says is not known before the run */
    size_t n_said;               /* n; where what each says is its sizes for all ranks or edges, all of these */
    int64_t *said;               /* [n_said] by rank: the share; NULL where a communicator is made, else */
    enum comm_maker maker;
    struct saying *sayings;      /* [n] by rank */
    int32_t *made;               /* [n] by rank: the communicator, SCOPE_COMM_NULL for none */
    const char *problem;         /* why none was made, for all; NULL */
    const int64_t *shares;       /* [n_said] by rank; NULL: not all are known */
    int32_t missing;             /* a process that never comes, -1: there is none */
};

/* How often the process has met a directive with a communicator. */
struct meeting {
    int32_t statement, comm, n;
};

/* The elements of a persistent request's tables, by their number. */
struct kept_elements {
    size_t n, capacity;
    struct expr **list;          /* [n] of [N_KEPT]; NULL: not asked for yet */
};

struct lowering {
    struct program *program;
    const struct tree *tree;
    const struct lower_options *options;
    struct diags *diags;
    enum status status;          /* not OK: stop */

    /* by tree: filled once by lower_scan and lower_parameters */
    size_t words;                /* of 64 variables each */
    uint64_t *assigned;          /* [n_statements][words]: variables that a statement may assign, with what it calls;
                                    behind them, whether it may be an occasion for a struct gathering */
    bool gathers;                /* the program has such a statement */
    int *row;                    /* [n_statements]: the alternative of a Serial that counts on this machine */
    bool *has_elements;          /* [n_requests]: r[...] is started or made somewhere */
    bool chooses;                /* some Waitany, Waitsome, Testany or Testsome is there */
    const struct stmt **makers;  /* [n_statements]: an MPI_..._init, else NULL */
    bool makes;                  /* there is one */
    struct value *parameters;    /* [n_parameters] */
    const char **unset;          /* [n_variables] see struct scope */
    int32_t *site_of;            /* [n_statements]: -1 not made yet */

    /* the process in work */
    struct scope scope;
    int32_t n_slots;             /* taken here; */
    int32_t most_slots;          /* and at most so far */
    bool dry;
    bool gathering;              /* a dry walk that only asks what is said at gatherings */
    bool dead;                   /* what follows cannot be reached */
    int depth, calls;            /* of blocks, of calls: in C's stack, too */
    const struct procedure **chain; /* [calls] */
    int64_t steps;               /* statements walked */
    struct known *saved;         /* variables at the Runons around */
    size_t n_saved, saved_capacity;
    struct meeting *met;
    size_t n_met, met_capacity;

    /* the scratch role */
    struct instr *code;
    size_t n_code, code_capacity;
    struct role_peer *peers;
    size_t n_peers, peers_capacity;
    struct value *initial;
    size_t initial_capacity;
    struct request_ref *requests; /* of one directive */
    size_t n_requests, requests_capacity;

    /* what the roles say of wildcards that only the run sees */
    bool keeps_wildcards;        /* a variable may hold one */
    bool receives_variables;     /* from a process, or with a tag, that a variable gives */

    /* expressions of persistent.c */
    struct expr **literals;      /* [n_literals] of -1, 0, 1 ...; NULL: not asked for yet */
    size_t n_literals, literals_capacity;
    struct kept_elements *kept;  /* [n_requests] */
    int32_t *made_in;            /* [n_statements] the communicator of an MPI_..._init, once the walk has met it, else
                                  * -1 */

    struct gathering *gatherings;
    size_t n_gatherings, gatherings_capacity;

    /* the pools of the program */
    struct intern gatherings_index, comms_index, shares_index, collectives_index;
    size_t comms_capacity, collectives_capacity;
    struct intern sites_index, requests_index, serials_index, failures_index, exprs_index, roles_index;
    size_t sites_capacity, pool_requests_capacity, serials_capacity, failures_capacity, exprs_capacity, roles_capacity;
    int64_t total_code;
};

/* Call depth at which recursion is given up. */
enum { LOWER_CALLS = 64 };

/* ---- scan.c: what the tree says for all processes ---- */

/* Fills words, assigned, row, has_elements, chooses and makers, and reports what is wrong with Serial lines for this
 * machine. */
void lower_scan(struct lowering *lowering);

/* True when `statement` may assign the variable. */
bool lower_assigns(const struct lowering *lowering, const struct stmt *stmt, int variable);

/* True when the statement may assign a variable or be the occasion for a gathering. */
bool lower_matters(const struct lowering *lowering, const struct stmt *stmt);

/* The names of kinds of statements, as diagnostics call them: "Loop", "MPI_Send". */
const char *lower_what(const struct stmt *stmt);

/* Where the line of alternative `row` of a Serial stands. */
const struct place *lower_row_place(const struct stmt *stmt, int row);

/* ---- pool.c: what all roles share; each returns an index (any, in a dry walk) ---- */
int32_t lower_site(struct lowering *lowering, const struct stmt *stmt);
int32_t lower_site_at(struct lowering *lowering, const struct stmt *stmt, const struct place *at);
int32_t lower_requests(struct lowering *lowering, size_t n, const struct request_ref requests[]);
int32_t lower_serial_ref(struct lowering *lowering, const struct serial_ref *serial);
int32_t lower_collective_ref(struct lowering *lowering, const struct collective_ref *collective);
int32_t lower_failure(struct lowering *lowering, enum status status, int32_t site, const char *text);
/* The role in the scratch, with its slots. */
int32_t lower_role(struct lowering *lowering);

/* Code for an expression, -1 after a FAIL when it cannot be made. See scope_compile. */
int32_t lower_expr(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, double unit);

/* Code for `expr != procnum_in(comm)`, likewise. */
int32_t lower_elsewhere(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, int32_t comm);

/* Code for `expr == number`, likewise. */
int32_t lower_equals(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, int64_t number);

/* Code for a value that stands in no expression. */
int32_t lower_constant(struct lowering *lowering, const struct stmt *stmt, struct value value);

/* ---- lower.c: instructions of the scratch role ---- */

/* Appends an instruction for the statement; all operands are "none". Valid until the next. */
struct instr *lower_emit(struct lowering *lowering, enum instr_op op, const struct stmt *stmt);

/* Counts a statement of the walk. False: stop; the program is too large, which has been reported. */
bool lower_step(struct lowering *lowering, const struct stmt *stmt);

/* Appends a FAIL; what follows in the block is dead. at: the place to blame, NULL: the statement. */
void lower_fail(struct lowering *lowering, const struct stmt *stmt, const struct place *at, enum status status,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Folds; a problem becomes a FAIL and false is returned. */
bool lower_fold(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, struct folded *out);

/* The communicator that `name` says (NULL: MPI_COMM_WORLD). False after a FAIL. */
bool lower_find_comm(struct lowering *lowering, const struct stmt *stmt, const struct expr *name, int32_t *comm);

/* n slots in a row; returned in reverse order. */
int32_t lower_take_slots(struct lowering *lowering, int n);
void lower_return_slots(struct lowering *lowering, int n);

/* ---- block.c, message.c, serial.c: one walk ---- */
void lower_block(struct lowering *lowering, const struct block *block);
void lower_message(struct lowering *lowering, const struct stmt *stmt);
void lower_serial(struct lowering *lowering, const struct stmt *stmt);
void lower_collective(struct lowering *lowering, const struct stmt *stmt);
/* One that a library makes inside another call, whose statement it is. One that has a request elsewhere has none here:
 * the call waits for it. */
void lower_inner_collective(struct lowering *lowering, const struct stmt *stmt, const struct agreement_step *step,
                            int32_t comm);
void lower_make_comm(struct lowering *lowering, const struct stmt *stmt);

/* Gathers the directive's requests in lowering->requests. waits: a bare name may stand for all elements. False after a
 * FAIL. */
bool lower_find_requests(struct lowering *lowering, const struct stmt *stmt, int n, const struct request requests[],
                         bool waits);
void lower_set_requests(struct lowering *lowering, struct instr *instr, size_t n, const struct request_ref requests[]);

/* Operations of message.c with keys of their own: persistent requests. */
void lower_send(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm);
void lower_receive(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm);

/* The executing side of a message, where it is given, must be the process that executes it. False after a FAIL. */
bool lower_executed_here(struct lowering *lowering, const struct stmt *stmt, enum expr_key key, int32_t comm);

/* block.c: a Set; a chain of jumps (linked by their targets) is sent here. */
void lower_set(struct lowering *lowering, const struct stmt *stmt);
void lower_land(struct lowering *lowering, int32_t jump);

/* ---- persistent.c: MPI_..._init with the instruction that it is started as, MPI_Request_free, MPI_Start ---- */
void lower_make(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm);
void lower_free(struct lowering *lowering, const struct stmt *stmt);
void lower_start(struct lowering *lowering, const struct stmt *stmt);

/* ---- remote.c: an MPI_Win_fence; the wait behind an instruction that ends what was begun with its peer ---- */
void lower_fence(struct lowering *lowering, const struct stmt *stmt, int32_t comm);
void lower_settle(struct lowering *lowering, const struct stmt *stmt, const struct instr *behind);

/* ---- gather.c: what all members of a communicator say ---- */

/* Walks all processes as often as it takes to settle every gathering, so that all communicators are made. */
void lower_gather(struct lowering *lowering);

/* The gathering at which the walk has arrived. Valid until the next call. */
struct gathering *lower_meet(struct lowering *lowering, const struct stmt *stmt, int32_t comm);

/* What the process says there; each counts once. */
void lower_say(struct lowering *lowering, struct gathering *gathering, bool is_known, int64_t said);

/* The same of its sizes for all ranks, or for its neighbours: `values` at their place. NULL: it is not asked for
 * them. */
void lower_say_row(struct lowering *lowering, struct gathering *gathering, bool is_known, struct program_row row,
                   const int64_t values[]);

/* The same where a communicator is made; the values are taken. */
void lower_say_lists(struct lowering *lowering, struct gathering *gathering, bool is_known, struct saying saying);

/* Starts a walk of the process. */
void lower_begin(struct lowering *lowering, int process);

void lower_gather_free(struct lowering *lowering);

/* ---- comm.c: communicators ---- */

/* Makes the communicators of which all have spoken. */
void lower_make_comms(struct lowering *lowering, struct gathering *gathering);

/* What making a communicator from `comm` takes. */
void lower_agreement(struct lowering *lowering, const struct stmt *stmt, int32_t comm);

/* A variable gets a value that is known, or (value NULL) that only the run knows. Notes in the latter case that it
 * needs a slot. */
void lower_assign(struct lowering *lowering, int variable, const struct folded *value);

#endif
