/* From the plan of a survey to the machine file, with times that are computed and not measured: no message is sent. */
#include "survey/fitting.h"
#include "survey/section.h"

#include "common/alloc.h"
#include "models/machine_source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 4, REPETITIONS = 6, BYTES = 8000 };
static const struct fitting_wish wish = {.bytes = BYTES, .messages = 32};

/* The machine: C = 20, 30, 40, 50 us; t = 1 .. 4 ns; 1/beta = 90 ns; overheads 5 us + 1 ns a byte, gap 10 us + 0.1 us a
 * byte more. */
static double one_way(int i, int j, double M)
{
    return (50 + 10 * (i + j) - 10) * 1e-6 + M * (90 + (i + 1) + (j + 1)) * 1e-9;
}

static double true_time(const struct experiment *e)
{
    double there = (double)e->there, back = (double)e->back;
    int i = e->node[0], j = e->node[1], k = e->node[2];
    switch (e->kind) {
    case EXPERIMENT_round_trip: return one_way(i, j, there) + one_way(j, i, back);
    case EXPERIMENT_to_two:
        return 4 * (20 + 10 * i) * 1e-6 + 2 * there * (i + 1) * 1e-9 +
               fmax(2 * (20 + 10 * j) * 1e-6 + there * (j + 1 + 90) * 1e-9,
                    2 * (20 + 10 * k) * 1e-6 + there * (k + 1 + 90) * 1e-9);
    case EXPERIMENT_send: return 5e-6 + 1e-9 * there;
    case EXPERIMENT_late_receive: return 6e-6 + 1e-9 * back;
    case EXPERIMENT_saturation: return e->messages * (10e-6 + 0.1e-6 * there);
    }
    return NAN;
}

static void survey_fill(struct survey *s)
{
    for (size_t i = s->n_done; i < s->n; i++) {
        struct surveyed *one = &s->all[i];
        one->n = REPETITIONS;
        one->t = alloc_array(REPETITIONS, sizeof *one->t);
        one->seconds = 0.5;
        for (int r = 0; r < REPETITIONS; r++)
            one->t[r] = true_time(&one->experiment);
    }
    s->n_done = s->n;
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-8 * fabs(expected) + 1e-18))
        fail_msg("found %.12g, expected %.12g", found, expected);
}

struct scene {
    struct survey survey;
    struct fitting fittings[N_FITTINGS];
    struct machine *machine;
};

/* In the order that the round trips ask for: the longest first, but for twentieths. */
static void triplets_fill(struct scene *s)
{
    struct fitting *f = &s->fittings[FITTING_lmo];
    struct triplet all[NODES * (NODES - 1) * (NODES - 2) / 2];
    assert_int_equal(fitting_triplets(f, &s->survey, NULL), sizeof all / sizeof *all);
    fitting_triplets(f, &s->survey, all);
    for (size_t at = 1; at < sizeof all / sizeof *all; at++)
        assert_true(1.05 * all[at - 1].t >= all[at].t);
    fitting_plan_triplets(f, &s->survey, all);
    survey_fill(&s->survey);
}

static void scene_open(struct scene *s)
{
    static const double plogp[] = {0, 2000, 4000, 8000};
    *s = (struct scene){.survey = {.comm = MPI_COMM_NULL, .nodes = NODES}};
    for (int m = 0; m < N_FITTINGS; m++) {
        fitting_plan(&s->fittings[m], (enum fitting_model)m, &s->survey, &wish, 4, plogp);
        survey_fill(&s->survey);
        if (m == FITTING_lmo)
            triplets_fill(s);
        fitting_estimate(&s->fittings[m], &s->survey, NULL);
    }
    struct section_clamped clamped;
    struct diags diags = DIAGS_EMPTY;
    char *section = section_text(N_FITTINGS, s->fittings, NULL, &clamped);
    char *text = alloc_format("pevpm_machine: 1\nname: m\nnodes: %d\nprocesses_per_node: 1\n%s", NODES, section);
    enum status status = machine_read_text(&s->machine, "m.yaml", text, strlen(text), &diags);
    if (status != STATUS_OK)
        diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    diags_free(&diags);
    free(clamped.kinds);
    free(section);
    free(text);
}

static void scene_close(struct scene *s)
{
    for (int m = 0; m < N_FITTINGS; m++)
        fitting_free(&s->fittings[m]);
    survey_free(&s->survey);
    machine_destroy(s->machine);
}

static void the_file_has_the_truth(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    const struct machine *m = s.machine;
    assert_near(m->hockney_hetero->alpha.value[1 * NODES + 3], 80e-6);
    assert_near(m->hockney_hetero->beta.value[3 * NODES + 1], 96e-9);
    assert_near(m->hockney->alpha, 70e-6); /* the means over the pairs */
    assert_near(m->hockney->beta, 95e-9);
    assert_near(m->loggp->o_s, 5e-6 + 1e-9);
    assert_near(m->loggp->o_r, 6e-6 + 1e-9);
    assert_near(m->loggp->g, 10e-6 + 0.1e-6);
    assert_near(m->loggp->G, 0.1e-6);
    assert_near(m->loggp_hetero->L.value[2], 60e-6 + 94e-9 - 11e-6 - 2e-9);
    assert_near(m->logp->L, m->loggp->L);
    assert_near(m->plogp_hetero->L.value[1 * NODES + 2], 70e-6 - 10e-6);
    assert_near(machine_curve_at(&m->plogp_hetero->o_s[6], 3000), 8e-6);
    assert_near(machine_curve_at(&m->plogp_hetero->g[6], 3000), 10e-6 + 3000 * 95e-9); /* node 1 to 2, indirectly */
    for (int i = 0; i < NODES; i++) {
        assert_near(m->lmo->C[i], (20 + 10 * i) * 1e-6);
        assert_near(m->lmo->t[i], (i + 1) * 1e-9);
        for (int j = 0; j < NODES; j++)
            assert_near(m->lmo->beta.value[i * NODES + j], i == j ? 0 : 90e-9);
    }
    assert_true(m->lmo->is_inverse && !m->lmo->port_limited);
    scene_close(&s);
}

/* Table 3's numbers: what is shared is carried out once, and counts for each model that wants it. */
static void experiments_are_shared_and_counted(void **state)
{
    (void)state;
    static const size_t experiments[N_FITTINGS] = {[FITTING_hockney] = 2 * 6, [FITTING_logp] = 4 * 6, [FITTING_loggp] = 5 * 6,
                                                   [FITTING_plogp] = 13 * 6, [FITTING_lmo] = 2 * 6 + 12};
    struct scene s;
    scene_open(&s);
    for (int m = 0; m < N_FITTINGS; m++) {
        struct fitting_cost cost = fitting_cost_of(&s.fittings[m], &s.survey, NULL);
        assert_int_equal(cost.experiments, experiments[m]);
        assert_int_equal(cost.measurements, REPETITIONS * experiments[m]);
        assert_near(cost.seconds, 0.5 * (double)experiments[m]);
    }
    /* shared: LogP's by LogGP, the empty round trips by hockney, plogp and lmo, those of M there by plogp and lmo */
    assert_int_equal(s.survey.n, 12 + 30 + 78 - 6 + 24 - 12);
    scene_close(&s);
}

static void bends_are_refined(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    struct fitting *f = &s.fittings[FITTING_plogp];
    assert_true(isnan(fitting_refine(f))); /* straight */
    for (size_t unit = 0; unit < f->units; unit++)
        f->found[unit * f->n_parameters + plogp_parameter(&f->plogp, PLOGP_o_r, 3)].value *= 2;
    assert_true(fitting_refine(f) == 6000);
    scene_close(&s);
}

/* Of one pair the largest size takes longer, as where a library sends large messages in another way; of few bytes sizes are
 * fewer. */
static void one_line_goes_through_nine_sizes(void **state)
{
    (void)state;
    struct fitting_wish by_regression = wish;
    by_regression.regression = true;
    struct survey survey = {.comm = MPI_COMM_NULL, .nodes = NODES};
    struct fitting f;
    fitting_plan(&f, FITTING_hockney, &survey, &by_regression, 0, NULL);
    survey_fill(&survey);
    fitting_estimate(&f, &survey, NULL);
    assert_int_equal(f.n_experiments, HOCKNEY_SIZES);
    assert_near(f.found[4 * HOCKNEY_PARAMETERS + HOCKNEY_alpha].value, 80e-6); /* nodes 1 and 3 */
    assert_near(f.found[4 * HOCKNEY_PARAMETERS + HOCKNEY_beta].value, 96e-9);
    assert_int_equal(f.found[0].experiments, HOCKNEY_SIZES);
    assert_true(fitting_line_miss(&f, &survey).largest < 1e-12);
    struct surveyed *last = &survey.all[f.number[4 * HOCKNEY_SIZES + HOCKNEY_SIZES - 1]];
    for (int r = 0; r < REPETITIONS; r++)
        last->t[r] *= 1.2; /* by a fifth of 848 us: at its middle the line rises by a ninth of it, by a 15th from size to size */
    fitting_estimate(&f, &survey, NULL);
    const struct line_miss miss = fitting_line_miss(&f, &survey);
    assert_near(f.found[4 * HOCKNEY_PARAMETERS + HOCKNEY_beta].value, 96e-9 + 0.2 * 848e-6 / 15 / 1000);
    assert_near(miss.largest, (4. / 15 - 1. / 9) * 0.2 * 848 / 80);
    assert_true(miss.node[0] == 1 && miss.node[1] == 3 && miss.bytes == 0 && miss.median < 1e-12);
    fitting_free(&f);
    by_regression.bytes = 2;
    fitting_plan(&f, FITTING_hockney, &survey, &by_regression, 0, NULL);
    assert_int_equal(f.n_experiments, 3);
    fitting_free(&f);
    survey_free(&survey);
}

/* Negative numbers that the file does not take. */
static void negative_parameters_are_counted(void **state)
{
    (void)state;
    struct scene s;
    struct section_clamped clamped;
    scene_open(&s);
    struct estimate *found = s.fittings[FITTING_lmo].found; /* t: 1, 2, 3, 4 ns */
    found[lmo_parameter_t(NODES, 2)].value = -1e-9;
    found[lmo_parameter_inverse_beta(NODES, 0, 1)].value = -2.5e-9; /* stays; the sum is 0.5 ns */
    found[lmo_parameter_inverse_beta(NODES, 0, 3)].value = -7e-9;   /* a sum of -2 ns, written as 0: -5 ns */
    char *text = section_text(1, &s.fittings[FITTING_lmo], NULL, &clamped);
    assert_int_equal(clamped.n, 2);
    assert_string_equal(clamped.kinds, "t of lmo, inverse_beta of lmo");
    free(clamped.kinds);
    assert_non_null(strstr(text, "{value: 0, ci95: "));
    assert_non_null(strstr(text, "{value: -2.5e-09, ci95: "));
    assert_non_null(strstr(text, "{value: -5e-09, ci95: "));
    assert_non_null(strstr(text, "{value: 8.9e-08, ci95: ")); /* 0 to 2: 90 ns, less the 1 ns that t lacks */
    free(text);
    struct fitting *plogp = &s.fittings[FITTING_plogp]; /* a pair stands in the file twice */
    plogp->found[0].value = -1e-9;
    plogp->found[plogp_parameter(&plogp->plogp, PLOGP_g, 1)].value = -1e-9;
    free(section_text(1, plogp, NULL, &clamped));
    assert_int_equal(clamped.n, 2);
    assert_string_equal(clamped.kinds, "L of plogp, g of plogp");
    free(clamped.kinds);
    scene_close(&s);
}

#define BEYOND(kappa, offset, C, t) \
    {{kappa, 1e-9, 40}, {offset, 1e-5, 40}, {C, 1e-6, 40}, {t, 1e-9, 40}}

/* What is found of linear Scatter and Gather comes back from the file. */
static void the_file_has_what_gathers_do(void **state)
{
    (void)state;
    static double level[] = {0.24, 0.6}, counts[] = {3, 4}, M1[] = {65537, 2048}, Mc[] = {65537, 40000};
    static double p[] = {0.1, 0.2, 0.3, 0.4}, low[] = {3, 4}, sizes[] = {2048, 65536};
    struct machine_surface surfaces[2] = {{.n_numprocs = 2, .n_bytes = 2, .numprocs = low, .bytes = sizes, .p = p}};
    surfaces[1] = surfaces[0];
    struct many_to_one flat = {.gather = {BEYOND(3e-9, -1e-3, -2e-6, 5e-9), BEYOND(-2e-9, 0, 0, 0)},
                               .scatter = {BEYOND(0, 2e-3, 0, 0), BEYOND(0, 0, 0, 0)},
                               .lmo = {.scatter_S = 57344, .n_levels = 2, .levels = level, .levels_added = true,
                                       .M1 = {2, counts, M1}, .Mc = {2, counts, Mc}, .M2 = 65536,
                                       .probability = surfaces}};
    struct scene s;
    struct machine *machine;
    struct diags diags = DIAGS_EMPTY;
    struct section_clamped clamped;
    scene_open(&s);
    char *section = section_text(1, &s.fittings[FITTING_lmo], &flat, &clamped);
    char *text = alloc_format("pevpm_machine: 1\nname: m\nnodes: %d\nprocesses_per_node: 1\n%s", NODES, section);
    assert_int_equal(machine_read_text(&machine, "m.yaml", text, strlen(text), &diags), STATUS_OK);
    const struct machine_lmo *lmo = machine->lmo;
    assert_true(lmo->scatter_S == 57344 && lmo->has_kappa && lmo->M2 == 65536 && lmo->levels_added);
    assert_near(lmo->gather[0][LMO_BEYOND_kappa], 3e-9);
    assert_near(lmo->gather[0][LMO_BEYOND_offset], -1e-3);
    assert_near(lmo->gather[0][LMO_BEYOND_C], -2e-6);
    assert_near(lmo->gather[0][LMO_BEYOND_t], 5e-9);
    assert_near(lmo->gather[1][LMO_BEYOND_kappa], -2e-9);
    assert_near(lmo->scatter[0][LMO_BEYOND_offset], 2e-3);
    assert_int_equal(lmo->n_levels, 2);
    assert_near(lmo->levels[1], 0.6);
    assert_near(machine_curve_at(&lmo->M1, 4), 2048);
    assert_near(machine_curve_at(&lmo->Mc, 4), 40000);
    assert_true(lmo->probability[1].p[3] == 0.4);
    machine_destroy(machine);
    diags_free(&diags);
    free(clamped.kinds);
    free(section);
    free(text);
    scene_close(&s);
}

static void assert_fitted(const struct machine_source *source, const double *of, double ci95, int experiments)
{
    for (size_t i = 0; i < source->n_fitted; i++)
        if (source->fitted[i].of == of) {
            assert_near(source->fitted[i].ci95, ci95);
            assert_int_equal(source->fitted[i].experiments, experiments);
            return;
        }
    fail_msg("%g stands bare", *of);
}

/* Points of PLogP's curves, levels and thresholds are written with how far they are known, and read again. */
static void intervals_stand_in_the_file(void **state)
{
    (void)state;
    static double level[] = {0.24, 0.6}, counts[] = {3, 4}, M1[] = {65537, 2048}, ratio[] = {2049};
    struct scene s;
    scene_open(&s);
    struct many_to_one flat = {.gather = {BEYOND(0, 0, 0, 0), BEYOND(0, 0, 0, 0)},
                               .scatter = {BEYOND(0, 0, 0, 0), BEYOND(0, 0, 0, 0)},
                               .lmo = {.scatter_S = 57344, .n_levels = 2, .levels = level, .M1 = {2, counts, M1}, .M2 = 65536,
                                       .M1_by_ratio = {1, counts + 1, ratio}}};
    struct machine_fitted fitted[] = {{&flat.lmo.dependence, 0.25, 96}, {&level[1], 3e-3, 17}, {&M1[1], 1024, 9}, {&flat.lmo.M2, 8192, 20},
                                      {&flat.lmo.scatter_S, 4096, 16}, {&ratio[0], 1, 21}};
    flat.n_fitted = sizeof fitted / sizeof *fitted;
    flat.fitted = fitted;
    struct estimate *o_s = &s.fittings[FITTING_plogp].found[plogp_parameter(&s.fittings[FITTING_plogp].plogp, PLOGP_o_s, 2)];
    o_s->half_width = 6e-9; /* nodes 0 and 1 at 4000 bytes; of the mean over six pairs a sixth */

    struct section_clamped clamped;
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    char path[] = "/tmp/test_fitting.XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    char *section = section_text(2, &s.fittings[FITTING_plogp], &flat, &clamped);
    fprintf(file, "pevpm_machine: 1\nname: m\nnodes: %d\nprocesses_per_node: 1\n%s", NODES, section);
    fclose(file);
    const enum status status = machine_read_whole(&machine, &source, path, &diags);
    remove(path);
    if (status != STATUS_OK)
        diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    const struct machine_lmo *lmo = machine->lmo;
    assert_fitted(&source, &machine->plogp->o_s.time[2], 1e-9, 13 * 6);
    assert_fitted(&source, &machine->plogp_hetero->o_s[1].time[2], 6e-9, 13);
    assert_fitted(&source, &lmo->levels[1], 3e-3, 17);
    assert_fitted(&source, &lmo->M1.time[1], 1024, 9);
    assert_fitted(&source, &lmo->M2, 8192, 20);
    assert_fitted(&source, &lmo->scatter_S, 4096, 16);
    assert_fitted(&source, &lmo->M1_by_ratio.time[0], 1, 21);
    assert_fitted(&source, &lmo->dependence, 0.25, 96); /* though it is 0 */
    assert_true(lmo->M1.time[0] == 65537 && lmo->levels[0] == 0.24);
    machine_destroy(machine);
    machine_source_free(&source);
    diags_free(&diags);
    free(clamped.kinds);
    free(section);
    scene_close(&s);
}

/* 1/beta and t as the file has them, which kappa is found with: their sum stays. */
static void parameters_are_those_of_the_file(void **state)
{
    (void)state;
    struct scene s;
    double parameters[NODES * (NODES + 3) / 2];
    scene_open(&s);
    s.fittings[FITTING_lmo].found[lmo_parameter_t(NODES, 2)].value = -1e-9;
    section_lmo(&s.fittings[FITTING_lmo], parameters);
    assert_near(parameters[lmo_parameter_C(NODES, 3)], 50e-6);
    assert_true(parameters[lmo_parameter_t(NODES, 2)] == 0);
    assert_near(parameters[lmo_parameter_inverse_beta(NODES, 0, 2)], 89e-9);
    assert_near(parameters[lmo_parameter_inverse_beta(NODES, 0, 1)], 90e-9);
    scene_close(&s);
}

/* Those whose repetitions are apart, once; those known least that a node leads, while their mean is not known. */
static void what_is_not_known_is_repeated(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    struct stopping rule = STOPPING_DEFAULT;
    const struct fitting *f = &s.fittings[FITTING_lmo];
    const size_t apart = f->number[lmo_to_two(NODES, 2, 0, 3)], beside = f->number[lmo_to_two(NODES, 2, 0, 1)];
    bool *more = alloc_array(s.survey.n, sizeof *more);
    size_t n = 0;
    rule.maximum = 10;
    for (size_t i = 0; i < s.survey.n; i++)
        s.survey.all[i].passes = 1;
    fitting_more(f, &s.survey, &rule, more);
    for (size_t i = 0; i < s.survey.n; i++)
        n += more[i];
    assert_int_equal(n, 0);
    s.survey.all[apart].t[1] *= 1.12;
    fitting_more(f, &s.survey, &rule, more);
    for (size_t i = 0; i < s.survey.n; i++)
        n += more[i];
    assert_true(n == 1 && more[apart]);
    s.survey.all[apart].passes = 2;
    fitting_more(f, &s.survey, &rule, more);
    assert_false(more[apart]);
    s.survey.all[apart].t[1] *= 3;
    fitting_more(f, &s.survey, &rule, more);
    assert_true(more[apart] && !more[beside]);
    for (int r = 0; r < REPETITIONS; r++)
        s.survey.all[beside].t[r] *= r % 2 == 0 ? 0.05 : 1.95;
    s.survey.all[apart].passes = s.survey.all[beside].passes = 4;
    fitting_more(f, &s.survey, &rule, more);
    assert_true(more[apart] && more[beside] && !more[f->number[lmo_to_two(NODES, 2, 1, 3)]]);
    s.survey.all[apart].passes = 5; /* so often already */
    fitting_more(f, &s.survey, &rule, more);
    assert_true(!more[apart] && more[beside]);
    free(more);
    scene_close(&s);
}

/* What the round trips with M bytes may all be off by is in 1/beta's intervals, M times less; in C's it is not. */
static void what_is_added_at_the_same_time_is_in_intervals(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    struct fitting *f = &s.fittings[FITTING_lmo];
    const size_t C = lmo_parameter_C(NODES, 1), t = lmo_parameter_t(NODES, 1);
    const size_t beta = lmo_parameter_inverse_beta(NODES, 1, 2);
    assert_true(f->found[t].half_width < 1e-15);
    survey_add_added(&s.survey, &s.survey.all[f->number[lmo_to_two(NODES, 0, 1, 2)]].experiment, 8e-6);
    fitting_estimate(f, &s.survey, NULL);
    assert_true(f->found[C].half_width < 1e-15);
    assert_true(f->found[t].half_width > 1.5 * 8e-6 / BYTES);
    assert_true(f->found[beta].half_width > 1.9 * f->found[t].half_width); /* it comes from t twice */
    fitting_estimate(f, &s.survey, s.survey.all); /* alone nothing is */
    assert_true(f->found[t].half_width < 1e-15);
    scene_close(&s);
}

/* As many as 64 nodes have, each asked for twice: a search through all would take a minute. */
static void many_experiments_keep_their_numbers(void **state)
{
    (void)state;
    struct survey survey = {.comm = MPI_COMM_NULL, .nodes = 64};
    struct experiment e = {.kind = EXPERIMENT_to_two, .there = BYTES};
    for (int again = 0; again < 2; again++) {
        size_t n = 0;
        for (e.node[0] = 0; e.node[0] < 64; e.node[0]++)
            for (e.node[1] = 0; e.node[1] < 64; e.node[1]++)
                for (e.node[2] = 0; e.node[2] < e.node[1]; e.node[2]++)
                    if (e.node[1] != e.node[0] && e.node[2] != e.node[0])
                        assert_int_equal(survey_add(&survey, &e), n++);
        assert_int_equal(n, 64 * 63 * 62 / 2);
    }
    const struct experiment pair = {EXPERIMENT_round_trip, {3, 4, 0}, 0, 0, 0},
                            same = {EXPERIMENT_round_trip, {3, 4, 9}, 0, 0, 0};
    const size_t number = survey_add(&survey, &pair);
    assert_int_equal(number, 64 * 63 * 62 / 2);
    assert_int_equal(survey_add(&survey, &same), number); /* a third node means nothing there */
    survey_free(&survey);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_has_the_truth),
        cmocka_unit_test(experiments_are_shared_and_counted),
        cmocka_unit_test(bends_are_refined),
        cmocka_unit_test(one_line_goes_through_nine_sizes),
        cmocka_unit_test(negative_parameters_are_counted),
        cmocka_unit_test(the_file_has_what_gathers_do),
        cmocka_unit_test(intervals_stand_in_the_file),
        cmocka_unit_test(parameters_are_those_of_the_file),
        cmocka_unit_test(what_is_not_known_is_repeated),
        cmocka_unit_test(what_is_added_at_the_same_time_is_in_intervals),
        cmocka_unit_test(many_experiments_keep_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
