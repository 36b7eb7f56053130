/* write.h - the source with directives in it, as comments beside what they describe. */
#ifndef PEVPM_ANNOTATE_WRITE_H
#define PEVPM_ANNOTATE_WRITE_H

#include "annotate/phrase.h"

struct line_added {
    int file, line;            /* before this line of the file */
    bool ends;                 /* a function, and what in it ends there */
    char *text;                /* without the line end */
};

struct lines_added {
    size_t n, capacity;
    struct line_added *list;   /* in the order of each file's lines */
};

/* What is added to the files of the plan. Ends with lines_free. */
void lines_make(struct lines_added *lines, struct phrases *phrases);
void lines_free(struct lines_added *lines);

/* A file of the plan with what is added to it. */
void lines_write(const struct lines_added *lines, const struct plan *plan, int file, FILE *out);

#endif
