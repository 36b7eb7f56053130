/* What a message, and a process that wakes, keeps busy of something that all nodes have in common: looked for where
 * ranks share processors. */
#include "bench/find.h"

#include "estimate/machine/common_fit.h"
#include "estimate/machine/wake_fit.h"
#include "measure/steps.h"

#include <math.h>
#include <stdlib.h>

enum { REPETITIONS_MOST = 60, REPETITIONS_LEAST = 10, POINTS_MOST = 24, LEVELS_USUAL = 4 };
static const double RUN_MOST = 0.6; /* s: then a rank that has failed is heard of, as in crew.c */
/* After which processes are woken, ns: beyond the longest nothing is colder. Each of RESTS of rest.c. */
static const int64_t WAKE_RESTS[] = {1000000, 10000000};
enum { N_WAKE_RESTS = sizeof WAKE_RESTS / sizeof *WAKE_RESTS };

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

/* Of each number of processes: where there are more of these than on 16 nodes, fewer. */
static int repetitions_of(const struct campaign *c, int64_t rest)
{
    int levels = 0;
    for (int nodes = 2; nodes <= c->crew->job->nodes; nodes *= 2)
        levels++;
    const double each = fmin(RUN_MOST, RUN_MOST * LEVELS_USUAL / fmax(levels, 1));
    return (int)fmin(fmax(each / steps_duration(c->crew->job, 1, rest), REPETITIONS_LEAST), REPETITIONS_MOST);
}

/* How a note of waking begins: after which rest, ms, and of how many processes. */
static const char WAKE_KEY[] = "%lf ms, %lf processes";

static double wake_take(const struct campaign *c, int64_t rest)
{
    double processes[POINTS_MOST], last[POINTS_MOST], ms, number;
    size_t first, end, n = 0;
    result_notes_under(c->result, NOTE_WAKING, &first, &end);
    for (size_t i = first; i < end && n < POINTS_MOST; i++)
        if (sscanf(c->result->notes[i].key, WAKE_KEY, &ms, &number) == 2 && llround(1e6 * ms) == rest) {
            processes[n] = number;
            last[n++] = 1e-6 * strtod(c->result->notes[i].value, NULL);
        }
    return n >= 2 ? wake_fit(n, processes, last) : 0;
}

/* The last process's of each repetition; samples stand process by process. */
static void lasts_take(const struct samples *all, int repetitions, struct samples *lasts)
{
    for (size_t i = 0; i < (size_t)repetitions; i++) {
        int64_t last = 0;
        for (size_t k = i; k < all->n; k += (size_t)repetitions)
            last = all->ns[k] > last ? all->ns[k] : last;
        samples_add(lasts, last);
    }
    samples_sort(lasts);
}

static void wake_find(struct campaign *c, int64_t rest)
{
    const int repetitions = repetitions_of(c, rest);
    for (int nodes = 2; nodes <= c->crew->job->nodes; nodes *= 2) {
        struct samples all, lasts;
        char key[48];
        samples_init(&all);
        samples_init(&lasts);
        crew_steps(c->crew, nodes, STEPS_FIRST, repetitions, rest, &all);
        lasts_take(&all, repetitions, &lasts);
        snprintf(key, sizeof key, "%g ms, %d processes", (double)rest * 1e-6, nodes);
        result_note(c->result, 1, key, "%.1f us until the last has been through its first step, the median of %d",
                    samples_median(&lasts) * 1e-3, repetitions);
        samples_free(&all);
        samples_free(&lasts);
    }
}

/* False: the provenance has no notes of it. */
static bool wakes_take(struct campaign *c)
{
    size_t first, end;
    result_notes_under(c->result, NOTE_WAKING, &first, &end);
    double wake[N_WAKE_RESTS];
    for (int i = 0; i < N_WAKE_RESTS; i++)
        wake[i] = wake_take(c, WAKE_RESTS[i]);
    wake_order(N_WAKE_RESTS, wake);
    for (int i = 0; i < N_WAKE_RESTS; i++)
        if (wake[i] > 0)
            result_rest(c->result, WAKE_RESTS[i])->wake = wake[i];
    return end > first;
}

void campaign_find_waking(struct campaign *c)
{
    if (wakes_take(c) || !c->options->ports || c->crew->job->crowding <= 1 ||
        c->crew->job->nodes < 2)
        return;
    campaign_log(c, "looking at processes that wake at one moment");
    campaign_say(c, "processes that wake at one moment");
    result_heading(c->result, NOTE_WAKING);
    for (int i = 0; i < N_WAKE_RESTS; i++)
        wake_find(c, WAKE_RESTS[i]);
    wakes_take(c);
}

void campaign_find_common(struct campaign *c)
{
    const struct job *job = c->crew->job;
    if (common_take(c) || !c->options->ports || job->crowding <= 1)
        return;
    const int repetitions = repetitions_of(c, c->rest);
    campaign_log(c, "looking what nodes have in common");
    campaign_say(c, "what nodes have in common");
    result_heading(c->result, NOTE_COMMON);
    for (int nodes = 2; nodes <= job->nodes; nodes *= 2) {
        struct samples steps;
        char key[32];
        samples_init(&steps);
        crew_steps(c->crew, nodes, STEPS_LATER, repetitions, c->rest, &steps);
        samples_sort(&steps);
        snprintf(key, sizeof key, "%d processes", nodes);
        result_note(c->result, 1, key, "%.1f us for one step", samples_median(&steps) * 1e-3);
        samples_free(&steps);
    }
    common_take(c);
}
