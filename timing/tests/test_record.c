#include "timing/tests/records.h"

#include "timing/tally.h"

static const char whole[] = "pevpm-time 2\nhost node3\nrank 12\nclock CLOCK_MONOTONIC\nbins 128\noverhead_ns 20\n"
                            "cost_ns 69\nwindow_ns 5000\nunmatched 9\ndropped 2\nstrays 2\n"
                            "stray begin row src/md.c 120 7\nstray end gemm - 0 1\n"
                            "block row - 3 100 301 601 3\n100 1 200 1 278 1\n"
                            "block gemm 64.5 1 7 7 7 1\n7 1\nend 2\n";

static enum status read_text(struct record *record, const char *text, size_t length, struct diags *diags)
{
    return record_read_text(record, "r.dat", text, length, diags);
}

static void test_read(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct record record;
    assert_int_equal(read_text(&record, whole, strlen(whole), &diags), STATUS_OK);
    assert_string_equal(record.host, "node3");
    assert_int_equal(record.rank, 12);
    assert_true(record.overhead == 20 && record.cost == 69 && record.window == 5000);
    assert_int_equal(record.unmatched, 9);
    assert_int_equal(record.dropped, 2);
    assert_int_equal(record.n_strays, 2);
    assert_string_equal(record.strays[0].name, "row");
    assert_string_equal(record.strays[0].file, "src/md.c");
    assert_true(!record.strays[0].end && record.strays[0].line == 120 && record.strays[0].count == 7);
    assert_true(record.strays[1].end && !record.strays[1].file && record.strays[1].count == 1);
    assert_int_equal(record.n, 2);
    assert_string_equal(record.blocks[0].name, "row");
    assert_false(record.blocks[0].has_argument);
    assert_int_equal(record.blocks[0].n, 3);
    assert_int_equal(record.blocks[0].bins[2].index, 278);
    assert_true(record.blocks[1].has_argument && record.blocks[1].argument == 64.5);
    record_free(&record);
}

static void test_version_1(void **state)
{
    (void)state;
    static const char text[] = "pevpm-time 1\nhost a\nrank -\nclock clock\nbins 128\noverhead_ns 20\ncost_ns 69\n"
                               "window_ns 5000\nunmatched 1\ndropped 2\nblock row - 1 7 7 7 1\n7 1\nend 1\n";
    struct diags diags = DIAGS_EMPTY;
    struct record record;
    assert_int_equal(read_text(&record, text, strlen(text), &diags), STATUS_OK);
    assert_int_equal(record.n, 1);
    assert_int_equal(record.n_strays, 0);
    record_free(&record);
}

/* Cut short anywhere, a record is refused: a job that was killed while writing must not look like a short one. */
static void test_cut_short(void **state)
{
    (void)state;
    for (size_t length = 0; length + 2 < sizeof whole; length++) {
        struct diags diags = DIAGS_EMPTY;
        struct record record;
        assert_int_equal(read_text(&record, whole, length, &diags), STATUS_SCHEMA);
        assert_int_equal(diags.n_errors, 1);
        diags_free(&diags);
        record_free(&record);
    }
}

static void refused(const char *from, const char *to, const char *message)
{
    char text[sizeof whole + 100];
    const char *at = strstr(whole, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    struct diags diags = DIAGS_EMPTY;
    struct record record;
    assert_int_equal(read_text(&record, text, strlen(text), &diags), STATUS_SCHEMA);
    assert_said(&diags, message);
    record_free(&record);
}

static void test_damage(void **state)
{
    (void)state;
    refused("pevpm-time 2", "pevpm-tame 2", "r.dat:1:1: error: expected `pevpm-time`, found `pevpm-tame`");
    refused("pevpm-time 2", "pevpm-time 3", "expected version 1 or 2");
    refused("pevpm-time 2", "pevpm-time 1", "expected `block` or `end`, found `strays`");
    refused("strays 2", "strays 1", "expected `block` or `end`, found `stray`");
    refused("strays 2", "strays 3", "expected `stray`, found `block`");
    refused("stray end", "stray edn", "expected `begin` or `end`, found `edn`");
    refused("md.c 120", "md.c -1", "expected a line number, found `-1`");
    refused("120 7", "120 0", "expected a count above 0, found `0`");
    refused("bins 128", "bins 64", "r.dat:5:6: error: expected 128 bins, found `64`");
    refused("rank 12", "rank -3", "expected a rank or `-`, found `-3`");
    refused("window_ns 5000", "window_ns nan", "found `nan`");
    refused("200 1 278", "200 1 199", "r.dat:15:13: error: expected a bin above the one before, found `199`");
    refused("200 1 278", "200 0 278", "expected a count above 0, found `0`");
    refused("200 1 278", "200 2 278", "expected bins that add up to the block's count");
    refused("row - 3 100", "row - 3 99", "expected bins from the shortest to the longest time");
    refused("100 301 601", "100 99 601", "expected a longest time not below the shortest, found `99`");
    refused("64.5 1 7", "x 1 7", "expected an argument or `-`, found `x`");
    refused("end 2", "end 3", "expected the number of blocks above, found `3`");
    refused("end 2\n", "end 2\nmore\n", "expected nothing after the end, found `more`");
    refused("end 2\n", "", "r.dat: error: the record is cut short: expected `block` or `end`");
}

static void test_no_file(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct record record;
    assert_int_equal(record_read(&record, "/nowhere/r.dat", &diags), STATUS_IO);
    assert_said(&diags, "/nowhere/r.dat");
    record_free(&record);
}

/* Every value lies in its bin, and bins are narrow. */
static void test_bins(void **state)
{
    (void)state;
    double end = 0;
    for (int64_t i = 0; i < 3000; i++) {
        double low, high;
        record_bin_range(i, &low, &high);
        assert_true(low == end && high > low);
        assert_true(high - low <= fmax(1, low / RECORD_BINS));
        assert_int_equal(record_bin_of(low), i);
        assert_int_equal(record_bin_of(nextafter(high, 0)), i);
        end = high;
    }
}

static void test_tally(void **state)
{
    (void)state;
    struct record a = record_of("a", 0, block_text("x", "-", 99, 1000, 5000), NULL);
    struct record b = record_of("a", 1, block_text("x", "-", 100, 2000, 0), NULL);
    struct tally tally = {0};
    double *edges, *counts;
    tally_add(&tally, &a.blocks[0], 1);
    tally_add(&tally, &b.blocks[0], 1);
    assert_int_equal(tally.count, 200);
    assert_true(tally.minimum == 1000 && tally.maximum == 5000 && tally.sum == 304000);
    assert_near(tally_quantile(&tally, 0.25), 1000, 8);
    assert_near(tally_quantile(&tally, 0.75), 2000, 16);
    assert_near(tally_quantile(&tally, 1), 5000, 0);
    size_t n = tally_table(&tally, &edges, &counts);
    assert_int_equal(n, 5);
    assert_true(counts[0] == 99 && counts[1] == 0 && counts[2] == 100 && counts[3] == 0 && counts[4] == 1);
    assert_true(edges[0] == 1000 && edges[5] == 5000);
    free(edges);
    free(counts);
    tally_free(&tally);
    tally_add(&tally, &a.blocks[0], 1.25); /* 800 and 4000 */
    assert_true(tally.minimum == 800 && tally.maximum == 4000 && tally.sum == 104000 / 1.25);
    assert_near(tally_quantile(&tally, 0.5), 800, 8);
    tally_free(&tally);
    record_free(&a);
    record_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_version_1), cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_no_file), cmocka_unit_test(test_bins),
        cmocka_unit_test(test_tally),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
