/* grid.h - how programs lay their processes out as a grid. The numbering of processes runs through the axes of a grid
 * from the first to the last, or from the last to the first. */
#ifndef PEVPM_RECORD_GRID_H
#define PEVPM_RECORD_GRID_H

#include <stdbool.h>
#include <stdint.h>

/* In the order in which they are tried. */
enum grid {
    GRID_2,      /* MPI_Dims_create in 2 dimensions */
    GRID_WIDE,   /* the same, but never a column alone: the first axis has at least two */
    GRID_3,      /* MPI_Dims_create in 3 dimensions */
    GRID_HALVES, /* 2 by half of the processes */
    GRIDS
};
#define GRID_BIT(grid) (1U << (grid))
/* Of a formula that knows no more of these grids than how far to go in the ring of all processes. */
#define GRID_STEPS(bits) ((bits) << (GRIDS + 1))
#define GRID_EXTENTS(bits) ((bits) & (GRID_BIT(GRIDS + 1) - 1))

enum { GRID_DIMENSIONS = 3 }; /* the most */

int grid_dimensions(enum grid grid);
/* How many processes of `processes` are along an axis, at least 1. */
int64_t grid_extent(enum grid grid, int64_t processes, int axis);
/* The same as an expression of directives over `processes`; the caller frees it. */
char *grid_text(enum grid grid, const char *processes, int axis);

/* Where a process stands. */
struct grid_place {
    int64_t extent[GRID_DIMENSIONS], stride[GRID_DIMENSIONS], at[GRID_DIMENSIONS]; /* [grid_dimensions] */
};
/* last_first: the last axis is that of neighbours in number. False: the process is outside of the grid. */
bool grid_place(struct grid_place *place, enum grid grid, bool last_first, int64_t process, int64_t processes);
/* place.at[axis] as an expression; the caller frees it. */
char *grid_at_text(enum grid grid, bool last_first, const char *process, const char *processes, int axis);

/* The next process along an axis (sign 1), or the one before (-1), in a ring. The text: of the same; the caller frees
 * it. */
int64_t grid_neighbour(const struct grid_place *place, int64_t process, int axis, int sign);
char *grid_neighbour_text(enum grid grid, bool last_first, const char *process, const char *processes, int axis,
                          int sign);

/* The same where there is no ring: how far away the next is, "1" or a product, and its text where the end of the axis
 * has none, `none`. The caller frees them. */
char *grid_stride_text(enum grid grid, bool last_first, const char *processes, int axis);
char *grid_line_text(enum grid grid, bool last_first, const char *process, const char *processes, int axis, int sign,
                     const char *none);

#endif
