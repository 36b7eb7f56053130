/* Decisions held against the virtual machine: ports of 80 us and 1 us a byte, so a linear Gather among eight takes 580
 * us + 7 M us, and a tree 340 us + 7 M us at most: it gains a twentieth up to 700 bytes. */
#include "sim/confirmed.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 1\n"
    "point_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    level: 1\n"
    "    sizes:\n      - {bytes: 0, transit: 100 us}\n      - {bytes: 1000000, transit: 1.0001 s}\n"
    "ports:\n  out_gap: [[0, 80 us], [1000000, 1.00008 s]]\n  in_gap: [[0, 80 us], [1000000, 1.00008 s]]\n"
    "eager_limit: 100000000\n"
    "collectives:\n  MPI_Gather: {algorithm: linear}\n";

static struct machine *machine_of(const char *from)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    if (machine_read_text(&machine, "m", from, strlen(from), &diags) != STATUS_OK) {
        diags_print(&diags, stderr);
        fail();
    }
    diags_free(&diags);
    return machine;
}

static struct decisions decided(size_t n, const struct coll_row rows[])
{
    struct decisions d = {.table.n = n, .table.rows = alloc_array(n, sizeof *d.table.rows),
                          .decided = alloc_zeroed(n, sizeof *d.decided)};
    memcpy(d.table.rows, rows, n * sizeof *rows);
    return d;
}

static void a_tree_stays_where_it_gains(void **state)
{
    (void)state;
    static const struct coll_row rows[] = {
        {COLL_MPI_Gather, 8, 1, 16384, 0, NULL},     /* a part of it holds */
        {COLL_MPI_Gather, 8, 16385, 1 << 30, 0, NULL}, /* nothing */
        {COLL_MPI_Gatherv, 8, 4096, 65536, 2048, NULL} /* pieces */
    };
    struct machine *machine = machine_of(text);
    struct decide_wish wish = {.model = "lmo", .gain = 0.05};
    struct decisions d = decided(3, rows);
    struct diags diags = DIAGS_EMPTY;
    size_t dropped;
    assert_true(decisions_confirmable(machine, &wish));
    assert_int_equal(decisions_confirm(&d, machine, &wish, &dropped, &diags), STATUS_OK);
    assert_int_equal(d.table.n, 2);
    assert_int_equal(d.table.rows[0].from, 1);
    assert_int_equal(d.table.rows[0].to, 1023);
    assert_true(d.decided[0].ours[1] <= 0.95 * d.decided[0].native[1]);
    assert_int_equal(d.table.rows[1].piece, 2048);
    assert_int_equal(d.table.rows[1].from, 4096);
    assert_int_equal(d.table.rows[1].to, 65536);
    assert_int_equal(dropped, 5 + 7); /* 1024 ... 16384; 16385, 32768 ... 1 MiB */
    diags_free(&diags);
    decisions_free(&d);
    machine_destroy(machine);
}

/* What holds at the largest size that is looked at is taken to hold beyond. */
static void a_mapped_tree_keeps_its_mapping(void **state)
{
    (void)state;
    int *mapping = alloc_array(8, sizeof *mapping);
    for (int i = 0; i < 8; i++)
        mapping[i] = (i + 3) % 8;
    struct machine *machine = machine_of(text);
    struct decide_wish wish = {.model = "lmo", .gain = -1}; /* anything gains */
    struct decisions d = decided(1, &(struct coll_row){COLL_MPI_Gather, 8, 64, 1 << 24, 0, mapping});
    struct diags diags = DIAGS_EMPTY;
    size_t dropped;
    assert_int_equal(decisions_confirm(&d, machine, &wish, &dropped, &diags), STATUS_OK);
    assert_int_equal(d.table.n, 1);
    assert_int_equal(d.table.rows[0].from, 64);
    assert_int_equal(d.table.rows[0].to, 1 << 24);
    assert_int_equal(d.table.rows[0].mapping[7], 2);
    assert_int_equal(dropped, 0);
    diags_free(&diags);
    decisions_free(&d);
    machine_destroy(machine);
}

/* A port that holds eight frames of 1 KiB, each 1.1 ms. Pieces of seven processes, of two frames each, are too many for
 * it, of one frame they are not, whether or not these are faster; smaller ones cost more than they gain. */
static void pieces_are_as_small_as_the_port_wants_them(void **state)
{
    (void)state;
    static const char ports[] =
        "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 1\neager_limit: 100000\n"
        "point_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n"
        "    sizes:\n      - {bytes: 0, transit: 100 us}\n      - {bytes: 1000000, transit: 1.0001 s}\n"
        "resources:\n  - {scope: node, direction: out, frame: 1024, demand: [[0, 80 us], [1000000, 1.00008 s]]}\n"
        "  - {scope: node, direction: in, frame: 1024, demand: [[0, 80 us], [1000000, 1.00008 s]], buffer: 9 ms, "
        "overflow: 0.2}\n";
    static const struct {
        int64_t decided, kept;
        double gain;
    } cases[] = {{2048, 1024, 0.05}, {4096, 1024, 0.05}, {1024, 1024, 0.05}, {4096, 1024, 0.99}, {1024, 1024, 0.99}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct coll_row row = {COLL_MPI_Gatherv, 8, 8192, 16384, cases[i].decided, NULL};
        struct machine *machine = machine_of(ports);
        struct decide_wish wish = {.model = "lmo", .gain = cases[i].gain};
        struct decisions d = decided(1, &row);
        struct diags diags = DIAGS_EMPTY;
        size_t dropped;
        assert_int_equal(decisions_confirm(&d, machine, &wish, &dropped, &diags), STATUS_OK);
        assert_int_equal(d.table.n, 1);
        assert_int_equal(d.table.rows[0].piece, cases[i].kept);
        decisions_free(&d);
        machine_destroy(machine);
        diags_free(&diags);
    }
}

static void what_cannot_be_held(void **state)
{
    (void)state;
    struct machine *machine = machine_of(text);
    struct machine *models = machine_of("pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\n"
                                        "models:\n  hockney: {alpha: 1 us, beta: 1e-9}\n");
    assert_false(decisions_confirmable(machine, &(struct decide_wish){.model = "lmo", .per_process = true}));
    assert_false(decisions_confirmable(models, &(struct decide_wish){.model = "hockney"}));
    machine_destroy(machine);
    machine_destroy(models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tree_stays_where_it_gains),
                                       cmocka_unit_test(a_mapped_tree_keeps_its_mapping),
                                       cmocka_unit_test(pieces_are_as_small_as_the_port_wants_them),
                                       cmocka_unit_test(what_cannot_be_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
