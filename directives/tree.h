/* tree.h - the syntax tree of a program's directives, which stand in one file or several.
 *
 * The language is docs/directives.md. A tree is valid or not at all: what can be checked without knowing the number of
 * processes (keys, blocks, operations, argument counts, names that exist) has been checked. All memory belongs to the
 * tree; places borrow from the source, which must outlive it. */
#ifndef PEVPM_DIRECTIVES_TREE_H
#define PEVPM_DIRECTIVES_TREE_H

#include "common/alloc.h"
#include "common/diag.h"
#include "common/status.h"
#include "directives/comm.h"
#include "directives/source.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a name in an expression stands for, settled when the tree is checked. */
enum symbol_kind {
    SYMBOL_PROCNUM, SYMBOL_NUMPROCS, SYMBOL_NODES, SYMBOL_PPN, SYMBOL_NODE,
    SYMBOL_LOOP,       /* a loop variable: decl = the Loop statement */
    SYMBOL_ARGUMENT,   /* a procedure's argument: decl = the procedure, index = which */
    SYMBOL_VARIABLE,   /* given by Set, or bound by a key of BIND_KEY_LIST: index into
                        * tree->variables */
    SYMBOL_PARAMETER,  /* -D, Param or a constant of the host source: index into tree->parameters */
    SYMBOL_WILDCARD,   /* MPI_ANY_SOURCE, MPI_ANY_TAG */
    SYMBOL_PROC_NULL,
    SYMBOL_COMM_WORLD,
    SYMBOL_PARTNER,    /* in `size` of some collectives: whom the bytes go to. `partner`: a rank of the communicator;
                        * `neighbor`: a place in the list of the process's neighbours */
};

enum expr_kind { EXPR_VALUE, EXPR_NAME, EXPR_NEGATE, EXPR_NOT, EXPR_BINARY, EXPR_CONDITION, EXPR_CALL,
                 EXPR_ELEMENT, /* of the table `name`, variable `index`, at a[0] */
                 EXPR_COMM /* a function of a communicator variable, a[0], which is an EXPR_NAME */ };

/* How an expression is set apart from what surrounds it: what a macro stands for is put in as it is written. */
enum expr_group { EXPR_BARE, EXPR_PARENTHESISED, EXPR_PART /* a name behind a cast, or in a Fortran power: it binds to a part of its text */ };

struct expr {
    enum expr_kind kind;
    enum expr_group group;
    struct place at;
    struct value value;          /* EXPR_VALUE; sizeof(T) is folded into one */
    const char *name;            /* EXPR_NAME, EXPR_ELEMENT */
    enum symbol_kind symbol;     /* EXPR_NAME */
    const void *declaration;     /* SYMBOL_LOOP: the struct stmt; SYMBOL_ARGUMENT: the struct procedure */
    int index;                   /* see enum symbol_kind */
    enum binary op;              /* EXPR_BINARY */
    enum function function;      /* EXPR_CALL */
    enum comm_function comm_function; /* EXPR_COMM */
    int depth;                   /* levels of the tree below and with this one: at most 200 */
    int n;                       /* operands: 1 unary, 2 binary, 3 condition ? a[1] : a[2] with a[0] the test, n call */
    struct expr **a;
};

/* Message operations. X(name, sort, instruction, keys, needed keys): the instruction is that of program.h it is lowered
 * to, END where it is none or several; the keys are names of message.c.
 *   send, receive    one side of a message; with `request` in its keys it returns at once
 *   swap             both sides                         probe     looks at a message, or takes it out (`message`)
 *   take             receives what such a probe took     wait      waits and tests
 *   made_send, made_receive   keep what `start` starts   free      forgets it
 *   remote           the memory of another process      fence, lock   when that is done */
#define MESSAGE_LIST(X)                                                                               \
    X(MPI_Send, send, SEND, SEND_KEYS, TO_SIZE)                                                       \
    X(MPI_Bsend, send, BSEND, SEND_KEYS, TO_SIZE)                                                     \
    X(MPI_Ssend, send, SSEND, SEND_KEYS, TO_SIZE)                                                     \
    X(MPI_Rsend, send, SEND, SEND_KEYS, TO_SIZE)                                                      \
    X(MPI_Isend, send, ISEND, SEND_KEYS | REQUEST, TO_SIZE)                                           \
    X(MPI_Ibsend, send, BSEND, SEND_KEYS | REQUEST, TO_SIZE)                                          \
    X(MPI_Issend, send, ISSEND, SEND_KEYS | REQUEST, TO_SIZE)                                         \
    X(MPI_Irsend, send, ISEND, SEND_KEYS | REQUEST, TO_SIZE)                                          \
    X(MPI_Recv, receive, RECV, SEND_KEYS | STATUS_KEYS, FROM)                                         \
    X(MPI_Irecv, receive, IRECV, SEND_KEYS | REQUEST, FROM)                                           \
    X(MPI_Sendrecv, swap, END, SWAP_KEYS | ROOM_KEYS, FROM | TO_SIZE)                                 \
    X(MPI_Sendrecv_replace, swap, END, SWAP_KEYS, FROM | TO_SIZE)                                     \
    X(MPI_Send_init, made_send, ISEND, SEND_KEYS | REQUEST, TO_SIZE | REQUEST)                        \
    X(MPI_Bsend_init, made_send, BSEND, SEND_KEYS | REQUEST, TO_SIZE | REQUEST)                       \
    X(MPI_Ssend_init, made_send, ISSEND, SEND_KEYS | REQUEST, TO_SIZE | REQUEST)                      \
    X(MPI_Rsend_init, made_send, ISEND, SEND_KEYS | REQUEST, TO_SIZE | REQUEST)                       \
    X(MPI_Recv_init, made_receive, IRECV, SEND_KEYS | REQUEST, FROM | REQUEST)                        \
    X(MPI_Start, start, END, REQUEST, REQUEST)                                                        \
    X(MPI_Startall, start, END, REQUEST, REQUEST)                                                     \
    X(MPI_Request_free, free, END, REQUEST, REQUEST)                                                  \
    X(MPI_Wait, wait, WAIT, REQUEST | STATUS_KEYS, REQUEST)                                           \
    X(MPI_Waitall, wait, WAIT, REQUEST, 0)                                                            \
    X(MPI_Waitany, wait, WAITANY, REQUEST | INDEX | STATUS_KEYS, 0)                                   \
    X(MPI_Waitsome, wait, WAITSOME, REQUEST | COUNT, 0)                                               \
    X(MPI_Test, wait, TEST, REQUEST | FLAG | STATUS_KEYS, REQUEST | FLAG)                             \
    X(MPI_Testall, wait, TESTALL, REQUEST | FLAG, FLAG)                                               \
    X(MPI_Testany, wait, TESTANY, REQUEST | FLAG | INDEX | STATUS_KEYS, FLAG)                         \
    X(MPI_Testsome, wait, TESTSOME, REQUEST | COUNT, COUNT)                                           \
    X(MPI_Probe, probe, PROBE, PROBE_KEYS, FROM)                                                      \
    X(MPI_Iprobe, probe, IPROBE, PROBE_KEYS | FLAG, FROM | FLAG)                                      \
    X(MPI_Mprobe, probe, PROBE, PROBE_KEYS | MESSAGE, FROM | MESSAGE)                                 \
    X(MPI_Improbe, probe, IPROBE, PROBE_KEYS | FLAG | MESSAGE, FROM | FLAG | MESSAGE)                 \
    X(MPI_Mrecv, take, RECV, MESSAGE | SIZE | STATUS_KEYS, MESSAGE)                                   \
    X(MPI_Imrecv, take, IRECV, MESSAGE | SIZE | REQUEST, MESSAGE)                                     \
    X(MPI_Put, remote, REMOTE_PUT, WINDOW_KEYS | TO_SIZE, TO_SIZE | WINDOW)                           \
    X(MPI_Accumulate, remote, REMOTE_PUT, WINDOW_KEYS | TO_SIZE, TO_SIZE | WINDOW)                    \
    X(MPI_Get, remote, REMOTE_GET, WINDOW_KEYS | FROM | SIZE, FROM | SIZE | WINDOW)                   \
    X(MPI_Win_fence, fence, DELIVER, WINDOW_KEYS, WINDOW)                                             \
    X(MPI_Win_lock, lock, LOCK, WINDOW_KEYS | TO | EXCLUSIVE, TO | WINDOW)                            \
    X(MPI_Win_unlock, lock, UNLOCK, WINDOW_KEYS | TO, TO | WINDOW)                                    \
    X(MPI_Win_flush, lock, FLUSH, WINDOW_KEYS | TO, TO | WINDOW)                                      \
    X(MPI_Comm_dup, agreement, END, KEY_BIT(comm), 0)                                                 \
    X(MPI_Comm_split, agreement, END, KEY_BIT(comm), 0)                                               \
    X(MPI_Comm_split_type, agreement, END, KEY_BIT(comm), 0)                                          \
    X(MPI_Comm_create_group, agreement, END, KEY_BIT(comm), KEY_BIT(comm))                            \
    X(MPI_Dist_graph_create, agreement, END, KEY_BIT(comm), 0)
enum message_op {
#define X(name, sort, instr, keys, needed) MESSAGE_##name,
    MESSAGE_LIST(X)
#undef X
};

enum message_sort {
    SORT_send, SORT_receive, SORT_swap, SORT_probe, SORT_take, SORT_wait, SORT_made_send, SORT_made_receive, SORT_start,
    SORT_free, SORT_remote, SORT_fence, SORT_lock, SORT_agreement
};

/* What `size` is in a collective operation.
 *   none    it has none
 *   vector  the whole vector: the same in all processes
 *   share   what each process gives or gets: the same in all processes
 *   own     what this process gives (Reduce_scatter: gets): every process has its own
 *   root    own, what this process gets; or over `partner` what the root sends to that rank
 *   pair    what this process sends to each other one; or over `partner` to that rank
 *   edge    what this process sends to each neighbour; or over `neighbor` to that one of its list */
enum collective_sizes { SIZES_none, SIZES_vector, SIZES_share, SIZES_own, SIZES_root, SIZES_pair, SIZES_edge };

/* X(name, sizes, like, who): its messages are those of `like`: of an I-form the blocking form, of most operations they
 * are its own. They go among all members of the communicator, or from each to its neighbours (directives/comm.h). */
#define COLLECTIVE_LIST(X)                                               \
    X(MPI_Barrier, none, MPI_Barrier, all)                               \
    X(MPI_Bcast, vector, MPI_Bcast, all)                                 \
    X(MPI_Scatter, share, MPI_Scatter, all)                              \
    X(MPI_Scatterv, root, MPI_Scatterv, all)                             \
    X(MPI_Gather, share, MPI_Gather, all)                                \
    X(MPI_Gatherv, own, MPI_Gatherv, all)                                \
    X(MPI_Allgather, share, MPI_Allgather, all)                          \
    X(MPI_Allgatherv, own, MPI_Allgatherv, all)                          \
    X(MPI_Reduce, vector, MPI_Reduce, all)                               \
    X(MPI_Allreduce, vector, MPI_Allreduce, all)                         \
    X(MPI_Reduce_scatter, own, MPI_Reduce_scatter, all)                  \
    X(MPI_Alltoall, share, MPI_Alltoall, all)                            \
    X(MPI_Alltoallv, pair, MPI_Alltoallv, all)                           \
    X(MPI_Scan, vector, MPI_Scan, all)                                   \
    X(MPI_Exscan, vector, MPI_Exscan, all)                               \
    X(MPI_Iallreduce, vector, MPI_Allreduce, all)                        \
    X(MPI_Ibcast, vector, MPI_Bcast, all)                                \
    X(MPI_Ibarrier, none, MPI_Barrier, all)                              \
    X(MPI_Iscatter, share, MPI_Scatter, all)                             \
    X(MPI_Igather, share, MPI_Gather, all)                               \
    X(MPI_Iallgather, share, MPI_Allgather, all)                         \
    X(MPI_Ireduce, vector, MPI_Reduce, all)                              \
    X(MPI_Ialltoall, share, MPI_Alltoall, all)                           \
    X(MPI_Iscan, vector, MPI_Scan, all)                                  \
    X(MPI_Iexscan, vector, MPI_Exscan, all)                              \
    X(MPI_Iscatterv, root, MPI_Scatterv, all)                            \
    X(MPI_Igatherv, own, MPI_Gatherv, all)                               \
    X(MPI_Iallgatherv, own, MPI_Allgatherv, all)                         \
    X(MPI_Ireduce_scatter, own, MPI_Reduce_scatter, all)                 \
    X(MPI_Ireduce_scatter_block, share, MPI_Reduce_scatter, all)         \
    X(MPI_Ialltoallv, pair, MPI_Alltoallv, all)                          \
    X(MPI_Ialltoallw, pair, MPI_Alltoallv, all)                          \
    X(MPI_Reduce_scatter_block, share, MPI_Reduce_scatter, all)          \
    X(MPI_Alltoallw, pair, MPI_Alltoallv, all)                           \
    X(MPI_Neighbor_allgather, share, MPI_Neighbor_allgather, neighbors)  \
    X(MPI_Neighbor_allgatherv, own, MPI_Neighbor_allgatherv, neighbors)  \
    X(MPI_Neighbor_alltoall, share, MPI_Neighbor_alltoall, neighbors)    \
    X(MPI_Neighbor_alltoallv, edge, MPI_Neighbor_alltoallv, neighbors)   \
    X(MPI_Neighbor_alltoallw, edge, MPI_Neighbor_alltoallv, neighbors)   \
    X(MPI_Ineighbor_allgather, share, MPI_Neighbor_allgather, neighbors) \
    X(MPI_Ineighbor_allgatherv, own, MPI_Neighbor_allgatherv, neighbors) \
    X(MPI_Ineighbor_alltoall, share, MPI_Neighbor_alltoall, neighbors)   \
    X(MPI_Ineighbor_alltoallv, edge, MPI_Neighbor_alltoallv, neighbors)  \
    X(MPI_Ineighbor_alltoallw, edge, MPI_Neighbor_alltoallv, neighbors)
enum collective_op {
#define X(name, sizes, like, who) COLLECTIVE_##name,
    COLLECTIVE_LIST(X)
#undef X
};
#define X(name, sizes, like, who) +1
enum { N_COLLECTIVE_OPS = COLLECTIVE_LIST(X) };
#undef X

/* Keys whose value is an expression. X(name) */
#define EXPR_KEY_LIST(X) X(size) X(from) X(to) X(tag) X(comm) X(recv_size) X(recv_tag) X(root) X(exclusive)
enum expr_key {
#define X(name) KEY_##name,
    EXPR_KEY_LIST(X)
#undef X
    N_EXPR_KEYS
};

/* Keys that bind a variable of the process; `message` is one that holds a message. X(name) */
#define BIND_KEY_LIST(X) X(source) X(got_tag) X(got_size) X(flag) X(index) X(count) X(message)
enum bind_key {
#define X(name) BIND_##name,
    BIND_KEY_LIST(X)
#undef X
    N_BIND_KEYS
};

/* `request = r`, `r[EXPR]`, or one of a list. */
struct request {
    struct place at;
    int name;             /* index into tree->requests */
    struct expr *index;   /* NULL: no brackets. In a wait, a test or a start a bare name whose elements were started or
                           * made stands for all of them. */
    struct expr *kept;    /* [N_KEPT] its element of each of the tables; NULL: of no persistent request, or no index */
};

/* What an MPI_..._init keeps until the request is started, each in a table with the request's elements (a bare name has
 * element 0): the statement that made it, -1 once it is freed; its operands. X(name) */
#define KEPT_LIST(X) X(made) X(peer) X(size) X(tag)
enum kept_part {
#define X(name) KEPT_##name,
    KEPT_LIST(X)
#undef X
    N_KEPT
};

struct request_name {
    const char *text;
    int kept;             /* the first of N_KEPT variables; -1: no MPI_..._init makes it */
};

struct message {
    enum message_op op;
    struct expr *key[N_EXPR_KEYS];  /* NULL: not given */
    int bind[N_BIND_KEYS];          /* index into tree->variables, -1: not given */
    int n_requests;
    struct request *requests;
    int window;                     /* index into tree->windows, -1: not given */
};

struct collective {
    enum collective_op op;
    struct expr *key[N_EXPR_KEYS];
    bool over_partner;              /* `size` depends on `partner` or `neighbor` */
    const char *algorithm;          /* NULL: not given */
    struct place algorithm_at;
    int n_requests;                 /* 0 or 1 */
    struct request *requests;
};

/* What Serial's TIME is. X(name, least arguments, most arguments); value = a plain expression */
#define SERIAL_LIST(X) X(value, 1, 1) X(normal, 2, 2) X(lognormal, 2, 2) X(uniform, 2, 2) X(exponential, 1, 1) \
    X(gamma, 2, 2) X(measured, 0, 1)
enum serial_kind {
#define X(name, least, most) SERIAL_##name,
    SERIAL_LIST(X)
#undef X
};

struct serial {
    const char *machine;            /* `on MACHINE`; NULL: the default of its row */
    struct place machine_at;
    enum serial_kind kind;
    int n;
    struct expr *a[2];              /* [n]; gamma's shape has no unit */
    const char *measured;           /* the NAME of measured(NAME...) */
    double unit;                    /* seconds per unit written; 0: none was written */
};

/* What makes a communicator: Set NAME = MAKER(...). X(name, its first list, its second, what it takes); a list of `one`
 * item is written without parentheses. */
#define MAKER_LIST(X)                                                                                                \
    X(comm_split, one, one, "a colour, a key and perhaps a parent")                                                  \
    X(cart_create, many, many, "the dimensions, which of them are periodic, and perhaps a parent")                   \
    X(cart_sub, many, none, "a grid, and which dimensions remain")                                                   \
    X(dist_graph_create_adjacent, many, many, "sources, destinations and perhaps a parent")
enum comm_maker {
#define X(name, first, second, takes) MAKER_##name,
    MAKER_LIST(X)
#undef X
    N_MAKERS
};

struct expr_list {
    int n;
    struct expr **items;
};

/* Of a dist_graph_create_adjacent an item may be the name of a table, which stands for all its elements. */
struct making {
    enum comm_maker maker;
    int variable;
    struct expr_list lists[2];
    struct expr *parent;            /* NULL: world. Of a cart_sub the grid */
};

enum stmt_kind {
    STMT_LOOP, STMT_WHILE, STMT_RUNON, STMT_REGION, STMT_MESSAGE, STMT_COLLECTIVE, STMT_SERIAL, STMT_SET, STMT_MAKE,
    STMT_CALL,
    STMT_FAIL                       /* in the block of an Assert, which is a Runon of what must not hold */
};

struct block {
    struct stmt *first;             /* linked by next */
};

struct stmt {
    enum stmt_kind kind;
    struct stmt *next;
    struct place at;                /* the keyword, to the end of its first line */
    int number;                     /* directives are numbered from 0 in the order of the file */
    union {
        /* from, step, variable: NULL: not given */
        struct { struct expr *iterations, *from, *step; const char *variable; struct block body; } loop;
        struct { struct expr *test; struct block body; } while_;
        /* blocks [n + has_else] */
        struct { int n; struct expr **tests; struct block *blocks; bool has_else, is_assert; } runon;
        struct { int index; struct block body; } region; /* index into tree->regions */
        struct message message;
        struct collective collective;
        /* alternatives: Serial lines in a row, in the order of the file */
        struct { int n; struct serial *rows; } serial;
        struct { int variable; struct expr *element, *value; } set; /* element: of a table; NULL: no table */
        struct making make;
        struct { struct procedure *procedure; int n; struct expr **arguments; } call;
        struct { const char *text; } fail;
    };
};

struct procedure {
    const char *name;
    struct place at;
    int n;
    const char **arguments;
    struct block body;
    bool defined;                   /* false while only calls were seen */
    struct procedure *next;
};

/* What a per-process variable holds. X(kind, what to call it) */
#define VARIABLE_LIST(X) \
    X(number, "number") X(table, "table") X(communicator, "communicator") X(message, "message")
enum variable_kind {
#define X(kind, what) VARIABLE_##kind,
    VARIABLE_LIST(X)
#undef X
};

/* A per-process variable. */
struct variable {
    const char *name;
    struct place at;                /* first Set or bind */
    enum variable_kind kind;
    int parameter;                  /* a parameter of the same name gives its first value; -1: none, use before Set is
                                     * an error */
    bool is_kept;                   /* enum kept_part of the request `name`: no name of the language means it */
};

/* A number from -D, Param or the host source, in that precedence. */
enum parameter_origin { ORIGIN_OPTION, ORIGIN_PARAM, ORIGIN_HOST };
struct parameter {
    const char *name;
    struct place at;
    enum parameter_origin origin;
    struct expr *value;             /* Param, host constant: an expression over numprocs, nodes, ppn and other
                                     * parameters, never procnum; -D: a value */
    bool used;
};

struct tree {
    const struct source *source;    /* all files; borrowed */
    struct block program;           /* what is outside of procedures: of one file */
    struct procedure *procedures;
    int n_statements;
    size_t n_variables, variables_capacity;
    struct variable *variables;
    size_t n_parameters, parameters_capacity;
    struct parameter *parameters;   /* the value of each refers to earlier ones only; a host constant is here when it is
                                     * used */
    size_t n_requests, requests_capacity;
    struct request_name *requests;
    size_t n_regions, regions_capacity;
    const char **regions;           /* names of Regions, each once */
    size_t n_windows, windows_capacity;
    const char **windows;           /* of one-sided operations, likewise */
    struct source *given;           /* the expressions of -D, one after another */
    struct arena memory;
};

/* -D NAME=VALUE, already split. */
struct definition {
    const char *name;
    struct value value;             /* a number, or where `text` is given nothing */
    const char *text;               /* an expression as Param may have one, over numprocs, nodes, ppn and parameters; NULL:
                                     * `value` */
};

/* The value as a user would write it: a number in `text`, or the expression. */
const char *definition_text(const struct definition *definition, char text[VALUE_TEXT_BYTES]);

/* Reads, parses and checks the files of a program: `source` and those behind it. definitions [n] are borrowed. All
 * errors are reported.
 *   STATUS_SYNTAX  a directive that cannot be read        STATUS_NAME  an undefined or doubly defined name
 * A -D that the program never uses is a warning with a `did you mean`. A program without a directive is an error that
 * shows one. On success the caller owns *tree (tree_destroy). Survives any bytes: nesting is limited to 200 levels with
 * an error. */
enum status tree_parse(struct tree **tree, const struct source *source, size_t n, const struct definition definitions[],
                       struct diags *diags);

void tree_destroy(struct tree *tree);

/* The i-th block of a statement, in the order of the text; NULL: it has no more. */
const struct block *stmt_block(const struct stmt *stmt, int i);

/* The elements of a request's tables at index[0]. `index` must stay where it is. */
void kept_elements_make(struct expr of[N_KEPT], struct place at, const struct request_name *name, struct expr **index);

/* "MPI_Send", "MPI_Bcast", "cart_create". */
const char *message_op_name(enum message_op op);
enum message_sort message_op_sort(enum message_op op);

/* It returns before what it starts is complete, and its `request` says when that is. */
bool message_op_has_request(enum message_op op);
const char *collective_op_name(enum collective_op op);
const char *maker_name(enum comm_maker maker);

enum collective_sizes collective_op_sizes(enum collective_op op);

/* The operation whose messages it makes. */
enum collective_op collective_op_like(enum collective_op op);

/* Do its messages go to neighbours only? */
bool collective_op_is_local(enum collective_op op);

/* Every process may have a size of its own: the others must be told. */
static inline bool collective_op_has_shares(enum collective_op op)
{
    return collective_op_sizes(op) >= SIZES_own;
}

/* Prints the tree in a stable form with one statement a line, for golden tests and --print's -v. */
void tree_print(const struct tree *tree, FILE *out);

#endif
