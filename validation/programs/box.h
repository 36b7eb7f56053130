/* box.h - a part of a periodic space of cells, for programs that share such a space: its cells, and around them a layer
 * of cells that are others', or its own from the opposite side. Faces go axis by axis, x first: those of y have the
 * layer's cells from x in them, those of z both, so that edges and corners get where they belong, too. */
#ifndef PEVPM_VALIDATION_BOX_H
#define PEVPM_VALIDATION_BOX_H

#include "work.h"
#include <math.h>

struct box {
    int cells[3];           /* along x, y, z, without the layer */
    int first[3];           /* its first cell in the space */
    int fields;             /* numbers in a cell */
    double *value, *spare;  /* [z][y][x][field], with the layer */
};

/* The numbers that lie between a cell and the next along an axis. */
static inline int box_stride(const struct box *box, int axis)
{
    int stride = box->fields;
    for (int a = 0; a < axis; a++)
        stride *= box->cells[a]+2;
    return stride;
}

/* Where the numbers of a cell start, counted from the first of its own: -1 is in the layer. */
static inline int box_place(const struct box *box, int x, int y, int z)
{
    return (x+1)*box_stride(box, 0) + (y+1)*box_stride(box, 1) + (z+1)*box_stride(box, 2);
}

/* Each number is made of where it stands in the space. */
static inline void box_init(struct box *box, const int cells[3], const int first[3], int fields)
{
    *box = (struct box){.fields = fields};
    memcpy(box->cells, cells, sizeof box->cells);
    memcpy(box->first, first, sizeof box->first);
    const int bytes = (int)sizeof(double)*box_stride(box, 3);
    box->value = (double *)work_buffer(bytes);
    box->spare = (double *)work_buffer(bytes);
    for (int z = 0; z < cells[2]; z++)
        for (int y = 0; y < cells[1]; y++)
            for (int x = 0; x < cells[0]; x++)
                for (int f = 0; f < fields; f++)
                    box->value[box_place(box, x, y, z) + f] =
                        (137*(first[0]+x) + 59*(first[1]+y) + 31*(first[2]+z) + 7*f)%1009;
}

static inline void box_free(struct box *box)
{
    free(box->value);
    free(box->spare);
}

/* The range of cells along `other` that a face across `axis` has. */
static inline int box_from(int other, int axis) { return other < axis ? -1 : 0; }
static inline int box_to(const struct box *box, int other, int axis)
{
    return other < axis ? box->cells[other]+1 : box->cells[other];
}

/* Copies the face at place `at` along an axis out of the box, or into it; returns how many numbers it has. `numbers` may
 * be NULL, to count them. */
static inline int box_face(struct box *box, int axis, int at, double *numbers, int into)
{
    int from[3], to[3], n = 0;
    for (int a = 0; a < 3; a++) {
        from[a] = a == axis ? at : box_from(a, axis);
        to[a] = a == axis ? at+1 : box_to(box, a, axis);
    }
    for (int z = from[2]; z < to[2]; z++)
        for (int y = from[1]; y < to[1]; y++)
            for (int x = from[0]; x < to[0]; x++, n += box->fields) {
                double *cell = box->value + box_place(box, x, y, z);
                if (numbers != NULL)
                    memcpy(into ? cell : numbers + n, into ? numbers + n : cell, sizeof(double)*(size_t)box->fields);
            }
    return n;
}

static inline void box_take(struct box *box, int axis, int at, double *numbers) { box_face(box, axis, at, numbers, 0); }
static inline void box_put(struct box *box, int axis, int at, double *numbers) { box_face(box, axis, at, numbers, 1); }

/* The numbers of its largest face. */
static inline int box_largest_face(struct box *box)
{
    int largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int n = box_face(box, axis, 0, NULL, 0);
        largest = n > largest ? n : largest;
    }
    return largest;
}

/* The layer of a box that is the whole space. */
static inline void box_wrap(struct box *box)
{
    double *face = (double *)work_buffer((int)sizeof(double)*box_largest_face(box));
    for (int axis = 0; axis < 3; axis++) {
        box_take(box, axis, 0, face);
        box_put(box, axis, box->cells[axis], face);
        box_take(box, axis, box->cells[axis]-1, face);
        box_put(box, axis, -1, face);
    }
    free(face);
}

/* Makes each number the mean over its cell and the 26 around it; this stands for what a program would compute. A number
 * of the layer that is wrong makes 27 cells wrong. */
static inline void box_average(struct box *box)
{
    double *source = box->value, *sum = box->spare;
    for (int axis = 0; axis < 3; axis++) {
        /* What later axes add up is in the layer, too. */
        const int stride = box_stride(box, axis);
        int from[3], to[3];
        for (int a = 0; a < 3; a++) {
            from[a] = a > axis ? -1 : 0;
            to[a] = a > axis ? box->cells[a]+1 : box->cells[a];
        }
        for (int z = from[2]; z < to[2]; z++)
            for (int y = from[1]; y < to[1]; y++) {
                const int row = box_place(box, from[0], y, z);
                for (int i = row; i < row + (to[0]-from[0])*box->fields; i++)
                    sum[i] = (source[i-stride]+source[i]+source[i+stride])/3;
            }
        double *swap = source;
        source = sum;
        sum = swap;
    }
    box->value = source;
    box->spare = sum;
}

/* The sum of the first number of each cell. */
static inline double box_sum(const struct box *box)
{
    double sum = 0;
    for (int z = 0; z < box->cells[2]; z++)
        for (int y = 0; y < box->cells[1]; y++)
            for (int x = 0; x < box->cells[0]; x++)
                sum += box->value[box_place(box, x, y, z)];
    return sum;
}

/* The numbers that are not those of the same cells of `whole`, the whole space. */
static inline long box_count_wrong(const struct box *box, const struct box *whole)
{
    long wrong = 0;
    for (int z = 0; z < box->cells[2]; z++)
        for (int y = 0; y < box->cells[1]; y++)
            for (int x = 0; x < box->cells[0]; x++) {
                const double *mine = box->value + box_place(box, x, y, z);
                const double *expected = whole->value + box_place(whole, box->first[0]+x, box->first[1]+y, box->first[2]+z);
                for (int f = 0; f < box->fields; f++)
                    wrong += !(fabs(mine[f]-expected[f]) < 1e-9);
            }
    return wrong;
}

#endif
