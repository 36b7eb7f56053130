#include "record/table.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* Two processes each, at counts and sizes that cases say. */
enum { RECORDINGS = 4 };

struct runs {
    int ranks[RECORDINGS];
    int64_t n[RECORDINGS], m[RECORDINGS];
    int64_t value[RECORDINGS][2];   /* of process 0 and 1 */
};

static void expect_table(const struct runs *runs, int n_params, const char *beyond, const char *expected)
{
    static const char *const param[] = {"n", "m"};
    const int64_t *const values[] = {runs->n, runs->m};
    const struct fit_names names = {.procnum = "procnum", .numprocs = "numprocs", .any = "MPI_ANY_SOURCE", .source = "sender",
                                    .n_params = n_params, .param = param, .values = values};
    struct recording recordings[RECORDINGS] = {0};
    struct fit_sample samples[2 * RECORDINGS];
    struct arena memory = ARENA_EMPTY;
    bool everywhere;
    for (int i = 0; i < 2 * RECORDINGS; i++) {
        const int r = RECORDINGS - 1 - i / 2;   /* they are sorted */
        recordings[r].ranks = runs->ranks[r];
        samples[i] = (struct fit_sample){.procnum = i % 2, .world = i % 2, .numprocs = runs->ranks[r], .recording = r,
                                         .value = runs->value[r][i % 2]};
    }
    assert_string_equal(table_write(&names, 2 * RECORDINGS, samples, RECORDINGS, recordings, beyond, false, &everywhere, &memory),
                        expected);
    assert_false(everywhere);
    arena_free(&memory);
}

static void counts_alone(void **state)
{
    (void)state;
    const struct runs runs = {{2, 4, 8, 16}, {0}, {0}, {{7, 7}, {3, 5}, {11, 11}, {2, FIT_NULL}}};
    expect_table(&runs, 0, NULL, "(numprocs == 2 ? 7 : (numprocs == 4 ? (procnum < 1 ? 3 : 5) : (numprocs == 8 ? 11 : (numprocs == 16 ? "
                                 "(procnum < 1 ? 2 : MPI_PROC_NULL) : known_only_at(2, 4, 8, 16)))))");
    expect_table(&runs, 0, "9*numprocs", "(numprocs == 2 ? 7 : (numprocs == 4 ? (procnum < 1 ? 3 : 5) : (numprocs == 8 ? 11 : "
                                         "(numprocs == 16 ? (procnum < 1 ? 2 : MPI_PROC_NULL) : 9*numprocs))))");
}

/* One count at two sizes: both are asked, and what another size gets says so. */
static void sizes_are_asked(void **state)
{
    (void)state;
    const struct runs runs = {{2, 2, 4, 4}, {24, 57, 24, 57}, {0}, {{1004, 1004}, {298, 298}, {123, 123}, {430, 430}}};
    expect_table(&runs, 1, NULL, "(numprocs == 2 && n == 24 ? 1004 : (numprocs == 2 && n == 57 ? 298 : (numprocs == 4 && n == 24 ? 123 : "
                                 "(numprocs == 4 && n == 57 ? 430 : known_only_at(numprocs == 2 && n == 24, numprocs == 2 && n == 57, "
                                 "numprocs == 4 && n == 24, numprocs == 4 && n == 57)))))");
}

/* Each count at its own size: that another size has the same at a count nobody has seen. */
static void a_size_for_each_count(void **state)
{
    (void)state;
    const struct runs runs = {{2, 4, 8, 8}, {24, 48, 96, 192}, {0}, {{7, 7}, {3, 3}, {11, 11}, {11, 5}}};
    expect_table(&runs, 1, "0", "(numprocs == 2 && n == 24 ? 7 : (numprocs == 4 && n == 48 ? 3 : (numprocs == 8 && n == 96 ? 11 : "
                                "(numprocs == 8 && n == 192 ? (procnum < 1 ? 11 : 5) : 0))))");
}

/* What is the same at all sizes of a count follows the count; a size that is the same everywhere is not asked, for nothing was
 * seen of others. */
static void sizes_that_say_nothing(void **state)
{
    (void)state;
    const struct runs same = {{2, 2, 4, 4}, {24, 57, 24, 57}, {0}, {{7, 3}, {7, 3}, {5, 5}, {5, 5}}};
    expect_table(&same, 1, NULL, "(numprocs == 2 ? (procnum < 1 ? 7 : 3) : (numprocs == 4 ? 5 : known_only_at(2, 4)))");
    const struct runs one = {{2, 4, 6, 8}, {24, 24, 24, 24}, {0}, {{7, 7}, {3, 3}, {5, 5}, {11, 11}}};
    expect_table(&one, 1, NULL, "(numprocs == 2 ? 7 : (numprocs == 4 ? 3 : (numprocs == 6 ? 5 : (numprocs == 8 ? 11 : "
                                "known_only_at(2, 4, 6, 8)))))");
}

/* Of two parameters the one that matters. */
static void one_of_two(void **state)
{
    (void)state;
    const struct runs runs = {{2, 2, 2, 2}, {24, 24, 57, 57}, {1, 2, 1, 2}, {{7, 7}, {3, 3}, {7, 7}, {3, 3}}};
    expect_table(&runs, 2, NULL, "(numprocs == 2 && m == 1 ? 7 : (numprocs == 2 && m == 2 ? 3 : "
                                 "known_only_at(numprocs == 2 && m == 1, numprocs == 2 && m == 2)))");
    const struct runs both = {{2, 2, 2, 2}, {24, 24, 57, 57}, {1, 2, 1, 2}, {{7, 7}, {3, 3}, {7, 7}, {5, 5}}};
    expect_table(&both, 2, "0", "(numprocs == 2 && n == 24 && m == 1 ? 7 : (numprocs == 2 && n == 24 && m == 2 ? 3 : "
                                "(numprocs == 2 && n == 57 && m == 1 ? 7 : (numprocs == 2 && n == 57 && m == 2 ? 5 : 0))))");
}

/* Nothing tells the two apart: no branch is written that is never reached. */
static void the_first_of_two_alike(void **state)
{
    (void)state;
    const struct runs runs = {{2, 2, 4, 4}, {24, 24, 24, 24}, {0}, {{7, 7}, {3, 3}, {5, 5}, {5, 5}}};
    expect_table(&runs, 1, NULL, "(numprocs == 2 ? 7 : (numprocs == 4 ? 5 : known_only_at(2, 4)))");
}

static void values_of_one_place(void **state)
{
    (void)state;
    const struct fit_names names = {.procnum = "procnum", .numprocs = "numprocs"};
    struct recording recording = {.ranks = 2};
    struct fit_sample samples[] = {{.numprocs = 2, .value = 4}, {.numprocs = 2, .value = 5}};
    struct arena memory = ARENA_EMPTY;
    bool everywhere;
    assert_null(table_write(&names, 2, samples, 1, &recording, NULL, false, &everywhere, &memory));
    arena_free(&memory);
}

/* What a benchmark does for each size: 100 rounds, and from the fourth on 20, whatever the count. One that follows the process as well,
 * or was seen at one count alone, is a table. */
static void the_same_at_all_counts(void **state)
{
    (void)state;
    static const char *const loop[] = {"i"};
    const struct fit_names names = {.procnum = "procnum", .numprocs = "numprocs", .n_loops = 1, .loop = loop};
    struct recording recordings[] = {{.ranks = 2}, {.ranks = 4}};
    struct fit_sample samples[2 * 2 * 5];
    struct arena memory = ARENA_EMPTY;
    bool everywhere;
    for (int i = 0; i < 20; i++)
        samples[i] = (struct fit_sample){.procnum = i / 5 % 2, .world = i / 5 % 2, .recording = i / 10, .numprocs = 2 << i / 10,
                                         .index = {i % 5}, .value = i % 5 < 3 ? 100 : 20};
    assert_string_equal(table_write(&names, 20, samples, 2, recordings, NULL, false, &everywhere, &memory),
                        "(i < 2 ? 100 : (i < 3 ? 100 : 20))");
    assert_true(everywhere);
    assert_string_equal(table_write(&names, 10, samples, 1, recordings, NULL, false, &everywhere, &memory),
                        "(numprocs == 2 ? (i < 2 ? 100 : (i < 3 ? 100 : 20)) : known_only_at(2))");
    assert_false(everywhere);
    for (int i = 0; i < 20; i++)
        samples[i].value += samples[i].procnum;
    assert_non_null(strstr(table_write(&names, 20, samples, 2, recordings, NULL, false, &everywhere, &memory), "known_only_at(2, 4)"));
    assert_false(everywhere);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_alone),
        cmocka_unit_test(sizes_are_asked),
        cmocka_unit_test(a_size_for_each_count),
        cmocka_unit_test(sizes_that_say_nothing),
        cmocka_unit_test(one_of_two),
        cmocka_unit_test(the_first_of_two_alike),
        cmocka_unit_test(values_of_one_place),
        cmocka_unit_test(the_same_at_all_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
