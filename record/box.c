#include "record/box.h"

#include "common/alloc.h"
#include "record/coefficient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES_MOST = 64 };  /* different h of one kind of border */
static const double H_MOST = 8; /* points of neighbours in parts of the box: more would be more than all of it */
static const double EXACT = 1e-9; /* relative; sizes are whole numbers below 2^31 */

static double border_of(enum box_border border, const struct grid_place *place, int axis)
{
    int ends = (place->at[axis] == 0) + (place->at[axis] == place->extent[axis] - 1);
    return border == BOX_AROUND ? 1 : border == BOX_CUT ? -ends : border == BOX_INNER ? 2 - ends : 0;
}

/* N_b, in a recording. */
static double points_of(const struct box_law *law, int recording, int axis)
{
    return law->points[axis] ? (double)law->points[axis]->value[recording] : 1;
}

/* The size over k. */
static double share_of(const struct box_law *law, int recording, const struct grid_place *place)
{
    double share = 1;
    for (int b = 0; b < grid_dimensions(law->grid); b++)
        if (b != law->axis)
            share *= points_of(law, recording, b) / (double)place->extent[b] + law->h * border_of(law->border[b], place, b);
    return share;
}

double box_law_size(const struct box_law *law, int recording, int64_t procnum, int64_t numprocs)
{
    struct grid_place place;
    grid_place(&place, law->grid, law->last_first, procnum, numprocs);
    return law->k * share_of(law, recording, &place);
}

/* ---- faces of a grid ---- */

/* A face with the places of those who send it. */
struct side {
    const struct box_face *face;
    struct grid_place *places;  /* [face->n] */
    int axis;                   /* -1: not to neighbours along one axis */
    size_t twin;                /* the first side that says the same; itself: it is that */
    size_t values;              /* different ones */
};

/* The axis along which two places differ; -1: none, -2: several. */
static int axis_between(const struct grid_place *a, const struct grid_place *b, int dimensions)
{
    int axis = -1;
    for (int i = 0; i < dimensions; i++)
        if (a->at[i] != b->at[i])
            axis = axis == -1 ? i : -2;
    return axis;
}

static int find_axis(struct side *side, enum grid grid, bool last_first)
{
    int dimensions = grid_dimensions(grid), axis = -1;
    bool selves = false;
    for (size_t i = 0; i < side->face->n; i++) {
        const struct box_send *send = &side->face->sends[i];
        struct grid_place peer;
        if (!grid_place(&side->places[i], grid, last_first, send->procnum, send->numprocs) ||
            !grid_place(&peer, grid, last_first, send->peer, send->numprocs))
            return -1;
        int here = axis_between(&side->places[i], &peer, dimensions);
        selves = selves || here == -1;
        if (here == -2 || (here >= 0 && axis >= 0 && here != axis))
            return -1;
        axis = here >= 0 ? here : axis;
    }
    for (size_t i = 0; i < side->face->n && axis >= 0 && selves; i++) /* to itself only where it is alone on the axis */
        if (side->face->sends[i].peer == side->face->sends[i].procnum && side->places[i].extent[axis] > 1)
            return -1;
    return axis;
}

static bool same_side(const struct side *a, const struct side *b)
{
    if (a->axis != b->axis || a->face->n != b->face->n)
        return false;
    for (size_t i = 0; i < a->face->n; i++) {
        const struct box_send *x = &a->face->sends[i], *y = &b->face->sends[i];
        if (x->procnum != y->procnum || x->numprocs != y->numprocs || x->size != y->size ||
            x->recording != y->recording)
            return false;
    }
    return true;
}

static size_t count_values(const struct box_face *face)
{
    size_t values = 0;
    for (size_t i = 0; i < face->n; i++) {
        bool new = true;
        for (size_t k = 0; k < i && new; k++)
            new = face->sends[k].size != face->sends[i].size;
        values += new;
    }
    return values;
}

static struct side *sides_make(size_t n, const struct box_face faces[], enum grid grid, bool last_first)
{
    struct side *sides = alloc_zeroed(n + 1, sizeof *sides);
    for (size_t i = 0; i < n; i++) {
        sides[i].face = &faces[i];
        sides[i].places = alloc_array(faces[i].n, sizeof *sides[i].places);
        sides[i].axis = find_axis(&sides[i], grid, last_first);
        sides[i].values = count_values(&faces[i]);
        sides[i].twin = 0;
        while (sides[i].twin < i && !same_side(&sides[sides[i].twin], &sides[i]))
            sides[i].twin++;
    }
    return sides;
}

static void sides_free(size_t n, struct side sides[])
{
    for (size_t i = 0; i < n; i++)
        free(sides[i].places);
    free(sides);
}

/* ---- laws ---- */

/* Borders of the axes but that of the law, each plain or `border`: bit i of `which` for the i-th. */
static void set_borders(struct box_law *law, enum box_border border, unsigned which)
{
    int bit = 0;
    for (int b = 0; b < grid_dimensions(law->grid); b++)
        law->border[b] = b != law->axis && (which >> bit++ & 1) ? border : BOX_PLAIN;
}

static unsigned n_settings(const struct box_law *law, enum box_border border)
{
    return border == BOX_PLAIN ? 1 : 1U << (grid_dimensions(law->grid) - 1);
}

/* With h and the borders of a law, is there a k that gives all sizes? It is set. */
static bool find_k(struct box_law *law, const struct side *side)
{
    for (size_t i = 0; i < side->face->n; i++) {
        double share = share_of(law, side->face->sends[i].recording, &side->places[i]), size = (double)side->face->sends[i].size;
        if (i == 0)
            law->k = share > 0 && size > 0 ? size / share : 0;
        if (law->k <= 0 || fabs(law->k * share - size) > EXACT * size)
            return false;
    }
    law->k = fabs(law->k - round(law->k)) < EXACT * law->k ? round(law->k) : law->k;
    return side->face->n > 0;
}

/* How many points a process has along an axis, of N_b = 1 the part of all. */
static double part_of(const struct box_law *law, const struct side *side, size_t i, int axis)
{
    return points_of(law, side->face->sends[i].recording, axis) / (double)side->places[i].extent[axis];
}

/* Do two places, a and b of a side, differ along one axis only, beside that of the message? -1: no. */
static int only_axis(const struct box_law *law, const struct side *side, size_t a, size_t b, enum box_border border)
{
    int axis = -1;
    for (int i = 0; i < grid_dimensions(law->grid); i++) {
        if (i == side->axis || (part_of(law, side, a, i) == part_of(law, side, b, i) &&
                                border_of(border, &side->places[a], i) == border_of(border, &side->places[b], i)))
            continue;
        if (axis >= 0)
            return -1;
        axis = i;
    }
    return axis;
}

struct candidates {
    size_t n;
    double h[CANDIDATES_MOST];
};

static void add_candidate(struct candidates *candidates, double h)
{
    for (size_t i = 0; i < candidates->n; i++)
        if (fabs(candidates->h[i] - h) < EXACT * h)
            return;
    if (candidates->n < CANDIDATES_MOST)
        candidates->h[candidates->n++] = h;
}

/* h from two sizes v, w of one face that differ along one axis alone: v (N'/e' + h m') = w (N/e + h m). law: its N_b. */
static void find_candidates(struct candidates *candidates, const struct side *side, enum box_border border,
                            const struct box_law *law)
{
    const struct box_send *sends = side->face->sends;
    for (size_t i = 0; i < side->face->n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct grid_place *a = &side->places[i], *b = &side->places[k];
            int axis = sends[i].size == sends[k].size ? -1 : only_axis(law, side, i, k, border);
            if (axis < 0)
                continue;
            double v = (double)sends[i].size, w = (double)sends[k].size;
            double h = (w * points_of(law, sends[i].recording, axis) / (double)a->extent[axis] -
                        v * points_of(law, sends[k].recording, axis) / (double)b->extent[axis]) /
                       (v * border_of(border, b, axis) - w * border_of(border, a, axis));
            if (h > EXACT && h < H_MOST)
                add_candidate(candidates, h);
        }
}

/* How well a law is known: by sides along how many axes, and by how many sides. */
struct votes {
    int axes;
    size_t sides, values;       /* values: different ones in them */
    bool borders;               /* some side has them */
};

/* The laws of one h and kind of border that give a side; most 1 << GRID_DIMENSIONS. */
static size_t laws_of(const struct side *side, struct box_law law, enum box_border border, struct box_law laws[])
{
    size_t n = 0;
    law.axis = side->axis;
    for (unsigned which = 0; which < n_settings(&law, border); which++) {
        set_borders(&law, border, which);
        if (find_k(&law, side))
            laws[n++] = law;
    }
    return n;
}

static bool has_borders(const struct box_law *law)
{
    bool borders = false;
    for (int b = 0; b < grid_dimensions(law->grid); b++)
        borders = borders || law->border[b] != BOX_PLAIN;
    return borders;
}

/* A law that gives a side, of one h and kind of border, with its place among the side's. */
struct given {
    size_t side, place;
    bool votes;                 /* of sides that say the same the first does */
    struct box_law law;
    struct votes known;         /* out */
};

static int compare_given(const void *a, const void *b)
{
    const struct given *x = *(const struct given *const *)a, *y = *(const struct given *const *)b;
    return x->law.k < y->law.k ? -1 : x->law.k > y->law.k ? 1 : x < y ? -1 : x > y;
}

/* Of the laws from `first` up to `end`, whose k are the same: how many sides. first_place [sides]: room. */
static struct votes count_votes(const struct given *const sorted[], size_t first, size_t end, const struct side sides[],
                                size_t first_place[])
{
    struct votes votes = {0};
    unsigned axes = 0;
    for (size_t i = first; i < end; i++)
        first_place[sorted[i]->side] = SIZE_MAX;
    for (size_t i = first; i < end; i++)
        if (sorted[i]->place < first_place[sorted[i]->side])
            first_place[sorted[i]->side] = sorted[i]->place;
    for (size_t i = first; i < end; i++) {
        const struct side *side = &sides[sorted[i]->side];
        if (!sorted[i]->votes || sorted[i]->place != first_place[sorted[i]->side])
            continue;
        axes |= 1U << side->axis;
        votes.sides++;
        votes.values += side->values;
        votes.borders = votes.borders || has_borders(&sorted[i]->law);
    }
    votes.axes = __builtin_popcount(axes);
    return votes;
}

/* Of each law: by which sides it is known. Sorted by k, so that all that have one k are counted once. */
static void count_all_votes(size_t n, struct given given[], size_t n_sides, const struct side sides[])
{
    const struct given **sorted = alloc_array(n + 1, sizeof *sorted);
    size_t *first_place = alloc_array(n_sides + 1, sizeof *first_place);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &given[i];
    qsort(sorted, n, sizeof *sorted, compare_given);
    for (size_t i = 0, first = 0, end = 0; i < n; i++) {
        struct given *here = &given[sorted[i] - given];
        double k = here->law.k;
        if (i > 0 && sorted[i - 1]->law.k == k) {
            here->known = sorted[i - 1]->known;
            continue;
        }
        while (sorted[first]->law.k < k - EXACT * k)
            first++;
        while (end < n && sorted[end]->law.k <= k + EXACT * k)
            end++;
        here->known = count_votes(sorted, first, end, sides, first_place);
    }
    free(first_place);
    free(sorted);
}

static bool is_known(const struct votes *votes, enum box_border border)
{
    size_t numbers = border == BOX_PLAIN ? 1 : 2;
    return votes->axes > 1 && votes->values >= numbers + 2 && (border == BOX_PLAIN || votes->borders);
}

static bool is_better(const struct votes *a, const struct votes *b)
{
    return a->axes != b->axes ? a->axes > b->axes : a->sides > b->sides;
}

/* Is a law of a side of one size, which is weak, held by all that the same line sends along the axis? */
static bool line_agrees(size_t n, const struct side sides[], size_t which, const struct box_law *law)
{
    const struct side *side = &sides[which];
    for (size_t i = 0; i < n && side->values == 1; i++) {
        if (sides[i].face->line != side->face->line || sides[i].axis != side->axis || sides[i].values != 1 ||
            sides[i].face->sends[0].size != side->face->sends[0].size)
            continue;
        for (size_t k = 0; k < sides[i].face->n; k++) {
            double size = (double)sides[i].face->sends[k].size;
            if (fabs(law->k * share_of(law, sides[i].face->sends[k].recording, &sides[i].places[k]) - size) > EXACT * size)
                return false;
        }
    }
    return true;
}

/* Is a side said by another, whose law is its own? A line's one size is the line's. */
static bool is_again(const struct side sides[], size_t i)
{
    const struct side *twin = &sides[sides[i].twin];
    return twin < &sides[i] && (sides[i].values > 1 || twin->face->line == sides[i].face->line);
}

/* All laws of one h and kind of border that give a side. *given: malloced; how many. */
static size_t give_laws(size_t n, const struct side sides[], struct box_law start, enum box_border border,
                        struct given **given)
{
    size_t n_given = 0, capacity = 0;
    *given = NULL;
    for (size_t i = 0; i < n; i++) {
        struct box_law laws[1 << GRID_DIMENSIONS];
        size_t found = sides[i].axis < 0 || is_again(sides, i) ? 0 : laws_of(&sides[i], start, border, laws);
        for (size_t k = 0; k < found; k++) {
            *given = alloc_grow(*given, n_given, &capacity, sizeof **given);
            (*given)[n_given++] = (struct given){.side = i, .place = k, .votes = sides[i].twin == i, .law = laws[k]};
        }
    }
    count_all_votes(n_given, *given, n, sides);
    return n_given;
}

/* The laws of the sides that are said by no other: those that most others follow too, in place of ones that fewer, `most`, do. */
static void choose_laws(size_t n, const struct side sides[], struct box_law start, struct candidates candidates[],
                        struct box_law laws[], struct votes most[])
{
    for (enum box_border border = BOX_PLAIN; border <= BOX_INNER; border++)
        for (size_t c = 0; c < candidates[border].n; c++) {
            struct given *given;
            start.h = candidates[border].h[c];
            size_t n_given = give_laws(n, sides, start, border, &given);
            for (size_t g = 0; g < n_given; g++) {
                size_t i = given[g].side;
                if (!is_known(&given[g].known, border) || !is_better(&given[g].known, &most[i]) ||
                    !line_agrees(n, sides, i, &given[g].law))
                    continue;
                most[i] = given[g].known;
                laws[i] = given[g].law;
            }
            free(given);
        }
}

enum { SCALES_MOST = 3 };       /* parameters that may be lengths of the box: each axis is tried with each of them */

/* How many ways there are to give axes their N_b: way 0 gives none, the others each its own. */
static size_t count_ways(enum grid grid, size_t n_scales)
{
    size_t ways = n_scales > 0;
    for (int b = 0; b < grid_dimensions(grid); b++)
        ways *= n_scales;
    return ways + 1;
}

static void set_points(struct box_law *law, size_t way, size_t n_scales, const struct box_scale scales[])
{
    size_t digits = way - 1;
    for (int b = 0; b < grid_dimensions(law->grid); b++, digits /= way > 0 ? n_scales : 1)
        law->points[b] = way > 0 ? &scales[digits % n_scales] : NULL;
}

/* Returns how many faces follow a law. */
static size_t find_laws(size_t n, const struct box_face faces[], struct box_law start, size_t n_scales,
                        const struct box_scale scales[], struct box_law laws[])
{
    struct side *sides = sides_make(n, faces, start.grid, start.last_first);
    struct votes *most = alloc_zeroed(n + 1, sizeof *most);
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        laws[i] = (struct box_law){.axis = -1};
    for (size_t way = 0; way < count_ways(start.grid, n_scales); way++) {
        struct candidates candidates[BOX_INNER + 1] = {{.n = 1, .h = {0}}};
        set_points(&start, way, n_scales, scales);
        for (size_t i = 0; i < n; i++)
            for (enum box_border border = BOX_AROUND; border <= BOX_INNER && sides[i].axis >= 0 && sides[i].twin == i;
                 border++)
                find_candidates(&candidates[border], &sides[i], border, &start);
        choose_laws(n, sides, start, candidates, laws, most);
    }
    free(most);
    for (size_t i = 0; i < n; i++) {
        if (sides[i].axis >= 0 && is_again(sides, i))
            laws[i] = laws[sides[i].twin];
        found += laws[i].axis >= 0;
    }
    sides_free(n, sides);
    return found;
}

void box_find_laws(size_t n, struct box_face faces[], enum grid grid, size_t n_scales, const struct box_scale scales[])
{
    struct box_law *laws = alloc_array(2 * n + 1, sizeof *laws);
    const size_t tried = n_scales < SCALES_MOST ? n_scales : SCALES_MOST;
    size_t up = find_laws(n, faces, (struct box_law){.grid = grid}, tried, scales, laws);
    size_t down = find_laws(n, faces, (struct box_law){.grid = grid, .last_first = true}, tried, scales, laws + n);
    for (size_t i = 0; i < n; i++)
        faces[i].law = laws[down > up ? n + i : i];
    free(laws);
}

static size_t count_axes(size_t n, const struct box_face faces[], enum grid grid, bool last_first)
{
    struct side *sides = sides_make(n, faces, grid, last_first);
    size_t along = 0;
    for (size_t i = 0; i < n; i++)
        along += sides[i].axis >= 0;
    sides_free(n, sides);
    return along;
}

bool box_last_first(size_t n, const struct box_face faces[], enum grid grid)
{
    return count_axes(n, faces, grid, false) <= count_axes(n, faces, grid, true);
}

/* ---- text ---- */

/* At how many ends of an axis a process is. */
static char *ends_text(const struct box_law *law, const char *procnum, const char *numprocs, int axis)
{
    char *extent = grid_text(law->grid, numprocs, axis);
    char *at = grid_at_text(law->grid, law->last_first, procnum, numprocs, axis);
    char *text = alloc_format("((%s == 0 ? 1 : 0) + (%s == %s-1 ? 1 : 0))", at, at, extent);
    free(extent);
    free(at);
    return text;
}

/* N_b / e_b + h m_b, behind the product. */
static char *factor_text(const struct box_law *law, const char *procnum, const char *numprocs, int axis)
{
    enum box_border border = law->border[axis];
    char *extent = grid_text(law->grid, numprocs, axis), *text;
    char *points = law->points[axis] ? alloc_format("*%s", law->points[axis]->text) : alloc_string("");
    if (border == BOX_PLAIN) {
        text = alloc_format("%s/%s", points, extent);
    } else if (border == BOX_AROUND) {
        text = alloc_format("*(1.0%s/%s + %.15g)", points, extent, law->h);
    } else {
        char *ends = ends_text(law, procnum, numprocs, axis);
        text = border == BOX_CUT ? alloc_format("*(1.0%s/%s - %.15g*%s)", points, extent, law->h, ends)
                                 : alloc_format("*(1.0%s/%s + %.15g*(2 - %s))", points, extent, law->h, ends);
        free(ends);
    }
    free(points);
    free(extent);
    return text;
}

char *box_law_text(const struct box_law *law, const char *procnum, const char *numprocs)
{
    char *product = coefficient_real(law->k, 15);
    for (int b = 0; b < grid_dimensions(law->grid); b++) {
        if (b == law->axis)
            continue;
        char *factor = factor_text(law, procnum, numprocs, b), *before = product;
        product = alloc_format("%s%s", before, factor);
        free(before);
        free(factor);
    }
    char *text = alloc_format("round(%s)", product);
    free(product);
    return text;
}
