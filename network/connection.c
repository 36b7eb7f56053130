#include "network/connection_impl.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 4 };

void connection_reset(struct connection *c)
{
    struct connection_frame *frames = c->frames;
    const uint32_t capacity = c->capacity;
    *c = (struct connection){.window = CONNECTION_FIRST_WINDOW, .threshold = CONNECTION_MOST_WINDOW, .due = INFINITY, .last_sent = INFINITY,
                             .least_round_trip = INFINITY, .deviation_most = CONNECTION_LEAST_TIMEOUT,
                             .spread = CONNECTION_LEAST_TIMEOUT, .heard = -INFINITY, .frames = frames, .capacity = capacity};
}

void connection_free(struct connection *c)
{
    free(c->frames);
}

static void frames_grow(struct connection *c)
{
    const uint32_t capacity = c->capacity ? 2 * c->capacity : FIRST_CAPACITY;
    struct connection_frame *frames = alloc_array(capacity, sizeof *frames);
    for (uint32_t i = c->first; i != c->next; i++)
        frames[i & (capacity - 1)] = *connection_frame_at(c, i);
    free(c->frames);
    c->frames = frames;
    c->capacity = capacity;
}

/* n frames more, sent now. */
static void frames_new(struct connection *c, int32_t n, double now)
{
    while ((uint32_t)(connection_outstanding(c) + n) > c->capacity)
        frames_grow(c);
    for (int32_t i = 0; i < n; i++)
        *connection_frame_at(c, c->next++) = (struct connection_frame){.sent = now, .order = ++c->n_sent};
    c->last_sent = now;
    c->in_flight += n;
    c->most = connection_outstanding(c) > c->most ? connection_outstanding(c) : c->most;
    c->repeated += c->state == CONNECTION_RECOVERS ? n : 0;
}

/* Something is, now, before it counts. */
static void sending(struct connection *c, double now)
{
    if (c->in_flight == 0)
        cubic_rest(&c->cubic, now - c->last_sent);
}

uint32_t connection_send_new(struct connection *c, int32_t n, double now)
{
    const uint32_t first = c->next;
    connection_offer(c, n, now);
    sending(c, now);
    frames_new(c, n, now);
    c->limited = false;
    connection_time_new(c, now);
    return first;
}

static void frame_again(struct connection *c, uint32_t i, double now)
{
    struct connection_frame *f = connection_frame_at(c, i);
    if (f->lost) {
        f->lost = false;
        c->n_lost--;
        c->in_flight++;
    }
    f->repeated = true;
    f->sent = c->last_sent = now;
    f->order = ++c->n_sent;
    c->repeated += c->state == CONNECTION_RECOVERS;
}

bool connection_send(struct connection *c, double now, uint32_t *frame)
{
    const bool fresh = c->next != c->offered, probe = c->probe_sent;
    c->probe_sent = false;
    c->limited = c->in_flight >= c->window;
    if (!probe && (c->limited || (c->n_lost == 0 && !fresh)))
        return false;
    *frame = !probe && c->n_lost > 0 ? connection_first_lost(c) : fresh ? c->next : c->next - 1;
    const bool again = *frame != c->next;
    sending(c, now);
    if (again)
        frame_again(c, *frame, now);
    else
        frames_new(c, 1, now);
    if (probe) {
        c->probed = true;
        c->probe_repeats = again;
        c->probe_end = c->next;
    }
    if (probe || (*frame == c->first && c->timer != CONNECTION_SETTLES))
        connection_timeout_set(c, now);
    if (!probe && !again)
        connection_time_new(c, now);
    return true;
}

void connection_made(struct connection *c, double round_trip)
{
    c->least_round_trip = fmin(c->least_round_trip, round_trip);
    c->round_trip = round_trip;
    c->deviation = 2 * round_trip;
    c->spread = c->deviation_most = fmax(c->deviation, CONNECTION_LEAST_TIMEOUT);
    c->round_end = c->next;
}

/* `first` is what is not acknowledged with it. */
static void round_trip_count(struct connection *c, double round_trip)
{
    if (c->round_trip <= 0) {
        connection_made(c, round_trip);
        return;
    }
    const double off = round_trip - c->round_trip, more = fabs(off) - c->deviation / 4;
    c->least_round_trip = fmin(c->least_round_trip, round_trip);
    c->round_trip += off / CONNECTION_SMOOTHING;
    c->deviation += off < 0 && more > 0 ? more / 8 : more;
    c->deviation_most = fmax(c->deviation_most, c->deviation);
    c->spread = fmax(c->spread, c->deviation_most);
    if ((int32_t)(c->first - c->round_end) <= 0)
        return;
    c->spread -= (c->spread - c->deviation_most) / 4;
    c->deviation_most = CONNECTION_LEAST_TIMEOUT;
    c->round_end = c->next;
}

static void frame_is_there(struct connection *c, struct connection_frame *f)
{
    if (f->order > c->newest)
        c->newest = f->order;
    if (f->lost)
        c->n_lost--;
    else
        c->in_flight--;
    f->lost = false;
    f->there = true;
    c->n_there++;
}

/* connection_acknowledge_one of an outstanding frame that was not known to be there. */
static inline void acknowledge(struct connection *c, struct connection_frame *f, bool measured, double now)
{
    const uint32_t before = c->first;
    const uint64_t newest = c->newest;
    frame_is_there(c, f);
    for (; c->first != c->next && connection_frame_at(c, c->first)->there; c->first++)
        c->n_there--;
    if (measured && !f->repeated)
        round_trip_count(c, now - f->sent);
    if (c->first != before || !c->advanced)
        c->told = now - f->sent;
    c->n_told++;
    c->left_out = c->left_out || c->newest > newest + 1;
    c->advanced = c->advanced || c->first != before;
}

bool connection_acknowledge_one(struct connection *c, uint32_t frame, bool measured, double now)
{
    if ((int32_t)(frame - c->first) < 0 || connection_frame_at(c, frame)->there)
        return false;
    acknowledge(c, connection_frame_at(c, frame), measured, now);
    return true;
}

/* The same of all frames up to `got`, or to the first that was sent again, where nothing is amiss. Returns the last of them; NULL:
 * there is none. */
static const struct connection_frame *acknowledge_in_order(struct connection *c, uint32_t got, bool measured, double now)
{
    const struct connection_frame *last = NULL, *frames = c->frames;
    const uint32_t mask = c->capacity - 1;
    uint64_t newest = c->newest;
    uint32_t i = c->first;
    if (c->state != CONNECTION_OPEN || c->n_lost > 0 || c->n_there > 0 || c->probed)
        return NULL;
    for (; i != got && i != c->next; i++) {
        const struct connection_frame *f = &frames[i & mask];
        if (f->repeated || f->order != newest + 1)
            break;
        newest++;
        last = f;
    }
    if (!last)
        return NULL;
    const double sent = connection_frame_at(c, c->first)->sent;
    const int32_t n = (int32_t)(i - c->first);
    c->first = i;
    if (measured)
        round_trip_count(c, now - sent);
    c->newest = newest;
    c->in_flight -= n;
    c->told = now - last->sent;
    c->n_told += n;
    c->advanced = true;
    return last;
}

/* The same of each, whatever is amiss. */
__attribute__((cold)) static void acknowledge_each(struct connection *c, uint32_t got, double *round_trip, double now)
{
    while ((int32_t)(got - c->first) > 0 && c->first != c->next) {
        struct connection_frame *f = connection_frame_at(c, c->first);
        const bool measured = isnan(*round_trip);
        if (!f->repeated)
            *round_trip = now - f->sent;
        acknowledge(c, f, measured, now);
    }
}

bool connection_acknowledge_before(struct connection *c, uint32_t got, double *round_trip, double now)
{
    const uint32_t first = c->first;
    if ((int32_t)(got - first) <= 0)
        return false;
    const struct connection_frame *last = acknowledge_in_order(c, got, isnan(*round_trip), now);
    if (last)
        *round_trip = now - last->sent;
    if (c->first != got)
        acknowledge_each(c, got, round_trip, now);
    return c->first != first;
}

void connection_told(struct connection *c, double now)
{
    const int32_t n = c->n_told;
    const bool advanced = c->advanced;
    c->n_told = 0;
    c->advanced = false;
    if (advanced)
        c->timeouts = 0;
    if (c->probed || c->state != CONNECTION_OPEN) /* seldom, as what follows: not a call for each that comes */
        connection_stages_end(c);
    const int32_t n_lost = c->n_lost;
    const double wait = c->left_out || n_lost > 0 ? connection_losses_tell(c, now) : -1;
    if (c->state == CONNECTION_RECOVERS)
        connection_window_reduce(c, n, advanced && c->n_lost == n_lost);
    else if (advanced)
        connection_window_grow(c, n, now);
    if (wait >= 0)
        connection_time_settling(c, wait, now);
    else
        connection_time(c, now);
}

void connection_acknowledge(struct connection *c, uint32_t frame, double now)
{
    if (connection_acknowledge_one(c, frame, true, now))
        connection_told(c, now);
}

void connection_wake(struct connection *c, double now)
{
    if (c->timer == CONNECTION_PROBE) {
        c->probe_sent = !c->probed;
        connection_probe_drop(c, now);
        return;
    }
    if (c->timer == CONNECTION_SETTLES) {
        connection_settle(c, now);
        return;
    }
    if (c->state == CONNECTION_OPEN)
        connection_shrink(c);
    cubic_forget(&c->cubic);
    c->state = CONNECTION_STARTS;
    c->state_end = c->next;
    c->probed = false;
    connection_lose_all(c);
    c->window = 1;
    c->timeouts++;
    connection_timeout_set(c, now);
}
