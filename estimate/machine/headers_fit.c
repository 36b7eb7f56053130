#include "estimate/machine/headers_fit.h"

#include <math.h>

static const double NEAR = 0.05;  /* of the frame: so near to it the two sizes that show its second frame must be */
static const double MOST = 150;   /* bytes: more than any frame's headers */
static const struct headers USUAL = {88, 66, true};

struct headers headers_usual(void)
{
    return USUAL;
}

/* The last gap that is known of at least `least` and less than `end` bytes; n: none. */
static size_t gap_find(size_t n, const struct headers_gap gaps[], double least, double end)
{
    size_t found = n;
    for (size_t i = 0; i < n; i++)
        if (!isnan(gaps[i].gap) && (double)gaps[i].bytes >= least && (double)gaps[i].bytes < end)
            found = i;
    return found;
}

enum telling { TELLS_NOTHING, TELLS_TOO_MUCH, TELLS };

static enum telling port_fit(size_t n, const struct headers_gap gaps[], double frame, struct headers *headers)
{
    const size_t one = gap_find(n, gaps, (1 - NEAR) * frame, frame), two = gap_find(n, gaps, frame, (1 + NEAR) * frame);
    const size_t most = gap_find(n, gaps, HEADERS_LONG * frame, INFINITY);
    if (one == n || two == n || most == n)
        return TELLS_NOTHING;
    const double apart = (double)(gaps[two].bytes - gaps[one].bytes), frames = floor((double)gaps[most].bytes / frame);
    const double leap = gaps[two].gap - gaps[one].gap, rise = gaps[most].gap - gaps[one].gap;
    const double per_byte =
        (rise - frames * leap) / ((double)(gaps[most].bytes - gaps[one].bytes) - frames * apart);
    headers->message = gaps[one].gap / per_byte - (double)gaps[one].bytes;
    headers->frame = leap / per_byte - apart;
    if (!(per_byte > 0 && headers->message >= 0 && headers->frame >= 0))
        return TELLS_NOTHING;
    return headers->frame > MOST ? TELLS_TOO_MUCH : TELLS;
}

bool headers_fit(size_t n_ports, size_t n, const struct headers_gap *const gaps[], double frame,
                 struct headers *headers)
{
    double found = 0;
    bool too_much = false;
    *headers = (struct headers){0, 0, false};
    for (size_t i = 0; i < n_ports; i++) {
        struct headers one;
        const enum telling telling = port_fit(n, gaps[i], frame, &one);
        too_much |= telling == TELLS_TOO_MUCH;
        if (telling != TELLS)
            continue;
        headers->message += one.message;
        headers->frame += one.frame;
        found++;
    }
    if (found > 0) {
        headers->message /= found;
        headers->frame /= found;
    } else if (too_much) {
        *headers = USUAL;
    }
    return found > 0 || too_much;
}

double headers_least(const struct headers *headers, double per_byte, double bytes, double frame)
{
    return bytes < (1 - NEAR) * frame ? per_byte * (bytes + headers->message) : 0;
}

double headers_per_byte(const struct headers *headers, size_t n, const struct headers_gap gaps[], double frame)
{
    const size_t most = gap_find(n, gaps, frame, INFINITY);
    if (most == n)
        return NAN;
    const double bytes = (double)gaps[most].bytes;
    return gaps[most].gap / (bytes + headers->message + headers->frame * floor(bytes / frame));
}
