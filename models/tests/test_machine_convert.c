#include "models/machine_convert.h"

#include "common/alloc.h"
#include "common/tests/said.h"
#include "models/machine_write.h"
#include "models/node_kind.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD "name: m\nnodes: 6\npoint_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n" \
             "    processes_per_node: 1\n    level: 1\n    sizes:\n      - bytes: 0\n        transit: 1 ms\n"
#define OVERFLOW "{edges: [0, 1 ms, 300 ms], counts: [5, 1]}"

static const char format_1[] =
    "pevpm_machine: 1\n" HEAD
    "ports:\n"
    "  out_gap: [[0, 10 us], [1000, {value: 900 us, ci95: 2 us, experiments: 5}]]\n"
    "  in_gap: [[0, 12 us]]\n"
    "  reverse_gap: [[0, 0], [1000, {value: 20 us, ci95: 1 us, experiments: 5}]]\n"
    "  frame: 1448\n  buffer: 25 ms\n  credit: {value: 1.2 ms, ci95: 5 us, experiments: 4}\n"
    "  overflow: " OVERFLOW "\n  common_gap: [[0, 8 us]]\n"
    "  measured_after: 3 ms\n  rest_delay: [[0, 0], [100 us, 3 us]]\n"
    "  per_node: [{}, {credit: 2 ms}, {}, {in_gap: [[0, 40 us]], credit: 2 ms, buffer: 5 ms}, {}, {credit: 2 ms}]\n";

/* Without confidence where the first node says the default's. */
static const char format_2[] =
    "resources:\n"
    "  - scope: node\n    direction: out\n    of: \"0,2,4\"\n    demand: [[0, 10 us], [1000, 900 us]]\n"
    "    acknowledgements: [[0, 0], [1000, 20 us]]\n    credit: 1.2 ms\n    frame: 1448\n"
    "  - scope: node\n    direction: in\n    of: \"0,2,4\"\n    demand: [[0, 12 us]]\n"
    "    acknowledgements: [[0, 0], [1000, 20 us]]\n    credit: 1.2 ms\n    frame: 1448\n    buffer: 25 ms\n"
    "    overflow: " OVERFLOW "\n"
    "  - scope: node\n    direction: out\n    of: \"1,5\"\n    demand: [[0, 10 us], [1000, 900 us]]\n"
    "    acknowledgements: [[0, 0], [1000, 20 us]]\n    credit: 2 ms\n    frame: 1448\n"
    "  - scope: node\n    direction: in\n    of: \"1,5\"\n    demand: [[0, 12 us]]\n"
    "    acknowledgements: [[0, 0], [1000, 20 us]]\n    credit: 2 ms\n    frame: 1448\n    buffer: 25 ms\n"
    "    overflow: " OVERFLOW "\n"
    "  - scope: node\n    direction: out\n    of: \"3\"\n    demand: [[0, 10 us], [1000, 900 us]]\n"
    "    acknowledgements: [[0, 0], [1000, 20 us]]\n    credit: 2 ms\n    frame: 1448\n"
    "  - scope: node\n    direction: in\n    of: \"3\"\n    demand: [[0, 40 us]]\n"
    "    acknowledgements: [[0, 0], [1000, 20 us]]\n    credit: 2 ms\n    frame: 1448\n    buffer: 5 ms\n"
    "    overflow: " OVERFLOW "\n"
    "  - scope: all\n    demand: [[0, 8 us]]\n"
    "rests:\n  measured_after: 3 ms\n  delay: [[0, 0], [100 us, 3 us]]\n";

static struct machine *read_whole(const char *text, struct machine_source *source)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    char path[] = "/tmp/test_machine_convert.XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    *source = (struct machine_source)MACHINE_SOURCE_EMPTY;
    enum status status = machine_read_whole(&machine, source, path, &diags);
    if (status != STATUS_OK)
        diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    unlink(path);
    diags_free(&diags);
    return machine;
}

/* The text of the file as it is written once it has been converted. */
static char *converted(const char *text)
{
    struct machine_source source;
    struct machine *machine = read_whole(text, &source);
    char *written = NULL;
    size_t length;
    machine_convert(machine, &source);
    struct machine_write_options options = machine_source_options(&source);
    FILE *out = open_memstream(&written, &length);
    machine_write_stream(machine, &options, out);
    fclose(out);
    machine_destroy(machine);
    machine_source_free(&source);
    return written;
}

static void ports_become_resources(void **state)
{
    (void)state;
    char *text = converted(format_1);
    const char *tail = strstr(text, "resources:");
    assert_non_null(tail);
    assert_string_equal(tail, format_2);
    assert_int_equal(strncmp(text, "pevpm_machine: 2\n", 17), 0);
    char *again = converted(text);
    assert_string_equal(again, text);
    free(again);
    free(text);
}

static void what_is_known_of_numbers_stays(void **state)
{
    (void)state;
    char *text = converted("pevpm_machine: 1\n" HEAD
                           "ports: {out_gap: [[0, {value: 10 us, ci95: 1 us, experiments: 5}]], in_gap: [[0, 1 us]], "
                           "reverse_gap: [[0, {value: 2 us, ci95: 3 us, experiments: 5}]], shared_by: process, "
                           "credit: {value: 1 ms, ci95: 5 us, experiments: 4}}\n");
    const char *tail = strstr(text, "resources:");
    assert_non_null(tail);
    assert_string_equal(tail, "resources:\n"
                              "  - scope: process\n    direction: out\n"
                              "    demand: [[0, {value: 10 us, ci95: 1 us, experiments: 5}]]\n"
                              "    acknowledgements: [[0, {value: 2 us, ci95: 3 us, experiments: 5}]]\n"
                              "    credit: {value: 1 ms, ci95: 5 us, experiments: 4}\n"
                              "  - scope: process\n    direction: in\n    demand: [[0, 1 us]]\n"
                              "    acknowledgements: [[0, {value: 2 us, ci95: 3 us, experiments: 5}]]\n"
                              "    credit: {value: 1 ms, ci95: 5 us, experiments: 4}\n");
    free(text);
}

static void all_keys_are_written_as_they_stood(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm_machine: 2\nname: m\nnodes: 8\nprocesses_per_node: 2\n"
        "topology:\n  hosts: \"n[0-7]\"\n  groups:\n    left: \"n[0-3]\"\n    right: \"4-7\"\n    hall: [left, right]\n"
        "resources:\n"
        "  - scope: process\n    direction: both\n    transport: node\n    of: left\n    demand: [[0, 1 us]]\n"
        "  - scope: group\n    direction: in\n    of: [left, hall]\n    demand: [[0, 1 us], [1000, 2 us]]\n"
        "    credit: 1 ms\n"
        "  - scope: node\n    direction: both\n    demand: [[0, 1 us]]\n    frame: 1448\n    rails: 2\n"
        "handshakes: {known: 0.062, known_after_rest: 0.35, known_after_wait: [[50 us, 0.125], [3 ms, 1]]}\n";
    char *written = converted(text);
    assert_string_equal(written, text);
    free(written);
}

static void a_machine_without_ports_has_none(void **state)
{
    (void)state;
    char *text = converted("pevpm_machine: 1\n" HEAD);
    assert_null(strstr(text, "resources"));
    free(text);
}

/* Nodes 1 and 5 are alike, and so are 0, 2 and 4. */
static void nodes_have_kinds(void **state)
{
    (void)state;
    char *text = converted(format_1);
    const char *const forms[] = {format_1, text};
    for (int i = 0; i < 2; i++) {
        struct machine_source source;
        struct machine *machine = read_whole(forms[i], &source);
        struct node_kinds kinds;
        node_kinds_init(&kinds, machine);
        assert_int_equal(kinds.n, 3);
        for (int node = 0; node < 12; node++) {
            static const uint32_t expected[] = {0, 1, 0, 2, 0, 1};
            const struct node_kind *kind = &kinds.kinds[node_kind_of(&kinds, node)];
            assert_int_equal(node_kind_of(&kinds, node), expected[node % 6]);
            assert_true(kind->out->credit == (node % 2 ? 2e-3 : 1.2e-3));
            assert_true(kind->in->buffer == (node % 6 == 3 ? 5e-3 : 25e-3));
            assert_true(kind->out->buffer == 0 && kinds.all->demand.time[0] == 8e-6);
        }
        node_kinds_free(&kinds);
        machine_destroy(machine);
        machine_source_free(&source);
    }
    free(text);
}

static void transports_are_kept(void **state)
{
    (void)state;
    static const char transports[] = "eager_limit: 900\ntransports:\n  node: {eager_limit: 400, rendezvous: get}\n";
    char *text = alloc_format("%s%s", format_1, transports), *written = converted(text);
    assert_non_null(strstr(written, transports));
    free(written);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transports_are_kept),
        cmocka_unit_test(ports_become_resources),   cmocka_unit_test(what_is_known_of_numbers_stays),
        cmocka_unit_test(all_keys_are_written_as_they_stood), cmocka_unit_test(a_machine_without_ports_has_none),
        cmocka_unit_test(nodes_have_kinds),
    };
    return cmocka_run_group_tests_name("machine convert", tests, NULL, NULL);
}
