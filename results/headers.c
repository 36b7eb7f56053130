#include "results/headers.h"

#include "common/alloc.h"
#include "estimate/machine/headers_fit.h"

#include <math.h>
#include <stdlib.h>

static const enum port_gap sides[] = {PORT_OUT, PORT_IN};
enum { N_SIDES = sizeof sides / sizeof *sides };

static struct headers_gap *gaps_of(size_t n, const struct port_point points[], enum port_gap side)
{
    struct headers_gap *gaps = alloc_array(n + 1, sizeof *gaps);
    for (size_t i = 0; i < n; i++)
        gaps[i] = (struct headers_gap){points[i].bytes, points[i].gap[side]};
    return gaps;
}

/* Returns how many were less. */
static size_t side_raise(const struct headers *headers, double frame, size_t n, struct port_point points[],
                         enum port_gap side)
{
    struct headers_gap *gaps = gaps_of(n, points, side);
    const double per_byte = headers_per_byte(headers, n, gaps, frame);
    size_t raised = 0;
    free(gaps);
    for (size_t i = 0; i < n; i++) {
        const double least = headers_least(headers, per_byte, (double)points[i].bytes, frame);
        if (points[i].gap[side] < least) {
            points[i].gap[side] = least;
            raised++;
        }
    }
    return raised;
}

static size_t class_raise(const struct headers *headers, double frame, size_t n, struct port_point points[])
{
    size_t raised = 0;
    for (size_t k = 0; k < N_SIDES; k++)
        raised += side_raise(headers, frame, n, points, sides[k]);
    return raised;
}

void headers_count(struct result *result)
{
    struct headers headers;
    struct headers_gap *gaps[N_SIDES];
    for (size_t k = 0; k < N_SIDES; k++)
        gaps[k] = gaps_of(result->n_ports, result->ports, sides[k]);
    const bool known = result->frame > 0 &&
                       headers_fit(N_SIDES, result->n_ports, (const struct headers_gap *const *)gaps, result->frame,
                                   &headers);
    for (size_t k = 0; k < N_SIDES; k++)
        free(gaps[k]);
    if (!known)
        return;
    size_t raised = class_raise(&headers, result->frame, result->n_ports, result->ports);
    for (size_t class = 1; class < result->n_classes; class++)
        raised += class_raise(&headers, result->frame, result->classes[class].n, result->classes[class].points);
    for (size_t group = 0; group < result->n_groups + result->n_outer; group++)
        raised += class_raise(&headers, result->frame, result->trunks[group].n, result->trunks[group].points);
    raised += class_raise(&headers, result->frame, result->bus.n, result->bus.points);
    if (raised > 0)
        result_note(result, 0, NOTE_HEADERS,
                    "messages of less than a frame keep what they pass busy for no less than theirs, of %.0f bytes, "
                    "which bursts share%s", headers.message,
                    headers.usual ? "; these are usual and not measured, for timers make frames late here" : "");
}
