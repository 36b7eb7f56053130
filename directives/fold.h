/* fold.h - what is known of an expression before the run, for one process at one place of the program.
 *
 * A scope says which names have known values there. Folding an expression gives its value, or what is wrong with it,
 * or code that computes it at run time (expression.h) with everything known folded in.
 *
 * Values remember whether they were computed from procnum or node (`relative`): where such a value must be kept for
 * the run - a peer, the first value of a variable - it is kept in a form that other processes share. The result of a
 * comparison is not relative, nor is that of `procnum == 0 ? 5 : 6`. */
#ifndef PEVPM_DIRECTIVES_FOLD_H
#define PEVPM_DIRECTIVES_FOLD_H

#include "directives/expression.h"
#include "directives/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a variable. */
struct known {
    bool is_known, relative;
    struct value value;
};

/* What is known of a table: of its elements 0 ... n - 1, those that have been set with an index known so far. */
struct known_table {
    int32_t n, n_slots, capacity;
    struct known *elements;  /* [n] */
    bool is_one;             /* it has but the first, which nobody calls by an index */
};

/* A loop variable or a procedure's argument in sight. */
struct binding {
    const void *declaration; /* as in struct expr; NULL while the arguments of a call are evaluated */
    int index;
    bool is_known, relative;
    struct value value;      /* where known, else */
    int32_t slot;
};

/* Fill in the first block; bindings are a stack. All is owned by whoever holds the scope, except where borrowed. */
struct scope {
    int process, node, numprocs, nodes, ppn;
    const struct value *parameters;   /* by tree->parameters, VALUE_NONE: cannot be computed; borrowed */
    struct known *variables;          /* by tree->variables */
    struct known_table *tables;       /* by tree->variables */
    int32_t *slot_of;                 /* by tree->variables: -1 where the variable has no slot; a table's n_slots elements
                                         have theirs one behind another */
    bool *touched;                    /* by tree->variables: code was made that needs the variable's slot */
    const char *const *unset;         /* by tree->variables: "`k` is used before it is Set"; borrowed */
    const struct comm *comms;         /* a communicator variable's value is an index into these, or one of enum
                                         scope_comm; borrowed */

    struct binding *bindings;
    size_t n_bindings, bindings_capacity;

    struct expr_op *ops;              /* the code of the expression folded last */
    size_t n_ops, ops_capacity;
    const struct place *problem_at;   /* where folding it met its first problem */
    bool keep_process;                /* procnum and `partner` stay in the code */
    int32_t partner;                  /* what `partner` is */
    bool unmade;                      /* a communicator was asked for that is not made yet */
};

/* No communicator: what a comm_split gives to a process with a negative color; one that is found out later. */
enum scope_comm { SCOPE_COMM_NULL = -1, SCOPE_COMM_UNMADE = -2 };

enum folding { FOLD_KNOWN, FOLD_UNKNOWN, FOLD_PROBLEM };

struct folded {
    enum folding kind;
    bool relative;             /* KNOWN: see above */
    struct value value;        /* KNOWN; PROBLEM: the index of expression_problem_print */
    const char *problem;       /* PROBLEM: a text that lives as long as the scope's texts do */
    const struct place *at;    /* PROBLEM: the smallest expression to blame */
};

/* The most elements of a table: what struct expr_op can count. */
enum { TABLE_MOST = UINT16_MAX };

/* The text of a parameter that cannot be computed (yet) in an expression that needs it. */
extern const char fold_parameter_problem[];

/* What is known of the expression here. */
void scope_fold(struct scope *scope, const struct expr *expr, struct folded *out);

/* Leaves in scope->ops the code that computes the expression times `unit` (1: itself) for any process of this role.
 * Returns NULL, or why it cannot be made (it needs too deep a stack). */
const char *scope_compile(struct scope *scope, const struct expr *expr, double unit);

/* Leaves in scope->ops the code of `expr != procnum_in(comm)`; as scope_compile. */
const char *scope_compile_elsewhere(struct scope *scope, const struct expr *expr, int32_t comm);

/* The same of `expr == number`. */
const char *scope_compile_equals(struct scope *scope, const struct expr *expr, int64_t number);

/* The element of a table that is at `i`, 0 <= i < TABLE_MOST; made, as one that was never set, where it is new. */
struct known *scope_element(struct scope *scope, int variable, int64_t i);

/* The communicator that an expression names, of which the process is a member: sets *comm and returns NULL, or what is
 * wrong (a text that lives as long as the scope's texts do). Sets scope->unmade where it is not made yet. */
const char *scope_find_comm(struct scope *scope, const struct expr *name, int32_t *comm);

/* Whether the code in scope->ops holds a wildcard; a variable. */
bool scope_has_wildcard(const struct scope *scope);
bool scope_has_slot(const struct scope *scope);

/* Leaves the code of a constant in scope->ops. */
void scope_compile_value(struct scope *scope, struct value value);

/* Adds a binding; the slot counts where the value is NULL. */
void scope_bind(struct scope *scope, const void *declaration, int index, const struct folded *value, int32_t slot);

/* The value as its reader would write it: MPI_PROC_NULL, 3.24. `text` may be used. */
const char *fold_value_name(struct value value, char text[VALUE_TEXT_BYTES]);

/* Frees bindings and ops. */
void scope_free(struct scope *scope);

#endif
