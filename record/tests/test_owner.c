#include "record/fit/owner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Where the block of place q begins, of n things among E. */
static int64_t begin(enum owner_kind kind, int64_t q, int64_t n, int64_t E)
{
    const int64_t least = n / E, more = n % E, plain = E - more;
    switch (kind) {
    case OWNER_DOWN:
    case OWNER_REST: return q * least;
    case OWNER_FIRST: return q * least + (q < more ? q : more);
    case OWNER_BOUNDS: return q * n / E;
    case OWNER_CEIL: return q * ((n + E - 1) / E);
    case OWNER_LAST: return q * least + (q > plain ? q - plain : 0);
    case OWNER_KINDS: break;
    }
    return -1;
}

static void things_are_of_whose_block_they_are_in(void **state)
{
    (void)state;
    static const int64_t counts[][2] = {{30, 8}, {24, 8}, {31, 5}, {7, 7}, {10, 1}, {23, 6}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++)
            for (int64_t i = 0, q = 0, n = counts[k][0], E = counts[k][1]; i < n; i++) {
                while (i >= begin(kind, q + 1, n, E) && (kind == OWNER_DOWN || q + 1 < E))
                    q++;
                assert_int_equal(owner_of(kind, i, n, E), q);
            }
}

static void of_some_nothing_is_said(void **state)
{
    (void)state;
    for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++) {
        assert_int_equal(owner_of(kind, 3, 7, 8), -1);
        assert_int_equal(owner_of(kind, -1, 30, 8), -1);
        assert_int_equal(owner_of(kind, 3, 30, 0), -1);
        assert_int_equal(owner_of(kind, 3, INT64_MAX, 8), -1);
        assert_int_equal(owner_of(kind, INT64_MAX, 30, 8), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(things_are_of_whose_block_they_are_in),
                                       cmocka_unit_test(of_some_nothing_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
