/* How busy machines were with other work, as lines of the provenance: put together, and told of. */
#include "results/busy.h"

#include "common/alloc.h"
#include "common/tests/said.h"

#include <stdio.h>
#include <string.h>

static void begin(struct result *result, const char *h1, const char *h2)
{
    result_init(result);
    result->name = alloc_string("m");
    result_note(result, 0, "date", "today");
    result_heading(result, NOTE_BUSY);
    result_note(result, 1, "h1", "%s", h1);
    result_note(result, 1, "h2 and 2 more hosts", "%s", h2);
}

static void told_of(const struct result *result, const char *expected)
{
    struct diags diags = DIAGS_EMPTY;
    busy_warn(result, place_of_file("a.yaml"), &diags);
    assert_says(&diags, expected);
    diags_free(&diags);
}

static void idle_machines_are_not_told_of(void **state)
{
    (void)state;
    struct result result;
    result_init(&result);
    told_of(&result, "");
    result_free(&result);
    begin(&result, "4.9 % of 2 processors over 83.1 s", "not known");
    told_of(&result, "");
    result_free(&result);
}

static void busy_ones_are(void **state)
{
    (void)state;
    struct result result;
    begin(&result, "5.0 % of 2 processors over 83.1 s", "0.3 % of 8 processors over 83.1 s");
    told_of(&result, "a.yaml: warning: processors were busy with other work than this job: 5.0 % of 2 processors over 83.1 s "
                     "on h1; times may be longer than on idle machines\n");
    result_note(&result, 1, "h2 and 2 more hosts", "23.9 %% of 8 processors over 83.1 s");
    result_note(&result, 1, "h1, block to 16.2 s", "61.0 %% of 2 processors over 8.1 s");
    told_of(&result, "a.yaml: warning: processors were busy with other work than this job: 23.9 % of 8 processors over 83.1 s "
                     "on h2 and 2 more hosts, and on 1 more; times may be longer than on idle machines\n");
    result_free(&result);
}

/* Others' work for a while says little of all that was measured, and spoils what was measured then. */
static void so_are_parts(void **state)
{
    (void)state;
    struct result result;
    begin(&result, "4.1 % of 2 processors over 83.1 s", "0.3 % of 8 processors over 83.1 s");
    result_note(&result, 1, "h1, block to 16.2 s", "31.0 %% of 2 processors over 8.1 s");
    told_of(&result, "a.yaml: warning: processors were busy with other work than this job: 31.0 % of 2 processors over 8.1 s "
                     "on h1, block to 16.2 s; times may be longer than on idle machines\n");
    result_free(&result);
}

static void of_launches_the_busiest_stays(void **state)
{
    (void)state;
    struct result results[4], merged;
    begin(&results[0], "not known", "0.3 % of 8 processors over 83.1 s");
    begin(&results[1], "1.1 % of 2 processors over 83.1 s", "23.9 % of 8 processors over 80.0 s");
    begin(&results[2], "0.9 % of 2 processors over 83.1 s", "not known");
    result_note(&results[2], 1, "h1, block to 16.2 s", "31.0 %% of 2 processors over 8.1 s");
    result_init(&results[3]); /* of an older bench */
    result_init(&merged);
    busy_merge(&merged, 4, results);
    assert_int_equal(merged.n_notes, 3);
    assert_string_equal(result_note_find(&merged, NOTE_BUSY, "h1"), "1.1 % of 2 processors over 83.1 s");
    assert_string_equal(result_note_find(&merged, NOTE_BUSY, "h2 and 2 more hosts"), "23.9 % of 8 processors over 80.0 s");
    result_free(&merged);
    for (int i = 0; i < 4; i++)
        result_free(&results[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(idle_machines_are_not_told_of), cmocka_unit_test(busy_ones_are),
                                       cmocka_unit_test(so_are_parts), cmocka_unit_test(of_launches_the_busiest_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
