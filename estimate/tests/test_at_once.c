/* What experiments at the same time add, from some that were alone, too. */
#include "estimate/analytical/at_once.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 5 };
static const double alone[N][2] = {{1.0, 1.0}, {2.0, 2.0}, {3.0, 3.0}, {4.0, 4.0}, {5.0, 5.0}};

/* Times that are longer by these. */
static double adds(const double more[N])
{
    double times[N][2];
    struct repeats together[N], others[N];
    for (int i = 0; i < N; i++) {
        times[i][0] = alone[i][0] + more[i] - 0.25;
        times[i][1] = alone[i][1] + more[i] + 0.25;
        together[i] = (struct repeats){2, times[i]};
        others[i] = (struct repeats){2, alone[i]};
    }
    return at_once_adds(N, together, others);
}

static void assert_near(double found, double expected)
{
    assert_true(fabs(found - expected) < 1e-12);
}

static void what_all_take_longer_by_is_found(void **state)
{
    (void)state;
    assert_near(adds((double[N]){0.3, 0.3, 0.3, 0.3, 0.3}), 0.3);
    assert_near(adds((double[N]){-0.3, -0.3, -0.3, -0.3, -0.3}), 0.3);
    assert_near(adds((double[N]){0, 0, 0, 0, 0}), 0);
}

static void what_is_not_known_is_added(void **state)
{
    (void)state;
    const double known = 1.2533 * 1.4826 * 0.25 / sqrt(N); /* distances 0.5, 0.25, 0, 0.25, 0.5 */
    assert_near(adds((double[N]){-0.5, 0.5, 0, 0.25, -0.25}), known);
    assert_near(adds((double[N]){0.5, 1.5, 1, 1.25, 0.75}), hypot(1, known));
    assert_near(adds((double[N]){0.5, 1e6, 1, 1.25, 0.75}), hypot(1, known)); /* one that something delayed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_take_longer_by_is_found),
        cmocka_unit_test(what_is_not_known_is_added),
    };
    return cmocka_run_group_tests_name("at_once", tests, NULL, NULL);
}
