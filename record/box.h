/* box.h - how large the messages are of processes that share a box of points.
 *
 * Each process of a grid has a part of the box, and what it sends along one axis is a face: the product of its extents
 * along the other axes,
 *
 *     size = k prod_b (N_b / e_b + h m_b)     b: the axes of the grid but that of the message
 *
 *     e_b     how many processes are along axis b
 *     N_b     what a parameter says, of recordings of several sizes: how many points the box has there; else 1
 *     m_b     0, or one of: 1 (points of neighbours on both sides), -n (points at the ends of the box are left out),
 *             2 - n (points of neighbours, but there are none at the ends), n: at how many ends of the axis the process is
 *     k, h    numbers that all faces of a box share
 *
 * One face does not say how its size depends on an axis that has always had the same extent: the faces along two axes
 * or more do, where they agree in k and h. */
#ifndef PEVPM_RECORD_BOX_H
#define PEVPM_RECORD_BOX_H

#include "record/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum box_border { BOX_PLAIN, BOX_AROUND, BOX_CUT, BOX_INNER }; /* m_b, as above */

/* What a parameter says of the box: `text` is its name. */
struct box_scale {
    const char *text;
    const int64_t *value;       /* [recording] */
};

struct box_law {
    enum grid grid;
    bool last_first;            /* as grid_place */
    int axis;                   /* of the message */
    double k, h;
    enum box_border border[GRID_DIMENSIONS];
    const struct box_scale *points[GRID_DIMENSIONS]; /* N_b; NULL: 1 */
};

/* What one process of one recording sent. */
struct box_send {
    int procnum, numprocs, peer;/* ranks of all processes */
    int64_t size;
    int recording;
};

/* A message of the program, sent by those who came to it. */
struct box_face {
    size_t n;
    struct box_send *sends;     /* [n] */
    uint64_t line;              /* where it stands: of faces from one line that all have one and the same size, all follow a
                                 * law or none does */
    struct box_law law;         /* out; axis -1: none was found */
};

/* Finds the laws of faces that go to neighbours along an axis of the grid: of the two orders of axes the one by which
 * more follow one. Laws need two values more than they have numbers, and faces along two axes. scales [n_scales]: what N_b may
 * be, borrowed by the laws; all axes have one, or none has. */
void box_find_laws(size_t n, struct box_face faces[], enum grid grid, size_t n_scales, const struct box_scale scales[]);

/* As which of the two orders of axes do more faces go along one axis? True: last_first, also where none does. */
bool box_last_first(size_t n, const struct box_face faces[], enum grid grid);

double box_law_size(const struct box_law *law, int recording, int64_t procnum, int64_t numprocs);
/* As an expression of directives; the caller frees it. */
char *box_law_text(const struct box_law *law, const char *procnum, const char *numprocs);

#endif
