#include "report/report.h"

#include "report/plot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* One sampled row with all figures, and one without chance, interrupted, with no base for its speedup. */
struct scene {
    struct machine machine;
    struct placement placements[2];
    struct predict_mode modes[2];
    struct value values[2];
    struct sweep sweep;
    struct predict_request request;
    struct prediction rows[2];
    struct predict_result result;
    struct measured_time times[2];
    struct measurements measured;
    char name[8], parameter[2], note[64], *notes[1];
};

static void scene_fill(struct scene *s)
{
    *s =
        (struct scene){.name = "vc\"16", .parameter = "N", .note = "the machine file's nodes are used again and again"};
    s->machine = (struct machine){.name = s->name, .nodes = 4};
    s->placements[0] = (struct placement){2, 2, 1};
    s->placements[1] = (struct placement){16, 8, 2};
    s->modes[0] = (struct predict_mode){"distribution", MODE_distribution, false, NULL};
    s->modes[1] = (struct predict_mode){"average@2x1", MODE_average, true, NULL};
    s->values[0] = (struct value){.kind = VALUE_INT, .i = 7};
    s->values[1] = (struct value){.kind = VALUE_INT, .i = 12};
    s->sweep = (struct sweep){.name = s->parameter, .n = 2, .values = s->values};
    s->request = (struct predict_request){.program = "a, \"b\".c",
                                          .machine = &s->machine,
                                          .n_placements = 2,
                                          .placements = s->placements,
                                          .n_modes = 2,
                                          .modes = s->modes,
                                          .model = "measured",
                                          .baseline = NAN,
                                          .seed = 3,
                                          .plan = {.precision = 0.01, .threads = 1}};
    s->rows[0] = (struct prediction){.program = s->request.program,
                                     .machine = s->name,
                                     .model = "measured",
                                     .mode = "distribution",
                                     .params = "N=7",
                                     .contention = CONTENTION_scoreboard,
                                     .at = s->placements[0],
                                     .time = {.n = 32,
                                              .mean = 2.385,
                                              .sd = 0.05,
                                              .ci95 = 0.018,
                                              .min = 2.3,
                                              .p5 = 2.31,
                                              .median = 2.38,
                                              .p95 = 2.5,
                                              .max = 2.6},
                                     .base = BASELINE_SERIAL,
                                     .base_at = s->placements[0],
                                     .baseline = 4.5,
                                     .speedup = 1.886792452830189,
                                     .speedup_ci95 = 0.0142,
                                     .speedup_p5 = 1.8,
                                     .speedup_p95 = 1.948051948051948,
                                     .efficiency = 0.9433962264150944,
                                     .messages = 400000,
                                     .deadlocks = 3,
                                     .precise = true,
                                     .complete = true};
    s->rows[1] = (struct prediction){
        .program = s->request.program,
        .machine = s->name,
        .model = "measured",
        .mode = "average@2x1",
        .params = "N=7",
        .contention = CONTENTION_none,
        .at = s->placements[1],
        .time =
            {.n = 1, .mean = 0.1, .sd = NAN, .ci95 = NAN, .min = 0.1, .p5 = 0.1, .median = 0.1, .p95 = 0.1, .max = 0.1},
        .base = BASELINE_NONE,
        .baseline = NAN,
        .speedup = NAN,
        .speedup_ci95 = NAN,
        .speedup_p5 = NAN,
        .speedup_p95 = NAN,
        .efficiency = NAN,
        .messages = 5,
        .unreceived = 2,
        .precise = true,
        .complete = false};
    s->notes[0] = s->note;
    s->result = (struct predict_result){.n = 2, .rows = s->rows, .complete = false, .n_notes = 1, .notes = s->notes,
                                        .simulated = 7200 * 3.5, .simulated_cpu = 86400 * 5, .seconds = 12.5};
    s->times[0] = (struct measured_time){.numprocs = 2, .seconds = 2.5};
    s->times[1] = (struct measured_time){.numprocs = 2, .seconds = 2.3};
    s->measured = (struct measurements){.n = 2, .times = s->times};
}

static char *write_report(struct scene *s, enum report_format format, bool with_measured)
{
    char *text;
    size_t length;
    struct report report = {.format = format, .out = open_memstream(&text, &length), .request = &s->request,
                            .machine_path = "dir/m.yaml", .measured = with_measured ? &s->measured : NULL};
    report_begin(&report);
    for (size_t i = 0; i < s->result.n; i++)
        report_row(&report, &s->rows[i]);
    report_end(&report, &s->result);
    fclose(report.out);
    return text;
}

#define CSV_HEADER                                                                                                     \
    "program,machine,model,mode,numprocs,nodes,ppn,params,replications,"                                               \
    "mean_s,ci95_s,sd_s,min_s,p5_s,median_s,p95_s,max_s,"                                                              \
    "baseline_s,speedup,speedup_p5,speedup_p95,efficiency,messages"

static void csv(void **state)
{
    (void)state;
    struct scene s;
    scene_fill(&s);
    char *text = write_report(&s, REPORT_csv, false);
    assert_string_equal(text, CSV_HEADER ",deadlocks\n"
        "\"a, \"\"b\"\".c\",\"vc\"\"16\",measured,distribution,2,2,1,N=7,32,2.385,0.018,0.05,2.3,2.31,2.38,2.5,2.6,4.5,"
        "1.886792452830189,1.8,1.948051948051948,0.9433962264150944,400000,3\n"
        "\"a, \"\"b\"\".c\",\"vc\"\"16\",measured,average@2x1,16,8,2,N=7,1,0.1,,,0.1,0.1,0.1,0.1,0.1,,,,,,5,0\n");
    free(text);
    text = write_report(&s, REPORT_csv, true);
    assert_non_null(strstr(text, CSV_HEADER ",measured_s,error,deadlocks\n"));
    assert_non_null(strstr(text, ",400000,2.4,-0.00625"));
    assert_non_null(strstr(text, ",,,,,5,,,0\n"));
    free(text);
}

static void json(void **state)
{
    (void)state;
    struct scene s;
    scene_fill(&s);
    char *text = write_report(&s, REPORT_json, false);
    assert_string_equal(text,
        "{\n  \"pevpm\": \"" PEVPM_VERSION "\",\n  \"program\": \"a, \\\"b\\\".c\",\n  \"machine\": \"vc\\\"16\",\n"
        "  \"machine_file\": \"dir/m.yaml\",\n  \"model\": \"measured\",\n  \"contention\": \"scoreboard\",\n"
        "  \"collectives\": \"native\",\n  \"map\": \"block\",\n  \"seed\": 3,\n  \"predictions\": [\n"
        "    {\"program\": \"a, \\\"b\\\".c\", \"machine\": \"vc\\\"16\", \"model\": \"measured\", "
        "\"mode\": \"distribution\", "
        "\"numprocs\": 2, \"nodes\": 2, \"ppn\": 1, \"params\": \"N=7\", \"replications\": 32, \"mean_s\": 2.385, "
        "\"ci95_s\": 0.018, \"sd_s\": 0.05, \"min_s\": 2.3, \"p5_s\": 2.31, \"median_s\": 2.38, \"p95_s\": 2.5, "
        "\"max_s\": 2.6, "
        "\"baseline_s\": 4.5, \"speedup\": 1.886792452830189, \"speedup_p5\": 1.8, \"speedup_p95\": 1.948051948051948, "
        "\"efficiency\": 0.9433962264150944, \"messages\": 400000, \"contention\": \"scoreboard\", "
        "\"speedup_ci95\": 0.0142, "
        "\"unreceived\": 0, \"deadlocks\": 3, \"precise\": true, \"complete\": true},\n"
        "    {\"program\": \"a, \\\"b\\\".c\", \"machine\": \"vc\\\"16\", \"model\": \"measured\", "
        "\"mode\": \"average@2x1\", "
        "\"numprocs\": 16, \"nodes\": 8, \"ppn\": 2, \"params\": \"N=7\", \"replications\": 1, \"mean_s\": 0.1, "
        "\"ci95_s\": null, \"sd_s\": null, \"min_s\": 0.1, \"p5_s\": 0.1, \"median_s\": 0.1, \"p95_s\": 0.1, "
        "\"max_s\": 0.1, "
        "\"baseline_s\": null, \"speedup\": null, \"speedup_p5\": null, \"speedup_p95\": null, \"efficiency\": null, "
        "\"messages\": 5, \"contention\": \"none\", \"speedup_ci95\": null, \"unreceived\": 2, \"deadlocks\": 0, "
        "\"precise\": true, "
        "\"complete\": false}\n  ],\n  \"notes\": [\n    \"the machine file's nodes are used again and again\"\n  ],\n"
        "  \"complete\": false\n}\n");
    free(text);
}

/* No rows, no notes; a name with a control character, a backslash, a character of three bytes and bytes that are not
 * UTF-8. */
static void json_is_valid_whatever_the_name(void **state)
{
    (void)state;
    struct scene s;
    scene_fill(&s);
    s.request.program = "a\t\\\xe2\x82\xac\xff\xc0\xaf.c";
    s.result.n = 0;
    s.result.n_notes = 0;
    s.result.complete = true;
    char *text = write_report(&s, REPORT_json, false);
    assert_non_null(strstr(text, "\"program\": \"a\\u0009\\\\\xe2\x82\xac\\ufffd\\ufffd\\ufffd.c\""));
    assert_non_null(strstr(text, "\"predictions\": [],\n  \"notes\": [],\n  \"complete\": true\n}\n"));
    free(text);
}

static void text(void **state)
{
    (void)state;
    struct scene s;
    scene_fill(&s);
    s.request.n_sweeps = 1;
    s.request.sweeps = &s.sweep;
    char *text = write_report(&s, REPORT_text, true);
    assert_string_equal(text,
        "program      a, \"b\".c\n"
        "machine      vc\"16 (dir/m.yaml)\n"
        "model        measured, contention scoreboard\n"
        "replications until the mean is known to +-1 % (95 %), seed 3\n"
        "parameters   N=7,12\n"
        "\n"
        "  procs  n x p  mode          params       time       +-     5 % .. 95 % of runs   speedup      +-  efficiency"
        "   measured    error\n"
        "      2    2x1  distribution  N=7       2.385 s   0.75 %    2.310 s ..   2.500 s     1.887   0.014      94.3 %"
        "    2.400 s   -0.6 %\n"
        "     16    8x2  average@2x1   N=7      100.0 ms        -                                 -                   -"
        "          -        -  (incomplete)\n"
        "\n"
        "speedup      = T1 / time; T1 = 4.500 s, the Serial time of all processes at 2x1 (the program does not run on "
        "one) "
        "(distribution, N=7)\n"
        "                           T1 = unknown: the program has no Serial time, give --baseline TIME (average@2x1, "
        "N=7)\n"
        "note: the machine file's nodes are used again and again\n"
        "INCOMPLETE: the run ended before all rows were known\n"
        "simulated    7 hours of run time (5 days of processor time) in 12.50 s: 2016 times faster than the real "
        "runs\n");
    free(text);
}

static void numbers_come_back_as_the_same_bits(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 2.385,    1e-300, 5e-324, 1.7976931348623157e308, 123456789.123456789,
                                    0,   1e22,    0.1 + 0.2};
    char text[REPORT_NUMBER_BYTES];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(strtod(report_number(values[i], text), NULL) == values[i]);
    assert_string_equal(report_number(0.1, text), "0.1");
    assert_string_equal(report_number(0.1 + 0.2, text), "0.30000000000000004");
    assert_string_equal(report_number(NAN, text), "");
}

/* User text reaches gnuplot inside single quotes only, quotes doubled, and no line of it ends early. */
static void plot_quotes_names(void **state)
{
    (void)state;
    struct scene s;
    scene_fill(&s);
    s.request.program = "dir/it's`date`\nset output 'x'.c";
    char *script;
    size_t length;
    FILE *out = open_memstream(&script, &length);
    plot_write_script(out, ".svg", &s.request, &s.result, &s.measured);
    fclose(out);
    assert_non_null(strstr(script, "set terminal svg "));
    assert_non_null(strstr(script,
                           "set title 'Predicted speedup of it''s`date` set output ''x''.c on vc\"16, "
                           "N=7 (incomplete)' "
                           "noenhanced\n"));
    assert_non_null(strstr(script, "$curve0 << EOD\n2 1.88679245 1.8 1.94805195\nEOD\n"));
    assert_non_null(strstr(script, "$measured << EOD\n2 1.8\n2 1.95652174\nEOD\n"));
    assert_non_null(strstr(script, "title 'distribution, n x 1' noenhanced"));
    free(script);
    s.rows[1].params = "N=12";
    out = open_memstream(&script, &length);
    plot_write_script(out, ".pdf", &s.request, &s.result, NULL);
    fclose(out);
    assert_non_null(strstr(script, "title 'distribution, n x 1, N=7' noenhanced"));
    assert_non_null(strstr(script, "title 'average@2x1, n x 2, N=12' noenhanced"));
    assert_null(strstr(script, "$measured"));
    free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv),
        cmocka_unit_test(json),
        cmocka_unit_test(json_is_valid_whatever_the_name),
        cmocka_unit_test(text),
        cmocka_unit_test(numbers_come_back_as_the_same_bits),
        cmocka_unit_test(plot_quotes_names),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
