/* Machine files whose model_error is written into their text. */
#include "models/machine_edit.h"
#include "models/machine_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "# ours\npevpm_machine: 1   # first\nname: m\nnodes: 2\nprocesses_per_node: 1\n"
#define ERROR                                                                                                       \
    "model_error:\n  communication: 0.021\n  computation: 0.0004\n  stretch: 4\n  spread_power: 0.4\n  share_power: 0.5\n  runs: 28\n"  \
    "  elsewhere: 1142\n"
static const struct machine_model_error error = {0.021, 4e-4, 4, 0.4, 0.5, 28, 1142};

static enum status edit(char **edited, const char *text, char said[400])
{
    struct diags diags = DIAGS_EMPTY;
    enum status status = machine_edit_model_error(edited, "m.yaml", text, strlen(text), &error, &diags);
    FILE *out = fmemopen(said, 400, "w");
    diags_print(&diags, out);
    fclose(out);
    diags_free(&diags);
    return status;
}

static void assert_edited(const char *text, const char *expected)
{
    char *edited, said[400] = "";
    assert_int_equal(edit(&edited, text, said), STATUS_OK);
    assert_string_equal(said, "");
    assert_string_equal(edited, expected);
    free(edited);
    assert_int_equal(edit(&edited, expected, said), STATUS_OK); /* once more changes nothing */
    assert_string_equal(edited, expected);
    free(edited);
}

static void a_new_key_stands_at_the_end(void **state)
{
    (void)state;
    assert_edited(HEAD, HEAD ERROR);
    assert_edited(HEAD "serial:\n  row: 1 # last", HEAD "serial:\n  row: 1 # last\n" ERROR);
    assert_edited(HEAD "\n# end\n", HEAD "\n# end\n" ERROR);
}

static void an_old_one_is_replaced_where_it_stood(void **state)
{
    (void)state;
    assert_edited(HEAD "model_error: {communication: 0.5}\nserial: {row: 1}\n", HEAD ERROR "serial: {row: 1}\n");
    assert_edited(HEAD "model_error:\n  # why\n  computation: 0.5\n\n# of rows\nserial: {row: 1}\n",
                  HEAD ERROR "\n# of rows\nserial: {row: 1}\n");
    assert_edited(HEAD "serial: {row: 1}\nmodel_error:\n  runs: 3\n  computation: 0.5",
                  HEAD "serial: {row: 1}\n" ERROR);
}

static void the_end_of_the_file_stays_behind(void **state)
{
    (void)state;
    assert_edited(HEAD MACHINE_LAST_LINE, HEAD ERROR MACHINE_LAST_LINE);
    assert_edited(HEAD "model_error:\n  computation: 0.5\n" MACHINE_LAST_LINE, HEAD ERROR MACHINE_LAST_LINE);
}

static void what_cannot_be_edited_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        enum status status;
    } cases[] = {
        {"{pevpm_machine: 1, name: m, nodes: 2, processes_per_node: 1}\n", "stands in braces", STATUS_SCHEMA},
        {"  pevpm_machine: 1\n  name: m\n  nodes: 2\n  processes_per_node: 1\n", "is indented", STATUS_SCHEMA},
        {"pevpm_machine: 1\nname: m\n", "missing key `nodes`", STATUS_SCHEMA},
        {"pevpm_machine: [\n", "m.yaml:", STATUS_SYNTAX},
        {HEAD "...\n", "the machine file with model_error", STATUS_SYNTAX}, /* the document has ended */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *edited, said[400] = "";
        assert_string_equal(status_name(edit(&edited, cases[i].text, said)), status_name(cases[i].status));
        assert_null(edited);
        if (!strstr(said, cases[i].said))
            fail_msg("`%s` is not in\n%s", cases[i].said, said);
    }
}

#define NOTE "  told:\n    by: us\n"
static void assert_entry(const char *text, const char *expected)
{
    char *edited, *again, *lines;
    assert_true(machine_edit_entry(&edited, text, strlen(text), "provenance", "told", NOTE));
    assert_string_equal(edited, expected);
    assert_true(machine_edit_entry(&again, edited, strlen(edited), "provenance", "told", NOTE));
    assert_string_equal(again, expected);
    lines = machine_edit_lines(edited, strlen(edited), "provenance", "told");
    assert_string_equal(lines, NOTE);
    free(lines);
    free(again);
    free(edited);
}

static void an_entry_of_a_section_is_replaced_or_added(void **state)
{
    (void)state;
    assert_entry(HEAD, HEAD "provenance:\n" NOTE);
    assert_entry(HEAD "provenance: {}\nserial: {row: 1}\n", HEAD "provenance:\n" NOTE "serial: {row: 1}\n");
    assert_entry(HEAD "provenance:\n  date: today\n# rows\nserial: {row: 1}\n",
                 HEAD "provenance:\n  date: today\n" NOTE "# rows\nserial: {row: 1}\n");
    assert_entry(HEAD "provenance:\n  told: {by: others}\n  # why\n  date: today\n",
                 HEAD "provenance:\n" NOTE "  # why\n  date: today\n");
    assert_entry(HEAD "provenance:\n  date: today\n  told:\n    by: others\n    of: more",
                 HEAD "provenance:\n  date: today\n" NOTE);
}

static void an_entry_that_stands_otherwise_is_left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "provenance: by hand\n",        HEAD "provenance: {told: us}\n", HEAD "provenance:\n  {told: us}\n",
        HEAD "provenance:\n    told: us\n", HEAD "provenance:\n  - told\n", "{pevpm_machine: 1}\n", "a: b: c\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *edited;
        assert_false(machine_edit_entry(&edited, texts[i], strlen(texts[i]), "provenance", "told", NOTE));
        assert_null(edited);
        assert_null(machine_edit_lines(texts[i], strlen(texts[i]), "provenance", "told"));
    }
    assert_null(machine_edit_lines(HEAD, strlen(HEAD), "models", "lmo"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_key_stands_at_the_end),
        cmocka_unit_test(an_old_one_is_replaced_where_it_stood),
        cmocka_unit_test(the_end_of_the_file_stays_behind),
                                       cmocka_unit_test(what_cannot_be_edited_is_refused),
        cmocka_unit_test(an_entry_of_a_section_is_replaced_or_added),
        cmocka_unit_test(an_entry_that_stands_otherwise_is_left_alone),
    };
    return cmocka_run_group_tests_name("machine_edit", tests, NULL, NULL);
}
