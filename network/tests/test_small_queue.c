/* What a host keeps of a connection (network/small_queue.h). */
#include "network/small_queue.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double FULL = 1.2e-3; /* s, of a port of 10 Mbit/s */

static void a_frame_goes_beside_one_and_then_beside_two(void **state)
{
    (void)state;
    assert_true(fabs(small_queue_written(FULL, FULL) - FULL) < 1e-15);
    assert_true(fabs(small_queue_later(FULL, FULL) - 2 * FULL) < 1e-15);
}

/* 8 frames that were sent together go on when 10 are on their way, as was seen in packets. */
static void more_goes_beside_more(void **state)
{
    (void)state;
    assert_int_equal((int)(small_queue_later(8 * FULL, FULL) / FULL), 10);
    assert_true(small_queue_later(0, FULL) < FULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_goes_beside_one_and_then_beside_two),
        cmocka_unit_test(more_goes_beside_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
