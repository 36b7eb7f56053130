#include "survey/trial.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

enum { TAG_DATA = 1, TAG_MORE = 2 };
#define REPETITION_MOST 1.0 /* s: what one may take before the watch (measure/watch.h) asks */

static void send(const struct trial *t, int64_t bytes, int to)
{
    MPI_Send(t->buffer, (int)bytes, MPI_BYTE, to, TAG_DATA, t->comm);
}

static void receive(const struct trial *t, int64_t bytes, int from)
{
    MPI_Recv(t->buffer, (int)bytes, MPI_BYTE, from, TAG_DATA, t->comm, MPI_STATUS_IGNORE);
}

static int64_t now(const struct trial *t)
{
    return clock_now(t->job->clock);
}

/* ---- node[0] ---- */

static int64_t lead_round_trip(const struct trial *t, const struct experiment *e)
{
    int64_t start = now(t);
    send(t, e->there, e->node[1]);
    receive(t, e->back, e->node[1]);
    return now(t) - start;
}

static int64_t lead_to_two(const struct trial *t, const struct experiment *e)
{
    int64_t start = now(t);
    send(t, e->there, e->node[1]);
    send(t, e->there, e->node[2]);
    receive(t, 0, e->node[1]);
    receive(t, 0, e->node[2]);
    return now(t) - start;
}

static int64_t lead_send(const struct trial *t, const struct experiment *e)
{
    int64_t start = now(t);
    send(t, e->there, e->node[1]);
    int64_t took = now(t) - start;
    receive(t, 0, e->node[1]);
    return took;
}

/* After twice what it took to come a moment ago the message is there. */
static int64_t lead_late_receive(const struct trial *t, const struct experiment *e)
{
    int64_t start = now(t);
    send(t, 0, e->node[1]);
    receive(t, e->back, e->node[1]);
    int64_t wait = 2 * (now(t) - start);
    send(t, 0, e->node[1]);
    struct timespec left = {wait / 1000000000, wait % 1000000000};
    while (nanosleep(&left, &left) != 0)
        assert(errno == EINTR);
    start = now(t);
    receive(t, e->back, e->node[1]);
    return now(t) - start;
}

static int64_t burst(const struct trial *t, const struct experiment *e, int messages)
{
    int64_t start = now(t);
    for (int i = 0; i < messages; i++)
        send(t, e->there, e->node[1]);
    receive(t, 0, e->node[1]);
    return now(t) - start;
}

/* Twice what the second half takes: the way there and back is in both bursts and drops out. */
static int64_t lead_saturation(const struct trial *t, const struct experiment *e)
{
    int64_t half = burst(t, e, e->messages / 2);
    return 2 * (burst(t, e, e->messages) - half);
}

/* ---- the others ---- */

static void follow_round_trip(const struct trial *t, const struct experiment *e)
{
    receive(t, e->there, e->node[0]);
    send(t, e->back, e->node[0]);
}

static void follow_to_two(const struct trial *t, const struct experiment *e)
{
    receive(t, e->there, e->node[0]);
    send(t, 0, e->node[0]);
}

static void follow_send(const struct trial *t, const struct experiment *e)
{
    follow_to_two(t, e);
}

static void follow_late_receive(const struct trial *t, const struct experiment *e)
{
    for (int i = 0; i < 2; i++) {
        receive(t, 0, e->node[0]);
        send(t, e->back, e->node[0]);
    }
}

static void follow_saturation(const struct trial *t, const struct experiment *e)
{
    for (int part = 2; part >= 1; part--) {
        for (int i = 0; i < e->messages / part; i++)
            receive(t, e->there, e->node[0]);
        send(t, 0, e->node[0]);
    }
}

static int64_t (*const leads[])(const struct trial *, const struct experiment *) = {
#define X(name, nodes, time) lead_##name,
    EXPERIMENT_LIST(X)
#undef X
};
static void (*const follows[])(const struct trial *, const struct experiment *) = {
#define X(name, nodes, time) follow_##name,
    EXPERIMENT_LIST(X)
#undef X
};

/* ---- repetitions ---- */

/* So many more; 0: it is over. */
static void more_tell(const struct trial *t, const struct experiment *e, int more)
{
    for (int k = 1; k < experiment_nodes(e); k++)
        MPI_Send(&more, 1, MPI_INT, e->node[k], TAG_MORE, t->comm);
}

void trial_lead(const struct trial *t, const struct experiment *e, struct samples *samples)
{
    int64_t start = now(t);
    size_t look = t->rule->minimum;
    for (size_t done = 0;; look = stopping_next_look(t->rule, samples->n)) {
        int more = (int)(look - samples->n) + (done == 0);
        more_tell(t, e, more);
        for (int i = 0; i < more; i++, done++) {
            watch_set(t->job->watch, REPETITION_MOST, "an experiment");
            int64_t ns = leads[e->kind](t, e);
            if (done > 0)
                samples_add(samples, ns);
        }
        if (stopping_decide(t->rule, samples, 1e-9 * (double)(now(t) - start)) != STOP_go_on)
            break;
    }
    more_tell(t, e, 0);
}

void trial_follow(const struct trial *t, const struct experiment *e)
{
    for (int more = 1; more > 0;) {
        watch_set(t->job->watch, REPETITION_MOST, "waiting for an experiment to go on");
        MPI_Recv(&more, 1, MPI_INT, e->node[0], TAG_MORE, t->comm, MPI_STATUS_IGNORE);
        for (int i = 0; i < more; i++) {
            watch_set(t->job->watch, REPETITION_MOST, "an experiment");
            follows[e->kind](t, e);
        }
    }
}
