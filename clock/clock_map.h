/* clock_map.h - the global time of a local one: a line through points in time.
 *
 * Each synchronisation adds a knot. Between knots the map is the straight line; outside, the line goes on. Pure
 * arithmetic, int64 nanoseconds. */
#ifndef PEVPM_CLOCK_CLOCK_MAP_H
#define PEVPM_CLOCK_CLOCK_MAP_H

#include <stddef.h>
#include <stdint.h>

/* How fast the rate of a quartz may change: 1e-8 within a second is 0.03 ppm per kelvin at 0.3 K/s. Between two knots
 * the clock then leaves the straight line by at most half of this times the times to both. */
#define CLOCK_RAMP 1e-8

/* At local time `local` the global clock showed `global`, +- bound (likely) and +- limit (surely), see clock.h. */
struct clock_knot {
    int64_t local, global, bound, limit;
};
/* Both local and global ascend strictly. */
struct clock_map {
    size_t n, capacity;
    struct clock_knot *knots; /* [n] owned; no knot: global = local, exactly */
};
#define CLOCK_MAP_EMPTY {0, 0, NULL}

void clock_map_free(struct clock_map *map);
/* Adds a knot, later than all before (asserted). */
void clock_map_add(struct clock_map *map, struct clock_knot knot);

/* Between knots interpolated. Beyond the ends the line through the outermost knot and one at least a second further in
 * (or the last there is) goes on; with a single knot, at rate 1. */
int64_t clock_map_global(const struct clock_map *map, int64_t local);
/* The local time at which the map shows `global`, to 1 ns. */
int64_t clock_map_local(const struct clock_map *map, int64_t global);

/* Largest error of clock_map_global at `local`: that of the knots around, interpolated, plus what CLOCK_RAMP adds;
 * beyond the ends that of the outermost knot, of the line's rate, and the ramp. A single knot: plus 500 ppm, more than
 * any quartz is wrong. The second is the same with the knots' `limit`. */
int64_t clock_map_bound(const struct clock_map *map, int64_t local);
int64_t clock_map_limit(const struct clock_map *map, int64_t local);

#endif
