#include "bench/pending.h"

#include "bench/provenance.h"
#include "common/alloc.h"
#include "results/busy.h"

#include <stdio.h>
#include <stdlib.h>

/* The receive is called when the message has had twice its time and RECEIVE_SPARE. One that then still lasts longer
 * than a whole message and that spare waited for a message that was late itself, and says nothing of the overhead;
 * whatever else makes it slow, a busy processor above all, is part of it. */
static bool was_there(const struct campaign *c, const struct series_message *m, int64_t bytes)
{
    return (double)(m->end - m->receive) * 1e-9 <= campaign_size(c, bytes)->one_way + RECEIVE_SPARE;
}

static void pending_settle(struct campaign *c, const struct pending *pending)
{
    struct point *point = result_point(c->result, &pending->key);
    size_t n;
    const struct series_message *messages = crew_series_collect(c->crew, pending->series, &n);
    for (size_t i = 0; i < n; i++) {
        const struct series_message *m = &messages[i];
        const bool possible = pending->receives || m->end > m->call;
        bool counts = m->valid && possible && (!pending->receives || was_there(c, m, pending->key.bytes));
        c->n_impossible += m->valid && !possible;
        point->disturbed += !counts;
        if (!counts)
            continue;
        if (pending->receives) {
            histogram_add(&point->receive_overhead, m->end - m->receive, 1);
        } else {
            histogram_add(&point->transit, m->end - m->call, 1);
            histogram_add(&point->send_overhead, m->back - m->call, 1);
        }
    }
    if (!pending->receives)
        point->stop = pending->stop;
    crew_series_destroy(c->crew, pending->series);
}

/* How wrong the clocks may have been in the block that ends here, and at most. */
static void bounds_note(struct campaign *c, const char *block)
{
    const struct job *job = c->crew->job;
    int places = job->nodes * job->ppn;
    struct crew_member *now = alloc_array((size_t)places, sizeof *now);
    int64_t bound = 0, limit = 0;
    crew_members(c->crew, now);
    for (int place = 0; place < places; place++) {
        struct crew_member *most = &c->bounds[place];
        bound = now[place].bound_ns > bound ? now[place].bound_ns : bound;
        limit = now[place].limit_ns > limit ? now[place].limit_ns : limit;
        now[place].bound_ns = most->bound_ns > now[place].bound_ns ? most->bound_ns : now[place].bound_ns;
        now[place].limit_ns = most->limit_ns > now[place].limit_ns ? most->limit_ns : now[place].limit_ns;
        *most = now[place];
    }
    free(now);
    provenance_hosts(job, c->bounds, c->result);
    result_heading(c->result, "clocks by block");
    result_note(c->result, 1, block, "within %.1f us, surely within %.1f us", (double)bound * 1e-3, (double)limit * 1e-3);
}

void campaign_settle(struct campaign *c)
{
    char block[40];
    crew_sync(c->crew);
    snprintf(block, sizeof block, "block to %.1f s", c->elapsed_before + campaign_now() - c->started);
    bounds_note(c, block);
    crew_others(c->crew);
    busy_note(c->result, c->crew->others, block);
    for (size_t i = 0; i < c->n_pending; i++)
        pending_settle(c, &c->pending[i]);
    c->n_pending = 0;
    c->block_started = campaign_now();
}

void pending_add(struct campaign *c, const struct pending *pending)
{
    c->pending[c->n_pending++] = *pending;
    if (c->n_pending == sizeof c->pending / sizeof *c->pending)
        campaign_settle(c);
}
