#include "bench/campaign/block.h"

#include "bench/pending.h"

#include <math.h>

static const double BLOCK_TIME = 8;    /* s between synchronisations: clocks drift apart by less than they are known */
static const double BLOCK_PART = 0.2;  /* of the time so far, while that is less: killed early, it leaves a file too */
static const double BLOCK_END_PART = 0.0625; /* of a block, that its end may be: where that takes long blocks are
                                              * longer */
static const double BLOCK_COST = 0.6;  /* s for one of them, and the file, at least */
static const double FILE_TIME = 5;     /* s that a slow disk may take for the file */

static double block_time(const struct campaign *c)
{
    return fmax(BLOCK_TIME, c->block_cost / BLOCK_END_PART);
}

void block_first(struct campaign *c)
{
    const double begun = campaign_now();
    campaign_settle(c);
    c->block_cost = fmax(BLOCK_COST, campaign_now() - begun);
}

bool block_is_over(const struct campaign *c)
{
    const double now = campaign_now();
    return now - c->block_started > fmin(block_time(c), BLOCK_PART * (now - c->started));
}

double block_time_left(const struct campaign *c)
{
    const double left = campaign_left(c), in_block = campaign_now() - c->block_started;
    return left - floor(fmax(0, in_block + left) / (block_time(c) + c->block_cost)) * c->block_cost;
}

/* Receive overheads serve messages of either kind. */
static void receive_overheads_copy(struct result *result)
{
    for (size_t i = 0; i < result->n_points; i++) {
        struct point *point = &result->points[i];
        struct point_key key = point->key;
        key.operation = key.operation == SEND_BLOCKING ? SEND_NONBLOCKING : SEND_BLOCKING;
        struct point *other = result_find(result, &key);
        if (other && other->transit.count > 0 && other->receive_overhead.count == 0 &&
            point->receive_overhead.count > 0)
            histogram_merge(&other->receive_overhead, &point->receive_overhead);
    }
}

enum status block_end(struct campaign *c)
{
    const double begun = campaign_now();
    campaign_settle(c);
    receive_overheads_copy(c->result);
    result_note(c->result, 0, "elapsed", "%.1f s", c->elapsed_before + campaign_now() - c->started);
    crew_pause(c->crew, FILE_TIME);
    const enum status status = result_write(c->result, c->options->output, c->diags);
    c->block_cost = fmax(BLOCK_COST, campaign_now() - begun);
    return status;
}
