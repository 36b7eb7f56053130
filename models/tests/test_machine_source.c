#include "models/machine_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "pevpm_machine: 1\n"
                           "name: small\n"
                           "nodes: 4\n"
                           "provenance:\n"
                           "  measured_by: pevpm-bench\n"
                           "  hosts:\n"
                           "    rank 0: h1\n"
                           "    others: [h2, h3]\n"
                           "  none:\n"
                           "point_to_point:\n"
                           "  - operation: MPI_Send\n"
                           "    pattern: pairs\n"
                           "    nodes: 2\n"
                           "    processes_per_node: 1\n"
                           "    level: 2\n"
                           "    sizes:\n"
                           "      - bytes: 0\n"
                           "        transit: {edges: [98.5 us, 99.5 us, 120 us], counts: [298, 1], average: 99.1 us}\n"
                           "        send_overhead: {gamma: {shape: 2.385, scale: 1.5 us, shift: 8 us}}\n"
                           "      - bytes: 1024\n"
                           "        transit: {start: 0.2 ms, width: 5 us, counts: [3, 0, 4]}\n"
                           "        send_overhead: 12 us\n"
                           "        receive_overhead: {quantiles: [[0, 1 us], [1, 3 us]]}\n"
                           "ports:\n"
                           "  out_gap: [[0, {value: 12 us, ci95: 250 ns, experiments: 7}], [1024, 1 ms]]\n"
                           "  credit: {value: 1 ms, ci95: [0.75 ms, 1.25 ms], experiments: 3}\n"
                           "serial:\n"
                           "  row: {weibull: {shape: 1.7, scale: 2 ms}, minimum: 120 us}\n";

/* The file, read from a temporary one. */
static enum status read_text(const char *content, struct machine **machine, struct machine_source *source)
{
    struct diags diags = DIAGS_EMPTY;
    char path[] = "/tmp/test_machine_source.XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(content, file);
    fclose(file);
    *source = (struct machine_source)MACHINE_SOURCE_EMPTY;
    enum status status = machine_read_whole(machine, source, path, &diags);
    assert_int_equal(diags.n_errors > 0, status != STATUS_OK);
    unlink(path);
    diags_free(&diags);
    return status;
}

static char *written(const struct machine *machine, const struct machine_source *source)
{
    char *made = NULL;
    size_t length;
    FILE *out = open_memstream(&made, &length);
    const struct machine_write_options options = machine_source_options(source);
    machine_write_stream(machine, &options, out);
    fclose(out);
    return made;
}

static void test_forms(void **state)
{
    (void)state;
    struct machine *machine;
    struct machine_source source;
    assert_int_equal(read_text(text, &machine, &source), STATUS_OK);
    const struct machine_size *sizes = machine->entries[0].sizes;
    assert_int_equal(source.n_forms, 4);
    const struct machine_form *form = machine_source_form(&source, &sizes[0].transit);
    assert_non_null(form);
    assert_int_equal(form->kind, FORM_HISTOGRAM);
    assert_int_equal(form->n, 2);
    assert_true(form->counts[0] == 298 && form->edges[2] == 120 * 1e-6);
    form = machine_source_form(&source, &sizes[0].send_overhead);
    assert_true(form->kind == FORM_LAW && form->law == LAW_gamma && form->a == 2.385 && form->shift == 8 * 1e-6);
    form = machine_source_form(&source, &sizes[1].transit);
    assert_true(form->kind == FORM_HISTOGRAM && form->n == 3 && form->counts[2] == 4);
    assert_true(machine_source_form(&source, &machine->serials[0].times[0])->law == LAW_weibull);
    assert_null(machine_source_form(&source, &sizes[1].send_overhead));
    assert_null(machine_source_form(&source, &sizes[1].receive_overhead));
    machine_destroy(machine);
    machine_source_free(&source);
}

/* What is written is the file again: forms, statistics beside them, provenance; and writing that is the same. */
static void test_round_trip(void **state)
{
    (void)state;
    struct machine *machine, *again;
    struct machine_source source, source_again;
    assert_int_equal(read_text(text, &machine, &source), STATUS_OK);
    char *first = written(machine, &source);
    assert_int_equal(read_text(first, &again, &source_again), STATUS_OK);
    char *second = written(again, &source_again);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "\nprovenance:\n  measured_by: pevpm-bench\n  hosts:\n    \"rank 0\": h1\n"
                                  "    others:\n      \"1\": h2\n      \"2\": h3\n  none: \"\"\n"));
    assert_non_null(strstr(first, "transit: {edges: [98.5 us, 99.5 us, 120 us], counts: [298, 1], "
                                  "average: 99.1 us}\n"));
    assert_non_null(strstr(first, "send_overhead: {gamma: {shape: 2.385, scale: 1.5 us, shift: 8 us}}\n"));
    assert_non_null(strstr(first, "{value: 12 us, ci95: 250 ns, experiments: 7}], [1024, 1 ms]]"));
    assert_non_null(strstr(first, "credit: {value: 1 ms, ci95: 250 us, experiments: 3}"));
    assert_non_null(strstr(first, "{weibull: {shape: 1.7, scale: 2 ms}, minimum: 120 us}"));
    free(first);
    free(second);
    machine_destroy(machine);
    machine_destroy(again);
    machine_source_free(&source);
    machine_source_free(&source_again);
}

static void test_other_provenance(void **state)
{
    (void)state;
    struct machine *machine;
    struct machine_source source;
    assert_int_equal(read_text("pevpm_machine: 1\nname: a\nnodes: 1\nprovenance: by hand\n", &machine, &source),
                     STATUS_OK);
    assert_int_equal(source.n_notes, 1);
    assert_string_equal(source.notes[0].key, "text");
    assert_string_equal(source.notes[0].value, "by hand");
    machine_destroy(machine);
    machine_source_free(&source);
}

static void test_statuses(void **state)
{
    (void)state;
    struct machine *machine;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(machine_read_whole(&machine, &source, "/nowhere/a.yaml", &diags), STATUS_IO);
    diags_free(&diags);
    assert_int_equal(read_text("pevpm_machine: [\n", &machine, &source), STATUS_SYNTAX);
    machine_source_free(&source);
    assert_int_equal(read_text("pevpm_machine: 1\nname: a\nnodes: 0\nserial: {row: {edges: [1, 2], counts: [3]}}\n",
                               &machine, &source),
                     STATUS_SCHEMA);
    assert_null(machine);
    machine_source_free(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_other_provenance),
        cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
