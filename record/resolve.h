/* resolve.h - where in the source an address of a recording is.
 *
 * The file that the address was in is read again, with elfutils, if it still has the build-id that was recorded. With
 * debugging information the place is a line ("cg.f:583, in conj_grad"), also of a call that the compiler put in line;
 * without it a symbol and an offset, and where there is neither, the file and the offset. Of a library without lines it
 * is also where it was called: "ncmpio_file_sync+0x4c, called at weather.c:120, in output". */
#ifndef PEVPM_RECORD_RESOLVE_H
#define PEVPM_RECORD_RESOLVE_H

#include "record/site.h"

/* The place of each site, in memory: [table->n]. Files that are not as they were recorded, or have no line numbers, are
 * said in a note, once. */
const char **resolve_sites(const struct site_table *table, struct arena *memory, struct diags *diags);

/* A call that led to a site. */
struct resolved_frame {
    const char *file, *function;   /* file: the whole path, NULL: not known; function "": not known */
    int line;
    const char *declared_in;       /* the file that defines the function; NULL: not known */
    int declared;                  /* and the line; 0: not known */
    int before;                    /* where the two lines are one: the last other line of the code before; 0: not known */
};

struct resolved_path {
    int n;
    struct resolved_frame *frames; /* [n] the innermost first, those that were put in line too */
};

/* The call path of each site, in memory: [table->n]. Notes likewise. */
struct resolved_path *resolve_paths(const struct site_table *table, struct arena *memory, struct diags *diags);

#endif
