#include "timing/tests/records.h"

#include "models/machine.h"
#include "timing/serial.h"

#include <unistd.h>

static const char machine_text[] = "# kept\n"
                                   "pevpm_machine: 1\n"
                                   "name: m # kept, too\n"
                                   "nodes: 2\n"
                                   "processes_per_node: 1\n"
                                   "provenance: {measured_by: \"a \\\"person\\\"\"}\n"
                                   "serial:\n"
                                   "  row: 7 ms # goes\n"
                                   "  old: [[1, \"1.5 ms\"], [2, {normal: {mean: 3 ms, sd: 1 us}}]]\n"
                                   "\n"
                                   "# leads to the factors\n"
                                   "node_time_factor: [1, 2]\n"
                                   "models:\n"
                                   "  hockney: {alpha: 1 us, beta: 1 ns}\n";

struct scene {
    struct record records[2];
    struct timings timings;
    char path[40];
};

static void scene_free(struct scene *scene)
{
    timings_free(&scene->timings);
    record_free(&scene->records[0]);
    record_free(&scene->records[1]);
    unlink(scene->path);
}

/* Two nodes; b takes `factor` times as long. */
static void scene_make(struct scene *scene, double factor, const char *machine)
{
    struct diags diags = DIAGS_EMPTY;
    scene->records[0] = record_of("a", 0, block_text("row", "-", 999, 3e6, 2e8), block_text("gemm", "64.5", 20, 1e6, 0),
                                  block_text("gemm", "128", 20, 8e6, 9e6), NULL);
    scene->records[1] = record_of("b", 1, block_text("row", "-", 1000, 3e6 * factor, 0),
                                  block_text("gemm", "64.5", 20, 1e6 * factor, 0),
                                  block_text("gemm", "128", 20, 8e6 * factor, 0), NULL);
    assert_int_equal(timings_make(&scene->timings, scene->records, 2, &diags), STATUS_OK);
    diags_free(&diags);
    strcpy(scene->path, "/tmp/pevpm-serial-XXXXXX");
    int file = mkstemp(scene->path);
    assert_true(file >= 0 && write(file, machine, strlen(machine)) == (ssize_t)strlen(machine));
    close(file);
}

static struct machine *read_machine(const char *text)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    enum status status = machine_read_text(&machine, "m", text, strlen(text), &diags);
    diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    diags_free(&diags);
    return machine;
}

/* Means and tails reach the machine as they were measured. */
static void test_distributions(void **state)
{
    (void)state;
    struct scene scene;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    scene_make(&scene, 1, machine_text);
    assert_int_equal(serial_merge(&scene.timings, SERIAL_AUTO, scene.path, &text, &diags), STATUS_OK);
    assert_said(&diags, "node_time_factor stays and multiplies these times, too");
    struct machine *machine = read_machine(text);
    const struct machine_serial *row = machine_serial_find(machine, "row");
    const struct machine_serial *gemm = machine_serial_find(machine, "gemm");
    assert_non_null(row);
    assert_int_equal(row->n, 0);
    assert_near(row->times[0].average, (1999 * 3e-3 + 0.2) / 2000, 1e-9);
    assert_near(distribution_mean(&row->times[0]), (1999 * 3e-3 + 0.2) / 2000, 0.008 * 3e-3);
    assert_true(row->times[0].minimum == 3e-3);
    assert_near(distribution_quantile(&row->times[0], 1), 0.2, 0);
    assert_true(distribution_quantile(&row->times[0], 0.9994) < 3.1e-3);
    assert_int_equal(gemm->n, 2);
    assert_true(gemm->argument[0] == 64.5 && gemm->argument[1] == 128);
    assert_true(distribution_is_constant(&gemm->times[0]) && gemm->times[0].t[0] == 1e-3);
    machine_destroy(machine);
    free(text);
    scene_free(&scene);
}

/* What was not measured stays: comments, provenance, models, other computations. */
static void test_kept(void **state)
{
    (void)state;
    struct scene scene;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    scene_make(&scene, 1, machine_text);
    assert_int_equal(serial_merge(&scene.timings, SERIAL_POOL, scene.path, &text, &diags), STATUS_OK);
    diags_free(&diags);
    assert_memory_equal(text, machine_text, (size_t)(strstr(machine_text, "  row") - machine_text));
    assert_non_null(strstr(text, strstr(machine_text, "\n\n# leads")));
    assert_null(strstr(text, "7 ms"));
    struct machine *machine = read_machine(text);
    const struct machine_serial *old = machine_serial_find(machine, "old");
    assert_true(old && old->n == 2 && old->times[0].t[0] == 1.5e-3 && old->times[1].average == 3e-3);
    machine_destroy(machine);
    free(text);
    scene_free(&scene);
}

static void test_factors(void **state)
{
    (void)state;
    struct scene scene;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    scene_make(&scene, 1.5, machine_text);
    assert_int_equal(serial_merge(&scene.timings, SERIAL_AUTO, scene.path, &text, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    struct machine *machine = read_machine(text);
    assert_true(machine->n_factors == 2 && machine->factors[0] == 1);
    assert_near(machine->factors[1], 1.5, 0.01);
    const struct machine_serial *row = machine_serial_find(machine, "row");
    assert_near(distribution_quantile(&row->times[0], 0.75), 3e-3, 0.03e-3);
    machine_destroy(machine);
    free(text);
    text = serial_text(&scene.timings, SERIAL_AUTO);
    assert_non_null(strstr(text, "\nnode_time_factor: [1, 1."));
    free(text);
    scene_free(&scene);
}

/* measured(row, node) */
static void test_per_node(void **state)
{
    (void)state;
    static const char head[] = "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\nmodels:\n"
                               "  hockney: {alpha: 1 us, beta: 1 ns}";
    struct scene scene;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    scene_make(&scene, 1.5, head);
    assert_int_equal(serial_merge(&scene.timings, SERIAL_PER_NODE, scene.path, &text, &diags), STATUS_OK);
    struct machine *machine = read_machine(text);
    const struct machine_serial *row = machine_serial_find(machine, "row");
    const struct machine_serial *gemm = machine_serial_find(machine, "gemm");
    assert_int_equal(machine->n_factors, 0);
    assert_true(row->n == 2 && row->argument[0] == 0 && row->argument[1] == 1);
    assert_near(distribution_quantile(&row->times[0], 0.5), 3e-3, 0.03e-3);
    assert_near(row->times[1].average, 4.5e-3, 1e-9);
    assert_near(gemm->times[0].average, 1.25e-3, 1e-9);
    machine_destroy(machine);
    free(text);
    scene_free(&scene);
}

static void refused(double factor, const char *machine, enum status wanted, const char *message)
{
    struct scene scene;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    scene_make(&scene, factor, machine);
    assert_int_equal(serial_merge(&scene.timings, SERIAL_AUTO, scene.path, &text, &diags), wanted);
    assert_null(text);
    assert_said(&diags, message);
    scene_free(&scene);
}

static void test_refused(void **state)
{
    (void)state;
    refused(1, "{pevpm_machine: 1, name: m, nodes: 2, processes_per_node: 1, models: {hockney: {alpha: 1, beta: 1}}}\n",
            STATUS_SCHEMA, "the top level stands in braces or is indented");
    refused(1.5, "pevpm_machine: 1\nname: m\nnodes: 1\nprocesses_per_node: 1\nmodels: {hockney: {alpha: 1, beta: 1}}\n",
            STATUS_SCHEMA, "the records are of 2 nodes, the machine has 1");
    refused(1, "pevpm_machine: [\n", STATUS_SYNTAX, "error");
    refused(1, "pevpm_machine: 1\nnome: m\n", STATUS_SCHEMA, "did you mean `name`");
    struct scene scene;
    struct diags diags = DIAGS_EMPTY;
    char *text;
    scene_make(&scene, 1, machine_text);
    assert_int_equal(serial_merge(&scene.timings, SERIAL_AUTO, "/nowhere/m.yaml", &text, &diags), STATUS_IO);
    assert_said(&diags, "/nowhere/m.yaml");
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_kept), cmocka_unit_test(test_factors),
        cmocka_unit_test(test_per_node), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
