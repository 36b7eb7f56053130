// SPDX-License-Identifier: MIT
/* The strict reader of decisions. */
#include "coll/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "name: m\ndecisions:\n  per: node\n  table:\n"

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct coll_table t;
    int line;
    assert_int_equal(coll_table_read(&t,
                                     "pevpm_machine: 1\n# decisions: none\ndecisions:   # of 2026\r\n\n  per: process\n  table:\n"
                                     "    - {operation: MPI_Gather, numprocs: 16, bytes: [2049, 65536], piece: 2048}\n"
                                     "  # a tree\n"
                                     "    - {operation: MPI_Bcast, numprocs: 3, bytes: [1, 999999999999999999], tree: "
                                     "binomial, mapping: [2, 0, 1]} # odd\n"
                                     "    - {operation: MPI_Scatterv, numprocs: 2, bytes: [5, 5], tree: binomial}\n"
                                     "serial:\n  - nothing of ours\n",
                                     &line),
                     COLL_READ);
    assert_true(t.per_process);
    assert_int_equal(t.n, 3);
    assert_int_equal(t.rows[0].op, COLL_MPI_Gather);
    assert_int_equal(t.rows[0].numprocs, 16);
    assert_int_equal(t.rows[0].from, 2049);
    assert_int_equal(t.rows[0].to, 65536);
    assert_int_equal(t.rows[0].piece, 2048);
    assert_null(t.rows[0].mapping);
    assert_int_equal(t.rows[1].to, 999999999999999999);
    assert_int_equal(t.rows[1].piece, 0);
    static const int mapping[] = {2, 0, 1};
    assert_memory_equal(t.rows[1].mapping, mapping, sizeof mapping);
    assert_int_equal(t.rows[2].op, COLL_MPI_Scatterv);
    assert_true(coll_table_knows(&t, COLL_MPI_Scatterv, 2));
    assert_false(coll_table_knows(&t, COLL_MPI_Scatterv, 3));
    assert_false(coll_table_knows(&t, COLL_MPI_Gatherv, 2));
    coll_table_free(&t);
    assert_int_equal(coll_table_read(&t, "decisions:\n  per: node\n  table: []", &line), COLL_READ);
    assert_int_equal(t.n, 0);
    assert_false(t.per_process);
    coll_table_free(&t);
}

static void a_file_without(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "name: m\n", "  decisions:\n", "my_decisions:\n", "# decisions:\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct coll_table t;
        int line = 0;
        assert_int_equal(coll_table_read(&t, texts[i], &line), COLL_NO_TABLE);
        coll_table_free(&t);
    }
}

#define ROW(rest) HEAD "    - {operation: MPI_Gather, numprocs: 4, bytes: [1, 9], " rest
static void what_is_not_understood_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
    } cases[] = {
        {"name: m\ndecisions: {per: node, table: []}\n", 2},
        {"decisions:\n", 2},
        {"decisions:\n  per: node\n", 3},
        {"decisions:\n  per: host\n  table:\n", 2},
        {"decisions:\n  table: []\n  per: node\n", 2},
        {"decisions:\n  per: node\n  table: [] []\n", 3},
        {HEAD "  more: 1\n", 5},
        {HEAD "    - {operation: MPI_Reduce, numprocs: 4, bytes: [1, 9], tree: binomial}\n", 5},
        {HEAD "    - {operation: MPI_Bcast, numprocs: 1, bytes: [1, 9], tree: binomial}\n", 5},
        {HEAD "    - {operation: MPI_Bcast, numprocs: 65537, bytes: [1, 9], tree: binomial}\n", 5},
        {HEAD "    - {operation: MPI_Bcast, numprocs: 4, bytes: [9, 1], tree: binomial}\n", 5},
        {HEAD "    - {operation: MPI_Bcast, numprocs: 4, bytes: [0, 1], tree: binomial}\n", 5},
        {HEAD "    - {operation: MPI_Bcast, numprocs: 4, bytes: [1, 9], piece: 3}\n", 5},
        {ROW("piece: 0}\n"), 5},
        {ROW("piece: 2147483648}\n"), 5},
        {ROW("piece: 99999999999999999999}\n"), 5},
        {ROW("piece: 3, tree: binomial}\n"), 5},
        {ROW("tree: flat}\n"), 5},
        {ROW("tree: binomial, mapping: [0, 1, 2]}\n"), 5},
        {ROW("tree: binomial, mapping: [0, 1, 2, 2]}\n"), 5},
        {ROW("tree: binomial, mapping: [0, 1, 2, 3, 4]}\n"), 5},
        {ROW("tree: binomial}#\n"), 5},
        {ROW("tree: binomial"), 5},
        {ROW("tree: binomial}\n") "    - {numprocs: 4}\n", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct coll_table t;
        int line = 0;
        if (coll_table_read(&t, cases[i].text, &line) != COLL_MALFORMED || line != cases[i].line)
            fail_msg("case %zu, line %d:\n%s", i, line, cases[i].text);
        coll_table_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written_is_read), cmocka_unit_test(a_file_without),
                                       cmocka_unit_test(what_is_not_understood_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
