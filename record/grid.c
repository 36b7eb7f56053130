#include "record/grid.h"

#include "common/alloc.h"
#include "directives/value.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int grid_dimensions(enum grid grid)
{
    return grid == GRID_3 ? 3 : 2;
}

/* Dimension i of the grid that MPI_Dims_create makes. */
static int64_t dims_of(int64_t processes, int dimensions, int i)
{
    const struct value arguments[] = {{.kind = VALUE_INT, .i = processes}, {.kind = VALUE_INT, .i = dimensions},
                                      {.kind = VALUE_INT, .i = i}};
    struct value out = {.kind = VALUE_INT, .i = 1};
    const char *problem = value_call(FUNCTION_dims_create, 3, arguments, &out);
    assert(!problem);
    (void)problem;
    return out.i;
}

static int64_t at_least(int64_t least, int64_t x)
{
    return x < least ? least : x;
}

int64_t grid_extent(enum grid grid, int64_t processes, int axis)
{
    switch (grid) {
    case GRID_WIDE: {
        int64_t first = at_least(2, dims_of(processes, 2, 1));
        return axis == 0 ? first : at_least(1, processes / first);
    }
    case GRID_HALVES:
        return axis == 0 ? 2 : at_least(1, processes / 2);
    default:
        return dims_of(processes, grid_dimensions(grid), axis);
    }
}

char *grid_text(enum grid grid, const char *processes, int axis)
{
    switch (grid) {
    case GRID_WIDE:
        return axis == 0 ? alloc_format("max(2, dims_create(%s, 2, 1))", processes)
                         : alloc_format("(%s/max(2, dims_create(%s, 2, 1)))", processes, processes);
    case GRID_HALVES:
        return axis == 0 ? alloc_string("2") : alloc_format("(%s/2)", processes);
    default:
        return alloc_format("dims_create(%s, %d, %d)", processes, grid_dimensions(grid), axis);
    }
}

bool grid_place(struct grid_place *place, enum grid grid, bool last_first, int64_t process, int64_t processes)
{
    int n = grid_dimensions(grid);
    int64_t stride = 1;
    for (int i = 0; i < n; i++) {
        int axis = last_first ? n - 1 - i : i;
        int64_t extent = grid_extent(grid, processes, axis);
        place->extent[axis] = extent;
        place->stride[axis] = stride;
        place->at[axis] = process / stride % extent;
        stride *= extent;
    }
    return process >= 0 && process < stride;
}

/* How far apart neighbours along an axis are; NULL: 1. */
static char *stride_text(enum grid grid, bool last_first, const char *processes, int axis)
{
    int n = grid_dimensions(grid), step = last_first ? -1 : 1;
    char *text = NULL;
    for (int b = last_first ? n - 1 : 0; b != axis; b += step) {
        char *extent = grid_text(grid, processes, b), *before = text;
        text = before ? alloc_format("%s*%s", before, extent) : alloc_string(extent);
        free(before);
        free(extent);
    }
    return text;
}

char *grid_at_text(enum grid grid, bool last_first, const char *process, const char *processes, int axis)
{
    char *extent = grid_text(grid, processes, axis), *stride = stride_text(grid, last_first, processes, axis);
    char *text = stride ? alloc_format("%s/(%s)%%%s", process, stride, extent)
                        : alloc_format("%s%%%s", process, extent);
    free(extent);
    free(stride);
    return text;
}

int64_t grid_neighbour(const struct grid_place *place, int64_t process, int axis, int sign)
{
    int64_t next = (place->at[axis] + place->extent[axis] + sign) % place->extent[axis];
    return process + (next - place->at[axis]) * place->stride[axis];
}

char *grid_neighbour_text(enum grid grid, bool last_first, const char *process, const char *processes, int axis,
                          int sign)
{
    char *extent = grid_text(grid, processes, axis), *stride = stride_text(grid, last_first, processes, axis);
    char *at = grid_at_text(grid, last_first, process, processes, axis);
    char *text = alloc_format("%s + ((%s+%s%c1)%%%s - %s)*%s", process, at, extent, sign > 0 ? '+' : '-', extent, at,
                              stride ? stride : "1");
    free(extent);
    free(stride);
    free(at);
    return text;
}

char *grid_stride_text(enum grid grid, bool last_first, const char *processes, int axis)
{
    char *stride = stride_text(grid, last_first, processes, axis), *text;
    text = !stride ? alloc_string("1") : strchr(stride, '*') ? alloc_format("(%s)", stride) : alloc_string(stride);
    free(stride);
    return text;
}

char *grid_line_text(enum grid grid, bool last_first, const char *process, const char *processes, int axis, int sign,
                     const char *none)
{
    char *at = grid_at_text(grid, last_first, process, processes, axis), *extent = grid_text(grid, processes, axis);
    char *stride = grid_stride_text(grid, last_first, processes, axis);
    char *text = sign > 0 ? alloc_format("(%s == %s-1 ? %s : %s+%s)", at, extent, none, process, stride)
                          : alloc_format("(%s == 0 ? %s : %s-%s)", at, none, process, stride);
    free(at);
    free(extent);
    free(stride);
    return text;
}
