#include "results/headers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void port_set(struct port_point *port, double out, double in)
{
    port->gap[PORT_OUT] = out;
    port->gap[PORT_IN] = in;
}

/* Two classes, 10 and 5 Mbit/s: bursts over few connections have shared frames. */
static void result_make(struct result *result)
{
    result_init(result);
    result->frame = 1448;
    const int class_of[] = {0, 0, 1, 1};
    result->nodes = 4;
    result_classes(result, 2, class_of);
    port_set(result_port(result, 0), 45e-6, 95e-6);
    port_set(result_port(result, 64), 83e-6, 85e-6);
    port_set(result_port(result, 1400), 1190.4e-6, 1190.4e-6);
    port_set(result_port(result, 1448), 1281.6e-6, 1281.6e-6);
    port_set(result_port(result, 16384), 13758.4e-6, NAN);
    port_set(result_class_port(result, 1, 0), 70e-6, NAN);
    port_set(result_class_port(result, 1, 8192), 13776e-6, 13776e-6);
}

static void short_messages_pay_their_headers(void **state)
{
    (void)state;
    struct result result;
    result_make(&result);
    assert_null(result_note_find(&result, NOTE_HEADERS, NULL));
    headers_count(&result);
    assert_string_equal(result_note_find(&result, NOTE_HEADERS, NULL),
                        "messages of less than a frame keep what they pass busy for no less than theirs, of 88 bytes, which bursts share");
    const struct port_point *none = result_port(&result, 0), *some = result_port(&result, 64);
    assert_true(fabs(none->gap[PORT_OUT] - 70.4e-6) < 1e-9);
    assert_true(none->gap[PORT_IN] == 95e-6); /* processors made it longer than the wire does */
    assert_true(fabs(some->gap[PORT_OUT] - 121.6e-6) < 1e-9 && fabs(some->gap[PORT_IN] - 121.6e-6) < 0.3e-6);
    assert_true(fabs(result_class_port(&result, 1, 0)->gap[PORT_OUT] - 140.8e-6) < 1e-9);
    assert_true(isnan(result_class_port(&result, 1, 0)->gap[PORT_IN]));
    assert_true(result_class_port(&result, 1, 8192)->gap[PORT_OUT] == 13776e-6);
    result_free(&result);
}

/* A trunk of 15 Mbit/s, as streams of 1 KiB and of 8 KiB tell it. */
static void trunks_pass_headers_too(void **state)
{
    (void)state;
    const int group_of[] = {0, 0, 1, 1};
    struct result result;
    result_make(&result);
    result_groups(&result, 2, group_of);
    port_set(result_trunk(&result, 1, 0), 0.4e-6, 13e-6);
    port_set(result_trunk(&result, 1, 1024), 564e-6, 640e-6);
    port_set(result_trunk(&result, 1, 8192), 4592e-6, 4592e-6);
    headers_count(&result);
    assert_true(fabs(result_trunk(&result, 1, 0)->gap[PORT_OUT] - 46.93e-6) < 0.01e-6);
    assert_true(fabs(result_trunk(&result, 1, 0)->gap[PORT_IN] - 46.93e-6) < 0.01e-6);
    assert_true(fabs(result_trunk(&result, 1, 1024)->gap[PORT_OUT] - 593.07e-6) < 0.01e-6);
    assert_true(result_trunk(&result, 1, 1024)->gap[PORT_IN] == 640e-6);
    assert_int_equal(result.trunks[0].n, 0);
    result_free(&result);
}

/* A loopback of 40 Mbit/s, as streams of 1 KiB, which share frames, and of 8 KiB tell it. */
static void a_bus_passes_headers_too(void **state)
{
    (void)state;
    struct result result;
    result_make(&result);
    port_set(result_bus(&result, 0), 0.1e-6, NAN);
    port_set(result_bus(&result, 1024), 218.5e-6, NAN);
    port_set(result_bus(&result, 8192), 1722e-6, NAN);
    headers_count(&result);
    assert_true(fabs(result_bus(&result, 0)->gap[PORT_OUT] - 17.6e-6) < 0.01e-6);
    assert_true(fabs(result_bus(&result, 1024)->gap[PORT_OUT] - 222.4e-6) < 0.01e-6);
    assert_true(result_bus(&result, 8192)->gap[PORT_OUT] == 1722e-6);
    result_free(&result);
}

/* The bench counts headers after each size that it measures. Here in and out differ, so their mean is more than one of
 * them. */
static void counting_twice_changes_nothing(void **state)
{
    (void)state;
    struct result result;
    double once[2];
    result_make(&result);
    port_set(result_port(&result, 1400), 1190.4e-6, 1186e-6);
    port_set(result_port(&result, 16384), 13758.4e-6, 13758.4e-6);
    for (int time = 0; time < 2; time++) {
        headers_count(&result);
        once[time] = result_port(&result, 64)->gap[PORT_OUT];
    }
    assert_true(once[0] > 121e-6 && once[0] == once[1]);
    assert_true(result_port(&result, 1400)->gap[PORT_IN] == 1186e-6);
    result_free(&result);
}

static void without_a_frame_nothing_is_known(void **state)
{
    (void)state;
    struct result result;
    result_make(&result);
    result.frame = 0;
    headers_count(&result);
    assert_true(result_port(&result, 64)->gap[PORT_OUT] == 83e-6);
    assert_null(result_note_find(&result, NOTE_HEADERS, NULL));
    result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_messages_pay_their_headers),
                                       cmocka_unit_test(trunks_pass_headers_too),
                                       cmocka_unit_test(a_bus_passes_headers_too),
                                       cmocka_unit_test(counting_twice_changes_nothing),
                                       cmocka_unit_test(without_a_frame_nothing_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
