#include "models/host_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The nodes that `text` names where all are called `names` (NULL: they have no names); or what is wrong. */
static void expect(const char *names, const char *text, const char *expected)
{
    struct host_names hosts = {0};
    struct node_set set = {0};
    char problem[HOST_LIST_PROBLEM_BYTES];
    if (names)
        assert_true(host_names_parse(&hosts, names, problem));
    if (host_list_parse(&set, &hosts, names ? hosts.nodes : 16, text, problem)) {
        char *nodes = node_set_text(&set);
        assert_string_equal(nodes, expected);
        free(nodes);
    } else {
        assert_string_equal(problem, expected);
    }
    node_set_free(&set);
    host_names_free(&hosts);
}

static void expect_names(const char *names, int nodes, const char *expected)
{
    struct host_names hosts = {0};
    char problem[HOST_LIST_PROBLEM_BYTES] = "";
    bool good = host_names_parse(&hosts, names, problem);
    assert_string_equal(problem, expected);
    assert_int_equal(good, *expected == '\0');
    if (good)
        assert_int_equal(hosts.nodes, nodes);
    host_names_free(&hosts);
}

static void numbers_are_nodes(void **state)
{
    (void)state;
    expect(NULL, "0-3,8", "0-3,8");
    expect(NULL, "8,7,0", "0,7-8");
    expect(NULL, "15", "15");
    expect(NULL, "8-16", "there is no node 16: the machine has 16, numbered from 0");
    expect(NULL, "3-1", "`3-1` ends before it begins");
    expect(NULL, "3-", "expected a number of at most nine digits at ``");
    expect(NULL, "1,,2", "expected a number of at most nine digits at `,2`");
    expect(NULL, "n[0-3]", "`n[0-3]` is neither a group nor numbers of nodes such as 0-3,8; names of nodes need "
                           "`topology.hosts`");
}

static void names_are_as_slurm_writes_them(void **state)
{
    (void)state;
    expect("n[0-15]", "n[0-3,8]", "0-3,8");
    expect("n[0-15]", "n12,n3", "3,12");
    expect("n[08-11],login,gpu[1-2]-ib", "n[09-10],login", "1-2,4");
    expect("n[08-11],login,gpu[1-2]-ib", "gpu[1-2]-ib", "5-6");
    expect("n[08-11],login,gpu[1-2]-ib", "0,6", "0,6");
    expect("n[08-11]", "n8", "`topology.hosts` has no node `n8`");
    expect("n[8-11]", "n08", "`topology.hosts` has no node `n08`");
    expect("n[8-11]", "n[8-12]", "`topology.hosts` has no node `n12`");
    expect("n[8-11]", "n[8-11", "the bracket in `n[8-11` is not closed");
    expect("n[8-11]", "n[8;11]", "expected `,` or `]` at `;11]`");
    expect("n[8-11]", "", "expected a number of at most nine digits at ``");
    expect("n[8-11]", "n8,", "expected the name of a node at ``");
    expect("rack[1-2]n[01-04,08],login", "rack2n01", "5");
    expect("rack[1-2]n[01-04,08],login", "rack[1-2]n[04,08],login", "3-4,8-10");
    expect("c[0-1,4]-[7-8]s[1-2]", "c[1,4]-8s1", "6,10");
    expect("rack[1-2]n[01-04]", "rack[2-3]n[01-04]", "`topology.hosts` has no node `rack3n01`");
}

static void names_are_counted(void **state)
{
    (void)state;
    expect_names("n[0-3,8],login", 6, "");
    expect_names("a,b,a", 0, "`a` is there twice");
    expect_names("n[0-3],m,n[3-5]", 0, "`n3` is there twice");
    expect_names("n[0-3],m,n3", 0, "`n3` is there twice");
    expect_names("n[00-03],n[0-3]", 8, "");
    expect_names("r[0-1]n[0-3]", 8, "");
    expect_names("r[0-1]n[0-1,3],r1n3", 0, "`r1n3` is there twice");
    expect_names("r[0-1]n[0-3", 0, "the bracket in `r0n[0-3` is not closed");
    expect_names("r[0-4096]n[0-3]", 0, "more than 4096 numbers before the last brackets of `r[0-4096]n[0-3]`");
    expect_names("n[0-999999999],m[0-999999999],l[0-999999999]", 0, "more than 2147483647 nodes");
    expect_names("n[0-9999999999]", 0, "expected a number of at most nine digits at `9999999999]`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_nodes),
        cmocka_unit_test(names_are_as_slurm_writes_them),
        cmocka_unit_test(names_are_counted),
    };
    return cmocka_run_group_tests_name("host list", tests, NULL, NULL);
}
