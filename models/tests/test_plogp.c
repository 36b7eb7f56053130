#include "models/tests/model_fixture.h"

static const struct cost_options options = {.model = "plogp", .ppn = 1};

#define ALIKE "  plogp: {L: 20 us, o_s: [[0, 1 us], [100, 3 us]], o_r: [[0, 2 us]], g: [[10, 5 us], [110, 25 us]]}\n"
#define CURVE(g) "[[0, " g " us], [100, 30 us]]"
#define ROWS(a, b, c) "[[~, " a ", " b "], [" a ", ~, " c "], [" b ", " c ", ~]]\n"
#define HETERO                                                                    \
    "  plogp_hetero:\n    L: [[~, 1 us, 2 us], [3 us, ~, 4 us], [5 us, 6 us, ~]]\n" \
    "    o_s: " ROWS(CURVE("1"), CURVE("2"), CURVE("3"))                          \
    "    o_r: " ROWS(CURVE("4"), CURVE("5"), CURVE("6")) "    g: " ROWS(CURVE("7"), CURVE("8"), CURVE("9"))

/* Between points linear, below the first the first, beyond the last its slope: g(160) = 25 + 50 0.2. */
static void plogp_by_hand(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD ALIKE, options), STATUS_OK);
    assert_string_equal(f.model->name, "plogp");
    assert_costs(&f, 0, 1, 60, (double[]){2.2, 15, 35, 15, 2});
    assert_costs(&f, 0, 1, 0, (double[]){1, 5, 25, 5, 2});
    assert_costs(&f, 2, 1, 160, (double[]){4.2, 35, 55, 35, 2});
    assert_costs(&f, 1, 1, 60, (double[]){2.2, 0, 35, 0, 2}); /* within a node: no port */
    assert_pair_costs(&f, pair_with_itself(f.model, 0), 60, (double[]){2.2, 0, 4.2, 0, 2});
    fixture_close(&f);
}

static void pairs_have_their_own(void **state)
{
    (void)state;
    struct fixture f;
    struct cost_options two = options;
    two.ppn = 2;
    assert_int_equal(fixture_open(&f, HEAD ALIKE HETERO, two), STATUS_OK);
    assert_costs(&f, 1, 2, 50, (double[]){16.5, 19.5, 23.5, 19.5, 18});
    assert_costs(&f, 2, 0, 0, (double[]){2, 8, 13, 8, 5});
    assert_says(&f.diags,
                "m.yaml: note: messages within a node cost nothing: the diagonals of `models: plogp` are 0\n");
    fixture_close(&f);
}

static void a_missing_section_is_named(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  hockney: {alpha: 1, beta: 1}\n", options), STATUS_SCHEMA);
    assert_says(&f.diags, "m.yaml: error: no `models: plogp`, which --model plogp needs: run pevpm-estimate or add it\n");
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plogp_by_hand),
        cmocka_unit_test(pairs_have_their_own),
        cmocka_unit_test(a_missing_section_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
