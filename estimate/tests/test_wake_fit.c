#include "estimate/machine/wake_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double PROCESSES[] = {2, 4, 8, 16};

static void one_after_another(void **state)
{
    (void)state;
    assert_float_equal(wake_fit(4, PROCESSES, (double[]){290e-6, 380e-6, 560e-6, 920e-6}), 45e-6, 1e-12);
    assert_float_equal(wake_fit(2, PROCESSES, (double[]){100e-6, 160e-6}), 30e-6, 1e-12);
    /* measured: 16 virtual hosts on two processors */
    assert_float_equal(wake_fit(4, PROCESSES, (double[]){311.3e-6, 354.9e-6, 553.1e-6, 975.4e-6}), 48.81e-6, 0.01e-6);
}

/* Of more processes the slowest is later: by less than half as much again that says nothing. */
static void nothing_shared(void **state)
{
    (void)state;
    assert_float_equal(wake_fit(4, PROCESSES, (double[]){120e-6, 130e-6, 140e-6, 170e-6}), 0, 0);
    assert_float_equal(wake_fit(3, PROCESSES, (double[]){120e-6, 100e-6, 90e-6}), 0, 0);
}

/* Measured: 16 virtual hosts on two processors whose processes poll, after 1 and 10 ms; and where nothing is known of the longer. */
static void the_longer_rest_takes_longer(void **state)
{
    (void)state;
    double polling[] = {3974.6e-6, 398.9e-6}, sleeping[] = {43.2e-6, 51.5e-6}, half[] = {59.3e-6, 0};
    wake_order(2, polling);
    assert_true(polling[0] == 398.9e-6 && polling[1] == 398.9e-6);
    wake_order(2, sleeping);
    assert_true(sleeping[0] == 43.2e-6 && sleeping[1] == 51.5e-6);
    wake_order(2, half);
    assert_true(half[0] == 59.3e-6 && half[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_after_another), cmocka_unit_test(nothing_shared),
                                       cmocka_unit_test(the_longer_rest_takes_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
