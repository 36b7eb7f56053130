// SPDX-License-Identifier: MIT
/* What the library knows of the whole job, from its start to its end. */
#include "coll/coll.h"
#include "coll/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct coll coll;

enum { FILE_MOST = 256 << 20, SECTION_MOST = 64 << 20 }; /* bytes; as the tool reads, and a million lines */

/* ---- the file, on rank 0 ---- */

static void say(const char *path, const char *what)
{
    fprintf(stderr, "pevpm-coll: %s: %s: the MPI library's own collectives are used\n", path, what);
}

/* All of a file; NULL, and errno is set. */
static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 0, got = 1;
    char *text = NULL;
    errno = file ? 0 : errno;
    while (file && got > 0) {
        if (room - length < 2)
            text = realloc(text, room = 2 * room + (1 << 16));
        if (!text || length > FILE_MOST) {
            errno = EFBIG;
            break;
        }
        got = fread(text + length, 1, room - length - 1, file);
        length += got;
    }
    bool failed = !file || ferror(file) || errno == EFBIG;
    int error = errno;
    if (file)
        fclose(file);
    if (failed) {
        free(text);
        errno = error;
        return NULL;
    }
    text[length] = 0;
    return text;
}

/* The section's lines, that can be read: terminated, the caller's. NULL: that was said. */
static char *section_read(const char *path)
{
    if (!path || !*path) {
        fprintf(stderr, "pevpm-coll: PEVPM_COLL names no machine file: the MPI library's own collectives are used\n");
        return NULL;
    }
    char *text = file_text(path), *section = NULL, what[80];
    if (!text) {
        say(path, strerror(errno));
        return NULL;
    }
    struct coll_table table;
    int line = 0;
    size_t length;
    enum coll_read read = coll_table_read(&table, text, &line);
    coll_table_free(&table);
    const char *lines = coll_section(text, &length);
    if (read == COLL_READ && length < SECTION_MOST) {
        section = coll_memory(length + 1, 1);
        memcpy(section, lines, length);
    } else {
        snprintf(what, sizeof what, "line %d is none that `decisions` can have", line);
        say(path, read == COLL_NO_TABLE ? "has no `decisions`" : what);
    }
    free(text);
    return section;
}

/* ---- all processes ---- */

/* Nodes are counted as pevpm-bench and pevpm-estimate count them: in the order of their lowest ranks. */
static void nodes_count(int rank)
{
    int *lowest = coll_memory((size_t)coll.world, sizeof *lowest), first = rank, nodes = 0;
    MPI_Comm node;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    PMPI_Allgather(&first, 1, MPI_INT, lowest, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < coll.world; i++)
        coll.node[i] = lowest[i] == i ? nodes++ : coll.node[lowest[i]];
    free(lowest);
}

void coll_start(void)
{
    int rank, read_line;
    if (coll.started)
        return;
    coll.started = true;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &coll.world);
    char *section = rank == 0 ? section_read(getenv("PEVPM_COLL")) : NULL;
    int length = section ? (int)strlen(section) : 0;
    PMPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (length == 0)
        return;
    if (rank > 0)
        section = coll_memory((size_t)length + 1, 1);
    PMPI_Bcast(section, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    coll_table_read(&coll.table, section, &read_line); /* rank 0 has read it already */
    free(section);
    coll.node = coll_memory((size_t)coll.world, sizeof *coll.node);
    for (int i = 0; i < coll.world; i++)
        coll.node[i] = i;
    if (!coll.table.per_process)
        nodes_count(rank);
    coll.keyval = place_keyval_create();
    coll.reports = rank == 0 && getenv("PEVPM_COLL_REPORT");
    coll.on = coll.table.n > 0;
    for (int op = 0; coll.on && op < N_COLL_OPS; op++)
        if (coll_table_knows(&coll.table, (enum coll_op)op, coll.world)) {
            place_of(MPI_COMM_WORLD); /* not in the program's first operation, which would wait for it */
            break;
        }
}

void coll_finish(void)
{
    for (int op = 0; coll.on && coll.reports && op < N_COLL_OPS; op++)
        if (coll.served[op] + coll.passed[op] > 0)
            fprintf(stderr, "pevpm-coll: %s: %ld times by decision, %ld times the MPI library's own\n",
                    coll_op_name((enum coll_op)op), coll.served[op], coll.passed[op]);
    coll.on = false; /* our communicators end with MPI */
}
