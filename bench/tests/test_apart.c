/* Which sizes of ports are measured a second time, and what the provenance says of those that stand apart still. */
#include "bench/apart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int64_t sizes[] = {0, 1024, 1400, 1448, 4096, 16384, 65480};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static void note(struct result *result, size_t class, enum port_gap side, int64_t bytes, double gap, const char *more)
{
    char heading[RESULT_HEADING_BYTES], key[32];
    snprintf(key, sizeof key, "%lld bytes", (long long)bytes);
    result_heading(result, apart_heading(class, side, heading));
    result_note(result, 1, key, "gap %.1f us, credit 0.0 us, alone 100.0 us, misfit %.1f us%s", gap * 1e6, gap * 1e3, more);
}

/* Two classes, whose in ports are off at 16 KiB by a factor. */
static void result_make(struct result *result, double factor, double factor_of_next)
{
    result_init(result);
    result->nodes = 4;
    result->ppn = 1;
    result->frame = 1448;
    result_classes(result, 2, (const int[]){0, 0, 1, 1});
    for (size_t class = 0; class < 2; class++)
        for (int i = 0; i < N_SIZES; i++) {
            const double wire = (double)sizes[i] + 88 + 66 * floor((double)sizes[i] / 1448), gap = 0.8e-6 * (double)(1 + class) * wire;
            struct port_point *port = class == 0 ? result_port(result, sizes[i]) : result_class_port(result, class, sizes[i]);
            port->gap[PORT_OUT] = gap;
            port->gap[PORT_IN] = gap * (sizes[i] != 16384 ? 1 : class == 0 ? factor : factor_of_next);
            note(result, class, PORT_OUT, sizes[i], gap, "");
            note(result, class, PORT_IN, sizes[i], port->gap[PORT_IN], "");
        }
}

static void what_fits_is_not_asked_again(void **state)
{
    (void)state;
    struct result result;
    result_make(&result, 1, 1.005);
    for (size_t class = 0; class < 3; class++)
        for (int i = 0; i < N_SIZES; i++)
            assert_false(apart_asks(&result, class, sizes[i]));
    assert_int_equal(apart_note(&result), 0);
    assert_null(result_note_find(&result, NOTE_APART, NULL));
    result_free(&result);
}

static void what_stands_apart_is_asked_once(void **state)
{
    (void)state;
    struct result result;
    result_make(&result, 1.02, 0.97);
    for (size_t class = 0; class < 2; class++) {
        assert_false(apart_asks(&result, class, 4096 - 1));
        assert_false(apart_asks(&result, class, 1448));
        assert_true(apart_asks(&result, class, 16384));
    }
    assert_true(apart_note(&result) >= 2);
    assert_string_equal(result_note_find(&result, NOTE_APART, "fan_in, 16384 bytes"),
                        "2.0 % more than its neighbours say, which may be off by 1.2 %");
    assert_string_equal(result_note_find(&result, NOTE_APART, "fan_in, class 1, 16384 bytes"),
                        "3.0 % less than its neighbours say, which may be off by 1.2 %");
    note(&result, 0, PORT_OUT, 16384, result_port(&result, 16384)->gap[PORT_OUT], APART_TWICE);
    note(&result, 0, PORT_IN, 16384, result_port(&result, 16384)->gap[PORT_IN], APART_TWICE);
    assert_false(apart_asks(&result, 0, 16384));
    apart_note(&result);
    assert_string_equal(result_note_find(&result, NOTE_APART, "fan_in, 16384 bytes"),
                        "2.0 % more than its neighbours say, which may be off by 1.2 %; measured twice");
    result_port(&result, 16384)->gap[PORT_IN] /= 1.02; /* the second time it fits */
    apart_note(&result);
    assert_null(result_note_find(&result, NOTE_APART, "fan_in, 16384 bytes"));
    result_free(&result);
}

/* What counted nothing the second time is not asked a third time, and the first one holds. */
static void what_counts_nothing_is_not_asked_for_ever(void **state)
{
    (void)state;
    struct result result;
    result_make(&result, 1.02, 0.97);
    assert_true(apart_asks(&result, 1, 16384));
    for (int turn = 0; turn < 2; turn++)
        apart_twice(&result, 1, PORT_IN, 16384);
    assert_false(apart_asks(&result, 1, 16384));
    assert_true(apart_asks(&result, 0, 16384));
    assert_string_equal(result_note_find(&result, "fan_in, class 1", "16384 bytes"),
                        "gap 26691.3 us, credit 0.0 us, alone 100.0 us, misfit 26.7 us; measured twice");
    apart_twice(&result, 1, PORT_IN, 8192);
    assert_null(result_note_find(&result, "fan_in, class 1", "8192 bytes"));
    result_free(&result);
}

/* Those that were raised by what long messages said are again what their bursts were; longer ones, and what was lost, stay. */
static void short_gaps_are_as_measured(void **state)
{
    (void)state;
    struct result result;
    result_make(&result, 1, 1);
    result_port(&result, 0)->gap[PORT_IN] = 60e-6;
    result_class_port(&result, 1, 1024)->gap[PORT_OUT] *= 1.5;
    result_port(&result, 1400)->gap[PORT_OUT] = NAN;
    result_port(&result, 4096)->gap[PORT_OUT] *= 1.5;
    apart_short_gaps(&result);
    assert_true(fabs(result_port(&result, 0)->gap[PORT_IN] - 0.8e-6 * 88) < 0.1e-6);
    assert_true(fabs(result_class_port(&result, 1, 1024)->gap[PORT_OUT] - 1.6e-6 * (1024 + 88)) < 0.1e-6);
    assert_true(isnan(result_port(&result, 1400)->gap[PORT_OUT]));
    assert_true(fabs(result_port(&result, 4096)->gap[PORT_OUT] - 1.5 * 0.8e-6 * (4096 + 88 + 132)) < 0.1e-6);
    result_free(&result);
}

/* A port of 100 Gbit/s passes the shortest messages in less than a microsecond. */
static void notes_are_as_precise_as_ports_are_quick(void **state)
{
    (void)state;
    const struct ports_gap gap = {.gap = 0.4437e-6, .credit = 0.0312e-6, .transit = 12.3456e-6, .misfit = 0.0491e-6, .bytes = 1024};
    struct ports_gap read;
    struct result result;
    result_make(&result, 1, 1);
    apart_gap_note(&result, 1, PORT_IN, &gap, true);
    assert_true(apart_gap_read(result_note_find(&result, "fan_in, class 1", "1024 bytes"), &read));
    assert_true(fabs(read.gap - gap.gap) < 0.1e-9 && fabs(read.credit - gap.credit) < 0.1e-9);
    assert_true(fabs(read.transit - gap.transit) < 0.1e-9 && fabs(read.misfit - gap.misfit) < 0.1e-9);
    result_class_port(&result, 1, 1024)->gap[PORT_IN] = 0.5e-6;
    apart_short_gaps(&result);
    assert_true(fabs(result_class_port(&result, 1, 1024)->gap[PORT_IN] - gap.gap) < 0.1e-9);
    assert_true(apart_gap_read("gap 0.4 us, credit 0.0 us, alone 12.3 us, misfit 0.1 us", &read)); /* of an older bench */
    assert_false(apart_gap_read("too few bursts that began together", &read));
    result_free(&result);
}

/* What lost packets, or what nothing says of how far off it was, tells nothing. */
static void what_is_not_known_tells_nothing(void **state)
{
    (void)state;
    struct result result;
    result_make(&result, 1.02, 1);
    result_port(&result, 16384)->gap[PORT_IN] = NAN;
    assert_int_equal(apart_note(&result), 0);
    result_free(&result);
    result_make(&result, 1.02, 1);
    result_notes_drop(&result, "fan_in");
    assert_int_equal(apart_note(&result), 0);
    result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_fits_is_not_asked_again), cmocka_unit_test(what_stands_apart_is_asked_once),
                                       cmocka_unit_test(what_counts_nothing_is_not_asked_for_ever),
                                       cmocka_unit_test(short_gaps_are_as_measured),
                                       cmocka_unit_test(notes_are_as_precise_as_ports_are_quick),
                                       cmocka_unit_test(what_is_not_known_tells_nothing)};
    return cmocka_run_group_tests_name("apart", tests, NULL, NULL);
}
