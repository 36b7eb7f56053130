/* table.h - which collective operations are carried out otherwise than the MPI library would, and how: `decisions:` of
 * a machine file.
 *
 * SPDX-License-Identifier: MIT
 *
 * docs/machine-file.md describes the section. The reader here is one of exactly the lines that machine files are
 * written with:
 *
 *     decisions:
 *       per: node
 *       table:
 *         - {operation: MPI_Gather, numprocs: 16, bytes: [2049, 65536], piece: 2048}
 *         - {operation: MPI_Scatterv, numprocs: 4, bytes: [1, 1048576], tree: binomial, mapping: [0, 3, 1, 2]}
 *
 * Comments and empty lines may stand between them; the rest of the file is not looked at. A program that is linked with
 * this library gets no YAML library with it; what a person has laid out in another way is refused, not guessed.
 * No MPI here. */
#ifndef PEVPM_COLL_TABLE_H
#define PEVPM_COLL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, what has shares of its own for each process, what goes to the root) */
#define COLL_OP_LIST(X)         \
    X(MPI_Bcast, false, false)  \
    X(MPI_Scatter, false, false) \
    X(MPI_Scatterv, true, false) \
    X(MPI_Gather, false, true)  \
    X(MPI_Gatherv, true, true)
enum coll_op {
#define X(name, v, up) COLL_##name,
    COLL_OP_LIST(X)
#undef X
    N_COLL_OPS
};
const char *coll_op_name(enum coll_op op);
bool coll_op_parse(const char *name, size_t length, enum coll_op *op);
bool coll_op_is_v(enum coll_op op);
bool coll_op_goes_up(enum coll_op op);

/* How an operation of numprocs processes is carried out whose messages have `from` to `to` bytes: of the vector
 * (Bcast), of a share, of the mean share (Scatterv, and a Gatherv over a tree: choice.h). In pieces, or over a binomial
 * tree. */
struct coll_row {
    enum coll_op op;
    int numprocs;
    int64_t from, to;
    int64_t piece;    /* the most bytes that a message of a Gather, a Gatherv has; 0: over a tree */
    int *mapping;     /* [numprocs] the node at each position of the tree, the root's first; NULL: any root, and ranks
                       * in their order from it on */
};

struct coll_table {
    bool per_process; /* nodes are processes, by their ranks in MPI_COMM_WORLD; else each process is on a node of its
                       * own */
    size_t n;
    struct coll_row *rows;
};

enum coll_read { COLL_READ, COLL_NO_TABLE, COLL_MALFORMED };

/* Reads the section from the text of a machine file, which ends with a zero. COLL_MALFORMED: `line` of the text, from
 * 1, is none that can stand there. What was read is the caller's in every case (coll_table_free). */
enum coll_read coll_table_read(struct coll_table *table, const char *text, int *line);
void coll_table_free(struct coll_table *table);

/* The lines of the section in the text, and how many bytes they have; NULL: it has none. */
const char *coll_section(const char *text, size_t *length);

/* Whether there is a line for the operation on so many processes. */
bool coll_table_knows(const struct coll_table *table, enum coll_op op, int numprocs);

#endif
