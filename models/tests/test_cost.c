#include "models/tests/model_fixture.h"

static void assert_refused(const char *model, enum status expected, const char *message)
{
    struct fixture f;
    assert_int_equal(
        fixture_open(&f, HEAD "  hockney: {alpha: 1, beta: 1}\n", (struct cost_options){.model = model, .ppn = 1}),
        expected);
    assert_null(f.model);
    assert_says(&f.diags, message);
    fixture_close(&f);
}

static void unknown_models_are_refused(void **state)
{
    (void)state;
    assert_refused("hokney", STATUS_USAGE, "pevpm: error: no model `hokney`, did you mean `hockney`?\n");
    assert_refused("abacus", STATUS_USAGE,
                   "pevpm: error: no model `abacus`; the models there are measured, hockney, logp, loggp, plogp, "
                   "lmo\n");
    assert_refused("", STATUS_USAGE,
                   "pevpm: error: no model ``; the models there are measured, hockney, logp, loggp, plogp, lmo\n");
}

static void names_are_those_of_the_command_line(void **state)
{
    (void)state;
    enum contention contention = CONTENTION_ports;
    assert_true(contention_parse("scoreboard", &contention) && contention == CONTENTION_scoreboard);
    assert_true(contention_parse("none", &contention) && contention == CONTENTION_none);
    assert_false(contention_parse("port", &contention));
    assert_string_equal(contention_name(CONTENTION_ports), "ports");
}

static void closing_nothing_is_legal(void **state)
{
    (void)state;
    cost_model_close(NULL);
    machine_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_models_are_refused),
        cmocka_unit_test(names_are_those_of_the_command_line),
        cmocka_unit_test(closing_nothing_is_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
