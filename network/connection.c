#include "network/connection.h"

#include "common/alloc.h"
#include "network/slow_start.h"
#include "network/timer.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEAST_THRESHOLD = 2,
    MOST_WINDOW = 1 << 20, /* frames: no threshold yet */
    REORDERING = 3, /* frames (Linux: TCP_FASTRETRANS_THRESH) */
    FIRST_CAPACITY = 4
};
static const double TIMER_MARGIN = 2e-3; /* s: Linux, TCP_TIMEOUT_MIN_US */
static const double LOSS_PART[] = {[CONGESTION_cubic] = 0.7, [CONGESTION_reno] = 0.5}; /* of the window that is left */
/* Windows acknowledged for each frame that the window grows by. RFC 9438, section 4.3, with beta 0.7: 3 (1 - 0.7) / (1 + 0.7) =
 * 0.53 frames a window, 1.9 windows a frame. That it is half as fast is chosen (connection.h); larger: losses come seldomer. */
enum { GROWTH = 4 };

void connection_reset(struct connection *c)
{
    struct connection_frame *frames = c->frames;
    const uint32_t capacity = c->capacity;
    *c = (struct connection){.window = CONNECTION_FIRST_WINDOW, .threshold = MOST_WINDOW, .due = INFINITY, .last_sent = INFINITY,
                             .least_round_trip = INFINITY, .heard = -INFINITY, .frames = frames, .capacity = capacity};
}

int32_t connection_first_threshold(double frame)
{
    return (int32_t)fmin(frame > 0 ? slow_start_window(frame) : MOST_WINDOW, MOST_WINDOW);
}

int32_t connection_window_halved(int32_t window, double round_trip, double idle)
{
    const double timeout = round_trip + CONNECTION_LEAST_TIMEOUT;
    while (idle > timeout && window > CONNECTION_FIRST_WINDOW) {
        window = window / 2 > CONNECTION_FIRST_WINDOW ? window / 2 : CONNECTION_FIRST_WINDOW;
        idle -= timeout;
    }
    return window;
}

/* Linux: tcp_cwnd_restart. */
void connection_rest(struct connection *c, double idle)
{
    const int32_t most = c->window - c->window / 4;
    if (c->threshold < most)
        c->threshold = most;
    c->window = connection_window_rested(c->window, c->round_trip, idle);
}

void connection_free(struct connection *c)
{
    free(c->frames);
}

static int32_t outstanding(const struct connection *c)
{
    return (int32_t)(c->next - c->first);
}

static double timer_begin(const struct connection *c, double now)
{
    return now > c->heard ? now : c->heard;
}

static void timeout_set(struct connection *c, double now)
{
    c->timer = CONNECTION_TIMEOUT;
    c->due = outstanding(c) == 0 ? INFINITY : timer_end(c->ticks, timer_begin(c, now), connection_timeout(c));
}

/* When the timeout is of what was sent first. */
static double first_timeout(const struct connection *c, double now)
{
    const double due = timer_begin(c, connection_frame_at(c, c->first)->sent) + connection_timeout(c);
    return timer_end(c->ticks, now, fmax(0, due - now));
}

/* Of frames that are outstanding, where nothing is amiss: a probe, no later than the timeout (Linux: tcp_schedule_loss_probe). */
static void probe_set(struct connection *c, double timeout, double now)
{
    const double wait = 2 * c->round_trip + (outstanding(c) == 1 ? CONNECTION_LEAST_TIMEOUT : TIMER_MARGIN);
    const double probe = timer_end(c->ticks, timer_begin(c, now), wait);
    c->timer = CONNECTION_PROBE;
    c->due = probe < timeout ? probe : timeout;
}

static bool may_probe(const struct connection *c)
{
    return c->state == CONNECTION_OPEN && c->n_lost == 0 && c->n_there == 0;
}

/* Something new was sent, which does not put off the timeout of what was sent before. */
static void new_time(struct connection *c, double now)
{
    if (c->timer == CONNECTION_SETTLES)
        return;
    if (may_probe(c))
        probe_set(c, first_timeout(c, now), now);
    else if (c->due == INFINITY)
        timeout_set(c, now);
}

static void shrink(struct connection *c)
{
    const int32_t left = (int32_t)(LOSS_PART[c->congestion] * c->window);
    c->threshold = left > LEAST_THRESHOLD ? left : LEAST_THRESHOLD;
    c->growth = 0;
    cubic_lose(&c->cubic, c->window);
}

/* So many acknowledged make the window larger by one, beyond the threshold. */
static int32_t growth_wanted(struct connection *c, double now)
{
    if (c->congestion == CONGESTION_reno)
        return c->window;
    return c->by_time ? cubic_wanted(&c->cubic, c->window, now) : GROWTH * c->window;
}

/* By what n frames more that are acknowledged let it. */
static void grow(struct connection *c, int32_t n, double now)
{
    for (; n > 0; n--) {
        const bool starts = c->window < c->threshold;
        if (starts ? c->window >= 2 * c->most : !c->limited)
            return;
        if (!starts && ++c->growth < growth_wanted(c, now))
            continue;
        if (!starts)
            c->growth = 0;
        c->window++;
    }
}

void connection_passed(struct connection *c, double now)
{
    c->most = 1;
    c->limited = c->window <= 1;
    grow(c, 1, now);
}

void connection_heard(struct connection *c, double back)
{
    if (back > c->heard)
        c->heard = back;
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
    while ((uint32_t)(outstanding(c) + n) > c->capacity)
        frames_grow(c);
    for (int32_t i = 0; i < n; i++)
        *connection_frame_at(c, c->next++) = (struct connection_frame){.sent = now, .order = ++c->n_sent};
    c->last_sent = now;
    c->in_flight += n;
    c->most = outstanding(c) > c->most ? outstanding(c) : c->most;
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
    new_time(c, now);
    return first;
}

uint32_t connection_first_lost(const struct connection *c)
{
    uint32_t i = c->first;
    while (!connection_frame_at(c, i)->lost)
        i++;
    return i;
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
        timeout_set(c, now);
    if (!probe && !again)
        new_time(c, now);
    return true;
}

/* Those that left before one that is there, and so long ago that it tells. Returns how much longer the others must have been on their
 * way, s; negative: there are none. */
static double losses_find(struct connection *c, double now)
{
    const bool keeps_order = c->state != CONNECTION_OPEN || c->n_there >= REORDERING;
    const double apart = keeps_order ? 0 : fmin(c->least_round_trip / 4, c->round_trip);
    double wait = -1;
    for (uint32_t i = c->first; i != c->next; i++) {
        struct connection_frame *f = connection_frame_at(c, i);
        if (f->there || f->lost || f->order > c->newest)
            continue;
        const double left = c->told + apart - (now - f->sent);
        if (left > 0 && c->waits) {
            wait = left > wait ? left : wait;
            continue;
        }
        f->lost = true;
        c->n_lost++;
        c->in_flight--;
    }
    return wait;
}

static void recover(struct connection *c)
{
    c->window_before = c->window;
    shrink(c);
    c->state = CONNECTION_RECOVERS;
    c->state_end = c->next;
    c->delivered = c->repeated = 0;
    c->probed = false;
}

/* Proportional rate reduction: the window shrinks as frames are acknowledged, n now. */
static void window_reduce(struct connection *c, int32_t n, bool advanced)
{
    c->delivered += n;
    const int32_t room = c->threshold - c->in_flight, owed = c->delivered - c->repeated;
    int32_t more;
    if (room < 0)
        more = (c->threshold * c->delivered + c->window_before - 1) / c->window_before - c->repeated;
    else
        more = (owed > n ? owed : n) + advanced;
    if (room >= 0 && more > room)
        more = room;
    if (more < (c->repeated == 0))
        more = c->repeated == 0;
    c->window = c->in_flight + more;
}

/* What all frames up to one end being there ends. */
static void stages_end(struct connection *c)
{
    if (c->probed && (int32_t)(c->first - c->probe_end) >= c->probe_repeats) {
        c->probed = false;
        if (c->probe_repeats && c->state == CONNECTION_OPEN) {
            shrink(c);
            c->window = c->threshold;
        }
    }
    if (c->state == CONNECTION_OPEN || (int32_t)(c->first - c->state_end) < 0)
        return;
    if (c->state == CONNECTION_RECOVERS)
        c->window = c->threshold;
    c->state = CONNECTION_OPEN;
}

static void round_trip_count(struct connection *c, double round_trip)
{
    c->least_round_trip = fmin(c->least_round_trip, round_trip);
    c->round_trip += (round_trip - c->round_trip) / (c->round_trip > 0 ? CONNECTION_SMOOTHING : 1);
}

static void frame_is_there(struct connection *c, struct connection_frame *f, bool measured, double now)
{
    if (measured && !f->repeated)
        round_trip_count(c, now - f->sent);
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
    frame_is_there(c, f, measured, now);
    for (; c->first != c->next && connection_frame_at(c, c->first)->there; c->first++)
        c->n_there--;
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
    if (measured)
        round_trip_count(c, now - connection_frame_at(c, c->first)->sent);
    const int32_t n = (int32_t)(i - c->first);
    c->first = i;
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

/* What is missing is waited for, or counts as lost. Returns for how long, s; negative: it is not. */
static double losses_tell(struct connection *c, double now)
{
    const double wait = c->left_out ? losses_find(c, now) : -1;
    c->left_out = wait >= 0;
    if (c->n_lost > 0 && c->state == CONNECTION_OPEN)
        recover(c);
    return wait;
}

void connection_told(struct connection *c, double now)
{
    const int32_t n = c->n_told;
    const bool advanced = c->advanced;
    c->n_told = 0;
    c->advanced = false;
    if (advanced)
        c->timeouts = 0;
    stages_end(c);
    const int32_t n_lost = c->n_lost;
    const double wait = losses_tell(c, now);
    if (c->state == CONNECTION_RECOVERS)
        window_reduce(c, n, advanced && c->n_lost == n_lost);
    else if (advanced)
        grow(c, n, now);
    if (wait >= 0) {
        c->timer = CONNECTION_SETTLES;
        c->due = fmin(timer_end(c->ticks, now, wait + TIMER_MARGIN), first_timeout(c, now));
        return;
    }
    timeout_set(c, now);
    if (outstanding(c) > 0 && may_probe(c))
        probe_set(c, c->due, now);
}

void connection_acknowledge(struct connection *c, uint32_t frame, double now)
{
    if (connection_acknowledge_one(c, frame, true, now))
        connection_told(c, now);
}

void connection_probe_drop(struct connection *c, double now)
{
    c->timer = CONNECTION_TIMEOUT;
    c->due = first_timeout(c, now);
}

/* What was waited for is lost, where the timeout has not come first. Linux: tcp_rack_reo_timeout. */
static void settle(struct connection *c, double now)
{
    const int32_t n_lost = c->n_lost;
    connection_probe_drop(c, now);
    c->left_out = losses_find(c, now) >= 0;
    if (c->n_lost > n_lost && c->state != CONNECTION_RECOVERS) {
        recover(c);
        window_reduce(c, 1, false);
    }
}

void connection_wake(struct connection *c, double now)
{
    if (c->timer == CONNECTION_PROBE) {
        c->probe_sent = !c->probed;
        connection_probe_drop(c, now);
        return;
    }
    if (c->timer == CONNECTION_SETTLES) {
        settle(c, now);
        return;
    }
    if (c->state == CONNECTION_OPEN)
        shrink(c);
    cubic_forget(&c->cubic);
    c->state = CONNECTION_STARTS;
    c->state_end = c->next;
    c->probed = false;
    for (uint32_t i = c->first; i != c->next; i++) {
        struct connection_frame *f = connection_frame_at(c, i);
        if (!f->there && !f->lost) {
            f->lost = true;
            c->n_lost++;
        }
    }
    c->in_flight = 0;
    c->window = 1;
    c->timeouts++;
    timeout_set(c, now);
}
