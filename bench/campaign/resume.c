/* Going on with a file: what was found before planning is in its provenance, what was measured in its points. */
#include "bench/campaign/campaign_impl.h"

#include "common/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is done ---- */

static bool has_samples(const struct campaign *c, const struct histogram *h)
{
    const struct stopping rule = STOPPING_DEFAULT;
    return h->count >= (int64_t)rule.minimum || campaign_alike_are_enough(c, h);
}

static struct point_key key_of(const struct task *task)
{
    bool alone = task->kind == TASK_pingpong || task->kind == TASK_isend_pingpong || task->kind == TASK_receive;
    bool nonblocking = task->kind == TASK_isend_pingpong || task->kind == TASK_isend_pairs;
    return (struct point_key){.operation = nonblocking ? SEND_NONBLOCKING : SEND_BLOCKING,
                              .pattern = alone ? PATTERN_pingpong : PATTERN_pairs, .nodes = task->nodes,
                              .ppn = task->ppn, .level = alone ? 1 : task->nodes * task->ppn, .bytes = task->bytes};
}

bool task_is_explained(const struct campaign *c, const struct task *task)
{
    const struct point_key key = key_of(task);
    if (task->kind != TASK_pairs && task->kind != TASK_isend_pairs)
        return false;
    const bool whose_is_known = task->nodes == 1 || result_note_find(c->result, NOTE_OWNER, NULL);
    return whose_is_known && result_is_explained(c->result, &key);
}

static bool points_are_done(const struct campaign *c, const struct task *task)
{
    const struct point_key key = key_of(task);
    const struct point *point = result_find(c->result, &key);
    return point && has_samples(c, task->kind == TASK_receive ? &point->receive_overhead : &point->transit);
}

/* Where packets were lost there is a note and no gap. */
static bool reverse_was_tried(const struct campaign *c, const struct task *task)
{
    char heading[64], key[32];
    snprintf(heading, sizeof heading, "%s, class %zu", NOTE_RING, task->class);
    snprintf(key, sizeof key, "%" PRId64 " bytes", task->bytes);
    return result_note_find(c->result, task->class == 0 ? NOTE_RING : heading, key) != NULL;
}

/* NULL: none. */
static const struct port_point *port_find(const struct result *result, size_t class, int64_t bytes)
{
    const struct class_ports *own = class > 0 && class < result->n_classes ? &result->classes[class] : NULL;
    const size_t n = class == 0 ? result->n_ports : own ? own->n : 0;
    const struct port_point *points = class == 0 ? result->ports : own ? own->points : NULL;
    for (size_t i = 0; i < n; i++)
        if (points[i].bytes == bytes)
            return &points[i];
    return NULL;
}

static bool saturation_is_done(const struct campaign *c, const struct task *task)
{
    char key[64];
    task_saturation_key(task, sizeof key, key);
    return result_note_find(c->result, NOTE_SATURATION, key) != NULL;
}

static bool rates_are_known(const struct campaign *c, const struct task *task)
{
    size_t first, end;
    result_notes_under(c->result, NOTE_RATES, &first, &end);
    for (size_t i = first; i < end; i++) {
        const char *key = c->result->notes[i].key;
        int node;
        if (task->kind == TASK_trunks && strncmp(key, "trunk", strlen("trunk")) == 0)
            return true;
        if (task->kind == TASK_bus && strcmp(key, "within a node") == 0)
            return true;
        if (task->kind == TASK_rates && sscanf(key, "node %d", &node) == 1 && node >= 0 &&
            node < c->crew->job->nodes && c->class_of[node] == (int)task->class)
            return true;
    }
    return false;
}

bool task_is_done(const struct campaign *c, const struct task *task)
{
    const struct port_point *port = port_find(c->result, task->class, task->bytes);
    switch (task->kind) {
    case TASK_ports: return port && !isnan(port->gap[PORT_OUT]) && !isnan(port->gap[PORT_IN]);
    case TASK_reverse: return (port && !isnan(port->gap[PORT_REVERSE])) || reverse_was_tried(c, task);
    case TASK_owner: return result_note_find(c->result, NOTE_OWNER, NULL) != NULL;
    case TASK_saturation: return saturation_is_done(c, task);
    case TASK_overflow: return result_note_find(c->result, NOTE_OVERFLOW, NULL) != NULL;
    case TASK_trunk_overflow: return result_note_find(c->result, NOTE_TRUNK_OVERFLOW, NULL) != NULL;
    case TASK_window: return result_note_find(c->result, NOTE_WINDOW, NULL) != NULL;
    case TASK_rates: case TASK_trunks: case TASK_bus: return rates_are_known(c, task);
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
static void gaps_take(struct campaign *c, const char *what)
{
    size_t first, end;
    char heading[64];
    snprintf(heading, sizeof heading, "%s, class %zu", what, c->class);
    result_notes_under(c->result, c->class == 0 ? what : heading, &first, &end);
    for (size_t i = first; i < end; i++) {
        struct ports_gap gap;
        if (sscanf(c->result->notes[i].value, "gap %lf us, credit %lf us, alone %lf us, misfit %lf us", &gap.gap,
                   &gap.credit, &gap.transit, &gap.misfit) != 4)
            continue;
        gap.gap *= 1e-6, gap.credit *= 1e-6, gap.transit *= 1e-6, gap.misfit *= 1e-6;
        campaign_gap_add(c, &gap);
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
    const char *groups = result_note_find(c->result, NOTE_GROUPS, NULL);
    if (c->result->n_groups == 0 && groups && strncmp(groups, "nodes ", strlen("nodes ")) == 0)
        return refuse(c, "transits", "hold what messages waited for at trunks", "`resources` tell of that");
    sizes_take(c);
    if (!rest || c->n_sizes == 0) {
        diag_error(c->diags, place_of_file(c->options->output),
                   "--resume: the provenance lacks `%s` or `%s`: pevpm-bench has not written this file",
                   NOTE_REST, NOTE_FIRST_LOOK);
        return STATUS_SCHEMA;
    }
    c->rest_found = c->rest = strtoll(rest, NULL, 10);
    campaign_find_node_limit(c);
    campaign_find_nodes(c);
    campaign_find_groups(c);
    campaign_find_common(c);
    campaign_find_rest_delay(c);
    campaign_find_exchanges(c);
    for (size_t class = 0; class < c->n_classes; class++) {
        campaign_class(c, class);
        gaps_take(c, "fan_out");
        gaps_take(c, "fan_in");
        campaign_credit_fit(c);
    }
    campaign_class(c, 0);
    return sizes_check(c);
}
