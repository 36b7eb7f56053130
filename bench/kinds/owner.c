/* Whether two processes of a node share a port. */
#include "bench/kinds/kinds.h"

#include "bench/bursts.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/owner_fit.h"

#include <math.h>
#include <stdlib.h>

enum { OWNER_BURSTS = 9, OWNER_RUNS = 4 };
static const double ALONE_MOST = 30e-3; /* s that a message of the size takes at most */

/* The largest eager message that does not take long: the longer it keeps a port busy, the less do calls matter. */
static int64_t owner_bytes(const struct campaign *c)
{
    int64_t bytes = c->sizes[0].bytes;
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes <= c->result->eager_limit && c->sizes[i].one_way <= ALONE_MOST)
            bytes = c->sizes[i].bytes;
    return bytes;
}

static double owner_cost(const struct campaign *c, const struct task *task)
{
    const struct size_info *size = campaign_size(c, task->bytes);
    return 3 * (OWNER_BURSTS * (2.2 * size->one_way + (double)c->rest * 1e-9) + 0.12);
}

/* From the first call to the last arrival of `messages` messages from `senders` processes of one node to others, s:
 * the median; NaN where too few count. */
static double messages_median(struct campaign *c, const struct task *task, int senders, int messages)
{
    struct series_setup setup = {.pattern = PATTERN_stream, .shape = campaign_shape(c, task->nodes, task->ppn),
                                 .kind = SEND_NONBLOCKING, .bytes = task->bytes, .rest = c->rest};
    setup.shape.senders = senders;
    setup.shape.burst = messages;
    int64_t busy = (int64_t)(1.1e9 * messages * campaign_size(c, task->bytes)->one_way) + 500000;
    size_t n, found = 0;
    double median = NAN;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < OWNER_RUNS && found < (size_t)OWNER_BURSTS; run++) {
        crew_series_run(c->crew, series, run == 0 ? 1 : OWNER_BURSTS, busy, 1);
        const struct series_message *list = crew_series_collect(c->crew, series, &n);
        struct ports_burst *bursts = alloc_array(n + 1, sizeof *bursts);
        double *times = alloc_array(n + 1, sizeof *times);
        found = campaign_bursts_read(list, n, messages, bursts);
        for (size_t i = 0; i < found; i++)
            times[i] = bursts[i].last;
        median = 2 * found >= (size_t)OWNER_BURSTS ? ports_median(found, times) : NAN;
        busy = (int64_t)((double)campaign_bursts_busy(list, n) * 1.1) + 200000;
        free(bursts);
        free(times);
    }
    crew_series_destroy(c->crew, series);
    return median;
}

static void owner_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    double one = messages_median(c, task, 1, 1), one_process = messages_median(c, task, 1, 2),
           two_processes = messages_median(c, task, 2, 2);
    if (isnan(one) || isnan(one_process) || isnan(two_processes))
        return;
    enum owner owner = owner_fit(one, one_process, two_processes);
    c->result->ports_per_process = owner == OWNER_process;
    result_note(c->result, 0, NOTE_OWNER,
                "%s: one message of %lld bytes takes %.1f us, two from one process %.1f us, from two processes %.1f us",
                owner_text(owner), (long long)task->bytes, one * 1e6, one_process * 1e6, two_processes * 1e6);
}

static bool owner_is_done(const struct campaign *c, const struct task *task)
{
    (void)task;
    return result_note_find(c->result, NOTE_OWNER, NULL) != NULL;
}

const struct kind kind_owner = {.cost = owner_cost, .measure = owner_measure, .is_done = owner_is_done,
                                .bytes = owner_bytes};
