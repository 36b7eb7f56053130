/* Bursts through a port, and the gaps that explain them. */
#include "bench/campaign/campaign_impl.h"

#include "common/alloc.h"
#include "estimate/ports_fit.h"
#include "results/headers.h"

#include <math.h>
#include <stdlib.h>

enum {
    BURSTS = 9,      /* of one length: their median stands a third of them losing packets */
    BURSTS_ALIKE = 4, /* ... so many do where all of these take the same time */
    RUNS_MOST = 4,    /* the first of one repetition, the others until enough bursts count */
    LENGTHS_LEAST = 3 /* lengths at any size */
};
static const double BURST_MOST = 40e-3; /* s: longer bursts only where the least lengths take that long */
static const double ALIKE = 0.005;      /* of a burst's time: a fifth of what a frame's headers add to a gap */
static const double ALIKE_TIME = 5e-3;  /* s: bursts from which on the port sets the time, and repeats it */
static const double CREDIT_NOISE = 0.2; /* of the time of a message alone: what a median of bursts may be off */
enum { FRAME_BYTES = 90 };              /* of headers; only guesses use it */
static const double CALL_TIME = 30e-6;   /* s: a guess at what a call takes */
static const double LOSS = 1.5; /* times the time of one message: a port so much slower than its sender is none; packets
                                   that overflow its buffer are */
static const double AGAIN = 1.3; /* some bursts do not count and are measured again */
static const int lengths[] = {1, 2, 3, 4, 8, 12, 16, 24, 32};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths };

double campaign_gap_guess(const struct campaign *c, int64_t bytes)
{
    const struct size_info *most = &c->sizes[c->n_sizes - 1], *less = &c->sizes[(c->n_sizes - 1) / 2];
    double per_byte =
        most->bytes > less->bytes ? (most->one_way - less->one_way) / (double)(most->bytes - less->bytes) : 0;
    return fmax(fmax(per_byte, 0) * (double)(bytes + FRAME_BYTES), CALL_TIME);
}

/* Expected, of k messages. */
static double burst_time(const struct campaign *c, const struct size_info *size, int k)
{
    return size->one_way + (k - 1) * campaign_gap_guess(c, size->bytes);
}

/* Whether a burst of the i-th length is measured at a size; of nodes that differ from the others every second one. */
static bool length_is_used(const struct campaign *c, const struct size_info *size, int i)
{
    if (i >= LENGTHS_LEAST && lengths[i] > campaign_burst_most(c, size->bytes))
        return false;
    if (c->class > 0)
        return i % 2 == 0 && (i < LENGTHS_LEAST || burst_time(c, size, lengths[i]) * c->classes[c->class].slower <=
                                                       BURST_MOST);
    return i < LENGTHS_LEAST || burst_time(c, size, lengths[i]) <= BURST_MOST;
}

/* A group for bursts of k messages: as many processes as take part, so that several may run at once. */
static struct shape burst_shape(const struct campaign *c, int k)
{
    struct shape shape = campaign_shape(c, campaign_close_group(c, k + 1), 1);
    shape.burst = k;
    return shape;
}

static int burst_copies(const struct size_info *size, const struct shape *shape)
{
    return size->copies ? shape_groups(shape) : 1;
}

double task_ports_cost(const struct campaign *c, const struct size_info *size)
{
    double cost = 0;
    for (int i = 0; i < N_LENGTHS; i++) {
        if (!length_is_used(c, size, i))
            continue;
        struct shape shape = burst_shape(c, lengths[i]);
        const double time = burst_time(c, size, lengths[i]);
        const double bursts = time * c->classes[c->class].slower >= ALIKE_TIME ? BURSTS_ALIKE : BURSTS;
        const double repetitions = ceil(bursts / burst_copies(size, &shape));
        cost += 2 * AGAIN * (repetitions * (time * 1.1 + (double)c->rest * 1e-9) + 0.06);
    }
    return cost;
}

struct port_point *campaign_port(struct campaign *c, int64_t bytes)
{
    return c->class == 0 ? result_port(c->result, bytes) : result_class_port(c->result, c->class, bytes);
}

void campaign_heading(struct campaign *c, const char *what)
{
    char key[64];
    snprintf(key, sizeof key, "%s, class %zu", what, c->class);
    result_heading(c->result, c->class == 0 ? what : key);
}

/* The bursts of the class that is being measured: those whose hub is of it. */
static size_t class_bursts_read(const struct campaign *c, enum pattern pattern, const struct series_message messages[],
                                size_t n, int k, struct ports_burst bursts[])
{
    size_t found = 0;
    for (size_t first = 0; first + (size_t)k <= n; first += (size_t)k)
        if (campaign_in_class(c, pattern == PATTERN_fan_out ? messages[first].from : messages[first].to))
            found += campaign_bursts_read(messages + first, (size_t)k, k, bursts + found);
    return found;
}

size_t campaign_bursts_read(const struct series_message messages[], size_t n, int k, struct ports_burst bursts[])
{
    size_t n_bursts = 0;
    for (size_t first = 0; first + (size_t)k <= n; first += (size_t)k) {
        int64_t call = messages[first].call, last = messages[first].end;
        bool valid = true;
        for (size_t i = first; i < first + (size_t)k; i++) {
            call = messages[i].call < call ? messages[i].call : call;
            last = messages[i].end > last ? messages[i].end : last;
            valid = valid && messages[i].valid;
        }
        if (valid)
            bursts[n_bursts++] = (struct ports_burst){k, (double)(last - call) * 1e-9};
    }
    return n_bursts;
}

int64_t campaign_bursts_busy(const struct series_message messages[], size_t n)
{
    double *last = alloc_zeroed(n, sizeof *last), median = 0;
    for (size_t i = 0; i < n; i++)
        last[messages[i].repetition] =
            fmax(last[messages[i].repetition], (double)(messages[i].end - messages[i].planned));
    if (n > 0)
        median = ports_median((size_t)messages[n - 1].repetition + 1, last);
    free(last);
    return (int64_t)median;
}

/* How many bursts of one length to have, n of which are there. */
static int bursts_wanted(size_t n, const struct ports_burst bursts[])
{
    double *times = alloc_array(n + 1, sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[i] = bursts[i].last;
    const bool alike = ports_alike(n, times, BURSTS_ALIKE, ALIKE);
    free(times);
    return alike || n < (size_t)BURSTS_ALIKE ? BURSTS_ALIKE : BURSTS;
}

/* Bursts of one length. A first repetition tells how long they take. */
static size_t bursts_measure(struct campaign *c, enum pattern pattern, const struct size_info *size, int k,
                             struct ports_burst **bursts, size_t n_bursts)
{
    struct series_setup setup = {.pattern = pattern, .shape = burst_shape(c, k), .kind = SEND_NONBLOCKING,
                                 .bytes = size->bytes, .rest = c->rest, .at_once = size->copies};
    int copies = burst_copies(size, &setup.shape), repetitions = 1;
    int64_t busy = (int64_t)(burst_time(c, size, k) * 1.1e9) + 500000;
    size_t n, found = 0;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < RUNS_MOST && repetitions > 0; run++) {
        crew_series_run(c->crew, series, repetitions, busy, copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        *bursts = alloc_resize(*bursts, n_bursts + n, sizeof **bursts);
        found = class_bursts_read(c, pattern, messages, n, k, *bursts + n_bursts);
        const int lacks = bursts_wanted(found, *bursts + n_bursts) - (int)found;
        repetitions = lacks > 0 ? (lacks + copies - 1) / copies : 0;
        busy = (int64_t)((double)campaign_bursts_busy(messages, n) * 1.1) + 200000;
    }
    crew_series_destroy(c->crew, series);
    return n_bursts + found;
}

void campaign_gap_add(struct campaign *c, const struct ports_gap *gap)
{
    struct node_class *class = &c->classes[c->class];
    class->gaps = alloc_grow(class->gaps, class->n_gaps, &class->gaps_capacity, sizeof *class->gaps);
    class->gaps[class->n_gaps++] = *gap;
}

void campaign_credit_fit(struct campaign *c)
{
    const struct node_class *class = &c->classes[c->class];
    double *credit = c->class == 0 ? &c->result->credit : &c->result->classes[c->class].credit;
    *credit = ports_fit_credit(class->n_gaps, class->gaps, CREDIT_NOISE);
}

/* The gap of one side at one size; NaN where no burst counted. most: see ports_fit_gap. */
static double gap_measure(struct campaign *c, enum pattern pattern, const struct size_info *size, double most)
{
    struct ports_burst *bursts = NULL;
    struct ports_gap fit = {.gap = NAN};
    size_t n = 0;
    for (int i = 0; i < N_LENGTHS; i++)
        if (length_is_used(c, size, i) && (i < LENGTHS_LEAST || campaign_now() < c->task_ends))
            n = bursts_measure(c, pattern, size, lengths[i], &bursts, n);
    if (ports_fit_gap(n, bursts, most, &fit)) {
        campaign_gap_add(c, &fit);
        campaign_heading(c, pattern == PATTERN_fan_out ? "fan_out" : "fan_in");
        char key[32];
        snprintf(key, sizeof key, "%lld bytes", (long long)size->bytes);
        result_note(c->result, 1, key, "gap %.1f us, credit %.1f us, alone %.1f us, misfit %.1f us", fit.gap * 1e6,
                    fit.credit * 1e6, fit.transit * 1e6, fit.misfit * 1e6);
    }
    free(bursts);
    return fit.gap;
}

void task_measure_ports(struct campaign *c, const struct task *task)
{
    const struct size_info *size = campaign_size(c, task->bytes);
    double out_gap = gap_measure(c, PATTERN_fan_out, size, HUGE_VAL);
    double most = isnan(out_gap) ? HUGE_VAL : LOSS * fmax(out_gap, size->one_way);
    double in_gap = gap_measure(c, PATTERN_fan_in, size, most);
    struct port_point *port = campaign_port(c, task->bytes);
    port->gap[PORT_OUT] = out_gap;
    port->gap[PORT_IN] = in_gap;
    campaign_credit_fit(c);
    headers_count(c->result);
}
