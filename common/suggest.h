/* suggest.h - "did you mean": the nearest of a list of names. */
#ifndef PEVPM_COMMON_SUGGEST_H
#define PEVPM_COMMON_SUGGEST_H

#include <stddef.h>

/* The candidate nearest to the n bytes at `name` by edit distance (insert, delete, replace, swap neighbours; letter
 * case costs nothing), or NULL when none is nearer than a third of the longer length (at least 1, at most 3).
 * candidates: [count], borrowed; NULL entries are skipped. Ties go to the earlier of those that are
 * its letters in another order, or else of all. */
const char *suggest_name(const char *name, size_t n, const char *const candidates[], size_t count);

#endif
