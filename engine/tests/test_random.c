/* Two streams' blocks made at once are the words that Random123 makes one by one. */
#include "engine/random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void blocks_are_the_words(void **state)
{
    (void)state;
    static const uint64_t block[] = {0, 1, 7, UINT32_MAX, (uint64_t)UINT32_MAX + 1, ((uint64_t)1 << 56) - 1};
    static const uint64_t seed[] = {0, 1, 20261130, UINT64_MAX, 0xdeadbeefcafef00d};
    for (size_t b = 0; b < sizeof block / sizeof *block; b++)
        for (size_t s = 0; s < sizeof seed / sizeof *seed; s++) {
            uint32_t one[4], other[4];
            random_blocks(seed[s], 4000000001, 16777215, block[b], STREAM_TRANSIT, STREAM_LEAVING, (uint32_t *[]){one, other});
            for (uint64_t i = 0; i < 4; i++) {
                assert_int_equal(one[i], random_word(seed[s], 4000000001, 16777215, 4 * block[b] + i, STREAM_TRANSIT));
                assert_int_equal(other[i], random_word(seed[s], 4000000001, 16777215, 4 * block[b] + i, STREAM_LEAVING));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_the_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
