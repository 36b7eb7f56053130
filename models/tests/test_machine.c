#include "models/machine.h"

#include "common/alloc.h"
#include "common/tests/said.h"
#include "common/tests/share.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <math.h>
#include <unistd.h>

/* From the root of the project, where `make test` runs. */
#define ERRORS "models/tests/errors"
#define SMALL "models/tests/small.yaml"

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * fabs(expected)))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void assert_constant(const struct distribution *d, double value)
{
    assert_true(distribution_is_constant(d));
    assert_near(d->t[0], value);
}

static char *file_text(const char *path, size_t *length)
{
    FILE *stream = fopen(path, "rb");
    *length = 0;
    if (!stream)
        return NULL;
    size_t capacity = 1 << 16, n;
    char *text = alloc_array(capacity, 1);
    while ((n = fread(text + *length, 1, capacity - *length - 1, stream)) > 0) {
        *length += n;
        if (capacity - *length < 2)
            text = alloc_resize(text, capacity *= 2, 1);
    }
    text[*length] = '\0';
    fclose(stream);
    return text;
}

static struct machine *small_read(void)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    enum status status = machine_read(&machine, SMALL, &diags);
    if (status != STATUS_OK)
        diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diags.n, 0);
    diags_free(&diags);
    return machine;
}

static void top_is_read(void **state)
{
    (void)state;
    struct machine *m = small_read();
    assert_string_equal(m->name, "small");
    assert_string_equal(m->path, SMALL);
    assert_near(m->time_unit, 1e-3);
    assert_int_equal(m->nodes, 3);
    assert_int_equal(m->ppn, 2);
    assert_int_equal(m->eager_limit, 16384);
    bool taken;
    assert_int_equal(machine_eager_limit(m, TRANSPORT_network, &taken), 16384);
    assert_false(taken);
    assert_int_equal(machine_eager_limit(m, TRANSPORT_node, &taken), 16384);
    assert_true(taken);
    assert_int_equal(machine_eager_limit(m, TRANSPORT_self, &taken), 700);
    assert_false(taken);
    assert_true(m->transports[TRANSPORT_node].has_rendezvous && !m->transports[TRANSPORT_node].has_eager_limit);
    assert_int_equal(m->transports[TRANSPORT_node].rendezvous, RENDEZVOUS_get);
    assert_true(m->has_connect);
    assert_near(m->connect.message, 500e-6);
    assert_near(m->connect.late, 250e-6);
    assert_near(m->connect.listen, 10e-3);
    assert_true(m->connect.call == 0 && m->connect.shared == 0);
    assert_int_equal(m->progress, PROGRESS_ASYNC);
    assert_int_equal(m->launches, 5);
    assert_near(m->reduction_gamma, 0.2e-9);
    assert_near(machine_time_factor(m, 2), 1.25);
    assert_near(machine_time_factor(m, 3), 1);
    assert_near(machine_time_factor(m, 5), 1.25);
    machine_destroy(m);
}

static void entries_are_read(void **state)
{
    (void)state;
    struct machine *m = small_read();
    assert_int_equal(m->n_entries, 5);
    const struct machine_entry *e = &m->entries[0];
    assert_true(e->operation == SEND_BLOCKING && e->pattern == PATTERN_pingpong && e->level == 1);
    assert_int_equal(e->n_sizes, 2);
    assert_constant(&e->sizes[0].transit, 100e-6);
    assert_true(e->sizes[0].has_send_overhead && !e->sizes[0].has_receive_overhead);
    assert_int_equal(e->sizes[1].bytes, 1000);
    assert_near(e->sizes[1].transit.minimum, 190e-6);
    assert_near(e->sizes[1].transit.average, 0.25 * 225e-6 + 0.75 * 275e-6);
    assert_near(distribution_quantile(&e->sizes[1].transit, 0.25), 250e-6);
    assert_near(e->sizes[1].receive_overhead.average, 5e-6);
    e = &m->entries[1];
    assert_true(e->pattern == PATTERN_pairs && e->level == 3 && e->nodes == 3 && e->ppn == 1);
    assert_near(distribution_quantile(&e->sizes[0].transit, 0.25), 150e-6);
    assert_near(distribution_quantile(&e->sizes[1].transit, 0.75), 650e-6);
    e = &m->entries[2];
    assert_true(e->operation == SEND_NONBLOCKING && e->level == 4 && e->nodes == 1 && e->ppn == 2);
    assert_constant(&e->sizes[0].transit, 2.385e-6);
    assert_true(e->transport == TRANSPORT_node);
    assert_true(m->entries[3].pattern == PATTERN_fan_in && m->entries[3].transport == TRANSPORT_network);
    e = &m->entries[4];
    assert_true(e->operation == SEND_NONBLOCKING && e->level == 1 && e->nodes == 1 && e->ppn == 1);
    assert_true(e->transport == TRANSPORT_self && e->n_sizes == 2);
    assert_constant(&e->sizes[1].transit, 1.5e-6);
    machine_destroy(m);
}

static void ports_are_read(void **state)
{
    (void)state;
    struct machine *m = small_read();
    assert_true(m->has_ports && !m->ports_per_process);
    assert_near(m->ports.credit, 1.28e-3);
    assert_near(machine_curve_at(&m->ports.out_gap, 0), 12e-6);
    assert_near(machine_curve_at(&m->ports.out_gap, 256), 12e-6 + 0.25 * 888e-6);
    assert_near(machine_curve_at(&m->ports.out_gap, 2048), 900e-6 + 888e-6); /* the last slope goes on */
    assert_near(machine_curve_at(&m->ports.in_gap, 1e9), 10e-6);
    assert_near(m->measured_after, 3e-3);
    assert_near(machine_curve_at(&m->rest_delay, 0.5e-3), 1.5e-6);
    assert_near(machine_curve_at(&m->rest_delay, 100e-3), 30e-6);
    assert_int_equal(m->n_node_ports, 3);
    assert_near(m->node_ports[0].credit, 1.28e-3); /* what a node leaves out is as the default says */
    assert_near(machine_curve_at(&m->node_ports[0].out_gap, 1024), 0.9e-3);
    assert_near(m->node_ports[1].credit, 2e-3);
    assert_near(machine_curve_at(&m->node_ports[1].in_gap, 50), 2e-6);
    assert_near(machine_curve_at(&m->node_ports[2].out_gap, 50), 5e-6);
    machine_destroy(m);
}

static void curves_never_fall_below_zero(void **state)
{
    (void)state;
    struct machine_curve falling = {.n = 2, .bytes = (double[]){10, 20}, .time = (double[]){8, 3}};
    assert_near(machine_curve_at(&falling, 5), 8);
    assert_near(machine_curve_at(&falling, 13), 6.5);
    assert_near(machine_curve_at(&falling, 24), 1);
    assert_true(machine_curve_at(&falling, 30) == 0);
    assert_true(machine_curve_at(&(struct machine_curve){0}, 3) == 0);
}

static void collectives_and_serials_are_read(void **state)
{
    (void)state;
    struct machine *m = small_read();
    assert_int_equal(m->n_collectives, 3);
    assert_string_equal(m->collectives[0].operation, "MPI_Bcast");
    assert_string_equal(m->collectives[0].algorithm, "binomial");
    assert_string_equal(m->collectives[1].model, "lmo");
    assert_true(m->has_library && m->library == LIBRARY_mpich);
    assert_true(m->has_variability[VARIABILITY_per_run] && !m->has_variability[VARIABILITY_per_node]);
    assert_near(m->variability[VARIABILITY_per_run].average, 1.02);
    assert_near(m->variability[VARIABILITY_per_call].average, 1.125);
    assert_int_equal(m->collectives[2].measured[0].numprocs, 16);
    assert_true(m->collectives[2].measured[0].has_root_time);
    assert_near(m->collectives[2].measured[0].root_time.average, 23e-6);
    assert_null(machine_serial_find(m, "stencil"));
    assert_constant(&machine_serial_find(m, "stencil_row")->times[0], 50e-9);
    assert_int_equal(machine_serial_find(m, "stencil_row")->n, 0);
    machine_destroy(m);
}

static void entries_are_named(void **state)
{
    (void)state;
    static const struct {
        enum pattern pattern;
        enum transport transport;
        const char *name;
    } cases[] = {{PATTERN_pingpong, TRANSPORT_network, "pingpong"}, {PATTERN_fan_out, TRANSPORT_node, "fan_out"},
                 {PATTERN_pairs, TRANSPORT_socket, "pairs in a socket"}, {PATTERN_pingpong, TRANSPORT_self, "self"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct machine_entry entry = {.pattern = cases[i].pattern, .transport = cases[i].transport};
        assert_string_equal(machine_entry_pattern(&entry), cases[i].name);
    }
}

static void serial_tables_are_lines(void **state)
{
    (void)state;
    struct machine *m = small_read();
    const struct machine_serial *dgemm = machine_serial_find(m, "dgemm");
    struct mix mix;
    machine_serial_mix(dgemm, 80, &mix); /* a quarter of the way from 64 to 128 */
    assert_int_equal(mix.n, 2);
    assert_near(mix.weight[0] * mix.part[0]->average + mix.weight[1] * mix.part[1]->average,
                0.75 * 1.2e-3 + 0.25 * 10e-3);
    machine_serial_mix(dgemm, 384, &mix); /* beyond the end */
    assert_near(mix.weight[0] * mix.part[0]->average + mix.weight[1] * mix.part[1]->average, 150e-3);
    machine_serial_mix(dgemm, 0, &mix);
    assert_near(mix.weight[0], 2);
    assert_near(mix.weight[1], -1);
    machine_serial_mix(dgemm, 128, &mix);
    assert_true(mix.n == 1 && mix.part[0] == &dgemm->times[1]);
    machine_serial_mix(dgemm, 256, &mix);
    assert_true(mix.n == 1 && mix.part[0] == &dgemm->times[2]);
    machine_serial_mix(machine_serial_find(m, "lone"), 99, &mix);
    assert_true(mix.n == 1 && mix.part[0]->average == 1);
    machine_serial_mix(machine_serial_find(m, "stencil_row"), 0, &mix);
    assert_int_equal(mix.n, 1);
    machine_destroy(m);
}

static void models_are_read(void **state)
{
    (void)state;
    struct machine *m = small_read();
    assert_near(m->hockney->alpha, 177e-6);
    assert_near(m->hockney->beta, 0.0219e-6);
    assert_near(m->hockney_hetero->alpha.value[5], 4e-6);
    assert_near(m->hockney_hetero->beta.value[7], 6e-9);
    assert_near(m->logp->o_r, 2e-6);
    assert_near(m->loggp->o_r, 4e-6);
    assert_near(m->loggp->G, 10e-9);
    assert_near(machine_curve_at(&m->plogp->o_s, 4), 1.5e-6);
    assert_near(m->loggp_hetero->L.value[7], 6e-6);
    assert_near(m->loggp_hetero->g.value[8], 1e-6);
    assert_near(machine_curve_at(&m->plogp_hetero->o_r[5], 4), 3e-6);
    assert_int_equal(m->plogp_hetero->o_r[0].n, 0);
    const struct machine_lmo *lmo = m->lmo;
    assert_true(lmo->is_inverse && lmo->port_limited && lmo->has_kappa && lmo->levels_added);
    assert_near(lmo->C[1], 2e-6);
    assert_near(lmo->t[2], 3e-9);
    assert_near(lmo->beta.value[1], -1e-9);
    assert_near(lmo->gather[0][LMO_BEYOND_kappa], -1e-9);
    assert_near(lmo->scatter_S, 65536);
    assert_near(lmo->levels[1], 0.2);
    assert_near(machine_curve_at(&lmo->M1, 9.5), 3700);
    assert_true(lmo->M1_by_ratio.n == 1 && lmo->M1_by_ratio.bytes[0] == 16 && lmo->M1_by_ratio.time[0] == 2305);
    assert_near(lmo->probability[0].p[4], 0.2);
    assert_true(lmo->probability[1].is_spline && lmo->probability[1].n_coefficients == 4);
    assert_near(lmo->probability[1].coefficients[2], 3);
    assert_near(lmo->dependence, -0.125);
    assert_near(lmo->probability[0].low[4], 0.1);
    assert_near(lmo->probability[0].high[1], 0.75);
    assert_near(lmo->probability[1].low[0], -0.25);
    assert_near(lmo->probability[1].high[2], 3.25);
    machine_destroy(m);
}

static void defaults_are_as_stated(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBFpevpm_machine: 1\nname: 16\nnodes: 1e3\nports: ~\nserial:\n";
    struct diags diags = DIAGS_EMPTY;
    struct machine *m;
    assert_int_equal(machine_read_text(&m, "text", text, strlen(text), &diags), STATUS_OK);
    assert_string_equal(m->name, "16");
    assert_true(m->nodes == 1000 && m->ppn == 1 && m->time_unit == 1 && m->eager_limit == INT64_MAX);
    assert_true(m->progress == PROGRESS_NONE && m->launches == 0 && m->n_entries == 0 && !m->has_ports);
    assert_false(m->has_model_error);
    assert_null(m->hockney);
    assert_near(machine_time_factor(m, 12), 1);
    machine_destroy(m);
    diags_free(&diags);
}

/* Whatever their value is; said of each key once for a file. */
static void keys_of_before_are_ignored(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "pevpm_machine: 1\nname: m\nnodes: 2\nports:\n  out_gap: [[0, 1 us]]\n"
        "  exchange_gap: [[0, 1 kB]]\n  per_node: [{exchange_gap: soon}, {}]\n",
        "pevpm_machine: 2\nname: m\nnodes: 2\nresources:\n"
        "  - scope: node\n    direction: out\n    demand: [[0, 1 us]]\n    exchange: [[0, 1 us]]\n"
        "  - scope: node\n    direction: in\n    demand: [[0, 1 us]]\n    exchange: [[0, 1 us]]\n"};
    static const char *const said[] = {"text:6:3: note: `exchange_gap` is ignored: nothing uses it any more\n",
                                       "text:8:5: note: `exchange` is ignored: nothing uses it any more\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct machine *m;
        assert_int_equal(machine_read_text(&m, "text", texts[i], strlen(texts[i]), &diags), STATUS_OK);
        assert_int_equal(diags.n, 1);
        char *text = said_by(&diags);
        assert_true(strncmp(text, said[i], strlen(said[i])) == 0);
        free(text);
        machine_destroy(m);
        diags_free(&diags);
    }
}

/* ---- errors: NAME.yaml must give exactly NAME.err; UPDATE_GOLDEN=1 rewrites them ---- */

static void check_error_file(const char *name)
{
    char *yaml = alloc_format(ERRORS "/%s.yaml", name), *err = alloc_format(ERRORS "/%s.err", name);
    char *shown = alloc_format("%s.yaml", name);
    size_t length, expected_length;
    char *text = file_text(yaml, &length);
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    enum status status = machine_read_text(&machine, shown, text, length, &diags);
    assert_null(machine);
    assert_true(diags.n_errors > 0);
    char *printed = said_by(&diags);
    char *found = alloc_format("%s\n%s", status_name(status), printed);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *stream = fopen(err, "w");
        assert_non_null(stream);
        fputs(found, stream);
        fclose(stream);
    }
    char *expected = file_text(err, &expected_length);
    if (!expected || strcmp(expected, found) != 0)
        fail_msg("%s: expected\n%s\nfound\n%s", yaml, expected ? expected : "(no file)", found);
    free(expected);
    free(found);
    free(printed);
    free(text);
    free(shown);
    free(err);
    free(yaml);
    diags_free(&diags);
}

/* What ships and what was measured stays readable, whatever new reasons there are to refuse a file. */
static void committed_files_are_read(void **state)
{
    static const char *const patterns[] = {"examples/*/*.yaml", "validation/results/*/machine.yaml",
                                           "validation/results/untouched/960/*/machine.yaml"};
    glob_t found = {0};
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        assert_int_equal(glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct machine *machine = NULL;
        if (machine_read(&machine, found.gl_pathv[i], &diags) != STATUS_OK) {
            diags_print(&diags, stderr);
            fail_msg("%s", found.gl_pathv[i]);
        }
        machine_destroy(machine);
        diags_free(&diags);
    }
    globfree(&found);
}

static void errors_are_worded_as_stored(void **state)
{
    (void)state;
    DIR *folder = opendir(ERRORS);
    assert_non_null(folder);
    struct dirent *entry;
    int checked = 0;
    while ((entry = readdir(folder))) {
        size_t n = strlen(entry->d_name);
        if (n <= 5 || strcmp(entry->d_name + n - 5, ".yaml") != 0)
            continue;
        char *name = alloc_string_n(entry->d_name, n - 5);
        check_error_file(name);
        free(name);
        checked++;
    }
    closedir(folder);
    assert_true(checked >= 50);
}

static void assert_refused(const char *path, enum status expected, const char *message)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    assert_int_equal(machine_read(&machine, path, &diags), expected);
    assert_null(machine);
    assert_tells(&diags, message);
    diags_free(&diags);
}

static void unreadable_files_are_named(void **state)
{
    (void)state;
    assert_refused("models/tests/no-such-file.yaml", STATUS_IO,
                   "models/tests/no-such-file.yaml: error: cannot open: No such file or directory\n");
    assert_refused("models/tests", STATUS_IO, "models/tests: error: cannot read: Is a directory\n");
    assert_refused("/dev/zero", STATUS_SCHEMA,
                   "/dev/zero: error: larger than 256 MiB, the most that is read as a machine file\n");
}

static void a_file_of_40_gigabytes_is_refused_at_once(void **state)
{
    (void)state;
    char path[] = "/tmp/pevpm-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    if (ftruncate(descriptor, (off_t)40 << 30) == 0) /* sparse: takes no room */
        assert_refused(path, STATUS_SCHEMA, "larger than 256 MiB");
    close(descriptor);
    unlink(path);
}

/* Truncations and single wrong bytes must end in a status, never in a crash or a leak. */
static void damaged_files_end_cleanly(void **state)
{
    (void)state;
    size_t length;
    char *text = file_text(SMALL, &length);
    static const char wrong[] = {'\0', ':', '[', '}', '&', '*', '\n', '\t', '-', '\xff', '9', '~'};
    unsigned seed = 7;
    for (int i = 0; i < 1500; i++) {
        seed = seed * 1103515245u + 12345u;
        size_t at = (seed >> 8) % length;
        if (!share_takes(i / (int)sizeof wrong))
            continue;
        char kept = text[at];
        text[at] = wrong[(size_t)i % sizeof wrong];
        struct diags diags = DIAGS_EMPTY;
        struct machine *machine;
        enum status status = machine_read_text(&machine, "damaged", text, i % 3 == 0 ? at + 1 : length, &diags);
        assert_true((status == STATUS_OK) == (machine != NULL));
        assert_true((status == STATUS_OK) == (diags.n_errors == 0));
        machine_destroy(machine);
        diags_free(&diags);
        text[at] = kept;
    }
    free(text);
}

/* A key that is misspelt is not there, and yet meant: what speaks about it must not look where it stands. */
static void misspelt_keys_end_cleanly(void **state)
{
    glob_t found = {0};
    int misspelt = 0;
    (void)state;
    assert_int_equal(glob(SMALL, 0, NULL, &found), 0);
    assert_int_equal(glob(ERRORS "/*.yaml", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t length;
        char *text = file_text(found.gl_pathv[i], &length);
        for (size_t at = 2; at < length; at++) {
            if (text[at] != ':' || !isalnum((unsigned char)text[at - 1]) || !isalnum((unsigned char)text[at - 2]) ||
                !share_takes(misspelt++))
                continue;
            const char kept = text[at - 1];
            text[at - 1] = 'q';
            struct diags diags = DIAGS_EMPTY;
            struct machine *machine;
            enum status status = machine_read_text(&machine, "misspelt", text, length, &diags);
            assert_true((status == STATUS_OK) == (diags.n_errors == 0));
            machine_destroy(machine);
            diags_free(&diags);
            text[at - 1] = kept;
        }
        free(text);
    }
    globfree(&found);
    assert_true(misspelt > 500);
}

static void a_flood_of_errors_is_cut(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    fputs("pevpm_machine: 1\nname: flood\nnodes: 1\nnode_time_factor: [1", stream);
    for (int i = 0; i < 200000; i++)
        fputs(", x", stream);
    fputs("]\n", stream);
    fclose(stream);
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    assert_int_equal(machine_read_text(&machine, "flood", text, length, &diags), STATUS_SCHEMA);
    assert_int_equal(diags.n, 200);
    assert_int_equal(diags.n_errors, 1000);
    diags_free(&diags);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_is_read),
        cmocka_unit_test(entries_are_read),
        cmocka_unit_test(ports_are_read),
        cmocka_unit_test(curves_never_fall_below_zero),
        cmocka_unit_test(collectives_and_serials_are_read),
        cmocka_unit_test(entries_are_named),
        cmocka_unit_test(serial_tables_are_lines),
        cmocka_unit_test(models_are_read),
        cmocka_unit_test(defaults_are_as_stated),
        cmocka_unit_test(keys_of_before_are_ignored),
        cmocka_unit_test(committed_files_are_read),
        cmocka_unit_test(errors_are_worded_as_stored),
        cmocka_unit_test(unreadable_files_are_named),
        cmocka_unit_test(a_file_of_40_gigabytes_is_refused_at_once),
        cmocka_unit_test(damaged_files_end_cleanly),
        cmocka_unit_test(misspelt_keys_end_cleanly),
        cmocka_unit_test(a_flood_of_errors_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
