/* What was measured, written into a provenance and read again: no message is sent. */
#include "survey/kept.h"

#include "common/alloc.h"
#include "models/machine_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "pevpm_machine: 1\nname: m\nnodes: 3\nprocesses_per_node: 1\n"
static char *hosts[] = {"h1", "h2", "h3"};
static const struct flat_wish wish = {.rest = 0.05, .largest = 64};

static void experiments_free(struct survey *s)
{
    for (size_t i = 0; i < s->n_kept; i++)
        free(s->kept[i].t);
    for (size_t i = 0; i < s->n; i++)
        free(s->all[i].t);
    free(s->added);
    free(s->kept);
    free(s->all);
    intern_free(&s->places);
}

static struct surveyed *measured(struct survey *s, struct experiment e, size_t n, const double t[])
{
    size_t number = survey_add(s, &e);
    struct surveyed *one = &s->all[number];
    one->n = n;
    one->t = memcpy(alloc_array(n, sizeof *t), t, n * sizeof *t);
    return one;
}

/* Reads notes as if they stood in a file. */
static enum status read_notes(const char *notes, struct survey *s, struct flat_survey *flat,
                              const struct flat_wish *wanted, char said[400])
{
    char path[] = "/tmp/test_kept.XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fprintf(file, HEAD "provenance:\n%s", notes);
    fclose(file);
    struct machine *machine = NULL;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(machine_read_whole(&machine, &source, path, &diags), STATUS_OK);
    *s = (struct survey){.nodes = 3};
    *flat = (struct flat_survey){.is_whole = false};
    enum status status = kept_read(&(struct kept){s, flat, wanted, 3, hosts, NULL}, &source, "m.yaml", &diags);
    FILE *out = fmemopen(said, 400, "w");
    diags_print(&diags, out);
    fclose(out);
    diags_free(&diags);
    machine_source_free(&source);
    machine_destroy(machine);
    remove(path);
    return status;
}

static const double times[] = {6612345e-9, 6612001e-9, -17e-9};

static void what_is_written_is_read_again_bit_for_bit(void **state)
{
    (void)state;
    struct survey s = {.nodes = 3}, again;
    struct flat_survey flat = {.largest = 64, .rest = 0.05, .is_whole = true}, flat_again;
    char said[400] = "";
    measured(&s, (struct experiment){EXPERIMENT_to_two, {0, 1, 2}, 8192, 0, 0}, 2, times);
    measured(&s, (struct experiment){EXPERIMENT_round_trip, {0, 2, 0}, 8192, 0, 0}, 3, times);
    measured(&s, (struct experiment){EXPERIMENT_round_trip, {0, 1, 0}, 8192, 0, 0}, 2, times + 1);
    const struct experiment before = {EXPERIMENT_saturation, {1, 2, 0}, 1, 0, 256};
    survey_keep(&s, &before, 1, times);
    survey_keep(&s, &s.all[0].experiment, 1, times + 2); /* this run has it anew */
    survey_add_added(&s, &s.all[0].experiment, 9e-6);
    survey_add_added(&s, &s.all[0].experiment, 31234e-9); /* the later one holds */
    flat_add(&flat, FLAT_edge, 3, 15, 0.05, false);
    flat_add(&flat, FLAT_gather, 3, 16, 0.051, false);
    flat_add(&flat, FLAT_gather, 3, 16, 0.25, true);
    flat_add(&flat, FLAT_gather, 3, 16, 0.052, false);
    flat_add(&flat, FLAT_scatter, 3, 64, 0.0625, false);
    char *text = kept_text(&(struct kept){&s, &flat, NULL, 3, hosts, NULL});
    assert_string_equal(text, "  measured by pevpm-estimate:\n    nodes: h1 h2 h3\n"
                              "    round_trip 8192 0 0 from 0: 1 6612001 -17, 2 6612345 6612001 -17\n"
                              "    to_two 8192 0 0 from 0: 1 2 6612345 6612001\n"
                              "    saturation 1 0 256 from 1: 2 6612345\n"
                              "    at_once to_two 8192 0 0: 31234\n"
                              "    operations: largest 64, rest 50000000, all\n"
                              "    scatter 3 64: 62500000,\n    gather 3 16: 51000000 250000000, 52000000,\n"
                              "    edge 3 15: 50000000,\n");
    assert_int_equal(read_notes(text, &again, &flat_again, &wish, said), STATUS_OK);
    char *second = kept_text(&(struct kept){&again, &flat_again, NULL, 3, hosts, NULL});
    assert_string_equal(second, text);
    assert_int_equal(again.n_kept, 4);
    assert_true(again.kept[2].n == 2 && again.kept[2].t[0] == 1e-9 * 6612345); /* as survey.c has it of a clock */
    assert_true(flat_again.is_whole && flat_again.largest == 64 && flat_again.measurements == 5);
    free(text);
    free(second);
    experiments_free(&s);
    experiments_free(&again);
    flat_free(&flat);
    flat_free(&flat_again);
}

/* Lines of before rows were parted do not say which operations came right after another. */
static void only_commas_say_what_follows(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool follows[4];
    } cases[] = {{"51 250 52 53", {false, false, false, false}},
                 {"51 250 52 53,", {false, true, true, true}},
                 {"51 250, 52 53,", {false, true, false, true}},
                 {"51 250, 52 53", {false, true, false, true}},
                 {"51, 250, 52, 53,", {false, false, false, false}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct survey s;
        struct flat_survey flat;
        char said[400] = "", *notes = alloc_format("  measured by pevpm-estimate:\n    gather 3 16: %s\n", cases[i].line);
        assert_int_equal(read_notes(notes, &s, &flat, NULL, said), STATUS_OK);
        const struct flat_point *point = flat.points[FLAT_gather];
        assert_int_equal(point->times.n, 4);
        assert_memory_equal(point->follows, cases[i].follows, sizeof cases[i].follows);
        experiments_free(&s);
        flat_free(&flat);
        free(notes);
    }
}

static void another_job_or_another_wish_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *notes, *said;
    } cases[] = {
        {"    nodes: h1 h9 h3\n", "m.yaml: error: --resume: the host of node 1 is h9 in this file, h2 in this job\n"},
        {"    nodes: h1 h2\n", "m.yaml: error: --resume: the host of node 2 is none in this file, h3 in this job\n"},
        {"    operations: largest 128, rest 50000000, all\n",
         "m.yaml: error: --resume: --largest is 128 bytes in this file, 64 in this job\n"},
        {"    operations: largest 64, rest 30000000, some\n",
         "m.yaml: error: --resume: --rest is 0.03 s in this file, 0.05 in this job\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct survey s;
        struct flat_survey flat;
        char said[400] = "", *notes = alloc_format("  measured by pevpm-estimate:\n%s", cases[i].notes);
        assert_int_equal(read_notes(notes, &s, &flat, &wish, said), STATUS_SCHEMA);
        assert_string_equal(said, cases[i].said);
        experiments_free(&s);
        flat_free(&flat);
        free(notes);
    }
}

static void a_damaged_line_is_named(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "round_trip 8192 0 0 from 0: 1", "round_trip 8192 0 0 from 0: 3 100 200",
        "round_trip 8192 0 0 from 7: 1 100 200", "round_trip 8192 0 0 from 0: 1 100 200, ",
        "round_trip 8192 0 0 from 0: 1 100 2x0", "round_trip 8192 0 from 0: 1 100 200",
        "to_two 8192 0 0 from 0: 1 100", "to_three 8192 0 0 from 0: 1 100", "operations: largest 64",
        "gather 4 16: 100", "gather 3 16: 100 x", "gather 3 16: 100,,", "gather 3: 100", "at_once to_two 8192 0: 5",
        "at_once to_two 8192 0 0: -5", "at_once two 8192 0 0: 5", "gather 3 16:", "nodes: h1 h2 h3 h4"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct survey s;
        struct flat_survey flat;
        char said[400] = "", *notes = alloc_format("  measured by pevpm-estimate:\n    %s\n", lines[i]);
        char *expected = alloc_format("m.yaml: error: --resume: under `measured by pevpm-estimate` the line `%.*s` is "
                                      "not as pevpm-estimate writes it\n", (int)strcspn(lines[i], ":"), lines[i]);
        assert_int_equal(read_notes(notes, &s, &flat, &wish, said), STATUS_SCHEMA);
        assert_string_equal(said, expected);
        experiments_free(&s);
        flat_free(&flat);
        free(expected);
        free(notes);
    }
}

static void a_file_without_the_heading_has_nothing(void **state)
{
    (void)state;
    struct survey s;
    struct flat_survey flat;
    char said[400] = "";
    assert_int_equal(read_notes("  by: hand\n", &s, &flat, &wish, said), STATUS_OK);
    assert_true(s.n_kept == 0 && flat.n[FLAT_gather] == 0);
}

/* What 16 hosts of 100 and of 10 Mbit/s were measured to take: where levels begin well above ten times a Gather of the size before, the
 * papers' ratio finds the M1 that levels have. */
static void M1_by_the_ratio_of_what_was_measured(void **state)
{
    (void)state;
    static char *sixteen[] = {"h1", "h2",  "h3",  "h4",  "h5",  "h6",  "h7",  "h8",
                              "h9", "h10", "h11", "h12", "h13", "h14", "h15", "h16"};
    static const struct {
        const char *path;
        double M1[3]; /* of 4, 8 and 16 processes; 0: none */
    } cases[] = {{"validation/results/gathers/100m/quick.yaml", {40960, 12288, 6144}},
                 {"validation/results/gathers/later.yaml", {0, 5120, 0}}}; /* of 16 one takes 9.997 times as long */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct survey s = {.nodes = 16};
        struct flat_survey flat = {.is_whole = false};
        struct machine *machine = NULL;
        struct machine_source source = MACHINE_SOURCE_EMPTY;
        struct diags diags = DIAGS_EMPTY;
        assert_int_equal(machine_read_whole(&machine, &source, cases[i].path, &diags), STATUS_OK);
        assert_int_equal(kept_read(&(struct kept){&s, &flat, NULL, 16, sixteen, NULL}, &source, cases[i].path, &diags), STATUS_OK);
        const struct many_to_one_input input = flat_input(&flat, 16, NULL);
        for (int k = 0; k < 3; k++) {
            struct ratio_leap leap = {0};
            assert_int_equal(many_to_one_ratio(&input, 4 << k, &leap), cases[i].M1[k] > 0);
            assert_true(leap.to == cases[i].M1[k]);
            if (leap.to > 0)
                assert_true(machine->lmo->M1.bytes[k] == 4 << k && machine->lmo->M1.time[k] == leap.to);
        }
        experiments_free(&s);
        flat_free(&flat);
        machine_source_free(&source);
        machine_destroy(machine);
        diags_free(&diags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again_bit_for_bit),
        cmocka_unit_test(only_commas_say_what_follows),
        cmocka_unit_test(another_job_or_another_wish_is_refused),
        cmocka_unit_test(a_damaged_line_is_named),
        cmocka_unit_test(a_file_without_the_heading_has_nothing),
        cmocka_unit_test(M1_by_the_ratio_of_what_was_measured),
    };
    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
