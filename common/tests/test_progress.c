#include "common/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void progress_text(void **state)
{
    (void)state;
    char line[PROGRESS_TEXT_BYTES];
    assert_string_equal(progress_format(1.0 / 3, 62.5, "average 64x2", line),
                        "[##########--------------------]  33 %  about 2 min 5 s left  average 64x2");
    assert_string_equal(progress_format(0, 1, "a", line), "[------------------------------]   0 %  about ? left  a");
    assert_string_equal(progress_format(1.5, 1, "", line), "[##############################] 100 %  about 0 s left  ");
    assert_string_equal(progress_format(0.5, 12000, "", line),
                        "[###############---------------]  50 %  about 3 h 20 min left  ");
    progress_format(0.001, 1e9, "a name that is much longer than any line of a terminal would allow", line);
    assert_int_equal(strlen(line), 79);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(progress_text)};
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
