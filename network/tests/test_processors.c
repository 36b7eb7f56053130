/* Processors that processes share as they wake, against a twin that goes on from event to event: a queue of those that wait,
 * one of which is served at a time. */
#include "network/processors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 60, ROUNDS = 2000 };

struct waking {
    double at, work, awake;
};

/* At each event the processors are done with one, or one more has come. */
static void twin(int n, const struct waking who[], double awake[])
{
    int line[MOST], first = 0, last = 0, come = 0;
    double ends = INFINITY; /* of the one at the head of the line */
    while (come < n || first < last) {
        if (come < n && who[come].at < ends) {
            if (first == last)
                ends = who[come].at + who[come].work;
            line[last++] = come++;
            continue;
        }
        awake[line[first++]] = ends;
        ends = first < last ? ends + who[line[first]].work : INFINITY;
    }
}

static double random_part(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24);
}

static void as_a_queue_event_by_event(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < ROUNDS; round++) {
        const int n = 1 + round % MOST;
        const double apart = 4 * random_part(&random);
        struct waking who[MOST];
        double awake[MOST], until = PROCESSORS_IDLE;
        for (int i = 0; i < n; i++) {
            /* some at one moment; no end of one is another's beginning */
            const double step = random_part(&random) < 0.3 ? 0 : apart * random_part(&random);
            who[i].at = (i > 0 ? who[i - 1].at : 0) + step;
            who[i].work = 0.1 + random_part(&random);
            who[i].awake = processors_wake(&until, who[i].at, who[i].work);
        }
        twin(n, who, awake);
        for (int i = 0; i < n; i++)
            assert_true(who[i].awake == awake[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_queue_event_by_event)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
