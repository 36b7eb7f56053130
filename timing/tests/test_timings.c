#include "timing/tests/records.h"

#include "timing/timings.h"

static void free_all(struct timings *timings, struct record records[], size_t n)
{
    timings_free(timings);
    for (size_t i = 0; i < n; i++)
        record_free(&records[i]);
}

static void make(struct timings *timings, const struct record records[], size_t n)
{
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(timings_make(timings, records, n, &diags), STATUS_OK);
    diags_free(&diags);
}

/* Names in the order of the records, arguments ascending, nodes by lowest rank. */
static void test_merge(void **state)
{
    (void)state;
    struct record records[] = {
        record_of("b", 2, block_text("row", "-", 10, 3000, 0), block_text("gemm", "128", 5, 9000, 0), NULL),
        record_of("a", 3, block_text("gemm", "64", 5, 4000, 0), NULL),
        record_of("a", 0, block_text("gemm", "64", 7, 4100, 8200), block_text("row", "-", 20, 3000, 0), NULL),
        record_of("c", -1, block_text("row", "-", 1, 3000, 0), NULL),
    };
    struct timings timings;
    make(&timings, records, 4);
    assert_int_equal(timings.n_nodes, 3);
    assert_string_equal(timings.nodes[0].host, "a");
    assert_string_equal(timings.nodes[1].host, "b");
    assert_string_equal(timings.nodes[2].host, "c");
    assert_int_equal(timings.nodes[0].processes, 2);
    assert_int_equal(timings.n, 3);
    assert_string_equal(timings.blocks[0].name, "row");
    assert_int_equal(timings.blocks[0].all.count, 31);
    assert_true(timings.blocks[1].argument == 64 && timings.blocks[2].argument == 128);
    assert_int_equal(timings.blocks[1].all.count, 13);
    assert_true(timings.blocks[1].all.maximum == 8200 && timings.blocks[1].all.minimum == 4000);
    assert_int_equal(timings.blocks[1].nodes[0].count, 13);
    assert_int_equal(timings.blocks[1].nodes[1].count, 0);
    assert_true(timings.window == 4e9);
    assert_true(timings.cost == 70.0 * (15 + 5 + 28 + 1));
    free_all(&timings, records, 4);
}

/* Node b takes 1.25 times as long for everything. */
static void test_factors(void **state)
{
    (void)state;
    struct record records[] = {
        record_of("a", 0, block_text("x", "-", 50, 100000, 900000), block_text("y", "-", 50, 40000, 0), NULL),
        record_of("a", 1, block_text("x", "-", 50, 100400, 0), block_text("y", "-", 50, 40100, 0), NULL),
        record_of("b", 2, block_text("x", "-", 50, 125000, 0), block_text("y", "-", 50, 50000, 0), NULL),
        record_of("b", 3, block_text("x", "-", 50, 125400, 0), block_text("y", "-", 50, 50100, 0), NULL),
    };
    struct timings timings;
    make(&timings, records, 4);
    assert_int_equal(timings.outcome, NODES_FACTORS);
    assert_true(timings.nodes[0].factor == 1);
    assert_near(timings.nodes[1].factor, 1.25, 0.01);
    assert_near(tally_quantile(&timings.blocks[0].levelled, 0.9), 100200, 1000);
    assert_true(timings.blocks[0].levelled.maximum == 900000);
    assert_true(timings.blocks[0].all.count == timings.blocks[0].levelled.count);
    free_all(&timings, records, 4);
}

/* Processes of one node differ as much as nodes do: no node is slower. */
static void test_scatter(void **state)
{
    (void)state;
    struct record records[] = {
        record_of("a", 0, block_text("x", "-", 50, 100000, 0), NULL),
        record_of("a", 1, block_text("x", "-", 50, 112000, 0), NULL),
        record_of("b", 2, block_text("x", "-", 50, 104000, 0), NULL),
        record_of("b", 3, block_text("x", "-", 50, 118000, 0), NULL),
    };
    struct timings timings;
    make(&timings, records, 4);
    assert_int_equal(timings.outcome, NODES_ALIKE);
    assert_true(timings.nodes[1].factor == 1);
    free_all(&timings, records, 4);
}

/* Equal nodes on which each process has a speed of its own in each block, by up to 12 %: no node differs. */
static void test_uneven_processes(void **state)
{
    (void)state;
    struct record records[16];
    uint32_t noise = 4711;
    for (int i = 0; i < 16; i++) {
        static const char *const hosts[] = {"a", "b", "c", "d"};
        double ns[3];
        for (int b = 0; b < 3; b++) {
            noise = noise * 1664525u + 1013904223u;
            ns[b] = 1e5 * (b + 1) * (1 + 0.12 * (noise >> 8) / 16777216.0);
        }
        records[i] = record_of(hosts[i / 4], i, block_text("x", "-", 400, ns[0], 0),
                               block_text("y", "-", 300, ns[1], 0), block_text("z", "-", 200, ns[2], 0), NULL);
    }
    struct timings timings;
    make(&timings, records, 16);
    assert_int_equal(timings.outcome, NODES_ALIKE);
    free_all(&timings, records, 16);
}

/* Durations of `mean` us that scatter by a factor 2 either way, n of them, as text; *noise goes on. */
static char *scattered_text(const char *name, int n, double mean, uint32_t *noise)
{
    char *text = NULL;
    size_t length;
    int64_t bins[3000] = {0}, used = 0;
    double least = HUGE_VAL, most = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        *noise = *noise * 1664525u + 1013904223u;
        double ns = floor(1000 * mean * exp2(2 * ((*noise >> 8) / 16777216.0) - 1));
        bins[record_bin_of(ns)]++;
        least = fmin(least, ns);
        most = fmax(most, ns);
        sum += ns;
    }
    for (int i = 0; i < 3000; i++)
        used += bins[i] > 0;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "block %s - %d %.0f %.0f %.0f %lld\n", name, n, least, most, sum, (long long)used);
    for (int i = 0; i < 3000; i++)
        if (bins[i] > 0)
            fprintf(out, "%d %lld\n", i, (long long)bins[i]);
    fclose(out);
    return text;
}

/* One process per node and few runs of each block, of which times scatter: what the medians differ by is chance. Many
 * runs of the same law with other means are no chance. */
static void test_few_runs(void **state)
{
    (void)state;
    static const char *const hosts[] = {"a", "b", "c", "d"};
    uint32_t noise = 2385;
    for (int many = 0; many < 2; many++) {
        struct record records[4];
        for (int i = 0; i < 4; i++) {
            char *x = scattered_text("x", many ? 4000 : 15, many && i == 2 ? 120 : 100, &noise);
            records[i] = record_of(hosts[i], i, x, scattered_text("y", many ? 4000 : 12, 300, &noise), NULL);
        }
        struct timings timings;
        make(&timings, records, 4);
        assert_int_equal(timings.outcome, many ? NODES_MIXED : NODES_ALIKE);
        free_all(&timings, records, 4);
    }
}

/* One block is slower on b, the other faster, though their mean is the same. */
static void test_mixed(void **state)
{
    (void)state;
    struct record records[] = {
        record_of("a", 0, block_text("x", "-", 50, 100000, 0), block_text("y", "-", 50, 120000, 0), NULL),
        record_of("b", 1, block_text("x", "-", 50, 120000, 0), block_text("y", "-", 50, 100000, 0), NULL),
    };
    struct timings timings;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(timings_make(&timings, records, 2, &diags), STATUS_OK);
    assert_int_equal(timings.outcome, NODES_MIXED);
    assert_true(timings.nodes[0].factor == 1 && timings.nodes[1].factor == 1);
    assert_int_equal(diags.n, 0);
    timings_warn_nodes(&timings, &diags);
    assert_said(&diags, "not by one factor each");
    free_all(&timings, records, 2);
}

static void test_warnings(void **state)
{
    (void)state;
    struct record records[] = {
        record_of("a", 0, block_text("x", "-", 500000, 150, 0), NULL),
        record_of("b", 1, block_text("x", "-", 500000, 180, 0), NULL),
    };
    struct timings timings;
    struct diags diags = DIAGS_EMPTY;
    struct record_stray begin = {false, "x", "src/md.c", 120, 3}, end = {true, "y", "src/md.c", 130, 2};
    struct record_stray other = {false, "x", NULL, 0, 2};
    struct record_stray first[] = {begin}, second[] = {end, begin, other};
    records[0].unmatched = 4;
    records[0].n_strays = 1;
    records[0].strays = first;
    records[1].unmatched = 7;
    records[1].n_strays = 3;
    records[1].strays = second;
    records[1].dropped = 3;
    assert_int_equal(timings_make(&timings, records, 2, &diags), STATUS_OK);
    for (int i = 0; i < 2; i++)
        records[i].n_strays = 0, records[i].strays = NULL; /* they are on the stack */
    timings_warn_nodes(&timings, &diags);
    char *text = said_by(&diags);
    diags_free(&diags);
    assert_non_null(strstr(text, "lost blocks: 3"));
    assert_non_null(strstr(text, "src/md.c:120:1: warning: not counted: 6 PEVPM_TIME_BEGIN(x) without END"));
    assert_non_null(strstr(text, "src/md.c:130:1: warning: not counted: 2 PEVPM_TIME_END(y) without BEGIN"));
    assert_non_null(strstr(text, "not counted: 2 PEVPM_TIME_BEGIN(x) without END"));
    assert_non_null(strstr(text, "not counted: 1 PEVPM_TIME_BEGIN without END or END without BEGIN"));
    assert_non_null(strstr(text, "timing itself took 4 % of the run"));
    assert_non_null(strstr(text, "block `x` is too short to be timed well"));
    assert_non_null(strstr(text, "one process per node"));
    free(text);
    free_all(&timings, records, 2);
}

static void test_refused(void **state)
{
    (void)state;
    struct record records[] = {
        record_of("a", 0, block_text("x", "-", 5, 100000, 0), NULL),
        record_of("b", 1, block_text("x", "3", 5, 100000, 0), NULL),
        record_of("c", 2, NULL),
    };
    struct timings timings;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(timings_make(&timings, records, 2, &diags), STATUS_SCHEMA);
    assert_said(&diags, "block `x` has an argument here and none in a");
    timings_free(&timings);
    assert_int_equal(timings_make(&timings, &records[2], 1, &diags), STATUS_SCHEMA);
    assert_said(&diags, "no block was timed");
    free_all(&timings, records, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge), cmocka_unit_test(test_factors), cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_uneven_processes),
        cmocka_unit_test(test_few_runs), cmocka_unit_test(test_mixed), cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
