#include "estimate/machine/connect_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ADD(samples, ...) \
    samples_append(samples, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static struct connect_samples some(void)
{
    struct connect_samples s = CONNECT_SAMPLES_EMPTY;
    ADD(&s.messages, 480000, 8300000, 470000);
    ADD(&s.trips, 220000, 230000, 900000);
    ADD(&s.calls, 340000, 330000, 360000);
    ADD(&s.late, 375000, 9000000, 360000);
    ADD(&s.listens, 480000, 5000000, 8480000, 3000000);
    s.at_once = 9000000;
    s.made_at_once = 45;
    s.each = 9;
    return s;
}

static void medians_and_what_is_shared(void **state)
{
    (void)state;
    struct connect_samples s = some();
    struct machine_connect c;
    assert_true(connect_fit(&s, &c));
    assert_float_equal(c.message, 480e-6, 1e-12);
    assert_float_equal(c.call, 340e-6, 1e-12);
    assert_float_equal(c.late, 260e-6, 1e-12);
    assert_float_equal(c.shared, 200e-6, 1e-12);
    assert_float_equal(c.listen, 10e-3, 1e-12); /* 5 / 4 of 8 ms */
    connect_samples_free(&s);
}

/* Nine connections of a process take it 9 * 0.34 + 0.26 = 3.32 ms. */
static void nothing_is_shared_where_each_takes_as_long_alone(void **state)
{
    (void)state;
    struct connect_samples s = some();
    struct machine_connect c;
    s.at_once = 4000000;
    assert_true(connect_fit(&s, &c));
    assert_true(c.shared == 0);
    s.at_once = 4200000;
    assert_true(connect_fit(&s, &c));
    assert_float_equal(c.shared, 4.2e-3 / 45, 1e-12);
    connect_samples_free(&s);
}

static void who_looks_always(void **state)
{
    (void)state;
    struct connect_samples s = some();
    struct machine_connect c;
    samples_reset(&s.listens);
    ADD(&s.listens, 480000, 500000, 8480000);
    assert_true(connect_fit(&s, &c));
    assert_true(c.listen == 0);
    ADD(&s.listens, 7000000, 480000, 480000, 480000, 480000);
    assert_true(connect_fit(&s, &c));
    assert_float_equal(c.listen, 9e-3, 1e-12); /* 2 of 8 */
    ADD(&s.listens, 480000);
    assert_true(connect_fit(&s, &c));
    assert_true(c.listen == 0);
    connect_samples_free(&s);
}

static void no_connection_is_made(void **state)
{
    (void)state;
    struct connect_samples s = some();
    struct machine_connect c;
    samples_reset(&s.messages);
    assert_false(connect_fit(&s, &c));
    ADD(&s.messages, 57000, -2000, 58000); /* a quarter of a round trip of 230 us */
    assert_false(connect_fit(&s, &c));
    ADD(&s.messages, 58000, 58000);
    assert_true(connect_fit(&s, &c));
    connect_samples_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_what_is_shared),
        cmocka_unit_test(nothing_is_shared_where_each_takes_as_long_alone),
        cmocka_unit_test(who_looks_always),
        cmocka_unit_test(no_connection_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
