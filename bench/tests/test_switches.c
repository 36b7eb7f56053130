/* Files of switches: what is read, and what is refused, where. */
#include "bench/switches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 40 };

static void file_make(char path[PATH_BYTES], const char *text)
{
    strcpy(path, "/tmp/test_switches.XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
}

/* Everything that was said, each place without its file. */
static void said_is(struct diags *diags, const char *path, const char *expected)
{
    char *said = NULL, *at;
    size_t n;
    FILE *out = open_memstream(&said, &n);
    diags_print(diags, out);
    fclose(out);
    while ((at = strstr(said, path)))
        memmove(at, at + strlen(path), strlen(at + strlen(path)) + 1);
    assert_string_equal(said, expected);
    free(said);
    diags_free(diags);
}

static void refuses(const char *text, enum status wanted, const char *expected)
{
    char path[PATH_BYTES];
    struct diags diags = DIAGS_EMPTY;
    struct switches switches;
    file_make(path, text);
    assert_int_equal(switches_read(&switches, path, &diags), wanted);
    said_is(&diags, path, expected);
    switches_free(&switches);
    unlink(path);
}

/* A tree of three switches and one above, read as Slurm writes it. */
static const char tree[] = "# two racks\n"
                           "SwitchName=s0 Nodes=h[1-3],h12   # the first\n"
                           "  switchname=s1 \\\n"
                           "     nodes=h[4-5] LinkSpeed=10\r\n"
                           "\n"
                           "SwitchName=s2 LinkSpeed=10 Nodes=login\n"
                           "SwitchName=top Switches=s[0-1],s2";

static void switches_are_read(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    struct diags diags = DIAGS_EMPTY;
    struct switches s;
    file_make(path, tree);
    assert_int_equal(switches_read(&s, path, &diags), STATUS_OK);
    assert_int_equal(s.n, 4);
    assert_int_equal(s.nodes.nodes, 7);
    for (int i = 0; i < 3; i++)
        assert_int_equal(s.list[i].parent, 3);
    assert_int_equal(s.list[3].parent, -1);
    assert_string_equal(s.list[1].name, "s1");
    assert_int_equal(switches_of_host(&s, "h12"), 0);
    assert_int_equal(switches_of_host(&s, "h5"), 1);
    assert_int_equal(switches_of_host(&s, "login.example.org"), 2);
    assert_int_equal(switches_of_host(&s, "h6"), -1);
    said_is(&diags, path, ":4:19: note: LinkSpeed is left out: rates are measured\n"
                          "    4 |      nodes=h[4-5] LinkSpeed=10\n"
                          "      |                   ^~~~~~~~~~~~\n");
    switches_free(&s);
    unlink(path);
}

/* Whether the hosts of a job, words, have these groups by a tree: each node's group, and each group's outer one, a digit or
 * `-`. */
static void grouped_as(const char *text, const char *words, const char *group_of, const char *above)
{
    char path[PATH_BYTES], names[256];
    const char *hosts[16];
    int nodes = 0;
    struct diags diags = DIAGS_EMPTY;
    struct switches s;
    struct switches_groups groups;
    snprintf(names, sizeof names, "%s", words);
    for (char *word = strtok(names, " "); word; word = strtok(NULL, " "))
        hosts[nodes++] = word;
    file_make(path, text);
    assert_int_equal(switches_read(&s, path, &diags), STATUS_OK);
    diags_free(&diags);
    assert_int_equal(switches_groups(&s, path, nodes, hosts, &groups, &diags), STATUS_OK);
    for (int node = 0; node < nodes; node++)
        assert_int_equal(groups.group_of[node], group_of[node] - '0');
    assert_int_equal(groups.n + groups.n_outer, (int)strlen(above));
    for (int group = 0; above[group]; group++)
        assert_int_equal(groups.above[group], above[group] == '-' ? -1 : above[group] - '0');
    switches_groups_free(&groups);
    switches_free(&s);
    unlink(path);
}

static void nodes_of_a_job_are_grouped(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    struct diags diags = DIAGS_EMPTY;
    struct switches s;
    struct switches_groups groups;
    grouped_as(tree, "h5 h1 h4 h2", "0101", "--");
    file_make(path, tree);
    assert_int_equal(switches_read(&s, path, &diags), STATUS_OK);
    diags_free(&diags);
    const char *const others[] = {"h5", "h77", "h1", "g1"};
    assert_int_equal(switches_groups(&s, path, 4, others, &groups, &diags), STATUS_NAME);
    said_is(&diags, path, ": error: host `h77` of this job is at no switch\n"
                          ": error: host `g1` of this job is at no switch\n");
    switches_groups_free(&groups);
    switches_free(&s);
    unlink(path);
}

#define LEAVES "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=c Nodes=n[5-6]\nSwitchName=d Nodes=n[7-8]\n"

/* Switches behind switches are groups of groups, if they part the job and are more than one of those behind them. */
static void higher_switches_are_groups(void **state)
{
    (void)state;
    const char *const pods = LEAVES "SwitchName=ab Switches=a,b\nSwitchName=cd Switches=c,d\nSwitchName=top Switches=ab,cd\n";
    const char *const deep = LEAVES "SwitchName=ab Switches=a,b\nSwitchName=abc Switches=ab,c\nSwitchName=top Switches=abc,d\n";
    grouped_as(pods, "n1 n2 n3 n4 n5 n6 n7 n8", "00112233", "4455--");
    grouped_as(pods, "n1 n5 n2 n6 n7 n8 n3 n4", "01012233", "4554--");
    grouped_as(pods, "n1 n2 n3 n4", "0011", "--");                 /* all that the job has is behind one of them */
    grouped_as(pods, "n1 n2 n5 n6 n7 n8", "001122", "-33-");       /* one of them has no more than the one behind it */
    grouped_as(pods, "n1 n3 n5 n7", "0011", "--");                 /* ports are not told from trunks of single nodes */
    grouped_as(pods, "n1 n3 n5 n7 n8", "00122", "-33-");
    grouped_as(pods, "n1 n3", "00", "-");
    grouped_as(pods, "n1 n2", "00", "-");
    grouped_as(deep, "n1 n2 n3 n4 n5 n6 n7 n8", "00112233", "445-5-");
}

static void lines_are_refused(void **state)
{
    (void)state;
    refuses("resources:\n  - {scope: node}\n", STATUS_SYNTAX,
            ":1:1: error: expected `SwitchName=`: this is not a topology.conf as Slurm has it for topology/tree\n"
            "    1 | resources:\n      | ^~~~~~~~~~\n");
    refuses("# blocks\nBlockName=b1 Nodes=n[1-4]\n", STATUS_SYNTAX,
            ":2:1: error: expected `SwitchName=`: this is not a topology.conf as Slurm has it for topology/tree\n"
            "    2 | BlockName=b1 Nodes=n[1-4]\n      | ^~~~~~~~~\n");
    refuses("SwitchName=s1 Node=n1\n", STATUS_SYNTAX,
            ":1:15: error: expected `Nodes=`, `Switches=` or `LinkSpeed=`, did you mean `Nodes`?\n"
            "    1 | SwitchName=s1 Node=n1\n      |               ^~~~\n");
    refuses("SwitchName=s1 Nodes\n", STATUS_SYNTAX,
            ":1:15: error: expected `Nodes=`, `Switches=` or `LinkSpeed=`\n"
            "    1 | SwitchName=s1 Nodes\n      |               ^~~~~\n");
    refuses("SwitchName=s1 Nodes=\n", STATUS_SYNTAX,
            ":1:21: error: expected a value\n    1 | SwitchName=s1 Nodes=\n      |                     ^\n");
    refuses("SwitchName=s1 Nodes=n1 nodes=n2\n", STATUS_SYNTAX,
            ":1:24: error: this key is there twice\n    1 | SwitchName=s1 Nodes=n1 nodes=n2\n"
            "      |                        ^~~~~~~~\n");
    refuses("SwitchName=s1 Nodes=n[1-\n", STATUS_NAME,
            ":1:21: error: the bracket in `n[1-` is not closed\n    1 | SwitchName=s1 Nodes=n[1-\n"
            "      |                     ^~~~\n");
}

static void trees_are_refused(void **state)
{
    (void)state;
    refuses("SwitchName=s1 Nodes=n[1-4]\nSwitchName=s2 Nodes=n5,n4\n", STATUS_NAME,
            ":2:21: error: `n4` is there twice\n    2 | SwitchName=s2 Nodes=n5,n4\n      |                     ^~~~~\n");
    refuses("SwitchName=s1 Nodes=n1\nSwitchName=s1 Nodes=n2\n", STATUS_NAME,
            ":2:12: error: this switch is there twice\n    2 | SwitchName=s1 Nodes=n2\n      |            ^~\n");
    refuses("SwitchName=s1 Nodes=n1 Switches=s2\n", STATUS_SYNTAX,
            ":1:12: error: a switch has either Nodes or Switches\n    1 | SwitchName=s1 Nodes=n1 Switches=s2\n"
            "      |            ^~\n");
    refuses("SwitchName=s1 LinkSpeed=1\n", STATUS_SYNTAX,
            ":1:15: note: LinkSpeed is left out: rates are measured\n    1 | SwitchName=s1 LinkSpeed=1\n"
            "      |               ^~~~~~~~~~~\n"
            ":1:12: error: this switch has neither Nodes nor Switches\n    1 | SwitchName=s1 LinkSpeed=1\n"
            "      |            ^~\n");
    refuses("SwitchName=s1 Nodes=n1\nSwitchName=t Switches=s[1-2]\n", STATUS_NAME,
            ":2:23: error: there is no switch `s2`\n    2 | SwitchName=t Switches=s[1-2]\n"
            "      |                       ^~~~~~\n");
    refuses("SwitchName=s1 Nodes=n1\nSwitchName=t Switches=s1\nSwitchName=u Switches=s1\n", STATUS_NAME,
            ":3:23: error: `s1` is a switch of `t` as well\n    3 | SwitchName=u Switches=s1\n"
            "      |                       ^~\n");
    refuses("SwitchName=a Switches=b\nSwitchName=b Switches=a\n", STATUS_NAME,
            ":1:23: error: this switch stands above itself\n    1 | SwitchName=a Switches=b\n"
            "      |                       ^\n");
    refuses("SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\nSwitchName=t Switches=s1\n", STATUS_NAME,
            ":2:12: error: this switch is no other's, though others are: what joins them?\n"
            "    2 | SwitchName=s2 Nodes=n2\n      |            ^~\n");
    refuses("# nothing\n", STATUS_SYNTAX,
            ": error: there is no switch: expected lines such as `SwitchName=s1 Nodes=n[1-4]`\n");
}

static void files_are_missed(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct switches switches;
    assert_int_equal(switches_read(&switches, "/nowhere/topology.conf", &diags), STATUS_IO);
    said_is(&diags, "/nowhere/topology.conf", ": error: cannot open: No such file or directory\n");
    switches_free(&switches);
}

/* Of switches without one above them nobody says how they are joined; they are groups all the same. */
static void a_tree_needs_no_top(void **state)
{
    (void)state;
    refuses("SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\n", STATUS_OK, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_are_read),       cmocka_unit_test(nodes_of_a_job_are_grouped),
        cmocka_unit_test(higher_switches_are_groups), cmocka_unit_test(lines_are_refused),
        cmocka_unit_test(trees_are_refused),       cmocka_unit_test(files_are_missed),
        cmocka_unit_test(a_tree_needs_no_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
