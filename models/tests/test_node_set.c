#include "models/node_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect_text(const struct node_set *set, const char *expected)
{
    char *text = node_set_text(set);
    assert_string_equal(text, expected);
    free(text);
}

static void stretches_join(void **state)
{
    (void)state;
    struct node_set set = {0};
    expect_text(&set, "");
    node_set_add(&set, 8, 8);
    node_set_add(&set, 0, 3);
    node_set_add(&set, 12, 15);
    expect_text(&set, "0-3,8,12-15");
    assert_int_equal(node_set_count(&set), 9);
    node_set_add(&set, 4, 4);
    expect_text(&set, "0-4,8,12-15");
    node_set_add(&set, 6, 12);
    expect_text(&set, "0-4,6-15");
    node_set_add(&set, 2, 3);
    expect_text(&set, "0-4,6-15");
    node_set_add(&set, 5, 5);
    expect_text(&set, "0-15");
    node_set_free(&set);
}

/* Sets made by chance against plain arrays of nodes. */
static void sets_are_as_arrays(void **state)
{
    (void)state;
    enum { NODES = 23 };
    uint64_t seed = 12345;
    for (int round = 0; round < 500; round++) {
        struct node_set set[2] = {{0}, {0}};
        bool in[2][NODES] = {{false}};
        for (int k = 0; k < 8; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const int first = (int)(seed >> 40) % NODES, length = (int)(seed >> 56) % 4, which = k % 2;
            const int last = first + length < NODES ? first + length : NODES - 1;
            node_set_add(&set[which], first, last);
            for (int i = first; i <= last; i++)
                in[which][i] = true;
        }
        int meet = -1, count = 0;
        bool part = true;
        for (int i = NODES; i-- > 0;) {
            assert_int_equal(node_set_has(&set[0], i), in[0][i]);
            count += in[0][i];
            meet = in[0][i] && in[1][i] ? i : meet;
            part = part && (!in[0][i] || in[1][i]);
        }
        assert_int_equal(node_set_count(&set[0]), count);
        assert_int_equal(node_set_meet(&set[0], &set[1]), meet);
        assert_int_equal(node_set_is_part(&set[0], &set[1]), part);
        node_set_add_all(&set[1], &set[0]);
        assert_true(node_set_is_part(&set[0], &set[1]));
        node_set_free(&set[0]);
        node_set_free(&set[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_join),
        cmocka_unit_test(sets_are_as_arrays),
    };
    return cmocka_run_group_tests_name("node set", tests, NULL, NULL);
}
