#include "bench/gaps.h"

#include "bench/apart.h"
#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double CREDIT_NOISE = 0.2; /* of the time of a message alone: what a median of bursts may be off */
enum { FRAME_BYTES = 90 };              /* of headers; only guesses use it */
static const double CALL_TIME = 30e-6;   /* s: a guess at what a call takes */

double campaign_gap_guess(const struct campaign *c, int64_t bytes)
{
    const struct size_info *most = &c->sizes[c->n_sizes - 1], *less = &c->sizes[(c->n_sizes - 1) / 2];
    double per_byte =
        most->bytes > less->bytes ? (most->one_way - less->one_way) / (double)(most->bytes - less->bytes) : 0;
    return fmax(fmax(per_byte, 0) * (double)(bytes + FRAME_BYTES), CALL_TIME);
}

struct port_point *campaign_port(struct campaign *c, int64_t bytes)
{
    return c->class == 0 ? result_port(c->result, bytes) : result_class_port(c->result, c->class, bytes);
}

static void gap_add(struct campaign *c, const struct ports_gap *gap)
{
    struct node_class *class = &c->classes[c->class];
    class->gaps = alloc_grow(class->gaps, class->n_gaps, &class->gaps_capacity, sizeof *class->gaps);
    class->gaps[class->n_gaps++] = *gap;
}

static void side_take(struct campaign *c, enum port_gap side)
{
    size_t first, end;
    char heading[RESULT_HEADING_BYTES];
    result_notes_under(c->result, apart_heading(c->class, side, heading), &first, &end);
    for (size_t i = first; i < end; i++) {
        struct ports_gap gap;
        if (!apart_gap_read(c->result->notes[i].value, &gap))
            continue;
        gap.bytes = strtoll(c->result->notes[i].key, NULL, 10);
        gap_add(c, &gap);
    }
}

void campaign_gaps_take(struct campaign *c)
{
    c->classes[c->class].n_gaps = 0;
    side_take(c, PORT_OUT);
    side_take(c, PORT_IN);
}

void campaign_credit_fit(struct campaign *c)
{
    const struct node_class *class = &c->classes[c->class];
    double *credit = c->class == 0 ? &c->result->credit : &c->result->classes[c->class].credit;
    *credit = ports_fit_credit(class->n_gaps, class->gaps, c->result->frame, CREDIT_NOISE);
}

const struct port_point *campaign_port_find(const struct campaign *c, size_t class, int64_t bytes)
{
    const struct result *result = c->result;
    const struct class_ports *own = class > 0 && class < result->n_classes ? &result->classes[class] : NULL;
    const size_t n = class == 0 ? result->n_ports : own ? own->n : 0;
    const struct port_point *points = class == 0 ? result->ports : own ? own->points : NULL;
    for (size_t i = 0; i < n; i++)
        if (points[i].bytes == bytes)
            return &points[i];
    return NULL;
}
