/* names.h - identifiers: each text is kept once, with what it is known to stand for. The directives of a program have
 * one table, and the host source of each of its files another.
 *
 * A hash table from text to struct name. Names stay where they are, so a pointer to one is good until names_free. */
#ifndef PEVPM_DIRECTIVES_PARSE_NAMES_H
#define PEVPM_DIRECTIVES_PARSE_NAMES_H

#include "common/alloc.h"
#include "directives/tree.h"

#include <stddef.h>

struct name {
    const char *text;
    int variable, request, region, window; /* indices into the tree's, -1: none */
    int parameter;                /* the parameter that the name stands for, -1: none (yet) */
    int definition;               /* -D: index into the definitions, -1: none */
    int param;                    /* Param lines: index into the parser's list, -1: none */
    struct procedure *procedure;
    /* The innermost Loop or Procedure around the directive being checked that declares the name. */
    enum symbol_kind bound;
    const void *declaration;      /* NULL: none */
    int argument;
    struct host_constant *constant, *last_constant; /* its declarations in the host source */
    enum { READABLE_UNKNOWN, READABLE_YES, READABLE_NO } readable; /* one of these can be read */
    int change;                   /* a host without scopes: what changes the name, enum host_change of host/change.h */
    struct place changed_at;
    bool starting;                /* a parameter whose expression is being resolved */
    bool cycle_reported, values_reported; /* that it refers to itself; that it has two values */
    bool request_started;
    int machine_row;              /* a machine: the row of Serial lines that named it last, statement number + 1 */
    struct place machine_at;      /* and where */
    struct name *next;            /* of all, in the order in which they were first seen */
};

struct names {
    struct name **slots;
    size_t n, n_slots;
    struct name *first, *last;
    struct arena *memory;         /* borrowed */
};

void names_init(struct names *names, struct arena *memory);
void names_free(struct names *names);

/* The name of n bytes; made when it is new. */
struct name *names_get(struct names *names, const char *text, size_t n);

#endif
