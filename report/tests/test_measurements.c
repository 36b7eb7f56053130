#include "report/measurements.h"

#include "common/tests/said.h"

#include <math.h>
#include <unistd.h>

/* Reads `text` from a file called t.csv in a folder of its own; *said is the diagnostics' text. */
static enum status read_text(const char *text, struct measurements *measured, char **said)
{
    char folder[] = "/tmp/pevpm-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *out = fopen("t.csv", "w");
    fputs(text, out);
    fclose(out);
    struct diags diags = DIAGS_EMPTY;
    *measured = (struct measurements){0};
    enum status status = measurements_read(measured, "t.csv", &diags);
    *said = said_by(&diags);
    diags_free(&diags);
    unlink("t.csv");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
    return status;
}

static double found(const struct measurements *measured, int numprocs, int nodes, int ppn)
{
    return measurements_find(measured, &(struct placement){numprocs, nodes, ppn});
}

/* A time that names its placement is of no other one. */
static void times_belong_to_their_placement(void **state)
{
    (void)state;
    struct measurements measured;
    char *said;
    assert_int_equal(read_text("# x\n8,8,1,2\n8, 4 , 2 ,3 s\n8,4,2,4\n4,1\n4,2,2,5\n", &measured,
                               &said),
                     STATUS_OK);
    assert_string_equal(said, "");
    free(said);
    assert_true(found(&measured, 8, 8, 1) == 2);
    assert_true(found(&measured, 8, 4, 2) == 3.5);
    assert_true(isnan(found(&measured, 8, 2, 4)));
    assert_true(found(&measured, 4, 4, 1) == 1);
    assert_true(found(&measured, 4, 2, 2) == 5);
    struct diags diags = DIAGS_EMPTY;
    const struct placement one_each[] = {{8, 8, 1}, {8, 4, 2}, {4, 4, 1}, {4, 4, 1}},
                           both[] = {{4, 4, 1}, {4, 2, 2}};
    assert_int_equal(measurements_check(&measured, "t.csv", 4, one_each, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    assert_int_equal(measurements_check(&measured, "t.csv", 2, both, &diags), STATUS_SCHEMA);
    said = said_by(&diags);
    assert_string_equal(said,
                        "t.csv:5:1: error: 4 processes are predicted as 4x1 and as 2x2: which was measured? Lines "
                        "of numprocs,nodes,ppn,seconds tell\n");
    free(said);
    diags_free(&diags);
    measurements_free(&measured);
}

static void says_that_nothing_measured_is_predicted(void **state)
{
    (void)state;
    struct measurements measured;
    struct diags diags = DIAGS_EMPTY;
    char *said;
    assert_int_equal(read_text("16,8,2,1.5\n", &measured, &said), STATUS_OK);
    free(said);
    const struct placement other[] = {{16, 16, 1}, {8, 8, 1}}, same[] = {{8, 8, 1}, {16, 8, 2}};
    assert_int_equal(measurements_check(&measured, "t.csv", 2, same, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    assert_int_equal(measurements_check(&measured, "t.csv", 2, other, &diags), STATUS_OK);
    said = said_by(&diags);
    assert_string_equal(said, "t.csv: warning: nothing that is measured here is predicted: the first line is of 16 "
                              "processes as 8x2, the first prediction of 16 as 16x1\n");
    free(said);
    diags_free(&diags);
    measurements_free(&measured);
}

static void reads_header_comments_and_units(void **state)
{
    (void)state;
    struct measurements measured;
    char *said;
    assert_int_equal(read_text("# jacobi\nnumprocs,seconds\r\n\n2,2.385\n 4 , 1.25e0 \r\n8,600 ms\n4,1.35\n", &measured,
                               &said),
                     STATUS_OK);
    assert_string_equal(said, "");
    assert_int_equal(measured.n, 4);
    assert_true(found(&measured, 2, 2, 1) == 2.385);
    assert_true(fabs(found(&measured, 4, 4, 1) - 1.3) < 1e-15);
    assert_true(fabs(found(&measured, 8, 4, 2) - 0.6) < 1e-15);
    assert_true(isnan(found(&measured, 16, 16, 1)));
    measurements_free(&measured);
    free(said);
}

#define assert_refused(text, expected)                                             \
    do {                                                                           \
        struct measurements measured_;                                             \
        char *said_;                                                               \
        assert_int_equal(read_text(text, &measured_, &said_), STATUS_SCHEMA);      \
        assert_string_equal(said_, expected);                                      \
        free(said_);                                                               \
        measurements_free(&measured_);                                             \
    } while (0)

static void every_error_has_its_place(void **state)
{
    (void)state;
    assert_refused("2,1\n4;2\n",
                   "t.csv:2:1: error: expected `numprocs,seconds`: there is no comma\n    2 | 4;2\n      | ^~~\n");
    assert_refused("0,1\n", "t.csv:1:1: error: expected a number of processes, at least 1\n    1 | 0,1\n      | ^\n");
    assert_refused("2.5,1\n",
                   "t.csv:1:1: error: expected a number of processes, at least 1\n    1 | 2.5,1\n      | ^~~\n");
    assert_refused("2,1\nab,1\n",
                   "t.csv:2:1: error: expected a number of processes, at least 1\n    2 | ab,1\n      | ^~\n");
    assert_refused("2,fast\n", "t.csv:1:3: error: expected a time in seconds, or with a unit (ns us ms s min)\n"
                               "    1 | 2,fast\n      |   ^~~~\n");
    assert_refused("2,-3\n", "t.csv:1:3: error: expected a time above zero\n    1 | 2,-3\n      |   ^~\n");
    assert_refused("2,1,3\n", "t.csv:1:4: error: expected the columns numprocs,seconds or numprocs,nodes,ppn,seconds\n"
                              "    1 | 2,1,3\n      |    ^\n");
    assert_refused("2,2,1,1,7\n", "t.csv:1:8: error: expected the columns numprocs,seconds or "
                                  "numprocs,nodes,ppn,seconds\n    1 | 2,2,1,1,7\n      |        ^\n");
    assert_refused("8,4,4,1\n", "t.csv:1:3: error: nodes and ppn do not multiply to numprocs\n    1 | 8,4,4,1\n"
                                "      |   ^~~\n");
    assert_refused("8,,2,1\n",
                   "t.csv:1:3: error: expected a number of nodes, at least 1\n    1 | 8,,2,1\n      |   ^\n");
    assert_refused("8,4,x,1\n", "t.csv:1:5: error: expected a number of processes per node, at least 1\n"
                                "    1 | 8,4,x,1\n      |     ^\n");
    assert_refused("# nothing\n", "t.csv: error: no measured times: expected lines of `numprocs,seconds`\n");
}

/* Times of other columns, or of these in another order, would be taken for seconds. */
static void a_header_names_the_columns(void **state)
{
    (void)state;
    struct measurements measured;
    char *said;
    assert_int_equal(read_text("\xef\xbb\xbfnumprocs , seconds \r\n2,2.385\r\n", &measured, &said), STATUS_OK);
    assert_true(found(&measured, 2, 2, 1) == 2.385);
    measurements_free(&measured);
    free(said);
#define EXPECTED \
    " error: expected the columns `numprocs,seconds` or `numprocs,nodes,ppn,seconds`, in this order and no others\n"
    assert_refused("seconds,numprocs\n50,2\n", "t.csv:1:1:" EXPECTED "    1 | seconds,numprocs\n      | ^~~~~~~\n");
    assert_refused("numprocs,time_ms\n2,50\n",
                   "t.csv:1:10:" EXPECTED "    1 | numprocs,time_ms\n      |          ^~~~~~~\n");
    assert_refused("numprocs,ppn,nodes,seconds\n8,2,4,50\n",
                   "t.csv:1:10:" EXPECTED "    1 | numprocs,ppn,nodes,seconds\n      |          ^~~\n");
    assert_refused("numprocs,nodes,ppn,seconds\n8,4,2,5\n8,5\n",
                   "t.csv:3:1: error: expected the columns that the header names\n    3 | 8,5\n      | ^~~\n");
    assert_refused("numprocs\n2,50\n", "t.csv:1:1:" EXPECTED "    1 | numprocs\n      | ^~~~~~~~\n");
    assert_refused("numprocs,seconds,launch\n2,50\n",
                   "t.csv:1:10:" EXPECTED "    1 | numprocs,seconds,launch\n      |          ^~~~~~~\n");
}

static void several_errors_are_all_reported(void **state)
{
    (void)state;
    assert_refused("numprocs,seconds\nx,1\n2,y\n",
                   "t.csv:2:1: error: expected a number of processes, at least 1\n    2 | x,1\n      | ^\n"
                   "t.csv:3:3: error: expected a time in seconds, or with a unit (ns us ms s min)\n    3 | 2,y\n"
                   "      |   ^\n");
}

static void no_such_file(void **state)
{
    (void)state;
    struct measurements measured = {0};
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(measurements_read(&measured, "/no/such/file.csv", &diags), STATUS_IO);
    assert_int_equal(diags.n_errors, 1);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_that_nothing_measured_is_predicted),
        cmocka_unit_test(reads_header_comments_and_units),
        cmocka_unit_test(times_belong_to_their_placement),
        cmocka_unit_test(every_error_has_its_place),
        cmocka_unit_test(a_header_names_the_columns),
        cmocka_unit_test(several_errors_are_all_reported),
        cmocka_unit_test(no_such_file),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
