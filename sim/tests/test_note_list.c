/* Notes of many predictions, each kind once. */
#include "sim/note_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void notes_that_differ_in_numbers_are_one(void **state)
{
    (void)state;
    struct note_list list = {0};
    char *first[] = {"up to 5 messages (4x1): 1.5 ms", "2 nodes are more than 1"};
    char *second[] = {"up to 12 messages (16x1): 10.25 ms", "3 nodes are fewer than 1"};
    note_list_add(&list, 2, first, 0);
    note_list_add(&list, 2, second, 2);
    assert_int_equal(list.n, 3);
    assert_string_equal(list.notes[0].text, first[0]);
    assert_int_equal(list.notes[0].n, 2);
    assert_int_equal(list.notes[0].first, 0);
    assert_string_equal(list.notes[2].text, second[1]);
    assert_int_equal(list.notes[2].first, 2);
    note_list_free(&list);
    assert_int_equal(list.n, 0);
}

static void a_run_counts_once(void **state)
{
    (void)state;
    struct note_list list = {0};
    char *texts[] = {"3 of 4", "5 of 6"};
    note_list_add(&list, 2, texts, 7);
    note_list_add(&list, 2, texts, 7);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.notes[0].n, 1);
    note_list_free(&list);
}

static void a_number_is_no_word(void **state)
{
    (void)state;
    struct note_list list = {0};
    char *texts[] = {"up to 5", "up to it", "up to 5.", "up to 5.5"};
    note_list_add(&list, 4, texts, 0);
    assert_int_equal(list.n, 3);
    note_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_that_differ_in_numbers_are_one),
        cmocka_unit_test(a_run_counts_once),
        cmocka_unit_test(a_number_is_no_word),
    };
    return cmocka_run_group_tests_name("note_list", tests, NULL, NULL);
}
