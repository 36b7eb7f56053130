#include "clock/verify_impl.h"

#include "common/alloc.h"

#include <stdlib.h>

enum { TAG_PING = TAG_VERIFY, TAG_PONG, TAG_STAMPS, MOST_TALK = 200000 };
/* A local clock may run this much faster or slower than the global one: quartz, and what tests inject. */
static const double RATE_MOST = 300e-6;

/* Of one round trip, by the side that is asked: on the global clock, and how long it held the message by its own. */
struct answer {
    int64_t received, sent, held;
};

struct verify_talk {
    int partner;             /* -1: none at this distance */
    bool asks;
    size_t n;
    struct { int64_t first, second; } *stamps; /* [n] local: asked: received, sent; asking: sent, received */
};

struct verify_talk *verify_talk(const struct clock *clock, int distance, int64_t time_ns)
{
    struct verify_talk *talk = alloc_zeroed(1, sizeof *talk);
    talk->asks = clock->rank / distance % 2 == 0;
    talk->partner = clock->rank + (talk->asks ? distance : -distance);
    if (talk->partner >= clock->size) {
        talk->partner = -1;
        return talk;
    }
    talk->stamps = alloc_array(MOST_TALK, sizeof *talk->stamps);
    int64_t end = clock_now(clock) + time_ns;
    char more = 1;
    while (more) {
        int64_t first, second;
        if (talk->asks) {
            more = talk->n + 1 < MOST_TALK && clock_now(clock) < end;
            first = clock_now(clock);
            MPI_Send(&more, 1, MPI_BYTE, talk->partner, TAG_PING, clock->comm);
            MPI_Recv(&more, 1, MPI_BYTE, talk->partner, TAG_PONG, clock->comm, MPI_STATUS_IGNORE);
            second = clock_now(clock);
        } else {
            MPI_Recv(&more, 1, MPI_BYTE, talk->partner, TAG_PING, clock->comm, MPI_STATUS_IGNORE);
            first = clock_now(clock);
            second = clock_now(clock);
            MPI_Send(&more, 1, MPI_BYTE, talk->partner, TAG_PONG, clock->comm);
        }
        talk->stamps[talk->n].first = first;
        talk->stamps[talk->n++].second = second;
    }
    return talk;
}

static void judge_one_way(struct verify_messages *messages, int64_t took)
{
    messages->n_backwards += took < 0;
    messages->shortest = messages->n == 0 || took < messages->shortest ? took : messages->shortest;
    messages->n++;
    histogram_add(&messages->one_way, took, 1);
}

/* The round trip by the asker's own clock less the time the answerer held it by his must be the two ways by the global
 * one, but for the rates of the two local clocks and four roundings. */
static void judge_sum(struct verify_messages *messages, int64_t ways, int64_t round_trip, int64_t held)
{
    int64_t allowed = 4 + (int64_t)(RATE_MOST * (double)(round_trip + held));
    int64_t gap = llabs(ways - (round_trip - held));
    gap = gap > allowed ? gap - allowed : 0;
    messages->n_unequal += gap > 0;
    messages->largest_gap = gap > messages->largest_gap ? gap : messages->largest_gap;
}

static void judge_answers(const struct clock *clock, const struct verify_talk *talk, const struct answer answers[],
                          struct verify_messages *messages)
{
    for (size_t i = 0; i < talk->n; i++) {
        int64_t sent = talk->stamps[i].first, received = talk->stamps[i].second;
        int64_t there = answers[i].received - clock_global(clock, sent);
        int64_t back = clock_global(clock, received) - answers[i].sent;
        judge_one_way(messages, there);
        judge_one_way(messages, back);
        judge_sum(messages, there + back, received - sent, answers[i].held);
    }
}

void verify_talk_judge(const struct clock *clock, struct verify_talk *talk, struct verify_messages *messages)
{
    struct answer *answers = alloc_array(talk->n, sizeof *answers);
    int bytes = (int)(talk->n * sizeof *answers);
    if (talk->partner >= 0 && talk->asks) {
        MPI_Recv(answers, bytes, MPI_BYTE, talk->partner, TAG_STAMPS, clock->comm, MPI_STATUS_IGNORE);
        judge_answers(clock, talk, answers, messages);
    } else if (talk->partner >= 0) {
        for (size_t i = 0; i < talk->n; i++) {
            int64_t received = talk->stamps[i].first, sent = talk->stamps[i].second;
            answers[i] = (struct answer){clock_global(clock, received), clock_global(clock, sent), sent - received};
        }
        MPI_Send(answers, bytes, MPI_BYTE, talk->partner, TAG_STAMPS, clock->comm);
    }
    free(answers);
    free(talk->stamps);
    free(talk);
}
