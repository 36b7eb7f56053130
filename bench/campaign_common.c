/* What a message keeps busy of something that all nodes have in common: looked for where ranks share processors. */
#include "bench/campaign_impl.h"

#include "estimate/common_fit.h"
#include "measure/steps.h"

#include <math.h>
#include <stdlib.h>

enum { REPETITIONS_MOST = 60, REPETITIONS_LEAST = 10, POINTS_MOST = 24 };
static const double RUN_MOST = 0.6; /* s: then a rank that has failed is heard of, as in crew.c */

/* False: the provenance has no notes of it. */
static bool common_take(struct campaign *c)
{
    double processes[POINTS_MOST], step[POINTS_MOST];
    size_t first, end, n = 0;
    result_notes_under(c->result, NOTE_COMMON, &first, &end);
    for (size_t i = first; i < end && n < POINTS_MOST; i++, n++) {
        processes[n] = strtod(c->result->notes[i].key, NULL);
        step[n] = 1e-6 * strtod(c->result->notes[i].value, NULL);
    }
    c->result->common_gap = n >= 2 ? common_fit(n, processes, step) : 0;
    return n > 0;
}

void campaign_find_common(struct campaign *c)
{
    const struct job *job = c->crew->job;
    if (common_take(c) || !c->options->ports || job->crowding <= 1)
        return;
    const double fit = RUN_MOST / steps_duration(1, c->rest);
    const int repetitions = (int)fmin(fmax(fit, REPETITIONS_LEAST), REPETITIONS_MOST);
    campaign_say(c, "what nodes have in common");
    result_heading(c->result, NOTE_COMMON);
    for (int nodes = 2; nodes <= job->nodes; nodes *= 2) {
        struct samples steps;
        char key[32];
        samples_init(&steps);
        crew_steps(c->crew, nodes, repetitions, c->rest, &steps);
        samples_sort(&steps);
        snprintf(key, sizeof key, "%d processes", nodes);
        result_note(c->result, 1, key, "%.1f us for one step", samples_median(&steps) * 1e-3);
        samples_free(&steps);
    }
    common_take(c);
}
