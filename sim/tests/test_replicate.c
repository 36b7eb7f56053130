/* The driver alone: this file defines the engine's functions, so the library's engine is not linked. Its replications
 * take times that are a known function of their number. */
#include "sim/replicate.h"

#include "common/tests/said.h"

#include <math.h>
#include <pthread.h>

/* What the replications of a test are like; reached through setup->program. */
struct fake {
    struct program program;  /* first */
    bool ports;              /* of the model */
    int inverted_of_5;       /* replications r with r mod 5 below this are inverted */
    bool dies_where_odd;     /* replication 4 k + 3 deadlocks, by chance */
    double spread;           /* time of replication r = 2.385 (1 + spread) or (1 - spread), in turn */
    uint32_t fails_from;     /* first replication that deadlocks; UINT32_MAX: none */
    uint32_t stops_from;     /* first replication that is interrupted */
    uint32_t most;           /* highest replication asked for + 1 */
    int widest;              /* of the engines created */
};

struct engine {
    struct fake *fake;
    enum engine_kind kind;
    int lanes;
};

struct engine *engine_create(enum engine_kind kind, const struct engine_setup *setup, int lanes)
{
    struct engine *engine = malloc(sizeof *engine);
    engine->fake = (struct fake *)(uintptr_t)setup->program;
    engine->kind = kind;
    engine->lanes = lanes;
#pragma omp critical(fake)
    engine->fake->widest = lanes > engine->fake->widest ? lanes : engine->fake->widest;
    return engine;
}

void engine_destroy(struct engine *engine)
{
    free(engine);
}

enum status engine_run(struct engine *engine, uint32_t first, int n, struct outcome outcome[],
                       struct engine_totals *totals, struct diags *diags)
{
    struct fake *fake = engine->fake;
    uint32_t end = first + (uint32_t)n;
#pragma omp critical(fake)
    fake->most = end > fake->most ? end : fake->most;
    if (n > engine->lanes)
        abort();
    if (end > fake->stops_from)
        return STATUS_INTERRUPTED;
    if (end > fake->fails_from) {
        diag_error(diags, place_of_file("x.pevpm"), "deadlock seen by the batch that starts at %u", first);
        return STATUS_DEADLOCK;
    }
    if (fake->dies_where_odd && first % 4 == 3) {
        diag_error(diags, place_of_file("x.pevpm"), "deadlock of replication %u", first);
        return STATUS_DEADLOCK;
    }
    for (int i = 0; i < n; i++) {
        uint32_t r = first + (uint32_t)i;
        outcome[i] = (struct outcome){.time = 2.385 * (r % 2 ? 1 + fake->spread : 1 - fake->spread), .serial = 0.5 + r,
                                      .inversion = r % 5 < (uint32_t)fake->inverted_of_5};
        if (engine->kind == ENGINE_TIMED)
            outcome[i] = (struct outcome){.time = 7.25 + r, .serial = 0.5 + r};
    }
    if (totals)
        *totals = (struct engine_totals){.messages = 77, .unreceived = 3, .level_most = {9, 5}};
    return STATUS_OK;
}

/* The programs here have no regions. */
const double *engine_regions(const struct engine *engine, int i)
{
    (void)engine;
    (void)i;
    return NULL;
}

int engine_lanes_for(const struct engine_setup *setup, uint64_t replications)
{
    (void)setup;
    return replications < 32 ? 8 : 32;
}

enum engine_kind engine_choose(const struct engine_setup *setup, enum engine_kind wanted)
{
    (void)setup;
    return wanted == ENGINE_AUTO ? ENGINE_LANES : wanted;
}

static struct fake fake_of(double spread)
{
    return (struct fake){.spread = spread, .fails_from = UINT32_MAX, .stops_from = UINT32_MAX};
}

static enum status run(struct fake *fake, enum cost_mode mode, struct replicate_plan plan,
                       struct replicate_result *result, struct diags *diags)
{
    struct cost_model model = {.ports = fake->ports ? PORTS_PER_NODE : PORTS_OFF};
    struct engine_setup setup = {.program = &fake->program, .model = &model, .mode = mode, .seed = 1};
    return replicate_run(&setup, &plan, result, diags);
}

static void looks_at_16_32_64(void **state)
{
    (void)state;
    assert_int_equal(replicate_next(0), 16);
    assert_int_equal(replicate_next(16), 32);
    assert_int_equal(replicate_next(32), 64);
    assert_int_equal(replicate_next(32768), 65536);
}

static void a_time_that_is_no_number_is_an_error(void **state)
{
    (void)state;
    static const double spreads[] = {1e151, 1e308, INFINITY, NAN};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        struct fake fake = fake_of(spreads[i]);
        struct diags diags = DIAGS_EMPTY;
        struct replicate_result result;
        struct replicate_plan plan = {.precision = 0.01, .threads = 1};
        assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_RANGE);
        assert_int_equal(fake.most, 16);
        assert_int_equal(diags.n_errors, 1);
        assert_non_null(strstr(diag_message(&diags, 0), "would take longer than 1e+150 s (replication "));
        diags_free(&diags);
    }
}

/* Values m (1 +- a) in turn: sd = m a sqrt(n / (n - 1)), half-width / mean = t a / sqrt(n - 1). With a = 0.1:
 * n = 16: 2.13145 / 38.73 = 0.05503, n = 32: 0.03663, n = 64: 0.02518, n = 128: 1.97882 / 112.69 = 0.01756. */
static void stops_where_the_mean_is_known(void **state)
{
    (void)state;
    static const struct {
        double precision;
        size_t n;
    } cases[] = {{0.0551, 16}, {0.0550, 32}, {0.0252, 64}, {0.02, 128}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake fake = fake_of(0.1);
        struct diags diags = DIAGS_EMPTY;
        struct replicate_result result;
        struct replicate_plan plan = {.precision = cases[i].precision, .threads = 2};
        assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_OK);
        assert_int_equal(result.time.n, cases[i].n);
        assert_int_equal(fake.most, cases[i].n);
        assert_true(result.precise && !result.no_chance);
        assert_true(fabs(result.time.mean - 2.385) < 1e-14);
    }
}

/* Even replications are short, odd ones long; the median lies half-way, so the first of all is as near as any. */
static void picks_the_nearest(void **state)
{
    (void)state;
    struct fake fake = fake_of(0.25);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    struct replicate_plan plan = {.exact = 24, .threads = 2};
    assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_OK);
    static const uint32_t expected[] = {[PICK_min] = 0, [PICK_p5] = 0, [PICK_median] = 0, [PICK_p95] = 1,
                                        [PICK_max] = 1};
    assert_memory_equal(result.picks, expected, sizeof expected);
    plan.exact = 25; /* thirteen short ones */
    fake.spread = -0.25;
    assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_OK);
    static const uint32_t mirrored[] = {[PICK_min] = 1, [PICK_p5] = 1, [PICK_median] = 0, [PICK_p95] = 0,
                                        [PICK_max] = 0};
    assert_memory_equal(result.picks, mirrored, sizeof mirrored);
}

static void gives_up_at_the_most(void **state)
{
    (void)state;
    struct fake fake = fake_of(0.5);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    assert_int_equal(run(&fake, MODE_distribution, (struct replicate_plan){.precision = 1e-9, .threads = 1}, &result,
                         &diags),
                     STATUS_OK);
    assert_int_equal(result.time.n, REPLICATE_MOST);
    assert_false(result.precise);
    assert_int_equal(fake.widest, 32);
}

static void zero_spread_stops_at_16(void **state)
{
    (void)state;
    struct fake fake = fake_of(0);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    assert_int_equal(run(&fake, MODE_distribution, (struct replicate_plan){.precision = 0.01, .threads = 1}, &result,
                         &diags),
                     STATUS_OK);
    assert_int_equal(result.time.n, 16);
    assert_true(result.time.sd == 0);
}

static void without_chance_one_is_enough(void **state)
{
    (void)state;
    struct fake fake = fake_of(0.1);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    assert_int_equal(run(&fake, MODE_average, (struct replicate_plan){.precision = 0.01, .threads = 2}, &result,
                         &diags),
                     STATUS_OK);
    assert_int_equal(result.time.n, 1);
    assert_int_equal(fake.widest, 1);
    assert_true(result.no_chance && result.time.sd == 0 && result.time.ci95 == 0);
    assert_int_equal(run(&fake, MODE_minimum, (struct replicate_plan){.exact = 3, .threads = 2}, &result, &diags),
                     STATUS_OK);
    assert_int_equal(result.time.n, 3);
}

/* 0.5 + r for r = 0 ... 36: mean 18.5; replications 0, 5, ... 35 are inverted: 8. */
static void exact_number_on_any_threads_and_lanes(void **state)
{
    (void)state;
    struct replicate_result first, other;
    struct diags diags = DIAGS_EMPTY;
    struct fake fake = fake_of(0.1);
    fake.ports = true;
    fake.inverted_of_5 = 1;
    assert_int_equal(run(&fake, MODE_distribution, (struct replicate_plan){.exact = 37, .threads = 1}, &first, &diags),
                     STATUS_OK);
    assert_int_equal(first.time.n, 37);
    assert_int_equal(fake.most, 37);
    assert_true(fabs(first.serial - 18.5) < 1e-13);
    assert_int_equal(first.inversions, 8);
    assert_int_equal(first.totals.messages, 77);
    assert_int_equal(first.totals.unreceived, 3);
    assert_int_equal(first.totals.level_most[0], 9);
    assert_int_equal(first.totals.level_most[1], 5);
    static const struct {
        int threads, lanes;
        enum engine_kind kind;
    } ways[] = {{2, 0, ENGINE_LANES},
                {3, 8, ENGINE_LANES},
                {1, 1, ENGINE_LANES},
                {2, 64, ENGINE_LANES},
                {4, 0, ENGINE_REFERENCE}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct replicate_plan plan = {.exact = 37,
                                      .threads = ways[i].threads,
                                      .lanes = ways[i].lanes,
                                      .engine = ways[i].kind};
        assert_int_equal(run(&fake, MODE_distribution, plan, &other, &diags), STATUS_OK);
        assert_memory_equal(&first.time, &other.time, sizeof first.time);
        assert_true(first.serial == other.serial && first.inversions == other.inversions);
    }
}

/* Of 10 replications 0 and 5 are inverted, and take 7.25 and 12.25 s in the time-ordered engine. */
static void an_inverted_replication_is_run_in_order(void **state)
{
    (void)state;
    struct fake fake = fake_of(0);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    double times[10];
    fake.ports = true;
    fake.inverted_of_5 = 1;
    for (int threads = 1; threads <= 3; threads++) {
        struct replicate_plan plan = {.exact = 10, .threads = threads, .times = times};
        assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_OK);
        for (int i = 0; i < 10; i++)
            assert_true(times[i] == (i % 5 == 0 ? 7.25 + i : 2.385));
        assert_int_equal(result.inversions, 2);
        assert_int_equal(result.inversions_of, 10);
        assert_int_equal(result.engine, ENGINE_LANES);
    }
}

/* Of the first 16 replications 10 have r mod 5 < 3 and 7 have r mod 5 < 2: more than half makes all run in order. */
static void many_inversions_change_the_engine(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    double times[40];
    for (int inverted = 2; inverted <= 3; inverted++)
        for (int threads = 1; threads <= 3; threads++) {
            struct fake fake = fake_of(0);
            fake.ports = true;
            fake.inverted_of_5 = inverted;
            struct replicate_plan plan = {.exact = 40, .threads = threads, .times = times};
            assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_OK);
            assert_int_equal(result.time.n, 40);
            for (int i = 0; i < 40; i++)
                assert_true(times[i] == (inverted == 3 || i % 5 < 2 ? 7.25 + i : 2.385));
            assert_int_equal(result.engine, inverted == 3 ? ENGINE_TIMED : ENGINE_LANES);
            assert_int_equal(result.inversions, inverted == 3 ? 10 : 16);
            assert_int_equal(result.inversions_of, inverted == 3 ? 16 : 40);
        }
    struct fake fake = fake_of(0);
    fake.ports = true;
    fake.inverted_of_5 = 5;
    struct replicate_plan plan = {.precision = 0.2, .threads = 2};
    assert_int_equal(run(&fake, MODE_average, plan, &result, &diags), STATUS_OK);
    assert_int_equal(result.time.n, 1);
    assert_true(result.time.mean == 7.25 && result.inversions == 1 && result.inversions_of == 1);
}

static char *text_of(struct diags *diags)
{
    char *text = said_by(diags);
    diags_free(diags);
    return text;
}

static void a_failure_is_said_once(void **state)
{
    (void)state;
    struct fake fake = fake_of(0.1);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    fake.fails_from = 0;
    struct replicate_plan plan = {.exact = 640, .threads = 4, .lanes = 8};
    assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_DEADLOCK);
    char *text = text_of(&diags);
    assert_string_equal(text, "x.pevpm: error: deadlock seen by the batch that starts at 0\n");
    free(text);
    fake.fails_from = 21; /* in the batch of 16 ... 23 */
    assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_DEADLOCK);
    text = text_of(&diags);
    assert_string_equal(text, "x.pevpm: error: deadlock seen by the batch that starts at 16\n");
    free(text);
}

static struct fake unlucky_fake(void)
{
    struct fake fake = fake_of(0.1);
    fake.program.time_decides = true;
    fake.program.numprocs = 5;
    fake.dies_where_odd = true;
    return fake;
}

/* Replications 3, 7, ... 19 of 22 deadlock: 5. The others take 7.25 + r: their r add up to 231 - 55 = 176, 17 of them.
 * Wilson: p = 0.22727, z = 1.95996: (0.22727 + 0.08731 +- 1.95996 sqrt(0.0079827 + 0.0019842)) / 1.17461. */
static void a_deadlock_by_chance_is_counted(void **state)
{
    (void)state;
    struct fake fake = unlucky_fake();
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    double times[22];
    for (int threads = 1; threads <= 3; threads++) {
        struct replicate_plan plan = {.exact = 22, .threads = threads, .engine = ENGINE_TIMED, .times = times};
        assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_OK);
        assert_int_equal(result.time.n, 17);
        assert_int_equal(result.deadlocks, 5);
        assert_true(fabs(result.time.mean - (7.25 + 176.0 / 17)) < 1e-13);
        assert_true(fabs(result.serial - (0.5 + 176.0 / 17)) < 1e-13);
        assert_int_equal(result.totals.messages, 77);
        assert_int_equal(result.picks[PICK_max], 21);
        assert_true(isnan(times[3]) && times[4] == 11.25);
        char *text = text_of(&diags);
        assert_string_equal(text, "pevpm: error: deadlock in 5 of 22 replications (23 %, "
                                  "95 % interval 10 to 43 %) on 5 "
                                  "processes; in replication 3:\n"
                                  "x.pevpm: error: deadlock of replication 3\n");
        free(text);
    }
    fake.program.time_decides = false; /* then one is as good as all */
    struct replicate_plan plan = {.exact = 22, .threads = 2, .engine = ENGINE_TIMED};
    assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_DEADLOCK);
    diags_free(&diags);
}

static void a_deadlock_of_all_is_no_matter_of_chance(void **state)
{
    (void)state;
    struct fake fake = unlucky_fake();
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    fake.fails_from = 0;
    struct replicate_plan plan = {.precision = 0.01, .threads = 2, .engine = ENGINE_TIMED};
    assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_DEADLOCK);
    assert_int_equal(result.time.n, 0);
    assert_int_equal(fake.most, 16);
    char *text = text_of(&diags);
    assert_string_equal(text, "x.pevpm: error: deadlock seen by the batch that starts at 0\n");
    free(text);
}

static void an_interrupt_keeps_what_is_known(void **state)
{
    (void)state;
    struct fake fake = fake_of(0.1);
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    fake.stops_from = 27; /* batches of 8: 0 ... 23 are known */
    for (int threads = 1; threads <= 4; threads++) {
        struct replicate_plan plan = {.exact = 640, .threads = threads, .lanes = 8};
        assert_int_equal(run(&fake, MODE_distribution, plan, &result, &diags), STATUS_INTERRUPTED);
        assert_int_equal(result.time.n, 24);
        assert_true(fabs(result.time.mean - 2.385) < 1e-14);
        assert_int_equal(diags.n, 0);
    }
    fake.stops_from = 0;
    assert_int_equal(run(&fake, MODE_distribution, (struct replicate_plan){.precision = 0.1, .threads = 1}, &result,
                         &diags),
                     STATUS_INTERRUPTED);
    assert_int_equal(result.time.n, 0);
}

/* Ranks are threads that meet at a barrier. */
enum { RANKS_MOST = 5 };
struct world {
    pthread_barrier_t barrier;
    double buffer[4096];
};
struct rank {
    struct spread spread; /* first: gather gets its address */
    struct world *world;
    struct fake fake;
    struct replicate_plan plan;
    struct replicate_result result;
    struct diags diags;
    enum status status;
};

static enum status gather(const struct spread *spread, double all[], const size_t first[])
{
    struct world *world = ((const struct rank *)spread)->world;
    size_t from = first[spread->rank], n = first[spread->rank + 1] - from;
    memcpy(world->buffer + from, all + from, n * sizeof *all);
    pthread_barrier_wait(&world->barrier);
    memcpy(all, world->buffer, first[spread->size] * sizeof *all);
    pthread_barrier_wait(&world->barrier);
    return STATUS_OK;
}

static void *rank_run(void *argument)
{
    struct rank *rank = argument;
    rank->plan.spread = &rank->spread;
    rank->status = run(&rank->fake, MODE_distribution, rank->plan, &rank->result, &rank->diags);
    return NULL;
}

static void ranks_run(int size, struct rank ranks[])
{
    static struct world world;
    pthread_t threads[RANKS_MOST];
    pthread_barrier_init(&world.barrier, NULL, (unsigned)size);
    for (int k = 0; k < size; k++) {
        ranks[k].spread = (struct spread){.rank = k, .size = size, .gather = gather};
        ranks[k].world = &world;
        pthread_create(&threads[k], NULL, rank_run, &ranks[k]);
    }
    for (int k = 0; k < size; k++)
        pthread_join(threads[k], NULL);
    pthread_barrier_destroy(&world.barrier);
}

static void ranks_count_the_same_deadlocks(void **state)
{
    (void)state;
    struct fake fake = unlucky_fake();
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result alone;
    struct replicate_plan plan = {.exact = 22, .threads = 1, .engine = ENGINE_TIMED};
    assert_int_equal(run(&fake, MODE_distribution, plan, &alone, &diags), STATUS_OK);
    char *text = text_of(&diags);
    for (int size = 1; size <= RANKS_MOST; size++) {
        struct rank ranks[RANKS_MOST] = {0};
        for (int k = 0; k < size; k++) {
            ranks[k].fake = unlucky_fake();
            ranks[k].plan = plan;
        }
        ranks_run(size, ranks);
        for (int k = 0; k < size; k++) {
            assert_int_equal(ranks[k].status, STATUS_OK);
            assert_memory_equal(&ranks[k].result.time, &alone.time, sizeof alone.time);
            assert_int_equal(ranks[k].result.deadlocks, 5);
            char *said = text_of(&ranks[k].diags);
            assert_string_equal(said, text);
            free(said);
        }
    }
    free(text);
}

static void ranks_find_the_same(void **state)
{
    (void)state;
    static const struct replicate_plan plans[] = {{.exact = 37, .threads = 1}, {.exact = 3, .threads = 1},
                                                  {.precision = 0.02, .threads = 1}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct fake fake = fake_of(0.1);
        struct diags diags = DIAGS_EMPTY;
        struct replicate_result alone;
        assert_int_equal(run(&fake, MODE_distribution, plans[i], &alone, &diags), STATUS_OK);
        for (int size = 1; size <= RANKS_MOST; size++) {
            struct rank ranks[RANKS_MOST] = {0};
            for (int k = 0; k < size; k++) {
                ranks[k].fake = fake_of(0.1);
                ranks[k].plan = plans[i];
            }
            ranks_run(size, ranks);
            for (int k = 0; k < size; k++) {
                assert_int_equal(ranks[k].status, STATUS_OK);
                assert_memory_equal(&ranks[k].result.time, &alone.time, sizeof alone.time);
                assert_true(ranks[k].result.serial == alone.serial);
                assert_int_equal(ranks[k].result.inversions, alone.inversions);
            }
            assert_int_equal(ranks[0].result.totals.messages, 77);
        }
    }
}

/* 640 replications over 4 ranks, 160 each; rank 1 is interrupted at its 25th (batches of 8: 24 known), so 184 are known
 * in a row. */
static void an_interrupt_of_one_rank_stops_all(void **state)
{
    (void)state;
    struct rank ranks[RANKS_MOST] = {0};
    for (int k = 0; k < 4; k++) {
        ranks[k].fake = fake_of(0.1);
        ranks[k].plan = (struct replicate_plan){.exact = 640, .threads = 1, .lanes = 8};
    }
    ranks[1].fake.stops_from = 160 + 24;
    ranks_run(4, ranks);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(ranks[k].status, STATUS_INTERRUPTED);
        assert_int_equal(ranks[k].result.time.n, 184);
        assert_int_equal(ranks[k].diags.n, 0);
    }
}

static void an_error_of_one_rank_ends_all(void **state)
{
    (void)state;
    struct rank ranks[RANKS_MOST] = {0};
    for (int k = 0; k < 3; k++) {
        ranks[k].fake = fake_of(0.1);
        ranks[k].plan = (struct replicate_plan){.exact = 48, .threads = 1, .lanes = 8};
    }
    ranks[2].fake.fails_from = 32;
    ranks_run(3, ranks);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(ranks[k].status, STATUS_DEADLOCK);
        char *text = text_of(&ranks[k].diags);
        assert_string_equal(text, k == 2 ? "x.pevpm: error: deadlock seen by the batch that starts at 32\n"
                                         : "pevpm: error: rank 2 failed (DEADLOCK)\n");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_at_16_32_64),
        cmocka_unit_test(a_time_that_is_no_number_is_an_error),
        cmocka_unit_test(stops_where_the_mean_is_known),
        cmocka_unit_test(picks_the_nearest),
        cmocka_unit_test(gives_up_at_the_most),
        cmocka_unit_test(zero_spread_stops_at_16),
        cmocka_unit_test(without_chance_one_is_enough),
        cmocka_unit_test(exact_number_on_any_threads_and_lanes),
        cmocka_unit_test(an_inverted_replication_is_run_in_order),
        cmocka_unit_test(many_inversions_change_the_engine),
        cmocka_unit_test(a_failure_is_said_once),
        cmocka_unit_test(a_deadlock_by_chance_is_counted),
        cmocka_unit_test(a_deadlock_of_all_is_no_matter_of_chance),
        cmocka_unit_test(ranks_count_the_same_deadlocks),
        cmocka_unit_test(an_interrupt_keeps_what_is_known),
        cmocka_unit_test(ranks_find_the_same),
        cmocka_unit_test(an_interrupt_of_one_rank_stops_all),
        cmocka_unit_test(an_error_of_one_rank_ends_all),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
