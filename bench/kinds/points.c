/* Messages one by one: a pattern at a size, until the stopping rule is satisfied. */
#include "bench/kinds/kinds.h"

#include "bench/pending.h"
#include "bench/places.h"
#include "common/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_REPETITIONS = 6 };
/* Messages of a chain that count, and before them, that warm. Those that are there all have room where the library keeps what nobody has
 * received: MPICH over UCX holds 51 of 1000 bytes, and then lets their sender wait. The first messages after a rest of 0.4 ms
 * take 19, 1.8 and 1 us, in place of 0.3. */
enum { CHAIN_MOST = 256, CHAIN_WARM_MOST = 16, CHAIN_THERE = 32, WARM_SHORT = 16 };
static const double ORDER_TIME = 0.02;  /* s that telling everybody and collecting takes */
static const double BUSY_SPARE = 1.03;  /* on what a repetition took so far */
enum { SAMPLES_ALIKE = 29 }; /* show an event of probability 10 % with 95 % chance */
enum { SAMPLES_LEAST = 59 }; /* ... of 5 %: where they are not alike, the second time */
static const double ALIKE_PART = 0.95; /* of such samples all but one: a processor that stood still once is no tail */
/* Of the budget: more samples than those only as far as that goes. The first time little, so that all points are
 * measured once before any of them twice. */
static const double MINIMUM_FIRST = 0.0015, MINIMUM_AGAIN = 0.03;
static const double MINIMUM_CAP = 4;    /* times the time cap: what the least number of samples may take */
static const double MINIMUM_PART = 0.1; /* ... or this part of the time that is left */
static const double TURN_SPARE = 300e-6; /* s: receivers wake 200 us before their message, and some are called late */
static const double RECEIVE_LATE = 2.0; /* of the one-way time: then the message is surely there */
static const double SPREAD_MOST = 2e-3;   /* s: of longer messages the processors' work is too small a part to matter */
static const double SPREAD_COMMON = 20;   /* times the common gap, per process: what all nodes have in common is then
                                            busy for a twentieth of the time */

static bool task_is_nonblocking(const struct task *task)
{
    return task->kind == TASK_isend_pingpong || task->kind == TASK_isend_pairs;
}

static bool task_is_pingpong(const struct task *task)
{
    return task->kind == TASK_pingpong || task->kind == TASK_isend_pingpong;
}

static enum transport task_transport(const struct task *task)
{
    return task->socket ? TRANSPORT_socket : machine_transport_by_nodes(task->nodes);
}

static struct shape task_shape(const struct campaign *c, const struct task *task)
{
    return task->nodes == 1 ? campaign_local_shape(c, task_transport(task), task->ppn)
                            : campaign_shape(c, task->nodes, task->ppn);
}

static int64_t receive_delay(const struct campaign *c, const struct task *task)
{
    double one_way = campaign_size(c, task->bytes)->one_way;
    return task->kind == TASK_receive ? (int64_t)((RECEIVE_LATE * one_way + RECEIVE_SPARE) * 1e9) : 0;
}

/* See shape_start. What the common gap explains must not be in the transits as well. Messages that wait for their
 * receive start together: a process that is in a send of its own stamps what it receives when that send returns. */
static int64_t task_spread(const struct campaign *c, const struct task *task)
{
    bool pairs = task->kind == TASK_pairs || task->kind == TASK_isend_pairs;
    if (!pairs || task->bytes > campaign_limit_of(c, task_transport(task)))
        return 0;
    double apart = SPREAD_COMMON * c->result->common_gap * task->nodes * task->ppn;
    return (int64_t)(fmax(fmin(campaign_size(c, task->bytes)->one_way, SPREAD_MOST), apart) * 1e9);
}

/* Groups in one repetition: all where they do not disturb one another; else as many as can have their turns one after
 * another, each alone, while the others' ports rest. */
static int task_copies(const struct campaign *c, const struct task *task)
{
    struct shape shape = task_shape(c, task);
    const struct size_info *size = campaign_size(c, task->bytes);
    const int groups = shape_groups(&shape);
    if (size->copies || task->kind == TASK_receive)
        return groups;
    const double turn = TURN_SPARE + BUSY_SPARE * size->one_way + (double)task_spread(c, task) * 1e-9;
    return (int)fmin(fmax((turn + (double)c->rest * 1e-9) / turn, 1), groups);
}

/* Samples of one repetition. */
static int task_yield(const struct campaign *c, const struct task *task)
{
    return task_copies(c, task) * (task_is_pingpong(task) ? 1 : task->nodes * task->ppn);
}

/* s of one repetition. Two large messages that meet may wait for one another's permission: twice the time. */
static double task_period(const struct campaign *c, const struct task *task)
{
    const int64_t pause = c->rest + receive_delay(c, task) + task_spread(c, task);
    const bool meet = (task->kind == TASK_pairs || task->kind == TASK_isend_pairs) &&
                      task->bytes > campaign_limit_of(c, task_transport(task));
    return BUSY_SPARE * (meet ? 2 : 1) * campaign_size(c, task->bytes)->one_way + (double)pause * 1e-9;
}

/* The least number of samples: what the rule says, of long messages fewer, which hardly differ. The second time what
 * the first has left of these; where it has left none as many again, for the median. */
static size_t task_minimum(const struct campaign *c, const struct task *task)
{
    const struct stopping rule = STOPPING_DEFAULT;
    const double part = task->again ? MINIMUM_AGAIN : MINIMUM_FIRST;
    const double affordable = part * bench_options_measuring(c->options) / task_period(c, task);
    const double least = task->again ? SAMPLES_LEAST : SAMPLES_ALIKE;
    const size_t minimum = (size_t)fmin((double)rule.minimum, fmax(least, floor(affordable) * task_yield(c, task)));
    return minimum > task->samples ? minimum - task->samples : minimum;
}

/* What a series has shown so far. */
struct findings {
    struct samples samples;      /* ns, of all that counted */
    struct samples repetitions;  /* medians of each repetition: independent of one another */
    struct samples longest;      /* ns: of each group in each repetition, how long its longest message took, or its chain */
    size_t disturbed;
    int each;                    /* so many of the samples stand for one: messages of a chain */
};

static int64_t message_value(const struct series_message *m, bool receives)
{
    return receives ? m->end - m->receive : m->end - m->call;
}

/* The longest message of each group in each repetition, or how long its chain took. */
static void findings_longest(struct findings *found, const struct series_message messages[], size_t n, bool receives)
{
    int64_t longest = 0;
    const struct series_message *first = messages;
    for (size_t i = 0; i < n; i++) {
        const struct series_message *m = &messages[i];
        const bool is_last = i + 1 == n || m[1].repetition != m->repetition || m[1].copy != m->copy;
        const int64_t value = m->trip > 0 && !receives ? m->end - first->call : message_value(m, receives);
        longest = value > longest ? value : longest;
        if (is_last) {
            samples_add(&found->longest, longest);
            longest = 0;
            first = m + 1;
        }
    }
}

/* earlier: medians of repetitions of a series before this one. */
static void findings_make(struct findings *found, const struct series_message messages[], size_t n, bool receives,
                          const struct samples *earlier)
{
    struct samples one;
    samples_init(&found->samples);
    samples_init(&found->repetitions);
    samples_init(&found->longest);
    samples_init(&one);
    samples_append(&found->repetitions, earlier->n, earlier->ns);
    found->disturbed = 0;
    for (size_t first = 0, next; first < n; first = next) {
        samples_reset(&one);
        for (next = first; next < n && messages[next].repetition == messages[first].repetition; next++) {
            const struct series_message *m = &messages[next];
            found->disturbed += !m->valid;
            if (m->valid) {
                samples_add(&found->samples, message_value(m, receives));
                samples_add(&one, message_value(m, receives));
            }
        }
        if (one.n > 0) {
            samples_sort(&one);
            samples_add(&found->repetitions, llround(samples_median(&one)));
        }
    }
    samples_free(&one);
    findings_longest(found, messages, n, receives);
}

static void findings_free(struct findings *found)
{
    samples_free(&found->samples);
    samples_free(&found->repetitions);
    samples_free(&found->longest);
}

/* What a repetition should be given, ns, beside the pause that follows. A message that takes longer by half of that
 * spoils the repetitions of its group that it overruns, so a repetition costs its time times the mean number that a
 * group uses up: the cheapest of some quantiles. */
static int64_t busy_cheapest(struct samples *longest, int64_t pause)
{
    static const double quantiles[] = {0.5, 0.75, 0.9, 0.95, 0.99, 1};
    int64_t best = 0;
    double least = INFINITY;
    samples_sort(longest);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        const int64_t busy = (int64_t)((double)samples_quantile(longest, quantiles[i]) * BUSY_SPARE) + 100000;
        double cost = 0;
        for (size_t k = 0; k < longest->n; k++)
            cost += (double)((busy + pause) * (1 + (longest->ns[k] + pause / 2) / (busy + pause)));
        if (cost < least)
            best = busy, least = cost;
    }
    return best;
}

/* Whether times from `least` to `most`, ns, lie within the precision that is asked of medians: so far there is no
 * tail. */
static bool are_alike(const struct campaign *c, int64_t least, int64_t most, double median)
{
    return (double)(most - least) <= c->options->precision * median;
}

/* ... and are so many that no more are needed. */
static bool alike_are_enough(const struct campaign *c, const struct histogram *h)
{
    return h->count >= SAMPLES_ALIKE && are_alike(c, h->minimum, histogram_quantile(h, ALIKE_PART),
                                                           (double)histogram_quantile(h, 0.5));
}

static size_t findings_count(const struct findings *found)
{
    return found->samples.n / (size_t)found->each;
}

/* How many samples the tail asks for: `minimum`, and fewer of messages that have all taken the same time so far. */
static size_t findings_minimum(const struct campaign *c, struct findings *found, size_t minimum)
{
    const struct samples *samples = &found->samples;
    if (samples->n == 0 || minimum < SAMPLES_ALIKE)
        return minimum;
    samples_sort(&found->samples);
    const bool alike = are_alike(c, samples->ns[0], samples_quantile(samples, ALIKE_PART), samples_median(samples));
    return alike ? SAMPLES_ALIKE : minimum;
}

/* Enough: samples for the tail, and repetitions for the median. */
static enum stop findings_decide(const struct campaign *c, struct findings *found, size_t minimum, double elapsed,
                                 double time_cap)
{
    struct stopping rule = STOPPING_DEFAULT;
    if (findings_count(found) < minimum)
        return elapsed < fmax(MINIMUM_CAP * time_cap, MINIMUM_PART * campaign_left(c)) ? STOP_go_on : STOP_time;
    if (found->samples.n >= rule.maximum)
        return STOP_maximum;
    samples_sort(&found->repetitions);
    if (stopping_precision(&found->repetitions, rule.confidence) <= c->options->precision)
        return STOP_precise;
    return elapsed >= time_cap ? STOP_time : STOP_go_on;
}

/* Repetitions of the next run: what the minimum still lacks, else a quarter more, within the time left. */
static int next_repetitions(const struct findings *found, size_t minimum, int yield, int done, double period,
                            double time_left)
{
    double lacks = ((double)minimum - (double)findings_count(found)) / yield;
    if (done == 0)
        return (int)fmin(ceil(lacks), FIRST_REPETITIONS);
    if (lacks > 0)
        return (int)ceil(lacks);
    return (int)fmax(1, fmin(fmax(FIRST_REPETITIONS, done / 4.0), time_left / period));
}

static struct point_key key_of(const struct task *task)
{
    bool alone = task->kind == TASK_pingpong || task->kind == TASK_isend_pingpong || task->kind == TASK_receive;
    bool nonblocking = task->kind == TASK_isend_pingpong || task->kind == TASK_isend_pairs;
    return (struct point_key){.operation = nonblocking ? SEND_NONBLOCKING : SEND_BLOCKING,
                              .pattern = alone ? PATTERN_pingpong : PATTERN_pairs, .nodes = task->nodes,
                              .ppn = task->ppn, .level = alone ? 1 : task->nodes * task->ppn, .bytes = task->bytes,
                              .socket = task->socket};
}

static void precision_key(const struct task *task, size_t n, char key[])
{
    snprintf(key, n, "%s, %dx%d%s, %lld bytes", task_text(task->kind), task->nodes, task->ppn, task_where(task),
             (long long)task->bytes);
}

static bool point_is_precise(const struct campaign *c, const struct task *task)
{
    char key[80];
    precision_key(task, sizeof key, key);
    return result_note_find(c->result, NOTE_IMPRECISE, key) == NULL;
}

/* Of a point that stopped before its median was known as precisely as asked for. */
static void precision_note(struct campaign *c, const struct task *task, struct findings *found, enum stop stop)
{
    char key[80];
    precision_key(task, sizeof key, key);
    samples_sort(&found->repetitions);
    campaign_note_precision(c, key, task->samples + findings_count(found), stopping_precision(&found->repetitions, 0.95),
                            stop);
}

static int64_t chain_limit(const struct campaign *c, const struct series_setup *setup)
{
    return campaign_limit_of(c, setup->shape.pairs == TRANSPORT_network ? TRANSPORT_node : setup->shape.pairs);
}

/* Messages within a node go right behind one another, as many as half of the rest has time for, of which a fifth warms. Of
 * receives that are called late as many as the library takes of eager messages without a receive, behind a few short ones;
 * a longer one waits for its receive, and its sender for it. */
static void series_chain(const struct campaign *c, struct series_setup *setup, double one_way)
{
    if (setup->receive_delay > 0) {
        setup->trips = setup->bytes > chain_limit(c, setup) ? 1 : CHAIN_THERE;
        setup->warm = WARM_SHORT;
        return;
    }
    const int counted = (int)fmax(1, fmin(CHAIN_MOST, 0.5e-9 * (double)setup->rest / fmax(one_way, 1e-9)));
    setup->warm = counted / 4 < 1 ? 1 : counted / 4 > CHAIN_WARM_MOST ? CHAIN_WARM_MOST : counted / 4;
    setup->trips = counted + setup->warm;
    setup->late = setup->rest / 2;
}

/* By what they take in the midst of it, which is less than a first one has taken. */
static void series_chain_again(struct campaign *c, int series, struct series_setup *setup, struct findings *found)
{
    if (setup->trips <= 1 || setup->receive_delay > 0 || found->repetitions.n == 0)
        return;
    samples_sort(&found->repetitions);
    series_chain(c, setup, fmax(1, samples_median(&found->repetitions)) * 1e-9);
    crew_series_chain(c->crew, series, setup->trips, setup->warm);
}

static int chain_trips(const struct series_setup *setup)
{
    return setup->trips > 1 ? setup->trips : 1;
}

/* How many samples a repetition yields in place of one. */
static int chain_counted(const struct series_setup *setup)
{
    return chain_trips(setup) - series_warming(setup);
}

/* Keeps in the task what a second time adds to. */
static void point_measure(struct campaign *c, struct task *task, double time_cap)
{
    const struct size_info *size = campaign_size(c, task->bytes);
    bool receives = task->kind == TASK_receive;
    struct series_setup setup = {
        .pattern = task_is_pingpong(task) ? PATTERN_pingpong : PATTERN_pairs,
        .shape = task_shape(c, task), .bytes = task->bytes, .rest = c->rest,
        .kind = task_is_nonblocking(task) ? SEND_NONBLOCKING : SEND_BLOCKING,
        .at_once = size->copies, .receive_delay = receive_delay(c, task)};
    const bool chains = task->nodes == 1 && series_chains(c->crew->job);
    if (chains)
        series_chain(c, &setup, size->one_way);
    setup.shape.spread = chains ? 0 : task_spread(c, task);
    if (setup.pattern == PATTERN_pairs)
        setup.shape.stretch = campaign_stretch(c, task->nodes) * task->ppn;
    const size_t most = task_minimum(c, task);
    size_t minimum = most;
    int copies = task_copies(c, task), yield = task_yield(c, task), done = 0;
    int64_t busy = receives ? 1000000 : (int64_t)(size->one_way * chain_trips(&setup) * BUSY_SPARE * 1e9) + 100000;
    double started = campaign_now();
    struct findings found = {.samples = SAMPLES_EMPTY, .each = 1};
    enum stop stop = STOP_go_on;
    int series = crew_series_create(c->crew, &setup);
    while (stop == STOP_go_on) {
        double period = (double)(busy + setup.rest + setup.receive_delay + setup.shape.spread) * 1e-9;
        int n = next_repetitions(&found, minimum, yield, done, period, time_cap - (campaign_now() - started));
        findings_free(&found);
        crew_series_run(c->crew, series, n, busy, copies);
        done += n;
        size_t n_messages;
        const struct series_message *messages = crew_series_collect(c->crew, series, &n_messages);
        findings_make(&found, messages, n_messages, receives, &task->medians);
        found.each = chain_counted(&setup);
        series_chain_again(c, series, &setup, &found);
        if (found.longest.n > 0)
            busy = busy_cheapest(&found.longest, setup.rest + setup.receive_delay + setup.shape.spread);
        minimum = task->again ? most : findings_minimum(c, &found, most);
        stop = findings_decide(c, &found, minimum, campaign_now() - started, time_cap);
    }
    campaign_log(c, "%zu samples, %zu disturbed, %d repetitions of %.2f ms in %.2f s: %s", found.samples.n,
                 found.disturbed, done, (double)(busy + setup.rest + setup.receive_delay) * 1e-6,
                 campaign_now() - started, stop_text(stop));
    precision_note(c, task, &found, stop);
    task->samples += findings_count(&found);
    samples_free(&task->medians);
    task->medians = found.repetitions;
    found.repetitions = (struct samples)SAMPLES_EMPTY;
    findings_free(&found);
    pending_add(c, &(struct pending){.series = series, .key = key_of(task), .receives = receives, .stop = stop});
}

static double point_cost(const struct campaign *c, const struct task *task)
{
    return ceil((double)task_minimum(c, task) / task_yield(c, task)) * task_period(c, task) + 3 * ORDER_TIME;
}

static bool has_samples(const struct campaign *c, const struct histogram *h)
{
    const struct stopping rule = STOPPING_DEFAULT;
    return h->count >= (int64_t)rule.minimum || alike_are_enough(c, h);
}

static bool point_is_done(const struct campaign *c, const struct task *task)
{
    const struct point_key key = key_of(task);
    const struct point *point = result_find(c->result, &key);
    return point && has_samples(c, task->kind == TASK_receive ? &point->receive_overhead : &point->transit);
}

static bool pairs_are_explained(const struct campaign *c, const struct task *task)
{
    const struct point_key key = key_of(task);
    const bool whose_is_known = task->nodes == 1 || result_note_find(c->result, NOTE_OWNER, NULL);
    return whose_is_known && result_is_explained(c->result, &key);
}

#define POINT .cost = point_cost, .measure = point_measure, .is_done = point_is_done, .is_precise = point_is_precise
const struct kind kind_pingpong = {POINT};
const struct kind kind_isend_pingpong = {POINT};
const struct kind kind_receive = {POINT};
const struct kind kind_pairs = {POINT, .is_explained = pairs_are_explained};
const struct kind kind_isend_pairs = {POINT, .is_explained = pairs_are_explained};
#undef POINT
