/* site.h - where calls stand, under one number in all recordings of a program.
 *
 * A site is an operation with the call path that led to it, as build-ids and offsets in files, so that it is the
 * same in every process and run of the same binary. */
#ifndef PEVPM_RECORD_SITE_H
#define PEVPM_RECORD_SITE_H

#include "record/recording.h"

struct site_frame {
    int module;                    /* index into modules; -1: not known */
    uint64_t offset;
};

struct recorded_site {
    enum operation op;
    int path;                      /* the first site of the same call path */
    int as;                        /* the site that stands for it: itself, or what it was joined with */
    int direction;                 /* of direction.h, where calls are told apart by it; else -1 */
    int among;                     /* of among.h, the same */
    int n;
    struct site_frame *frames;     /* [n] the innermost first */
};

struct site_table {
    int n_modules;
    struct recorded_module *modules; /* texts are borrowed from the recordings */
    int n, capacity;
    struct recorded_site *sites;
    int n_buckets;
    int *buckets, *next;
    struct arena memory;
};

void site_table_init(struct site_table *table);
void site_table_free(struct site_table *table);

/* The site of an operation at a call path of a process. */
/* Its `path` stands for the call path alone. */
int site_find(struct site_table *table, const struct recorded_process *process, enum operation op, int path);
/* The same where calls of one path are told apart by their directions, or by what they are on; -1: not by that. */
int site_find_apart(struct site_table *table, const struct recorded_process *process, enum operation op, int path,
                    int direction, int among);

/* Two sites become one, which the first found stands for. False: they were. */
bool site_join(struct site_table *table, int a, int b);

/* The number that `path` of sites has for a call path of a process; -1: no site has it. */
int site_path(const struct site_table *table, const struct recorded_process *process, int path);

/* Do two calls stand in one run of a function? */
bool site_beside(const struct site_table *table, int a, int b);

/* Does a call from site a stand before one from b in the code of the first function in which their paths part? */
bool site_before(const struct site_table *table, int a, int b);

#endif
