/* Machine files that were cut off: what is left must not be taken for a machine in silence. */
#include "models/machine/whole.h"

#include "common/alloc.h"
#include "models/machine.h"
#include "models/machine_edit.h"
#include "models/machine_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char by_hand[] = "pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1\n"
                              "point_to_point:\n"
                              "  - operation: MPI_Send\n    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
                              "      - {bytes: 1024, transit: 98.5 us}\n"
                              "      - {bytes: 4096, transit: 201.25 us}";

/* The file that the program writes of a machine; freed by the caller. */
static char *file_written(const struct machine *machine, size_t *length)
{
    static const struct machine_note note = {.key = "measured_by", .value = "nobody"};
    const struct machine_write_options options = {.n_notes = 1, .notes = &note};
    struct diags diags = DIAGS_EMPTY;
    char path[] = "/tmp/pevpm-test-XXXXXX", *text = alloc_zeroed(1, 4096);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(machine_write(machine, &options, path, &diags), STATUS_OK);
    FILE *in = fopen(path, "r");
    *length = fread(text, 1, 4095, in);
    fclose(in);
    unlink(path);
    diags_free(&diags);
    return text;
}

/* Reads `text`; `said` is the message of the last diagnostic, "" if there is none. */
static enum status text_read(const char *text, size_t length, struct machine **machine, char said[512])
{
    struct diags diags = DIAGS_EMPTY;
    const enum status status = machine_read_text(machine, "m.yaml", text, length, &diags);
    snprintf(said, 512, "%s", diags.n > 0 ? diag_message(&diags, diags.n - 1) : "");
    diags_free(&diags);
    return status;
}

static struct machine *machine_by_hand(void)
{
    struct machine *machine;
    char said[512];
    assert_int_equal(text_read(by_hand, strlen(by_hand), &machine, said), STATUS_OK);
    assert_string_equal(said, "");
    return machine;
}

static void what_a_program_writes_is_whole_or_refused(void **state)
{
    (void)state;
    struct machine *machine = machine_by_hand(), *again;
    size_t length;
    char *text = file_written(machine, &length), said[512];
    assert_int_equal(text_read(text, length, &again, said), STATUS_OK);
    assert_string_equal(said, "");
    machine_destroy(again);
    for (size_t cut = strlen(MACHINE_FIRST_LINE); cut < length; cut++) {
        assert_int_equal(text_read(text, cut, &again, said), STATUS_SYNTAX);
        if (!strstr(said, "the file is cut off here"))
            fail_msg("cut after %zu bytes: %s", cut, said);
    }
    free(text);
    machine_destroy(machine);
}

static void the_end_stays_behind_what_is_added(void **state)
{
    (void)state;
    static const struct machine_model_error error = {.communication = 0.0125, .runs = 3};
    struct machine *machine = machine_by_hand(), *again;
    struct diags diags = DIAGS_EMPTY;
    size_t length;
    char *text = file_written(machine, &length), *edited, said[512];
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(machine_edit_model_error(&edited, "m.yaml", text, strlen(text), &error, &diags), STATUS_OK);
        free(text);
        text = edited;
    }
    assert_int_equal(whole_end(text, strlen(text)), strlen(text) - strlen(MACHINE_LAST_LINE));
    assert_int_equal(text_read(text, strlen(text), &again, said), STATUS_OK);
    assert_true(again->has_model_error);
    machine_destroy(again);
    free(text);
    diags_free(&diags);
    machine_destroy(machine);
}

/* A file of before, or of a person, may end as it likes, unless something is missing. */
static void an_unfinished_last_line_is_doubted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool doubted;
    } cases[] = {
        {"pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1\nmodels:\n  hockney: {alpha: 1 us, beta: 1 ns}", false},
        {"pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1", false},
        {"pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1\n", false},
        {"pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1\nprovenance:\n  \"rank 3\": \"h4, CLOCK", true},
        {"pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1\nprovenance:\n  date: 2026-11", true},
        {"pevpm_machine: 2\nname: lab\nnod", true},
        {"pevpm_machine: 2\nname: lab\nnodes: 16\nprocesses_per_node: 1\nserial: {row: [1, 2", true},
        {"pevpm_machine: 2\nnames: lab\nnodes: 16\nprocesses_per_node: 1", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *machine;
        char said[512];
        if (text_read(cases[i].text, strlen(cases[i].text), &machine, said) == STATUS_OK)
            machine_destroy(machine);
        if ((strstr(said, "seems to be cut off") != NULL) != cases[i].doubted)
            fail_msg("%s: %s", cases[i].text, said);
    }
}

/* A person may append a section. */
static void more_may_follow_the_end(void **state)
{
    (void)state;
    struct machine *machine = machine_by_hand(), *again;
    size_t length;
    char *text = file_written(machine, &length), *more = alloc_format("%sserial: {row: 1}\n", text), said[512];
    assert_int_equal(text_read(more, strlen(more), &again, said), STATUS_OK);
    assert_string_equal(said, "");
    assert_int_equal(again->n_serials, 1);
    machine_destroy(again);
    free(more);
    free(text);
    machine_destroy(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_program_writes_is_whole_or_refused),
                                       cmocka_unit_test(the_end_stays_behind_what_is_added),
                                       cmocka_unit_test(an_unfinished_last_line_is_doubted),
                                       cmocka_unit_test(more_may_follow_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
