#include "bench/report/curves.h"

#include "common/alloc.h"
#include "common/tests/said.h"

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

/* A ping-pong, two levels that cross, one within a node, a burst that is no level; one nonblocking entry. */
static const char text[] =
    "pevpm_machine: 1\n"
    "name: small\n"
    "nodes: 4\n"
    "processes_per_node: 2\n"
    "point_to_point:\n"
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [\n"
    "    {bytes: 0, transit: {edges: [100 us, 110 us, 120 us], counts: [30, 10]}}, {bytes: 1024, transit: 200 us},\n"
    "    {bytes: 4096, transit: 500 us}]}\n"
    "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [\n"
    "    {bytes: 0, transit: {edges: [101 us, 111 us], counts: [40]}}, {bytes: 1024, transit: 900 us}]}\n"
    "  - {operation: MPI_Send, nodes: 4, processes_per_node: 2, sizes: [\n"
    "    {bytes: 0, transit: {edges: [120 us, 130 us, 140 us, 150 us, 200 ms, 201 ms], "
    "counts: [100, 300, 90, 0, 10]}},\n"
    "    {bytes: 1024, transit: {gamma: {shape: 2.385, scale: 20 us, shift: 250 us}}},\n"
    "    {bytes: 4096, transit: {uniform: {low: 0.5 ms, high: 0.9 ms}}}]}\n"
    "  - {operation: MPI_Send, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 1 us}]}\n"
    "  - {operation: MPI_Send, pattern: fan_in, nodes: 4, processes_per_node: 1, sizes: [{bytes: 0, transit: 1 s}]}\n"
    "  - {operation: MPI_Isend, nodes: 2, processes_per_node: 1, sizes: [{bytes: 8, transit: 150 us}]}\n";

struct drawn {
    struct machine *machine;
    struct machine_source source;
    struct diags diags;
    enum status status;
    size_t n;
    struct figure figures[REPORT_FIGURES];
};

static void draw_text(struct drawn *d, const char *machine, const struct bench_options *options)
{
    char path[] = "/tmp/test_report.XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(machine, file);
    fclose(file);
    *d = (struct drawn){.source = MACHINE_SOURCE_EMPTY, .diags = DIAGS_EMPTY};
    assert_int_equal(machine_read_whole(&d->machine, &d->source, path, &d->diags), STATUS_OK);
    unlink(path);
    const struct report_choice choice = {d->machine, &d->source, options};
    d->status = report_figures(&choice, d->figures, &d->n, &d->diags);
}

static void draw(struct drawn *d, const struct bench_options *options)
{
    draw_text(d, text, options);
}

static void drawn_free(struct drawn *d)
{
    for (size_t i = 0; i < d->n; i++)
        figure_free(&d->figures[i]);
    machine_destroy(d->machine);
    machine_source_free(&d->source);
    diags_free(&d->diags);
}

static const struct bench_options any = {.send = true, .isend = true};

/* Curves of the operation with more entries, in the order of their right ends; bursts are no level; the least is that
 * of the lowest level between nodes. */
static void test_averages(void **state)
{
    (void)state;
    struct drawn d;
    draw(&d, &any);
    assert_int_equal(d.status, STATUS_OK);
    assert_int_equal(d.n, 4);
    const struct figure *small = &d.figures[0], *large = &d.figures[1];
    static const char *const labels[] = {"2×1", "4×2", "2×1 ping-pong", "1×2", "min 2×1 ping-pong"};
    assert_string_equal(small->name, "average-small");
    assert_string_equal(small->title, "Average transit of MPI_Send, small messages, on small");
    assert_int_equal(small->n_curves, 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(small->curves[i].label, labels[i]);
    assert_true(small->curves[0].n == 2 && small->curves[0].x[1] == 1024);
    assert_true(fabs(small->curves[0].y[0] - 106e-6) < 1e-12 && fabs(small->curves[0].y[1] - 900e-6) < 1e-12);
    assert_true(fabs(small->curves[1].y[1] - (250e-6 + 2.385 * 20e-6)) < 1e-9);
    assert_true(fabs(small->curves[4].y[0] - 100e-6) < 1e-12);
    assert_true(small->curves[1].dash == 2 && small->curves[0].dash == 1);
    assert_string_equal(large->name, "average-large");
    assert_int_equal(large->n_curves, 4);
    assert_true(large->curves[0].x[0] == 1024 && large->x_high == 4096);
    drawn_free(&d);
}

/* On a linear axis, the area below a polygon is what lies in the figure; the rest is told. */
static double area(const struct figure_curve *curve, bool logarithmic)
{
    double sum = 0;
    for (size_t i = 1; i < curve->n; i++) {
        double width = logarithmic ? log(curve->x[i] / curve->x[i - 1]) : curve->x[i] - curve->x[i - 1];
        sum += width * (curve->y[i] + curve->y[i - 1]) / 2;
    }
    return sum;
}

static void test_densities(void **state)
{
    (void)state;
    struct drawn d;
    struct bench_level level = {4, 2};
    struct bench_options options = any;
    options.levels = &level;
    options.n_levels = 1;
    draw(&d, &options);
    assert_int_equal(d.status, STATUS_OK);
    const struct figure *small = &d.figures[2], *large = &d.figures[3];
    assert_string_equal(small->name, "pdf-small");
    assert_string_equal(small->title, "Transit of MPI_Send with 4×2 processes, small messages, on small");
    assert_int_equal(small->n_curves, 2);
    assert_string_equal(large->curves[0].label, "4 KiB");
    assert_true(fabs(area(&large->curves[0], large->logarithmic) - 1) < 0.02);
    assert_true(fabs(large->curves[0].mark - 0.7e-3) < 1e-9);
    for (size_t i = 0; i < 2; i++)
        assert_true(fabs(area(&small->curves[i], small->logarithmic) - 1) < 0.1);
    drawn_free(&d);
    level = (struct bench_level){2, 1}; /* the pairs, not the ping-pong */
    draw(&d, &options);
    assert_string_equal(d.figures[2].curves[0].label, "0 bytes");
    assert_true(fabs(d.figures[2].curves[0].mark - 106e-6) < 1e-9);
    drawn_free(&d);
}

static void test_choices(void **state)
{
    (void)state;
    struct drawn d;
    int64_t sizes[] = {1024};
    struct bench_options options = {.isend = true};
    draw(&d, &options); /* one size: no averages */
    assert_int_equal(d.status, STATUS_OK);
    assert_int_equal(d.n, 1);
    assert_string_equal(d.figures[0].name, "pdf-small");
    drawn_free(&d);
    options = any;
    options.sizes = sizes;
    options.n_sizes = 1;
    draw(&d, &options);
    assert_int_equal(d.n, 3);
    assert_int_equal(d.figures[2].n_curves, 1);
    drawn_free(&d);
    sizes[0] = 5;
    draw(&d, &options);
    assert_int_equal(d.status, STATUS_RANGE);
    assert_int_equal(d.n, 0);
    drawn_free(&d);
}

/* A file of models alone; 8 processes, 10 us + 1 ns a byte, a wire of 10 ns a byte. */
static const char modelled[] =
    "pevpm_machine: 1\n"
    "name: small\n"
    "nodes: 8\n"
    "processes_per_node: 1\n"
    "collectives:\n  MPI_Gather: {model: lmo, measured: [{numprocs: 8, bytes: 4000, time: 1 us, root_time: 90 ms}]}\n"
    "models:\n"
    "  hockney: {alpha: 30 us, beta: 15 ns}\n"
    "  lmo:\n    C: 10 us\n    t: 1 ns\n    inverse_beta: 10 ns\n"
    "    escalation:\n      levels: [40 ms, 0.2 s]\n      M1: [[4, 5000], [8, 1000]]\n      M2: 65536\n      M1_by_ratio: [[8, 1001]]\n"
    "      probability:\n"
    "        - {numprocs: [4, 8], bytes: [1000, 65000], p: [[0.1, 0.1], [0.5, 0.25]]}\n"
    "        - {numprocs: [4, 8], bytes: [1000, 65000], p: [[0, 0.1], [0.25, 0.5]]}\n";

static const struct figure_curve *curve_named(const struct figure *figure, const char *label)
{
    for (size_t i = 0; i < figure->n_curves; i++)
        if (strcmp(figure->curves[i].label, label) == 0)
            return &figure->curves[i];
    fail_msg("%s has no curve `%s`", figure->name, label);
    return NULL;
}

static void assert_at(const struct figure_curve *curve, double x, double y)
{
    for (size_t i = 0; i < curve->n; i++)
        if (curve->x[i] == x && fabs(curve->y[i] - y) < 1e-9 + 1e-9 * fabs(y))
            return;
    fail_msg("%s does not go through (%g, %g)", curve->label, x, y);
}

static void test_models(void **state)
{
    (void)state;
    static const char *const names[] = {"models", "scatter", "gather", "thresholds", "escalation-1", "escalation-2"};
    struct drawn d;
    draw_text(&d, modelled, &any);
    assert_int_equal(d.status, STATUS_OK);
    assert_int_equal(d.n, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(d.figures[i].name, names[i]);
    assert_at(curve_named(&d.figures[0], "hockney"), 51200, 30e-6 + 51200 * 15e-9);
    assert_at(curve_named(&d.figures[0], "lmo"), 51200, 20e-6 + 51200 * 12e-9);
    double linear = 8 * 10e-6 + 65536 * (8 * 1e-9 + 10e-9), far = 14 * 10e-6 + 131072 * (14 * 1e-9 + 70e-9);
    assert_at(curve_named(&d.figures[1], "LMO"), 65536, linear);
    assert_at(curve_named(&d.figures[2], "LMO, linear part"), 131072, far); /* beyond M2 (10) */
    assert_at(curve_named(&d.figures[2], "LMO, mean"), 65536, 0.25 * linear + 0.25 * 0.04 + 0.5 * 0.2);
    assert_at(curve_named(&d.figures[2], "level 2, to 200 ms"), 65536, 0.2);
    assert_at(curve_named(&d.figures[2], "measured, mean"), 4000, 0.09);
    assert_at(curve_named(&d.figures[3], "M1"), 8, 1000);
    assert_at(curve_named(&d.figures[3], "M2"), 4, 65536);
    assert_at(curve_named(&d.figures[3], "M1 by ratio"), 8, 1001);
    assert_at(curve_named(&d.figures[2], "M1"), 1000, 0);
    assert_at(curve_named(&d.figures[2], "M2"), 65536, figure_largest(&d.figures[2]));
    assert_int_equal(d.figures[4].n_curves, 2);
    assert_at(curve_named(&d.figures[4], "4 processes"), floor(1.1 * 65536 / 2), 0.1);
    assert_at(curve_named(&d.figures[5], "8 processes"), floor(1.1 * 65536), 0);
    drawn_free(&d);
}

/* Intervals of surfaces are drawn from M1 to M2; and a leap of Scatters is shown however far it is behind M2. */
static void test_model_intervals(void **state)
{
    (void)state;
    static const char machine[] =
        "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 1\nmodels:\n"
        "  lmo:\n    C: 10 us\n    t: 1 ns\n    inverse_beta: 10 ns\n    scatter: {S: 300000}\n"
        "    escalation:\n      levels: [40 ms]\n      M1: [[8, 1000]]\n      Mc: [[8, 3000]]\n      M2: 4000\n"
        "      probability:\n"
        "        - {numprocs: [8], bytes: [1000, 5000], p: [[0.25, 0.75]], ci95: {low: [[0.125, 0.625]], high: [[0.5, 1]]}}\n";
    struct drawn d;
    draw_text(&d, machine, &any);
    assert_int_equal(d.status, STATUS_OK);
    assert_true(d.figures[1].x_high == 600000);
    assert_at(curve_named(&d.figures[1], "S"), 300000, figure_largest(&d.figures[1]));
    assert_true(d.figures[2].x_high == 8000);
    assert_at(curve_named(&d.figures[2], "Mc"), 3000, 0);
    const struct figure *shares = &d.figures[d.n - 1];
    assert_string_equal(shares->name, "escalation-1");
    const struct figure_curve *band = curve_named(shares, "8 processes, 95 %"), *line = curve_named(shares, "8 processes");
    assert_true(band->style == CURVE_BAND && band->colour == line->colour && band->n == 2 * line->n);
    for (size_t i = 0; i < line->n; i++) {
        const double at = line->x[i], low = band->y[i], high = band->y[band->n - 1 - i];
        assert_true(band->x[i] == at && band->x[band->n - 1 - i] == at && low <= line->y[i] && high >= line->y[i]);
        if (at >= 1000 && at < 3000)
            assert_true(fabs(line->y[i] - low - 0.125) < 1e-9 && fabs(high - 0.5 - 0.5 * (at - 1000) / 4000) < 1e-9);
        if (at < 1000 || at > 4000)
            assert_true(low == 0 && high == 0);
    }
    drawn_free(&d);
}

/* What pevpm-estimate measured stands as points in the figures that it is of: the notes of its file, after the models. */
static void test_observed(void **state)
{
    (void)state;
    static const char notes[] =
        "provenance:\n  measured by pevpm-estimate:\n"
        "    nodes: a b c d e f g h\n"
        "    round_trip 0 0 0 from 0: 1 60000 62000, 2 80000\n"
        "    round_trip 0 0 0 from 1: 2 99000\n"
        "    round_trip 51200 0 0 from 0: 1 700000 710000\n"
        "    round_trip 51200 51200 0 from 0: 2 900000, 1 1400000\n"
        "    round_trip 204800 204800 0 from 0: 1 9000000\n"
        "    to_two 51200 0 0 from 0: 1 2 13123456\n"
        "    operations: largest 131072, rest 50000000, all\n"
        "    scatter 4 8192: 1\n"
        "    scatter 8 8192: 48120021 48121001\n"
        "    gather 8 8192: 51123456\n"
        "    gather 8 oops: 17\n"
        "    gather 8 262144: 91123456\n"
        "    edge 8 1001: 30123456\n"
        "    others h1: 2.1 % of 2 processors over 83.1 s\n";
    struct drawn d;
    char *file = alloc_format("%s%s", modelled, notes);
    draw_text(&d, file, &any);
    free(file);
    assert_int_equal(d.status, STATUS_OK);
    const struct figure_curve *trips = curve_named(&d.figures[0], "round trips, one way");
    assert_true(trips->style == CURVE_POINTS && trips->n == 5);
    assert_at(trips, 0, 30e-6);
    assert_at(trips, 0, 31e-6);
    assert_at(trips, 51200, 700e-6 - 30.5e-6); /* an empty answer takes half of 61 us */
    assert_at(trips, 51200, 710e-6 - 30.5e-6);
    assert_at(trips, 51200, 700e-6);
    const struct figure_curve *scatters = curve_named(&d.figures[1], "measured, each");
    assert_true(scatters->style == CURVE_POINTS && scatters->n == 2); /* of 8 processes */
    assert_at(scatters, 8192, 48120021e-9);
    assert_at(scatters, 8192, 48121001e-9);
    const struct figure_curve *gathers = curve_named(&d.figures[2], "measured, each");
    assert_int_equal(gathers->n, 2); /* what the figure shows of sizes */
    assert_at(gathers, 8192, 51123456e-9);
    assert_at(gathers, 1001, 30123456e-9);
    assert_at(curve_named(&d.figures[2], "measured, mean"), 4000, 0.09);
    assert_tells(&d.diags, "the line `gather 8 oops` is not as pevpm-estimate writes it: not drawn");
    assert_int_equal(d.diags.n_errors, 0);
    drawn_free(&d);
}

/* What is left out is said. */
static void test_absent_models(void **state)
{
    (void)state;
    struct drawn d;
    draw(&d, &any);
    assert_tells(&d.diags, "the file has no `models`");
    drawn_free(&d);
    draw_text(&d, "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\nmodels:\n  hockney: {alpha: 1 us, beta: 1 ns}\n",
              &any);
    assert_int_equal(d.n, 1);
    assert_tells(&d.diags, "the file has no `lmo`");
    drawn_free(&d);
}

static void test_shares(void **state)
{
    (void)state;
    struct distribution d;
    const double edges[] = {1, 2, 5, 6}, counts[] = {3, 0, 1};
    distribution_histogram(&d, 3, edges, counts);
    assert_true(report_share_below(&d, 0.5) == 0);
    assert_true(fabs(report_share_below(&d, 1.5) - 0.375) < 1e-12);
    assert_true(fabs(report_share_below(&d, 3) - 0.75) < 1e-12);
    assert_true(fabs(report_share_below(&d, 5.5) - 0.875) < 1e-12);
    assert_true(report_share_below(&d, 6) == 1 && report_share_below(&d, 7) == 1);
    distribution_free(&d);
    distribution_constant(&d, 2);
    assert_true(report_share_below(&d, 1.99) == 0 && report_share_below(&d, 2) == 1);
    distribution_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_averages),
        cmocka_unit_test(test_densities),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_model_intervals),
        cmocka_unit_test(test_observed),
        cmocka_unit_test(test_absent_models),
        cmocka_unit_test(test_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
