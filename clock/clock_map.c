#include "clock/clock_map.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Far enough apart that the knots' own errors hardly tilt the line. */
static const int64_t SPAN_NS = 1000000000;
static const double UNKNOWN_RATE = 500e-6;

/* A piece of the map: between its knots, and beyond, global - local grows by `rate` per ns. */
struct line {
    const struct clock_knot *from, *to; /* from = to: a single knot */
    double rate;
};

void clock_map_free(struct clock_map *map)
{
    free(map->knots);
    *map = (struct clock_map)CLOCK_MAP_EMPTY;
}

void clock_map_add(struct clock_map *map, struct clock_knot knot)
{
    assert(map->n == 0 || (knot.local > map->knots[map->n - 1].local && knot.global > map->knots[map->n - 1].global));
    map->knots = alloc_grow(map->knots, map->n, &map->capacity, sizeof *map->knots);
    map->knots[map->n++] = knot;
}

static struct line line_through(const struct clock_knot *from, const struct clock_knot *to)
{
    int64_t local = to->local - from->local, global = to->global - from->global;
    return (struct line){from, to, from == to ? 0 : (double)(global - local) / (double)local};
}

/* Which of the two times of a knot is meant. */
enum axis { LOCAL, GLOBAL };

static int64_t time_of(const struct clock_knot *knot, enum axis axis)
{
    return axis == LOCAL ? knot->local : knot->global;
}

/* The piece of the map that serves a time. */
static struct line line_at(const struct clock_map *map, enum axis axis, int64_t time)
{
    const struct clock_knot *knots = map->knots, *last = knots + map->n - 1;
    size_t low = 0, high = map->n - 1;
    if (time <= time_of(knots, axis)) {
        for (high = 0; high + 1 < map->n && knots[high].local - knots[0].local < SPAN_NS;)
            high++;
        return line_through(knots, knots + high);
    }
    if (time >= time_of(last, axis)) {
        for (low = map->n - 1; low > 0 && last->local - knots[low].local < SPAN_NS;)
            low--;
        return line_through(knots + low, last);
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (time_of(&knots[middle], axis) <= time)
            low = middle;
        else
            high = middle;
    }
    return line_through(knots + low, knots + high);
}

/* The end of the piece that is nearer to the time, so that the outermost knot itself is met exactly. */
static const struct clock_knot *nearer(struct line line, enum axis axis, int64_t time)
{
    return time - time_of(line.from, axis) < time_of(line.to, axis) - time ? line.from : line.to;
}

int64_t clock_map_global(const struct clock_map *map, int64_t local)
{
    if (map->n == 0)
        return local;
    struct line line = line_at(map, LOCAL, local);
    const struct clock_knot *knot = nearer(line, LOCAL, local);
    int64_t since = local - knot->local;
    return knot->global + since + llround((double)since * line.rate);
}

int64_t clock_map_local(const struct clock_map *map, int64_t global)
{
    if (map->n == 0)
        return global;
    struct line line = line_at(map, GLOBAL, global);
    const struct clock_knot *knot = nearer(line, GLOBAL, global);
    int64_t since = global - knot->global;
    return knot->local + since - llround((double)since * (line.rate / (1 + line.rate)));
}

/* From the errors of the two knots of the piece to the error at `local`; +1 for rounding. */
static int64_t error_at(struct line line, int64_t local, int64_t from_error, int64_t to_error)
{
    double span = (double)(line.to->local - line.from->local);
    double after = (double)(local - line.from->local), before = (double)(line.to->local - local);
    if (line.from == line.to)
        return from_error + llround(fabs(after) * UNKNOWN_RATE);
    double error = after < 0    ? (double)from_error - after * (double)(from_error + to_error) / span
                   : before < 0 ? (double)to_error - before * (double)(from_error + to_error) / span
                                : ((double)from_error * before + (double)to_error * after) / span;
    return llround(ceil(error + CLOCK_RAMP / 1e9 / 2 * fabs(after * before))) + 1;
}

int64_t clock_map_bound(const struct clock_map *map, int64_t local)
{
    if (map->n == 0)
        return 0;
    struct line line = line_at(map, LOCAL, local);
    return error_at(line, local, line.from->bound, line.to->bound);
}

int64_t clock_map_limit(const struct clock_map *map, int64_t local)
{
    if (map->n == 0)
        return 0;
    struct line line = line_at(map, LOCAL, local);
    return error_at(line, local, line.from->limit, line.to->limit);
}
