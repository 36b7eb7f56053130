/* program.h - what each process does: the tree lowered for one number of processes and one placement.
 *
 * Every process has a role: a compact instruction array. Expressions that do not change are folded; a Runon whose
 * condition is known picks its block; loops stay loops, so the size grows with processes and never with iterations.
 * Processes that run the same instructions share them: peers are stored relative to the process where the source
 * computes them from procnum. What must not happen if it is never reached (a send to process numprocs in a loop of
 * zero iterations) becomes a FAIL instruction, so an error is an error of the process that meets it.
 * A value that is known but differs from process to process (size = 8*procnum) is a constant of its role, so such
 * processes do not share one. The last instruction is END; it has no site (-1).
 * No model and no clock is known here. */
#ifndef PEVPM_DIRECTIVES_PROGRAM_H
#define PEVPM_DIRECTIVES_PROGRAM_H

#include "directives/comm.h"
#include "directives/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name): what it does depends on time, so that only the time-ordered engine carries it out. */
#define INSTR_TIMED_LIST(X)                                                                                       \
    X(WAITANY)  /* as WAIT, for the one that is complete first */                                                 \
    X(WAITSOME) /* as WAIT, for all that are complete, at least one */                                            \
    X(TEST)     /* as WAIT, but returns at once: a single request, or a whole name */                             \
    X(TESTALL)  /* completes all or none. This and the other calls of several: without requests, all open ones */ \
    X(TESTANY)  /* completes at most one */                                                                       \
    X(TESTSOME) /* completes all that are complete */                                                             \
    X(PROBE)    /* peer, tag: waits until a message that fits is there, and leaves it; or takes it out, where it  \
                 * binds a message, so that only a RECV or IRECV with this message receives it */                 \
    X(IPROBE)   /* the same without waiting */                                                                    \
    X(REMOTE_PUT) /* window, peer, bytes: into the memory of the peer; kept until it is sent with what else goes there */ \
    X(REMOTE_GET) /* likewise out of it */                                                                        \
    X(LOCK)     /* window, peer; tag not 0: for itself alone. Goes on at once */                                  \
    X(UNLOCK)   /* window, peer: gives the lock back behind all that was put there. A SETTLE of the peer follows */ \
    X(FLUSH)    /* the same without giving it back */                                                             \
    X(DELIVER)  /* window: sends what is kept for all peers. The three behind it are the rest of an MPI_Win_fence: two \
                 * COLLECTIVEs with a SETTLE between them */                                                      \
    X(SETTLE)   /* window: waits for all that is on its way there, either way; with a peer for what the process has begun \
                 * with it */

/* X(name): blocking and nonblocking point-to-point, waits, computation, control. Sendrecv is lowered to ISEND, IRECV
 * and a WAIT on both. */
#define INSTR_LIST(X)                                                                                             \
    X(SEND)   /* also Rsend. peer, tag, bytes */                                                                  \
    X(BSEND)                                                                                                      \
    X(SSEND)                                                                                                      \
    X(ISEND)  /* and a request (first_request, n_requests 0 or 1) */                                              \
    X(ISSEND)                                                                                                     \
    X(RECV)   /* peer, tag; bytes = the largest message it takes */                                               \
    X(IRECV)                                                                                                      \
    X(WAIT)   /* for n_requests from first_request on; Wait and Waitall with a list */                            \
    X(WAITALL)/* for all open requests of the process */                                                          \
    INSTR_TIMED_LIST(X)                                                                                           \
    X(COLLECTIVE) /* collectives[index]; an I-form has a request */                                               \
    X(SERIAL) /* compute for `seconds` */                                                                         \
    X(SAMPLE) /* compute for a time drawn from serials[index] */                                                  \
    X(LOOP)   /* slots[slot] = iterations (count); when <= 0 go to target. Loop while: INT64_MAX, and a BRANCH on   \
               * top of its body that leaves it */                                                                \
    X(NEXT)   /* if --slots[slot] > 0 go to target (and slots[slot + 1] += count where has_variable) */           \
    X(JUMP)   /* go to target */                                                                                  \
    X(BRANCH) /* if expression `count` is false go to target */                                                   \
    X(SET)    /* slots[slot] = expression `count` */                                                              \
    X(PUT)    /* slots[slot + expression `from`] = expression `count`, the index below `target` */                  \
    X(ENTER)  /* the clock of tree->regions[index] starts for the process, where it does not run already */        \
    X(LEAVE)  /* and stops, where this is the outermost ENTER's */                                                \
    X(FAIL)   /* stop: failures[index] says why */                                                                \
    X(END)
enum instr_op {
#define X(name) INSTR_##name,
    INSTR_LIST(X)
#undef X
};

/* Which operands are not known before the run: such an operand is an index into program->exprs. */
enum { DYNAMIC_PEER = 1, DYNAMIC_TAG = 2, DYNAMIC_BYTES = 4, DYNAMIC_COUNT = 8, DYNAMIC_SECONDS = 16 };

struct instr {
    uint8_t op;
    uint8_t dynamic;
    uint8_t has_variable;     /* LOOP, NEXT: slots[slot + 1] is the loop variable */
    uint8_t binds;            /* 1 where a bind[] is not -1 */
    int32_t site;             /* index into program->sites: where it stands in the source */
    int32_t peer;             /* index into the role's peers; or an expression, which gives a rank of `comm`; or
                               * INSTR_ANY_SOURCE; -1: no peer. To itself is allowed */
    int32_t tag;              /* or INSTR_ANY_TAG */
    int32_t comm;             /* messages: index into program->comms; 0: MPI_COMM_WORLD */
    int32_t target;           /* LOOP, NEXT, JUMP, BRANCH: an index into the role's code; PUT: elements of its table;
                               * SET of an element: its index, else -1; messages that a start began: the site of the
                               * MPI_..._init that made them, else -1 */
    int32_t slot;             /* LOOP, NEXT, SET, PUT; operations on a window: which of tree->windows; BSEND: PROGRAM_IBSEND of
                               * MPI_Ibsend, whose request is complete at once, else another */
    int32_t first_request, n_requests; /* into program->requests */
    union {
        int64_t bytes;        /* sends and receives; a receive without `size` has INT64_MAX */
        int64_t count;        /* LOOP: iterations, or an expression; NEXT: the step; BRANCH, SET, PUT: an expression */
        double seconds;       /* SERIAL */
        int64_t index;        /* SAMPLE, FAIL, COLLECTIVE, ENTER, LEAVE; SERIAL with DYNAMIC_SECONDS: an expression of
                               * seconds */
    };
    int32_t from;             /* LOOP with has_variable: expression of the first value; -1: 0. PUT: of the index */
    /* Slots that take source (a rank of the message's communicator), got_tag, got_size, flag, index, count, message;
     * -1: none. Those of an MPI_Sendrecv stand at its WAIT. Where a wait, a test or a probe completes no receive, they
     * take what a receive from MPI_PROC_NULL gives: see program_check_peer. index and count: -1 where no request was
     * open. message: what an engine finds the message by, PROGRAM_NO_MESSAGE of MPI_PROC_NULL, or VALUE_NONE; of a RECV
     * or IRECV the one to be received, of any peer and tag, and then VALUE_NONE. */
    int32_t bind[N_BIND_KEYS];
};
enum { INSTR_ANY_SOURCE = -2, INSTR_ANY_TAG = -1 };

/* A peer of a role: process `value`, or, where it was computed from procnum or node, procnum + value. */
struct role_peer {
    bool relative;
    int32_t value;
};

struct role {
    int32_t n_code, n_peers, n_slots;
    struct instr *code;
    struct role_peer *peers;  /* distinct */
    struct value *initial;    /* [n_slots] first values: loop slots 0, variables their parameter's or NONE */
};

/* A request named in a directive: name of tree->requests, element index (-1: no brackets). index_expr >= 0: computed.
 * whole: a bare name in a wait that stands for all open elements of that name. */
enum { REQUEST_SENT = -1, REQUEST_RECEIVED = -2 }; /* names of an MPI_Sendrecv's ISEND and IRECV, which no directive
                                                    * has */
struct request_ref {
    int32_t name;
    int32_t index_expr;
    int64_t index;
    bool whole;
};

/* A computation whose time is drawn. Arguments are constant, or expressions (index into exprs) where dynamic. */
struct serial_ref {
    enum serial_kind kind;
    const char *measured;     /* SERIAL_measured: the name */
    int n;
    bool dynamic[2];
    double a[2];              /* s, except gamma's shape and measured's argument: unit applied already */
    int32_t expr[2];          /* gives the same, unit applied */
    int32_t site;
};

/* The most processes whose sizes may differ for each pair, not only for neighbours: a square of 512 MiB. */
enum { PROGRAM_PAIRS_MOST = 8192 };

/* A collective operation as one process calls it. An expression is an index into exprs, -1: constant. */
struct collective_ref {
    enum collective_op op;
    int32_t comm;
    int32_t site;
    const char *algorithm;    /* `algorithm =`; NULL: not given. Borrowed from the tree */
    int32_t root, root_expr;  /* a rank of comm; 0 where the operation has no root */
    int64_t bytes;            /* `size`: of this process; 0 where the operation has none; -1: shares[its rank], or
                               * pairs */
    int32_t bytes_expr;       /* over_partner: see program_eval_partner */
    bool over_partner;        /* of a Scatterv: the root's sizes are the shares */
    /* Operations with shares, where the size is known for every member: [n of comm] the share of each rank; or pairs
     * [n][n], what the rank before sends to the one behind; of operations among neighbours by edge (struct topology).
     * One array for all members. NULL: all as `bytes`, or where bytes_expr >= 0 to be computed for each rank's process
     * with the caller's own variables. */
    const int64_t *shares, *pairs;
};

struct site {
    struct place at;
    int statement;            /* stmt.number */
    const char *what;         /* "MPI_Send", "Serial", "Loop": borrowed from the tree */
};

struct failure {
    enum status status;       /* RANGE, NOT_YET, ... */
    int32_t site;
    int32_t process;          /* the process it was found for */
    char *text;               /* "process 4 is outside 0..3 (`to`)" */
};

/* Which machine-dependent choices to make: from the machine file, passed as plain values. */
struct lower_options {
    int numprocs, nodes, ppn;
    bool cyclic;              /* --map cyclic: rank r on node r % nodes; else r / ppn */
    const char *machine;      /* what `Serial on NAME` is compared with */
    double time_unit;         /* s, of a bare number in such a line */
    int sockets;              /* of a node; at most 1: they are not told apart */
    int socket_fill;          /* so many processes of a node lie on a socket before the next one's do; 0: one on each in turn */
    bool mpich;               /* communicators are made by MPICH's messages; else by Open MPI's */
};

struct expr_code;             /* compiled expressions: directives/expression.h */

/* MPI_PROC_NULL, and MPI_ANY_SOURCE and MPI_ANY_TAG, as values of an expression. */
#define PROGRAM_PROC_NULL VALUE_PROC_NULL
#define PROGRAM_WILDCARD VALUE_WILDCARD
enum { PROGRAM_NO_MESSAGE = -1 };
/* Of a BSEND (struct instr, slot). */
enum { PROGRAM_IBSEND = 1 };

/* Equal roles, sites, requests and so on are kept once; the arrays may hold some that no role uses. */
struct program {
    const struct tree *tree;  /* borrowed */
    int numprocs, nodes, ppn;
    bool cyclic;
    int sockets, socket_fill; /* as struct lower_options */
    /* Some role has a wildcard (or may have one, once the run computes it), a probe, a test, a Waitany, a Waitsome, a
     * wait that binds a status, or an operation on a window. */
    bool time_decides;
    int32_t n_roles, n_sites, n_requests, n_serials, n_failures, n_exprs, n_comms, n_collectives;
    struct role *roles;
    int32_t *role_of;         /* [numprocs] */
    struct site *sites;
    struct request_ref *requests;
    struct serial_ref *serials;
    struct failure *failures;
    struct expr_code *exprs;
    struct comm *comms;       /* [n_comms], at least 1: MPI_COMM_WORLD */
    struct collective_ref *collectives;
    struct arena memory;      /* of what the arrays point to */
};

/* Lowers the tree.
 *   STATUS_NAME    no alternative of a row of Serial lines matches the machine. All such errors are reported; they do
 *                  not depend on being reached. What measured(NAME) refers to is not asked for here
 *   STATUS_RANGE   a Param that cannot be computed
 *   STATUS_RANGE   a process would have more than 4 M instructions, or all roles more than 64 M (nested calls)
 * On success the caller owns *program (program_destroy). */
enum status program_lower(struct program **program, const struct tree *tree, const struct lower_options *options,
                          struct diags *diags);

void program_destroy(struct program *program);

/* The node of a process. */
int program_node(const struct program *program, int process);

/* Its socket, numbered through all nodes; PROGRAM_NO_SOCKET where those of a node are not told apart. */
enum { PROGRAM_NO_SOCKET = -1 };
int program_socket(const struct program *program, int process);

/* The process of a rank of a communicator, 0 <= rank < n; and the rank of a process, -1 when it is no member. */
int32_t program_comm_process(const struct program *program, int32_t comm, int32_t rank);
int32_t program_comm_rank(const struct program *program, int32_t comm, int32_t process);

/* Where the sizes that a rank gives over `partner` or `neighbor` stand among those of all ranks: n of them from `first`
 * on. In a Scatterv there is one row, the root's. `rank`: of the communicator, which has neighbours where op is
 * local. */
struct program_row {
    size_t first;
    int32_t n;
};
struct program_row program_row(const struct program *program, enum collective_op op, int32_t comm, int32_t rank);

/* How many they are in all. */
size_t program_rows(const struct program *program, enum collective_op op, int32_t comm);

/* Whom size i of such a row is for: a rank; -1: MPI_PROC_NULL, whose size is 0. */
int32_t program_row_partner(const struct program *program, enum collective_op op, int32_t comm, int32_t rank,
                            int32_t i);

/* The value of expression `expr` for a process whose slots are `slots`. Returns NULL, or what is wrong (a constant
 * text), for expression_problem_print with *out. Allocates nothing. */
const char *program_eval(const struct program *program, int32_t expr, int process, const struct value *slots,
                         struct value *out);

/* The same of a size over `partner` or `neighbor`. */
const char *program_eval_partner(const struct program *program, int32_t expr, int process, int32_t partner,
                                 const struct value *slots, struct value *out);

/* The place of an expression itself, for program_report: an index into sites. */
int32_t program_expr_site(const struct program *program, int32_t expr);

/* Is a value fit for its use? Lowering asks for what it knows, the run for dynamic operands, so both say the same.
 * Returns STATUS_OK and sets the result, or RANGE and writes to `text` what program_report wants.
 *   peer     of an instruction `op`, which tells `to` from `from`: the process of a rank of the communicator;
 *            INSTR_ANY_SOURCE for a wildcard where it receives or probes; -1 for MPI_PROC_NULL: the instruction does
 *            nothing, and binds source = PROGRAM_PROC_NULL, got_tag = PROGRAM_WILDCARD, got_size = 0, flag = 1; a
 *            request it names is complete at once
 *   bytes    integral, >= 0
 *   tag      of an instruction `op`: integral, 0 .. 2^31-1; INSTR_ANY_TAG as above
 *   root     a rank of the communicator
 *   count    integral; 0 for less     first    (of a loop variable) integral; asked for only where count > 0
 *   step     (of a loop variable) integral, not 0, at most 2^31-1 either way
 *   index    (of a request) integral, >= 0
 *   seconds  not negative
 *   serial   the arguments a[ref->n] of a distribution, in seconds: standard deviations >= 0, lo <= hi, times >= 0,
 *            means of exponential and lognormal, shape and scale > 0 */
#define PROGRAM_TEXT_BYTES 160
enum status program_check_peer(const struct program *program, int32_t comm, enum instr_op op, struct value value,
                               int32_t *peer, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_root(const struct program *program, int32_t comm, struct value value, int32_t *root,
                               char text[PROGRAM_TEXT_BYTES]);
enum status program_check_bytes(struct value value, int64_t *bytes, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_tag(enum instr_op op, struct value value, int32_t *tag, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_count(struct value value, int64_t *count, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_first(struct value value, int64_t *first, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_step(struct value value, int64_t *step, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_index(struct value value, int64_t *index, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_seconds(struct value value, double *seconds, char text[PROGRAM_TEXT_BYTES]);
enum status program_check_serial(const struct serial_ref *serial, const double a[], char text[PROGRAM_TEXT_BYTES]);

/* NEXT: whether its LOOP goes round again, for which `slots` are made ready. */
static inline bool program_loop_again(const struct instr *next, struct value *slots)
{
    struct value *slot = &slots[next->slot];
    bool again = --slot->i > 0;
    if (again && next->has_variable)
        slot[1].i = (int64_t)((uint64_t)slot[1].i + (uint64_t)next->count);
    return again;
}

/* Adds the diagnostic of a failure at a site: "<what>: <text>, in process N (of P)"; `what` is left out where the
 * text begins with it. */
void program_report(const struct program *program, int32_t site, int process, const char *text, struct diags *diags);

/* What process p does, one instruction a line, with loops indented: `--print`. values: what expressions come to
 * (dry_run.h), with the expression itself where it is not one value. */
void program_print(const struct program *program, int process, bool values, FILE *out);

#endif
