/* function.h - the functions of the host source, and which brackets belong together.
 *
 * C and C++: a name behind a type, with parameters in parentheses, declared or defined; a lambda that is given a name;
 * and macros with arguments. Fortran: subroutines and functions. Parameters are known by position and name. */
#ifndef PEVPM_HOST_FUNCTION_H
#define PEVPM_HOST_FUNCTION_H

#include "host/fortran/statement.h"

struct host_parameter {
    size_t name;               /* the token; the text's n where it has none */
    bool by_reference;         /* C++: `T &name`, and not const; a macro's, that its body changes */
};

struct host_function {
    const char *text;          /* its name, not terminated */
    size_t length;
    size_t name;               /* the token */
    bool macro;
    struct host_range body;    /* from the parameters on; empty: it is only declared here */
    size_t first, n;           /* parameters */
};

struct host_functions {
    const struct host_text *text;   /* borrowed */
    const struct fortran_text *fortran; /* its statements, borrowed; NULL: C */
    size_t *match;                  /* [text->n]: of a bracket, the one that closes or opens it; else text->n */
    size_t n, capacity;
    struct host_function *list;     /* in the order of their names, then of the file */
    size_t n_parameters, parameters_capacity;
    struct host_parameter *parameters;
};

/* Both borrowed; fortran: NULL for C. Ends with host_functions_free. */
void host_functions_read(struct host_functions *functions, const struct host_text *text,
                         const struct fortran_text *fortran);
void host_functions_free(struct host_functions *functions);

/* Those of the name that token i is: returns how many, *first is the first of them. */
size_t host_functions_named(const struct host_functions *functions, size_t i, const struct host_function **first);

/* Likewise of a word of n bytes. */
size_t host_functions_of(const struct host_functions *functions, const char *word, size_t n,
                         const struct host_function **first);

/* The order of two words, and whether two tokens are the same one. */
int host_words_compare(const char *a, size_t n_a, const char *b, size_t n_b);
bool host_tokens_same(const struct host_text *text, size_t i, size_t k);

/* A name that is one of C's keywords before an expression or a block: no type and no function. */
bool host_is_keyword(const struct host_text *text, size_t i);

/* C: the `{` of the body behind the parameters whose `(` is token `open`; the text's n where there is none. */
size_t host_body_of(const struct host_functions *functions, size_t open);

/* C: the token behind the statement that begins at i. */
size_t host_statement_end(const struct host_functions *functions, size_t i);

/* The next one of a list of arguments: from *at to the `,` or the end, brackets inside stepped over. False: there is
 * none. *at begins behind the opening bracket; `close` is the token that closes the list. */
bool host_argument_next(const struct host_functions *functions, size_t *at, size_t close, struct host_range *argument);

#endif
