#include "record/box.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { POINTS = 48, RECORDINGS = 6 };

/* Recordings of 2, 4 and 8 processes, and the same of twice as many points. */
static const int64_t sizes[RECORDINGS] = {POINTS, POINTS, POINTS, 2 * POINTS, 2 * POINTS, 2 * POINTS};
static const struct box_scale scale = {"N", sizes};

/* How many of so many points along an axis a process sends, with `around` of its neighbours on each side; cut: without
 * the points at the ends of the box. Counted one by one. */
static int64_t points_along(int64_t points, const struct grid_place *place, int axis, int around, bool cut)
{
    int64_t share = points / place->extent[axis], first = place->at[axis] * share, n = 0;
    for (int64_t x = first - around; x < first + share + around; x++)
        n += !cut || (x > 0 && x < points - 1);
    return n;
}

/* Faces in so many recordings to the next neighbour along an axis, each point 8 bytes. Of a later axis they have the
 * points of neighbours along those before, as many as `around`. */
static struct box_face sized_face_of(int recordings, enum grid grid, bool last_first, int axis, int around, bool cut, bool ring)
{
    struct box_face face = {.sends = alloc_array(28, sizeof *face.sends)};
    for (int r = 0; r < recordings; r++)
        for (int p = 0, P = 2 << r % 3; p < P; p++) {
            struct grid_place place;
            assert_true(grid_place(&place, grid, last_first, p, P));
            if (!ring && place.at[axis] == place.extent[axis] - 1)
                continue;
            int64_t size = 8;
            for (int b = 0; b < grid_dimensions(grid); b++)
                size *= b == axis ? 1 : points_along(sizes[r], &place, b, b < axis ? around : 0, cut);
            face.sends[face.n++] = (struct box_send){p, P, (int)grid_neighbour(&place, p, axis, 1), size, r};
        }
    return face;
}

/* Of one size. */
static struct box_face face_of(enum grid grid, bool last_first, int axis, int around, bool cut, bool ring)
{
    return sized_face_of(3, grid, last_first, axis, around, cut, ring);
}

/* Do laws give the sizes of a recording at counts that were not recorded? */
static void expect_sized_law(int recording, const struct box_law *law, int axis, int around, bool cut)
{
    assert_int_equal(law->axis, axis);
    for (int P = 16; P <= 64; P *= 2)
        for (int p = 0; p < P; p++) {
            struct grid_place place;
            int64_t size = 8;
            grid_place(&place, law->grid, law->last_first, p, P);
            for (int b = 0; b < grid_dimensions(law->grid); b++)
                size *= b == axis ? 1 : points_along(sizes[recording], &place, b, b < axis ? around : 0, cut);
            assert_int_equal((int64_t)(box_law_size(law, recording, p, P) + 0.5), size);
        }
}

static void expect_law(const struct box_law *law, int axis, int around, bool cut)
{
    expect_sized_law(0, law, axis, around, cut);
}

static void faces_free(size_t n, struct box_face faces[])
{
    for (size_t i = 0; i < n; i++)
        free(faces[i].sends);
}

/* Along the first axis there were always two: the faces along the others say how sizes depend on it. */
static void faces_of_a_box_agree(void **state)
{
    (void)state;
    for (int last_first = 0; last_first < 2; last_first++) {
        struct box_face faces[3];
        for (int axis = 0; axis < 3; axis++)
            faces[axis] = face_of(GRID_3, last_first, axis, 3, false, true);
        assert_int_equal(box_last_first(3, faces, GRID_3), last_first);
        box_find_laws(3, faces, GRID_3, 0, NULL);
        for (int axis = 0; axis < 3; axis++)
            expect_law(&faces[axis].law, axis, 3, false);
        faces_free(3, faces);
    }
}

/* Points at the ends of the box are left out; a proportion would give what two extents show, but not the next. */
static void borders_are_left_out(void **state)
{
    (void)state;
    struct box_face faces[] = {face_of(GRID_2, false, 0, 0, true, false), face_of(GRID_2, false, 1, 0, true, false)};
    box_find_laws(2, faces, GRID_2, 0, NULL);
    expect_law(&faces[0].law, 0, 0, true);
    expect_law(&faces[1].law, 1, 0, true);
    char *text = box_law_text(&faces[1].law, "p", "P");
    assert_string_equal(text, "round(384.0*(1.0/dims_create(P, 2, 0) - 0.0208333333333333*((p%dims_create(P, 2, 0) == 0 ? 1 : 0) "
                              "+ (p%dims_create(P, 2, 0) == dims_create(P, 2, 0)-1 ? 1 : 0))))");
    free(text);
    faces_free(2, faces);
}

/* Two columns at all recorded counts, of as many rows. */
static void two_columns_stay_a_law(void **state)
{
    (void)state;
    struct box_face faces[] = {face_of(GRID_WIDE, false, 0, 0, false, false),
                               face_of(GRID_WIDE, false, 1, 2, false, false)};
    for (size_t i = 0; i < faces[0].n; i++) /* as wide on either side along both axes */
        faces[0].sends[i].size += 8 * 4;
    box_find_laws(2, faces, GRID_WIDE, 0, NULL);
    expect_law(&faces[1].law, 1, 2, false);
    char *text = box_law_text(&faces[1].law, "p", "P");
    assert_string_equal(text, "round(384.0*(1.0/max(2, dims_create(P, 2, 1)) + 0.0833333333333333))");
    free(text);

    /* where the same line sends as much among other extents, the size depends on none */
    struct box_send alone = {0, 3, 2, faces[1].sends[0].size, 0};
    struct box_face all[] = {faces[0], faces[1], {.n = 1, .sends = &alone}};
    box_find_laws(3, all, GRID_WIDE, 0, NULL);
    assert_int_equal(all[1].law.axis, 1);
    alone = (struct box_send){0, 32, 4, faces[1].sends[0].size, 0};
    box_find_laws(3, all, GRID_WIDE, 0, NULL);
    assert_int_equal(all[1].law.axis, -1);
    all[2].line = 7;
    box_find_laws(3, all, GRID_WIDE, 0, NULL);
    assert_int_equal(all[1].law.axis, 1);
    faces_free(2, faces);
}

/* Sizes at which a box was recorded are in the laws: of an extent that has always been the same, of points of neighbours, and of
 * those at the ends that are left out. */
static void sizes_are_parameters(void **state)
{
    (void)state;
    struct box_face plain[] = {sized_face_of(RECORDINGS, GRID_WIDE, false, 0, 0, false, false),
                               sized_face_of(RECORDINGS, GRID_WIDE, false, 1, 0, false, false)};
    box_find_laws(2, plain, GRID_WIDE, 1, &scale);
    for (int recording = 0; recording < RECORDINGS; recording += 3)
        for (int axis = 0; axis < 2; axis++)
            expect_sized_law(recording, &plain[axis].law, axis, 0, false);
    char *text = box_law_text(&plain[1].law, "p", "P");
    assert_string_equal(text, "round(8.0*N/max(2, dims_create(P, 2, 1)))");
    free(text);
    faces_free(2, plain);

    struct box_face around[3];
    for (int axis = 0; axis < 3; axis++)
        around[axis] = sized_face_of(RECORDINGS, GRID_3, false, axis, 1, false, true);
    box_find_laws(3, around, GRID_3, 1, &scale);
    for (int axis = 0; axis < 3; axis++)
        expect_sized_law(3, &around[axis].law, axis, 1, false);
    text = box_law_text(&around[1].law, "p", "P");
    assert_string_equal(text, "round(8.0*(1.0*N/dims_create(P, 3, 0) + 2)*N/dims_create(P, 3, 2))");
    free(text);
    faces_free(3, around);

    struct box_face cut[] = {sized_face_of(RECORDINGS, GRID_2, false, 0, 0, true, false),
                             sized_face_of(RECORDINGS, GRID_2, false, 1, 0, true, false)};
    box_find_laws(2, cut, GRID_2, 1, &scale);
    for (int axis = 0; axis < 2; axis++)
        expect_sized_law(3, &cut[axis].law, axis, 0, true);
    text = box_law_text(&cut[1].law, "p", "P");
    assert_string_equal(text, "round(8.0*(1.0*N/dims_create(P, 2, 0) - 1*((p%dims_create(P, 2, 0) == 0 ? 1 : 0) "
                              "+ (p%dims_create(P, 2, 0) == dims_create(P, 2, 0)-1 ? 1 : 0))))");
    free(text);
    faces_free(2, cut);
}

/* Each axis has its length, whichever of the parameters comes first. */
static void each_axis_has_its_length(void **state)
{
    (void)state;
    static const int64_t rows[] = {48, 48, 48, 96, 96, 96}, columns[] = {80, 160, 80, 160, 80, 80}, layers[] = {16, 32, 16, 64, 32, 64};
    const struct box_scale lengths[] = {{"L", layers}, {"N", rows}, {"M", columns}};
    const int64_t *const along[] = {rows, columns, layers};
    struct box_face faces[3];
    for (int axis = 0; axis < 3; axis++) {
        faces[axis] = sized_face_of(RECORDINGS, GRID_3, true, axis, 0, false, true);
        for (size_t i = 0; i < faces[axis].n; i++) {
            struct box_send *send = &faces[axis].sends[i];
            struct grid_place place;
            assert_true(grid_place(&place, GRID_3, true, send->procnum, send->numprocs));
            send->size = 8;
            for (int b = 0; b < 3; b++)
                send->size *= b == axis ? 1 : along[b][send->recording] / place.extent[b];
        }
    }
    box_find_laws(3, faces, GRID_3, 3, lengths);
    char *text = box_law_text(&faces[1].law, "p", "P");
    assert_string_equal(text, "round(8.0*N/dims_create(P, 3, 0)*L/dims_create(P, 3, 2))");
    free(text);
    text = box_law_text(&faces[2].law, "p", "P");
    assert_string_equal(text, "round(8.0*N/dims_create(P, 3, 0)*M/dims_create(P, 3, 1))");
    free(text);
    faces_free(3, faces);
}

/* One face alone, or faces that do not agree, have no law; nor has one to several axes. */
static void others_have_none(void **state)
{
    (void)state;
    struct box_face faces[3];
    for (int axis = 0; axis < 3; axis++)
        faces[axis] = face_of(GRID_3, false, axis, 3, false, true);
    box_find_laws(1, &faces[2], GRID_3, 0, NULL);
    assert_int_equal(faces[2].law.axis, -1);
    for (int axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < faces[axis].n; i++)
            faces[axis].sends[i].size += 17 + axis * 13 + (int64_t)(i * 2654435761U % 1000);
    box_find_laws(3, faces, GRID_3, 0, NULL);
    for (int axis = 0; axis < 3; axis++)
        assert_int_equal(faces[axis].law.axis, -1);
    for (size_t i = 0; i < faces[0].n; i++)
        faces[0].sends[i].peer = faces[0].sends[i].numprocs - 1 - faces[0].sends[i].procnum;
    box_find_laws(1, faces, GRID_3, 0, NULL);
    assert_int_equal(faces[0].law.axis, -1);
    faces_free(3, faces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faces_of_a_box_agree), cmocka_unit_test(borders_are_left_out),
                                       cmocka_unit_test(two_columns_stay_a_law), cmocka_unit_test(sizes_are_parameters),
                                       cmocka_unit_test(each_axis_has_its_length), cmocka_unit_test(others_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
