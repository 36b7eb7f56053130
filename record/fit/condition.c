#include "record/fit/fit_terms.h"

#include "record/fit/neighbour.h"
#include "record/fit/number.h"
#include "record/fit/term.h"
#include "record/fit/tree.h"
#include "record/fit/turn.h"

#include <string.h>

/* Is a process the first or last of so many, or in the first or last row of so many? The one that the sign prefers is
 * asked first. */
static void add_tests_of(struct search *search, const struct candidate *part)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs, *t = part->text;
    search->grids = part->grids;
    for (int turn = 0; turn < 2; turn++)
        if ((turn == 0) == (search->names->sign <= 0)) {
            EACH(p % AT(*part) == 0); test_add(search, search_text(search, "%s%%%s == 0", p_, t));
        } else {
            EACH(p % AT(*part) == AT(*part) - 1); test_add(search, search_text(search, "%s%%%s == %s", p_, t, text_last(search, t)));
        }
    for (int turn = 0; turn < 2; turn++)
        if ((turn == 0) == (search->names->sign <= 0)) {
            EACH(p / AT(*part) == 0); test_add(search, search_text(search, "%s < %s", p_, t));
        } else {
            EACH(p >= P - AT(*part)); test_add(search, search_text(search, "%s >= %s-%s", p_, P_, t));
        }
    if (part != search->parts) { /* procnum%2 stands where the part 2 does */
        EACH(p / AT(*part) % 2 == 0); test_add(search, search_text(search, "%s/%s%%2 == 0", p_, t));
    }
    for (int64_t c = 1; c < 4; c++) {
        EACH(p % AT(*part) == c);
        test_add(search, strcmp(t, P_) == 0 ? search_text(search, "%s == %d", p_, (int)c)
                                            : search_text(search, "%s%%%s == %d", p_, t, (int)c));
    }
}

/* Likewise in a grid of a x b. */
static void add_tests_of_two(struct search *search, const struct candidate *a, const struct candidate *b)
{
    const char *p_ = search->names->procnum;
    search->grids = a->grids | b->grids;
    for (int turn = 0; turn < 2; turn++)
        if ((turn == 0) == (search->names->sign <= 0)) {
            EACH(p / AT(*a) % AT(*b) == 0);
            test_add(search, search_text(search, "%s/%s%%%s == 0", p_, a->text, b->text));
        } else {
            EACH(p / AT(*a) % AT(*b) == AT(*b) - 1);
            test_add(search, search_text(search, "%s/%s%%%s == %s", p_, a->text, b->text, text_last(search, b->text)));
        }
}

/* Which process, lap or number of processes is it, of the few that are named by a number? */
static void add_tests_of_numbers(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    int64_t most = 0;
    for (size_t i = 0; i < search->n; i++)
        most = search->samples[i].numprocs > most ? search->samples[i].numprocs : most;
    for (int64_t c = 1; c < most && c < 4; c++) {
        EACH(p == c); test_add(search, search_text(search, "%s == %d", p_, (int)c));
    }
    for (int i = 0; i < search->names->n_loops; i++)
        for (int64_t c = 1; c < 4; c++) {
            EACH(s->index[i] < c); test_add(search, search_text(search, "%s < %d", search->names->loop[i], (int)c));
            EACH(s->index[i] == c); test_add(search, search_text(search, "%s == %d", search->names->loop[i], (int)c));
        }
    for (int i = 0; i < search->names->n_loops; i++) { /* in turn with one side and the other */
        EACH((p + s->index[i]) % 2 == 0);
        test_add(search, search_text(search, "(%s+%s)%%2 == 0", p_, search->names->loop[i]));
    }
    EACH(number_log2(P) % 2 == 0); test_add(search, search_text(search, "ilog2(%s)%%2 == 0", P_));
    for (int64_t c = 1; 2 * c <= most; c *= 2) {
        EACH(P > c); test_add(search, search_text(search, "%s > %d", P_, (int)c));
    }
}

void search_make_tests(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    const struct candidate *parts = search->parts;
    size_t n = search->n_parts;
    if (search->names->in_line && direction_is_across(search->names->direction))
        across_add_test(search);
    if (search->names->in_line)
        ends_add(search);
    EACH(p == 0); test_add(search, search_text(search, "%s == 0", p_));
    EACH(p == P - 1); test_add(search, search_text(search, "%s == %s-1", p_, P_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i] == 0); test_add(search, search_text(search, "%s == 0", name));
        EACH(p <= s->index[i]); test_add(search, search_text(search, "%s <= %s", p_, name));
        EACH(p > s->index[i]); test_add(search, search_text(search, "%s > %s", p_, name));
        EACH(s->index[i] == P - 2); test_add(search, search_text(search, "%s == %s-2", name, P_));
        if (search->names->trips && search->names->trips[i]) {
            EACH(s->index[i] == s->trips[i] - 1);
            test_add(search, search_text(search, "%s == %s", name, text_last(search, search->names->trips[i])));
        }
    }
    ends_add(search);
    for (size_t a = 0; a < n; a++)
        add_tests_of(search, &parts[a]);
    for (size_t a = 1; a < n; a++)
        for (size_t b = 1; b < n; b++)
            add_tests_of_two(search, &parts[a], &parts[b]);
    search->grids = 0;
    add_tests_of_numbers(search);
    periods_add_tests(search);
    for (int loop = 0; loop < search->names->n_loops; loop++)
        odd_trips_add_tests(search, loop);
    for (int loop = search->names->n_loops - 1; loop >= 0; loop--) {
        EACH(s->index[loop] % P == p);
        test_add(search, search_text(search, "%s%%%s == %s", search->names->loop[loop], P_, p_));
        EACH((s->index[loop] + 1) % P == p); /* whose turn is next */
        test_add(search, search_text(search, "(%s+1)%%%s == %s", search->names->loop[loop], P_, p_));
        owners_add_tests(search, loop);
    }
    tree_add_tests(search);
    corners_add_tests(search);
}
