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
    int copies, trips, warm;
};

/* What this rank does in one trip of a chain: which places, -1: none, with which tags, and where the stamps of it are. */
struct link {
    int to, from, to_tag, from_tag;
    size_t sent, received;
};

struct series {
    struct job *job;
    struct series_setup setup;
    struct repetition *repetitions;     /* [n] so far; the same on all ranks */
    size_t n, capacity;
    struct pattern_message *list;       /* of one repetition */
    size_t list_room;
    struct link *links;                 /* [trips] of one */
    size_t links_room;
    struct stamp *sent, *received;      /* of this rank, in order of the repetitions and of their lists */
    size_t n_sent, sent_capacity, n_received, received_capacity;
    MPI_Request *requests;              /* receives first, then sends */
    size_t *slots;                      /* which receive of `received` a request is */
    int64_t *awaited;                   /* global time from which a request may complete; INT64_MAX: it has */
    char *out, *in;                     /* in: one buffer for every message of a repetition, one for all trips */
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
    s->requests = alloc_array(2 * most, sizeof *s->requests);
    s->slots = alloc_array(most, sizeof *s->slots);
    s->awaited = alloc_array(2 * most, sizeof *s->awaited);
    s->out = alloc_zeroed((size_t)setup->bytes + 1, 1);
    return s;
}

struct series_setup *series_setup(struct series *series)
{
    return &series->setup;
}

bool series_chains(const struct job *job)
{
    return job->crowding == 1;
}

static int trips_warming(bool late, int trips, int warm)
{
    return late ? trips / 4 : trips > 1 ? warm : 0;
}

int series_warming(const struct series_setup *setup)
{
    return trips_warming(setup->receive_delay > 0, setup->trips, setup->warm);
}

void series_destroy(struct series *s)
{
    if (!s)
        return;
    free(s->list);
    free(s->links);
    free(s->repetitions);
    free(s->sent);
    free(s->received);
    free(s->requests);
    free(s->slots);
    free(s->awaited);
    free(s->out);
    free(s->in);
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

/* The buffer of the k-th message that is received in a repetition; trips are one message. */
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

enum { WARM_TAG = 32768 };

/* Before messages that are there: they are sent, and received, behind short ones of no interest. */
static void sends_warm(const struct series *s, int warm, int partner)
{
    char mine = 0;
    for (int i = 0; i < warm; i++)
        MPI_Send(&mine, 1, MPI_BYTE, partner, WARM_TAG, s->job->comm);
}

static void receives_warm(const struct series *s, int warm, int partner)
{
    char other;
    for (int i = 0; i < warm; i++)
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

/* Calls the sends, meanwhile serving the `posted` receives; returns how many requests there are then. warm: as set up, for
 * the first of the trips. */
static size_t sends_call(struct series *s, size_t n, int64_t start, size_t posted, int warm)
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
        if (s->setup.receive_delay > 0) {
            sends_warm(s, warm, to);
            warm = s->setup.trips > 1 ? 0 : warm;
        }
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
static void receives_call_late(struct series *s, size_t n, int64_t start, int warm)
{
    const struct job *job = s->job;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (s->list[i].to != job->place)
            continue;
        struct stamp *stamp = stamp_add(&s->received, &s->n_received, &s->received_capacity);
        char *buffer = receive_buffer(s, s->setup.trips > 1 ? 0 : k++);
        clock_wait(job->clock, start + s->list[i].offset + s->setup.receive_delay);
        receives_warm(s, warm, job->rank_of[s->list[i].from]);
        warm = s->setup.trips > 1 ? 0 : warm;
        stamp->first = clock_now(job->clock);
        MPI_Recv(buffer, (int)s->setup.bytes, MPI_BYTE, job->rank_of[s->list[i].from], message_tag(i), job->comm,
                 MPI_STATUS_IGNORE);
        stamp->last = clock_now(job->clock);
    }
}

/* There and back the one's turn is over when the other's begins. */
static bool goes_there_and_back(const struct series *s)
{
    return s->setup.pattern == PATTERN_pingpong && s->setup.receive_delay == 0;
}

/* Messages of one copy, the first trip of each, become those of all trips, one trip behind the other. */
static void trips_lay(const struct pattern_message first[], size_t n, int trips, bool there_and_back,
                      struct pattern_message all[])
{
    for (int trip = 0; trip < trips; trip++)
        for (size_t i = 0; i < n; i++) {
            const bool back = there_and_back && trip % 2 == 1;
            all[(size_t)trip * n + i] = (struct pattern_message){back ? first[i].to : first[i].from,
                                                                 back ? first[i].from : first[i].to, first[i].offset};
        }
}

/* Fills s->list with the messages of a repetition, copy by copy. */
static size_t repetition_list(struct series *s, size_t repetition)
{
    const struct repetition *r = &s->repetitions[repetition];
    const size_t trips = (size_t)r->trips;
    struct shape shape = s->setup.shape;
    shape.copies = r->copies;
    shape.stagger = r->stagger;
    const size_t most = pattern_most(&shape);
    if (s->list_room < most * (trips + 1)) {
        s->list_room = most * (trips + 1);
        s->list = alloc_resize(s->list, s->list_room, sizeof *s->list);
    }
    struct pattern_message *first = s->list + most * trips;
    const size_t n = pattern_find(s->setup.pattern)(&shape, (int)repetition, first), each = n / (size_t)r->copies;
    for (size_t i = 0; i < n; i++) {
        first[i].from = job_shape_place(s->job, &shape, first[i].from);
        first[i].to = job_shape_place(s->job, &shape, first[i].to);
    }
    for (size_t copy = 0; copy < (size_t)r->copies; copy++)
        trips_lay(first + copy * each, each, r->trips, goes_there_and_back(s), s->list + copy * each * trips);
    return n * trips;
}

/* Which trip of which copy a message of the list is. */
static void list_place(const struct repetition *r, size_t n, size_t i, int *copy, int *trip)
{
    const size_t each = n / (size_t)(r->copies * r->trips), of_copy = each * (size_t)r->trips;
    *copy = (int)(i / of_copy);
    *trip = (int)(i % of_copy / each);
}

/* What this rank does in each trip, with stamps at hand: nothing is looked up between messages. */
static void links_make(struct series *s, const struct repetition *r, size_t n)
{
    if (s->links_room < (size_t)r->trips) {
        s->links_room = (size_t)r->trips;
        s->links = alloc_resize(s->links, s->links_room, sizeof *s->links);
    }
    for (int trip = 0; trip < r->trips; trip++)
        s->links[trip] = (struct link){.to = -1, .from = -1};
    for (size_t i = 0; i < n; i++) {
        int copy, trip;
        list_place(r, n, i, &copy, &trip);
        struct link *link = &s->links[trip];
        if (s->list[i].from == s->job->place) {
            *stamp_add(&s->sent, &s->n_sent, &s->sent_capacity) = (struct stamp){0};
            link->to = s->job->rank_of[s->list[i].to], link->to_tag = message_tag(i), link->sent = s->n_sent - 1;
        }
        if (s->list[i].to == s->job->place) {
            *stamp_add(&s->received, &s->n_received, &s->received_capacity) = (struct stamp){0};
            link->from = s->job->rank_of[s->list[i].from], link->from_tag = message_tag(i);
            link->received = s->n_received - 1;
        }
    }
}

/* What a program sends it has just written, and so are these bytes: they are in their sender's cache, and no longer in that of who had
 * the last ones. A receiver that copies from its sender's memory else has them in its own. Returns the time. */
static int64_t out_write(const struct series *s, int trip, int64_t now)
{
    if (s->setup.bytes == 0)
        return now;
    memset(s->out, trip + 1, (size_t)s->setup.bytes);
    return clock_now(s->job->clock);
}

/* One trip of who sends and receives in it, and who does one of them only; now: the last reading of the clock. Returns the
 * next. */
static int64_t link_run(const struct series *s, const struct link *link, char *in, int64_t now)
{
    const struct job *job = s->job;
    const int bytes = (int)s->setup.bytes;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (link->from >= 0 && link->to < 0) {
        s->received[link->received].first = now;
        MPI_Recv(in, bytes, MPI_BYTE, link->from, link->from_tag, job->comm, MPI_STATUS_IGNORE);
        return s->received[link->received].last = clock_now(job->clock);
    }
    if (link->from >= 0) {
        s->received[link->received].first = now;
        MPI_Irecv(in, bytes, MPI_BYTE, link->from, link->from_tag, job->comm, &requests[0]);
        now = clock_now(job->clock);
    }
    if (link->to >= 0) {
        s->sent[link->sent].first = now;
        if (s->setup.kind == SEND_BLOCKING)
            MPI_Send(s->out, bytes, MPI_BYTE, link->to, link->to_tag, job->comm);
        else
            MPI_Isend(s->out, bytes, MPI_BYTE, link->to, link->to_tag, job->comm, &requests[1]);
        s->sent[link->sent].last = now = clock_now(job->clock);
    }
    if (link->from >= 0) {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        s->received[link->received].last = now = clock_now(job->clock);
    }
    if (link->to >= 0 && s->setup.kind != SEND_BLOCKING) {
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        now = clock_now(job->clock);
    }
    return now;
}

static bool takes_part_now(const struct series *s, size_t n, int64_t *offset)
{
    for (size_t i = 0; i < n; i++)
        if (s->list[i].from == s->job->place || s->list[i].to == s->job->place) {
            *offset = s->list[i].offset;
            return true;
        }
    return false;
}

/* All trips of a repetition, receives posted, right behind one another. */
static void chain_run(struct series *s, const struct repetition *r, size_t n)
{
    int64_t offset;
    if (!takes_part_now(s, n, &offset))
        return;
    char *in = receive_buffer(s, 0);
    links_make(s, r, n);
    clock_wait(s->job->clock, r->start + offset);
    int64_t now = clock_now(s->job->clock);
    for (int trip = 0; trip < r->trips; trip++) {
        if (s->links[trip].to >= 0)
            now = out_write(s, trip, now);
        now = link_run(s, &s->links[trip], in, now);
    }
}

static void repetition_run(struct series *s, size_t repetition)
{
    const struct repetition *r = &s->repetitions[repetition];
    const int64_t start = r->start;
    const size_t n = repetition_list(s, repetition);
    const bool late = s->setup.receive_delay > 0;
    if (r->trips > 1 && !late) {
        chain_run(s, r, n);
        return;
    }
    size_t receives = repetition_prepare(s, n), posted = late ? 0 : receives;
    if (!late)
        receives_post(s, n, start);
    size_t requests = sends_call(s, n, start, posted, r->warm);
    if (late)
        receives_call_late(s, n, start, r->warm);
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
        s->repetitions[s->n++] = (struct repetition){start + i * period, apart, copies, s->setup.trips > 1 ? s->setup.trips : 1,
                                                     s->setup.warm};
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

/* The global time at which a call returned: the reading behind it took its part, too. */
static int64_t stamp_end(const struct clock *clock, const struct stamp *stamp)
{
    const int64_t end = stamp->last - clock_reading(clock);
    return clock_global(clock, end > stamp->first ? end : stamp->first);
}

/* This rank's stamps as global times: call and return of each send, then of each receive. */
static void stamps_flatten(const struct series *s, struct samples *own)
{
    const struct clock *clock = s->job->clock;
    for (size_t i = 0; i < s->n_sent; i++) {
        samples_add(own, clock_global(clock, s->sent[i].first));
        samples_add(own, stamp_end(clock, &s->sent[i]));
    }
    for (size_t i = 0; i < s->n_received; i++) {
        samples_add(own, clock_global(clock, s->received[i].first));
        samples_add(own, stamp_end(clock, &s->received[i]));
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
        const struct repetition *r = &s->repetitions[repetition];
        const size_t n = repetition_list(s, repetition);
        for (size_t i = 0; i < n; i++, m++) {
            int copy, trip;
            list_place(r, n, i, &copy, &trip);
            int from = s->list[i].from, to = s->list[i].to;
            const int64_t *sent = stamps + cursors->sent[from], *received = stamps + cursors->received[to];
            cursors->sent[from] += 2;
            cursors->received[to] += 2;
            *m = (struct series_message){.repetition = (int)repetition, .copy = copy, .trip = trip, .from = from, .to = to,
                                         .planned = r->start + s->list[i].offset,
                                         .call = sent[0], .back = sent[1], .receive = received[0],
                                         .end = received[1]};
        }
    }
}

/* Without the trips that only warm. And of two who send to one another step by step one may be ahead, and its message wait for
 * the other, who has not posted the receive: a transit is of one who has. Returns how many are left. */
static size_t messages_counted(const struct series *s, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const struct series_message *m = &s->messages[i];
        const struct repetition *r = &s->repetitions[m->repetition];
        const bool late = s->setup.receive_delay > 0, warms = m->trip < trips_warming(late, r->trips, r->warm);
        const bool posted = m->trip == 0 || goes_there_and_back(s) || m->receive <= m->call;
        if (!warms && (late || posted))
            s->messages[kept++] = *m;
    }
    return kept;
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
        *n = messages_counted(s, *n);
        free(cursors.sent);
        free(cursors.received);
    }
    samples_free(&own);
    samples_free(&all);
    return s->messages;
}
