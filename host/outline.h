/* outline.h - the functions of a file with their loops, branches and calls: of C and C++ as libclang reads them; others fill it, too.
 *
 * A node stands before those inside of it. What a macro stands for is where the macro is used. */
#ifndef PEVPM_HOST_OUTLINE_H
#define PEVPM_HOST_OUTLINE_H

#include "common/alloc.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

enum outline_kind {
    OUTLINE_FUNCTION,  /* defined here; a lambda too */
    OUTLINE_LOOP,      /* for, while, do; around a call that goes round, outline_goes_round or std::for_each with a lambda */
    OUTLINE_ARM,       /* what is executed of an `if` where it is true, or where it is not */
    OUTLINE_CALL
};

struct outline_argument {
    const char *text;  /* as it is written, blanks joined */
    bool known;        /* a compiler knows its value */
    long long value;
};

struct outline_node {
    enum outline_kind kind;
    int parent;                /* index, -1: none */
    unsigned order;            /* offset by which what stands in one block is executed */
    unsigned group;            /* of an arm: its `if` */
    int line, last_line;       /* its own */
    int open_line, close_line; /* a comment before these lines stands before and behind it, or for an arm within it */
    const char *name;          /* of a function, or of what is called; of a loop: its counter, NULL: none. A lambda is
                                * `operator()`, as compilers call it */
    const char *known_as;      /* of a lambda: the variable that it is the first value of, else `lambda_in_` and the function
                                * around; of others NULL */
    struct outline_argument limit; /* of a loop `for (x = A; x < LIMIT; x++)`, or <=, A a number; text NULL: it has
                                    * another form. More conditions may end it earlier */
    int beyond;                /* it goes round LIMIT + beyond times */
    const char *head;          /* of a loop: its condition as it is written, NULL: it has none */
    int n_arguments;
    struct outline_argument *arguments;
};

struct outline {
    size_t n, capacity;
    struct outline_node *nodes;
    struct arena memory;
};

/* Reads a file: `length` bytes of text; flags: of its compiler, NULL: none. Of a file with errors what libclang makes of
 * it, with a warning. False, with a warning: it cannot be read; the outline is empty then. Ends with outline_free, whatever
 * was returned. */
bool outline_read(struct outline *outline, const char *path, const char *text, size_t length, const char *flags,
                  struct diags *diags);
void outline_free(struct outline *outline);

/* Is it a call that libraries make one of for each process, MPI_Win_unlock_all or MPI_Win_flush_all? A loop with no more in
 * it is around such a call. NULL: no. */
bool outline_goes_round(const char *name);

/* The innermost function around a line; -1: none. */
int outline_function_at(const struct outline *outline, int line);

/* The call on a line in a function, of this name where there is one; where none is, one is made there. */
int outline_call_at(struct outline *outline, int function, int line, const char *name);

#endif
