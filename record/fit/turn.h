/* turn.h - what the trip of a loop says: its place in a period (period.h), whose turn it is (owner.h), and which trip of which
 * round it is where two loops are one. Terms of a search (fit_terms.h). */
#ifndef PEVPM_RECORD_TURN_H
#define PEVPM_RECORD_TURN_H

#include "record/fit/fit_terms.h"

/* search->periods, of its samples. */
void periods_seek(struct search *search);
/* Which of its period's trips is this place? As text: "i%3". */
int64_t period_trip(const struct search *search, const struct period *period, size_t place);
const char *period_text(struct search *search, const struct period *period);
/* Among the wholes; among the tests, whether it is an odd one. */
void periods_add(struct search *search);
void periods_add_tests(struct search *search);

/* Among the tests, which trip it is, of the few that alone are others (period.h). */
void odd_trips_add_tests(struct search *search, int loop);

/* Has process 0 workers wherever it was recorded? */
bool search_has_workers(const struct search *search);
/* Whom a trip of a loop is about, among all and among the workers of process 0, where there is one thing at least for each: as a
 * whole, also behind one's own turn; as a test, whether it is oneself. */
void owners_add(struct search *search, int loop);
void owners_add_tests(struct search *search, int loop);
/* All processes, or the workers of process 0, in each trip of an outer loop that is one with this one. */
void rounds_add(struct search *search, int loop);

#endif
