/* term.h - a term on its way into the lists of a search (fit_terms.h): its values in search->work, the grids that it knows in
 * search->grids, its text. For those who make terms. */
#ifndef PEVPM_RECORD_TERM_H
#define PEVPM_RECORD_TERM_H

#include "record/fit/fit_terms.h"

/* Fills search->work from an expression over p (procnum), P (numprocs) and s (the sample). */
#define EACH(expression)                                                  \
    for (size_t k_ = 0; k_ < search->m; k_++) {                           \
        const struct fit_sample *s = &search->beyond[k_];                 \
        int64_t p = s->procnum, P = s->numprocs;                          \
        (void)p;                                                          \
        (void)P;                                                          \
        search->work[k_] = (expression);                                  \
    }
#define AT(candidate) ((candidate).value[k_])

/* One of no list, with the values of search->work. */
struct candidate candidate_make(struct search *search, const char *text);

/* Adds search->work to a list, with a text that lives as long as the search, unless it says nothing new there:
 *   part     a divisor that no other part is; nothing is added where a sample has less than 1
 *   whole    one with the same value for each sample as an earlier one stands behind that (candidate.alike)
 *   test     likewise; nothing is added that is true for all samples, or for none
 *   law      whatever there is */
void part_add(struct search *search, const char *text);
void whole_add(struct search *search, const char *text);
void test_add(struct search *search, const char *text);
void law_add(struct search *search, const char *text);

/* In which of the parts a process is: procnum/1 is procnum. */
const char *text_over(struct search *search, const char *part);
/* A part less another one, and the last of it: 2-1 is 1. */
const char *text_less(struct search *search, const char *part, const char *by);
const char *text_last(struct search *search, const char *part);

#endif
