#include "estimate/machine/overflow_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double LEAST = 5e-3;

/* Bursts at the backlogs 2.5, 5, 7.5 ... ms, four of each, that lose packets above `buffer`; some do not. */
enum { STEPS = 16, EACH = 4, BURSTS = STEPS * EACH };
static size_t bursts_make(struct overflow_burst bursts[BURSTS], double buffer)
{
    for (int i = 0; i < BURSTS; i++) {
        double backlog = 2.5e-3 * (1 + (i * 7 + 3) % BURSTS / EACH); /* in no order */
        bool lost = backlog > buffer && i % 5 != 0;
        bursts[i] = (struct overflow_burst){.backlog = backlog,
                                            .late = lost ? 0.2 + 1e-3 * i : 0.1e-3 * (i % 3) - 0.1e-3};
    }
    return BURSTS;
}

static void test_happened(void **state)
{
    (void)state;
    assert_true(overflow_happened(&(struct overflow_burst){.backlog = 10e-3, .late = 0.2}, LEAST));
    /* a busy processor */
    assert_false(overflow_happened(&(struct overflow_burst){.backlog = 10e-3, .late = 4.9e-3}, LEAST));
    /* an error of the gap */
    assert_false(overflow_happened(&(struct overflow_burst){.backlog = 100e-3, .late = 24e-3}, LEAST));
    assert_false(overflow_happened(&(struct overflow_burst){.backlog = 10e-3, .late = -1e-3}, LEAST));
    /* it stood still */
    assert_false(overflow_happened(&(struct overflow_burst){10e-3, 0.02, OVERFLOW_nothing_lost}, LEAST));
    /* one frame */
    assert_true(overflow_happened(&(struct overflow_burst){26e-3, 1.2e-3, OVERFLOW_something_lost}, LEAST));
    assert_true(overflow_timed_out(&(struct overflow_burst){.backlog = 10e-3, .late = 0.21}));
    /* the machine may have stood still */
    assert_false(overflow_timed_out(&(struct overflow_burst){.backlog = 10e-3, .late = 16e-3}));
    /* an error of the gap */
    assert_false(overflow_timed_out(&(struct overflow_burst){.backlog = 1, .late = 0.21}));
}

/* Two senders bring at most one frame more for each that passes; seven with more than a window wait for
 * acknowledgements. */
static void test_backlog(void **state)
{
    (void)state;
    assert_true(fabs(overflow_backlog(2, 23, 10, 1.25e-3) - 28.75e-3) < 1e-9);
    assert_true(fabs(overflow_backlog(7, 8, 10, 0.125e-3) - 6e-3) < 1e-9);
    assert_true(fabs(overflow_backlog(7, 10, 10, 0.125e-3) - 7.5e-3) < 1e-9);
    assert_true(fabs(overflow_backlog(7, 20, 10, 0.125e-3) - 13.125e-3) < 1e-9);
}

static void test_place(void **state)
{
    (void)state;
    struct overflow_burst bursts[BURSTS];
    double buffer = 0;
    assert_true(overflow_fit(bursts_make(bursts, 26e-3), bursts, LEAST, &buffer));
    assert_true(buffer > 26.2e-3 && buffer < 26.3e-3); /* between 25 and 27.5 ms */
    assert_true(overflow_fit(bursts_make(bursts, 6e-3), bursts, LEAST, &buffer));
    assert_true(buffer > 6.2e-3 && buffer < 6.3e-3);
}

/* A burst that lost something for another reason does not move the place. */
static void test_stray(void **state)
{
    (void)state;
    struct overflow_burst bursts[BURSTS];
    double buffer = 0;
    bursts_make(bursts, 26e-3);
    for (int i = 0, strays = 0; i < BURSTS && strays < 2; i++)
        if (bursts[i].backlog < 10e-3) {
            bursts[i].late = 0.3;
            strays++;
        }
    assert_true(overflow_fit(BURSTS, bursts, LEAST, &buffer));
    assert_true(buffer > 26.2e-3 && buffer < 26.3e-3);
}

/* Once they have lost something, connections send with care: the longer bursts that came later lose less. */
static void test_care(void **state)
{
    (void)state;
    struct overflow_burst bursts[40];
    const double backlogs[] = {24e-3, 26.5e-3, 27.7e-3, 28.9e-3};
    const int lost[] = {0, 4, 2, 6};
    double buffer = 0;
    for (int i = 0; i < 40; i++)
        bursts[i] = (struct overflow_burst){.backlog = backlogs[i / 10], .late = i % 10 < lost[i / 10] ? 0.2 : 0};
    assert_true(overflow_fit(40, bursts, LEAST, &buffer));
    assert_true(buffer > 25.2e-3 && buffer < 25.3e-3);
}

/* The search ends where two of nine lost something: that is enough here, too. */
static void test_two(void **state)
{
    (void)state;
    struct overflow_burst bursts[18];
    double buffer = 0;
    for (int i = 0; i < 18; i++)
        bursts[i] = (struct overflow_burst){.backlog = i < 9 ? 0.010 : 0.012, .late = i < 16 ? 0 : 0.2};
    assert_true(overflow_fit(18, bursts, LEAST, &buffer));
    assert_true(buffer > 0.010999 && buffer < 0.011001);
    bursts[17].late = 0; /* sorted, it is still the last */
    assert_false(overflow_fit(18, bursts, LEAST, &buffer));
}

/* What a single burst did moves neither end. */
static void test_unsure(void **state)
{
    (void)state;
    struct overflow_burst bursts[] = {{0.010, 0, 0}, {0.010, 0, 0}, {0.0115, 0, 0},
                                      {0.012, 0.2, 0}, {0.013, 0.2, 0}, {0.013, 0.25, 0}};
    double buffer = 0;
    assert_int_equal(overflow_judge(1, 1, false), OVERFLOW_unsure);
    assert_int_equal(overflow_judge(1, 1, true), OVERFLOW_usual);
    assert_int_equal(overflow_judge(0, 1, true), OVERFLOW_unsure);
    assert_int_equal(overflow_judge(0, 0, true), OVERFLOW_unsure);
    assert_int_equal(overflow_judge(1, 2, true), OVERFLOW_none);
    assert_int_equal(overflow_judge(2, 2, false), OVERFLOW_usual);
    assert_int_equal(overflow_judge(2, 11, true), OVERFLOW_none);
    assert_true(overflow_fit(6, bursts, LEAST, &buffer));
    assert_true(buffer > 0.011499 && buffer < 0.011501); /* between 10 and 13 ms */
}

static void test_none(void **state)
{
    (void)state;
    struct overflow_burst bursts[BURSTS];
    double buffer = 1.25;
    assert_false(overflow_fit(bursts_make(bursts, 1), bursts, LEAST, &buffer)); /* nothing is lost */
    assert_false(overflow_fit(bursts_make(bursts, 0), bursts, LEAST, &buffer)); /* nothing went through */
    assert_false(overflow_fit(0, bursts, LEAST, &buffer));
    assert_true(buffer == 1.25);
}

/* A port that passes nothing else is behind by t / 2 until it is full, from FULL on; a short message takes ALONE
 * besides. One is sent each APART; every third of them comes with the one before, which its host kept back so long. */
enum { PROBES = 400 };
static const double FULL = 12e-3, APART = 0.2e-3, ALONE = 0.05e-3;
static void probes_make(struct overflow_probe probes[PROBES])
{
    for (int i = 0; i < PROBES; i++) {
        const double sent = 3.7 + i * APART, left = sent + (i % 3 == 1 ? APART : 0);
        probes[i] = (struct overflow_probe){sent, left + ALONE + fmin((left - 3.7) / 2, FULL), sent - i % 8 * APART, 5};
    }
}

static void test_wait(void **state)
{
    (void)state;
    struct overflow_probe probes[PROBES];
    probes_make(probes);
    assert_true(fabs(overflow_wait(PROBES, probes) - FULL) < 1e-9); /* and not APART longer */
    assert_true(fabs(overflow_wait(61, probes) - 0) < 1e-9 + 61 * APART / 2);
    assert_true(overflow_wait(0, probes) == 0);
    assert_true(overflow_wait(1, probes) == 0); /* nobody came after it */
}

/* Number 201 is lost, and comes again 30 ms later, with what came meanwhile; the last of them has waited longer than
 * the port takes, and the next is sent after a while. */
static void test_wait_lost(void **state)
{
    (void)state;
    struct overflow_probe probes[PROBES];
    probes_make(probes);
    const double again = probes[201].came + 30e-3;
    int last = 201;
    for (; probes[last].came < again; last++)
        probes[last].came = again;
    probes[last - 1].sent -= APART / 2;
    for (int i = last; i < PROBES; i++)
        probes[i] = (struct overflow_probe){probes[i].sent + 40e-3, probes[i].came + 40e-3,
                                            probes[i].counted + 40e-3, 5};
    assert_true(overflow_wait(PROBES, probes) > FULL + APART / 2 - 1e-9); /* nobody has told */
    for (int i = 0; i < PROBES; i++)
        probes[i].lost += probes[i].counted >= again - FULL;
    assert_true(fabs(overflow_wait(PROBES, probes) - FULL) < 1e-9);
}

/* More are collected than one frame takes: the next one is right behind it, and only what that brings was sent as it
 * left. */
static void test_wait_full_frame(void **state)
{
    (void)state;
    struct overflow_probe probes[PROBES];
    probes_make(probes);
    const double left = probes[330].sent;
    for (int i = 300; i <= 330; i++)
        probes[i].came = left + ALONE + FULL - (i < 320 ? APART : 0);
    assert_true(fabs(overflow_wait(PROBES, probes) - FULL) < 1e-9);
}

/* The host of the receiver stands still for 20 ms: what comes meanwhile is there at once. */
static void test_wait_still(void **state)
{
    (void)state;
    struct overflow_probe probes[PROBES];
    probes_make(probes);
    const double from = probes[250].came;
    for (int i = 250; i < PROBES && probes[i].came < from + 20e-3; i++)
        probes[i].came = from + 20e-3 + (i - 250) * 1e-7;
    assert_true(fabs(overflow_wait(PROBES, probes) - FULL) < APART);
}

/* Of four that each bring in 10 ms what the trunk passes in 5; one of them in 40; one alone. */
static void test_trunk_backlog(void **state)
{
    (void)state;
    const double equal[] = {10e-3, 10e-3, 10e-3, 10e-3}, unequal[] = {10e-3, 40e-3, 10e-3, 10e-3};
    assert_true(fabs(overflow_trunk_backlog(4, equal, 5e-3, 0) - 10e-3) < 1e-9);
    assert_true(fabs(overflow_trunk_backlog(4, equal, 5e-3, 1e-3) - 11e-3) < 1e-9);
    assert_true(fabs(overflow_trunk_backlog(4, unequal, 5e-3, 0) - (15e-3 + 1.25e-3 - 10e-3)) < 1e-9);
    assert_true(overflow_trunk_backlog(1, equal, 5e-3, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_happened), cmocka_unit_test(test_backlog), cmocka_unit_test(test_place),
                                       cmocka_unit_test(test_stray), cmocka_unit_test(test_care),
                                       cmocka_unit_test(test_two), cmocka_unit_test(test_unsure),
                                       cmocka_unit_test(test_none), cmocka_unit_test(test_wait),
                                       cmocka_unit_test(test_wait_lost), cmocka_unit_test(test_wait_full_frame),
                                       cmocka_unit_test(test_wait_still),
                                       cmocka_unit_test(test_trunk_backlog)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
