/* Flows through queues behind one another (network/passage.h), against a twin that passes frame by frame: the frames of
 * a message come at equal intervals to the first resource, each resource serves frame by frame in the order of arrival,
 * and a frame is at the next one as soon as it has been served. */
#include "network/passage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FLOWS_MOST = 12, HOPS_MOST = 4, FRAMES_MOST = 40, QUEUES = 6 };

struct flow {
    double begin, width;     /* the first frame at the first resource; the last one so much later */
    int n_hops, queue[HOPS_MOST], n_frames;
    double work[HOPS_MOST];
    double fluid, twin;      /* when the last frame has left the last resource */
};

struct traffic {
    int n;
    struct flow flow[FLOWS_MOST];
};

/* ---- flows ---- */

enum what { OVER, PAUSE, BEGIN };

struct event {
    double time;
    enum what what;
    int flow, hop;
};

struct play {
    int n;
    struct event event[4 * FLOWS_MOST * HOPS_MOST];
    struct passage at[FLOWS_MOST][HOPS_MOST];
    bool begun[FLOWS_MOST][HOPS_MOST], flows[FLOWS_MOST][HOPS_MOST], ended[FLOWS_MOST][HOPS_MOST];
    struct queue queue[QUEUES];
};

static void event_put(struct play *p, double time, enum what what, int flow, int hop)
{
    p->event[p->n++] = (struct event){time, what, flow, hop};
}

static struct event event_take(struct play *p)
{
    int first = 0;
    for (int i = 1; i < p->n; i++) {
        const struct event *a = &p->event[i], *b = &p->event[first];
        if (a->time < b->time || (a->time == b->time && a->what < b->what))
            first = i;
    }
    const struct event event = p->event[first];
    p->event[first] = p->event[--p->n];
    return event;
}

static void over_known(struct play *p, int flow, int hop, double over, double now)
{
    struct passage *at = &p->at[flow][hop];
    at->over = over;
    if (p->begun[flow][hop] && (!p->flows[flow][hop] || over < at->until))
        event_put(p, fmax(over, now), OVER, flow, hop);
}

static void begin(struct play *p, const struct traffic *traffic, const struct event *event)
{
    const struct flow *flow = &traffic->flow[event->flow];
    struct passage *at = &p->at[event->flow][event->hop];
    double until = at->over;
    if (until == INFINITY)
        until = passage_foresee(at - 1, &p->queue[flow->queue[event->hop - 1]], event->time);
    const double leaves = passage_begin(at, &p->queue[flow->queue[event->hop]], event->flow, until, event->time);
    p->begun[event->flow][event->hop] = true;
    p->flows[event->flow][event->hop] = at->rate > 0;
    if (at->rate > 0)
        event_put(p, at->until, PAUSE, event->flow, event->hop);
    else if (at->over < INFINITY)
        event_put(p, fmax(at->over, event->time), OVER, event->flow, event->hop);
    if (event->hop + 1 < flow->n_hops)
        event_put(p, leaves, BEGIN, event->flow, event->hop + 1);
}

static void pause_flow(struct play *p, const struct traffic *traffic, const struct event *event)
{
    struct passage *at = &p->at[event->flow][event->hop];
    p->flows[event->flow][event->hop] = false;
    if (p->ended[event->flow][event->hop])
        return;
    passage_pause(at, &p->queue[traffic->flow[event->flow].queue[event->hop]], event->time);
    if (at->over < INFINITY)
        event_put(p, fmax(at->over, event->time), OVER, event->flow, event->hop);
}

static void play_flows(struct traffic *traffic)
{
    static struct play play;
    struct play *p = &play;
    memset(p, 0, sizeof *p);
    for (int q = 0; q < QUEUES; q++)
        p->queue[q] = QUEUE_IDLE;
    for (int i = 0; i < traffic->n; i++) {
        const struct flow *flow = &traffic->flow[i];
        for (int h = 0; h < flow->n_hops; h++) {
            const double frame = flow->work[h] / flow->n_frames;
            p->at[i][h] = (struct passage){
                .cost = {.work = flow->work[h], .frame = frame, .saved = frame, .buffer = INFINITY},
                .over = INFINITY,
                .leaves = INFINITY};
        }
        p->at[i][0].over = flow->begin + flow->width;
        event_put(p, flow->begin, BEGIN, i, 0);
    }
    while (p->n > 0) {
        const struct event event = event_take(p);
        struct flow *flow = &traffic->flow[event.flow];
        if (event.what == BEGIN) {
            begin(p, traffic, &event);
        } else if (event.what == PAUSE) {
            pause_flow(p, traffic, &event);
        } else {
            const double leaves =
                passage_end(&p->at[event.flow][event.hop], &p->queue[flow->queue[event.hop]], event.time);
            p->ended[event.flow][event.hop] = true;
            flow->fluid = leaves;
            if (event.hop + 1 < flow->n_hops)
                over_known(p, event.flow, event.hop + 1, leaves, event.time);
        }
    }
}

/* ---- frame by frame ---- */

static void play_frames(struct traffic *traffic)
{
    static double at[FLOWS_MOST][FRAMES_MOST];
    static int hop[FLOWS_MOST][FRAMES_MOST];
    double free_at[QUEUES] = {0};
    for (int i = 0; i < traffic->n; i++)
        for (int k = 0; k < traffic->flow[i].n_frames; k++) {
            const int others = traffic->flow[i].n_frames - 1;
            at[i][k] = traffic->flow[i].begin + (others > 0 ? traffic->flow[i].width * k / others : 0);
            hop[i][k] = 0;
        }
    for (;;) { /* the frame that comes first to whatever resource */
        int i0 = -1, k0 = 0;
        for (int i = 0; i < traffic->n; i++)
            for (int k = 0; k < traffic->flow[i].n_frames; k++)
                if (hop[i][k] < traffic->flow[i].n_hops && (i0 < 0 || at[i][k] < at[i0][k0])) {
                    i0 = i;
                    k0 = k;
                }
        if (i0 < 0)
            return;
        struct flow *flow = &traffic->flow[i0];
        const int h = hop[i0][k0]++;
        double *free = &free_at[flow->queue[h]];
        at[i0][k0] = *free = fmax(*free, at[i0][k0]) + flow->work[h] / flow->n_frames;
        flow->twin = fmax(flow->twin, at[i0][k0]);
    }
}

/* ---- comparison ---- */

static int chance(uint64_t *seed, int n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((*seed >> 33) % (uint64_t)n);
}

/* A path leads through queues of ascending numbers, as up and down a tree. Frames of all messages are as long. */
static struct traffic traffic_make(uint64_t seed, int hops_most, double *frame)
{
    struct traffic traffic = {.n = 1 + chance(&seed, FLOWS_MOST)};
    double speed[QUEUES];
    *frame = 0;
    for (int q = 0; q < QUEUES; q++) {
        speed[q] = 0.1 * (2 + chance(&seed, 9));
        *frame = fmax(*frame, speed[q]);
    }
    for (int i = 0; i < traffic.n; i++) {
        struct flow *flow = &traffic.flow[i];
        flow->n_frames = 1 + chance(&seed, FRAMES_MOST);
        flow->begin = 0.7 * chance(&seed, 40);
        flow->width = 0.5 * (flow->n_frames - 1);
        for (int q = 0; q < QUEUES && flow->n_hops < hops_most; q++)
            if (chance(&seed, 2)) {
                flow->work[flow->n_hops] = speed[q] * flow->n_frames;
                flow->queue[flow->n_hops++] = q;
            }
        if (flow->n_hops == 0) {
            flow->work[0] = speed[0] * flow->n_frames;
            flow->n_hops = 1;
        }
    }
    return traffic;
}

/* Over all messages, in frames: how late they are, frame by frame; how wrong the flows are, and the most. */
struct wrong {
    double late, sum, most;
    int n;
};

static struct wrong compare(int hops_most)
{
    struct wrong wrong = {0};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        double frame;
        struct traffic traffic = traffic_make(seed * 7919, hops_most, &frame);
        play_flows(&traffic);
        play_frames(&traffic);
        for (int i = 0; i < traffic.n; i++) {
            /* alone, a frame takes its time at each resource in turn: that is in the transit */
            struct traffic alone = {.n = 1, .flow = {traffic.flow[i]}};
            alone.flow[0].twin = 0;
            play_flows(&alone);
            play_frames(&alone);
            const double fluid = traffic.flow[i].fluid - alone.flow[0].fluid;
            const double twin = traffic.flow[i].twin - alone.flow[0].twin;
            wrong.sum += fabs(fluid - twin) / frame;
            wrong.late += twin / frame;
            wrong.most = fmax(wrong.most, fabs(fluid - twin) / frame);
            wrong.n++;
        }
    }
    return wrong;
}

/* Each bound is a quarter above what was found (PRINT=1 prints it): of what messages wait, flows are wrong by 1 % at
 * one resource and by 4 to 7 % where the way has two to four. */
static void flows_are_as_frames(void **state)
{
    (void)state;
    static const double mean[] = {0, 0.13, 1.2, 2, 2.7}, most[] = {0, 2.5, 36, 30, 45};
    for (int hops = 1; hops <= HOPS_MOST; hops++) {
        const struct wrong wrong = compare(hops);
        if (getenv("PRINT"))
            print_message("%d hops: %.2f frames late, wrong by %.3f, at most %.2f\n", hops, wrong.late / wrong.n,
                          wrong.sum / wrong.n, wrong.most);
        assert_true(wrong.sum / wrong.n < mean[hops]);
        assert_true(wrong.most < most[hops]);
    }
}

/* However many resources lie on an idle way, its width follows from the slowest. */
static void an_idle_way_has_one_width(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        double frame;
        struct traffic traffic = traffic_make(seed, HOPS_MOST, &frame);
        struct flow *flow = &traffic.flow[0];
        struct hop_cost hop[HOPS_MOST];
        traffic.n = 1;
        for (int h = 0; h < flow->n_hops; h++)
            hop[h] = (struct hop_cost){.work = flow->work[h], .saved = flow->work[h] / flow->n_frames};
        play_flows(&traffic);
        assert_true(fabs(flow->fluid - flow->begin - passage_width(flow->width, flow->n_hops, hop)) < 1e-9);
    }
}

/* Of the flows through a queue those that begin with one or later and have arrived by another. */
static void expect_law(const struct traffic *traffic, int queue, const struct flow *first, const struct flow *last)
{
    double work = 0, saved = 0;
    for (int k = 0; k < traffic->n; k++) {
        const struct flow *flow = &traffic->flow[k];
        for (int h = 0; h < flow->n_hops; h++) {
            if (flow->queue[h] != queue || flow->begin < first->begin || flow->fluid > last->fluid)
                continue;
            work += flow->work[h];
            saved = fmax(saved, flow->work[h] / flow->n_frames);
        }
    }
    assert_true(work == 0 || work - saved <= last->fluid - first->begin + 1e-9);
}

/* Nothing passes for nothing: what a queue has passed by any moment took it as long, less what it had saved up. */
static void no_queue_is_faster_than_its_work(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        double frame;
        struct traffic traffic = traffic_make(seed * 104729, 1 + (int)(seed % HOPS_MOST), &frame);
        play_flows(&traffic);
        for (int q = 0; q < QUEUES; q++)
            for (int i = 0; i < traffic.n; i++)
                for (int j = 0; j < traffic.n; j++)
                    expect_law(&traffic, q, &traffic.flow[i], &traffic.flow[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_are_as_frames),
        cmocka_unit_test(an_idle_way_has_one_width),
        cmocka_unit_test(no_queue_is_faster_than_its_work),
    };
    return cmocka_run_group_tests_name("passage", tests, NULL, NULL);
}
