/* Going on with a file: what was found before planning is in its provenance, what was measured in its points. */
#include "bench/campaign_impl.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CREDIT_NOISE = 0.2; /* as in campaign_ports.c */

/* ---- what is done ---- */

static bool has_samples(const struct histogram *h)
{
    const struct stopping rule = STOPPING_DEFAULT;
    return h->count >= (int64_t)rule.minimum;
}

static bool points_are_done(const struct campaign *c, const struct task *task)
{
    bool alone = task->kind == TASK_pingpong || task->kind == TASK_isend_pingpong || task->kind == TASK_receive;
    bool nonblocking = task->kind == TASK_isend_pingpong || task->kind == TASK_isend_pairs;
    struct point_key key = {.operation = nonblocking ? SEND_NONBLOCKING : SEND_BLOCKING,
                            .pattern = alone ? PATTERN_pingpong : PATTERN_pairs, .nodes = task->nodes,
                            .ppn = task->ppn, .level = alone ? 1 : task->nodes * task->ppn, .bytes = task->bytes};
    const struct point *point = result_find(c->result, &key);
    return point && has_samples(task->kind == TASK_receive ? &point->receive_overhead : &point->transit);
}

/* Where packets were lost there is a note and no gap. */
static bool reverse_was_tried(const struct campaign *c, int64_t bytes)
{
    char key[32];
    snprintf(key, sizeof key, "%" PRId64 " bytes", bytes);
    return result_note_find(c->result, NOTE_RING, key) != NULL;
}

static bool saturation_is_done(const struct campaign *c, const struct task *task)
{
    char key[64];
    task_saturation_key(task, sizeof key, key);
    return result_note_find(c->result, NOTE_SATURATION, key) != NULL;
}

bool task_is_done(const struct campaign *c, const struct task *task)
{
    const struct port_point *port = NULL;
    for (size_t i = 0; i < c->result->n_ports; i++)
        if (c->result->ports[i].bytes == task->bytes)
            port = &c->result->ports[i];
    switch (task->kind) {
    case TASK_ports: return port && !isnan(port->gap[PORT_OUT]) && !isnan(port->gap[PORT_IN]);
    case TASK_reverse: return port && (!isnan(port->gap[PORT_REVERSE]) || reverse_was_tried(c, task->bytes));
    case TASK_owner: return result_note_find(c->result, NOTE_OWNER, NULL) != NULL;
    case TASK_saturation: return saturation_is_done(c, task);
    case TASK_overflow: return result_note_find(c->result, NOTE_OVERFLOW, NULL) != NULL;
    case TASK_pingpong: case TASK_receive: case TASK_pairs: case TASK_isend_pingpong: case TASK_isend_pairs:
        return points_are_done(c, task);
    case N_TASKS: break;
    }
    return false;
}

/* ---- what was found ---- */

static void sizes_take(struct campaign *c)
{
    size_t first, end;
    result_notes_under(c->result, NOTE_FIRST_LOOK, &first, &end);
    for (size_t i = first; i < end; i++) {
        const struct result_note *note = &c->result->notes[i];
        struct size_info *size = campaign_size_add(c, strtoll(note->key, NULL, 10));
        if (!size)
            continue;
        size->one_way = strtod(note->value, NULL) * 1e-6;
        size->copies = strstr(note->value, SIZE_COPIES) != NULL;
    }
}

/* The gaps and credits of each size, of which the machine's credit is the median. */
static void gaps_take(struct campaign *c, const char *heading)
{
    size_t first, end;
    result_notes_under(c->result, heading, &first, &end);
    for (size_t i = first; i < end; i++) {
        struct ports_gap gap;
        if (sscanf(c->result->notes[i].value, "gap %lf us, credit %lf us, alone %lf us, misfit %lf us", &gap.gap,
                   &gap.credit, &gap.transit, &gap.misfit) != 4)
            continue;
        gap.gap *= 1e-6, gap.credit *= 1e-6, gap.transit *= 1e-6, gap.misfit *= 1e-6;
        c->gaps = alloc_grow(c->gaps, c->n_gaps, &c->gaps_capacity, sizeof *c->gaps);
        c->gaps[c->n_gaps++] = gap;
    }
}

static enum status refuse(const struct campaign *c, const char *what, const char *found, const char *expected)
{
    diag_error(c->diags, place_of_file(c->options->output), "--resume: %s %s in this file, %s in this job; measure "
               "into another file, or add up launches with --merge", what, found, expected);
    return STATUS_SCHEMA;
}

/* Sizes that were given must all be there; what the search added besides stays. */
static enum status sizes_check(const struct campaign *c)
{
    for (size_t i = 0; i < c->options->n_sizes; i++)
        if (!campaign_size(c, c->options->sizes[i])) {
            char text[32];
            snprintf(text, sizeof text, "%" PRId64, c->options->sizes[i]);
            return refuse(c, "there is no size", text, "which --sizes asks for");
        }
    return STATUS_OK;
}

enum status campaign_resume(struct campaign *c)
{
    const char *rest = result_note_find(c->result, NOTE_REST, NULL);
    int64_t eager = campaign_check_eager(c, c->result->eager_limit);
    char found[32], expected[32];
    if (eager != c->result->eager_limit) {
        snprintf(found, sizeof found, "is %" PRId64, c->result->eager_limit);
        snprintf(expected, sizeof expected, "%" PRId64, eager);
        return refuse(c, "the eager limit", c->result->eager_limit == INT64_MAX ? "is none" : found,
                      eager == INT64_MAX ? "none" : expected);
    }
    sizes_take(c);
    if (!rest || c->n_sizes == 0) {
        diag_error(c->diags, place_of_file(c->options->output),
                   "--resume: the provenance lacks `%s` or `%s`: pevpm-bench has not written this file",
                   NOTE_REST, NOTE_FIRST_LOOK);
        return STATUS_SCHEMA;
    }
    c->rest = strtoll(rest, NULL, 10);
    campaign_find_node_limit(c);
    campaign_find_common(c);
    campaign_find_rest_delay(c);
    gaps_take(c, "fan_out");
    gaps_take(c, "fan_in");
    c->result->credit = ports_fit_credit(c->n_gaps, c->gaps, CREDIT_NOISE);
    return sizes_check(c);
}
