/* Spans told by hand: what a profile adds up, what it refuses, and how it reads. */
#include "report/profile.h"

#include "common/tests/said.h"
#include "report/races.h"
#include "report/report_profile.h"
#include "report/tests/told.h"

#include <gsl/gsl_cdf.h>

static const char program_text[] = "Param N = 2\n"
                                   "Serial time = 0.5\n"
                                   "Runon c1 = procnum == 0\n"
                                   "&     c2 = procnum == 1\n"
                                   "{\n"
                                   "Message type = MPI_Send & size = 8 & from = 0 & to = 1\n"
                                   "}\n"
                                   "{\n"
                                   "Message type = MPI_Recv & size = 8 & from = 0 & to = 1\n"
                                   "}\n"
                                   "# 1\n# 2\n# 3\n# 4\n# 5\n# 6\n# 7\n";
enum { LINE_SERIAL = 2, LINE_SEND = 6, LINE_RECV = 9 };

static void expect_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        print_error("%.17g is not %.17g\n", found, expected);
    assert_true(fabs(found - expected) <= tolerance);
}

static void tell(struct profile *profile, int32_t process, int32_t site, enum loss loss, double from, double to)
{
    profile_span(profile, &(struct span){process, site, loss, from, to});
}

/* Two processes, 4 s: 1 waits for 0, which then ends early. All times are exact in binary. */
static void tell_run(struct profile *profile, const struct program *program)
{
    int32_t serial = site_at(program, LINE_SERIAL), send = site_at(program, LINE_SEND),
            recv = site_at(program, LINE_RECV);
    tell(profile, 0, serial, LOSS_computation, 0, 0.5);
    tell(profile, 1, serial, LOSS_computation, 0, 0.25);
    tell(profile, 1, recv, LOSS_late_sender, 0.25, 2.25);
    tell(profile, 0, send, LOSS_send_overhead, 0.5, 0.75);
    tell(profile, 1, recv, LOSS_receive_overhead, 2.25, 2.75);
    tell(profile, 1, recv, LOSS_transit, 2.75, 4);
    tell(profile, 0, -1, LOSS_end_imbalance, 0.75, 4);
}

static void test_sums(void **state)
{
    (void)state;
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program_text, machine_text);
    const struct program *program = scene.program;
    int32_t recv = site_at(program, LINE_RECV);
    struct profile profile;
    profile_init(&profile, 2, program->n_sites);
    for (int r = 0; r < 3; r++) {
        tell_run(&profile, program);
        assert_int_equal(profile_end(&profile, 4), -1);
    }
    assert_int_equal(profile.replications, 3);
    expect_near(profile_run_time(&profile), 4, 0);
    expect_near(profile_site_time(&profile, recv), 1.875, 1e-15);
    expect_near(profile_site_time(&profile, program->n_sites), 1.625, 1e-15);
    expect_near(profile_loss_time(&profile, LOSS_late_sender), 1, 1e-15);
    expect_near(profile.by_process[0][LOSS_end_imbalance], 9.75, 0);
    double sites = 0, losses = 0;
    for (int32_t site = 0; site <= program->n_sites; site++)
        sites += profile_site_time(&profile, site);
    for (int loss = 0; loss < N_LOSSES; loss++)
        losses += profile_loss_time(&profile, (enum loss)loss);
    expect_near(sites, 4, 4e-9);
    expect_near(losses, 4, 4e-9);
    int32_t *order = calloc((size_t)program->n_sites + 1, sizeof *order);
    assert_int_equal(report_profile_order(&profile, order), 4);
    assert_int_equal(order[0], recv); /* 1.875 s lost */
    assert_int_equal(order[1], program->n_sites);
    assert_int_equal(order[2], site_at(program, LINE_SEND));
    assert_int_equal(order[3], site_at(program, LINE_SERIAL)); /* nothing lost */
    free(order);
    profile_free(&profile);
    scene_close(&scene);
}

/* The same replications in one profile, and in parts that are put together. */
static void test_parts(void **state)
{
    (void)state;
    struct profile whole, total, part;
    profile_init(&whole, 2, 3);
    profile_init(&total, 2, 3);
    profile_init(&part, 2, 3);
    for (int r = 1; r <= 5; r++) {
        struct profile *both[] = {&whole, &part};
        profile_reset(&part);
        for (int i = 0; i < 2; i++) {
            tell(both[i], 0, 1, LOSS_transit, 0, 1.1 * r);
            tell(both[i], 1, 2, LOSS_computation, 0, 0.3 * r);
            tell(both[i], 1, -1, LOSS_end_imbalance, 0.3 * r, 1.1 * r);
            if (r >= 3)
                profile_lost(both[i], &(struct flight){.from = r, .to = 1, .tag = -1, .send_site = 2});
            assert_int_equal(profile_end(both[i], 1.1 * r), -1);
        }
        profile_add(&total, &part);
    }
    assert_int_equal(total.replications, 5);
    expect_near(total.run_time, whole.run_time, 0);
    assert_memory_equal(total.by_site, whole.by_site, 4 * sizeof *whole.by_site);
    assert_true(total.lost[2].n == 3 && whole.lost[2].n == 3 && total.lost[1].n == 0);
    assert_true(total.lost[2].from == 3 && whole.lost[2].from == 3 && total.lost[2].tag == -1);
    assert_memory_equal(total.by_process, whole.by_process, 2 * sizeof *whole.by_process);
    profile_free(&part);
    profile_free(&total);
    profile_free(&whole);
}

/* What does not add up is found, with the process. */
static void test_torn(void **state)
{
    (void)state;
    struct profile profile;
    profile_init(&profile, 3, 1);
    static const struct {
        double to, from, end, run_time;
        int32_t wrong;
    } cases[] = {
        {1, 1, 2, 2, -1},
        {1, 1.5, 2, 2, 1},          /* a gap */
        {1, 0.5, 2, 2, 1},          /* an overlap */
        {1, 1, 1.9, 2, 1},          /* ends early */
        {1, 1, 2, 2.1, 0},          /* all end early */
        {2.5, 2.5, 2, 2, 1},        /* backwards */
        {1, 1, 2 + 1e-9, 2, -1},    /* within the tolerance */
        {1, 1, 2 + 1e-8, 2, 1},     /* and beyond */
        {1, 1 + 1e-7, 2, 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tell(&profile, 0, 0, LOSS_computation, 0, 2);
        tell(&profile, 1, 0, LOSS_computation, 0, cases[i].to);
        tell(&profile, 1, 0, LOSS_transit, cases[i].from, cases[i].end);
        tell(&profile, 2, 0, LOSS_computation, 0, 2);
        assert_int_equal(profile_end(&profile, cases[i].run_time), cases[i].wrong);
    }
    assert_int_equal(profile_end(&profile, 1), 0); /* nothing was told */
    assert_int_equal(profile_end(&profile, 0), -1);
    profile_free(&profile);
}

static void choose(struct races *races, int32_t process, int32_t site, int32_t source, int32_t candidates)
{
    races_choice(races, &(struct choice){process, site, source, candidates});
}

/* Eight runs, 1 is first in half of them; a run is longer by what comes from 2. */
static void races_play(struct races *races, struct races *part)
{
    static const double times[] = {10, 10.5, 11, 10.25, 13, 12.5, 12.75, 13.25};
    for (int r = 0; r < 8; r++) {
        struct races *to = part ? part : races;
        int32_t first = r < 4 ? 1 : 2;
        choose(to, 3, 4, 3 - first, 1); /* a later process's choice is not the first */
        if (r % 2)
            choose(to, 2, 5, 1, 1); /* who of two receivers is first is no race */
        choose(to, 0, 4, first, 2);
        choose(to, 0, 4, 2, 3);
        choose(to, 1, 5, 2, 1);
        if (r % 2 == 0)
            choose(to, 2, 5, 1, 1);
        for (int i = 0; i < r % 3; i++)
            choose(to, 0, 1, 3, 1);
        if (part)
            races_take(races, part, times[r]);
        else
            races_end(races, times[r]);
    }
}

static void test_races(void **state)
{
    (void)state;
    struct races races;
    races_init(&races, 4, 6);
    races_play(&races, NULL);
    assert_int_equal(races.n, 3);
    assert_int_equal(races.sites[2].n_orders, 1);
    assert_int_equal(races.sites[0].site, 1); /* by site, though 4 came first */
    const struct race_site *site = &races.sites[1];
    assert_int_equal(site->taken, 24);
    assert_int_equal(site->contested, 16);
    assert_int_equal(site->candidates, 48);
    assert_int_equal(site->candidates_most, 3);
    assert_int_equal(site->n_orders, 2); /* 1 or 2 first */
    assert_int_equal(races.sites[0].n_orders, 2); /* 3 once or twice; never is none */
    assert_int_equal(site->senders[1].taken, 8);
    assert_int_equal(site->senders[2].taken, 16);
    assert_int_equal(site->senders[1].first, 4);
    expect_near(races_first_time(&races, &site->senders[1]), 10.4375, 1e-12);
    expect_near(races_first_time(&races, &site->senders[2]), 12.875, 1e-12);
    assert_true(isnan(races_first_time(&races, &site->senders[3])));
    /* between: 8 * 1.21875^2 = 11.8828125; within: 0.546875 + 0.3125 */
    double explained, chance;
    assert_true(races_dependence(&races, site, &explained, &chance));
    expect_near(explained, 11.8828125 / 12.7421875, 1e-12);
    expect_near(chance, gsl_cdf_fdist_Q(11.8828125 / (0.859375 / 6), 1, 6), 1e-12);
    int32_t order[4];
    assert_int_equal(races_order(&races, site, order), 2);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
    assert_true(isnan(races_correlation(&races, &site->senders[1]))); /* always one */
    const struct race_sender *third = &races.sites[0].senders[3];     /* 0 1 2 0 1 2 0 1: covariance 1.90625 / 8 */
    double n[] = {0, 1, 2, 0, 1, 2, 0, 1}, t[] = {10, 10.5, 11, 10.25, 13, 12.5, 12.75, 13.25};
    double sn = 0, st = 0, snn = 0, stt = 0, snt = 0;
    for (int r = 0; r < 8; r++) {
        sn += n[r] / 8;
        st += t[r] / 8;
    }
    for (int r = 0; r < 8; r++) {
        snn += (n[r] - sn) * (n[r] - sn);
        stt += (t[r] - st) * (t[r] - st);
        snt += (n[r] - sn) * (t[r] - st);
    }
    expect_near(races_correlation(&races, third), snt / sqrt(snn * stt), 1e-12);
    assert_false(races_dependence(&races, &races.sites[0], &explained, &chance)); /* one sender */
    races_free(&races);
}

static void test_races_taken(void **state)
{
    (void)state;
    struct races whole, total, part;
    races_init(&whole, 4, 6);
    races_init(&total, 4, 6);
    races_init(&part, 4, 6);
    races_play(&whole, NULL);
    choose(&part, 0, 3, 1, 5); /* a replication that deadlocks */
    choose(&part, 0, 4, 1, 9);
    races_drop(&part);
    races_play(&total, &part);
    assert_int_equal(total.n, whole.n);
    expect_near(total.time, whole.time, 0);
    for (int32_t i = 0; i < whole.n; i++) {
        assert_int_equal(total.sites[i].site, whole.sites[i].site);
        assert_int_equal(total.sites[i].contested, whole.sites[i].contested);
        assert_int_equal(total.sites[i].n_orders, whole.sites[i].n_orders);
        assert_int_equal(total.sites[i].candidates_most, whole.sites[i].candidates_most);
        assert_memory_equal(total.sites[i].senders, whole.sites[i].senders, 4 * sizeof *whole.sites[i].senders);
    }
    races_free(&part);
    races_free(&total);
    races_free(&whole);
}

/* A report of tell_run with three choices. form: how to write it. */
static char *report_with(void (*form)(FILE *out, const struct profile_report *report), bool verbose)
{
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program_text, machine_text);
    struct profile profile;
    struct races races;
    profile_init(&profile, 2, scene.program->n_sites);
    races_init(&races, 2, scene.program->n_sites);
    for (int r = 0; r < 3; r++) {
        tell_run(&profile, scene.program);
        assert_int_equal(profile_end(&profile, 4), -1);
        choose(&races, 1, site_at(scene.program, LINE_RECV), 0, 1 + r);
        for (int i = 0; i < 2; i++)
            profile_lost(&profile, &(struct flight){.from = 0,
                                                    .to = r,
                                                    .tag = 5,
                                                    .send_site = site_at(scene.program, LINE_SEND)});
        races_end(&races, 4);
    }
    struct prediction row = {.mode = "distribution", .params = "N=2", .at = {2, 2, 1},
                             .time = {.n = 3, .mean = 4.021, .ci95 = 0.1}, .messages = 5, .unreceived = 1};
    struct profile_report report = {.row = &row, .program = scene.program, .source = scene.source, .profile = &profile,
                                    .races = &races, .verbose = verbose, .margin = true};
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    form(out, &report);
    fclose(out);
    races_free(&races);
    profile_free(&profile);
    scene_close(&scene);
    return text;
}

static void test_text(void **state)
{
    (void)state;
    char *text = report_with(report_profile_text, false);
    assert_has(text, "profile      2x1 distribution N=2: 4.000 s, the mean of 3 replications\n"
                     "             (not the table's 4.021 s: profiles follow the order of time, as --engine "
                     "timed does)\n\n");
    assert_has(text, " 46.9 %      1.875 s  test.pevpm:9 MPI_Recv                            6.2 %   15.6 %   "
                     "25.0 %\n");
    assert_has(text, " 40.6 %      1.625 s  after the end");
    assert_has(text, "late sender              0 s     1.000 s     2.000 s  (1)\n");
    assert_has(text, "test.pevpm:9 MPI_Recv took 1 message a run by wildcard, from the same senders in the same "
                     "order each "
                     "time\n  66.7 % of the times several were there already (at most 3)\n");
    assert_has(text, " 46.9 %    1.875 s  late sender      | Message type = MPI_Recv & size = 8 & from = 0 & to = 1\n");
    assert_has(text, "                                     | Runon c1 = procnum == 0\n");
    assert_has(text, " ... 3 lines without\n");
    assert_has(text, "\n\ntest.pevpm:6 MPI_Send sent 2 messages a run that nobody received, such as one from 0 "
                     "to 0 (tag 5)\n\n");
    assert_has(text, "Computation is 9.4 % of the time. The largest loss: 40.6 % of the time is processes that "
                     "have ended "
                     "while others still run (after the end); balance the work over the processes.\n");
    assert_null(strstr(text, " \n")); /* no blanks at the end of a line */
    assert_null(strstr(text, "\n  process"));
    free(text);
    text = report_with(report_profile_text, true);
    assert_has(text, "\n        1        6.2 %              12.5 %   31.2 %   50.0 %\n");
    free(text);
}

static void test_csv(void **state)
{
    (void)state;
    char *text = report_with(report_profile_csv, false);
    assert_has(text, "distribution,2,2,1,N=2,3,4,9,MPI_Recv,,1.875,0.46875,0,0,0.25,0.625,0,0,1,0,0,0,test.pevpm\n");
    assert_has(text, "distribution,2,2,1,N=2,3,4,,,,1.625,0.40625,0,0,0,0,0,0,0,0,0,1.625,\n");
    assert_has(text, "distribution,2,2,1,N=2,3,4,,,1,4,1,0.25,0,0.5,1.25,0,0,2,0,0,0,\n");
    char *header;
    size_t length;
    FILE *out = open_memstream(&header, &length);
    report_profile_csv_begin(out);
    fclose(out);
    int columns = 0, fields = 0;
    for (const char *c = header; *c; c++)
        columns += *c == ',';
    for (const char *c = text; *c != '\n'; c++)
        fields += *c == ',';
    assert_int_equal(columns, fields);
    free(header);
    free(text);
}

static void test_json(void **state)
{
    (void)state;
    char *text = report_with(report_profile_json, false);
    assert_has(text, "\"params\": \"N=2\", \"replications\": 3, \"run_time_s\": 4, \"unreceived\": 1");
    assert_has(text, "{\"line\": 9, \"directive\": \"MPI_Recv\", \"file\": \"test.pevpm\", \"time_s\": 1.875, \"share\": 0.46875, "
                     "\"computation_s\": 0");
    assert_has(text, "{\"line\": null, \"directive\": null, \"file\": null, \"time_s\": 1.625");
    assert_has(text, "\"never_received\": [\n        {\"line\": 6, \"directive\": \"MPI_Send\", \"file\": \"test.pevpm\", \"messages\": "
                     "2, \"from\": 0, "
                     "\"to\": 0, \"tag\": 5}]}");
    assert_has(text, "{\"process\": 1, \"time_s\": 4, \"share\": 1");
    assert_has(text, "{\"line\": 9, \"directive\": \"MPI_Recv\", \"file\": \"test.pevpm\", \"taken\": 1, \"contested\": 0.6666666666666666, "
                     "\"orders\": 1, \"candidates\": 2, \"candidates_most\": 3, \"explained\": null, \"chance\": null");
    free(text);
}

/* A profile without losses, and one without any time. */
static void test_nothing_lost(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct scene scene = {.numprocs = 1};
        scene_open(&scene, "Serial time = 1\n", machine_text);
        struct profile profile;
        profile_init(&profile, 1, scene.program->n_sites);
        if (run == 1)
            tell(&profile, 0, 0, LOSS_computation, 0, 1);
        assert_int_equal(profile_end(&profile, run), -1);
        struct prediction row = {.mode = "minimum", .params = "", .at = {1, 1, 1},
                                 .time = {.n = 1, .mean = run, .ci95 = 0}};
        struct profile_report report = {.row = &row, .program = scene.program, .source = scene.source,
                                        .profile = &profile, .margin = true};
        char *text;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        report_profile_text(out, &report);
        fclose(out);
        assert_has(text, run == 1 ? "Computation is 100.0 % of the time. No other single thing takes as much as 1 %.\n"
                                  : "0 s, the mean of 1 replication\n\n");
        assert_null(strstr(text, "nan"));
        free(text);
        profile_free(&profile);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),  cmocka_unit_test(test_parts), cmocka_unit_test(test_torn),
        cmocka_unit_test(test_races), cmocka_unit_test(test_races_taken), cmocka_unit_test(test_text),
        cmocka_unit_test(test_csv),   cmocka_unit_test(test_json),  cmocka_unit_test(test_nothing_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
