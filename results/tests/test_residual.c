/* What predictions were off by, as lines of the provenance: kept, read again, put together, forgotten. */
#include "results/residual.h"

#include "common/alloc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* n programs that communicate for a second and are off by +-part of it, in turn. */
static void programs_note(struct result *result, const char *name, int n, double part)
{
    for (int i = 0; i < n; i++) {
        const struct model_error_point point = {.error = i % 2 ? part : -part, .communication = 1};
        char *what = alloc_format("%s %d on 2x1", name, i);
        residual_note(result, what, 1, &point);
        free(what);
    }
}

static void begin(struct result *result)
{
    result_init(result);
    result->name = alloc_string("m");
    result_note(result, 0, "date", "today");
}

static void few_programs_say_nothing(void **state)
{
    (void)state;
    struct result result;
    struct machine_model_error error;
    begin(&result);
    programs_note(&result, "ring", MODEL_ERROR_RUNS_LEAST - 1, 0.1);
    assert_false(residuals_model_error(&result, &error));
    programs_note(&result, "ring", MODEL_ERROR_RUNS_LEAST, 0.1); /* one more; the others replace themselves */
    assert_true(residuals_model_error(&result, &error));
    assert_int_equal(error.runs, MODEL_ERROR_RUNS_LEAST);
    assert_true(error.communication > 0.1 && error.communication < 0.6 && error.computation < 0.1);
    result_free(&result);
}

static void a_line_that_a_person_changed_does_not_count(void **state)
{
    (void)state;
    struct result result;
    struct machine_model_error error;
    begin(&result);
    programs_note(&result, "ring", MODEL_ERROR_RUNS_LEAST, 0.1);
    result_heading(&result, NOTE_JUDGED);
    result_note(&result, 1, "ring 0 on 2x1", "off by a lot");
    assert_false(residuals_model_error(&result, &error));
    assert_int_equal(residuals_unread(&result), 1);
    result_note(&result, 1, "ring 0 on 2x1", "off by 0.1 s of 1 s, 2 s of it computation, 0 s to be expected");
    assert_false(residuals_model_error(&result, &error));
    assert_int_equal(residuals_unread(&result), 1);
    result_note(&result, 1, "ring 0 on 2x1", "off by 0.1 s of 2 s, 1 s of it computation, 0 s to be expected");
    assert_int_equal(residuals_unread(&result), 0);
    result_note(&result, 1, "ring 0 on 2x1",
                "off by 0.1 s of 2 s, 1 s of it computation, 0 s to be expected, -1 s added by communication");
    assert_int_equal(residuals_unread(&result), 1);
    result_free(&result);
}

/* Lines from before what communication adds was said: the rest of the time was taken for it. */
static void older_lines_count(void **state)
{
    (void)state;
    struct result older, newer;
    struct machine_model_error error[2];
    begin(&older);
    begin(&newer);
    result_heading(&older, NOTE_JUDGED);
    result_heading(&newer, NOTE_JUDGED);
    for (int i = 0; i < 7; i++) {
        char *what = alloc_format("ring %d on 2x1", i);
        result_note(&older, 1, what, "off by %d.5 s of 90 s, 20 s of it computation, 0.25 s to be expected", i);
        result_note(&newer, 1, what, "off by %d.5 s of 90 s, 20 s of it computation, 0.25 s to be expected, "
                    "70 s added by communication", i);
        free(what);
    }
    assert_int_equal(residuals_unread(&older) + residuals_unread(&newer), 0);
    assert_true(residuals_model_error(&older, &error[0]) && residuals_model_error(&newer, &error[1]));
    assert_true(error[0].communication > 0 && error[0].stretch > 0);
    assert_memory_equal(&error[0], &error[1], sizeof error[0]);
    result_free(&older);
    result_free(&newer);
}

static void forgotten_lines_leave_the_other_notes(void **state)
{
    (void)state;
    struct result result;
    struct machine_model_error error;
    begin(&result);
    programs_note(&result, "ring", 9, 0.1);
    result_note(&result, 0, "later", "yes");
    residuals_forget(&result);
    assert_false(residuals_model_error(&result, &error));
    assert_null(result_note_find(&result, NOTE_JUDGED, "ring 0 on 2x1"));
    assert_string_equal(result_note_find(&result, "date", NULL), "today");
    assert_string_equal(result_note_find(&result, "later", NULL), "yes");
    residuals_forget(&result);
    result_free(&result);
}

static void merged_lines_are_those_of_all(void **state)
{
    (void)state;
    struct result one, other, merged;
    struct machine_model_error error;
    begin(&one);
    begin(&other);
    begin(&merged);
    programs_note(&one, "ring", 6, 0.1);
    programs_note(&other, "halo", 4, 0.1);
    residuals_merge(&merged, &one);
    residuals_merge(&merged, &other);
    assert_true(residuals_model_error(&merged, &error));
    assert_int_equal(error.runs, 10);
    result_free(&one);
    result_free(&other);
    result_free(&merged);
}

/* Where none could be judged the file is as wrong as those of other machines, until enough were, in whichever
 * launch. */
static void none_judged_is_as_wrong_as_elsewhere(void **state)
{
    (void)state;
    struct result none, other, merged;
    struct machine_model_error error;
    begin(&none);
    begin(&other);
    begin(&merged);
    assert_false(residuals_model_error(&none, &error));
    residuals_none(&none);
    assert_true(residuals_model_error(&none, &error));
    assert_true(error.communication == 0.0391 && error.computation == 0.000977 && error.stretch == MODEL_ERROR_STRETCH);
    assert_true(error.runs == 0 && error.elsewhere == 957);
    assert_int_equal(residuals_unread(&none), 0);
    residuals_merge(&merged, &none);
    assert_true(residuals_model_error(&merged, &error) && error.communication == 0.0391);
    programs_note(&other, "ring", 6, 0.1);
    residuals_merge(&merged, &other);
    assert_true(residuals_model_error(&merged, &error));
    assert_true(error.runs == 6 && error.elsewhere == 957 && error.communication != 0.0391);
    residuals_forget(&none);
    assert_false(residuals_model_error(&none, &error));
    result_free(&none);
    result_free(&other);
    result_free(&merged);
}

/* What the file's model_error says is what its lines say, before and after it was read. */
static void a_file_says_what_its_lines_say(void **state)
{
    (void)state;
    char path[] = "/tmp/pevpm-residual-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    struct result result, again;
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    struct machine_model_error error, read_error;
    begin(&result);
    result.nodes = 2;
    result.ppn = 1;
    result_histogram_init(&result, &result.overflow);
    const struct point_key key = {.operation = SEND_BLOCKING, .pattern = PATTERN_pingpong, .nodes = 2, .ppn = 1, .level = 1};
    histogram_add(&result_point(&result, &key)->transit, 1000, 9);
    programs_note(&result, "ring", 8, 0.0213);
    assert_int_equal(result_write(&result, path, &diags), STATUS_OK);
    assert_int_equal(machine_read(&machine, path, &diags), STATUS_OK);
    assert_int_equal(result_read(&again, path, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    assert_true(residuals_model_error(&result, &error) && residuals_model_error(&again, &read_error));
    assert_true(machine->has_model_error && machine->model_error.runs == 8);
    assert_true(fabs(machine->model_error.communication - error.communication) < 1e-12);
    assert_true(fabs(read_error.communication - error.communication) < 1e-12);
    machine_destroy(machine);
    result_free(&result);
    result_free(&again);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_programs_say_nothing),
        cmocka_unit_test(a_line_that_a_person_changed_does_not_count),
        cmocka_unit_test(older_lines_count),
        cmocka_unit_test(forgotten_lines_leave_the_other_notes),
        cmocka_unit_test(merged_lines_are_those_of_all),
        cmocka_unit_test(none_judged_is_as_wrong_as_elsewhere),
        cmocka_unit_test(a_file_says_what_its_lines_say),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
