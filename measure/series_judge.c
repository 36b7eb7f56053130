#include "measure/series.h"

#include "common/alloc.h"

#include <stdlib.h>

/* A process that its scheduler woke a little late has called a little late; ports do not mind. Where one starts later
 * than this part of the rest, fewer messages are at once in its group than there are meant to be, and a machine that
 * processes share was perhaps not at work. Only a process's first call in a repetition has a planned time. */
static const int64_t LATE_PART = 6;

/* What is known of a place while going through the repetitions. */
struct place_state {
    int64_t busy_until;
    int sent_in;         /* the last repetition in which it sent; -1: none */
};

static bool message_is_rested(const struct series_message *m, const struct place_state places[], int64_t rest)
{
    return m->call - places[m->from].busy_until >= rest / 2 && m->call - places[m->to].busy_until >= rest / 2;
}

/* Whether no process started late, of the first trips of a group's messages in a repetition. */
static bool all_started(const struct series_message messages[], size_t n, struct place_state places[], int64_t late)
{
    bool punctual = true;
    for (size_t i = 0; i < n && messages[i].trip == 0; i++) {
        const struct series_message *m = &messages[i];
        const bool first = places[m->from].sent_in != m->repetition;
        places[m->from].sent_in = m->repetition;
        punctual = punctual && (!first || m->call - m->planned <= late);
    }
    return punctual;
}

static bool same_group(const struct series_message *a, const struct series_message *b)
{
    return a->repetition == b->repetition && a->copy == b->copy;
}

void series_judge(struct series_message messages[], size_t n, int places, int64_t rest, int64_t late)
{
    const int64_t late_most = late > rest / LATE_PART ? late : rest / LATE_PART;
    struct place_state *states = alloc_array((size_t)places, sizeof *states);
    for (int place = 0; place < places; place++)
        states[place] = (struct place_state){INT64_MIN / 2, -1};
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first; next < n && same_group(&messages[next], &messages[first]);)
            next++;
        const bool punctual = all_started(messages + first, next - first, states, late_most);
        bool all = punctual; /* of the first trips */
        for (size_t i = first; i < next; i++) {
            messages[i].valid = messages[i].trip == 0 ? punctual && message_is_rested(&messages[i], states, rest) : all;
            all = all && messages[i].valid;
        }
        for (size_t i = first; i < next; i++) {
            struct place_state *const ends[] = {&states[messages[i].from], &states[messages[i].to]};
            for (int k = 0; k < 2; k++)
                if (messages[i].end > ends[k]->busy_until)
                    ends[k]->busy_until = messages[i].end;
        }
    }
    free(states);
}
