/* group.h - processes of a recording in one trip of the loops. What all of them have is no reason for a condition that parts them. */
#ifndef PEVPM_RECORD_FIT_GROUP_H
#define PEVPM_RECORD_FIT_GROUP_H

#include "record/fit/fit_terms.h"

/* search->group and ->n_groups. */
void groups_make(struct search *search);

/* In which groups samples of a subset have different values, [search->n_groups]. */
void groups_find_mixed(const struct search *search, struct subset subset, bool mixed[]);

/* Does a test part processes of some group, but none of one that has different values? Then it says nothing of them: that both sides
 * have a formula is chance. mask [n]: 0 and 1 its sides; sides [n_groups]: room. */
bool groups_parted_in_vain(const struct search *search, const unsigned char mask[], const bool mixed[], unsigned char sides[]);

#endif
