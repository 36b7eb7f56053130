/* How often exchanges of messages above the eager limit go on one after the other. */
#include "bench/find.h"

#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/exchange_fit.h"
#include "measure/exchanges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* So many series tell a probability within 0.15, two standard deviations; of fewer than the least nothing is said. */
enum { SERIES_MOST = 48, SERIES_LEAST = 8 };

static const double BUDGET_PART = 0.07; /* of the time left, that all of it may take */
static const double LEAST_PART = 0.14;  /* ... and the fewest series that say something */
static const double BEHIND_PART = 0.03, BEHIND_LEAST_PART = 0.06; /* likewise, of exchanges behind short ones */
static const double FAR_ABOVE = 1.5;    /* times the eager limit: a message just above it goes as one that is eager
                                         * does */

static const struct size_info *exchange_size(const struct campaign *c)
{
    const struct size_info *found = NULL;
    for (size_t i = c->n_sizes; i > 0 && (double)c->sizes[i - 1].bytes > FAR_ABOVE * (double)c->result->eager_limit;
         i--)
        if (c->sizes[i - 1].one_way > 0)
            found = &c->sizes[i - 1];
    return found;
}

static bool counts_read(const char *note, size_t *known, size_t *n)
{
    return note && sscanf(note, "%zu of %zu", known, n) == 2;
}

static bool exchanges_take(struct campaign *c)
{
    struct exchange_counts n;
    size_t first, end;
    result_notes_under(c->result, NOTE_EXCHANGES, &first, &end);
    if (end < first + 2 || !counts_read(c->result->notes[first].value, &n.first_known, &n.first) ||
        !counts_read(c->result->notes[first + 1].value, &n.later_known, &n.later))
        return false;
    c->result->known_after_rest = exchange_known_after_rest(&n);
    c->result->known = exchange_known(&n);
    return true;
}

static void exchanges_note(struct campaign *c, const struct size_info *size, const struct samples *all)
{
    double *times = alloc_array(all->n + 1, sizeof *times);
    for (size_t i = 0; i < all->n; i++)
        times[i] = 1e-9 * (double)all->ns[i];
    const struct exchange_counts n = exchange_fit(all->n / EXCHANGES, EXCHANGES, times, size->one_way);
    free(times);
    result_heading(c->result, NOTE_EXCHANGES);
    result_note(c->result, 1, "first", "%zu of %zu of %lld bytes, after a rest, are followed by one in which one message passes "
                "after the other", n.first_known, n.first, (long long)size->bytes);
    result_note(c->result, 1, "later", "%zu of %zu, likewise", n.later_known, n.later);
}

/* How many runs of `pairs` each, that take so long in all, or 0: the fewest that say something take too long. */
static int runs_of(const struct campaign *c, int pairs, double seconds, double part, double least_part)
{
    const double one = seconds / campaign_left(c), least = ceil((double)SERIES_LEAST / pairs);
    return least * one <= least_part ? (int)fmin(ceil((double)SERIES_MOST / pairs), fmax(least, part / one)) : 0;
}

static void behind_note(struct campaign *c, int wait, const struct size_info *size, const struct samples *all)
{
    const struct exchange_behind_counts n = exchange_behind_fit(all, size->one_way);
    char key[40];
    snprintf(key, sizeof key, "behind a wait of %.4g us", 1e6 * n.waited);
    result_note(c->result, 1, key, "%zu of %zu, likewise", n.known, n.n);
    c->result->waited[wait] = n.waited;
    c->result->known_after_wait[wait] = (double)n.known / (double)n.n;
}

/* Behind short exchanges, in turn with each of a pair late. */
static void behind_measure(struct campaign *c, int pairs, const struct size_info *size)
{
    double seconds = 0;
    for (int wait = 0; wait < EXCHANGE_WAITS; wait++)
        seconds += exchanges_behind_duration(EXCHANGE_DELAYS[wait], size->one_way);
    int runs = runs_of(c, pairs, seconds, BEHIND_PART, BEHIND_LEAST_PART);
    runs += runs % 2; /* each of a pair as often late */
    if (runs == 0)
        result_note(c->result, 1, "behind short ones", "not measured, for lack of time: %.1f s at least",
                    ceil((double)SERIES_LEAST / pairs) * seconds);
    for (int wait = 0; wait < EXCHANGE_WAITS && runs > 0; wait++) {
        struct exchanges_behind behind = {.pairs = pairs, .bytes = size->bytes, .delay = EXCHANGE_DELAYS[wait]};
        struct samples all;
        samples_init(&all);
        for (int i = 0; i < runs; i++) {
            behind.second_is_late = i % 2 == 1;
            crew_behind(c->crew, &behind, size->one_way, &all);
        }
        behind_note(c, wait, size, &all);
        samples_free(&all);
    }
}

void campaign_find_exchanges(struct campaign *c)
{
    if (exchanges_take(c) || c->options->resume || !c->options->ports || campaign_close(c) < 2)
        return;
    const struct size_info *size = exchange_size(c);
    if (!size)
        return;
    const int pairs = size->copies ? campaign_close_pairs(c) : 1;
    const double seconds = exchanges_duration(size->one_way);
    const int runs = runs_of(c, pairs, seconds, BUDGET_PART, LEAST_PART);
    if (runs == 0) {
        result_heading(c->result, NOTE_EXCHANGES);
        result_note(c->result, 1, "none", "not measured, for lack of time: %.1f s at least",
                    ceil((double)SERIES_LEAST / pairs) * seconds);
        return;
    }
    struct samples all;
    campaign_log(c, "%d times %d exchanges of %lld bytes", runs, pairs, (long long)size->bytes);
    campaign_say(c, "exchanges above the eager limit");
    samples_init(&all);
    for (int i = 0; i < runs; i++)
        crew_exchanges(c->crew, pairs, size->bytes, size->one_way, &all);
    exchanges_note(c, size, &all);
    samples_free(&all);
    behind_measure(c, pairs, size);
    exchanges_take(c);
}
