/* statement.h - the statements of a Fortran source, of free and fixed form, each with what it stands in.
 *
 * No compiler's front end: nothing is included or preprocessed, of conditional compilation all sides are read, and a
 * statement is told by its first words. One that looks like an assignment is one, whatever its first word. A statement
 * ends with its line, goes on over `&`, and may share a line with others by `;`. Directives for compilers in comments,
 * `!$omp` and its like, count as statements. */
#ifndef PEVPM_HOST_FORTRAN_STATEMENT_H
#define PEVPM_HOST_FORTRAN_STATEMENT_H

#include "host/text.h"

#include <stdint.h>

enum fortran_kind {
    FORTRAN_EXECUTES,
    FORTRAN_DECLARES,
    FORTRAN_DATA,         /* which may stand among executable statements, as format may */
    FORTRAN_FORMAT,
    FORTRAN_INCLUDE,
    FORTRAN_ENTRY,
    FORTRAN_DO,           /* opens a construct; so do the following */
    FORTRAN_CONCURRENT,
    FORTRAN_IF,
    FORTRAN_SELECT,
    FORTRAN_MASK,         /* where, forall */
    FORTRAN_CONSTRUCT,    /* associate, critical, change team */
    FORTRAN_BLOCK,
    FORTRAN_DEFINITION,   /* a type, an interface, an enum */
    FORTRAN_REGION,       /* !$omp parallel */
    FORTRAN_END,          /* of a construct */
    FORTRAN_END_REGION,
    FORTRAN_PART,         /* else, case, !$omp section */
    FORTRAN_UNIT,         /* program, module, subroutine, function */
    FORTRAN_SEPARATE,     /* module procedure NAME */
    FORTRAN_CONTAINS,
    FORTRAN_END_UNIT,
    FORTRAN_CONDITION,    /* #if, #else, #endif, or a statement that these, or #include, stand in */
    FORTRAN_PREFIX,       /* !$omp parallel do, !$omp atomic, !dir$ ivdep: of the statement below */
    FORTRAN_END_PREFIX,   /* !$omp end parallel do: of the statement above */
};

#define FORTRAN_NONE SIZE_MAX

enum { FORTRAN_UNCLOSED_MOST = 100 }; /* constructs within one that an `end` closes, which it leaves open; bounds the time for
                                       * nonsense */

struct fortran_statement {
    enum fortran_kind kind;
    enum fortran_kind closes; /* of an end: the kind of the construct; FORTRAN_DO: that of any loop */
    size_t first, end;     /* tokens, without the label and a construct's name; first = end: a directive in a comment */
    size_t from, to;       /* offsets, with these */
    long label;            /* 0: none */
    size_t name;           /* the token that names a construct; FORTRAN_NONE */
    long ends;             /* of a loop: the label of its last statement; 0: end do */
    size_t outer;          /* the statement that opens what it stands in; FORTRAN_NONE: nothing within its unit */
    size_t last;           /* of one that opens a construct: where that ends, FORTRAN_NONE: nowhere; else itself. An `end`
                            * closes the innermost construct of its kind, and leaves those within it open */
    size_t unit;           /* FORTRAN_NONE: outside of all */
    size_t branch;         /* of conditional compilation */
};

/* A program unit, also one inside another. */
struct fortran_unit {
    size_t first;          /* its first statement */
    bool headless;         /* a main program that no statement begins */
    bool procedure;        /* or a main program: it has an executable part. Else, where it has a name, a module */
    bool interface;        /* only declared here */
    bool pure;
    size_t contains, last; /* its `contains` and its `end`; FORTRAN_NONE: none */
    size_t outer;          /* the unit that contains it; FORTRAN_NONE */
    size_t name;           /* a token; FORTRAN_NONE */
};

struct fortran_text {
    const struct host_text *host; /* borrowed */
    size_t n, capacity;
    struct fortran_statement *list; /* in the order of the file */
    size_t n_units, units_capacity;
    struct fortran_unit *units;
    size_t n_branches, branches_capacity;
    size_t *branches;      /* [n_branches]: the branch around it; 0, the file, is its own */
};

/* host: Fortran. Ends with fortran_text_free. */
void fortran_text_read(struct fortran_text *text, const struct host_text *host);
void fortran_text_free(struct fortran_text *text);

/* The first statement that begins at or behind a byte; text->n: none. */
size_t fortran_statement_at(const struct fortran_text *text, size_t offset);

/* The first token of a unit, and of the statement that ends it; the tokens' n where none does. */
size_t fortran_unit_begin(const struct fortran_text *text, size_t unit);
size_t fortran_unit_end(const struct fortran_text *text, size_t unit);

/* Units that begin with a statement of their own: the first of a unit and those around it, the next around one, and the
 * innermost that has token i. FORTRAN_NONE: none; also as `unit`. */
size_t fortran_unit_named(const struct fortran_text *text, size_t unit);
size_t fortran_unit_around(const struct fortran_text *text, size_t unit);
size_t fortran_unit_at(const struct fortran_text *text, size_t i);

/* From byte `begin` up to byte `end`: where the procedure ends, or what it contains begins; else `end`. */
size_t fortran_procedure_end(const struct fortran_text *text, size_t begin, size_t end);

/* The token behind the parenthesis that token i opens, no further than `end`; i itself where it opens none. */
size_t fortran_behind(const struct host_text *host, size_t i, size_t end);

/* Behind token i and what its bracket encloses, or behind the line of the preprocessor that it begins, no further than
 * `end`. */
size_t fortran_step(const struct host_text *host, size_t i, size_t end);

/* The first of a mark from token i on that is found by such steps; `end`: there is none. */
size_t fortran_find_mark(const struct host_text *host, size_t i, size_t end, const char *mark);

/* Where what a statement executes begins: behind the condition of a logical if, or of a where. */
size_t fortran_action(const struct fortran_text *text, const struct fortran_statement *statement);

/* Whether branch `inner` lies in branch `outer`, or is it. */
bool fortran_branch_in(const struct fortran_text *text, size_t inner, size_t outer);

#endif
