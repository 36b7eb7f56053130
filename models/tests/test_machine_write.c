#include "models/machine_write.h"

#include "common/alloc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SMALL "models/tests/small.yaml"

static char *written(const struct machine *machine, const struct machine_write_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    machine_write_stream(machine, options, out);
    fclose(out);
    return text;
}

static struct machine *read_again(const char *text)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    enum status status = machine_read_text(&machine, "written", text, strlen(text), &diags);
    if (status != STATUS_OK)
        diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    diags_free(&diags);
    return machine;
}

static struct machine *small_read(void)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    assert_int_equal(machine_read(&machine, SMALL, &diags), STATUS_OK);
    diags_free(&diags);
    return machine;
}

static void assert_same_distribution(const struct distribution *a, const struct distribution *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->p, b->p, a->n * sizeof *a->p);
    assert_memory_equal(a->t, b->t, a->n * sizeof *a->t);
    assert_memory_equal(&a->minimum, &b->minimum, sizeof a->minimum);
    assert_memory_equal(&a->average, &b->average, sizeof a->average);
}

/* Every number of a file with every part comes back as the same bits, and the second writing is the first. */
static void test_round_trip(void **state)
{
    (void)state;
    struct machine *machine = small_read();
    char *first = written(machine, NULL);
    struct machine *again = read_again(first);
    char *second = written(again, NULL);
    assert_string_equal(first, second);
    assert_int_equal(machine->n_entries, again->n_entries);
    for (size_t i = 0; i < machine->n_entries; i++)
        assert_int_equal(machine->entries[i].transport, again->entries[i].transport);
    assert_non_null(strstr(first, "\n    level: 1\n    transport: self\n    sizes:\n"));
    for (size_t i = 0; i < machine->n_entries; i++)
        for (size_t j = 0; j < machine->entries[i].n_sizes; j++)
            assert_same_distribution(&machine->entries[i].sizes[j].transit, &again->entries[i].sizes[j].transit);
    assert_same_distribution(&machine->serials[0].times[0], &again->serials[0].times[0]);
    assert_non_null(strstr(first, "\nmpi: mpich\n"));
    assert_non_null(strstr(first, "\nserial_variability:\n  per_run: 1.02\n"
                                  "  per_call: {quantiles: [[0, 0.75], [1, 1.5]]}\n"));
    assert_true(again->has_library && again->library == LIBRARY_mpich);
    assert_same_distribution(&machine->variability[VARIABILITY_per_call], &again->variability[VARIABILITY_per_call]);
    assert_memory_equal(machine->ports.out_gap.time, again->ports.out_gap.time, 2 * sizeof(double));
    for (int l = 0; l < 2; l++) {
        const struct machine_surface *wrote = &machine->lmo->probability[l], *read = &again->lmo->probability[l];
        const size_t n = l == 0 ? 6 : 4;
        assert_memory_equal(wrote->low, read->low, n * sizeof *wrote->low);
        assert_memory_equal(wrote->high, read->high, n * sizeof *wrote->high);
    }
    assert_memory_equal(machine->lmo->probability[1].coefficients, again->lmo->probability[1].coefficients,
                        4 * sizeof(double));
    assert_memory_equal(machine->plogp_hetero->g[5].time, again->plogp_hetero->g[5].time, 2 * sizeof(double));
    assert_non_null(strstr(first, "\n  credit: 1.28 ms\n"));
    assert_non_null(strstr(first, "\n  measured_after: 3 ms\n  rest_delay: [[0, 0], [1 ms, 3 us], [100 ms, 30 us]]\n"));
    assert_memory_equal(machine->rest_delay.bytes, again->rest_delay.bytes, 3 * sizeof(double));
    assert_non_null(strstr(first, "\neager_limit: 16384\ntransports:\n  network: {connect: {message: 500 us, call: 0, "
                                  "late: 250 us, shared: 0, listen: 10 ms}}\n  node: {rendezvous: get}\n  self: {eager_limit: 700}\nprogress: async\nmpi: mpich\nlaunches: 5\n"));
    free(first);
    free(second);
    machine_destroy(machine);
    machine_destroy(again);
}

/* Sockets, what is said of messages within them, and of what they wait for. */
static void test_sockets(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm_machine: 2\nname: m\nnodes: 3\nprocesses_per_node: 8\nprocessors_per_node: 6\nsockets_per_node: 2\n"
        "socket_map: block\neager_limit: 4096\ntransports:\n  node: {eager_limit: 2048, rendezvous: get}\n"
        "  socket: {eager_limit: 1024, rendezvous: permit, unread_limit: 256}\npoint_to_point:\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 2 us}]}\n"
        "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, transport: socket, sizes: [{bytes: 0, transit: 1 us}]}\n"
        "resources:\n  - {scope: socket, transport: socket, direction: both, of: 0-1, demand: [[0, 3 us]]}\n";
    struct machine *machine = read_again(text);
    char *first = written(machine, &(struct machine_write_options){0});
    struct machine *again = read_again(first);
    char *second = written(again, &(struct machine_write_options){0});
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "\nprocesses_per_node: 8\nprocessors_per_node: 6\nsockets_per_node: 2\nsocket_map: block\n"
                                  "eager_limit: 4096\ntransports:\n"
                                  "  node: {eager_limit: 2048, rendezvous: get}\n"
                                  "  socket: {eager_limit: 1024, rendezvous: permit, unread_limit: 256}\n"));
    assert_non_null(strstr(first, "\n    level: 2\n    transport: socket\n    sizes:\n"));
    assert_non_null(strstr(first, "  - scope: socket\n    direction: both\n    transport: socket\n    of: \"0-1\"\n"));
    assert_int_equal(again->processors, 6);
    assert_int_equal(again->sockets, 2);
    assert_true(again->has_socket_map && again->socket_map == SOCKET_MAP_block);
    assert_true(again->entries[0].transport == TRANSPORT_node && again->entries[1].transport == TRANSPORT_socket);
    assert_true(again->transports[TRANSPORT_socket].eager_limit == 1024);
    assert_true(again->resources[0].scope == RESOURCE_OF_socket && again->resources[0].transport == TRANSPORT_socket);
    free(first);
    free(second);
    machine_destroy(machine);
    machine_destroy(again);
}

/* LMO with one set of parameters for all nodes, and the forms of 2007, whose kappa are factors. */
static void test_lmo_of_like_nodes(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm_machine: 1\nname: m\nnodes: 3\nprocesses_per_node: 1\nmodels:\n"
        "  lmo: {C: 10 us, t: 2 ns, beta: 1e8, forms: 2007, gather: {kappa1: 0.33, kappa2: 1.95}}\n";
    struct machine *machine = read_again(text);
    char *again = written(machine, &(struct machine_write_options){0});
    assert_non_null(strstr(again, "  lmo:\n    C: 10 us\n    t: 2 ns\n    beta: 100000000\n    forms: 2007\n"
                                    "    gather: {kappa1: 0.33, kappa2: 1.95}\n"));
    free(again);
    machine_destroy(machine);
}

/* What was fitted beyond LMO's formulas, of small and of large shares. */
static void test_beyond_the_formulas(void **state)
{
    (void)state;
    static const char flat[] =
        "    scatter: {S: 65536, kappa1: -3 ns, small: {offset: -1.25 ms, C: 2 us, t: 1 ns}, kappa2: 0}\n"
        "    gather: {kappa1: 1 ns, kappa2: 2 ns, large: {offset: 1 ms, C: 0, t: -1 ns}}\n";
    char *text = alloc_format("pevpm_machine: 1\nname: m\nnodes: 3\nprocesses_per_node: 1\nmodels:\n"
                              "  lmo:\n    C: 10 us\n    t: 2 ns\n    beta: 1e8\n%s", flat);
    struct machine *machine = read_again(text);
    char *again = written(machine, &(struct machine_write_options){0});
    assert_non_null(strstr(again, flat));
    free(again);
    free(text);
    machine_destroy(machine);
}

/* Forms stand as they were given; what the form does not give stands beside it. */
static void test_forms(void **state)
{
    (void)state;
    struct machine *machine = small_read();
    struct distribution *histogram = &machine->entries[0].sizes[0].transit,
                        *law = &machine->entries[0].sizes[1].transit;
    const double edges[] = {5.69 * 1e-3, 5.75 * 1e-3, 200.1 * 1e-3, 200.2 * 1e-3}, counts[] = {298, 0, 1};
    distribution_free(histogram);
    distribution_histogram(histogram, 3, edges, counts);
    histogram->average = 6.385 * 1e-3;
    distribution_free(law);
    distribution_law(law, LAW_gamma, 2.385, 1.5 * 1e-6, 98.5 * 1e-6);
    const struct machine_form forms[] = {
        {.of = law, .kind = FORM_LAW, .law = LAW_gamma, .a = 2.385, .b = 1.5 * 1e-6, .shift = 98.5 * 1e-6},
        {.of = histogram, .kind = FORM_HISTOGRAM, .n = 3, .edges = edges, .counts = counts}};
    const struct machine_note notes[] = {{0, "measured_by", "pevpm-bench"},
                                         {0, "hosts", NULL},
                                         {1, "rank 0", "h\"1\\ \t"},
                                         {0, "yes", "1e3"}};
    char *text =
        written(machine, &(struct machine_write_options){.n_forms = 2, .n_notes = 4, .forms = forms, .notes = notes});
    assert_non_null(strstr(text, "transit: {edges: [5.69 ms, 5.75 ms, 200.1 ms, 200.2 ms], counts: [298, 0, 1], "
                                 "average: 6.385 ms}\n"));
    assert_non_null(strstr(text, "transit: {gamma: {shape: 2.385, scale: 1.5 us, shift: 98.5 us}}\n"));
    assert_non_null(strstr(text, "provenance:\n  measured_by: pevpm-bench\n  hosts:\n"
                                 "    \"rank 0\": \"h\\\"1\\\\ \\x09\"\n  \"yes\": \"1e3\"\n"));
    struct machine *again = read_again(text);
    assert_same_distribution(histogram, &again->entries[0].sizes[0].transit);
    assert_same_distribution(law, &again->entries[0].sizes[1].transit);
    free(text);
    machine_destroy(machine);
    machine_destroy(again);
}

/* Numbers known to a part only, the spread between launches, and the model error. */
static void test_fitted(void **state)
{
    (void)state;
    struct machine *machine = small_read();
    machine->has_model_error = true;
    machine->model_error = (struct machine_model_error){0.0214, 4e-4, 4, 0.4, 0.5, 28, 1142};
    const struct machine_fitted fitted[] = {{&machine->ports.credit, 20 * 1e-6, 5},
                                            {&machine->ports.out_gap.time[1], 1.5 * 1e-6, 3}};
    machine->entries[0].sizes[1].launch_sd = 0.0125;
    machine->ports.out_gap.time[1] = 900 * 1e-6;
    char *text = written(machine, &(struct machine_write_options){.n_fitted = 2, .fitted = fitted});
    assert_non_null(strstr(text, "\n  credit: {value: 1.28 ms, ci95: 20 us, experiments: 5}\n"));
    assert_non_null(strstr(text, ", {value: 900 us, ci95: 1.5 us, experiments: 3}]"));
    assert_non_null(strstr(text, "\n        launch_sd: 0.0125\n"));
    assert_non_null(strstr(text, "\nmodel_error:\n  communication: 0.0214\n  computation: 0.0004\n  stretch: 4\n"
                                 "  spread_power: 0.4\n  share_power: 0.5\n  runs: 28\n"
                                 "  elsewhere: 1142\nmodels:\n"));
    struct machine *again = read_again(text);
    assert_true(again->has_model_error && again->model_error.communication == 0.0214);
    assert_true(again->model_error.computation == 4e-4 && again->model_error.stretch == 4 &&
                again->model_error.spread_power == 0.4 && again->model_error.share_power == 0.5 && again->model_error.runs == 28 &&
                again->model_error.elsewhere == 1142);
    assert_true(again->ports.credit == machine->ports.credit);
    assert_true(again->entries[0].sizes[1].launch_sd == 0.0125 && again->entries[0].sizes[0].launch_sd == 0);
    free(text);
    machine_destroy(machine);
    machine_destroy(again);
}

/* Times that are hard to write: no unit gives their last bit back, or they are tiny. */
static void test_numbers(void **state)
{
    (void)state;
    struct machine *machine = read_again("pevpm_machine: 1\nname: m\nnodes: 2\n"
                                         "ports: {out_gap: [[0, 1 us]], in_gap: [[0, 1 us]], credit: 1 us}\n");
    uint64_t bits = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 2000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        machine->ports.credit = (double)(bits >> 11) * ldexp(1, -53 - (int)(bits % 40));
        char *text = written(machine, NULL);
        struct machine *again = read_again(text);
        assert_memory_equal(&machine->ports.credit, &again->ports.credit, sizeof(double));
        machine_destroy(again);
        free(text);
    }
    machine_destroy(machine);
}

static void test_files(void **state)
{
    (void)state;
    struct machine *machine = small_read();
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(machine_write(machine, NULL, "/nowhere/m.yaml", &diags), STATUS_IO);
    assert_int_equal(diags.n_errors, 1);
    diags_free(&diags);
    char path[] = "/tmp/pevpm-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(machine_write(machine, NULL, path, &diags), STATUS_OK);
    struct machine *again;
    assert_int_equal(machine_read(&again, path, &diags), STATUS_OK);
    unlink(path);
    diags_free(&diags);
    machine_destroy(machine);
    machine_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_sockets), cmocka_unit_test(test_forms),
                                       cmocka_unit_test(test_fitted), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_lmo_of_like_nodes),
                                       cmocka_unit_test(test_beyond_the_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
