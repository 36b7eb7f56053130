/* How busy a machine is with others' work: from texts of /proc/stat as Linux writes them. */
#include "measure/others.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double x, double expected, double within)
{
    if (!(fabs(x - expected) <= within))
        fail_msg("%.9g, expected %.9g", x, expected);
}

/* user nice system idle iowait irq softirq steal guest guest_nice, in 1/100 s. */
static const char two_processors[] = "cpu  1000 200 300 5000 400 50 60 70 80 90\n"
                                     "cpu0 500 100 150 2500 200 25 30 35 40 45\n"
                                     "cpu1 500 100 150 2500 200 25 30 35 40 45\n"
                                     "intr 57891613 0 0 0\n"
                                     "ctxt 209699729\n"
                                     "cpufreq 1\n"
                                     "btime 1795855220\n";

static void what_linux_counts(void **state)
{
    (void)state;
    struct others_look look = {.boot = "a", .own = 2.385};
    assert_true(others_parse(&look, two_processors, 100));
    assert_int_equal(look.processors, 2);
    assert_near(look.passed, 70.80, 1e-9); /* guests are in user and nice */
    assert_near(look.worked, 15.00, 1e-9); /* interrupts are not */
    assert_near(look.stolen, 0.70, 1e-9);
    assert_near(look.own, 2.385, 0);
    assert_string_equal(look.boot, "a");
    assert_true(others_parse(&look, two_processors, 250));
    assert_near(look.worked, 6.00, 1e-9);
}

static void an_old_kernel_counts_less(void **state)
{
    (void)state;
    struct others_look look;
    assert_true(others_parse(&look, "cpu  10 0 20 70\ncpu0 10 0 20 70\n", 100));
    assert_int_equal(look.processors, 1);
    assert_near(look.passed, 1.00, 1e-9);
    assert_near(look.worked, 0.30, 1e-9);
    assert_near(look.stolen, 0, 0);
}

static void some_systems_do_not_tell(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "intr 57891613\n",
        "cpu  10 0 20\ncpu0 10 0 20\n",
        "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n", /* gVisor */
        "cpu  10 0 20 70\n",
        "some cpu  10 0 20 70\ncpu0 10 0 20 70\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct others_look look = {.processors = 7};
        assert_false(others_parse(&look, texts[i], 100));
        assert_int_equal(look.processors, 0);
    }
    struct others_look look;
    assert_false(others_parse(&look, two_processors, 0));
}

static struct others_look look_of(const char *boot, int processors, double passed, double worked, double stolen)
{
    struct others_look look = {.processors = processors, .passed = passed, .worked = worked, .stolen = stolen};
    snprintf(look.boot, sizeof look.boot, "%s", boot);
    return look;
}

static void hosts_that_are_one_machine(void **state)
{
    (void)state;
    const struct others_look a = look_of("0131ee39", 2, 1000, 400, 3);
    const struct others_look later = look_of("0131ee39", 2, 1001.2, 400.9, 3);
    const struct others_look elsewhere = look_of("77c0de11", 2, 1000, 400, 3);
    const struct others_look container = look_of("0131ee39", 2, 1000, 12, 3); /* with counts of its own */
    const struct others_look smaller = look_of("0131ee39", 1, 1000, 400, 3);
    const struct others_look younger = look_of("0131ee39", 2, 100, 400, 3);
    const struct others_look unknown = look_of("", 2, 1000, 400, 3), mute = look_of("0131ee39", 0, 0, 0, 0);
    assert_true(others_same(&a, &a));
    assert_true(others_same(&a, &later));
    assert_false(others_same(&a, &elsewhere));
    assert_false(others_same(&a, &container));
    assert_false(others_same(&a, &smaller));
    assert_false(others_same(&a, &younger));
    assert_false(others_same(&unknown, &unknown));
    assert_false(others_same(&mute, &mute));
}

static void what_others_had(void **state)
{
    (void)state;
    const struct others_look looks[] = {look_of("a", 2, 1000, 400, 3), look_of("a", 2, 1016, 412, 3.4),
                                        look_of("a", 2, 1032, 428, 3.4)};
    struct others_machine machine = {.host = "h1", .hosts = 1};
    char text[OTHERS_TEXT_BYTES];
    assert_true(isnan(others_share(&machine)));
    assert_string_equal(others_text(&machine, text), "not known");
    others_add(&machine, &looks[0], &looks[1], 9.6); /* of 16 s 12 were worked, 9.6 of them by us; 0.4 were stolen */
    assert_near(others_share(&machine), (2.4 + 0.4) / 16, 1e-12);
    others_add(&machine, &looks[1], &looks[2], 15.9);
    assert_near(others_share(&machine), (2.5 + 0.4) / 32, 1e-12);
    assert_string_equal(others_text(&machine, text), "9.1 % of 2 processors over 16.0 s");
    others_add(&machine, &looks[2], &looks[2], 0); /* within a step of the counts */
    assert_near(others_share(&machine), (2.5 + 0.4) / 32, 1e-12);
}

/* Counts are in steps, and processes are measured otherwise than processors. */
static void no_share_is_negative(void **state)
{
    (void)state;
    const struct others_look before = look_of("a", 2, 1000, 400, 3), after = look_of("a", 2, 1016, 412, 3.16);
    struct others_machine machine = {.hosts = 1};
    others_add(&machine, &before, &after, 12.2);
    assert_near(others_share(&machine), 0.16 / 16, 1e-12); /* what was stolen was not ours */
}

static void what_is_not_known_is_not_said(void **state)
{
    (void)state;
    const struct others_look known = look_of("a", 2, 1000, 400, 3), later = look_of("a", 2, 1016, 416, 3);
    const struct others_look soon = look_of("a", 2, 1000.9, 400.9, 3), mute = look_of("a", 0, 0, 0, 0);
    const struct others_look unknown = look_of("", 2, 1000, 400, 3);
    struct others_machine machine = {.hosts = 1}, of_mute = {.hosts = 1}, of_unknown = {.hosts = 1};
    struct diags diags = DIAGS_EMPTY;
    others_add(&machine, &known, &soon, 0); /* too short */
    assert_true(isnan(others_share(&machine)));
    others_add(&machine, &soon, &mute, 0);
    others_add(&machine, &known, &later, 0);
    assert_true(isnan(others_share(&machine)));
    others_add(&of_mute, &mute, &mute, 0);
    assert_true(isnan(others_share(&of_mute)));
    others_add(&of_unknown, &unknown, &later, 0);
    assert_true(isnan(others_share(&of_unknown)));
    others_warn(1, &machine, &diags);
    assert_int_equal(diags.n, 0);
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    static const char *const others[] = {"", "not known", "9.1 % of 2 processors", "9.1 % of 2 processors over 16.0 s, or so",
                                         "-1.0 % of 2 processors over 16.0 s", "9.1 % of 0 processors over 16.0 s",
                                         "101.0 % of 2 processors over 16.0 s", "off by 9.1 %"};
    struct others_machine machine = {.host = "h1", .hosts = 3};
    char text[OTHERS_TEXT_BYTES], name[OTHERS_NAME_BYTES];
    assert_true(others_read(&machine, "9.1 % of 2 processors over 16.0 s"));
    assert_near(others_share(&machine), 0.091, 1e-12);
    assert_string_equal(others_text(&machine, text), "9.1 % of 2 processors over 16.0 s");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(others_read(&machine, others[i]));
    assert_string_equal(others_name(&machine, name), "h1 and 2 more hosts");
    machine.hosts = 2;
    assert_string_equal(others_name(&machine, name), "h1 and 1 more host");
    machine.hosts = 1;
    assert_string_equal(others_name(&machine, name), "h1");
}

static void the_busiest_is_named(void **state)
{
    (void)state;
    struct others_machine machines[4] = {{.host = "h1", .hosts = 1}, {.host = "h2", .hosts = 1}, {.host = "h3", .hosts = 16},
                                         {.host = "h4", .hosts = 1}};
    struct diags diags = DIAGS_EMPTY;
    assert_true(others_read(&machines[0], "4.9 % of 2 processors over 16.0 s"));
    assert_true(others_read(&machines[1], "1.2 % of 2 processors over 16.0 s"));
    others_warn(4, machines, &diags);
    assert_int_equal(diags.n, 0);
    assert_true(others_read(&machines[1], "12.5 % of 2 processors over 16.0 s"));
    assert_true(others_read(&machines[2], "47.3 % of 2 processors over 16.0 s"));
    others_warn(4, machines, &diags);
    assert_int_equal(diags.n_warnings, 1);
    assert_string_equal(diag_message(&diags, 0),
                        "processors were busy with other work than this job: 47.3 % of 2 processors over 16.0 s on h3 and 15 "
                        "more hosts, and on 1 more; times may be longer than on idle machines");
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_linux_counts), cmocka_unit_test(an_old_kernel_counts_less),
                                       cmocka_unit_test(some_systems_do_not_tell), cmocka_unit_test(hosts_that_are_one_machine),
                                       cmocka_unit_test(what_others_had), cmocka_unit_test(no_share_is_negative),
                                       cmocka_unit_test(what_is_not_known_is_not_said),
                                       cmocka_unit_test(what_was_written_is_read), cmocka_unit_test(the_busiest_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
