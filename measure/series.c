#include "measure/series.h"

#include "clock/share.h"
#include "common/alloc.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A moment to get everybody to the start, beyond what the announcement takes: the slowest timer. */
static const int64_t START_SLACK_NS = 2000000;

/* A receiver is in MPI this long before the send is called. */
static const int64_t AWAKE_BEFORE_NS = 200000;

/* What this rank noted of one message of its own, local times. */
struct stamp {
    int64_t first, last; /* send: call, return; receive: call, end */
};

/* When a repetition was to start (global time), and how its groups were laid out. */
struct repetition {
    int64_t start, stagger;
    int copies;
};

struct series {
    struct job *job;
    struct series_setup setup;
    struct repetition *repetitions;     /* [n] so far; the same on all ranks */
    size_t n, capacity;
    struct pattern_message *list;       /* of one repetition */
    struct stamp *sent, *received;      /* of this rank, in order of the repetitions and of their lists */
    size_t n_sent, sent_capacity, n_received, received_capacity;
    MPI_Request *requests;              /* receives first, then sends */
    size_t *slots;                      /* which receive of `received` a request is */
    int64_t *awaited;                   /* global time from which a request may complete; INT64_MAX: it has */
    char *out, *in;                     /* in: one buffer for every message of a repetition */
    char *warm_in;
    size_t n_in;
    struct series_message *messages;    /* rank 0, after collecting */
};

struct series *series_create(struct job *job, const struct series_setup *setup)
{
    struct series *s = alloc_zeroed(1, sizeof *s);
    s->job = job;
    s->setup = *setup;
    struct shape widest = setup->shape;
    widest.copies = shape_groups(&widest);
    size_t most = pattern_most(&widest);
    s->list = alloc_array(most, sizeof *s->list);
    s->requests = alloc_array(2 * most, sizeof *s->requests);
    s->slots = alloc_array(most, sizeof *s->slots);
    s->awaited = alloc_array(2 * most, sizeof *s->awaited);
    s->out = alloc_zeroed((size_t)setup->bytes + 1, 1);
    s->warm_in = alloc_zeroed((size_t)setup->warm_bytes + 1, 1);
    assert(setup->warm_bytes <= setup->bytes);
    return s;
}

struct series_setup *series_setup(struct series *series)
{
    return &series->setup;
}

bool series_warms(const struct job *job)
{
    return job->crowding == 1;
}

void series_destroy(struct series *s)
{
    if (!s)
        return;
    free(s->list);
    free(s->repetitions);
    free(s->sent);
    free(s->received);
    free(s->requests);
    free(s->slots);
    free(s->awaited);
    free(s->out);
    free(s->in);
    free(s->warm_in);
    free(s->messages);
    free(s);
}

static int64_t series_period(const struct series *s)
{
    return s->setup.busy + s->setup.receive_delay + s->setup.shape.spread + s->setup.rest;
}

double series_duration(const struct series *s, int n)
{
    return (double)n * (double)series_period(s) * 1e-9;
}

static struct stamp *stamp_add(struct stamp **stamps, size_t *n, size_t *capacity)
{
    *stamps = alloc_grow(*stamps, *n, capacity, sizeof **stamps);
    return &(*stamps)[(*n)++];
}

/* The buffer of the k-th receive of a repetition. */
static char *receive_buffer(struct series *s, size_t k)
{
    size_t bytes = (size_t)s->setup.bytes + 1;
    if (k >= s->n_in) { /* no request is in flight while a list is prepared, see repetition_prepare */
        s->n_in = k + 1;
        s->in = alloc_resize(s->in, s->n_in, bytes);
    }
    return s->in + k * bytes;
}

/* How many messages of the list this rank receives, with room for all. */
static size_t repetition_prepare(struct series *s, size_t n)
{
    size_t receives = 0;
    for (size_t i = 0; i < n; i++)
        receives += s->list[i].to == s->job->place;
    if (receives > 0)
        receive_buffer(s, receives - 1);
    return receives;
}

/* Tags tell the messages of a repetition apart; those of the next may take the same, for MPI keeps their order. */
static int message_tag(size_t i)
{
    return (int)(i % 32768);
}

enum { WARM_TAG = 32768, WARM_SHORT = 4 };

/* Before messages that are waited for: to where this rank sends, from where it receives; who does one of them only does
 * the other with the same. Nothing, where it does neither. */
static void exchange_warm(const struct series *s, size_t n, int64_t start)
{
    const int bytes = (int)s->setup.warm_bytes;
    int to = -1, from = -1;
    for (size_t i = 0; i < n; i++) {
        if (s->list[i].from == s->job->place && to < 0)
            to = s->job->rank_of[s->list[i].to];
        if (s->list[i].to == s->job->place && from < 0)
            from = s->job->rank_of[s->list[i].from];
    }
    if (to < 0 && from < 0)
        return;
    clock_wait(s->job->clock, start - s->setup.warming);
    for (int i = 0; i < s->setup.warm; i++)
        MPI_Sendrecv(s->out, bytes, MPI_BYTE, to < 0 ? from : to, WARM_TAG, s->warm_in, bytes, MPI_BYTE,
                     from < 0 ? to : from, WARM_TAG, s->job->comm, MPI_STATUS_IGNORE);
}

/* Before messages that are there: they are sent, and received, behind short ones of no interest. */
static void sends_warm(const struct series *s, int partner)
{
    char mine = 0;
    for (int i = 0; i < WARM_SHORT; i++)
        MPI_Send(&mine, 1, MPI_BYTE, partner, WARM_TAG, s->job->comm);
}

static void receives_warm(const struct series *s, int partner)
{
    char other;
    for (int i = 0; i < WARM_SHORT; i++)
        MPI_Recv(&other, 1, MPI_BYTE, partner, WARM_TAG, s->job->comm, MPI_STATUS_IGNORE);
}

static void receives_post(struct series *s, size_t n, int64_t start)
{
    const struct job *job = s->job;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (s->list[i].to != job->place)
            continue;
        struct stamp *stamp = stamp_add(&s->received, &s->n_received, &s->received_capacity);
        stamp->first = clock_now(job->clock);
        s->slots[k] = s->n_received - 1;
        s->awaited[k] = start + s->list[i].offset - AWAKE_BEFORE_NS;
        MPI_Irecv(receive_buffer(s, k), (int)s->setup.bytes, MPI_BYTE, job->rank_of[s->list[i].from], message_tag(i),
                  job->comm, &s->requests[k]);
        k++;
    }
}

/* Completes requests, the first `posted` of which are receives, until `until`, or until none can complete before. While
 * no message for this rank can be on its way it sleeps, so that those who wait do not take the processor from those who
 * send; then it is in MPI, as a receiver of a real program would be. */
static void requests_serve(struct series *s, size_t n, size_t posted, int64_t until)
{
    const struct clock *clock = s->job->clock;
    while (until == INT64_MAX || clock_global(clock, clock_now(clock)) < until) {
        int64_t next = INT64_MAX;
        for (size_t k = 0; k < n; k++)
            next = s->awaited[k] < next ? s->awaited[k] : next;
        if (next >= until)
            return;
        clock_wait(clock, next);
        int k, done = 0;
        if (until == INT64_MAX)
            done = MPI_Waitany((int)n, s->requests, &k, MPI_STATUS_IGNORE) == MPI_SUCCESS;
        else
            MPI_Testany((int)n, s->requests, &k, &done, MPI_STATUS_IGNORE);
        int64_t now = clock_now(clock);
        if (!done)
            continue;
        s->awaited[k] = INT64_MAX;
        if ((size_t)k < posted)
            s->received[s->slots[k]].last = now;
    }
}

/* Calls the sends, meanwhile serving the `posted` receives; returns how many requests there are then. */
static size_t sends_call(struct series *s, size_t n, int64_t start, size_t posted)
{
    const struct job *job = s->job;
    size_t used = posted;
    for (size_t i = 0; i < n; i++) {
        if (s->list[i].from != job->place)
            continue;
        struct stamp *stamp = stamp_add(&s->sent, &s->n_sent, &s->sent_capacity);
        requests_serve(s, used, posted, start + s->list[i].offset);
        clock_wait(job->clock, start + s->list[i].offset);
        int to = job->rank_of[s->list[i].to], bytes = (int)s->setup.bytes;
        if (s->setup.warm && s->setup.receive_delay > 0)
            sends_warm(s, to);
        if (s->setup.kind == SEND_BLOCKING) {
            stamp->first = clock_now(job->clock);
            MPI_Send(s->out, bytes, MPI_BYTE, to, message_tag(i), job->comm);
            stamp->last = clock_now(job->clock);
        } else {
            s->awaited[used] = 0;
            stamp->first = clock_now(job->clock);
            MPI_Isend(s->out, bytes, MPI_BYTE, to, message_tag(i), job->comm, &s->requests[used]);
            stamp->last = clock_now(job->clock);
            used++;
        }
    }
    return used;
}

/* Receives called only when the messages are surely there; every one is timed alone. */
static void receives_call_late(struct series *s, size_t n, int64_t start)
{
    const struct job *job = s->job;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (s->list[i].to != job->place)
            continue;
        struct stamp *stamp = stamp_add(&s->received, &s->n_received, &s->received_capacity);
        char *buffer = receive_buffer(s, k++);
        clock_wait(job->clock, start + s->list[i].offset + s->setup.receive_delay);
        if (s->setup.warm)
            receives_warm(s, job->rank_of[s->list[i].from]);
        stamp->first = clock_now(job->clock);
        MPI_Recv(buffer, (int)s->setup.bytes, MPI_BYTE, job->rank_of[s->list[i].from], message_tag(i), job->comm,
                 MPI_STATUS_IGNORE);
        stamp->last = clock_now(job->clock);
    }
}

/* Fills s->list with the messages of a repetition. */
static size_t repetition_list(struct series *s, size_t repetition)
{
    struct shape shape = s->setup.shape;
    shape.copies = s->repetitions[repetition].copies;
    shape.stagger = s->repetitions[repetition].stagger;
    const size_t n = pattern_find(s->setup.pattern)(&shape, (int)repetition, s->list);
    for (size_t i = 0; i < n; i++) {
        s->list[i].from = job_place(s->job, s->list[i].from);
        s->list[i].to = job_place(s->job, s->list[i].to);
    }
    return n;
}

static void repetition_run(struct series *s, size_t repetition)
{
    int64_t start = s->repetitions[repetition].start;
    size_t n = repetition_list(s, repetition);
    bool late = s->setup.receive_delay > 0;
    size_t receives = repetition_prepare(s, n), posted = late ? 0 : receives;
    if (!late)
        receives_post(s, n, start);
    if (s->setup.warm && !late)
        exchange_warm(s, n, start);
    size_t requests = sends_call(s, n, start, posted);
    if (late)
        receives_call_late(s, n, start);
    requests_serve(s, requests, posted, INT64_MAX);
}

/* Whether this rank has a part in any repetition from `first` on. */
static bool takes_part(struct series *s, size_t first)
{
    for (size_t repetition = first; repetition < s->n; repetition++) {
        size_t n = repetition_list(s, repetition);
        for (size_t i = 0; i < n; i++)
            if (s->list[i].from == s->job->place || s->list[i].to == s->job->place)
                return true;
    }
    return false;
}

/* s that losses may set some processes behind others in a run, beside the watch's grace. */
static const double BEHIND = 0.4;

static double seconds_until(const struct clock *clock, int64_t global)
{
    int64_t left = global - clock_global(clock, clock_now(clock));
    return left > 0 ? (double)left * 1e-9 : 0;
}

void series_run(struct series *s, int n)
{
    struct job *job = s->job;
    int64_t period = series_period(s), slack = s->setup.rest > START_SLACK_NS ? s->setup.rest : START_SLACK_NS;
    int copies = s->setup.shape.copies;
    size_t first = s->n;
    assert(s->setup.bytes <= INT_MAX && copies >= 1 && copies <= shape_groups(&s->setup.shape));
    const int64_t part = period / copies, apart = s->setup.at_once && part > SERIES_APART ? SERIES_APART : part;
    const int64_t staggered = (copies - 1) * apart; /* by which the last copy's repetitions end later */
    watch_set(job->watch, 0.5, "agreeing on a start");
    int64_t start = clock_start(job->clock, slack);
    for (int i = 0; i < n; i++) {
        s->repetitions = alloc_grow(s->repetitions, s->n, &s->capacity, sizeof *s->repetitions);
        s->repetitions[s->n++] = (struct repetition){start + i * period, apart, copies};
    }
    if (takes_part(s, first)) {
        for (size_t repetition = first; repetition < s->n; repetition++) {
            int64_t end = s->repetitions[repetition].start + period + staggered;
            watch_set(job->watch, seconds_until(job->clock, end), "measuring messages");
            repetition_run(s, repetition);
        }
    }
    /* Asleep: those who look for the others' messages instead take the processor from those who still measure. */
    watch_set(job->watch, seconds_until(job->clock, start + n * period), "waiting for those who measure messages");
    clock_wait(job->clock, start + n * period);
    watch_set(job->watch, BEHIND + (double)staggered * 1e-9, "waiting for the others' messages");
    share_barrier(job->comm);
    watch_set(job->watch, 0, NULL);
}

/* ---- collecting ---- */

/* This rank's stamps as global times: call and return of each send, then of each receive. */
static void stamps_flatten(const struct series *s, struct samples *own)
{
    const struct clock *clock = s->job->clock;
    for (size_t i = 0; i < s->n_sent; i++) {
        samples_add(own, clock_global(clock, s->sent[i].first));
        samples_add(own, clock_global(clock, s->sent[i].last));
    }
    for (size_t i = 0; i < s->n_received; i++) {
        samples_add(own, clock_global(clock, s->received[i].first));
        samples_add(own, clock_global(clock, s->received[i].last));
    }
}

/* Where each place's next stamps stand among those of all ranks, which come in the order of ranks. */
struct cursors {
    size_t *sent, *received; /* [places] */
};

static struct cursors cursors_create(struct series *s, size_t *n_messages)
{
    const struct job *job = s->job;
    size_t places = (size_t)(job->nodes * job->ppn), at = 0;
    struct cursors cursors = {alloc_zeroed(places, sizeof(size_t)), alloc_zeroed(places, sizeof(size_t))};
    *n_messages = 0;
    for (size_t repetition = 0; repetition < s->n; repetition++) {
        size_t n = repetition_list(s, repetition);
        for (size_t i = 0; i < n; i++) {
            cursors.sent[s->list[i].from]++;
            cursors.received[s->list[i].to]++;
        }
        *n_messages += n;
    }
    int *place_of = alloc_array((size_t)job->size, sizeof *place_of);
    for (int rank = 0; rank < job->size; rank++)
        place_of[rank] = -1;
    for (size_t place = 0; place < places; place++)
        place_of[job->rank_of[place]] = (int)place;
    for (int rank = 0; rank < job->size; rank++) {
        if (place_of[rank] < 0)
            continue;
        size_t *sent = &cursors.sent[place_of[rank]], *received = &cursors.received[place_of[rank]];
        size_t n_sent = *sent, n_received = *received;
        *sent = at;
        *received = at + 2 * n_sent;
        at += 2 * (n_sent + n_received);
    }
    free(place_of);
    return cursors;
}

/* Puts the stamps of both ends of every message together. */
static void messages_join(struct series *s, const int64_t stamps[], struct cursors *cursors)
{
    struct series_message *m = s->messages;
    for (size_t repetition = 0; repetition < s->n; repetition++) {
        size_t n = repetition_list(s, repetition), each = n / (size_t)s->repetitions[repetition].copies;
        for (size_t i = 0; i < n; i++, m++) {
            int from = s->list[i].from, to = s->list[i].to;
            const int64_t *sent = stamps + cursors->sent[from], *received = stamps + cursors->received[to];
            cursors->sent[from] += 2;
            cursors->received[to] += 2;
            *m = (struct series_message){.repetition = (int)repetition, .copy = (int)(i / each), .from = from, .to = to,
                                         .planned = s->repetitions[repetition].start + s->list[i].offset,
                                         .call = sent[0], .back = sent[1], .receive = received[0],
                                         .end = received[1]};
        }
    }
}

const struct series_message *series_collect(struct series *s, size_t *n)
{
    const struct job *job = s->job;
    struct samples own, all;
    samples_init(&own);
    samples_init(&all);
    stamps_flatten(s, &own);
    /* Slower than that no network is that can be measured: bytes/s. */
    const double speed = 250e3, bytes = (double)(own.n * sizeof(int64_t)) * job->size;
    watch_set(job->watch, 0.3 + bytes / speed, "collecting measured times");
    share_samples(job->comm, &own, &all);
    watch_set(job->watch, 0, NULL);
    *n = 0;
    if (job->rank == 0) {
        struct cursors cursors = cursors_create(s, n);
        free(s->messages);
        s->messages = alloc_array(*n, sizeof *s->messages);
        messages_join(s, all.ns, &cursors);
        series_judge(s->messages, *n, job->nodes * job->ppn, s->setup.rest, s->setup.late);
        free(cursors.sent);
        free(cursors.received);
    }
    samples_free(&own);
    samples_free(&all);
    return s->messages;
}
