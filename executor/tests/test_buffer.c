#include "executor/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* What was asked for since the last time is written, and nothing behind it. */
static void what_was_used_is_written(void **state)
{
    (void)state;
    struct buffer buffer = {.at = NULL};
    buffer_write(&buffer);
    char *at = buffer_touched(&buffer, 300);
    for (int i = 0; i < 300; i++)
        at[i] = 7;
    buffer_write(&buffer);
    assert_true(at[0] == 0 && at[299] == 0);
    for (int i = 0; i < 300; i++)
        at[i] = 7;
    buffer_write(&buffer);
    assert_int_equal(at[0], 7);
    assert_ptr_equal(buffer_touched(&buffer, 100), at);
    buffer_write(&buffer);
    assert_true(at[0] == 0 && at[99] == 0 && at[100] == 7);
    buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_used_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
