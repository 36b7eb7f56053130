#include "models/frame_cost.h"

#include <math.h>

/* Less than this part of a full frame is noise: gaps are measured within 0.5 % (docs/ARCHITECTURE.md, section 10). */
static const double LEAST_PART = 0.01;

struct frame_cost frame_cost_of(const struct machine_curve *demand, double frame)
{
    size_t within = 0;
    while (within < demand->n && demand->bytes[within] < frame)
        within++;
    if (within < 2 || within == demand->n || demand->bytes[demand->n - 1] < 2 * frame)
        return (struct frame_cost){0, 0};
    const size_t last = demand->n - 1;
    const double *bytes = demand->bytes, *time = demand->time;
    const double slope = (time[within - 1] - time[0]) / (bytes[within - 1] - bytes[0]);
    const double beyond = time[last] - time[0] - slope * (bytes[last] - bytes[0]);
    const double empty = time[0] - slope * bytes[0];
    const double overhead = fmin(beyond / floor(bytes[last] / frame), empty);
    const double full = slope * frame + overhead;
    return (struct frame_cost){overhead < LEAST_PART * full ? 0 : overhead, full};
}

double frame_cost_shared(const struct machine_curve *demand, double frame, double bytes)
{
    const struct frame_cost cost = frame_cost_of(demand, frame);
    return bytes < frame && machine_curve_at(demand, bytes) <= cost.full ? cost.overhead : 0;
}
