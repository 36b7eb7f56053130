#include "estimate/machine/apart_fit.h"

#include <math.h>

static double wire(const struct apart_gap *gap, double frame, const struct headers *headers)
{
    const double bytes = (double)gap->bytes;
    return bytes + headers->message + headers->frame * floor(bytes / frame);
}

bool apart_fit(size_t n, const struct apart_gap gaps[], size_t i, double frame, const struct headers *headers, double alike,
               struct apart *apart)
{
    size_t first = 0;
    while (first < n && (double)gaps[first].bytes < HEADERS_LONG * frame)
        first++;
    if (!(frame > 0) || i < first || n < first + 2)
        return false;
    const bool is_end = i == first || i == n - 1;
    const struct apart_gap *before = i == first ? &gaps[i + 1] : &gaps[i - 1], *after = is_end ? before : &gaps[i + 1];
    const double own = wire(&gaps[i], frame, headers), from = wire(before, frame, headers), to = wire(after, frame, headers);
    const double w = is_end ? 0 : (own - from) / (to - from), of_before = is_end ? own / from : 1 - w;
    apart->gap = of_before * before->gap + w * after->gap;
    apart->spread = gaps[i].misfit + of_before * before->misfit + w * after->misfit + alike * (gaps[i].gap + apart->gap);
    return true;
}
