#include "models/machine_path.h"

#include "common/alloc.h"
#include "common/tests/said.h"

#include <stdio.h>
#include <string.h>

/* Racks of two in halls of four, and one rack alone; lines 0 up, 1 down, 2 the halls' one for both directions, 3 a bus
 * on some nodes. */
static const char text[] =
    "pevpm_machine: 2\nname: m\nnodes: 10\n"
    "topology: {groups: {r0: \"0-1\", r1: \"2-3\", r2: \"4-5\", r3: \"6-7\", r4: \"8-9\", left: [r0, r1], "
    "right: [r2, r3]}}\n"
    "resources:\n"
    "  - {scope: group, of: [r0, r1, r2, r3, r4], direction: out, demand: [[0, 1]]}\n"
    "  - {scope: group, of: [r0, r1, r2, r3, r4], direction: in, demand: [[0, 1]]}\n"
    "  - {scope: group, of: [left, right], direction: both, demand: [[0, 1]]}\n"
    "  - {scope: node, of: \"2-5\", transport: node, direction: both, demand: [[0, 1]]}\n"
    "  - {scope: node, direction: out, demand: [[0, 1]]}\n";

/* The way as "line owner, ...". */
static void expect_seats(const struct machine_paths *paths, enum transport transport, struct seat from, struct seat to,
                         const char *expected)
{
    struct path_hop hop[PATH_MOST];
    char found[200] = "";
    const int n = machine_path(paths, transport, from, to, hop);
    for (int i = 0; i < n; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%d %d", i ? ", " : "", hop[i].resource,
                 hop[i].owner);
    assert_string_equal(found, expected);
}

static void expect(const struct machine_paths *paths, enum transport transport, int from, int to, const char *expected)
{
    expect_seats(paths, transport, (struct seat){0, from, SEAT_NO_SOCKET}, (struct seat){1, to, SEAT_NO_SOCKET}, expected);
}

static void messages_go_up_and_down(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    struct machine_paths paths;
    assert_int_equal(machine_read_text(&machine, "text", text, strlen(text), &diags), STATUS_OK);
    machine_paths_init(&paths, machine);
    expect(&paths, TRANSPORT_network, 0, 1, "");
    expect(&paths, TRANSPORT_network, 0, 3, "0 0, 1 1");
    expect(&paths, TRANSPORT_network, 3, 6, "0 1, 2 5, 2 6, 1 3");
    expect(&paths, TRANSPORT_network, 6, 3, "0 3, 2 6, 2 5, 1 1");
    expect(&paths, TRANSPORT_network, 8, 4, "0 4, 2 6, 1 2");
    expect(&paths, TRANSPORT_network, 4, 8, "0 2, 2 6, 1 4");
    expect(&paths, TRANSPORT_network, 10, 13, "0 0, 1 1"); /* beyond the file: its nodes round robin */
    expect(&paths, TRANSPORT_node, 4, 4, "3 4");
    expect(&paths, TRANSPORT_node, 14, 14, "3 14");        /* but each has its own */
    expect(&paths, TRANSPORT_node, 7, 7, "");
    expect(&paths, TRANSPORT_self, 4, 4, "");
    machine_paths_free(&paths);
    machine_destroy(machine);
    diags_free(&diags);
}

/* Sockets 0 and 1 are of node 0, 8 and 9 of node 4. */
static void messages_within_a_node_pass_sockets(void **state)
{
    (void)state;
    static const char sockets[] =
        "pevpm_machine: 2\nname: m\nnodes: 10\nsockets_per_node: 2\n"
        "resources:\n"
        "  - {scope: node, transport: node, direction: both, demand: [[0, 1]]}\n"
        "  - {scope: socket, transport: node, direction: out, demand: [[0, 1]]}\n"
        "  - {scope: socket, transport: node, direction: in, of: \"4\", demand: [[0, 1]]}\n"
        "  - {scope: socket, transport: socket, direction: both, of: \"4\", demand: [[0, 1]]}\n";
    static const struct {
        enum transport transport;
        int node, from, to;
        const char *path;
    } cases[] = {{TRANSPORT_node, 0, 0, 1, "1 0, 0 0"},        {TRANSPORT_node, 4, 9, 8, "1 9, 0 4, 2 8"},
                 {TRANSPORT_socket, 4, 9, 9, "3 9, 0 4"},      {TRANSPORT_socket, 0, 1, 1, "0 0"},
                 {TRANSPORT_node, 14, 28, 29, "1 28, 0 14, 2 29"}, {TRANSPORT_self, 4, 8, 8, ""}};
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    struct machine_paths paths;
    assert_int_equal(machine_read_text(&machine, "text", sockets, strlen(sockets), &diags), STATUS_OK);
    machine_paths_init(&paths, machine);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_seats(&paths, cases[i].transport, (struct seat){0, cases[i].node, cases[i].from},
                     (struct seat){1, cases[i].node, cases[i].to}, cases[i].path);
    machine_paths_free(&paths);
    machine_destroy(machine);
    diags_free(&diags);
}

/* Nodes 0 and 1, each in so many groups one inside the other, node by node. */
static char *nested_text(int depth)
{
    const int nodes = 2 * depth + 2;
    char *all = alloc_format("pevpm_machine: 2\nname: m\nnodes: %d\npoint_to_point: [{operation: MPI_Send, nodes: 2, "
                             "processes_per_node: 1, sizes: [{bytes: 0, transit: 1}]}]\ntopology: {groups: {", nodes);
    char *names = alloc_string("");
    for (int i = 0; i < 2 * depth; i++) {
        const int side = i % 2, level = i / 2, first = side * (depth + 1);
        char *more = alloc_format("%s%sg%d: \"%d-%d\"", all, i > 0 ? ", " : "", i, first, first + level);
        char *name = alloc_format("%s%sg%d", names, i > 0 ? ", " : "", i);
        free(all);
        free(names);
        all = more;
        names = name;
    }
    char *whole = alloc_format("%s}}\nresources: [{scope: group, of: [%s], direction: both, demand: [[0, 1]]}]\n", all,
                               names);
    free(all);
    free(names);
    return whole;
}

/* No resource of a way is left out without a word. */
static void too_deep_is_refused(void **state)
{
    (void)state;
    for (int depth = PATH_MOST / 2; depth <= PATH_MOST / 2 + 1; depth++) {
        struct path_hop hop[PATH_MOST];
        struct diags diags = DIAGS_EMPTY;
        struct machine *machine;
        struct cost_model *model;
        const struct cost_options options = {.model = "measured", .contention = CONTENTION_ports, .ppn = 1};
        char *nested = nested_text(depth);
        assert_int_equal(machine_read_text(&machine, "text", nested, strlen(nested), &diags), STATUS_OK);
        const enum status status = cost_model_open(&model, machine, &options, &diags);
        if (depth == PATH_MOST / 2) {
            assert_int_equal(status, STATUS_OK);
            assert_int_equal(model->path(model, TRANSPORT_network, (struct seat){0, 0, SEAT_NO_SOCKET},
                                         (struct seat){1, depth + 1, SEAT_NO_SOCKET}, hop), PATH_MOST);
            cost_model_close(model);
        } else {
            assert_int_equal(status, STATUS_NOT_YET);
            assert_tells(&diags, "messages leave 17 groups with a resource");
        }
        machine_destroy(machine);
        diags_free(&diags);
        free(nested);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_go_up_and_down),
                                       cmocka_unit_test(messages_within_a_node_pass_sockets),
                                       cmocka_unit_test(too_deep_is_refused)};
    return cmocka_run_group_tests_name("machine path", tests, NULL, NULL);
}
