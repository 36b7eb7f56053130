/* Going on with a file: what was found before planning is in its provenance. */
#include "bench/campaign/resume.h"

#include "bench/find.h"
#include "bench/gaps.h"
#include "bench/places.h"
#include "common/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    campaign_find_node_rendezvous(c);
    campaign_find_unread(c);
    campaign_find_nodes(c);
    campaign_find_groups(c);
    campaign_find_common(c);
    campaign_find_rest_delay(c);
    campaign_find_exchanges(c);
    for (size_t class = 0; class < c->n_classes; class++) {
        campaign_class(c, class);
        campaign_gaps_take(c);
        campaign_credit_fit(c);
    }
    campaign_class(c, 0);
    return sizes_check(c);
}
