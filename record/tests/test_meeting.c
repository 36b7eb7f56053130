#include "record/template/meeting.h"
#include "record/writer.h"

#include "common/alloc.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define FIGURES " n 1 wall 9 9 9 cpu 0 0 in 9 size 8 8 8\n"

/* What process `rank` calls, on the paths 0, 1, 2 ...: lines of calls without their figures, separated by commas. */
typedef const char *(*calls_of)(int rank);

static void make_recording(struct recording *recording, int ranks, calls_of calls)
{
    char *text = NULL;
    size_t length;
    struct diags diags = DIAGS_EMPTY;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "pevpm-recording 1\nranks %d\n", ranks);
    for (int rank = 0; rank < ranks; rank++) {
        fprintf(out, "rank %d %d\nhost a\nprocessors 1\nclocks 20 300\npolls 0\nalike 0\nmodule 0 ab /app\n"
                     "path 0 0:10\npath 1 0:20\npath 2 0:30\npath 3 0:40\n", rank, ranks);
        for (int comm = 1; comm <= 2; comm++) {
            fprintf(out, "comm %d 0 %d", comm, rank);
            for (int member = 0; member < ranks; member++)
                fprintf(out, " %d", member);
            putc('\n', out);
        }
        for (const char *call = calls(rank); *call; call += strcspn(call, ",") + (strchr(call, ',') != NULL))
            fprintf(out, "%.*s" FIGURES, (int)strcspn(call, ","), call);
        fprintf(out, "done %d\n", rank);
    }
    fprintf(out, "end %d\n", ranks);
    fclose(out);
    assert_int_equal(recording_read_text(recording, "met.rec", text, length, &diags), STATUS_OK);
    free(text);
    diags_free(&diags);
}

#define BARRIER(path) "MPI_Barrier " #path " 0 -1 0 0 0 0 0 -1"
#define BCAST(path) "MPI_Bcast " #path " 0 0 0 8 0 0 0 -1"
#define IBCAST(path) "MPI_Ibcast " #path " 0 0 0 8 0 0 0 0"

static const char *root_apart(int rank)
{
    return rank == 0 ? BARRIER(0) "," BCAST(1) "," IBCAST(3) : BARRIER(0) "," BCAST(2) "," IBCAST(0);
}

static const char *together(int rank)
{
    (void)rank;
    return BARRIER(0) "," BCAST(1);
}

/* That cannot be: one of the two is not all that ran. */
static const char *astray(int rank)
{
    return rank == 0 ? BARRIER(0) "," BCAST(1) : BCAST(2) "," BCAST(1);
}

#define DUP(path, made) "MPI_Comm_dup " #path " 0 " #made " 0 0 0 0 0 -1"
#define BCAST_ON(comm, path) "MPI_Bcast " #path " " #comm " 0 0 8 0 0 0 -1"

/* Process 0 makes both communicators in one place, so that the second has the first one's number; the others do not. */
static const char *made_again(int rank)
{
    return rank == 0 ? DUP(0, 1) "," BCAST_ON(1, 1) "," DUP(0, 1) "," BCAST_ON(1, 1)
                     : DUP(0, 1) "," BCAST_ON(1, 1) "," DUP(3, 2) "," BCAST_ON(2, 2);
}

/* The last of many communicators is where they meet. */
#define MANY(times, last)                                                                                            \
    "loop " #times " 1\n" DUP(0, 1) "," BCAST_ON(1, 1) ",next\n" DUP(0, 1) "," BCAST_ON(1, last)
static const char *last_apart(int rank) { return rank == 0 ? MANY(1000, 1) : MANY(1000, 2); }
static const char *too_late(int rank) { return rank == 0 ? MANY(40000, 1) : MANY(40000, 2); }

/* Two places for each of five operations, and the processes come to either by chance. */
static const char *by_chance(int rank)
{
    static const char *const calls[] = {
        BCAST(1) "," BARRIER(0) "," BCAST(2) "," BARRIER(0) "," BCAST(1), BCAST(2) "," BARRIER(0) "," BCAST(2) "," BARRIER(3) "," BCAST(1),
        BCAST(1) "," BARRIER(3) "," BCAST(1) "," BARRIER(0) "," BCAST(2), BCAST(2) "," BARRIER(3) "," BCAST(1) "," BARRIER(3) "," BCAST(2)};
    return calls[(unsigned)rank * 2654435761U >> 30];
}

static int site_on(struct site_table *table, const struct recording *recording, int rank, enum operation op, int path)
{
    return site_find(table, &recording->processes[rank], op, path);
}

static void places_that_meet_are_one(void **state)
{
    (void)state;
    struct site_table table;
    struct recording recording;
    make_recording(&recording, 3, root_apart);
    site_table_init(&table);
    assert_true(meetings_join(&table, 1, &recording, NULL));
    assert_int_equal(site_on(&table, &recording, 0, OPERATION_MPI_Bcast, 1),
                     site_on(&table, &recording, 2, OPERATION_MPI_Bcast, 2));
    assert_int_not_equal(site_on(&table, &recording, 0, OPERATION_MPI_Barrier, 0),
                         site_on(&table, &recording, 0, OPERATION_MPI_Bcast, 1));
    /* what gives a request is told by its place where it is waited for */
    assert_int_not_equal(site_on(&table, &recording, 0, OPERATION_MPI_Ibcast, 3),
                         site_on(&table, &recording, 1, OPERATION_MPI_Ibcast, 0));
    site_table_free(&table);
    recording_free(&recording);
}

static void a_number_that_comes_again_is_another_one(void **state)
{
    (void)state;
    const calls_of calls[] = {made_again, last_apart};
    for (int i = 0; i < 2; i++) {
        struct site_table table;
        struct recording recording;
        make_recording(&recording, 3, calls[i]);
        site_table_init(&table);
        assert_true(meetings_join(&table, 1, &recording, NULL));
        assert_int_equal(site_on(&table, &recording, 0, OPERATION_MPI_Bcast, 1),
                         site_on(&table, &recording, 1, OPERATION_MPI_Bcast, 2));
        site_table_free(&table);
        recording_free(&recording);
    }
}

static void others_are_not(void **state)
{
    (void)state;
    const calls_of calls[] = {together, astray, too_late};
    for (int i = 0; i < 3; i++) {
        struct site_table table;
        struct recording recording;
        make_recording(&recording, 3, calls[i]);
        site_table_init(&table);
        assert_false(meetings_join(&table, 1, &recording, NULL));
        site_table_free(&table);
        recording_free(&recording);
    }
}

/* A program that says each operation once, for all processes. */
static void chance_is_no_condition(void **state)
{
    (void)state;
    struct recording recordings[3];
    struct template plain, joined;
    struct diags diags = DIAGS_EMPTY;
    struct writer_result result = {0};
    char *text = NULL;
    size_t length;
    for (int i = 0; i < 3; i++)
        make_recording(&recordings[i], 2 << i, by_chance);
    assert_int_equal(template_begin(&plain, 3, recordings, &diags), STATUS_OK);
    assert_true(template_begin_joined(&joined, &plain));
    template_make(&joined, NULL);
    const char **where = alloc_array((size_t)joined.sites.n, sizeof *where);
    for (int i = 0; i < joined.sites.n; i++)
        where[i] = "somewhere";
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(writer_write(&joined, &(struct writer_request){0}, where, out, &result, &diags), STATUS_OK);
    fclose(out);
    assert_int_equal(result.n_tables, 0);
    assert_null(strstr(text, "Runon"));
    free(text);
    free(where);
    writer_result_free(&result);
    template_free(&plain);
    template_free(&joined);
    for (int i = 0; i < 3; i++)
        recording_free(&recordings[i]);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_that_meet_are_one), cmocka_unit_test(others_are_not),
                                       cmocka_unit_test(a_number_that_comes_again_is_another_one),
                                       cmocka_unit_test(chance_is_no_condition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
