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
    assert_true(measurements_find(&measured, 2) == 2.385);
    assert_true(fabs(measurements_find(&measured, 4) - 1.3) < 1e-15);
    assert_true(fabs(measurements_find(&measured, 8) - 0.6) < 1e-15);
    assert_true(isnan(measurements_find(&measured, 16)));
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
    assert_refused("2,1,3\n", "t.csv:1:4: error: expected two columns, numprocs and seconds: here a third begins\n"
                              "    1 | 2,1,3\n      |    ^\n");
    assert_refused("# nothing\n", "t.csv: error: no measured times: expected lines of `numprocs,seconds`\n");
}

/* Times of other columns, or of these in another order, would be taken for seconds. */
static void a_header_names_the_columns(void **state)
{
    (void)state;
    struct measurements measured;
    char *said;
    assert_int_equal(read_text("\xef\xbb\xbfnumprocs , seconds \r\n2,2.385\r\n", &measured, &said), STATUS_OK);
    assert_true(measurements_find(&measured, 2) == 2.385);
    measurements_free(&measured);
    free(said);
#define EXPECTED " error: expected the columns `numprocs,seconds`, in this order and no others\n"
    assert_refused("seconds,numprocs\n50,2\n", "t.csv:1:1:" EXPECTED "    1 | seconds,numprocs\n      | ^~~~~~~\n");
    assert_refused("numprocs,time_ms\n2,50\n",
                   "t.csv:1:10:" EXPECTED "    1 | numprocs,time_ms\n      |          ^~~~~~~\n");
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
        cmocka_unit_test(reads_header_comments_and_units),
        cmocka_unit_test(every_error_has_its_place),
        cmocka_unit_test(a_header_names_the_columns),
        cmocka_unit_test(several_errors_are_all_reported),
        cmocka_unit_test(no_such_file),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
