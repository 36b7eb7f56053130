#include "record/fit/block.h"
#include "record/fit/block_place.h"
#include "record/proof.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SAMPLES = 14 * 8 };

static const char *const loops[] = {"i"};
static const int counts[] = {2, 4, 8};
static const struct fit_names names = {.procnum = "p", .numprocs = "P", .any = "ANY", .source = "sender", .n_loops = 1,
                                       .loop = loops, .number = true, .counts = counts};

/* -1: no process comes here. Of all processes of 2, 4 and 8, in up to `trips` trips. */
typedef int64_t value_function(int p, int P, int i);

static size_t samples_of(value_function *value, int trips, struct fit_sample samples[])
{
    size_t n = 0;
    for (int r = 0; r < 3; r++)
        for (int p = 0; p < counts[r]; p++)
            for (int i = 0; i < trips; i++)
                if (value(p, counts[r], i) >= 0)
                    samples[n++] = (struct fit_sample){.procnum = p, .numprocs = counts[r], .recording = r, .index = {i},
                                                       .value = value(p, counts[r], i)};
    return n;
}

static void expect(value_function *value, int trips, const char *formula)
{
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    const char *found = fit_value(samples_of(value, trips, samples), samples, &names, &other, &memory);
    assert_non_null(found);
    assert_string_equal(found, formula);
    assert_null(other.unconfirmed);
    arena_free(&memory);
}

static int64_t first_more(int p, int P, int i) { return 8 * (1003 / P + (p < 1003 % P)) + 0 * i; }
static int64_t with_border(int p, int P, int i) { return 264 * (1003 / P + (p < 1003 % P) + 2) + 0 * i; }
static int64_t without_ends(int p, int P, int i) { return 1003 / P + (p < 1003 % P) - 1 + 0 * i; }
static int64_t header(int p, int P, int i) { return 8 * (1003 / P + (p < 1003 % P)) + 4 + 0 * i; }
static int64_t bounds(int p, int P, int i) { return 4 * ((p + 1) * 1003 / P - p * 1003 / P) + 0 * i; }
static int64_t rest(int p, int P, int i) { return 8 * (1003 / P + (p == P - 1 ? 1003 % P : 0)) + 0 * i; }
static int64_t up(int p, int P, int i)
{
    const int u = (1003 + P - 1) / P, left = 1003 - p * u;
    return 4 * (left < u ? left : u) + 0 * i;
}
static int64_t last_more(int p, int P, int i) { return 8 * (1003 / P + (p >= P - 1003 % P)) + 0 * i; }
static int64_t first_rest(int p, int P, int i) { return 8 * (1003 / P + (p == 0 ? 1003 % P : 0)) + 0 * i; }
static int64_t padded(int p, int P, int i) { return 8 * ((1003 + P - 1) / P) + 0 * (p + i); }
static int64_t cut(int p, int P, int i) { return 8 * (1003 / P) + 0 * (p + i); }

static void blocks_are_found(void **state)
{
    (void)state;
    expect(first_more, 1, "8*(1003/P + (p < 1003%P))");
    expect(with_border, 1, "264*(1003/P + (p < 1003%P))+528");
    expect(without_ends, 1, "(1003/P + (p < 1003%P))-1");
    expect(header, 1, "8*(1003/P + (p < 1003%P))+4");
    expect(bounds, 1, "4*((p+1)*1003/P - p*1003/P)");
    expect(rest, 1, "8*(1003/P + (p == P-1)*(1003%P))");
    expect(up, 1, "4*max(0, min((1003+P-1)/P, 1003 - p*((1003+P-1)/P)))");
    expect(last_more, 1, "8*((1003+p)/P)");
    expect(first_rest, 1, "8*(1003/P + (p == 0)*(1003%P))");
    expect(padded, 1, "8*((1003+P-1)/P)");
}

static int64_t to_all(int p, int P, int i) { return p > 0 || i >= P - 1 ? -1 : 8 * (1003 / P + (i + 1 < 1003 % P)); }
static int64_t worker(int p, int P, int i) { return p == 0 ? -1 : 120 * (62 / (P - 1) + (p - 1 < 62 % (P - 1))) + 0 * i; }
static int64_t to_workers(int p, int P, int i) { return p > 0 || i >= P - 1 ? -1 : 120 * (62 / (P - 1) + (i < 62 % (P - 1))); }
static int64_t none_of_root(int p, int P, int i) { return p == 0 ? 0 : 1003 / P + (p < 1003 % P) + 0 * i; }
static int64_t around(int p, int P, int i)
{
    const int q = (p - i + P) % P;
    return i >= P - 1 ? -1 : 8 * ((q + 1) * 1003 / P - q * 1003 / P);
}

static int64_t collected(int p, int P, int i) { return p > 0 ? -1 : 1003 - (1003 / P + (p < 1003 % P)) + 0 * i; }

/* Whose block it is: one's own, that of a worker, that of a trip, what comes round in a ring. */
static void places_are_found(void **state)
{
    (void)state;
    expect(to_all, 8, "8*(1003/P + ((i+1) < 1003%P))");
    expect(worker, 1, "120*(62/(P-1) + ((p-1) < 62%(P-1)))");
    expect(to_workers, 8, "120*(62/(P-1) + (i < 62%(P-1)))");
    expect(none_of_root, 1, "(p == 0 ? 0 : (1003/P + (p < 1003%P)))");
    expect(collected, 1, "(1003-(1003/P + (p < 1003%P)))");
    expect(around, 8, "8*((((p+P-i)%P)+1)*1003/P - ((p+P-i)%P)*1003/P)");
}

static int64_t along_axis(int p, int P, int i)
{
    struct grid_place place;
    grid_place(&place, GRID_2, true, p, P);
    return 8 * (203 / place.extent[0] + (place.at[0] < 203 % place.extent[0])) + 16 + 0 * i;
}

static void blocks_lie_along_axes(void **state)
{
    (void)state;
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    struct fit_names of = names;
    of.last_first = true;
    const char *found = fit_value(samples_of(along_axis, 1, samples), samples, &of, &other, &memory);
    assert_non_null(found);
    assert_string_equal(found, "8*(203/dims_create(P, 2, 0) + ((p/(dims_create(P, 2, 1))%dims_create(P, 2, 0)) < "
                               "203%dims_create(P, 2, 0)))+16");
    assert_int_equal(other.grids, GRID_BIT(GRID_2));
    assert_null(other.unconfirmed);
    arena_free(&memory);
}

/* Of recordings of several sizes: rows of n that are n long, and with borders. */
static void parameters_are_shared_out(void **state)
{
    (void)state;
    static const int64_t size[] = {103, 103, 103, 150}, *const sizes[] = {size};
    static const int with[] = {2, 4, 8, 4};
    static const char *const params[] = {"N"};
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    struct fit_names of = names;
    of.n_params = 1;
    of.param = params;
    of.values = sizes;
    for (int border = 0; border <= 2; border += 2) {
        size_t n = 0;
        for (int r = 0; r < 4; r++)
            for (int p = 0; p < with[r]; p++)
                samples[n++] = (struct fit_sample){
                    .procnum = p, .numprocs = with[r], .recording = r,
                    .value = (size[r] + border) * 8 * (size[r] / with[r] + (p < size[r] % with[r]) + border)};
        assert_string_equal(fit_value(n, samples, &of, &other, &memory),
                            border ? "(N+2)*(8*(N/P + (p < N%P))+16)" : "N*8*(N/P + (p < N%P))");
    }
    arena_free(&memory);
}

/* A number beside a parameter that every extent divides is no number of things: at more processes it would be shared out to nothing. */
static void no_number_is_shared_out_without_a_remainder(void **state)
{
    (void)state;
    static const int64_t size[] = {103, 103, 103, 150}, *const sizes[] = {size};
    static const int with[] = {2, 4, 8, 4};
    static const char *const params[] = {"N"};
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct fit_names of = names;
    of.n_params = 1;
    of.param = params;
    of.values = sizes;
    for (int rows = 84; rows <= 85; rows++) {
        size_t n = 0;
        for (int r = 0; r < 4; r++)
            for (int p = 0; p < with[r]; p++)
                samples[n++] = (struct fit_sample){.procnum = p, .numprocs = with[r], .recording = r,
                                                   .value = size[r] * (rows / (with[r] - 1))};
        const char *found = fit_value(n, samples, &of, NULL, &memory);
        if (rows == 84)
            assert_true(!found || !strstr(found, "/(P-1)"));
        else
            assert_string_equal(found, "N*(85/(P-1))");
    }
    arena_free(&memory);
}

/* What gives all at the recorded counts, and something else at others. */
static void other_blocks_are_told(void **state)
{
    (void)state;
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    size_t n = samples_of(first_more, 1, samples);
    assert_non_null(fit_value(n, samples, &names, &other, &memory));
    assert_null(other.text);
    for (size_t i = 0; i < n; i++) /* 777%2, %4 and %8 are 1: the last has that */
        samples[i].value = 8 * (777 / samples[i].numprocs + (samples[i].procnum == samples[i].numprocs - 1));
    assert_string_equal(fit_value(n, samples, &names, &other, &memory), "8*((p+1)*777/P - p*777/P)");
    assert_string_equal(other.text, "8*(777/P + (p == P-1)*(777%P))");
    assert_int_equal(other.beyond, 16);
    assert_int_equal(other.cheaper, 6);
    n = samples_of(cut, 1, samples);
    assert_string_equal(fit_value(n, samples, &names, &other, &memory), "8*(1002/P)");
    assert_null(other.text); /* 1003 gives the same at 16 and 32 as well */
    arena_free(&memory);
}

/* Of two processes, 32 or 36 may be anything; one extent does not tell a block from either of two. */
static void few_values_are_no_blocks(void **state)
{
    (void)state;
    const struct fit_sample few[] = {{.procnum = 0, .numprocs = 4, .value = 136}, {.procnum = 1, .numprocs = 4, .value = 136},
                                     {.procnum = 0, .numprocs = 8, .recording = 1, .value = 64},
                                     {.procnum = 1, .numprocs = 8, .recording = 1, .value = 72},
                                     {.procnum = 2, .numprocs = 8, .recording = 1, .value = 64},
                                     {.procnum = 5, .numprocs = 8, .recording = 1, .value = 72}};
    struct arena memory = ARENA_EMPTY;
    const char *found = fit_value(6, few, &names, NULL, &memory);
    assert_true(!found || !strstr(found, "/P - "));
    struct fit_sample one[8];
    for (int p = 0; p < 8; p++)
        one[p] = (struct fit_sample){.procnum = p, .numprocs = 8, .value = p < 3 ? 126 : 125};
    found = fit_value(8, one, &names, NULL, &memory);
    assert_string_equal(found, "(p < 3 ? 126 : 125)");
    arena_free(&memory);
}

static int64_t last_alone(int p, int P, int i) { return p == P - 1 ? bounds(p, P, i) : -1; }

/* Nor do one process of each count, and three roundings, tell who has more. */
static void one_process_tells_no_places(void **state)
{
    (void)state;
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    const char *found = fit_value(samples_of(last_alone, 1, samples), samples, &names, NULL, &memory);
    assert_true(!found || !strstr(found, "1003"));
    arena_free(&memory);
}

/* Numbers as large as recordings may have them: what would not fit while it is computed is no block. */
static void large_numbers_are_no_blocks(void **state)
{
    (void)state;
    static const int64_t all = INT64_C(1000000000000000000), size[] = {all, all - 7, all, 8}, *const sizes[] = {size};
    static const int with[] = {2, 4, 8, 4};
    static const char *const params[] = {"N"};
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    struct fit_names of = names;
    of.n_params = 1;
    of.param = params;
    of.values = sizes;
    size_t n = 0;
    for (int r = 0; r < 4; r++)
        for (int p = 0; p < with[r]; p++)
            samples[n++] = (struct fit_sample){.procnum = p, .numprocs = with[r], .recording = r,
                                               .value = p == 1 ? size[r] : size[r] / with[r] + p * p};
    const char *found = fit_value(n, samples, &of, &other, &memory);
    assert_true(!found || !strstr(found, "N%P"));
    arena_free(&memory);
}

/* Each block has, as text, the value that the search counts with, wherever it was computed. */
static void texts_say_what_blocks_are(void **state)
{
    (void)state;
    struct fit_sample samples[SAMPLES];
    struct arena memory = ARENA_EMPTY;
    struct search search;
    size_t n = samples_of(around, 7, samples);
    search_begin(&search, n, samples, &names, &memory);
    search_make_parts(&search);
    search_make_places(&search);
    int64_t *value = alloc_array(search.m, sizeof *value);
    struct fit_sample *all = alloc_array(search.m, sizeof *all);
    for (size_t place = 0; place < search.n_places; place++)
        for (int way = 0; way < 2 * BLOCK_KINDS; way++) {
            const struct block block = {.kind = (enum block_kind)(way / 2), .others = way % 2 == 1, .place = place,
                                        .scale = search.quantities, .a = -3, .b = 8};
            size_t kept = 0;
            block_values(&search, &block, 107, value);
            for (size_t i = 0; i < search.m; i++) {
                all[kept] = search.beyond[i];
                all[kept].value = value[i];
                kept += search.places[place].E[i] > 0;
            }
            if (!proof_holds(block_text(&search, &block, 107), false, kept, all, &names))
                fail_msg("the values of %s are not those of its text", block_text(&search, &block, 107));
        }
    free(value);
    free(all);
    search_end(&search);
    arena_free(&memory);
}

/* All n are shared out, none twice; down and up say only what all have. */
static void blocks_share_out_all(void **state)
{
    (void)state;
    for (int kind = 0; kind < BLOCK_DOWN; kind++)
        for (int64_t E = 1; E <= 9; E++)
            for (int64_t n = E; n <= 40; n++) {
                int64_t sum = 0;
                for (int64_t q = 0; q < E; q++)
                    sum += block_size((enum block_kind)kind, q, E, n);
                assert_int_equal(sum, n);
            }
    assert_int_equal(block_size(BLOCK_DOWN, 3, 8, 23), 2);
    assert_int_equal(block_size(BLOCK_UP, 3, 8, 17), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_found),         cmocka_unit_test(places_are_found),
        cmocka_unit_test(blocks_lie_along_axes),    cmocka_unit_test(parameters_are_shared_out),
        cmocka_unit_test(no_number_is_shared_out_without_a_remainder),
        cmocka_unit_test(other_blocks_are_told),    cmocka_unit_test(few_values_are_no_blocks),
        cmocka_unit_test(one_process_tells_no_places), cmocka_unit_test(large_numbers_are_no_blocks),
        cmocka_unit_test(texts_say_what_blocks_are), cmocka_unit_test(blocks_share_out_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
