/* clone.h - one call of the source that a compiler made two of.
 *
 *     if (first) exchange(a);      who has done the first may know the second condition, and jumps to a copy of what
 *     if (last)  exchange(b);      follows: exchange(b) then returns to either of two addresses
 *
 * A process comes to one of the copies, and which one may depend on how many processes there are. All copies have
 * the lines of the source that the call has. */
#ifndef PEVPM_RECORD_CLONE_H
#define PEVPM_RECORD_CLONE_H

#include "record/recording.h"
#include "record/resolve.h"
#include "record/site.h"

/* In recordings of one program: call paths that differ in addresses alone, with the same lines in all frames, become
 * one where no process was on two of them. Without line numbers all stays as it is. */
void recordings_join_clones(size_t n, struct recording recordings[]);

/* The same in two steps: the call paths, one site for each, in a table that site_table_free ends; and the joining, by
 * the lines [paths->n] of these. Returns how many paths were joined to others. */
void clone_paths(struct site_table *paths, size_t n, const struct recording recordings[]);
size_t clone_join(const struct site_table *paths, const struct resolved_path lines[], size_t n,
                  struct recording recordings[]);

#endif
