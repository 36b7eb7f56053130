/* A message's simulated time follows the machine file's distribution, at measured sizes and levels and between them,
 * tails included. Draws are replications of a program of one message, through the lanes engine. Seeds are fixed; each
 * bound would fail a correct sampler for one seed in a hundred (percentile and bin) or in a thousand
 * (Kolmogorov-Smirnov). */
#include "engine/tests/play.h"

#include <gsl/gsl_cdf.h>

static const char machine[] =
    "pevpm_machine: 1\nname: m\nnodes: 8\nprocesses_per_node: 1\npoint_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 1000, transit: {start: \"90 us\", width: \"10 us\", counts: [1, 7, 12, 5, 2, 0, 0, 1]}}\n"
    "      - {bytes: 3000, transit: {start: \"200 us\", width: \"17 us\", counts: [2, 9, 4, 1]}}\n"
    "  - operation: MPI_Send\n    nodes: 4\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 1000, transit: {gamma: {shape: 4, scale: \"20 us\"}, shift: \"100 us\"}}\n"
    "      - {bytes: 3000, transit: {edges: [\"250 us\", \"290 us\", \"310 us\", \"1 ms\"], counts: [5, 11, 1]}}\n";

/* 2e-4 of the messages are retransmitted: half of them after 200-204 ms, half after 204-208 ms. */
static const char tail[] =
    "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
    "  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
    "      - {bytes: 1000, transit: {edges: [\"0.9 ms\", \"1 ms\", \"1.2 ms\", \"1.7 ms\", \"200 ms\", \"204 ms\", "
    "\"208 ms\"],\n"
    "                                counts: [3000, 6000, 998, 0, 1, 1]}}\n";

/* n run times of `program`; the caller frees them. */
static double *draw(const char *program, const char *yaml, int numprocs, int n)
{
    struct scene scene = {.numprocs = numprocs, .seed = 20261120};
    struct outcome outcome[ENGINE_LANES_MOST];
    struct diags diags = DIAGS_EMPTY;
    double *times = malloc((size_t)n * sizeof *times);
    scene_open(&scene, program, yaml);
    struct engine *engine = engine_create(ENGINE_LANES, &scene.setup, ENGINE_LANES_MOST);
    for (int first = 0; first < n; first += ENGINE_LANES_MOST) {
        int lanes = n - first < ENGINE_LANES_MOST ? n - first : ENGINE_LANES_MOST;
        assert_int_equal(engine_run(engine, (uint32_t)first, lanes, outcome, NULL, &diags), STATUS_OK);
        for (int l = 0; l < lanes; l++)
            times[first + l] = outcome[l].time;
    }
    engine_destroy(engine);
    scene_close(&scene);
    return times;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Four quantile functions, weighted: sizes within a level, then levels (machine-file.md). */
struct expected {
    const struct distribution *part[4];
    double weight[4];
};

/* The quantile function on a fine grid, kept non-decreasing as machine-file.md asks where a line is continued. */
enum { GRID = 400000 };

static double *expected_grid(const struct expected *e)
{
    double *grid = malloc((GRID + 1) * sizeof *grid);
    for (int g = 0; g <= GRID; g++) {
        double t = 0;
        for (int i = 0; i < 4; i++)
            t += e->weight[i] * distribution_quantile(e->part[i], (double)g / GRID);
        grid[g] = g > 0 ? fmax(t, grid[g - 1]) : fmax(t, 0);
    }
    return grid;
}

/* The probability of at most t. */
static double expected_cdf(const double *grid, double t)
{
    int low = 0, high = GRID;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (grid[middle] <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return (double)low / GRID;
}

/* The largest distance of the sample's distribution from the expected, times sqrt(n). */
static double kolmogorov(const struct expected *e, int n, double times[])
{
    double most = 0, *grid = expected_grid(e);
    qsort(times, (size_t)n, sizeof *times, compare);
    for (int i = 0; i < n; i++) {
        /* both sides of the time, by a hair: a continued line may have times of positive probability */
        double before = expected_cdf(grid, times[i] * (1 - 1e-6)), after = expected_cdf(grid, times[i] * (1 + 1e-6));
        most = fmax(most, fmax(before - (double)i / n, (double)(i + 1) / n - after));
    }
    free(grid);
    return most * sqrt(n);
}

enum { DRAWS = 100000 };
/* The statistic's 99.9 % point (Kolmogorov 1933; large n). */
#define KOLMOGOROV_999 1.949

/* `in_flight` messages are on the board; those of the other senders are never received, and cost their senders
 * nothing. */
static void follows(int in_flight, int bytes, double size_weight, double level_weight)
{
    char program[400];
    struct machine *file;
    struct diags diags = DIAGS_EMPTY;
    snprintf(program, sizeof program, "Runon c1 = procnum == 0 & c2 = procnum == 1 & c3 = procnum <= %d\n"
             "{\nMessage type = MPI_Send & to = 1 & size = %d\n}\n{\nMessage type = MPI_Recv & from = 0\n}\n"
             "{\nMessage type = MPI_Send & to = 0 & size = 0\n}\n", in_flight, bytes);
    assert_int_equal(machine_read_text(&file, "m", machine, strlen(machine), &diags), STATUS_OK);
    struct expected e = {{&file->entries[0].sizes[0].transit, &file->entries[0].sizes[1].transit,
                          &file->entries[1].sizes[0].transit, &file->entries[1].sizes[1].transit},
                         {(1 - level_weight) * (1 - size_weight), (1 - level_weight) * size_weight,
                          level_weight * (1 - size_weight), level_weight * size_weight}};
    double *times = draw(program, machine, 8, DRAWS);
    double distance = kolmogorov(&e, DRAWS, times);
    if (!(distance < KOLMOGOROV_999))
        print_error("%d in flight, %d bytes: %g\n", in_flight, bytes, distance);
    assert_true(distance < KOLMOGOROV_999);
    free(times);
    machine_destroy(file);
}

static void times_follow_the_measured_distributions(void **state)
{
    (void)state;
    follows(1, 1000, 0, 0);
    follows(1, 3000, 1, 0);
    follows(4, 1000, 0, 1);
    follows(4, 3000, 1, 1);
}

static void times_between_sizes_and_levels_are_interpolated(void **state)
{
    (void)state;
    follows(1, 1700, 0.35, 0);
    follows(3, 1000, 0, 2.0 / 3);
    follows(2, 2200, 0.6, 1.0 / 3);
    follows(7, 2200, 0.6, 1); /* above the largest level the largest is used */
    follows(1, 10, 0, 0);     /* below the smallest size the smallest */
}

static void sizes_beyond_the_last_continue_the_line(void **state)
{
    (void)state;
    follows(1, 4000, 1.5, 0);
}

/* Ten million draws with a tail of probability 2e-4. */
static void a_thin_tail_keeps_place_and_weight(void **state)
{
    (void)state;
    enum { N = 10000000 };
    static const double mean = (3000 * 0.95 + 6000 * 1.1 + 998 * 1.45 + 202 + 206) / 10000 * 1e-3;
    double *times = draw("Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nMessage type = MPI_Send & to = 1 & "
                         "size = 1000\n}\n{\n"
                         "Message type = MPI_Recv & from = 0\n}\n", tail, 2, N);
    double sum = 0;
    int last_bin = 0, above = 0;
    const double percentile = 0.204; /* of 99.99 %: the edge of the last bin */
    for (int i = 0; i < N; i++) {
        sum += times[i];
        last_bin += times[i] >= 0.204;
        above += times[i] > percentile;
    }
    free(times);
    assert_true(fabs(sum / N / mean - 1) < 1e-3);
    double spread = gsl_cdf_ugaussian_Pinv(0.995) * sqrt(N * 1e-4 * (1 - 1e-4));
    assert_true(fabs(last_bin - N * 1e-4) < spread);
    assert_true(fabs(above - N * 1e-4) < spread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_follow_the_measured_distributions),
        cmocka_unit_test(times_between_sizes_and_levels_are_interpolated),
        cmocka_unit_test(sizes_beyond_the_last_continue_the_line),
        cmocka_unit_test(a_thin_tail_keeps_place_and_weight),
    };
    return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
