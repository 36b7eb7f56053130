/* Whether a file that measuring goes on with has the groups that --topology says; what is said where it has others. */
#include "bench/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NODES = 8 };

#define LEAVES "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]\nSwitchName=c Nodes=n[4-5]\nSwitchName=d Nodes=n[6-7]\n"
static const char *const flat = LEAVES "SwitchName=top Switches=a,b,c,d\n";
static const char *const pods = LEAVES "SwitchName=ab Switches=a,b\nSwitchName=cd Switches=c,d\nSwitchName=top Switches=ab,cd\n";
static const char *const pairs = LEAVES "SwitchName=ac Switches=a,c\nSwitchName=bd Switches=b,d\nSwitchName=top Switches=ac,bd\n";
static const char *const one = "SwitchName=s Nodes=n[0-7]\n";
static const char *const halves = "SwitchName=l Nodes=n[0-3]\nSwitchName=r Nodes=n[4-7]\nSwitchName=top Switches=l,r\n";

/* What is taken of a tree into a result. */
static enum status take(struct result *result, const char *text, struct diags *diags)
{
    char path[] = "/tmp/test_topology.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
    struct crew_member members[NODES] = {0};
    for (int node = 0; node < NODES; node++)
        snprintf(members[node].host, sizeof members[node].host, "n%d", node);
    const struct job job = {.nodes = NODES, .ppn = 1};
    const struct bench_options options = {.output = "m.yaml", .topology = path};
    const enum status status = topology_take(result, &job, members, &options, diags);
    unlink(path);
    return status;
}

/* One that was begun with `before`, or is of a version that knew no groups of groups. */
static struct result begun_with(const char *before, bool is_older)
{
    struct result result;
    struct diags diags = DIAGS_EMPTY;
    result_init(&result);
    result.nodes = NODES;
    result.ppn = 1;
    assert_int_equal(take(&result, before, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    diags_free(&diags);
    for (size_t i = 0; i < result.n_notes && is_older; i++)
        if (strcmp(result.notes[i].key, NOTE_OUTER_GROUPS) == 0)
            result.notes[i].key[0] = '-';
    return result;
}

/* why: what is said between the file's place and the tree's; NULL: it goes on. */
static void goes_on(const char *before, bool is_older, const char *now, const char *why)
{
    struct diags diags = DIAGS_EMPTY;
    struct result result = begun_with(before, is_older);
    assert_int_equal(take(&result, now, &diags), why ? STATUS_SCHEMA : STATUS_OK);
    if (why) {
        char *said = NULL;
        size_t n;
        FILE *out = open_memstream(&said, &n);
        diags_print(&diags, out);
        fclose(out);
        if (!strstr(said, why))
            fail_msg("expected `%s`, found `%s`", why, said);
        free(said);
    }
    diags_free(&diags);
    result_free(&result);
}

static void the_same_groups_go_on(void **state)
{
    (void)state;
    goes_on(one, false, one, NULL);
    goes_on(flat, false, flat, NULL);
    goes_on(flat, true, flat, NULL);
    goes_on(pods, false, pods, NULL);
}

static void others_are_refused(void **state)
{
    (void)state;
    goes_on(one, false, flat, "this file has no groups of nodes, ");
    goes_on(halves, false, flat, "this file has groups of nodes, ");
    goes_on(flat, false, one, "this file has groups of nodes, ");
    goes_on(pods, false, pairs, "this file has groups of groups of nodes, ");
    goes_on(pods, false, flat, "this file has groups of groups of nodes, ");
    goes_on(flat, false, pods, "this file has no groups of groups of nodes, ");
}

/* Its trunks were measured, and its transits freed of what waited at them, as if nothing stood behind further ones. */
static void an_older_file_knows_no_groups_of_groups(void **state)
{
    (void)state;
    goes_on(flat, true, pods, "what this file has was measured when groups of groups of nodes were not known, and ");
    goes_on(halves, true, pods, "this file has groups of nodes, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_groups_go_on), cmocka_unit_test(others_are_refused),
                                       cmocka_unit_test(an_older_file_knows_no_groups_of_groups)};
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
