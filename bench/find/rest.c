/* How much later than in the midst of communication a call begins after a rest. */
#include "bench/find.h"

#include "measure/rests.h"

#include <math.h>
#include <stdlib.h>

enum { REPETITIONS = 50, REPETITIONS_LEAST = 5, RESTS_MOST = 16 };
enum { REST_LEAST = 100000 }; /* ns */

static const double BUDGET_PART = 0.2; /* of the time left, that all of it may take */

/* From where nothing has cooled down, each three times as long, to the one before each measured message, which no
 * prediction asks beyond. Returns how many. */
static size_t rests_choose(const struct campaign *c, int64_t rests[RESTS_MOST])
{
    size_t n = 0;
    for (int64_t rest = REST_LEAST; 2 * rest < c->rest && n + 1 < RESTS_MOST; rest *= 3)
        rests[n++] = rest;
    rests[n++] = c->rest;
    return n;
}

/* False: the provenance has no notes of it. */
static bool rest_delay_take(struct campaign *c)
{
    size_t first, end;
    result_notes_under(c->result, NOTE_REST_DELAY, &first, &end);
    for (size_t i = first; i < end; i++) {
        const struct result_note *note = &c->result->notes[i];
        const int64_t rest = llround(1e6 * strtod(note->key, NULL));
        result_rest(c->result, rest)->delay = 1e-6 * strtod(note->value, NULL);
        c->result->measured_after = (double)c->rest * 1e-9;
    }
    return end > first;
}

static void rest_delay_find(struct campaign *c, int64_t rest, int n)
{
    struct samples later;
    char key[32];
    samples_init(&later);
    crew_rests(c->crew, n, rest, &later);
    samples_sort(&later);
    snprintf(key, sizeof key, "%g ms", (double)rest * 1e-6);
    result_note(c->result, 1, key, "%.3f us later, the median of %d", fmax(0, samples_median(&later) * 1e-3), n);
    samples_free(&later);
}

void campaign_find_rest_delay(struct campaign *c)
{
    if (rest_delay_take(c) || !c->options->ports || c->crew->job->nodes < 2)
        return;
    campaign_log(c, "looking how much later calls begin after rests");
    campaign_say(c, "calls after rests");
    result_heading(c->result, NOTE_REST_DELAY);
    int64_t rests[RESTS_MOST];
    const size_t n = rests_choose(c, rests);
    double duration = 0;
    for (size_t i = 0; i < n; i++)
        duration += rests_duration(REPETITIONS, rests[i]);
    const double part = fmin(1, BUDGET_PART * campaign_left(c) / duration);
    for (size_t i = 0; i < n; i++)
        rest_delay_find(c, rests[i], (int)fmax(part * REPETITIONS, REPETITIONS_LEAST));
    rest_delay_take(c);
}
