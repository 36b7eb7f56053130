#include "record/among.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FIGURES " n %d wall 9 9 9 cpu 0 0 in 9 size 8 8 8\n"
#define DUP(path, made) "MPI_Comm_dup " #path " 0 " #made " 0 0 0 0 0 -1,"
#define BCAST(path, comm) "MPI_Bcast " #path " " #comm " 0 0 8 0 0 0 -1,"

/* Four communicators of both processes, and two more; calls and loops [rank] in their order, each with a comma behind it. */
static void make_recording(struct recording *recording, const char *const calls[2])
{
    char *text = NULL;
    size_t length;
    struct diags diags = DIAGS_EMPTY;
    FILE *out = open_memstream(&text, &length);
    fputs("pevpm-recording 1\nranks 2\n", out);
    for (int rank = 0; rank < 2; rank++) {
        fprintf(out, "rank %d 2\nhost a\nprocessors 1\nclocks 20 300\npolls 0\nalike 0\nmodule 0 ab /app\npath 0 0:10\npath 1 0:20\n"
                     "path 2 0:30\npath 3 0:40\n", rank);
        for (int comm = 1; comm <= 4; comm++)
            fprintf(out, "comm %d 0 %d 1 0\n", comm, 1 - rank); /* not in the order of the world */
        fputs("comm 5 0 -1\n", out);                            /* of others */
        fprintf(out, "comm 6 0 0 %d\n", rank);                  /* MPI_COMM_SELF, where no call makes it */
        int trips[4] = {1}, depth = 0;
        for (const char *call = calls[rank]; *call; call += strcspn(call, ",") + 1) {
            fprintf(out, "%.*s", (int)strcspn(call, ","), call);
            fprintf(out, strncmp(call, "MPI_", 4) == 0 ? FIGURES : "\n", trips[depth]);
            depth += strncmp(call, "loop ", 5) == 0 ? 1 : strncmp(call, "next", 4) == 0 ? -1 : 0;
            if (strncmp(call, "loop ", 5) == 0)
                trips[depth] = atoi(call + 5);
        }
        fprintf(out, "done %d\n", rank);
    }
    fputs("end 2\n", out);
    fclose(out);
    assert_int_equal(recording_read_text(recording, "among.rec", text, length, &diags), STATUS_OK);
    free(text);
    diags_free(&diags);
}

/* Numbers differ between processes; who made them does not. */
static void calls_on_two_are_told_apart(void **state)
{
    (void)state;
    static const char *const calls[2] = {DUP(0, 1) DUP(1, 2) BCAST(2, 1) BCAST(2, 2) BCAST(3, 1),
                                         DUP(0, 3) DUP(1, 1) BCAST(2, 3) BCAST(2, 1) BCAST(3, 3)};
    struct recording recording;
    struct among among;
    make_recording(&recording, calls);
    among_find(&among, 1, &recording);
    assert_int_equal(among.n, 2);
    assert_int_not_equal(among.of[0][2], among.of[0][3]);
    assert_int_equal(among.of[0][2], among.of[1][2]);
    assert_int_equal(among.of[0][3], among.of[1][3]);
    for (int rank = 0; rank < 2; rank++)
        assert_int_equal(among.of[rank][4], AMONG_ANY); /* one alone */
    assert_int_equal(among.of[0][0], AMONG_ANY);
    among_free(&among);
    recording_free(&recording);
}

/* Neither is made by a call. */
static void self_is_not_the_world(void **state)
{
    (void)state;
    static const char *const calls[2] = {BCAST(2, 0) BCAST(2, 6) BCAST(3, 6), BCAST(2, 0) BCAST(2, 6) BCAST(3, 6)};
    struct recording recording;
    struct among among;
    make_recording(&recording, calls);
    among_find(&among, 1, &recording);
    for (int rank = 0; rank < 2; rank++) {
        assert_int_equal(among.of[rank][0], 0);
        assert_int_equal(among.of[rank][1], 1);
        assert_int_equal(among.of[rank][2], AMONG_ANY);
    }
    among_free(&among);
    recording_free(&recording);
}

#define TWICE DUP(0, 1) DUP(0, 2) BCAST(2, 1) BCAST(2, 2) BCAST(3, 2)

/* One call path makes both, and then so it does in two places. */
static void the_second_of_one_path_is_another_one(void **state)
{
    (void)state;
    static const char *const calls[2] = {TWICE, TWICE};
    struct recording recording;
    struct among among;
    make_recording(&recording, calls);
    among_find(&among, 1, &recording);
    assert_int_equal(among.of[0][0], 0);
    assert_int_equal(among.of[0][1], 1);
    assert_int_not_equal(among.of[0][2], among.of[0][3]);
    assert_int_equal(among.of[0][4], AMONG_ANY);
    among_free(&among);
    recording_free(&recording);
}

/* The first call on any may be one on the second. */
static void the_second_may_be_called_on_first(void **state)
{
    (void)state;
    static const char *const second[2] = {DUP(0, 1) DUP(0, 2) BCAST(2, 2) BCAST(3, 2) BCAST(3, 1),
                                          DUP(0, 1) DUP(0, 2) BCAST(2, 2) BCAST(3, 2) BCAST(3, 1)};
    struct recording recording;
    struct among among;
    make_recording(&recording, second);
    among_find(&among, 1, &recording);
    assert_int_equal(among.of[0][2], AMONG_ANY);
    assert_int_equal(among.of[1][2], AMONG_ANY);
    assert_int_not_equal(among.of[0][3], among.of[0][4]);
    assert_int_equal(among.of[0][3], among.of[1][3]);
    among_free(&among);
    recording_free(&recording);
}

#define STEP DUP(0, 1) DUP(0, 2) BCAST(2, 1) BCAST(2, 2)

/* Each step makes and frees both; one process has its first step by itself, and in the second recording each step has two. */
static void each_step_makes_them_anew(void **state)
{
    (void)state;
    static const char *const steps[2] = {"loop 100 1," STEP "next,", STEP "loop 99 1," STEP "next,"},
                            *const twice[2] = {"loop 10 1,loop 200 10," STEP "next,next,", "loop 200 1," STEP "next,"};
    struct recording recordings[2];
    struct among among;
    make_recording(&recordings[0], steps);
    make_recording(&recordings[1], twice);
    among_find(&among, 2, recordings);
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(among.of[k][0], 0);
        assert_int_equal(among.of[k][1], 1);
        assert_int_not_equal(among.of[k][2], among.of[k][3]);
        assert_int_equal(among.of[k][3], among.of[0][3]);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(among.of[1][4 + i], among.of[1][i]);
    among_free(&among);
    for (int r = 0; r < 2; r++)
        recording_free(&recordings[r]);
}

/* One of a loop, and another behind it: the 11th. */
static void one_behind_a_loop_is_as_many_further(void **state)
{
    (void)state;
    static const char *const calls[2] = {"loop 10 1," DUP(0, 1) BCAST(3, 1) "next," DUP(0, 2) BCAST(2, 1) BCAST(2, 2),
                                         DUP(0, 1) BCAST(3, 1) "loop 3 1,loop 9 3," DUP(0, 1) BCAST(3, 1) "next,next,"
                                         DUP(0, 2) BCAST(2, 1) BCAST(2, 2)};
    struct recording recording;
    struct among among;
    make_recording(&recording, calls);
    among_find(&among, 1, &recording);
    assert_int_equal(among.of[0][0], 0);
    assert_int_equal(among.of[0][2], 10);
    assert_int_equal(among.of[1][4], 10);
    among_free(&among);
    recording_free(&recording);
}

#define LEFT_OUT "MPI_Comm_split 0 0 5 0 0 0 0 0 -1,"
#define SPLIT(made) "MPI_Comm_split 0 0 " #made " 0 0 0 0 0 -1,"
#define SPLITS SPLIT(1) BCAST(2, 1) "MPI_Barrier 3 0 0 0 0 0 0 0 -1," SPLIT(2) BCAST(2, 2)

/* The numbers of what others have are one. */
static void who_is_left_out_comes_to_as_many(void **state)
{
    (void)state;
    static const char *const once[2] = {SPLITS, LEFT_OUT "MPI_Barrier 3 0 0 0 0 0 0 0 -1," LEFT_OUT},
                            *const steps[2] = {"loop 9 1," SPLITS "next,",
                                               "loop 9 1," LEFT_OUT "MPI_Barrier 3 0 0 0 0 0 0 0 -1," LEFT_OUT "next,"};
    struct recording recordings[2];
    struct among among;
    make_recording(&recordings[0], once);
    make_recording(&recordings[1], steps);
    among_find(&among, 2, recordings);
    for (int k = 0; k < 4; k += 2) {
        assert_int_equal(among.of[k][0], 0);
        assert_int_equal(among.of[k][3], 1);
        assert_int_not_equal(among.of[k][1], among.of[k][4]);
        assert_int_equal(among.of[k + 1][0], 0);
        assert_int_equal(among.of[k + 1][2], 1);
    }
    among_free(&among);
    for (int r = 0; r < 2; r++)
        recording_free(&recordings[r]);
}

/* One call in a loop cannot be both. */
static void who_is_left_out_in_a_loop_has_them_as_one(void **state)
{
    (void)state;
    static const char *const calls[2] = {SPLIT(1) SPLIT(2) BCAST(2, 1) BCAST(2, 2), "loop 2 1," LEFT_OUT "next,"};
    struct recording recording;
    struct among among;
    make_recording(&recording, calls);
    among_find(&among, 1, &recording);
    assert_int_equal(among.of[0][0], AMONG_ANY);
    assert_int_equal(among.of[0][1], AMONG_ANY);
    assert_int_equal(among.of[1][0], AMONG_ANY);
    among_free(&among);
    recording_free(&recording);
}

/* Who knows how many another count has? */
static void those_of_which_counts_have_more_are_one(void **state)
{
    (void)state;
    static const char *const two[2] = {TWICE, TWICE}, *const more[2] = {DUP(0, 3) TWICE, DUP(0, 3) TWICE};
    struct recording recordings[2];
    struct among among;
    make_recording(&recordings[0], two);
    make_recording(&recordings[1], more);
    among_find(&among, 2, recordings);
    assert_int_equal(among.of[0][0], AMONG_ANY);
    assert_int_equal(among.of[0][1], AMONG_ANY);
    assert_int_equal(among.of[0][2], among.of[0][3]);
    among_free(&among);
    for (int r = 0; r < 2; r++)
        recording_free(&recordings[r]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_on_two_are_told_apart),
        cmocka_unit_test(self_is_not_the_world),
        cmocka_unit_test(the_second_of_one_path_is_another_one),
        cmocka_unit_test(the_second_may_be_called_on_first),
        cmocka_unit_test(each_step_makes_them_anew),
        cmocka_unit_test(one_behind_a_loop_is_as_many_further),
        cmocka_unit_test(who_is_left_out_comes_to_as_many),
        cmocka_unit_test(who_is_left_out_in_a_loop_has_them_as_one),
        cmocka_unit_test(those_of_which_counts_have_more_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
