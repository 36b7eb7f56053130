#include "record/fit/period.h"

#include "record/fit/number.h"

#include <stdlib.h>
#include <string.h>

enum { TRIPS_MOST = 64, LENGTH_MOST = 1 << 22 };

/* The values of one process in trips 0, 1, ... of the loop. */
struct line {
    int64_t n, *value;
    bool *known;
    int numprocs;
};
struct lines {
    size_t n, capacity;
    struct line *list;
};

/* A sample without the loop's trip, so that those of one line stand together. */
struct point {
    struct fit_sample place;
    int64_t trip;
};

static int point_compare(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    int order = fit_sample_compare(&x->place, &y->place);
    return order != 0 ? order : (x->trip > y->trip) - (x->trip < y->trip);
}

/* Two samples that follow one another with one value are the ends of a run of it; with two values trips between them,
 * if any, did not come here. False: the line is so long that nobody counts. */
static bool line_make(struct line *line, size_t n, const struct point points[])
{
    *line = (struct line){.n = points[n - 1].trip + 1, .numprocs = points[0].place.numprocs};
    if (line->n > LENGTH_MOST)
        return false;
    line->value = alloc_array((size_t)line->n, sizeof *line->value);
    line->known = alloc_zeroed((size_t)line->n, sizeof *line->known);
    for (size_t i = 0; i < n; i++) {
        const bool run = i + 1 < n && points[i + 1].place.value == points[i].place.value;
        for (int64_t trip = points[i].trip; trip <= (run ? points[i + 1].trip : points[i].trip); trip++) {
            line->value[trip] = points[i].place.value;
            line->known[trip] = true;
        }
    }
    return true;
}

static void lines_free(struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        free(lines->list[i].value);
        free(lines->list[i].known);
    }
    free(lines->list);
    *lines = (struct lines){0};
}

static bool lines_make(struct lines *lines, int loop, size_t n, const struct fit_sample samples[])
{
    struct point *points = alloc_array(n, sizeof *points);
    int64_t length = 0;
    bool made = true;
    *lines = (struct lines){0};
    for (size_t i = 0; i < n; i++) {
        points[i] = (struct point){samples[i], samples[i].index[loop]};
        points[i].place.index[loop] = 0;
    }
    qsort(points, n, sizeof *points, point_compare);
    for (size_t first = 0, end; first < n && made; first = end) {
        for (end = first + 1; end < n && fit_sample_compare(&points[first].place, &points[end].place) == 0;)
            end++;
        struct line line;
        made = line_make(&line, end - first, &points[first]);
        if (made) {
            lines->list = alloc_grow(lines->list, lines->n, &lines->capacity, sizeof *lines->list);
            lines->list[lines->n++] = line;
            length += line.n;
            made = length <= LENGTH_MOST;
        }
    }
    free(points);
    return made;
}

static int64_t trips_of(const struct period *period, const struct line *line)
{
    return period->trips == PERIOD_NUMPROCS ? line->numprocs : period->trips;
}

/* The first known value of a residue; false: there is none. */
static bool value_at(const struct line *line, int64_t trips, int64_t residue, int64_t *value)
{
    for (int64_t trip = residue; trip < line->n; trip += trips)
        if (line->known[trip]) {
            *value = line->value[trip];
            return true;
        }
    return false;
}

/* Does a line go round? n: out, how many trips are known for each residue that any is known of. */
static bool goes_round(const struct line *line, int64_t trips, double *n)
{
    int64_t known = 0, residues = 0, value;
    for (int64_t residue = 0; residue < trips; residue++) {
        if (!value_at(line, trips, residue, &value))
            continue;
        residues++;
        for (int64_t trip = residue; trip < line->n; trip += trips) {
            if (line->known[trip] && line->value[trip] != value)
                return false;
            known += line->known[trip];
        }
    }
    *n = residues > 0 ? (double)known / (double)residues : 0;
    return true;
}

static bool repeats(const struct period *period, const struct lines *lines)
{
    bool twice = false, varies = false;
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->list[i];
        double n;
        if (!goes_round(line, trips_of(period, line), &n))
            return false;
        twice = twice || n >= 2;
        for (int64_t trip = 1, last = 0; trip < line->n && !varies; trip++)
            if (line->known[trip]) {
                varies = line->known[last] && line->value[trip] != line->value[last];
                last = trip;
            }
    }
    return twice && varies;
}

/* The value of most residues. */
static int64_t usual_value(const struct line *line, int64_t trips)
{
    int64_t usual = 0, most = 0, value, other;
    for (int64_t i = 0; i < trips; i++) {
        int64_t n = 0;
        if (!value_at(line, trips, i, &value))
            continue;
        for (int64_t k = 0; k < trips; k++)
            n += value_at(line, trips, k, &other) && other == value;
        if (n > most) {
            most = n;
            usual = value;
        }
    }
    return usual;
}

static bool is_odd(const struct period *period, const struct lines *lines, int64_t residue)
{
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->list[i];
        const int64_t trips = trips_of(period, line);
        int64_t value;
        if (residue < trips && trips <= TRIPS_MOST && value_at(line, trips, residue, &value) &&
            value != usual_value(line, trips))
            return true;
    }
    return false;
}

static void odd_find(struct period *period, const struct lines *lines)
{
    for (int64_t residue = 0; residue < TRIPS_MOST; residue++) {
        if (!is_odd(period, lines, residue))
            continue;
        if (period->n_odd == PERIOD_ODD) {
            period->n_odd = 0;
            return;
        }
        period->odd[period->n_odd++] = residue;
    }
}

/* ---- stretches ---- */

/* The trips of which all where a value changes are multiples; 0: none does, or nobody knows where. */
static int64_t stretch_of(const struct lines *lines)
{
    int64_t stretch = 0;
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->list[i];
        for (int64_t trip = 1; trip < line->n; trip++) {
            if (!line->known[trip] || !line->known[trip - 1])
                return 0;
            if (line->value[trip] != line->value[trip - 1])
                stretch = number_divisor(stretch, trip);
        }
    }
    return stretch;
}

/* Leaves one trip of each stretch. Returns how many the longest line has. */
static int64_t lines_shorten(struct lines *lines, int64_t stretch)
{
    int64_t most = 0;
    for (size_t i = 0; i < lines->n; i++) {
        struct line *line = &lines->list[i];
        line->n = (line->n + stretch - 1) / stretch;
        for (int64_t trip = 0; trip < line->n; trip++) {
            line->value[trip] = line->value[trip * stretch];
            line->known[trip] = line->known[trip * stretch];
        }
        most = line->n > most ? line->n : most;
    }
    return most;
}

/* STRETCHES_LEAST: two that come once are a condition, i < 5. */
enum { STRETCHES_LEAST = 3, STRETCHES_MOST = 8 };

/* The period of stretches, if there is one; lines: are shortened. */
static bool stretches_find(struct period *period, int loop, struct lines *lines)
{
    const int64_t stretch = stretch_of(lines);
    if (stretch < 2)
        return false;
    const int64_t all = lines_shorten(lines, stretch);
    *period = (struct period){.loop = loop, .stretch = stretch, .trips = 2};
    while (period->trips <= STRETCHES_MOST && !repeats(period, lines) && (period->trips != all || all < STRETCHES_LEAST))
        period->trips++;
    return period->trips <= STRETCHES_MOST;
}

int periods_find(struct period periods[PERIODS], int loop, size_t n, const struct fit_sample samples[])
{
    struct lines lines;
    int found = 0;
    if (n == 0)
        return 0;
    if (lines_make(&lines, loop, n, samples)) {
        struct period period = {.loop = loop, .stretch = 1, .trips = 2};
        while (period.trips <= TRIPS_MOST && !repeats(&period, &lines))
            period.trips++;
        if (period.trips <= TRIPS_MOST)
            periods[found++] = period;
        period.trips = PERIOD_NUMPROCS;
        if (repeats(&period, &lines))
            periods[found++] = period;
        for (int i = 0; i < found; i++)
            odd_find(&periods[i], &lines);
        if (stretches_find(&periods[found], loop, &lines))
            odd_find(&periods[found++], &lines);
    }
    lines_free(&lines);
    return found;
}

/* ---- single trips ---- */

/* The value of more than half of all trips that are known, if there is one (Boyer and Moore's majority vote). */
static int64_t major_value(const struct line *line)
{
    int64_t major = 0, votes = 0;
    for (int64_t trip = 0; trip < line->n; trip++) {
        if (!line->known[trip])
            continue;
        major = votes == 0 ? line->value[trip] : major;
        votes += line->value[trip] == major ? 1 : -1;
    }
    return major;
}

/* False: there is no room for one more. */
static bool odd_add(int64_t odd[PERIOD_ODD], int *n, int64_t trip)
{
    int at = *n;
    for (int i = 0; i < *n; i++)
        if (odd[i] == trip)
            return true;
    if (*n == PERIOD_ODD)
        return false;
    for (; at > 0 && odd[at - 1] > trip; at--)
        odd[at] = odd[at - 1];
    odd[at] = trip;
    ++*n;
    return true;
}

int odd_trips_find(int64_t odd[PERIOD_ODD], int loop, size_t n, const struct fit_sample samples[])
{
    struct lines lines;
    int found = 0;
    if (n == 0)
        return 0;
    bool few = lines_make(&lines, loop, n, samples);
    for (size_t i = 0; i < lines.n && few; i++) {
        const struct line *line = &lines.list[i];
        const int64_t major = major_value(line);
        for (int64_t trip = 0; trip < line->n && few; trip++)
            if (line->known[trip] && line->value[trip] != major)
                few = odd_add(odd, &found, trip);
    }
    lines_free(&lines);
    return few ? found : 0;
}

/* ---- turns ---- */

/* The one of a count, new with no trips; NULL: they are too many. */
static struct turn *turn_of(struct turn turns[], size_t *n, int numprocs)
{
    for (size_t i = 0; i < *n; i++)
        if (turns[i].numprocs == numprocs)
            return &turns[i];
    if (*n == TURNS_MOST)
        return NULL;
    turns[*n] = (struct turn){.numprocs = numprocs};
    return &turns[(*n)++];
}

static void turn_add(struct turn *turn, const struct line *line)
{
    int64_t first = 0;
    for (int64_t trip = 1; trip < line->n; trip++) {
        if (!line->known[trip] || !line->known[trip - 1]) {
            first = trip; /* what lasts over trips that did not come here is not known */
            continue;
        }
        if (line->value[trip] == line->value[trip - 1])
            continue;
        turn->least = turn->least == 0 || trip - first < turn->least ? trip - first : turn->least;
        turn->most = trip - first > turn->most ? trip - first : turn->most;
        first = trip;
    }
    turn->trips = line->n > turn->trips ? line->n : turn->trips;
}

size_t turns_find(struct turn turns[TURNS_MOST], int loop, size_t n, const struct fit_sample samples[])
{
    struct lines lines;
    size_t found = 0;
    if (n == 0)
        return 0;
    bool all = lines_make(&lines, loop, n, samples);
    for (size_t i = 0; i < lines.n && all; i++) {
        struct turn *turn = turn_of(turns, &found, lines.list[i].numprocs);
        all = turn != NULL;
        if (turn)
            turn_add(turn, &lines.list[i]);
    }
    for (size_t i = 0; i < found; i++)
        if (turns[i].most == 0)
            turns[i].least = turns[i].most = turns[i].trips;
    lines_free(&lines);
    return all ? found : 0;
}
