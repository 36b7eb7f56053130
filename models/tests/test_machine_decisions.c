/* The decisions of a machine file: read, written, and read by the library that they are for. */
#include "models/machine_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 2\n"

static void check_same(const struct coll_table *a, const struct coll_table *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->per_process, b->per_process);
    for (size_t i = 0; i < a->n; i++) {
        const struct coll_row *x = &a->rows[i], *y = &b->rows[i];
        assert_true(x->op == y->op && x->numprocs == y->numprocs && x->from == y->from && x->to == y->to &&
                    x->piece == y->piece);
        assert_int_equal(x->mapping == NULL, y->mapping == NULL);
        if (x->mapping)
            assert_memory_equal(x->mapping, y->mapping, (size_t)x->numprocs * sizeof(int));
    }
}

/* As people lay it out; as it is written; as the library reads that. */
static void all_readers_agree(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "decisions:\n  table:\n"
        "  - bytes: [1, 0x400]\n    mapping:\n    - 7\n    - 0\n    - 3\n    tree: binomial\n"
        "    numprocs: 3\n    operation: MPI_Scatterv\n"
        "  - {operation: MPI_Gatherv, numprocs: 65536, bytes: [2, 9e9], piece: 1e3}\n"
        "  - {operation: MPI_Bcast, numprocs: 2, bytes: [1, 1], tree: binomial, mapping: ~}\n"
        "  per: process\n";
    struct diags diags = DIAGS_EMPTY;
    struct machine *m, *again;
    struct coll_table read;
    char *edited;
    int line;
    assert_int_equal(machine_read_text(&m, "m", text, strlen(text), &diags), STATUS_OK);
    assert_int_equal(m->decisions.n, 3);
    assert_int_equal(m->decisions.rows[0].mapping[0], 7);
    assert_int_equal(m->decisions.rows[1].to, 9000000000);
    assert_int_equal(m->decisions.rows[1].piece, 1000);
    assert_int_equal(machine_edit_decisions(&edited, "m", text, strlen(text), &m->decisions, "by hand", &diags),
                     STATUS_OK);
    assert_string_equal(edited, HEAD
                        "decisions:\n  # by hand\n  per: process\n  table:\n"
                        "    - {operation: MPI_Scatterv, numprocs: 3, bytes: [1, 1024], tree: binomial, mapping: [7, 0, 3]}\n"
                        "    - {operation: MPI_Gatherv, numprocs: 65536, bytes: [2, 9000000000], piece: 1000}\n"
                        "    - {operation: MPI_Bcast, numprocs: 2, bytes: [1, 1], tree: binomial}\n");
    assert_int_equal(machine_read_text(&again, "m", edited, strlen(edited), &diags), STATUS_OK);
    check_same(&again->decisions, &m->decisions);
    assert_int_equal(coll_table_read(&read, edited, &line), COLL_READ);
    check_same(&read, &m->decisions);
    coll_table_free(&read);
    machine_destroy(m);
    machine_destroy(again);
    free(edited);
}

#define ROW(rest) "  per: node\n  table:\n  - {operation: MPI_Gather, numprocs: 4, " rest "}\n"
static void errors_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *section, *said;
    } cases[] = {
        {"  table: []\n", "missing key `per`"},
        {"  per: node\n", "missing key `table`"},
        {"  per: host\n  table: []\n", "decisions.per: expected a place of a process, node or process, found `host`"},
        {"  per: node\n  table: [{operation: MPI_Gahter, numprocs: 4, bytes: [1, 2], piece: 1}]\n",
         "did you mean `MPI_Gather`?"},
        {"  per: node\n  table: [{operation: MPI_Scatter, numprocs: 4, bytes: [1, 2], piece: 1}]\n",
         "decisions.table[0].piece: MPI_Scatter does not go in pieces"},
        {ROW("bytes: [1, 2]"), "expected either `piece` or `tree`"},
        {ROW("bytes: [1, 2], piece: 1, tree: binomial"), "expected either `piece` or `tree`"},
        {ROW("bytes: [1, 2], piece: 0"), "decisions.table[0].piece"},
        {ROW("bytes: [2, 1], piece: 1"), "decisions.table[0].bytes[1]"},
        {ROW("bytes: [1], piece: 1"), "expected [from, to] in bytes"},
        {ROW("bytes: [1, 2], piece: 1, mapping: [0, 1, 2, 3]"), "a mapping is of a `tree`"},
        {ROW("bytes: [1, 2], tree: flat"), "decisions.table[0].tree: expected a tree, binomial, found `flat`"},
        {ROW("bytes: [1, 2], tree: binomial, mapping: [0, 1, 2]"), "expected 4 nodes, one for each process"},
        {ROW("bytes: [1, 2], tree: binomial, mapping: [0, 1, 2, 4]"), "decisions.table[0].mapping[3]"},
        {ROW("bytes: [1, 2], tree: binomial, mapping: [0, 1, 2, 1]"), "1 stands there twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct machine *m;
        char text[600], said[2000] = "";
        snprintf(text, sizeof text, HEAD "decisions:\n%s", cases[i].section);
        assert_int_equal(machine_read_text(&m, "m", text, strlen(text), &diags), STATUS_SCHEMA);
        FILE *out = fmemopen(said, sizeof said, "w");
        diags_print(&diags, out);
        fclose(out);
        diags_free(&diags);
        if (!strstr(said, cases[i].said))
            fail_msg("`%s` is not in\n%s", cases[i].said, said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_readers_agree), cmocka_unit_test(errors_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
