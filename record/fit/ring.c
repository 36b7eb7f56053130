#include "record/fit/ring.h"

#include "record/fit/term.h"

#include <stdlib.h>
#include <string.h>

/* What is added before `%` is taken, to come `distance` further on in a ring or back. The extent goes before what is taken off, which
 * is once round: of a distance that goes round more often somewhere only what is left beyond whole rounds is taken off, for `%` of
 * a negative number is negative. */
static const char *step_text(struct search *search, const struct candidate *extent, const struct candidate *distance, int sign)
{
    if (sign > 0)
        return search_text(search, "+%s", distance->text);
    for (size_t i = 0; i < search->m; i++)
        if (distance->value[i] > extent->value[i])
            return search_text(search, "+%s-%s%%%s", extent->text, distance->text, extent->text);
    return search_text(search, "+%s", text_less(search, extent->text, distance->text));
}

/* The neighbour `distance` further on in a line of `extent` processes that are `stride` apart. */
void ring_add(struct search *search, const struct candidate *stride, const struct candidate *extent,
              const struct candidate *distance, int sign)
{
    const char *p_ = search->names->procnum;
    bool unit = strcmp(stride->text, "1") == 0, all = strcmp(extent->text, search->names->numprocs) == 0;
    search->grids = stride->grids | extent->grids | (unit && all ? GRID_STEPS(distance->grids) : distance->grids);
    for (size_t i = 0; i < search->n; i++)
        if (stride->value[i] > 0 && extent->value[i] > search->samples[i].numprocs / stride->value[i])
            return;
    const char *step = step_text(search, extent, distance, sign), *E = extent->text;
    EACH(p - p / AT(*stride) % AT(*extent) * AT(*stride) +
         (p / AT(*stride) % AT(*extent) + sign * AT(*distance) % AT(*extent) + AT(*extent)) % AT(*extent) *
             AT(*stride));
    if (unit && all)
        whole_add(search, search_text(search, "(%s%s)%%%s", p_, step, E));
    else if (unit)
        whole_add(search, search_text(search, "%s/%s*%s + (%s%s)%%%s", p_, E, E, p_, step, E));
    else
        whole_add(search, search_text(search, "%s - %s/%s%%%s*%s + (%s/%s%s)%%%s*%s", p_, p_, stride->text, E, stride->text, p_,
                                      stride->text, step, E, stride->text));
}

/* Neighbours along an axis, whose extents are of the grids asked for; 0: of any. */
void rings_add(struct search *search, unsigned grids)
{
    int first = search->names->sign < 0 ? -1 : 1;
    for (size_t stride = 0; stride < search->n_parts; stride++)
        for (size_t extent = 1; extent < search->n_parts; extent++)
            for (int turn = 0; turn < 2 && (grids == 0 || (search->parts[extent].grids & grids)); turn++)
                ring_add(search, &search->parts[stride], &search->parts[extent], &search->parts[0],
                         turn == 0 ? first : -first);
}

/* Steps along the axes of a grid, -1, 0 or 1 each, from a number below 3^axes; false: along fewer than two. */
static bool corner_steps(int number, int axes, int steps[GRID_DIMENSIONS])
{
    int along = 0;
    for (int axis = 0; axis < axes; axis++, number /= 3) {
        steps[axis] = (number + 1) % 3 - 1;
        along += steps[axis] != 0;
    }
    return along > 1;
}

static const char *corner_text(struct search *search, bool last_first, int axes, const int steps[])
{
    const struct fit_names *names = search->names;
    const char *text = NULL;
    for (int axis = 0; axis < axes; axis++) {
        if (steps[axis] == 0)
            continue;
        char *next = grid_neighbour_text(names->prefers, last_first, names->procnum, names->numprocs, axis, steps[axis]);
        text = text ? search_text(search, "%s + (%s - %s)", text, next, names->procnum) : search_text(search, "%s", next);
        free(next);
    }
    return text;
}

void corners_add(struct search *search)
{
    const int axes = grid_dimensions(search->names->prefers);
    struct grid_place *places = alloc_array(search->m + 1, sizeof *places);
    int steps[GRID_DIMENSIONS];
    search->grids = GRID_BIT(search->names->prefers);
    for (int last_first = 0; last_first < 2; last_first++) {
        for (size_t i = 0; i < search->m; i++)
            grid_place(&places[i], search->names->prefers, last_first, search->beyond[i].procnum, search->beyond[i].numprocs);
        for (int number = 0; number < (axes == 2 ? 9 : 27); number++) {
            if (!corner_steps(number, axes, steps))
                continue;
            EACH(p);
            for (int axis = 0; axis < axes; axis++)
                for (size_t i = 0; i < search->m && steps[axis] != 0; i++)
                    search->work[i] += grid_neighbour(&places[i], search->beyond[i].procnum, axis, steps[axis]) -
                                       search->beyond[i].procnum;
            whole_add(search, corner_text(search, last_first, axes, steps));
        }
    }
    search->grids = 0;
    free(places);
}

/* How a loop goes through neighbours. */
struct tour {
    enum grid grid;
    bool last_first, falls;       /* falls: from the last axis to the first */
    bool both;                    /* two trips for each axis: the one before and the next */
    int sign;                     /* of all, or of the second of both */
};

static int tour_axis(const struct tour *tour, int64_t trip)
{
    int dimensions = grid_dimensions(tour->grid), axis = (int)(tour->both ? trip / 2 : trip);
    return tour->falls ? dimensions - 1 - axis : axis;
}

static int tour_sign(const struct tour *tour, int64_t trip)
{
    return tour->both && trip % 2 == 0 ? -tour->sign : tour->sign;
}

static int64_t tour_partner(const struct tour *tour, int64_t trip, int64_t process, int64_t processes)
{
    struct grid_place place;
    grid_place(&place, tour->grid, tour->last_first, process, processes);
    return grid_neighbour(&place, process, tour_axis(tour, trip), tour_sign(tour, trip));
}

static const char *tour_text(struct search *search, const struct tour *tour, const char *loop, int64_t trip,
                             int64_t trips)
{
    const struct fit_names *names = search->names;
    char *here = grid_neighbour_text(tour->grid, tour->last_first, names->procnum, names->numprocs,
                                     tour_axis(tour, trip), tour_sign(tour, trip));
    const char *text = search_text(search, "%s", here);
    free(here);
    return trip == trips - 1 ? text : search_text(search, "(%s == %d ? %s : %s)", loop, (int)trip, text,
                                                  tour_text(search, tour, loop, trip + 1, trips));
}

/* Neighbours in the wanted grid in a loop through its axes, or through both sides of each. */
void tours_add(struct search *search)
{
    struct tour tour = {.grid = search->names->prefers};
    int first = search->names->sign < 0 ? -1 : 1;
    search->grids = GRID_BIT(tour.grid);
    for (int i = 0; i < search->names->n_loops; i++) {
        int64_t most = 0;
        for (size_t k = 0; k < search->n; k++)
            most = search->samples[k].index[i] > most ? search->samples[k].index[i] : most;
        tour.both = most >= grid_dimensions(tour.grid);
        int64_t trips = grid_dimensions(tour.grid) * (tour.both ? 2 : 1);
        if (most != trips - 1)
            continue;
        for (int way = 0; way < 8; way++) { /* which end of a grid is first is known from its extents, hence the
                                             * order */
            tour.sign = way / 4 == 0 ? first : -first;
            tour.last_first = way / 2 % 2;
            tour.falls = way % 2;
            EACH(tour_partner(&tour, s->index[i], p, P));
            whole_add(search, tour_text(search, &tour, search->names->loop[i], 0, trips));
        }
    }
    search->grids = 0;
}
