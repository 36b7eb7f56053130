/* How much later than in the midst of communication a call begins after a rest. */
#include "bench/campaign/campaign_impl.h"

#include "measure/rests.h"

#include <math.h>
#include <stdlib.h>

/* From where nothing has cooled down to where a processor sleeps as deeply as it does; less often where it takes long:
 * 5 s in all. */
static const struct {
    int64_t rest; /* ns */
    int n;
} RESTS[] = {{100000, 50}, {1000000, 50}, {10000000, 40}, {30000000, 25}, {100000000, 13}, {400000000, 6}};
enum { N_RESTS = sizeof RESTS / sizeof *RESTS, REPETITIONS_LEAST = 5 };

static const double BUDGET_PART = 0.2; /* of the time left, that all of it may take */

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
    double duration = 0;
    for (int i = 0; i < N_RESTS; i++)
        duration += rests_duration(RESTS[i].n, RESTS[i].rest);
    const double part = fmin(1, BUDGET_PART * campaign_left(c) / duration);
    for (int i = 0; i < N_RESTS; i++)
        rest_delay_find(c, RESTS[i].rest, (int)fmax(part * RESTS[i].n, REPETITIONS_LEAST));
    rest_delay_take(c);
}
