/* Which entry of `collectives:` serves an operation, and the times between those measured. */
#include "models/collective_time.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct machine *read_text(const char *collectives)
{
    char text[2000];
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    snprintf(text, sizeof text, "pevpm_machine: 1\nname: m\nnodes: 64\ncollectives:\n%s", collectives);
    if (machine_read_text(&machine, "m.yaml", text, strlen(text), &diags) != STATUS_OK)
        diags_print(&diags, stderr);
    assert_int_equal(diags.n, 0);
    diags_free(&diags);
    return machine;
}

static void an_operation_with_a_request_takes_what_its_blocking_form_has(void **state)
{
    (void)state;
    struct machine *m = read_text("  MPI_Bcast: {algorithm: chain}\n  MPI_Ibcast: {algorithm: linear}\n"
                                  "  MPI_Allreduce: {algorithm: ring}\n");
    assert_string_equal(collective_time_find(m, "MPI_Ibcast", "MPI_Bcast")->algorithm, "linear");
    assert_string_equal(collective_time_find(m, "MPI_Bcast", "MPI_Bcast")->algorithm, "chain");
    assert_string_equal(collective_time_find(m, "MPI_Iallreduce", "MPI_Allreduce")->algorithm, "ring");
    assert_null(collective_time_find(m, "MPI_Scan", "MPI_Scan"));
    machine_destroy(m);
}

/* The sum of the parts' averages. */
static double average(const struct machine_collective *c, int numprocs, int64_t bytes, bool root)
{
    struct mix mix;
    double value = 0;
    if (!collective_time_mix(c, numprocs, bytes, root, &mix))
        return -1;
    for (int i = 0; i < mix.n; i++)
        value += mix.weight[i] * mix.part[i]->average;
    return value;
}

static void times_are_linear_between_sizes_and_processes(void **state)
{
    (void)state;
    struct machine *m = read_text(
        "  MPI_Reduce:\n    measured:\n"
        "      - {numprocs: 4, bytes: 100, time: 2, root_time: 20}\n"
        "      - {numprocs: 4, bytes: 300, time: 4}\n"
        "      - {numprocs: 12, bytes: 100, time: {uniform: {low: 8, high: 12}}, root_time: 30}\n");
    const struct machine_collective *c = collective_time_find(m, "MPI_Reduce", "MPI_Reduce");
    const struct {
        int numprocs, bytes;
        bool root;
        double expected;
    } cases[] = {
        {4, 100, false, 2}, {4, 100, true, 20},  {4, 200, false, 3},  {4, 200, true, 12},  {4, 10, false, 2},
        {4, 400, false, 5}, {12, 900, false, 10}, {6, 100, false, 4}, {6, 200, false, 4.75}, {8, 100, true, 25},
        {3, 100, false, -1}, {13, 100, false, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double found = average(c, cases[i].numprocs, cases[i].bytes, cases[i].root);
        if (fabs(found - cases[i].expected) > 1e-12)
            fail_msg("%d processes, %d bytes: %.17g instead of %g", cases[i].numprocs, cases[i].bytes, found,
                     cases[i].expected);
    }
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operation_with_a_request_takes_what_its_blocking_form_has),
        cmocka_unit_test(times_are_linear_between_sizes_and_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
