/* What all nodes have in common, against a twin that knows how much is left to pass and not until when: less by 1 per second. */
#include "network/outlet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 60, ROUNDS = 2000 };

/* Whole numbers, so that sums are exact. */
static double random_whole(uint64_t *state, int below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)((*state >> 33) % (uint64_t)below);
}

static void as_what_is_left_says(void **state)
{
    (void)state;
    uint64_t random = 7;
    int waited = 0, at_once = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const int apart = 1 + round % 40;
        double until = OUTLET_IDLE, at = 0, left = -1e9;
        for (int i = 0; i < MOST; i++) {
            const double elapsed = random_whole(&random, apart), work = random_whole(&random, 20);
            at += elapsed;
            left -= elapsed;
            double late = 0;
            if (work > 0) {
                left = (left > -work ? left : -work) + work;
                late = left > 0 ? left : 0;
            }
            assert_true(outlet_pass_common(&until, work, at) == late);
            waited += late > 0;
            at_once += late == 0;
        }
    }
    assert_true(waited > 1000 && at_once > 1000);
}

/* Those that wake at one moment: the first at once. */
static void those_at_one_moment_follow_one_another(void **state)
{
    (void)state;
    double until = OUTLET_IDLE;
    for (int k = 0; k < 16; k++)
        assert_true(outlet_pass_common(&until, 4, 100) == 4 * k);
    assert_true(outlet_pass_common(&until, 0, 100) == 0); /* what takes nothing does not wait */
    assert_true(outlet_pass_common(&until, 4, 164) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_what_is_left_says),
                                       cmocka_unit_test(those_at_one_moment_follow_one_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
