#include "bench/series.h"

#include "common/alloc.h"

#include <stdlib.h>

/* A process that its scheduler woke a little late has called a little late; ports do not mind. What is later than this
 * part of the rest may belong to a disturbance. Only a process's first call in a repetition has a planned time. */
static const int64_t LATE_PART = 2;

/* What is known of a place while going through the repetitions. */
struct place_state {
    int64_t busy_until;
    int sent_in;         /* the last repetition in which it sent; -1: none */
};

static bool message_is_rested(const struct series_message *m, struct place_state places[], int64_t rest)
{
    bool first = places[m->from].sent_in != m->repetition;
    places[m->from].sent_in = m->repetition;
    return m->call - places[m->from].busy_until >= rest / 2 && m->call - places[m->to].busy_until >= rest / 2 &&
           (!first || m->call - m->planned <= rest / LATE_PART);
}

void series_judge(struct series_message messages[], size_t n, int places, int64_t rest)
{
    struct place_state *states = alloc_array((size_t)places, sizeof *states);
    for (int place = 0; place < places; place++)
        states[place] = (struct place_state){INT64_MIN / 2, -1};
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first; next < n && messages[next].repetition == messages[first].repetition; next++)
            messages[next].valid = message_is_rested(&messages[next], states, rest);
        for (size_t i = first; i < next; i++) {
            struct place_state *const ends[] = {&states[messages[i].from], &states[messages[i].to]};
            for (int k = 0; k < 2; k++)
                if (messages[i].end > ends[k]->busy_until)
                    ends[k]->busy_until = messages[i].end;
        }
    }
    free(states);
}
