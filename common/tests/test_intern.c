/* Finding equal things again. */
#include "common/intern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct words {
    const char *const *list;
    const char *wanted;
};

static bool same_word(const void *context, int32_t id)
{
    const struct words *words = context;
    return strcmp(words->list[id], words->wanted) == 0;
}

static void equal_hashes_are_told_apart_by_comparing(void **state)
{
    (void)state;
    static const char *const list[] = {"send", "receive", "wait"};
    struct intern table = {NULL, 0, 0};
    struct words words = {list, "receive"};
    assert_int_equal(intern_find(&table, 2385, same_word, &words), -1);
    for (int32_t id = 0; id < 3; id++)
        intern_add(&table, 2385, id);
    assert_int_equal(intern_find(&table, 2385, same_word, &words), 1);
    words.wanted = "wait";
    assert_int_equal(intern_find(&table, 2385, same_word, &words), 2);
    assert_int_equal(intern_find(&table, 2386, same_word, &words), -1);
    words.wanted = "probe";
    assert_int_equal(intern_find(&table, 2385, same_word, &words), -1);
    intern_free(&table);
}

static bool same_number(const void *context, int32_t id)
{
    return *(const int32_t *)context == id;
}

static void nothing_is_lost_when_the_table_grows(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct intern table = {NULL, 0, 0};
    for (int32_t id = 0; id < N; id++)
        intern_add(&table, intern_hash(0, &id, sizeof id), id);
    assert_int_equal(table.n, N);
    assert_true(table.capacity >= 2 * N);
    for (int32_t id = 0; id < N; id++)
        assert_int_equal(intern_find(&table, intern_hash(0, &id, sizeof id), same_number, &id), id);
    intern_free(&table);
    assert_int_equal(table.n, 0);
}

static void every_byte_and_the_length_count(void **state)
{
    (void)state;
    unsigned char bytes[21] = {0};
    uint64_t whole = intern_hash(7, bytes, sizeof bytes);
    assert_true(whole != intern_hash(7, bytes, sizeof bytes - 1));
    assert_true(whole != intern_hash(8, bytes, sizeof bytes));
    assert_true(whole == intern_hash(7, bytes, sizeof bytes));
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 0x80;
        assert_true(whole != intern_hash(7, bytes, sizeof bytes));
        bytes[i] = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_hashes_are_told_apart_by_comparing),
        cmocka_unit_test(nothing_is_lost_when_the_table_grows),
        cmocka_unit_test(every_byte_and_the_length_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
