#include "record/fit/neighbour.h"

#include "record/fit/term.h"

#include <stdlib.h>

static struct grid_place place_of(const struct search *search, int64_t process, int64_t processes)
{
    struct grid_place place;
    grid_place(&place, search->names->prefers, search->names->last_first, process, processes);
    return place;
}

/* The next along an axis of the wanted grid, whether or not there is one. */
static int64_t next_of(const struct search *search, int64_t process, int64_t processes, int axis, int sign)
{
    return process + sign * place_of(search, process, processes).stride[axis];
}

/* The next in the direction that is asked for, whether or not there is one. */
static int64_t neighbour_of(const struct search *search, int64_t process, int64_t processes)
{
    int64_t to = process;
    for (int axis = 0; axis < grid_dimensions(search->names->prefers); axis++)
        to += direction_step(search->names->direction, axis) * place_of(search, process, processes).stride[axis];
    return to;
}

static bool at_end(const struct search *search, int64_t process, int64_t processes, int axis, int sign)
{
    struct grid_place place = place_of(search, process, processes);
    return place.at[axis] == (sign > 0 ? place.extent[axis] - 1 : 0);
}

static void add_line(struct search *search, bool law, const char *text)
{
    if (law)
        law_add(search, text);
    else
        whole_add(search, text);
}

/* Neighbours in the wanted grid that are not in a ring: none at the end, or whoever asks is not at the end. */
void lines_add(struct search *search, bool laws)
{
    const struct fit_names *names = search->names;
    search->grids = GRID_BIT(names->prefers);
    for (int axis = 0; axis < grid_dimensions(names->prefers); axis++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            char *stride = grid_stride_text(names->prefers, names->last_first, names->numprocs, axis);
            char *line = grid_line_text(names->prefers, names->last_first, names->procnum, names->numprocs, axis, sign,
                                        "MPI_PROC_NULL");
            if (!names->number) {
                EACH(at_end(search, p, P, axis, sign) ? FIT_NULL : next_of(search, p, P, axis, sign));
                add_line(search, laws, search_text(search, "%s", line));
            }
            EACH(next_of(search, p, P, axis, sign));
            add_line(search, laws, search_text(search, "%s%c%s", names->procnum, sign > 0 ? '+' : '-', stride));
            free(stride);
            free(line);
        }
    search->grids = 0;
}

static int axes_of(int direction)
{
    int axes = 0;
    for (int axis = 0; axis < GRID_DIMENSIONS; axis++)
        axes += direction_step(direction, axis) != 0;
    return axes;
}

bool direction_is_across(int direction)
{
    return axes_of(direction) > 1;
}

/* The neighbour of a message that goes across. */
void across_add(struct search *search)
{
    const struct fit_names *names = search->names;
    const struct direction_grid in = {names->prefers, names->last_first};
    char *partner = direction_partner_text(&in, names->direction, names->procnum, names->numprocs);
    search->grids = GRID_BIT(names->prefers);
    EACH(neighbour_of(search, p, P));
    add_line(search, true, search_text(search, "%s", partner));
    search->grids = 0;
    free(partner);
}

/* That there is a neighbour in a direction. */
static void add_exists(struct search *search, int direction)
{
    const struct fit_names *names = search->names;
    const struct direction_grid in = {names->prefers, names->last_first};
    char *exists = direction_exists_text(&in, direction, names->procnum, names->numprocs);
    search->grids = GRID_BIT(names->prefers);
    EACH(direction_exists(&in, direction, (int)p, (int)P));
    test_add(search, search_text(search, "%s", exists));
    search->grids = 0;
    free(exists);
}

void across_add_test(struct search *search)
{
    add_exists(search, search->names->direction);
}

void corners_add_tests(struct search *search)
{
    if (grid_dimensions(search->names->prefers) < GRID_DIMENSIONS)
        return;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (axes_of(direction) == GRID_DIMENSIONS)
            add_exists(search, direction);
}

/* Who is at an end of an axis of the wanted grid. */
void ends_add(struct search *search)
{
    const struct fit_names *names = search->names;
    int first = names->sign > 0 ? 1 : -1;
    search->grids = GRID_BIT(names->prefers);
    for (int axis = 0; axis < grid_dimensions(names->prefers); axis++)
        for (int turn = 0; turn < 2; turn++) {
            int sign = turn == 0 ? first : -first;
            char *at = grid_at_text(names->prefers, names->last_first, names->procnum, names->numprocs, axis);
            char *extent = grid_text(names->prefers, names->numprocs, axis);
            EACH(at_end(search, p, P, axis, sign));
            test_add(search, sign > 0 ? search_text(search, "%s == %s", at, text_last(search, extent)) : search_text(search, "%s == 0", at));
            free(at);
            free(extent);
        }
    search->grids = 0;
}

/* In the line of all that is no ring. */
void neighbours_add(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    if (search->names->number)
        return;
    search->grids = 0;
    EACH(p == P - 1 ? FIT_NULL : p + 1); whole_add(search, search_text(search, "(%s == %s-1 ? MPI_PROC_NULL : %s+1)", p_, P_, p_));
    EACH(p == 0 ? FIT_NULL : p - 1); whole_add(search, search_text(search, "(%s == 0 ? MPI_PROC_NULL : %s-1)", p_, p_));
}
