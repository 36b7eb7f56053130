/* Bcast, Scatter, Gather and Reduce: every algorithm takes what the literature's tree or formula says, at powers of
 * two and not, from any root, in segments and without, with equal shares and others. */
#include "collectives/tests/forms_rooted.h"

#define X(name) FORMS_TEST(rooted_forms, N_ROOTED_FORMS, name)
ROOTED_OPS(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {ROOTED_OPS(FORMS_UNIT_TEST)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
